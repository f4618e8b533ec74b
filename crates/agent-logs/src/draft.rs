//! A transcript under construction, with the log position of each message.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::content::Content;
use super::json::Object;
use super::notes::Notes;
use super::place::LogPlace;
use super::provider_tools::ProviderTools;
use super::repeats::hash_of;
use super::server_side::ServerSide;
use super::time::LogTime;
use super::transcript::{
    ToolDeclaration, Transcript, TranscriptCall, TranscriptMessage, TranscriptRole, TranscriptSource,
    TranscriptUsage,
};
use super::viewed::{Rewriting, Viewed};

/// A conversation being read from a log.
#[derive(Default, Deserialize, Serialize)]
pub(super) struct Draft {
    pub(super) transcript: Transcript,
    /// Origin of each message, parallel to `transcript.messages`.
    pub(super) origins: Vec<Origin>,
    /// First line of the conversation in the log.
    pub(super) line: usize,
    /// Identifier of the preceding response (the one this conversation continues).
    pub(super) previous: Option<String>,
    /// Identifier of the last response.
    pub(super) response: Option<String>,
    /// True if the conversation's identifier is a trace identifier. Often each turn is a trace of its own.
    pub(super) is_of_trace: bool,
    /// True if the log starts in the middle of the session.
    pub(super) is_late: bool,
    /// True if the log itself marks observations among the messages with the role `user`.
    pub(super) marks_observations: bool,
    /// Indices of answers, by identifier.
    pub(super) answers: FxHashMap<String, usize>,
    /// Index of the answer written last.
    pub(super) written: Option<usize>,
    /// Number of messages already billed. No later piece of an answer may be merged into them.
    pub(super) billed: usize,
    /// Time of the entry being read, if logged.
    pub(super) now: Option<LogTime>,
    /// The newest request and its answer, unless they are simply all messages in order.
    pub(super) view: Option<Vec<Viewed>>,
    /// Set when a request rewrites the preceding one instead of extending it.
    pub(super) rewriting: Option<Rewriting>,
    /// Fingerprints of the answers' identifiers in the state of a graph.
    pub(super) named: Vec<u128>,
    /// Context edits made by the provider.
    pub(super) server: ServerSide,
    /// Uses of the provider's tools since the last bill.
    pub(super) provider_tools: ProviderTools,
}

/// Origin of a message.
#[derive(Clone, Default, Deserialize, Serialize)]
pub(super) struct Origin {
    pub(super) place: LogPlace,
    /// Tool name of a result.
    pub(super) tool: Option<String>,
    /// True for a result that the provider put inside an answer.
    is_inside: bool,
    /// True for a result logged in the text of the answer before it.
    pub(super) is_appended: bool,
    /// Time of the answer's last piece.
    ended: Option<LogTime>,
    /// True if the log has the time of the answer's request.
    is_sent: bool,
    /// Identifier of the request that produced the answer.
    call: Option<String>,
}

/// How a piece of an answer is merged with earlier pieces.
#[derive(Clone)]
pub(super) enum Answer {
    /// Not merged.
    Whole,
    /// Merged with all pieces of the same identifier, even if other messages come between.
    Id(String),
    /// Merged with the piece directly before it (skipping results inside the answer), unless already billed.
    Piece,
}

impl Draft {
    pub(super) fn new(format: &str, id: Option<String>, line: usize) -> Draft {
        let source = TranscriptSource { format: format.to_owned(), id, ..TranscriptSource::default() };
        Draft {
            transcript: Transcript { source: Some(source), ..Transcript::default() },
            line,
            ..Draft::default()
        }
    }

    /// Marks the draft as the conversation of a subagent.
    pub(super) fn of_subagent(mut self) -> Draft {
        if let Some(source) = &mut self.transcript.source {
            source.is_subagent = true;
        }
        self
    }

    pub(super) fn place(&self) -> LogPlace {
        LogPlace { line: self.line, path: String::new() }
    }

    pub(super) fn id(&self) -> Option<&str> {
        self.transcript.source.as_ref()?.id.as_deref()
    }

    /// Approximate size in memory, in bytes.
    pub(super) fn memory_size(&self) -> usize {
        let Transcript { system, tools, messages, .. } = &self.transcript;
        let mut size = system.as_ref().map_or(0, String::len);
        for tool in tools {
            size += size_of::<ToolDeclaration>() + tool.description.as_ref().map_or(0, String::len);
            size += tool.parameters.as_ref().map_or(0, |parameters| parameters.get().len());
        }
        for message in messages {
            size += size_of::<TranscriptMessage>() + size_of::<Origin>() + message.content.len();
            for call in &message.tool_calls {
                size += size_of::<TranscriptCall>() + call.arguments.get().len();
            }
        }
        size
    }

    /// Returns true if a piece of the answer with this identifier was read.
    pub(super) fn has_answer(&self, id: &str) -> bool {
        self.answers.contains_key(id)
    }

    pub(super) fn has_answers(&self) -> bool {
        self.transcript.messages.iter().any(TranscriptMessage::is_answer)
    }

    /// Returns true if anything precedes the last answer. Results inside an answer don't count.
    pub(super) fn has_request(&self) -> bool {
        let Transcript { system, messages, .. } = &self.transcript;
        let before = messages.iter().rposition(TranscriptMessage::is_answer).unwrap_or(messages.len());
        let mut sent = messages.iter().zip(&self.origins).take(before);
        system.is_some() || sent.any(|(message, origin)| !message.is_answer() && !origin.is_inside)
    }

    /// Appends to the system prompt. After the first message, the text becomes an observation.
    pub(super) fn set_system(&mut self, content: Content, place: LogPlace, notes: &mut Notes) {
        if !self.transcript.messages.is_empty() {
            notes.note("later system messages, taken as observations", place.clone());
            return self.add_user_text(content, true, place);
        }
        let mut all = Content { lines: self.transcript.system.take(), images: 0 };
        all.add_text(&content.text());
        self.transcript.system = all.lines;
    }

    pub(super) fn add_user_text(&mut self, content: Content, is_observation: bool, place: LogPlace) {
        let message = TranscriptMessage { is_observation, ..new_message(TranscriptRole::User, content) };
        self.push_message(message, Origin { place, ..Origin::default() });
    }

    pub(super) fn add_answer(
        &mut self,
        answer: Answer,
        content: Content,
        calls: Vec<TranscriptCall>,
        place: LogPlace,
    ) {
        let mut new =
            TranscriptMessage { tool_calls: calls, ..new_message(TranscriptRole::Assistant, content) };
        let at = self.place_of(&answer);
        match self.transcript.messages.get_mut(at) {
            Some(message) => {
                if !message.content.is_empty() && !new.content.is_empty() {
                    message.content.push('\n');
                }
                message.content.push_str(&new.content);
                message.tool_calls.append(&mut new.tool_calls);
                message.images += new.images;
                self.written = Some(at);
                if let Some(origin) = self.origins.get_mut(at) {
                    origin.ended = origin.ended.max(self.now);
                }
            }
            None => {
                if let Answer::Id(id) = answer {
                    self.answers.insert(id, at);
                }
                self.written = Some(at);
                self.push_message(new, Origin { place, ended: self.now, ..Origin::default() });
            }
        }
    }

    /// Index of the message to extend with a piece of an answer, or of the new message for it.
    pub(super) fn place_of(&self, answer: &Answer) -> usize {
        let known = match answer {
            Answer::Whole => None,
            Answer::Piece => {
                let last = self.origins.iter().rposition(|origin| !origin.is_inside);
                last.filter(|at| *at >= self.billed)
            }
            Answer::Id(id) => self.answers.get(id).copied(),
        };
        let messages = &self.transcript.messages;
        match known {
            Some(at) if messages.get(at).is_some_and(TranscriptMessage::is_answer) => at,
            _ => messages.len(),
        }
    }

    /// Adds a tool result. The call's identifier and the tool's name may be unknown.
    pub(super) fn add_result(
        &mut self,
        call: Option<String>,
        tool: Option<String>,
        content: Content,
        place: LogPlace,
    ) {
        let message = TranscriptMessage { call, ..new_message(TranscriptRole::Tool, content) };
        self.push_message(message, Origin { place, tool, ..Origin::default() });
    }

    /// Marks the newest result as inside the answer before it: later pieces may continue that answer.
    pub(super) fn inside_answer(&mut self) {
        if let Some(origin) = self.origins.last_mut() {
            origin.is_inside = true;
        }
    }

    pub(super) fn push_message(&mut self, message: TranscriptMessage, origin: Origin) {
        let time = message.time.or(self.now);
        self.transcript.messages.push(TranscriptMessage { time, ..message });
        self.origins.push(origin);
    }

    /// Sets the request time and end time of the answer written last.
    pub(super) fn set_times(&mut self, sent: Option<LogTime>, ended: Option<LogTime>) {
        let Some((at, sent)) = self.written.zip(sent) else { return };
        if let (Some(answer), Some(origin)) = (self.transcript.messages.get_mut(at), self.origins.get_mut(at))
        {
            answer.time = Some(sent);
            answer.duration = ended.map(|ended| ended.seconds_since(sent));
            origin.is_sent = true;
        }
    }

    /// Sets the end time of the answer written last.
    pub(super) fn set_end(&mut self, ended: LogTime) {
        if let Some(origin) = self.written_origin() {
            origin.ended = Some(ended);
        }
    }

    /// Sets the times of the answer written last from the object with its request.
    pub(super) fn sent_by(&mut self, object: &Object) {
        let (sent, ended) = LogTime::of_exchange(object);
        self.set_times(sent, ended);
    }

    /// Derives the request times of answers logged only at their end: agents send a request as soon as they have the message before it.
    pub(super) fn derive_times(&mut self) {
        let mut newest: Option<LogTime> = None;
        for (message, origin) in self.transcript.messages.iter_mut().zip(&self.origins) {
            if !message.is_answer() {
                newest = newest.max(message.time);
                continue;
            }
            if let Some((before, ended)) = newest.zip(origin.ended)
                && before <= ended
                && !origin.is_sent
            {
                message.time = Some(before);
                message.duration = Some(ended.seconds_since(before));
            }
            newest = None;
        }
    }

    pub(super) fn last_message(&mut self) -> Option<&mut TranscriptMessage> {
        self.transcript.messages.last_mut()
    }

    /// Sets whether the tool of the newest result failed.
    pub(super) fn fail_if(&mut self, has_failed: bool) {
        if let Some(last) = self.last_message() {
            last.is_error = has_failed;
        }
    }

    /// Sets the usage of the answer written last. If it is billed in pieces, the largest output count wins.
    pub(super) fn usage(&mut self, usage: Option<TranscriptUsage>) {
        let (Some(answer), Some(usage)) = (self.written_answer(), usage) else { return };
        answer.usage = Some(match answer.usage.take() {
            Some(old) => {
                // Claude Code bills each block of a response: the input repeats, and the last block has the full output.
                let output_tokens = usage.output_tokens.max(old.output_tokens);
                // Claude Code bills an answer logged again with 0.
                let is_logged_again = usage.input_tokens == Some(0) && old.input_tokens > Some(0);
                let bill = if is_logged_again { old } else { usage };
                TranscriptUsage { output_tokens, ..bill }
            }
            None => usage,
        });
    }

    /// Adds the model and cost to the bill of the answer written last, where logged separately.
    pub(super) fn complete_bill(&mut self, model: Option<String>, cost: Option<f64>) {
        if let Some(usage) = self.written_usage() {
            usage.model = usage.model.take().or(model);
            usage.cost = usage.cost.or(cost);
        }
    }

    /// Returns true if there is an answer to bill.
    pub(super) fn has_written(&self) -> bool {
        self.written.is_some()
    }

    /// Sets the request identifier of the answer written last.
    pub(super) fn name_call(&mut self, id: Option<String>) {
        if let Some(origin) = self.written_origin()
            && id.is_some()
        {
            origin.call = id;
        }
    }

    /// Names a request without identifier and time by a hash of the whole conversation. Computed now, because a later request may change
    /// the text of its answer.
    pub(super) fn name_request(&mut self) {
        let Some(answer) = self.written_answer() else { return };
        if answer.time.is_some() || answer.usage.is_none() {
            return;
        }
        let Transcript { system, tools, messages, .. } = &self.transcript;
        let name = format!("request {:x}", hash_of(&(system, tools, messages)));
        if let Some(usage) = self.written_usage() {
            usage.call.get_or_insert(name);
        }
    }

    /// Marks the answer written last as a copy: its bill belongs to another conversation.
    pub(super) fn copied_from(&mut self, conversation: Option<String>) {
        if let Some(usage) = self.written_usage() {
            usage.copied_from = conversation;
        }
    }

    /// Moves the request identifiers from the origins to the bills.
    pub(super) fn settle_calls(&mut self) {
        for (message, origin) in self.transcript.messages.iter_mut().zip(&mut self.origins) {
            origin.move_call(message);
        }
    }

    /// Sets the model of bills without one.
    pub(super) fn name_models(&mut self, model: &str) {
        for message in &mut self.transcript.messages {
            if let Some(usage) = &mut message.usage {
                usage.model.get_or_insert_with(|| model.to_owned());
            }
        }
    }

    /// Sets the model of bills without one, if all others agree.
    pub(super) fn settle_models(&mut self) {
        let mut models =
            self.transcript.messages.iter().filter_map(|message| message.usage.as_ref()?.model.as_ref());
        let Some(model) = models.next() else { return };
        if models.all(|other| other == model) {
            let model = model.clone();
            self.name_models(&model);
        }
    }

    /// Bills the answer written last and closes it. Notes a bill without an answer, or a second bill.
    pub(super) fn bill(&mut self, usage: TranscriptUsage, place: &LogPlace, notes: &mut Notes) {
        match self.written_answer() {
            Some(answer) if answer.usage.is_none() => answer.usage = Some(usage),
            _ => {
                if let Some(tokens) = usage.input_tokens
                    && tokens > 0
                {
                    notes.missing_call(tokens, place);
                }
            }
        }
        self.billed = self.transcript.messages.len();
    }

    /// Subtracts another call's tokens from the bill of the answer written last. A bill with fewer tokens does not include the call and is
    /// left alone. Returns the input tokens billed before.
    pub(super) fn take_from_bill(&mut self, input: Option<u64>, output: Option<u64>) -> Option<u64> {
        let bill = self.written_usage()?;
        let before = bill.input_tokens;
        for (own, other) in [(&mut bill.input_tokens, input), (&mut bill.output_tokens, output)] {
            if let (Some(tokens), Some(other)) = (*own, other)
                && let Some(left) = tokens.checked_sub(other)
            {
                *own = Some(left);
            }
        }
        before
    }

    fn written_answer(&mut self) -> Option<&mut TranscriptMessage> {
        self.transcript.messages.get_mut(self.written?)
    }

    fn written_usage(&mut self) -> Option<&mut TranscriptUsage> {
        self.written_answer()?.usage.as_mut()
    }

    fn written_origin(&mut self) -> Option<&mut Origin> {
        self.origins.get_mut(self.written?)
    }

    /// Keeps the first messages only, and returns the rest. Also drops compactions of the removed messages.
    pub(super) fn truncate_messages(&mut self, length: usize) -> Vec<TranscriptMessage> {
        let length = length.min(self.transcript.messages.len());
        self.transcript.compactions.retain(|compaction| compaction.before <= length);
        let origins = self.origins.split_off(length);
        self.answers.retain(|_, at| *at < length);
        self.written = self.written.filter(|at| *at < length);
        let mut messages = self.transcript.messages.split_off(length);
        for (message, mut origin) in messages.iter_mut().zip(origins) {
            origin.move_call(message);
        }
        messages
    }
}

impl Origin {
    pub(super) fn at(place: LogPlace) -> Origin {
        Origin { place, ..Origin::default() }
    }

    /// Copies the times from another origin of the same message.
    pub(super) fn take_times(&mut self, other: &Origin) {
        (self.ended, self.is_sent) = (other.ended, other.is_sent);
    }

    /// Moves the request identifier to the bill of the answer.
    fn move_call(&mut self, answer: &mut TranscriptMessage) {
        if let Some(usage) = &mut answer.usage
            && let Some(call) = self.call.take()
        {
            usage.call = Some(call);
        }
    }

    pub(super) fn of_tool(&self, tool: Option<String>) -> Origin {
        Origin { tool, ..self.clone() }
    }
}

/// Builds a call. Missing identifiers are filled in at the end, and missing names noted.
pub(super) fn new_call(id: Option<String>, name: Option<String>, arguments: Box<RawValue>) -> TranscriptCall {
    // `check.rs` treats an empty string as missing.
    TranscriptCall { id: id.unwrap_or_default(), name: name.unwrap_or_default(), arguments }
}

/// Builds a message with a user's words.
pub(super) fn observation_of(text: String) -> TranscriptMessage {
    new_message(TranscriptRole::User, Content::of(text))
}

fn new_message(role: TranscriptRole, content: Content) -> TranscriptMessage {
    let images = content.images;
    TranscriptMessage {
        role,
        content: content.text(),
        tool_calls: Vec::new(),
        call: None,
        is_error: false,
        is_observation: false,
        images,
        reinjected: false,
        time: None,
        duration: None,
        usage: None,
    }
}
