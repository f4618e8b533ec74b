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
    suite.write("chats.jsonl", &format!("{chat}\n{}\n", json!([{"role": "user", "content": "again"}])));
    let import = suite.run(&["import", "chats.jsonl"]);
    import.ends(0);
    for line in ["chats-1.yaml: 2 answers", "what tools return: search", "data: query", "left out: 1 message"]
    {
        assert!(import.out.contains(line), "{line} in {}", import.out);
    }
    assert_eq!(suite.run(&["check"]).out, "2 scenarios: fine\n");
    let shown = suite.run(&["show", "imported/chats-1", "--raw"]).out;
    assert!(shown.contains(answer) && shown.contains("Returned: 1"), "{shown}");
    assert_eq!(suite.run(&["import", "chats.jsonl"]).code, 2, "nothing is overwritten");
    suite.write("mute.json", "[{\"role\": \"user\"}]");
    suite.run(&["import", "mute.json"]).ends(2).complains("the user says nothing at first");
    suite.write("broken.json", "{\"messages\": 1}");
    let broken = suite.run(&["import", "broken.json"]);
    assert!(broken.code == 2 && broken.err.contains("broken.json: expected {\"messages\""), "{}", broken.err);
}

/// The default build has no network code.
#[test]
#[cfg(not(feature = "live"))]
fn a_build_without_network_code_says_how_to_get_record() {
    let suite = Suite::with(&[("s", "mission: go\n")]);
    let record = suite.run(&["record", "s", "--model", "m"]);
    record.ends(2).complains("help: cargo install ptc-eval --features live");
}

#[test]
fn shells_and_packagers_get_their_files() {
    let suite = Suite::with(&[]);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = suite.run(&["completions", shell]);
        assert!(script.code == 0 && script.out.contains("explain"), "{shell}");
    }
    assert!(suite.run(&["man"]).out.contains(".TH ptc-eval 1"));
    assert!(suite.run(&["man", "run"]).out.contains("ptc\\-eval run"));
    let unknown = suite.run(&["man", "rum"]);
    assert!(unknown.code == 2 && unknown.err.contains("Did you mean 'run'?"), "{}", unknown.err);
}
