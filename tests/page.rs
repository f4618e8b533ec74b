//! `index.html` holds every text and number of the records, packed, and no text that a browser could take for markup.
//! `tests/browser/` tests its behaviour in a browser.

use std::fs;
use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::DeflateDecoder;
use ptc_eval::evaluate::{Plan, replay};
use ptc_eval::measure::measured::{REQUEST, STATISTICS};
use ptc_eval::report::{Advice, Gauges, Header, ReportFolder, Tally};
use ptc_eval::scenario::{JsonOptions, Known, Selection, Suite};
use ptc_prices::PriceTable;
use ptc_tokens::Tokenizer;
use serde_json::{Value as Json, json};

const NAMES: [&str; 3] = ["full-history", "single-user-coalesced", "aggressive"];
const HOSTILE: &str = "</script><script>alert(1)</script><!-- <img src=x onerror=alert(1)> {totals} {script}";

/// A scenario with hostile texts everywhere and lost evidence, and two with their own SYSTEM texts.
fn suite() -> [(&'static str, String); 3] {
    let quoted = serde_json::to_string(HOSTILE).unwrap();
    let hostile = format!(
        "description: {quoted}\nmission: {quoted}\ntags: [{quoted}]\nmax_turns: 4\nresponses:\n  \
         - program: (println \"code XK-42 of\" {quoted})\n  - program: (println \"nothing\")\n  \
         - program: (oops)\n  - program: (return \"XK-42\")\nexpect: {{value: {quoted}}}\n"
    );
    let own =
        "mission: Add\nsystem_prompt: {prefix: Be careful.}\nresponses: [{program: (return (+ 1 2))}]\n";
    [("hostile.yaml", hostile), ("own.yaml", own.to_owned()), ("own-too.yaml", own.replace("(+ 1 2)", "3"))]
}

/// The page of the suite with the sentences of the advice, `results.json`, and the records.
fn reports() -> (String, Json, [String; 2], Vec<Json>) {
    let folder = tempfile::tempdir().unwrap();
    for (file, text) in suite() {
        fs::write(folder.path().join(file), text).unwrap();
    }
    let suite = Suite::open(folder.path(), Known::default()).unwrap();
    let plan = Plan::new(&suite, &NAMES.map(|name| (name.to_owned(), JsonOptions::default()))).unwrap();
    let tokenizer = Tokenizer::named("o200k_base").unwrap();
    let table = PriceTable::built_in().unwrap();
    let models: Vec<_> =
        ["gpt-5", "claude-sonnet"].iter().map(|name| table.find(name, table.day()).unwrap()).collect();
    let header = Header {
        suite: "scenarios".into(),
        tokenizer: tokenizer.name().to_owned(),
        strategies: NAMES.map(str::to_owned).into(),
        baseline: NAMES[0].to_owned(),
        models: models.clone(),
        ..Header::default()
    };
    let reports = tempfile::tempdir().unwrap();
    let mut writer = ReportFolder::create(reports.path(), header.clone()).unwrap();
    let (mut tally, mut records) = (Tally::new(header), Vec::new());
    for (position, scenario) in (0..).zip(suite.scenarios(&Selection::default()).unwrap()) {
        let mut scenario = scenario.unwrap();
        scenario.file = format!("{}.yaml", scenario.name);
        let result = replay(scenario, &plan, &|_| 0).unwrap();
        let gauges = Gauges { tokenizer: &tokenizer, models: &models, logged: None, warm_system: false };
        let record = result.measure(position, &gauges);
        tally.add(&record);
        writer.scenario(&record).unwrap();
        records.push(serde_json::to_value(&record).unwrap());
    }
    let comparison = tally.compare();
    writer.finish(&comparison).unwrap();
    let advice = Advice::new(&comparison);
    let read = |file: &str| fs::read_to_string(reports.path().join(file)).unwrap();
    let results = serde_json::from_str(&read("results.json")).unwrap();
    (read("index.html"), results, [advice.sentence(), advice.certainty()], records)
}

/// The texts between two marks.
fn between<'t>(text: &'t str, start: &str, end: &str) -> Vec<&'t str> {
    text.split(start).skip(1).map(|rest| rest.split_once(end).unwrap().0).collect()
}

/// The listed and the packed data of each scenario.
fn scenarios(page: &str) -> Vec<(Json, Json)> {
    let elements = between(page, "<script type=\"text/plain\" class=\"scenario\">", "</script>");
    let unpacked = elements.into_iter().map(|element| {
        let [entry, _, packed] = Vec::from_iter(element.split('\n'))[..] else { panic!("not three lines") };
        (serde_json::from_str(entry).unwrap(), unpacked(packed))
    });
    unpacked.collect()
}

fn unpacked(packed: &str) -> Json {
    let mut text = String::new();
    DeflateDecoder::new(&*STANDARD.decode(packed).unwrap()).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// A text from runs of pieces.
fn text(packed: &Json, runs: &Json) -> String {
    let runs: Vec<usize> = serde_json::from_value(runs.clone()).unwrap();
    let pieces = runs.chunks(2).flat_map(|run| run[0]..run[0] + run[1]);
    pieces.map(|piece| packed["pieces"][piece].as_str().unwrap()).collect()
}

fn totals(page: &str) -> Json {
    serde_json::from_str(between(page, "id=\"totals\">", "</script>")[0]).unwrap()
}

#[test]
fn packed_texts_are_those_of_the_results() {
    let (page, .., records) = reports();
    let unpacked = scenarios(&page);
    assert_eq!(unpacked.len(), 3);
    for ((entry, packed), scenario) in unpacked.iter().zip(&records) {
        assert_eq!(entry["name"], scenario["name"]);
        for (field, expected) in
            [("description", "description"), ("result", "result"), ("failures", "failures")]
        {
            assert_eq!(packed[field], scenario[expected], "{field}");
        }
        let messages = packed["messages"].as_array().unwrap();
        let texts = &scenario["texts"];
        assert_eq!(messages.len(), texts["messages"].as_array().unwrap().len());
        for (message, expected) in messages.iter().zip(texts["messages"].as_array().unwrap()) {
            assert_eq!(message[0], expected["role"]);
            match expected.get("runs") {
                Some(runs) => assert_eq!(text(packed, &message[1]), text(texts, runs)),
                None => assert_eq!(message[1], Json::Null, "the SYSTEM text stands once"),
            }
        }
        for (turn, expected) in
            packed["turns"].as_array().unwrap().iter().zip(scenario["turns"].as_array().unwrap())
        {
            assert_eq!(text(packed, &turn["answer"]), expected["raw_response"].as_str().unwrap());
            let failed = expected["success"] == false;
            assert_eq!(turn["error"], if failed { expected["result"].clone() } else { Json::Null });
        }
    }
    assert_eq!(totals(&page)["system"], ptc_eval::agent::SystemPrompt::text());
}

/// Logs of one agent have the same SYSTEM text.
#[test]
fn a_system_text_stands_once_for_the_scenarios_that_share_it() {
    let (page, .., records) = reports();
    let named: Vec<Json> = scenarios(&page).iter().map(|(entry, _)| entry["system"].clone()).collect();
    assert!(named[0].is_null() && named[1] == named[2], "{named:?}");
    let start = format!("<script type=\"text/plain\" id=\"system-{}\">", named[1].as_str().unwrap());
    let [packed] = between(&page, &start, "</script>")[..] else { panic!("not once") };
    assert_eq!(unpacked(packed), records[1]["system"]);
    assert!(records[1]["system"].as_str().unwrap().starts_with("Be careful."));
}

#[test]
fn numbers_are_those_of_the_results() {
    let (page, results, _, records) = reports();
    let totals = totals(&page);
    for field in ["tokenizer", "baseline", "models", "max_short"] {
        assert_eq!(totals[field], results[field], "{field}");
    }
    for (strategy, expected) in
        totals["strategies"].as_array().unwrap().iter().zip(results["strategies"].as_array().unwrap())
    {
        let names = ["name", "totals", "estimates"];
        names.iter().for_each(|name| assert_eq!(strategy[*name], expected[*name], "{name}"));
    }
    let fields: Vec<String> = serde_json::from_value(totals["request_fields"].clone()).unwrap();
    let named = |names: &[&str], row: &Json| -> Json {
        names.iter().map(ToString::to_string).zip(row.as_array().unwrap().iter().cloned()).collect()
    };
    let (mut lost, mut all_short) = (0, 0);
    for (((entry, packed), scenario), listed) in
        scenarios(&page).iter().zip(&records).zip(results["scenarios"].as_array().unwrap())
    {
        for (index, run) in scenario["strategies"].as_array().unwrap().iter().enumerate() {
            let requests: Vec<Json> =
                run["requests"].as_array().unwrap().iter().map(|row| named(&REQUEST, row)).collect();
            for (turn, request) in requests.iter().enumerate() {
                let row = &packed["strategies"][index][turn];
                let field = |name: &str| &row[fields.iter().position(|field| field == name).unwrap()];
                let same =
                    ["messages", "input_tokens", "prefix_tokens", "break_at", "hidden_tool_calls", "valid"];
                same.iter().for_each(|name| assert_eq!(*field(name), request[*name], "{name}"));
                let grades = ["shown", "reachable", "own", "gone"];
                let evidence = &request["evidence"];
                let number = |grade: &str| evidence.get(grade).map_or(0, |number| number.as_u64().unwrap());
                assert_eq!(field("needed").as_u64(), Some(grades.map(number).iter().sum()));
                assert_eq!(field("shown").as_u64(), Some(number("shown")));
                assert_eq!(*field("lost"), evidence.get("lost").cloned().unwrap_or(json!([])));
                let stats = named(&STATISTICS, &request["stats"]);
                assert_eq!(field("printlns")[0], stats["printlns_shown"]);
                assert_eq!(field("tool_calls")[1], stats["tool_calls_total"]);
                assert_eq!(row.as_array().unwrap().len(), fields.len());
                lost += field("lost").as_array().unwrap().len();
            }
            let tokens = requests.iter().map(|request| request["input_tokens"].as_u64().unwrap());
            // Strategies with the same numbers have one entry.
            let has_name = |one: &&Json| {
                one["name"] == run["name"]
                    || one["also"].as_array().is_some_and(|also| also.contains(&run["name"]))
            };
            let listed = listed["strategies"].as_array().unwrap().iter().find(has_name).unwrap();
            let entry = &entry["strategies"][index];
            let tokens: u64 = tokens.sum();
            assert!(entry["input_tokens"] == tokens && listed["input_tokens"] == tokens);
            assert_eq!(listed["requests"], json!(requests.len()));
            let short = requests.iter().filter(|request| request["evidence"].get("gone").is_some());
            let short: Vec<&Json> = short.map(|request| &request["turn"]).collect();
            assert_eq!([&entry["short"], &listed["short"]], [&json!(short); 2]);
            all_short += short.len();
        }
    }
    assert!(lost > 0 && all_short > 0, "the suite loses evidence");
}

#[test]
fn the_advice_is_that_of_the_terminal() {
    let (page, _, [sentence, certainty], _) = reports();
    let totals = totals(&page);
    assert_eq!([&totals["sentence"], &totals["certainty"]], [&json!(sentence), &json!(certainty)]);
}

#[test]
fn no_text_becomes_markup() {
    let (page, ..) = reports();
    assert!(!page.contains("<script>alert") && !page.contains("<img"));
    assert_eq!(page.matches("<script").count(), 3 + 1 + 2, "scenarios, SYSTEM, totals and the page's own");
    assert_eq!(page.matches("<!--").count(), 0);
    assert_eq!(scenarios(&page)[0].0["tags"][0], HOSTILE);
}

/// The policy allows the page's own script and style, and refuses to load or send anything.
#[test]
fn the_policy_names_the_script_and_the_style() {
    let (page, ..) = reports();
    let fingerprint = |text: &str| {
        let hash = hmac_sha256::Hash::hash(text.as_bytes());
        format!("'sha256-{}'", STANDARD.encode(hash))
    };
    let policy = between(&page, "Content-Security-Policy\" content=\"", "\"")[0];
    let script = between(&page, "<script>", "</script>");
    let style = between(&page, "<style>", "</style>");
    assert_eq!((script.len(), style.len()), (1, 1));
    let allowed = format!("script-src {}; style-src {}", fingerprint(script[0]), fingerprint(style[0]));
    assert_eq!(policy, format!("default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"));
}

#[test]
fn the_same_run_gives_the_same_bytes() {
    assert_eq!(reports().0, reports().0);
}
