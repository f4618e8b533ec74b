//! The times of logs, and how long the caches behind them kept their entries.

use crate::agent::Pauses;
use agent_logs::Transcript;
use ptc_tokens::{Price, TimeSpan};

/// Seconds for which Anthropic keeps entries on request.
const HOUR: u32 = 3600;

/// The assumptions of a suite of logs on caches.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::cli) struct Cached {
    /// The time for which entries are kept.
    pub(super) ttl: Option<TimeSpan>,
    /// The pause before each message of a person in conversations without times.
    pub(super) pause: Option<TimeSpan>,
}

impl Cached {
    /// The rows of the suite's file.
    pub(super) fn settings(self) -> String {
        let row = |key: &str, span: Option<TimeSpan>| {
            span.map(|span| format!("{key}: {span}\n")).unwrap_or_default()
        };
        row("ttl", self.ttl) + &row("pause", self.pause)
    }
}

/// The times and the lifetimes of cache entries that conversations have.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LogTimes {
    conversations: u64,
    /// Those that have times.
    timed: u64,
    /// Tokens that were written to caches, and those of them that stay there for an hour.
    written: u64,
    written_for_hour: u64,
}

impl LogTimes {
    pub(super) fn of(transcript: &Transcript) -> LogTimes {
        let bills = || transcript.answers().filter_map(|answer| answer.usage.as_ref());
        LogTimes {
            conversations: 1,
            timed: u64::from(Pauses::of(transcript, None).are_known()),
            written: bills().filter_map(|usage| usage.cache_write_tokens).sum(),
            written_for_hour: bills().filter_map(|usage| usage.cache_write_1h_tokens).sum(),
        }
    }

    pub(super) fn add(&mut self, other: LogTimes) {
        self.conversations += other.conversations;
        self.timed += other.timed;
        self.written += other.written;
        self.written_for_hour += other.written_for_hour;
    }

    /// An hour if most of what was written was written for an hour.
    pub(super) fn ttl(&self) -> Option<TimeSpan> {
        let is_hour = self.written_for_hour > self.written / 2;
        TimeSpan::of_seconds(HOUR).filter(|_| is_hour)
    }

    /// The line on pauses, and on how long the model that decides caches. Nothing without conversations.
    pub(super) fn line(&self, assumed: Option<TimeSpan>, price: Option<&Price>) -> Option<String> {
        let logs = |number: u64| if number == 1 { "log".to_owned() } else { format!("{number} logs") };
        let untimed = self.conversations - self.timed;
        let pauses = match (self.timed, untimed, assumed) {
            (0, 0, _) => return None,
            (0, _, None) => return Some("no pauses: the logs have no times".to_owned()),
            (0, _, Some(span)) => format!("pauses: {} before each message of a person", span.words()),
            (_, 0, _) => "pauses: as in the logs".to_owned(),
            (timed, _, None) => format!("pauses: as in {} of {}", timed, logs(self.conversations)),
            (_, untimed, Some(span)) => format!(
                "pauses: as in the logs; in {untimed} without times {} before each message of a person",
                span.words()
            ),
        };
        let price = price?;
        Some(match price.ttl {
            Some(ttl) => format!("{pauses}; {} keeps its cache for {}", price.model, ttl.words()),
            None => {
                format!("{pauses}; nobody says how long {} keeps its cache, so nothing expires", price.model)
            }
        })
    }
}
