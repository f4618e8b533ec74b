//! Reads requests back from a golden file. The inverse of [`super::text::requests_text`].

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use ecow::EcoString;

use super::escape::{is_ruler, read_line};
use super::lines::{RunLines, lines_of};
use super::parts::Part;
use super::references::{PART, Reference, messages_within, parts_of};
use super::text::{CALL, TURN, UNANSWERED, title_words};
use crate::agent::{Message, Native, NativeCall, Role, SystemPrompt};

/// A request in a golden file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadRequest {
    /// The turn after the request, from 1.
    pub turn: u32,
    /// The messages, SYSTEM included.
    pub messages: Vec<Message>,
    pub is_answered: bool,
}

/// A golden file that is not as it is written, or refers to text that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableRequest {
    /// The turn after the request.
    pub turn: u32,
    pub line: String,
}

impl fmt::Display for UnreadableRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "turn {}: nothing belongs to the line '{}'; accept what `ptc-eval run` writes",
            self.turn, self.line
        )
    }
}

impl std::error::Error for UnreadableRequest {}

/// The requests in a strategy's golden file, in order; empty for other texts. References are resolved with the lines of
/// the run's golden file.
///
/// # Errors
/// A line cannot be read, or refers to text that is not there.
pub fn requests_of(body: &str, run: &RunLines<'_>) -> Result<Vec<ReadRequest>, UnreadableRequest> {
    let mut requests: Vec<ReadRequest> = Vec::new();
    for block in blocks(body) {
        let title = block.title.strip_suffix(UNANSWERED);
        let turn = title.unwrap_or(block.title).strip_prefix(TURN).and_then(|turn| turn.parse().ok());
        let Some(turn) = turn else { continue };
        let before = requests.last().map_or(&[][..], |before| &before.messages);
        let mut reader = Reader { run, turn, before, there: 0, taken: 0, messages: Vec::new(), open: None };
        for line in &block.lines {
            reader.line(line).ok_or_else(|| UnreadableRequest { turn, line: (*line).to_owned() })?;
        }
        let messages = reader.finish();
        requests.push(ReadRequest { turn, messages, is_answered: title.is_none() });
    }
    Ok(requests)
}

/// Reader of one request.
struct Reader<'r> {
    run: &'r RunLines<'r>,
    turn: u32,
    /// The messages of the request before.
    before: &'r [Message],
    /// The first of them that no reference has passed, and the number of lines from there on that were referred to.
    there: usize,
    taken: usize,
    messages: Vec<Message>,
    /// The section whose lines are read.
    open: Option<(Section, Vec<Part<'r>>)>,
}

/// Section of a request.
enum Section {
    Message(Role),
    /// The result of the call with this identifier.
    Result(EcoString),
    /// A call of the message before, by identifier and name.
    Call(EcoString, EcoString),
}

impl Section {
    fn read(title: &str) -> Option<Section> {
        let of_role = [Role::System, Role::User, Role::Assistant].into_iter();
        if let Some(role) = of_role.clone().find(|role| role.name() == title) {
            return Some(Section::Message(role));
        }
        if let Some(words) = title_words(Role::Tool.name(), title) {
            let [call] = <[String; 1]>::try_from(words).ok()?;
            return Some(Section::Result(call.into()));
        }
        let [id, name] = <[String; 2]>::try_from(title_words(CALL, title)?).ok()?;
        Some(Section::Call(id.into(), name.into()))
    }
}

impl<'r> Reader<'r> {
    /// None: the line is not as it is written.
    fn line(&mut self, line: &'r str) -> Option<()> {
        if let Some(title) = section_name(line) {
            let section = Section::read(title)?;
            self.close();
            self.open = Some((section, Vec::new()));
            return Some(());
        }
        let is_open = line.starts_with(PART);
        if is_open || !line.starts_with("= ") {
            let text = read_line(line.strip_prefix(PART).unwrap_or(line));
            self.open.as_mut()?.1.push(Part { text, is_open });
            return Some(());
        }
        match Reference::read(line)? {
            Reference::Messages { turn, skipped, count } if turn.checked_add(1) == Some(self.turn) => {
                self.close();
                let rest = self.before.get(self.there..)?;
                let first = self.there + messages_within(rest, self.taken) + skipped;
                self.messages.extend_from_slice(self.before.get(first..first + count)?);
                (self.there, self.taken) = (first + count, 0);
                Some(())
            }
            Reference::Lines { turn, skipped, count } if turn.checked_add(1) == Some(self.turn) => {
                let lines = self.before.get(self.there..)?.iter().flat_map(parts_of);
                let lines = lines.skip(self.taken + skipped).take(count);
                self.taken += skipped + count;
                self.add(lines, count)
            }
            Reference::Run { turn, name, skipped, count } => {
                let lines = self.run.section(turn, name)?.get(skipped..skipped + count)?;
                self.add(lines.iter().map(|part| part.clone().into_owned()), count)
            }
            Reference::System => {
                let lines = SystemPrompt::text().split('\n');
                let whole = |line| Part { text: Cow::Borrowed(line), is_open: false };
                self.add(lines.clone().map(whole), lines.count())
            }
            Reference::Messages { .. } | Reference::Lines { .. } => None,
        }
    }

    /// Adds lines to the open message; none if there are not so many.
    fn add(&mut self, lines: impl Iterator<Item = Part<'r>>, count: usize) -> Option<()> {
        let (_, content) = self.open.as_mut()?;
        let before = content.len();
        content.extend(lines);
        (content.len() == before + count).then_some(())
    }

    fn close(&mut self) {
        let Some((section, parts)) = self.open.take() else { return };
        let content: String =
            parts.iter().flat_map(|part| [&*part.text, if part.is_open { "" } else { "\n" }]).collect();
        let content = content.strip_suffix('\n').unwrap_or(&content);
        match section {
            Section::Message(role) => self.messages.push(Message::new(role, content)),
            Section::Result(call) => {
                let native = Some(Arc::new(Native::ResultOf(call)));
                self.messages.push(Message { native, ..Message::new(Role::Tool, content) });
            }
            Section::Call(id, name) => {
                let Some(message) = self.messages.last_mut() else { return };
                let call = NativeCall { id, name, arguments: content.into() };
                let calls = message.calls().iter().cloned().chain([call]).collect();
                message.native = Some(Arc::new(Native::Calls(calls)));
            }
        }
    }

    fn finish(mut self) -> Vec<Message> {
        self.close();
        self.messages
    }
}

/// A ruler and the lines below it.
pub(super) struct Block<'b> {
    /// Such as `turn 2`.
    pub title: &'b str,
    pub lines: Vec<&'b str>,
}

/// Splits a body before each ruler of a turn. One blank line separates blocks.
pub(super) fn blocks(body: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    for line in lines_of(body.trim_end()) {
        if let Some(title) = line.strip_prefix("=== ") {
            if let Some(before) = blocks.last_mut() {
                before.lines.pop_if(|last| last.is_empty());
            }
            blocks.push(Block { title: title.trim_end_matches('=').trim_end(), lines: Vec::new() });
        } else if let Some(block) = blocks.last_mut() {
            block.lines.push(line);
        }
    }
    blocks
}

/// Names and lines of the sections of a block, as they are written.
pub(super) fn sections<'l, 'b>(lines: &'l [&'b str]) -> impl Iterator<Item = (&'b str, &'l [&'b str])> {
    let starts = lines.iter().enumerate().filter_map(|(at, line)| Some((at, section_name(line)?)));
    let starts: Vec<(usize, &str)> = starts.collect();
    let ends: Vec<usize> = starts.iter().map(|(at, _)| *at).skip(1).chain([lines.len()]).collect();
    let section = |((at, name), end)| (name, lines.get(at + 1..end).unwrap_or_default());
    starts.into_iter().zip(ends).map(section)
}

fn section_name(line: &str) -> Option<&str> {
    line.strip_prefix("--- ").filter(|_| is_ruler(line))?.strip_suffix(" ---")
}
