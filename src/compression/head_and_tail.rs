//! What some frameworks do so that the beginning is not lost: the first turn, in which programs look at
//! their data, and the last turns of the plain history; those between are forgotten.

use super::history::View;
use super::options::{KEEP_RECENT_TURNS, OptionRow, Options};
use super::statistics::{Rendered, Shown};
use super::{Strategy, StrategyError};

/// Turns that are kept from the beginning.
const HEAD: usize = 1;

/// `head-and-tail`
pub struct HeadAndTail;

impl Strategy for HeadAndTail {
    fn name(&self) -> &str {
        "head-and-tail"
    }

    fn doc(&self) -> &str {
        "full-history without the turns between its first and its last ones"
    }

    fn options(&self) -> &'static [OptionRow] {
        &[KEEP_RECENT_TURNS]
    }

    fn to_messages(&self, view: &View<'_>, options: &Options) -> Result<Rendered, StrategyError> {
        let tail = view.turns.len().saturating_sub(options.get(&KEEP_RECENT_TURNS));
        let mut messages = vec![view.system().clone(), view.opening().clone()];
        let mut shown = Shown::default();
        view.earlier(tail.min(HEAD)).add_whole(0, &mut messages, &mut shown);
        view.add_whole(tail, &mut messages, &mut shown);
        Ok(Rendered::new(self.name(), view, messages, shown))
    }
}
