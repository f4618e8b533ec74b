//! A key in every input of `record` and `verify`: nothing prints it, and no report holds it. A recording is a scenario, so it keeps it.

use serde_json::json;

use super::server::{Reply, said, serve};
use crate::cli::suite::{Ran, Suite};

fn key() -> String {
    format!("ghp_{}", "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5")
}

fn suite() -> Suite {
    let key = key();
    let scenario = format!(
        "description: with {key}
mission: Log in with {key} and name the order.
max_turns: 3
data: {{token: \"{key}\"}}
tools: {{mail: {{signature: \"() -> :string\", returns: \"It is about order_417 and {key}.\"}}}}
responses:
  - program: (println (tool/mail))
  - program: (println \"no mail here\")
  - program: (return \"order_417 {key}\")
expect: {{value: \"order_417 {key}\"}}
"
    );
    let messages = json!([
        {"role": "user", "content": format!("Log in with {key}.")},
        {"role": "assistant", "content": format!("It is {key}, of order_418.")},
        {"role": "user", "content": "Again?"},
        {"role": "assistant", "content": format!("order_418, {key}")},
    ]);
    let suite = Suite::with(&[("a", &scenario)]);
    suite.write("scenarios/t.transcript.json", &json!({"messages": messages}).to_string());
    suite
}

#[track_caller]
fn assert_hidden(of: &str, ran: &Ran) {
    let part = &key()[4..14];
    assert!(!ran.out.contains(part) && !ran.err.contains(part), "{of}: {}{}", ran.out, ran.err);
}

#[test]
fn what_a_server_says_is_printed_without_keys() {
    let replies: [fn(usize) -> Reply; 4] = [
        |_| said(&format!("```clojure\n(return \"{}\")\n```", key())),
        |_| said(&format!("(fail \"no login with {}\")", key())),
        |_| said(&format!("(unknown_{})", key())),
        |_| Reply::error("400 Bad Request", &format!("no model for {}", key())),
    ];
    for (number, reply) in replies.into_iter().enumerate() {
        for command in [
            &["record", "a", "--output", "out.yaml"][..],
            &["verify", "scenarios", "--strategy", "trim,keep_recent_turns=1"],
        ] {
            let suite = suite();
            let (url, _) = serve(move |call, _| reply(call));
            let options = ["--model", "m", "--url", &url, "--retry-wait", "0"];
            let ran = suite.run_with(&[command, &options].concat(), "", &[("PLANTED_TOKEN", &key())]);
            let of = format!("{} {number}", command[0]);
            assert_hidden(&of, &ran);
            if suite.exists("reports/verify.jsonl") {
                let kept = suite.read("reports/verify.jsonl");
                assert!(!kept.contains(&key()[4..14]), "{of}: {kept}");
            }
        }
    }
}

/// The scenario is what the user wrote, and its answers are what a run replays.
#[test]
fn a_recording_holds_what_the_model_said() {
    let suite = suite();
    let (url, _) = serve(|_, _| said(&format!("(return \"order_417 {}\")", key())));
    let ran = suite.run(&["record", "a", "--output", "out.yaml", "--model", "m", "--url", &url]);
    ran.ends(0);
    assert!(suite.read("out.yaml").matches(&key()).count() >= 3);
}
