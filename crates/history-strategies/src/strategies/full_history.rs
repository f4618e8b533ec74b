//! No compression: the messages of a plain chat client. Every request extends the one before byte for byte.

use crate::draft::RequestDraft;
use crate::history::View;
use crate::options::Options;
use crate::severity::{Kind, Severity};
use crate::shown_turns::ShownTurns;
use crate::strategy::{BuiltIn, Form};

/// `full-history`
pub const FULL_HISTORY: BuiltIn = BuiltIn {
    name: "full-history",
    doc: "every turn as it was: the baseline, compression off",
    form: Form::Native,
    options: &[],
    severity: Some(severity),
    render,
};

fn severity(_: &Options) -> Severity {
    Severity::by_size(Kind::Nothing)
}

fn render(view: &View<'_>, _: &Options) -> RequestDraft {
    view.carry(|turns: &mut ShownTurns| {
        turns.push_rest(view);
        view.request_of(turns)
    })
}
