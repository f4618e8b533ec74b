//! Cache misses of a logged conversation: input that the provider could have read from its cache but billed again, and why.

use super::call_dollars::{has_cache_counts, has_dollars, tokens};
use agent_logs::{LogTime, Transcript, TranscriptMessage, TranscriptRole, TranscriptUsage};
use ptc_prices::{GRACE, Price, TimeSpan};

/// Why input was not read from a cache although the previous request contained it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MissCause {
    /// There is no previous request.
    FirstRequest,
    /// The cache entry was unused for longer than its lifetime.
    Expired,
    /// The agent shortened its history.
    Compacted,
    ModelSwitched,
    System,
    Tools,
    Messages,
    /// Some part of the request changed; the log does not show which.
    Changed,
    /// The previous request neither read nor wrote the cache, so it had no cache breakpoint.
    NotMarked,
    /// A user message came, and the provider dropped the reasoning of the previous turn.
    ReasoningDropped,
    /// Nothing was read in the middle of a session after a short pause. By elimination: a new process or other settings.
    Cold,
    /// Less was read than was cached, without any event. Providers keep entries on a best-effort basis.
    NotKept,
}

impl MissCause {
    /// The cause as shown in reports.
    pub fn name(self) -> &'static str {
        match self {
            MissCause::FirstRequest => "first request",
            MissCause::Expired => "expired",
            MissCause::Compacted => "compacted",
            MissCause::ModelSwitched => "model switched",
            MissCause::System => "changed in system",
            MissCause::Tools => "tools changed",
            MissCause::Messages => "changed in messages",
            MissCause::Changed => "changed",
            MissCause::NotMarked => "not marked",
            MissCause::ReasoningDropped => "reasoning dropped",
            MissCause::Cold => "cold cache",
            MissCause::NotKept => "not kept",
        }
    }

    /// The cause given by the provider. For an expired cache, the provider reports `previous_message_not_found`.
    fn cause_in_log(reason: &str, is_compacted: bool) -> Option<MissCause> {
        match reason {
            "model_changed" => Some(MissCause::ModelSwitched),
            "system_changed" => Some(MissCause::System),
            "tools_changed" => Some(MissCause::Tools),
            "messages_changed" if is_compacted => Some(MissCause::Compacted),
            "messages_changed" => Some(MissCause::Messages),
            "previous_message_not_found" => Some(MissCause::Expired),
            _ => None,
        }
    }

    /// Returns true if times and models alone predict the miss. After a compaction or a change, the rest of the cache depends on data
    /// missing from logs.
    pub fn is_foreseen(self) -> bool {
        matches!(self, MissCause::Expired | MissCause::ModelSwitched)
    }

    /// Returns true if this cause, inferred without texts, matches the cause given by the provider.
    fn agrees_with(self, logged: MissCause) -> bool {
        let is_change = matches!(logged, MissCause::System | MissCause::Tools | MissCause::Messages);
        self == logged || self == MissCause::Changed && is_change
    }
}

/// A request of a log with its bill.
pub struct BilledRequest<'t> {
    pub usage: &'t TranscriptUsage,
    /// Index of its answer among the messages.
    pub message: usize,
    pub time: Option<LogTime>,
    /// The time when the answer was complete.
    ended: Option<LogTime>,
    /// Milliseconds since the previous answer. Counting from the answer fits the data: real sessions hit a 5-minute cache up to 302 seconds
    /// after the answer, and up to 332 seconds after the request.
    pub pause: Option<u64>,
    /// True for the first request after a user message.
    pub follows_person: bool,
    /// Reasoning tokens of the previous turn. Zero unless `follows_person`.
    pub reasoned: u64,
    /// Tokens left in the cache by the previous request.
    pub cached_before: u64,
    /// The first changed line of the system prompt, as it was in the previous request.
    pub changed_line: Option<&'t str>,
    /// The cause of a predictable miss, whatever the bill shows.
    pub foreseen: Option<MissCause>,
    /// Cached tokens that were not read, at most the unread input. For the first request: all unread input.
    pub missed: u64,
    /// The cause of the miss. `None` if almost nothing was missed.
    pub cause: Option<MissCause>,
    /// True if times and bills alone give the same cause as the provider. `None` if the provider gives none.
    pub agrees: Option<bool>,
}

impl BilledRequest<'_> {
    pub fn input(&self) -> u64 {
        tokens(self.usage).input
    }

    pub fn read(&self) -> u64 {
        tokens(self.usage).read
    }

    pub fn written(&self) -> u64 {
        tokens(self.usage).written
    }

    /// Tokens written with a lifetime of one hour.
    pub fn written_for_hour(&self) -> u64 {
        tokens(self.usage).written_long
    }

    pub fn fresh(&self) -> u64 {
        tokens(self.usage).fresh_tokens()
    }

    /// Tokens available to the next request. If the provider does not report cache writes, all input is assumed to be cached.
    pub fn left(&self) -> u64 {
        let kept = self.read() + self.written();
        if self.usage.cache_write_tokens.is_some() && kept > 0 { kept } else { self.input() }
    }
}

/// Tokens that may be missing without a cause: the agent moved its cache breakpoint, the cache is cut at its block size, or the tail was
/// not cached yet. In 15 public sessions with 2,200 requests up to 1,137 are missing (gpt-5.6-sol, in more than half of the requests); with
/// Claude up to 505, but at least 10,503 if there is a cause.
pub const FEW: u64 = 1500;
/// Divisor: up to 1/33 of the cached tokens may be missing without a cause.
const SMALL_SHARE: u64 = 33;

/// Lifetime in milliseconds of the cache entries written by a request at this price. A request without writes renews existing entries.
pub fn lifetime(price: &Price, request: &BilledRequest<'_>) -> Option<u64> {
    match (request.written(), request.written_for_hour()) {
        (1.., 1..) => price.long.map(|long| long.ttl.milliseconds()),
        (0, _) if price.long.is_some() => None,
        _ => price.ttl.map(TimeSpan::milliseconds),
    }
}

/// The billed requests of a transcript, in order. `ttl` returns the lifetime in milliseconds of the cache entries written by a request, if
/// known.
pub fn billed_requests<'t>(
    transcript: &'t Transcript,
    mut ttl: impl FnMut(&BilledRequest<'t>) -> Option<u64>,
) -> Vec<BilledRequest<'t>> {
    let mut requests: Vec<BilledRequest<'t>> = Vec::new();
    // Lifetime of the current cache entries.
    let mut kept: Option<u64> = None;
    let mut compactions = transcript.compactions.iter().peekable();
    let (mut follows_person, mut reasoning) = (false, 0);
    for (index, answer) in transcript.messages.iter().enumerate() {
        follows_person |= answer.role == TranscriptRole::User && !answer.is_observation;
        let Some(usage) = bill_of(answer) else { continue };
        let mut is_compacted = false;
        while compactions.next_if(|compaction| compaction.before <= index).is_some() {
            is_compacted = !requests.is_empty();
        }
        let last = requests.last();
        let pause = match (answer.time, last) {
            (Some(time), Some(BilledRequest { ended: Some(ended), .. })) => {
                Some(time.milliseconds_since(*ended))
            }
            _ => None,
        };
        let mut request = BilledRequest {
            usage,
            message: index,
            time: answer.time,
            ended: answer.ended(),
            pause,
            follows_person,
            reasoned: if std::mem::take(&mut follows_person) { std::mem::take(&mut reasoning) } else { 0 },
            cached_before: last.map_or(0, BilledRequest::left),
            changed_line: transcript.system_changes.get(&index).map(String::as_str),
            foreseen: None,
            missed: 0,
            cause: None,
            agrees: None,
        };
        let is_expired = matches!((pause, kept), (Some(pause), Some(kept)) if pause > kept);
        request.foreseen = match last {
            None => Some(MissCause::FirstRequest),
            Some(_) if is_compacted => Some(MissCause::Compacted),
            Some(last) if usage.model.is_some() && last.usage.model != usage.model => {
                Some(MissCause::ModelSwitched)
            }
            Some(_) if is_expired => Some(MissCause::Expired),
            Some(_) => None,
        };
        explain_miss(&mut request, last, is_compacted);
        // A request without writes renews the existing entries.
        kept = ttl(&request).map(|ttl| ttl + GRACE).or(kept);
        reasoning += usage.reasoning_tokens.unwrap_or(0);
        requests.push(request);
    }
    requests
}

/// The usage of an answer, if it has a cost. Many logs contain only sums, without cache counts.
fn bill_of(answer: &TranscriptMessage) -> Option<&TranscriptUsage> {
    if answer.role != TranscriptRole::Assistant {
        return None;
    }
    let usage = answer.usage.as_ref()?;
    if matches!(usage.input_tokens, Some(1..)) && has_dollars(usage) { Some(usage) } else { None }
}

/// Sets the missed tokens of a request, and the cause.
fn explain_miss(request: &mut BilledRequest<'_>, before: Option<&BilledRequest<'_>>, is_compacted: bool) {
    let beside = request.input() - request.read();
    if !has_cache_counts(request.usage) {
        return;
    }
    let Some(before) = before else {
        (request.missed, request.cause) = (beside, request.foreseen);
        return;
    };
    let missing = request.cached_before.saturating_sub(request.read());
    request.missed = missing.min(beside);
    let is_much = missing > FEW.max(request.cached_before / SMALL_SHARE);
    let has_no_marks = before.usage.cache_write_tokens.is_some() && before.read() + before.written() == 0;
    let inferred = match request.foreseen {
        _ if !is_much => None,
        Some(cause) => Some(cause),
        None if has_no_marks => Some(MissCause::NotMarked),
        None if request.changed_line.is_some() => Some(MissCause::System),
        None if request.written() > 0 => Some(MissCause::Changed),
        None if request.reasoned > 0 => Some(MissCause::ReasoningDropped),
        None if request.read() == 0 => Some(MissCause::Cold),
        None => Some(MissCause::NotKept),
    };
    request.cause = inferred;
    if let Some(reason) = request.usage.cache_miss.as_deref() {
        let logged = MissCause::cause_in_log(reason, is_compacted);
        request.agrees = Some(match (inferred, logged) {
            (Some(inferred), Some(logged)) => inferred.agrees_with(logged),
            (None, None) => reason == "none",
            _ => false,
        });
        request.cause = logged.or(inferred);
    }
}
