//! Distinguishes scenarios from logs by content.

use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::files;
use super::walk::is_transcript;
use agent_logs::ReadError;

/// Top-level YAML keys found only in scenarios.
const SCENARIO_KEYS: [&str; 3] = ["mission:", "responses:", "transcript:"];
/// Top-level YAML keys found only in logs.
const LOG_KEYS: [&str; 4] = ["messages:", "interactions:", "http_interactions:", "requests:"];

/// The kind of a file or a line, by its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A scenario, a named transcript in the neutral format, or a line of these.
    Scenario,
    /// Anything else. Log readers may support it.
    Log,
    /// Other YAML, such as settings.
    OtherYaml,
}

impl FileKind {
    /// The kind of a file. A pipe counts as a scenario, since it can be read only once.
    pub fn of_file(path: &Path) -> FileKind {
        if is_transcript(path) || !path.is_file() {
            return FileKind::Scenario;
        }
        let extension = path.extension().unwrap_or_default();
        if extension.eq_ignore_ascii_case("yaml") || extension.eq_ignore_ascii_case("yml") {
            return files::read_to_string(path).map_or(FileKind::Scenario, |text| FileKind::of_yaml(&text));
        }
        if !extension.eq_ignore_ascii_case("json") && !extension.eq_ignore_ascii_case("jsonl") {
            return FileKind::Log;
        }
        let Ok(first) = files::read_first_line(path) else { return FileKind::Scenario };
        match FileKind::of_value(&first) {
            Some(kind) => kind,
            // The value spans several lines.
            None => {
                let whole = files::read(path).ok().and_then(|text| FileKind::of_value(&text));
                whole.unwrap_or_else(|| FileKind::of_line(&first))
            }
        }
    }

    fn of_yaml(text: &str) -> FileKind {
        if has_key_at_start(text, &SCENARIO_KEYS) {
            FileKind::Scenario
        } else if has_key_at_start(text, &LOG_KEYS) {
            FileKind::Log
        } else {
            FileKind::OtherYaml
        }
    }

    /// The kind of a line of a stream. Invalid JSON is taken for the start of a multi-line log, unless the line contains scenario keys.
    pub fn of_line(line: &[u8]) -> FileKind {
        if let Some(kind) = FileKind::of_value(line) {
            return kind;
        }
        for key in ["\"mission\"", "\"responses\""] {
            if line.windows(key.len()).any(|part| part == key.as_bytes()) {
                return FileKind::Scenario;
            }
        }
        FileKind::Log
    }

    /// The kind of a JSON value. `None` if the text is not JSON.
    fn of_value(text: &[u8]) -> Option<FileKind> {
        #[derive(Deserialize)]
        struct Keys {
            mission: Option<IgnoredAny>,
            responses: Option<IgnoredAny>,
            transcript: Option<Name>,
            name: Option<Name>,
            messages: Option<IgnoredAny>,
        }
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Name {
            Text(String),
            Other(IgnoredAny),
        }
        fn is_text(name: &Option<Name>) -> bool {
            matches!(name, Some(Name::Text(text)) if !text.is_empty())
        }
        if let Ok(keys) = serde_json::from_slice::<Keys>(text) {
            let is_script = keys.mission.is_some() || keys.responses.is_some() || is_text(&keys.transcript);
            let is_transcript = keys.messages.is_some() && is_text(&keys.name);
            return Some(if is_script || is_transcript { FileKind::Scenario } else { FileKind::Log });
        }
        serde_json::from_slice::<IgnoredAny>(text).is_ok().then_some(FileKind::Log)
    }
}

/// The format of a log file. `None` if no reader supports it.
pub fn log_format(path: &Path) -> Option<String> {
    let mut format = None;
    let name = path.display().to_string();
    let notes = agent_logs::read(BufReader::new(files::open(path).ok()?), &name, None, &mut |transcript| {
        format = transcript.source.map(|source| source.format);
        ControlFlow::Break(())
    });
    match notes {
        Ok(notes) => format.or(notes.format.map(str::to_owned)),
        Err(ReadError::Nothing(notes)) => notes.format.map(str::to_owned),
        Err(_) => None,
    }
}

fn has_key_at_start(text: &str, keys: &[&str]) -> bool {
    text.lines().any(|line| keys.iter().any(|key| line.starts_with(key)))
}
