//! Writes a request as its difference from the request before: messages that it keeps, leaves out, changes and adds.
//! [`super::requests`] reads it back.

use std::fmt::Write as _;
use std::hash::Hash;
use std::ops::Range;

use rustc_hash::FxHashMap;

use super::changed::{diff, parts_of};
use super::differences::differing_numbers;
use super::escape::{write_content, write_last_line};
use super::reference::Reference;
use super::requests::ReadRequest;
use super::rulers::{CALL, CHANGED, TURN, UNANSWERED, section_title, write_ruler, write_turn_ruler};
use super::run_sections::RunSections;
use crate::agent::{Message, Role, SystemPrompt};

/// Most messages left out that a new message is compared with. Strategies mostly rewrite one or two messages of a request. Comparing
/// each with each would take long if a strategy rewrites all.
const MOST_COMPARED: usize = 4;

/// A step that makes the messages of a request from those of the request before, from left to right.
enum Step {
    /// Keeps so many messages.
    Keep(usize),
    /// Leaves out so many messages.
    LeaveOut(usize),
    /// Adds the message with this position in the request.
    Add(usize),
    /// Changes the next message: the lines of the difference, and the role.
    Change(String, Role),
}

/// Writer of one request.
pub(super) struct RequestWriter<'w, T> {
    pub out: &'w mut String,
    /// The turn of the request.
    pub turn: u32,
    /// None: messages that differ are written whole.
    pub run: Option<&'w RunSections<'w>>,
    /// The numbers of the messages of the request before. Messages with the same number say the same.
    pub before: &'w [u32],
    /// The numbers of the messages of this request.
    pub after: &'w [u32],
    /// The message with a number.
    pub message: T,
}

impl<T: Fn(u32) -> Message> RequestWriter<'_, T> {
    pub fn write(mut self, is_answered: bool) {
        let unanswered = if is_answered { "" } else { UNANSWERED };
        write_turn_ruler(self.out, &format!("{TURN}{}{unanswered}", self.turn));
        for step in self.steps() {
            self.write_step(step);
        }
        write_last_line(self.out);
    }

    fn steps(&self) -> Vec<Step> {
        let (before, after) = (self.before, self.after);
        // Most requests share their start and end, which need no diff.
        let start = before.iter().zip(after).take_while(|(old, new)| old == new).count();
        let [old, new] = [before, after].map(|all| &all[start..]);
        let end = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
        let [old, new] = [old, new].map(|all| &all[..all.len() - end]);
        let (mut steps, mut kept, mut at) = (Vec::new(), start, start);
        for (removed, added) in differing_numbers(old, new) {
            let [removed, added] = [removed, added].map(|range| range.start + start..range.end + start);
            kept += removed.start - at;
            steps.push(Step::Keep(kept));
            (kept, at) = (0, removed.end);
            self.hunk(removed, added, &mut steps);
        }
        steps.push(Step::Keep(before.len() - at + kept));
        steps
    }

    /// Adds the steps for messages that others replace.
    fn hunk(&self, removed: Range<usize>, added: Range<usize>, steps: &mut Vec<Step>) {
        // What is left out comes before what is new, unless something is changed between them.
        let (mut first, mut new) = (removed.start, Vec::new());
        for position in added {
            let Some((place, change)) = self.changed(first..removed.end, position) else {
                new.push(Step::Add(position));
                continue;
            };
            steps.append(&mut new);
            steps.extend([Step::LeaveOut(place - first), change]);
            first = place + 1;
        }
        steps.push(Step::LeaveOut(removed.end - first));
        steps.append(&mut new);
    }

    /// The first removed message that the message at a position is a change of, with the step that changes it.
    fn changed(&self, removed: Range<usize>, position: usize) -> Option<(usize, Step)> {
        let run = self.run.filter(|_| !removed.is_empty())?;
        let new = (self.message)(*self.after.get(position)?);
        let parts = parts_of(&new.content, run, self.turn);
        let old = removed.filter_map(|place| Some((place, (self.message)(*self.before.get(place)?))));
        let alike = old.filter(|(_, old)| old.role == new.role && old.native == new.native);
        alike.take(MOST_COMPARED).find_map(|(place, old)| {
            let diff = diff(&parts_of(&old.content, run, self.turn), &parts)?;
            Some((place, Step::Change(diff, new.role)))
        })
    }

    fn write_step(&mut self, step: Step) {
        let turn = self.turn.saturating_sub(1);
        let reference = match step {
            Step::Keep(0) | Step::LeaveOut(0) => return,
            Step::Keep(count) if count == self.before.len() => Reference::AllMessages { turn },
            Step::Keep(count) => Reference::Messages { turn, count },
            Step::LeaveOut(count) => Reference::LeftOut { turn, count },
            Step::Change(diff, role) => {
                write_ruler(self.out, &format!("{}{CHANGED}", role.name()));
                return self.out.push_str(&diff);
            }
            Step::Add(position) => return self.write_new(position),
        };
        let _ = writeln!(self.out, "{reference}");
    }

    /// Writes a message whole.
    fn write_new(&mut self, position: usize) {
        let Some(number) = self.after.get(position) else { return };
        let message = (self.message)(*number);
        match message.result_of() {
            Some(call) => write_ruler(self.out, &section_title(message.role.name(), &[call])),
            None => write_ruler(self.out, message.role.name()),
        }
        match self.run {
            _ if write_system(self.out, &message) => {}
            Some(run) => {
                parts_of(&message.content, run, self.turn).iter().for_each(|part| part.write(self.out));
            }
            None => write_content(self.out, &message.content),
        }
        for call in message.calls() {
            write_ruler(self.out, &section_title(CALL, &[&call.id, &call.name]));
            write_content(self.out, &call.arguments);
        }
    }
}

/// Gives each key a number: from 0, in the order in which keys are first asked for.
#[derive(Debug)]
pub(super) struct Numbers<K>(FxHashMap<K, u32>);

impl<K: Hash + Eq> Numbers<K> {
    pub fn of(&mut self, key: K) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(key).or_insert(next)
    }
}

impl<K> Default for Numbers<K> {
    fn default() -> Numbers<K> {
        Numbers(FxHashMap::default())
    }
}

/// The body of a golden file with these requests. Without a run each message that the request before does not have is written whole.
pub fn body_of(requests: &[ReadRequest], run: Option<&RunSections<'_>>) -> String {
    let (mut numbers, mut messages) = (Numbers::default(), Vec::new());
    let mut number = |message: &'_ Message| {
        let number = numbers.of((message.role, message.content.clone(), message.native.clone()));
        if number as usize == messages.len() {
            messages.push(message.clone());
        }
        number
    };
    let numbered: Vec<Vec<u32>> =
        requests.iter().map(|request| request.messages.iter().map(&mut number).collect()).collect();
    let (mut out, mut before) = (String::new(), &[][..]);
    for (request, after) in requests.iter().zip(&numbered) {
        let message = |number: u32| messages[number as usize].clone();
        RequestWriter { out: &mut out, turn: request.turn, run, before, after, message }
            .write(request.is_answered);
        before = after;
    }
    out
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
