//! Joins requests that are logged one by one into conversations. Each request repeats the conversation so far, or what the agent kept.

use std::io;

use rustc_hash::{FxHashMap, FxHashSet};

use super::draft::Draft;
use super::fingerprint::{Fingerprint, Prefix, of_all, of_text};
use super::kin::{Kin, Parent, Traits};
use super::notes::Notes;
use super::place::LogPlace;
use super::rewritten::{append_extended, append_rewritten, newest_system, rejoin_drafts};
use super::server_side::ServerCompaction;
use super::spill::{Extent, Spill, Spilled};
use super::transcript::{Transcript, TranscriptOutcome, TranscriptUsage};
use super::viewed::Rewriting;

/// All conversations of the log. Any of them may continue, because a log of requests never marks the end of a conversation.
pub(super) struct Growing {
    /// Ordered by first request.
    open: Vec<Open>,
    /// Conversations by the messages that the next request would repeat. In each list, the most recently extended comes last.
    by_messages: FxHashMap<Fingerprint, Vec<usize>>,
    /// Conversations by last response.
    by_response: FxHashMap<Fingerprint, usize>,
    /// Number of conversations with an identifier, or with the calls of their last answer.
    rivals: FxHashMap<Fingerprint, usize>,
    /// Recognises requests with a rewritten history.
    kin: Kin,
    /// Memory limit for conversations, in bytes (approximate).
    memory: usize,
    /// Bytes in use.
    used: usize,
    spill: Spill,
}

/// A conversation.
#[derive(Default)]
struct Open {
    /// The joined requests in memory.
    draft: Option<Box<Draft>>,
    /// Size of `draft` in bytes.
    size: usize,
    /// Requests that did not fit in memory, in order.
    on_disk: Vec<Extent>,
    state: State,
    /// Candidates that its first request may continue, likeliest first.
    parents: Vec<Parent>,
    /// Number of messages of its first request, including the answer.
    first: usize,
}

/// Properties of a conversation, compared with the next requests.
#[derive(Clone, Copy, Default)]
struct State {
    prefix: Prefix,
    system: Fingerprint,
    id: Option<Fingerprint>,
    is_of_trace: bool,
    response: Option<Fingerprint>,
    /// Log line of the last request.
    line: usize,
}

impl Growing {
    pub(super) fn within_memory(memory: usize) -> Growing {
        Growing {
            open: Vec::new(),
            by_messages: FxHashMap::default(),
            by_response: FxHashMap::default(),
            rivals: FxHashMap::default(),
            kin: Kin::default(),
            memory,
            used: 0,
            spill: Spill::default(),
        }
    }

    /// Adds a request with its answer, if any.
    ///
    /// # Errors
    /// Neither memory nor disk has room for the request.
    pub(super) fn add_call(&mut self, call: Draft, notes: &mut Notes) -> io::Result<()> {
        self.add_request(call, notes)?;
        Ok(())
    }

    /// Adds a request, and returns the index of its conversation.
    fn add_request(&mut self, mut call: Draft, notes: &mut Notes) -> io::Result<usize> {
        match call.take_server_compaction() {
            Some(by) => self.add_compacted(call, by, notes),
            None => self.add_whole(call, notes),
        }
    }

    /// Adds a request compacted by the provider, now or earlier.
    fn add_compacted(
        &mut self,
        mut call: Draft,
        by: ServerCompaction,
        notes: &mut Notes,
    ) -> io::Result<usize> {
        // OpenAI's compaction calls keep the user's messages in front of the encrypted rest.
        let is_named = call.previous.is_some();
        if !is_named && by.is_opaque && (call.has_words_alone(&by) || self.is_repeated_with(&call, &by)) {
            call.insert_compaction(by);
            return self.add_request(call, notes);
        }
        let (sent, mut seen) = call.divide_at(&by);
        let prefixes = Prefix::all_prefixes(&seen.transcript.messages);
        let state = State::from_call(&seen, last_of(&prefixes));
        if !is_named && let Some(at) = self.find_repeated(&prefixes, &state) {
            self.note_system(at, &state, notes);
            return self.continue_with(at, seen, state);
        }
        let at = self.add_request(sent, notes)?;
        notes.count_compaction(self.kin.mark_rewritten(at), &by.place);
        seen.rewriting = Some(by.to_rewriting());
        self.continue_with(at, seen, state)
    }

    /// Returns true if a known conversation starts with the messages before the compaction, followed by the compaction's window.
    fn is_repeated_with(&self, call: &Draft, by: &ServerCompaction) -> bool {
        let mut prefixes = Prefix::all_prefixes(call.with_window(by));
        let state = State::from_call(call, last_of(&prefixes));
        prefixes.drain(..by.before.min(prefixes.len()));
        self.find_repeated(&prefixes, &state).is_some()
    }

    fn add_whole(&mut self, mut call: Draft, notes: &mut Notes) -> io::Result<usize> {
        if let Some(id) = &call.previous
            && let Some(&at) = self.by_response.get(&of_text(id))
            && let Some(before) = self.open.get(at)
        {
            let prefix = call.transcript.messages.iter().fold(before.state.prefix, Prefix::with_message);
            let state = State::from_call(&call, prefix);
            self.note_system(at, &state, notes);
            return self.continue_with(at, call, state);
        }
        let prefixes = Prefix::all_prefixes(&call.transcript.messages);
        let state = State::from_call(&call, last_of(&prefixes));
        if let Some(at) = self.find_repeated(&prefixes, &state) {
            self.note_system(at, &state, notes);
            return self.continue_with(at, call, state);
        }
        let new = Traits::from_call(&call);
        if let Some(at) = self.kin.find_rewritten(&call, &new) {
            let is_first = self.kin.mark_rewritten(at);
            notes.count_compaction(is_first, &call.place());
            let usage = self.kin.absorb_summary(&call, at);
            call.rewriting = Some(Rewriting { usage, ..Rewriting::default() });
            return self.continue_with(at, call, state);
        }
        let parents = self.kin.find_parents(&call, &prefixes, &new);
        if parents.is_empty() && self.has_rival(&prefixes, &state) {
            notes.note(
                "requests that do not continue the previous one, so each starts a transcript",
                call.place(),
            );
        }
        self.kin.add_conversation(new, &prefixes, !parents.is_empty());
        self.open.push(Open { parents, first: call.transcript.messages.len(), ..Open::default() });
        self.continue_with(self.open.len() - 1, call, state)
    }

    /// Returns true if a known conversation has the same identifier, or ended in calls that the request repeats.
    fn has_rival(&self, prefixes: &[Prefix], state: &State) -> bool {
        let mut keys = prefixes.iter().filter_map(|prefix| prefix.calls).chain(state.id);
        keys.any(|rival| self.rivals.contains_key(&rival))
    }

    /// Finds the conversation repeated at the start of a request. A retry of an unanswered request repeats that request's conversation.
    /// Prefers the longest, then the most recently extended.
    fn find_repeated(&self, prefixes: &[Prefix], state: &State) -> Option<usize> {
        let before = if state.prefix.is_answered { prefixes.split_last()?.1 } else { prefixes };
        for prefix in before.iter().rev() {
            if let Some(at) = self.newest_with(prefix, state.id, Some(state.system)) {
                return Some(at);
            }
        }
        // Ignore the system prompt if necessary: it may contain the time of day. But a question alone is too weak a match.
        for prefix in before.iter().rev().filter(|prefix| prefix.has_answer) {
            if let Some(at) = self.newest_with(prefix, state.id, None) {
                return Some(at);
            }
        }
        None
    }

    fn newest_with(
        &self,
        prefix: &Prefix,
        id: Option<Fingerprint>,
        system: Option<Fingerprint>,
    ) -> Option<usize> {
        if id.is_some()
            && let Some(own) = self.newest_with_key(repeated_key(prefix, id, system))
        {
            return Some(own);
        }
        // A conversation without an identifier may match any.
        self.newest_with_key(repeated_key(prefix, None, system))
    }

    fn newest_with_key(&self, key: Fingerprint) -> Option<usize> {
        self.by_messages.get(&key)?.last().copied()
    }

    fn note_system(&self, at: usize, state: &State, notes: &mut Notes) {
        let Some(Open { state: before, .. }) = self.open.get(at) else { return };
        if before.system != state.system {
            notes.lost("system prompts replaced by the next request left out", LogPlace::at(before.line));
        }
    }

    /// Continues a conversation, and returns its index.
    fn continue_with(&mut self, at: usize, call: Draft, state: State) -> io::Result<usize> {
        let Some(mut open) = self.open.get_mut(at).map(std::mem::take) else { return Ok(at) };
        self.remove_keys(at, &open.state);
        self.index_keys(at, &state);
        self.kin.record_request(at, &call);
        self.keep_request(&mut open, call)?;
        open.state = state;
        if let Some(place) = self.open.get_mut(at) {
            *place = open;
        }
        Ok(at)
    }

    /// Stores a request in memory, or on disk if memory is full or the conversation's earlier requests are already there.
    fn keep_request(&mut self, open: &mut Open, call: Draft) -> io::Result<()> {
        let size = call.memory_size();
        // Requests must be joined in order, so a conversation on disk stays there.
        if !open.on_disk.is_empty() || self.used + size > self.memory {
            open.on_disk.push(self.spill.add_piece(&serde_json::to_vec(&call)?)?);
            return Ok(());
        }
        let before = open.draft.take().map(|before| *before);
        let is_whole = match &before {
            Some(before) => !is_named(before, &call) && before.view.is_none() && call.rewriting.is_none(),
            None => true,
        };
        self.used -= if is_whole { open.size } else { 0 };
        self.used += size;
        open.size = if is_whole { size } else { open.size + size };
        open.draft = Some(Box::new(join_request(before, call)));
        Ok(())
    }

    fn index_keys(&mut self, at: usize, state: &State) {
        for key in state.lookup_keys() {
            self.by_messages.entry(key).or_default().push(at);
        }
        if let Some(response) = state.response {
            self.by_response.insert(response, at);
        }
        for rival in state.rival_keys() {
            *self.rivals.entry(rival).or_default() += 1;
        }
    }

    fn remove_keys(&mut self, at: usize, state: &State) {
        for key in state.lookup_keys() {
            let Some(same) = self.by_messages.get_mut(&key) else { continue };
            if let Some(own) = same.iter().rposition(|other| *other == at) {
                same.remove(own);
            }
            if same.is_empty() {
                self.by_messages.remove(&key);
            }
        }
        if let Some(response) = &state.response
            && self.by_response.get(response) == Some(&at)
        {
            self.by_response.remove(response);
        }
        for rival in state.rival_keys() {
            let Some(number) = self.rivals.get_mut(&rival) else { continue };
            *number -= 1;
            if *number == 0 {
                self.rivals.remove(&rival);
            }
        }
    }

    /// The conversations in the order of their first requests.
    ///
    /// # Errors
    /// The disk is full.
    pub(super) fn join_conversations(
        self,
        notes: &mut Notes,
    ) -> io::Result<impl Iterator<Item = io::Result<Draft>> + use<>> {
        let mut kin = self.kin;
        let mut next: Vec<Option<(usize, Parent)>> = vec![None; self.open.len()];
        for (at, open) in self.open.iter().enumerate() {
            for parent in &open.parents {
                // Skip a parent that another conversation continues.
                if let Some(place) = next.get_mut(parent.at)
                    && place.is_none()
                    && kin.is_current(parent)
                {
                    let is_first = kin.record_rewrite(parent, at);
                    notes.count_compaction(is_first, &LogPlace::at(kin.line_of(at)));
                    *place = Some((at, parent.clone()));
                    break;
                }
            }
        }
        let mut later: FxHashSet<usize> = next.iter().flatten().map(|(at, _)| *at).collect();
        later.extend(kin.absorbed_conversations());
        let mut spilled = self.spill.finish_writing()?;
        let mut open: Vec<Option<Open>> = self.open.into_iter().map(Some).collect();
        let owners = (0..open.len()).filter(move |at| !later.contains(at));
        Ok(owners.map(move |owner| {
            let mut whole = take_open(&mut open, owner)?.join_requests(&mut spilled)?;
            let mut last = owner;
            while let Some((at, parent)) = next.get_mut(last).and_then(Option::take) {
                let after = take_open(&mut open, at)?;
                let first = after.first;
                let rewriting = Rewriting {
                    usage: parent.usage,
                    is_last_answer: parent.is_last_answer,
                    is_opaque: false,
                };
                whole = rejoin_drafts(whole, after.join_requests(&mut spilled)?, first, rewriting);
                last = at;
            }
            Ok(whole)
        }))
    }
}

impl Open {
    fn join_requests(self, spilled: &mut Spilled) -> io::Result<Draft> {
        let mut whole = self.draft.map(|draft| *draft);
        for extent in &self.on_disk {
            whole = Some(join_request(whole, serde_json::from_slice(&spilled.read_piece(extent)?)?));
        }
        Ok(whole.ok_or(io::ErrorKind::NotFound)?)
    }
}

impl State {
    fn from_call(call: &Draft, prefix: Prefix) -> State {
        let system = call.transcript.system.as_deref();
        State {
            prefix,
            system: of_all(system.map(of_text)),
            id: call.id().map(of_text),
            is_of_trace: call.is_of_trace,
            response: call.response.as_deref().map(of_text),
            line: call.line,
        }
    }

    /// Index keys of the conversation: with its system prompt, and with any.
    fn lookup_keys(&self) -> Vec<Fingerprint> {
        let (prefix, system) = (&self.prefix, Some(self.system));
        let mut keys = Vec::with_capacity(4);
        // A conversation without messages would be a prefix of every request.
        if prefix.messages == Prefix::default().messages {
            return keys;
        }
        keys.extend([repeated_key(prefix, self.id, system), repeated_key(prefix, self.id, None)]);
        // Requests of other traces look it up without an identifier.
        if self.is_of_trace && self.id.is_some() {
            keys.extend([repeated_key(prefix, None, system), repeated_key(prefix, None, None)]);
        }
        keys
    }

    fn rival_keys(&self) -> impl Iterator<Item = Fingerprint> + use<> {
        self.prefix.calls.into_iter().chain(self.id)
    }
}

/// The prefix of all messages.
fn last_of(prefixes: &[Prefix]) -> Prefix {
    prefixes.last().copied().unwrap_or_default()
}

fn take_open(open: &mut [Option<Open>], at: usize) -> io::Result<Open> {
    Ok(open.get_mut(at).and_then(Option::take).ok_or(io::ErrorKind::NotFound)?)
}

fn repeated_key(prefix: &Prefix, id: Option<Fingerprint>, system: Option<Fingerprint>) -> Fingerprint {
    of_all([prefix.messages, of_all(id), of_all(system)])
}

/// Returns true if a request only refers to the previous response by identifier, without repeating messages.
fn is_named(before: &Draft, call: &Draft) -> bool {
    call.previous.is_some() && call.previous == before.response
}

/// Appends the next request and its answer, with the provider's clearings of results.
fn join_request(before: Option<Draft>, mut call: Draft) -> Draft {
    let clearings = call.take_clearings();
    let mut whole = continue_draft(before, call);
    whole.add_clearings(clearings);
    whole
}

/// Appends the next request and its answer.
fn continue_draft(before: Option<Draft>, mut call: Draft) -> Draft {
    let Some(mut before) = before else { return call };
    let is_named = is_named(&before, &call);
    if let Some(rewriting) = call.rewriting.take() {
        return append_rewritten(before, call, rewriting);
    }
    let changed = changed_line(newest_system(&before.transcript), call.transcript.system.as_deref());
    let changed = changed.map(str::to_owned);
    if before.view.is_some() {
        return with_change(changed, append_extended(before, call, is_named));
    }
    call.server.follow_request(&mut before.server);
    add_run(before.transcript.outcome.take(), &mut call.transcript.outcome);
    let Transcript { mut messages, tools, system_changes, compactions, .. } = before.transcript;
    (call.transcript.system_changes, call.transcript.compactions) = (system_changes, compactions);
    if is_named {
        let mut origins = before.origins;
        messages.append(&mut call.transcript.messages);
        origins.append(&mut call.origins);
        (call.transcript.messages, call.origins) = (messages, origins);
    } else {
        // A request repeats earlier answers without their bills and times.
        let repeated = call.transcript.messages.iter_mut().zip(&mut call.origins);
        let known = messages.into_iter().zip(&before.origins);
        for ((old, old_origin), (new, new_origin)) in known.zip(repeated) {
            new.usage = old.usage;
            if old.time.is_some() {
                (new.time, new.duration) = (old.time, old.duration);
                new_origin.take_times(old_origin);
            }
        }
    }
    // A request that refers to the previous response need not declare the tools again.
    if call.transcript.tools.is_empty() {
        call.transcript.tools = tools;
    }
    with_change(changed, call)
}

/// Adds the usage of the runs before, if a log has only sums.
fn add_run(before: Option<TranscriptOutcome>, now: &mut Option<TranscriptOutcome>) {
    let Some(usage) = before.and_then(|before| before.usage) else { return };
    let now = now.get_or_insert_with(TranscriptOutcome::default);
    now.usage = TranscriptUsage::sum([usage].into_iter().chain(now.usage.take()));
}

/// Records the changed line of the system prompt for the last answer.
fn with_change(changed: Option<String>, mut call: Draft) -> Draft {
    if let (Some(line), Some(last)) = (changed, call.transcript.messages.len().checked_sub(1)) {
        call.transcript.system_changes.insert(last, line);
    }
    call
}

/// The first line of a system prompt changed in the next request. Appending lines is no change.
fn changed_line<'t>(before: Option<&'t str>, now: Option<&str>) -> Option<&'t str> {
    let mut now = now?.lines();
    before?.lines().find(|line| now.next() != Some(line))
}
