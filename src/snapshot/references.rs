//! Writes what a request repeats of the one before, or of the run, as references. [`super::requests`] resolves them.
//!
//! `= 23 messages as in turn 12` and `= 212 lines as in turn 12` go on where the reference before ended. With
//! `, skipping 2` they leave out two of the messages or lines there. A long line counts as several, see [`super::parts`],
//! so that a reference may begin and end within it; `= part of a line: ` is text before such a reference.

use std::cell::LazyCell;
use std::fmt::{self, Write as _};

use super::escape::{write_content, write_last_line, write_line};
use super::lines::{Lines, RunLines, is_worth, lines_of};
use super::parts::{Part, parts};
use super::text::{CALL, section_title, write_ruler};
use crate::agent::{Message, Role, SystemPrompt};

/// Line that stands for text elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reference<'t> {
    Messages {
        turn: u32,
        skipped: usize,
        count: usize,
    },
    Lines {
        turn: u32,
        skipped: usize,
        count: usize,
    },
    /// Lines of a section of `run.snap`.
    Run {
        turn: u32,
        name: &'t str,
        skipped: usize,
        count: usize,
    },
    /// The static SYSTEM text.
    System,
}

/// Start of a line of text that the next line goes on with.
pub(super) const PART: &str = "= part of a line: ";
const SYSTEM: &str = "= all lines of system-prompt.snap";
const IN_TURN: &str = " as in turn ";
const IN_RUN: &str = " as in run.snap: turn ";
const SKIPPING: &str = ", skipping ";

impl fmt::Display for Reference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let skipped = match *self {
            Reference::Messages { turn, skipped, count } => {
                write!(f, "= {count} message{}{IN_TURN}{turn}", plural(count))?;
                skipped
            }
            Reference::Lines { turn, skipped, count } => {
                write!(f, "= {count} line{}{IN_TURN}{turn}", plural(count))?;
                skipped
            }
            Reference::Run { turn, name, skipped, count } => {
                write!(f, "= {count} line{}{IN_RUN}{turn}, {name}", plural(count))?;
                skipped
            }
            Reference::System => return f.write_str(SYSTEM),
        };
        if skipped > 0 { write!(f, "{SKIPPING}{skipped}") } else { Ok(()) }
    }
}

impl<'t> Reference<'t> {
    /// Reads a line that begins like a reference.
    pub fn read(line: &'t str) -> Option<Reference<'t>> {
        if line == SYSTEM {
            return Some(Reference::System);
        }
        let (line, skipped) = match line.rsplit_once(SKIPPING) {
            Some((line, skipped)) => (line, number(skipped)?),
            None => (line, 0),
        };
        let (count, rest) = line.strip_prefix("= ")?.split_once(' ')?;
        let count = number(count)?;
        if let Some((_, place)) = rest.split_once(IN_RUN) {
            let (turn, name) = place.split_once(", ")?;
            return Some(Reference::Run { turn: turn.parse().ok()?, name, skipped, count });
        }
        let (what, turn) = rest.split_once(IN_TURN)?;
        let turn = turn.parse().ok()?;
        Some(match what.trim_end_matches('s') {
            "message" => Reference::Messages { turn, skipped, count },
            "line" => Reference::Lines { turn, skipped, count },
            _ => return None,
        })
    }
}

/// Numbers fit 32 bits, so that sums of them do not overflow.
fn number(text: &str) -> Option<usize> {
    text.parse::<u32>().ok().map(|number| number as usize)
}

/// Writer of the messages of a request, which refers to the request before and to the run.
pub(super) struct RequestWriter<'w> {
    pub out: &'w mut String,
    /// The turn of the request.
    pub turn: u32,
    /// The messages of the request before.
    pub before: &'w [Message],
    /// None: messages that are new are written whole.
    pub run: Option<&'w RunLines<'w>>,
}

impl RequestWriter<'_> {
    pub fn write(&mut self, messages: &[Message]) {
        // The first message that is not written, and the first one of the request before that is not referred to.
        let (mut at, mut there) = (0, 0);
        for index in 0..messages.len() {
            if index < at {
                continue;
            }
            let (rest, before) = (messages.get(index..), self.before.get(there..));
            let Some((place, count)) = shared(rest.unwrap_or_default(), before.unwrap_or_default()) else {
                continue;
            };
            let taken = self.write_new(messages.get(at..index).unwrap_or_default(), there, there + place);
            let reference = Reference::Messages {
                turn: self.turn.saturating_sub(1),
                skipped: there + place - taken,
                count,
            };
            let _ = writeln!(self.out, "{reference}");
            (at, there) = (index + count, there + place + count);
        }
        self.write_new(messages.get(at..).unwrap_or_default(), there, self.before.len());
        if at < messages.len() {
            write_last_line(self.out);
        }
    }

    /// Writes messages with references to lines of some messages of the request before. Returns the first of those, or
    /// the one after them, that no line was taken from.
    fn write_new(&mut self, new: &[Message], first: usize, end: usize) -> usize {
        let old = if new.is_empty() || self.run.is_none() {
            &[]
        } else {
            self.before.get(first..end).unwrap_or_default()
        };
        let lines = LazyCell::new(|| Lines::new(old.iter().flat_map(parts_of).collect()));
        let mut taken = 0;
        for message in new {
            match message.result_of() {
                Some(call) => write_ruler(self.out, &section_title(message.role.name(), &[call])),
                None => write_ruler(self.out, message.role.name()),
            }
            let is_system = write_system(self.out, message);
            if !is_system && is_worth(lines_of(&message.content)) {
                self.write_lines(message, &lines, &mut taken);
            } else if !is_system {
                write_content(self.out, &message.content);
            }
            for call in message.calls() {
                write_ruler(self.out, &section_title(CALL, &[&call.id, &call.name]));
                write_content(self.out, &call.arguments);
            }
        }
        first + messages_within(old, taken)
    }

    /// Writes a line, which is empty then.
    fn write_line(&mut self, line: &mut String) {
        write_line(self.out, line);
        self.out.push('\n');
        line.clear();
    }

    /// Writes a message with references to lines of the request before, from `taken` on.
    fn write_lines(&mut self, message: &Message, before: &Lines<'_>, taken: &mut usize) {
        let lines = Lines::new(parts_of(message).collect());
        let (mut at, mut begun) = (0, String::new());
        while let Some(part) = lines.parts.get(at) {
            let mut in_before = || {
                let (place, count) = lines.find(at, before, *taken)?;
                let skipped = place - std::mem::replace(taken, place + count);
                Some((Reference::Lines { turn: self.turn.saturating_sub(1), skipped, count }, count))
            };
            let in_run = || {
                let (section, skipped, count) = self.run?.find(&lines, at, self.turn)?;
                Some((Reference::Run { turn: section.turn, name: section.name, skipped, count }, count))
            };
            if let Some((reference, count)) = in_before().or_else(in_run) {
                if !begun.is_empty() {
                    self.out.push_str(PART);
                    self.write_line(&mut begun);
                }
                let _ = writeln!(self.out, "{reference}");
                at += count;
                continue;
            }
            at += 1;
            if begun.is_empty() && !part.is_open {
                write_line(self.out, &part.text);
                self.out.push('\n');
                continue;
            }
            begun.push_str(&part.text);
            if !part.is_open {
                self.write_line(&mut begun);
            }
        }
    }
}

/// The number of the first messages with so many parts; a message counts as soon as one of its parts does.
pub(super) fn messages_within(messages: &[Message], mut parts: usize) -> usize {
    let is_within = |message: &&Message| {
        let is_within = parts > 0;
        parts = parts.saturating_sub(parts_of(message).count());
        is_within
    };
    messages.iter().take_while(is_within).count()
}

pub(super) fn parts_of(message: &Message) -> impl Iterator<Item = Part<'_>> {
    lines_of(&message.content).flat_map(parts)
}

/// The place of the first message in the request before, and how many messages are equal from there on, if they are
/// worth a reference.
fn shared(messages: &[Message], before: &[Message]) -> Option<(usize, usize)> {
    let first = messages.first()?;
    let place = before.iter().position(|message| message.says_same(first))?;
    let count = Message::shared_start(messages, before.get(place..)?);
    let shared = messages.iter().take(count);
    is_worth(shared.flat_map(|message| std::iter::once("").chain(lines_of(&message.content))))
        .then_some((place, count))
}

/// Writes a SYSTEM message with the static text. Returns false for others.
fn write_system(out: &mut String, message: &Message) -> bool {
    if message.role != Role::System {
        return false;
    }
    let text = SystemPrompt::text();
    let parts = if message.content == text { Some(("", "")) } else { message.content.split_once(text) };
    let Some((before, after)) = parts else { return false };
    let (lines_before, lines_after) = (before.strip_suffix('\n'), after.strip_prefix('\n'));
    let is_apart =
        (before.is_empty() || lines_before.is_some()) && (after.is_empty() || lines_after.is_some());
    if is_apart {
        lines_before.into_iter().for_each(|lines| write_content(out, lines));
        let _ = writeln!(out, "{}", Reference::System);
        lines_after.into_iter().for_each(|lines| write_content(out, lines));
    }
    is_apart
}
