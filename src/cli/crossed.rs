//! Messages about crossed thresholds at the end of an evaluation: each with its place in `suite.yaml` and the scenarios that contribute
//! most.

use std::path::PathBuf;

use crate::measure::MeasuredRun;
use crate::measure::numbers::grouped;
use crate::report::verdicts::Crossed;
use crate::report::{Header, ScenarioRecord};
use crate::scenario::place_of_threshold;
use crate::scenario::suite::Threshold;

/// The most scenarios to list for a threshold.
const NAMED: usize = 3;

/// The scenarios that contribute most to each threshold's metric.
pub(super) struct Contributions {
    /// The suite's file.
    file: PathBuf,
    /// In the order of the file.
    thresholds: Vec<Contribution>,
}

/// The scenarios that contribute most to one threshold.
struct Contribution {
    threshold: Threshold,
    unit: Unit,
    /// Contributions and names of scenarios, the largest first.
    largest: Vec<(u64, String)>,
}

/// The unit of a contribution.
#[derive(Clone, Copy)]
enum Unit {
    InputTokens,
    AnswersLackingFacts,
}

impl Contributions {
    pub(super) fn new(file: PathBuf, header: &Header) -> Contributions {
        let mut thresholds = Vec::with_capacity(header.thresholds.len());
        for threshold in &header.thresholds {
            let unit = Unit::of(&threshold.metric);
            thresholds.push(Contribution { threshold: threshold.clone(), unit, largest: Vec::new() });
        }
        Contributions { file, thresholds }
    }

    pub(super) fn add(&mut self, record: &ScenarioRecord) {
        for contribution in &mut self.thresholds {
            let name = contribution.threshold.strategy.as_str();
            let run = record.strategies.iter().find(|run| *run.name == *name);
            if let Some(number @ 1..) = run.map(|run| contribution.unit.count(run)) {
                contribution.add(number, &record.name);
            }
        }
    }

    /// The messages about these thresholds, in order.
    pub(super) fn lines(&self, crossed: &[Crossed]) -> Vec<String> {
        crossed.iter().flat_map(|crossed| self.of(crossed)).collect()
    }

    fn of(&self, crossed: &Crossed) -> Vec<String> {
        let at = self.thresholds.iter().position(|known| known.threshold == crossed.threshold);
        let path = self.file.display().to_string();
        let place = at.and_then(|at| place_of_threshold(&path, at));
        let mut lines = match place {
            Some(place) => {
                let mut lines = vec![format!("{path}:{}:{}: {crossed}", place.line, place.column)];
                lines.extend(place.to_string().lines().map(str::to_owned));
                lines
            }
            None => vec![crossed.to_string()],
        };
        lines.extend(at.and_then(|at| self.thresholds.get(at)?.in_words()));
        lines
    }
}

impl Contribution {
    fn add(&mut self, number: u64, name: &str) {
        let at = self.largest.partition_point(|(known, _)| *known >= number);
        if at < NAMED {
            self.largest.insert(at, (number, name.to_owned()));
            self.largest.truncate(NAMED);
        }
    }

    /// `most input tokens: long/audit (31,222), shop/orders (9,120)`
    fn in_words(&self) -> Option<String> {
        let named = self.largest.iter().map(|(number, name)| format!("{name} ({})", grouped(*number)));
        let named: Vec<String> = named.collect();
        (!named.is_empty()).then(|| format!("most {}: {}", self.unit.name(), named.join(", ")))
    }
}

impl Unit {
    /// The unit for a metric: answers lacking a fact for evidence, input tokens for size, cost and cache.
    fn of(metric: &str) -> Unit {
        let is_of_evidence = ["evidence", "lost", "short"].iter().any(|part| metric.contains(part));
        if is_of_evidence { Unit::AnswersLackingFacts } else { Unit::InputTokens }
    }

    fn count(self, run: &MeasuredRun) -> u64 {
        match self {
            Unit::InputTokens => run.input_tokens(),
            Unit::AnswersLackingFacts => {
                run.requests.iter().filter(|request| request.evidence.lacks_fact()).count() as u64
            }
        }
    }

    fn name(self) -> &'static str {
        match self {
            Unit::InputTokens => "input tokens",
            Unit::AnswersLackingFacts => "answers missing a fact",
        }
    }
}
