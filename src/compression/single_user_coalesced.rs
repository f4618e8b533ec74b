//! One USER message that says what all successful turns defined, called and printed, and no program of
//! theirs (MSG-001…MSG-007, S1-06).

use super::history::View;
use super::options::{
    OptionRow, Options, PRINTLN_LIMIT, SAMPLE_LIMIT, SAMPLE_PRINTABLE_LIMIT, TOOL_CALL_LIMIT,
};
use super::statistics::{Rendered, Shown};
use super::{Strategy, StrategyError, sections};
use crate::agent::Role;

/// `single-user-coalesced`
pub struct SingleUserCoalesced;

impl Strategy for SingleUserCoalesced {
    fn name(&self) -> &str {
        "single-user-coalesced"
    }

    fn doc(&self) -> &str {
        "one message: definitions, calls, output, the newest error; the default"
    }

    fn options(&self) -> &'static [OptionRow] {
        &[PRINTLN_LIMIT, TOOL_CALL_LIMIT, SAMPLE_LIMIT, SAMPLE_PRINTABLE_LIMIT]
    }

    fn to_messages(&self, view: &View<'_>, options: &Options) -> Result<Rendered, StrategyError> {
        let (mut message, summarized) = sections::summary(view, options);
        let closing = sections::closing(&mut message, view);
        let shown = Shown { failed_turns: closing.failed_turns, ..summarized };
        let messages = vec![view.system().clone(), message.finish(Role::User)];
        Ok(Rendered::new(self.name(), view, messages, shown))
    }
}
