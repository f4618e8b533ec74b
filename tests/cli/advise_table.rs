//! The table of strategies of `advise`: the rows without numbers, and those that are set apart.

use ptc_eval::compression::{Form, STRATEGIES};
use serde_json::json;

use super::advise::log;
use super::suite::Suite;

/// The names in the table of strategies, from above.
fn rows(out: &str) -> Vec<&str> {
    let table =
        out.lines().skip_while(|line| !line.ends_with("missing a fact") && !line.ends_with("such answers"));
    let rows = table.skip(1).take_while(|line| line.starts_with([' ', '>', 'x']));
    rows.map(|line| line.get(2..).and_then(|row| row.split("  ").next()).unwrap_or(line)).collect()
}

const SET_APART: &str = "these rewrite tool calls as text";

/// A strategy that shows native calls as text is another agent for the model.
#[test]
fn strategies_that_rewrite_native_calls_come_below_the_others() {
    let suite = Suite::with(&[]);
    suite.write("log.json", &format!("{}\n{}\n", log(12), log(30)));
    let is_text =
        |name: &str| STRATEGIES.iter().any(|strategy| strategy.name == name && strategy.form == Form::Text);
    let advice = suite.advise(&["log.json", "--all"]);
    let rows = rows(&advice.out);
    let above = rows.iter().position(|row| *row == format!("{SET_APART}:")).unwrap();
    let (kept, apart) = rows.split_at(above);
    assert!(!kept.is_empty() && !kept.iter().any(|name| is_text(name)), "{}", advice.out);
    assert!(apart.len() == 6 && apart.iter().skip(1).all(|name| is_text(name)), "{}", advice.out);
    let summary = suite.read("reports/advice/summary.md");
    let (kept, apart) = summary.split_once(&format!("\n| {SET_APART} |")).unwrap();
    assert!(kept.contains("\n| trim |") && !kept.contains("\n| turn-log |"), "{summary}");
    assert!(apart.split("\n\n").next().is_some_and(|rows| rows.contains("\n| turn-log |")), "{summary}");
    // An owner can switch on those that keep calls as they are.
    let native = suite.advise(&["log.json", "--save", "saved"]);
    native.says("\n  trim-step-10 ");
    assert!(!native.out.contains(SET_APART), "{}", native.out);
    assert!(!suite.read("saved/suite.yaml").contains("turn-log"));
    // Actions that the log itself has as text stay as they are, and a program has no native calls.
    let said = |role: &str, content: &str| json!({"role": role, "content": content});
    let history = [
        said("user", "Mend it."),
        said("assistant", "ls"),
        said("user", "a.py"),
        said("assistant", "submit"),
    ];
    suite.write("log.traj", &json!({ "history": history }).to_string());
    let text = suite.advise(&["log.traj"]);
    assert!(!text.out.contains(SET_APART), "{}", text.out);
    text.says("\n  turn-log ");
    // One log with native calls is enough.
    suite.write("mixed/a.json", &log(12));
    for name in ["b", "c"] {
        let mut history = history.clone();
        history[0]["content"] = format!("Mend {name}.").into();
        suite.write(&format!("mixed/{name}.traj"), &json!({ "history": history }).to_string());
    }
    suite.advise(&["mixed", "--all", "--one-agent"]).says(&format!("\n  {SET_APART}:\n"));
}

/// `same` reads like a result, though nothing was tried.
#[test]
fn a_strategy_that_changed_nothing_says_why() {
    let suite = Suite::with(&[]);
    suite.write("log.json", &format!("{}\n{}\n", log(1), log(2)));
    let late = "turn-log,trigger={tokens: 1000000}";
    let advice = suite.advise(&["log.json", "--strategy", late, "--strategy", "as-recorded"]);
    let row = |name: &str| {
        let lines: Vec<&str> = advice.out.lines().collect();
        let is_of =
            |line: &str| line.get(2..).is_some_and(|row| format!("{row} ").starts_with(&format!("{name} ")));
        let at = lines.iter().position(|line| is_of(line));
        let at = at.unwrap_or_else(|| panic!("no row of {name}: {}", advice.out));
        // The numbers of a setting with a long name are in the line below it.
        if lines[at].ends_with(name) { lines[at + 1] } else { lines[at] }
    };
    let says = "no run is long enough";
    for name in ["trim", "fold", "clear-tool-results", "observation-masking"] {
        assert!(row(name).ends_with(&format!("  {says}")) && !row(name).contains("same"), "{}", advice.out);
    }
    assert!(row("turn-log,trigger=tokens=1000000").contains(says), "{}", advice.out);
    // The baseline has no limit, and neither has what the agent itself sent.
    assert!(!row("full-history").contains(says) && row("as-recorded").contains("same"), "{}", advice.out);
    let summary = suite.read("reports/advice/summary.md");
    let rows: Vec<&str> = summary.lines().filter(|line| line.starts_with("| trim |")).collect();
    assert!(rows.iter().filter(|row| row.contains(says)).count() == 2, "{summary}");
    // A strategy that equals another one than the plain history may have changed each request.
    suite.write("long.json", &format!("{}\n{}\n", log(12), log(13)));
    suite.advise(&["long.json", "--strategy", "trim,step=1", "--save", "kept"]).ends(0);
    let settings = suite.read("kept/suite.yaml").replace("baseline: full-history", "baseline: trim");
    suite.write("kept/suite.yaml", &settings);
    let advice = suite.run(&["run", "kept"]);
    advice.says("cost vs trim");
    assert!(advice.out.contains("same") && !advice.out.contains(says), "{}", advice.out);
}

/// The sentence is longer than the numbers in its place, so the name is cut shorter.
#[cfg(unix)]
#[test]
fn sentences_of_rows_fit_a_narrow_terminal() {
    let suite = Suite::with(&[]);
    suite.write("log.json", &format!("{}\n{}\n", log(1), log(2)));
    let narrow = suite.converse((24, 40), &["advise", "log.json", "--table"], "dumb", &[]);
    let mut rows = narrow.out.lines().filter(|line| line.contains("no run is long enough"));
    assert!(rows.clone().count() == 6, "{}", narrow.out);
    assert!(rows.all(|row| row.trim_end().chars().count() <= 40), "{}", narrow.out);
}
