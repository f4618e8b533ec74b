//! Turns a transcript into a run: an agent and its turns, as strategies take them.

use std::sync::Arc;

use ecow::{EcoString, eco_format};
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::ser::Formatter;

use super::logged_messages::{EMPTY, native_call, result, system, user};
use super::shortened::{Places, changes, compactions, starts, summaries};
use super::{
    Agent, Ending, Message, MessagePart, Native, NativeCall, Pauses, RecordedOpening, RecordedTurn, Reply,
    ReplyKind, Role, RunOutcome, ToolCall, Turn, Turns, Work,
};
use agent_logs::{ToolDeclaration, Transcript, TranscriptCall, TranscriptMessage, TranscriptRole};
use ptc_lisp::error::{Error, ErrorKind};
use ptc_lisp::json::from_json;
use ptc_lisp::memory::Memory;
use ptc_lisp::session::Arguments;
use ptc_lisp::symbol::Symbol;
use ptc_lisp::value::Value;
use ptc_tokens::TimeSpan;

/// In place of an opening that the log does not have: providers want a user message first.
const NO_OPENING: &str = "[conversation starts]";
/// In place of a message that the log does not have between two answers.
const NO_REPLY: &str = "[continue]";
/// The result of a call that the log does not answer before the next answer.
const NO_RESULT: &str = "[no result recorded]";
/// Markers with which models begin an action that they write as text, if not as a code block.
const ACTION_MARKERS: [&str; 4] = ["<function=", "<tool_call>", "<invoke ", "<execute_"];

/// A recorded conversation as a run.
#[derive(Clone, Debug)]
pub struct Recording {
    pub agent: Agent,
    pub outcome: RunOutcome,
}

impl Recording {
    /// The run of a transcript. Providers accept the requests that are made of it: missing messages are filled in, and a
    /// result that comes late or without its call becomes an observation. An image counts `image_tokens`. `pause` is assumed
    /// before answers to people if there are no times.
    pub fn new(transcript: &Transcript, image_tokens: u32, pause: Option<TimeSpan>) -> Recording {
        let is_answer = |message: &TranscriptMessage| message.role == TranscriptRole::Assistant;
        let first = transcript.messages.iter().position(is_answer).unwrap_or(transcript.messages.len());
        let (opening, rest) = transcript.messages.split_at(first);
        let mut turns = Turns::default();
        let mut places = Places::of_opening(first);
        for (number, messages) in (1..).zip(rest.chunk_by(|_, next| !is_answer(next))) {
            if let Some((answer, told)) = messages.split_first() {
                let calls: Vec<NativeCall> = answer.tool_calls.iter().map(native_call).collect();
                let (replies, errors) = replies(&calls, told, image_tokens);
                places.add_turn(replies.iter().map(|(index, _)| *index));
                let replies = replies.into_iter().map(|(_, reply)| reply).collect();
                turns.push(turn(number, answer, calls, replies, &errors));
            }
        }
        let changes = changes(transcript, &places, &turns);
        let sent = starts(transcript, &places, image_tokens);
        let system_text = transcript.system.iter().filter(|text| !text.trim().is_empty());
        let mut head: Vec<Message> = system_text.map(|text| system(text)).collect();
        head.extend(opening.iter().map(|message| {
            let tokens = message.images.saturating_mul(image_tokens);
            Message { image_tokens: tokens, ..user(&message.content, MessagePart::Mission) }
        }));
        let last = if opening.is_empty() { None } else { head.pop() };
        let opening = last.unwrap_or_else(|| user(NO_OPENING, MessagePart::Mission));
        let agent = Agent {
            mission: opening.content.to_string(),
            max_turns: u32::try_from(turns.len()).unwrap_or(u32::MAX).max(2),
            recorded: Some(Arc::new(RecordedOpening {
                head,
                opening,
                tools: transcript.tools.iter().map(declaration).collect(),
                changes,
                sent,
                compactions: compactions(transcript),
                summaries: summaries(transcript),
            })),
            pauses: Arc::new(Pauses::of(transcript, pause)),
            ..Agent::default()
        };
        let success = transcript.outcome.as_ref().and_then(|outcome| outcome.success);
        Recording { agent, outcome: RunOutcome { ending: Ending::Recorded(success), turns } }
    }
}

/// The declaration of a tool as JSON without white space.
fn declaration(tool: &ToolDeclaration) -> EcoString {
    let compact = serde_json::to_value(tool).map(|tool| tool.to_string());
    // A schema that is nested too deeply to be read is sent, and counted, as the log has it.
    let written = compact.or_else(|_| serde_json::to_string(tool));
    written.map_or_else(|_| EcoString::from(&tool.name), EcoString::from)
}

/// A turn: an answer with its calls, and the replies to it.
fn turn(
    number: u32,
    answer: &TranscriptMessage,
    calls: Vec<NativeCall>,
    replies: Vec<Reply>,
    errors: &FxHashMap<EcoString, EcoString>,
) -> Turn {
    let is_action = calls.is_empty() && replies.iter().any(|reply| reply.kind == ReplyKind::Observation);
    let mut tool_calls: Vec<ToolCall> = answer.tool_calls.iter().map(tool_call).collect();
    tool_calls.extend(is_action.then(|| action(&answer.content)));
    let shown = |reply: &&Reply| matches!(reply.kind, ReplyKind::Result | ReplyKind::Observation);
    let outputs = replies.iter().filter(shown).count();
    let all_failed = outputs > 0 && errors.len() == outputs;
    let prints = replies.iter().filter(shown).map(|reply| match reply.message.result_of() {
        Some(call) if errors.contains_key(call) => eco_format!("Error: {}", reply.message.content),
        _ => reply.message.content.clone(),
    });
    for (call, made) in calls.iter().zip(&mut tool_calls) {
        made.error = errors.get(&call.id).map(ToString::to_string);
    }
    let prints = if all_failed { Vec::new() } else { prints.collect() };
    let newest = replies.iter().rev().find(|reply| reply.kind == ReplyKind::Result);
    let newest = newest.filter(|_| all_failed).map(|reply| reply.message.content.clone());
    let native = (!calls.is_empty()).then(|| Arc::new(Native::Calls(calls)));
    let is_blank = native.is_none() && answer.content.trim().is_empty();
    let content = if is_blank { EMPTY } else { &answer.content };
    let answer = Message { native, ..Message::new(Role::Assistant, content) };
    let work = Work {
        number,
        raw_response: answer.content.clone(),
        prints,
        tool_calls,
        recorded: Some(Arc::new(RecordedTurn { answer, replies })),
        ..Work::default()
    };
    match newest {
        Some(message) => Turn::failure(work, Error::new(ErrorKind::ToolError, message), Memory::default()),
        None => Turn::success(work, Value::Nil, Memory::default()),
    }
}

/// A reply, and the index of its message among those after the answer; none for one that the log does not have.
type Numbered = (Option<usize>, Reply);

/// The replies in the order that providers want: results in the order of the log, then everything else. Also the
/// errors by call.
fn replies(
    calls: &[NativeCall],
    told: &[TranscriptMessage],
    image_tokens: u32,
) -> (Vec<Numbered>, FxHashMap<EcoString, EcoString>) {
    let (mut results, mut others) = (Vec::new(), Vec::new());
    let (mut open, mut errors) = (calls.iter().collect::<Vec<_>>(), FxHashMap::default());
    for (index, message) in told.iter().enumerate() {
        let answers = |call: &&NativeCall| message.call.as_deref() == Some(call.id.as_str());
        let answered = open.iter().position(answers).map(|at| open.remove(at));
        let (kind, told) = match (message.role, answered) {
            (TranscriptRole::Tool, Some(call)) => {
                let result = result(&call.id, &message.content);
                if message.is_error {
                    errors.insert(call.id.clone(), result.content.clone());
                }
                (ReplyKind::Result, result)
            }
            (TranscriptRole::Tool, None) => {
                let call = message.call.as_deref().unwrap_or("unknown");
                let content = format!("[result of call {call}]\n{}", message.content);
                (ReplyKind::Observation, user(&content, MessagePart::Output))
            }
            _ if message.is_observation => {
                (ReplyKind::Observation, user(&message.content, MessagePart::Output))
            }
            _ => (ReplyKind::Words, user(&message.content, MessagePart::Conversation)),
        };
        let tokens = message.images.saturating_mul(image_tokens);
        let reply = Reply { kind, message: Message { image_tokens: tokens, ..told } };
        let reply = (Some(index), reply);
        if kind == ReplyKind::Result { results.push(reply) } else { others.push(reply) }
    }
    let missing = open.iter().map(|call| filler(result(&call.id, NO_RESULT)));
    let mut replies: Vec<Numbered> = results.into_iter().chain(missing).chain(others).collect();
    if replies.is_empty() {
        replies.push(filler(user(NO_REPLY, MessagePart::Conversation)));
    }
    (replies, errors)
}

fn filler(message: Message) -> Numbered {
    (None, Reply { kind: ReplyKind::Filler, message })
}

fn tool_call(call: &TranscriptCall) -> ToolCall {
    let value: Option<serde_json::Value> = serde_json::from_str(call.arguments.get()).ok();
    let arguments = match value.as_ref().map(from_json) {
        Some(Value::Map(map)) => Arguments::Named(map),
        other => Arguments::Positional(other.into_iter().collect()),
    };
    // Arguments that are nested too deeply to be read are shown as the log has them.
    let shown = value.and_then(|value| spaced(&value)).unwrap_or_else(|| call.arguments.get().to_owned());
    ToolCall {
        name: Symbol::new(&call.name),
        arguments,
        result: Value::Nil,
        error: None,
        warnings: Vec::new(),
        captured: true,
        text: Some(eco_format!("{}({shown})", call.name)),
    }
}

/// An action that the answer holds as text: its last code block, else the text from a marker on, else all of it.
fn action(answer: &str) -> ToolCall {
    let marked = || ACTION_MARKERS.iter().filter_map(|marker| answer.find(marker)).min();
    let text = last_block(answer).or_else(|| answer.get(marked()?..)).unwrap_or(answer);
    ToolCall {
        name: Symbol::new("action"),
        arguments: Arguments::Positional(vec![Value::str(text)]),
        result: Value::Nil,
        error: None,
        warnings: Vec::new(),
        captured: true,
        text: Some(text.trim().into()),
    }
}

/// The content of the last fenced code block, if it is not empty.
fn last_block(text: &str) -> Option<&str> {
    let (before, _) = text.rsplit_once("\n```")?;
    let (_, block) = before.rsplit_once("```")?;
    let (_, content) = block.split_once('\n')?;
    Some(content).filter(|content| !content.trim().is_empty())
}

/// JSON on one line, with a space after each colon and comma.
fn spaced(value: &serde_json::Value) -> Option<String> {
    let mut text = Vec::new();
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut text, Spaced)).ok()?;
    String::from_utf8(text).ok()
}

struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: std::io::Write + ?Sized>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> std::io::Result<()> {
        if first { Ok(()) } else { out.write_all(b", ") }
    }

    fn begin_object_key<W: std::io::Write + ?Sized>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> std::io::Result<()> {
        if first { Ok(()) } else { out.write_all(b", ") }
    }

    fn begin_object_value<W: std::io::Write + ?Sized>(&mut self, out: &mut W) -> std::io::Result<()> {
        out.write_all(b": ")
    }
}
