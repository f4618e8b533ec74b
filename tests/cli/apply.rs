//! `ptc-eval apply`: the text that it prints. `tests/apply/` runs it in agents.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::suite::Suite;

/// Coding agents, which have tests of their own.
const AGENTS: [&str; 9] =
    ["claude-code", "codex", "gemini-cli", "copilot-cli", "opencode", "pi", "goose", "roo", "cline"];

/// All libraries, as the help lists them.
fn targets() -> Vec<String> {
    let help = Suite::with(&[]).run(&["apply", "--help"]).out;
    let row = regex::Regex::new(r"(?m)^ +- ([a-z-]+):").unwrap();
    let targets: Vec<String> = row.captures_iter(&help).map(|found| found[1].to_owned()).collect();
    let (agents, targets): (Vec<String>, Vec<String>) =
        targets.into_iter().partition(|target| AGENTS.contains(&target.as_str()));
    assert_eq!(agents, AGENTS);
    assert!(targets.starts_with(&["python".to_owned(), "typescript".to_owned()]), "{help}");
    targets
}

fn printed(setting: &str, target: &str) -> String {
    let ran = Suite::with(&[]).run(&["apply", setting, "--for", target]);
    ran.ends(0);
    let steps = "What it saves and loses on your logs:  ptc-eval advise LOGS\nWhether it is on and saved, later:     ptc-eval effect BEFORE AFTER\n";
    let is_code = !AGENTS.contains(&target) && !ran.out.ends_with("there is nothing to switch on\n");
    assert_eq!(ran.err.contains(steps), is_code, "{setting} {target}: {}", ran.err);
    ran.out
}

#[test]
fn options_that_were_given_are_printed() {
    let rows = [
        ("fold,keep_recent_turns=5,read=0.25", "fold(messages, tokens, keep_recent_turns=5, read=0.25)"),
        ("trim-step-10", "trim(messages, keep_recent_turns=10, step=10)"),
        ("observation-masking", "mask(messages)"),
        (
            "clear-tool-results,exclude_tools=[read, ls],trigger={tokens: 900}",
            "clear(messages, tokens, exclude_tools=[\"read\",\"ls\"], trigger=900, fixed=FIXED_TOKENS)",
        ),
    ];
    for (setting, call) in rows {
        let python = printed(setting, "python");
        assert!(python.contains(&format!("\n    return {call}\n")), "{python}");
        let named =
            call.replace('=', ": ").replacen("keep_", "{ keep_", 1).replacen("exclude", "{ exclude", 1);
        let named = if named.contains('{') { named.replace(')', " })") } else { named };
        let typescript = printed(setting, "typescript");
        assert!(typescript.contains(&format!("\n  return {named};\n")), "{named} {typescript}");
    }
}

/// Tool names come from logs, perhaps a stranger's. They must not become code, nor look like other code.
#[test]
fn no_name_of_a_tool_ends_a_comment() {
    let setting = r#"clear-tool-results,exclude_tools=["*/ evil() /*\u2028evil()\u202e"]"#;
    for target in targets().iter().map(String::as_str).chain(["opencode", "pi"]) {
        let ran = Suite::with(&[]).run(&["apply", setting, "--for", target]);
        ran.ends(0);
        let file = ran.out;
        assert!(!file.contains("*/ evil") && !file.contains(['\u{2028}', '\u{202e}']), "{target}: {file}");
        assert!(file.contains(r#"*\u002f evil() /*\u2028evil()\u202e"]"#), "{target}: {file}");
    }
}

/// The name that a line defines for the whole file.
fn definition(line: &str) -> Option<&str> {
    let starts = ["def ", "class ", "function ", "type ", "const "];
    let line = line.strip_prefix("export ").unwrap_or(line);
    let rest = starts.iter().find_map(|start| line.strip_prefix(start))?;
    rest.split(|character: char| !character.is_alphanumeric() && character != '_').next()
}

/// Only what is needed is installed and printed.
#[test]
fn what_is_printed_stands_for_itself() {
    for setting in ["fold", "observation-masking", "trim", "clear-tool-results", "trim,trigger={tokens: 9}"] {
        for target in &targets() {
            let text = printed(setting, target);
            let is_edit = (setting, target.as_str()) == ("clear-tool-results", "anthropic-api");
            let counts = !["observation-masking", "trim"].contains(&setting) && !is_edit;
            assert_eq!(text.contains("tiktoken"), counts, "{setting} {target}");
            assert!(text.contains(&format!("`{setting}`")), "{setting} {target}");
            let capitals = ["SETTING", "INSTALL", "BELOW", "CALL", "NAMED", "FIELDS"];
            assert!(!capitals.iter().any(|word| text.contains(word)), "{text}");
            let defined = text.lines().filter_map(definition).collect::<Vec<_>>();
            let once: BTreeSet<&str> = defined.iter().copied().collect();
            assert_eq!(once.len(), defined.len(), "{setting} {target}: {defined:?}");
            assert!(!text.contains("main()") && !text.contains("\n\n\n\n"), "{text}");
        }
    }
}

#[test]
fn the_option_of_a_provider_is_printed() {
    let setting = "clear-tool-results,keep=5,clear_at_least=900,exclude_tools=[read],trigger={tokens: 30000}";
    let expected = r#"{"edits": [{"type": "clear_tool_uses_20250919", "clear_at_least": {"type": "input_tokens", "value": 900}, "exclude_tools": ["read"], "keep": {"type": "tool_uses", "value": 5}, "trigger": {"type": "input_tokens", "value": 30000}}]}"#;
    let text = printed(setting, "anthropic-api");
    assert!(text.contains(&format!("    \"context_management\": {expected},\n")), "{text}");
    let turns = ["apply", "clear-tool-results,trigger={turns: 3}", "--for", "anthropic-api"];
    Suite::with(&[]).run(&turns).ends(2).complains("has no option 'trigger: {turns}'");
}

/// Libraries and providers write summaries themselves, so what is printed is their own option.
#[test]
fn summaries_are_those_of_libraries_and_providers() {
    let langchain = [
        (
            "summary,keep_opening=false",
            r#"trigger=("fraction", 0.8), keep=("messages", 6), trim_tokens_to_summarize=None"#,
        ),
        (
            "langchain-summarization",
            r#"trigger=("fraction", 0.85), keep=("messages", 20), trim_tokens_to_summarize=4000"#,
        ),
        (
            "summary,keep_opening=false,keep_recent_turns=1,trigger={tokens: 50000}",
            r#"trigger=("tokens", 50000), keep=("messages", 2), trim_tokens_to_summarize=None"#,
        ),
        (
            "summary,keep_opening=false,keep_recent_tokens=9000,keep_recent_turns=1,trigger={window: 0.5}",
            r#"trigger=("fraction", 0.5), keep=("tokens", 9000), trim_tokens_to_summarize=None"#,
        ),
    ];
    for (setting, expected) in langchain {
        let text = printed(setting, "langchain");
        assert!(text.contains(&format!("    return SummarizationMiddleware(model, {expected})\n")), "{text}");
        assert!(!setting.starts_with("summary") || text.contains(&format!("`{setting}`")), "{text}");
        // With the opening it is another class.
        let opening = printed(&format!("{setting},keep_opening=true"), "langchain");
        assert!(opening.contains(&format!("    return Summarizing(model, {expected})\n")), "{opening}");
    }
    for target in ["openai-agents", "pydantic-ai", "ai-sdk", "anthropic-api", "litellm"] {
        for (setting, tokens) in
            [("summary,keep_recent_turns=0,keep_opening=false", "160000"), ("anthropic-compaction", "150000")]
        {
            let text = printed(setting, target);
            assert!(text.contains(tokens) && !text.contains("TOKENS"), "{setting} {target}: {text}");
        }
        let suite = Suite::with(&[]);
        for option in ["keep_first=1", "trigger={turns: 3}"] {
            let told = suite.run(&["apply", &format!("summary,{option}"), "--for", target]);
            told.ends(2).complains("has no option").complains("trigger by tokens or window");
        }
    }
}

/// A target that keeps less or more beside a summary than the strategy does is no way to switch it on.
#[test]
fn what_is_kept_beside_a_summary_is_the_same() {
    let rows = [
        ("summary", "anthropic-api", "summary,keep_recent_turns=0,keep_opening=false --for anthropic-api"),
        (
            "summary,keep_opening=false,keep_recent_turns=0,keep_recent_tokens=900,trigger={tokens: 5000}",
            "litellm",
            "'summary,keep_recent_turns=0,keep_opening=false,trigger={tokens: 5000}' --for litellm",
        ),
        ("summary,keep_recent_turns=0", "langchain", "summary,keep_recent_turns=1 --for langchain"),
        (
            "summary,keep_recent_tokens=900",
            "langchain",
            "summary,keep_recent_tokens=900,keep_recent_turns=1 --for langchain",
        ),
    ];
    for (setting, target, instead) in rows {
        let suite = Suite::with(&[]);
        let told = suite.run(&["apply", setting, "--for", target]);
        told.ends(2).complains(&format!("  = help: nearest to it is ptc-eval apply {instead}\n"));
        let words = instead.replace('\'', "");
        let (setting, _) = words.split_once(" --for ").unwrap();
        suite.run(&["apply", setting, "--for", target]).ends(0);
    }
}

/// A share of the window is no trigger that is left out.
#[test]
fn a_trigger_by_the_window_is_one_of_tokens() {
    let text = printed("trim,trigger={window: 0.5}", "python");
    assert!(text.contains("    if sum(tokens) + FIXED_TOKENS < 100000:\n"), "{text}");
    assert!(text.contains("`trim,trigger={window: 0.5}`"), "{text}");
    let edit = printed("clear-tool-results,trigger={window: 0.5}", "anthropic-api");
    assert!(edit.contains(r#""trigger": {"type": "input_tokens", "value": 100000}"#), "{edit}");
}

/// Each file that can set cache marks has what chooses them, and no other.
#[test]
fn marks_are_printed_where_the_library_can_send_them() {
    let mut marked = targets();
    marked.retain(|target| {
        let text = printed("fold", target);
        text.contains("def with_marks") || text.contains("function withMarks")
    });
    assert_eq!(marked, ["langchain", "pydantic-ai", "ai-sdk", "anthropic-api", "litellm"]);
}

#[test]
fn what_is_on_already_is_told() {
    for strategy in ["full-history", "as-recorded"] {
        let told = printed(strategy, "python");
        assert!(told.starts_with(strategy) && told.ends_with("there is nothing to switch on\n"), "{told}");
    }
}

#[test]
fn mistakes_are_told() {
    let suite = Suite::with(&[]);
    suite
        .run(&["apply", "fodl"])
        .ends(2)
        .complains("unknown strategy 'fodl'")
        .complains("did you mean 'fold'?");
    let lang = suite.run(&["apply", "fold", "--for", "langchian"]);
    lang.ends(2).complains("tip: a similar value exists: 'langchain'");
    suite.run(&["apply", "trim,stpe=2"]).ends(2).complains("did you mean 'step'?");
}

/// If `advise` rejects a setting by public experiments, `apply` warns and prints a command for a milder one.
#[test]
fn a_setting_bolder_than_public_ones_has_a_warning() {
    let rows = [
        (
            "clear-tool-results,trigger={tokens: 80000}",
            "pi",
            "it keeps only the newest 3 tool results, and no published",
            "'clear-tool-results,keep=5,trigger={tokens: 80000}' --for pi",
        ),
        (
            "fold,keep_recent_turns=2,read=0.25",
            "opencode",
            "it keeps only the newest 2 turns, and no published setting that puts a summary in place of old turns and keeps fewer than 5",
            "fold,read=0.25 --for opencode",
        ),
        (
            "observation-masking",
            "langchain",
            "at every request and keeps fewer than 10",
            "observation-masking,keep_recent_turns=10 --for langchain",
        ),
        (
            "trim,step=10",
            "python",
            "it drops old turns",
            "observation-masking,keep_recent_turns=10 --for python",
        ),
        // The suggestion keeps no fewer turns than the setting.
        (
            "trim,keep_recent_turns=50",
            "python",
            "it drops old turns",
            "observation-masking,keep_recent_turns=50 --for python",
        ),
        (
            "summary,keep_opening=false,keep_recent_turns=1",
            "langchain",
            "it keeps only the newest turn,",
            "summary,keep_opening=false,keep_recent_turns=5 --for langchain",
        ),
        ("summary,keep_opening=false,keep_recent_turns=0", "litellm", "it keeps no turns", ""),
    ];
    let suite = Suite::with(&[]);
    for (setting, target, reason, nearest) in rows {
        let ran = suite.run(&["apply", setting, "--for", target]);
        let err = ran.ends(0).err.replace('\n', " ");
        assert!(
            err.contains("warning: ptc-eval advise would not recommend this by default: "),
            "{setting}: {err}"
        );
        assert!(err.contains(reason), "{setting}: {err}");
        let Some((_, command)) = ran.err.split_once("nearest that it may recommend: ptc-eval ") else {
            assert_eq!(nearest, "", "{setting}: {}", ran.err);
            assert!(err.contains("ptc-eval advise LOGS shows what your sessions would lose"), "{err}");
            continue;
        };
        let command = command.lines().next().unwrap();
        assert_eq!(command, format!("apply {nearest}"), "{setting}");
        let (choice, target) = nearest.rsplit_once(" --for ").unwrap();
        let milder = suite.run(&["apply", choice.trim_matches('\''), "--for", target]);
        assert!(!milder.ends(0).err.contains("warning"), "{choice}: {}", milder.err);
    }
    for (setting, target) in
        [("fold", "pi"), ("codex,trigger={tokens: 100000}", "codex"), ("full-history", "python")]
    {
        let ran = suite.run(&["apply", setting, "--for", target]);
        assert!(!ran.ends(0).err.contains("warning"), "{setting}: {}", ran.err);
    }
}

/// The suggested command has the model, without which a share of the window is no size.
#[test]
fn the_nearest_setting_is_for_the_same_model() {
    let suite = Suite::with(&[]);
    let setting = "clear-tool-results,keep=1,trigger={window: 0.5}";
    let ran = suite.run(&["apply", setting, "--for", "claude-code", "--model", "claude-opus-4-5"]);
    let (_, command) = ran.ends(0).err.split_once("nearest that it may recommend: ").unwrap();
    let command = command.lines().next().unwrap();
    let nearest = "ptc-eval apply 'clear-tool-results,keep=5,trigger={window: 0.5}' --for claude-code";
    assert_eq!(command, format!("{nearest} --model claude-opus-4-5"));
    suite.run_typed(command).ends(0);
}

/// The turns that stay whole in batches are a multiple of those kept, which has a largest number.
#[test]
fn a_large_number_of_turns_is_no_error() {
    let ran = Suite::with(&[]).run(&["apply", "fold,keep_recent_turns=3000000000", "--for", "python"]);
    let err = ran.ends(0).err.replace('\n', " ");
    assert!(err.contains("Nobody has published results for that. Your agent may differ."), "{err}");
}

/// The published results are for people who have never heard of them, and a strategy that masks has those of masking.
#[test]
fn public_results_are_in_plain_words() {
    let fold = printed("fold", "opencode").replace("\n// ", " ");
    for text in [
        "coding agents did the same tasks with the whole history and with old tool results left out of every request.",
        "- SWE-agent, newest 10 turns kept whole: as many (1.5 fewer to 1.6 more, 2,496 pairs of runs)",
        "Nobody has published results for that. Your agent may differ.",
    ] {
        assert!(fold.contains(text), "{text}: {fold}");
    }
    assert!(!fold.contains("summar") && !fold.contains("OpenHands"), "{fold}");
    let ran = Suite::with(&[]).run(&["apply", "summary,keep_opening=false", "--for", "langchain"]);
    let err = ran.ends(0).err.replace('\n', " ");
    assert!(err.contains("with a summary in place of old turns."), "{err}");
    assert!(
        err.contains(
            "- OpenHands, newest 5 turns kept whole: 2.6 more (1.4 fewer to 6.6 more, 500 pairs of runs)"
        ),
        "{err}"
    );
}

/// A run with long results, each used two turns later.
fn messages(run: usize, form: fn(usize, String) -> [Value; 2]) -> Vec<Value> {
    let word = |turn: usize| format!("file_{run}_{turn}_x.txt");
    let turns = (0..60).map(|turn| (turn, format!("{} {}", word(turn + 2), "filler ".repeat(400))));
    turns.flat_map(|(turn, text)| form(turn, word(turn) + " " + &text)).collect()
}

/// A framework that the logs name is that of the command. What advise prints can be run.
#[test]
fn advise_says_what_to_apply() {
    let langchain = |turn: usize, text: String| {
        let name = text.split(' ').next().unwrap_or_default();
        let call = json!({"name": "read", "args": {"file": name}, "id": format!("c{turn}")});
        [
            json!({"type": "ai", "content": "", "tool_calls": [call]}),
            json!({"type": "tool", "content": text, "tool_call_id": format!("c{turn}")}),
        ]
    };
    let suite = Suite::with(&[]);
    for run in 0..4 {
        let human = json!({"type": "human", "content": format!("Find the last file of run {run}.")});
        let end = json!({"type": "ai", "content": "Done."});
        let messages: Vec<Value> = [human].into_iter().chain(messages(run, langchain)).chain([end]).collect();
        suite.write(&format!("logs/{run}.json"), &json!({"messages": messages}).to_string());
    }
    let advice = suite.advise(&["logs"]);
    let lines = advice.out.lines().filter_map(|line| line.trim_start().strip_prefix("ptc-eval apply "));
    let settings: Vec<&str> = lines.filter_map(|line| line.strip_suffix(" --for langchain")).collect();
    assert!(
        settings.iter().any(|setting| setting.contains("clear-tool-results,keep=5,trigger=")),
        "{}",
        advice.out
    );
    assert!(settings.len() > 1, "{}", advice.out);
    for setting in settings {
        let words = ["apply", setting.trim_matches('\''), "--for", "langchain"];
        suite.run(&words).ends(0).says("class ShorterHistory(AgentMiddleware):");
    }
}
