//! Calls of coding agents that read or write files: the tools by name, with the argument that holds the path.

use ecow::EcoString;

use super::lines::{Lines, WHOLE};
use super::shell;
use crate::agent::LoggedCall;
use serde_json::Value as Json;

/// The action of a call.
#[derive(Debug, PartialEq, Eq)]
pub enum Action {
    /// Reads lines of files.
    Read(Vec<(EcoString, Lines)>),
    /// Reads something of the files that has this name: a search, a list, the state of a repository.
    Search(EcoString),
    /// Reads something that no file changes, such as a page of the web.
    Look,
    /// Changes files. The paths are those that are known; a command may change others.
    Write(Vec<EcoString>),
    /// Does something that only its result tells: a tool that nobody here knows.
    Unknown,
    /// Neither reads nor writes: keeps a list, waits, asks a person.
    Nothing,
}

/// The way in which a tool takes its arguments.
#[derive(Clone, Copy)]
enum Kind {
    /// Reads a file. Names of the arguments that hold the path, the first line and the number of lines.
    Read(&'static str, &'static str, &'static str),
    /// Reads or writes a file, as its argument `command` says. The argument that holds the path.
    Edit(&'static str),
    /// Writes a file. The argument that holds the path.
    Write(&'static str),
    /// Writes the files that a patch names.
    Patch,
    /// Runs a command of a shell. The argument that holds it.
    Shell(&'static str),
    /// Runs code that calls other tools.
    Code,
    Search,
    Look,
    Nothing,
}

use Kind::{Code, Edit, Look, Nothing, Patch, Read, Search, Shell, Write};

/// Tools by name: those of Claude Code, Codex, opencode, OpenHands, pi, Gemini CLI, Cline and SWE-agent. Of two rows of one
/// name the first whose argument a call has is meant.
const TOOLS: &[(&str, Kind)] = &[
    ("Read", Read("file_path", "offset", "limit")),
    ("NotebookRead", Read("notebook_path", "", "")),
    ("read", Read("filePath", "offset", "limit")),
    ("read", Read("path", "offset", "limit")),
    ("read_file", Read("absolute_path", "offset", "limit")),
    ("read_file", Read("file_path", "offset", "limit")),
    ("read_file", Read("path", "offset", "limit")),
    ("Edit", Write("file_path")),
    ("MultiEdit", Write("file_path")),
    ("Write", Write("file_path")),
    ("NotebookEdit", Write("notebook_path")),
    ("edit", Write("filePath")),
    ("edit", Write("path")),
    ("multiedit", Write("filePath")),
    ("write", Write("filePath")),
    ("write", Write("path")),
    ("write_file", Write("file_path")),
    ("replace", Write("file_path")),
    ("write_to_file", Write("path")),
    ("replace_in_file", Write("path")),
    ("apply_patch", Patch),
    ("patch", Patch),
    ("str_replace_editor", Edit("path")),
    ("str_replace_based_edit_tool", Edit("path")),
    ("file_editor", Edit("path")),
    ("Bash", Shell("command")),
    ("bash", Shell("command")),
    ("shell", Shell("command")),
    ("local_shell", Shell("command")),
    ("local_shell_call", Shell("command")),
    ("shell_command", Shell("command")),
    ("exec_command", Shell("cmd")),
    ("execute_bash", Shell("command")),
    ("terminal", Shell("command")),
    ("run", Shell("command")),
    ("run_shell_command", Shell("command")),
    ("execute_command", Shell("command")),
    ("run_commands", Shell("commands")),
    ("action", Shell("")),
    ("exec", Code),
    ("Grep", Search),
    ("Glob", Search),
    ("LS", Search),
    ("grep", Search),
    ("glob", Search),
    ("list", Search),
    ("ls", Search),
    ("find", Search),
    ("list_files", Search),
    ("list_directory", Search),
    ("search_files", Search),
    ("search_codebase", Search),
    ("search_file_content", Search),
    ("read_many_files", Search),
    ("WebFetch", Look),
    ("WebSearch", Look),
    ("webfetch", Look),
    ("websearch", Look),
    ("web_fetch", Look),
    ("google_web_search", Look),
    ("Skill", Look),
    ("TodoWrite", Nothing),
    ("TodoRead", Nothing),
    ("todowrite", Nothing),
    ("todoread", Nothing),
    ("task_tracker", Nothing),
    ("TaskCreate", Nothing),
    ("TaskUpdate", Nothing),
    ("TaskList", Nothing),
    ("TaskGet", Nothing),
    ("TaskOutput", Nothing),
    ("TaskStop", Nothing),
    ("BashOutput", Nothing),
    ("KillShell", Nothing),
    ("KillBash", Nothing),
    ("Monitor", Nothing),
    ("Task", Nothing),
    ("Agent", Nothing),
    ("task", Nothing),
    ("ToolSearch", Nothing),
    ("AskUserQuestion", Nothing),
    ("EnterPlanMode", Nothing),
    ("ExitPlanMode", Nothing),
    ("update_plan", Nothing),
    ("write_stdin", Nothing),
    ("wait", Nothing),
    ("wait_agent", Nothing),
    ("list_agents", Nothing),
    ("send_message", Nothing),
    ("spawn_agent", Nothing),
    ("followup_task", Nothing),
    ("think", Nothing),
    ("finish", Nothing),
];

/// Arguments of a shell that change what a command gives; others, such as a description or a time to wait, do not.
const FOLDERS: [&str; 3] = ["workdir", "cwd", "directory"];
/// Lines of a patch that name a file.
const PATCHED: [&str; 4] = ["*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "];

impl Action {
    /// The action of a call. `whole` is its name with its arguments as JSON.
    pub fn of(call: &LoggedCall, whole: &EcoString) -> Action {
        let name = call.name.as_str();
        let rows = TOOLS.iter().filter(|(tool, _)| *tool == name);
        rows.filter_map(|(_, kind)| kind.action(call, whole)).next().unwrap_or_else(|| unknown(call))
    }
}

impl Action {
    /// Returns true unless it reads files of which so few lines were read before that most is new. Agents that read on take
    /// some lines twice. `result` gives the number of lines of its result.
    pub fn is_mostly(&self, lines: u64, result: impl FnOnce() -> u64) -> bool {
        let Action::Read(files) = self else { return true };
        let wanted = files.iter().map(|(_, lines)| lines.count()).sum::<Option<u64>>();
        lines > 0 && 2 * lines >= wanted.unwrap_or(u64::MAX).min(result())
    }
}

/// A tool that nobody here knows. It may carry a patch, as code that Codex runs does.
fn unknown(call: &LoggedCall) -> Action {
    match patched(call) {
        paths if paths.is_empty() => Action::Unknown,
        paths => Action::Write(paths),
    }
}

impl Kind {
    /// The action of a call; none if it lacks the argument.
    fn action(self, call: &LoggedCall, whole: &EcoString) -> Option<Action> {
        Some(match self {
            Read(path, first, count) => {
                let lines = Lines::from(number(call, first), number(call, count));
                Action::Read(vec![(text(call, path)?, lines)])
            }
            Edit(path) => {
                let path = text(call, path)?;
                match text(call, "command")?.as_str() {
                    "view" => Action::Read(vec![(path, viewed(call))]),
                    _ => Action::Write(vec![path]),
                }
            }
            Write(path) => Action::Write(vec![text(call, path)?]),
            Patch => Action::Write(patched(call)),
            Shell(command) => command_of(call, command)?,
            Code => code(&texts(call).concat())?,
            Search => Action::Search(whole.clone()),
            Look => Action::Look,
            Nothing => Action::Nothing,
        })
    }
}

/// A command of a shell.
fn command_of(call: &LoggedCall, argument: &str) -> Option<Action> {
    let command = match argument {
        "" => texts(call).into_iter().next()?,
        _ => command_text(value(call, argument)?)?,
    };
    let folder = FOLDERS.iter().find_map(|folder| text(call, folder)).unwrap_or_default();
    let mut action = shell::action(&command, &folder);
    if let Action::Write(paths) = &mut action {
        paths.extend(patched(call));
    }
    Some(action)
}

/// Code in which Codex calls its other tools, if it runs one command or waits for one.
fn code(text: &str) -> Option<Action> {
    if text.matches("tools.").count() != 1 {
        return None;
    }
    if text.contains("tools.write_stdin(") {
        return Some(Action::Nothing);
    }
    let command = literal(text, "cmd").filter(|_| text.contains("tools.exec_command("))?;
    Some(shell::action(&command, &literal(text, "workdir").unwrap_or_default()))
}

/// The text after a key in code, if it is one in double quotes.
fn literal(code: &str, key: &str) -> Option<String> {
    let (_, after) = code.split_once(key)?;
    let after = after.trim_start_matches('"').trim_start().strip_prefix(':')?;
    serde_json::Deserializer::from_str(after).into_iter::<String>().next()?.ok()
}

/// A command as one text. Codex passes a list: the shell, an option, and the command.
fn command_text(value: &Json) -> Option<EcoString> {
    if let Json::String(command) = value {
        return Some(command.into());
    }
    let words = value.as_array()?.iter().filter_map(as_text);
    let words: Vec<EcoString> = words.collect();
    match words.as_slice() {
        [shell, option, command] if option.starts_with('-') && shell.ends_with("sh") => Some(command.clone()),
        _ => Some(words.join(" ").into()),
    }
}

/// The files that a patch in an argument names.
fn patched(call: &LoggedCall) -> Vec<EcoString> {
    let mut paths = Vec::new();
    for text in texts(call) {
        // Code that is run may have the patch as a string with escaped line breaks.
        for line in text.split('\n').flat_map(|line| line.split("\\n")) {
            let named = |start: &&str| line.find(*start).and_then(|at| line.get(at + start.len()..));
            paths.extend(PATCHED.iter().find_map(named).map(|path| path.trim().into()));
        }
    }
    paths
}

/// The range of lines under `view_range`; an end of -1 means the last line.
fn viewed(call: &LoggedCall) -> Lines {
    let range = value(call, "view_range").and_then(Json::as_array);
    let ends: Vec<f64> = range.into_iter().flatten().filter_map(Json::as_f64).collect();
    match ends.as_slice() {
        [first, last] if *last >= *first => Lines::from(Some(*first), Some(last - first + 1.0)),
        [first, _] => Lines::from(Some(*first), None),
        _ => WHOLE,
    }
}

/// The texts of a call's arguments.
fn texts(call: &LoggedCall) -> Vec<EcoString> {
    match &call.arguments {
        Some(Json::Object(arguments)) => arguments.values().filter_map(as_text).collect(),
        single => single.iter().filter_map(as_text).collect(),
    }
}

fn value<'c>(call: &'c LoggedCall, name: &str) -> Option<&'c Json> {
    call.arguments.as_ref()?.as_object()?.get(name)
}

fn text(call: &LoggedCall, name: &str) -> Option<EcoString> {
    value(call, name).and_then(as_text).filter(|text| !text.is_empty())
}

fn number(call: &LoggedCall, name: &str) -> Option<f64> {
    value(call, name).and_then(Json::as_f64)
}

fn as_text(value: &Json) -> Option<EcoString> {
    value.as_str().map(EcoString::from)
}
