//! Explains what was billed for the requests of a log by what is counted in them. The difference has three sources: tokens
//! before the conversation that the log does not hold, the tokenizer of the model, and reasoning that is sent back.

pub mod fit;

use rustc_hash::FxHashMap;

use super::bill::InputDollars;
use super::sizes::{BilledAnswer, Sizes, TurnSize};
use crate::compression::{BuiltIn, Form, History, RECORDED, Request, STRATEGIES, TurnMemo, Variant, past_of};
use crate::scenario::bills::{AnswerBill, AnswerBills, BilledModel};
use conversation::{MessageId, Table};
use fit::{Fit, Point, Stretch};
use history_strategies::{Gauge, RequestGauge, Requests};
use ptc_prices::Price;
use ptc_tokens::{REQUEST_OVERHEAD, Tokenizer};

/// A request that read at least so many tokens beyond those that are explained read others: errors of counting are smaller.
const LEAST_READ: f64 = 1_000.0;

/// The share of the billed tokens that the requests of a log explain, below which they may not be what was sent. Those of 17 public
/// sessions explain 92.7 to 99.9%.
const RECORDED_SHARE: f64 = 0.9;
/// The share that the requests of a strategy explain at least if the agent runs it. Chosen, not measured.
const APPLIED_SHARE: f64 = 0.97;

/// The bills of the requests of a log, and how much of them is explained.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explained {
    /// Input tokens of all bills.
    pub billed: u64,
    /// Input tokens that the explanation gives. What it gives beyond a bill counts against it.
    pub explained: u64,
    /// For each request, the difference as a share of its bill.
    pub errors: Vec<f64>,
    /// The least and the most tokens before a conversation that the log does not hold.
    pub unlogged: (u32, u32),
    /// The factors of the models whose own tokenizer is not the one that counts.
    pub factors: Vec<ModelFactor>,
    /// Our own strategy whose requests explain the bills, if those that the log shows do not.
    pub applied: Option<&'static str>,
    /// Dollars that were billed and predicted for input. None if costs are not those of the models of the log.
    pub dollars: Option<InputDollars>,
}

/// An explanation, and everything that follows from it.
#[derive(Default)]
pub struct Explanation {
    pub explained: Explained,
    /// The sizes that make messages cost what was billed.
    pub(super) sizes: Sizes,
    /// The output tokens of each answer.
    pub outputs: Vec<u32>,
    /// The sizes of requests by which products decide when to shorten their history. None without an explanation.
    pub gauge: Option<Gauge>,
}

/// The tokens that a model counts for one that is counted here.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelFactor {
    /// The name as the log spells it.
    pub model: String,
    pub factor: f64,
}

/// A rule of a provider for the answers that stand in later requests with their reasoning. Providers differ, and change their
/// rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reasoning {
    Never,
    /// Answers after the last message of a person.
    UntilWords,
    Always,
}

impl Reasoning {
    /// All rules. Of those that explain a log equally well the first is taken.
    const ALL: [Reasoning; 3] = [Reasoning::Never, Reasoning::UntilWords, Reasoning::Always];

    /// The first turn whose answer has its reasoning, where the last words of a person came after the turn `words`.
    fn from(self, words: u32) -> u32 {
        match self {
            Reasoning::Never => u32::MAX,
            Reasoning::UntilWords => words + 1,
            Reasoning::Always => 0,
        }
    }
}

/// An answer whose output was billed.
#[derive(Clone, Copy)]
struct AnswerOutput {
    turn: u32,
    /// The index of the model that gave it.
    model: usize,
    /// Counted tokens of what it shows.
    shown: u32,
    output: u32,
}

/// Sums over the first messages of a request.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// Counted tokens.
    counted: u64,
    /// Counted tokens of what the answers with a billed output show.
    shown: u64,
    /// The billed output of these answers.
    output: u64,
    /// The turn of the last of these answers.
    turn: u32,
}

impl Sums {
    /// The sums over all messages. `sums` has the sums up to each of them.
    fn of(sums: &[Sums]) -> Sums {
        sums.last().map_or(Sums::default(), |sum| *sum)
    }
}

/// A billed request with the sums over its messages.
struct BilledRequest<'b> {
    bill: &'b AnswerBill,
    /// The number of its stretch.
    stretch: usize,
    counted: u64,
    /// Counted tokens before the first answer that loses its reasoning here under [`Reasoning::UntilWords`]. None if none does.
    before_dropped: Option<u64>,
    /// By the rule of reasoning: what the answers that are sent with it show, and their output.
    with_reasoning: [(u64, u64); 3],
}

/// The requests of a log that are explained.
pub struct Explainer<'e> {
    pub bills: &'e AnswerBills,
    pub history: &'e History<'e>,
    pub tokenizer: &'e Tokenizer,
    pub tools_tokens: u32,
    /// Counted tokens of each answer.
    pub output_tokens: &'e [u32],
    /// The price of the first model.
    pub price: Option<&'e Price>,
}

impl Explained {
    /// The share of the billed tokens that is explained.
    pub fn share(&self) -> f64 {
        if self.billed == 0 { 1.0 } else { self.explained as f64 / self.billed as f64 }
    }
}

impl Explainer<'_> {
    /// The explanation. If bills deny that the log has the requests as they were sent, they may be those of one of our own strategies.
    pub fn explain(&self) -> Explanation {
        let sent = self.explain_as(&Variant::new(RECORDED));
        if sent.explained.share() >= RECORDED_SHARE {
            return sent;
        }
        let mut best: Option<Explanation> = None;
        for strategy in STRATEGIES.iter().filter(|strategy| strategy.form == Form::Native) {
            for variant in self.variants(strategy) {
                let mut explanation = self.explain_as(&variant);
                let least = best.as_ref().map_or(APPLIED_SHARE, |best| best.explained.share());
                if explanation.explained.share() > least {
                    explanation.explained.applied = Some(strategy.name);
                    best = Some(explanation);
                }
            }
        }
        best.unwrap_or(sent)
    }

    /// A strategy with its defaults, and with the prices of the model, as `advise` prints it.
    fn variants<'s>(&self, strategy: &'s BuiltIn) -> Vec<Variant<'s>> {
        let plain = Variant::new(strategy);
        let price = self.price.filter(|price| price.input > 0.0);
        // Most strategies have no options for prices.
        let priced = price.and_then(|price| plain.clone().at_prices(price).ok());
        std::iter::once(plain).chain(priced).collect()
    }

    fn explain_as(&self, variant: &Variant<'_>) -> Explanation {
        let words = self.words();
        let requests = self.requests_of(variant);
        // Before the table is borrowed: it may still add messages.
        let answers = self.billed_outputs();
        let table = self.history.messages().table();
        let mut billed = self.billed(&table, &requests, &answers, &words);
        let stretches = number_stretches(&mut billed);
        let Some(best) = self.best(&billed, stretches) else {
            return Explanation { outputs: self.output_tokens.to_vec(), ..Explanation::default() };
        };
        let mut sizes = Sizes { turns: self.turns(&best, &words), ..Sizes::default() };
        let outputs = self.outputs(&sizes, &answers);
        let billed_answer = |(id, answer): (&MessageId, &AnswerOutput)| {
            let beside = sizes.scaled(table.row(*id).tokens().saturating_sub(answer.shown), answer.turn);
            let tokens = answer.output.saturating_add(beside);
            (*id, BilledAnswer { turn: answer.turn, tokens, model: answer.model })
        };
        sizes.answers = answers.iter().map(billed_answer).collect();
        let gauge = Some(self.gauge(&best, &sizes, &answers));
        Explanation { explained: self.explained(&best), sizes, outputs, gauge }
    }

    /// The explanation under the rule of reasoning that leaves least unexplained.
    fn best<'b>(&self, billed: &'b [BilledRequest<'b>], stretches: usize) -> Option<Best<'b>> {
        let exact: Vec<bool> = self.bills.models.iter().map(|model| self.is_exact(model)).collect();
        let mut best: Option<Best<'_>> = None;
        for (rule, reasoning) in Reasoning::ALL.into_iter().enumerate() {
            let explanation = Best::of(billed, stretches, (rule, reasoning), &exact);
            let is_possible = reasoning != Reasoning::UntilWords || !explanation.is_denied();
            let is_better = best.as_ref().is_none_or(|best| explanation.unexplained() < best.unexplained());
            if is_possible && is_better {
                best = Some(explanation);
            }
        }
        best
    }

    /// The requests of a strategy.
    fn requests_of(&self, variant: &Variant<'_>) -> Requests {
        let memo = TurnMemo::default();
        let mut requests = Requests::default();
        for completed in 0..self.history.whole().completed() {
            if let Ok(rendered) = variant.render_ids(&self.history.view(completed, Some(&memo))) {
                requests.push(Request::new(completed as u32 + 1, rendered, true));
            }
        }
        requests
    }

    /// For each turn, the last turn before it that a person replied to.
    fn words(&self) -> Vec<u32> {
        let mut last = 0;
        let turns = past_of(&self.history.whole()).turns().zip(1..).map(|(turn, number)| {
            let before = last;
            if turn.logged().is_some_and(|turn| turn.words().next().is_some()) {
                last = number;
            }
            before
        });
        turns.collect()
    }

    /// Returns true if the tokens of a model are those that are counted.
    fn is_exact(&self, model: &BilledModel) -> bool {
        model.tokenizer.as_deref() == Some(self.tokenizer.name())
    }

    /// The answers whose output the log says.
    fn billed_outputs(&self) -> FxHashMap<MessageId, AnswerOutput> {
        let ids: Vec<Option<MessageId>> =
            self.history.whole().exchanges(0).map(|(_, exchange)| exchange.ids().first().copied()).collect();
        let mut answers = FxHashMap::default();
        for bill in &self.bills.answers {
            let index = bill.turn as usize - 1;
            let (Some(Some(id)), Some(shown)) = (ids.get(index), self.output_tokens.get(index)) else {
                continue;
            };
            // Claude Code logs what was streamed when it wrote the line, which is a small part of the output. Models have between
            // 0.8 and 2 tokens for one that is counted, so less than three quarters is such a part.
            if let Some(output) =
                bill.output_tokens.filter(|output| u64::from(*output) * 4 >= u64::from(*shown) * 3)
            {
                answers.entry(*id).or_insert(AnswerOutput {
                    turn: bill.turn,
                    model: bill.model,
                    shown: *shown,
                    output,
                });
            }
        }
        answers
    }

    /// The billed requests in order.
    fn billed<'b>(
        &'b self,
        table: &Table,
        requests: &Requests,
        answers: &FxHashMap<MessageId, AnswerOutput>,
        words: &[u32],
    ) -> Vec<BilledRequest<'b>> {
        let mut billed: Vec<BilledRequest<'b>> = Vec::with_capacity(self.bills.answers.len());
        for model in 0..self.bills.models.len() {
            // A model is sent the answers of other models without their reasoning, so each model has sums of its own.
            let of_model = answers.iter().filter(|(_, answer)| answer.model == model);
            let of_model = of_model.map(|(id, answer)| (*id, *answer)).collect();
            billed.extend(self.billed_by(model, table, requests, &of_model, words));
        }
        billed.sort_by_key(|request| request.bill.turn);
        billed
    }

    /// The billed requests that one model answered. `answers` are those of this model.
    fn billed_by<'b>(
        &'b self,
        model: usize,
        table: &Table,
        requests: &Requests,
        answers: &FxHashMap<MessageId, AnswerOutput>,
        words: &[u32],
    ) -> Vec<BilledRequest<'b>> {
        let mut bills = self.bills.answers.iter().filter(|bill| bill.model == model).peekable();
        let mut sums: Vec<Sums> = Vec::new();
        let mut billed = Vec::with_capacity(self.bills.answers.len());
        let mut words_before = 0;
        for (request, words) in requests.iter().zip(words) {
            let is_appended = request.kept() == sums.len();
            sums.truncate(request.kept());
            for id in request.added() {
                let mut sum = Sums::of(&sums);
                sum.counted += u64::from(table.row(id).tokens());
                if let Some(answer) = answers.get(&id) {
                    sum.shown += u64::from(answer.shown);
                    sum.output += u64::from(answer.output);
                    sum.turn = answer.turn;
                }
                sums.push(sum);
            }
            if let Some(bill) = bills.next_if(|bill| bill.turn == request.turn) {
                let with_reasoning = Reasoning::ALL.map(|rule| since(&sums, rule.from(*words)));
                let counted =
                    Sums::of(&sums).counted + u64::from(self.tools_tokens) + u64::from(REQUEST_OVERHEAD);
                let is_dropped = is_appended && words_before < *words;
                let before_dropped = is_dropped.then(|| before_dropped(&sums, words_before + 1)).flatten();
                let before_dropped = before_dropped.map(|before| before + u64::from(self.tools_tokens));
                billed.push(BilledRequest { bill, stretch: 0, counted, before_dropped, with_reasoning });
            }
            words_before = *words;
        }
        billed
    }

    /// The output of each answer: as it was billed, or what it shows.
    fn outputs(&self, sizes: &Sizes, answers: &FxHashMap<MessageId, AnswerOutput>) -> Vec<u32> {
        let mut outputs: Vec<u32> =
            (1..).zip(self.output_tokens).map(|(turn, shown)| sizes.scaled(*shown, turn)).collect();
        for answer in answers.values() {
            if let Some(output) = outputs.get_mut(answer.turn as usize - 1) {
                *output = answer.output;
            }
        }
        outputs
    }

    /// The sizes of all turns. A turn without a bill is like the one before; turns before the first bill are like that one.
    fn turns(&self, best: &Best<'_>, words: &[u32]) -> Vec<TurnSize> {
        let mut bills = best.requests.iter().peekable();
        let factor = |model: usize| best.fit.factors.get(model).copied().unwrap_or(1.0);
        let (mut model, mut unlogged) =
            best.requests.first().map_or((0, 0), |first| (first.request.bill.model, first.unlogged));
        let turns = words.iter().zip(1..).map(|(words, turn)| {
            if let Some(billed) = bills.next_if(|billed| billed.request.bill.turn == turn) {
                (model, unlogged) = (billed.request.bill.model, billed.unlogged);
            }
            TurnSize { unlogged, reasoning_from: best.reasoning.from(*words), model, factor: factor(model) }
        });
        turns.collect()
    }

    /// The billed sizes of requests that leave out turns.
    fn gauge(&self, best: &Best<'_>, sizes: &Sizes, answers: &FxHashMap<MessageId, AnswerOutput>) -> Gauge {
        let mut reasoning = vec![0.0; sizes.turns.len() + 1];
        for AnswerOutput { turn, shown, output, .. } in answers.values() {
            let factor = sizes.turns.get(*turn as usize - 1).map_or(1.0, |turn| turn.factor);
            if let Some(beyond) = reasoning.get_mut(*turn as usize) {
                *beyond = f64::from(*output) - factor * f64::from(*shown);
            }
        }
        for index in 1..reasoning.len() {
            reasoning[index] += reasoning[index - 1];
        }
        let (mut bills, mut correction) = (best.requests.iter().peekable(), 1.0);
        let mut requests = Vec::with_capacity(sizes.turns.len());
        for (turn, size) in (1..).zip(&sizes.turns) {
            if let Some(billed) = bills.next_if(|billed| billed.request.bill.turn == turn) {
                correction = billed.correction();
            }
            requests.push(RequestGauge {
                unlogged: f64::from(size.unlogged),
                factor: size.factor,
                without_reasoning: (size.reasoning_from as usize).saturating_sub(1),
                correction,
            });
        }
        Gauge { requests, reasoning }
    }

    fn explained(&self, best: &Best<'_>) -> Explained {
        let constants = || best.requests.iter().map(|request| request.unlogged);
        let mut all = Explained {
            unlogged: (constants().min().unwrap_or(0), constants().max().unwrap_or(0)),
            ..Explained::default()
        };
        for ExplainedRequest { request, residual, .. } in &best.requests {
            let billed = request.bill.input_tokens;
            let wrong = residual.abs().round() as u64;
            all.billed = all.billed.saturating_add(billed);
            all.explained = all.explained.saturating_add(billed.saturating_sub(wrong));
            all.errors.push(residual.abs() / billed as f64);
        }
        let models = self.bills.models.iter().zip(&best.fit.factors);
        let estimated = models.filter(|(model, _)| !self.is_exact(model));
        all.factors = estimated
            .map(|(model, factor)| ModelFactor { model: model.name.clone(), factor: *factor })
            .collect();
        all
    }
}

/// The explanation of the bills of a log under one rule of reasoning.
struct Best<'b> {
    reasoning: Reasoning,
    fit: Fit,
    requests: Vec<ExplainedRequest<'b>>,
}

struct ExplainedRequest<'b> {
    request: &'b BilledRequest<'b>,
    /// Tokens before the conversation that the log does not hold.
    unlogged: u32,
    /// Tokens that were billed beyond what is explained.
    residual: f64,
}

impl ExplainedRequest<'_> {
    /// The billed tokens as a multiple of those that are explained.
    fn correction(&self) -> f64 {
        let billed = self.request.bill.input_tokens as f64;
        let explained = billed - self.residual;
        if explained > 0.0 { billed / explained } else { 1.0 }
    }
}

impl<'b> Best<'b> {
    /// The explanation under the rule at an index. `exact` says of each model whether its tokenizer is the one that counts.
    fn of(
        billed: &'b [BilledRequest<'b>],
        stretches: usize,
        (rule, reasoning): (usize, Reasoning),
        exact: &[bool],
    ) -> Best<'b> {
        let mut stretches = vec![Stretch { model: 0, points: Vec::new() }; stretches];
        for request in billed {
            let stretch = &mut stretches[request.stretch];
            stretch.model = request.bill.model;
            stretch.points.push(request.point(rule));
        }
        let fit = Fit::of(&stretches, exact);
        let mut requests = Vec::with_capacity(billed.len());
        for request in billed {
            let (number, point) = (request.stretch, request.point(rule));
            requests.push(ExplainedRequest {
                request,
                unlogged: fit.constants[number],
                residual: fit.residual(number, &stretches[number], point),
            });
        }
        Best { requests, reasoning, fit }
    }

    /// Returns true if most requests after words of a person read more from the cache than stands before the first answer
    /// that would have lost its reasoning with these words. Under this rule that answer is another text, which no cache has.
    fn is_denied(&self) -> bool {
        let factor = |model: usize| self.fit.factors.get(model).copied().unwrap_or(1.0);
        let (mut denied, mut tested) = (0, 0);
        for ExplainedRequest { request, unlogged, .. } in &self.requests {
            let (Some(before), Some(read)) = (request.before_dropped, request.bill.cached_tokens) else {
                continue;
            };
            let readable = f64::from(*unlogged) + factor(request.bill.model) * before as f64;
            denied += usize::from(read as f64 > readable + LEAST_READ);
            tested += 1;
        }
        denied * 2 > tested
    }

    fn unexplained(&self) -> f64 {
        self.requests.iter().map(|request| request.residual.abs()).sum()
    }
}

impl BilledRequest<'_> {
    fn point(&self, rule: usize) -> Point {
        let (shown, output) = self.with_reasoning.get(rule).map_or((0, 0), |pair| *pair);
        Point {
            counted: self.counted.saturating_sub(shown) as f64,
            billed: self.bill.input_tokens as f64 - output as f64,
        }
    }
}

/// Counted tokens before the first answer of this turn or a later one whose output is billed.
fn before_dropped(sums: &[Sums], turn: u32) -> Option<u64> {
    let at = sums.partition_point(|sum| sum.turn < turn);
    let before = at.checked_sub(1).and_then(|last| sums.get(last))?;
    (at < sums.len()).then_some(before.counted)
}

/// Tokens that the answers of this turn and of later ones show, and the tokens of their output.
fn since(sums: &[Sums], turn: u32) -> (u64, u64) {
    let (before, _) = sums.split_at(sums.partition_point(|sum| sum.turn < turn));
    let [before, all] = [before, sums].map(Sums::of);
    (all.shown - before.shown, all.output - before.output)
}

/// Gives each request the number of its stretch. Returns the number of stretches.
fn number_stretches(billed: &mut [BilledRequest<'_>]) -> usize {
    let mut numbers: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    for request in billed {
        let next = numbers.len();
        // An agent that goes back to a model sends to it what it sent to it before, so both times are one stretch.
        request.stretch = *numbers.entry((request.bill.changes, request.bill.model)).or_insert(next);
    }
    numbers.len()
}
