//! The texts that a model writes for a strategy in one run, from where its option `writer` says.

use super::Execution;
use crate::agent::Message;
use crate::compression::{BrokenStrategy, History, TurnMemo, Variant, Writer};
use crate::measure::evidence::{EvidenceFinder, Needs};
use crate::measure::{Requests, clairvoyant};
use crate::messages::MessageId;
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
        Writer::Command(words) => commanded(execution, variant, history, &words)?,
    };
    Ok(variant.clone().with_texts(texts))
}

/// Texts of a program, which sees those that it wrote before.
fn commanded(
    execution: &Execution<'_>,
    variant: &Variant<'_>,
    history: &History<'_>,
    words: &[String],
) -> Result<Vec<EcoString>, BrokenStrategy> {
    let mut calls = Vec::new();
    for request in execution.requests(variant, history, &TurnMemo::default()) {
        let request = request?;
        calls.extend(request.call.map(|_| request.turn));
    }
    let Some(first) = calls.first() else { return Ok(Vec::new()) };
    let broken = |turn: u32| move |error| BrokenStrategy { turn, error };
    let mut writer = execution.commands.start(words).map_err(broken(*first))?;
    let mut texts = Vec::new();
    for turn in calls {
        let told = variant.clone().with_texts(texts.iter().cloned());
        let rendered = told.render_ids(&history.after(turn as usize - 1)).map_err(broken(turn))?;
        let Some(call) = rendered.call else { continue };
        let messages = history.messages();
        let of_table = |id: &MessageId| (messages.message(*id), messages.tokens(*id).into());
        let messages: Vec<(Message, u64)> = call.messages.iter().map(of_table).collect();
        texts.push(writer.write(&messages, call.most_tokens).map_err(broken(turn))?);
    }
    Ok(texts)
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
