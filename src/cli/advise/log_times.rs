//! The times of logs, and how long the caches behind them kept their entries.

use crate::agent::pauses_of;
use crate::measure::MeasuredRun;
use crate::measure::numbers::{dollars, grouped};
use agent_logs::Transcript;
use ptc_prices::{Money, Price, TimeSpan};

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
            timed: u64::from(pauses_of(transcript, None).are_known()),
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

    /// True if there are conversations and fewer than half of them have times.
    pub(super) fn are_mostly_unknown(&self) -> bool {
        self.timed * 2 < self.conversations
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

/// The days of the first and the last message that have a time.
pub(super) fn days_of(transcript: &Transcript) -> Option<(i64, i64)> {
    let mut days = transcript.messages.iter().filter_map(|message| Some(message.time?.day()));
    let first = days.next()?;
    Some(days.fold((first, first), |(least, most), day| (least.min(day), most.max(day))))
}

/// The cost of conversations with times, and the days from the first to the last of them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DailyCost {
    cost: Money,
    days: Option<(i64, i64)>,
    /// Conversations, and those that have times.
    conversations: u64,
    timed: u64,
}

impl DailyCost {
    /// Adds a conversation with its days and its run under the baseline.
    pub(super) fn add(&mut self, days: Option<(i64, i64)>, run: Option<&MeasuredRun>) {
        self.conversations += 1;
        let Some((first, last)) = days else { return };
        self.timed += 1;
        let requests = run.map_or(&[][..], |run| &run.requests);
        self.cost += requests.iter().filter_map(|request| Some(request.bills.first()?.cost)).sum();
        let (least, most) = self.days.unwrap_or((first, last));
        self.days = Some((least.min(first), most.max(last)));
    }

    /// `$14.00 a day over 12 days`; none of a single day, which may not be over.
    pub(super) fn words(&self) -> Option<String> {
        let (first, last) = self.days?;
        let days = u64::try_from(last - first).ok().filter(|days| *days > 0)? + 1;
        let cost = Some(self.cost.dollars()).filter(|cost| *cost > 0.0)?;
        let part = if self.timed == self.conversations {
            String::new()
        } else {
            format!(" ({} of {} logs)", grouped(self.timed), grouped(self.conversations))
        };
        Some(format!("{} a day over {} days{part}", dollars(cost / days as f64), grouped(days)))
    }
}
