//! Agents in folders of logs: which conversations belong together, and the names that they get.

use agent_logs::{AgentMarks, Transcript, agents_of, read};
use serde_json::{Value, json};

/// A conversation of a format with a prompt, declared tools and a call of each of some tools.
struct Log {
    format: &'static str,
    system: Option<String>,
    declared: Vec<String>,
    called: &'static [&'static str],
}

fn log(format: &'static str, system: Option<&str>, called: &'static [&'static str]) -> Log {
    Log { format, system: system.map(str::to_owned), declared: Vec::new(), called }
}

impl Log {
    fn declaring(self, tools: &[&str]) -> Log {
        Log { declared: tools.iter().map(|tool| (*tool).to_owned()).collect(), ..self }
    }

    fn transcript(&self) -> Transcript {
        let call =
            |(id, name): (usize, &&str)| json!({"id": format!("c{id}"), "name": name, "arguments": {}});
        let calls: Vec<Value> = self.called.iter().enumerate().map(call).collect();
        let tools: Vec<Value> = self.declared.iter().map(|name| json!({"name": name})).collect();
        serde_json::from_value(json!({
            "source": {"format": self.format}, "system": self.system, "tools": tools,
            "messages": [{"role": "user", "content": "Begin."}, {"role": "assistant", "content": "Yes.", "tool_calls": calls}],
        }))
        .unwrap()
    }
}

/// `name: indices`, the agent with most input tokens first. A prompt is sent with every request.
#[track_caller]
fn check(logs: &[Log], expected: &[(&str, &[usize])]) {
    let marks: Vec<AgentMarks> =
        logs.iter().map(|log| AgentMarks::from_transcript(&log.transcript())).collect();
    let agents = agents_of(&marks.iter().collect::<Vec<_>>());
    let found: Vec<(&str, &[usize])> =
        agents.iter().map(|agent| (agent.name.as_str(), agent.conversations.as_slice())).collect();
    assert_eq!(found, expected);
}

#[test]
fn dates_and_folders_in_a_prompt_do_not_make_another_agent() {
    let prompt = |day: &str, folder: &str| {
        format!("You are a release agent working in {folder} on {day}.\nThe user is called {day}.")
    };
    let prompts = [
        prompt("Monday 2026-11-23", "/home/ann/shop"),
        prompt("Tuesday 2026-11-24", "/home/bob/site"),
        prompt("Friday 2026-11-27", r"C:\Users\eve\api"),
    ];
    let logs: Vec<Log> = prompts.iter().map(|prompt| log("openai-chat", Some(prompt), &[])).collect();
    check(&logs, &[("release-agent", &[0, 1, 2])]);
    let begins = |line: &str| format!("{line}\n\n# Airline Agent Policy\n\nBe kind.");
    let prompts = [begins("2026-11-23"), begins("2026-11-24"), begins("Saturday, 2026-11-28")];
    let logs: Vec<Log> = prompts.iter().map(|prompt| log("openai-chat", Some(prompt), &[])).collect();
    check(&logs, &[("airline-agent-policy", &[0, 1, 2])]);
}

#[test]
fn prompts_and_declared_tools_tell_agents_apart() {
    let planner = "You are a planner that splits work.";
    let helper = "You are a helpful assistant.";
    let logs = [
        log("openai-chat", Some(planner), &[]),
        log("openai-chat", Some(helper), &[]).declaring(&["search", "open", "quote"]),
        log("openai-chat", Some(helper), &[]).declaring(&["pay", "refund"]),
        log("openai-chat", Some(helper), &[]).declaring(&["search", "open", "quote", "weather"]),
        log("anthropic", Some(helper), &[]).declaring(&["search", "open", "quote"]),
    ];
    check(
        &logs,
        &[
            ("helpful-assistant-weather", &[1, 3]),
            ("planner", &[0]),
            ("helpful-assistant-pay", &[2]),
            ("helpful-assistant", &[4]),
        ],
    );
}

/// Each session of a coding agent calls a few of its tools, and its prompt changes with the version.
#[test]
fn a_program_for_coding_is_one_agent() {
    let logs = [
        log("codex", Some("You are Codex, based on GPT-5."), &["exec"]),
        log("codex", Some("You are Codex, an agent based on GPT-5."), &["apply_patch"])
            .declaring(&["spawn_agent"]),
        log("claude-code", None, &["Read"]),
        log("claude-code", None, &["Bash"]),
        log("claude-code", None, &[]),
    ];
    check(&logs, &[("codex", &[0, 1]), ("claude-code", &[2, 3, 4])]);
}

/// Without prompts and declared tools, agents are told apart by the tools they call, also indirectly through
/// a third run.
#[test]
fn runs_that_share_a_tool_are_of_one_agent() {
    let logs = [
        log("openai-chat", None, &["list_airports"]),
        log("openai-chat", None, &["cancel"]),
        log("openai-chat", None, &["list_airports", "cancel"]),
        log("openai-chat", None, &["run_shell_command"]),
        log("openai-chat", None, &[]),
    ];
    check(&logs, &[("openai-chat-cancel", &[0, 1, 2, 4]), ("openai-chat-run-shell-command", &[3])]);
}

/// An agent with the task in its prompt has a different prompt in each run.
#[test]
fn prompts_that_hold_the_task_tell_no_agents_apart() {
    let tasks = ["mend", "write", "read", "move", "count", "sort", "draw", "name"];
    let prompts: Vec<String> =
        tasks.iter().map(|task| format!("Please {task} all of these files for me.")).collect();
    let logs: Vec<Log> = prompts.iter().map(|prompt| log("openai-chat", Some(prompt), &["sh"])).collect();
    check(&logs, &[("openai-chat", &[0, 1, 2, 3, 4, 5, 6, 7])]);
    check(&logs[..2], &[("please-mend-all", &[0]), ("please-write-all", &[1])]);
    // Five prompts of eight are most of them, four are not.
    let repeated = |distinct: usize| {
        let prompt = |at: usize| log("openai-chat", Some(&prompts[at % distinct]), &["sh"]);
        (0..8).map(prompt).collect::<Vec<Log>>()
    };
    check(&repeated(5), &[("openai-chat", &[0, 1, 2, 3, 4, 5, 6, 7])]);
    let expected: [(&str, &[usize]); 4] = [
        ("please-mend-all", &[0, 4]),
        ("please-write-all", &[1, 5]),
        ("please-read-all", &[2, 6]),
        ("please-move-all", &[3, 7]),
    ];
    check(&repeated(4), &expected);
}

/// A leading heading does not identify an agent, unless the prompt has nothing else.
#[test]
fn headings_are_no_names() {
    for (prompt, name) in [
        ("SETTING: You are a pump agent.", "pump-agent"),
        ("Setting:", "setting"),
        ("Pump agent: you mend pumps.", "pump-agent"),
    ] {
        check(&[log("openai-chat", Some(prompt), &[])], &[(name, &[0])]);
    }
}

/// Programs make the calls of journals, each those that it needs.
#[test]
fn calls_of_programs_tell_no_agents_apart() {
    let prompt = Some("You return one JSON object and nothing else.");
    let logs = [
        log("ptc-journal", None, &["evidence.get"]),
        log("ptc-journal", None, &["evidence.list"]),
        log("ptc-journal", prompt, &[]),
    ];
    check(&logs, &[("return-one-json-object", &[2]), ("ptc-journal", &[0, 1])]);
}

/// Whoever pays for a session pays for its subagents.
#[test]
fn subagents_belong_to_the_agent_of_their_session() {
    let mut subagent = log("claude-code", Some("You are a search agent."), &["Grep"]).transcript();
    subagent.source.as_mut().unwrap().is_subagent = true;
    let session = log("claude-code", None, &["Bash"]).transcript();
    let marks = [AgentMarks::from_transcript(&session), AgentMarks::from_transcript(&subagent)];
    let agents = agents_of(&marks.iter().collect::<Vec<_>>());
    assert_eq!(agents.len(), 1);
    assert_eq!((agents[0].name.as_str(), agents[0].conversations.as_slice()), ("claude-code", &[0, 1][..]));
}

/// Claude Code shows the answers of subagents in the session, and keeps their conversations in files beside it.
#[test]
fn answers_of_subagents_are_missing_only_if_no_log_has_them() {
    let session = std::fs::read("tests/logs/claude-code/subagent-progress.jsonl").unwrap();
    let subagent = br#"{"type":"user","uuid":"b1","parentUuid":null,"sessionId":"s-3","isSidechain":true,"agentId":"g1","message":{"role":"user","content":"look"}}
{"type":"assistant","uuid":"b2","parentUuid":"b1","sessionId":"s-3","isSidechain":true,"agentId":"g1","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"Two rooms."}]}}"#;
    let notes_on = |log: &[u8], file: &str| {
        let take = &mut |_| std::ops::ControlFlow::Continue(());
        agent_logs::read(log, file, agent_logs::ReadOptions::default(), take).unwrap()
    };
    let said = |notes: &agent_logs::Notes| notes.lines().collect::<Vec<_>>().join("\n");
    let mut notes = notes_on(&session, "s-3.jsonl");
    assert!(said(&notes).contains("2 billed calls are missing from 1 log: 570 input tokens"));
    notes.merge(notes_on(subagent, "agent-g1.jsonl"));
    assert!(said(&notes).contains("1 billed call is missing from 1 log: 70 input tokens"));
    assert!(said(&notes).contains("without a text in the log, left out: 1 (s-3.jsonl:4)"));
}

/// Lines that no agent sends would push what was lost off the screen.
#[test]
fn what_no_agent_sends_shares_one_short_line() {
    let mut notes = agent_logs::Notes { file: "s.jsonl".to_owned(), ..agent_logs::Notes::default() };
    notes.note("lines of the type progress, which are not sent", agent_logs::LogPlace::default());
    notes.note("reasoning left out", agent_logs::LogPlace::default());
    notes.note("lines of the type queue, which are not sent", agent_logs::LogPlace::default());
    notes.note("lines of the type progress, which are not sent", agent_logs::LogPlace::default());
    assert_eq!(
        notes.short_lines(),
        [
            "reasoning left out: 1 (s.jsonl)",
            "not sent, so left out: lines of the type progress: 2; lines of the type queue: 1"
        ]
    );
    assert_eq!(notes.lines().count(), 3);
}

/// A folder of sessions has dozens of kinds that differ in the name of an attachment or a field alone.
#[test]
fn kinds_that_differ_in_one_word_share_one_short_line() {
    let mut notes = agent_logs::Notes { file: "s.jsonl".to_owned(), ..agent_logs::Notes::default() };
    for name in ["plan", "todo", "plan", "file"] {
        notes.lost(format!("attachments of the type {name:?} left out"), agent_logs::LogPlace::default());
    }
    notes.note("attachments of the type \"date\" left out", agent_logs::LogPlace::default());
    notes.lost("fields id of calls left out", agent_logs::LogPlace::default());
    notes.lost("fields id of items left out", agent_logs::LogPlace::default());
    assert_eq!(
        notes.short_lines(),
        [
            r#"attachments of the type … left out: "plan" 2, "todo" 1, "file" 1 (s.jsonl, …)"#,
            r#"attachments of the type "date" left out: 1 (s.jsonl)"#,
            "fields id of calls left out: 1 (s.jsonl)",
            "fields id of items left out: 1 (s.jsonl)",
        ]
    );
}

/// Kinds hold names of the logs, so that a large folder may have thousands.
#[test]
fn kinds_beyond_the_hundredth_of_many_logs_are_counted_together() {
    let mut all = agent_logs::Notes::default();
    for number in 0..150 {
        let mut notes = agent_logs::Notes { file: format!("{number}.json"), ..agent_logs::Notes::default() };
        notes.lost(format!("fields f{number} left out"), agent_logs::LogPlace::default());
        all.merge(notes);
    }
    assert_eq!(all.notes.len(), 101);
    assert_eq!(
        all.notes.last().map(|note| (note.kind.as_str(), note.count)),
        Some(("other things left out", 50))
    );
}

/// Programs that change their prompts from version to version are one agent, and no other formats are.
#[test]
fn the_sessions_of_one_product_are_one_agent() {
    let of_format = |format: &'static str| {
        let marks: Vec<AgentMarks> = ["You repair pumps.", "You sail boats."]
            .iter()
            .map(|prompt| AgentMarks::from_transcript(&log(format, Some(prompt), &[]).transcript()))
            .collect();
        agents_of(&marks.iter().collect::<Vec<_>>()).len()
    };
    assert_eq!(of_format("openai-chat"), 2);
    let products =
        "aider chatgpt claude claude-code cline codex copilot-cli goose kimi-cli opencode openhands pi roo";
    for product in products.split(' ') {
        assert_eq!(of_format(product), 1, "{product}");
    }
}

/// Every name of a day and a month changes from run to run.
#[test]
fn days_and_months_are_no_part_of_a_prompt() {
    let days = "monday tuesday wednesday thursday friday saturday sunday";
    let months = "january february march april may june july august september october november december";
    for word in days.split(' ').chain(months.split(' ')) {
        let prompts = [format!("You are a {word} pump agent."), "You are a pump agent.".to_owned()];
        let logs: Vec<Log> = prompts.iter().map(|prompt| log("openai-chat", Some(prompt), &[])).collect();
        check(&logs, &[("pump-agent", &[0, 1])]);
    }
}

/// Declared tools are all of an agent's: one that is shared is too little. Of calls one is enough.
#[test]
fn agents_share_half_of_the_tools_that_they_declare() {
    let declaring = |tools: &[&str]| log("openai-chat", None, &[]).declaring(tools);
    let logs = [declaring(&["find", "read", "write", "run"]), declaring(&["find", "pay", "book", "call"])];
    let marks: Vec<AgentMarks> =
        logs.iter().map(|log| AgentMarks::from_transcript(&log.transcript())).collect();
    assert_eq!(agents_of(&marks.iter().collect::<Vec<_>>()).len(), 2);
    let calling = [
        log("openai-chat", None, &["find", "read", "write", "run"]),
        log("openai-chat", None, &["find", "pay", "book", "call"]),
    ];
    let marks: Vec<AgentMarks> =
        calling.iter().map(|log| AgentMarks::from_transcript(&log.transcript())).collect();
    assert_eq!(agents_of(&marks.iter().collect::<Vec<_>>()).len(), 1);
}

/// Notes on two logs name the compactions of both.
#[test]
fn compactions_of_several_logs_are_counted_together() {
    let log = std::fs::read("tests/logs/claude-code/compacted.jsonl").unwrap();
    let notes = |file: &str| {
        read(log.as_slice(), file, None, &mut |_| std::ops::ControlFlow::Continue(()))
            .unwrap()
            .tallies
            .compactions
    };
    let mut all = agent_logs::Notes::default();
    for file in ["a.jsonl", "b.jsonl"] {
        all.merge(read(log.as_slice(), file, None, &mut |_| std::ops::ControlFlow::Continue(())).unwrap());
    }
    let one = notes("a.jsonl");
    assert!(one.number > 0 && one.sessions > 0);
    let both = &all.tallies.compactions;
    assert_eq!((both.number, both.sessions), (2 * one.number, 2 * one.sessions));
    assert_eq!(both.places.files.len(), 2);
}

#[test]
fn an_answer_ends_after_its_duration() {
    let message =
        json!({"role": "assistant", "content": "Yes.", "time": "2026-10-02T11:30:00Z", "duration": 2.5});
    let message: agent_logs::TranscriptMessage = serde_json::from_value(message).unwrap();
    assert_eq!(message.ended().unwrap().to_string(), "2026-10-02T11:30:02.500Z");
}

/// A name ends with a whole word, at 32 characters at most.
#[test]
fn long_names_end_with_a_word() {
    let prompt = Some("You are a pump agent.");
    let other = || log("openai-chat", prompt, &["close"]).declaring(&["close"]);
    for (tool, name) in [
        ("open_the_red_valve_slowly", "pump-agent-open-the-red-valve"),
        ("open_the_red_valve_no_more", "pump-agent-open-the-red-valve-no"),
        ("open_the_red_valve_so", "pump-agent-open-the-red-valve-so"),
    ] {
        let long = log("openai-chat", prompt, &[]).declaring(&[tool]);
        check(&[long, other()], &[(name, &[0]), ("pump-agent-close", &[1])]);
    }
}

/// A note found in several logs has their number, unless each log has it once.
#[test]
fn notes_of_several_logs_are_counted_together() {
    let notes = |file: &str, times: usize| {
        let mut notes = agent_logs::Notes { file: file.to_owned(), ..agent_logs::Notes::default() };
        for _ in 0..times {
            notes.note("reasoning left out", agent_logs::LogPlace::default());
        }
        notes
    };
    for (times, line) in [
        (1, "reasoning left out: 2 (a.jsonl, b.jsonl)"),
        (2, "reasoning left out: 3 in 2 logs (a.jsonl, b.jsonl, …)"),
    ] {
        let mut all = agent_logs::Notes::default();
        all.merge(notes("a.jsonl", 1));
        all.merge(notes("b.jsonl", times));
        assert_eq!(all.lines().collect::<Vec<_>>(), [line]);
    }
}

/// A tool or a number after a name may make the name of another agent.
#[test]
fn names_are_unique() {
    let one = |format: &'static str, tool: &'static str| log(format, None, &[]).declaring(&[tool]);
    let logs = [one("x", "read"), one("x", "sum"), one("x-read", "look"), one("x-read-2", "list")];
    let marks: Vec<AgentMarks> =
        logs.iter().map(|log| AgentMarks::from_transcript(&log.transcript())).collect();
    let agents = agents_of(&marks.iter().collect::<Vec<_>>());
    let mut names: Vec<String> = agents.into_iter().map(|agent| agent.name).collect();
    names.sort();
    assert_eq!(names, ["x-read", "x-read-2", "x-read-2-2", "x-sum"]);
}

/// The line that introduces an agent has two words or more. Signs around its words do not matter.
#[test]
fn an_agent_is_introduced_by_a_line() {
    let prompt = |sign: &str| format!("# Setting\nHello!\nYou are a pump agent{sign} kind and quick.");
    let logs = [",", ";", ""].map(|sign| log("openai-chat", Some(&prompt(sign)), &[]));
    check(&logs[..2], &[("pump-agent", &[0, 1])]);
    check(&logs[..1], &[("pump-agent", &[0])]);
    let neutral: Transcript = serde_json::from_value(json!({"messages": []})).unwrap();
    assert_eq!(agents_of(&[&AgentMarks::from_transcript(&neutral)])[0].name, "transcript");
}

/// Of the tools that only one of two agents has, it is named after the one of most conversations.
#[test]
fn an_agent_is_named_after_its_most_common_tool() {
    let prompt = Some("You are a pump agent.");
    let declaring = |tools: &[&str]| log("openai-chat", prompt, &[]).declaring(tools);
    let logs = [declaring(&["open", "turn"]), declaring(&["turn"]), declaring(&["read"])];
    check(&logs, &[("pump-agent-turn", &[0, 1]), ("pump-agent-read", &[2])]);
}

/// Without bills, an agent sent its history before each answer: texts and arguments.
#[test]
fn arguments_are_part_of_the_history() {
    let marks = |prompt: &str, question: &str, arguments: &str| {
        let call = json!({"id": "c", "name": "look", "arguments": {"a": arguments}});
        let transcript = serde_json::from_value(json!({
            "source": {"format": "openai-chat"}, "system": prompt,
            "messages": [
                {"role": "user", "content": question}, {"role": "assistant", "content": "Yes.", "tool_calls": [call]},
                {"role": "tool", "content": "b", "call": "c"}, {"role": "assistant", "content": "No."},
            ],
        }));
        AgentMarks::from_transcript(&transcript.unwrap())
    };
    let (short, long) = ("x".repeat(80), "x".repeat(400));
    let first = |one: &AgentMarks, other: &AgentMarks| agents_of(&[one, other])[0].name.clone();
    // 400 characters of arguments are sent once, and 150 of a question twice.
    let (seals, pumps) =
        (marks("You are a seal agent.", "b", &long), marks("You are a pump agent.", &"q".repeat(150), ""));
    assert_eq!(first(&seals, &pumps), "seal-agent");
    let (seals, pumps) =
        (marks("You are a seal agent.", "b", &short), marks("You are a pump agent.", &"q".repeat(150), ""));
    assert_eq!(first(&seals, &pumps), "pump-agent");
}
