//! The cost of one call, from its billed tokens by kind.

use crate::prices::Price;

/// The tokens of one call by kind, for [`Price::input_dollars`] and [`Price::output_dollars`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallTokens {
    /// All input tokens.
    pub input: u64,
    /// Input tokens read from a cache.
    pub read: u64,
    /// Input tokens written to a cache.
    pub written: u64,
    /// The part of `written` with the longer cache lifetime.
    pub written_long: u64,
    /// Output tokens.
    pub output: u64,
}

impl CallTokens {
    /// Input tokens neither read from nor written to a cache.
    pub fn fresh_tokens(&self) -> u64 {
        self.input.saturating_sub(self.read).saturating_sub(self.written)
    }
}

impl Price {
    /// Dollars for the input tokens of a call.
    pub fn input_dollars(&self, tokens: &CallTokens) -> f64 {
        let rates = self.rates(size_of_input(tokens));
        // All prices of large requests rise by the same factor.
        let rise = if self.input > 0.0 { rates.input / self.input } else { 1.0 };
        let write_long = self.long.map_or(rates.write, |long| long.write * rise);
        let for_short = tokens.written.saturating_sub(tokens.written_long);
        let millions = tokens.fresh_tokens() as f64 * rates.input
            + tokens.read as f64 * rates.read
            + for_short as f64 * rates.write
            + tokens.written_long as f64 * write_long;
        millions / 1e6
    }

    /// Dollars for the output tokens of a call.
    pub fn output_dollars(&self, tokens: &CallTokens) -> f64 {
        tokens.output as f64 * self.rates(size_of_input(tokens)).output / 1e6
    }
}

fn size_of_input(tokens: &CallTokens) -> u32 {
    u32::try_from(tokens.input).unwrap_or(u32::MAX)
}
