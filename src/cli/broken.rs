//! Strategies of the user's own that made no requests: what went wrong at one place is told once, however
//! many scenarios it happens in.

use ecow::EcoString;

use crate::compression::StrategyError;
use crate::replay::Broken;

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
    /// Tells what is new, on standard error; `pause` makes room for it.
    pub(super) fn take(
        &mut self,
        scenario: &str,
        broken: Vec<(EcoString, Broken)>,
        pause: impl Fn(&dyn Fn()),
    ) {
        for (strategy, Broken { turn, error }) in broken {
            let is_same = |seen: &&mut Seen| strategy == seen.strategy && seen.error.place() == error.place();
            let known = self.errors.iter_mut().find(is_same);
            match known {
                Some(seen) => seen.more += 1,
                None => {
                    pause(&|| err!("{}", error.diagnostic()));
                    let place = format!("{scenario}, turn {turn}");
                    self.errors.push(Seen { strategy: strategy.to_string(), error, place, more: 0 });
                }
            }
        }
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
