//! The last turns unchanged, all older ones as one summary.

use crate::agent::Role;
use crate::compression::sections::summary;
use history_strategies::{
    BuiltIn, Form, Options, PRINTLN_LIMIT, RequestDraft, SAMPLE_LIMIT, SAMPLE_PRINTABLE_LIMIT, STEP,
    TOOL_CALL_LIMIT, View, WINDOW,
};

/// `rolling-window`
pub const ROLLING_WINDOW: BuiltIn = BuiltIn {
    name: "rolling-window",
    doc: "the last turns whole, older ones as single-user-coalesced",
    form: Form::Text,
    options: &[
        WINDOW.row(),
        STEP.row(),
        PRINTLN_LIMIT.row(),
        TOOL_CALL_LIMIT.row(),
        SAMPLE_LIMIT.row(),
        SAMPLE_PRINTABLE_LIMIT.row(),
    ],
    severity: None,
    render,
};

fn render(view: &View<'_>, options: &Options) -> RequestDraft {
    let older = options.old_turns(&WINDOW, view.completed());
    let (message, shown) = summary::summary(&view.earlier(older), options);
    let mut request = view.started_by(&message.finish(Role::User), shown);
    view.add_whole(older, &mut request);
    request
}
