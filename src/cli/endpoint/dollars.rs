//! Dollars on the command line.

use ptc_prices::Money;

/// Reads `2.50` or `$2.50`.
pub(super) fn parse_dollars(text: &str) -> Result<Money, String> {
    let number = text.trim().trim_start_matches('$');
    number.parse().map_err(|_| format!("expected dollars, such as 2.50, got '{text}'"))
}
