//! Strategies of the user's own that made no requests: what went wrong at one place is told once, however
//! many scenarios it happens in.

use crate::compression::StrategyError;
use crate::replay::{Broken, ScenarioResult};

/// The errors of a run.
#[derive(Default)]
pub(super) struct BrokenStrategies {
    errors: Vec<Seen>,
}

struct Seen {
    strategy: String,
    error: StrategyError,
    /// The first scenario and turn.
    place: String,
    more: usize,
}

impl BrokenStrategies {
    /// Tells what is new, on standard error.
    pub(super) fn take(&mut self, result: &ScenarioResult) {
        let runs = result.strategies.iter().filter_map(|run| run.broken.as_ref().map(|broken| (run, broken)));
        for (run, Broken { turn, error }) in runs {
            let is_same = |seen: &&mut Seen| run.name == seen.strategy && seen.error.place() == error.place();
            let known = self.errors.iter_mut().find(is_same);
            match known {
                Some(seen) => seen.more += 1,
                None => {
                    err!("{}", error.diagnostic());
                    let place = format!("{}, turn {turn}", result.scenario.name);
                    self.errors.push(Seen {
                        strategy: run.name.to_string(),
                        error: error.clone(),
                        place,
                        more: 0,
                    });
                }
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// One line an error: `last-two.clj:3:5: … (strategy last-two in shop/exploration, turn 2, and 7 more)`.
    pub(super) fn lines(&self) -> Vec<String> {
        let line = |seen: &Seen| {
            let more = if seen.more > 0 { format!(", and {} more", seen.more) } else { String::new() };
            format!("{} (strategy {} in {}{more})", seen.error, seen.strategy, seen.place)
        };
        self.errors.iter().map(line).collect()
    }
}
