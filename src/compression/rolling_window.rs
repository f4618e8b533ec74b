//! The last turns whole, everything older as one summary (S2-24).

use super::history::View;
use super::options::{
    OptionRow, Options, PRINTLN_LIMIT, SAMPLE_LIMIT, SAMPLE_PRINTABLE_LIMIT, TOOL_CALL_LIMIT, WINDOW,
};
use super::statistics::Rendered;
use super::{Strategy, StrategyError, sections};
use crate::agent::Role;

/// `rolling-window`
pub struct RollingWindow;

impl Strategy for RollingWindow {
    fn name(&self) -> &str {
        "rolling-window"
    }

    fn doc(&self) -> &str {
        "the last turns whole, older ones as single-user-coalesced"
    }

    fn options(&self) -> &'static [OptionRow] {
        &[WINDOW, PRINTLN_LIMIT, TOOL_CALL_LIMIT, SAMPLE_LIMIT, SAMPLE_PRINTABLE_LIMIT]
    }

    fn to_messages(&self, view: &View<'_>, options: &Options) -> Result<Rendered, StrategyError> {
        let older = view.turns.len().saturating_sub(options.get(&WINDOW));
        let (message, mut shown) = sections::summary(&view.earlier(older), options);
        let mut messages = vec![view.system().clone(), message.finish(Role::User)];
        view.add_whole(older, &mut messages, &mut shown);
        Ok(Rendered::new(self.name(), view, messages, shown))
    }
}
