//! The texts that a model writes for a strategy in one run, from where its option `writer` says.

use super::Execution;
use crate::compression::{BrokenStrategy, History, TurnMemo, Variant, Writer};
use crate::measure::evidence::{EvidenceFinder, Needs};
use crate::measure::{Requests, clairvoyant};
use ecow::EcoString;

/// The strategy with the texts that are written for it.
///
/// # Errors
/// It makes no requests.
pub fn written<'v>(
    execution: &Execution<'_>,
    variant: &Variant<'v>,
    history: &History<'_>,
) -> Result<Variant<'v>, BrokenStrategy> {
    let texts = match variant.options.writer() {
        // What a log has is part of the run.
        Writer::Size | Writer::Empty | Writer::Recorded => Vec::new(),
        Writer::Perfect => perfect(execution, variant, history)?,
    };
    Ok(variant.clone().with_texts(texts))
}

/// Texts that hold what makes answers short if they hold nothing.
fn perfect(
    execution: &Execution<'_>,
    variant: &Variant<'_>,
    history: &History<'_>,
) -> Result<Vec<EcoString>, BrokenStrategy> {
    let (memo, mut requests) = (TurnMemo::default(), Requests::default());
    for request in execution.requests(variant, history, &memo) {
        let request = request?;
        if request.is_answered {
            requests.push(request);
        }
    }
    if requests.iter().all(|request| request.call.is_none()) {
        return Ok(Vec::new());
    }
    let (needs, index) = Needs::in_history(&execution.scenario, history);
    let table = history.messages().table();
    let lacking = EvidenceFinder::new(index).lacking(&needs, &table, &requests);
    let view = history.whole();
    Ok(clairvoyant::texts(&requests, &lacking, &|text| view.count(text) as u32))
}
