//! Lines that people paste: settings of products, and commands in the documentation and on screens. Each goes through the parser of its place.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::error::ErrorKind;
use ptc_eval::cli::command_line;
use ptc_eval::compression::products;
use serde_json::Value;

use super::first_screen::session;
use super::suite::{SUM, Suite, chained};

/// Values for the gaps of a line.
const VALUES: [(&str, &str); 4] = [
    ("{value}", "120000"),
    ("{window}", "200000"),
    ("{provider}", "anthropic"),
    ("{model}", "claude-haiku-4-5"),
];

/// Panics if the program that reads this place refuses the line.
fn parse_setting(place: &str, line: &str) {
    let as_json = |text: &str| {
        serde_json::from_str::<Value>(text).unwrap_or_else(|error| panic!("{place}: {line}: {error}"))
    };
    let is_json =
        place.ends_with(".json") || place.contains("cache_control") || place.contains("\"messages\"");
    match place {
        _ if is_json => drop(as_json(&format!("{{{line}}}"))),
        // A TOML key with a number or a string, which are written as in JSON.
        _ if place.ends_with(".toml") || place.contains(".codex/agents") => {
            let (key, value) = line.split_once(" = ").unwrap_or_else(|| panic!("{place}: {line}"));
            let is_bare = key.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
            assert!(is_bare && !as_json(value).is_object(), "{place}: {line}");
        }
        _ if place.starts_with("the shell") => {
            let checked = Command::new("sh").args(["-n", "-c", line]).output().unwrap();
            assert!(checked.status.success(), "{place}: {line}");
        }
        // A property of an object in TypeScript is one of a YAML mapping.
        "the options of generateText or streamText" => {
            let parsed: Value = serde_yaml::from_str(line).unwrap();
            assert!(parsed.is_object(), "{place}: {line}");
        }
        "the arguments of Agent" => {
            let (_, value) = line.split_once('=').unwrap();
            as_json(&value.replace("True", "true"));
        }
        _ if place.starts_with("the middleware of create_agent") => {
            let name = line.strip_suffix("()").unwrap_or_else(|| panic!("{place}: {line}"));
            assert!(name.chars().all(char::is_alphanumeric), "{place}: {line}");
        }
        _ if place.starts_with("Roo's settings") => {
            assert!(line.starts_with("autoCondenseContextPercent "), "{line}")
        }
        _ => panic!("write here how the lines of this place are parsed: {place}"),
    }
}

#[test]
fn the_line_of_each_setting_is_valid_in_its_file() {
    let mut lines: Vec<(&str, &str)> = Vec::new();
    for product in products() {
        lines
            .extend(product.compacts_at.iter().map(|setting| (setting.file.as_str(), setting.line.as_str())));
        for setting in product.marks_cache.iter().chain(&product.keeps_cache) {
            lines.push((&setting.file, &setting.line));
        }
        lines.extend(product.output_limit.iter().map(|limit| (limit.file.as_str(), limit.line.as_str())));
        lines.extend(product.subagents.iter().map(|setting| (setting.file.as_str(), setting.line.as_str())));
    }
    assert!(lines.len() > 15, "{}", lines.len());
    for (place, line) in lines {
        let mut filled = line.to_owned();
        for (gap, value) in VALUES {
            filled = filled.replace(gap, value);
        }
        parse_setting(place, &filled);
    }
}

/// The words of the first command in a line, as a shell splits it.
fn shell_words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for character in line.chars() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, '|' | '>' | '<' | ';' | '&') => break,
            // Before the end of a line.
            (None, '\\') if word.is_none() => {}
            (None, '#') if word.is_none() => break,
            (None, _) if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.into_iter().chain(word).collect()
}

/// Returns true for a placeholder, such as `LOGS`.
fn is_placeholder(word: &str) -> bool {
    word.contains('…') || word.chars().all(|c| !c.is_lowercase())
}

/// Why the program would refuse a command line. `None` if it would run, or if only values are left out.
fn refusal(words: &[String]) -> Option<String> {
    let command = command_line();
    let mut arguments = words.to_vec();
    let first = words.get(1).map_or("", String::as_str);
    let is_known = command.get_subcommands().any(|known| known.get_name() == first);
    if !is_known && !["help", "--help", "--version"].contains(&first) {
        arguments.insert(1, "run".to_owned());
    }
    let error = command.try_get_matches_from(&arguments).err()?;
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion | ErrorKind::MissingRequiredArgument => None,
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => None,
        ErrorKind::InvalidValue | ErrorKind::ValueValidation
            if words.iter().any(|word| is_placeholder(word)) =>
        {
            None
        }
        _ => Some(error.to_string()),
    }
}

/// The pages with commands.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> =
        ["README.md", "CONTRIBUTING.md", "python/README.md", "examples/strategies/README.md"]
            .map(Into::into)
            .into();
    for entry in fs::read_dir("docs").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "md") {
            pages.push(path);
        }
    }
    pages
}

/// The commands of a page: lines of blocks, and code within sentences.
fn commands_of_page(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap();
    let (mut commands, mut prose, mut is_block) = (Vec::new(), String::new(), false);
    for line in text.lines() {
        if line.starts_with("```") {
            is_block = !is_block;
        } else if is_block {
            let line = line.trim_start_matches("$ ");
            commands.extend(line.starts_with("ptc-eval ").then(|| line.to_owned()));
        } else {
            prose += line;
            prose.push(' ');
        }
    }
    let code = regex::Regex::new("`(ptc-eval [^`]+)`").unwrap();
    commands.extend(code.captures_iter(&prose).map(|found| found[1].to_owned()));
    commands
}

#[test]
fn each_command_of_the_documentation_is_one_of_the_program() {
    let (mut number, mut refused) = (0, Vec::new());
    for page in pages() {
        for command in commands_of_page(&page) {
            number += 1;
            if let Some(error) = refusal(&shell_words(&command)) {
                refused.push(format!("{}: {command}\n{error}", page.display()));
            }
        }
    }
    assert!(number > 60, "{number}");
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

/// Refuses a text in which no start of the words after `ptc-eval` is a command with all options of its sentence.
fn assert_commands_of_screen(screen: &str) -> usize {
    let joined = screen.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let mut number = 0;
    for (at, _) in joined.match_indices("ptc-eval ") {
        let rest = joined[at..].split([';', '`', '\n']).next().unwrap();
        let rest = rest.split(". ").next().unwrap();
        let words = shell_words(rest);
        let is_command = (2..=words.len()).rev().any(|end| {
            let left_out = &words[end..];
            refusal(&words[..end]).is_none() && !left_out.iter().any(|word| word.starts_with("--"))
        });
        assert!(is_command, "{rest}\nin {screen}");
        number += 1;
    }
    number
}

#[test]
fn each_command_on_a_screen_is_one_of_the_program() {
    let suite = Suite::with(&[]);
    for name in ["alpha", "beta", "gamma"] {
        suite.write(&format!("logs/{name}.jsonl"), &session(name, 70, 20));
        suite.write(&format!("later/{name}.jsonl"), &session(&format!("{name}-2"), 40, 0));
    }
    let size = "claude-code,trigger={tokens: 100000}";
    let screens: [&[&str]; 8] = [
        &["advise", "logs"],
        &["advise", "logs", "--table"],
        &["effect", "logs", "later"],
        &["apply", size, "--for", "claude-code"],
        &["apply", "codex,trigger={tokens: 100000}", "--for", "codex"],
        &["apply", "fold", "--for", "codex"],
        &["apply", "fold", "--for", "langchain"],
        &["new", "--demo"],
    ];
    let mut number = 0;
    for arguments in screens {
        let ran = suite.run(arguments);
        number += assert_commands_of_screen(&ran.out) + assert_commands_of_screen(&ran.err);
    }
    assert!(number >= 8, "{number}");
}

/// A name with a leading hyphen would be an option of the command that is suggested with it.
#[test]
fn a_name_with_a_leading_hyphen_can_be_pasted() {
    let suite = Suite::with(&[]);
    suite.write("-log.jsonl", &session("alpha", 12, 0));
    suite.write("-s/suite.yaml", "strategies: [full-history, fold]\n");
    suite.write("-s/-x.yaml", &chained("a"));
    let screens: [(&[&str], &str); 6] = [
        (&["review", "--", "-log.jsonl"], "ptc-eval import ./-log.jsonl"),
        (&["merge", "--", "-s/-x.yaml"], "ptc-eval run ./-s/-x.yaml --format records"),
        (&["new", "--", "-log.jsonl"], "ptc-eval import ./-log.jsonl"),
        (&["apply", "--", "-log.jsonl"], "ptc-eval advise ./-log.jsonl"),
        (&["import", "--", "-s/-x.yaml"], "ptc-eval run ./-s/-x.yaml"),
        (&["show", "--", "-s"], "ptc-eval list scenarios ./-s"),
    ];
    for (arguments, command) in screens {
        let ran = suite.run(arguments);
        let text = ran.out.clone() + &ran.err;
        assert!(text.contains(command), "{arguments:?}: {text}");
        assert_eq!(refusal(&shell_words(command)), None);
    }
    suite.run(&["show", "./-s/-x"]).ends(0);
    suite.run(&["check", "./-s"]).ends(0);
}

/// `./sum` was looked for in the default folder, so the scenario of the same name there was shown.
#[test]
fn a_scenario_of_the_working_directory_is_found_beside_the_default_folder() {
    let suite = Suite::with(&[("sum", SUM)]);
    suite.write("suite.yaml", "strategies: [full-history]\n");
    suite.write("sum.yaml", &SUM.replace("seen", "beside"));
    suite.run(&["show", "./sum"]).ends(0).says("beside");
    suite.run(&["show", "sum"]).ends(0).says("seen");
}
