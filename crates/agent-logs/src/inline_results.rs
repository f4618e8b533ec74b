//! Splits results that a client appended to the answer. ReAct-style agents stop the model at `Observation:`, and CrewAI sends answer and
//! result back as one assistant message.

use super::content::Content;
use super::draft::Draft;
use super::notes::Notes;
use super::observations::without_number;
use super::text_calls::is_action_line;
use super::transcript::TranscriptMessage;

/// Start of a result's first line.
const RESULT: &str = "Observation:";

/// The text of an answer before its first result. A result requires a call before it.
pub(super) fn before_result(answer: &str) -> &str {
    match split_at_result(answer) {
        Some((before, _)) => before,
        None => answer,
    }
}

/// Splits each answer followed directly by another answer into the model's text and the result. In other answers, text after `Observation:`
/// is invented by the model.
pub(super) fn divide_answers(draft: &mut Draft) {
    // Splitting would invalidate the message indices in compactions.
    let is_compacted = !draft.transcript.compactions.is_empty() || !draft.server.is_none();
    if is_compacted || !has_inline_result(&draft.transcript.messages) {
        return;
    }
    let messages = std::mem::take(&mut draft.transcript.messages);
    let mut origins = std::mem::take(&mut draft.origins).into_iter();
    let mut messages = messages.into_iter().peekable();
    draft.now = None;
    while let Some((mut message, origin)) = messages.next().zip(origins.next()) {
        if !is_divisible(&message, messages.peek()) {
            draft.push_message(message, origin);
            continue;
        }
        let Some((before, result)) = split_at_result(&message.content) else {
            draft.push_message(message, origin);
            continue;
        };
        let (end, result) = (before.len(), result.to_owned());
        let place = origin.place.clone();
        message.content.truncate(end);
        draft.push_message(message, origin);
        draft.add_user_text(Content::of(result), true, place);
        if let Some(origin) = draft.origins.last_mut() {
            origin.is_appended = true;
        }
    }
}

/// Notes the results split from answers.
pub(super) fn note_divided(draft: &Draft, notes: &mut Notes) {
    for origin in draft.origins.iter().filter(|origin| origin.is_appended) {
        notes.note("results in the text of an answer, moved after it", origin.place.clone());
    }
}

fn has_inline_result(messages: &[TranscriptMessage]) -> bool {
    for (message, next) in messages.iter().zip(messages.iter().skip(1)) {
        if is_divisible(message, Some(next)) && split_at_result(&message.content).is_some() {
            return true;
        }
    }
    false
}

fn is_divisible(message: &TranscriptMessage, next: Option<&TranscriptMessage>) -> bool {
    message.is_answer() && message.tool_calls.is_empty() && next.is_some_and(TranscriptMessage::is_answer)
}

/// Splits at the first line `Observation:` after a line with a call.
fn split_at_result(answer: &str) -> Option<(&str, &str)> {
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
