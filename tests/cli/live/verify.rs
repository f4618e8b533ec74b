//! `verify` against a server that can only use what a request shows.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use super::server::{Reply, said, serve};
use crate::cli::suite::{Ran, Suite};

const RESULTS: &str = "reports/verify.jsonl";

/// A scenario whose last answer returns what a tool said in the first turn, after so many other turns.
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

/// Five scenarios whose last request shows under [`TRIM`] what the answer needs, and five where it does not. One of
/// them goes on for a turn, and one has no expectation.
fn suite() -> Suite {
    let mut scenarios: Vec<_> = (0..10).map(|number| scenario(number, number as usize % 2)).collect();
    let returned = "(return \"order_418\")";
    scenarios[8].1 = scenarios[8]
        .1
        .replace("max_turns: 2", "max_turns: 3")
        .replace(returned, "(def found \"order_418\")\n  - program: (return found)");
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
        true if number == "8" && !request.contains("(def found") => format!("(def found \"{needed}\")"),
        true if number == "8" => "(return found)".to_string(),
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
fn short_answers_fail_where_a_model_has_only_the_request() {
    let suite = suite();
    let (url, calls) = serve(|_, request| {
        let usage = json!({"prompt_tokens": 100, "completion_tokens": 5});
        let message = json!({"content": answer(request)});
        Reply::json(&json!({"choices": [{"message": message}], "usage": usage}))
    });
    let ran = verify(&suite, &url, &["--repeat", "2"]);
    ran.ends(0)
        .complains("10 requests, 5 with short answers, 2 runs each: 0 of 20 known, at least 20 calls to m");
    let table = "
answers    requests   runs  right  share  95% interval
short             5     10      0     0%  0% to 43%
not short         5     10     10   100%  57% to 100%

Short answers fail more often: the intervals are apart.
";
    ran.says(table);
    let results = kept(&suite);
    assert_eq!(results.len(), 20);
    for kept in &results {
        let number = kept["calls"].as_u64().unwrap();
        assert_eq!(kept["usage"], json!({"input": 100 * number, "cached": 0, "output": 5 * number}));
        let ending = if kept["right"] == true { "return \"order_41" } else { "return \"a guess\"" };
        assert!(kept["ending"].as_str().unwrap().starts_with(ending), "{kept}");
    }
    let asked = asked_for(&results);
    assert_eq!(calls.load(Ordering::SeqCst) as u64, asked);

    // What is known is not asked for again, and tells the same.
    let again = verify(&suite, &url, &["--repeat", "2"]);
    again.ends(0).complains("20 of 20 known, at least 0 calls");
    assert_eq!((again.out, calls.load(Ordering::SeqCst) as u64), (ran.out, asked));
    // Of a third run of each request only the third is missing.
    verify(&suite, &url, &["--repeat", "3"]).ends(0).complains("20 of 30 known, at least 10 calls");
    // Nothing is known of another model, another temperature and another request.
    verify(&suite, &url, &["--temperature", "0.5"]).ends(0).complains("0 of 10 known");
    suite.write("scenarios/case1.yaml", &suite.read("scenarios/case1.yaml").replace("name the", "say the"));
    verify(&suite, &url, &[]).ends(0).complains("9 of 10 known");
}

#[test]
fn a_model_that_knows_everything_proves_nothing() {
    let suite = suite();
    let (url, _) = serve(|_, request| {
        said(&answer(&format!("{request} order_411 order_413 order_415 order_417 order_419")))
    });
    let ran = verify(&suite, &url, &[]);
    ran.ends(0).says("short             5      5      5   100%  57% to 100%");
    ran.says("It cannot be told yet if short answers fail more often: about ");
}

#[test]
fn few_requests_are_chosen_by_the_seed() {
    let suite = suite();
    let (url, _) = serve(|_, request| said(&answer(request)));
    let few = |seed: &str| verify(&suite, &url, &["--max-requests", "4", "--seed", seed]);
    let ran = few("1");
    ran.ends(0).complains("4 requests, 2 with short answers, 1 run each");
    ran.says("It cannot be told yet if short answers fail more often: about 2 requests more of each kind are needed.");
    few("1").ends(0).complains("4 of 4 known");
    assert!(!few("2").err.contains("4 of 4 known"));
}

#[test]
fn scenarios_are_named_as_they_are_called() {
    let suite = suite();
    let (url, _) = serve(|_, request| said(&answer(request)));
    let verify = |names: &[&str]| {
        let options = ["--strategy", TRIM, "--url", &url, "--model", "m"];
        suite.run(&[&["verify"], names, &options].concat())
    };
    verify(&["case1", "scenarios/case1.yaml", "case2"]).ends(0).complains("2 requests, 1 with short answers");
    verify(&["case2"]).ends(4).complains("no answer is short under trim,keep_recent_turns=1");
    verify(&["cse1"]).ends(2).complains("no scenario is called 'cse1'");
    suite.write("other/scenarios/x.yaml", "mission: go\n");
    verify(&["case1", "other/scenarios"]).ends(2).complains("is of another suite");
}

#[test]
fn what_cannot_be_verified_is_skipped() {
    let suite = suite();
    let (_, broken) = scenario(7, 1);
    suite.write(
        "scenarios/case7.yaml",
        &broken.replace("expect: {value: order_417}", "expect: {value: other}"),
    );
    let messages = json!([{"role": "user", "content": "go"}, {"role": "assistant", "content": "done"}]);
    suite.write("scenarios/log.transcript.json", &json!({"messages": messages}).to_string());
    let (url, _) = serve(|_, request| said(&answer(request)));
    let ran = verify(&suite, &url, &[]);
    ran.ends(0).complains("8 requests, 4 with short answers");
    ran.complains("case7 is skipped: its own answers do not end as it expects");
    ran.complains("log is skipped: nothing can run the tools of a transcript");
}

#[test]
fn failures_are_asked_for_again_and_answers_that_are_cut_are_wrong() {
    let suite = suite();
    let (url, calls) = serve(|call, request| match call {
        0 => said(&answer(request)),
        1 => Reply::json(&json!({"choices": [{"finish_reason": "length", "message": {"content": "(ret"}}]})),
        _ => Reply::error("401 Unauthorized", "no more money"),
    });
    let ran = verify(&suite, &url, &["--retry-wait", "0"]);
    ran.ends(1).complains("no more money").complains("no more calls: 3 in a row failed");
    let results = kept(&suite);
    assert_eq!(asked_for(&results) + 3, calls.load(Ordering::SeqCst) as u64);
    let cut = results.iter().find(|kept| kept["ending"].as_str().unwrap().contains("cut the answer off"));
    assert_eq!(cut.unwrap()["right"], false);
    let (url, _) = serve(|_, request| said(&answer(request)));
    verify(&suite, &url, &[]).ends(0).complains(&format!("{} of 10 known", results.len()));
    assert_eq!(kept(&suite).len(), 10);
}

#[test]
fn a_part_of_a_line_is_dropped_and_a_wrong_line_is_an_error() {
    let suite = suite();
    let (url, _) = serve(|_, request| said(&answer(request)));
    verify(&suite, &url, &[]).ends(0);
    let whole = suite.read(RESULTS);
    suite.write(RESULTS, &whole[..whole.len() - 20]);
    verify(&suite, &url, &[]).ends(0).complains("9 of 10 known");
    assert_eq!(kept(&suite).len(), 10);
    suite.write(RESULTS, &whole.replacen('{', "", 1));
    verify(&suite, &url, &[]).ends(2).complains("reports/verify.jsonl:1: not what this command keeps");
    verify(&suite, &url, &["--results", "else/where.jsonl"]).ends(0).complains("0 of 10 known");
    assert_eq!(suite.read("else/where.jsonl").lines().count(), 10);
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
    let arguments = ["verify", "scenarios", "--strategy", TRIM, "--url", &url, "--model", "m"];
    interrupted(&suite, &arguments, "-INT", || calls.load(Ordering::SeqCst) == 4)
        .ends(130)
        .complains("interrupted: ")
        .complains("keeps the results so far");
    let results = kept(&suite).len();
    assert!(results >= 2, "{results}");
    let (url, _) = serve(|_, request| said(&answer(request)));
    verify(&suite, &url, &[]).ends(0).complains(&format!("{results} of 10 known"));
}

/// A value that shares its parts, which is endless as text, and a long text.
#[test]
#[cfg(target_os = "linux")]
fn answers_of_any_size_fit_into_memory() {
    let shared = "(return (nth (iterate (fn [v] (assoc {} v v)) \"ab\") 900))";
    let answers = [shared.to_string(), "x".repeat(12 << 20)];
    let (url, _) = serve(move |call, _| said(&answers[call % 2]));
    let arguments = ["verify", "scenarios", "--strategy", TRIM, "--url", &url, "--model", "m"];
    suite().run_within(600, &arguments, "").ends(0).says("not short         5      5      0");
}
