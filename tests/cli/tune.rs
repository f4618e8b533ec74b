//! The search for the options of strategies, and the variant that it writes.

use std::collections::BTreeSet;

use ptc_eval::evaluate::{Pipeline, Plan, Pool, Search, StrategySetting};
use ptc_eval::report::{Bounds, Gauges};
use ptc_eval::scenario::suite::Tolerance;
use ptc_eval::scenario::{self, JsonOptions, Known, Selection};
use ptc_tokens::Tokenizer;
use serde_json::{Value, json};

use super::advise::log;
use super::suite::{SUM, Suite};

/// Six logs of about three lengths, as a suite.
fn logs() -> Suite {
    let suite = Suite::with(&[]);
    let lines: String = (0..6).map(|number| log(10 + number % 3 * 10 + number / 3) + "\n").collect();
    suite.write("logs.jsonl", &lines);
    suite.advise(&["logs.jsonl", "--save", "kept", "--model", "gpt-5"]).ends(0);
    suite
}

#[test]
fn the_cheapest_setting_is_found_and_judged_by_other_runs() {
    let suite = logs();
    let tuned = suite.run(&["tune", "kept", "--max-short", "0%", "--turns", "1"]);
    tuned.ends(0).says(
        " settings tried on 4 runs, 2 kept to check the choice\n\nOn 2 runs kept to check the choice:\nTry ",
    );
    tuned
        .says("For 0 of 39 answers (0%)")
        .says("\nWeak evidence: the runs are of 2 tasks. Log 6 more tasks and run this again.\n");
    // What is recommended can be switched on.
    let command = tuned.out.split("use:   ptc-eval apply ").nth(1).unwrap().split(" > ").next().unwrap();
    suite.run(&["apply", command.trim_matches('\'')]).ends(0);
    // Of settings with equally few answers missing a fact the cheapest is the one that no other beats.
    let is_whole = |line: &&str| line.split_whitespace().rev().take(2).eq(["0", "0"]);
    let whole: Vec<&str> = tuned.out.lines().filter(is_whole).collect();
    assert!(matches!(whole[..], [row] if row.starts_with("> ")), "{}", tuned.out);
    let alone = suite.run(&["tune", "kept", "--max-short", "0%", "--turns", "1", "--jobs", "1"]);
    assert_eq!(alone.out, tuned.out);
    let table = tuned.out.lines().skip_while(|line| !line.contains("cost vs baseline"));
    assert!(
        table.clone().count() > 3 && table.clone().all(|line| line.chars().count() <= 80),
        "{}",
        tuned.out
    );
}

/// The turns of public runs decide here too: what saves at equal turns alone is named, and not recommended.
#[test]
fn settings_are_judged_by_the_rule_of_run() {
    let suite = logs();
    let tuned = suite.run(&["tune", "kept", "--write"]);
    tuned.ends(0).says("On 4 runs:\nKeep full-history: ").says(" at the same turns, but costs ");
    tuned.says("nothing is written, since nothing is recommended\n").says("\n> full-history ");
    // Nothing that keeps fewer turns than what held up in public is recommended unasked.
    let tuned = suite.run(&["tune", "kept", "--turns", "1"]);
    let first = tuned.ends(0).out.split(":\n").nth(1).unwrap().split(':').next().unwrap().to_owned();
    assert!(!first.contains("keep_recent_turns=1") && !first.contains("keep=0"), "{}", tuned.out);
}

#[test]
fn the_setting_is_written_with_its_thresholds_once() {
    let suite = logs();
    let tuned = suite.run(&["tune", "kept", "--write", "--max-short", "0%", "--turns", "1"]);
    tuned.ends(0).says("written: the variant tuned and its thresholds in kept/suite.yaml");
    let written = suite.read("kept/suite.yaml");
    assert_eq!(written.matches("\nvariants:\n  tuned: {").count(), 1, "{written}");
    assert!(written.contains("- {strategy: tuned, metric: answers_short, max: 0}"), "{written}");
    let accepted = suite.run(&["run", "kept", "--accept"]);
    let mut rows = accepted.ends(0).out.lines().filter_map(|line| line.get(2..));
    assert!(rows.any(|row| row.starts_with("tuned ")), "{}", accepted.out);
    let own = "\nvariants: # own\n  late: {strategy: trim, trigger: {turns: 4}}\n";
    suite.write("kept/suite.yaml", &format!("# Ours\n{}", written.replace("\nvariants:\n", own)));
    suite
        .run(&["tune", "kept", "--write", "--max-short", "0%", "--turns", "1", "--seed", "1"])
        .ends(0)
        .says("written: ");
    let again = suite.read("kept/suite.yaml");
    assert_eq!(again.matches("  tuned: {").count(), 1, "{again}");
    let after = "\nvariants: # own\n  tuned: {";
    assert!(
        again.starts_with("# Ours\n") && again.contains(after) && again.contains("\n  late: {"),
        "{again}"
    );
    assert_eq!(again.lines().count(), written.lines().count() + 2, "{again}");
}

#[test]
fn a_file_that_no_variant_can_be_added_to_stays_as_it_is() {
    let suite = logs();
    let odd = "models: [gpt-5]\nstrategies: [full-history, fold]\nvariants: {late: {strategy: fold, trigger: {turns: 4}}}\n";
    suite.write("kept/suite.yaml", odd);
    let tuned = suite.run(&["tune", "kept", "--write", "--max-short", "0%", "--turns", "1"]);
    tuned.ends(2).complains("cannot be written into kept/suite.yaml").complains("--strategy");
    assert_eq!(suite.read("kept/suite.yaml"), odd);
}

/// A threshold for a model that the suite does not have would fail the next run.
#[test]
fn a_model_that_the_suite_does_not_have_gets_no_threshold() {
    let suite = logs();
    let tuned = suite.run(&[
        "tune",
        "kept",
        "--write",
        "--max-short",
        "0%",
        "--turns",
        "1",
        "--model",
        "claude-sonnet-4-5",
    ]);
    tuned.ends(0).says("no cost threshold was written, because claude-sonnet-4-5 is not among");
    let written = suite.read("kept/suite.yaml");
    assert!(!written.contains("cost_ratio:claude"), "{written}");
    suite.run(&["run", "kept", "--accept"]).ends(0);
}

#[test]
fn a_suite_with_a_model_of_a_price_file_gets_the_variant() {
    let suite = logs();
    let own = "- {model: mine, date: 2024-04-30, source: a bill, input: 10, read: 10, output: 30}\n";
    suite.write("mine.yaml", own);
    let kept = suite.read("kept/suite.yaml").replace("gpt-5]", "mine]");
    suite.write("kept/suite.yaml", &kept);
    let tuned =
        suite.run(&["tune", "kept", "--prices", "mine.yaml", "--write", "--max-short", "0%", "--turns", "1"]);
    tuned.ends(0).says("written: the variant tuned and its thresholds");
    let written = suite.read("kept/suite.yaml");
    assert!(written.contains("cost_ratio:mine"), "{written}");
}

#[test]
fn nothing_is_written_where_nothing_is_better() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.write("scenarios/suite.yaml", "strategies: [full-history, trim]\n");
    suite.run(&["tune", "--filter", "nothing"]).ends(4);
    suite.write("scenarios/broken.yaml", "misson: m\n");
    suite.run(&["tune"]).ends(2).complains("broken.yaml:1:1");
    std::fs::remove_file(suite.path().join("scenarios/broken.yaml")).unwrap();
    let tuned = suite.run(&["tune", "--write"]);
    tuned.ends(0).says("\n\nNothing to recommend yet: no answer needs anything from earlier turns.\n");
    tuned.says("nothing is written, since nothing is recommended\n");
    assert!(!tuned.out.contains("\n> "), "{}", tuned.out);
    assert_eq!(suite.read("scenarios/suite.yaml"), "strategies: [full-history, trim]\n");
}

/// A copy of a run neither chooses nor judges, and two runs leave none to judge by.
#[test]
fn equal_runs_are_tried_once() {
    let suite = Suite::with_evidence();
    let alone = suite.run(&["tune"]);
    alone
        .ends(0)
        .says(" tried on 2 runs, 0 kept to check the choice\n\nKeep full-history: ")
        .says("\n> full-history ");
    suite.write("scenarios/zoo/copy.yaml", &suite.read("scenarios/one.yaml"));
    let copied = suite.run(&["tune"]);
    copied.ends(0).says(" tried on 2 runs, 0 kept to check the choice, 1 duplicate left out\n");
    let rest = |text: &str| text.split_once('\n').unwrap().1.to_owned();
    assert_eq!(rest(&copied.out), rest(&alone.out));
}

#[test]
fn the_values_that_are_tried_are_around_the_default() {
    let folder = Suite::with(&[("sum", SUM)]);
    let suite = scenario::Suite::open(&folder.path().join("scenarios"), Known::default()).unwrap();
    let tokenizer = Tokenizer::named("o200k_base").unwrap();
    let search = Search {
        suite: &suite,
        selection: &Selection::default(),
        gauges: Gauges { tokenizer: &tokenizer, models: &[], logged: None, warm_system: false },
        pool: &Pool::new(1).unwrap(),
        seed: 0,
        bounds: Bounds::new(
            Tolerance { max_short: 0.05, min_saving: 0.02, ..Tolerance::default() },
            "full-history",
        ),
        tries_all: false,
    };
    let tried: Vec<String> = search.run().unwrap().tried.iter().map(|tried| tried.setting.label()).collect();
    let values = |option: &str| -> Vec<u32> {
        let values =
            tried.iter().filter_map(|label| label.strip_prefix(option)?.strip_prefix('=')?.parse().ok());
        values.collect()
    };
    assert_eq!(values("trim,keep_recent_turns"), [1, 6, 12]);
    assert_eq!(values("single-user-coalesced,println_limit"), [0, 5, 7, 30, 60]);
    assert_eq!(values("trim,step"), [2, 5, 10, 20]);
    // The provider's lifetime of the cache is no choice, and the files of `apply` mask only.
    assert!(values("fold,ttl").is_empty() && !tried.iter().any(|label| label.contains("into=")));
    let names: BTreeSet<&String> = tried.iter().collect();
    assert_eq!(names.len(), tried.len(), "each setting has its own name");
}

/// Conversations with native calls; requests grow by some 100 tokens a turn.
fn native_logs() -> Suite {
    let suite = Suite::with(&[]);
    let log = |run: usize| {
        let mut messages = vec![json!({"role": "user", "content": format!("Look at all files of {run}.")})];
        for turn in 0..12 {
            let id = format!("c{turn}");
            let arguments = json!({"path": format!("src/file_{run}_{turn}.rs"), "after": format!("name_{run}_{}", turn.max(1) - 1)});
            messages.push(json!({"role": "assistant", "content": "", "tool_calls": [{"id": id, "name": "read", "arguments": arguments}]}));
            let content = format!("name_{run}_{turn} is next\n{}", "and some more of it\n".repeat(20));
            messages.push(json!({"role": "tool", "call": id, "content": content}));
        }
        messages.push(json!({"role": "assistant", "content": "Done."}));
        json!({"name": format!("log-{run}"), "messages": messages}).to_string() + "\n"
    };
    suite.write("logs/all.jsonl", &(0..6).map(log).collect::<String>());
    suite.write("logs/suite.yaml", "strategies: [full-history, trim]\nmodels: [small]\n");
    suite.write(
        "prices.yaml",
        "- {model: small, source: s, date: 2026-11-01, input: 1, read: 1, output: 5, window: 1500}\n",
    );
    suite
}

#[test]
fn strategies_that_rewrite_native_calls_are_tried_only_if_asked() {
    let suite = native_logs();
    let tune = |more: &[&str]| {
        suite.run(&[&["tune", "logs", "--prices", "prices.yaml", "--max-short", "100%"], more].concat()).out
    };
    let number = |out: &str| out.split(' ').next().unwrap().parse::<u32>().unwrap();
    let (native, all) = (tune(&[]), tune(&["--all"]));
    let rewrites = ["aggressive", "turn-log", "per-turn-summary", "rolling-window", "single-user-coalesced"];
    assert!(rewrites.iter().all(|name| !native.contains(name)), "{native}");
    assert!(rewrites.iter().any(|name| all.contains(name)), "{all}");
    assert!(number(&native) < number(&all), "{native}\n{all}");
    suite.write("logs/suite.yaml", "strategies: [full-history, aggressive]\nmodels: [small]\n");
    assert!(tune(&[]).contains("aggressive"), "the suite names it");
}

/// The threshold that costs least is marked; the later requests are cleared, the more they cost.
#[test]
fn thresholds_are_swept() {
    let suite = native_logs();
    let tuned = suite.run(&["tune", "logs", "--prices", "prices.yaml"]);
    tuned
        .ends(0)
        .says("\nclear-tool-results by share of the window: cost, answers that would lack a fact they use\n");
    tuned.says("\nsummary by recent tokens kept");
    let curve = tuned.out.split("\nclear-tool-results by").nth(1).unwrap();
    let rows: Vec<&str> = curve.lines().skip(1).take(11).collect();
    let cost = |row: &str| row[9..18].trim().trim_end_matches('%').parse::<f64>().unwrap();
    let shares: Vec<f64> = rows[..10].iter().map(|row| cost(row)).collect();
    assert!(rows[0].starts_with(">   0.50") && rows[10].starts_with("   today"), "{curve}");
    assert!(shares.is_sorted() && shares[0] < shares[9], "{curve}");
    assert_eq!(rows.iter().filter(|row| row.starts_with('>')).count(), 1);
}

#[test]
fn a_curve_that_is_flat_is_one_line() {
    let suite = native_logs();
    suite.write(
        "prices.yaml",
        "- {model: small, source: s, date: 2026-11-01, input: 1, read: 1, output: 5, window: 900000}\n",
    );
    let flat = "clear-tool-results by share of the window: no request is large enough\n";
    suite.run(&["tune", "logs", "--prices", "prices.yaml"]).ends(0).says(flat);
}

/// Without the logged run beside the settings, the whole history passed for what the agent had sent. All of it then fitted the window.
#[test]
fn settings_are_measured_beside_the_logged_run_and_the_baseline() {
    let folder = native_logs();
    let mut logs = String::new();
    for log in folder.read("logs/all.jsonl").lines() {
        let mut log: Value = serde_json::from_str(log).unwrap();
        let removed = json!([[1, 12]]);
        log["compactions"] =
            json!([{"before": 13, "kind": "summary", "removed": removed, "text": "Read on."}]);
        logs += &format!("{log}\n");
    }
    folder.write("logs/all.jsonl", &logs);
    folder.write("logs/suite.yaml", "strategies: [full-history, as-recorded, trim]\n");
    let suite = scenario::Suite::open(&folder.path().join("logs"), Known::default()).unwrap();
    let tokenizer = Tokenizer::named("o200k_base").unwrap();
    let price = json!({"model": "m", "date": "2026-11-01", "source": "s", "input": 1, "read": 1, "output": 5, "window": 1200});
    let models = [serde_json::from_value(price).unwrap()];
    let gauges = Gauges { tokenizer: &tokenizer, models: &models, logged: None, warm_system: false };
    let search = Search {
        suite: &suite,
        selection: &Selection::default(),
        gauges,
        pool: &Pool::new(1).unwrap(),
        seed: 0,
        bounds: Bounds::new(Tolerance::default(), "full-history"),
        tries_all: false,
    };
    let searched = search.compare(&[vec![StrategySetting::of("trim")]], None).unwrap();

    let all = ["as-recorded", "full-history", "trim"].map(|name| (name.to_owned(), JsonOptions::default()));
    let whole = Plan::new(&suite, &all).unwrap();
    let run = Pipeline::new(&whole, gauges).compare(&suite).unwrap();
    assert_eq!(searched.comparison.strategies, run.strategies);
    assert!(run.strategy("full-history").unwrap().sums.over_window > 0, "{:?}", run.strategies);
    assert_eq!(searched.comparison.strategies[searched.first].name, "trim");

    // `advise` measures settings beside an evaluation.
    let mut sweep = search.sweep(vec![StrategySetting::of("trim")]).unwrap();
    let measured = Plan::new(&suite, &all[..2]).unwrap();
    let pipeline = Pipeline { beside: Some(&sweep.plan), ..Pipeline::new(&measured, gauges) };
    for scenario in suite.scenarios(&Selection::default()).unwrap() {
        sweep.sums.add(&mut pipeline.evaluate(scenario.unwrap(), 0).unwrap());
    }
    assert_eq!(sweep.sums.compare().comparison.strategies, run.strategies);

    // A family may differ in any option. An assumption on turns holds for all of it.
    let options = serde_json::from_value(json!({"step": 5})).unwrap();
    let stepped = StrategySetting { options, ..StrategySetting::of("trim") };
    let families = [vec![stepped, StrategySetting::of("trim")], vec![StrategySetting::of("fold")]];
    let searched = search.compare(&families, Some(1.0)).unwrap();
    let (header, first) = (searched.comparison.header, searched.first);
    let [stepped, trim, fold] = [0, 1, 2].map(|index| &header.settings[first + index].family);
    assert!(stepped == trim && trim != fold, "{stepped} {trim} {fold}");
    assert_eq!(header.most_turns(first), 1.0);
}
