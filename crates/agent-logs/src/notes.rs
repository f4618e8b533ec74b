//! Notes on what a reader changed or dropped.

use super::bills::find_bills;
use super::json::Object;
use super::place::LogPlace;
use super::subagents::SubagentAnswers;
use super::tallies::Tallies;
use super::transcript::TranscriptUsage;

/// Maximum number of places listed per note.
const MAX_PLACES: usize = 3;
/// Maximum number of kinds. Kinds contain names from the log, so their number is unbounded.
const MAX_KINDS: usize = 100;
/// The kind that collects notes beyond [`MAX_KINDS`].
const OTHER: &str = "other things left out";
/// Minimum number of kinds to merge into one line when they differ in one word. A folder of sessions has dozens of kinds that differ only
/// in the name of a field or attachment.
const MIN_ALIKE: usize = 3;
/// Suffix of kinds for content that is logged but never sent. A Claude Code session has a dozen such kinds, and they would push real losses
/// off the screen.
const NOT_SENT: &str = ", which are not sent";

/// All notes on one file, ordered by first place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    pub file: String,
    /// Name of the log's format, if known.
    pub format: Option<&'static str>,
    pub notes: Vec<Note>,
    pub tallies: Tallies,
    /// Subagent answers by conversation. Their conversations, if logged, are in separate files.
    pub subagents: SubagentAnswers,
    /// Input tokens of bills known to be missing or duplicate.
    pub named_bills: Vec<u64>,
    /// Token counts of sums and copies, which other bills include.
    pub named_counts: Vec<u64>,
}

/// Count and first places of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub kind: String,
    pub count: usize,
    /// True if the transcripts lack content of the log.
    pub is_lost: bool,
    /// The first places, with the file.
    pub places: Vec<String>,
    /// Number of logs with this note.
    pub logs: usize,
}

impl Notes {
    /// Notes something converted to another form, or without content.
    pub fn note(&mut self, kind: impl Into<String>, place: LogPlace) {
        self.add_note(kind.into(), false, place);
    }

    /// Notes lost content.
    pub fn lost(&mut self, kind: impl Into<String>, place: LogPlace) {
        self.add_note(kind.into(), true, place);
    }

    /// The error message for a log without a conversation.
    pub fn describe_nothing_read(&self) -> String {
        match self.format {
            Some(format) => format!("no conversation (read as {format})"),
            None => "no conversation".to_owned(),
        }
    }

    /// Notes a compaction. `is_first` is true for the first one of its session.
    pub(super) fn count_compaction(&mut self, is_first: bool, place: &LogPlace) {
        let compactions = &mut self.tallies.compactions;
        compactions.number += 1;
        compactions.sessions += u64::from(is_first);
        compactions.places.add_place(&self.file, place);
    }

    /// Notes a session logged without its beginning, and the input tokens billed for its first logged request.
    pub(super) fn late_start(&mut self, billed: Option<u64>, place: &LogPlace) {
        let starts = &mut self.tallies.late_starts;
        starts.sessions += 1;
        starts.add_bill(billed.map(|tokens| (tokens, tokens)));
        starts.places.add_place(&self.file, place);
    }

    /// Notes user messages of one conversation counted as observations: results of calls written as text, or (`are_all`) all after the
    /// first answer.
    pub(super) fn count_observations(&mut self, number: u64, are_all: bool, place: &LogPlace) {
        let observations = &mut self.tallies.observations;
        observations.number += number;
        observations.are_all = are_all;
        observations.places.add_place(&self.file, place);
    }

    /// Records the bills in a part of the log that are sums, copies, or known to be missing.
    pub(super) fn name_bills(&mut self, part: &Object) {
        for bill in find_bills(part.json().raw()) {
            self.named_counts.extend(bill.counts.iter().map(|count| count.tokens));
        }
    }

    /// Records a bill that another one includes, as a sum or a part of it.
    pub(super) fn name_usage(&mut self, usage: &TranscriptUsage) {
        let counts = [
            usage.input_tokens,
            usage.cached_tokens,
            usage.cache_write_tokens,
            usage.output_tokens,
            usage.reasoning_tokens,
        ];
        self.named_counts.extend(counts.into_iter().flatten());
    }

    /// Notes a billed call missing from all conversations.
    pub(super) fn missing_call(&mut self, input_tokens: u64, place: &LogPlace) {
        self.named_bills.push(input_tokens);
        let missing = &mut self.tallies.missing_calls;
        missing.number += 1;
        missing.input_tokens = missing.input_tokens.saturating_add(input_tokens);
        missing.places.add_place(&self.file, place);
    }

    /// Notes calls of a run missing from all conversations, and the input tokens billed for the whole run.
    pub(super) fn missing_calls_of_run(&mut self, number: u64, run_tokens: u64, place: &LogPlace) {
        let missing = &mut self.tallies.missing_calls;
        missing.number = missing.number.saturating_add(number);
        missing.run_tokens = missing.run_tokens.saturating_add(run_tokens);
        missing.places.add_place(&self.file, place);
    }

    /// Notes a subagent's answer missing from all conversations of this log.
    pub(super) fn answer_of_subagent(
        &mut self,
        conversation: Option<String>,
        usage: &TranscriptUsage,
        place: &LogPlace,
    ) {
        self.subagents.add_usage(conversation, usage, &self.file, place);
    }

    fn add_note(&mut self, mut kind: String, is_lost: bool, place: LogPlace) {
        if self.notes.len() >= MAX_KINDS && self.notes.iter().all(|note| note.kind != kind) {
            // An object keyed by identifiers makes one kind per key.
            kind = OTHER.to_owned();
        }
        let place = format!("{}{place}", self.file);
        match self.find_note(&kind, is_lost) {
            Some(note) => {
                note.count += 1;
                // A message may have several secrets.
                if note.places.len() < MAX_PLACES && note.places.last() != Some(&place) {
                    note.places.push(place);
                }
            }
            None => self.notes.push(Note { kind, count: 1, is_lost, places: vec![place], logs: 1 }),
        }
    }

    fn find_note(&mut self, kind: &str, is_lost: bool) -> Option<&mut Note> {
        self.notes.iter_mut().find(|note| note.kind == kind && note.is_lost == is_lost)
    }

    /// Merges the notes on another log. A note on several logs lists the first place of each.
    pub fn merge(&mut self, other: Notes) {
        self.tallies.merge(other.tallies);
        self.subagents.merge(other.subagents);
        for mut new in other.notes {
            if self.notes.len() >= MAX_KINDS && self.find_note(&new.kind, new.is_lost).is_none() {
                new.kind = OTHER.to_owned();
            }
            let Some(note) = self.find_note(&new.kind, new.is_lost) else {
                self.notes.push(new);
                continue;
            };
            if note.logs == 1 {
                note.places.truncate(1);
            }
            new.places.truncate(MAX_PLACES.saturating_sub(note.places.len()).min(1));
            note.places.append(&mut new.places);
            note.count += new.count;
            note.logs += new.logs;
        }
    }

    /// Returns true if the transcripts lack content of the log.
    pub fn has_losses(&self) -> bool {
        self.notes.iter().any(|note| note.is_lost)
    }

    /// One line per note, the tallies first.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let (mut lines, notes) = self.all();
        lines.extend(notes.iter().map(Note::format_line));
        lines.into_iter()
    }

    /// Like `lines`, but kinds differing in one word share a line, and so does everything never sent (without places).
    pub fn short_lines(&self) -> Vec<String> {
        let (mut lines, notes) = self.all();
        let mut unsent = Vec::new();
        let mut sent = Vec::new();
        for note in &notes {
            match note.kind.strip_suffix(NOT_SENT) {
                Some(kind) => unsent.push(format!("{kind}: {}", note.count)),
                None => sent.push(note),
            }
        }
        lines.extend(lines_of_alike(sent));
        if !unsent.is_empty() {
            lines.push(format!("not sent, so left out: {}", unsent.join("; ")));
        }
        lines
    }

    /// The lines of the tallies, and all notes.
    fn all(&self) -> (Vec<String>, Vec<Note>) {
        let left_out = self.subagents.left_out();
        let mut notes = self.notes.clone();
        if left_out.number > 0 {
            notes.push(Note {
                kind: "answers of subagents without a text in the log, left out".to_owned(),
                count: usize::try_from(left_out.number).unwrap_or(usize::MAX),
                is_lost: false,
                places: left_out.places.first.clone(),
                logs: left_out.places.files.len(),
            });
        }
        let mut tallies = self.tallies.clone();
        tallies.missing_calls.merge(left_out);
        (tallies.format_lines().collect(), notes)
    }

    /// One line per note on lost content.
    pub fn lost_lines(&self) -> impl Iterator<Item = String> {
        self.notes.iter().filter(|note| note.is_lost).map(Note::format_line)
    }
}

impl Note {
    fn format_line(&self) -> String {
        // One log lists all its places up to the limit; several logs list only the first place of each.
        let is_cut = self.places.len() >= MAX_PLACES || self.logs > 1;
        let more = if is_cut && self.count > self.places.len() { ", …" } else { "" };
        let logs = if self.logs > 1 && self.logs < self.count {
            format!(" in {} logs", self.logs)
        } else {
            String::new()
        };
        format!("{}: {}{logs} ({}{more})", self.kind, self.count, self.places.join(", "))
    }
}

fn count_alike(shape: &Shape<'_>, notes: &[&Note]) -> usize {
    notes.iter().filter(|note| shape.differing_word(note).is_some()).count()
}

/// One line per note; kinds differing in one word are merged.
fn lines_of_alike(mut notes: Vec<&Note>) -> Vec<String> {
    let mut lines = Vec::new();
    while let Some(first) = notes.first().copied() {
        let Some(shape) = most_common_shape(first, &notes) else {
            lines.push(first.format_line());
            notes.remove(0);
            continue;
        };
        let (mut named, mut others) = (Vec::new(), Vec::new());
        for note in notes {
            match shape.differing_word(note) {
                Some(word) => named.push(format!("{word} {}", note.count)),
                None => others.push(note),
            }
        }
        notes = others;
        let place = first.places.first().map_or("", String::as_str);
        lines.push(format!("{}…{}: {} ({place}, …)", shape.start, shape.end, named.join(", ")));
    }
    lines
}

/// The shape of a note shared by most notes, if there are at least [`MIN_ALIKE`].
fn most_common_shape<'n>(note: &'n Note, notes: &[&Note]) -> Option<Shape<'n>> {
    let (mut best, mut most) = (None, MIN_ALIKE);
    for shape in possible_shapes(note) {
        let alike = count_alike(&shape, notes);
        if alike >= most {
            (best, most) = (Some(shape), alike);
        }
    }
    best
}

/// A kind with one word cut out, for finding kinds that differ only there.
struct Shape<'n> {
    is_lost: bool,
    /// The text before the word, including the space.
    start: &'n str,
    end: &'n str,
}

impl Shape<'_> {
    /// The note's word at the gap, or `None` if the note does not have this shape.
    fn differing_word<'n>(&self, note: &'n Note) -> Option<&'n str> {
        let word = note.kind.strip_prefix(self.start)?.strip_suffix(self.end)?;
        (note.is_lost == self.is_lost && !word.is_empty() && !word.contains(' ')).then_some(word)
    }
}

/// The shapes of a note, one per word.
fn possible_shapes(note: &Note) -> Vec<Shape<'_>> {
    let (mut shapes, mut start) = (Vec::new(), 0);
    for word in note.kind.split(' ') {
        let end = start + word.len();
        shapes.push(Shape { is_lost: note.is_lost, start: &note.kind[..start], end: &note.kind[end..] });
        start = end + 1;
    }
    shapes
}
