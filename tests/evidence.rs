//! Evidence of small runs. Each `tests/evidence/*.yaml` has what its answers need beside it, and what strategies show of
//! that; `PTC_EVAL_BLESS=1` rewrites it.

use std::fmt::Write;
use std::path::Path;

use ptc_eval::compression::STRATEGIES;
use ptc_eval::evaluate::{Plan, ScenarioResult, replay};
use ptc_eval::report::Gauges;
use ptc_eval::report::evidence::{Evidence, EvidenceItem, Grade, Needs};
use ptc_eval::report::measure::MeasuredRun;
use ptc_eval::scenario::{JsonOptions, Known, Selection, Suite};
use ptc_tokens::Tokenizer;

use crate::golden::Golden;

const FOLDER: &str = "tests/evidence";

fn results(folder: &str) -> Vec<ScenarioResult> {
    let suite = Suite::open(Path::new(folder), Known::default()).unwrap();
    let every: Vec<_> =
        STRATEGIES.iter().map(|strategy| (strategy.name.to_owned(), JsonOptions::default())).collect();
    let plan = Plan::new(&suite, &every).unwrap();
    let selection = Selection::default();
    let scenarios = suite.scenarios(&selection).unwrap();
    scenarios.map(|scenario| replay(scenario.unwrap(), &plan, &|_| 0).unwrap()).collect()
}

fn measured(result: &ScenarioResult) -> Vec<MeasuredRun> {
    let tokenizer = Tokenizer::named("o200k_base").unwrap();
    let record = result.measure(0, &Gauges { tokenizer: &tokenizer, models: &[], warm_system: false });
    assert!(record.failures.is_empty(), "{}: {:?}", record.name, record.failures);
    record.strategies
}

/// `ee-5 (turn 1)`
fn item(item: &EvidenceItem) -> String {
    let own = if item.grade == Grade::Own { "own, " } else { "" };
    format!("{} ({own}turn {})", item.what, item.turn.unwrap_or_default())
}

/// `1 of 3, gone beta, own draft-7`
fn graded(evidence: &Evidence) -> String {
    let lost = evidence.lost.iter().map(|lost| format!(", {} {}", lost.grade, lost.what));
    format!("{} of {}{}", evidence.shown, evidence.needed(), lost.collect::<String>())
}

fn told(result: &ScenarioResult) -> String {
    let (needs, runs) = (Needs::of(&result.scenario, &result.outcome.turns), measured(result));
    let mut out = String::new();
    for index in 0..result.outcome.turns.len() {
        let needed = needs.examine(index, |_, _| false).lost;
        let needed: Vec<String> = needed.iter().map(item).collect();
        let needed = if needed.is_empty() { "nothing".to_owned() } else { needed.join(", ") };
        writeln!(out, "turn {} needs {needed}", index + 1).unwrap();
        for run in &runs {
            let evidence = &run.requests[index].evidence;
            if !evidence.lost.is_empty() {
                writeln!(out, "  {} shows {}", run.name, graded(evidence)).unwrap();
            }
        }
    }
    out
}

#[test]
fn grades_are_as_they_were() {
    let mut goldens = Golden::default();
    for result in results(FOLDER) {
        let golden = format!("{FOLDER}/{}.txt", result.scenario.name);
        goldens.holds(Path::new(&golden), &told(&result));
    }
    goldens.assert_none_differs();
}

#[test]
fn full_history_loses_nothing() {
    for result in results("scenarios").iter().chain(&results(FOLDER)) {
        let runs = measured(result);
        let full = runs.iter().find(|run| run.name == "full-history").unwrap();
        for request in &full.requests {
            let Evidence { own, gone, lost, .. } = &request.evidence;
            assert_eq!((*own, *gone), (0, 0), "{} turn {}: {lost:?}", result.scenario.name, request.turn);
        }
    }
}
