//! What many frameworks do: the last turns of the plain history, the older ones forgotten.

use super::history::View;
use super::options::{KEEP_RECENT_TURNS, OptionRow, Options};
use super::statistics::{Rendered, Shown};
use super::{Strategy, StrategyError};

/// `trim`
pub struct Trim;

impl Strategy for Trim {
    fn name(&self) -> &str {
        "trim"
    }

    fn doc(&self) -> &str {
        "full-history without its older turns"
    }

    fn options(&self) -> &'static [OptionRow] {
        &[KEEP_RECENT_TURNS]
    }

    fn to_messages(&self, view: &View<'_>, options: &Options) -> Result<Rendered, StrategyError> {
        let older = view.turns.len().saturating_sub(options.get(&KEEP_RECENT_TURNS));
        let mut messages = vec![view.system().clone(), view.opening().clone()];
        let mut shown = Shown::default();
        view.add_whole(older, &mut messages, &mut shown);
        Ok(Rendered::new(self.name(), view, messages, shown))
    }
}
