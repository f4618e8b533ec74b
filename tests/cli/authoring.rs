//! Making scenarios with `new` and `import`; completions and manual pages.

use serde_json::{Value, json};

use super::suite::Suite;

#[test]
fn a_new_scenario_runs_as_it_is() {
    let suite = Suite::with(&[]);
    let new = suite.run(&["new", "shop/in-stock"]);
    new.ends(0);
    assert!(new.out.starts_with("scenarios/shop/in-stock.yaml\n"), "{}", new.out);
    let text = suite.read("scenarios/shop/in-stock.yaml");
    assert!(text.starts_with("# yaml-language-server: $schema=../.schema/scenario.json\n"), "{text}");
    let schema: Value = serde_json::from_str(&suite.read("scenarios/.schema/scenario.json")).unwrap();
    assert_eq!(schema["title"], "ptc-eval scenario");
    assert_eq!(suite.run(&["run"]).code, 3, "nothing fails, its snapshots are new");
    let again = suite.run(&["new", "shop/in-stock"]);
    assert_eq!((again.code, suite.read("scenarios/shop/in-stock.yaml")), (2, text));
    assert!(again.err.contains("is there already"), "{}", again.err);
    assert_eq!(suite.run(&["new", "../outside"]).code, 2);
}

#[test]
fn a_new_suite_runs_as_it_is() {
    let suite = Suite::with(&[]);
    let written = "scenarios/suite.yaml\nscenarios/shop/in-stock.yaml\n\
                   scenarios/support/late-parcel.transcript.json\n.gitattributes\n.gitignore\n";
    let new = suite.run(&["new", "--suite"]);
    assert!(new.ends(0).out.starts_with(written), "{}", new.out);
    let attributes =
        "/scenarios/** text=auto eol=lf\n/snapshots/** text=auto eol=lf\n/reports/** text=auto eol=lf\n";
    assert!(suite.read(".gitattributes").ends_with(attributes));
    assert!(suite.read(".gitignore").ends_with("\n*.snap.new\n"));
    for (file, schema) in
        [("suite.yaml", ".schema/suite.json"), ("shop/in-stock.yaml", "../.schema/scenario.json")]
    {
        let text = suite.read(&format!("scenarios/{file}"));
        assert!(text.starts_with(&format!("# yaml-language-server: $schema={schema}\n")), "{text}");
    }
    assert!(suite.exists("scenarios/.schema/suite.json"));
    let ran = suite.run(&["run", "--accept"]);
    ran.ends(0).says("2 scenarios, 8 requests: expectations and 1 threshold met").says("\n  full-history ");
    suite
        .run(&["new", "--suite"])
        .ends(2)
        .complains("scenarios/suite.yaml is there already")
        .complains("--suite");
    // Snapshots of two suites never lie in one folder.
    suite.run(&["new", "--suite", "other"]).ends(0).says("Next: ptc-eval run other/scenarios;");
    suite.run(&["new", "more", "--suite", "other"]).ends(0).says("other/scenarios/more.yaml\n");
    suite.run(&["run", "other/scenarios"]).ends(3).says("22 new snapshots in other/snapshots");
    suite
        .run(&["run"])
        .ends(0)
        .says("2 scenarios, 8 requests: expectations and 1 threshold met, 15 golden\nfiles unchanged");
    // One scenario more is no increase.
    suite.run(&["new", "shop/more"]).ends(0);
    suite
        .run(&["run", "--accept"])
        .ends(0)
        .says("3 scenarios, 10 requests: expectations and 1 threshold met");
}

#[test]
fn the_demo_compares_strategies_and_writes_nothing_here() {
    let suite = Suite::with(&[]);
    suite
        .run(&["demo"])
        .ends(0)
        .says("3 scenarios, ")
        .says("Try ")
        .says("> ")
        .says("next:  ptc-eval new --suite");
    assert_eq!(std::fs::read_dir(suite.path()).unwrap().count(), 0);
}

#[test]
fn an_imported_chat_keeps_every_answer_and_says_what_is_to_fill_in() {
    let suite = Suite::with(&[]);
    let answer = "Let me see.\n```clojure\n(println (tool/search {:q data/query}))\n```\n";
    let chat = json!({"messages": [
        {"role": "system", "content": "You write programs."},
        {"role": "user", "content": "Find it:\n  all of it"},
        {"role": "assistant", "content": answer},
        {"role": "tool", "content": "ignored"},
        {"role": "user", "content": [{"type": "text", "text": "Result: nil"}]},
        {"role": "assistant", "content": "(return 1)"},
    ]});
    let again = json!([{"role": "user", "content": "again"}, {"role": "assistant", "content": "(return 2)"}]);
    suite.write("chats.jsonl", &format!("{chat}\n{again}\n"));
    let import = suite.run(&["import", "chats.jsonl"]);
    import.ends(0);
    for line in ["chats-1.yaml: 2 answers", "what tools return: search", "data: query", "left out: 1 message"]
    {
        assert!(import.out.contains(line), "{line} in {}", import.out);
    }
    assert_eq!(suite.run(&["check"]).out, "2 scenarios: fine\n");
    let shown = suite.run(&["show", "imported/chats-1", "--raw"]).out;
    assert!(shown.contains(answer) && shown.contains("Returned: 1"), "{shown}");
    suite.write("scenarios/imported/chats-2.yaml", "mission: mine\nresponses: [(return 1)]\n");
    suite.run(&["import", "chats.jsonl"]).ends(2).complains("chats-2.yaml is there already");
    suite
        .write("mute.json", "[{\"role\": \"user\"}, {\"role\": \"assistant\", \"content\": \"(return 2)\"}]");
    suite.run(&["import", "mute.json"]).ends(2).complains("the first message of the user is empty");
    suite.write("broken.json", "{\"messages\": 1}");
    let broken = suite.run(&["import", "broken.json"]);
    assert!(broken.code == 2 && broken.err.contains("broken.json: expected {\"messages\""), "{}", broken.err);
}

const CHAT: &str = r#"{"messages": [{"role": "user", "content": "Weather?"},
  {"role": "assistant", "tool_calls": [{"id": "a", "function": {"name": "weather", "arguments": "{\"town\":\"Bern\"}"}}]},
  {"role": "tool", "tool_call_id": "a", "content": "rain"}, {"role": "assistant", "content": [{"type": "mystery"}]}]}"#;

#[test]
fn a_chat_without_programs_becomes_a_transcript() {
    let suite = Suite::with(&[]);
    suite.write("chat.json", CHAT);
    let strict = suite.run(&["import", "chat.json", "--strict", "-o", "out"]);
    strict.ends(2).complains("parts of the type mystery left out: 1 (chat.json:1: messages[3].content[0])");
    let import = suite.run(&["import", "chat.json", "-o", "out"]);
    import.ends(0);
    assert_eq!(
        import.out,
        "out/chat.transcript.json: 2 turns, 1 call\n\
         1 transcript, because not every answer of their logs holds a PTC-Lisp program\n  \
         note: parts of the type mystery left out: 1 (chat.json:1: messages[3].content[0])\n  \
         note: answers without text and calls: 1 (chat.json:1: messages[3])\n"
    );
    let written = suite.read("out/chat.transcript.json");
    suite.run(&["import", "out/chat.transcript.json", "-o", "again"]).ends(0);
    assert_eq!(suite.read("again/chat.transcript.json"), written);
    suite
        .run(&["import", "chat.json", "--from", "sharegpt", "-o", "other"])
        .ends(2)
        .complains("no conversation");
    assert!(suite.run(&["list", "formats"]).out.contains("openai-chat"));
}

#[test]
fn programs_in_calls_become_a_scenario_with_recorded_results() {
    let suite = Suite::with(&[]);
    let call = |id: &str, name: &str, arguments: Value| json!({"id": id, "function": {"name": name, "arguments": arguments.to_string()}});
    let chat = json!({"messages": [
        {"role": "system", "content": "You write programs."},
        {"role": "user", "content": "Add them."},
        {"role": "assistant", "content": "I look.", "tool_calls": [
            call("p", "run_ptc_lisp", json!({"source": "(def a (tool/look {:at 1})) (tool/look {:at 1}) (tool/look {:at 1 :deep true})"})),
            call("x", "look", json!({"at": 1})),
            call("y", "look", json!({"at": 1})),
            call("z", "look", json!({"at": 1, "deep": true})),
            call("w", "wait", json!({}))]},
        {"role": "tool", "tool_call_id": "p", "content": "feedback"},
        {"role": "tool", "tool_call_id": "x", "content": "{\"n\": 3}"},
        {"role": "tool", "tool_call_id": "y", "content": "four"},
        {"role": "tool", "tool_call_id": "z", "content": "5"},
        {"role": "tool", "tool_call_id": "w", "content": "waited"},
        {"role": "user", "content": "Hurry."},
        {"role": "assistant", "tool_calls": [call("q", "python", json!({"code": "(return (:n a))"}))]},
    ]});
    suite.write("programs.json", &chat.to_string());
    let import = suite.run(&["import", "programs.json"]);
    import.ends(0);
    for line in [
        "programs.yaml: 2 answers",
        "left out: the system prompt",
        "left out: 1 message of the user after",
        "left out: 1 message of other roles",
    ] {
        assert!(import.out.contains(line), "{line} in {}", import.out);
    }
    assert!(!import.out.contains("to fill in"), "{}", import.out);
    assert_eq!(suite.run(&["check"]).out, "1 scenario: fine\n");
    let shown = suite.run(&["show", "imported/programs", "--raw"]).out;
    assert!(shown.contains("I look.\n```clojure\n") && shown.contains("Returned: 3"), "{shown}");
    let yaml = suite.read("scenarios/imported/programs.yaml");
    let [deep, other] = ["\"deep\"", "sequence"].map(|text| yaml.find(text).unwrap());
    assert!(deep < other, "the case with more arguments stands first: {yaml}");
    assert!(
        yaml.contains("{when: {\"at\":1}, sequence: [{returns: {\"n\":3}}, {returns: \"four\"}]}"),
        "{yaml}"
    );
    let neutral = suite.run(&["import", "programs.json", "--transcripts", "-o", "out"]);
    assert_eq!(neutral.out, "out/programs.transcript.json: 2 turns, 6 calls\n");
}

/// The default build has no network code.
#[test]
#[cfg(not(feature = "live"))]
fn a_build_without_network_code_says_how_to_get_record() {
    let suite = Suite::with(&[("s", "mission: go\n")]);
    let record = suite.run(&["record", "s", "--model", "m"]);
    record.ends(2).complains("help: cargo install --path . --features live");
}

#[test]
fn shells_and_packagers_get_their_files() {
    let suite = Suite::with(&[]);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = suite.run(&["completions", shell]);
        assert!(script.code == 0 && script.out.contains("PTC_EVAL_COMPLETE"), "{shell}");
    }
    let manual = suite.run(&["man"]).out;
    assert!(manual.contains(".TH ptc-eval 1") && manual.contains("stale reports"));
    let named = manual.lines().filter_map(|line| line.strip_prefix("ptc\\-eval\\-")?.strip_suffix("(1)"));
    let named: Vec<&str> = named.collect();
    assert!(named.contains(&"run"), "{named:?}");
    for command in named {
        suite.run(&["man", command]).ends(0);
    }
    assert!(suite.run(&["man", "run"]).out.contains("ptc\\-eval run"));
    let unknown = suite.run(&["man", "rum"]);
    assert!(unknown.code == 2 && unknown.err.contains("Did you mean 'run'?"), "{}", unknown.err);
}

#[test]
fn evaluations_of_a_journal_become_scenarios_that_make_the_recorded_calls() {
    let suite = Suite::with(&[]);
    suite.write("run.jsonl", include_str!("../../crates/agent-logs/tests/logs/ptc-journal/run.jsonl"));
    let import = suite.run(&["import", "run.jsonl"]);
    import.ends(0);
    for line in [
        "run-1.yaml: 1 program, 3 calls, 1 print, its value\n",
        "run-2.transcript.json: 1 turn, 2 calls\n  a transcript, because it does not replay as it was recorded: \
         data/params is not recorded\n",
        "run-3.yaml: 1 program, 1 call\n",
        "run-4.transcript.json: 1 turn, 1 call\n  a transcript, because it does not replay as it was recorded: \
         data/place is not recorded\n",
        "run-5.yaml: 1 program, 3 calls\n  limited to the 3 calls of the log, after which the program would go on\n",
        "run-6.transcript.json: 1 turn, 0 calls\n",
        "note: calls of workflow-evaluation-1, whose program is not recorded: 1 (run.jsonl:33: payload)\n",
        "note: records of the type weather left out: 1 (",
    ] {
        assert!(import.out.contains(line), "{line} in {}", import.out);
    }
    assert!(suite.read("scenarios/imported/run-3.yaml").ends_with("\n  outcome: fail\n  tool_calls: 1\n"));
    suite.run(&["run"]).ends(3).says("6 scenarios");
    let counted = suite.read("scenarios/imported/run-1.yaml");
    suite.write("scenarios/imported/run-1.yaml", &counted.replace("\"nut\"", "\"bolt\""));
    suite.run(&["run"]).ends(1);
}

#[test]
fn folders_of_logs_are_imported_whatever_their_names() {
    let suite = Suite::with(&[]);
    for (folder, town) in [("a", "Bern"), ("b", "Thun"), ("c", "Chur")] {
        suite.write(&format!("logs/{folder}/run.json"), &CHAT.replace("Bern", town));
    }
    // Names that the numbers of other conversations give.
    suite.write("logs/d/run-2.json", &CHAT.replace("Bern", "Visp"));
    let line = CHAT.replace('\n', " ");
    suite.write("logs/e/run.jsonl", &format!("{line}\n{line}\n"));
    suite.write("logs/README.md", "# Logs\n");
    let import = suite.run(&["import", "logs"]);
    import.ends(0).complains("note: logs/README.md left out: ");
    let names = ["run", "run-2", "run-3", "run-2-2", "run-1", "run-2-3"];
    let written: Vec<String> =
        names.map(|name| suite.read(&format!("scenarios/imported/{name}.transcript.json"))).into();
    for (text, log) in written.iter().zip(["a/run.json", "b/run.json", "c/run.json", "d/run-2", "e/", "e/"]) {
        assert!(text.contains(&format!("\"file\": \"logs/{log}")), "{log}: {text}");
    }
    suite.run(&["check"]).ends(0).says("6 scenarios: fine");
    // An import that was interrupted can be run again.
    std::fs::remove_file(suite.path().join("scenarios/imported/run-3.transcript.json")).unwrap();
    let ended = suite.run(&["import", "logs"]);
    ended.ends(0);
    assert_eq!(ended.out, import.out);
    assert!(suite.exists("scenarios/imported/run-3.transcript.json"));
    let again = suite.run(&["import", "logs/b/run.json", "logs/a/run.json", "missing.json"]);
    again.ends(2).complains("run.transcript.json is there already").complains("missing.json");
    // The same name with another ending would be the same scenario.
    std::fs::rename(
        suite.path().join("scenarios/imported/run.transcript.json"),
        suite.path().join("scenarios/imported/run.yaml"),
    )
    .unwrap();
    suite.run(&["import", "logs/a/run.json"]).ends(2).complains("run.yaml is there already");
    suite.run(&["import", "logs/README.md"]).ends(2).complains("README.md");
    suite.write("none/README.md", "# Logs\n");
    suite.run(&["import", "none"]).ends(4).complains("there is no conversation in these logs");
}

#[test]
fn transcripts_of_logs_are_streamed_to_a_run() {
    let suite = Suite::with(&[]);
    suite.write("logs/a/run.json", CHAT);
    suite.write("logs/b/run.json", CHAT);
    suite.write(
        "logs/journal.jsonl",
        include_str!("../../crates/agent-logs/tests/logs/ptc-journal/run.jsonl"),
    );
    let import = suite.run(&["import", "logs", "--output", "-"]);
    import.ends(0).complains("note: parts of the type mystery left out");
    let lines: Vec<Value> = import.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = lines.iter().map(|line| line["name"].as_str().unwrap()).collect();
    assert_eq!(names[..3], ["run", "run-2", "journal-1"]);
    assert_eq!(names.len(), 2 + 6);
    assert!(!suite.exists("scenarios") && !suite.exists("-"));
    suite.run_with(&["run", "-", "--format", "jsonl"], &import.out, &[]).ends(0);
    let piped = suite.run_with(&["import", "-", "--output", "-"], CHAT, &[]);
    assert_eq!(piped.ends(0).out.lines().count(), 1);
}

/// The journals of a run that was killed: each becomes something that `check` takes, or is refused with the reason.
#[test]
fn a_journal_that_is_cut_anywhere_becomes_what_can_be_checked() {
    let journals = [
        include_str!("../../crates/agent-logs/tests/logs/ptc-journal/run.jsonl"),
        include_str!("../../crates/agent-logs/tests/logs/ptc-journal/alternating.jsonl"),
    ];
    let suite = Suite::with(&[]);
    let mut names = Vec::new();
    for (journal, of) in journals.iter().zip(["run", "alternating"]) {
        let mut start = 0;
        for (number, line) in journal.split_inclusive('\n').enumerate() {
            for (part, end) in [("within", start + line.len() / 2), ("after", start + line.len())] {
                let name = format!("{of}-{number}-{part}");
                suite.write(&format!("{name}.jsonl"), journal.get(..end).unwrap());
                names.push(name);
            }
            start += line.len();
        }
    }
    let files: Vec<String> = names.iter().map(|name| format!("{name}.jsonl")).collect();
    let command: Vec<&str> = ["import"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let import = suite.run(&command);
    for name in &names {
        let is_written = import.out.contains(&format!("scenarios/imported/{name}"));
        let is_refused = import.err.contains(&format!("error: {name}.jsonl: no conversation"));
        assert!(is_written != is_refused, "{name}: {}", import.err);
    }
    let reason = "a transcript, because it does not replay as it was recorded: the log has no result of a call of stock.rows";
    assert!(import.out.contains(reason), "{}", import.out);
    suite.run(&["check"]).ends(0);
    suite.run(&["run"]).ends(3);
}

/// An answer that cannot run is reported with its place in the file, in every YAML notation.
#[test]
fn check_reads_the_programs_of_answers() {
    let scenario = "mission: Look.
data: {numbers: [1, 2]}
tools:
  get-stock: {returns: 3}
responses:
  - |
    I look first.

    ```clojure
    (println (tool/get_stock)
             (tool/get-stok))
    ```
  - program: (println data/nombers)
  - {program: \"(println totl)\"}
  - program: |
      (def total
        (sum data/numbers)
      (return total)
expect: {outcome: error}
";
    let suite = Suite::with(&[("look", scenario)]);
    let check = suite.run(&["check"]);
    check.ends(0).says("1 scenario: fine; 4 warnings\n");
    check
        .complains("scenarios/look.yaml:11:15\n")
        .complains("there is no tool/get-stok. Did you mean 'get-stock'?");
    check
        .complains("scenarios/look.yaml:13:23\n")
        .complains("there is no data/nombers. Did you mean 'numbers'?");
    check.complains("scenarios/look.yaml:14:25\n").complains("nothing defines 'totl' before this turn");
    check.complains("scenarios/look.yaml:16:7\n").complains("unclosed '(' opened at line 16, column 7");
    check.complains("16 │       (def total\n");
    let show = suite.run(&["show", "look"]);
    show.ends(0)
        .says("Error at scenarios/look.yaml:16:7: Unexpected end of input: unclosed '(' opened at line 16");
    // Errors of an accepted run are meant.
    suite.run(&["run", "--accept"]);
    suite.run(&["check"]).ends(0).says("1 scenario: fine\n");
    // A tool that is called otherwise now is not.
    let right = scenario.replace("get-stok", "get-stock");
    suite.write("scenarios/look.yaml", &right);
    suite.run(&["run", "--accept"]);
    suite.write("scenarios/look.yaml", &right.replace("get-stock: {", "get-stocks: {"));
    suite
        .run(&["check"])
        .ends(0)
        .says("1 scenario: fine; 2 warnings\n")
        .complains("Did you mean 'get-stocks'?");
}

/// Definitions of earlier turns, preludes and locals are known.
#[test]
fn check_knows_what_programs_define() {
    let scenario = "mission: Look.
data: {numbers: [1, 2]}
preludes: [\"(ns shop) (defn price [x] x)\"]
responses:
  - program: |
      (def total (sum data/numbers))
      (defn twice [n] (let [{:keys [a]} {:a n}] (* 2 a)))
  - program: |
      (return (->> (range total) (map #(+ % (twice (shop/price 1)))) (filter (where :x)) first))
";
    let suite = Suite::with(&[("look", scenario)]);
    suite.run(&["check"]).ends(0).says("1 scenario: fine\n");
}

/// Mistakes that a run passes over without a word.
#[test]
fn check_finds_mistakes_that_no_run_notices() {
    let suite = Suite::with(&[("calls", CALLS), ("none", "mission: Say something.\n")]);
    suite.write("scenarios/LOUD.YAML", "mission: Shout.\nresponses: [\"(retrun 1)\"]\n");
    suite.write("scenarios/suite.yaml", "strategies: [default, own]\nvariants:\n  own: {program: own.clj}\n");
    suite.write(
        "scenarios/own.clj",
        "(defn to-messages [turns memory opts]\n  [{:role :system :content \"x\"}])\n",
    );
    let check = suite.run(&["check"]);
    check
        .ends(2)
        .complains("warning[missing_argument]: this call of tool/add lacks 'x'")
        .complains("scenarios/calls.yaml:4:14")
        .complains("this call of tool/add lacks 'y'")
        .complains("warning[no_responses]: scenarios/none.yaml: the scenario has no responses")
        .complains("scenarios/LOUD.YAML")
        .complains("expected :user or :assistant as :role, got keyword :system");
    assert_eq!(check.err.matches("missing_argument").count(), 3, "{}", check.err);
    suite.write(
        "scenarios/own.clj",
        "(defn to-messages [turns memory opts]\n  [{:role :user :content \"x\"}])\n",
    );
    suite.run(&["check"]).ends(0);
}

const CALLS: &str = r#"mission: Add.
tools: {add: {signature: "(x :int, y :int, z :int?) -> :int", returns: 3}}
responses:
  - program: (tool/add)
  - program: "(do (tool/add 1) (tool/add {:x 1}) (tool/add {:x 1 :y 2}) (tool/add 1 2))"
  - program: "(let [m {:x 1 :y 2}] (-> 1 (tool/add 2)) (tool/add m) (map #(tool/add % 1) [1]))"
  - program: (return 1)
"#;

/// The tool fails as it is meant to; the expectation is what is wrong.
#[test]
fn a_wrong_expectation_is_named_before_a_scripted_failure() {
    let look = r#"mission: Look.
tools: {look: {signature: "(x :int) -> :int", fails: nothing there}}
responses:
  - program: (tool/look 2)
  - program: (return 4)
expect: {value: 5}
"#;
    let ran = Suite::with(&[("look", look)]).run(&["run"]);
    ran.ends(1).says("look.yaml:6:10: value: expected 5, found 4");
    assert!(!ran.out.contains("since then"), "{}", ran.out);
}
