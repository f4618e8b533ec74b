//! Takes what readers find: conversations, requests that repeat them, and notes.

use std::io;
use std::ops::ControlFlow;

use super::check::checked;
use super::conserved::Conserved;
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
        let place = draft.place();
        let checked = checked(draft, self.observations, &mut self.notes);
        let Some(mut transcript) = checked.filter(|_| !self.is_stopped) else {
            return;
        };
        if let Some((kind, first)) = self.refusal(&transcript) {
            return self.notes.lost(kind, first.unwrap_or(place));
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
        self.taken += 1;
        self.is_stopped = (self.take)(transcript).is_break();
    }

    /// The reason to refuse a conversation, and its place. The neutral format holds what a reader read before.
    fn refusal(&mut self, transcript: &Transcript) -> Option<(String, Option<LogPlace>)> {
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
        match self.failure {
            Some(error) => Err(ReadError::Io(error)),
            None if self.taken == 0 => Err(ReadError::Nothing(Box::new(self.notes))),
            None => Ok(self.notes),
        }
    }

    pub(super) fn broken(&mut self, reason: &str, place: LogPlace) {
        self.notes.lost(format!("broken JSON left out: {reason}"), place);
    }
}
