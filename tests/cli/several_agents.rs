//! Logs of several agents in one folder: a verdict for each.

use serde_json::{Value, json};

use super::advise::log;
use super::suite::Suite;

/// Runs of an agent with the day and the folder of each run in its prompt.
fn run(number: usize, turns: usize) -> String {
    let who = format!("You are an order clerk in /home/u{number}/shop on 2026-11-{number:02}. ");
    log(turns).replacen("You find errors. ", &who, 1)
}

fn folder() -> Suite {
    let suite = Suite::with(&[]);
    let runs: String = (1..=4).map(|number| run(number, 36 + number) + "\n").collect();
    suite.write("logs/clerk.jsonl", &runs);
    suite.write("logs/errors.jsonl", &format!("{}\n{}\n", log(12), log(14)));
    suite.write("logs/poet.jsonl", &format!("{}\n{}\n", poet("rain"), poet("snow")));
    suite
}

fn poet(word: &str) -> String {
    let messages = [
        json!({"role": "system", "content": "You are a poet who writes one line."}),
        json!({"role": "user", "content": format!("On {word}, please.")}),
        json!({"role": "assistant", "content": format!("O {word}!")}),
    ];
    json!({ "messages": messages }).to_string()
}

/// The agent with most input tokens is the one that costs most, however few its answers are.
#[test]
fn the_agent_that_was_sent_most_comes_first() {
    let suite = Suite::with(&[]);
    suite.write("logs/clerk.jsonl", &(run(1, 37) + "\n"));
    let poems: Vec<String> = (0..60).map(|number| poet(&format!("rain of day {number}"))).collect();
    suite.write("logs/poet.jsonl", &(poems.join("\n") + "\n"));
    suite.advise(&["logs"]).ends(0).says("2 agents: order-clerk (1 conversation), poet (60).");
}

fn results(suite: &Suite, folder: &str) -> Value {
    serde_json::from_str(&suite.read(&format!("{folder}/results.json"))).unwrap()
}

#[test]
fn each_agent_of_a_folder_gets_a_verdict() {
    let suite = folder();
    let advice = suite.advise(&["logs"]);
    advice.ends(0).says(
        "3 agents: order-clerk (4 conversations), find-errors (2), poet (2). Below:\norder-clerk. For another agent:\nptc-eval advise logs --only-agent find-errors\n\norder-clerk: 4 conversations, 158 requests\n",
    );
    assert_eq!(
        advice.out.matches("order-clerk: 4 conversations, 158 requests\n").count(),
        1,
        "{}",
        advice.out
    );
    advice
        .says("\nKeep full-history: fold saves 4.8% at the same turns, but costs 33.2% more if\nthe agent takes 1.4 times the turns");
    let found = results(&suite, "reports/advice");
    assert_eq!(found["suite"], "logs: order-clerk");
    assert_eq!(found["scenarios"].as_array().unwrap().len(), 4);
    let agents = found["agents"].as_array().unwrap();
    let told: Vec<(&str, u64, &Value)> = agents
        .iter()
        .map(|agent| (agent["name"].as_str().unwrap(), agent["requests"].as_u64().unwrap(), &agent["page"]))
        .collect();
    let page = |name: &str| Value::from(format!("agents/{name}/index.html"));
    assert_eq!(
        told,
        [
            ("order-clerk", 158, &Value::Null),
            ("find-errors", 28, &page("find-errors")),
            ("poet", 2, &page("poet"))
        ]
    );
    // Two runs from which nothing follows are no advice.
    let sentence = agents[2]["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("Nothing to recommend yet: no answer needs"), "{sentence}");
    assert_eq!(agents[2]["recommended"], Value::Null);
    // Each has its money and what to change, or the answer that there is nothing.
    let heading = |agent: usize| agents[agent]["heading"].as_array().unwrap();
    assert_eq!(heading(1)[0], "2 conversations, 28 requests");
    assert!(heading(1)[1].as_str().unwrap().starts_with("Cost at the prices of "), "{:?}", heading(1));
    assert_eq!((&agents[2]["action"], &agents[2]["answer"]), (&Value::Null, &agents[2]["sentence"]));
    // Each has its money, and what to change or the answer that nothing has to be.
    let heading = |agent: usize| agents[agent]["heading"].as_array().unwrap();
    assert_eq!(heading(1)[0], "2 conversations, 28 requests");
    assert!(heading(1)[1].as_str().unwrap().starts_with("Cost at the prices of "), "{:?}", heading(1));
    assert_eq!(agents[0]["action"].is_object(), advice.out.contains("What you can change"));
    assert_eq!((&agents[2]["action"], &agents[2]["answer"]), (&Value::Null, &agents[2]["sentence"]));
    let summary = suite.read("reports/advice/summary.md");
    for text in ["## 3 agents", "| poet | 2 | 2 | Nothing to recommend yet", "\n### find-errors\n"] {
        assert!(summary.contains(text), "{summary}");
    }
    assert!(suite.read("reports/advice/index.html").contains("\"page\":\"agents/poet/index.html\""));
    // The page and the summary begin with the sum over all agents.
    let dollars = |text: &str| -> f64 {
        let amount = text.split_once('$').unwrap().1.split([' ', ')']).next().unwrap();
        amount.parse().unwrap()
    };
    let sum = summary.lines().find(|line| line.starts_with("3 agents in these logs cost about $")).unwrap();
    let parts: f64 = (0..3).map(|agent| dollars(heading(agent)[1].as_str().unwrap())).sum();
    assert!((dollars(sum) - parts).abs() < 0.01 * parts, "{sum} {parts}");
    let page = suite.read("reports/advice/index.html");
    assert!(page.contains(&format!("\"sum\":\"{sum}\"")), "{sum}");
    // The text on an agent names its own page.
    let records = suite.run(&["advise", "logs", "--format", "records"]);
    assert!(records.out.contains("page: reports/advice/agents/poet/index.html"), "{}", records.out);
}

/// The command for another agent reads the same logs in the same way.
#[test]
fn the_command_for_another_agent_has_the_options_for_reading() {
    let suite = folder();
    let line = "ptc-eval advise logs --from openai-chat --only-agent find-errors";
    let advice = suite.advise(&["logs", "--from", "openai-chat"]);
    advice.ends(0).says(&format!("For another agent:\n{line}\n"));
    suite.run_typed(line).ends(0).says("find-errors: 2 conversations, 28 requests\n");
    let advice = suite.advise(&["logs", "--observations", "none"]);
    advice.ends(0).says("\nptc-eval advise logs --observations none --only-agent find-errors\n");
}

/// The verdict of an agent is what its logs alone give.
#[test]
fn the_verdict_of_an_agent_is_that_of_its_logs_alone() {
    let suite = folder();
    suite.advise(&["logs"]).ends(0);
    let together = results(&suite, "reports/advice")["agents"][1].clone();
    suite.advise(&["logs/errors.jsonl", "--report-dir", "alone"]).ends(0);
    suite
        .advise(&["logs", "--only-agent", "find-errors", "--report-dir", "only"])
        .ends(0)
        .says("find-errors: 2 conversations, 28 requests\n");
    let strategies = |folder: &str| results(&suite, folder)["strategies"].clone();
    assert_eq!(strategies("alone"), strategies("only"));
    assert_eq!(strategies("alone"), strategies("reports/advice/agents/find-errors"));
    assert_eq!(results(&suite, "only").get("agents"), None);
    let tokens = &together["strategies"][0]["input_tokens"];
    let alone = strategies("alone");
    let named = alone.as_array().unwrap().iter().find(|one| one["name"] == together["strategies"][0]["name"]);
    assert_eq!(*tokens, named.unwrap()["totals"]["input_tokens"]);
    suite.advise(&["logs", "--only-agent", "clerk"]).ends(2).complains(
        "there is no agent 'clerk' in these logs\n  = help: their agents: order-clerk, find-errors, poet",
    );
}

#[test]
fn each_agent_is_saved_as_a_suite() {
    let suite = folder();
    suite
        .advise(&["logs", "--save", "kept"])
        .ends(0)
        .says("suite: kept/order-clerk/scenarios; ptc-eval run kept/order-clerk/scenarios");
    assert!(!suite.exists("kept/suite.yaml"));
    for (agent, conversations) in [("order-clerk", 4), ("find-errors", 2), ("poet", 2)] {
        assert_eq!(suite.read(&format!("kept/{agent}/scenarios/logs.jsonl")).lines().count(), conversations);
    }
    suite.run(&["run", "kept/order-clerk/scenarios"]).says("4 scenarios, 158 requests");
    // No suite finds the snapshots of another.
    for agent in ["kept/order-clerk/scenarios", "kept/poet/scenarios"] {
        suite.run(&["run", agent, "--accept"]).ends(0);
    }
    suite.run(&["run", "kept/order-clerk/scenarios"]).ends(0);
    suite.advise(&["logs", "--save", "kept"]).ends(0);
    let refused = ["choose another folder with --save; this one holds the suites of several agents"];
    suite.advise(&["logs/poet.jsonl", "--save", "kept"]).ends(2).complains(refused[0]);
    suite.advise(&["logs/poet.jsonl", "--save", "one"]).ends(0);
    suite.advise(&["logs", "--save", "one"]).ends(2).complains("each gets a suite in a folder of its own");
    suite.advise(&["logs", "--only-agent", "poet", "--save", "one"]).ends(0);
}

/// All agents are counted in the terminal, on the page and in the summary, also those beyond the largest, which have no verdict.
#[test]
fn agents_without_a_verdict_are_counted_and_named() {
    let suite = Suite::with(&[]);
    for (number, agent) in AGENTS.iter().enumerate() {
        let prompt = format!("You are {agent}.");
        let messages = [
            json!({"role": "system", "content": prompt}),
            json!({"role": "user", "content": "word ".repeat(20 - number)}),
            json!({"role": "assistant", "content": "Yes."}),
        ];
        // Each has a tool of its own, since prompts that all differ may hold the task.
        let function = json!({"name": format!("tool_{number}"), "parameters": {"type": "object"}});
        let log = json!({"messages": messages, "tools": [{"type": "function", "function": function}]});
        suite.write(&format!("logs/{number:02}.json"), &log.to_string());
    }
    suite.advise(&["logs"]).ends(0).says(
        "14 agents: baker (1 conversation), carpenter (1), doctor (1) and 11 more. Below:\nbaker. For another agent:\nptc-eval advise logs --only-agent carpenter\n",
    );
    let found = results(&suite, "reports/advice");
    assert_eq!(found["agents"].as_array().unwrap().len(), 12);
    let left = [json!({"name": "nurse", "conversations": 1}), json!({"name": "owner", "conversations": 1})];
    assert_eq!(found["unjudged_agents"].as_array().unwrap(), &left);
    let summary = suite.read("reports/advice/summary.md");
    let named = "These are the largest. Not judged, with their conversations: nurse (1), owner (1).";
    assert!(summary.contains("\n## 14 agents\n") && summary.contains(named), "{summary}");
    let page = suite.read("reports/advice/index.html");
    assert!(page.contains(named), "it names them");
    suite.advise(&["logs", "--only-agent", "owner"]).ends(0).says("owner: 1 conversation, 1 request");
}

/// The one that was sent most first.
const AGENTS: [&str; 14] = [
    "a baker",
    "a carpenter",
    "a doctor",
    "an editor",
    "a farmer",
    "a gardener",
    "a hunter",
    "an inspector",
    "a judge",
    "a king",
    "a lawyer",
    "a miner",
    "a nurse",
    "an owner",
];
