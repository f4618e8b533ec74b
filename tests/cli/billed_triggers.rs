//! Triggers of products go by the bills of requests, which are larger than the text of a log.

use serde_json::{Value, json};

use super::suite::Suite;

/// Turns of a session.
const TURNS: usize = 30;
/// The size at which it compacts.
const SIZE: u64 = 80_000;

/// A session of Claude Code with requests billed at these sizes. Without sizes it has no bills.
fn session(billed: &[u64]) -> String {
    let mut lines = String::new();
    let mut push = |number: usize, kind: &str, message: Value| {
        let parent = number.checked_sub(1).map(|before| format!("line-{before}"));
        let time = format!("2026-03-05T08:{:02}:{:02}.000Z", number / 60, number % 60);
        let line = json!({"sessionId": "one", "uuid": format!("line-{number}"), "parentUuid": parent, "type": kind,
            "timestamp": time, "version": "2.1.332", "message": message});
        lines += &format!("{line}\n");
    };
    push(0, "user", json!({"role": "user", "content": "Find the order that failed first."}));
    for turn in 0..TURNS {
        let call = json!({"type": "tool_use", "id": format!("c{turn}"), "name": "Read",
            "input": {"file_path": format!("/logs/log-{turn}")}});
        let mut answer = json!({"id": format!("m{turn}"), "role": "assistant", "model": "claude-sonnet-4-5", "content": [call]});
        if let Some(size) = billed.get(turn) {
            let before = turn.checked_sub(1).map_or(0, |before| billed[before]);
            answer["usage"] = json!({"input_tokens": 0, "cache_read_input_tokens": before,
                "cache_creation_input_tokens": size - before, "output_tokens": 1});
        }
        push(2 * turn + 1, "assistant", answer);
        let row =
            |row: usize| format!("{turn:02}:{row:02} order ord_{turn}_{row} is fine, see log-{}\n", turn + 1);
        let result = json!({"type": "tool_result", "tool_use_id": format!("c{turn}"),
            "content": (0..88).map(row).collect::<String>()});
        push(2 * turn + 2, "user", json!({"role": "user", "content": [result]}));
    }
    lines
}

/// The input tokens of the requests of strategies in a log.
fn requests(suite: &Suite, arguments: &[&str]) -> Vec<(String, Vec<u64>)> {
    let arguments = [&["advise", "log.jsonl", "--format", "records"], arguments].concat();
    let ran = suite.run(&arguments);
    let record = ran.ends(0).out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let record = record.into_iter().find(|line| line["scenario"]["strategies"].is_array()).unwrap();
    let strategies = record["scenario"]["strategies"].as_array().unwrap();
    let sizes = |strategy: &Value| {
        let requests = strategy["requests"].as_array().unwrap().iter();
        (
            strategy["name"].as_str().unwrap().to_owned(),
            requests.map(|request| request[2].as_u64().unwrap()).collect(),
        )
    };
    strategies.iter().map(sizes).collect()
}

/// The requests of one of several strategies.
fn of(all: &[(String, Vec<u64>)], name: &str) -> Vec<u64> {
    all.iter().find(|(strategy, _)| strategy.starts_with(name)).unwrap().1.clone()
}

/// The number of requests before the first one that is shorter than the whole history.
fn whole(all: &[(String, Vec<u64>)], strategy: &str) -> usize {
    let whole = of(all, "full-history");
    of(all, strategy).iter().zip(&whole).take_while(|(own, whole)| own == whole).count()
}

#[test]
fn a_product_compacts_when_the_bill_reaches_its_size() {
    let suite = Suite::with(&[]);
    suite.write("log.jsonl", &session(&[]));
    let counted = of(&requests(&suite, &[]), "full-history");
    assert_eq!(counted.len(), TURNS);
    // The log lacks 20,000 tokens of each request, and the model has 1.6 tokens for each that is counted.
    let billed: Vec<u64> = counted.iter().map(|tokens| 20_000 + tokens * 8 / 5).collect();
    suite.write("log.jsonl", &session(&billed));
    let preset = format!("claude-code,trigger={{tokens: {SIZE}}}");
    let copied = format!("clear-tool-results,trigger={{tokens: {SIZE}}}");
    let arguments = ["--preset", preset.as_str(), "--strategy", copied.as_str()];
    let by_bills = requests(&suite, &arguments);
    let due = billed.iter().position(|size| *size >= SIZE).unwrap();
    assert_eq!(whole(&by_bills, "claude-code"), due, "{billed:?}");
    let compacted = of(&by_bills, "claude-code")[due];
    assert!(compacted < SIZE / 2, "{compacted}");
    // What is left grows again at the same pace, and less than a window's worth of turns follows.
    assert!(of(&by_bills, "claude-code").iter().all(|size| *size < SIZE), "{by_bills:?}");
    // A copied strategy counts texts as we do, and so does everything without bills.
    assert_eq!(whole(&by_bills, "clear-tool-results,"), TURNS);
    let by_text = requests(&suite, &[&arguments[..], &["--no-bills"]].concat());
    assert_eq!(whole(&by_text, "claude-code"), TURNS, "{counted:?}");
    // One trigger has the same requests on other screens.
    let strategy = ["show", "log.jsonl@27", "--view", "compressed", "--strategy", preset.as_str()];
    suite.run(&strategy).ends(0).says("[summary of turns 1 to ");
}
