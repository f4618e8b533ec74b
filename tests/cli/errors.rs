//! A row for each error of a command: its input, its message, and its exit code.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::suite::{SUM, Suite};

/// An error of `src/cli/error.rs` by name, files beside `scenarios/sum.yaml`, variables and arguments, the message. All
/// end with exit code 2.
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
    Row(
        "NoSessions",
        &[("h/.codex/sessions/notes.txt", "x")],
        "HOME=h CODEX_HOME= advise --agent codex",
        "there is no session of codex: looked in h/.codex/sessions, h/.codex/archived_sessions\n  = help: ptc-eval",
    ),
    Row(
        "SessionsNotInFiles",
        &[("h/.local/share/opencode/opencode.db", "x")],
        "HOME=h XDG_DATA_HOME= advise --agent opencode",
        "opencode keeps its sessions in a database",
    ),
    Row("NotWithStandardInput", &[], "run - --watch", "--watch cannot be used with standard input"),
    Row(
        "NotWithRecords",
        &[],
        "run --format records --no-page",
        "--no-page is about reports, and --format records",
    ),
    Row("OutsideSuite", &[("x/a.yaml", SUM)], "run x/a.yaml --only-failed", "x/a.yaml is in no suite"),
    Row(
        "DiffUsage",
        &[],
        "diff --strategies trim fold a b",
        "expected two strategies and one scenario, or two results",
    ),
    Row(
        "UnknownPrompt",
        &[],
        "diff --prompt a b sum",
        "there is no prompt 'a'\n  = help: suite.yaml has no prompts; write prompts: {current: FILE, shorter: FILE}",
    ),
    Row(
        "UnreadablePrompt",
        &[("a.json", HOLOGRAM)],
        "advise a.json --system-prompt missing.md",
        "cannot read the system prompt in missing.md: ",
    ),
    Row("Scenario", &[("scenarios/b.yaml", "misson: m")], "show b", "scenarios/b.yaml:1:1"),
    Row("UnknownScenario", &[], "show smu", "no scenario is called 'smu'\n  = help: Did you mean 'sum'?"),
    Row(
        "AmbiguousScenario",
        &[("scenarios/a/x.yaml", SUM), ("scenarios/b/x.yaml", SUM)],
        "show x",
        "'x' means 2 scenarios",
    ),
    Row("NoConversation", &[("x/a.txt", "x")], "run x", "there is no conversation in x\n"),
    Row("Conversations", &[("a.json", HOLOGRAM)], "show a.json#2", "a.json holds 1 conversation\n"),
    Row("NoSuchTurn", &[], "show sum --turn 9", "sum has no such turn, it took 2 turns"),
    Row(
        "UnknownAgent",
        &[(
            "a.json",
            r#"{"messages": [{"role": "user", "content": "m"}, {"role": "assistant", "content": "a"}]}"#,
        )],
        "advise a.json --only-agent codex",
        "there is no agent 'codex' in these logs\n  = help: their agents: openai-chat",
    ),
    Row("ScenarioName", &[], "new ../up", "a scenario cannot be called '../up'"),
    Row(
        "Setting",
        &[],
        "run --strategy trim,keep=1",
        "trim has no option 'keep'; did you mean 'keep_recent_turns'?",
    ),
    Row(
        "NotCopyable",
        &[],
        "apply turn-log",
        "there is nothing to copy into an agent for turn-log\n  = help: there is for fold, observation-masking, trim, ",
    ),
    Row(
        "NoOwnSummary",
        &[],
        "apply summary",
        "messages of the OpenAI API have no option for summaries\n  = help: libraries and providers write them themselves: --for langchain",
    ),
    Row(
        "NotInCopy",
        &[],
        "apply fold,into=summary",
        "fold,into=summary: what is copied into an agent has no option 'into'\n  = help: its options: keep_recent_turns, ",
    ),
    Row(
        "KeepsOther",
        &[],
        "apply summary,keep_recent_turns=0 --for langchain",
        "summary,keep_recent_turns=0: LangChain always keeps the newest turn\n  = help: nearest to it is ptc-eval apply summary,keep_recent_turns=1 --for langchain",
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
        "Folders",
        &[("reports/summary.md/x", "")],
        "run",
        "cannot read and write what belongs in reports and snapshots: reports/summary.md: it is a folder",
    ),
    Row("Folders", &[], "run --report-dir .", "snapshots: .: reports need a folder of their own"),
    Row("Folders", &[(".gitignore", "target")], "run --shard 1/2 --report-dir .", "reports need a folder"),
    Row(
        "Folders",
        &[("x/.gitignore", "target\n")],
        "run --report-dir x",
        "reports need a folder of their own",
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
    Row(
        "ForeignRepository",
        &[(".git", "gitdir: nowhere\n")],
        "run --against v9",
        ".git leads to no repository; its commits are not read",
    ),
    Row("UnknownBaseline", &[], "run --against v9", "there is neither a folder nor a revision 'v9'"),
    Row("Results", &[("x/results.json", "{}")], "diff x x", "x/results.json:1: "),
    Row("Transcript", &[("a.json", "[1, 2")], "import a.json", "a.json"),
    Row(
        "Chat",
        &[(
            "a.json",
            r#"{"messages": [{"role": "user"}, {"role": "assistant", "content": "```clojure\n(return 1)\n```"}]}"#,
        )],
        "import a.json",
        "chat 1",
    ),
    Row("LostContent", &[("a.json", HOLOGRAM)], "import a.json --strict", "content would be lost"),
    Row("AcceptInCi", &[], "CI=true run --accept", "nothing can be accepted with CI=true"),
    Row("Prices", &[("p.yaml", "- {model: m}")], "run --prices p.yaml", "the key 'date' is missing"),
    Row("Records", &[], "merge no", "cannot read no: there is no such file"),
    Row("Records", &[("x/a", "")], "merge x", "cannot read x/records.ndjson: there is no such file"),
    Row("Records", &[("r", "\n")], "merge r", "there are no records in r\n  = help: name what ptc-eval run"),
    Row("Records", &[("r", "\n{}")], "merge r", "r:2: no record, or a damaged one: expected it to end with"),
    Row(
        "Records",
        &[],
        "TMPDIR=/nowhere merge -",
        "cannot keep standard input in a temporary file: there is no",
    ),
    #[cfg(not(feature = "live"))]
    Row("NotLive", &[], "record sum --model m", "this build cannot ask a model: it has no network code"),
    #[cfg(not(feature = "live"))]
    Row(
        "NotLive",
        &[],
        "verify sum --strategy trim --model m",
        "this build cannot ask a model: it has no network code",
    ),
    #[cfg(feature = "live")]
    Row("NoUrl", &[], "record sum --model m --url x", "x is not the URL of an endpoint"),
    #[cfg(feature = "live")]
    Row("NoKey", &[], "OPENAI_API_KEY= record sum --model m", "https://api.openai.com/v1 needs a key"),
    #[cfg(feature = "live")]
    Row(
        "Read",
        &[("x.pem", "-")],
        "SSL_CERT_FILE=x.pem record sum --model m --url http://h",
        "cannot read x.pem: SSL_CERT_FILE names it, and it does not hold certificates in PEM",
    ),
    #[cfg(feature = "live")]
    Row(
        "TakesNoResponses",
        &[("scenarios/j.jsonl", "{\"name\": \"j\", \"mission\": \"m\"}")],
        "record j --model m",
        "cannot take responses",
    ),
    #[cfg(feature = "live")]
    Row(
        "OneOutput",
        &[("scenarios/b.yaml", SUM)],
        "record sum b --model m -o x.yaml",
        "--output names one file for 2 scenarios",
    ),
    #[cfg(feature = "live")]
    Row("NoSummaries", &[], "record sum --summaries --model m", "no strategy has summaries to record"),
    #[cfg(feature = "live")]
    Row(
        "SummariesOfOptions",
        &[],
        "record sum --summaries --model m --strategy summary,tokens=5",
        "summaries are not kept for options of the command line, as in summary,tokens=5",
    ),
    #[cfg(feature = "live")]
    Row("Exists", &[("x.yaml", "")], "record sum --model m -o x.yaml", "x.yaml is there already"),
    #[cfg(feature = "live")]
    Row(
        "OtherSuite",
        &[("x/scenarios/b.yaml", SUM)],
        "record sum x/scenarios/b.yaml --model m --url http://127.0.0.1:1",
        "is of another suite",
    ),
    #[cfg(feature = "live")]
    Row("UnknownScenario", &[], "verify smu --strategy trim --model m", "no scenario is called 'smu'"),
];

/// Errors that no row can reach: the test file that sees one, and a part of its message. Without a file, nothing that a
/// test can do leads there.
const ELSEWHERE: &[[&str; 3]] = &[
    ["BrokenStrategy", "tests/cli/strategies.rs", "scenarios/broken.clj:1:1"],
    ["InUse", "tests/cli/live/kept.rs", "another process adds to"],
    ["Io", "", ""],
    ["SharedFolder", "tests/cli/neighbours.rs", "is that of another suite too"],
    ["NoBaseline", "tests/cli/reports.rs", "has no report in"],
    ["NeedsWindow", "tests/cli/agents.rs", "name the model with --model"],
    ["NoCosts", "tests/cli/effect.rs", "before.json has no costs to compare"],
    ["NotWithLogs", "tests/cli/inputs.rs", "cannot be used with logs"],
    ["ScenariosOnStandardInput", "tests/cli/inputs.rs", "can only be run"],
    ["LogsAndScenarios", "tests/cli/inputs.rs", "logs is a log, and scenarios/sum.yaml is none"],
    ["OtherInput", "tests/cli/inputs.rs", "expected a log"],
    ["ProgramsInLog", "tests/cli/inputs.rs", "its tools and data are not known"],
    ["NoPrograms", "tests/cli/lisp.rs", "log.json is a transcript"],
    ["NoEntry", "tests/cli/live/kept.rs", "not what this command keeps"],
    ["NoSetting", "tests/cli/agents.rs", "Cline has no setting"],
    ["NoStrategy", "", ""],
    ["NoSuite", "tests/cli/merge.rs", "which is not to be found"],
    ["SuiteElsewhere", "tests/cli/merge.rs", "which is not below this folder"],
    ["OtherRevision", "tests/cli/merge.rs", "the merge is asked for those since"],
    ["NoProxy", "tests/cli/live/secrets.rs", "expected a proxy such as"],
    ["NotInProduct", "tests/cli/agents.rs", "Codex has no way to do fold"],
    ["NotReadBack", "", ""],
    ["OnlyTrigger", "tests/cli/agents.rs", "only the size at which it does can be set"],
    ["OutOfReach", "tests/cli/agents.rs", "it would compact at nearly every request"],
    ["Output", "tests/cli/wrong.rs", "cannot write to standard output"],
    ["RecordsOnTerminal", "tests/faults/run", "records are for programs"],
    ["SuiteNotChanged", "tests/cli/tune.rs", "cannot be written into"],
    ["Terminal", "", ""],
    ["Threads", "", ""],
    ["Unfinished", "tests/cli/live/kept.rs", "keeps 1 answer"],
];

#[test]
fn every_error_has_a_row_or_another_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |file: &str| fs::read_to_string(root.join(file)).unwrap();
    let errors = read("src/cli/error.rs");
    let (_, variants) = errors.split_once("enum CliError {").unwrap();
    let (variants, _) = variants.split_once("\n}\n").unwrap();
    let found = |pattern: &str, text: &str| -> BTreeSet<String> {
        let pattern = regex::Regex::new(pattern).unwrap();
        pattern.captures_iter(text).map(|found| found[1].to_owned()).collect()
    };
    let variants = found(r"(?m)^    ([A-Z]\w+)(?: \{|,|$)", variants);
    let rows = found(r#"Row\(\s*"(\w+)""#, &read("tests/cli/errors.rs"));
    let elsewhere: BTreeSet<String> = ELSEWHERE.iter().map(|[error, ..]| (*error).to_owned()).collect();
    assert_eq!(variants, &rows | &elsewhere);
    assert!(rows.is_disjoint(&elsewhere));
    for [error, file, message] in ELSEWHERE.iter().filter(|[_, file, _]| !file.is_empty()) {
        assert!(read(file).contains(message), "{error}: no {message:?} in {file}");
    }
}

#[test]
fn every_error_says_what_is_wrong() {
    let mut wrong = Vec::new();
    for Row(error, files, arguments, message) in ROWS {
        let suite = Suite::with(&[("sum", SUM)]);
        files.iter().for_each(|(name, text)| suite.write(name, text));
        let words = arguments.split(' ').collect::<Vec<_>>();
        let is_variable = |word: &&str| word.starts_with(char::is_uppercase);
        let (variables, arguments): (Vec<&str>, Vec<&str>) = words.into_iter().partition(is_variable);
        let variables: Vec<(&str, &str)> = variables.iter().filter_map(|word| word.split_once('=')).collect();
        let ran = suite.run_with(&arguments, "", &variables);
        if ran.code != 2 || !ran.err.contains("error: ") || !ran.err.contains(message) {
            wrong.push(format!("{error}: {arguments:?} ends with {}\n{}", ran.code, ran.err));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
