//! The time that passes between the requests of a log.

use agent_logs::{LogTime, Transcript, TranscriptRole};
use conversation::Pauses;
use ptc_prices::TimeSpan;
use rustc_hash::FxHashMap;

/// The pauses of a transcript. If it has no times, `assumed` is the pause before each answer to words of a person.
pub fn pauses_of(transcript: &Transcript, assumed: Option<TimeSpan>) -> Pauses {
    let logged = logged(transcript);
    match assumed {
        Some(pause) if !logged.are_known() => Pauses::given(assumed_pauses(transcript, pause)),
        _ => logged,
    }
}

/// The pauses by the times of a transcript.
fn logged(transcript: &Transcript) -> Pauses {
    let (mut before, mut answering) = (FxHashMap::default(), FxHashMap::default());
    let mut latest_end: Option<LogTime> = None;
    for (turn, answer) in (1..).zip(transcript.answers()) {
        if let (Some(end), Some(time)) = (latest_end, answer.time) {
            before.insert(turn, time.milliseconds_since(end));
        }
        if let Some(seconds) = answer.duration {
            answering.insert(turn, (seconds * 1000.0) as u64);
        }
        // Logs may have lines out of order and answers without a time: no answer takes the clock back.
        latest_end = latest_end.max(answer.ended());
    }
    Pauses::logged(before, answering)
}

/// The same pause before each answer to words of a person. Tools are taken to answer at once.
fn assumed_pauses(transcript: &Transcript, pause: TimeSpan) -> Vec<(u32, TimeSpan)> {
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
    pauses
}
