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
    /// The call that fetched the most dropped tokens again, with its scenario.
    #[serde(skip)]
    pub largest: Option<(String, Refetch)>,
    /// Facts dropped with the old history and used by an answer.
    #[serde(skip)]
    pub dropped: DroppedTexts,
    /// Instructions of a person dropped in the same way.
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

const TOO_FEW: &str = "too few to see a difference at equal age";
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
        let mut refetches = 0;
        for refetch in rework.after_loss() {
            self.refetched_tokens += u64::from(refetch.tokens);
            refetches += 1;
        }
        self.refetches += refetches;
        self.repeats += rework.refetches.len() as u64 - refetches;
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
        let Some(refetch) = rework.after_loss().max_by_key(|refetch| refetch.tokens) else { return };
        let known = match &self.largest {
            Some((_, known)) => known.tokens,
            None => 0,
        };
        if refetch.tokens > known {
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

    /// `used but no longer sent: stg-eu-west-7 of turn 1, in log@4; and 3 more`; `None` if no answer used a lost fact.
    pub fn dropped(&self) -> Option<String> {
        Some(format!("used but no longer sent: {}", self.dropped.list_texts("in", "")?))
    }

    /// `instructions no longer sent: "Push only to main." of the opening, since log@4; and 3 more`; `None` if all are sent.
    pub fn forgotten(&self) -> Option<String> {
        Some(format!("instructions no longer sent: {}", self.instructions.list_texts("since", "\"")?))
    }

    /// `largest: 14,489 tokens of turn 102, fetched again in 0002-host-1@117: Read({"file_path": "src/hooks.go"})`; `None` if no
    /// lost result was fetched again.
    pub fn most(&self) -> Option<String> {
        let (scenario, Refetch { turn, first, call, tokens, .. }) = self.largest.as_ref()?;
        let tokens = grouped(u64::from(*tokens));
        Some(format!(
            "largest: {tokens} tokens of turn {first}, fetched again in {scenario}@{turn}: {}",
            shortened_inside(call, CALL)
        ))
    }

    /// `$0.41 to $1.92 for the calls and the rewritten cache`; `None` without models.
    pub fn cost_of_compactions(&self) -> Option<String> {
        let costs = self.costs.first()?;
        let least = dollars(costs.compactions_least().dollars());
        let most = dollars(costs.compactions_most().dollars());
        let amount = if least == most { most } else { format!("{least} to {most}") };
        Some(match self.compactions.calls {
            0 => format!("{amount} for the rewritten cache"),
            _ => format!("{amount} for the calls and the rewritten cache"),
        })
    }

    /// `11 results fetched again after they were dropped ($0.74), 2 while still sent`
    pub fn refetched(&self) -> String {
        let (results, were) =
            if self.refetches == 1 { ("result", "it was") } else { ("results", "they were") };
        let cost = match self.costs.first() {
            Some(costs) if self.refetches > 0 => format!(" ({})", dollars(costs.refetched.dollars())),
            _ => String::new(),
        };
        let (refetches, repeats) = (grouped(self.refetches), grouped(self.repeats));
        format!("{refetches} {results} fetched again after {were} dropped{cost}, {repeats} while still sent")
    }

    /// How often lost and still shown results were fetched again, and whether the rates differ; `None` if
    /// none was lost.
    pub fn rates(&self) -> Option<String> {
        let Results { number, again } = self.gone;
        let [gone, gone_again, shown, shown_again] =
            [number, again, self.shown.number, self.shown.again].map(grouped);
        if number == 0 {
            return None;
        }
        Some(format!(
            "fetched again: {gone_again} of {gone} dropped results, {shown_again} of {shown} results still sent; {}",
            self.describe_difference()
        ))
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
        match self.compactions.without_output {
            0 => None,
            number => Some(format!("without the output of {}, which no log has", count_summaries(number))),
        }
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
        None => [const { Cell::Ratio(None) }; 6],
    };
    let mut cells: Vec<(String, Cell)> = COLUMNS.map(str::to_owned).into_iter().zip(counts).collect();
    for (model, name) in models.enumerate() {
        let values = match sums.and_then(|sums| sums.costs.get(model)) {
            Some(costs) => {
                [costs.refetched, costs.compactions_least(), costs.compactions_most()].map(Cell::Money)
            }
            None => [const { Cell::Ratio(None) }; 3],
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
        if self.first.len() == NAMED {
            self.others += 1;
            let is_new = self.first.iter().all(|known| known.scenario != scenario);
            let mut pairs = self.first.windows(2);
            match pairs.position(|pair| matches!(pair, [one, next] if one.scenario == next.scenario)) {
                Some(second) if is_new => drop(self.first.remove(second + 1)),
                _ => return,
            }
        }
        let (scenario, text) = (scenario.to_owned(), item.what.clone());
        self.first.push(DroppedText { scenario, turn, produced: item.turn, text });
    }

    /// Lists each text with its origin, and its request after `preposition`; `None` if there are no texts.
    fn list_texts(&self, preposition: &str, quote: &str) -> Option<String> {
        if self.first.is_empty() {
            return None;
        }
        let mut named = Vec::new();
        for DroppedText { scenario, turn, produced, text } in &self.first {
            let from = match produced {
                Some(produced) => format!("turn {produced}"),
                None => "the opening".to_owned(),
            };
            let text = shortened_inside(text, FACT);
            named.push(format!("{quote}{text}{quote} of {from}, {preposition} {scenario}@{turn}"));
        }
        if self.others > 0 {
            named.push(format!("and {} more", grouped(self.others)));
        }
        Some(named.join("; "))
    }
}
