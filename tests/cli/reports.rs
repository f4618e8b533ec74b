//! Reports: failures, changes, differences, schemas.

use std::fs;
use std::path::Path;

use super::suite::{SUM, Suite, git};

pub const TWO: &str = "strategies: [full-history, single-user-coalesced]\n";

/// Five different scenarios under two strategies.
pub fn several() -> Suite {
    let names = ["a", "b/c", "b/d", "e", "f"];
    let texts: Vec<String> = (3..).take(5).map(|n| SUM.replace("[1, 2]", &format!("[{n}, 2]"))).collect();
    let scenarios: Vec<(&str, &str)> = names.into_iter().zip(texts.iter().map(String::as_str)).collect();
    let suite = Suite::with(&scenarios);
    for (name, n) in names.iter().zip(3..) {
        let text = suite.read(&format!("scenarios/{name}.yaml"));
        suite.write(
            &format!("scenarios/{name}.yaml"),
            &text.replace("value: 3", &format!("value: {}", n + 2)),
        );
    }
    suite.write("scenarios/suite.yaml", &format!("{TWO}models: [gpt-5]\n"));
    suite
}

fn one(scenario: &str, suite_file: &str) -> Suite {
    let suite = Suite::with(&[("sum", scenario)]);
    suite.write("scenarios/suite.yaml", suite_file);
    suite
}

#[track_caller]
pub fn same_files(suite: &Suite, one: &str, other: &str) {
    let names = |folder: &str| {
        let entries = fs::read_dir(suite.path().join(folder)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(names(one), names(other));
    for name in names(one) {
        assert_eq!(suite.read(&format!("{one}/{name}")), suite.read(&format!("{other}/{name}")), "{name}");
    }
}

#[test]
fn junit_has_a_case_for_each_scenario_and_threshold() {
    let thresholds = "thresholds: [{strategy: full-history, metric: evidence, min: 0.5}, {strategy: full-history, metric: requests, max: 1}]\n";
    let suite = one(SUM, &format!("{TWO}{thresholds}"));
    suite.run(&["--accept"]).ends(1).says("full-history: requests is 2, expected at most 1");
    let junit = suite.read("reports/junit.xml");
    assert!(junit.contains("<testcase name=\"sum\" classname=\"scenarios/sum.yaml\""), "{junit}");
    assert!(junit.contains("<testcase name=\"full-history: evidence is at least 0.5\"/>"), "{junit}");
    assert!(junit.contains("<failure message=\"is 2, expected at most 1\">"), "{junit}");
    assert!(
        junit
            .contains("<testsuites name=\"ptc-eval\" tests=\"3\" skipped=\"0\" failures=\"1\" errors=\"0\">"),
        "{junit}"
    );

    let promised = r#""promise":"full-history: requests is at most 1","found":"is 2, expected at most 1""#;
    assert!(suite.read("reports/index.html").contains(promised));
    suite.write("scenarios/sum.yaml", &SUM.replace("seen", "looked <at>").replace("value: 3", "value: 4"));
    suite.write("scenarios/bad.yaml", "misson: x\n");
    suite.run(&[]).ends(2);
    let junit = suite.read("reports/junit.xml");
    assert!(junit.contains("<failure message=\"value: expected 4, found 3\">scenarios/sum.yaml:6:14: turn 1: not as accepted: program\nscenarios/sum.yaml:8:10: value: expected 4, found 3\n"), "{junit}");
    assert!(junit.contains("scenarios/sum.yaml:1: snapshot sum/run changed"), "{junit}");
    assert!(junit.contains("+ looked &lt;at&gt; [1 2]"), "{junit}");
    assert!(
        junit.contains("<error message=\"unknown key &apos;misson&apos;\">scenarios/bad.yaml:1: unknown key"),
        "{junit}"
    );
    let before = junit;
    suite.run(&["--jobs", "1"]).ends(2);
    assert_eq!(suite.read("reports/junit.xml"), before);
}

#[test]
fn changes_are_told_against_the_report_before_worst_first() {
    let suite = one(SUM, TWO);
    suite.run(&["--accept"]).ends(0);
    assert!(suite.read("reports/changes.md").contains("There is no earlier report"));
    suite.run(&[]).ends(0);
    let changes = suite.read("reports/changes.md");
    assert!(changes.contains("# Changes since `reports/strategies.csv`\n"), "{changes}");
    assert!(changes.contains("The one scenario is as expected. No number changed."), "{changes}");

    suite.write("scenarios/sum.yaml", &SUM.replace("seen", "seen and looked at for a long while"));
    suite.run(&["--locked"]).ends(1);
    let changes = suite.read("reports/changes.md");
    assert!(
        changes
            .contains("- **Also:** 2 committed reports are out of date: run `ptc-eval` and commit them.\n"),
        "{changes}"
    );
    assert!(changes.contains("over the whole suite\n\n| strategy |"), "{changes}");
    assert!(
        changes.starts_with("# `sum  answers`: cost +") && changes.contains("\n- **Edited** since "),
        "{changes}"
    );
    assert!(changes.contains("\n```diff\n"), "{changes}");
    let is_new_text = |line: &str| line.starts_with('+') && line.contains("looked at for a long while");
    assert!(changes.lines().any(is_new_text), "{changes}");
    assert!(changes.contains("| strategy | answers that would lack a fact | facts not shown |"), "{changes}");
    assert!(changes.contains("- `summary.md` is stale"), "{changes}");
    let worst = changes.find("| full-history | ").zip(changes.find("| single-user-coalesced | ")).unwrap();
    let share = |name: &str| {
        let row = changes.lines().find(|line| line.starts_with(&format!("| {name} |"))).unwrap();
        let tokens = row.split(" | ").nth(3).unwrap();
        tokens.split(['+', '%']).nth(1).unwrap().parse::<f64>().unwrap()
    };
    assert_eq!(worst.0 < worst.1, share("full-history") >= share("single-user-coalesced"), "{changes}");
}

#[test]
fn increases_are_measured_from_what_against_names() {
    let limit = "thresholds: [{strategy: full-history, metric: input_tokens, max_increase: 1%}]\n";
    let suite = one(SUM, &format!("{TWO}{limit}"));
    suite.run(&["--accept"]).ends(0);
    fs::create_dir(suite.path().join("before")).unwrap();
    let numbers = suite.read("reports/strategies.csv");
    let [names, total] = [0, 1].map(|line| numbers.lines().nth(line).unwrap().split(','));
    let (_, total) = names.zip(total).find(|(name, _)| *name == "input_tokens").unwrap();
    suite.write("before/strategies.csv", &numbers.replacen(total, "1000", 1));
    suite.run(&["--against", "before"]).ends(1).says("more than 1.0% above the 1000");
    let changes = suite.read("reports/changes.md");
    assert!(
        changes
            .starts_with("# Changes since `before`\n\n**1 threshold crossed.** More tokens: `full-history`"),
        "{changes}"
    );
    suite.run(&["--against", "nowhere"]).ends(2).complains("neither a folder nor a revision 'nowhere'");
    suite.run(&["--against", "scenarios"]).ends(2).complains("scenarios/strategies.csv");
}

/// Rows of requests take much room and time, and few people read them. The page has the texts of all runs, which not everybody may see.
#[test]
fn rows_of_requests_are_asked_for_and_the_page_can_be_left_out() {
    let suite = several();
    suite.run(&["--accept"]).ends(0).says("page:  reports/index.html");
    assert!(!suite.exists("reports/requests.csv"));
    suite.run(&["--requests-csv"]).ends(0);
    let rows = suite.read("reports/requests.csv");
    assert!(rows.starts_with("scenario,strategy,turn,"), "{rows}");
    suite.run(&["--no-page"]).ends(0).says("results: reports/results.json");
    for stale in ["index.html", "requests.csv"] {
        assert!(!suite.exists(&format!("reports/{stale}")), "{stale} of an earlier run is left");
    }
    let records = suite.run(&["run", "--format", "full-records"]).out;
    let merged = ["merge", "-", "--report-dir", "merged", "--requests-csv", "--no-page"];
    suite.run_with(&merged, &records, &[]).ends(0).says("results: merged/results.json");
    assert_eq!(suite.read("merged/requests.csv"), rows);
    assert!(!suite.exists("merged/index.html"));
    suite.run(&["--shard", "1/2", "--requests-csv"]).ends(2).complains("--requests-csv");
    for option in ["--requests-csv", "--no-page"] {
        let help = format!("give it to the merge of the records: ptc-eval merge … {option}");
        suite.run(&["--format", "records", option]).ends(2).complains(&help);
        let merge = ["merge", "-", "--format", "full-records", option];
        suite.run_with(&merge, &records, &[]).ends(2).complains(&help);
    }
}

/// A selection has a folder of its own, so that the reports of the suite stay consistent.
#[test]
fn a_selection_leaves_the_reports_of_the_suite_alone() {
    let suite = several();
    suite.run(&["--accept", "--requests-csv"]).ends(0);
    let files = ["results.json", "requests.csv", "junit.xml", "changes.md", "summary.md"];
    let before = files.map(|file| suite.read(&format!("reports/{file}")));
    for selection in
        [&["--filter", "b"][..], &["--strategy", "full-history"], &["--tokenizer", "cl100k_base"]]
    {
        suite.run(selection).ends(0).says("reports/selection/index.html");
        assert_eq!(files.map(|file| suite.read(&format!("reports/{file}"))), before, "{selection:?}");
    }
    assert!(!suite.exists("reports/selection/summary.md"));
    assert!(
        suite.read("reports/selection/changes.md").contains("a part of the suite, or one changed by options")
    );
    suite.run(&["--filter", "b", "--report-dir", "elsewhere"]).ends(0);
    assert!(suite.exists("elsewhere/results.json") && !suite.exists("elsewhere/strategies.csv"));
}

#[test]
fn two_results_are_compared_worst_first() {
    let suite = several();
    suite.run(&["--accept"]).ends(0);
    fs::rename(suite.path().join("reports"), suite.path().join("before")).unwrap();
    suite.run(&[]).ends(0);
    suite.run(&["diff", "before", "reports"]).ends(0).says("before and reports do not differ");
    let edit = |name: &str, from: &str, to: &str| {
        let path = format!("scenarios/{name}.yaml");
        suite.write(&path, &suite.read(&path).replace(from, to));
    };
    edit("b/c", "seen", "looked at for a while");
    edit("e", "(return (reduce + data/numbers))", "(fail 1)");
    suite.write("scenarios/z.yaml", SUM);
    fs::remove_file(suite.path().join("scenarios/f.yaml")).unwrap();
    suite.run(&["--accept"]).ends(1);
    let ran = suite.run(&["diff", "before"]);
    ran.ends(1).says("before → reports\n\n").says("outcome  return → fail").says("failures  0 → 2");
    // Different scenarios explain different sums, so they come first.
    ran.says("before → reports\n\nscenarios added: z\n\nscenarios removed: f\nso the sums of the strategies differ");
    ran.says("input_tokens");
    let places = ["\n  e\n", "\n  b/c\n"].map(|name| ran.out.find(name).unwrap());
    assert!(places[0] < places[1], "{}", ran.out);
    let json = suite.run(&["diff", "before/results.json", "reports", "--format", "json"]).ends(1).out.clone();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["scenarios"]["changed"][0]["name"], "e");
    let ran = suite.run(&["diff", "before/strategies.csv", "reports"]);
    ran.ends(1).says("input_tokens");
    assert!(!ran.out.contains("scenarios"), "{}", ran.out);
    for folder in ["before", "reports"] {
        let path = format!("{folder}/results.json");
        let named = suite.read(&path).replace("gpt-5", &"long-".repeat(20_000));
        suite.write(&path, &named);
    }
    let ran = suite.run(&["diff", "before", "reports"]);
    ran.ends(1).says("cost:long-long-");
    assert!(ran.out.lines().all(|line| line.chars().count() < 120), "{}", ran.out);
    suite.run(&["diff", "nowhere", "reports"]).ends(2).complains("nowhere");
    suite.run(&["diff", "a", "b", "c"]).ends(2);
}

/// A new scenario is no regression of the strategies, and neither is a removed one a saving.
#[test]
fn only_scenarios_of_both_sides_are_compared() {
    let suite = one(SUM, TWO);
    suite.run(&["--accept"]).ends(0);
    let changes = || suite.read("reports/changes.md");
    let again = SUM.replace("[1, 2]", "[1, 2, 0]");
    suite.write("scenarios/late.yaml", &again);
    for run in [&["run"][..], &["run", "--accept"]] {
        suite.run(&run[1..]);
        assert!(!changes().contains("More tokens"), "{}", changes());
    }
    git(suite.path(), &["init", "-q"]);
    git(suite.path(), &["add", "."]);
    git(suite.path(), &["commit", "-qm", "first"]);
    suite.write("scenarios/later.yaml", &again.replace("[1, 2, 0]", "[1, 1, 1]"));
    let threshold = "thresholds: [{strategy: full-history, metric: input_tokens, max_increase: 1%}]\n";
    suite.write("scenarios/suite.yaml", &format!("{TWO}{threshold}"));
    suite.run(&["--accept"]).ends(0);
    assert!(changes().contains("New scenarios, not included in these numbers: `later`."), "{}", changes());
    assert!(!changes().contains("More tokens"), "{}", changes());
    std::fs::remove_file(suite.path().join("scenarios/late.yaml")).unwrap();
    suite.run(&["--accept"]).ends(0);
    assert!(changes().contains("Removed scenarios: `late`."), "{}", changes());
    assert!(!changes().contains("tokens ("), "{}", changes());
}

#[test]
fn revisions_are_compared_by_what_they_committed() {
    let suite = one(SUM, TWO);
    suite.run(&["--accept"]).ends(0);
    let git = |arguments: &[&str]| git(suite.path(), arguments);
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "first"]);
    suite.run(&["diff", "HEAD", "reports"]).ends(0);
    suite.write("scenarios/sum.yaml", &SUM.replace("seen", "looked at for a while"));
    suite.run(&["--accept"]).ends(0);
    suite.run(&["diff", "HEAD"]).ends(1).says("HEAD → reports").says("input_tokens");
    let changes = suite.read("reports/changes.md");
    assert!(changes.starts_with("# `sum.yaml  responses[0]"));
    assert!(
        changes.contains(
            "already have these changes, so the check does not fail because of them.\n- **Where:** "
        )
    );
    assert!(changes.contains("\n\n## Numbers of each strategy over the whole suite"));
    git(&["add", "."]);
    git(&["commit", "-qm", "second"]);
    suite.run(&["--against", "HEAD~1", "--locked"]).ends(0);
    assert!(suite.read("reports/changes.md").contains("- **Edited** since `HEAD~1`: "));
    suite.run(&["diff", "HEAD~1", "HEAD"]).ends(1).says("HEAD~1 → HEAD");
    suite
        .run(&["diff", "HEAD", "--report-dir", "scenarios"])
        .ends(2)
        .complains("HEAD has no report in scenarios");
}

#[test]
fn schemas_are_printed() {
    let suite = Suite::with(&[]);
    for (what, title) in
        [("scenario", "ptc-eval scenario"), ("suite", "ptc-eval suite"), ("results", "ptc-eval results")]
    {
        let schema: serde_json::Value =
            serde_json::from_str(&suite.run(&["schema", what]).ends(0).out).unwrap();
        assert_eq!(schema["title"], title);
    }
    suite.run(&["schema", "nothing"]).ends(2).complains("scenario");
    assert!(!Path::new(suite.path()).join("reports").exists());
}

/// An answer missing a fact under the recommended strategy comes before one under a cheaper strategy. The command
/// finds the suite and keeps its options together.
#[test]
fn the_command_that_shows_a_short_answer_can_be_typed() {
    let suite = Suite::with(&[]);
    let scenario = "mission: Name it.\nresponses:\n  - program: (println \"name_7\")\n  - program: (println \"more\")\n  \
                    - program: (println \"most\")\n  - program: (return \"name_7\")\n";
    suite.write("kept/scenarios/part/it's.yaml", scenario);
    let asked = "trim,keep_recent_turns=1,trigger={turns: 1}";
    suite.run(&["run", "kept/scenarios", "--accept"]).ends(0);
    let ran = suite.run(&["run", "kept/scenarios", "--strategy", asked]);
    let line = ran.ends(0).out.lines().find_map(|line| line.strip_prefix("look:  ")).unwrap();
    let explained = suite.run_typed(line);
    explained
        .ends(0)
        .says("=== Request 4 of part/it's under trim")
        .says("  gone: name_7; turn 1 had produced it");
    suite.write("kept/scenarios/part/it's.yaml", &scenario.replace("most", "least"));
    let ran = suite.run(&["run", "kept/scenarios"]);
    let line = ran.ends(1).out.lines().find_map(|line| line.strip_prefix("next:  ")).unwrap();
    suite.run_typed(&format!("{line} --accept-all")).ends(0);
    suite.run(&["run", "kept/scenarios"]).ends(0);
    suite.run(&["show", "kept/scenarios/part/its"]).ends(2).complains("Did you mean 'part/it's'?");
}
