//! A row for each error of a command: what it is given, what it says, and its exit code.

use super::suite::{SUM, Suite};

/// An error of `src/cli/error.rs` by name, files beside `scenarios/sum.yaml`, the arguments, the message.
struct Row(&'static str, &'static [(&'static str, &'static str)], &'static str, &'static str);

/// A log with a part of an unknown type.
const HOLOGRAM: &str = r#"{"messages": [{"role": "user", "content": "m"}, {"role": "assistant", "content": [{"type": "hologram"}, {"type": "text", "text": "a"}]}]}"#;

const ROWS: &[Row] = &[
    Row("MistypedCommand", &[], "reveiw", "there is no command 'reveiw', and no file or folder"),
    Row(
        "UnknownCommand",
        &[],
        "man reveiw",
        "there is no command 'reveiw'\n  = help: Did you mean 'review'?",
    ),
    Row("NotWithStandardInput", &[], "run - --watch", "--watch cannot be used with standard input"),
    Row("OutsideSuite", &[("x/a.yaml", SUM)], "run x/a.yaml --only-failed", "x/a.yaml is in no suite"),
    Row(
        "DiffUsage",
        &[],
        "diff --strategies trim fold a b",
        "expected two strategies and one scenario, or two results",
    ),
    Row("Scenario", &[("scenarios/b.yaml", "misson: m")], "show b", "scenarios/b.yaml:1:1"),
    Row("UnknownScenario", &[], "show smu", "no scenario is called 'smu'\n  = help: Did you mean 'sum'?"),
    Row(
        "AmbiguousScenario",
        &[("scenarios/a/x.yaml", SUM), ("scenarios/b/x.yaml", SUM)],
        "show x",
        "'x' means 2 scenarios",
    ),
    Row("NoSuchTurn", &[], "show sum --turn 9", "sum has no such turn, it took 2 turns"),
    Row("ScenarioName", &[], "new ../up", "a scenario cannot be called '../up'"),
    Row(
        "Setting",
        &[],
        "run --strategy trim,keep=1",
        "trim has no option 'keep' (options: keep_recent_turns, step, trigger)",
    ),
    Row("Tokenizer", &[], "run --tokenizer o200k", "o200k"),
    Row("UnreadablePrices", &[], "run --prices no.yaml", "cannot read no.yaml: there is no such file"),
    Row("UnknownModel", &[], "explain sum --model gpt-55", "the price table has no model 'gpt-55'"),
    Row("Read", &[], "lisp no.clj", "cannot read no.clj: there is no such file"),
    Row("Write", &[("x", "")], "new a --suite x", "cannot write x/"),
    Row("Exists", &[], "new sum", "scenarios/sum.yaml is there already"),
    Row(
        "Folders",
        &[("snapshots", "")],
        "run",
        "cannot read and write what belongs in reports and snapshots: ",
    ),
    Row(
        "WriteReports",
        &[("x", ""), ("a.json", HOLOGRAM)],
        "advise a.json --report-dir x",
        "cannot write to x",
    ),
    Row("ReadFailedNames", &[("reports", "")], "run", "cannot read what failed before from reports"),
    Row("Baseline", &[("x/strategies.csv", "a,b\n")], "run --against x", "x/strategies.csv: "),
    Row(
        "UnreadableBaseline",
        &[("x/a", "")],
        "run --against x",
        "cannot read x/strategies.csv: there is no such file",
    ),
    Row("UnknownBaseline", &[], "run --against v9", "there is neither a folder nor a revision 'v9'"),
    Row("OldResults", &[("x/results.json", "{}")], "diff x x", "x/results.json:1: "),
    Row("Transcript", &[("a.json", "[1, 2")], "import a.json", "a.json"),
    Row(
        "Chat",
        &[("a.json", r#"{"messages": [{"role": "assistant", "content": "```clojure\n(return 1)\n```"}]}"#)],
        "import a.json",
        "chat 1",
    ),
    Row("LostContent", &[("a.json", HOLOGRAM)], "import a.json --strict", "content would be lost"),
];

#[test]
fn every_error_says_what_is_wrong() {
    let mut wrong = Vec::new();
    for Row(error, files, arguments, message) in ROWS {
        let suite = Suite::with(&[("sum", SUM)]);
        files.iter().for_each(|(name, text)| suite.write(name, text));
        let ran = suite.run(&arguments.split(' ').collect::<Vec<_>>());
        if ran.code != 2 || !ran.err.contains("error: ") || !ran.err.contains(message) {
            wrong.push(format!("{error}: {arguments} ends with {}\n{}", ran.code, ran.err));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
