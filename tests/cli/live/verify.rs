//! `verify` against a server that can only use what a request shows.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use super::server::{Reply, said, serve};
use crate::cli::suite::{Ran, Suite};

const RESULTS: &str = "reports/verify.jsonl";

/// A scenario whose last answer returns a result of the first turn, after this many other turns.
fn scenario(number: u32, others: usize) -> (String, String) {
    let looking = "  - program: (println \"no mail here\")\n".repeat(others);
    let text = format!(
        "mission: \"Case {number}: name the order of the mail.\"
max_turns: {}
tools: {{mail: {{signature: \"() -> :string\", returns: \"It is about order_41{number}.\"}}}}
responses:
  - program: (println (tool/mail))
{looking}  - program: (return \"order_41{number}\")
expect: {{value: order_41{number}}}
",
        others + 2
    );
    (format!("case{number}"), text)
}

/// Five scenarios with a last request that shows the needed fact under [`TRIM`] although another turn is
/// gone, and five without the fact. One of these has no expectation.
fn suite() -> Suite {
    let mut scenarios: Vec<_> = (0..10).map(|number| scenario(number, number as usize % 2)).collect();
    for (_, text) in scenarios.iter_mut().step_by(2) {
        let looking = "responses:\n  - program: (println \"no mail here\")\n";
        *text = text.replace("responses:\n", looking).replace("max_turns: 2", "max_turns: 3");
    }
    let text = &mut scenarios[9].1;
    text.truncate(text.find("expect:").unwrap());
    let scenarios: Vec<_> = scenarios.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    Suite::with(&scenarios)
}

const TRIM: &str = "trim,keep_recent_turns=1";

/// The script's answer if the request shows the text that it needs, else a guess.
fn answer(request: &str) -> String {
    let number = request.split("Case ").nth(1).and_then(|rest| rest.split(':').next()).unwrap();
    let needed = format!("order_41{number}");
    match request.contains(&needed) {
        false => "(return \"a guess\")".to_string(),
        true => format!("(return \"{needed}\")"),
    }
}

fn verify(suite: &Suite, url: &str, options: &[&str]) -> Ran {
    suite.run(&[&["verify", "scenarios", "--strategy", TRIM, "--url", url, "--model", "m"], options].concat())
}

fn kept(suite: &Suite) -> Vec<Value> {
    suite.read(RESULTS).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn asked_for(results: &[Value]) -> u64 {
    results.iter().map(|kept| kept["calls"].as_u64().unwrap()).sum()
}

#[test]
fn lost_answers_are_told_from_the_others() {
    let suite = suite();
    let (url, calls) = serve(|_, request| {
        let usage = json!({"prompt_tokens": 100, "completion_tokens": 5});
        let message = json!({"content": answer(request)});
        Reply::json(&json!({"choices": [{"message": message}], "usage": usage}))
    });
    let ran = verify(&suite, &url, &["--repeat", "2"]);
    ran.ends(0)
        .complains("10 pairs, 5 with answers that would lack a fact, 2 runs each: 0 of 40 known")
        .complains("estimate: 40 calls to m, ")
        .complains("m has no price here, --prices FILE adds one")
        .complains(
            "5 tasks; to show a loss, you need 5 if every answer is lost, or about 122 if 10 in 100 are",
        );
    let table = "
answers                    tasks      right with     right only with
                                  full  strategy      full  strategy
would lack a fact              5  100%        0%         5         0
control                        5  100%      100%         0         0

Answers that would lack a fact are lost: 5 of 5 tasks right only with the full
history, 0 only with the shorter one (McNemar's exact test on one side:
p=0.031). Between 39 and 100 points are lost (95%).
";
    ran.says(table);
    let results = kept(&suite);
    assert_eq!(results.len(), 40);
    for kept in &results {
        let number = kept["calls"].as_u64().unwrap();
        assert_eq!(kept["usage"], json!({"input": 100 * number, "cached": 0, "output": 5 * number}));
        let ending = if kept["right"] == true { "return \"order_41" } else { "return \"a guess\"" };
        assert!(kept["ending"].as_str().unwrap().starts_with(ending), "{kept}");
    }
    let asked = asked_for(&results);
    assert_eq!(calls.load(Ordering::SeqCst) as u64, asked);

    // Stored results are not asked for again, and the verdict stays the same.
    let again = verify(&suite, &url, &["--repeat", "2"]);
    again.ends(0).complains("40 of 40 known").complains("nothing to ask");
    assert_eq!((again.out, calls.load(Ordering::SeqCst) as u64), (ran.out, asked));
    // Of a third run of each request only the third is missing.
    verify(&suite, &url, &["--repeat", "3"]).ends(0).complains("40 of 60 known");
    // Of another strategy the answers with the full history are known.
    let other = [
        "verify",
        "scenarios",
        "--strategy",
        "trim,keep_recent_turns=1,step=2",
        "--url",
        &url,
        "--model",
        "m",
    ];
    let ran = suite.run(&other);
    assert!(!ran.err.contains(": 0 of"), "{}", ran.err);
    // Nothing is known of another model, another temperature and another request.
    verify(&suite, &url, &["--temperature", "0.5"]).ends(0).complains("0 of 20 known");
    suite.write("scenarios/case1.yaml", &suite.read("scenarios/case1.yaml").replace("name the", "say the"));
    verify(&suite, &url, &[]).ends(0).complains("18 of 20 known");
}

#[test]
fn a_model_that_knows_everything_proves_nothing() {
    let suite = suite();
    let (url, _) = serve(|_, request| {
        said(&answer(&format!("{request} order_411 order_413 order_415 order_417 order_419")))
    });
    let ran = verify(&suite, &url, &[]);
    ran.ends(0).says("would lack a fact              5  100%      100%         0         0");
    ran.says("Answers that would lack a fact: no difference is shown. Up to ");
}

#[test]
fn a_model_that_fails_everything_shows_no_difference() {
    let suite = suite();
    let (url, _) = serve(|_, _| said("(return \"a guess\")"));
    let ran = verify(&suite, &url, &[]);
    ran.ends(0).says("would lack a fact              5    0%        0%         0         0");
    ran.says("no difference is shown. The model is right in\nnone of them with the full history");
}

#[test]
fn few_pairs_are_chosen_by_the_seed() {
    let suite = suite();
    let (url, _) = serve(|_, request| said(&answer(request)));
    let few = |seed: &str| verify(&suite, &url, &["--max-pairs", "4", "--seed", seed]);
    few("1").ends(0).complains("4 pairs, 2 with answers that would lack a fact, 1 run each");
    few("1").ends(0).complains("8 of 8 known");
    assert!(!few("2").err.contains("8 of 8 known"));
}

/// An answer that was billed as much as a large one.
fn billed(request: &str) -> Reply {
    let usage = json!({"prompt_tokens": 9_000, "completion_tokens": 3_000});
    Reply::json(&json!({"choices": [{"message": {"content": answer(request)}}], "usage": usage}))
}

fn priced(suite: &Suite, url: &str, options: &[&str]) -> Ran {
    let priced = ["verify", "scenarios", "--strategy", TRIM, "--url", url, "--model", "gpt-6.1-sol"];
    suite.run(&[&priced[..], options].concat())
}

#[test]
fn an_estimate_asks_nothing() {
    let suite = suite();
    let (url, calls) = serve(|_, request| billed(request));
    let ran = priced(&suite, &url, &["--estimate"]);
    ran.ends(0).complains("estimate: 20 calls to gpt-6.1-sol, ").complains(", about $0.0");
    assert_eq!((ran.out.as_str(), calls.load(Ordering::SeqCst)), ("", 0));
    assert!(!suite.exists("reports/verify.jsonl"), "an estimate writes nothing");
    // The number of calls equals the estimate.
    priced(&suite, &url, &[]).ends(0).complains("cost: $0.9600 for 20 calls");
    assert_eq!(calls.load(Ordering::SeqCst), 20);
}

#[test]
fn calls_never_cost_more_than_they_may() {
    let suite = suite();
    let (url, calls) = serve(|_, request| {
        assert!(request.contains("\"max_completion_tokens\":16000"), "{request}");
        billed(request)
    });
    // Each call may cost 16 cents, and costs less than five.
    let ran = priced(&suite, &url, &["--max-cost", "0.40", "--jobs", "4"]);
    ran.ends(0).complains("is not asked: the next call may cost $0.16");
    ran.complains("of --max-cost is left");
    // After five calls 16 cents are left and the next may cost a little more, however many were made at once.
    let made = calls.load(Ordering::SeqCst);
    assert_eq!((made, asked_for(&kept(&suite))), (5, 5), "{}", ran.err);
    // The same command goes on where it stopped.
    priced(&suite, &url, &["--max-cost", "5"])
        .ends(0)
        .says("would lack a fact              5  100%        0%");
    assert_eq!(calls.load(Ordering::SeqCst), 20);
    priced(&suite, &url, &["--max-cost", "much"]).ends(2).complains("expected dollars, such as 2.50");
    verify(&suite, &url, &["--max-cost", "1"]).ends(2).complains("m");
}

#[test]
fn several_runs_are_made_at_the_same_time() {
    let suite = suite();
    let (waiting, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let (now, seen) = (waiting.clone(), most.clone());
    let (url, _) = serve(move |_, request| {
        seen.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        std::thread::sleep(std::time::Duration::from_millis(100));
        now.fetch_sub(1, Ordering::SeqCst);
        said(&answer(request))
    });
    verify(&suite, &url, &["--jobs", "3"]).ends(0);
    assert_eq!(most.load(Ordering::SeqCst), 3);
}

#[test]
fn scenarios_are_named_as_they_are_called() {
    let suite = suite();
    let (url, _) = serve(|_, request| said(&answer(request)));
    let verify = |names: &[&str]| {
        let options = ["--strategy", TRIM, "--url", &url, "--model", "m"];
        suite.run(&[&["verify"], names, &options].concat())
    };
    verify(&["case1", "scenarios/case1.yaml", "case2"])
        .ends(0)
        .complains("2 pairs, 1 with answers that would lack a fact");
    verify(&["case2"]).ends(4).complains("no answer would lack a fact under trim,keep_recent_turns=1");
    verify(&["cse1"]).ends(2).complains("no scenario is called 'cse1'");
    suite.write("other/scenarios/x.yaml", "mission: go\n");
    verify(&["case1", "other/scenarios"]).ends(2).complains("is of another suite");
}

#[test]
fn scenarios_that_fail_by_themselves_are_skipped() {
    let suite = suite();
    let (_, broken) = scenario(7, 1);
    suite.write(
        "scenarios/case7.yaml",
        &broken.replace("expect: {value: order_417}", "expect: {value: other}"),
    );
    let (url, _) = serve(|_, request| said(&answer(request)));
    let ran = verify(&suite, &url, &[]);
    ran.ends(0).complains("8 pairs, 4 with answers that would lack a fact");
    ran.complains("case7 is skipped: its own answers do not end as it expects");
}

/// A provider may bill an answer that broke off, so each attempt counts.
#[test]
fn an_answer_that_breaks_off_counts_against_the_money() {
    let suite = suite();
    let cut = "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"choices\":";
    let (url, calls) = serve(move |_, _| Reply::Bytes(cut.into()));
    let ran = priced(&suite, &url, &["--max-cost", "0.40", "--jobs", "4", "--retry-wait", "0"]);
    ran.complains("broke the connection").complains("of --max-cost is left");
    // Each call may cost 16 cents.
    ran.complains("cost: at most $0.3").complains(" for 2 calls, 2 calls without a bill");
    assert_eq!(calls.load(Ordering::SeqCst), 2, "{}", ran.err);
    priced(&suite, &url, &["--retry-wait", "0"]).complains("cost: at least $0.0000");
}

/// Gateways send errors with status 200.
#[test]
fn a_reply_without_an_answer_is_no_wrong_answer() {
    let suite = suite();
    let (url, _) = serve(|_, _| Reply::json(&json!({"error": {"message": "no provider"}})));
    let ran = verify(&suite, &url, &[]);
    ran.ends(1).complains("gave no answer: no provider").complains("no more calls: 3 in a row failed");
    assert!(kept(&suite).is_empty());
}

/// A log whose last answer uses a tool result from two turns before, in a text or in a call.
fn log(number: u32) -> String {
    let call =
        |id: &str, name: &str, arguments: Value| json!({"id": id, "name": name, "arguments": arguments});
    let said = format!("It is about order_41{number}.");
    let last = match number % 2 {
        0 => json!({"role": "assistant", "content": said}),
        _ => {
            json!({"role": "assistant", "tool_calls": [call("c", "close", json!({"order": format!("order_41{number}")}))]})
        }
    };
    let messages = json!([
        {"role": "user", "content": format!("Case {number}: which order is the mail about?")},
        {"role": "assistant", "tool_calls": [call("a", "mail", json!({}))]},
        {"role": "tool", "call": "a", "content": said},
        {"role": "assistant", "tool_calls": [call("b", "look", json!({}))]},
        {"role": "tool", "call": "b", "content": "nothing"},
        last,
    ]);
    json!({"messages": messages}).to_string()
}

#[test]
fn the_next_answer_of_a_log_is_judged_by_the_facts_that_it_uses() {
    let suite = Suite::with(&[]);
    for number in 0..6 {
        suite.write(&format!("scenarios/log{number}.transcript.json"), &log(number));
    }
    let (url, calls) = serve(|_, request| {
        let body: Value = serde_json::from_str(request).unwrap();
        let names: Vec<&Value> =
            body["tools"].as_array().unwrap().iter().map(|tool| &tool["function"]["name"]).collect();
        assert!(names.contains(&&json!("look")), "{body}");
        let number = request.split("Case ").nth(1).and_then(|rest| rest.split(':').next()).unwrap();
        let order = format!("order_41{number}");
        let order = if request.contains(&order) { order } else { "some order".to_owned() };
        let arguments = json!({"order": order}).to_string();
        let call =
            json!({"id": "x", "type": "function", "function": {"name": "close", "arguments": arguments}});
        Reply::json(&json!({"choices": [{"finish_reason": "tool_calls", "message": {"tool_calls": [call]}}]}))
    });
    let ran = verify(&suite, &url, &[]);
    ran.ends(0)
        .complains("6 pairs, 6 with answers that would lack a fact, 1 run each: 0 of 12 known")
        .complains("estimate: 12 calls to m")
        .says("would lack a fact              6  100%        0%         6         0")
        .says("p=0.016");
    assert_eq!(calls.load(Ordering::SeqCst), 12);
    assert!(kept(&suite).iter().any(|kept| kept["ending"].as_str().unwrap().contains("close: {\"order\"")));
}

/// A log outside of any suite, as its agent wrote it. Turns with all facts kept are controls.
#[test]
fn raw_logs_are_verified_with_a_control_sample() {
    let suite = Suite::with(&[]);
    for number in 0..5 {
        let mut log: Value = serde_json::from_str(&log(number)).unwrap();
        let messages = log["messages"].as_array_mut().unwrap();
        messages
            .push(json!({"role": "tool", "call": "c", "content": format!("closed as ticket_9{number}7")}));
        messages.push(json!({"role": "assistant", "content": format!("Closed, it is ticket_9{number}7.")}));
        let messages: Vec<String> = messages.iter().map(ToString::to_string).collect();
        suite.write(
            &format!("logs/log{number}.jsonl"),
            &format!("{{\"messages\": [{}]}}\n", messages.join(",")),
        );
    }
    let (url, calls) = serve(|_, request| {
        let known = |word: &str| {
            let from = request.rfind(word)?;
            request.get(from..from + word.len() + 3)
        };
        let text = [known("ticket_9"), known("order_41")].into_iter().flatten().collect::<Vec<_>>().join(" ");
        said(&text)
    });
    let options = ["verify", "logs", "--strategy", TRIM, "--url", &url, "--model", "m"];
    let ran = suite.run(&options);
    ran.ends(0).says("would lack a fact").says("control ").says("reports/verify.jsonl");
    let control = ran.out.lines().find(|line| line.starts_with("control")).unwrap().to_owned();
    assert!(!control.split_whitespace().nth(1).unwrap().starts_with('0'), "{}", ran.out);
    assert!(calls.load(Ordering::SeqCst) >= 12, "{}", ran.out);
    suite.run(&[&options[..], &["--estimate"]].concat()).ends(0).complains("nothing to ask");
}

#[test]
fn failures_are_asked_for_again_and_answers_that_are_cut_are_wrong() {
    let suite = suite();
    let (url, calls) = serve(|call, request| match call {
        0 => said(&answer(request)),
        1 => Reply::json(&json!({"choices": [{"finish_reason": "length", "message": {"content": "(ret"}}]})),
        _ => Reply::error("401 Unauthorized", "no more money"),
    });
    let ran = verify(&suite, &url, &["--retry-wait", "0", "--jobs", "1"]);
    ran.ends(1).complains("no more money").complains("no more calls: 3 in a row failed");
    let results = kept(&suite);
    assert_eq!(asked_for(&results) + 3, calls.load(Ordering::SeqCst) as u64);
    let cut = results.iter().find(|kept| kept["ending"].as_str().unwrap().contains("cut the answer off"));
    assert_eq!(cut.unwrap()["right"], false);
    let (url, _) = serve(|_, request| said(&answer(request)));
    verify(&suite, &url, &[]).ends(0).complains(&format!("{} of 20 known", results.len()));
    assert_eq!(kept(&suite).len(), 20);
}

#[test]
fn a_part_of_a_line_is_dropped_and_a_wrong_line_is_an_error() {
    let suite = suite();
    let (url, _) = serve(|_, request| said(&answer(request)));
    verify(&suite, &url, &[]).ends(0);
    let whole = suite.read(RESULTS);
    suite.write(RESULTS, &whole[..whole.len() - 20]);
    verify(&suite, &url, &[]).ends(0).complains("19 of 20 known");
    assert_eq!(kept(&suite).len(), 20);
    suite.write(RESULTS, &whole.replacen('{', "", 1));
    verify(&suite, &url, &[]).ends(2).complains("reports/verify.jsonl:1: not what this command keeps");
    verify(&suite, &url, &["--results", "else/where.jsonl"]).ends(0).complains("0 of 20 known");
    assert_eq!(suite.read("else/where.jsonl").lines().count(), 20);
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_there() {
    use crate::cli::live::server::interrupted;

    let suite = suite();
    let (url, calls) = serve(|call, request| match call {
        0..3 => said(&answer(request)),
        _ => Reply::Slowly(b"HTTP".to_vec(), std::time::Duration::from_secs(1)),
    });
    let arguments = ["verify", "scenarios", "--strategy", TRIM, "--url", &url, "--model", "m", "--jobs", "1"];
    interrupted(&suite, &arguments, "-INT", || calls.load(Ordering::SeqCst) == 4)
        .ends(130)
        .complains("interrupted: ")
        .complains("keeps the results so far");
    let results = kept(&suite).len();
    assert!(results >= 2, "{results}");
    let (url, _) = serve(|_, request| said(&answer(request)));
    verify(&suite, &url, &[]).ends(0).complains(&format!("{results} of 20 known"));
}

/// A value that shares its parts, which is endless as text, and a long text.
#[test]
#[cfg(target_os = "linux")]
fn answers_of_any_size_fit_into_memory() {
    let shared = "(return (nth (iterate (fn [v] (assoc {} v v)) \"ab\") 900))";
    let answers = [shared.to_string(), "x".repeat(12 << 20)];
    let (url, _) = serve(move |call, _| said(&answers[call % 2]));
    let arguments = ["verify", "scenarios", "--strategy", TRIM, "--url", &url, "--model", "m", "--jobs", "1"];
    suite().run_within(600, &arguments, "").ends(0).says("control                        5    0%        0%");
}
