//! Times in logs, and the lifetime of cache entries.

use crate::agent::pauses_of;
use crate::measure::MeasuredRun;
use crate::measure::numbers::{dollars, grouped};
use agent_logs::Transcript;
use ptc_prices::{Money, Price, TimeSpan};

/// Anthropic's longer cache lifetime, in seconds.
const HOUR: u32 = 3600;

/// Cache assumptions for a suite made from logs.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::cli) struct Cached {
    /// The lifetime of cache entries.
    pub(super) ttl: Option<TimeSpan>,
    /// The pause before each user message in conversations without times.
    pub(super) pause: Option<TimeSpan>,
}

impl Cached {
    /// The lines for the suite's file.
    pub(super) fn settings(self) -> String {
        let mut lines = String::new();
        for (key, span) in [("ttl", self.ttl), ("pause", self.pause)] {
            if let Some(span) = span {
                lines += &format!("{key}: {span}\n");
            }
        }
        lines
    }
}

/// How many conversations have times, and how long their cache entries live.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LogTimes {
    conversations: u64,
    /// Conversations with times.
    timed: u64,
    /// Tokens written to caches, and those written with a lifetime of an hour.
    written: u64,
    written_for_hour: u64,
}

impl LogTimes {
    pub(super) fn of_transcript(transcript: &Transcript) -> LogTimes {
        let timed = u64::from(pauses_of(transcript, None).are_known());
        let mut times = LogTimes { conversations: 1, timed, ..LogTimes::default() };
        for usage in transcript.answers().filter_map(|answer| answer.usage.as_ref()) {
            times.written += usage.cache_write_tokens.unwrap_or(0);
            times.written_for_hour += usage.cache_write_1h_tokens.unwrap_or(0);
        }
        times
    }

    pub(super) fn add(&mut self, other: LogTimes) {
        self.conversations += other.conversations;
        self.timed += other.timed;
        self.written += other.written;
        self.written_for_hour += other.written_for_hour;
    }

    /// Returns true if fewer than half of the conversations have times.
    pub(super) fn are_mostly_unknown(&self) -> bool {
        self.timed * 2 < self.conversations
    }

    /// An hour, if most tokens were written with this lifetime.
    pub(super) fn ttl(&self) -> Option<TimeSpan> {
        if self.written_for_hour > self.written / 2 { TimeSpan::of_seconds(HOUR) } else { None }
    }

    /// Returns true if tokens were written to caches for less than an hour.
    pub(super) fn has_short_writes(&self) -> bool {
        self.written > self.written_for_hour
    }

    /// A line on pauses and the cache lifetime of the model used for prices. `None` without conversations.
    pub(super) fn line(&self, assumed: Option<TimeSpan>, price: Option<&Price>) -> Option<String> {
        let untimed = self.conversations - self.timed;
        let pauses = match (self.timed, untimed, assumed) {
            (0, 0, _) => return None,
            (0, _, None) => return Some("no pauses: the logs have no times".to_owned()),
            (0, _, Some(span)) => format!("pauses: {} before each message of a person", span.words()),
            (_, 0, _) => "pauses: as in the logs".to_owned(),
            (timed, _, None) => format!("pauses: as in {timed} of {} logs", self.conversations),
            (_, untimed, Some(span)) => format!(
                "pauses: as in the logs; {} before each message of a person in {untimed} without times",
                span.words()
            ),
        };
        let Some(price) = price else { return Some(pauses) };
        Some(match price.ttl {
            Some(ttl) => format!("{pauses}; {} keeps its cache for {}", price.model, ttl.words()),
            None => {
                format!(
                    "{pauses}; the cache lifetime of {} is unknown, so it never expires here",
                    price.model
                )
            }
        })
    }
}

/// The days of the first and last message with a time.
pub(super) fn days_of(transcript: &Transcript) -> Option<(i64, i64)> {
    let mut days = transcript.messages.iter().filter_map(|message| Some(message.time?.day()));
    let first = days.next()?;
    Some(days.fold((first, first), |(least, most), day| (least.min(day), most.max(day))))
}

/// The cost of conversations with times, and their first and last day.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DailyCost {
    cost: Money,
    days: Option<(i64, i64)>,
    /// All conversations, and those with times.
    conversations: u64,
    timed: u64,
}

impl DailyCost {
    /// Adds a conversation with its days and its run under the baseline.
    pub(super) fn add(&mut self, days: Option<(i64, i64)>, run: Option<&MeasuredRun>) {
        self.conversations += 1;
        let Some((first, last)) = days else { return };
        self.timed += 1;
        for request in run.into_iter().flat_map(|run| &run.requests) {
            if let Some(bill) = request.bills.first() {
                self.cost += bill.cost;
            }
        }
        let (least, most) = self.days.unwrap_or((first, last));
        self.days = Some((least.min(first), most.max(last)));
    }

    /// `$14.00 a day over 12 days`. `None` for a single day, because it may not be over.
    pub(super) fn words(&self) -> Option<String> {
        let (first, last) = self.days?;
        let (days, cost) = (u64::try_from(last - first).ok()? + 1, self.cost.dollars());
        if days == 1 || cost <= 0.0 {
            return None;
        }
        let part = if self.timed == self.conversations {
            String::new()
        } else {
            format!(" ({} of {} logs)", grouped(self.timed), grouped(self.conversations))
        };
        Some(format!("{} a day over {} days{part}", dollars(cost / days as f64), grouped(days)))
    }
}
