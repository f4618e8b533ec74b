//! Results that agents fetched again after a compaction: sums and sentences.

use ecow::EcoString;
use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::compression::cut::shortened_inside;
use crate::measure::MeasuredRequest;
use crate::measure::evidence::{EvidenceItem, EvidenceKind, Grade};
use crate::measure::numbers::{Cell, add_by_model, dollars, grouped};
use crate::measure::rework::{CompactionCosts, Rework, ReworkCosts};
use history_evidence::refetches::{Ages, Refetch, Results};
use ptc_prices::Money;

/// The rework of runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "rework of runs")]
pub struct ReworkSums {
    /// Calls that fetched again what their request no longer showed, and tokens of their results.
    pub refetches: u64,
    pub refetched_tokens: u64,
    /// Calls that fetched again what their request still showed.
    pub repeats: u64,
    pub shown: Results,
    pub gone: Results,
    pub ages: Ages,
    pub compactions: CompactionCosts,
    /// One a model, in the order of the models at the top.
    pub costs: Vec<ReworkCosts>,
    /// The scenario and the call that fetched most tokens again that were gone.
    #[serde(skip)]
    pub largest: Option<(String, Refetch)>,
    /// Facts that a request lacked because the agent had shortened its history, and that its answer used.
    #[serde(skip)]
    pub dropped: DroppedTexts,
    /// Instructions of a person that a request lacked for that reason.
    #[serde(skip)]
    pub instructions: DroppedTexts,
}

/// Texts missing from requests: the first few, from different runs if possible, and a count of the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DroppedTexts {
    first: Vec<DroppedText>,
    others: u64,
}

/// A text missing from an agent's request.
#[derive(Clone, Debug, PartialEq, Eq)]
struct DroppedText {
    scenario: String,
    /// The turn after the request.
    turn: u32,
    /// The turn that produced the text; `None` for the opening.
    produced: Option<u32>,
    text: EcoString,
}

const TOO_FEW: &str = "too few to tell a difference at equal age";
/// The widest confidence interval, as a ratio of its ends. A wider one says nothing.
const WIDEST: f64 = 100.0;
/// Characters shown of a call.
const CALL: usize = 80;
/// Characters shown of a fact.
const FACT: usize = 80;
/// The number of facts shown.
const NAMED: usize = 3;

/// Columns of `strategies.csv` with values for `as-recorded` only.
const COLUMNS: [&str; 6] = [
    "results_gone",
    "results_gone_again",
    "results_shown",
    "results_shown_again",
    "refetches",
    "refetched_tokens",
];
/// Further such columns, one set per model.
const MODEL_COLUMNS: [&str; 3] = ["cost_refetches", "cost_compactions_least", "cost_compactions_most"];

impl ReworkSums {
    pub fn add(&mut self, rework: &Rework) {
        let tokens = rework.after_loss().map(|refetch| u64::from(refetch.tokens));
        self.refetched_tokens += tokens.sum::<u64>();
        let refetches = rework.after_loss().count();
        self.refetches += refetches as u64;
        self.repeats += (rework.refetches.len() - refetches) as u64;
        for (sums, results) in [(&mut self.shown, rework.shown), (&mut self.gone, rework.gone)] {
            sums.number += results.number;
            sums.again += results.again;
        }
        self.ages.add(&rework.ages);
        self.compactions += rework.compactions;
        add_by_model(&mut self.costs, rework.costs.iter().copied());
    }

    /// Updates the largest call with those of a scenario.
    pub fn note_largest(&mut self, scenario: &str, rework: &Rework) {
        let known = self.largest.as_ref().map_or(0, |(_, refetch)| refetch.tokens);
        let largest = rework.after_loss().max_by_key(|refetch| refetch.tokens);
        if let Some(refetch) = largest.filter(|refetch| refetch.tokens > known) {
            self.largest = Some((scenario.to_owned(), refetch.clone()));
        }
    }

    /// Collects facts and instructions lost by a run's requests: the first answer that used each fact, and
    /// the first request without each instruction. Skips those a request may repeat in an unreadable text.
    pub fn note_dropped(&mut self, scenario: &str, requests: &[MeasuredRequest], rework: &Rework) {
        let mut known: FxHashSet<&str> = FxHashSet::default();
        for request in requests {
            for fact in &request.evidence.lost {
                // `needs:` may list texts the model never saw.
                let is_told = fact.turn.is_some() || fact.kind == EvidenceKind::Used;
                if fact.grade == Grade::Gone
                    && is_told
                    && is_dropped(fact, request, rework)
                    && known.insert(&fact.what)
                {
                    self.dropped.add(scenario, request.turn, fact);
                }
            }
            for instruction in &request.evidence.instructions {
                if is_dropped(instruction, request, rework) {
                    self.instructions.add(scenario, request.turn, instruction);
                }
            }
        }
    }

    /// `not in the request: stg-eu-west-7 of turn 1, which log@4 uses; and 3 more`; `None` if no answer used
    /// a lost fact.
    pub fn dropped(&self) -> Option<String> {
        let facts = self.dropped.list_lines(|place| format!("which {place} uses"))?;
        Some(format!("not in the request: {facts}"))
    }

    /// `instructions no longer sent: Push only to main. of the opening, from log@4 on; and 3 more`; `None` if
    /// all are sent.
    pub fn forgotten(&self) -> Option<String> {
        let instructions = self.instructions.list_lines(|place| format!("from {place} on"))?;
        Some(format!("instructions no longer sent: {instructions}"))
    }

    /// `most: 0002-host-1@117, 14,489 tokens of turn 102: Read({"file_path": "src/hooks.go"})`; `None` if no
    /// lost result was fetched again.
    pub fn most(&self) -> Option<String> {
        let (scenario, Refetch { turn, first, call, tokens, .. }) = self.largest.as_ref()?;
        let tokens = grouped(u64::from(*tokens));
        Some(format!(
            "most: {scenario}@{turn}, {tokens} tokens of turn {first}: {}",
            shortened_inside(call, CALL)
        ))
    }

    /// `$0.41 to $1.92 for the calls and the rewritten cache`; `None` without models.
    pub fn cost_of_compactions(&self) -> Option<String> {
        let costs = self.costs.first()?;
        let [least, most] = [costs.compactions_least(), costs.compactions_most()].map(Money::dollars);
        let amount = match [dollars(least), dollars(most)] {
            [least, most] if least == most => most,
            [least, most] => format!("{least} to {most}"),
        };
        Some(match self.compactions.calls {
            0 => format!("{amount} for the rewritten cache"),
            _ => format!("{amount} for the calls and the rewritten cache"),
        })
    }

    /// `11 results fetched again ($0.74; repeated anyway: 2)`
    pub fn refetched(&self) -> String {
        let results = if self.refetches == 1 { "result" } else { "results" };
        let costs = self.costs.first().filter(|_| self.refetches > 0);
        let cost = costs.map_or_else(String::new, |costs| dollars(costs.refetched.dollars()) + "; ");
        let (refetches, repeats) = (grouped(self.refetches), grouped(self.repeats));
        format!("{refetches} {results} fetched again ({cost}repeated anyway: {repeats})")
    }

    /// How often lost and still shown results were fetched again, and whether the rates differ; `None` if
    /// none was lost.
    pub fn rates(&self) -> Option<String> {
        let Results { number, again } = self.gone;
        let [gone, gone_again, shown, shown_again] =
            [number, again, self.shown.number, self.shown.again].map(grouped);
        let rates = format!(
            "fetched again: {gone_again} of {gone} results that were gone, {shown_again} of {shown} shown"
        );
        (number > 0).then(|| format!("{rates}; {}", self.describe_difference()))
    }

    fn describe_difference(&self) -> String {
        let Some(ratio) = self.ages.ratio() else {
            return TOO_FEW.to_owned();
        };
        let (least, most) = ratio.between;
        if most > WIDEST * least {
            return TOO_FEW.to_owned();
        }
        let text = format!("at equal age {:.1} times as often (95%: {least:.1} to {most:.1})", ratio.ratio);
        match ratio.is_no_difference() {
            true => text + ": no difference to be seen",
            false => text,
        }
    }

    /// Counts summaries with no output in the log.
    pub fn without_output(&self) -> Option<String> {
        let number = Some(self.compactions.without_output).filter(|number| *number > 0)?;
        Some(format!("the output of {} is in no log and not counted", count_summaries(number)))
    }
}

fn count_summaries(number: u64) -> String {
    if number == 1 { "1 summary".to_owned() } else { format!("{} summaries", grouped(number)) }
}

/// The rework columns of a strategy; empty cells without rework.
pub(super) fn cells<'m>(
    sums: Option<&ReworkSums>,
    models: impl Iterator<Item = &'m str>,
) -> Vec<(String, Cell)> {
    let counts = match sums {
        Some(sums) => [
            sums.gone.number,
            sums.gone.again,
            sums.shown.number,
            sums.shown.again,
            sums.refetches,
            sums.refetched_tokens,
        ]
        .map(Cell::Count),
        None => [(); 6].map(|()| Cell::Ratio(None)),
    };
    let mut cells: Vec<(String, Cell)> = COLUMNS.map(str::to_owned).into_iter().zip(counts).collect();
    for (model, name) in models.enumerate() {
        let values = match sums.and_then(|sums| sums.costs.get(model)) {
            Some(costs) => {
                [costs.refetched, costs.compactions_least(), costs.compactions_most()].map(Cell::Money)
            }
            None => [(); 3].map(|()| Cell::Ratio(None)),
        };
        cells.extend(MODEL_COLUMNS.map(|column| format!("{column}:{name}")).into_iter().zip(values));
    }
    cells
}

/// Returns true if the request surely lacks the item: no unreadable text may have repeated it.
fn is_dropped(item: &EvidenceItem, request: &MeasuredRequest, rework: &Rework) -> bool {
    // The opening counts as turn 0.
    !rework.may_have_told(item.turn.unwrap_or(0), request.turn)
}

impl DroppedTexts {
    /// Adds a text, or counts it if the list is full. The first text of a new run replaces the second text of
    /// another.
    fn add(&mut self, scenario: &str, turn: u32, item: &EvidenceItem) {
        let is_new = self.first.iter().all(|known| known.scenario != scenario);
        if self.first.len() == NAMED {
            self.others += 1;
            let second = self
                .first
                .windows(2)
                .position(|pair| matches!(pair, [one, next] if one.scenario == next.scenario));
            let Some(second) = second.filter(|_| is_new) else { return };
            self.first.remove(second + 1);
        }
        let (scenario, text) = (scenario.to_owned(), item.what.clone());
        self.first.push(DroppedText { scenario, turn, produced: item.turn, text });
    }

    /// Lists each text with its origin and its request, formatted by `of_place`; `None` if there are no
    /// texts.
    fn list_lines(&self, of_place: impl Fn(String) -> String) -> Option<String> {
        let named = self.first.iter().map(|DroppedText { scenario, turn, produced, text }| {
            let from = produced.map_or("the opening".to_owned(), |produced| format!("turn {produced}"));
            let text = shortened_inside(text, FACT);
            format!("{text} of {from}, {}", of_place(format!("{scenario}@{turn}")))
        });
        let more = (self.others > 0).then(|| format!("and {} more", grouped(self.others)));
        let named: Vec<String> = named.chain(more).collect();
        (!named.is_empty()).then(|| named.join("; "))
    }
}
