//! `ptc-eval import`: makes scenarios from transcripts of chats. Mission and answers are copied byte for byte. Data and
//! results of tools, which a transcript does not hold, are left to fill in.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::Args;
use regex::Regex;
use serde::Deserialize;
use serde_json::Value;

use super::error::{CliError, CliResult};
use super::exit::Exit;
use super::new::write_file;
use super::script::{quoted, responses, scalar};
use super::suite::count;
use crate::agent::Response;

#[derive(Args)]
pub(super) struct ImportArguments {
    /// Transcripts: {"messages": [{"role", "content"}]}, the list alone, or one of them a line; - for
    /// standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The folder for the scenarios, one file a transcript
    #[arg(long, short, value_name = "FOLDER", default_value = "scenarios/imported")]
    output: PathBuf,
}

/// A chat, as most programs keep it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Chat {
    Object { messages: Vec<Said> },
    List(Vec<Said>),
}

#[derive(Deserialize)]
struct Said {
    role: String,
    #[serde(default)]
    content: Value,
}

/// A scenario made of a chat.
struct Draft {
    mission: String,
    answers: Vec<Response>,
    /// Number of messages that have no place in a scenario.
    left_out: usize,
}

pub(super) fn run(arguments: &ImportArguments) -> CliResult {
    let mut exit = Exit::Success;
    for file in &arguments.files {
        if let Err(error) = import(file, &arguments.output) {
            exit = error.tell();
        }
    }
    Ok(exit)
}

fn import(file: &Path, folder: &Path) -> Result<(), CliError> {
    let path = file.to_owned();
    let text = read(file).map_err(|error| CliError::Read(path.clone(), error))?;
    let chats = chats(&text).map_err(|message| CliError::Transcript(path.clone(), message))?;
    let stem = match file.file_stem() {
        Some(stem) if file != Path::new("-") => stem.to_string_lossy().into_owned(),
        _ => "chat".to_string(),
    };
    let is_only = chats.len() == 1;
    for (number, chat) in (1..).zip(chats) {
        let name = if is_only { stem.clone() } else { format!("{stem}-{number}") };
        let draft = draft(chat).map_err(|message| CliError::Chat(path.clone(), number, message))?;
        write(&folder.join(format!("{name}.yaml")), &draft)?;
    }
    Ok(())
}

fn read(file: &Path) -> io::Result<String> {
    if file == Path::new("-") { io::read_to_string(io::stdin()) } else { fs::read_to_string(file) }
}

/// One chat that fills the text, or one a line.
fn chats(text: &str) -> Result<Vec<Chat>, String> {
    let whole = match serde_json::from_str(text) {
        Ok(chat) => return Ok(vec![chat]),
        Err(error) => error,
    };
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let read: Result<Vec<Chat>, _> = lines.iter().map(|line| serde_json::from_str(line)).collect();
    match read {
        Ok(chats) if !chats.is_empty() => Ok(chats),
        _ => Err(format!(
            "expected {{\"messages\": [{{\"role\", \"content\"}}]}}, the list alone, or one of them a line: {whole}"
        )),
    }
}

fn draft(chat: Chat) -> Result<Draft, String> {
    let (Chat::Object { messages } | Chat::List(messages)) = chat;
    let total = messages.len();
    let of = |role: &str| -> Vec<String> {
        messages.iter().filter(|said| said.role == role).map(|said| text_of(&said.content)).collect()
    };
    let mission = of("user").into_iter().next().filter(|mission| !mission.trim().is_empty());
    let mission = mission.ok_or("the user says nothing at first, which would be the mission")?;
    let answers: Vec<Response> =
        of("assistant").into_iter().map(|answer| Response::Text(answer.into())).collect();
    let has_place = |said: &&Said| matches!(said.role.as_str(), "user" | "assistant" | "system");
    let left_out = total - messages.iter().filter(has_place).count();
    Ok(Draft { mission, answers, left_out })
}

/// A content is a text, or a list of parts of which some are texts.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str));
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

fn write(path: &Path, draft: &Draft) -> Result<(), CliError> {
    let shown = path.display();
    if path.exists() {
        return Err(CliError::Exists(path.to_owned(), "choose another folder with --output"));
    }
    write_file(path, &text(draft))?;
    let (tools, data) = (used("tool", draft), used("data", draft));
    outln!("{shown}: {}", count(draft.answers.len(), "answer"));
    for (what, names) in [("what tools return", tools), ("data", data)] {
        if !names.is_empty() {
            outln!("  to fill in: {what}: {}", names.join(", "));
        }
    }
    if draft.left_out > 0 {
        outln!("  left out: {} of other roles", count(draft.left_out, "message"));
    }
    Ok(())
}

fn text(draft: &Draft) -> String {
    let mut text = format!("mission: {}\n", scalar(&draft.mission, 2));
    text.push_str(&format!("max_turns: {}\n", draft.answers.len().max(1)));
    let section = |key: &str, names: Vec<String>, value: &str| {
        let rows: String = names.iter().map(|name| format!("  {}: {value}\n", quoted(name))).collect();
        if rows.is_empty() { rows } else { format!("\n# To fill in.\n{key}:\n{rows}") }
    };
    text.push_str(&section("data", used("data", draft), "null"));
    text.push_str(&section("tools", used("tool", draft), "{returns: null}"));
    text.push('\n');
    text.push_str(&responses(&draft.answers));
    text
}

/// The names that the answers use in a namespace, in order of first use.
fn used(namespace: &str, draft: &Draft) -> Vec<String> {
    static NAME: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"\b(tool|data)/([\p{L}_][\p{L}\p{N}_?!*+<>=-]*)").ok());
    let mut names = Vec::new();
    for answer in &draft.answers {
        let Response::Text(answer) = answer else { continue };
        for found in NAME.iter().flat_map(|name| name.captures_iter(answer)) {
            let name = found[2].to_string();
            if &found[1] == namespace && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}
