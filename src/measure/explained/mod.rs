//! Explains what was billed for the requests of a log by what is counted in them: tokens before the conversation that the log
//! does not hold, the tokenizer of the model, and reasoning that is sent back.

pub mod fit;

use rustc_hash::FxHashMap;

use super::requests::Requests;
use super::sizes::{BilledAnswer, Sizes, TurnSize};
use crate::compression::{History, RECORDED, Request, TurnMemo, Variant};
use crate::messages::{MessageId, Table};
use crate::scenario::bills::{AnswerBill, AnswerBills, BilledModel};
use fit::{Fit, Point, Stretch};
use ptc_tokens::{REQUEST_OVERHEAD, Tokenizer};

/// Tokens that a request has read beyond others at least, if the difference is none of counting.
const LEAST_READ: f64 = 1_000.0;

/// The bills of the requests of a log, and how much of them is explained.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explained {
    /// Input tokens.
    pub billed: u64,
    /// Those of them that the explanation gives; what it gives beyond the bill counts against it.
    pub explained: u64,
    /// The difference of each request as a share of its bill.
    pub errors: Vec<f64>,
    /// The least and the most tokens before a conversation that the log does not hold.
    pub unlogged: (u32, u32),
    /// Models whose own tokenizer is not the one that counts.
    pub factors: Vec<ModelFactor>,
}

/// Tokens of a model for one that is counted.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelFactor {
    /// The name as the log spells it.
    pub model: String,
    pub factor: f64,
}

/// The answers that requests have with their reasoning. Providers differ, and change their rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reasoning {
    Never,
    /// Those after the last message of a person.
    UntilWords,
    Always,
}

impl Reasoning {
    /// The first rule of those that explain a log equally well is taken.
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
    counted: u64,
    /// Of the answers whose output is billed.
    shown: u64,
    output: u64,
    /// The turn of the last of these answers.
    turn: u32,
}

impl Sums {
    /// The sums up to the last one.
    fn of(sums: &[Sums]) -> Sums {
        sums.last().map_or(Sums::default(), |sum| *sum)
    }
}

/// A billed request with the sums over its messages.
struct BilledRequest<'b> {
    bill: &'b AnswerBill,
    counted: u64,
    /// Counted tokens before the first answer that loses its reasoning here, if reasoning is dropped with the words of a person.
    before_dropped: Option<u64>,
    /// By the rule of reasoning: what the answers with it show, and their output.
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
}

impl Explainer<'_> {
    /// The explanation, the sizes by which messages cost what was billed, and the output of the answers.
    pub fn explain(&self) -> (Explained, Sizes, Vec<u32>) {
        let words = self.words();
        let requests = self.as_recorded();
        let table = self.history.messages().table();
        let answers = self.billed_outputs();
        let billed = self.billed(&table, &requests, &answers, &words);
        let Some(best) = self.best(&billed) else {
            return (Explained::default(), Sizes::default(), self.output_tokens.to_vec());
        };
        let mut sizes = Sizes { turns: self.turns(&best, &words), ..Sizes::default() };
        let outputs = self.outputs(&sizes, &answers);
        let billed_answer = |(id, answer): (&MessageId, &AnswerOutput)| {
            let beside = sizes.scaled(table.row(*id).tokens().saturating_sub(answer.shown), answer.turn);
            let tokens = answer.output.saturating_add(beside);
            (*id, BilledAnswer { turn: answer.turn, tokens, model: answer.model })
        };
        sizes.answers = answers.iter().map(billed_answer).collect();
        (self.explained(&best), sizes, outputs)
    }

    /// The explanation under the rule of reasoning that leaves least unexplained.
    fn best(&self, billed: &[BilledRequest<'_>]) -> Option<Best> {
        let exact: Vec<bool> = self.bills.models.iter().map(|model| self.is_exact(model)).collect();
        let (numbers, count) = stretches(billed);
        let explanations = Reasoning::ALL.into_iter().enumerate().map(|(rule, reasoning)| {
            let mut stretches = vec![Stretch { model: 0, points: Vec::new() }; count];
            for (request, number) in billed.iter().zip(&numbers) {
                if let Some(stretch) = stretches.get_mut(*number) {
                    stretch.model = request.bill.model;
                    stretch.points.push(request.point(rule));
                }
            }
            let fit = Fit::of(&stretches, &exact);
            let requests = billed.iter().zip(&numbers).filter_map(|(request, number)| {
                Some(ExplainedRequest {
                    turn: request.bill.turn,
                    model: request.bill.model,
                    billed: request.bill.input_tokens,
                    unlogged: fit.constants.get(*number).copied()?,
                    residual: fit.residual(*number, stretches.get(*number)?, request.point(rule)),
                })
            });
            Best { requests: requests.collect(), reasoning, fit }
        });
        let possible =
            explanations.filter(|best| best.reasoning != Reasoning::UntilWords || !best.is_denied_by(billed));
        possible.min_by(|one, other| one.unexplained().total_cmp(&other.unexplained()))
    }

    /// The requests that the agent itself sent.
    fn as_recorded(&self) -> Requests {
        let (variant, memo) = (Variant::new(RECORDED), TurnMemo::default());
        let mut requests = Requests::default();
        for completed in 0..self.history.turns().len() {
            if let Ok(rendered) = variant.render_ids(&self.history.view(completed, Some(&memo))) {
                requests.push(Request::new(completed as u32 + 1, rendered, true));
            }
        }
        requests
    }

    /// For each turn, the last turn before it that a person replied to.
    fn words(&self) -> Vec<u32> {
        let mut last = 0;
        let turns = self.history.turns().iter().zip(1..).map(|(turn, number)| {
            let before = last;
            if turn.recorded.as_ref().is_some_and(|recorded| recorded.words().next().is_some()) {
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

    /// The answers whose output the log says. Claude Code logs what was streamed when a line was written, which is a small part
    /// of it; models have between 0.8 and 2 tokens for one that is counted.
    fn billed_outputs(&self) -> FxHashMap<MessageId, AnswerOutput> {
        let ids: Vec<Option<MessageId>> =
            self.history.whole().exchanges(0).map(|(_, exchange)| exchange.ids().first().copied()).collect();
        let mut answers = FxHashMap::default();
        for bill in &self.bills.answers {
            let index = bill.turn as usize - 1;
            let (Some(Some(id)), Some(shown)) = (ids.get(index), self.output_tokens.get(index)) else {
                continue;
            };
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

    /// The billed requests in order. To each model answers of others are what they show, so each has sums of its own.
    fn billed<'b>(
        &'b self,
        table: &Table,
        requests: &Requests,
        answers: &FxHashMap<MessageId, AnswerOutput>,
        words: &[u32],
    ) -> Vec<BilledRequest<'b>> {
        let models = 0..self.bills.models.len();
        let mut billed: Vec<BilledRequest<'b>> = models
            .flat_map(|model| {
                let own = answers.iter().filter(|(_, answer)| answer.model == model);
                let own = own.map(|(id, answer)| (*id, *answer)).collect();
                self.billed_by(model, table, requests, &own, words)
            })
            .collect();
        billed.sort_by_key(|request| request.bill.turn);
        billed
    }

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
            let is_appended = request.kept == sums.len();
            sums.truncate(request.kept);
            for id in &request.added {
                let mut sum = Sums::of(&sums);
                sum.counted += u64::from(table.row(*id).tokens());
                if let Some(answer) = answers.get(id) {
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
                billed.push(BilledRequest { bill, counted, before_dropped, with_reasoning });
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

    /// All turns. Those without a bill are like the one before, the first ones like the first one that has one.
    fn turns(&self, best: &Best, words: &[u32]) -> Vec<TurnSize> {
        let mut bills = best.requests.iter().peekable();
        let factor = |model: usize| best.fit.factors.get(model).copied().unwrap_or(1.0);
        let (mut model, mut unlogged) =
            best.requests.first().map_or((0, 0), |first| (first.model, first.unlogged));
        let turns = words.iter().zip(1..).map(|(words, turn)| {
            if let Some(bill) = bills.next_if(|bill| bill.turn == turn) {
                (model, unlogged) = (bill.model, bill.unlogged);
            }
            TurnSize { unlogged, reasoning_from: best.reasoning.from(*words), model, factor: factor(model) }
        });
        turns.collect()
    }

    fn explained(&self, best: &Best) -> Explained {
        let constants = || best.requests.iter().map(|request| request.unlogged);
        let mut all = Explained {
            unlogged: (constants().min().unwrap_or(0), constants().max().unwrap_or(0)),
            ..Explained::default()
        };
        for ExplainedRequest { billed, residual, .. } in &best.requests {
            let wrong = residual.abs().round() as u64;
            all.billed = all.billed.saturating_add(*billed);
            all.explained = all.explained.saturating_add(billed.saturating_sub(wrong));
            all.errors.push(residual.abs() / *billed as f64);
        }
        let models = self.bills.models.iter().zip(&best.fit.factors);
        let others = models.filter(|(model, _)| !self.is_exact(model));
        all.factors = others
            .map(|(model, factor)| ModelFactor { model: model.name.clone(), factor: *factor })
            .collect();
        all
    }
}

/// The explanation of the bills of a log under one rule of reasoning.
struct Best {
    reasoning: Reasoning,
    fit: Fit,
    requests: Vec<ExplainedRequest>,
}

struct ExplainedRequest {
    turn: u32,
    model: usize,
    billed: u64,
    unlogged: u32,
    /// Tokens that were billed beyond what is explained.
    residual: f64,
}

impl Best {
    /// Returns true if most requests that follow words of a person read answers from the cache that would have lost their
    /// reasoning with these words, so that they were other ones.
    fn is_denied_by(&self, billed: &[BilledRequest<'_>]) -> bool {
        let factor = |model: usize| self.fit.factors.get(model).copied().unwrap_or(1.0);
        let tested = billed.iter().zip(&self.requests).filter_map(|(request, explained)| {
            let (before, read) = (request.before_dropped?, request.bill.cached_tokens?);
            let readable = f64::from(explained.unlogged) + factor(explained.model) * before as f64;
            Some(read as f64 > readable + LEAST_READ)
        });
        let (denied, all) = tested.fold((0, 0), |(denied, all), is| (denied + usize::from(is), all + 1));
        denied * 2 > all
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

/// Counted tokens before the first answer from a turn on whose output is billed.
fn before_dropped(sums: &[Sums], turn: u32) -> Option<u64> {
    let at = sums.partition_point(|sum| sum.turn < turn);
    let before = at.checked_sub(1).and_then(|last| sums.get(last))?;
    (at < sums.len()).then_some(before.counted)
}

/// The tokens that the answers of a turn and later ones show, and those of their output.
fn since(sums: &[Sums], turn: u32) -> (u64, u64) {
    let (before, _) = sums.split_at(sums.partition_point(|sum| sum.turn < turn));
    let [before, all] = [before, sums].map(Sums::of);
    (all.shown - before.shown, all.output - before.output)
}

/// The number of the stretch of each request, and how many there are. An agent that goes back to a model sends what it sent
/// to it before.
fn stretches(billed: &[BilledRequest<'_>]) -> (Vec<usize>, usize) {
    let mut numbers: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    let of = billed.iter().map(|request| {
        let next = numbers.len();
        *numbers.entry((request.bill.changes, request.bill.model)).or_insert(next)
    });
    let of: Vec<usize> = of.collect();
    let count = numbers.len();
    (of, count)
}
