//! Keeps every answer, but only the newest observations. Many frameworks do this.

use crate::draft::RequestDraft;
use crate::history::View;
use crate::masking::masked;
use crate::options::{KEEP_RECENT_TURNS, Options, STEP};
use crate::severity::{Kind, Severity};
use crate::strategy::{BuiltIn, Form};
use crate::turn_memo::LeftOfTurn;

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

fn render(view: &View<'_>, options: &Options) -> RequestDraft {
    let older = options.old_turns(&KEEP_RECENT_TURNS, view.completed());
    let mut request = view.start();
    for (index, (turn, exchange)) in view.exchanges(0).take(older).enumerate() {
        let mask = || masked(view, turn, exchange, |_| true);
        view.add_instead(index, LeftOfTurn::default(), &mut request, mask);
    }
    // The next request masks the oldest whole turn's observation, but not its answer.
    request.settle(usize::from(older < view.completed()));
    view.add_whole(older, &mut request);
    request
}
