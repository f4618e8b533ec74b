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
                        let kind = "results told by the user, given to the calls before them";
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
    for (name, content) in by_header(&message.content) {
        let called = name.and_then(|name| open.iter().position(|call| call.name == name));
        match (called.map(|at| open.remove(at)), parts.last_mut()) {
            (Some(call), _) => {
                let id = Some(call.id).filter(|id| !id.is_empty());
                let result = TranscriptMessage { role: TranscriptRole::Tool, call: id, ..message.clone() };
                parts.push((TranscriptMessage { content: content.to_owned(), ..result }, Some(call.name)));
            }
            (None, Some((before, _))) => before.content.push_str(&format!("\n{content}")),
            (None, None) => {
                parts.push((TranscriptMessage { content: content.to_owned(), ..message.clone() }, None));
            }
        }
    }
    parts.iter_mut().skip(1).for_each(|(part, _)| part.images = 0);
    parts
}

/// Splits a message before each line `[NAME for 'x'] Result:`, and returns the names.
fn by_header(content: &str) -> Vec<(Option<&str>, &str)> {
    let mut starts = vec![0];
    let mut at = 0;
    for line in content.split_inclusive('\n') {
        if at > 0 && result_header(line).is_some() {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([content.len()]);
    let parts = starts.iter().zip(ends).filter_map(|(&start, end)| content.get(start..end));
    parts
        .map(|part| (part.lines().next().and_then(result_header), part.strip_suffix('\n').unwrap_or(part)))
        .collect()
}

/// Extracts the tool name from `[read_file for 'x'] Result:` or `[list_files] Result:`.
pub(super) fn result_header(line: &str) -> Option<&str> {
    let (head, _) = line.strip_prefix('[')?.split_once("] Result:")?;
    head.split(' ').next().filter(|name| is_name(name))
}

pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
