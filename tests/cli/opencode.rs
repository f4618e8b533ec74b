//! Sessions of opencode, which kept each message in a file.

use serde_json::{Value, json};

use super::suite::Suite;

/// Versions of opencode before its database keep each message and each part in a file of its own.
#[test]
fn sessions_of_opencode_are_put_together() {
    let suite = Suite::with(&[]);
    let write = |file: &str, value: Value| {
        suite.write(
            &format!("data/opencode/storage/{file}.json"),
            &serde_json::to_string_pretty(&value).unwrap(),
        );
    };
    write("session/p/ses_1", json!({"id": "ses_1", "projectID": "p", "title": "Files"}));
    write("message/ses_1/msg_1", json!({"id": "msg_1", "sessionID": "ses_1", "role": "user"}));
    write("part/msg_1/prt_1", json!({"id": "prt_1", "type": "text", "text": "Which files are there?"}));
    write(
        "message/ses_1/msg_2",
        json!({"id": "msg_2", "sessionID": "ses_1", "role": "assistant", "modelID": "claude-sonnet-5-5", "tokens": {"input": 40, "output": 7, "cache": {"read": 2, "write": 0}}}),
    );
    write(
        "part/msg_2/prt_2",
        json!({"id": "prt_2", "type": "tool", "callID": "c1", "tool": "list", "state": {"status": "completed", "input": {"path": "."}, "output": "a.rs"}}),
    );
    write(
        "message/ses_1/msg_3",
        json!({"id": "msg_3", "sessionID": "ses_1", "role": "assistant", "modelID": "claude-sonnet-5-5", "tokens": {"input": 60, "output": 4, "cache": {"read": 2, "write": 0}}}),
    );
    write("part/msg_3/prt_3", json!({"id": "prt_3", "type": "text", "text": "Only a.rs."}));
    let advise =
        |arguments: &[&str]| suite.run_with(arguments, "", &[("XDG_DATA_HOME", "data"), ("HOME", "nowhere")]);
    advise(&["advise", "--agent", "opencode", "--table"]).ends(0).says("1 session of opencode, 2 requests");
    // The folder alone has no files of messages beside the session.
    advise(&["advise", "data", "--table"]).ends(0).says("1 session of opencode, 2 requests");
    suite.run(&["import", "data/opencode/storage", "--output", "-"]).ends(0).says("\"input_tokens\":62");
    suite.write("data/opencode/storage/part/msg_3/prt_3.json", "{");
    suite
        .run(&["import", "data/opencode/storage", "--output", "-"])
        .ends(2)
        .complains("prt_3.json is no JSON");
}

/// A stranger's folder may link to the user's own sessions.
#[cfg(unix)]
#[test]
fn links_out_of_the_storage_are_skipped() {
    use std::os::unix::fs::symlink;

    let suite = Suite::with(&[]);
    let write = |file: &str, value: Value| suite.write(&format!("{file}.json"), &value.to_string());
    let link = |to: &str, from: &str| symlink(suite.path().join(to), suite.path().join(from)).unwrap();
    write("own/session/p/ses_2", json!({"id": "ses_2", "projectID": "p", "title": "Secret"}));
    write("own/part/prt_9", json!({"id": "prt_9", "type": "text", "text": "The secret plan."}));
    write("data/session/p/ses_1", json!({"id": "ses_1", "projectID": "p", "title": "Files"}));
    write("data/message/ses_1/msg_1", json!({"id": "msg_1", "sessionID": "ses_1", "role": "user"}));
    write("data/part/msg_1/prt_1", json!({"id": "prt_1", "type": "text", "text": "Which files are there?"}));
    write("data/message/ses_1/msg_2", json!({"id": "msg_2", "sessionID": "ses_1", "role": "assistant"}));
    write("data/part/msg_2/prt_2", json!({"id": "prt_2", "type": "text", "text": "Only a.rs."}));
    link("own/part/prt_9.json", "data/part/msg_2/prt_9.json");
    link("own/session/p/ses_2.json", "data/session/p/ses_2.json");
    let ran = suite.run(&["import", "data", "--output", "-"]);
    ran.ends(0).says("Only a.rs.").complains("ses_2.json left out: it is a link that leads out of data");
    assert!(!ran.out.to_lowercase().contains("secret"), "{}", ran.out);
    // The folder of sessions itself is such a link.
    write("stray/message/ses_2/msg_9", json!({"id": "msg_9", "sessionID": "ses_2", "role": "user"}));
    link("own/session", "stray/session");
    let ran = suite.run(&["import", "stray", "--output", "-"]);
    ran.complains("stray/session left out: it is a link that leads out of stray");
    assert!(!ran.out.to_lowercase().contains("secret"), "{}", ran.out);
}
