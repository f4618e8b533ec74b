//! A transcript while a reader collects it, with the place of each message.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::content::Content;
use super::json::Object;
use super::notes::Notes;
use super::place::LogPlace;
use super::repeats::hash_of;
use super::server_side::ServerSide;
use super::time::LogTime;
use super::transcript::{
    ToolDeclaration, Transcript, TranscriptCall, TranscriptMessage, TranscriptRole, TranscriptSource,
    TranscriptUsage,
};
use super::viewed::{Rewriting, Viewed};

/// A conversation that is being read.
#[derive(Default, Deserialize, Serialize)]
pub(super) struct Draft {
    pub(super) transcript: Transcript,
    /// Origin of each message.
    pub(super) origins: Vec<Origin>,
    /// Line of the log that the conversation begins in.
    pub(super) line: usize,
    /// Identifier of the response that this one continues.
    pub(super) previous: Option<String>,
    /// Identifier of its last response.
    pub(super) response: Option<String>,
    /// True if its identifier is that of a trace: the turns of one conversation are mostly traces of their own.
    pub(super) is_of_trace: bool,
    /// True if the log has the session only from the middle on.
    pub(super) is_late: bool,
    /// True if the log itself marks output of the environment that was sent with the role `user`.
    pub(super) marks_observations: bool,
    /// Answers by their identifiers.
    pub(super) answers: FxHashMap<String, usize>,
    /// The answer that was written last.
    pub(super) written: Option<usize>,
    /// Number of the first messages to which no further piece of an answer belongs, since they were billed.
    pub(super) billed: usize,
    /// When what is being read happened, if the log says it.
    pub(super) now: Option<LogTime>,
    /// The messages of the newest request and its answer, if they are not all in order.
    pub(super) view: Option<Vec<Viewed>>,
    /// The facts of a request that does not go on from the one before, but rewrites it.
    pub(super) rewriting: Option<Rewriting>,
    /// Fingerprints of the identifiers that a graph gives to the answers in its state.
    pub(super) named: Vec<u128>,
    /// Shortenings of its requests by the provider itself.
    pub(super) server: ServerSide,
}

/// Origin of a message.
#[derive(Clone, Default, Deserialize, Serialize)]
pub(super) struct Origin {
    pub(super) place: LogPlace,
    /// Name of the tool of a result.
    pub(super) tool: Option<String>,
    /// True for a result that the provider put inside an answer.
    is_inside: bool,
    /// True for a result that stood in the text of the answer before it.
    pub(super) is_appended: bool,
    /// When the last piece of an answer came.
    ended: Option<LogTime>,
    /// True if the log says when the request of an answer was sent.
    is_sent: bool,
    /// Identifier of the call of an answer.
    call: Option<String>,
}

/// Pieces of an answer that belong together.
#[derive(Clone)]
pub(super) enum Answer {
    /// It is a message of its own.
    Whole,
    /// It is one message with those of the same identifier, whatever stands between them.
    Id(String),
    /// It is one message with the piece right before it, results inside it aside, until it was billed.
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

    /// The draft as that of a conversation which another agent began.
    pub(super) fn of_subagent(mut self) -> Draft {
        self.transcript.source.iter_mut().for_each(|source| source.is_subagent = true);
        self
    }

    pub(super) fn place(&self) -> LogPlace {
        LogPlace { line: self.line, path: String::new() }
    }

    pub(super) fn id(&self) -> Option<&str> {
        self.transcript.source.as_ref()?.id.as_deref()
    }

    /// Bytes that it takes in memory, about.
    pub(super) fn size(&self) -> usize {
        let Transcript { system, tools, messages, .. } = &self.transcript;
        let of_call = |call: &TranscriptCall| size_of::<TranscriptCall>() + call.arguments.get().len();
        let of_message = |message: &TranscriptMessage| {
            let beside = size_of::<TranscriptMessage>() + size_of::<Origin>();
            beside + message.content.len() + message.tool_calls.iter().map(of_call).sum::<usize>()
        };
        let of_tool = |tool: &ToolDeclaration| {
            let parameters = tool.parameters.as_ref().map_or(0, |parameters| parameters.get().len());
            parameters + tool.description.as_ref().map_or(0, String::len) + size_of::<ToolDeclaration>()
        };
        system.as_ref().map_or(0, String::len)
            + tools.iter().map(of_tool).sum::<usize>()
            + messages.iter().map(of_message).sum::<usize>()
    }

    /// Returns true if a piece of the answer with this identifier was read.
    pub(super) fn has_answer(&self, id: &str) -> bool {
        self.answers.contains_key(id)
    }

    pub(super) fn has_answers(&self) -> bool {
        self.transcript.messages.iter().any(|message| message.role == TranscriptRole::Assistant)
    }

    /// Returns true if anything was sent before one of the answers. Results inside an answer were not.
    pub(super) fn has_request(&self) -> bool {
        let Transcript { system, messages, .. } = &self.transcript;
        let is_answer = |message: &TranscriptMessage| message.role == TranscriptRole::Assistant;
        let before = messages.iter().rposition(is_answer).unwrap_or(messages.len());
        let mut sent = messages.iter().zip(&self.origins).take(before);
        system.is_some() || sent.any(|(message, origin)| !is_answer(message) && !origin.is_inside)
    }

    /// Adds to the system prompt. Later than the first message it becomes an observation.
    pub(super) fn system(&mut self, content: Content, place: LogPlace, notes: &mut Notes) {
        if !self.transcript.messages.is_empty() {
            notes.note("later system messages, taken as observations", place.clone());
            return self.user(content, true, place);
        }
        let mut all = Content { lines: self.transcript.system.take(), images: 0 };
        all.add(&content.text());
        self.transcript.system = all.lines;
    }

    pub(super) fn user(&mut self, content: Content, is_observation: bool, place: LogPlace) {
        let message = TranscriptMessage { is_observation, ..message(TranscriptRole::User, content) };
        self.push(message, Origin { place, ..Origin::default() });
    }

    pub(super) fn answer(
        &mut self,
        answer: Answer,
        content: Content,
        calls: Vec<TranscriptCall>,
        place: LogPlace,
    ) {
        let mut new = TranscriptMessage { tool_calls: calls, ..message(TranscriptRole::Assistant, content) };
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
                self.push(new, Origin { place, ended: self.now, ..Origin::default() });
            }
        }
    }

    /// Index of the message that a piece of an answer is added to, or begins.
    pub(super) fn place_of(&self, answer: &Answer) -> usize {
        let known = match answer {
            Answer::Whole => None,
            Answer::Piece => {
                let last = self.origins.iter().rposition(|origin| !origin.is_inside);
                last.filter(|at| *at >= self.billed)
            }
            Answer::Id(id) => self.answers.get(id).copied(),
        };
        let is_answer = |at: &usize| {
            self.transcript.messages.get(*at).is_some_and(|known| known.role == TranscriptRole::Assistant)
        };
        known.filter(is_answer).unwrap_or(self.transcript.messages.len())
    }

    /// Adds the result of a call, whose identifier or tool may be missing.
    pub(super) fn result(
        &mut self,
        call: Option<String>,
        tool: Option<String>,
        content: Content,
        place: LogPlace,
    ) {
        let message = TranscriptMessage { call, ..message(TranscriptRole::Tool, content) };
        self.push(message, Origin { place, tool, ..Origin::default() });
    }

    /// Puts the newest result inside the answer before it, which further pieces may continue.
    pub(super) fn inside_answer(&mut self) {
        if let Some(origin) = self.origins.last_mut() {
            origin.is_inside = true;
        }
    }

    pub(super) fn push(&mut self, message: TranscriptMessage, origin: Origin) {
        let time = message.time.or(self.now);
        self.transcript.messages.push(TranscriptMessage { time, ..message });
        self.origins.push(origin);
    }

    /// Sets when the request of the answer that was written last was sent, and when the answer was there.
    pub(super) fn sent(&mut self, sent: Option<LogTime>, ended: Option<LogTime>) {
        let Some((at, sent)) = self.written.zip(sent) else { return };
        if let (Some(answer), Some(origin)) = (self.transcript.messages.get_mut(at), self.origins.get_mut(at))
        {
            answer.time = Some(sent);
            answer.duration = ended.map(|ended| ended.seconds_since(sent));
            origin.is_sent = true;
        }
    }

    /// Sets when the answer that was written last was there.
    pub(super) fn ended(&mut self, ended: LogTime) {
        let at = self.written;
        if let Some(origin) = at.and_then(|at| self.origins.get_mut(at)) {
            origin.ended = Some(ended);
        }
    }

    /// Sets the times of the answer that was written last by the fields of the object that holds its request.
    pub(super) fn sent_by(&mut self, object: &Object) {
        let (sent, ended) = LogTime::of_exchange(object);
        self.sent(sent, ended);
    }

    /// Sets the times of answers of which the log has only the end. Agents send a request as soon as they have the message
    /// before it.
    pub(super) fn derive_times(&mut self) {
        let mut newest: Option<LogTime> = None;
        for (message, origin) in self.transcript.messages.iter_mut().zip(&self.origins) {
            if message.role != TranscriptRole::Assistant {
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

    pub(super) fn last(&mut self) -> Option<&mut TranscriptMessage> {
        self.transcript.messages.last_mut()
    }

    /// Marks the newest result as that of a tool that failed, or not.
    pub(super) fn fail_if(&mut self, has_failed: bool) {
        if let Some(last) = self.last() {
            last.is_error = has_failed;
        }
    }

    /// Sets the usage of the answer that was written last. Of the bills for its pieces the output grows.
    pub(super) fn usage(&mut self, usage: Option<TranscriptUsage>) {
        if let (Some(answer), Some(usage)) = (self.written_answer(), usage) {
            // Claude Code bills each block of a response: the input stays, and the last block has all of the output.
            let output_tokens =
                usage.output_tokens.max(answer.usage.as_ref().and_then(|old| old.output_tokens));
            answer.usage = Some(TranscriptUsage { output_tokens, ..usage });
        }
    }

    /// Adds to the bill of the answer that was written last what stands beside it in the log.
    pub(super) fn complete_bill(&mut self, model: Option<String>, cost: Option<f64>) {
        if let Some(usage) = self.written_answer().and_then(|answer| answer.usage.as_mut()) {
            usage.model = usage.model.take().or(model);
            usage.cost = usage.cost.or(cost);
        }
    }

    /// Returns true if an answer was written that a bill belongs to.
    pub(super) fn has_written(&self) -> bool {
        self.written.is_some()
    }

    /// Names the call whose answer was written last.
    pub(super) fn name_call(&mut self, id: Option<String>) {
        let at = self.written;
        if let Some(origin) = at.and_then(|at| self.origins.get_mut(at)) {
            origin.call = id.or_else(|| origin.call.take());
        }
    }

    /// Names a request without identifier and time by everything sent and answered, since a later request may change how its
    /// answer reads.
    pub(super) fn name_request(&mut self) {
        let Transcript { system, tools, messages, .. } = &mut self.transcript;
        let Some(at) = self.written else { return };
        if messages.get(at).is_none_or(|answer| answer.time.is_some() || answer.usage.is_none()) {
            return;
        }
        let name = format!("request {:x}", hash_of(&(system, tools, &*messages)));
        if let Some(usage) = messages.get_mut(at).and_then(|answer| answer.usage.as_mut()) {
            usage.call.get_or_insert(name);
        }
    }

    /// Marks the answer that was written last as a copy, whose bill belongs to another conversation.
    pub(super) fn copied_from(&mut self, conversation: Option<String>) {
        if let Some(usage) = self.written_answer().and_then(|answer| answer.usage.as_mut()) {
            usage.copied_from = conversation;
        }
    }

    /// Hands the identifiers of calls to their bills.
    pub(super) fn settle_calls(&mut self) {
        for (message, origin) in self.transcript.messages.iter_mut().zip(&mut self.origins) {
            if let Some(usage) = &mut message.usage {
                usage.call = origin.call.take().or_else(|| usage.call.take());
            }
        }
    }

    /// Names the model of bills that name none.
    pub(super) fn name_models(&mut self, model: &str) {
        for usage in self.transcript.messages.iter_mut().filter_map(|message| message.usage.as_mut()) {
            usage.model.get_or_insert_with(|| model.to_owned());
        }
    }

    /// Names the model of all bills if those that name one agree.
    pub(super) fn settle_models(&mut self) {
        let usages = self.transcript.messages.iter().filter_map(|message| message.usage.as_ref());
        let mut models: Vec<&String> = usages.filter_map(|usage| usage.model.as_ref()).collect();
        models.sort_unstable();
        models.dedup();
        if let [model] = models.as_slice() {
            let model = (*model).clone();
            self.name_models(&model);
        }
    }

    /// Bills the answer that was written last, which then is whole. A bill for no answer, or for a second one, is noted.
    pub(super) fn bill(&mut self, usage: TranscriptUsage, place: &LogPlace, notes: &mut Notes) {
        match (self.written_answer().filter(|answer| answer.usage.is_none()), usage.input_tokens) {
            (Some(answer), _) => answer.usage = Some(usage),
            (None, Some(tokens)) if tokens > 0 => notes.missing_call(tokens, place),
            (None, _) => {}
        }
        self.billed = self.transcript.messages.len();
    }

    /// Takes tokens of another call out of the bill of the answer that was written last. A bill with fewer tokens does not have
    /// those of the call. Returns the input tokens that the bill had before.
    pub(super) fn take_from_bill(&mut self, input: Option<u64>, output: Option<u64>) -> Option<u64> {
        let bill = self.written_answer().and_then(|answer| answer.usage.as_mut())?;
        let before = bill.input_tokens;
        let pairs = [(&mut bill.input_tokens, input), (&mut bill.output_tokens, output)];
        for (own, other) in pairs {
            *own = own.map(|own| other.and_then(|other| own.checked_sub(other)).unwrap_or(own));
        }
        before
    }

    fn written_answer(&mut self) -> Option<&mut TranscriptMessage> {
        self.transcript.messages.get_mut(self.written?)
    }

    /// Keeps the first messages only, and returns the others. Compactions of messages that are left out are too.
    pub(super) fn truncate(&mut self, length: usize) -> Vec<TranscriptMessage> {
        let length = length.min(self.transcript.messages.len());
        self.transcript.compactions.retain(|compaction| compaction.before <= length);
        let origins = self.origins.split_off(length);
        self.answers.retain(|_, at| *at < length);
        self.written = self.written.filter(|at| *at < length);
        let mut messages = self.transcript.messages.split_off(length);
        for (message, origin) in messages.iter_mut().zip(origins) {
            if let Some(usage) = &mut message.usage {
                usage.call = origin.call.or_else(|| usage.call.take());
            }
        }
        messages
    }
}

impl Origin {
    pub(super) fn at(place: LogPlace) -> Origin {
        Origin { place, ..Origin::default() }
    }

    /// Takes over what another origin of the same message says of its time.
    pub(super) fn take_times(&mut self, other: &Origin) {
        (self.ended, self.is_sent) = (other.ended, other.is_sent);
    }

    pub(super) fn of_tool(&self, tool: Option<String>) -> Origin {
        Origin { tool, ..self.clone() }
    }
}

/// A call. One without an identifier is given one once the transcript is whole, and one without a name is noted then.
pub(super) fn call(id: Option<String>, name: Option<String>, arguments: Box<RawValue>) -> TranscriptCall {
    // An empty text is none: `check.rs` finds both by it.
    TranscriptCall { id: id.unwrap_or_default(), name: name.unwrap_or_default(), arguments }
}

/// A message with words of the user.
pub(super) fn told(text: String) -> TranscriptMessage {
    message(TranscriptRole::User, Content::of(text))
}

fn message(role: TranscriptRole, content: Content) -> TranscriptMessage {
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
