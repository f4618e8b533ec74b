//! Logs of each format with a compaction that drops a fact used two turns later, and twins that keep it. Some
//! logs do not record what replaced the dropped messages. `tests/compactions/generate` writes them.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::suite::Suite;
use crate::golden::Golden;

/// The lines of `advise` on what compactions did, for each log.
#[test]
fn a_fact_that_a_summary_drops_is_named_in_each_format() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compactions");
    let kinds = [".dropped.", ".kept.", ".unknown."];
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| kinds.iter().any(|kind| name.contains(kind)))
        .collect();
    names.sort();
    let mut said = String::new();
    // Cline keeps what the model sees in a file beside the session.
    let (beside, logs): (Vec<_>, Vec<_>) = names.iter().partition(|name| name.ends_with(".compaction.json"));
    assert!(logs.len() >= 52);
    for name in logs {
        let suite = Suite::with(&[]);
        let start = name.trim_end_matches(".messages.json");
        for name in beside.iter().chain([&name]).filter(|name| name.starts_with(start)) {
            suite.write(name, &fs::read_to_string(folder.join(name)).unwrap());
        }
        let advice = suite.advise(&[name, "--no-bills"]);
        let starts = ["compactions:", "clearings of old results:", "used but no longer sent"];
        let mut told: Vec<&str> = advice.out.lines().collect();
        told.retain(|line| starts.iter().any(|start| line.starts_with(start)));
        let has_fact = told
            .iter()
            .any(|line| line.contains("stg-eu-west-7 of turn 1, in ") && line.contains(", turn 4"));
        assert_eq!(has_fact, name.contains(".dropped."), "{name}\n{}\n{}", advice.out, advice.err);
        let noted = |line: &&str| name.contains(".unknown.") && line.starts_with("note: ");
        let noted = advice.err.lines().filter(noted);
        let told: Vec<&str> = told.iter().copied().chain(noted).collect();
        said += &format!("{name}\n{}\n\n", told.join("\n"));
    }
    let mut golden = Golden::default();
    golden.holds(&folder.join("expected.txt"), &said);
    golden.assert_none_differs();
}

/// A conversation with a summary that drops a fact of the first message or the first result.
fn compacted(task: &str, result: &str, summary: &str, (tool, arguments): (&str, Value)) -> String {
    let call = |id: &str, name: &str, arguments: Value| json!({"role": "assistant", "content": "", "tool_calls": [{"id": id, "name": name, "arguments": arguments}]});
    let told = |id: &str, content: &str| json!({"role": "tool", "call": id, "content": content});
    let messages = [
        json!({"role": "user", "content": task}),
        call("c1", "Bash", json!({"command": "cat notes.md"})),
        told("c1", &format!("{result}\n{}", "all is fine, nothing else to report\n".repeat(6))),
        call("c2", "Bash", json!({"command": "date"})),
        told("c2", "Mon Oct 5"),
        call("c3", tool, arguments),
        told("c3", "ok"),
        json!({"role": "assistant", "content": "Done."}),
    ];
    let compaction = json!({"before": 5, "kind": "summary", "removed": [[0, 4]], "text": summary});
    json!({"messages": messages, "compactions": [compaction]}).to_string()
}

/// Facts in the usual forms of tool results, and the calls that use them.
#[test]
fn dropped_facts_of_many_forms_are_named() {
    let bash = |command: &str| ("Bash", json!({"command": command}));
    let cases = [
        ("The admin API listens on port 7443.", bash("curl -sk https://localhost:7443/health"), "7443"),
        ("Work on the branch feature/late-fees.", bash("git switch feature/late-fees"), "feature/late-fees"),
        ("Backups are in vexel-backups-eu.", bash("aws s3 ls s3://vexel-backups-eu"), "vexel-backups-eu"),
        ("The threshold 0.8125 fits best.", ("train", json!({"threshold": 0.8125})), "0.8125"),
        ("Order ORD-5512 is late.", bash("curl https://shop.example/api/orders/ORD-5512"), "ORD-5512"),
        (
            "The primary is db-7.vexel.io.",
            bash("psql postgres://app@db-7.vexel.io:6541/main"),
            "db-7.vexel.io",
        ),
        ("Escalations go to Marta Kowalczyk.", ("mail", json!({"to": "Marta Kowalczyk"})), "Marta Kowalczyk"),
        ("The spare machines are in Lusaka.", ("deploy", json!({"site": "Lusaka"})), "Lusaka"),
        ("The last good commit is 9fceb02.", bash("git checkout 9fceb02"), "9fceb02"),
        ("The window opens at 03:45.", ("schedule", json!({"at": "03:45"})), "03:45"),
    ];
    for (told, call, fact) in cases {
        let suite = Suite::with(&[]);
        let log = |summary: &str| compacted("Deploy the service.", told, summary, call.clone());
        suite.write("dropped.transcript.json", &log("The notes were read."));
        suite.write("kept.transcript.json", &log(&format!("The notes were read: {told}")));
        let named = format!("used but no longer sent: {fact} of turn 1, in \"Deploy the service.\", turn 3");
        suite.advise(&["dropped.transcript.json"]).says(&named);
        let kept = suite.advise(&["kept.transcript.json"]);
        assert!(!kept.out.contains("used but no longer sent"), "{told}\n{}", kept.out);
    }
}

#[test]
fn the_name_of_a_program_is_no_fact() {
    let suite = Suite::with(&[]);
    let call = ("Bash", json!({"command": "uptime"}));
    let log = compacted("Deploy the service.", "The uptime is good.", "The notes were read.", call);
    suite.write("log.transcript.json", &log);
    let advice = suite.advise(&["log.transcript.json"]);
    assert!(!advice.out.contains("used but no longer sent"), "{}", advice.out);
}

/// Products replace the first message too, so that the task itself may be lost.
#[test]
fn what_a_summary_drops_of_the_task_is_named() {
    let suite = Suite::with(&[]);
    let call = ("Bash", json!({"command": "git push origin release/7.2"}));
    let task = "Deploy the service. Should it always be fast? Push only to release/7.2 of it.";
    let log = |summary: &str| compacted(task, "nothing", summary, call.clone());
    suite.write("dropped.transcript.json", &log("The notes were read. Next: push."));
    suite.write("kept.transcript.json", &log("The notes were read. Push only to release/7.2 of it."));
    let dropped = suite.advise(&["dropped.transcript.json"]);
    // Sessions have the names that a person recognizes.
    let turn = "\"Deploy the service. Should it always…\", turn 3";
    dropped.says(&format!("used but no longer sent: release/7.2 of the opening, in {turn}"));
    let sentence = format!("\"Push only to release/7.2 of it.\" of the opening, since {turn}");
    dropped.says(&format!("instructions no longer sent: {sentence}"));
    assert!(!dropped.out.contains("Should it always be fast"), "{}", dropped.out);
    let kept = suite.advise(&["kept.transcript.json"]);
    assert!(
        !kept.out.contains("used but no longer sent") && !kept.out.contains("instructions"),
        "{}",
        kept.out
    );
}
