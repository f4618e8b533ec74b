//! Finds the sessions of coding agents on this machine.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::session_files::{NewestSessions, SessionFile};
use crate::cli::error::CliError;
use crate::cli::logs::collect;
use crate::cli::token_cache::path_in_variable;
use crate::compression::Product;

/// A coding agent that keeps its sessions in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum CodingAgent {
    ClaudeCode,
    Codex,
    GeminiCli,
    CopilotCli,
    KimiCli,
    Roo,
    Opencode,
    Goose,
    Pi,
    QwenCode,
    KimiCode,
    Amp,
    DeepseekHarness,
    FactoryDroid,
    VscodeChat,
}

/// A folder where an agent may store sessions.
struct Place {
    /// Environment variable with the base folder. Empty if there is none.
    variable: &'static str,
    /// The base folder below the home folder, if the variable is not set.
    home: &'static str,
    /// The session folder in the base folder.
    sessions: &'static str,
}

const fn place(variable: &'static str, home: &'static str, sessions: &'static str) -> Place {
    Place { variable, home, sessions }
}

const CLAUDE_CODE: &[Place] = &[
    place("CLAUDE_CONFIG_DIR", ".claude", "projects"),
    // Used by some Linux versions.
    place("", ".config/claude", "projects"),
];
const CODEX: &[Place] =
    &[place("CODEX_HOME", ".codex", "sessions"), place("CODEX_HOME", ".codex", "archived_sessions")];
const GEMINI_CLI: &[Place] = &[place("", ".gemini", "tmp")];
const COPILOT_CLI: &[Place] = &[place("COPILOT_HOME", ".copilot", "session-state")];
const KIMI_CLI: &[Place] = &[place("KIMI_SHARE_DIR", ".kimi", "sessions")];
/// Folders of Visual Studio Code on Linux, macOS, Windows, and remote machines.
const ROO: &[Place] = &[
    place("", ".config/Code/User", ROO_TASKS),
    place("", "Library/Application Support/Code/User", ROO_TASKS),
    place("APPDATA", "AppData/Roaming", "Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks"),
    place("", ".vscode-server/data/User", ROO_TASKS),
];
const ROO_TASKS: &str = "globalStorage/rooveterinaryinc.roo-cline/tasks";
const OPENCODE: &[Place] = &[place("XDG_DATA_HOME", ".local/share", "opencode/storage/session")];
/// The database of newer versions, next to the session folder of older ones.
const OPENCODE_DATABASE: &str = "opencode.db";
const PI: &[Place] = &[place("PI_CODING_AGENT_DIR", ".pi/agent", "sessions")];

const QWEN_CODE: &[Place] =
    &[place("QWEN_RUNTIME_DIR", ".qwen", "projects"), place("QWEN_HOME", ".qwen", "projects")];
const KIMI_CODE: &[Place] = &[place("KIMI_CODE_HOME", ".kimi-code", "sessions")];
const AMP: &[Place] = &[place("XDG_DATA_HOME", ".local/share", "amp/threads")];
const DEEPSEEK_HARNESS: &[Place] = &[place("DSH_HOME", ".dsh", "sessions")];
const FACTORY_DROID: &[Place] = &[place("", ".factory", "sessions")];
const VSCODE_CHAT: &[Place] = &[
    place("", ".config/Code/User", "workspaceStorage"),
    place("", ".config/Code/User", EMPTY_WINDOWS),
    place("", "Library/Application Support/Code/User", "workspaceStorage"),
    place("", "Library/Application Support/Code/User", EMPTY_WINDOWS),
    place("APPDATA", "AppData/Roaming", "Code/User/workspaceStorage"),
    place("APPDATA", "AppData/Roaming", "Code/User/globalStorage/emptyWindowChatSessions"),
    place("", ".vscode-server/data/User", "workspaceStorage"),
];
const EMPTY_WINDOWS: &str = "globalStorage/emptyWindowChatSessions";

/// The words for a product's sessions on the command line of `advise`: `--agent codex`, or `LOGS` if they have to be exported.
pub(in crate::cli) fn logs_of(product: &Product) -> String {
    match CodingAgent::from_str(&product.name, true) {
        Ok(agent) if agent.export().is_none() => format!("--agent {}", agent.name()),
        _ => "LOGS".to_owned(),
    }
}

/// The usual folder of a product's sessions, such as `~/.claude/projects`. `None` if they have to be exported, or if it differs by system.
pub(in crate::cli) fn usual_folder_of(product: &Product) -> Option<String> {
    let agent = CodingAgent::from_str(&product.name, true).ok()?;
    if agent.export().is_some() || agent == CodingAgent::Roo {
        return None;
    }
    agent.places().first().map(|Place { home, sessions, .. }| format!("~/{home}/{sessions}"))
}

impl CodingAgent {
    /// The most recent sessions with their subagents.
    ///
    /// # Errors
    /// There are none, or the agent does not store them in readable files.
    pub(super) fn newest(self, most: usize) -> Result<NewestSessions, CliError> {
        let folders = self.folders();
        if let Some(export) = self.export().filter(|_| self.has_database(&folders)) {
            return Err(CliError::SessionsNotInFiles { agent: self.name(), export });
        }
        let (mut files, mut sessions, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for folder in &folders {
            if folder.is_dir() {
                collect(folder, &mut files)
                    .map_err(|error| CliError::Read { path: folder.clone(), error })?;
            }
        }
        for file in files {
            if self.is_session(&file) {
                sessions.extend(SessionFile::of(file));
            } else if looks_like_session(&file) {
                others.push(file);
            }
        }
        if let Some(first) = others.first() {
            let (number, first) = (others.len(), first.display());
            errln!("note: files beside the sessions of {}, not read: {number}, such as {first}", self.name());
        }
        if sessions.is_empty() {
            let names: Vec<_> = folders.iter().map(|folder| folder.display().to_string()).collect();
            return Err(CliError::NoSessions { agent: self.name(), folders: names.join(", ") });
        }
        Ok(NewestSessions::of(self, sessions, most))
    }

    /// Returns true if the sessions are in a database. Older versions of opencode used files.
    fn has_database(self, folders: &[PathBuf]) -> bool {
        if self == CodingAgent::Goose {
            return true;
        }
        for sessions in folders {
            if let Some(folder) = sessions.ancestors().nth(2)
                && folder.join(OPENCODE_DATABASE).is_file()
            {
                return true;
            }
        }
        false
    }

    /// The command that exports a session from the agent's database.
    fn export(self) -> Option<&'static str> {
        match self {
            CodingAgent::Opencode => Some("opencode export SESSION > FILE"),
            CodingAgent::Goose => {
                Some("goose session export --format json --session-id SESSION --output FILE")
            }
            _ => None,
        }
    }

    /// The agent's name on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            CodingAgent::ClaudeCode => "claude-code",
            CodingAgent::Codex => "codex",
            CodingAgent::GeminiCli => "gemini-cli",
            CodingAgent::CopilotCli => "copilot-cli",
            CodingAgent::KimiCli => "kimi-cli",
            CodingAgent::Roo => "roo",
            CodingAgent::Opencode => "opencode",
            CodingAgent::Goose => "goose",
            CodingAgent::Pi => "pi",
            CodingAgent::QwenCode => "qwen-code",
            CodingAgent::KimiCode => "kimi-code",
            CodingAgent::Amp => "amp",
            CodingAgent::DeepseekHarness => "deepseek-harness",
            CodingAgent::FactoryDroid => "factory-droid",
            CodingAgent::VscodeChat => "vscode-chat",
        }
    }

    /// The possible session folders. A variable, if set, replaces the folder in the home folder.
    fn places(self) -> &'static [Place] {
        match self {
            CodingAgent::ClaudeCode => CLAUDE_CODE,
            CodingAgent::Codex => CODEX,
            CodingAgent::GeminiCli => GEMINI_CLI,
            CodingAgent::CopilotCli => COPILOT_CLI,
            CodingAgent::KimiCli => KIMI_CLI,
            CodingAgent::Roo => ROO,
            CodingAgent::Opencode => OPENCODE,
            CodingAgent::Goose => &[],
            CodingAgent::Pi => PI,
            CodingAgent::QwenCode => QWEN_CODE,
            CodingAgent::KimiCode => KIMI_CODE,
            CodingAgent::Amp => AMP,
            CodingAgent::DeepseekHarness => DEEPSEEK_HARNESS,
            CodingAgent::FactoryDroid => FACTORY_DROID,
            CodingAgent::VscodeChat => VSCODE_CHAT,
        }
    }

    /// The folders of its sessions on this machine.
    fn folders(self) -> Vec<PathBuf> {
        let mut folders: Vec<PathBuf> = Vec::new();
        for place in self.places() {
            let Some(folder) = place.find_folder() else { continue };
            // Two unset variables may lead to the same folder.
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        folders
    }

    fn is_session(self, file: &Path) -> bool {
        let name = name_in(Some(file));
        let folder = name_in(file.parent());
        // A file that is called only `.json` has no extension.
        let is_lines = name.len() > ".jsonl".len() && name.ends_with(".jsonl");
        let is_json = name.len() > ".json".len() && name.ends_with(".json");
        match self {
            CodingAgent::CopilotCli => name == "events.jsonl",
            // `context.jsonl` next to it lacks times, bills and compacted messages.
            CodingAgent::KimiCli | CodingAgent::KimiCode => name == "wire.jsonl",
            CodingAgent::Amp => name.starts_with("T-") && is_json,
            CodingAgent::DeepseekHarness => {
                name.starts_with("session.") && (is_lines || name.ends_with(".jsonl.zstd"))
            }
            CodingAgent::QwenCode => folder == "chats" && is_lines,
            CodingAgent::VscodeChat => {
                let is_chat = folder == "chatSessions" || folder == "emptyWindowChatSessions";
                is_chat && (is_json || is_lines)
            }
            // Codex compresses rollouts after a week without use.
            CodingAgent::Codex => is_lines || name.ends_with(".jsonl.zst"),
            CodingAgent::Roo => name == "api_conversation_history.json",
            CodingAgent::Opencode => is_json,
            // The folder also contains other logs.
            CodingAgent::GeminiCli => folder == "chats" && (is_json || is_lines),
            _ => is_lines,
        }
    }
}

/// Returns true if a session of this or another version of the agent might have such a name.
fn looks_like_session(file: &Path) -> bool {
    let name = name_in(Some(file));
    name.contains(".jsonl") || name.ends_with(".db") || name.ends_with(".sqlite")
}

/// The last part of a path. Empty without a path.
fn name_in(path: Option<&Path>) -> Cow<'_, str> {
    match path.and_then(Path::file_name) {
        Some(name) => name.to_string_lossy(),
        None => Cow::Borrowed(""),
    }
}

impl Place {
    /// The folder of sessions, if it has a variable with a value, or if there is a home folder.
    fn find_folder(&self) -> Option<PathBuf> {
        let base = match folder_in_variable(self.variable) {
            Some(named) => named,
            None => home_folder()?.join(self.home),
        };
        Some(base.join(self.sessions))
    }
}

fn home_folder() -> Option<PathBuf> {
    folder_in_variable("HOME").or_else(|| folder_in_variable("USERPROFILE"))
}

/// The folder in an environment variable. `None` if it is missing or empty, and without a name.
fn folder_in_variable(name: &str) -> Option<PathBuf> {
    if name.is_empty() { None } else { path_in_variable(name) }
}
