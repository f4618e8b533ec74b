//! `ptc-eval effect`: logs from before and after a change.

use super::first_screen::session;
use super::suite::Suite;

/// The same sessions cost the same, whatever their number and order.
#[test]
fn equal_sessions_have_no_effect() {
    let suite = Suite::with(&[]);
    for name in ["a", "b", "c"] {
        suite.write(&format!("before/{name}.jsonl"), &session(name, 30, 0));
        suite.write(&format!("after/{name}.jsonl"), &session(&format!("{name}{name}"), 12, 0));
    }
    let ran = suite.run(&["effect", "before", "after"]);
    ran.ends(0).says("before: 3 sessions, 90 requests with a bill, 5 Mar 2026 (before)\n");
    ran.says("after:  3 sessions, 36 requests with a bill").says(": +0.0%\n");
    ran.says("In 95 of 100 random samples of these sessions: +0.0% to +0.0%\n");
    ran.says("History was shortened: before never; after never\n");
}

/// Sessions are compared at the same places: longer ones are not dearer because they are longer.
#[test]
fn a_break_after_which_the_cache_expired_is_an_effect() {
    let suite = Suite::with(&[]);
    for name in ["a", "b", "c"] {
        suite.write(&format!("before/{name}.jsonl"), &session(name, 30, 20));
        suite.write(&format!("after/{name}.jsonl"), &session(&format!("{name}{name}"), 30, 0));
    }
    let ran = suite.run(&["effect", "before", "after", "--strategy", "fold"]);
    ran.ends(0);
    let change = ran.out.split("cost $").nth(1).unwrap().split(": ").nth(1).unwrap().lines().next().unwrap();
    assert!(change.starts_with('-') && change.ends_with('%') && change != "-0.0%", "{}", ran.out);
    ran.says("Promised by fold on the logs before: ");
}

#[test]
fn logs_without_bills_are_refused() {
    let suite = Suite::with(&[]);
    suite.write("before.json", &super::advise::log(6));
    suite
        .run(&["effect", "before.json", "before.json"])
        .ends(2)
        .complains("before.json has no bills to compare");
}
