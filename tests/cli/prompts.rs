//! The system prompts of suites and scenarios, and prompts side by side.

use serde_json::json;

use super::suite::{Suite, git};

const COUNT: &str = "
mission: Count to two.
max_turns: 3
responses:
  - program: (println \"one, zebra\")
  - program: (return \"zebra\")
";
const CURRENT: &str = "You are a careful analyst.\n\n{{language}}\n\n{{answer_format}}\n";
const SHORTER: &str = "{{answer_format}}\n\nBe brief.\n";

fn suite(suite_file: &str) -> Suite {
    let suite = Suite::with(&[("count", COUNT)]);
    suite.write("scenarios/suite.yaml", suite_file);
    suite.write("scenarios/prompts/current.md", CURRENT);
    suite.write("scenarios/prompts/shorter.md", SHORTER);
    suite
}

/// The SYSTEM text of the first request.
fn system(suite: &Suite, strategy: &str) -> String {
    let shown =
        suite.run(&["show", "count", "--view", "compressed", "--turn", "1", "--strategy", strategy]).out;
    let (_, text) = shown.split_once("[SYSTEM]\n").unwrap();
    text.split_once("\n\n[USER]").unwrap().0.to_owned()
}

/// Without a prompt of the user the text is that of the program, and the parts that it generates are where a template has them.
#[test]
fn a_template_keeps_moves_and_leaves_out_generated_parts() {
    let plain = suite("strategies: [full-history]\n");
    plain.run(&["run", "--accept"]).ends(0);
    let golden = plain.read("snapshots/count/full-history.snap");

    let same = suite("strategies: [full-history]\nsystem_prompt: \"{{language}}\\n\\n{{answer_format}}\"\n");
    same.run(&["run", "--accept"]).ends(0);
    assert_eq!(same.read("snapshots/count/full-history.snap"), golden);

    let moved =
        suite("strategies: [full-history]\nsystem_prompt: {file: prompts/shorter.md, prefix: Hello.}\n");
    moved.run(&["run", "--accept"]).ends(0);
    let text = system(&moved, "full-history");
    assert!(text.starts_with("Hello.\n\n(the answer format, ") && text.ends_with("\n\nBe brief."), "{text}");
    let golden = moved.read("snapshots/count/full-history.snap");
    assert!(golden.contains("| = the answer format of system-prompt.snap\n"), "{golden}");
    // What is read back from the golden file is what was sent.
    moved.run(&["run", "--locked"]).ends(0);
    moved.write("scenarios/prompts/shorter.md", "Be brief.\n");
    let run = moved.run(&["run"]);
    run.ends(1).says("1  count  SYSTEM").says("− The program is run, and you are told");
}

/// A scenario has its own text, and the prefix and suffix that it leaves open from the suite.
#[test]
fn a_scenario_leaves_open_what_the_suite_sets() {
    let suite =
        suite("strategies: [full-history]\nsystem_prompt: {prefix: Of the suite., suffix: Its end.}\n");
    suite.write("scenarios/count.yaml", &COUNT.replace("max_turns", "system_prompt: Own text.\nmax_turns"));
    suite.run(&["run", "--accept"]).ends(0);
    assert_eq!(system(&suite, "full-history"), "Of the suite.\n\nOwn text.\n\nIts end.");
}

const PROMPTS: &str = "strategies: [full-history, trim]\nmodels: [gpt-6.1-sol]\n\
                       prompts: {current: prompts/current.md, shorter: prompts/shorter.md}\n";

/// Every strategy is rendered under every prompt, and reports compare the prompts. None is recommended.
#[test]
fn prompts_are_a_dimension_of_reports() {
    let suite = suite(PROMPTS);
    let run = suite.run(&["run", "--accept"]);
    run.ends(0);
    let screen = run.out.replace('\n', " ");
    assert!(screen.contains("Under the prompt shorter, full-history sends "), "{screen}");
    assert!(screen.contains("The answers are scripted or logged: they do not show how"), "{screen}");
    assert!(!screen.contains("trim+shorter"), "{screen}");
    for file in ["full-history", "trim", "full-history+shorter", "trim+shorter"] {
        assert!(suite.exists(&format!("snapshots/count/{file}.snap")), "{file}");
    }
    let summary = suite.read("reports/summary.md");
    assert!(summary.contains("## Prompts, each against the first one\n"), "{summary}");
    assert!(summary.contains("\n| trim | shorter | "), "{summary}");
    assert!(suite.read("reports/strategies.csv").contains("\ntrim+shorter,"), "strategies.csv");
    assert!(system(&suite, "full-history").starts_with("You are a careful analyst.\n\n(static, "));
    assert!(system(&suite, "trim+shorter").ends_with("Be brief."));

    // The token counts in the sentence equal those of the requests.
    let of = |strategy: &str| -> u64 {
        let totals = suite.read("reports/strategies.csv");
        let row = totals.lines().find(|line| line.starts_with(&format!("{strategy},"))).unwrap().to_owned();
        row.split(',').nth(2).unwrap().parse().unwrap()
    };
    assert!(of("full-history+shorter") < of("full-history"));

    // An edit of the prompt reaches the requests under it alone.
    git(suite.path(), &["init", "--quiet"]);
    git(suite.path(), &["add", "--all"]);
    git(suite.path(), &["commit", "--quiet", "--message", "first"]);
    suite.write("scenarios/prompts/shorter.md", &SHORTER.replace("brief", "quick"));
    let run = suite.run(&["run"]);
    run.ends(1).says("1 change for the model\n").says("1  prompts/shorter.md   4 requests in 1 scenario");
    run.says("− Be brief.").says("+ Be quick.");
    assert!(
        !suite.exists("snapshots/count/trim.snap.new")
            && suite.exists("snapshots/count/trim+shorter.snap.new")
    );
}

#[test]
fn two_prompts_are_compared_side_by_side() {
    let suite = suite(PROMPTS);
    let whole = suite.run(&["diff", "--prompt", "current", "shorter"]);
    whole.ends(0).says("You are a careful analyst.").says("| Be brief.");
    let requests = suite.run(&["diff", "--prompt", "current", "shorter", "count", "--turn", "2"]);
    requests
        .ends(0)
        .says("full-history                             full-history+shorter")
        .says("Count to two.");
    suite
        .run(&["diff", "--prompt", "current", "shortr"])
        .ends(2)
        .complains("there is no prompt 'shortr'")
        .complains("did you mean 'shorter'?");
}

/// The text of a scenario beside prompts of the suite would hide that nothing is compared.
#[test]
fn a_text_that_prompts_replace_is_warned_of() {
    let suite = suite(PROMPTS);
    suite.write("scenarios/count.yaml", &COUNT.replace("max_turns", "system_prompt: Own text.\nmax_turns"));
    suite.run(&["check"]).complains("the prompts of suite.yaml replace this text");
}

/// Logs are priced with another system prompt in place of the one sent; the rest stays.
#[test]
fn a_log_is_priced_with_another_system_prompt() {
    let suite = Suite::with(&[]);
    let long =
        "You help people. Read every rule before you answer, and say which of them you followed. ".repeat(40);
    let log = |system: Option<&str>| {
        let mut messages = Vec::new();
        messages.extend(system.map(|text| json!({"role": "system", "content": text})));
        for turn in 0..4 {
            messages.push(json!({"role": "user", "content": format!("Question {turn}?")}));
            messages.push(json!({"role": "assistant", "content": format!("Answer {turn}.")}));
        }
        json!({ "messages": messages }).to_string()
    };
    suite.write("log.json", &log(Some(&long)));
    suite.write("short.md", "You help people.\n");
    let ran = suite.run(&["advise", "log.json", "--system-prompt", "short.md", "--model", "gpt-5"]);
    ran.ends(0);
    let screen = ran.out.replace('\n', " ");
    let (_, rest) = screen.split_once("Under the prompt short, full-history sends ").expect("a sentence");
    let tokens: Vec<u64> = rest
        .split(" tokens instead of ")
        .map(|part| part.split([' ', '(']).next().unwrap().replace(',', "").parse().unwrap())
        .take(2)
        .collect();
    // Four requests, each without as many tokens as the prompts differ in.
    let counted = |text: &str| ptc_tokens::Tokenizer::named("o200k_base").unwrap().count(text) as u64;
    assert_eq!(tokens[1] - tokens[0], 4 * (counted(&long) - counted("You help people.")), "{screen}");
    assert!(!screen.contains("on top of what was sent"), "{screen}");

    suite.write("log.json", &log(None));
    let ran = suite.run(&["advise", "log.json", "--system-prompt", "short.md", "--model", "gpt-5"]);
    assert!(
        ran.out.replace('\n', " ").contains("The logs of 1 of 1 conversations have no system prompt"),
        "{}",
        ran.out
    );
}
