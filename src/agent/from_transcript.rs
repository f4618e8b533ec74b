//! Turns a transcript into a [`LoggedConversation`].

use std::sync::Arc;

use ecow::{EcoString, eco_format};
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::ser::Formatter;

use super::log_pauses::pauses_of;
use super::logged::LoggedConversation;
use super::logged_messages::{EMPTY, native_call, result, user};
use super::shortened::{Places, changes, compactions, starts, summaries};
use agent_logs::{ToolDeclaration, Transcript, TranscriptCall, TranscriptMessage, TranscriptRole};
use conversation::{
    Call, Conversation, Message, MessagePart, Native, NativeCall, Recorded, Reply, ReplyKind, Role, Turn,
    system_message,
};
use ptc_prices::TimeSpan;

// What the log lacks and providers ask for, so that no strategy has to add it.
/// In place of an opening that the log does not have. Providers want a user message first.
const NO_OPENING: &str = "[conversation starts]";
/// In place of a message that the log does not have between two answers. Providers refuse two answers in a row.
const NO_REPLY: &str = "[continue]";
/// In place of the result of a call that the log does not have before the next answer. Providers refuse a call without one.
const NO_RESULT: &str = "[no result recorded]";
/// Markers with which models begin an action that they write as text, if not as a code block.
const ACTION_MARKERS: [&str; 4] = ["<function=", "<tool_call>", "<invoke ", "<execute_"];

impl LoggedConversation {
    /// The conversation of a transcript. Providers accept the requests that are made of it: missing messages are filled in, and a
    /// result that comes late or without its call becomes an observation. An image counts `image_tokens`. `pause` is assumed
    /// before answers to people if there are no times.
    pub fn new(transcript: &Transcript, image_tokens: u32, pause: Option<TimeSpan>) -> LoggedConversation {
        let is_answer = |message: &TranscriptMessage| message.role == TranscriptRole::Assistant;
        let first = transcript.messages.iter().position(is_answer).unwrap_or(transcript.messages.len());
        let (before_answers, rest) = transcript.messages.split_at(first);
        let mut turns = Vec::new();
        let mut places = Places::of_opening(first);
        for (number, messages) in (1..).zip(rest.chunk_by(|_, next| !is_answer(next))) {
            if let Some((answer, after_answer)) = messages.split_first() {
                let calls: Vec<NativeCall> = answer.tool_calls.iter().map(native_call).collect();
                let Replies { replies, errors } = Replies::of(&calls, after_answer, image_tokens);
                places.add_turn(replies.iter().map(|(index, _)| *index));
                let replies = replies.into_iter().map(|(_, reply)| reply).collect();
                turns.push(turn(number, answer, calls, replies, &errors));
            }
        }
        let (head, opening) = opening(transcript, before_answers, image_tokens);
        let recorded = Recorded {
            changes: changes(transcript, &places, &turns),
            sent: starts(transcript, &places, image_tokens),
            summaries: summaries(transcript),
        };
        let conversation = Conversation {
            head,
            opening,
            tools: transcript.tools.iter().map(declaration).collect(),
            turns,
            pauses: Arc::new(pauses_of(transcript, pause)),
            max_turns: None,
            recorded,
        };
        LoggedConversation {
            conversation,
            compactions: compactions(transcript),
            success: transcript.outcome.as_ref().and_then(|outcome| outcome.success),
        }
    }
}

/// The system prompt and the messages before the first answer: all but the last, and the last.
fn opening(
    transcript: &Transcript,
    before_answers: &[TranscriptMessage],
    image_tokens: u32,
) -> (Vec<Message>, Message) {
    let system_text = transcript.system.iter().filter(|text| !text.trim().is_empty());
    let mut head: Vec<Message> = system_text.map(|text| system_message(text)).collect();
    for message in before_answers {
        let tokens = message.images.saturating_mul(image_tokens);
        head.push(Message { image_tokens: tokens, ..user(&message.content, MessagePart::Mission) });
    }
    let last = if before_answers.is_empty() { None } else { head.pop() };
    (head, last.unwrap_or_else(|| user(NO_OPENING, MessagePart::Mission)))
}

/// The declaration of a tool as JSON without white space.
fn declaration(tool: &ToolDeclaration) -> EcoString {
    let compact = serde_json::to_value(tool).map(|tool| tool.to_string());
    // A schema that is nested too deeply to be read is sent, and counted, as the log has it.
    let written = compact.or_else(|_| serde_json::to_string(tool));
    written.map_or_else(|_| EcoString::from(&tool.name), EcoString::from)
}

/// A turn: an answer with its calls, and the replies to it. `errors` has the texts of failed results, by call.
fn turn(
    number: u32,
    answer: &TranscriptMessage,
    calls: Vec<NativeCall>,
    replies: Vec<Reply>,
    errors: &FxHashMap<EcoString, EcoString>,
) -> Turn {
    let logged_calls = logged_calls(answer, &calls, &replies, errors);
    let is_output = |reply: &&Reply| matches!(reply.kind, ReplyKind::Result | ReplyKind::Observation);
    let all_outputs: Vec<&Reply> = replies.iter().filter(is_output).collect();
    // Strategies leave out what failed turns did, so a turn with one good result has not failed.
    let has_failed = !all_outputs.is_empty() && errors.len() == all_outputs.len();
    let mut outputs = Vec::new();
    if !has_failed {
        outputs.extend(all_outputs.iter().map(|reply| match reply.message.result_of() {
            Some(call) if errors.contains_key(call) => eco_format!("Error: {}", reply.message.content),
            _ => reply.message.content.clone(),
        }));
    }
    let newest_result = replies.iter().rev().find(|reply| reply.kind == ReplyKind::Result);
    let error = newest_result.filter(|_| has_failed).map(|reply| reply.message.content.clone());
    let native = (!calls.is_empty()).then(|| Arc::new(Native::Calls(calls)));
    let is_blank = native.is_none() && answer.content.trim().is_empty();
    let content = if is_blank { EMPTY } else { &answer.content };
    Turn {
        number,
        answer: Message { native, ..Message::new(Role::Assistant, content) },
        replies,
        calls: logged_calls,
        outputs,
        error,
    }
}

/// The calls of an answer with their errors. An answer without calls that the environment replies to holds an action as text.
fn logged_calls(
    answer: &TranscriptMessage,
    calls: &[NativeCall],
    replies: &[Reply],
    errors: &FxHashMap<EcoString, EcoString>,
) -> Vec<Call> {
    let mut logged: Vec<Call> = answer.tool_calls.iter().map(logged_call).collect();
    for (call, logged) in calls.iter().zip(&mut logged) {
        logged.error = errors.get(&call.id).cloned();
    }
    if calls.is_empty() && replies.iter().any(|reply| reply.kind == ReplyKind::Observation) {
        logged.push(action(&answer.content));
    }
    logged
}

/// A reply, and the index of its message among those after the answer. None for a reply that the log does not have.
type Numbered = (Option<usize>, Reply);

/// The replies to an answer.
struct Replies {
    /// Results in the order of the log, then everything else. Providers want results right behind their calls.
    replies: Vec<Numbered>,
    /// The texts of failed results, by call.
    errors: FxHashMap<EcoString, EcoString>,
}

impl Replies {
    fn of(calls: &[NativeCall], after_answer: &[TranscriptMessage], image_tokens: u32) -> Replies {
        let (mut results, mut others) = (Vec::new(), Vec::new());
        let (mut open, mut errors) = (calls.iter().collect::<Vec<_>>(), FxHashMap::default());
        for (index, message) in after_answer.iter().enumerate() {
            let is_of = |call: &&NativeCall| message.call.as_deref() == Some(call.id.as_str());
            let call = open.iter().position(is_of).map(|at| open.remove(at));
            let reply = reply(message, call, image_tokens);
            if let Some(call) = call.filter(|_| reply.kind == ReplyKind::Result && message.is_error) {
                errors.insert(call.id.clone(), reply.message.content.clone());
            }
            let replies = if reply.kind == ReplyKind::Result { &mut results } else { &mut others };
            replies.push((Some(index), reply));
        }
        let missing = open.iter().map(|call| filler(result(&call.id, NO_RESULT)));
        let mut replies: Vec<Numbered> = results.into_iter().chain(missing).chain(others).collect();
        if replies.is_empty() {
            replies.push(filler(user(NO_REPLY, MessagePart::Conversation)));
        }
        Replies { replies, errors }
    }
}

/// A message after an answer. `call` is the call of this answer that the message answers, if it is one without a result so far.
fn reply(message: &TranscriptMessage, call: Option<&NativeCall>, image_tokens: u32) -> Reply {
    let (kind, sent) = match (message.role, call) {
        (TranscriptRole::Tool, Some(call)) => (ReplyKind::Result, result(&call.id, &message.content)),
        // Providers refuse a result without its call before it: one of a background task, or a second one.
        (TranscriptRole::Tool, None) => {
            let call = message.call.as_deref().unwrap_or("unknown");
            let content = format!("[result of call {call}]\n{}", message.content);
            (ReplyKind::Observation, user(&content, MessagePart::Output))
        }
        _ if message.is_observation => (ReplyKind::Observation, user(&message.content, MessagePart::Output)),
        _ => (ReplyKind::Words, user(&message.content, MessagePart::Conversation)),
    };
    let image_tokens = message.images.saturating_mul(image_tokens);
    Reply { kind, message: Message { image_tokens, ..sent } }
}

fn filler(message: Message) -> Numbered {
    (None, Reply { kind: ReplyKind::Filler, message })
}

fn logged_call(call: &TranscriptCall) -> Call {
    let arguments: Option<serde_json::Value> = serde_json::from_str(call.arguments.get()).ok();
    // Arguments that are nested too deeply to be read are shown as the log has them.
    let shown = arguments.as_ref().and_then(spaced).unwrap_or_else(|| call.arguments.get().to_owned());
    Call {
        name: call.name.as_str().into(),
        arguments,
        error: None,
        text: eco_format!("{}({shown})", call.name),
    }
}

/// An action that the answer holds as text: its last code block, else the text from a marker on, else all of it.
fn action(answer: &str) -> Call {
    let marked = || ACTION_MARKERS.iter().filter_map(|marker| answer.find(marker)).min();
    let text = last_block(answer).or_else(|| answer.get(marked()?..)).unwrap_or(answer);
    Call { name: "action".into(), arguments: Some(text.into()), error: None, text: text.trim().into() }
}

/// The content of the last fenced code block, if it is not empty. A block without an end goes on to the end of the answer, which was
/// cut off there.
fn last_block(text: &str) -> Option<&str> {
    let (mut open, mut last, mut at) = (None, None, 0);
    for line in text.split_inclusive('\n') {
        let fence = line.trim_start().strip_prefix("```");
        // A line such as "```ls```" has both fences.
        if fence.is_some_and(|info| !info.contains("```")) {
            match open.take() {
                Some(start) => last = Some(start..at),
                None => open = Some(at + line.len()),
            }
        }
        at += line.len();
    }
    let block = open.map(|start| start..text.len()).or(last)?;
    let content = text.get(block)?;
    Some(content.strip_suffix('\n').unwrap_or(content)).filter(|content| !content.trim().is_empty())
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
