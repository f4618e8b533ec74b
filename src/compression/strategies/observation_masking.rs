//! Every answer, but only the newest observations. Many frameworks do this.

use crate::compression::draft::RequestDraft;
use crate::compression::history::View;
use crate::compression::masking::masked;
use crate::compression::options::{KEEP_RECENT_TURNS, Options, STEP};
use crate::compression::severity::{Kind, Severity};
use crate::compression::strategy::{BuiltIn, Form};
use crate::compression::turn_memo::LeftOfTurn;

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
    // The next request masks the observation of the oldest whole turn, but not its answer.
    request.settle(usize::from(older < view.completed()));
    view.add_whole(older, &mut request);
    request
}
