//! Keeps every answer, but only the newest observations. Many frameworks do this.

use crate::draft::RequestDraft;
use crate::history::View;
use crate::masking::masked;
use crate::options::{KEEP_RECENT_TURNS, Options, STEP};
use crate::severity::{Kind, Severity};
use crate::shown_turns::ShownTurns;
use crate::strategy::{BuiltIn, Form};

/// `observation-masking`
pub const OBSERVATION_MASKING: BuiltIn = BuiltIn {
    name: "observation-masking",
    doc: "full-history with the feedback of older turns left out",
    form: Form::Native,
    options: &[KEEP_RECENT_TURNS.row(), STEP.row()],
    severity: Some(severity),
    render,
};

fn severity(options: &Options) -> Severity {
    Severity::keeping(Kind::of_masking(options.get(&STEP)), options.get(&KEEP_RECENT_TURNS))
}

/// The turns of the newest request.
#[derive(Default)]
struct Masked {
    turns: ShownTurns,
    /// Number of masked turns at the start.
    older: usize,
}

fn render(view: &View<'_>, options: &Options) -> RequestDraft {
    let older = options.old_turns(&KEEP_RECENT_TURNS, view.completed());
    view.carry(|Masked { turns, older: before }| {
        if older > *before {
            turns.truncate(*before);
            for (turn, exchange) in view.exchanges(*before).take(older - *before) {
                turns.push(&masked(view, turn, exchange, |_| true));
            }
            *before = older;
        }
        turns.push_rest(view);
        let mut request = view.request_of(turns);
        // The next request masks the oldest whole turn's observation, but not its answer.
        let answer = usize::from(older < view.completed());
        request.settle_at(turns, older, answer);
        request
    })
}
