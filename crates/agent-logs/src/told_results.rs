//! Results of native calls that a client tells with the role `user`.

use rustc_hash::FxHashSet;

use super::draft::Draft;
use super::notes::Notes;
use super::transcript::{TranscriptCall, TranscriptMessage, TranscriptRole};

/// Makes results of messages `[read_file for 'x'] Result:` that answer native calls: Cline and Roo write them with the role
/// `user`, one after the other in one message.
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
                // A call that has its result takes no second one from the words of the user.
                open.retain(|call| !answered.contains(&call.id));
                answered.clear();
                for (part, tool) in results_in(&message, &mut open) {
                    if tool.is_some() {
                        let kind = "results told by the user, given to the calls before them";
                        notes.note(kind, origin.place.clone());
                    }
                    draft.push(part, origin.of_tool(tool));
                }
                continue;
            }
            TranscriptRole::User => {}
        }
        draft.push(message, origin);
    }
}

/// The results of open calls in a message, each with its tool, and the text before them.
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

/// A message divided before each line `[NAME for 'x'] Result:`, with the names.
fn by_header(content: &str) -> Vec<(Option<&str>, &str)> {
    let mut starts = vec![0];
    let mut at = 0;
    for line in content.split_inclusive('\n') {
        if at > 0 && header(line).is_some() {
            starts.push(at);
        }
        at += line.len();
    }
    let ends = starts.iter().skip(1).copied().chain([content.len()]);
    let parts = starts.iter().zip(ends).filter_map(|(&start, end)| content.get(start..end));
    parts
        .map(|part| (part.lines().next().and_then(header), part.strip_suffix('\n').unwrap_or(part)))
        .collect()
}

/// The name of the call in `[read_file for 'x'] Result:` and `[list_files] Result:`.
pub(super) fn header(line: &str) -> Option<&str> {
    let (head, _) = line.strip_prefix('[')?.split_once("] Result:")?;
    head.split(' ').next().filter(|name| is_name(name))
}

pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
