//! Takes what readers find: conversations, requests that repeat them, and notes.

use std::io;
use std::ops::ControlFlow;

use super::check::checked;
use super::conserved::{Conserved, Refusal};
use super::draft::Draft;
use super::error::ReadError;
use super::grow::Growing;
use super::inline_results::divide;
use super::json::{Json, Object};
use super::notes::Notes;
use super::observations::Observations;
use super::place::LogPlace;
use super::scratchpad;
use super::time::LogTime;
use super::transcript::Transcript;

/// The most conversations that wait for a bill.
const MAX_HELD: usize = 100;

/// Takes the conversations of a reader, and its notes.
pub(super) struct Sink<'t> {
    pub(super) notes: Notes,
    take: &'t mut dyn FnMut(Transcript) -> ControlFlow<()>,
    observations: Observations,
    /// The format of a log that holds values of other formats.
    pub(super) container: Option<&'static str>,
    /// When the request that is read was sent, and when its answer was there, if the log that holds it says it.
    pub(super) exchange: (Option<LogTime>, Option<LogTime>),
    pub(super) conserved: Conserved,
    /// Conversations whose bills are lost as far as the log was read, with the note on each.
    held: Vec<(Transcript, String, LogPlace)>,
    /// Most bytes of memory for conversations that wait for others.
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
        let growing = Growing::within(memory);
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

    /// Returns true if nothing more is taken.
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped
    }

    /// The fields of a value, which is noted as lost if it is no object.
    pub(super) fn object<'a>(&mut self, value: Json<'a>, place: &LogPlace) -> Option<Object<'a>> {
        let object = value.object();
        if object.is_none() {
            self.notes.lost("values that are no object", place.clone());
        }
        object
    }

    /// Takes a whole conversation.
    pub(super) fn give(&mut self, mut draft: Draft) {
        draft.settle(&mut self.notes);
        draft.settle_calls();
        draft.settle_models();
        let place = draft.place();
        let checked = checked(draft, self.observations, &mut self.notes);
        let Some(transcript) = checked.filter(|_| !self.is_stopped) else {
            return;
        };
        match self.refusal(&transcript) {
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

    /// Hands over the conversations that waited for a bill, or leaves them out if there was none.
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
            self.notes.subagents.hold(id);
        }
        self.conserved.see(&transcript);
        self.taken += 1;
        self.is_stopped = (self.take)(transcript).is_break();
    }

    /// The reason to refuse a conversation, and its place. The neutral format holds what a reader read before.
    fn refusal(&mut self, transcript: &Transcript) -> Option<Refusal> {
        if self.notes.tallies.missing_calls.number > 0 {
            self.conserved.book();
        }
        let is_neutral = self.notes.format == Some("transcript");
        self.conserved.refusal(transcript).filter(|_| !is_neutral)
    }

    /// Takes one request with its answer, which repeats the conversation so far.
    pub(super) fn give_call(&mut self, mut draft: Draft) {
        let (sent, ended) = self.exchange;
        draft.sent(sent, ended);
        draft.name_request();
        scratchpad::divide(&mut draft);
        divide(&mut draft);
        if let Err(error) = self.growing.add(draft, &mut self.notes) {
            self.fail(error);
        }
    }

    /// Ends the reading of the log.
    pub(super) fn fail(&mut self, error: io::Error) {
        // What fails after it is a consequence.
        self.failure.get_or_insert(error);
        self.is_stopped = true;
    }

    /// Hands over the conversations of requests, which until now others could continue, and returns the notes.
    ///
    /// # Errors
    /// The temporary file cannot be written or read, or there was no conversation.
    pub(super) fn finish(mut self) -> Result<Notes, ReadError> {
        if !self.is_stopped {
            let growing = std::mem::replace(&mut self.growing, Growing::within(0));
            for draft in growing.finish(&mut self.notes).map_err(ReadError::Io)? {
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

    /// Names the bills of the log that are in no conversation and that its reader did not name.
    fn name_unread_bills(&mut self) {
        let is_whole = !self.is_stopped && self.taken > 0 && self.notes.format != Some("transcript");
        let conserved = std::mem::take(&mut self.conserved);
        for (tokens, place) in conserved.unread(&self.notes.named_bills) {
            if is_whole {
                self.notes.missing_call(tokens, &place);
            }
        }
    }

    pub(super) fn broken(&mut self, reason: &str, place: LogPlace) {
        self.notes.lost(format!("broken JSON left out: {reason}"), place);
    }
}
