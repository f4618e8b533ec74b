//! The shipped scenarios against their snapshots, as `ptc-eval run` compares them. Differences are listed by snapshot,
//! with the lines that change.

use std::collections::BTreeSet;
use std::path::Path;

use ptc_eval::agent::{Message, Native, Role};
use ptc_eval::compression::STRATEGIES;
use ptc_eval::evaluate::{Plan, ReplayedScenario, replay, unused_responses};
use ptc_eval::scenario::suite::Suite;
use ptc_eval::scenario::{JsonOptions, Known, Selection};
use ptc_eval::snapshot::cause::Change;
use ptc_eval::snapshot::requests::requests_of;
use ptc_eval::snapshot::store::{Store, Verdict};
use ptc_eval::snapshot::text::{self, RUN, Snapshot};
use ptc_eval::snapshot::{RunSections, repeated_strategy};
use ptc_tokens::{DEFAULT_TOKENIZER, Tokenizer};

fn suite() -> Suite {
    Suite::open(Path::new("scenarios"), Known::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn plan(suite: &Suite) -> Plan {
    Plan::of(suite).unwrap_or_else(|error| panic!("{error}"))
}

fn results() -> Vec<ReplayedScenario> {
    results_of(&plan(&suite()))
}

fn results_of(plan: &Plan) -> Vec<ReplayedScenario> {
    let suite = suite();
    let selection = Selection::default();
    let scenarios = suite.scenarios(&selection).unwrap_or_else(|error| panic!("{error}"));
    let tokenizer = Tokenizer::named(DEFAULT_TOKENIZER).unwrap();
    let tokens = |text: &str| u64::from(tokenizer.count(text));
    scenarios
        .map(|scenario| {
            let scenario = scenario.unwrap_or_else(|error| panic!("{error}"));
            replay(scenario, plan, &tokens).unwrap_or_else(|error| panic!("{error}"))
        })
        .collect()
}

fn snapshots(results: &[ReplayedScenario]) -> Vec<Snapshot> {
    let of_scenarios = results.iter().flat_map(ReplayedScenario::snapshots);
    of_scenarios.chain([text::system_prompt()]).collect()
}

/// The snapshots that differ, each with the lines that change.
fn differences(snapshots: &[Snapshot], store: &Store) -> String {
    let mut out = String::new();
    for snapshot in snapshots {
        match store.compare(snapshot).unwrap() {
            Verdict::Same => {}
            Verdict::New => out.push_str(&format!("new: {}\n", snapshot.key)),
            Verdict::Changed(old) => {
                let change = Change::new(snapshot.key.clone(), old, snapshot.body.clone());
                out.push_str(&format!("changed: {}\n{}\n", snapshot.key, change.signed_lines()));
            }
        }
    }
    out
}

#[test]
fn every_request_is_as_accepted() {
    let store = Store::new("snapshots");
    let results = results();
    let snapshots = snapshots(&results);
    let differences = differences(&snapshots, &store);
    assert!(differences.is_empty(), "{differences}\nreview with: cargo run --release -- review");
    let claimed: BTreeSet<String> = snapshots.into_iter().map(|snapshot| snapshot.key).collect();
    let orphans = store.orphans(&store.list().unwrap(), |key| claimed.contains(key));
    assert!(orphans.is_empty(), "these snapshots belong to no scenario and strategy: {orphans:?}");
}

/// Invariant 4: a snapshot shows all that was sent.
#[test]
fn requests_can_be_read_back_from_their_snapshots() {
    let suite = suite();
    // The presets of products wait for sizes that no scenario reaches.
    let names: BTreeSet<&str> =
        suite.strategies.iter().map(String::as_str).chain(STRATEGIES.iter().map(|row| row.name)).collect();
    let wanted: Vec<_> = names.into_iter().map(|name| (name.to_owned(), JsonOptions::default())).collect();
    let (mut requests, mut repeating) = (0, 0);
    for result in results_of(&Plan::new(&suite, &wanted).unwrap()) {
        let snapshots = result.snapshots();
        let body = |name: &str| {
            let is_named = |snapshot: &&Snapshot| snapshot.key == format!("{}/{name}", result.scenario.name);
            snapshots.iter().find(is_named).map(|snapshot| snapshot.body.trim_end()).unwrap()
        };
        let lines = RunSections::of(body(RUN));
        for run in &result.strategies {
            let written = body(&run.name);
            let repeated = repeated_strategy(written);
            repeating += usize::from(repeated.is_some());
            let read = requests_of(repeated.map_or(written, body), &lines).unwrap();
            let place = format!("{} {}", result.scenario.name, run.name);
            assert_eq!(read.len(), run.requests.len(), "{place}");
            for (read, sent) in read.iter().zip(&run.requests) {
                requests += 1;
                assert_eq!(read.turn, sent.turn, "{place}");
                assert_eq!(texts(&read.messages), texts(&sent.messages), "{place} turn {}", sent.turn);
                assert_eq!(
                    read.is_answered,
                    sent.turn as usize <= result.conversation.past().len(),
                    "{place}"
                );
            }
        }
    }
    assert!(requests > 10_000 && repeating > 200, "{requests} {repeating}");
}

fn texts(messages: &[Message]) -> Vec<(Role, &str, Option<&Native>)> {
    messages
        .iter()
        .map(|message| (message.role, message.content.as_str(), message.native.as_deref()))
        .collect()
}

/// S2-28: the whole program on a model's answers.
#[test]
fn every_expectation_holds() {
    for result in results() {
        assert!(result.failures.is_empty(), "{}: {:?}", result.scenario.name, result.failures);
        assert_eq!(
            unused_responses(&result.scenario, &result.conversation),
            0,
            "{} has responses that no turn asks for",
            result.scenario.name
        );
    }
}

#[test]
fn every_scenario_has_a_description_and_no_warnings() {
    for result in results() {
        let description = result.scenario.description.unwrap_or_default();
        assert!(description.len() > 30, "{} needs a description", result.scenario.name);
        assert!(
            result.scenario.warnings.is_empty(),
            "{}: {:?}",
            result.scenario.name,
            result.scenario.warnings
        );
    }
}

/// A line that leaves all requests is removed from their snapshots, and nothing is added.
#[test]
fn a_renderer_that_loses_the_output_is_a_red_diff() {
    let store = Store::new("snapshots");
    let broken: Vec<Snapshot> = snapshots(&results())
        .into_iter()
        .map(|snapshot| Snapshot { body: without_output_header(&snapshot.body), ..snapshot })
        .collect();
    let differences = differences(&broken, &store);
    let changed: Vec<&str> = differences.lines().filter(|line| !line.starts_with("changed: ")).collect();
    assert!(changed.len() > 100, "{differences}");
    assert!(
        changed.iter().all(|line| line.starts_with('-') && line.ends_with("| ;; Output:")),
        "{differences}"
    );
}

fn without_output_header(body: &str) -> String {
    body.split('\n').filter(|line| !line.ends_with("| ;; Output:")).collect::<Vec<_>>().join("\n")
}
