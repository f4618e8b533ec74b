//! LangGraph states, and the summaries of deep agents in them.

use crate::draft::Draft;
use crate::json::{Json, Object};
use crate::names::Dialect;
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::transcript::TranscriptRole;
use crate::unread::Fields;

/// Known fields of a deep agent's summary.
pub(super) const SUMMARY: Fields = Fields {
    below: &["summary_message"],
    known: &["additional_kwargs", "content", "file_path", "data", "kwargs", "response_metadata"],
};

/// LangGraph's name for the input of a run.
pub(super) const START: &str = "__start__";

/// Field of a state with the summary of its first messages, written by deep agents.
pub(super) const SUMMARIZED: &str = "_summarization_event";

/// Returns true for the start or end of a task in LangGraph's streams `tasks` and `debug`.
pub(super) fn is_task(object: &Object) -> bool {
    let is_named = object.has("id") && object.has("name");
    is_named
        && (object.has("input") && object.has("triggers") || object.has("result") && object.has("interrupts"))
}

/// Detects the order of the states in a log. Streams log the oldest state first, thread histories the newest.
#[derive(Default)]
pub(super) struct StateOrder {
    /// Message ids of the oldest state so far, if states run backwards.
    oldest: Vec<Option<String>>,
    /// True if `oldest` ends with an answer. Only the newest state with an answer at its end gives the next request.
    is_answered: bool,
    /// The first state, and the states before it in time.
    held: Vec<(String, LogPlace)>,
    goes_back: bool,
    goes_on: bool,
}

impl StateOrder {
    /// Adds the next state. Returns the states to read now, and whether to read this one after them. If not, it is kept (the first
    /// state, or running backwards) or dropped as a repetition.
    pub(super) fn add_state(
        &mut self,
        (ids, is_answered): (Vec<Option<String>>, bool),
        state: Json,
        place: &LogPlace,
        notes: &mut Notes,
    ) -> (Vec<(String, LogPlace)>, bool) {
        if self.goes_on {
            return (Vec::new(), true);
        }
        // An unchanged state, such as between the end of an answer and of the run, gives no direction.
        if !self.held.is_empty() && self.oldest == ids {
            self.held.push((state.raw().to_owned(), place.clone()));
            return (Vec::new(), false);
        }
        let last = ids.last();
        // A summary replaces the first messages, so the last one stays the same in either direction.
        let is_other = self.goes_back || self.oldest.last() != last;
        let is_older = is_other && last.is_some_and(|last| self.oldest.contains(last));
        if is_older && self.oldest.starts_with(&ids) && (self.is_answered || !is_answered) {
            self.goes_back = true;
            notes.note("states that a later one repeats, left out", place.clone());
            return (Vec::new(), false);
        }
        self.goes_on = !is_older && !self.goes_back && !self.held.is_empty();
        if self.goes_on {
            return (self.take_held(), true);
        }
        self.goes_back = is_older;
        let before = if is_older { Vec::new() } else { self.take_held() };
        (self.oldest, self.is_answered) = (ids, is_answered);
        self.held.push((state.raw().to_owned(), place.clone()));
        (before, false)
    }

    fn take_held(&mut self) -> Vec<(String, LogPlace)> {
        let mut held = std::mem::take(&mut self.held);
        held.reverse();
        held
    }

    /// The states kept so far, oldest first.
    pub(super) fn end_run(&mut self) -> Vec<(String, LogPlace)> {
        std::mem::take(self).take_held()
    }
}

/// Objects that may be a graph state.
pub(super) fn find_states<'o, 'a>(
    object: &'o Object<'a>,
    below: &'o Option<Object<'a>>,
) -> impl Iterator<Item = &'o Object<'a>> {
    std::iter::once(object).chain(below)
}

/// Returns true for the first message of a graph state: it has an id and a `type`, but no `role`.
pub(super) fn is_of_state(said: &Json, dialect: Dialect) -> bool {
    let Some(said) = said.object() else { return false };
    said.has("id")
        && said.has("type")
        && !said.has("role")
        && dialect.role_of(&said).is_some_and(|role| role == "user" || role == "system")
}

/// Message ids of a state; empty for anything else.
pub(super) fn state_ids(list: Option<Vec<Json>>, dialect: Dialect) -> Vec<Option<String>> {
    let list = list.filter(|list| list.first().is_some_and(|first| is_of_state(first, dialect)));
    list.into_iter().flatten().map(|said| said.object()?.text("id")).collect()
}

/// Reads the summary sent by a deep agent instead of the first messages of its state, at the time it was made.
pub(super) fn add_summary(
    dialect: Dialect,
    event: &Object,
    begins: &[usize],
    place: &LogPlace,
    draft: &mut Draft,
    notes: &mut Notes,
) {
    let all = draft.transcript.messages.len();
    let of_state = |key| {
        let number = usize::try_from(event.number(key)?).ok()?;
        Some(begins.get(number).copied().unwrap_or(all))
    };
    let Some((cut, text)) = of_state("cutoff_index").zip(summary_text(dialect, event, place, notes)) else {
        return notes.lost("summaries without a text or the messages that they replace", place.clone());
    };
    let answered = draft.transcript.messages.iter().rposition(|told| told.role == TranscriptRole::Assistant);
    let before = of_state("created_at_index").unwrap_or_else(|| {
        notes.note("summaries without a time, assumed to belong to the newest request", place.clone());
        answered.unwrap_or(all)
    });
    if cut > 0 {
        draft.summarized_for_requests(text, (cut, before.max(cut)), place);
    }
}

/// The text of a deep agent's summary.
pub(super) fn summary_text(
    dialect: Dialect,
    event: &Object,
    place: &LogPlace,
    notes: &mut Notes,
) -> Option<String> {
    SUMMARY.note_unread(event, "summaries", place, notes);
    let said = event.object("summary_message")?;
    let inner = dialect.inner_message(&said).unwrap_or(said);
    let text = dialect.read_content(inner.get("content"), place, notes).text();
    (!text.is_empty()).then_some(text)
}
