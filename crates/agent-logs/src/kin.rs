//! Finds the conversation that a request continues although its answers are missing, for example after the agent summarized everything.

use std::cmp::Reverse;

use rustc_hash::{FxHashMap, FxHashSet};

use super::draft::Draft;
use super::fingerprint::{Fingerprint, Prefix, of_all, of_message, of_text, with_ids};
use super::transcript::{TranscriptMessage, TranscriptRole, TranscriptUsage};

/// Two texts rarely share a line this long (in characters) by chance.
const LINE: usize = 24;
/// Maximum number of lines remembered per answer.
const LINES: usize = 16;
/// Stems found in instructions to write a summary.
const ASKS: [&str; 7] = ["summar", "compact", "condens", "compress", "handoff", "hand over", "checkpoint"];
/// Two conversations rarely share an answer this long (in bytes) by chance.
const ANSWER: usize = 40;
/// Number of answers of a request to look up, newest first.
const ANSWERS: usize = 4;
/// Minimum number of names shared by a summary and its conversation.
const NAMES: usize = 3;

/// Fingerprints of a text's first distinctive lines.
pub(super) fn line_fingerprints(text: &str) -> impl Iterator<Item = Fingerprint> {
    text_lines(text).take(LINES)
}

/// Returns true if a text may ask for a summary.
pub(super) fn asks_for_summary(text: &str) -> bool {
    let text = text.to_lowercase();
    ASKS.iter().any(|word| text.contains(word))
}

/// Signs within file names and identifiers.
const NAME_SIGNS: [char; 5] = ['_', '-', '.', '/', ':'];

/// Fingerprints of words like file names, identifiers and numbers.
fn name_fingerprints(text: &str) -> impl Iterator<Item = Fingerprint> {
    text.split(ends_name).map(trim_signs).filter(|word| is_name(word)).map(of_text)
}

fn ends_name(c: char) -> bool {
    !c.is_alphanumeric() && !NAME_SIGNS.contains(&c)
}

fn trim_signs(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric())
}

fn is_name(word: &str) -> bool {
    word.len() >= 4
        && (word.contains(NAME_SIGNS)
            || word.as_bytes().iter().any(u8::is_ascii_digit)
            || word.chars().skip(1).any(char::is_uppercase))
}

/// A Bloom filter of the names in texts. Its size is fixed.
#[derive(Clone)]
pub(super) struct Names(Box<[u64; Names::WORDS]>);

impl Names {
    const WORDS: usize = 64;

    pub(super) fn from_messages(messages: &[TranscriptMessage]) -> Names {
        let mut names = Names(Box::new([0; Names::WORDS]));
        names.add_names(messages);
        names
    }

    pub(super) fn add_names(&mut self, messages: &[TranscriptMessage]) {
        for message in messages {
            for call in &message.tool_calls {
                self.add_text(call.arguments.get());
            }
            self.add_text(&message.content);
        }
    }

    fn add_text(&mut self, text: &str) {
        for name in name_fingerprints(text) {
            let (word, bit) = Names::bit_of(name);
            if let Some(word) = self.0.get_mut(word) {
                *word |= bit;
            }
        }
    }

    /// Number of names shared with the texts, or `None` if too few for the texts to be about the same subject.
    pub(super) fn count_shared(&self, texts: &[&str]) -> Option<usize> {
        let mut all: FxHashSet<Fingerprint> = FxHashSet::default();
        for text in texts {
            all.extend(name_fingerprints(text));
        }
        let shared = all.iter().filter(|name| self.contains_name(**name)).count();
        (shared >= NAMES && 2 * shared >= all.len()).then_some(shared)
    }

    fn contains_name(&self, name: Fingerprint) -> bool {
        let (word, bit) = Names::bit_of(name);
        match self.0.get(word) {
            Some(word) => word & bit != 0,
            None => false,
        }
    }

    fn bit_of(name: Fingerprint) -> (usize, u64) {
        let at = (name % (64 * Names::WORDS as u128)) as usize;
        (at / 64, 1 << (at % 64))
    }
}

/// Index of conversations by the fingerprints of their last answers' lines.
#[derive(Default)]
pub(super) struct Told(FxHashMap<Fingerprint, Vec<usize>>);

impl Told {
    pub(super) fn add_lines(&mut self, at: usize, lines: &[Fingerprint]) {
        for line in lines {
            self.0.entry(*line).or_default().push(at);
        }
    }

    pub(super) fn remove_lines(&mut self, at: usize, lines: &[Fingerprint]) {
        for line in lines {
            let Some(all) = self.0.get_mut(line) else { continue };
            all.retain(|other| *other != at);
            if all.is_empty() {
                self.0.remove(line);
            }
        }
    }

    /// Finds conversations whose last answer is quoted in the texts. Returns them with the number of quoted lines, most first.
    pub(super) fn find_quoted(&self, texts: &[&str]) -> Vec<(usize, usize)> {
        let mut own: FxHashSet<Fingerprint> = FxHashSet::default();
        for text in texts {
            own.extend(text_lines(text));
        }
        let mut found: FxHashMap<usize, usize> = FxHashMap::default();
        for line in &own {
            let Some(quoted) = self.0.get(line) else { continue };
            for at in quoted {
                *found.entry(*at).or_default() += 1;
            }
        }
        let mut found: Vec<(usize, usize)> = found.into_iter().collect();
        found.sort_unstable_by_key(|(at, lines)| (Reverse(*lines), *at));
        found
    }
}

/// Fingerprints of all distinctive lines of a text.
fn text_lines(text: &str) -> impl Iterator<Item = Fingerprint> {
    text.lines().map(str::trim).filter(|line| line.chars().nth(LINE - 1).is_some()).map(of_text)
}

/// The texts of the user messages.
pub(super) fn user_texts(messages: &[TranscriptMessage]) -> Vec<&str> {
    let mut texts = Vec::new();
    for message in messages {
        if message.role == TranscriptRole::User {
            texts.push(message.content.as_str());
        }
    }
    texts
}

/// Fingerprints of a request's messages.
fn hash_messages(messages: &[TranscriptMessage]) -> FxHashSet<Fingerprint> {
    messages.iter().map(of_message).collect()
}

/// A conversation that another one's first request may continue.
#[derive(Clone, Debug)]
pub(super) struct Parent {
    pub(super) at: usize,
    /// Its number of requests when the parent was found.
    requests: usize,
    /// True if its last answer is the text of the summary.
    pub(super) is_last_answer: bool,
    /// The bill of the call that wrote the summary, if that call is a conversation of its own: `writer` is its index.
    pub(super) usage: Option<TranscriptUsage>,
    writer: Option<usize>,
}

/// Traits of a conversation, compared with later requests to recognise rewrites.
pub(super) struct Traits {
    /// The first line of the system prompt. The rest may contain the time of day, or a summary.
    system: Fingerprint,
    id: Option<Fingerprint>,
    is_of_trace: bool,
    /// The last answer's identifier in a LangGraph state.
    named: Option<Fingerprint>,
    /// The first message of its first request.
    first: Option<Fingerprint>,
    /// True if its first request already contained answers.
    is_late: bool,
    /// Number of requests, and log line of the first.
    requests: usize,
    line: usize,
    /// `last`: keys of its last answer (see `answer_keys`). `told`: fingerprints of that answer's lines.
    last: Vec<Fingerprint>,
    told: Vec<Fingerprint>,
    /// True if the last message to the model may ask for a summary.
    asks: bool,
    /// The bill of its only answer.
    usage: Option<Box<TranscriptUsage>>,
    names: Option<Names>,
    is_rewritten: bool,
    /// True if its only answer is the text of a summary in another conversation.
    is_absorbed: bool,
}

impl Traits {
    pub(super) fn from_call(call: &Draft) -> Traits {
        let (asked, _) = split_answer(call);
        let system = call.transcript.system.as_deref().and_then(|system| system.lines().next());
        Traits {
            system: of_all(system.map(of_text)),
            id: call.id().map(of_text),
            is_of_trace: call.is_of_trace,
            named: None,
            first: asked.first().map(of_message),
            is_late: asked.iter().any(TranscriptMessage::is_answer),
            requests: 0,
            line: call.line,
            last: Vec::new(),
            told: Vec::new(),
            asks: false,
            usage: None,
            names: None,
            is_rewritten: false,
            is_absorbed: false,
        }
    }

    /// Returns true unless system prompt or identifier show different conversations.
    fn may_be(&self, other: &Traits) -> bool {
        let has_other_id = self.id.is_some() && other.id.is_some() && self.id != other.id;
        self.system == other.system && (self.is_of_trace || other.is_of_trace || !has_other_id)
    }

    fn shares_id(&self, other: &Traits) -> bool {
        self.id.is_some() && self.id == other.id
    }

    /// Returns true if a request contains the first message.
    fn begins_in(&self, request: &FxHashSet<Fingerprint>) -> bool {
        match &self.first {
            Some(first) => request.contains(first),
            None => false,
        }
    }

    fn count_shared_names(&self, texts: &[&str]) -> Option<usize> {
        self.names.as_ref()?.count_shared(texts)
    }

    /// Returns true for a single request that asked for a summary.
    fn is_lone_summary(&self) -> bool {
        self.requests == 1 && !self.is_late && self.asks && !self.is_absorbed
    }
}

/// The conversations of a log, indexed by traits recognisable in later requests.
#[derive(Default)]
pub(super) struct Kin {
    all: Vec<Traits>,
    told: Told,
    by_last: FxHashMap<Fingerprint, Vec<usize>>,
    /// Conversations by their last answer's identifier in a graph.
    by_name: FxHashMap<Fingerprint, usize>,
    /// Conversations by all messages before their first answer.
    openings: FxHashMap<Fingerprint, Vec<usize>>,
}

impl Kin {
    /// Finds the conversation that a request rewrites: the request has its last answer, but the agent cut, masked, rewrote or reordered
    /// earlier messages. Forks do not match, because they lack the last answer.
    pub(super) fn find_rewritten(&self, call: &Draft, new: &Traits) -> Option<usize> {
        for id in call.named.iter().rev() {
            if let Some(at) = self.by_name.get(id) {
                return Some(*at);
            }
        }
        let (asked, _) = split_answer(call);
        let own = hash_messages(asked);
        let newest = asked.iter().rev().filter(|message| message.is_answer()).take(ANSWERS);
        for answer in newest {
            let found = self.find_by_answer(answer, &own, new);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// Finds the newest conversation with this last answer. `own` are the messages of the request.
    fn find_by_answer(
        &self,
        answer: &TranscriptMessage,
        own: &FxHashSet<Fingerprint>,
        new: &Traits,
    ) -> Option<usize> {
        // Servers that number their calls reuse the same identifiers across conversations.
        let is_long = answer.content.len() + arguments_size(answer) >= ANSWER;
        let [exact, ids] = answer_keys(answer);
        let mut best = None;
        for (key, is_exact) in [(exact, true), (ids, false)] {
            let Some(found) = key.and_then(|key| self.by_last.get(&key)) else { continue };
            for &at in found {
                let Some(known) = self.all.get(at) else { continue };
                let (has_id, has_first) = (known.shares_id(new), known.begins_in(own));
                if known.may_be(new) && (has_first || has_id || is_exact && is_long) {
                    best = best.max(Some((has_id, has_first, at)));
                }
            }
        }
        best.map(|(_, _, at)| at)
    }

    /// Conversations that a request may continue without containing their last answers, likeliest first.
    pub(super) fn find_parents(&self, call: &Draft, prefixes: &[Prefix], new: &Traits) -> Vec<Parent> {
        let (asked, _) = split_answer(call);
        let own = hash_messages(asked);
        let texts = user_texts(asked);
        let mut parents = Vec::new();
        for (at, lines) in self.told.find_quoted(&texts) {
            let Some(known) = self.all.get(at) else { continue };
            if 2 * lines < known.told.len() {
                continue;
            }
            if known.requests > 1 || known.is_late {
                // An agent forwarding a report to another agent of the same kind was not asked for a summary.
                if known.may_be(new) && (known.asks || known.begins_in(&own)) {
                    parents.push(self.parent_at(at, true, None));
                }
            } else if known.asks
                && let Some(parent) = find_subject(&self.all[..at], &texts, &own, new)
            {
                parents.push(self.parent_at(parent, false, Some(at)));
            }
        }
        if !new.is_late {
            for at in self.find_same_opening(asked, prefixes, new) {
                parents.push(self.parent_at(at, false, None));
            }
        }
        parents
    }

    /// Conversations with the same opening as the request, if a later text of the request is about them.
    fn find_same_opening(
        &self,
        asked: &[TranscriptMessage],
        prefixes: &[Prefix],
        new: &Traits,
    ) -> Vec<usize> {
        let mut found = Vec::new();
        for (length, prefix) in (1..asked.len()).zip(prefixes) {
            let Some((_, later)) = asked.split_at_checked(length) else { continue };
            let texts = user_texts(later);
            for at in self.openings.get(&prefix.messages).into_iter().flatten() {
                let Some(known) = self.all.get(*at) else { continue };
                if !known.may_be(new) {
                    continue;
                }
                let shared = known.count_shared_names(&texts);
                if shared.is_some() || known.shares_id(new) {
                    found.push((shared, *at));
                }
            }
        }
        found.sort_unstable_by(|one, other| other.cmp(one));
        found.into_iter().map(|(_, at)| at).collect()
    }

    fn parent_at(&self, at: usize, is_last_answer: bool, writer: Option<usize>) -> Parent {
        let requests = self.all.get(at).map_or(0, |known| known.requests);
        let usage = writer.and_then(|at| self.all.get(at)?.usage.as_deref().cloned());
        Parent { at, requests, is_last_answer, usage, writer }
    }

    /// Finds the one-request call that wrote the summary in a rewritten request, and returns its bill. From then on, the call is not a
    /// conversation of its own.
    pub(super) fn absorb_summary(&mut self, call: &Draft, at: usize) -> Option<TranscriptUsage> {
        let (asked, _) = split_answer(call);
        let last = asked.iter().rposition(TranscriptMessage::is_answer).unwrap_or(asked.len());
        let texts = user_texts(&asked[..last]);
        for (other, lines) in self.told.find_quoted(&texts) {
            let Some(writer) = self.all.get_mut(other) else { continue };
            if other != at && writer.is_lone_summary() && 2 * lines >= writer.told.len() {
                writer.is_absorbed = true;
                return writer.usage.as_deref().cloned();
            }
        }
        None
    }

    /// Adds a conversation before its first request. If it may continue another one, all prefixes of its opening are indexed.
    pub(super) fn add_conversation(&mut self, new: Traits, prefixes: &[Prefix], goes_on: bool) {
        let answered = prefixes.iter().position(|prefix| prefix.has_answer);
        let opening = &prefixes[..answered.unwrap_or(prefixes.len())];
        let from = if goes_on { 0 } else { opening.len().saturating_sub(1) };
        for prefix in opening.iter().skip(from) {
            self.openings.entry(prefix.messages).or_default().push(self.all.len());
        }
        self.all.push(new);
    }

    /// Records a request of a conversation with its answer.
    pub(super) fn record_request(&mut self, at: usize, call: &Draft) {
        let Some(known) = self.all.get_mut(at) else { return };
        let (asked, answer) = split_answer(call);
        for key in known.last.drain(..) {
            if let Some(all) = self.by_last.get_mut(&key) {
                all.retain(|other| *other != at);
            }
        }
        self.told.remove_lines(at, &known.told);
        if let Some(id) = call.named.last() {
            if let Some(before) = known.named.replace(*id)
                && self.by_name.get(&before) == Some(&at)
            {
                self.by_name.remove(&before);
            }
            self.by_name.insert(*id, at);
        }
        known.requests += 1;
        known.is_absorbed &= known.requests == 1;
        known.asks = match asked.last() {
            Some(last) => last.role == TranscriptRole::User && asks_for_summary(&last.content),
            None => false,
        };
        if let Some(newest) = answer.or(asked.iter().rfind(|message| message.is_answer())) {
            known.last.extend(answer_keys(newest).into_iter().flatten());
        }
        known.told.clear();
        known.usage = None;
        if let Some(answer) = answer {
            known.told.extend(line_fingerprints(&answer.content));
            if known.requests == 1 {
                known.usage = answer.usage.clone().map(Box::new);
            }
        }
        // Skips the names of the first request: they belong to the task, and other runs of the task share them.
        let from = if known.requests == 1 {
            asked.len()
        } else {
            asked.iter().rposition(TranscriptMessage::is_answer).unwrap_or(0)
        };
        let new = &call.transcript.messages[from..];
        match &mut known.names {
            Some(names) => names.add_names(new),
            None => known.names = Some(Names::from_messages(new)),
        }
        for key in &known.last {
            self.by_last.entry(*key).or_default().push(at);
        }
        self.told.add_lines(at, &known.told);
    }

    /// Marks a conversation as rewritten. Returns true the first time.
    pub(super) fn mark_rewritten(&mut self, at: usize) -> bool {
        let Some(known) = self.all.get_mut(at) else { return false };
        !std::mem::replace(&mut known.is_rewritten, true)
    }

    /// Records that a conversation continues another one. Returns true the first time.
    pub(super) fn record_rewrite(&mut self, parent: &Parent, at: usize) -> bool {
        if let Some(writer) = parent.writer.and_then(|writer| self.all.get_mut(writer)) {
            writer.is_absorbed = true;
        }
        let is_first = self.mark_rewritten(parent.at);
        self.mark_rewritten(at);
        is_first
    }

    /// Returns true if the conversation has no newer request and is not absorbed.
    pub(super) fn is_current(&self, parent: &Parent) -> bool {
        match self.all.get(parent.at) {
            Some(known) => known.requests == parent.requests && !known.is_absorbed,
            None => false,
        }
    }

    /// The log line of the conversation's first request.
    pub(super) fn line_of(&self, at: usize) -> usize {
        self.all.get(at).map_or(0, |known| known.line)
    }

    /// The conversations whose only answer is a summary in another conversation.
    pub(super) fn absorbed_conversations(&self) -> Vec<usize> {
        let mut absorbed = Vec::new();
        for (at, known) in self.all.iter().enumerate() {
            if known.is_absorbed {
                absorbed.push(at);
            }
        }
        absorbed
    }
}

/// Finds the conversation that the texts are about: the request contains its first message, or the texts share its names. `own` are the
/// messages of the request.
fn find_subject(
    earlier: &[Traits],
    texts: &[&str],
    own: &FxHashSet<Fingerprint>,
    new: &Traits,
) -> Option<usize> {
    let mut best = None;
    for (at, known) in earlier.iter().enumerate() {
        if !known.may_be(new) || known.is_absorbed {
            continue;
        }
        let (has_first, shared) = (known.begins_in(own), known.count_shared_names(texts));
        if has_first || shared.is_some() {
            best = best.max(Some((has_first, shared, Reverse(at))));
        }
    }
    best.map(|(_, _, Reverse(at))| at)
}

/// Splits a request into its messages and the answer.
fn split_answer(call: &Draft) -> (&[TranscriptMessage], Option<&TranscriptMessage>) {
    match call.transcript.messages.split_last() {
        Some((answer, asked)) if answer.is_answer() => (asked, Some(answer)),
        _ => (&call.transcript.messages, None),
    }
}

fn arguments_size(message: &TranscriptMessage) -> usize {
    message.tool_calls.iter().map(|call| call.arguments.get().len()).sum()
}

/// Two keys of an answer: the whole answer, and its calls alone if they have identifiers.
fn answer_keys(answer: &TranscriptMessage) -> [Option<Fingerprint>; 2] {
    let whole = Some(key_with_ids(answer));
    if answer.tool_calls.is_empty() || answer.tool_calls.iter().any(|call| call.id.is_empty()) {
        return [whole, None];
    }
    let calls = TranscriptMessage { content: String::new(), ..answer.clone() };
    [whole, Some(key_with_ids(&calls))]
}

fn key_with_ids(answer: &TranscriptMessage) -> Fingerprint {
    with_ids(of_message(answer), answer)
}
