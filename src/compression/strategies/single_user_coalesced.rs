//! One USER message with everything that successful turns defined, called and printed, but not their programs.

use crate::agent::Role;
use crate::compression::draft::RequestDraft;
use crate::compression::history::View;
use crate::compression::options::{
    CACHE_FIRST, Options, PRINTLN_LIMIT, SAMPLE_LIMIT, SAMPLE_PRINTABLE_LIMIT, TOOL_CALL_LIMIT,
};
use crate::compression::sections::summary;
use crate::compression::strategy::{BuiltIn, Form};

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
    shown.failed_turns = summary::end(&mut message, view);
    view.started_by(&message.finish(Role::User), shown)
}
