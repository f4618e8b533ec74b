//! Prompts with the work so far as text. ReAct-style agents append each answer and its result to one growing prompt:
//! `Question: … Thought: … Action: … Observation: … Thought:`.

use super::draft::Draft;
use super::observations::without_number;
use super::text_calls::is_action_line;
use super::transcript::{TranscriptMessage, TranscriptRole};

/// Splits a draft's single prompt into the question, the answers so far and their results.
pub(super) fn divide_scratchpad(draft: &mut Draft) {
    let [prompt, answer] = draft.transcript.messages.as_slice() else { return };
    if !draft.server.is_none()
        || prompt.role != TranscriptRole::User
        || answer.role != TranscriptRole::Assistant
    {
        return;
    }
    let Some(parts) = split_prompt(&prompt.content) else { return };
    let mut messages = Vec::with_capacity(parts.len());
    for (index, part) in parts.iter().enumerate() {
        messages.push(TranscriptMessage {
            role: if index % 2 == 0 { TranscriptRole::User } else { TranscriptRole::Assistant },
            content: part.trim_start_matches('\n').to_owned(),
            images: if index == 0 { prompt.images } else { 0 },
            ..prompt.clone()
        });
    }
    let origins = draft.origins.first().cloned().into_iter().cycle().take(messages.len());
    drop(draft.origins.splice(..1, origins));
    drop(draft.transcript.messages.splice(..1, messages));
}

/// The parts of a prompt: the question, then each answer and its result. `None` for a prompt without an answer.
fn split_prompt(prompt: &str) -> Option<Vec<&str>> {
    // Use the last question, because prompts explain the format with an example question.
    let question = prompt.rfind("\nQuestion:")?;
    let asked = question + find_mark(prompt.get(question..)?, "\nThought")?.1;
    let (asked, mut rest) = prompt.split_at_checked(asked)?;
    let mut parts = vec![asked];
    while let Some((start, _)) = find_mark(rest, "\nObservation") {
        let (answer, told) = rest.split_at_checked(start)?;
        let end = match find_mark(told, "\nThought") {
            Some((_, end)) => end,
            None => told.len(),
        };
        let (result, further) = told.split_at_checked(end)?;
        if !answer.lines().any(|line| is_action_line(&without_number(line))) {
            return None;
        }
        parts.extend([answer, result]);
        rest = further;
    }
    (parts.len() > 1 && rest.trim().is_empty()).then_some(parts)
}

/// Start and end of the first `Thought:` or `Thought 12:` (for any `word`).
fn find_mark(text: &str, word: &str) -> Option<(usize, usize)> {
    for (at, _) in text.match_indices(word) {
        let after = &text[at + word.len()..];
        let rest = after.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit());
        if rest.starts_with(':') {
            return Some((at, text.len() - rest.len() + 1));
        }
    }
    None
}
