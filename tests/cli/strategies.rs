//! Strategies at the command line: user strategies that work or break, the trace, two strategies side by side.

use super::suite::Suite;

const LOOK: &str = "
description: looks before it answers
mission: Add the numbers.
data: {numbers: [1, 2]}
responses:
  - program: (println \"seen\" data/numbers)
  - program: (return (reduce + data/numbers))
";

const OWN: &str = "(defn to-messages [turns memory opts]
  [{:role :user
    :content (str (:mission opts) (:mark opts \"!\") (count turns))}])
";

/// A strategy that fails at its second request.
const BROKEN: &str = "(defn to-messages [turns memory opts]
  [{:role :user :content (if (empty? turns) (:mission opts) 42)}])
";

fn suite(strategies: &str) -> Suite {
    let suite = Suite::with(&[("look", LOOK), ("look-again", LOOK)]);
    suite.write("scenarios/suite.yaml", &format!(
        "strategies: [{strategies}]\nvariants:\n  own: {{program: own.clj, mark: '?'}}\n  broken: {{program: broken.clj}}\n"
    ));
    suite.write("scenarios/own.clj", OWN);
    suite.write("scenarios/broken.clj", BROKEN);
    suite
}

/// S4-19, S4-22: in lists, runs, snapshots, reports and the trace, by name, with options and with a trigger.
#[test]
fn a_program_is_listed_run_accepted_reported_and_shown() {
    let suite = suite("full-history, own");
    suite.run(&["list", "strategies"]).ends(0).says("own                     program scenarios/own.clj");
    suite.run(&["run"]).ends(3).says("\n  own ");
    suite.run(&["run", "--accept"]).ends(0);
    suite.run(&["run"]).ends(0).says("expectations met");
    assert!(suite.read("snapshots/look/own.snap").contains("Add the numbers.?1"));
    assert!(suite.read("reports/strategies.csv").contains("\nown,"));
    let show = |strategy: &str| {
        suite.run(&["show", "look", "--view", "compressed", "--turn", "2", "--strategy", strategy])
    };
    show("own").ends(0).says("[USER]\nAdd the numbers.?1\n");
    show("own,mark=x").ends(0).says("[USER]\nAdd the numbers.x1\n");
    show("own,trigger={turns: 3}").ends(0).says("Turn 2 of 5");
    show("owm").ends(2).complains("did you mean 'own'?");
    suite.run(&["run", "--strategy", "own,mark=x"]).ends(0).says("\n  own,mark=x ");
    // A strategy that can be read is tried once.
    suite.run(&["check"]).ends(2).complains("scenarios/broken.clj:").complains(":content");
    suite
        .run(&["explain", "look", "--strategy", "broken"])
        .ends(1)
        .complains("error")
        .complains("broken.clj:");
    suite.write("scenarios/broken.clj", "(defn to-messages [turns memory opts]\n  (let [a] a))");
    suite.run(&["check"]).ends(2).complains("scenarios/broken.clj:2:3").complains("error[invalid_form]");
    suite.write("scenarios/broken.clj", "(def helper 1)\n(defn to_messages [turns memory opts] [])");
    let missing = "error[undefined_symbol]: the file defines no function to-messages";
    suite.run(&["check"]).ends(2).complains(missing).complains("scenarios/broken.clj:1:1");
    suite.write(
        "scenarios/broken.clj",
        "(do (defn- to-messages [turns memory opts] [{:role :user :content \"x\"}]))",
    );
    suite.run(&["check"]).ends(0);
}

/// A strategy that never sends the mission: chat APIs reject each of its requests, so its saving is none.
const REJECTED: &str = "(defn to-messages [turns memory opts]
  [{:role :user :content (if (empty? turns) \"\" \"go on\")}])
";

/// Today's table showed the saving of requests that no API takes.
#[test]
fn a_strategy_of_rejected_requests_has_no_numbers() {
    let suite = suite("full-history, rejected");
    suite.write(
        "scenarios/suite.yaml",
        "strategies: [full-history, rejected]\nvariants:\n  rejected: {program: rejected.clj}\n",
    );
    suite.write("scenarios/rejected.clj", REJECTED);
    let ran = suite.run(&["run", "--accept"]);
    ran.ends(0).says("\n  rejected      4 of 4 requests rejected\n");
    assert!(!ran.out.contains("Use rejected") && !ran.out.contains("Try rejected"), "{}", ran.out);
    assert!(!ran.out.contains("Cheapest: rejected"), "{}", ran.out);
    assert!(suite.read("reports/summary.md").contains("4 of 4 requests rejected"));
    assert!(suite.read("reports/index.html").contains("4 of 4 requests rejected"));
}

/// A run of 22 requests; the answer of the fourth is empty.
fn run_with_an_empty_answer(number: usize) -> String {
    let filler = "filler words ".repeat(60);
    let mut run = format!("mission: Read all {number}.\nmax_turns: 40\nresponses:\n");
    for page in 0..20 {
        if page == 3 {
            run += "  - \"\"\n";
        }
        let fact = page * 7919 + 13;
        run += &format!("  - program: (println (str \"page {page} fact\" \"{fact}x \" \"{filler}\"))\n");
    }
    run + "  - program: (return \"fact313\")\n"
}

/// The warning compares the recommended strategy with the baseline.
#[test]
fn a_warning_of_rejected_requests_has_those_of_the_recommended_strategy() {
    let suite = Suite::with(&[]);
    for number in 0..4 {
        suite.write(&format!("scenarios/{number}.yaml"), &run_with_an_empty_answer(number));
    }
    let settings = "models: [gpt-6.1-sol]\nstrategies: [full-history, aggressive]\nmax_short: 1\nturns: 1\n";
    suite.write("scenarios/suite.yaml", settings);
    let ran = suite.run(&["run", "--accept"]);
    ran.ends(0).says("(message 9 is empty). It would reject none of aggressive.\n");
    // A scenario from standard input is not the one of the same name in the suite.
    let line = r#"{"name": "0", "mission": "m", "responses": [{"program": "(println 1)"}, {"program": "(println 1)"}, {"program": "(println 1)"}, {"program": "(println 1)"}, "", {"program": "(return 1)"}], "max_turns": 9}"#;
    let ran = suite.run_with(&["run", "-"], line, &[]);
    ran.says("Warning: a chat API would reject 1 request of full-history, 0@6.\n");
}

/// The others are rendered and compared; the broken one is reported once for all scenarios, and its accepted
/// snapshots stay.
#[test]
fn a_strategy_that_breaks_does_not_stop_the_others() {
    let suite = suite("full-history, broken, own");
    suite.write("scenarios/broken.clj", OWN);
    suite.run(&["run", "--accept"]).ends(0);
    suite.write("scenarios/broken.clj", BROKEN);
    let ran = suite.run(&["run"]);
    ran.ends(1).says(" (strategy broken in look, turn 2, and 1 more)\n    ┌─ scenarios/broken.clj:1:1\n");
    assert_eq!((ran.out.matches("got number 42").count(), ran.err.as_str()), (1, ""), "{}", ran.out);
    ran.says(
        "strategies that made no requests:\n  scenarios/broken.clj:1:1: type_error: to-messages: message 1: \
         expected a string as :content, got number 42 (strategy broken in look, turn 2, and 1 more)\n",
    );
    ran.says("7 golden files unchanged");
    assert!(suite.exists("snapshots/look/broken.snap"));
    suite.run(&["show", "look", "--strategy", "broken"]).ends(1).complains("scenarios/broken.clj:1:1");
    suite.run(&["show", "look", "--strategy", "own"]).ends(0);
}

/// `a` and `b` in two columns, what differs marked.
#[test]
fn two_strategies_stand_side_by_side() {
    let suite = suite("full-history, own");
    let ran =
        suite.run(&["diff", "--strategies", "full-history", "single-user-coalesced", "look", "--turn", "2"]);
    ran.ends(0);
    let text: Vec<&str> = ran.out.lines().collect();
    assert_eq!(text[0], "=== Request 2 ===");
    assert_eq!(text[1], "full-history                             single-user-coalesced");
    let wrapped = "data/numbers                  ;          data/numbers                  ;\n\
                   list[2], sample: [1 2]                   list[2], sample: [1 2]\n";
    assert!(ran.out.contains(wrapped), "{}", ran.out);
    assert!(ran.out.contains("\n[ASSISTANT]"), "{}", ran.out);
    assert!(ran.out.contains("\nTurn 2 of 5                            | Turns left: 4\n"), "{}", ran.out);
    assert!(text.iter().all(|line| line.chars().count() <= 80), "{}", ran.out);
    let all = suite.run(&["diff", "--strategies", "trim,keep_recent_turns=1", "own", "look"]);
    assert_eq!(all.ends(0).out.matches("=== Request ").count(), 2);
    suite.run(&["diff", "--strategies", "trim", "own", "look", "--turn", "3"]).ends(2).complains("it took 2");
    suite.run(&["diff", "--strategies", "trim", "broken", "look"]).ends(1).complains("broken.clj:1:1");
    suite.run(&["diff", "--strategies", "trim", "owm", "look"]).ends(2).complains("did you mean 'own'?");
}

/// DBG-007…DBG-010: control codes in scripted text are escaped.
#[test]
fn scripted_text_sends_no_control_codes_to_a_terminal() {
    let hostile = "
mission: \"clear \\e[2J and \\u202e turn\"
responses:
  - response: \"prose \\e]0;title\\a\\n```clojure\\n(println \\\"\\e[31mred\\\" 1)\\n(+ 1 \\\"\\u2066\\\")\\n```\"
  - program: (return \"\\u009b31m\")
";
    let suite = Suite::with(&[("hostile", hostile)]);
    for arguments in [
        &["show", "hostile"][..],
        &["show", "hostile", "--raw", "--usage"],
        &["show", "hostile", "--view", "compressed"],
        &["diff", "--strategies", "full-history", "aggressive", "hostile"],
    ] {
        let ran = suite.run(arguments);
        ran.ends(0);
        let is_hidden = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{2069}').contains(&c);
        assert!(!ran.out.contains(is_hidden), "{arguments:?}: {:?}", ran.out);
    }
    suite
        .run(&["show", "hostile", "--raw"])
        .says("prose \\u{1b}]0;title\\u{7}")
        .says("Output: \\u{1b}[31mred 1");
}

/// What a table or a list prints can be pasted behind `--strategy`.
#[test]
fn printed_names_are_accepted() {
    let suite = suite("full-history");
    let presets = suite.run(&["list", "presets"]).ends(0).out.clone();
    let settings = presets.lines().filter(|line| !line.starts_with(' '));
    let settings: Vec<&str> = settings.filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert!(settings.len() > 15, "{presets}");
    let printed = [
        "summary,trigger=tokens=100000",
        "trim,trigger=turns=3+tokens=900",
        "masking-step-10",
        "trim-step-10,step=5",
    ];
    for setting in settings.into_iter().chain(printed) {
        suite.run(&["show", "look", "--view", "compressed", "--strategy", setting]).ends(0);
    }
    suite
        .run(&["show", "look", "--strategy", "trim,trigger=words=3"])
        .ends(2)
        .complains("{turns: N, tokens: M, window: SHARE, free: M, idle: TIME}");
}

#[test]
fn one_rule_finds_what_was_meant() {
    let suite = suite("full-history, own");
    let meant = |arguments: &[&str], meant: &str| {
        suite.run(arguments).ends(2).complains(&format!("did you mean '{meant}'?"));
    };
    meant(&["run", "--strategy", "observtion-maskd"], "observation-masking");
    meant(&["run", "--strategy", "observation-maski…"], "observation-masking");
    meant(&["run", "--strategy", "Trim"], "trim");
    meant(&["show", "look", "--strategy", "trim,keep_recent=1"], "keep_recent_turns");
    suite.run(&["show", "lok"]).ends(2).complains("Did you mean 'look'?");
    meant(&["apply", "fodl"], "fold");
    suite.run(&["run", "--strategy", "zzz"]).ends(2).complains("expected one of: full-history,");
    suite
        .run(&["tune", "--strategy", "trim"])
        .ends(2)
        .complains("tip: --strategy is an option of advise, effect, run, ");
    let unknown = suite.run(&["tune", "--no-such-option"]).ends(2).err.clone();
    assert!(!unknown.contains("tip:"), "{unknown}");
}
