//! The reason why a chat API would reject a request. Records contain only that it would.

use std::collections::BTreeSet;

use crate::evaluate::{Plan, replay_with_bills};
use crate::measure::refusal;
use crate::scenario::JsonOptions;
use crate::scenario::suite::{Selection, Suite};
use ptc_tokens::Tokenizer;

/// Why the request of a turn is rejected under the baseline: `message 7 is empty`.
pub(super) fn rejection_reason(
    suite: &Suite,
    tokenizer: &Tokenizer,
    (scenario, turn): (&str, u32),
) -> Option<String> {
    let names = BTreeSet::from([scenario.to_owned()]);
    let selection = Selection { names: Some(names), ..Selection::default() };
    let scenario = suite.scenarios(&selection).ok()?.next()?.ok()?;
    let plan = Plan::new(suite, &[(suite.baseline.clone(), JsonOptions::default())]).ok()?;
    let replayed = replay_with_bills(scenario, &plan, tokenizer).ok()?;
    let request = replayed.strategies.first()?.answered().find(|request| request.turn == turn)?;
    refusal(&request.messages, replayed.conversation.past())
}
