//! `ptc-eval apply` for coding agents: their settings and hooks. `tests/apply/test_hooks.py` runs the hooks.

use super::suite::Suite;
use ptc_eval::compression::read_products;

/// Each value was tried with the real program, which compacted at the size.
#[test]
fn a_setting_has_its_file_and_its_value() {
    let rows = [
        ("claude-code,trigger={tokens: 100000}", "claude-code", "", r#""autoCompactWindow": 133000"#),
        ("claude-code,trigger={tokens: 67000}", "claude-code", "", r#""autoCompactWindow": 100000"#),
        // Half of a window of a million is not 100,000.
        (
            "claude-code,trigger={window: 0.5}",
            "claude-code",
            "claude-opus-5-5",
            r#""autoCompactWindow": 533000"#,
        ),
        ("codex,trigger={tokens: 100000}", "codex", "", "model_auto_compact_token_limit = 100000"),
        (
            "pi,trigger={tokens: 100000}",
            "pi",
            "claude-haiku-4-5",
            r#""compaction": {"reserveTokens": 100000}"#,
        ),
        (
            "opencode,trigger={tokens: 100000}",
            "opencode",
            "claude-haiku-4-5",
            r#""limit": {"context": 200000, "input": 120000, "output": 32000}"#,
        ),
        (
            "gemini-cli,trigger={tokens: 200000}",
            "gemini-cli",
            "gemini-2.5-pro",
            r#""model": {"compressionThreshold": 0.19}"#,
        ),
        (
            "as-recorded,result_limit=16000,keep_start=8000,keep_end=8000",
            "codex",
            "",
            "\ntool_output_token_limit = 4000\n",
        ),
        (
            "as-recorded,result_limit=10000,keep_start=2000,only_tools=[Bash]",
            "claude-code",
            "",
            r#""bashOutputMaxChars": 10000"#,
        ),
        (
            "as-recorded,result_limit=10000,keep_start=2000,keep_end=8000",
            "gemini-cli",
            "",
            r#""tools": {"truncateToolOutputThreshold": 10000}"#,
        ),
        (
            "summary,trigger={tokens: 80000}",
            "copilot-cli",
            "",
            "export COPILOT_PROVIDER_MAX_PROMPT_TOKENS=100000",
        ),
        // The spelling of reports.
        ("claude-code,trigger=tokens=100000", "claude-code", "", r#""autoCompactWindow": 133000"#),
    ];
    let suite = Suite::with(&[]);
    for (setting, target, model, line) in rows {
        let mut words = vec!["apply", setting, "--for", target];
        if !model.is_empty() {
            words.extend(["--model", model]);
        }
        let ran = suite.run(&words);
        ran.ends(0).says(line);
        // Which version it was tried with, and each line as wide as a terminal.
        assert!(
            ran.out.contains("\nIn ") && ran.out.replace('\n', " ").contains("Tested with "),
            "{}",
            ran.out
        );
        assert!(ran.out.lines().all(|line| line.chars().count() <= 80), "{}", ran.out);
        check_pasted(&ran.out);
    }
}

/// The lines below a place are valid there.
fn check_pasted(text: &str) {
    let (_, after) = text.split_once("\nIn ").unwrap();
    let (place, after) = after.split_once(":\n\n").unwrap();
    let (pasted, _) = after.split_once("\n\n").unwrap();
    assert!(pasted.lines().all(|line| line.len() <= 80), "{pasted}");
    if place.ends_with(".json, in the outermost braces") {
        serde_json::from_str::<serde_json::Value>(&format!("{{{pasted}}}")).unwrap();
    } else if place.ends_with(".toml, above the first [table]") {
        let (key, value) = pasted.split_once(" = ").unwrap();
        assert!(key.chars().all(|c| c.is_ascii_lowercase() || c == '_') && value.parse::<u32>().is_ok());
    } else {
        let (name, value) = pasted.strip_prefix("export ").unwrap().split_once('=').unwrap();
        assert!(name.chars().all(|c| c.is_ascii_uppercase() || c == '_') && value.parse::<f64>().is_ok());
    }
}

/// A product drops such a value without a word, so it is never printed.
#[test]
fn a_value_that_a_product_ignores_is_refused() {
    let rows = [
        (
            "claude-code,trigger={tokens: 50000}",
            "claude-code",
            "drops an autoCompactWindow below 100,000",
            "'claude-code,trigger={tokens: 67000}' --for claude-code",
        ),
        ("codex,trigger={tokens: 990000}", "codex", "at 90% of the model's window", "nearest to it is"),
        (
            "codex,trigger={tokens: 20000}",
            "codex",
            "it would compact at nearly every request",
            "'codex,trigger={tokens: 30000}' --for codex",
        ),
        (
            "pi,trigger={tokens: 199000}",
            "pi",
            "reserves 16,384 tokens",
            "'pi,trigger={tokens: 183616}' --for pi",
        ),
        ("summary", "cline", "Cline has no setting", ""),
        ("codex,trigger={turns: 9}", "codex", "only the size at which it does can be set", "--for codex"),
        ("codex,trigger={idle: 10m}", "codex", "only the size at which it does can be set", "--for codex"),
        ("codex,keep_recent_turns=2", "codex", "only the size at which it does can be set", "--for codex"),
        ("fold", "codex", "Codex has no way to do fold", "it can compact earlier"),
        ("fold", "claude-code", "Claude Code has no way to do fold", "its hook can do clear-tool-results"),
    ];
    let suite = Suite::with(&[]);
    for (setting, target, reason, help) in rows {
        let model = if target == "pi" { "claude-haiku-4-5" } else { "gpt-5.5" };
        let ran = suite.run(&["apply", setting, "--for", target, "--model", model]);
        ran.ends(2).complains(reason).complains(help);
        assert_eq!(ran.out, "");
    }
    suite.run(&["apply", "pi", "--for", "pi"]).ends(2).complains("name the model with --model");
}

/// Products have windows of their own, and the reason of a refusal is the bound that the value crosses.
#[test]
fn a_size_beyond_the_window_of_the_product_is_refused() {
    let suite = Suite::with(&[]);
    for (setting, target, model, reason, nearest) in [
        // The API gives gpt-5.5 a window of 1,050,000 tokens, Codex 272,000.
        ("codex,trigger={tokens: 262000}", "codex", "gpt-5.5", "at 90% of the model's window", "244800"),
        (
            "claude-code,trigger={tokens: 180000}",
            "claude-code",
            "claude-opus-4-5",
            "33,000 tokens before",
            "167000",
        ),
        (
            "claude-code,trigger={tokens: 990000}",
            "claude-code",
            "claude-opus-5-5",
            "33,000 tokens before",
            "967000",
        ),
    ] {
        let ran = suite.run(&["apply", setting, "--for", target, "--model", model]);
        ran.ends(2).complains(reason).complains(&format!("{target},trigger={{tokens: {nearest}}}"));
    }
    suite.run(&["apply", "codex", "--for", "codex", "--model", "gpt-5.5"]).ends(0).says("at 244,800 tokens");
    suite
        .run(&["apply", "claude-code", "--for", "claude-code", "--model", "claude-opus-5-5"])
        .says("at 967,000 tokens");
}

/// opencode takes every export for a plugin, and a package would have to be installed.
#[test]
fn a_hook_is_one_file_with_one_export() {
    let suite = Suite::with(&[]);
    for target in ["pi", "opencode"] {
        for setting in ["fold", "observation-masking", "clear-tool-results,trigger={tokens: 900}"] {
            let ran = suite.run(&["apply", setting, "--for", target]);
            ran.ends(0).says(&format!("// `{setting}`, as "));
            assert_eq!(ran.out.matches("export ").count(), 1, "{}", ran.out);
            assert!(!ran.out.contains("import ") && !ran.out.contains("INSTALL"), "{}", ran.out);
        }
    }
    let ran = suite.run(&["apply", "clear-tool-results,keep=5", "--for", "claude-code"]);
    ran.ends(0).says("const KEEP = 5;\n").says("mods enabled").says(".claude-plugin/plugin.json");
    suite.run(&["apply", "clear-tool-results", "--for", "claude-code"]).ends(0).says("const KEEP = 3;\n");
}

/// The mod runs at the size of a setting, whose value is computed. A size is never dropped without a word.
#[test]
fn the_mod_for_claude_code_names_its_setting_with_value_and_file() {
    let suite = Suite::with(&[]);
    let apply = |more: &[&str]| suite.run(&[&["apply"], more, &["--for", "claude-code"]].concat());
    let place = "put this into ~/.claude/settings.json, in the outermost braces.";
    let sized = apply(&["clear-tool-results,trigger={tokens: 100000}"]);
    sized.ends(0).says("// `clear-tool-results,keep=3,trigger={tokens: 100000}`, as a mod").says(place);
    sized.says("To run it at 100,000 tokens, ").says("//     \"autoCompactWindow\": 133000\n");
    let opus = apply(&["clear-tool-results", "--model", "claude-opus-5-5"]);
    opus.ends(0).says("To run it at 500,000 tokens, half of the window of claude-opus-5-5, ");
    opus.says("//     \"autoCompactWindow\": 533000\n");
    let unknown = apply(&["clear-tool-results"]).ends(0).out.replace("\n// ", " ");
    for text in ["~/.claude/settings.json", "with --model NAME", "depends on the window of your model"] {
        assert!(unknown.contains(text), "{unknown}");
    }
    apply(&["clear-tool-results,trigger={tokens: 50000}"])
        .ends(2)
        .complains("apply 'clear-tool-results,trigger={tokens: 67000}' --for claude-code");
    // The suggestion has all other options, and quotes.
    apply(&["clear-tool-results,keep=7,trigger={tokens: 50000}"])
        .ends(2)
        .complains("apply 'clear-tool-results,keep=7,trigger={tokens: 67000}' --for claude-code");
    apply(&["clear-tool-results,trigger={window: 0.3}"]).ends(2).complains("name the model with --model");
    apply(&["clear-tool-results,trigger={turns: 30}"]).ends(2).complains("has no option 'trigger: {turns}'");
}

/// `apply` has no logs, so a file says where its loss can be measured, and the public evidence.
#[test]
fn the_file_of_a_hook_says_what_is_lost() {
    let suite = Suite::with(&[]);
    for (target, setting, logs, evidence) in [
        ("pi", "observation-masking", "--agent pi", "OpenHands, newest 5 turns kept whole: 11.2 fewer"),
        ("opencode", "fold", "LOGS", "SWE-agent, newest 10 turns kept whole: as many"),
        (
            "claude-code",
            "clear-tool-results",
            "--agent claude-code",
            "SWE-agent, newest 5 turns kept whole: 2.5 fewer",
        ),
    ] {
        let file = suite.run(&["apply", setting, "--for", target]).ends(0).out.replace("\n// ", " ");
        let text = format!(
            "What it saves and loses in your sessions is not measured: run `ptc-eval advise {logs}`."
        );
        assert!(file.contains(&text) && file.contains(evidence), "{target}: {file}");
        assert!(
            file.contains("To undo it, delete this file") && file.contains(" and restart "),
            "{target}: {file}"
        );
        assert!(!["LOSS", "SIZE", "NEXT"].iter().any(|word| file.contains(word)), "{file}");
    }
}

/// How a line gets into a file that has other settings, or is missing, and what comes after it.
#[test]
fn a_setting_has_the_steps_around_it() {
    let rows: [(&str, &str, &[&str]); 4] = [
        (
            "claude-code,trigger={tokens: 100000}",
            "claude-code",
            &[
                "JSON needs a comma between two settings.\n",
                "If \"autoCompactWindow\" is there already, change its value.\n",
                "If the file is missing, create it with {\"autoCompactWindow\": 133000}\n",
                "Then restart Claude Code.\n",
                "session logs (~/.claude/projects) from before",
            ],
        ),
        (
            "codex,trigger={tokens: 100000}",
            "codex",
            &["If the file is missing, create it with this line alone.\n", "Then restart Codex.\n"],
        ),
        (
            "pi,trigger={tokens: 100000}",
            "pi",
            &[
                "If \"compaction\" is there already, put what is inside its braces into those.\n",
                "If the file is missing, create it with {\"compaction\": {\"reserveTokens\": 100000}}\n",
            ],
        ),
        ("summary,trigger={tokens: 80000}", "copilot-cli", &["Then start Copilot CLI from this shell.\n"]),
    ];
    let suite = Suite::with(&[]);
    for (setting, target, steps) in rows {
        let model = if target == "pi" { "claude-haiku-4-5" } else { "gpt-5.5" };
        let ran = suite.run(&["apply", setting, "--for", target, "--model", model]);
        for step in steps {
            ran.ends(0).says(step);
        }
        assert_eq!(ran.out.contains("JSON"), ["claude-code", "pi"].contains(&target), "{}", ran.out);
        assert_eq!(ran.out.contains("file is missing"), target != "copilot-cli", "{}", ran.out);
    }
}

#[test]
fn the_data_files_of_products_are_valid() {
    let products = read_products().unwrap();
    assert!(products.is_sorted_by_key(|product| &product.name));
    let formats = Suite::with(&[]).run(&["list", "formats"]).out;
    for product in products {
        assert!(!product.version.is_empty(), "{}", product.name);
        for logs in &product.logs {
            assert!(formats.lines().any(|line| line.split(' ').next() == Some(logs)), "{logs}");
        }
        if let Some(setting) = &product.compacts_at {
            assert!(setting.line.contains("{value}") && product.constant > 0, "{}", product.name);
        }
    }
}
