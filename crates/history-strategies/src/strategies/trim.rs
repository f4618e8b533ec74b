//! Sends the last turns of the plain history, without the older ones. Many frameworks do this.

use crate::draft::RequestDraft;
use crate::history::View;
use crate::options::{KEEP_RECENT_TURNS, Options, STEP};
use crate::severity::{Kind, Severity};
use crate::strategy::{BuiltIn, Form};

/// `trim`
pub const TRIM: BuiltIn = BuiltIn {
    name: "trim",
    doc: "full-history without its older turns",
    form: Form::Native,
    options: &[KEEP_RECENT_TURNS.row(), STEP.row()],
    severity: Some(severity),
    render,
};

fn severity(options: &Options) -> Severity {
    Severity::keeping(Kind::of_dropping(options.get(&STEP)), options.get(&KEEP_RECENT_TURNS))
}

fn render(view: &View<'_>, options: &Options) -> RequestDraft {
    let older = options.old_turns(&KEEP_RECENT_TURNS, view.completed());
    let mut request = view.start_without(older);
    view.add_whole(older, &mut request);
    request
}
