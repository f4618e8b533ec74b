//! The line protocol with programs: requests and answers as lines of JSON.

use std::sync::Arc;

use conversation::cut::shortened;
use ecow::EcoString;
use history_strategies::{Options, ReportedUsage, View, can_be_masked};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::agent::{Message, Native, NativeCall, Role};
use crate::compression::run::{past_of, turns_left};
use crate::signature::format_signature;

/// The variant's option for the program's own options.
const OPTIONS: &str = "options";
/// The most characters of an answer in an error message.
const SHOWN_CHARACTERS: usize = 80;

#[derive(Serialize)]
struct Request<'a> {
    /// The number of the turn after this request, from 1.
    turn: usize,
    turns_left: u32,
    system: Option<&'a str>,
    tools: Vec<SentTool<'a>>,
    messages: Vec<SentMessage<'a>>,
    turns: Vec<SentTurn>,
    options: Value,
}

#[derive(Serialize)]
#[serde(untagged)]
enum SentTool<'a> {
    /// A tool declaration from a log.
    Declared(&'a RawValue),
    Signed {
        name: &'a str,
        signature: Option<String>,
        description: Option<&'a str>,
    },
}

#[derive(Serialize)]
pub struct SentMessage<'a> {
    role: Role,
    content: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    tool_calls: &'a [NativeCall],
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<&'a EcoString>,
    tokens: u64,
}

/// A completed turn.
#[derive(Serialize)]
struct SentTurn {
    number: u32,
    /// The index of its first message.
    start: usize,
    /// The index after its last message.
    end: usize,
    success: bool,
    /// The indexes of its observations.
    observations: Vec<usize>,
    /// Seconds from its answer to the next request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pause: Option<f64>,
}

/// The full history as messages.
pub fn full_history(view: &View<'_>) -> Vec<Message> {
    let mut messages = view.head().to_vec();
    messages.push(view.opening().clone());
    for turn in view.turns() {
        messages.extend(turn.messages().cloned());
    }
    messages
}

/// A request with an id. The answer repeats the id, so that a program out of step is detected.
pub struct Question {
    id: String,
    pub line: Arc<str>,
}

/// The answer of a program.
pub enum Reply {
    /// The messages of the request, and the token usage of the program's own model calls.
    Messages(Vec<Message>, Option<ReportedUsage>),
    /// The program refused, for this reason.
    Error(String),
}

/// Serializes the next request as a line of JSON without an id.
///
/// # Errors
/// Serialization failed.
pub fn request(view: &View<'_>, history: &[Message], options: &Options) -> Result<String, String> {
    let mut sizes: Vec<u64> = view.start_ids().map(|id| view.tokens(&[id])).collect();
    let mut turns = Vec::with_capacity(view.completed());
    for (turn, exchange) in view.exchanges(0) {
        let start = sizes.len();
        sizes.extend(view.sizes(exchange));
        let mut observations = Vec::new();
        for reply in 0..turn.replies.len() {
            if can_be_masked(turn, reply) {
                observations.push(start + 1 + reply);
            }
        }
        let pause = view.pause_after(turn.number as usize);
        turns.push(SentTurn {
            number: turn.number,
            start,
            end: sizes.len(),
            success: turn.has_succeeded(),
            observations,
            pause: (pause > 0).then_some(pause as f64 / 1000.0),
        });
    }
    let mut messages = Vec::with_capacity(history.len());
    for (message, tokens) in history.iter().zip(sizes) {
        messages.push(to_sent_message(message, tokens));
    }
    let system = match history.first() {
        Some(message) if message.role == Role::System => Some(message.content.as_str()),
        _ => None,
    };
    let request = Request {
        turn: view.completed() + 1,
        turns_left: turns_left(view),
        system,
        tools: list_tools(view)?,
        messages,
        turns,
        options: own_options(options),
    };
    to_json_line(&request)
}

/// Serializes a request as a line of JSON. Returns an error rather than an empty line, because no program would answer that.
pub fn to_json_line(request: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(request).map_err(|error| format!("its request cannot be written: {error}"))
}

impl Question {
    /// The `time`th attempt at a request, from 1. It determines the id.
    pub fn new(request: &str, time: u64) -> Question {
        // Not a counter: ids, and error messages with ids, would then depend on the number of threads.
        let id = format!("{:016x}", xxh3_64_with_seed(request.as_bytes(), time));
        let fields = request.strip_prefix('{').unwrap_or(request);
        let line = format!("{{\"id\":\"{id}\",{fields}\n").into();
        Question { id, line }
    }

    /// Parses an answer. Adds the system prompt if it is missing. Messages copied from the history keep their parts.
    pub fn reply(&self, line: &[u8], view: &View<'_>, history: &[Message]) -> Result<Reply, String> {
        self.check_id(line)?;
        let Answer { messages, error, usage } = answer(line)?;
        if let Some(error) = error {
            return Ok(Reply::Error(error));
        }
        let answered = messages.unwrap_or_default();
        if answered.is_empty() {
            return Err("wrong answer: there are no messages".to_owned());
        }
        let mut messages = Vec::with_capacity(answered.len());
        for (index, message) in answered.into_iter().enumerate() {
            match message.into_message() {
                Ok(message) => messages.push(message),
                Err(expected) => return Err(format!("wrong answer: messages[{index}]: {expected}")),
            }
        }
        let messages = complete_messages(messages, view, history);
        check_usage(usage.as_ref())?;
        Ok(Reply::Messages(messages, usage))
    }

    /// Returns an error if a line has another id than this question.
    pub fn check_id(&self, line: &[u8]) -> Result<(), String> {
        let text = String::from_utf8_lossy(line);
        let text = shortened(text.trim_end(), SHOWN_CHARACTERS);
        if serde_json::from_slice::<IgnoredAny>(line).is_err() {
            return Err(format!("its answer is not JSON; print notes to standard error\n  got {text:?}"));
        }
        // Errors are grouped by their first line across scenarios, so the id belongs on a later line.
        let expected = format!("  expected \"id\": {:?}, as in the request; got {text}", self.id);
        match serde_json::from_slice(line).unwrap_or(Identified { id: None }).id {
            Some(Value::String(id)) if id == self.id => Ok(()),
            None => Err(format!("its answer does not repeat the id of the request\n{expected}")),
            Some(_) => Err(format!("it wrote a line without a request\n{expected}")),
        }
    }
}

pub fn to_sent_message(message: &Message, tokens: u64) -> SentMessage<'_> {
    SentMessage {
        role: message.role,
        content: &message.content,
        tool_calls: message.calls(),
        call: message.result_of(),
        tokens,
    }
}

fn list_tools<'a>(view: &View<'a>) -> Result<Vec<SentTool<'a>>, String> {
    let past = past_of(view);
    let mut tools = Vec::new();
    for tool in past.declared_tools() {
        match serde_json::from_str(tool) {
            Ok(json) => tools.push(SentTool::Declared(json)),
            Err(error) => return Err(format!("a declared tool is no JSON: {error}")),
        }
    }
    let Some(agent) = past.agent() else { return Ok(tools) };
    for tool in &agent.tools {
        tools.push(SentTool::Signed {
            name: tool.name.name(),
            signature: tool.signature.as_ref().map(format_signature),
            description: tool.description.as_deref(),
        });
    }
    Ok(tools)
}

/// The program's own options: the entries of the option `options`, merged with the variant's other unknown options. The latter win,
/// because the command line sets options in this way.
fn own_options(options: &Options) -> Value {
    let (mut entries_of_map, mut beside) = (serde_json::Map::new(), serde_json::Map::new());
    for (name, value) in options.extra() {
        match (name.as_str(), value.clone()) {
            (OPTIONS, Value::Object(entries)) => entries_of_map.extend(entries),
            (name, value) => {
                beside.insert(name.to_owned(), value);
            }
        }
    }
    entries_of_map.extend(beside);
    Value::Object(entries_of_map)
}

/// The id of an answer, read before the other fields.
#[derive(Deserialize)]
struct Identified {
    id: Option<Value>,
}

#[derive(Deserialize)]
struct Answer {
    messages: Option<Vec<AnsweredMessage>>,
    error: Option<String>,
    usage: Option<ReportedUsage>,
}

#[derive(Deserialize)]
struct AnsweredMessage {
    role: Role,
    content: Option<EcoString>,
    tool_calls: Option<Vec<AnsweredCall>>,
    call: Option<EcoString>,
}

#[derive(Deserialize)]
struct AnsweredCall {
    id: EcoString,
    name: EcoString,
    #[serde(default)]
    arguments: Value,
}

/// Restores the parts and images of messages copied from the history, and adds a missing system prompt.
fn complete_messages(mut messages: Vec<Message>, view: &View<'_>, history: &[Message]) -> Vec<Message> {
    // Kept messages stay in order, so each search starts after the previous match.
    let mut rest = history;
    for message in &mut messages {
        if let Some(at) = rest.iter().position(|old| old.says_same(message)) {
            message.clone_from(&rest[at]);
            rest = &rest[at + 1..];
        }
    }
    if messages.iter().all(|message| message.role != Role::System) {
        let system = view.head().iter().filter(|message| message.role == Role::System);
        messages.splice(0..0, system.cloned());
    }
    messages
}

impl Reply {
    /// Returns true if both replies contain the same messages or the same error.
    pub fn says_same(&self, other: &Reply) -> bool {
        match (self, other) {
            // Ignore usage: a repeated model call may read the cache and cost less.
            (Reply::Messages(messages, _), Reply::Messages(others, _)) => messages == others,
            (Reply::Error(error), Reply::Error(other)) => error == other,
            _ => false,
        }
    }
}

/// Returns an error if the numbers of a usage report contradict each other.
pub fn check_usage(usage: Option<&ReportedUsage>) -> Result<(), String> {
    match usage.map_or(Ok(()), ReportedUsage::check) {
        Ok(()) => Ok(()),
        Err(reason) => Err(format!("wrong answer: {reason}")),
    }
}

/// Parses an answer. The error names the field.
pub fn answer<T: DeserializeOwned>(line: &[u8]) -> Result<T, String> {
    let mut reader = serde_json::Deserializer::from_slice(line);
    serde_path_to_error::deserialize(&mut reader)
        .map_err(|error| format!("wrong answer: {}: {}", error.path(), error.inner()))
}

impl AnsweredMessage {
    fn into_message(self) -> Result<Message, String> {
        // Clients write null or omit empty fields.
        let calls = self.tool_calls.unwrap_or_default();
        let native = match (self.role, self.call, calls.is_empty()) {
            (Role::Tool, Some(call), true) => Some(Native::ResultOf(call)),
            (Role::Assistant, None, false) => {
                Some(Native::Calls(calls.into_iter().map(AnsweredCall::into_call).collect::<Result<_, _>>()?))
            }
            (_, None, true) if self.role != Role::Tool => None,
            (Role::Tool, None, _) => {
                return Err("expected call, the id of the call that it answers".to_owned());
            }
            (_, Some(_), _) => return Err("only the role tool has a call, and no tool_calls".to_owned()),
            (_, None, _) => return Err("only the role assistant has tool_calls".to_owned()),
        };
        let content = self.content.unwrap_or_default();
        Ok(Message { native: native.map(Arc::new), ..Message::new(self.role, content) })
    }
}

impl AnsweredCall {
    /// Converts a call. Arguments may be JSON text, as in requests, or a JSON value.
    fn into_call(self) -> Result<NativeCall, String> {
        let arguments = match self.arguments {
            Value::Null => "{}".into(),
            Value::String(text) if serde_json::from_str::<IgnoredAny>(&text).is_ok() => text.into(),
            Value::String(_) => return Err(format!("the arguments of the call {} are not JSON", self.id)),
            value => EcoString::from(value.to_string()),
        };
        Ok(NativeCall { id: self.id, name: self.name, arguments })
    }
}
