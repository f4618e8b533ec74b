//! Compares the billed input tokens of a log with our token counts. Three things explain the difference:
//! unlogged tokens before the conversation (such as the system prompt), the model's tokenizer, and reasoning
//! sent back to the model.

mod fit;

pub use fit::median;

use rustc_hash::FxHashMap;

use crate::answer_bills::{AnswerBill, AnswerBills, BilledModel};
use crate::sizes::{BilledAnswer, Sizes, TurnSize};
use conversation::{MessageId, Table};
use fit::{Fit, Point, Stretch};
use history_strategies::{
    BuiltIn, Form, Gauge, History, RECORDED, Request, RequestGauge, Requests, STRATEGIES, TurnMemo, Variant,
};
use ptc_prices::Price;
use ptc_tokens::{REQUEST_OVERHEAD, Tokenizer};

/// Counting errors stay below this. A request that read this many tokens more than a rule of [`Reasoning`]
/// allows disproves the rule.
const LEAST_READ: f64 = 1_000.0;

/// Below this explained share of the billed tokens, the logged requests may not be what was sent. For 17
/// public sessions the share is 92.7 to 99.9%.
const RECORDED_SHARE: f64 = 0.9;
/// Minimum explained share for concluding that the agent runs a given strategy. Chosen, not measured.
const APPLIED_SHARE: f64 = 0.97;

/// The bills of a log's requests, and how well our [`Explanation`] fits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explained {
    /// Input tokens of all bills.
    pub billed: u64,
    /// Explained input tokens. Overshooting a bill is subtracted like undershooting it.
    pub explained: u64,
    /// Relative error of each request.
    pub errors: Vec<f64>,
    /// Minimum and maximum of the unlogged tokens before a conversation.
    pub unlogged: (u32, u32),
    /// Factors of the models with a tokenizer other than the counting one.
    pub factors: Vec<ModelFactor>,
    /// Our strategy whose requests explain the bills, when the logged requests do not.
    pub applied: Option<&'static str>,
    /// Billed and predicted dollars for input. `None` if costs are not computed with the prices of the log's
    /// models.
    pub dollars: Option<InputDollars>,
}

/// Dollars for the input of a log's requests, for [`AnswerBills`] with prices.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InputDollars {
    /// Dollars in the bills.
    pub billed: f64,
    /// Predicted from request sizes, times and the provider's caching rule. Copied from the bill for the first request, and for
    /// cache misses with an unknown reason.
    pub predicted: f64,
    /// Number of requests without a bill in the log.
    pub unbilled_requests: u64,
    /// Their dollars, computed from their sizes.
    pub unbilled: f64,
}

/// An explanation by an [`Explainer`], with the [`Sizes`] derived from it.
#[derive(Default)]
pub struct Explanation {
    /// How well the bills are explained.
    pub explained: Explained,
    /// Message sizes scaled to match the bills.
    pub sizes: Sizes,
    /// The output tokens of each answer.
    pub outputs: Vec<u32>,
    /// Request sizes as agents see them when they decide to shorten the history. `None` without an
    /// explanation.
    pub gauge: Option<Gauge>,
}

/// How many tokens a [`BilledModel`] counts per token counted here.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelFactor {
    /// The name as spelled in the log.
    pub model: String,
    /// Its tokens per token counted here.
    pub factor: f64,
}

/// A provider's rule for sending earlier reasoning back to the model. Rules differ between providers and
/// change over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reasoning {
    Never,
    /// Only for answers after the user's last message.
    UntilWords,
    Always,
}

impl Reasoning {
    /// All rules, by preference: the first wins a tie.
    const ALL: [Reasoning; 3] = [Reasoning::Never, Reasoning::UntilWords, Reasoning::Always];

    /// The first turn with reasoning in its answer, when the user's last message came after turn `words`.
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
    /// Index of the model.
    model: usize,
    /// Counted tokens of its visible text.
    shown: u32,
    output: u32,
}

/// Prefix sums: totals over the first messages of a request.
#[derive(Clone, Copy, Default)]
struct Sums {
    /// Counted tokens.
    counted: u64,
    /// Counted tokens of the visible text of answers with billed output.
    shown: u64,
    /// Billed output of these answers.
    output: u64,
    /// Turn of the last of these answers.
    turn: u32,
}

impl Sums {
    /// The totals over all messages, given the prefix sums.
    fn of(sums: &[Sums]) -> Sums {
        sums.last().map_or(Sums::default(), |sum| *sum)
    }
}

/// A billed request with the totals over its messages.
struct BilledRequest<'b> {
    bill: &'b AnswerBill,
    /// Index of its stretch, see [`Stretch`].
    stretch: usize,
    counted: u64,
    /// Counted tokens before the first answer whose reasoning is dropped here under
    /// [`Reasoning::UntilWords`]. `None` if none is dropped.
    before_dropped: Option<u64>,
    /// For each rule of [`Reasoning`], the visible tokens and the billed output of the answers sent with
    /// reasoning.
    with_reasoning: [(u64, u64); 3],
}

/// Explains the billed requests of a log by the [`AnswerBills`] in it.
pub struct Explainer<'e> {
    /// The bills.
    pub bills: &'e AnswerBills,
    /// The logged conversation.
    pub history: &'e History<'e>,
    /// Counts the tokens of texts.
    pub tokenizer: &'e Tokenizer,
    /// Counted tokens of the tool declarations.
    pub tools_tokens: u32,
    /// Counted tokens of each answer.
    pub output_tokens: &'e [u32],
    /// Price of the first model.
    pub price: Option<&'e Price>,
}

impl Explained {
    /// The explained share of the billed tokens.
    pub fn share(&self) -> f64 {
        if self.billed == 0 { 1.0 } else { self.explained as f64 / self.billed as f64 }
    }
}

impl Explainer<'_> {
    /// Explains the bills. If the logged requests do not match them, tries the requests of our own
    /// strategies.
    pub fn explain(&self) -> Explanation {
        let sent = self.explain_as(&Variant::new(RECORDED));
        if sent.explained.share() >= RECORDED_SHARE {
            return sent;
        }
        let mut best: Option<Explanation> = None;
        for strategy in STRATEGIES.iter().filter(|strategy| strategy.form == Form::Native) {
            for variant in self.list_variants(strategy) {
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

    /// A strategy with its defaults, and with options set for the model's price, as printed by `advise`.
    fn list_variants<'s>(&self, strategy: &'s BuiltIn) -> Vec<Variant<'s>> {
        let plain = Variant::new(strategy);
        let price = self.price.filter(|price| price.input > 0.0);
        // Most strategies have no options for prices.
        let priced = price.and_then(|price| plain.clone().at_prices(price).ok());
        std::iter::once(plain).chain(priced).collect()
    }

    fn explain_as(&self, variant: &Variant<'_>) -> Explanation {
        let words = self.count_words();
        let requests = self.requests_of(variant);
        // Must run before the table is borrowed, because it may still add messages.
        let answers = self.billed_outputs();
        let table = self.history.messages().table();
        let mut billed = self.match_bills(&table, &requests, &answers, &words);
        let stretches = number_stretches(&mut billed);
        let Some(best) = self.find_best(&billed, stretches) else {
            return Explanation { outputs: self.output_tokens.to_vec(), ..Explanation::default() };
        };
        let mut sizes = Sizes { turns: self.size_turns(&best, &words), ..Sizes::default() };
        let outputs = self.output_tokens(&sizes, &answers);
        for (id, answer) in &answers {
            let beside = sizes.scaled(table.row(*id).tokens().saturating_sub(answer.shown), answer.turn);
            let tokens = answer.output.saturating_add(beside);
            let billed = BilledAnswer { turn: answer.turn, tokens, model: answer.model };
            sizes.answers.insert(*id, billed);
        }
        let gauge = Some(self.make_gauge(&best, &sizes, &answers));
        Explanation { explained: self.sum_up(&best), sizes, outputs, gauge }
    }

    /// The explanation under the rule with the smallest error.
    fn find_best<'b>(&self, billed: &'b [BilledRequest<'b>], stretches: usize) -> Option<Best<'b>> {
        let exact: Vec<bool> = self.bills.models.iter().map(|model| self.is_exact(model)).collect();
        let mut best: Option<Best<'_>> = None;
        for (rule, reasoning) in Reasoning::ALL.into_iter().enumerate() {
            let explanation = Best::of_rule(billed, stretches, (rule, reasoning), &exact);
            let is_possible = reasoning != Reasoning::UntilWords || !explanation.is_denied();
            let is_better = best.as_ref().is_none_or(|best| explanation.unexplained() < best.unexplained());
            if is_possible && is_better {
                best = Some(explanation);
            }
        }
        best
    }

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

    /// For each turn, the last earlier turn followed by a user message; 0 if there is none.
    fn count_words(&self) -> Vec<u32> {
        let mut last = 0;
        let turns = self.history.whole().turns().iter().zip(1..).map(|(turn, number)| {
            let before = last;
            if turn.words().next().is_some() {
                last = number;
            }
            before
        });
        turns.collect()
    }

    /// Returns true if we count with the model's own tokenizer.
    fn is_exact(&self, model: &BilledModel) -> bool {
        model.tokenizer.as_deref() == Some(self.tokenizer.name())
    }

    /// Answers with a logged output count, by message.
    fn billed_outputs(&self) -> FxHashMap<MessageId, AnswerOutput> {
        let ids: Vec<Option<MessageId>> =
            self.history.whole().exchanges(0).map(|(_, exchange)| exchange.ids().first().copied()).collect();
        let mut answers = FxHashMap::default();
        for bill in &self.bills.answers {
            let index = bill.turn as usize - 1;
            let (Some(Some(id)), Some(shown)) = (ids.get(index), self.output_tokens.get(index)) else {
                continue;
            };
            // Claude Code writes the line while the response is streaming, so its output count may cover only
            // a small part. Models count between 0.8 and 2 tokens per token counted here, so less than three
            // quarters means a partial count.
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

    /// All billed requests, by turn.
    fn match_bills<'b>(
        &'b self,
        table: &Table,
        requests: &Requests,
        answers: &FxHashMap<MessageId, AnswerOutput>,
        words: &[u32],
    ) -> Vec<BilledRequest<'b>> {
        let mut billed: Vec<BilledRequest<'b>> = Vec::with_capacity(self.bills.answers.len());
        for model in 0..self.bills.models.len() {
            // A model receives the answers of other models without reasoning, so sums are kept per model.
            let of_model = answers.iter().filter(|(_, answer)| answer.model == model);
            let of_model = of_model.map(|(id, answer)| (*id, *answer)).collect();
            billed.extend(self.billed_by(model, table, requests, &of_model, words));
        }
        billed.sort_by_key(|request| request.bill.turn);
        billed
    }

    /// The billed requests of one model. `answers` contains only the answers of this model.
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
                let with_reasoning = Reasoning::ALL.map(|rule| sum_since(&sums, rule.from(*words)));
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

    /// The output tokens of each answer: billed if known, else scaled from the visible text.
    fn output_tokens(&self, sizes: &Sizes, answers: &FxHashMap<MessageId, AnswerOutput>) -> Vec<u32> {
        let mut outputs: Vec<u32> =
            (1..).zip(self.output_tokens).map(|(turn, shown)| sizes.scaled(*shown, turn)).collect();
        for answer in answers.values() {
            if let Some(output) = outputs.get_mut(answer.turn as usize - 1) {
                *output = answer.output;
            }
        }
        outputs
    }

    /// The sizes of all turns. A turn without a bill copies the one before; turns before the first bill copy
    /// the first.
    fn size_turns(&self, best: &Best<'_>, words: &[u32]) -> Vec<TurnSize> {
        let mut bills = best.requests.iter().peekable();
        let (mut model, mut unlogged) =
            best.requests.first().map_or((0, 0), |first| (first.request.bill.model, first.unlogged));
        let turns = words.iter().zip(1..).map(|(words, turn)| {
            if let Some(billed) = bills.next_if(|billed| billed.request.bill.turn == turn) {
                (model, unlogged) = (billed.request.bill.model, billed.unlogged);
            }
            let factor = best.fit.factors.get(model).copied().unwrap_or(1.0);
            TurnSize { unlogged, reasoning_from: best.reasoning.from(*words), model, factor }
        });
        turns.collect()
    }

    /// The billed sizes of requests that leave out turns.
    fn make_gauge(
        &self,
        best: &Best<'_>,
        sizes: &Sizes,
        answers: &FxHashMap<MessageId, AnswerOutput>,
    ) -> Gauge {
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
        Gauge::new(requests, reasoning)
    }

    fn sum_up(&self, best: &Best<'_>) -> Explained {
        let least = best.requests.iter().map(|request| request.unlogged).min();
        let most = best.requests.iter().map(|request| request.unlogged).max();
        let unlogged = (least.unwrap_or(0), most.unwrap_or(0));
        let mut all = Explained { unlogged, ..Explained::default() };
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

/// An explanation of a log's bills under one rule of reasoning.
struct Best<'b> {
    reasoning: Reasoning,
    fit: Fit,
    requests: Vec<ExplainedRequest<'b>>,
}

struct ExplainedRequest<'b> {
    request: &'b BilledRequest<'b>,
    /// Unlogged tokens before the conversation.
    unlogged: u32,
    /// Billed minus explained tokens.
    residual: f64,
}

impl ExplainedRequest<'_> {
    /// The ratio of billed to explained tokens.
    fn correction(&self) -> f64 {
        let billed = self.request.bill.input_tokens as f64;
        let explained = billed - self.residual;
        if explained > 0.0 { billed / explained } else { 1.0 }
    }
}

impl<'b> Best<'b> {
    /// Fits the bills under `reasoning`, the rule at index `rule`. `exact` is true for each model with the
    /// counting tokenizer.
    fn of_rule(
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
        let fit = Fit::fit_stretches(&stretches, exact);
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

    /// Returns true if the cache reads disprove [`Reasoning::UntilWords`]. Under this rule a user message
    /// changes earlier answers by dropping their reasoning, so the cache can only serve what comes before the
    /// first such answer. The rule is disproved when most requests after a user message read more.
    fn is_denied(&self) -> bool {
        let (mut denied, mut tested) = (0, 0);
        for ExplainedRequest { request, unlogged, .. } in &self.requests {
            let (Some(before), Some(read)) = (request.before_dropped, request.bill.cached_tokens) else {
                continue;
            };
            let factor = self.fit.factors.get(request.bill.model).copied().unwrap_or(1.0);
            let readable = f64::from(*unlogged) + factor * before as f64;
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

/// Counted tokens before the first answer of turn `turn` or later. `None` if there is no such answer with
/// billed output.
fn before_dropped(sums: &[Sums], turn: u32) -> Option<u64> {
    let at = sums.partition_point(|sum| sum.turn < turn);
    let before = at.checked_sub(1).and_then(|last| sums.get(last))?;
    (at < sums.len()).then_some(before.counted)
}

/// Visible and billed output tokens of the answers from turn `turn` on.
fn sum_since(sums: &[Sums], turn: u32) -> (u64, u64) {
    let (before, _) = sums.split_at(sums.partition_point(|sum| sum.turn < turn));
    let [before, all] = [before, sums].map(Sums::of);
    (all.shown - before.shown, all.output - before.output)
}

/// Sets the stretch index of each request. Returns the number of stretches.
fn number_stretches(billed: &mut [BilledRequest<'_>]) -> usize {
    let mut numbers: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    for request in billed {
        let next = numbers.len();
        // When an agent returns to an earlier model, it sends the same unlogged tokens as before, so both
        // periods share a stretch.
        request.stretch = *numbers.entry((request.bill.changes, request.bill.model)).or_insert(next);
    }
    numbers.len()
}
