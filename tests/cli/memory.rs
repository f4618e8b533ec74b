//! Memory of the program where a value leaves the sandbox: a small value that shares its parts is endless as text.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use super::suite::Suite;

/// Values that double with each level as text, in all places where a value can hold another, and one that holds a long
/// text at every level.
const GROWN: [&str; 4] = [
    "(nth (iterate (fn [v] (assoc {} v v)) \"ab\") 900)",
    "(nth (iterate (fn [v] [v v]) \"ab\") 900)",
    "(nth (iterate (fn [v] #{v [v]}) 1) 300)",
    "(let [s (apply str (repeat 100000 \"aaaaaaaaaa\"))] (nth (iterate (fn [v] {v s}) 1) 900))",
];

/// Uses of the value `x`.
const USES: [&str; 20] = [
    "(json/generate-string x)",
    "(json/generate-string [{:a {x 1}}])",
    "(str x)",
    "(pr-str x)",
    "(println x)",
    "(pprint x)",
    "(print-table [:a] [{:a x}])",
    "(format \"%s\" x)",
    "(str/join \",\" [x x])",
    "(with-out-str (prn x))",
    "(throw x)",
    "(dotimes [_ 100] (try (throw x) (catch Exception e 1)))",
    "(= x (conj [] x x) (conj #{} x))",
    "(hash x)",
    "(distinct [x [x]])",
    "(sort [[x] [x]])",
    "(return x)",
    "(fail x)",
    "(def y x)",
    "x",
];

#[test]
fn every_use_of_a_shared_value_ends_within_memory() {
    let suite = Suite::with(&[]);
    // All uses of the first value, every third of the others, and each value alone.
    let is_tried =
        |at: usize, number: usize| at == 0 || (at + number).is_multiple_of(3) || number == USES.len() - 1;
    let programs = GROWN.iter().enumerate().flat_map(|(at, grown)| {
        let uses = USES.iter().enumerate().filter(move |(number, _)| is_tried(at, *number));
        uses.map(move |(_, used)| format!("(let [x {grown}] {used})"))
    });
    let requests: Vec<String> =
        programs.map(|program| json!({ "program": program }).to_string() + "\n").collect();
    let ran = suite.run_within(300, &["lisp", "--jsonl"], &requests.concat());
    let answers: Vec<&str> = ran.ends(0).out.lines().collect();
    assert_eq!(answers.len(), requests.len());
    let longest = answers.iter().map(|answer| answer.len()).max();
    assert!(longest < Some(9 << 20), "{longest:?}");
    let alone = requests.iter().zip(answers).filter(|(request, _)| request.ends_with(" x)\"}\n"));
    let limited = |answer: &str| answer.contains("value limit exceeded: more than 4194304 bytes of text");
    assert_eq!(alone.filter(|(_, answer)| limited(answer)).count(), GROWN.len());
}

/// A word of 2 MB as a message of a person, as a result and as an answer.
#[test]
fn a_long_word_takes_little_more_memory_than_its_text() {
    let suite = Suite::with(&[]);
    let word = "wordswithoutblanks".repeat(120_000);
    let call = json!({"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}});
    let said = |role: &str, content: &str| json!({"role": role, "content": content});
    let result = json!({"role": "tool", "tool_call_id": "c", "content": word});
    let logs = [
        vec![said("user", &word), said("assistant", "one"), said("user", "two"), said("assistant", "done")],
        vec![
            said("user", "m"),
            json!({"role": "assistant", "tool_calls": [call]}),
            result,
            said("assistant", "done"),
        ],
        vec![said("user", "m"), said("assistant", &word), said("user", "two"), said("assistant", "done")],
    ];
    for messages in logs {
        suite.write("log.json", &json!({ "messages": messages }).to_string());
        suite.run_within(200, &["advise", "log.json", "-j", "1"], "").ends(0).says("1 conversation");
    }
}

const RUN: &str = r#"
mission: m
max_turns: 12
tools:
  echo: {returns: {a: [1, b]}}
  own: {program: "(fn [a] (:v a))"}
responses:
  - program: '(def x (nth (iterate (fn [v] (assoc {} v v)) "ab") 200)) (println x) x'
  - program: (def s (apply str (repeat 100000 "aaaaaaaaaa"))) (def z (nth (iterate (fn [v] {v s}) 1) 200)) z
  - program: (tool/echo {:v x})
  - program: (dotimes [_ 1000] (tool/echo {:v s}))
  - program: (tool/own {:v {x 1}})
  - program: (throw z)
  - program: (json/generate-string x)
  - program: (def wide (let [a (vec (range 2000))] (vec (repeat 2000 (vec (repeat 2000 a))))))
  - program: (return x)
  - program: (fail {:a z})
  - program: (fail (vec (repeat 400 (subs s 0 10000))))
expect: {value: 3}
"#;

#[test]
fn a_run_with_shared_values_ends_within_memory() {
    let suite = Suite::with(&[("grown", RUN)]);
    suite.write(
        "scenarios/suite.yaml",
        "strategies: [full-history, aggressive, own]\nvariants: {own: {program: own.clj}}\n",
    );
    suite.write(
        "scenarios/own.clj",
        "(defn to-messages [turns memory opts] [{:role :user :content (to-clojure (map :value memory) 50 5000)}])",
    );
    let ran = suite.run_within(700, &["run", "-j", "2"], "");
    ran.ends(1).says("… (65,").says(" characters; junit.xml has them all)");
    assert!(ran.out.len() < 10_000, "{}", ran.out);
    let records = suite.run_within(700, &["run", "--format", "full-records"], "");
    let record: serde_json::Value = serde_json::from_str(records.out.lines().nth(1).unwrap()).unwrap();
    let turns = &record["scenario"]["turns"];
    for (turn, message) in [(3, "allocation limit exceeded: 64 MiB"), (8, "value limit"), (9, "value limit")]
    {
        assert!(
            turns[turn]["result"]["message"].as_str().unwrap().starts_with(message),
            "{}",
            turns[turn]["result"]
        );
    }
    assert!(turns[0]["result"].as_str().unwrap().ends_with("(cut: too large)"));
    assert!(records.out.len() < 40 << 20);
    assert!(suite.read("reports/junit.xml").len() < 1 << 20);
    for command in [&["show", "grown"][..], &["explain", "grown", "--strategy", "own"]] {
        suite.run_within(700, command, "").ends(0);
    }
}

#[test]
fn a_log_with_large_results_fits_into_memory() {
    let mut messages = vec![json!({"role": "user", "content": "Read the files."})];
    for number in 0..4 {
        let text: String = (0..10_000).map(|line| format!("line {line} of {number} with words\n")).collect();
        let id = format!("c{number}");
        let function = json!({"name": "read", "arguments": json!({"number": number}).to_string()});
        messages.push(json!({"role": "assistant", "tool_calls": [{"id": id, "type": "function", "function": function}]}));
        messages.push(json!({"role": "tool", "tool_call_id": id, "content": text}));
    }
    messages.push(json!({"role": "assistant", "content": "done"}));
    let suite = Suite::with(&[]);
    suite.write("log.json", &json!({"messages": messages}).to_string());
    let within = |arguments: &[&str], code: i32| {
        suite.run_in_one_heap(350, arguments).ends(code);
    };
    within(&["import", "log.json", "--output", "scenarios"], 0);
    within(&["run", "--jobs", "2"], 3);
    within(&["review", "--accept-all"], 0);
    let transcript = suite.read("scenarios/log.transcript.json");
    suite.write("scenarios/log.transcript.json", &transcript.replace("line 39", "row 39"));
    within(&["run", "--jobs", "2"], 1);
    within(&["review", "--print"], 1);
    within(&["review", "--accept-all"], 0);
    within(&["run", "--jobs", "2"], 0);
    within(&["advise", "log.json"], 0);
}

/// A packed log is read while it is unpacked: 40 KB of gzip are 41 MB of empty lines.
#[test]
fn a_packed_log_is_not_unpacked_in_memory() {
    let suite = Suite::with(&[]);
    let talk =
        json!({"messages": [{"role": "user", "content": "m"}, {"role": "assistant", "content": "done"}]});
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(&vec![b'\n'; 41 << 20]).unwrap();
    packed.write_all(talk.to_string().as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    assert!(packed.len() < 60_000, "{}", packed.len());
    std::fs::write(suite.path().join("log.jsonl.gz"), packed).unwrap();
    suite.run_within(150, &["import", "log.jsonl.gz", "--output", "-"], "").ends(0).says("done");
}
