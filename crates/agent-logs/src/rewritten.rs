//! Appends requests in which the agent cut, masked, rewrote or reordered its history. Separates known messages from new ones.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::draft::Draft;
use super::fingerprint::{Fingerprint, of_all, of_message, of_text};
use super::transcript::{
    CompactionKind, SentPart, Transcript, TranscriptCompaction, TranscriptMessage, TranscriptRole,
    TranscriptUsage, to_ranges,
};
use super::viewed::{Rewriting, Viewed};

/// Appends a rewriting request to the conversation, with its compaction.
pub(super) fn append_rewritten(mut before: Draft, mut call: Draft, rewriting: Rewriting) -> Draft {
    let mut view = view_of(&before);
    let own = if rewriting.is_last_answer { take_call(&mut before, &mut view) } else { None };
    let is_answered = call.transcript.messages.last().is_some_and(TranscriptMessage::is_answer);
    let asked = call.transcript.messages.len() - usize::from(is_answered);
    let aligned = Aligned::align_request(&before, &view, &call.transcript.messages[..asked]);
    let new = call.transcript.messages.split_off(aligned.end);
    let new_origins = call.origins.split_off(aligned.end);
    let shown = std::mem::take(&mut call.transcript.messages);
    let number = before.transcript.compactions.len();
    let system = changed_system(&before, &call);
    let seen: FxHashSet<usize> = view.iter().filter_map(Viewed::index).collect();
    let mut compaction =
        aligned.describe_change(&before.transcript.messages, shown, (&seen, system.as_deref()));
    if is_answered && let Some(time) = new.iter().find_map(|message| message.time) {
        compaction.time = Some(time.to_string());
    }
    compaction.usage = own.or(rewriting.usage);
    if rewriting.is_opaque {
        (compaction.kind, compaction.text) = (CompactionKind::Opaque, None);
    }
    compaction.system = system;
    view.truncate(aligned.shared);
    if let Some(sent) = &compaction.sent {
        extend_view(&mut view, number, sent);
    }
    before.transcript.compactions.push(compaction);
    before.view = Some(view);
    append_messages(before, call, (new, new_origins))
}

/// Appends the agent's next request to the conversation. `usage` is the bill of the call that wrote the request's summary.
pub(super) fn continue_conversation(
    before: Option<Draft>,
    call: Draft,
    usage: Option<TranscriptUsage>,
) -> Draft {
    let Some(before) = before else { return call };
    let known: Vec<Fingerprint> = viewed_messages(&before, &view_of(&before)).map(of_message).collect();
    let begins = call.transcript.messages.iter().map(of_message).take(known.len());
    match begins.eq(known.iter().copied()) {
        true => append_extended(before, call, false),
        false => append_rewritten(before, call, Rewriting { usage, ..Rewriting::default() }),
    }
}

/// Resolves a view to messages.
fn viewed_messages<'d>(draft: &'d Draft, view: &'d [Viewed]) -> impl Iterator<Item = &'d TranscriptMessage> {
    view.iter().filter_map(|at| viewed_message(&draft.transcript, *at))
}

fn viewed_message(transcript: &Transcript, at: Viewed) -> Option<&TranscriptMessage> {
    match at {
        Viewed::At(index) => transcript.messages.get(index),
        Viewed::Put(compaction, part) => put_message(&transcript.compactions, compaction, part),
    }
}

/// A message inserted by a compaction.
fn put_message(
    compactions: &[TranscriptCompaction],
    number: usize,
    part: usize,
) -> Option<&TranscriptMessage> {
    match compactions.get(number)?.sent.as_ref()?.get(part)? {
        SentPart::Message(message) => Some(message),
        _ => None,
    }
}

/// Adds the parts of a compaction's first request to a view. `number` is the index of the compaction.
fn extend_view(view: &mut Vec<Viewed>, number: usize, parts: &[SentPart]) {
    for (part, sent) in parts.iter().enumerate() {
        match sent {
            SentPart::Same(_) => {}
            SentPart::Range([start, end]) => view.extend((*start..=*end).map(Viewed::At)),
            SentPart::Message(_) => view.push(Viewed::Put(number, part)),
        }
    }
}

/// Appends a request that extends the previous one, if that one had a shortened history. `is_named` is true for a request that refers to
/// the previous response by identifier: it contains only the new messages.
pub(super) fn append_extended(before: Draft, mut call: Draft, is_named: bool) -> Draft {
    let known = if is_named { 0 } else { view_of(&before).len() };
    let new = call.transcript.messages.split_off(known.min(call.transcript.messages.len()));
    let origins = call.origins.split_off(known.min(call.origins.len()));
    append_messages(before, call, (new, origins))
}

/// The messages of the newest request and its answer.
fn view_of(draft: &Draft) -> Vec<Viewed> {
    match &draft.view {
        Some(view) => view.clone(),
        None => (0..draft.transcript.messages.len()).map(Viewed::At).collect(),
    }
}

/// Appends new messages to the conversation; everything else comes from the newest request.
fn append_messages(
    mut before: Draft,
    mut call: Draft,
    (mut new, mut origins): (Vec<TranscriptMessage>, Vec<super::draft::Origin>),
) -> Draft {
    let mut view = view_of(&before);
    let first = before.transcript.messages.len();
    view.extend((first..first + new.len()).map(Viewed::At));
    before.transcript.messages.append(&mut new);
    before.origins.append(&mut origins);
    let Transcript { system, messages, tools, compactions, system_changes, .. } = before.transcript;
    call.written = call.transcript.messages.len().checked_sub(1);
    call.transcript.messages = messages;
    call.transcript.compactions = compactions;
    call.transcript.system_changes = system_changes;
    call.origins = before.origins;
    // `system` holds the first prompt; later ones are stored in the compactions.
    set_system(&mut call.transcript, system);
    if call.transcript.tools.is_empty() {
        call.transcript.tools = tools;
    }
    call.view = Some(view);
    call.line = before.line;
    call.rewriting = None;
    call.server.follow_request(&mut before.server);
    call
}

/// Stores the newest request's prompt in the last compaction with a prompt, and restores `first` as the system prompt. Without such a
/// compaction, the newest prompt stays the system prompt.
fn set_system(transcript: &mut Transcript, first: Option<String>) {
    let Some(newest) = std::mem::replace(&mut transcript.system, first) else { return };
    for compaction in transcript.compactions.iter_mut().rev() {
        if let Some(prompt) = &mut compaction.system {
            *prompt = newest;
            return;
        }
    }
    transcript.system = Some(newest);
}

/// The system prompt of a request if it differs from the previous request's.
fn changed_system(before: &Draft, call: &Draft) -> Option<String> {
    let now = call.transcript.system.clone()?;
    let known = newest_system(&before.transcript);
    (known != Some(now.as_str())).then_some(now)
}

pub(super) fn newest_system(transcript: &Transcript) -> Option<&str> {
    let later = transcript.compactions.iter().rev().find_map(|one| one.system.as_deref());
    later.or(transcript.system.as_deref())
}

/// Removes the summary and the instruction to write it from the conversation. Returns the summary's bill.
fn take_call(before: &mut Draft, view: &mut Vec<Viewed>) -> Option<TranscriptUsage> {
    let messages = &mut before.transcript.messages;
    let answer = messages.pop_if(|last| last.is_answer())?;
    before.origins.pop();
    view.pop();
    // A single message is the task.
    if messages.len() > 1 && messages.pop_if(|last| last.role == TranscriptRole::User).is_some() {
        before.origins.pop();
        view.pop();
    }
    answer.usage
}

/// How to compare messages.
#[derive(Clone, Copy)]
enum KeyKind {
    /// Including the identifiers of calls.
    Exact,
    /// Without the identifiers, because some clients regenerate them.
    Loose,
}

/// Fingerprints of a message for both comparisons.
struct Keys {
    exact: Fingerprint,
    loose: Fingerprint,
}

impl Keys {
    fn from_message(message: &TranscriptMessage) -> Keys {
        let loose = of_message(message);
        let ids = message.tool_calls.iter().map(|call| call.id.as_str()).chain(message.call.as_deref());
        Keys { exact: of_all([loose].into_iter().chain(ids.map(of_text))), loose }
    }
}

/// A request matched against the conversation so far.
struct Aligned {
    /// Length of the common prefix with the previous request, in messages.
    shared: usize,
    /// For each message of the request, the index of the equal message in the conversation.
    items: Vec<Option<usize>>,
    /// Number of leading messages of the request that represent the conversation so far. The rest are new.
    end: usize,
}

impl Aligned {
    fn align_request(before: &Draft, view: &[Viewed], request: &[TranscriptMessage]) -> Aligned {
        let messages = &before.transcript.messages;
        let known: Vec<Keys> = messages.iter().map(Keys::from_message).collect();
        let keys: Vec<Keys> = request.iter().map(Keys::from_message).collect();
        let same = viewed_messages(before, view).zip(&keys);
        let shared = same.take_while(|(old, new)| Keys::from_message(old).exact == new.exact).count();
        let mut free = Free::new(&known);
        let mut items: Vec<Option<usize>> = view.iter().take(shared).map(Viewed::index).collect();
        free.taken.extend(items.iter().flatten());
        items.resize(keys.len(), None);
        // A new result may repeat the text of an old one and must not match it, so match identifiers first.
        for kind in [KeyKind::Exact, KeyKind::Loose] {
            free.find_all(kind, (&keys, shared), &mut items);
        }
        let end = find_end(messages, request, &mut items, shared);
        Aligned { shared, items, end }
    }

    /// Describes how the request changed the history. `seen` are the messages of the previous request, `system` is the changed system
    /// prompt.
    fn describe_change(
        &self,
        messages: &[TranscriptMessage],
        shown: Vec<TranscriptMessage>,
        (seen, system): (&FxHashSet<usize>, Option<&str>),
    ) -> TranscriptCompaction {
        let items = &self.items[..self.end];
        let kept: FxHashSet<usize> = items.iter().flatten().copied().collect();
        let removed: Vec<usize> = (0..messages.len()).filter(|index| !kept.contains(index)).collect();
        let variants = self.find_variants(messages, &shown, &kept);
        let (mut masks, mut told) = (Vec::new(), Vec::new());
        for (at, (message, item)) in shown.iter().zip(items).enumerate().skip(self.shared) {
            match item {
                Some(_) => {}
                None if variants.contains_key(&at) => masks.push(message.content.as_str()),
                None => told.push(message.content.as_str()),
            }
        }
        // LangChain and others keep the summary in the system prompt.
        told.extend(system);
        let changed: FxHashSet<usize> = variants.values().copied().collect();
        let (mut is_changed, mut has_answer, mut has_any) = (true, false, false);
        // The kind depends only on messages missing for the first time.
        for index in removed.iter().filter(|index| seen.contains(index)) {
            has_any = true;
            is_changed &= changed.contains(index);
            has_answer |= messages.get(*index).is_some_and(TranscriptMessage::is_answer);
        }
        let kind = match (is_changed, has_any && !has_answer) {
            (true, true) => CompactionKind::Clear,
            (true, false) => CompactionKind::Rewrite,
            (false, _) if told.is_empty() => CompactionKind::Drop,
            (false, _) => CompactionKind::Summary,
        };
        let text = match (kind, masks.as_slice()) {
            (CompactionKind::Clear, [mask, others @ ..]) if others.iter().all(|other| other == mask) => {
                (*mask).to_owned()
            }
            (CompactionKind::Summary, _) => told.join("\n\n"),
            _ => String::new(),
        };
        let text = if text.is_empty() { None } else { Some(text) };
        let sent = self.sent_parts(shown);
        TranscriptCompaction {
            before: messages.len(),
            kind,
            removed: to_ranges(removed),
            text,
            sent: Some(sent),
            ..TranscriptCompaction::default()
        }
    }

    /// Maps masked or rewritten messages of the request to their originals in the conversation, by index.
    fn find_variants(
        &self,
        messages: &[TranscriptMessage],
        shown: &[TranscriptMessage],
        kept: &FxHashSet<usize>,
    ) -> FxHashMap<usize, usize> {
        let mut by_call: FxHashMap<(bool, &str), usize> = FxHashMap::default();
        for (index, message) in messages.iter().enumerate() {
            if let Some(name) = name_of(message) {
                by_call.insert(name, index);
            }
        }
        let mut variants = FxHashMap::default();
        for (at, message) in shown.iter().enumerate() {
            if self.item_at(at).is_none()
                && let Some(name) = name_of(message)
                && let Some(&index) = by_call.get(&name)
                && !kept.contains(&index)
            {
                variants.insert(at, index);
            }
        }
        // Output sent with the role `user` has no call identifier, so match it by its neighbours.
        let mut at = 0;
        while at < shown.len() {
            let gap = (at..shown.len()).take_while(|at| self.item_at(*at).is_none()).count();
            if let Some(start) = self.index_after(at)
                && let Some(next) = self.item_at(at + gap)
                && next.checked_sub(start) == Some(gap)
                && has_same_roles(&messages[start..next], &shown[at..at + gap])
            {
                variants.extend((at..at + gap).zip(start..next));
            }
            at += gap.max(1);
        }
        variants
    }

    /// Index in the conversation that would continue the messages before `at`.
    fn index_after(&self, at: usize) -> Option<usize> {
        match at.checked_sub(1) {
            Some(before) => Some(self.item_at(before)? + 1),
            None => Some(0),
        }
    }

    fn item_at(&self, at: usize) -> Option<usize> {
        self.items.get(at).copied().flatten()
    }

    /// Encodes the leading messages of the request as parts.
    fn sent_parts(&self, shown: Vec<TranscriptMessage>) -> Vec<SentPart> {
        let mut parts = Vec::new();
        if self.shared > 0 {
            parts.push(SentPart::Same(self.shared));
        }
        for (message, item) in shown.into_iter().zip(&self.items).skip(self.shared) {
            match item {
                Some(index) => SentPart::push_index(&mut parts, *index),
                None => parts.push(SentPart::Message(Box::new(message))),
            }
        }
        parts
    }
}

fn has_same_roles(one: &[TranscriptMessage], other: &[TranscriptMessage]) -> bool {
    one.iter().map(|message| message.role).eq(other.iter().map(|message| message.role))
}

/// The identifier of a result or of an answer's first call. The flag is true for an answer.
fn name_of(message: &TranscriptMessage) -> Option<(bool, &str)> {
    let id = match &message.call {
        Some(id) => id,
        None => &message.tool_calls.first()?.id,
    };
    if id.is_empty() { None } else { Some((message.is_answer(), id)) }
}

/// Number of leading messages of the request that represent the conversation so far. Later messages are new even if they equal known ones,
/// because people and tools repeat themselves.
fn find_end(
    messages: &[TranscriptMessage],
    request: &[TranscriptMessage],
    items: &mut [Option<usize>],
    shared: usize,
) -> usize {
    let last = messages.iter().rposition(TranscriptMessage::is_answer);
    // The last answer may also have been rewritten under the same name.
    let name = last.and_then(|last| name_of(messages.get(last)?));
    let answered = request.iter().zip(items.iter()).rposition(|(message, item)| {
        item.is_some() && *item == last || name.is_some() && name_of(message) == name
    });
    if let Some(answered) = answered
        && let Some(last) = last
    {
        let mut end = answered + 1;
        while items.get(end) == Some(&Some(last + end - answered)) {
            end += 1;
        }
        let end = end.max(shared);
        if let Some(new) = items.get_mut(end..) {
            new.fill(None);
        }
        return end;
    }
    // Without the last answer, a summary precedes the new messages, unless one already precedes the kept messages.
    let known = end_after(items.iter().rposition(Option::is_some)).max(shared);
    let has_text = items.iter().take(known).skip(shared).any(Option::is_none);
    let text = usize::from(!has_text);
    let spoken = end_after(request.iter().rposition(TranscriptMessage::is_answer));
    (known + text).max(spoken).min(request.len())
}

/// The index after a position, or 0 without one.
fn end_after(position: Option<usize>) -> usize {
    match position {
        Some(at) => at + 1,
        None => 0,
    }
}

/// Messages of the conversation not matched yet.
struct Free {
    exact: FxHashMap<Fingerprint, Vec<usize>>,
    loose: FxHashMap<Fingerprint, Vec<usize>>,
    taken: FxHashSet<usize>,
}

impl Free {
    fn new(known: &[Keys]) -> Free {
        let mut free =
            Free { exact: FxHashMap::default(), loose: FxHashMap::default(), taken: FxHashSet::default() };
        for (index, keys) in known.iter().enumerate() {
            free.exact.entry(keys.exact).or_default().push(index);
            free.loose.entry(keys.loose).or_default().push(index);
        }
        free
    }

    /// Matches the request's remaining messages from index `shared` on, backwards: of several equal messages, agents keep the newest.
    fn find_all(&mut self, kind: KeyKind, (request, shared): (&[Keys], usize), items: &mut [Option<usize>]) {
        let mut limit = usize::MAX;
        for (keys, item) in request.iter().zip(items).skip(shared).rev() {
            if item.is_none() {
                *item = self.find_match(kind, keys, limit);
            }
            if let Some(found) = *item {
                limit = limit.min(found);
            }
        }
    }

    /// The last unmatched message with this key before `limit`, or else the last one at all.
    fn find_match(&mut self, kind: KeyKind, keys: &Keys, limit: usize) -> Option<usize> {
        let all = match kind {
            KeyKind::Exact => self.exact.get(&keys.exact),
            KeyKind::Loose => self.loose.get(&keys.loose),
        };
        let mut newest = None;
        for &index in all?.iter().rev().filter(|index| !self.taken.contains(index)) {
            if index < limit {
                newest = Some(index);
                break;
            }
            newest = newest.or(Some(index));
        }
        self.taken.insert(newest?);
        newest
    }
}

/// Translates a message index of the appended conversation to the joined one. `start` is the view of its first `first` messages; the
/// others follow at `base`.
fn place_after_join(index: usize, first: usize, start: &[Viewed], base: usize) -> Option<Viewed> {
    match index.checked_sub(first) {
        Some(later) => Some(Viewed::At(base + later)),
        None => start.get(index).copied(),
    }
}

/// Appends a conversation that starts with a rewriting request. `first` is the number of messages of that request and its answer.
pub(super) fn rejoin_drafts(before: Draft, mut after: Draft, first: usize, rewriting: Rewriting) -> Draft {
    let mut rest = after.transcript.messages.split_off(first.min(after.transcript.messages.len()));
    let mut origins = after.origins.split_off(first.min(after.origins.len()));
    let compactions = std::mem::take(&mut after.transcript.compactions);
    let system = after.transcript.system.clone();
    let mut whole = append_rewritten(before, after, rewriting);
    set_system(&mut whole.transcript, system);
    let start = view_of(&whole);
    let base = whole.transcript.messages.len();
    let gone: BTreeSet<usize> = match whole.transcript.compactions.last() {
        Some(last) => last.indices().collect(),
        None => BTreeSet::new(),
    };
    whole.transcript.messages.append(&mut rest);
    whole.origins.append(&mut origins);
    for compaction in compactions {
        let mut removed = gone.clone();
        for index in compaction.indices() {
            if let Some(Viewed::At(index)) = place_after_join(index, first, &start, base) {
                removed.insert(index);
            }
        }
        let mut sent = Vec::new();
        for part in compaction.sent.iter().flatten() {
            let SentPart::Range([from, to]) = part else {
                sent.push(part.clone());
                continue;
            };
            for index in *from..=*to {
                match place_after_join(index, first, &start, base) {
                    Some(Viewed::At(index)) => SentPart::push_index(&mut sent, index),
                    Some(Viewed::Put(number, part)) => {
                        if let Some(message) = put_message(&whole.transcript.compactions, number, part) {
                            sent.push(SentPart::Message(Box::new(message.clone())));
                        }
                    }
                    None => {}
                }
            }
        }
        let before = base + compaction.before.saturating_sub(first);
        let sent = compaction.sent.as_ref().map(|_| sent);
        let removed = to_ranges(removed);
        whole.transcript.compactions.push(TranscriptCompaction { before, removed, sent, ..compaction });
    }
    whole.view = Some(resolve_view(&whole.transcript));
    whole
}

/// Computes the messages of the newest request and its answer by applying all compactions.
fn resolve_view(transcript: &Transcript) -> Vec<Viewed> {
    let (mut view, mut known) = (Vec::new(), 0);
    for (number, compaction) in transcript.compactions.iter().enumerate() {
        let Some(sent) = &compaction.sent else { continue };
        view.extend((known..compaction.before).map(Viewed::At));
        known = compaction.before;
        let same = match sent.first() {
            Some(SentPart::Same(number)) => *number,
            _ => 0,
        };
        view.truncate(same);
        extend_view(&mut view, number, sent);
    }
    view.extend((known..transcript.messages.len()).map(Viewed::At));
    view
}
