//! Results that a client appends to the answer which holds their call. Agents of the kind of ReAct stop the model at
//! `Observation:`, and CrewAI sends the answer and its result back as one message of the assistant.

use super::content::Content;
use super::draft::Draft;
use super::notes::Notes;
use super::observations::{is_action_line, without_number};
use super::transcript::{TranscriptMessage, TranscriptRole};

/// Start of the line that a result begins with.
const RESULT: &str = "Observation:";

/// The text of an answer before the first result in it. Without a call in front of it there is none.
pub(super) fn before_result(answer: &str) -> &str {
    result_in(answer).map_or(answer, |(before, _)| before)
}

/// Divides each answer that another answer follows into what the model said and the result in it. What a model itself writes
/// behind `Observation:` is made up; then the client sends something else than an answer next, or nothing.
pub(super) fn divide(draft: &mut Draft) {
    // Numbers of messages in compactions would no longer hold.
    let is_compacted = !draft.transcript.compactions.is_empty() || !draft.server.is_none();
    if is_compacted || !has_any(&draft.transcript.messages) {
        return;
    }
    let messages = std::mem::take(&mut draft.transcript.messages);
    let mut origins = std::mem::take(&mut draft.origins).into_iter();
    let mut messages = messages.into_iter().peekable();
    draft.now = None;
    while let Some((mut message, origin)) = messages.next().zip(origins.next()) {
        let is_repeated = is_divisible(&message, messages.peek());
        let divided = result_in(&message.content).filter(|_| is_repeated);
        let divided = divided.map(|(before, result)| (before.to_owned(), result.to_owned()));
        let place = origin.place.clone();
        let Some((before, result)) = divided else {
            draft.push(message, origin);
            continue;
        };
        message.content = before;
        draft.push(message, origin);
        draft.user(Content::of(result), true, place);
        if let Some(origin) = draft.origins.last_mut() {
            origin.is_appended = true;
        }
    }
}

/// Notes the results that stood in the answers before them.
pub(super) fn note(draft: &Draft, notes: &mut Notes) {
    for origin in draft.origins.iter().filter(|origin| origin.is_appended) {
        notes
            .note("results that a client appended to the answer, which stand after it", origin.place.clone());
    }
}

fn has_any(messages: &[TranscriptMessage]) -> bool {
    let mut pairs = messages.iter().zip(messages.iter().skip(1));
    pairs.any(|(one, next)| is_divisible(one, Some(next)) && result_in(&one.content).is_some())
}

fn is_divisible(message: &TranscriptMessage, next: Option<&TranscriptMessage>) -> bool {
    let is_answer = |message: &TranscriptMessage| message.role == TranscriptRole::Assistant;
    is_answer(message) && message.tool_calls.is_empty() && next.is_some_and(is_answer)
}

/// The text before the first line `Observation:` behind a line with a call, and the text that begins there.
fn result_in(answer: &str) -> Option<(&str, &str)> {
    let (mut at, mut has_call) = (0, false);
    for line in answer.split_inclusive('\n') {
        if has_call && without_number(line.trim_start()).starts_with(RESULT) {
            let (before, result) = answer.split_at(at);
            return Some((before.trim_end(), result.trim_end()));
        }
        has_call |= is_action_line(line.trim());
        at += line.len();
    }
    None
}
