//! Evidence of small runs. Each `tests/evidence/*.yaml` has what its answers need beside it, and what strategies show of
//! that; `PTC_EVAL_BLESS=1` rewrites it.

use std::fmt::Write;
use std::path::Path;

use proptest::prelude::*;
use ptc_eval::agent::{Message, Role};
use ptc_eval::compression::STRATEGIES;
use ptc_eval::evaluate::{Plan, ReplayedScenario, replay};
use ptc_eval::measure::MeasuredRun;
use ptc_eval::measure::evidence::{Atom, Evidence, EvidenceItem, Grade, OpeningLines, needs_of};
use ptc_eval::report::Gauges;
use ptc_eval::scenario::{JsonOptions, Known, Selection, Suite};
use ptc_tokens::Tokenizer;

use crate::golden::Golden;

const FOLDER: &str = "tests/evidence";

fn results(folder: &Path) -> Vec<ReplayedScenario> {
    let suite = Suite::open(folder, Known::default()).unwrap();
    let every: Vec<_> =
        STRATEGIES.iter().map(|strategy| (strategy.name.to_owned(), JsonOptions::default())).collect();
    let plan = Plan::new(&suite, &every).unwrap();
    let selection = Selection::default();
    let scenarios = suite.scenarios(&selection).unwrap();
    scenarios.map(|scenario| replay(scenario.unwrap(), &plan, &|_| 0).unwrap()).collect()
}

fn measured(result: &ReplayedScenario) -> Vec<MeasuredRun> {
    let tokenizer = Tokenizer::named("o200k_base").unwrap();
    let record =
        result.measure(0, &Gauges { tokenizer: &tokenizer, models: &[], logged: None, warm_system: false });
    assert!(record.failures.is_empty(), "{}: {:?}", record.name, record.failures);
    record.strategies
}

/// `ee-5 (turn 1)`
fn item(item: &EvidenceItem) -> String {
    let own = if item.grade == Grade::Own { "own, " } else { "" };
    let place = item.turn.map_or("opening".to_owned(), |turn| format!("turn {turn}"));
    format!("{item} ({own}{place})")
}

/// `1 of 3, gone beta, own draft-7`
fn graded(evidence: &Evidence) -> String {
    let lost = evidence.lost.iter().map(|lost| format!(", {} {lost}", lost.grade));
    format!("{} of {}{}", evidence.shown, evidence.needed(), lost.collect::<String>())
}

fn told(result: &ReplayedScenario) -> String {
    let (needs, runs) = (needs_of(&result.scenario, result.conversation.past()), measured(result));
    let mut out = String::new();
    for index in 0..result.conversation.past().len() {
        let needed = needs.examine(index, |_, _| false).lost;
        let needed: Vec<String> = needed.iter().map(item).collect();
        let needed = if needed.is_empty() { "nothing".to_owned() } else { needed.join(", ") };
        writeln!(out, "turn {} needs {needed}", index + 1).unwrap();
        for run in &runs {
            let evidence = &run.requests[index].evidence;
            if !evidence.lost.is_empty() {
                writeln!(out, "  {} shows {}", run.name, graded(evidence)).unwrap();
            }
            for forgotten in &evidence.instructions {
                writeln!(out, "  {} no longer shows: {forgotten}", run.name).unwrap();
            }
        }
    }
    out
}

#[test]
fn grades_are_as_they_were() {
    let mut goldens = Golden::default();
    for result in results(Path::new(FOLDER)) {
        let golden = format!("{FOLDER}/{}.txt", result.scenario.name);
        goldens.holds(Path::new(&golden), &told(&result));
    }
    goldens.assert_none_differs();
}

#[test]
fn full_history_loses_nothing() {
    for result in results(Path::new("scenarios")).iter().chain(&results(Path::new(FOLDER))) {
        let runs = measured(result);
        let full = runs.iter().find(|run| run.name == "full-history").unwrap();
        for request in &full.requests {
            let Evidence { own, gone, lost, .. } = &request.evidence;
            assert_eq!((*own, *gone), (0, 0), "{} turn {}: {lost:?}", result.scenario.name, request.turn);
        }
    }
}

#[test]
fn an_answer_is_short_of_what_only_the_model_itself_had_said() {
    let short = |own, gone| {
        let evidence = Evidence { own, gone, reachable: 1, ..Evidence::default() };
        (evidence.lacks_fact(), evidence.lacks_only_own())
    };
    assert_eq!(
        [(1, 0), (1, 1), (0, 0), (0, 1)].map(|(own, gone)| short(own, gone)),
        [(true, true), (true, false), (false, false), (true, false)]
    );
}

/// The evidence of a program, if an earlier turn defined `best`, `old` and `total` and printed each of its words.
fn found(program: &str) -> Vec<String> {
    let words: Vec<&str> = program.split([' ', '(', ')', '[', ']', '{', '}', '"']).collect();
    let printed = serde_json::Value::from(format!("{program}\n{}\n:{}", words.join("\n"), words.join("\n:")))
        .to_string();
    let first = format!("(def best 1) (def old 1) (def total 1) (println {printed})");
    let scenario =
        serde_json::json!({"mission": "m", "responses": [{"program": first}, {"program": program}]});
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("s.yaml"), scenario.to_string()).unwrap();
    let results = results(folder.path());
    let needs = needs_of(&results[0].scenario, results[0].conversation.past());
    needs.examine(1, |_, _| false).lost.into_iter().map(|lost| lost.what.into()).collect()
}

/// The identifiers inside a text.
fn identifiers(text: &str) -> Vec<String> {
    let mut found = found(&format!("(return {})", serde_json::Value::from(text)));
    found.retain(|found| found != text);
    found
}

#[test]
fn literals_and_names_each_once() {
    let program = "(def fine (filter #(= (:category %) \"Pen\") data/products))
                   (tool/get-stock \"ab\" 7 12 -40 4.5 {:category \"Pen\"} [user/old] #\"Regex\")";
    assert_eq!(found(program), [":category", "Pen", "get-stock", "12", "-40", "4.5", "old"]);
    assert_eq!(found("{:best [user/old]}"), [":best", "old"]);
    assert_eq!(found("(for [x user/old :when x :let [y x]] y)"), ["old"]);
    assert_eq!(found("(unclosed \"text\""), [""; 0]);
}

#[test]
fn identifiers_inside_strings_count() {
    assert_eq!(found("(f \"see src/parse.py now\")"), ["see src/parse.py now", "src/parse.py"]);
}

#[test]
fn labels_do_not_count() {
    assert_eq!(found("(println \"Total:\" :sum 12 (str \"Pen\"))"), ["Pen"]);
    assert_eq!(found("(format \"%s of 12\" \"Pen\")"), ["Pen"]);
    assert_eq!(found("(defn f \"Cork\" [x] \"Pen\") (def x \"Cork\" 12)"), ["Pen", "12"]);
    assert_eq!(found("(def x \"Cork\")"), ["Cork"]);
}

#[test]
fn names_that_the_program_defines_before_it_reads_them_do_not_count() {
    assert_eq!(found("(def best 1) (inc best)"), [""; 0]);
    assert_eq!(found("(def best (inc best))"), ["best"]);
    assert_eq!(found("(let [best 1 total 2] (+ best total))"), [""; 0]);
    assert_eq!(found("(map (fn [{:keys [total]}] total) old)"), [":total", "old"]);
}

#[test]
fn identifiers_are_found_in_sentences() {
    let cases: [(&str, &[&str]); 18] = [
        ("Edit src/parse.py, then run it.", &["src/parse.py"]),
        ("The order order_417 costs $1,234.50 (12%).", &["order_417", "1234.5", "12"]),
        ("fooBar calls HTTPServer at 12:30.", &["fooBar", "HTTPServer", "12:30"]),
        ("cd /testbed && ./run.sh v2", &["/testbed", "run.sh"]),
        ("See https://shop.example/orders?id=7781.", &["https://shop.example/orders", "7781"]),
        ("write to ana.lopez@mail.example", &["ana.lopez@mail.example"]),
        ("rows: 10,20,x_1", &["10", "20", "x_1"]),
        ("the 'Blue Lamp' and `dry-run`", &["Blue Lamp", "dry-run"]),
        ("on 2024-02-26 at -40", &["2024-02-26", "-40"]),
        ("std::fs::read and __init__", &["std::fs::read", "__init__"]),
        ("flight HAT071 seat 9a1", &["HAT071", "9a1"]),
        ("{\"status\": \"open\"}", &["status", "open"]),
        ("'ab!' or '!cd'", &["ab!", "!cd"]),
        ("push feature/late-fees --no-verify-tls", &["feature/late-fees"]),
        ("aws s3 ls s3://vexel-backups-eu", &["s3://vexel-backups-eu"]),
        ("the bucket vexel-backups-eu is up-to-date", &["vexel-backups-eu"]),
        ("GET https://127.0.0.1:8080", &["https://127.0.0.1:8080"]),
        ("psql postgres://app@db-7.vexel.io:6541/main", &["postgres://app@db-7.vexel.io:6541/main"]),
    ];
    for (text, expected) in cases {
        assert_eq!(identifiers(text), expected, "{text}");
    }
}

#[test]
fn words_of_english_are_no_identifiers() {
    let texts = [
        "A well-known, state-of-the-art follow-up.",
        "Either yes/no or and/or, e.g. i.e. U.S. wait...what?",
        "It is done.Then go on. Note:this",
        "The 1st, 2nd and 22nd APIs of the PDFs, don't they? It's Ana's.",
        "https:// and 7 of 9, __7",
        "The boys' and girls' rooms, '---'",
    ];
    for text in texts {
        assert_eq!(identifiers(text), [""; 0], "{text}");
    }
}

fn atom(text: &str) -> Atom {
    Atom::of_text(text).unwrap()
}

#[test]
fn an_atom_stands_where_nothing_touches_it() {
    let cases = [
        ("4.5", "Laptop: 4.5/5.", true),
        ("4.5", "Laptop: 4.50", true),
        ("4.5", "14.5", false),
        ("4.5", "4.51 and 1.4.5", false),
        ("4.5", "14.5 and 4.5", true),
        ("12", "2012-12-31", false),
        ("12", "on May 12th, at noon", true),
        ("12", "on May 12th_2", false),
        ("12", "12.5", false),
        ("12", "at 12.", true),
        ("12", "at 12.Then", true),
        ("1234", "sum 1,234 now", true),
        ("1234", "1234.0", true),
        ("1,234", "x=1234", true),
        ("1234.0", "{:n 1234}", true),
        ("1234", "1234.5", false),
        ("-40", "from -40 to", true),
        ("40", "from -40 to", false),
        ("Mouse", "\"Mouse\"", true),
        ("Mouse", "Mouse_2", false),
        ("electronics", "#'electronics\n", true),
        ("src/parse.py", "/testbed/src/parse.py:12", true),
        ("src/parse.py", "src/parse.py-12-def parse():", true),
        ("src/parse.py", "src/parse.py-12", false),
        ("parse-all", "parse-all-12-x", false),
        ("/orders", "GET https://x.example/orders", true),
        (":price", "{:price 12}", true),
        (":price", "{\"price\": 12}", true),
        (":price", "{\"price\" 12}", true),
        (":price", "(price :float, qty :int?)", true),
        (":price", "id,price,qty", false),
        (":unit-price", "unit_price: 3", true),
        (":price", "the price is low", false),
        (":price", "x:price", false),
        ("Stück", "3 Stück", true),
        ("Stück", "Stücké", false),
    ];
    for (text, within, expected) in cases {
        assert_eq!(atom(text).prepare_search().stands_in(within), expected, "{text} in {within}");
    }
}

#[test]
fn lines_that_keep_count_show_nothing() {
    for line in [
        "Turns left: 13",
        "Turn 13 of 20",
        ";; === turn 13 ===",
        "[output of turn 13 omitted: 13 characters]",
    ] {
        assert!(!atom("13").prepare_search().stands_in(&format!("a\n{line}\nb")), "{line}");
        assert!(atom("13").prepare_search().stands_in(&format!("{line} and 13\n{line}")), "{line}");
    }
}

#[test]
fn numbers_have_one_form() {
    let form = |text: &str| Atom::parse_number(text).map(|atom| atom.text().to_string());
    assert_eq!(form("1,234.50").unwrap(), "1234.5");
    assert_eq!(form("-0.0").unwrap(), "-0");
    for text in ["", "-", "1,23", "12,34,567", ".5", "5.", "007", "1.2.3", "1e5"] {
        assert_eq!(form(text), None, "{text}");
    }
}

#[test]
fn key_words_are_the_longest_of_each_spelling() {
    assert_eq!(atom("1234.5").key_words(), ["1234", "234"]);
    assert_eq!(atom("12.345").key_words(), ["12"]);
    assert_eq!(atom(":unit-price").key_words(), ["unit-price", "unit_price"]);
    assert_eq!(atom("a blue lamp shade").key_words(), ["shade"]);
    assert_eq!(Atom::Name("orders".into()).key_words(), [""; 0]);
}

#[test]
fn the_opening_shows_literals_but_no_definitions() {
    let message = Message::new(Role::User, "Sum the orders.\nTurns left: 3");
    let opening = OpeningLines::of([&message].into_iter());
    let name = Atom::Name("orders".into()).prepare_search();
    assert!(atom("orders").prepare_search().is_shown(&message, &opening));
    assert!(!name.is_shown(&message, &opening));
    let later = message.with_content("Sum the orders.\n;; orders list[2]");
    assert!(name.is_shown(&later, &opening));
    assert!(name.is_shown(&Message::new(Role::Assistant, "Sum the orders."), &opening));
}

proptest! {
    /// Text that is added to a request hides no atom.
    #[test]
    fn added_lines_hide_nothing(
        lines in prop::collection::vec("[a-c1-3:,.\"{} =-]{0,12}|Turn [12] of 3", 0..6),
        added in prop::collection::vec("[a-c1-3:,.\"{} =-]{0,12}|Turn [12] of 3", 0..4),
        at in 0..6_usize,
        atom in "[a-c]{3}|:[a-c]{1,2}|[1-3]{2,4}(\\.[1-3])?",
        is_name in any::<bool>(),
    ) {
        let atom = if is_name { Atom::Name(atom.into()) } else { Atom::of_text(&atom).unwrap() };
        let opening = OpeningLines::of([&Message::new(Role::User, "abc\naa: 12")].into_iter());
        let shown = |lines: &[String]| atom.prepare_search().is_shown(&Message::new(Role::User, lines.join("\n")), &opening);
        let before = shown(&lines);
        let mut more = lines.clone();
        more.splice(at.min(lines.len())..at.min(lines.len()), added);
        prop_assert!(!before || shown(&more), "{atom:?} in {lines:?} but not in {more:?}");
    }
}

/// An instruction of a person counts once, where a request no longer shows it, and makes no answer short.
#[test]
fn instructions_of_a_person_are_a_class_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("suite.yaml", "variants: {forgetful: {program: forgetful.clj}}\n");
    let replies = "(mapv :raw-response (take-last 1 turns))";
    write(
        "forgetful.clj",
        &format!("(defn to-messages [turns memory opts] [{{:role :user :content (pr-str {replies})}}])"),
    );
    write("s.yaml", "transcript: log.json\n");
    let said = "Good. Only so. The mustard is alwaysome here. Never touch the old files; you must ask me first! It only rains. It \
         only rains. Go on, as always, with care.";
    let answers =
        ["One.", "Two.", "Three."].map(|text| serde_json::json!({"role": "assistant", "content": text}));
    let [one, two, three] = answers;
    let person = |text: &str| serde_json::json!({"role": "user", "content": text});
    let log =
        serde_json::json!({"messages": [person("Only look."), one, person(said), two, person("Go."), three]});
    write("log.json", &log.to_string());
    let suite = Suite::open(folder.path(), Known::default()).unwrap();
    let strategies = ["full-history", "forgetful"].map(|name| (name.to_owned(), JsonOptions::default()));
    let plan = Plan::new(&suite, &strategies).unwrap();
    let scenario = suite.scenarios(&Selection::default()).unwrap().next().unwrap().unwrap();
    let runs = measured(&replay(scenario, &plan, &|_| 0).unwrap());
    let lost = |run: &MeasuredRun| -> Vec<Vec<String>> {
        let of = |evidence: &Evidence| evidence.instructions.iter().map(|one| one.what.to_string()).collect();
        run.requests.iter().map(|request| of(&request.evidence)).collect()
    };
    assert_eq!(lost(&runs[0]), [[""; 0]; 3]);
    let sentences = [
        "Never touch the old files;",
        "you must ask me first!",
        "It only rains.",
        "Go on, as always, with care.",
    ];
    assert_eq!(lost(&runs[1]), [vec![], sentences.map(String::from).to_vec(), vec![]]);
    assert!(runs[1].requests.iter().all(|request| !request.evidence.lacks_fact()));
}

#[test]
fn an_atom_stands_behind_an_escaped_line_break() {
    for text in [r#"{"code": "a\nload_user(7)"}"#, r#"{"code": "\tload_user"}"#] {
        let text = text.replace("\\\\", "\\");
        assert!(atom("load_user").prepare_search().stands_in(&text), "{text}");
    }
    assert!(!atom("load_user").prepare_search().stands_in("reload_user nload_user"));
}

/// The evidence that the last answer of a transcript needs. A first result tells some texts; then come these answers, each a text or
/// the arguments of a call, or a pair of the name of its tool and these.
pub fn needed_after(told: &str, answers: &[serde_json::Value]) -> Vec<String> {
    needed_with(&serde_json::json!([]), told, answers)
}

/// The same for an agent with these tools.
fn needed_with(tools: &serde_json::Value, told: &str, answers: &[serde_json::Value]) -> Vec<String> {
    lacking_with(tools, told, "", answers)
}

/// What the last answer needs and a request with the text `shown` lacks.
pub fn lacking_after(told: &str, shown: &str, answers: &[serde_json::Value]) -> Vec<String> {
    lacking_with(&serde_json::json!([]), told, shown, answers)
}

fn lacking_with(
    tools: &serde_json::Value,
    told: &str,
    shown: &str,
    answers: &[serde_json::Value],
) -> Vec<String> {
    let call = |id: usize, name: &str, arguments: &serde_json::Value| {
        serde_json::json!({"role": "assistant", "content": "",
            "tool_calls": [{"id": id.to_string(), "name": name, "arguments": arguments}]})
    };
    let result =
        |id: usize, text: &str| serde_json::json!({"role": "tool", "call": id.to_string(), "content": text});
    let mut messages = vec![
        serde_json::json!({"role": "user", "content": "Go on."}),
        call(0, "look", &serde_json::json!({})),
        result(0, told),
    ];
    for (id, answer) in (1..).zip(answers) {
        match answer.as_str().and_then(|text| text.strip_prefix("SAYS ")) {
            Some(text) => messages.push(serde_json::json!({"role": "assistant", "content": text})),
            None => {
                let (tool, arguments) = match answer.as_array().map(Vec::as_slice) {
                    Some([tool, arguments]) => (tool.as_str().unwrap(), arguments),
                    _ => ("pick", answer),
                };
                messages.extend([call(id, tool, arguments), result(id, "done")]);
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let log = serde_json::json!({"name": "s", "tools": tools, "messages": messages});
    std::fs::write(folder.path().join("log.json"), log.to_string()).unwrap();
    std::fs::write(folder.path().join("s.yaml"), "transcript: log.json").unwrap();
    let results = results(folder.path());
    let past = results[0].conversation.past();
    let needs = needs_of(&results[0].scenario, past);
    let lost =
        needs.examine(past.len() - 1, |atom, opening| atom.prepare_search().is_told(shown, opening)).lost;
    lost.iter().filter(|item| !item.is_no_loss()).map(EvidenceItem::to_string).collect()
}

/// True if the last of so many calls needs a value that so many of them have, the last one among them.
fn needs_repeated(value: &str, often: usize, calls: usize) -> bool {
    let other = |number: usize| serde_json::json!({"by": format!("N{number}")});
    let mut answers: Vec<_> = (often..calls).map(other).collect();
    answers.extend((0..often).map(|_| serde_json::json!({"by": value})));
    !needed_after(value, &answers).is_empty()
}

#[test]
fn a_plain_word_in_three_calls_and_a_third_of_all_is_a_choice_of_the_tool() {
    let by_count = [(3, 9), (3, 10), (2, 2), (3, 3), (4, 12)];
    let needed = by_count.map(|(often, calls)| needs_repeated("by_price", often, calls));
    assert_eq!(needed, [false, true, true, false, false]);
    let by_word = ["by-price", "By_price", "by_price2", "by.price"].map(|word| needs_repeated(word, 3, 3));
    assert_eq!(by_word, [false, true, true, true]);
    let nested = serde_json::json!({"rows": [{"kind": "by_price"}, {"kind": "by_date"}]});
    assert_eq!(needed_after("by_price by_date", &[nested.clone(), nested.clone(), nested]), [""; 0]);
}

#[test]
fn a_parameter_with_few_plain_words_offers_each_of_them() {
    let needs = |common: usize, words: &[&str]| {
        let with = |word: &str| serde_json::json!({"by": word});
        let mut answers: Vec<_> = (0..common).map(|_| with("common_word")).collect();
        answers.extend(words.iter().map(|word| with(word)));
        needed_after("rare_word", &answers)
    };
    assert_eq!(needs(11, &["rare_word"]), [""; 0], "two words in twelve calls");
    assert_eq!(needs(10, &["rare_word"]), ["rare_word"], "eleven calls");
    assert_eq!(needs(10, &["other_word", "rare_word"]), [""; 0], "three words in twelve calls");
    assert_eq!(
        needs(9, &["third_word", "other_word", "rare_word"]),
        ["rare_word"],
        "four words in twelve calls"
    );
    assert_eq!(needs(10, &["Row 7", "rare_word"]), ["rare_word"], "a value that is no plain word");
}

#[test]
fn a_name_in_eight_calls_and_a_quarter_of_all_that_are_code_is_of_the_interface() {
    let needs = |name: &str, often: usize, calls: usize| {
        let code =
            |with: bool| serde_json::json!(if with { format!("run({name})") } else { "run(x)".to_owned() });
        let answers: Vec<_> = (0..calls).map(|number| code(number >= calls - often)).collect();
        !needed_after(name, &answers).is_empty()
    };
    let by_count = [(8, 32), (8, 33), (7, 7), (9, 36)].map(|(often, calls)| needs("max_rows", often, calls));
    assert_eq!(by_count, [false, true, true, false]);
    assert!(needs("src/rows/max_rows.rs", 8, 8), "paths are facts");
}

#[test]
fn names_that_every_machine_has_are_no_evidence() {
    let needed = |names: &[&str]| {
        let arguments: serde_json::Map<_, _> =
            (0..).zip(names).map(|(at, name): (usize, _)| (format!("p{at}"), (*name).into())).collect();
        needed_after(&names.join(" "), &[arguments.into()])
    };
    let folders = [
        "/bin",
        "/boot",
        "/dev",
        "/etc/",
        "/home",
        "/lib",
        "/media",
        "/mnt",
        "/opt",
        "/proc",
        "/root",
        "/run",
        "/sbin",
        "/srv",
        "/sys",
        "/tmp/",
        "/usr",
        "/var",
        "/bin/sh",
        "/dev/null",
        "/usr/bin/env",
        "/usr/sbin/nologin",
    ];
    assert_eq!(needed(&folders), [""; 0]);
    assert_eq!(needed(&["/tmp/row_a", "/bin/row_a/b", "/rows"]), ["/tmp/row_a", "/bin/row_a/b", "/rows"]);
    let constants = [
        "TRUE",
        "FALSE",
        "NULL",
        "NONE",
        "nil",
        "package.json",
        "readme.md",
        "Claude Code",
        "noreply@anthropic.com",
        "REDACTED",
        "GitHub",
        "https://github.com",
        "python3",
        "Explore",
        "exit_code",
        "--help",
        "--version",
        "git push --force",
        "ls -la",
        "rev-parse",
        "json.dumps",
    ];
    assert_eq!(needed(&constants), [""; 0]);
    assert_eq!(
        needed(&["git vexrows --continue", "rev-rows", "json.rows"]),
        ["git vexrows --continue", "rev-rows", "json.rows"]
    );
}

#[test]
fn words_of_english_beside_names_are_no_part_of_them() {
    let says = |sentence: &str| needed_after(sentence, &[format!("SAYS {sentence}").into()]);
    let before = "A After All An And As At But Can Dear Did For From Hello Hi I If In Is My No On Or Our Please Since Thank \
                  Thanks The This To With Yes Your";
    for word in before.split_whitespace() {
        assert_eq!(says(&format!("{word} Mei Lin came late.")), ["Mei Lin"], "{word}");
    }
    assert_eq!(says("Bright Osaka came late."), ["Bright Osaka"]);
    let days = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday";
    let months = "January February March April May June July August September October November December";
    for name in days.split_whitespace().chain(months.split_whitespace()) {
        assert_eq!(says(&format!("we meet on {name} at noon")), [""; 0], "{name}");
    }
    for month in months.split_whitespace().chain("Jan Feb Mar Apr Jun Jul Aug Sep Oct Nov Dec".split(' ')) {
        assert_eq!(says(&format!("row_7 is due {month} 29.")), ["row_7"], "{month}");
    }
    assert_eq!(says("row_7 is due at 29."), ["row_7", "29"]);
    assert_eq!(says("we saw Osaka and Xi, and JSON"), ["Osaka"]);
}

#[test]
fn words_of_declarations_are_no_evidence() {
    let tools = serde_json::json!([{"name": "pick", "description": "Takes up to max_rows of 4096.",
        "parameters": {"properties": {"row_count": {"enum": ["by_price"], "default": 512}}}}]);
    let words = "max_rows 4096 row_count by_price 512 own_row";
    let used = serde_json::json!({"a": "max_rows", "b": 4096, "c": "row_count", "d": "by_price", "e": 512, "f": "own_row"});
    assert_eq!(needed_with(&tools, words, std::slice::from_ref(&used)), ["own_row"]);
    assert_eq!(needed_after(words, &[used]).len(), 6);
}

#[test]
fn lines_are_copied_in_rows_of_three_or_as_a_whole() {
    let [one, two, three] = [
        "the first line of the old text",
        "the second line of the old text",
        "the third line of the old text",
    ];
    let told = [one, two, three].join("\n");
    let needs = |lines: &[&str]| needed_after(&told, &[serde_json::json!({"text": lines.join("\n")})]);
    let new = "here is a line that nobody has written";
    assert_eq!(needs(&[new, one, two, new]), [""; 0]);
    assert_eq!(needs(&[new, one, two, three]), [format!("{one} and 2 lines more")]);
    assert_eq!(needs(&[one, two]), [format!("{one} and 1 line more")]);
    let twice = |line: &str| {
        needed_after(&format!("{line}\n{line}"), &[serde_json::json!({"text": format!("{line}\n{line}")})])
    };
    assert_eq!(twice("aaaaaaaaaaaa bbbbbbbbbbbb").len(), 1, "24 letters in two words");
    assert_eq!(twice("aaaaaaaaaaaa bbbbbbbbbbb"), [""; 0], "23 letters");
    assert_eq!(twice("aaaaaaaaaaaaaaaaaaaaaaaaaaaa 12 ="), [""; 0], "one word");
}

#[test]
fn names_that_new_code_defines_are_no_evidence_and_those_of_copies_are() {
    let known = "let row_7 = compute_all(rows, taxes);";
    let new = "let sum = add_everything(orders, taxes);";
    let needs = |lines: &[&str]| {
        let told = format!("{known}\nrow_7 row_8 compute_all add_everything");
        let mut found = needed_after(&told, &[serde_json::json!({"text": lines.join("\n")})]);
        found.retain(|name| name.starts_with("row_"));
        found
    };
    assert_eq!(needs(&[new, "let row_8 = 1;"]), [""; 0]);
    assert_eq!(needs(&[new, known]), ["row_7"], "a known line defines nothing");
    assert_eq!(
        needs(&[known, "let row_8 = 1;"]),
        ["row_7", "row_8"],
        "a text without a new long line is a copy"
    );
    assert_eq!(needs(&[new, "row_7, row_8 := read()"]), [""; 0]);
}

#[test]
fn names_end_where_a_mark_stands() {
    let says = |told: &str, sentence: &str| needed_after(told, &[format!("SAYS {sentence}").into()]);
    let told = "Mei Lin of Osaka and Kobe pays 37.5 and 41 and 7 to D'arcy of Xia";
    assert_eq!(says(told, "we met Mei (Lin) there"), ["Mei"]);
    assert_eq!(says(told, "we saw Osaka IAH"), ["Osaka"]);
    assert_eq!(says(told, "we saw Osaka-Kobe"), [""; 0]);
    assert_eq!(says(told, "we saw Osaka (EAST)"), ["Osaka"]);
    assert_eq!(says(told, "we saw (Osaka), and In 7 Osaka"), [""; 0]);
    assert_eq!(says(told, "we go In Osaka"), [""; 0]);
    assert_eq!(says(told, "we saw Mei L there and D'arcy and Xia"), ["Mei", "D'arcy", "Xia"]);
    assert_eq!(says(told, "It costs $37.50, and then $41."), ["37.5", "41"]);
    assert_eq!(says(told, "It costs $7."), [""; 0]);
    let note = serde_json::json!({"note": "so:\n  Mei Lin pays $41."});
    assert_eq!(needed_after(told, &[note]), ["41", "Mei Lin"]);
}

/// The generated sessions measure what strategies lose. An answer with `24000` and `24001` would count the second as lost, although
/// everybody can work it out.
#[test]
fn sessions_blame_no_strategy_for_arithmetic() {
    let suite = Suite::open(Path::new("scenarios"), Known::default()).unwrap();
    let plan = Plan::new(&suite, &[("fold".to_owned(), JsonOptions::default())]).unwrap();
    let tokenizer = Tokenizer::named("o200k_base").unwrap();
    let filter = Some(regex::Regex::new("^sessions/").unwrap());
    let selection = Selection { filter, ..Selection::default() };
    let (mut lost_facts, mut worked_out) = (0, Vec::new());
    for scenario in suite.scenarios(&selection).unwrap() {
        let result = replay(scenario.unwrap(), &plan, &|text| tokenizer.count(text).into()).unwrap();
        let needs = needs_of(&result.scenario, result.conversation.past());
        let runs = measured(&result);
        let fold = runs.iter().find(|run| run.name == "fold").unwrap();
        for (index, request) in fold.requests.iter().enumerate() {
            let needed = needs.examine(index, |_, _| false).lost;
            lost_facts += request.evidence.lost.len();
            for lost in &request.evidence.lost {
                let Ok(number) = lost.what.parse::<u64>() else { continue };
                if needed.iter().any(|other| other.what == (number - 1).to_string()) {
                    worked_out.push(format!("{}@{}: {number}", result.scenario.name, index + 1));
                }
            }
        }
    }
    assert!(lost_facts > 20, "fold loses {lost_facts} facts of the sessions");
    assert!(worked_out.is_empty(), "{worked_out:#?}");
}
