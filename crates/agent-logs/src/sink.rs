//! Collects the output of readers: conversations, requests repeating them, and notes.

use std::io;
use std::ops::ControlFlow;

use super::check::check_draft;
use super::conserved::{Conserved, Refusal, Unread};
use super::draft::Draft;
use super::error::ReadError;
use super::grow::Growing;
use super::inline_results::divide_answers;
use super::json::{Json, Object};
use super::notes::Notes;
use super::observations::Observations;
use super::place::LogPlace;
use super::scratchpad;
use super::time::LogTime;
use super::transcript::Transcript;

/// Maximum number of conversations waiting for a bill.
const MAX_HELD: usize = 100;

/// Collects a reader's conversations and notes.
pub(super) struct Sink<'t> {
    pub(super) notes: Notes,
    take: &'t mut dyn FnMut(Transcript) -> ControlFlow<()>,
    observations: Observations,
    /// The outer format of a log with values of other formats.
    pub(super) container: Option<&'static str>,
    /// Times of the current request and of the end of its answer, if the surrounding log has them.
    pub(super) exchange: (Option<LogTime>, Option<LogTime>),
    pub(super) conserved: Conserved,
    /// Conversations without any bill so far in the log, with a note for each.
    held: Vec<(Transcript, String, LogPlace)>,
    /// Memory limit for unfinished conversations, in bytes.
    pub(super) memory: usize,
    growing: Growing,
    taken: usize,
    is_stopped: bool,
    failure: Option<io::Error>,
}

impl<'t> Sink<'t> {
    pub(super) fn new(
        notes: Notes,
        take: &'t mut dyn FnMut(Transcript) -> ControlFlow<()>,
        observations: Observations,
        memory: usize,
    ) -> Sink<'t> {
        let growing = Growing::within_memory(memory);
        let container = None;
        Sink {
            notes,
            take,
            observations,
            container,
            exchange: (None, None),
            conserved: Conserved::default(),
            held: Vec::new(),
            memory,
            growing,
            taken: 0,
            is_stopped: false,
            failure: None,
        }
    }

    /// Returns true if the sink accepts nothing more.
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// Parses an object. Notes any other value as lost.
    pub(super) fn read_object<'a>(&mut self, value: Json<'a>, place: &LogPlace) -> Option<Object<'a>> {
        let object = value.object();
        if object.is_none() {
            self.notes.lost("values that are not objects", place.clone());
        }
        object
    }

    /// Adds a whole conversation.
    pub(super) fn give(&mut self, mut draft: Draft) {
        draft.settle_compactions(&mut self.notes);
        draft.settle_calls();
        draft.settle_models();
        let place = draft.place();
        let checked = check_draft(draft, self.observations, &mut self.notes);
        let Some(mut transcript) = checked.filter(|_| !self.is_stopped) else {
            return;
        };
        if transcript.drop_impossible_bills() {
            self.notes.lost("bills with more tokens than a call can have, left out", place.clone());
        }
        match self.take_refusal(&transcript) {
            Some(Refusal::Empty(kind)) => return self.notes.lost(kind, place),
            Some(Refusal::Unbilled(kind, first)) => {
                self.held.push((transcript, kind, first.unwrap_or(place)));
                if self.held.len() > MAX_HELD {
                    self.settle_held();
                }
                return;
            }
            None if self.conserved.is_booked() => self.settle_held(),
            None => {}
        }
        self.hand_over(transcript);
    }

    /// Passes on the conversations waiting for a bill, or drops them if no bill was found.
    fn settle_held(&mut self) {
        let is_named =
            self.notes.tallies.missing_calls.number > 0 || self.notes.subagents.left_out().number > 0;
        let is_billed = self.conserved.is_booked() || is_named;
        for (transcript, kind, place) in std::mem::take(&mut self.held) {
            match is_billed {
                true => self.hand_over(transcript),
                false => self.notes.lost(kind, place),
            }
        }
    }

    fn hand_over(&mut self, mut transcript: Transcript) {
        if self.is_stopped {
            return;
        }
        if let Some(source) = &mut transcript.source {
            source.file.get_or_insert_with(|| self.notes.file.clone());
            if let Some(container) = self.container {
                container.clone_into(&mut source.format);
            }
        }
        if let Some(id) = transcript.source.as_ref().and_then(|source| source.id.as_deref()) {
            self.notes.subagents.hold_answers(id);
        }
        self.conserved.record_read(&transcript);
        self.taken += 1;
        self.is_stopped = (self.take)(transcript).is_break();
    }

    /// The reason to refuse a conversation. The neutral format is exempt, because a reader has checked it before.
    fn take_refusal(&mut self, transcript: &Transcript) -> Option<Refusal> {
        if self.notes.tallies.missing_calls.number > 0 {
            self.conserved.mark_booked();
        }
        let refusal = self.conserved.refuse(transcript);
        if self.notes.format == Some("transcript") { None } else { refusal }
    }

    /// Adds one request with its answer. The request repeats the conversation so far.
    pub(super) fn give_call(&mut self, mut draft: Draft) {
        let (sent, ended) = self.exchange;
        draft.set_times(sent, ended);
        draft.name_request();
        scratchpad::divide_scratchpad(&mut draft);
        divide_answers(&mut draft);
        if let Err(error) = self.growing.add_call(draft, &mut self.notes) {
            self.fail_with(error);
        }
    }

    /// Stops reading the log with an error.
    pub(super) fn fail_with(&mut self, error: io::Error) {
        // Later errors are only consequences.
        self.failure.get_or_insert(error);
        self.is_stopped = true;
    }

    /// Passes on the conversations joined from requests (until now any of them might have continued), and returns the notes.
    ///
    /// # Errors
    /// The temporary file cannot be written or read, or there was no conversation.
    pub(super) fn finish(mut self) -> Result<Notes, ReadError> {
        if !self.is_stopped {
            let growing = std::mem::replace(&mut self.growing, Growing::within_memory(0));
            for draft in growing.join_conversations(&mut self.notes).map_err(ReadError::Io)? {
                self.give(draft.map_err(ReadError::Io)?);
            }
        }
        self.settle_held();
        self.name_unread_bills();
        match self.failure {
            Some(error) => Err(ReadError::Io(error)),
            None if self.taken == 0 => Err(ReadError::Nothing(Box::new(self.notes))),
            None => Ok(self.notes),
        }
    }

    /// Notes bills found in the log but neither read into a conversation nor named by the reader.
    fn name_unread_bills(&mut self) {
        let is_whole = !self.is_stopped && self.taken > 0 && self.notes.format != Some("transcript");
        let conserved = std::mem::take(&mut self.conserved);
        if !is_whole {
            return;
        }
        for unread in conserved.unread(&self.notes) {
            match unread {
                Unread::Bill { tokens, place } => self.notes.missing_call(tokens, &place),
                Unread::Count { name, place } => {
                    self.notes.note(format!("token counts {name} not read"), place);
                }
            }
        }
    }

    pub(super) fn note_broken(&mut self, reason: &str, place: LogPlace) {
        self.notes.lost(format!("broken JSON left out: {reason}"), place);
    }
}
