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
            let is_same =
                |known: &&mut KnownError| strategy == known.strategy && known.error.place() == error.place();
            if let Some(known) = self.errors.iter_mut().find(is_same) {
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
        let drawn = |(line, known): (String, &KnownError)| {
            let below: Vec<String> = known.error.diagnostic().lines().skip(1).map(str::to_owned).collect();
            std::iter::once(line).chain(below)
        };
        self.lines().into_iter().zip(&self.errors).flat_map(drawn).collect()
    }

    /// One line an error: `last-two.clj:3:5: … (strategy last-two in shop/exploration, turn 2, and 7 more)`.
    pub(in crate::cli) fn lines(&self) -> Vec<String> {
        let line = |known: &KnownError| {
            let more = if known.more > 0 { format!(", and {} more", known.more) } else { String::new() };
            format!("{} (strategy {} in {}{more})", known.error, known.strategy, known.place)
        };
        self.errors.iter().map(line).collect()
    }
}
