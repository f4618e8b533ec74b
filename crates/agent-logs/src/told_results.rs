//! Results of native calls sent with the role `user`.

use rustc_hash::FxHashSet;

use super::draft::Draft;
use super::notes::Notes;
use super::transcript::{TranscriptCall, TranscriptMessage, TranscriptRole};

/// Converts user messages such as `[read_file for 'x'] Result:` to results of native calls. Cline and Roo send them this way, several in
/// one message.
pub(super) fn give_to_calls(draft: &mut Draft, notes: &mut Notes) {
    let messages = std::mem::take(&mut draft.transcript.messages);
    let origins = std::mem::take(&mut draft.origins);
    let mut open: Vec<TranscriptCall> = Vec::new();
    let mut answered: FxHashSet<String> = FxHashSet::default();
    for (message, origin) in messages.into_iter().zip(origins) {
        match message.role {
            TranscriptRole::Assistant => {
                open.clone_from(&message.tool_calls);
                answered.clear();
            }
            TranscriptRole::Tool => answered.extend(message.call.clone()),
            TranscriptRole::User if !open.is_empty() => {
                // A call with a result must not take a second one from the user's words.
                open.retain(|call| !answered.contains(&call.id));
                answered.clear();
                for (part, tool) in results_in(&message, &mut open) {
                    if tool.is_some() {
                        let kind = "results sent as user messages, paired with the calls before them";
                        notes.note(kind, origin.place.clone());
                    }
                    draft.push_message(part, origin.of_tool(tool));
                }
                continue;
            }
            TranscriptRole::User => {}
        }
        draft.push_message(message, origin);
    }
}

/// Splits a message into the text before the first result, and the results of open calls with their tools.
fn results_in(
    message: &TranscriptMessage,
    open: &mut Vec<TranscriptCall>,
) -> Vec<(TranscriptMessage, Option<String>)> {
    let mut parts: Vec<(TranscriptMessage, Option<String>)> = Vec::new();
    for part in split_at_headers(&message.content) {
        let name = part.lines().next().and_then(result_header);
        let content = part.strip_suffix('\n').unwrap_or(part);
        // Images belong to the first part.
        let images = if parts.is_empty() { message.images } else { 0 };
        let called = take_named(open, name);
        if let Some((before, _)) = parts.last_mut()
            && called.is_none()
        {
            before.content.push('\n');
            before.content.push_str(content);
            continue;
        }
        let part = TranscriptMessage { content: content.to_owned(), images, ..message.clone() };
        match called {
            Some(call) => {
                let id = if call.id.is_empty() { None } else { Some(call.id) };
                let result = TranscriptMessage { role: TranscriptRole::Tool, call: id, ..part };
                parts.push((result, Some(call.name)));
            }
            None => parts.push((part, None)),
        }
    }
    parts
}

/// Removes and returns the first call of a tool.
fn take_named(calls: &mut Vec<TranscriptCall>, name: Option<&str>) -> Option<TranscriptCall> {
    let name = name?;
    let at = calls.iter().position(|call| call.name == name)?;
    Some(calls.remove(at))
}

/// Splits a message before each line `[NAME for 'x'] Result:`.
fn split_at_headers(content: &str) -> Vec<&str> {
    let (mut parts, mut rest) = (Vec::new(), content);
    let mut at = 0;
    for line in content.split_inclusive('\n') {
        if at > 0 && result_header(line).is_some() {
            let (part, further) = rest.split_at(at);
            parts.push(part);
            (rest, at) = (further, 0);
        }
        at += line.len();
    }
    parts.push(rest);
    parts
}

/// Extracts the tool name from `[read_file for 'x'] Result:` or `[list_files] Result:`.
pub(super) fn result_header(line: &str) -> Option<&str> {
    let (head, _) = line.strip_prefix('[')?.split_once("] Result:")?;
    let name = head.split(' ').next()?;
    is_name(name).then_some(name)
}

pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
