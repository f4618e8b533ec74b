//! Finds the sessions of coding agents on this machine.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::session_files::{NewestSessions, SessionFile};
use crate::cli::error::CliError;
use crate::cli::logs::collect;
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
        let (mut sessions, mut others) = (Vec::new(), Vec::new());
        for folder in folders.iter().filter(|folder| folder.is_dir()) {
            let mut files = Vec::new();
            collect(folder, &mut files).map_err(|error| CliError::Read { path: folder.clone(), error })?;
            let (own, rest): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| self.is_session(file));
            sessions.extend(own.into_iter().filter_map(SessionFile::of));
            others.extend(rest.into_iter().filter(|file| looks_like_session(file)));
        }
        if let Some(first) = others.first() {
            let (number, first) = (others.len(), first.display());
            errln!(
                "note: {number} other files beside the sessions of {} are not read ({first})",
                self.name()
            );
        }
        if sessions.is_empty() {
            let folders = folders.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>();
            return Err(CliError::NoSessions { agent: self.name(), folders: folders.join(", ") });
        }
        Ok(NewestSessions::of(self, sessions, most))
    }

    /// Returns true if the sessions are in a database. Older versions of opencode used files.
    fn has_database(self, folders: &[PathBuf]) -> bool {
        let has = |sessions: &PathBuf| {
            sessions.ancestors().nth(2).is_some_and(|folder| folder.join(OPENCODE_DATABASE).is_file())
        };
        self == CodingAgent::Goose || folders.iter().any(has)
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
    fn folders(self) -> Vec<PathBuf> {
        let places = match self {
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
        };
        let home = variable("HOME").or_else(|| variable("USERPROFILE")).map(PathBuf::from);
        let folder = |place: &Place| {
            let named = variable(place.variable).map(PathBuf::from);
            let base = named.or_else(|| home.as_ref().map(|home| home.join(place.home)));
            Some(base?.join(place.sessions))
        };
        let mut folders: Vec<PathBuf> = Vec::new();
        for folder in places.iter().filter_map(folder) {
            // Two unset variables may lead to the same folder.
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        folders
    }

    fn is_session(self, file: &Path) -> bool {
        let is_named = |extension: &str| file.extension().is_some_and(|own| own == extension);
        let is_called = |name: &str| file.file_name().is_some_and(|own| own == name);
        match self {
            CodingAgent::CopilotCli => is_called("events.jsonl"),
            // `context.jsonl` next to it lacks times, bills and compacted messages.
            CodingAgent::KimiCli => is_called("wire.jsonl"),
            CodingAgent::KimiCode => is_called("wire.jsonl"),
            CodingAgent::Amp => {
                is_named("json")
                    && file.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"T-"))
            }
            CodingAgent::DeepseekHarness => {
                let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
                name.starts_with("session.") && (name.ends_with(".jsonl") || name.ends_with(".jsonl.zstd"))
            }
            CodingAgent::QwenCode => {
                file.parent().is_some_and(|folder| folder.ends_with("chats")) && is_named("jsonl")
            }
            CodingAgent::VscodeChat => {
                let is_chat = |folder: &Path| {
                    folder.ends_with("chatSessions") || folder.ends_with("emptyWindowChatSessions")
                };
                file.parent().is_some_and(is_chat) && (is_named("json") || is_named("jsonl"))
            }
            // Codex compresses rollouts after a week without use.
            CodingAgent::Codex => {
                let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
                name.ends_with(".jsonl") || name.ends_with(".jsonl.zst")
            }
            CodingAgent::Roo => is_called("api_conversation_history.json"),
            CodingAgent::Opencode => is_named("json"),
            // The folder also contains other logs.
            CodingAgent::GeminiCli => {
                let is_chat = file.parent().is_some_and(|folder| folder.ends_with("chats"));
                is_chat && (is_named("json") || is_named("jsonl"))
            }
            _ => is_named("jsonl"),
        }
    }
}

/// Returns true if a session of this or another version of the agent might have such a name.
fn looks_like_session(file: &Path) -> bool {
    let name = file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    name.contains(".jsonl") || name.ends_with(".db") || name.ends_with(".sqlite")
}

fn variable(name: &str) -> Option<OsString> {
    Some(name).filter(|name| !name.is_empty()).and_then(std::env::var_os).filter(|value| !value.is_empty())
}
