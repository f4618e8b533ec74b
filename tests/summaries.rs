//! Measures of the strategy `summary`: what its own calls cost, and how few answers any text leaves short.

use std::path::Path;

use ecow::EcoString;
use proptest::prelude::*;
use serde_json::{Value, json};

use conversation::{MessageId, Runs};
use ptc_eval::compression::{
    BrokenStrategy, Request, STRATEGIES, StrategyCall, TurnMemo, Variant, history_of, presets,
};
use ptc_eval::evaluate::{Pipeline, Plan, execute, turns_with_calls, write_in_turn};
use ptc_eval::measure::evidence::{Evidence, EvidenceFinder, needs_in_history};
use ptc_eval::measure::{Gauges, MeasuredRun, Measures, Requests, clairvoyant};
use ptc_eval::report::{Advice, Comparison};
use ptc_eval::scenario::{JsonOptions, Known, Scenario, Selection, Suite};
use ptc_eval::snapshot::{GoldenText, GoldenTexts};
use ptc_prices::{Money, Price};
use ptc_tokens::{REQUEST_OVERHEAD, Tokenizer};

fn tokenizer() -> Tokenizer {
    Tokenizer::named("o200k_base").unwrap()
}

/// A suite of one conversation: each result has some facts, and each call uses some of those before.
fn suite(folder: &Path, turns: &[(Vec<u32>, Vec<u32>)]) -> Suite {
    write_log(folder, turns, &[]);
    Suite::open(folder, Known::default()).unwrap()
}

/// The conversation as a file, with summaries before the requests of these turns.
fn write_log(folder: &Path, turns: &[(Vec<u32>, Vec<u32>)], summaries: &[(usize, &str)]) {
    let mut messages = vec![json!({"role": "user", "content": "Find out which of the trains are late."})];
    for (turn, (told, used)) in turns.iter().enumerate() {
        let used: Vec<String> = used.iter().map(|number| fact(*number)).collect();
        let told: Vec<String> = told.iter().map(|number| format!("train {}", fact(*number))).collect();
        let id = format!("c{turn}");
        let call = json!([{"id": id, "name": "look", "arguments": {"trains": used}}]);
        messages.push(json!({"role": "assistant", "content": "", "tool_calls": call}));
        messages.push(json!({"role": "tool", "call": id, "content": format!("found:\n{}", told.join("\n"))}));
    }
    messages.push(json!({"role": "assistant", "content": "Done."}));
    let compaction = |(turn, text): &(usize, &str)| {
        let before = 1 + 2 * turn;
        json!({"before": before, "kind": "summary", "removed": [[1, before - 1]], "text": text})
    };
    let compactions: Vec<Value> = summaries.iter().map(compaction).collect();
    let log = json!({"messages": messages, "compactions": compactions});
    std::fs::write(folder.join("one.transcript.json"), log.to_string()).unwrap();
}

/// A text that an answer can only know from an earlier message.
fn fact(number: u32) -> String {
    format!("{}-{}", ["paris", "lyon", "nantes", "brest", "metz"][number as usize % 5], number * 37 + 101)
}

fn scenario(suite: &Suite) -> Scenario {
    suite.scenarios(&Selection::default()).unwrap().next().unwrap().unwrap()
}

fn options(tokens: u32, trigger: u32) -> JsonOptions {
    let options = json!({"tokens": tokens, "trigger": {"tokens": trigger}, "keep_recent_turns": 1});
    serde_json::from_value(options).unwrap()
}

fn with(mut options: JsonOptions, name: &str, value: Value) -> JsonOptions {
    options.insert(name.to_owned(), value);
    options
}

/// The measures of the strategy with these options, one run each.
fn measured(suite: &Suite, wanted: &[JsonOptions], models: &[Price]) -> Vec<MeasuredRun> {
    let wanted: Vec<_> = wanted.iter().map(|options| ("summary".to_owned(), options.clone())).collect();
    let plan = Plan::new(suite, &wanted).unwrap();
    let tokenizer = tokenizer();
    let pipeline =
        Pipeline::new(&plan, Gauges { tokenizer: &tokenizer, models, logged: None, warm_system: false });
    pipeline.evaluate(scenario(suite), 0).unwrap().record.strategies
}

/// The same with these texts.
fn with_texts(scenario: &Scenario, variant: &Variant<'_>, texts: &[EcoString]) -> MeasuredRun {
    let tokenizer = tokenizer();
    let count = |text: &str| u64::from(tokenizer.count(text));
    let logged = scenario.logged().unwrap();
    let history = history_of(logged.past(), &count);
    let variant = variant.clone().with_texts(texts.iter().cloned());
    let mut requests = Requests::default();
    for completed in 0..logged.conversation.turns.len() {
        let rendered = variant.render_ids(&history.after(completed)).unwrap();
        requests.push(Request::new(completed as u32 + 1, rendered, true));
    }
    let gauges = Gauges { tokenizer: &tokenizer, models: &[], logged: None, warm_system: false };
    let mut measures = Measures::new(scenario, logged.past(), &history, &gauges);
    measures.run(&"summary".into(), &history.messages().table(), &requests, |id| id.index() as u32)
}

fn short(run: &MeasuredRun) -> u32 {
    run.requests.iter().filter(|request| request.evidence.lacks_fact()).count() as u32
}

/// As many of these lines as have no more tokens.
fn cut(lines: &[String], most: u32) -> EcoString {
    let tokenizer = tokenizer();
    let mut text = String::new();
    for line in lines {
        let longer = format!("{text}{line}\n");
        if tokenizer.count(&longer) <= most {
            text = longer;
        }
    }
    text.into()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_text_leaves_fewer_answers_short_than_the_bound_nor_more_than_none(
        turns in proptest::collection::vec(
            (proptest::collection::vec(0..40u32, 0..6), proptest::collection::vec(0..40u32, 0..4)), 4..14),
        told in proptest::collection::vec(proptest::collection::vec(0..40u32, 0..20), 14),
        tokens in 4..80u32,
        trigger in 40..200u32,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let suite = suite(folder.path(), &turns);
        let options = options(tokens, trigger);
        let perfect = with(options.clone(), "writer", "perfect".into());
        let empty = with(options.clone(), "writer", "empty".into());
        let runs = measured(&suite, &[options.clone(), perfect, empty], &[]);
        let [size, perfect, empty] = [&runs[0], &runs[1], &runs[2]].map(short);
        prop_assert_eq!(size, empty);
        let least = runs[0].least_short.unwrap_or(size);
        prop_assert!(least <= perfect && perfect <= empty, "{} {} {}", least, perfect, empty);
        let plan = Plan::new(&suite, &[("summary".to_owned(), options)]).unwrap();
        let scenario = scenario(&suite);
        let variant = plan.variants_for(&scenario).unwrap().remove(0);
        let lines = |numbers: &Vec<u32>| numbers.iter().map(|number| fact(*number)).collect::<Vec<_>>();
        let texts: Vec<EcoString> = told.iter().map(|numbers| cut(&lines(numbers), tokens)).collect();
        let any = short(&with_texts(&scenario, &variant, &texts));
        prop_assert!(least <= any && any <= empty, "{} {} {} {:?}", least, any, empty, texts);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn every_golden_text_lies_between_the_bounds(
        turns in proptest::collection::vec(
            (proptest::collection::vec(0..40u32, 0..6), proptest::collection::vec(0..40u32, 0..4)), 4..14),
        told in proptest::collection::vec(proptest::collection::vec(0..40u32, 0..20), 28),
        tokens in 4..80u32,
        trigger in 40..200u32,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let snapshots = tempfile::tempdir().unwrap();
        let golden_folder = snapshots.path();
        let variant = |writer: &str| {
            format!("{{strategy: summary, tokens: {tokens}, trigger: {{tokens: {trigger}}}, keep_recent_turns: 1{writer}}}")
        };
        let variants = ["", ", writer: size", ", writer: empty"].map(variant);
        let [live, size, empty] = &variants;
        let file = format!("strategies: [live, size, empty]\nbaseline: live\nvariants:\n  live: {live}\n  size: {size}\n  empty: {empty}\n");
        std::fs::write(folder.path().join("suite.yaml"), file).unwrap();
        let suite = suite(folder.path(), &turns);
        let plan = Plan::of(&suite).unwrap().with_golden_texts_in(golden_folder);
        let lines = |numbers: &Vec<u32>| numbers.iter().map(|number| fact(*number)).collect::<Vec<_>>();
        let mut texts = told.iter().map(|numbers| cut(&lines(numbers), tokens));
        let calls = write_golden(&suite, &plan, golden_folder, &mut texts);
        let tokenizer = tokenizer();
        let pipeline = Pipeline::new(&plan, Gauges { tokenizer: &tokenizer, models: &[], logged: None, warm_system: false });
        let evaluated = pipeline.evaluate(scenario(&suite), 0).unwrap();
        prop_assert!(evaluated.stale.is_empty(), "{:?}", evaluated.stale);
        let [live, size, empty] = evaluated.record.strategies.as_slice() else { panic!() };
        prop_assert_eq!(live.least_short, None);
        prop_assert_eq!((live.calls.len(), live.samples.len()), (calls, if calls > 0 { 2 } else { 0 }));
        let least = size.least_short.unwrap_or(short(size));
        for any in live.samples.iter().map(|sample| sample.short).chain([short(live)]) {
            prop_assert!(least <= any && any <= short(empty), "{} {} {}", least, any, short(empty));
        }
    }

    #[test]
    fn every_recorded_text_lies_between_the_bounds(
        turns in proptest::collection::vec(
            (proptest::collection::vec(0..40u32, 0..6), proptest::collection::vec(0..40u32, 0..4)), 5..14),
        told in proptest::collection::vec(proptest::collection::vec(0..40u32, 1..20), 2),
        at in 2..4usize,
        tokens in 4..80u32,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let lines = |numbers: &Vec<u32>| numbers.iter().map(|number| fact(*number)).collect::<Vec<_>>();
        let texts: Vec<EcoString> = told.iter().map(|numbers| format!("{} .", cut(&lines(numbers), tokens)).into()).collect();
        let options = json!({"keep_recent_turns": 0, "tokens": tokens + 1});
        let options: JsonOptions = serde_json::from_value(options).unwrap();
        let run = |texts: [&str; 2]| {
            write_log(folder.path(), &turns, &[(at, texts[0]), (at + 2, texts[1])]);
            let suite = Suite::open(folder.path(), Known::default()).unwrap();
            let least = least_of_places(&suite, &options);
            (measured(&suite, std::slice::from_ref(&options), &[]).remove(0), least)
        };
        let (recorded, _) = run([&texts[0], &texts[1]]);
        let (nothing, least) = run([".", "."]);
        prop_assert_eq!((recorded.calls.len(), recorded.least_short), (2, None));
        let [any, empty] = [&recorded, &nothing].map(short);
        prop_assert!(least <= any && any <= empty, "{} {} {} {:?}", least, any, empty, texts);
    }
}

/// Writes two texts for each call of the first strategy of the plan. Returns the number of its calls.
fn write_golden(
    suite: &Suite,
    plan: &Plan,
    folder: &Path,
    texts: &mut dyn Iterator<Item = EcoString>,
) -> usize {
    let tokenizer = tokenizer();
    let count = |text: &str| u64::from(tokenizer.count(text));
    let execution = execute(scenario(suite), plan).unwrap();
    let history = execution.history(&count);
    let variant = &execution.variants[0];
    let turns = turns_with_calls(&execution, variant, &history).unwrap();
    let mut golden = GoldenTexts::read(folder, &execution.scenario.name, &variant.name).unwrap();
    for repeat in 1..=2 {
        let write = |_: u32, call: &StrategyCall<MessageId>| -> Result<EcoString, BrokenStrategy> {
            let text = texts.next().unwrap();
            let row = json!({"repeat": repeat, "turns": [1, 1], "messages": "", "prompt": "", "model": "m",
                "date": "2026-11-24", "text": text});
            golden.put(serde_json::from_value::<GoldenText>(row).unwrap().with_key(&call.key.unwrap()));
            Ok(text)
        };
        write_in_turn(variant, &history, &turns, write).unwrap();
    }
    std::fs::create_dir_all(golden.path.parent().unwrap()).unwrap();
    golden.write().unwrap();
    turns.len()
}

/// Fewest answers that any texts of this size leave short at the places where the log has its own.
fn least_of_places(suite: &Suite, options: &JsonOptions) -> u32 {
    let plan = Plan::new(suite, &[("summary".to_owned(), options.clone())]).unwrap();
    let tokenizer = tokenizer();
    let count = |text: &str| u64::from(tokenizer.count(text));
    let execution = execute(scenario(suite), &plan).unwrap();
    let history = execution.history(&count);
    let (memo, mut requests) = (TurnMemo::default(), Requests::default());
    execution
        .requests(&execution.variants[0], &history, &memo)
        .for_each(|request| requests.push(request.unwrap()));
    let (needs, index) = needs_in_history(&execution.scenario, execution.conversation.past(), &history);
    let table = history.messages().table();
    let lacking = EvidenceFinder::new(index).lacking(&needs, &table, &requests);
    clairvoyant::least_short(&requests, &lacking, &|text| tokenizer.count(text))
}

/// What an answer lacks is exactly what makes it short: its bound counts no text that parts or a named file can give.
#[test]
fn an_answer_lacks_something_if_and_only_if_it_is_short() {
    let suite = Suite::open(Path::new("scenarios"), Known::default()).unwrap();
    let selection = Selection { paths: vec!["scenarios/transcripts".into()], ..Selection::default() };
    let names = STRATEGIES.iter().map(|strategy| (strategy.name.to_owned(), JsonOptions::default()));
    let plan = Plan::new(&suite, &names.collect::<Vec<_>>()).unwrap();
    let tokenizer = tokenizer();
    let count = |text: &str| u64::from(tokenizer.count(text));
    let (mut short, mut with_parts) = (0, 0);
    for scenario in suite.scenarios(&selection).unwrap() {
        let execution = execute(scenario.unwrap(), &plan).unwrap();
        for variant in &execution.variants {
            let history = execution.history(&count);
            let (memo, mut requests) = (TurnMemo::default(), Requests::default());
            for request in execution.requests(variant, &history, &memo).map_while(Result::ok) {
                requests.push(request);
            }
            let (needs, index) =
                needs_in_history(&execution.scenario, execution.conversation.past(), &history);
            let (table, mut finder) = (history.messages().table(), EvidenceFinder::new(index));
            let evidence = finder.grade_answers(&needs, &table, &requests);
            let lacking = finder.lacking(&needs, &table, &requests);
            for (turn, (evidence, lacking)) in evidence.iter().zip(&lacking).enumerate() {
                assert_eq!(
                    evidence.lacks_fact(),
                    !lacking.is_empty(),
                    "{} {turn}: {lacking:?}",
                    variant.name
                );
                short += usize::from(evidence.lacks_fact());
                with_parts += lacking.iter().filter(|lacking| lacking.needs_less).count();
            }
        }
    }
    assert!(short > 20 && with_parts > 0, "{short}, {with_parts}");
}

/// Six turns with results that are shown once and used at the end.
fn late() -> Vec<(Vec<u32>, Vec<u32>)> {
    let mut turns: Vec<(Vec<u32>, Vec<u32>)> =
        (0..6).map(|turn| (vec![turn, turn + 10], Vec::new())).collect();
    turns.push((Vec::new(), vec![0, 10]));
    turns.push((Vec::new(), vec![1, 2, 3]));
    turns
}

#[test]
fn a_perfect_summary_holds_what_later_answers_use() {
    let folder = tempfile::tempdir().unwrap();
    let suite = suite(folder.path(), &late());
    let perfect = |tokens| with(options(tokens, 120), "writer", "perfect".into());
    let runs = measured(&suite, &[options(100, 120), perfect(100), perfect(11), options(11, 120)], &[]);
    assert_eq!([&runs[0], &runs[1]].map(short), [2, 0]);
    assert_eq!(runs[0].least_short, Some(0));
    // Two facts fit, so one of the answers is whole, and no other text does better.
    assert_eq!((short(&runs[2]), runs[3].least_short), (1, Some(1)));
    assert!(runs[2].calls.iter().all(|call| call.output_tokens <= 11), "{:?}", runs[2].calls);
    assert_eq!(runs[1].least_short, None, "its texts are known");
}

fn price(cache: Value, write: Option<f64>) -> Price {
    let mut row = json!({"model": "m", "date": "2026-11-01", "source": "s", "input": 10, "read": 1, "output": 100,
        "cache": cache});
    if let Some(write) = write {
        row["write"] = write.into();
    }
    serde_json::from_value(row).unwrap()
}

/// Dollars per million tokens.
fn dollars(tokens: &[(u32, f64)]) -> f64 {
    tokens.iter().map(|(tokens, price)| f64::from(*tokens) * price / 1e6).sum()
}

/// Strategies that send the same are measured once. What any of them measures is what it measures alone.
#[test]
fn measures_do_not_depend_on_the_strategies_before() {
    let folder = tempfile::tempdir().unwrap();
    let suite = suite(folder.path(), &late());
    let models = [price(json!({"breakpoints": {"marks": 4, "minimum": 1}}), Some(12.0))];
    let of_own = |reuses: bool| with(options(50, 120), "reuse_prefix", reuses.into());
    let wanted = [
        // No request is that large.
        options(50, 90_000),
        options(60, 80_000),
        of_own(true),
        of_own(true),
        of_own(false),
        options(60, 120),
        with(options(50, 120), "writer", "empty".into()),
    ];
    // A message has the number that it got first.
    let without_numbers = |mut run: MeasuredRun| {
        for request in &mut run.requests {
            let added = &mut request.messages.added;
            *added = Runs::of_numbers(std::iter::repeat_n(0, added.count()));
        }
        run
    };
    let measured = |wanted: &[JsonOptions]| {
        measured(&suite, wanted, &models).into_iter().map(without_numbers).collect::<Vec<_>>()
    };
    let together = measured(&wanted);
    for (options, run) in wanted.iter().zip(&together) {
        assert_eq!(measured(std::slice::from_ref(options))[0], *run, "{options:?}");
    }
    let costs: Vec<_> = together.iter().map(|run| &run.requests.last().unwrap().bills).collect();
    assert!(costs[0] == costs[1] && costs[2] == costs[3] && costs[3] != costs[4]);
}

#[test]
fn the_calls_of_a_strategy_are_billed() {
    let folder = tempfile::tempdir().unwrap();
    let suite = suite(folder.path(), &late());
    let prefix = price(json!({"prefix": {"minimum": 1, "step": 1}}), None);
    let marks = price(json!({"breakpoints": {"marks": 4, "minimum": 1}}), Some(12.0));
    let anew = with(options(50, 120), "reuse_prefix", false.into());
    let runs = measured(&suite, &[options(50, 120), anew], &[prefix, marks]);
    for run in &runs {
        assert!(run.calls.len() > 1, "{:?}", run.calls);
        for call in &run.calls {
            let index = run.requests.iter().position(|request| request.turn == call.turn).unwrap();
            let (before, request) = (&run.requests[index - 1], &run.requests[index]);
            let read = if *run == runs[0] { before.input_tokens - REQUEST_OVERHEAD } else { 0 };
            let cached: Vec<u32> = call.bills.iter().map(|bill| bill.cached_tokens).collect();
            assert_eq!(cached, [read, read], "{call:?}");
            let [prefix, marks] = call.bills.as_slice() else { panic!("{call:?}") };
            let fresh = call.input_tokens - read;
            let expected = dollars(&[(read, 1.0), (fresh, 10.0), (call.output_tokens, 100.0)]);
            assert!((prefix.cost.dollars() - expected).abs() < 1e-9, "{prefix:?} {expected}");
            let written = marks.written_tokens;
            let plain = fresh - written;
            let expected =
                dollars(&[(read, 1.0), (plain, 10.0), (written, 12.0), (call.output_tokens, 100.0)]);
            assert!((marks.cost.dollars() - expected).abs() < 1e-9, "{marks:?} {expected}");
            // The request begins anew behind the opening, and its cost includes that of the call.
            let own = request.bills[0].cost.dollars() - prefix.cost.dollars();
            let fresh = request.input_tokens - request.bills[0].cached_tokens;
            let cached = request.bills[0].cached_tokens;
            let expected = dollars(&[(cached, 1.0), (fresh, 10.0), (request.output_tokens, 100.0)]);
            assert!((own - expected).abs() < 1e-9, "{own} {expected}");
        }
    }
    let total = |run: &MeasuredRun| run.requests.iter().map(|request| request.bills[0].cost).sum::<Money>();
    assert!(total(&runs[0]) < total(&runs[1]), "a call that goes on from the request reads the cache");
}

/// Each preset has valid options of its strategy, and the documentation names what it does not express.
#[test]
fn presets_are_strategies_with_options() {
    let folder = tempfile::tempdir().unwrap();
    let suite = suite(folder.path(), &late());
    let scenario = scenario(&suite);
    let documented = include_str!("../docs/strategies.md");
    for preset in presets() {
        let plan = Plan::new(&suite, &[(preset.name.to_owned(), JsonOptions::default())]).unwrap();
        let variant = plan.variants_for(&scenario).unwrap().remove(0);
        assert_eq!((&*variant.name, variant.strategy.name()), (&*preset.name, preset.strategy.name));
        let bare = Variant::new(preset.strategy).options;
        assert_ne!(variant.options, bare.clone(), "{}", preset.name);
        assert!(documented.contains(&format!("`{}`", preset.name)), "{}", preset.name);
        assert!(!preset.lacks.is_empty() && !preset.source.is_empty());
        assert!(!suite.strategies.contains(&preset.name), "it runs only where it is named");
    }
}

/// The facts of a result can be read in the file that replaces it, at the cost of one more turn.
#[test]
fn facts_in_files_are_reachable_and_have_to_be_read() {
    let folder = tempfile::tempdir().unwrap();
    // Results that are longer than the line with the name of their file.
    let mut turns = late();
    (20..)
        .step_by(2)
        .zip(turns.iter_mut().take(6))
        .for_each(|(more, (told, _))| told.extend([more, more + 1]));
    let suite = suite(folder.path(), &turns);
    let cleared: JsonOptions = serde_json::from_value(json!({"keep": 1, "trigger": {"tokens": 1}})).unwrap();
    let to_file = with(cleared.clone(), "to_file", true.into());
    let wanted = [cleared, to_file].map(|options| ("clear-tool-results".to_owned(), options));
    let plan = Plan::new(&suite, &wanted).unwrap();
    let (tokenizer, models) = (tokenizer(), [price(json!({"prefix": {"minimum": 1, "step": 1}}), None)]);
    let pipeline = Pipeline::new(
        &plan,
        Gauges { tokenizer: &tokenizer, models: &models, logged: None, warm_system: false },
    );
    let runs = pipeline.evaluate(scenario(&suite), 0).unwrap().record.strategies;
    let sum = |run: &MeasuredRun, of: fn(&Evidence) -> u32| -> u32 {
        run.requests.iter().map(|request| of(&request.evidence)).sum()
    };
    let [gone, file] = [&runs[0], &runs[1]];
    assert_eq!((sum(gone, |of| of.gone), sum(gone, |of| of.reachable), short(gone)), (5, 0, 2));
    assert_eq!((sum(file, |of| of.gone), sum(file, |of| of.reachable), short(file)), (0, 5, 0));
    let lost = gone.requests.iter().flat_map(|request| &request.evidence.lost);
    assert!(lost.into_iter().all(|item| item.again), "the results can be read again");
}

fn compared(suite: &Suite, wanted: &[(&str, JsonOptions)], models: &[Price]) -> Comparison {
    let wanted: Vec<_> = wanted.iter().map(|(name, options)| ((*name).to_owned(), options.clone())).collect();
    let plan = Plan::new(suite, &wanted).unwrap();
    let tokenizer = tokenizer();
    let gauges = Gauges { tokenizer: &tokenizer, models, logged: None, warm_system: false };
    Pipeline::new(&plan, gauges).compare(suite).unwrap()
}

#[test]
fn reports_show_the_bounds_and_the_calls() {
    let folder = tempfile::tempdir().unwrap();
    let suite = suite(folder.path(), &late());
    let models = [price(json!({"prefix": {"minimum": 1, "step": 1}}), None)];
    let strategies = [("full-history", JsonOptions::new()), ("summary", options(100, 120))];
    let comparison = compared(&suite, &strategies, &models);
    let advice = Advice::new(&comparison);
    let table = advice.table(100);
    assert!(table.contains(" 0–2\n"), "{table}");
    assert!(table.contains("0–9: with the best text of this size, and with none"), "{table}");
    let notes: Vec<String> = advice.notes().collect();
    assert!(
        notes.iter().any(|note| note.starts_with("summary,") && note.contains(" calls of its own: ")),
        "{notes:?}"
    );
    assert!(notes.iter().any(|note| note.contains(" pays with no text of this size: ")), "{notes:?}");
    let cells = comparison.strategies[1].cells();
    let cell = |name: &str| cells.iter().find(|(known, _)| known == name).unwrap().1.plain();
    assert_eq!([cell("answers_short"), cell("answers_short_least")], ["2", "0"]);
    assert_ne!(cell("strategy_calls"), "0");
    assert_ne!(cell("strategy_call_cost:m"), "0");
    // One fact fits: no text is enough.
    let strategies = [("full-history", JsonOptions::new()), ("summary", options(5, 120))];
    let comparison = compared(&suite, &strategies, &[]);
    let notes: Vec<String> = Advice::new(&comparison).notes().collect();
    let expected = "even with the best one 2 of 2 answers would lack a fact.";
    assert!(notes.iter().any(|note| note.ends_with(expected)), "{notes:?}");
    // Suites without such calls have no such columns.
    let plain = compared(&suite, &[("full-history", JsonOptions::new())], &models);
    assert!(plain.strategies[0].cells().iter().all(|(name, _)| !name.starts_with("strategy_call")));
    assert!(!suite.strategies.iter().any(|name| name == "summary"), "it runs only where it is named");
}
