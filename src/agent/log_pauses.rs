//! The pauses between the requests of a log.

use agent_logs::{LogTime, Transcript, TranscriptRole};
use conversation::Pauses;
use ptc_prices::TimeSpan;
use rustc_hash::FxHashMap;

/// The pauses of a transcript. Without logged times, `assumed` is the pause before each answer to a person.
pub fn pauses_of(transcript: &Transcript, assumed: Option<TimeSpan>) -> Pauses {
    let logged = logged_pauses(transcript);
    match assumed {
        Some(pause) if !logged.are_known() => Pauses::from_turns(assumed_pauses(transcript, pause)),
        _ => logged,
    }
}

/// The pauses computed from the times in a transcript.
fn logged_pauses(transcript: &Transcript) -> Pauses {
    let (mut before, mut answering) = (FxHashMap::default(), FxHashMap::default());
    let mut latest_end: Option<LogTime> = None;
    for (turn, answer) in (1..).zip(transcript.answers()) {
        if let (Some(end), Some(time)) = (latest_end, answer.time) {
            before.insert(turn, time.milliseconds_since(end));
        }
        if let Some(seconds) = answer.duration {
            answering.insert(turn, (seconds * 1000.0) as u64);
        }
        // Lines may be out of order and answers may lack times, so never move the clock back.
        latest_end = latest_end.max(answer.ended());
    }
    Pauses::from_log(before, answering)
}

/// The same pause before each answer to a person. Tools are assumed to answer at once.
fn assumed_pauses(transcript: &Transcript, pause: TimeSpan) -> Vec<(u32, TimeSpan)> {
    let (mut pauses, mut answers) = (Vec::new(), 0);
    for message in &transcript.messages {
        match message.role {
            TranscriptRole::Assistant => answers += 1,
            // A pause before the first request has no effect, because nothing is cached yet.
            TranscriptRole::User if answers > 0 && !message.is_observation => {
                pauses.push((answers + 1, pause));
            }
            TranscriptRole::User | TranscriptRole::Tool => {}
        }
    }
    pauses
}
