//! Dollars on the command line.

use std::str::FromStr;

use ptc_tokens::Money;

/// A number of dollars on the command line.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) struct Dollars(pub Money);

impl FromStr for Dollars {
    type Err = String;

    fn from_str(text: &str) -> Result<Dollars, String> {
        let number = text.trim().trim_start_matches('$');
        let expected = || format!("expected dollars, such as 2.50, got '{text}'");
        number.parse().map(Dollars).map_err(|_| expected())
    }
}
