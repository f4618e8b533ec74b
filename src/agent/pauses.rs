//! The time that passes between the requests of a run.

use std::collections::BTreeMap;

use agent_logs::{LogTime, Transcript, TranscriptMessage, TranscriptRole};
use ptc_tokens::TimeSpan;

/// The time that passes before each request of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pauses {
    /// Milliseconds from an answer to the next request, by the number of the turn of that one. Others follow at once.
    before: BTreeMap<u32, u64>,
    /// Milliseconds from the request of a turn to the end of its answer, where they are known.
    answering: BTreeMap<u32, u64>,
    /// False if nothing is known of the time.
    are_known: bool,
}

impl Pauses {
    /// Pauses that are given by the number of the turn.
    pub fn given(pauses: impl IntoIterator<Item = (u32, TimeSpan)>) -> Pauses {
        let before: BTreeMap<u32, u64> =
            pauses.into_iter().map(|(turn, span)| (turn, span.milliseconds())).collect();
        Pauses { are_known: !before.is_empty(), before, answering: BTreeMap::new() }
    }

    /// The pauses of a transcript. One without times has the assumed pause before each answer to words of a person.
    pub fn of(transcript: &Transcript, assumed: Option<TimeSpan>) -> Pauses {
        let is_answer = |message: &TranscriptMessage| message.role == TranscriptRole::Assistant;
        let (mut pauses, mut before): (Pauses, Option<LogTime>) = Default::default();
        for (turn, answer) in (1..).zip(transcript.answers()) {
            if let (Some(before), Some(time)) = (before, answer.time) {
                pauses.before.insert(turn, time.milliseconds_since(before));
            }
            if let Some(seconds) = answer.duration {
                pauses.answering.insert(turn, (seconds * 1000.0) as u64);
            }
            before = before.max(answer.ended());
        }
        pauses.are_known = !pauses.before.is_empty();
        let Some(assumed) = assumed.filter(|_| !pauses.are_known) else { return pauses };
        let is_word =
            |message: &TranscriptMessage| message.role == TranscriptRole::User && !message.is_observation;
        let turns = transcript.messages.chunk_by(|_, next| !is_answer(next));
        let turns = turns.filter(|messages| messages.first().is_some_and(is_answer));
        let asked = (2..).zip(turns).filter(|(_, messages)| messages.iter().any(is_word));
        Pauses::given(asked.map(|(turn, _)| (turn, assumed)))
    }

    /// Milliseconds from the end of the answer before to the request of a turn.
    pub fn before(&self, turn: u32) -> u64 {
        self.before.get(&turn).copied().unwrap_or(0)
    }

    /// Milliseconds from the request of a turn to the end of its answer; 0 if they are not known.
    pub fn answering(&self, turn: u32) -> u64 {
        self.answering.get(&turn).copied().unwrap_or(0)
    }

    /// Returns true if something is known of the time between requests.
    pub fn are_known(&self) -> bool {
        self.are_known
    }
}
