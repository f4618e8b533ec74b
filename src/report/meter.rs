//! Measures requests one after the other, as they are rendered. It keeps the numbers of each, and of its texts only the
//! pieces that no request had before. A few requests wait, so that tokens are counted many texts at a time.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;

use ecow::EcoString;
use memchr::memmem::Finder;
use rustc_hash::FxHashMap;

use super::evidence::{EvidenceFinder, Needs, Unproduced};
use super::measure::{BreakAt, Gauges, MeasuredRequest, MeasuredRun, RequestMessages};
use super::record::{BrokenRecord, FailureRecord, ScenarioRecord};
use super::texts::Texts;
use crate::agent::{Message, Native, Role, RunOutcome, Turn};
use crate::compression::{BrokenStrategy, Request};
use crate::scenario::Scenario;
use ptc_tokens::{Border, Counted, Key, Ledger, MESSAGE_OVERHEAD, REQUEST_OVERHEAD, Sent, common_bytes};
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of requests that may wait to be measured.
const WAITING: usize = 1 << 20;
/// Bytes of texts whose counts are kept at least; at most about twice as many.
const COUNTED: usize = 2 << 20;

/// The identity and the tokens of a part of a request that a provider caches as a whole.
type Block = (u64, u32);

/// Role, text, native fields and tokens of images: equal for messages that are the same.
type MessageKey = (Role, Key, Option<Arc<Native>>, u32);

/// Measures the requests of one scenario.
pub struct Meter<'m> {
    gauges: &'m Gauges<'m>,
    scenario: &'m Scenario,
    outcome: &'m RunOutcome,
    system: EcoString,
    needs: Needs,
    mission: Finder<'m>,
    output_tokens: Vec<u32>,
    /// Tokens of the declared tools, which stand before all messages.
    tools_tokens: u32,
    numbers: FxHashMap<MessageKey, u32>,
    texts: Texts,
    /// Of each distinct message.
    marks: Vec<Mark>,
    finder: EvidenceFinder,
    runs: Vec<MeasuredRun>,
    broken: Vec<BrokenRecord>,
    /// The requests of the present run.
    ledger: Ledger,
    /// The request before the next one.
    last: Option<Waiting>,
    waiting: Vec<Waiting>,
    /// Texts whose tokens nobody has counted, of the newest messages.
    uncounted: Vec<EcoString>,
    /// The texts that were counted last, and those before them.
    counted: [FxHashMap<u32, Counted>; 2],
    /// Bytes of the texts that were counted last, about.
    counted_bytes: usize,
    /// Bytes of what waits, about.
    weight: usize,
    /// The counts when the present run began.
    start: Start,
}

/// Properties of a message without its text.
#[derive(Clone)]
struct Mark {
    role: Role,
    is_blank: bool,
    has_mission: bool,
    native: Option<Arc<Native>>,
    /// With what the chat format adds.
    size: u32,
    /// The number of the message as a block.
    block: u64,
}

/// A request that is measured later.
struct Waiting {
    request: Request,
    numbers: Vec<u32>,
    /// The number of messages that it shares with the request before, and the first message of that one that differs.
    equal: usize,
    replaced: Option<Message>,
    replaced_number: u32,
}

/// Number of messages and pieces at some time.
#[derive(Clone, Copy, Default)]
struct Start {
    messages: usize,
    pieces: usize,
}

impl<'m> Meter<'m> {
    pub fn new(scenario: &'m Scenario, outcome: &'m RunOutcome, gauges: &'m Gauges<'m>) -> Meter<'m> {
        let responses: Vec<&str> = outcome.turns.iter().map(|turn| turn.raw_response.as_str()).collect();
        let counted = gauges.tokenizer.count_all(&responses);
        let count = |text: &str| u64::from(gauges.tokenizer.count(text));
        let of_calls = |turn: &Turn| {
            turn.recorded.as_ref().map_or(0, |recorded| recorded.answer.native_tokens(count) as u32)
        };
        let output_tokens =
            counted.iter().zip(outcome.turns.iter()).map(|(said, turn)| said.tokens() + of_calls(turn));
        let tools = scenario.agent.recorded.iter().flat_map(|recorded| &recorded.tools);
        Meter {
            gauges,
            scenario,
            outcome,
            system: scenario.agent.system_text(),
            needs: Needs::of(scenario, &outcome.turns),
            mission: Finder::new(&scenario.agent.mission),
            output_tokens: output_tokens.collect(),
            tools_tokens: tools.map(|tool| gauges.tokenizer.count(tool)).sum(),
            numbers: FxHashMap::default(),
            texts: Texts::default(),
            marks: Vec::new(),
            finder: EvidenceFinder::default(),
            runs: Vec::new(),
            broken: Vec::new(),
            ledger: Ledger::default(),
            last: None,
            waiting: Vec::new(),
            uncounted: Vec::new(),
            counted: Default::default(),
            counted_bytes: 0,
            weight: 0,
            start: Start::default(),
        }
    }

    /// Begins with the requests of the next strategy.
    pub fn begin(&mut self, strategy: &EcoString) {
        self.charge();
        self.last = None;
        self.runs.push(MeasuredRun { name: strategy.clone(), ..MeasuredRun::default() });
        self.start = Start { messages: self.marks.len(), pieces: self.texts.pieces.len() };
    }

    /// Adds the strategy's next request.
    pub fn add(&mut self, request: Request) {
        let before = self.waiting.last().or(self.last.as_ref());
        let equal =
            before.map_or(0, |before| Message::shared_start(&request.messages, &before.request.messages));
        let known = before.map_or(&[][..], |before| &before.numbers);
        let mut numbers = known.get(..equal).unwrap_or_default().to_vec();
        let replaced = before.and_then(|before| before.request.messages.get(equal)).cloned();
        let replaced_number = known.get(equal).copied().unwrap_or_default();
        for message in request.messages.iter().skip(equal) {
            numbers.push(self.number(message));
        }
        self.weight += size_of::<Message>() * numbers.len();
        self.waiting.push(Waiting { request, numbers, equal, replaced, replaced_number });
        if self.weight > WAITING {
            self.measure_waiting();
        }
    }

    /// The messages of the request that was added last; none before the strategy's first.
    pub fn last(&self) -> &[Message] {
        let last = self.waiting.last().or(self.last.as_ref());
        last.map_or(&[], |last| &last.request.messages)
    }

    /// Discards all requests of the strategy, which broke.
    pub fn discard(&mut self, broken: &BrokenStrategy) {
        let Start { messages, pieces } = self.start;
        self.measure_waiting();
        self.last = None;
        self.ledger = Ledger::default();
        if let Some(run) = self.runs.last_mut() {
            run.requests.clear();
            self.broken.push(BrokenRecord::new(&run.name, broken));
        }
        self.marks.truncate(messages);
        self.texts.truncate(messages, pieces);
        self.numbers.retain(|_, number| (*number as usize) < messages);
        self.finder = EvidenceFinder::default();
    }

    /// The record of the scenario, its snapshots not compared yet.
    pub fn finish(mut self, failures: &[FailureRecord], position: u64) -> ScenarioRecord {
        self.charge();
        let mut failures = failures.to_vec();
        failures.extend(self.needs.unproduced.iter().map(|need| unproduced(self.scenario, need)));
        if self.needs.unlisted > 0 {
            let (what, found) = ("needs".to_owned(), format!("{} more that none did", self.needs.unlisted));
            failures.push(FailureRecord::new(&self.scenario.origin, what, PRODUCED.to_owned(), found));
        }
        failures.extend(self.over_bounds());
        ScenarioRecord {
            failures,
            broken_strategies: self.broken,
            output_tokens: self.output_tokens,
            strategies: self.runs,
            ..ScenarioRecord::new(self.scenario, self.outcome, position, self.texts)
        }
    }

    /// Bounds of the scenario's `expect.tokens` that do not hold; strategies that did not run have none.
    fn over_bounds(&self) -> impl Iterator<Item = FailureRecord> {
        self.scenario.expect.tokens.iter().filter_map(move |(strategy, bounds)| {
            let most = bounds.max_total?;
            let found = self.runs.iter().find(|run| *run.name == **strategy)?.input_tokens();
            let what = format!("tokens.{strategy}.max_total");
            let failure = || {
                FailureRecord::new(&self.scenario.origin, what, format!("at most {most}"), found.to_string())
            };
            (found > most).then(failure)
        })
    }

    /// The number of a message, the next one if it is new.
    fn number(&mut self, message: &Message) -> u32 {
        let next = self.marks.len() as u32;
        let key = (message.role, Key::of(&message.content), message.native.clone(), message.image_tokens);
        let text = key.1;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            let is_system = message.role == Role::System && message.content == self.system;
            self.texts.push(message, is_system);
            let mut mark = Mark::of(message, &self.mission);
            mark.size = message.native_tokens(|text| self.gauges.tokenizer.count(text).into()) as u32;
            let is_text = message.native.is_none() && message.image_tokens == 0;
            mark.block = if is_text { id_of(message.role, text) } else { u64::from(number) + 1 };
            self.marks.push(mark);
            self.weight += message.content.len();
            self.uncounted.push(message.content.clone());
        }
        number
    }

    fn measure_waiting(&mut self) {
        self.count();
        for waiting in std::mem::take(&mut self.waiting) {
            let measured = self.measure(&waiting);
            if let Some(run) = self.runs.last_mut() {
                run.requests.push(measured);
            }
            self.last = Some(waiting);
        }
        self.weight = 0;
    }

    /// Ends the present run with the bills of its requests.
    fn charge(&mut self) {
        self.measure_waiting();
        let ledger = std::mem::take(&mut self.ledger);
        let Some(run) = self.runs.last_mut() else { return };
        for price in self.gauges.models {
            let (bills, other_costs) = ledger.bills(price, self.gauges.warm_system);
            run.other_costs.push(other_costs);
            run.requests.iter_mut().zip(bills).for_each(|(request, bill)| request.bills.push(bill));
        }
    }

    /// Counts the tokens of the newest messages.
    fn count(&mut self) {
        if self.uncounted.is_empty() {
            return;
        }
        let texts: Vec<&str> = self.uncounted.iter().map(EcoString::as_str).collect();
        let counted = self.gauges.tokenizer.count_all(&texts);
        let first = self.marks.len() - counted.len();
        for (mark, counted) in self.marks.iter_mut().skip(first).zip(&counted) {
            mark.size = mark.size.saturating_add(counted.tokens()).saturating_add(MESSAGE_OVERHEAD);
        }
        if self.counted_bytes > COUNTED {
            self.counted.swap(0, 1);
            self.counted[0].clear();
            self.counted_bytes = 0;
        }
        self.counted_bytes += self.weight;
        self.counted[0].extend((first as u32..).zip(counted));
        self.uncounted.clear();
    }

    fn measure(&mut self, waiting: &Waiting) -> MeasuredRequest {
        let Waiting { request, numbers, equal, .. } = waiting;
        let turn = self.runs.last().map_or(0, |run| run.requests.len());
        let marks = &self.marks;
        let marks = || numbers.iter().filter_map(|&number| marks.get(number as usize));
        let mut sizes: Vec<u32> = marks().map(|mark| mark.size).collect();
        if let Some(first) = sizes.first_mut() {
            *first = first.saturating_add(self.tools_tokens);
        }
        let input_tokens = sum(&sizes).saturating_add(REQUEST_OVERHEAD);
        let output_tokens = self.output_tokens.get(turn).copied().unwrap_or_default();
        let valid = find_refusal(marks()).is_none();
        let (prefix_tokens, break_at) = self.prefix(waiting, &sizes);
        if !self.gauges.models.is_empty() {
            let (blocks, borders) = self.blocks(waiting);
            let sent =
                Sent { blocks: &blocks, borders: &borders, prefix_tokens, input_tokens, output_tokens };
            self.ledger.add(sent);
        }
        let evidence = self.finder.examine(&self.needs, turn, numbers, &request.messages);
        MeasuredRequest {
            turn: request.turn,
            messages: RequestMessages {
                kept: *equal as u32,
                added: numbers.get(*equal..).unwrap_or_default().to_vec(),
            },
            input_tokens,
            output_tokens,
            prefix_tokens,
            break_at,
            evidence,
            hidden_tool_calls: request.hidden_tool_calls,
            valid,
            statistics: request.statistics.clone(),
            bills: Vec::with_capacity(self.gauges.models.len()),
        }
    }

    /// The request as blocks, and its borders by the number of blocks before each. A border inside a message cuts it.
    fn blocks(&self, waiting: &Waiting) -> (Vec<Block>, Vec<(Border, usize)>) {
        let Waiting { request: Request { messages, borders, .. }, numbers, .. } = waiting;
        let mut blocks: Vec<Block> = Vec::with_capacity(messages.len() + borders.len());
        blocks.extend((self.tools_tokens > 0).then_some((TOOLS, self.tools_tokens)));
        let (mut borders, mut found) = (borders.iter().peekable(), Vec::with_capacity(borders.len()));
        for (index, (message, &number)) in messages.iter().zip(numbers).enumerate() {
            while let Some(border) = borders.next_if(|border| border.messages == index && border.bytes == 0) {
                found.push((border.kind, blocks.len()));
            }
            let Some(mark) = self.marks.get(number as usize) else { continue };
            let (mut start, mut left) = (0, mark.size);
            let mut counted = None;
            while let Some(border) = borders.next_if(|border| border.messages == index) {
                let counted = counted.get_or_insert_with(|| self.counted(number, &message.content));
                let end = border.bytes as usize;
                // What the chat format adds, and images, count with the first block.
                let after = counted.tokens().saturating_sub(counted.up_to(end).1);
                let block = message.content.get(start..end).unwrap_or_default();
                blocks.push((id_of(message.role, Key::of(block)), left.saturating_sub(after)));
                (start, left) = (end, after);
                found.push((border.kind, blocks.len()));
            }
            let id = if start == 0 {
                mark.block
            } else {
                id_of(message.role, Key::of(message.content.get(start..).unwrap_or_default()))
            };
            blocks.push((id, left));
        }
        found.extend(borders.map(|border| (border.kind, blocks.len())));
        (blocks, found)
    }

    /// The tokens that a request shares with the start of the one before, and the first difference.
    fn prefix(&self, waiting: &Waiting, sizes: &[u32]) -> (u32, BreakAt) {
        let equal = waiting.equal;
        let whole = sum(sizes.iter().take(equal));
        let (Some(old), Some(new)) = (&waiting.replaced, waiting.request.messages.get(equal)) else {
            return (whole, BreakAt::Nowhere);
        };
        let whole = if equal == 0 { self.tools_tokens } else { whole };
        if old.role != new.role {
            return (whole, BreakAt::within(new, 0, equal));
        }
        let counted = self.counted(waiting.replaced_number, &old.content);
        let shared = self.gauges.tokenizer.shared_with(&counted, &old.content, &new.content);
        let difference = common_bytes(&old.content, &new.content);
        (whole.saturating_add(shared), BreakAt::within(new, difference, equal))
    }

    /// The tokens of the text of this message.
    fn counted<'a>(&'a self, number: u32, text: &str) -> Cow<'a, Counted> {
        let known = self.counted.iter().find_map(|counted| counted.get(&number)).map(Cow::Borrowed);
        known
            .unwrap_or_else(|| Cow::Owned(self.gauges.tokenizer.count_all(&[text]).pop().unwrap_or_default()))
    }
}

/// The number of the block of declared tools.
const TOOLS: u64 = 0;

/// The number of a block with this text.
fn id_of(role: Role, text: Key) -> u64 {
    xxh3_64(&text.to_bytes()) ^ role as u64
}

fn sum<'t>(tokens: impl IntoIterator<Item = &'t u32>) -> u32 {
    tokens.into_iter().fold(0, |sum, tokens| sum.saturating_add(*tokens))
}

impl Mark {
    fn of(message: &Message, mission: &Finder<'_>) -> Mark {
        Mark {
            role: message.role,
            is_blank: message.native.is_none() && message.content.trim().is_empty(),
            has_mission: message.role == Role::User && mission.find(message.content.as_bytes()).is_some(),
            native: message.native.clone(),
            size: 0,
            block: 0,
        }
    }
}

/// The expectation of an entry under `needs:`.
const PRODUCED: &str = "a text that an earlier turn produced";

/// The failure of a scenario that lists a text which no earlier turn produced.
fn unproduced(scenario: &Scenario, need: &Unproduced) -> FailureRecord {
    let Unproduced { turn, entry, text, near } = need;
    let list = match scenario.recorded {
        Some(_) => format!("needs.{turn}"),
        None => format!("responses[{}].needs", turn - 1),
    };
    let help = near.as_ref().map_or("remove it".to_owned(), |near| format!("did you mean '{near}'?"));
    let found = format!("{text:?}; {help}");
    FailureRecord::new(&scenario.origin, format!("{list}[{entry}]"), PRODUCED.to_owned(), found)
}

/// The reason why a chat model would refuse a request of these messages to an agent with a mission: `message 4 is empty`.
pub fn refusal(messages: &[Message], mission: &str) -> Option<String> {
    let mission = Finder::new(mission);
    let marks: Vec<Mark> = messages.iter().map(|message| Mark::of(message, &mission)).collect();
    find_refusal(marks.iter()).map(|(message, reason)| format!("message {message} {reason}"))
}

/// The number of a message that chat models do not accept, and the reason. They accept it if the user begins, and the
/// user or a tool ends the conversation; no two assistant messages follow each other; no message is empty; the results of
/// all calls of a message, and no others, follow it at once; the mission is there.
fn find_refusal<'m>(messages: impl Iterator<Item = &'m Mark>) -> Option<(usize, &'static str)> {
    let (mut before, mut has_mission, mut last) = (None, false, 0);
    let mut open: VecDeque<&EcoString> = VecDeque::new();
    for (number, message) in (1..).zip(messages) {
        let answered = match message.native.as_deref() {
            Some(Native::ResultOf(call)) => open.iter().position(|id| *id == call),
            _ => None,
        };
        let reason = match message.role {
            _ if message.is_blank => Some("is empty"),
            Role::Tool if answered.is_none() => Some("is the result of no call of the message before"),
            Role::Assistant if before.is_none() => Some("is the model's, and the user has said nothing yet"),
            Role::Assistant if before == Some(Role::Assistant) => Some("is the model's, as the one before"),
            Role::Tool => None,
            _ if !open.is_empty() => Some("comes before the results of all calls"),
            _ => None,
        };
        if let Some(reason) = reason {
            return Some((number, reason));
        }
        answered.and_then(|at| open.remove(at));
        open.extend(message.native.iter().flat_map(|native| native.calls()).map(|call| &call.id));
        has_mission |= message.has_mission;
        if before.is_some() || message.role != Role::System {
            before = Some(message.role);
        }
        last = number;
    }
    match before {
        _ if !open.is_empty() => Some((last, "has calls without results")),
        Some(Role::User | Role::Tool) if has_mission => None,
        Some(Role::User | Role::Tool) => Some((last, "is the last, and the mission is in none")),
        _ => Some((last, "is the last, and not the user's")),
    }
}
