//! The time that passes between the requests of a run.

use agent_logs::{LogTime, Transcript, TranscriptRole};
use ptc_tokens::TimeSpan;
use rustc_hash::FxHashMap;

/// The time that passes before each request of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pauses {
    /// By turn, the milliseconds from the answer before to the request of the turn. Requests of other turns follow at once.
    before: FxHashMap<u32, u64>,
    /// By turn, the milliseconds from its request to the end of its answer, if the log tells them.
    answering: FxHashMap<u32, u64>,
    /// False if nothing is known of the time.
    are_known: bool,
}

impl Pauses {
    /// The pauses before the requests of these turns.
    pub fn given(pauses: impl IntoIterator<Item = (u32, TimeSpan)>) -> Pauses {
        let before: FxHashMap<u32, u64> =
            pauses.into_iter().map(|(turn, span)| (turn, span.milliseconds())).collect();
        Pauses { are_known: !before.is_empty(), before, answering: FxHashMap::default() }
    }

    /// The pauses of a transcript. If it has no times, `assumed` is the pause before each answer to words of a person.
    pub fn of(transcript: &Transcript, assumed: Option<TimeSpan>) -> Pauses {
        let logged = Pauses::logged(transcript);
        match assumed {
            Some(assumed) if !logged.are_known => Pauses::assumed(transcript, assumed),
            _ => logged,
        }
    }

    /// The pauses by the times of a transcript.
    fn logged(transcript: &Transcript) -> Pauses {
        let mut pauses = Pauses::default();
        let mut latest_end: Option<LogTime> = None;
        for (turn, answer) in (1..).zip(transcript.answers()) {
            if let (Some(end), Some(time)) = (latest_end, answer.time) {
                pauses.before.insert(turn, time.milliseconds_since(end));
            }
            if let Some(seconds) = answer.duration {
                pauses.answering.insert(turn, (seconds * 1000.0) as u64);
            }
            // Logs may have lines out of order and answers without a time: no answer takes the clock back.
            latest_end = latest_end.max(answer.ended());
        }
        pauses.are_known = !pauses.before.is_empty();
        pauses
    }

    /// The same pause before each answer to words of a person. Tools are taken to answer at once.
    fn assumed(transcript: &Transcript, pause: TimeSpan) -> Pauses {
        let (mut pauses, mut answers) = (Vec::new(), 0);
        for message in &transcript.messages {
            match message.role {
                TranscriptRole::Assistant => answers += 1,
                // Nothing is cached before the first request, however long a person waits with it.
                TranscriptRole::User if answers > 0 && !message.is_observation => {
                    pauses.push((answers + 1, pause));
                }
                TranscriptRole::User | TranscriptRole::Tool => {}
            }
        }
        Pauses::given(pauses)
    }

    /// Milliseconds from the end of the answer before to the request of a turn; 0 if they are not known.
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
