//! Lists that input can make long: each costs time in proportion to its length.

use std::time::{Duration, Instant};

use serde_json::json;

use super::suite::Suite;

const END: &str = "\nresponses: [{program: (return 1)}]\n";
const NEEDS: &str = "responses:\n  - program: (println \"word7\")\n  - program: (return 1)\n    needs:\n";
const PRINTS: &str =
    "\nresponses:\n  - program: (doseq [i (range COUNT)] (println \"line\" i))\n  - program: (return 1)\n";
const LOG: &str = "{\"messages\": [{\"role\": \"user\", \"content\": \"m\"}";
const LOG_END: &str = ", {\"role\": \"assistant\", \"content\": \"done\"}]}";
const CALL: &str =
    "{\"id\": \"c#\", \"type\": \"function\", \"function\": {\"name\": \"f#\", \"arguments\": \"{}\"}}";

/// A file that repeats a text, with the parts before and after it; `#` is the number of the repetition, COUNT
/// their total. A file with `#` in its name is written once for each. Then the commands that read it, and the
/// shorter length.
struct List(&'static str, [&'static str; 3], &'static [&'static [&'static str]], usize);

/// A scenario after `mission: m`.
const fn scenario(parts: [&'static str; 3]) -> List {
    List("scenarios/list.yaml", parts, &[&["run", "-j", "1"]], 4_000)
}

const fn suite(before: &'static str, part: &'static str) -> List {
    List("scenarios/suite.yaml", [before, part, ""], &[&["check"]], 1_000)
}

const fn log(parts: [&'static str; 3]) -> List {
    List("log.json", parts, &[&["import", "log.json"], &["advise", "log.json", "-j", "1"]], 4_000)
}

const LISTS: &[List] = &[
    scenario(["tags:\n", "  - tag#\n", END]),
    scenario(["data:\n", "  name#: {a: #}\n", END]),
    scenario(["data:\n  all:\n", "    - 9999999999999999999#\n", END]),
    scenario(["data:\n  a: &a {b: 1}\n  all:\n", "    - {<<: *a, c: #}\n", END]),
    scenario(["data:\n", "  k#: &x# [#]\n  l#: *x#\n", END]),
    scenario(["data_files:\n", "  name#: missing#.json\n", END]),
    scenario(["tools:\n", "  name#: {returns: #}\n", END]),
    scenario(["tools:\n", "  name#: {}\n", END]),
    scenario(["tools:\n  f:\n    cases:\n", "      - {when: {a: #}, returns: #}\n", END]),
    scenario(["tools: {f: {returns: 1}}\nresponses:\n  - program: |\n", "      (tool/f {:a #})\n", ""]),
    scenario(["compression:\n  strategy: aggressive\n", "  option#: 1\n", END]),
    scenario(["expect:\n  tokens:\n", "    name#: {max_total: 1}\n", END]),
    scenario(["expect:\n  value:\n", "    - #\n", "responses: [{program: (return (set (range COUNT)))}]"]),
    scenario([
        "expect:\n  value:\n",
        "    k#: #\n",
        "responses: [{program: (return (zipmap (map (fn [i] (str \"k\" i)) (range COUNT)) (range COUNT)))}]",
    ]),
    scenario(["expect:\n  prints:\n", "    - line #\n", PRINTS]),
    scenario(["expect:\n  prints:\n", "    - none #\n", PRINTS]),
    scenario([NEEDS, "      - word#\n", ""]),
    scenario([NEEDS, "      - word# word7\n", "      - word7 #(\n"]),
    scenario(["responses:\n  - program: (return 1)\n    needs: [word7 #c]\n", "  - {needs: [word#]}\n", ""]),
    scenario(["responses:\n  - program: |\n      [", "\"word#\" ", "]\n"]),
    scenario(["responses:\n  - program: |\n", "      (def x# #)\n", "  - program: (return 1)\n"]),
    scenario(["responses:\n  - program: |\n", "      (println #)\n", "  - program: (return 1)\n"]),
    scenario(["responses:\n  - program: (println \"", "word# ", "\")\n  - program: (return 1)\n"]),
    // Regular expressions, each compiled once, and one that matches at many places.
    scenario([
        "limits: {ticks: 1000000000}\nresponses:\n  - program: |\n",
        "      (re-find (re-pattern \"[a-z]+#|b{1,9}\") \"a1 b22\")\n",
        "  - program: (return 1)\n",
    ]),
    scenario([
        "data: {text: \"",
        "word# ",
        "\"}\nresponses:\n  - program: (return (count (re-seq (re-pattern \"[a-z]+\") data/text)))\n",
    ]),
    scenario([
        "data: {text: \"",
        "wordsofdatawithoutblankswordsofdatawithoutblanks",
        "\"}\nresponses: [{program: (println data/text)}, {program: (return data/text)}]\n",
    ]),
    // Texts of many lines, in prints, errors, answers and missions.
    scenario([
        "data: {text: \"",
        "line #\\n",
        "\"}\nresponses: [{program: (println data/text)}, {program: (return 1)}]\n",
    ]),
    scenario([
        "tools: {f: {fails: \"",
        "line #\\n",
        "\"}}\nresponses: [{program: (tool/f {})}, {program: (return 1)}]\n",
    ]),
    scenario(["responses:\n  - |\n", "    line #\n", "  - program: (return 1)\n"]),
    List(
        "scenarios/long.yaml",
        ["mission: \"", "line #\\n", "\"\nresponses: [{program: (return 1)}]\n"],
        &[&["run", "-j", "1"]],
        4_000,
    ),
    List("scenarios/a.csv", ["", "column#,", "end\n"], &[&["run", "-j", "1"]], 4_000),
    List("scenarios/a.csv", ["a,b\n", "#,x#\n", ""], &[&["run", "-j", "1"]], 4_000),
    List("scenarios/a.csv", ["a,b\n", "#\n", ""], &[&["run", "-j", "1"]], 4_000),
    List(
        "scenarios/s#.yaml",
        ["", "mission: m#\n", END],
        &[
            &["check"],
            &["list", "scenarios"],
            &["run", "-j", "1"],
            &["review", "--print"],
            &["review", "--accept-all"],
            &["review", "--print", "--tokenizer", "cl100k_base"],
            &["run", "--shard", "1/2", "-j", "1"],
            &["run", "--shard", "2/2", "-j", "1"],
            &["merge", "reports/shard-1-of-2", "reports/shard-2-of-2"],
            &["diff", "reports", "reports"],
        ],
        100,
    ),
    List("scenarios/s#.yaml", ["", "misson: m#\n", END], &[&["check"], &["run", "-j", "1"]], 500),
    List(
        "scenarios/s.jsonl",
        ["", "{\"name\": \"n#\", \"mission\": \"m\", \"responses\": [\"(return 1)\"]}\n", ""],
        &[&["run", "-j", "1", "--snapshot-dir", "nowhere"]],
        250,
    ),
    List(
        "prices.yaml",
        [
            "",
            "- {model: m#, date: 2026-01-01, source: s, confidence: sure, tokenizer: o200k_base, input: 1, output: 2}\n",
            "",
        ],
        &[&["run", "--prices", "prices.yaml", "-j", "1"]],
        4_000,
    ),
    suite("variants:\n", "  v#: {strategy: trim}\n"),
    suite("variants:\n", "  v#: {strategy: trom}\n"),
    suite("variants:\n", "  v#: {strategy: trim, keep#: 1}\n"),
    suite("variants:\n", "  v#: {program: x#.clj}\n"),
    suite("variants:\n", "  v#: {}\n"),
    suite("strategies:\n", "  - trom#\n"),
    suite("models:\n", "  - gpt#\n"),
    suite("compression:\n", "  option#: 1\n"),
    suite("thresholds:\n", "  - {strategy: trim, metric: answers_short, max: #}\n"),
    suite("thresholds:\n", "  - {strategy: s#, metric: m#, max: 1}\n"),
    log([LOG, ", {\"role\": \"user\", \"content\": \"word#\"}", LOG_END]),
    log([LOG, ", {\"role\": \"system\", \"content\": \"word#\"}", LOG_END]),
    log([LOG, ", {\"role\": \"tool\", \"tool_call_id\": \"c#\", \"content\": \"r#\"}", LOG_END]),
    log([
        "{\"messages\": [{\"role\": \"user\", \"content\": [",
        "{\"type\": \"part#\", \"text\": \"word#\"}, ",
        "{\"type\": \"text\", \"text\": \"m\"}]}, {\"role\": \"assistant\", \"content\": \"done\"}]}",
    ]),
    log([
        "{\"messages\": [{\"role\": \"user\", \"content\": \"m\"}, {\"role\": \"assistant\", \"tool_calls\": [",
        "CALL, ",
        "CALL]}, {\"role\": \"assistant\", \"content\": \"done\"}]}",
    ]),
    log([
        "{\"messages\": [{\"role\": \"user\", \"content\": \"m\"}, {\"role\": \"assistant\", \"content\": \"done\"}], \
         \"tools\": [",
        "{\"type\": \"function\", \"function\": {\"name\": \"t#\", \"parameters\": {\"type\": \"object\"}}}, ",
        "{\"type\": \"function\", \"function\": {\"name\": \"t\", \"parameters\": {\"type\": \"object\"}}}]}",
    ]),
    // Calls that the answers hold as text.
    List(
        "log.json",
        [
            LOG,
            ", {\"role\": \"assistant\", \"content\": \"Thought: look.\\nAction: search[page-#]\"}, \
             {\"role\": \"user\", \"content\": \"page # of the book\"}",
            LOG_END,
        ],
        &[&["import", "log.json"]],
        1_000,
    ),
    // A word without a place to cut: words of a person, a result and an answer.
    log([
        "{\"messages\": [{\"role\": \"user\", \"content\": \"",
        "wordsofapersonwithoutblankswordsofapersonwithoutblanks",
        "\"}, {\"role\": \"assistant\", \"content\": \"done\"}]}",
    ]),
    log([
        "{\"messages\": [{\"role\": \"user\", \"content\": \"m\"}, \
         {\"role\": \"assistant\", \"tool_calls\": [{\"id\": \"a\", \"type\": \"function\", \"function\": \
         {\"name\": \"f\", \"arguments\": \"{}\"}}]}, {\"role\": \"tool\", \"tool_call_id\": \"a\", \"content\": \"",
        "dataofaresultwithoutblanksdataofaresultwithoutblanks",
        "\"}, {\"role\": \"assistant\", \"content\": \"done\"}]}",
    ]),
    log([
        "{\"messages\": [{\"role\": \"user\", \"content\": \"m\"}, {\"role\": \"assistant\", \"content\": \"",
        "answerwithoutblanksanswerwithoutblanks",
        "\"}, {\"role\": \"user\", \"content\": \"n\"}, {\"role\": \"assistant\", \"content\": \"done\"}]}",
    ]),
    // A call with many lines that have the key word of an atom, and not the atom.
    log([
        "{\"messages\": [{\"role\": \"user\", \"content\": \"m\"}, \
         {\"role\": \"assistant\", \"tool_calls\": [{\"id\": \"a\", \"type\": \"function\", \"function\": \
         {\"name\": \"f\", \"arguments\": \"{}\"}}]}, \
         {\"role\": \"tool\", \"tool_call_id\": \"a\", \"content\": \"see alpha/needle.py\"}, \
         {\"role\": \"assistant\", \"tool_calls\": [{\"id\": \"b\", \"type\": \"function\", \"function\": \
         {\"name\": \"f\", \"arguments\": \"{\\\"t\\\": \\\"",
        "other/needle.py # ",
        "\\\"}\"}}]}, {\"role\": \"tool\", \"tool_call_id\": \"b\", \"content\": \"ok\"}, \
         {\"role\": \"assistant\", \"tool_calls\": [{\"id\": \"c\", \"type\": \"function\", \"function\": \
         {\"name\": \"f\", \"arguments\": \"{\\\"p\\\": \\\"alpha/needle.py\\\"}\"}}]}, \
         {\"role\": \"tool\", \"tool_call_id\": \"c\", \"content\": \"ok\"}, \
         {\"role\": \"assistant\", \"content\": \"done\"}]}",
    ]),
    // Declarations and functions in one line of code: each searches for the brackets of its names.
    log([
        "{\"messages\": [{\"role\": \"user\", \"content\": \"m\"}, \
         {\"role\": \"assistant\", \"tool_calls\": [{\"id\": \"a\", \"type\": \"function\", \"function\": \
         {\"name\": \"f\", \"arguments\": \"{\\\"t\\\": \\\"",
        "let [ab)=> ",
        "\\\"}\"}}]}, {\"role\": \"tool\", \"tool_call_id\": \"a\", \"content\": \"ok\"}, \
         {\"role\": \"assistant\", \"content\": \"done\"}]}",
    ]),
    // Secrets, each searched for in the whole conversation.
    log([
        LOG,
        ", {\"role\": \"user\", \"content\": \"password=pass#word! token ghp_0123456789012345678901234567890#\"}",
        LOG_END,
    ]),
    List(
        "log.json",
        [LOG, ", {\"role\": \"user\", \"content\": \"password=pass#word!\"}", LOG_END],
        &[&["advise", "log.json", "-j", "1", "--save", "kept"]],
        4_000,
    ),
    // One long sentence with many verbs, and one long line with many passwords that are none.
    List(
        "log.json",
        [
            "{\"messages\": [{\"role\": \"user\", \"content\": \"",
            "a is password 'ab#' ",
            "\"}, {\"role\": \"assistant\", \"content\": \"done\"}]}",
        ],
        &[&["advise", "log.json", "-j", "1", "--save", "kept"]],
        10_000,
    ),
    // Conversations of two requests each, and one whose requests name the previous response.
    List(
        "log.jsonl",
        [
            "",
            "{\"request\": {\"messages\": [{\"role\": \"user\", \"content\": \"m#\"}]}, \"response\": {\"choices\": \
             [{\"message\": {\"role\": \"assistant\", \"content\": \"a\"}}]}}\n\
             {\"request\": {\"messages\": [{\"role\": \"user\", \"content\": \"m#\"}, {\"role\": \"assistant\", \
             \"content\": \"a\"}, {\"role\": \"user\", \"content\": \"n\"}]}, \"response\": {\"choices\": \
             [{\"message\": {\"role\": \"assistant\", \"content\": \"b\"}}]}}\n",
            "",
        ],
        &[&["advise", "log.jsonl", "-j", "1"]],
        2_000,
    ),
    List(
        "log.jsonl",
        [
            "",
            "{\"request\": {\"model\": \"m\", \"previous_response_id\": \"r\", \"input\": \"asks #\"}, \"response\": \
             {\"object\": \"response\", \"id\": \"r\", \"output\": [{\"type\": \"message\", \"role\": \"assistant\", \
             \"content\": [{\"type\": \"output_text\", \"text\": \"Yes.\"}]}]}}\n",
            "",
        ],
        &[&["import", "log.jsonl"]],
        8_000,
    ),
    List(
        "logs/l#.json",
        ["", "{\"messages\": [{\"role\": \"user\", \"content\": \"m#\"}", LOG_END],
        &[&["advise", "logs", "-j", "1"]],
        250,
    ),
];

/// A log with a native call and its result in each turn.
const NATIVE_CALLS: [&str; 3] = [
    LOG,
    ", {\"role\": \"assistant\", \"tool_calls\": [CALL]}, \
     {\"role\": \"tool\", \"tool_call_id\": \"c#\", \"content\": \"result # of a call\"}",
    LOG_END,
];

/// Turns, each repeated in all later requests.
const TURNS: &[List] = &[
    List(
        "scenarios/list.yaml",
        ["max_turns: COUNT\nresponses:\n", "  - program: (def x# #)\n", ""],
        &[&["run", "-j", "1"], &["show", "list", "--view", "compressed"], &["explain", "list"]],
        250,
    ),
    List("log.json", NATIVE_CALLS, &[&["import", "log.json"], &["advise", "log.json", "-j", "1"]], 250),
    // As long as the longest sessions, up to 10,000 turns.
    List("log.json", NATIVE_CALLS, &[&["advise", "log.json", "-j", "1"]], 2_500),
];

/// Seconds of the processor for the commands, with a list of this length.
fn seconds(List(file, parts, commands, _): &List, length: usize) -> f64 {
    let [before, part, after] =
        parts.map(|text| text.replace("CALL", CALL).replace("COUNT", &length.to_string()));
    let suite = Suite::with(&[("a", &format!("mission: m\ndata_files: {{a: a.csv}}{END}"))]);
    suite.write("scenarios/a.csv", "a\n");
    suite.write("scenarios/suite.yaml", "strategies: [full-history, aggressive]\n");
    let start = if *file == "scenarios/list.yaml" { "mission: m\n" } else { "" };
    let each = (0..length).map(|number| (part.replace('#', &number.to_string()), number));
    if file.contains('#') {
        each.for_each(|(part, number)| {
            suite.write(&file.replace('#', &number.to_string()), &format!("{before}{part}{after}"));
        });
    } else {
        let parts: String = each.map(|(part, _)| part).collect();
        suite.write(file, &format!("{start}{before}{parts}{after}"));
    }
    commands.iter().map(|arguments| suite.seconds(arguments)).sum()
}

/// A list four times as long costs four times as much, and sixteen times where each item is sought among all; with turns
/// it is 16 and 64 times. The time is that of the processor, and a list that fails by chance is measured again.
#[test]
#[ignore = "takes a minute and measures time; CI runs it by itself"]
fn every_list_costs_linear_time() {
    let all = LISTS.iter().map(|list| (list, 8.0)).chain(TURNS.iter().map(|list| (list, 32.0)));
    let others: Vec<_> = all
        .filter_map(|(list, factor)| {
            let times = (0..3).map(|_| (seconds(list, list.3), seconds(list, 4 * list.3)));
            let dear: Vec<_> =
                times.take_while(|(short, long)| *long > 0.3 && *long > factor * short).collect();
            (dear.len() == 3).then_some((list.0, list.1, dear))
        })
        .collect();
    assert!(others.is_empty(), "{others:#?}");
}

/// The place of each problem is searched for in the whole file, so the number of listed problems is limited.
#[test]
fn problems_past_the_first_hundred_are_counted() {
    let tools: String = (0..250).map(|number| format!("  name{number}: {{}}\n")).collect();
    let suite = Suite::with(&[("many", &format!("mission: m\ntools:\n{tools}{END}"))]);
    let ran = suite.run(&["check"]);
    ran.ends(2).complains("many.yaml: 150 more problems\n  = help: fix those above first\n");
    assert_eq!(ran.err.matches("the tool is empty").count(), 100);
    let counts = |file: &str, before: &str, part: &str, message: &str| {
        let suite = Suite::with(&[("a", &format!("mission: m{END}"))]);
        let parts: String = (0..250).map(|number| part.replace('#', &number.to_string())).collect();
        suite.write(file, &format!("{before}{parts}"));
        let ran = suite.run(&["check"]);
        ran.ends(2).complains(&format!("{file}: 150 more problems\n  = help: fix those above first\n"));
        assert_eq!(ran.err.matches(message).count(), 100);
    };
    counts("scenarios/suite.yaml", "variants:\n", "  v#: {strategy: trom}\n", "did you mean 'trim'?");
    counts(
        "scenarios/b.yaml",
        "data:\n  all:\n",
        "    - 9999999999999999999#\n",
        "does not fit into 64 bits",
    );
    counts(
        "scenarios/b.yaml",
        "mission: m\nresponses: []\ndata_files:\n",
        "  f#: no.csv\n",
        "there is no such file",
    );
    let shadows: String = (0..101).map(|number| format!("  - (f {number} #(x {number}))\n")).collect();
    let suite = Suite::with(&[("cut", &format!("mission: m\nmax_turns: 1\nresponses:\n{shadows}"))]);
    let ran = suite.run(&["check"]);
    assert_eq!(ran.err.matches("takes what follows for a comment").count(), 100, "{}", ran.err);
}

#[test]
fn needs_past_the_first_twenty_that_are_not_produced_are_counted() {
    let needs: String = (0..50).map(|number| format!("      - word{number}\n")).collect();
    let suite = Suite::with(&[("needs", &format!("mission: m\n{NEEDS}{needs}"))]);
    let ran = suite.run(&["run"]);
    ran.ends(1).says("needs: expected a text that an earlier turn produced, found 29 more that none did");
    assert_eq!(ran.out.matches("did you mean 'word7'?").count(), 20, "{}", ran.out);
}

#[test]
fn data_in_a_mission_is_bounded() {
    let text = "a".repeat(1 << 16);
    let mission = "{{long}}".repeat(257);
    let scenario = format!("mission: \"{mission}\"\ndata: {{long: {text}}}{END}");
    let suite = Suite::with(&[("long", &scenario)]);
    let message = "with {{long}}, the mission has more than 16777216 bytes of data";
    suite.run(&["check"]).ends(2).complains(message).complains("leave it to programs to read data/long");
}

/// One answer with thousands of calls, with results in another order.
#[test]
fn results_of_parallel_calls_in_any_order_cost_no_square() {
    let suite = Suite::with(&[]);
    let advise = |calls: usize| {
        let call = |index: usize| json!({"id": format!("c{index}"), "type": "function", "function": {"name": "t", "arguments": "{}"}});
        // 7 shares no factor with the numbers of calls, so that each has one result.
        let result = |place: usize| json!({"role": "tool", "tool_call_id": format!("c{}", place * 7 % calls), "content": "r"});
        let mut messages = vec![json!({"role": "user", "content": "x"})];
        messages.push(json!({"role": "assistant", "content": null, "tool_calls": (0..calls).map(call).collect::<Vec<_>>()}));
        messages.extend((0..calls).map(result));
        messages.push(json!({"role": "assistant", "content": "done"}));
        suite.write("log.json", &json!({"messages": messages}).to_string());
        let start = Instant::now();
        suite.run(&["advise", "log.json", "-j", "1"]).ends(0);
        start.elapsed()
    };
    let (few, many) = (advise(1_000), advise(8_000));
    // A square would take 64 times as long.
    assert!(many < few * 20 + Duration::from_secs(2), "{few:?} {many:?}");
}
