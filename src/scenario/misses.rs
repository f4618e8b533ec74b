//! The input of each billed request of a log that the provider could have read from its cache and did not, and why.

use super::call_dollars::{tells_cache, tells_dollars, tokens};
use agent_logs::{LogTime, Transcript, TranscriptMessage, TranscriptRole, TranscriptUsage};
use ptc_prices::{Price, TimeSpan};

/// Why input was not read from a cache although it stood in the request before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MissCause {
    /// No request stood before.
    FirstRequest,
    /// Nobody used it for longer than the cache keeps it.
    Expired,
    /// The agent shortened its history.
    Compacted,
    ModelSwitched,
    System,
    Tools,
    Messages,
    /// Something in the request was other than before; the log does not say what.
    Changed,
    /// The request before wrote nothing.
    NotMarked,
    /// A message of a person came, before which the provider drops the reasoning of the turn.
    ReasoningDropped,
    /// Nothing was read in the middle of a session, though little time had passed: by elimination a new process or other settings.
    Cold,
    /// Less was read than was left, without any event: providers keep entries as well as they can.
    NotKept,
}

impl MissCause {
    /// The cause for readers.
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

    /// The cause that the provider gives. It says of an expired cache that it does not find the message before.
    fn told(reason: &str, is_compacted: bool) -> Option<MissCause> {
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

    /// Returns true if times and models alone foresee the miss. What is left of the cache after a compaction or a change depends on
    /// what a log lacks.
    pub fn is_foreseen(self) -> bool {
        matches!(self, MissCause::Expired | MissCause::ModelSwitched)
    }

    /// Returns true if a rule that sees no texts gives this cause where the provider gives the other.
    fn agrees(self, told: MissCause) -> bool {
        let is_change = matches!(told, MissCause::System | MissCause::Tools | MissCause::Messages);
        self == told || self == MissCause::Changed && is_change
    }
}

/// A request of a log with its bill.
pub struct BilledRequest<'t> {
    pub usage: &'t TranscriptUsage,
    /// The index of its answer among the messages.
    pub message: usize,
    pub time: Option<LogTime>,
    /// When the answer was there.
    ended: Option<LogTime>,
    /// Milliseconds since the answer before: real sessions read what they wrote for 5 minutes until 302 seconds after it, and
    /// 332 after the request.
    pub pause: Option<u64>,
    /// True if it is the first request after a message of a person.
    pub follows_person: bool,
    /// Reasoning tokens of the turn before, for the first request after a message of a person.
    pub reasoned: u64,
    /// Tokens that the request before left in the cache.
    pub cached_before: u64,
    /// The first line of the system prompt that is another one than in the request before, as it was there.
    pub changed_line: Option<&'t str>,
    /// Why it must miss them, whatever its bill says.
    pub foreseen: Option<MissCause>,
    /// Those of them that it did not read; at most as many as it sent beside those that it read.
    pub missed: u64,
    /// Why; none if next to nothing was missed.
    pub cause: Option<MissCause>,
    /// True if times and bills alone give the cause that the provider gives; none if it gives none.
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

    /// Tokens that were written to be kept for an hour.
    pub fn written_for_hour(&self) -> u64 {
        tokens(self.usage).written_long
    }

    pub fn fresh(&self) -> u64 {
        tokens(self.usage).fresh()
    }

    /// Tokens that the next request may read. A provider that does not say what it wrote may have kept all.
    pub fn left(&self) -> u64 {
        let kept = self.read() + self.written();
        if self.usage.cache_write_tokens.is_some() && kept > 0 { kept } else { self.input() }
    }
}

/// Tokens that may be missing without a cause: the agent marks another message, the cache ends at a step of its own, or the tail
/// was not cached yet. In 15 public sessions with 2,200 requests up to 1,137 are missing so (gpt-5.6-sol, in more than half of the
/// requests); with Claude up to 505, and where there is a cause at least 10,503.
const FEW: u64 = 1500;
/// The divisor for the share of what could have been read that may be missing without a cause.
const SMALL_SHARE: u64 = 33;

/// Milliseconds for which caches keep entries beyond their lifetime. Public sessions read what they wrote for 5 minutes until 302
/// seconds after it, and no longer from 313 seconds on.
pub const GRACE: u64 = 7_000;

/// Milliseconds for which the cache keeps what a request wrote at this price. A request that writes nothing renews what is there.
pub fn lifetime(price: &Price, request: &BilledRequest<'_>) -> Option<u64> {
    match (request.written(), request.written_for_hour()) {
        (1.., 1..) => price.long.map(|long| long.ttl.milliseconds()),
        (0, _) if price.long.is_some() => None,
        _ => price.ttl.map(TimeSpan::milliseconds),
    }
}

/// The billed requests of a transcript, in order. `ttl` gives the milliseconds for which the cache keeps what a request wrote,
/// if it is known.
pub fn billed_requests<'t>(
    transcript: &'t Transcript,
    mut ttl: impl FnMut(&BilledRequest<'t>) -> Option<u64>,
) -> Vec<BilledRequest<'t>> {
    let mut requests: Vec<BilledRequest<'t>> = Vec::new();
    // How long what stands in the cache is kept.
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
        let pause = last.and_then(|last| Some(answer.time?.milliseconds_since(last.ended?)));
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
        let is_expired = pause.zip(kept).is_some_and(|(pause, kept)| pause > kept);
        let model = request.usage.model.as_ref();
        let is_switched = model.is_some() && last.is_some_and(|last| last.usage.model.as_ref() != model);
        request.foreseen = if last.is_none() {
            Some(MissCause::FirstRequest)
        } else if is_compacted {
            Some(MissCause::Compacted)
        } else if is_switched {
            Some(MissCause::ModelSwitched)
        } else {
            is_expired.then_some(MissCause::Expired)
        };
        explain(&mut request, last, is_compacted);
        // A request that writes nothing renews what is there.
        kept = ttl(&request).map(|ttl| ttl + GRACE).or(kept);
        reasoning += usage.reasoning_tokens.unwrap_or(0);
        requests.push(request);
    }
    requests
}

/// The bill of an answer whose dollars are known. Many logs have sums alone, which say nothing of the cache.
fn bill_of(answer: &TranscriptMessage) -> Option<&TranscriptUsage> {
    let usage = answer.usage.as_ref().filter(|_| answer.role == TranscriptRole::Assistant)?;
    usage.input_tokens.filter(|tokens| *tokens > 0 && tells_dollars(usage)).map(|_| usage)
}

/// Sets what a request missed, and why.
fn explain(request: &mut BilledRequest<'_>, before: Option<&BilledRequest<'_>>, is_compacted: bool) {
    let beside = request.input() - request.read();
    if !tells_cache(request.usage) {
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
    let own = is_much.then(|| match request.foreseen {
        Some(cause) => cause,
        None if has_no_marks => MissCause::NotMarked,
        None if request.changed_line.is_some() => MissCause::System,
        None if request.written() > 0 => MissCause::Changed,
        None if request.reasoned > 0 => MissCause::ReasoningDropped,
        None if request.read() == 0 => MissCause::Cold,
        None => MissCause::NotKept,
    });
    let reason = request.usage.cache_miss.as_deref();
    let told = reason.and_then(|reason| MissCause::told(reason, is_compacted));
    request.agrees = reason.map(|_| match (own, told) {
        (Some(own), Some(told)) => own.agrees(told),
        (own, told) => own.is_none() && told.is_none() && reason == Some("none"),
    });
    request.cause = told.or(own);
}
