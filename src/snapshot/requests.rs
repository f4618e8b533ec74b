//! Reads requests back from a golden file. The inverse of `request_writer`.

use std::sync::Arc;

use ecow::EcoString;

use super::changed::changed;
use super::escape::read_part;
use super::lines::{Line, text_of};
use super::reference::{Reference, is_reference, repeated_strategy};
use super::rulers::{CALL, CHANGED, TURN, UNANSWERED, blocks, section_name, title_words};
use super::run_sections::RunSections;
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

/// Error of a golden file with a line that this program does not write, or that refers to text that is not there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("turn {turn}: nothing belongs to the line '{line}'; accept what `ptc-eval run` writes")]
pub struct UnreadableRequest {
    /// The turn after the request.
    pub turn: u32,
    pub line: String,
}

/// The requests in a strategy's golden file, in order; empty for other texts. References are resolved with the sections of
/// the run's golden file.
///
/// # Errors
/// A line cannot be read, or refers to text that is not there. So does the line of a file that repeats the requests of
/// another strategy: [`super::Store::request_bodies`] resolves it.
pub fn requests_of(body: &str, run: &RunSections<'_>) -> Result<Vec<ReadRequest>, UnreadableRequest> {
    if repeated_strategy(body).is_some() {
        return Err(UnreadableRequest { turn: 1, line: body.trim_end().to_owned() });
    }
    let mut requests: Vec<ReadRequest> = Vec::new();
    for block in blocks(body) {
        let title = block.title.strip_suffix(UNANSWERED);
        let turn = title.unwrap_or(block.title).strip_prefix(TURN).and_then(|turn| turn.parse().ok());
        let Some(turn) = turn else { continue };
        let before = requests.last().map_or(&[][..], |before| &before.messages);
        let mut reader = Reader { run, turn, before, at: 0, messages: Vec::new(), open: None };
        let read = block.lines.iter().try_for_each(|line| reader.line(line));
        read.and_then(|()| reader.close()).map_err(|line| UnreadableRequest { turn, line })?;
        requests.push(ReadRequest { turn, messages: reader.messages, is_answered: title.is_none() });
    }
    Ok(requests)
}

/// Reader of one request.
struct Reader<'r> {
    run: &'r RunSections<'r>,
    turn: u32,
    /// The messages of the request before.
    before: &'r [Message],
    /// The index of the first of them that no line has kept, left out or changed yet.
    at: usize,
    messages: Vec<Message>,
    /// The section that is read, with its lines so far.
    open: Option<(Section, Vec<Line<'r>>)>,
}

/// Section of a request.
enum Section {
    Message(Role),
    /// The result of the call with this identifier.
    Result(EcoString),
    /// A call of the message before, by identifier and name.
    Call(EcoString, EcoString),
    /// The next message of the request before, with other lines.
    Changed(Role),
}

impl Section {
    fn read(title: &str) -> Option<Section> {
        let of_name = |name: &str| {
            [Role::System, Role::User, Role::Assistant, Role::Tool]
                .into_iter()
                .find(|role| role.name() == name)
        };
        if let Some(name) = title.strip_suffix(CHANGED) {
            return of_name(name).map(Section::Changed);
        }
        if let Some(role) = of_name(title).filter(|role| *role != Role::Tool) {
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
    /// Reads a line. The error is the line that cannot be read: this one, or one of the section before it.
    fn line(&mut self, line: &'r str) -> Result<(), String> {
        let unreadable = || line.to_owned();
        if let Some(title) = section_name(line) {
            let section = Section::read(title).ok_or_else(unreadable)?;
            self.close()?;
            self.open = Some((section, Vec::new()));
            return Ok(());
        }
        if is_reference(line) {
            let reference = Reference::read(line).ok_or_else(unreadable)?;
            return self.refer(reference, line);
        }
        let (section, lines) = self.open.as_mut().ok_or_else(unreadable)?;
        let read = if matches!(section, Section::Changed(_)) { Line::whole(line) } else { read_part(line) };
        if read.goes_on && lines.is_empty() {
            return Err(unreadable());
        }
        lines.push(read);
        Ok(())
    }

    fn refer(&mut self, reference: Reference<'_>, line: &str) -> Result<(), String> {
        let unreadable = || line.to_owned();
        match reference {
            Reference::AllMessages { turn } => self.keep(turn, self.before.len()),
            Reference::Messages { turn, count } => self.keep(turn, count),
            Reference::LeftOut { turn, count } => self.next(turn, count).map(drop),
            Reference::Section { turn, name } => {
                let lines = self.run.lines(turn, name).ok_or_else(unreadable)?;
                return self.add(lines.iter().map(|line| &**line)).ok_or_else(unreadable);
            }
            Reference::System => {
                return self.add(SystemPrompt::text().split('\n')).ok_or_else(unreadable);
            }
        }
        .ok_or_else(unreadable)
    }

    fn keep(&mut self, turn: u32, count: usize) -> Option<()> {
        let messages = self.next(turn, count)?;
        self.messages.extend_from_slice(messages);
        Some(())
    }

    /// Takes the next messages of the request before. `turn` is the turn that the line names, which must be that request.
    fn next(&mut self, turn: u32, count: usize) -> Option<&'r [Message]> {
        if turn.checked_add(1) != Some(self.turn) {
            return None;
        }
        self.close().ok()?;
        let messages = self.before.get(self.at..)?.get(..count)?;
        self.at += count;
        Some(messages)
    }

    /// Adds lines to the open section. None if no section is open, or one that is written as a difference.
    fn add(&mut self, added: impl Iterator<Item = &'r str>) -> Option<()> {
        let (section, lines) = self.open.as_mut()?;
        let is_whole = !matches!(section, Section::Changed(_));
        is_whole.then(|| lines.extend(added.map(Line::whole)))
    }

    /// Ends the open section, which becomes a message or a part of one.
    fn close(&mut self) -> Result<(), String> {
        let Some((section, lines)) = self.open.take() else { return Ok(()) };
        match section {
            Section::Message(role) => self.messages.push(Message::new(role, text_of(&lines))),
            Section::Result(call) => {
                let native = Some(Arc::new(Native::ResultOf(call)));
                self.messages.push(Message { native, ..Message::new(Role::Tool, text_of(&lines)) });
            }
            Section::Call(id, name) => {
                let call = NativeCall { id, name, arguments: text_of(&lines).into() };
                let message = self.messages.last_mut().ok_or_else(|| call.id.to_string())?;
                let calls = message.calls().iter().cloned().chain([call]).collect();
                message.native = Some(Arc::new(Native::Calls(calls)));
            }
            Section::Changed(role) => {
                let ruler = || format!("--- {}{CHANGED} ---", role.name());
                let before =
                    self.before.get(self.at).filter(|before| before.role == role).ok_or_else(ruler)?;
                let lines: Vec<&str> = lines.iter().map(|line| &*line.text).collect();
                let content = changed(&before.content, &lines, self.run)?;
                self.messages.push(Message { content: content.into(), ..before.clone() });
                self.at += 1;
            }
        }
        Ok(())
    }
}
