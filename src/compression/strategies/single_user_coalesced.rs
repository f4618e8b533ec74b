//! One USER message with all definitions, calls and prints of successful turns, but not their programs.

use crate::agent::Role;
use crate::compression::sections::summary;
use history_strategies::{
    BuiltIn, CACHE_FIRST, Form, Options, PRINTLN_LIMIT, RequestDraft, SAMPLE_LIMIT, SAMPLE_PRINTABLE_LIMIT,
    TOOL_CALL_LIMIT, View,
};

/// `single-user-coalesced`
pub const SINGLE_USER_COALESCED: BuiltIn = BuiltIn {
    name: "single-user-coalesced",
    doc: "one message: definitions, calls, output, the newest error; the default",
    form: Form::Text,
    options: &[
        PRINTLN_LIMIT.row(),
        TOOL_CALL_LIMIT.row(),
        SAMPLE_LIMIT.row(),
        SAMPLE_PRINTABLE_LIMIT.row(),
        CACHE_FIRST.row(),
    ],
    severity: None,
    render,
};

fn render(view: &View<'_>, options: &Options) -> RequestDraft {
    let (mut message, mut shown) = summary::summary(view, options);
    shown.failed_turns = summary::add_end(&mut message, view);
    view.started_by(&message.finish(Role::User), shown)
}
