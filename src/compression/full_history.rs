//! No compression: what a plain chat client sends. Append-only, so that every request extends the one
//! before byte for byte (S2-22, S3-16).

use super::history::View;
use super::options::{OptionRow, Options};
use super::statistics::{Rendered, Shown, Statistics};
use super::{Strategy, StrategyError};

/// `full-history`
pub struct FullHistory;

impl Strategy for FullHistory {
    fn name(&self) -> &str {
        "full-history"
    }

    fn doc(&self) -> &str {
        "every turn as it was: the baseline, compression off"
    }

    fn options(&self) -> &'static [OptionRow] {
        &[]
    }

    fn to_messages(&self, view: &View<'_>, _: &Options) -> Result<Rendered, StrategyError> {
        let mut messages = Vec::with_capacity(2 + 2 * view.turns.len());
        messages.extend([view.system().clone(), view.opening().clone()]);
        let mut shown = Shown::default();
        view.add_whole(0, &mut messages, &mut shown);
        let rendered = Rendered::new(self.name(), view, messages, shown);
        Ok(Rendered { statistics: Statistics { enabled: false, ..rendered.statistics }, ..rendered })
    }
}
