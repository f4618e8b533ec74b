//! Reads whole scenario files and folders: the values they become, and the order in which they are found.

use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;
use tempfile::TempDir;

use ptc_eval::agent::{Agent, Behaviour, Response, ToolAnswer};
use ptc_eval::scenario::names::{refuse_scenario, refuse_symbol};
use ptc_eval::scenario::suite::Bound;
use ptc_eval::scenario::{Known, Outcome, Scenario, ScenarioFile, Selection, Suite, read_data};
use ptc_lisp::print::pr_str;
use ptc_lisp::symbol::Symbol;

const WHOLE: &str = include_str!("malformed/whole.yaml");

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn open(folder: &Path) -> Suite {
    Suite::open(folder, Known::default()).unwrap()
}

fn names(suite: &Suite, selection: &Selection) -> Vec<String> {
    let scenarios = suite.scenarios(selection).unwrap();
    scenarios.map(|scenario| scenario.map_or_else(|error| error.to_string(), |found| found.name)).collect()
}

fn whole() -> Scenario {
    let suite = open(Path::new("tests/malformed"));
    let selection = Selection { paths: vec!["tests/malformed/whole.yaml".into()], ..Selection::default() };
    suite.scenarios(&selection).unwrap().next().unwrap().unwrap()
}

fn agent(scenario: &Scenario) -> &Agent {
    &scenario.script().unwrap().agent
}

fn datum(scenario: &Scenario, name: &str) -> String {
    pr_str(&agent(scenario).data[&Symbol::new(name)])
}

/// BRK-001, MIG-004, API-002, S4-03
#[test]
fn all_of_the_format_is_read() {
    assert!(WHOLE.contains("mission"));
    let scenario = whole();
    assert_eq!(scenario.name, "whole");
    assert_eq!(
        scenario.description.as_deref(),
        Some("Joins products with reviews, with one mistake on the way")
    );
    assert_eq!(scenario.tags, ["tools", "recovery"]);
    assert_eq!(agent(&scenario).mission, "Find well-reviewed Electronics in stock.");
    assert_eq!(agent(&scenario).max_turns, 4);
    assert_eq!(agent(&scenario).system_prompt.prefix.as_deref(), Some("You are careful."));
    assert_eq!((agent(&scenario).limits.ticks, agent(&scenario).limits.tool_calls), (200_000, Some(50)));
    assert_eq!(agent(&scenario).limits.depth, 1_000);
    let compression = scenario.compression.as_ref().unwrap();
    assert_eq!(compression.strategy, "rolling-window");
    assert_eq!(serde_json::to_string(&compression.options).unwrap(), r#"{"window":2,"trigger":{"turns":3}}"#);
    assert_eq!(scenario.expect.outcome, Outcome::Fail);
    assert!(scenario.expect.value.as_ref().is_some_and(|value| value.is_nil()));
    assert_eq!(scenario.expect.tokens[0].max_total, Some(5000));
    assert_eq!(scenario.warnings, []);
}

#[test]
fn data_becomes_values() {
    let scenario = whole();
    let keys: Vec<&str> = agent(&scenario).data.keys().map(|name| name.name()).collect();
    assert_eq!(keys, ["category", "events", "more", "notes", "orders", "products", "settings"]);
    assert_eq!(
        datum(&scenario, "products"),
        r#"[{:name "Laptop", :price 1200, "unit price" 1.5, :released "2024-05-01", :sold "no", :gone nil}]"#
    );
    assert_eq!(datum(&scenario, "orders"), r#"[{:id 1, :item "a"} {:id 2, :item "b"}]"#);
    assert_eq!(datum(&scenario, "settings"), "{:a 1}");
    assert_eq!(datum(&scenario, "events"), "[{:a 1} {:a 2}]");
    assert_eq!(datum(&scenario, "more"), "{:a 1}");
    assert_eq!(datum(&scenario, "notes"), r#""some text\n""#);
}

#[test]
fn tools_and_answers_are_built() {
    let scenario = whole();
    let tools = &agent(&scenario).tools;
    let tool_names: Vec<&str> = tools.iter().map(|tool| tool.name.name()).collect();
    assert_eq!(tool_names, ["get-stock", "nothing", "rank", "search-reviews"]);
    assert_eq!(tools[3].description.as_deref(), Some("Customer reviews for a category"));
    let Behaviour::Cases { cases, otherwise } = &tools[0].behaviour else { panic!("cases") };
    assert_eq!(cases.iter().map(|case| case.answers.len()).collect::<Vec<_>>(), [1, 1, 2]);
    assert!(matches!(cases[2].answers[0], ToolAnswer::Fails(_)) && otherwise.is_some());
    assert!(
        matches!(&tools[1].behaviour, Behaviour::Always(answers) if matches!(&answers[..], [ToolAnswer::Returns(value)] if value.is_nil()))
    );
    assert!(matches!(tools[2].behaviour, Behaviour::Program(_)));

    let Response::Text(raw) = &scenario.responses()[0] else { panic!("text") };
    assert!(raw.starts_with("Let me look.\n") && raw.ends_with("```\n"));
    assert_eq!(
        scenario.responses()[1],
        Response::Text("```clojure\n(return (map :name data/products))\n```".into())
    );
    assert_eq!(scenario.responses()[3], Response::Error("rate limited".into()));
    assert_eq!(
        scenario.needs,
        [vec![], vec!["Laptop".to_owned(), "4.5".to_owned()], vec!["Mouse".to_owned()], vec![]]
    );
}

/// API-001, API-003, S1-02, SS-002
#[test]
fn compression_may_be_switched() {
    for (text, strategy) in [
        ("true", Some("single-user-coalesced")),
        ("false", None),
        ("~", None),
        ("trim", Some("trim")),
        ("{println_limit: 3}", Some("single-user-coalesced")),
    ] {
        let folder = folder(&[("a.yaml", &format!("mission: Count.\ncompression: {text}\n"))]);
        let scenario = open(folder.path()).scenarios(&Selection::default()).unwrap().next().unwrap().unwrap();
        let compression = scenario.compression.as_ref().map(|compression| compression.strategy.as_str());
        assert_eq!(compression, strategy, "{text}");
        assert_eq!(agent(&scenario).max_turns, 5);
    }
}

/// S2-10: turns left and SYSTEM have defaults, a mission has none.
#[test]
fn a_scenario_needs_a_mission() {
    let folder = folder(&[("a.yaml", "responses: []\n"), ("b.yaml", "mission: \"\"\n")]);
    for said in names(&open(folder.path()), &Selection::default()) {
        assert!(said.starts_with("error: ") && said.contains("mission"), "{said}");
    }
}

#[test]
fn scenarios_come_in_the_same_order_everywhere() {
    let text = "mission: Count.\n";
    let lines =
        "{\"name\": \"z\", \"mission\": \"a\"}\n\n{\"name\": \"m\", \"mission\": \"a\", \"tags\": [\"t\"]}\n";
    let folder = folder(&[
        ("suite.yaml", ""),
        ("b.yaml", text),
        ("b/a.yml", text),
        ("b/data/x.yaml", text),
        ("b-c.yaml", text),
        ("Q.yaml", text),
        ("é.yaml", text),
        ("k.jsonl", lines),
        ("a/deep/x.yaml", "mission: Count.\ntags: [t]\n"),
        ("strategies/x.yaml", text),
        ("_off.yaml", text),
        (".hidden/x.yaml", text),
        ("notes.txt", text),
    ]);
    let suite = open(folder.path());
    assert_eq!(names(&suite, &Selection::default()), ["Q", "a/deep/x", "b", "b/a", "b-c", "z", "m", "é"]);
    let tagged = Selection { tags: vec!["t".to_owned(), "u".to_owned()], ..Selection::default() };
    assert_eq!(names(&suite, &tagged), ["a/deep/x", "m"]);
    let filter = Selection { filter: Regex::new("^[bz]").ok(), ..Selection::default() };
    assert_eq!(names(&suite, &filter), ["b", "b/a", "b-c", "z"]);
    let at = |path: &str| folder.path().join(path);
    let paths = Selection {
        paths: vec![at("k.jsonl"), at("b"), at("b/a.yml"), at("_off.yaml")],
        ..Selection::default()
    };
    assert_eq!(names(&suite, &paths), ["_off", "b/a", "z", "m"]);
}

#[test]
fn names_are_unique() {
    let folder = folder(&[("a.yaml", "mission: Count.\n"), ("a.yml", "mission: Count.\n")]);
    let found = names(&open(folder.path()), &Selection::default());
    assert_eq!(found[0], "a");
    assert!(found[1].contains("a.yml:1: another scenario is called 'a' too"), "{}", found[1]);
}

#[test]
fn a_broken_file_does_not_stop_the_others() {
    let folder = folder(&[("a.yaml", "mission: [\n"), ("b.yaml", "mission: Count.\n")]);
    let found = names(&open(folder.path()), &Selection::default());
    assert!(found[0].starts_with("error: this is not YAML"), "{}", found[0]);
    assert_eq!(found[1..], ["b"]);
}

#[test]
fn scenarios_stream_from_lines() {
    let suite = open(Path::new("tests/malformed"));
    let endless = std::iter::repeat(b"{\"name\": \"a\", \"mission\": \"b\"}\n").flatten().copied();
    let reader = std::io::BufReader::new(Bytes(endless));
    let mut sources = suite.lines(reader);
    let first = suite.load(&sources.next().unwrap().unwrap()).unwrap();
    assert_eq!((first.origin.path.as_str(), first.origin.line), ("-", 1));
    assert_eq!(sources.next().unwrap().unwrap().line, 2);
}

struct Bytes<I>(I);

impl<I: Iterator<Item = u8>> std::io::Read for Bytes<I> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let mut count = 0;
        for (slot, byte) in buffer.iter_mut().zip(&mut self.0) {
            *slot = byte;
            count += 1;
        }
        Ok(count)
    }
}

#[test]
fn the_nearest_suite_is_found() {
    let text = "mission: Count.\n";
    let folder = folder(&[
        ("x/scenarios/shop/a.yaml", text),
        ("x/scenarios/own/suite.yaml", ""),
        ("x/scenarios/own/deep/b.yaml", text),
        ("x/other/c.yaml", text),
    ]);
    for (path, root) in [
        ("x/scenarios", "x/scenarios"),
        ("x/scenarios/shop", "x/scenarios"),
        ("x/scenarios/shop/a.yaml", "x/scenarios"),
        ("x/scenarios/own/deep/b.yaml", "x/scenarios/own"),
        ("x/other", "x/other"),
        ("x/other/c.yaml", "x/other"),
        ("x/other/../scenarios/shop", "x/scenarios"),
    ] {
        let found = open(&folder.path().join(path)).root;
        let real = |path: PathBuf| path.canonicalize().unwrap();
        assert_eq!(real(found), real(folder.path().join(root)), "{path}");
    }
    assert!(Suite::open(&folder.path().join("nowhere"), Known::default()).is_err());
}

#[test]
fn a_suite_says_what_all_share() {
    let folder = folder(&[
        (
            "suite.yaml",
            "strategies: [full-history, late, mine]\n\
             variants:\n  late: {strategy: single-user-coalesced, trigger: {turns: 4}}\n  mine: {program: strategies/mine.clj, depth: 2}\n\
             compression: {println_limit: 15}\n\
             limits: {ticks: 5, prints: 6}\n\
             thresholds:\n  - {strategy: late, metric: input_tokens, max_increase: 5%}\n  - {strategy: mine, metric: evidence, min: 0.5}\n",
        ),
        ("strategies/mine.clj", "(defn to-messages [turns memory opts] [])"),
        ("a.yaml", "mission: Count.\nlimits: {prints: 7}\ncompression: late\n"),
    ]);
    let suite = open(folder.path());
    assert_eq!(suite.strategies, ["full-history", "late", "mine"]);
    assert_eq!(suite.baseline, "full-history");
    let bases: Vec<&str> = suite.variants.iter().map(|variant| variant.strategy.base.name()).collect();
    assert_eq!(bases[0], "single-user-coalesced");
    assert!(bases[1].ends_with("strategies/mine.clj"), "{bases:?}");
    assert_eq!(suite.thresholds[0].bound, Bound::MaxIncrease(0.05));
    assert_eq!(suite.thresholds[1].bound, Bound::Min(0.5));
    let scenario = suite.scenarios(&Selection::default()).unwrap().next().unwrap().unwrap();
    assert_eq!((agent(&scenario).limits.ticks, agent(&scenario).limits.prints), (5, 7));
    assert_eq!(scenario.compression.unwrap().strategy, "late");
}

#[test]
fn symbols_without_a_namespace_are_names() {
    for name in ["a", "search-reviews", "größe", "ok?", "_x", "*", "x'y", "a.b"] {
        assert_eq!(refuse_symbol("a tool", name), None, "{name}");
    }
    for name in [
        "",
        "a b",
        "1a",
        "-1",
        "a/b",
        "/",
        "nil",
        "true",
        ":a",
        "a:",
        "(a)",
        "a ;x",
        "\"a\"",
        "#x",
        "a\u{200b}",
    ] {
        assert!(refuse_symbol("a tool", name).is_some(), "{name}");
    }
}

#[test]
fn names_of_scenarios_are_safe_paths() {
    for name in ["a", "shop/well-reviewed", "a b", "größe", "a.b", "console", "com", "com10", "a/lpt"] {
        assert_eq!(refuse_scenario(name), None, "{name}");
    }
    for name in ["", "/a", "a/", "a//b", "../a", "a/../b", ".a", "a\\b", "c:a", "a\n", "a.", "a /b"] {
        assert!(refuse_scenario(name).is_some(), "{name}");
    }
    // Windows opens a device instead.
    for name in ["con", "a/NUL", "Aux.b", "com1/a", "lpt9"] {
        assert!(refuse_scenario(name).is_some_and(|help| help.contains("Windows")), "{name}");
    }
}
#[test]
fn cells_are_typed() {
    let cells = [
        ("", "nil"),
        ("1", "1"),
        ("-2.50", "-2.5"),
        ("1e3", "1000.0"),
        ("true", "true"),
        ("null", "\"null\""),
        ("007", "\"007\""),
        ("+1", "\"+1\""),
        (" 1", "\" 1\""),
        ("2024-05-01", "\"2024-05-01\""),
        ("NaN", "\"NaN\""),
        ("[1]", "\"[1]\""),
        ("9223372036854775808", "\"9223372036854775808\""),
    ];
    for (cell, printed) in cells {
        let value = csv(&format!("name,unit price\n\"a, b\",\"{cell}\"\n"));
        assert_eq!(value, format!("[{{:name \"a, b\", \"unit price\" {printed}}}]"), "{cell}");
    }
}

/// The value that a CSV file becomes, as PTC-Lisp prints it.
fn csv(text: &str) -> String {
    let folder = folder(&[("a.csv", text)]);
    read_data(folder.path(), folder.path(), "a.csv").map(|rows| pr_str(&rows)).ok().unwrap()
}

/// The byte that lies too deep in a text, if one does.
fn too_deep(text: &str) -> Option<usize> {
    let problem = ScenarioFile::parse(text).unwrap_err();
    let place =
        problem.place.filter(|_| problem.message == "lists and maps are nested more than 127 deep")?;
    let before: usize = text.split_inclusive('\n').take(place.line as usize - 1).map(str::len).sum();
    Some(before + place.column as usize - 1)
}

fn deep(open: &str, depth: usize) -> String {
    open.repeat(depth)
}

#[test]
fn finds_nesting_after_every_line_break_of_yaml() {
    let brackets = deep("[", 128);
    for end in ["\n", "\r", "\r\n", "\u{85}", "\u{2028}", "\u{2029}"] {
        for before in
            ["# c", "a: x # c", "a: x", "- |↵ it's [", "a: \"x\"", "k: &a", "a: [↵[ # c ]↵]]", "a: >↵  it's↵"]
        {
            let text = format!("{}{end}b: {brackets}", before.replace('↵', end));
            assert!(too_deep(&text).is_some(), "{text:?}");
        }
        assert_eq!(too_deep(&format!("a: |{end}  {brackets}{end}  it's")), None, "{end:?}");
    }
}

#[test]
fn finds_nesting_in_brackets_only() {
    for (text, found) in [
        (deep("[", 127), None),
        (deep("[", 128), Some(127)),
        (format!("a: {}", deep("[", 128)), Some(130)),
        (format!("- a: {}", deep("{x: [", 64)), Some(5 + 63 * 5 + 4)),
        (format!("a: text {}", deep("[", 128)), None),
        (format!("a: \"{}\"", deep("[", 128)), None),
        (format!("a: it's\nb: {}", deep("[", 128)), Some(138)),
        (format!("a: |\n  it's \" {}\nb: 1", deep("[", 128)), None),
        (format!("- |\n  {}\n- {}", deep("[", 128), deep("[", 128)), Some(264)),
        (format!("a: x\n  {}", deep("[", 128)), None),
        (format!("a: [1] # {}", deep("[", 128)), None),
        (format!("{{a: [\"]]]]\", it's, {}", deep("['}',", 126)), Some(19 + 125 * 5)),
        ("[]\n".repeat(20), None),
        (format!("---\na: {}", deep("[", 128)), Some(134)),
        (format!("a: &x\n  b: {}", deep("[", 128)), Some(138)),
        (format!("k: &x |\n  b: {}", deep("[", 128)), None),
    ] {
        assert_eq!(too_deep(&text), found, "{text}");
    }
}
