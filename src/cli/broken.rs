//! Errors of custom strategies. The same error at the same place is printed once, even if it occurs in many scenarios.

use ecow::EcoString;

use crate::compression::{BrokenStrategy, StrategyError};

/// The errors of an evaluation.
#[derive(Default)]
pub(in crate::cli) struct BrokenStrategies {
    errors: Vec<KnownError>,
}

struct KnownError {
    strategy: EcoString,
    error: StrategyError,
    /// The first scenario and turn with the error.
    place: String,
    more: usize,
}

impl BrokenStrategies {
    /// Adds the errors of a scenario. Returns the new ones, formatted.
    pub(in crate::cli) fn add(
        &mut self,
        scenario: &str,
        broken: Vec<(EcoString, BrokenStrategy)>,
    ) -> Vec<String> {
        let mut new = Vec::new();
        for (strategy, BrokenStrategy { turn, error }) in broken {
            let mut known = self.errors.iter_mut();
            let same = known.find(|known| strategy == known.strategy && known.error.place() == error.place());
            if let Some(known) = same {
                known.more += 1;
            } else {
                new.push(error.diagnostic());
                let place = format!("{scenario}, turn {turn}");
                self.errors.push(KnownError { strategy, error, place, more: 0 });
            }
        }
        new
    }

    /// The line of each error, followed by its source line.
    pub(in crate::cli) fn drawn(&self) -> Vec<String> {
        let mut drawn = Vec::new();
        for (line, known) in self.lines().into_iter().zip(&self.errors) {
            drawn.push(line);
            drawn.extend(known.error.diagnostic().lines().skip(1).map(str::to_owned));
        }
        drawn
    }

    /// One line an error: `last-two.clj:3:5: … (strategy last-two in shop/exploration, turn 2, and 7 more)`.
    pub(in crate::cli) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::with_capacity(self.errors.len());
        for KnownError { strategy, error, place, more } in &self.errors {
            let more = if *more > 0 { format!(", and {more} more") } else { String::new() };
            lines.push(format!("{error} (strategy {strategy} in {place}{more})"));
        }
        lines
    }
}
