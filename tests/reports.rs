//! Measures of requests, comparison of strategies and report files, from scenarios small enough to check by
//! hand. `PTC_EVAL_BLESS=1` rewrites the goldens in `tests/reports/`.

use std::fs;
use std::path::Path;

use ptc_eval::agent::{Message, Role};
use ptc_eval::compression::STRATEGIES;
use ptc_eval::evaluate::{Plan, ReplayedScenario, replay};
use ptc_eval::measure::evidence::{EvidenceItem, EvidenceKind, Grade};
use ptc_eval::measure::measured::{REQUEST, STATISTICS};
use ptc_eval::measure::numbers::{Cell, grouped, percent};
use ptc_eval::measure::{BreakAt, MeasuredRequest};
use ptc_eval::report::change::{Cause, ChangedLine, ChangedLines, DifferencePart, ScenarioDifference, Sums};
use ptc_eval::report::changes::Changes;
use ptc_eval::report::comparison::BreakEven;
use ptc_eval::report::verdicts::{SnapshotRecord, SnapshotVerdict, Unreadable};
use ptc_eval::report::{
    Advice, Against, Comparison, FORMATS, Gauges, Header, ReportFolder, STREAMS, ScenarioRecord,
    StrategyComparison, Tally, Totals, crossed, metrics, stale, write_committed,
};
use ptc_eval::scenario::suite::{Bound, Threshold, Tolerance};
use ptc_eval::scenario::{JsonOptions, Known, Selection, Suite};
use ptc_prices::{Price, PriceTable};
use ptc_tokens::Tokenizer;

use crate::golden::Golden;

const STOCK: &str = r#"
mission: Find bargains
data:
  items: [{name: Laptop, price: 1200}, {name: Mouse, price: 25}]
tools:
  note: {signature: "(text :string) -> :any", returns: ok}
responses:
  - program: |
      (def cheap (filter #(< (:price %) 100) data/items))
      (println "code XK-42")
      (println "price 777")
  - program: |
      (tool/note "x")
      (println "secret" (* 5 1030))
      (oops cheap)
  - program: (return (str "XK-42" 777 5150 (count cheap) "unseen" :price))
    needs: [XK-42, secret]
expect:
  tokens: {aggressive: {max_total: 10}}
"#;

const SINGLE: &str = "mission: Add\nmax_turns: 1\nresponses: [{program: (+ 1 2)}]\n";

const NAMES: [&str; 4] = ["full-history", "single-user-coalesced", "aggressive", "turn-log"];

/// The results of both scenarios under four strategies.
pub fn results() -> Vec<ReplayedScenario> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("stock.yaml"), STOCK).unwrap();
    fs::write(folder.path().join("single.yaml"), SINGLE).unwrap();
    let suite = Suite::open(folder.path(), Known::default()).unwrap();
    let wanted = NAMES.map(|name| (name.to_owned(), JsonOptions::default()));
    let plan = Plan::new(&suite, &wanted).unwrap();
    let scenarios = suite.scenarios(&Selection::default()).unwrap().map(Result::unwrap).collect::<Vec<_>>();
    let mut results: Vec<ReplayedScenario> =
        scenarios.into_iter().map(|scenario| replay(scenario, &plan, &|_| 0).unwrap()).collect();
    for result in &mut results {
        result.scenario.file = format!("scenarios/{}.yaml", result.scenario.name);
    }
    results
}

/// The same with a short SYSTEM, so that goldens do not change with the language reference.
pub fn results_with_short_system() -> Vec<ReplayedScenario> {
    let mut results = results();
    let requests =
        results.iter_mut().flat_map(|result| &mut result.strategies).flat_map(|run| &mut run.requests);
    for message in requests.flat_map(|request| &mut request.messages) {
        if message.role == Role::System {
            *message =
                Message { parts: message.parts.clone(), ..Message::new(Role::System, "You write programs.") };
        }
    }
    results
}

fn models() -> Vec<Price> {
    let table = PriceTable::built_in().unwrap();
    ["gpt-4o", "claude-sonnet"].map(|name| table.find(name, table.day()).unwrap()).into()
}

fn header() -> Header {
    Header {
        suite: "scenarios".into(),
        tokenizer: "o200k_base".to_owned(),
        strategies: NAMES.map(str::to_owned).into(),
        baseline: "full-history".to_owned(),
        models: models(),
        tolerance: Tolerance { max_short: 0.05, min_saving: 0.02, ..Tolerance::default() },
        complete: true,
        ..Header::default()
    }
}

pub fn measured(results: &[ReplayedScenario]) -> Vec<ScenarioRecord> {
    let tokenizer = Tokenizer::named("o200k_base").unwrap();
    let gauges = Gauges { tokenizer: &tokenizer, models: &models(), logged: None, warm_system: false };
    let record = |(position, result): (u64, &ReplayedScenario)| result.measure(position, &gauges);
    (0..).zip(results).map(record).collect()
}

pub fn comparison(measured: &[ScenarioRecord]) -> Comparison {
    let mut tally = Tally::new(header());
    measured.iter().for_each(|measured| tally.add(measured));
    tally.compare()
}

/// The measures of `stock`, by strategy and turn.
fn request<'m>(measured: &'m [ScenarioRecord], strategy: &str, turn: usize) -> &'m MeasuredRequest {
    let stock = measured.iter().find(|measured| measured.name == "stock").unwrap();
    let run = stock.strategies.iter().find(|run| run.name == strategy).unwrap();
    &run.requests[turn - 1]
}

fn gone(what: &str, kind: EvidenceKind, turn: u32) -> EvidenceItem {
    EvidenceItem { what: what.into(), kind, grade: Grade::Gone, turn: Some(turn), more_lines: 0, again: true }
}

/// S4-01: the numbers equal those of the reference tokenizer.
#[test]
fn tokens_of_a_request_are_those_of_its_messages() {
    let results = results();
    let measured = measured(&results);
    let reference = tiktoken_rs::o200k_base_singleton();
    for (result, measured) in results.iter().zip(&measured) {
        for (run, measures) in result.strategies.iter().zip(&measured.strategies) {
            for (request, measures) in run.requests.iter().zip(&measures.requests) {
                let texts =
                    request.messages.iter().map(|message| reference.count_ordinary(&message.content) + 4);
                assert_eq!(measures.input_tokens as usize, texts.sum::<usize>() + 3);
                let response = result.conversation.past().turn(measures.turn as usize - 1).unwrap().text();
                assert_eq!(measures.output_tokens as usize, reference.count_ordinary(response));
            }
        }
    }
}

/// NS-012, S4-01: the prefix shared with the previous request, and where it ends.
#[test]
fn prefixes_end_where_something_changed() {
    let results = results();
    let measured = measured(&results);
    let of = |strategy, turn| request(&measured, strategy, turn);
    for turn in [2, 3] {
        let (before, after) = (of("full-history", turn - 1), of("full-history", turn));
        assert_eq!((after.prefix_tokens, after.break_at), (before.input_tokens - 3, BreakAt::Nowhere));
    }
    let breaks = |strategy| [1, 2, 3].map(|turn| of(strategy, turn).break_at.to_string());
    assert_eq!(breaks("full-history"), ["none", "none", "none"]);
    // The line that no tool was called goes once a failed turn has called one.
    assert_eq!(breaks("single-user-coalesced"), ["none", "user", "output"]);
    assert_eq!(breaks("aggressive"), ["none", "user", "error"]);
    assert_eq!(breaks("turn-log"), ["none", "3", "error"]);
    let texts = |turn: usize| {
        let stock = results.iter().find(|result| result.scenario.name == "stock").unwrap();
        stock.strategies[1].requests[turn - 1]
            .messages
            .iter()
            .map(|message| &message.content)
            .collect::<Vec<_>>()
    };
    let reference = tiktoken_rs::o200k_base_singleton();
    let (one, other) = (reference.encode_ordinary(texts(2)[1]), reference.encode_ordinary(texts(3)[1]));
    let shared = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
    let system = reference.count_ordinary(texts(3)[0]) + 4;
    assert_eq!(of("single-user-coalesced", 3).prefix_tokens as usize, system + shared);
}

/// S1-23: evidence used by turn 3: XK-42, 777 and 5150, printed by turns 1 and 2, and `cheap`, defined by
/// turn 1. `:price` is in the first request, `unseen` nowhere.
#[test]
fn evidence_is_what_the_answer_had_from_earlier_turns() {
    let results = results();
    let measured = measured(&results);
    let found = |strategy, turn| {
        let evidence = &request(&measured, strategy, turn).evidence;
        (evidence.needed(), evidence.shown, evidence.lost.clone())
    };
    for strategy in NAMES {
        assert_eq!(found(strategy, 1), (0, 0, vec![]), "{strategy}");
        assert_eq!(found(strategy, 2), (1, 1, vec![]), "{strategy}");
    }
    assert_eq!(found("full-history", 3), (5, 5, vec![]));
    let number = gone("5150", EvidenceKind::Used, 2);
    assert_eq!(found("single-user-coalesced", 3), (5, 4, vec![number.clone()]));
    let word = gone("secret", EvidenceKind::Listed, 2);
    assert_eq!(found("aggressive", 3), (5, 2, vec![gone("XK-42", EvidenceKind::Used, 1), number, word]));
    assert_eq!(request(&measured, "aggressive", 3).evidence.share(), Some(0.4));
    assert_eq!(request(&measured, "aggressive", 1).evidence.share(), None);
}

#[test]
fn full_history_shows_all_evidence() {
    let results = results();
    for measured in measured(&results) {
        let mut requests = measured.strategies[0].requests.iter();
        assert!(requests.all(|request| request.evidence.lost.is_empty()));
    }
}

/// TC-001: only the full history shows the call of the failed turn.
#[test]
fn calls_of_failed_turns_are_hidden() {
    let results = results();
    let measured = measured(&results);
    let hidden = NAMES.map(|strategy| request(&measured, strategy, 3).hidden_tool_calls);
    assert_eq!(hidden, [0, 1, 1, 1]);
    assert!(NAMES.iter().all(|strategy| request(&measured, strategy, 3).valid));
}

#[test]
fn bounds_of_tokens_are_expectations() {
    let results = results();
    let measured = measured(&results);
    let stock = measured.iter().find(|measured| measured.name == "stock").unwrap();
    let failure = &stock.failures[0];
    let total = stock.strategies[2].input_tokens();
    assert_eq!(
        (failure.what.as_str(), failure.found.as_str()),
        ("tokens.aggressive.max_total", &*total.to_string())
    );
    assert_eq!(comparison(&measured).failed, 1);
}

/// S1-01, S4-01, S4-17: savings of strategies; the report names scenarios where compression costs tokens.
#[test]
fn strategies_are_compared_run_by_run() {
    let results = results();
    let measured = measured(&results);
    let comparison = comparison(&measured);
    let baseline = comparison.strategy("full-history").unwrap();
    let versus = &baseline.sums.versus;
    assert_eq!((baseline.ratio, versus.wins, versus.ties, versus.losses), (Some(1.0), 0, 2, 0));
    assert_eq!((baseline.break_even, baseline.pays_from_turn), (BreakEven::Unknown, None));
    let coalesced = comparison.strategy("single-user-coalesced").unwrap();
    let sums = |strategy| [1, 2, 3].map(|turn| request(&measured, strategy, turn).input_tokens);
    let (own, whole) = (sums("single-user-coalesced"), sums("full-history"));
    let larger = own.iter().zip(whole).filter(|(own, whole)| **own > *whole).count() as u64;
    let versus = &coalesced.sums.versus;
    assert_eq!(versus.larger_requests, larger);
    assert!(larger > 0, "the first request says how many turns are left");
    assert_eq!((versus.wins + versus.losses, versus.ties), (1, 1));
    let lengths: Vec<(u32, u64)> = coalesced.by_length.iter().map(|row| (row.turns, row.scenarios)).collect();
    assert_eq!(lengths, [(1, 2)]);
    let ratio = coalesced.sums.input_tokens as f64 / baseline.sums.input_tokens as f64;
    assert_eq!(coalesced.by_length[0].ratio, Some(ratio));
    assert_eq!((coalesced.evidence, coalesced.sums.evidence_min), (Some(5.0 / 6.0), Some(0.8)));
    let answers = coalesced.sums.answers;
    assert_eq!((answers.needing, answers.short, answers.short_runs, answers.own_short), (2, 1, 1, 0));
    assert!(baseline.is_efficient);
}

#[test]
fn thresholds_say_what_crossed_them() {
    let measured = measured(&results());
    let comparison = comparison(&measured);
    let threshold =
        |metric: &str, bound| Threshold { strategy: NAMES[1].to_owned(), metric: metric.to_owned(), bound };
    let found = comparison.strategy(NAMES[1]).unwrap().sums.input_tokens;
    let report = format!("strategy,input_tokens\n{},{}\n", NAMES[1], found - 1);
    let judge = |threshold, baseline: Option<&str>| {
        let baseline = baseline.map(|text| Totals::parse(text).unwrap());
        let crossed = crossed(&comparison, &[threshold], baseline.as_ref());
        crossed.first().map(ToString::to_string)
    };
    assert_eq!(judge(threshold("evidence", Bound::Min(0.8)), None), None);
    assert_eq!(
        judge(threshold("evidence", Bound::Min(0.9)), None).unwrap(),
        "single-user-coalesced: evidence is 0.8333, expected at least 0.9"
    );
    assert_eq!(
        judge(threshold("answers_short", Bound::Max(0.0)), None).unwrap(),
        "single-user-coalesced: answers_short is 1, expected at most 0"
    );
    assert!(judge(threshold("losses", Bound::Max(-1.0)), None).is_some());
    assert_eq!(judge(threshold("input_tokens", Bound::MaxIncrease(0.05)), Some(&report)), None);
    assert_eq!(
        judge(threshold("input_tokens", Bound::MaxIncrease(0.0)), Some(&report)).unwrap(),
        format!(
            "single-user-coalesced: input_tokens is {found}, more than 0.0% above the {} of the baseline report",
            found - 1
        )
    );
    assert_eq!(
        judge(threshold("input_tokens", Bound::MaxIncrease(0.0)), Some("strategy,input_tokens\n")),
        None
    );
    let before = |metric: &str, number: &str| format!("strategy,{metric}\n{},{number}\n", NAMES[1]);
    // A number that files round down has not grown since they were written.
    let numbers = comparison.strategies.iter().flat_map(|strategy| {
        let named = [("ratio", strategy.ratio), ("growth", strategy.growth)];
        named.map(|(metric, number)| {
            (&strategy.name, metric, number.unwrap(), format!("{:.4}", number.unwrap()))
        })
    });
    let is_rounded_down = |(.., number, written): &(_, _, f64, String)| *number > written.parse().unwrap();
    let (name, metric, _, written) = numbers.into_iter().find(is_rounded_down).unwrap();
    let unchanged = Threshold { strategy: name.clone(), ..threshold(metric, Bound::MaxIncrease(0.0)) };
    let report = format!("strategy,{metric}\n{name},{written}\n");
    assert_eq!(judge(unchanged, Some(&report)), None);
    // In floating point 50 × 2.14 is less than 107.
    let tokens = before("output_tokens", "50");
    assert_eq!(judge(threshold("output_tokens", Bound::MaxIncrease(1.14)), Some(&tokens)), None);
    assert!(judge(threshold("output_tokens", Bound::MaxIncrease(1.139)), Some(&tokens)).is_some());
    assert!(judge(threshold("lost", Bound::MaxIncrease(1.0)), Some(&before("lost", "0"))).is_some());
    assert_eq!(
        judge(threshold("cost:gpt-5", Bound::Max(1.0)), None).unwrap(),
        "single-user-coalesced: cost:gpt-5 is not measured; list the model under models"
    );
    let error = Totals::parse("a,b\n").unwrap_err().to_string();
    assert!(error.contains("expected 'strategy' as its first column"), "{error}");
    let metrics = metrics();
    assert!(metrics.contains(&"evidence".to_owned()));
    assert!(!metrics.contains(&"break_even".to_owned()));
}

pub fn rendered(file: &str, results: &[ReplayedScenario]) -> String {
    let measured = measured(results);
    written(file, &comparison(&measured), &measured)
}

pub fn written(file: &str, comparison: &Comparison, measured: &[ScenarioRecord]) -> String {
    let mut out = Vec::new();
    for format in FORMATS.iter().filter(|format| format.file == file) {
        (format.write)(comparison, &mut out).unwrap();
    }
    for stream in STREAMS.iter().filter(|stream| stream.file == file) {
        (stream.front)(comparison, &mut out).unwrap();
        (stream.head)(&comparison.header, &mut out).unwrap();
        for (index, record) in measured.iter().enumerate() {
            out.extend_from_slice(if index > 0 { stream.between.as_bytes() } else { b"" });
            (stream.scenario)(&comparison.header, record, &mut out).unwrap();
        }
        (stream.tail)(comparison, &mut out).unwrap();
    }
    String::from_utf8(out).unwrap()
}

#[track_caller]
fn golden(name: &str, text: &str) {
    let mut golden = Golden::default();
    golden.holds(&Path::new("tests/reports").join(name), text);
    golden.assert_none_differs();
}

#[test]
fn files_are_as_they_were() {
    let results = results_with_short_system();
    for file in ["summary.md", "strategies.csv", "requests.csv", "scenarios.csv"] {
        golden(file, &rendered(file, &results));
    }
    let comparison = comparison(&measured(&results));
    let advice = Advice::new(&comparison);
    let tables = [80, 65, 50].map(|columns| format!("{columns} columns\n{}", advice.table(columns)));
    golden(
        "terminal.txt",
        &format!("{}\n{}\n\n{}", advice.sentence(), advice.certainty(), tables.join("\n")),
    );
    let mut json: serde_json::Value = serde_json::from_str(&rendered("results.json", &results)).unwrap();
    for scenario in json["scenarios"].as_array_mut().unwrap() {
        assert_eq!(scenario["fingerprint"].as_str().unwrap().len(), 16);
        scenario["fingerprint"] = "…".into();
    }
    golden("results.json", &serde_json::to_string_pretty(&json).unwrap());
}

/// `strategies.csv` with other numbers of a strategy.
fn with_numbers(csv: &str, strategy: &str, numbers: &[(&str, &str)]) -> String {
    let columns: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let row = |line: &str| {
        let cells = columns.iter().zip(line.split(','));
        let other =
            |column: &&str| numbers.iter().find(|(name, _)| name == column).map(|(_, number)| *number);
        let cells: Vec<&str> = cells.map(|(column, cell)| other(column).unwrap_or(cell)).collect();
        format!("{}\n", cells.join(","))
    };
    let is_other = |line: &str| line.split(',').next() == Some(strategy);
    csv.lines().map(|line| if is_other(line) { row(line) } else { format!("{line}\n") }).collect()
}

/// One line that another one replaced.
fn difference(removed: &str, added: &str) -> ScenarioDifference {
    let line = |text: &str| ChangedLines {
        count: 1,
        first: vec![ChangedLine { text: text.to_owned(), requests: 2, lines: 1 }],
    };
    let sums = Some([
        Sums { tokens: 100, needing: 3, short: 1, ..Sums::default() },
        Sums { tokens: 90, needing: 3, short: 2, ..Sums::default() },
    ]);
    let strategies = vec!["trim".to_owned()];
    let part = DifferencePart {
        cause: Cause::Edit("suite.yaml  compression.println_limit 15 → 14".to_owned()),
        strategies: strategies.clone(),
        requests: 2,
        new_requests: 0,
        gone_requests: 0,
        removed: line(removed),
        added: line(added),
        sums: sums.clone(),
        worst: None,
    };
    ScenarioDifference { strategies, requests: 2, sums, parts: vec![part] }
}

/// One of each kind of failure, and an earlier report with other numbers.
#[test]
fn failures_are_reported() {
    let mut records = measured(&results_with_short_system());
    let snapshot =
        |key: &str, verdict| SnapshotRecord { key: key.to_owned(), verdict, diff: None, reason: None };
    let changed = snapshot("single/trim", SnapshotVerdict::Changed);
    records[0].snapshots = vec![changed, snapshot("single/run", SnapshotVerdict::New)];
    records[0].difference = Some(difference("a < b & c", "d\u{1b}"));
    let mut comparison = comparison(&records);
    let earlier = written("strategies.csv", &comparison, &records);
    let numbers = [
        ("requests", "5"),
        ("answers_short", "1"),
        ("runs_short", "1"),
        ("evidence", "0.9000"),
        ("evidence_min", "0.5000"),
        ("lost", "2"),
    ];
    let earlier: String = with_numbers(&earlier, NAMES[0], &numbers)
        .lines()
        .filter(|line| !line.starts_with("turn-log"))
        .map(|line| format!("{line}\n"))
        .collect();
    let totals = Some(Totals::parse(&earlier).unwrap());
    let bound =
        Threshold { strategy: NAMES[1].to_owned(), metric: "lost".to_owned(), bound: Bound::Max(0.0) };
    comparison.header.thresholds = vec![bound.clone(), Threshold { metric: "requests".to_owned(), ..bound }];
    comparison.verdicts.thresholds_crossed = crossed(&comparison, &comparison.header.thresholds, None);
    comparison.verdicts.snapshots = vec![snapshot("old/run", SnapshotVerdict::Orphan)];
    comparison.verdicts.stale_reports = vec!["summary.md".to_owned()];
    comparison.against = Some(Against { name: "origin/main".to_owned(), totals, scenarios: None });
    golden("changes.md", &written("changes.md", &comparison, &records));
    golden("junit.xml", &written("junit.xml", &comparison, &records));
    comparison.verdicts.unreadable = vec![Unreadable {
        position: 2,
        name: "x".to_owned(),
        place: "scenarios/x.yaml:3".to_owned(),
        message: "no *such*".to_owned(),
        source: 0,
    }];
    comparison.counts.troubles += 1_000;
    comparison.counts.stale_texts += 234;
    let changes = written("changes.md", &comparison, &records);
    assert!(
        changes.contains("Not all scenarios could be read and rendered, so the numbers are not compared."),
        "{changes}"
    );
    assert!(changes.contains("- `scenarios/x.yaml:3`: `no *such*`\n"), "{changes}");
    assert!(changes.contains("\n- … and 1,234 more\n"), "not only those that were kept: {changes}");
}

/// Of the first ten lines, a reviewer needs no other to decide. Stale reports come after everything else that fails.
#[test]
fn the_first_ten_lines_of_a_comment_answer_a_reviewer() {
    let records = measured(&results());
    let mut comparison = comparison(&records);
    comparison.verdicts.stale_reports = vec!["summary.md".to_owned(), "strategies.csv".to_owned()];
    comparison.differences.add("single", &difference("a < b & c", "d"));
    let changes = written("changes.md", &comparison, &records);
    let lines: Vec<&str> = changes.lines().take(10).collect();
    let title = "# `suite.yaml  compression.println_limit 15 → 14`: 1 more answer would lack a fact";
    assert_eq!(lines[0], title);
    for start in ["- **Edited**: `suite.yaml  ", "- **Loss", "- **To do:** ", "- **Also:** "] {
        assert!(lines.iter().any(|line| line.starts_with(start)), "{start}: {lines:#?}");
    }
    let also = "- **Also:** **1 failed scenario**, see *Not as expected* below. 2 committed reports are out of date: ";
    assert!(lines.iter().any(|line| line.starts_with(also)), "{lines:#?}");
    // Without a change for the model, too.
    comparison.differences = Default::default();
    let changes = written("changes.md", &comparison, &records);
    let start = "# Changes\n\n**1 failed scenario.** There is no earlier report to compare the numbers with. 2 committed reports";
    assert!(changes.starts_with(start), "{changes}");
}

#[test]
fn changes_fit_into_a_comment() {
    let records = measured(&results());
    let mut comparison = comparison(&records);
    let first = comparison.strategies[0].clone();
    let variant = |number| StrategyComparison { name: format!("variant-{number}"), ..first.clone() };
    comparison.strategies.extend((0..2_000).map(variant));
    let earlier = written("strategies.csv", &comparison, &records).replace(",4,", ",5,");
    let totals = Some(Totals::parse(&earlier).unwrap());
    comparison.against = Some(Against { name: "main".to_owned(), totals, scenarios: None });
    let whole = written("changes.md", &comparison, &records);
    let (same, rest) = ("same ".repeat(1_000), "rest ".repeat(100_000));
    let long = difference(&format!("{same}old {rest}"), &format!("{same}new ````{rest}"));
    comparison.differences.add("single", &long);
    let changes = written("changes.md", &comparison, &records);
    assert!(changes.contains("\n`````diff\n- …same same "), "{changes}");
    assert!(changes.contains("\n+ …same same ") && changes.contains(" same new ````rest"), "{changes}");
    assert!(changes.chars().count() < 60_000);
    comparison.troubles[0].what = "long ".repeat(100_000);
    comparison.troubles[0].place = "p".repeat(100_000);
    let changes = written("changes.md", &comparison, &records);
    for text in [&whole, &changes] {
        assert!((50_000..60_000).contains(&text.chars().count()), "{}", text.len());
        assert!(text.contains(" more numbers: `index.html` shows them all\n\n</details>\n"), "{text}");
    }
    assert!(whole.contains("scenarios/stock.yaml") && !changes.contains("ppp"), "{changes}");
    assert!(changes.contains("## Not as expected\n\n- … and 1 more\n"), "{changes}");
}

#[test]
fn the_terminal_table_fits() {
    let mut comparison = comparison(&measured(&results()));
    comparison.strategies[1].name =
        "a-variant-with-a-name-that-goes-on-and-on-and-on-and-on-and-on-and-on".to_owned();
    for columns in [50, 59, 60, 70, 80, 120] {
        let table = Advice::new(&comparison).table(columns);
        assert!(table.lines().all(|line| line.chars().count() <= columns), "{columns}\n{table}");
        assert_eq!(table.lines().filter(|line| line.ends_with(char::is_numeric)).count(), NAMES.len());
        assert_ne!(table.matches('*').count(), 1, "a star is explained where there is one\n{table}");
    }
}

/// The reasons to keep the baseline, each from the same run with other numbers.
#[test]
fn advice_says_why_the_baseline_is_kept() {
    let mut run = comparison(&measured(&results()));
    (run.too_little, run.recommended) = (None, Some(0));
    let advised = |change: fn(&mut StrategyComparison)| {
        let mut comparison = run.clone();
        comparison.strategies.iter_mut().skip(1).for_each(change);
        Advice::new(&comparison).sentence()
    };
    const DEAR: u128 = 1 << 100;
    type Change = fn(&mut StrategyComparison);
    let cases: [(Change, &str); 4] = [
        (|other| other.standings.first.short = 9, "nothing tested is both cheaper and safe. Nearest: "),
        (|other| other.sums.invalid_requests = 1, "the API would reject requests of "),
        (|other| other.standings.first.cost = DEAR, "fewer tokens cost more here"),
        (
            |other| {
                other.standings.first.cost = DEAR;
                other.sums.input_tokens = u64::MAX;
            },
            "every other strategy sends more tokens",
        ),
    ];
    for (change, reason) in cases {
        let sentence = advised(change);
        assert!(sentence.starts_with(&format!("Keep {}: {reason}", NAMES[0])), "{sentence}");
    }
    // Requests that the baseline sends too are no reason against another strategy.
    let mut refused = run.clone();
    refused.strategies.iter_mut().for_each(|strategy| strategy.sums.invalid_requests = 1);
    assert!(
        Advice::new(&refused).sentence().contains(": nothing tested is both cheaper and safe. Nearest: ")
    );
    let mut little = run.clone();
    little.header.tolerance.min_saving = 1.0;
    assert!(Advice::new(&little).sentence().ends_with(": nothing is at least 100% cheaper."));
    // One that made no requests seems to cost nothing.
    let mut broken = run.clone();
    for other in broken.strategies.iter_mut().skip(1) {
        (other.sums.requests, other.standings.first.cost) = (0, 0);
    }
    assert!(Advice::new(&broken).sentence().ends_with(": there is nothing to compare it with."));
    broken.strategies[2] = run.strategies[2].clone();
    let sentence = Advice::new(&broken).sentence();
    assert!(sentence.contains(&format!("Nearest: {} saves", NAMES[2])), "{sentence}");
    let mut equal = run.clone();
    equal.strategies.iter_mut().for_each(|strategy| strategy.standings.first.cost = DEAR);
    assert!(Advice::new(&equal).sentence().ends_with(": no strategy makes these runs cheaper."));
    equal.strategies.truncate(1);
    assert!(Advice::new(&equal).sentence().ends_with(": there is nothing to compare it with."));
}

/// BRK-002, BRK-008, ARC-007, DBG-001, DBG-002, DBG-006, S1-24, S2-07, S2-20, S4-15, S4-21.
#[test]
fn records_hold_everything_once() {
    let stock = serde_json::to_value(&measured(&results())[1]).unwrap();
    assert_eq!((&stock["name"], &stock["outcome"]), (&"stock".into(), &"return".into()));
    let messages = stock["texts"]["messages"].as_array().unwrap();
    assert_eq!(messages[0], serde_json::json!({"role": "system"}));
    assert!(stock.get("system").is_none());
    let turn = stock["turns"][0].as_object().unwrap();
    let fields: Vec<&str> = turn.keys().map(String::as_str).collect();
    assert_eq!(
        fields,
        ["number", "raw_response", "program", "result", "prints", "tool_calls", "memory", "success"]
    );
    assert!(turn["program"].as_str().unwrap().starts_with("(def cheap (filter"));
    let pieces = stock["texts"]["pieces"].as_array().unwrap();
    let prints = turn["prints"].as_array().unwrap().iter();
    let prints: Vec<(usize, &serde_json::Value)> = prints
        .map(|runs| (runs.as_array().unwrap().len(), &pieces[runs[0].as_u64().unwrap() as usize]))
        .collect();
    assert_eq!(prints, [(2, &"code XK-42\n".into()), (2, &"price 777\n".into())]);
    assert!(stock["turns"].as_array().unwrap().iter().all(|turn| turn["raw_response"].is_string()));
    assert!(stock.get("trace").is_none());
    assert_eq!(turn["memory"][0]["name"], "cheap");
    assert_eq!(stock["turns"][1]["result"]["kind"], "undefined_symbol");
    for each in [messages, pieces] {
        let texts: Vec<String> = each.iter().map(ToString::to_string).collect();
        assert_eq!(texts.len(), texts.iter().collect::<std::collections::BTreeSet<_>>().len());
    }
    let named = |names: &[&str], row: &serde_json::Value| -> serde_json::Value {
        names.iter().map(ToString::to_string).zip(row.as_array().unwrap().iter().cloned()).collect()
    };
    let last = named(&REQUEST, &stock["strategies"][1]["requests"][2]);
    let stats = named(&STATISTICS, &last["stats"]);
    assert_eq!(stats.as_object().unwrap().len(), 10);
    assert_eq!(stats["strategy"], "single-user-coalesced");
    let (kept, added) = last["messages"].as_array().unwrap().split_first().unwrap();
    let added: Vec<&str> = added
        .iter()
        .map(|index| messages[index.as_u64().unwrap() as usize]["role"].as_str().unwrap())
        .collect();
    assert_eq!((kept, &*added), (&1.into(), &["user"][..]));
    let fields = |index: usize| messages[index].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(fields(1), ["role", "runs"]);
}

#[test]
fn a_folder_is_written_whole() {
    let results = results();
    let measured = measured(&results);
    let comparison = comparison(&measured);
    let folder = tempfile::tempdir().unwrap();
    let reports = folder.path().join("reports");
    let mut writer = ReportFolder::create(&reports, header()).unwrap();
    for record in &measured {
        writer.scenario(record).unwrap();
    }
    writer.finish(&comparison).unwrap();
    assert_eq!(stale(&reports, &comparison).unwrap(), ["strategies.csv", "summary.md"]);
    write_committed(&reports, &comparison).unwrap();
    assert_eq!(stale(&reports, &comparison).unwrap(), Vec::<&str>::new());
    let mut names: Vec<String> = fs::read_dir(&reports)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let uncommitted =
        [".gitignore", "changes.md", "index.html", "junit.xml", "results.json", "scenarios.csv"];
    let expected = [&uncommitted[..], &["strategies.csv", "summary.md"]].concat();
    assert_eq!(names, expected);
    assert_eq!(fs::read_to_string(reports.join("results.json")).unwrap(), rendered("results.json", &results));
    fs::write(reports.join("summary.md"), "old").unwrap();
    assert_eq!(stale(&reports, &comparison).unwrap(), ["summary.md"]);
}

/// S2-27: every strategy can be measured, and reports name them in the order of the suite.
#[test]
fn rows_stand_in_the_order_of_the_suite() {
    assert!(NAMES.iter().all(|name| STRATEGIES.iter().any(|strategy| strategy.name == *name)));
    let csv = rendered("strategies.csv", &results());
    let names: Vec<&str> = csv.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!(names, NAMES);
}

fn totals(rows: &str) -> Totals {
    Totals::parse(&format!("strategy,input_tokens,evidence,lost,break_even\n{rows}")).unwrap()
}

#[test]
fn lost_evidence_is_worse_than_more_tokens() {
    let before = totals("a,100,1.0,0,\nb,100,1.0,0,\nc,100,1.0,0,\nd,100,1.0,0,\ngone,1,1,0,\n");
    let now = totals("new,1,1,0,\na,90,1.0,0,\nb,150,1.0,0,\nc,100,0.9,1,never\nd,100,1.0,0,\n");
    let changes = Changes::between(&before, &now);
    let names: Vec<&str> = changes.strategies.iter().map(|change| change.name.as_str()).collect();
    assert_eq!(names, ["c", "b", "a"]);
    assert_eq!((changes.added, changes.removed), (vec!["new".to_owned()], vec!["gone".to_owned()]));
    let [worst, more, fewer] = changes.strategies.as_slice() else { panic!("{names:?}") };
    assert!(worst.loses_evidence() && !more.loses_evidence());
    assert_eq!((more.token_increase(), fewer.token_increase()), (0.5, -0.1));
    let text = worst.number("break_even").unwrap();
    assert_eq!((text.increase(), text.now.as_str()), (None, "never"));
    assert!(Changes::between(&now, &now).is_empty());
}

#[test]
fn numbers_are_written_with_fixed_decimals() {
    assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    assert_eq!([Some(0.625), Some(1.0), None].map(percent), ["62.5%", "100.0%", "–"]);
    assert_eq!(Cell::Ratio(Some(2.0 / 3.0)).plain(), "0.6667");
    assert_eq!(Cell::Money("0.000125".parse().unwrap()).plain(), "0.000125");
}
