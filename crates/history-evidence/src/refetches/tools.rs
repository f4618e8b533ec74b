//! Recognizes calls of coding agents that read or write files, by tool name and path argument.

use ecow::EcoString;

use super::lines::{Lines, WHOLE};
use super::shell;
use conversation::Call;
use serde_json::Value as Json;

/// The effect of a call.
#[derive(Debug, PartialEq, Eq)]
pub enum Action {
    /// Reads lines of files.
    Read(Vec<(EcoString, Lines)>),
    /// Reads something derived from files: a search, a listing, the state of a repository. The key identifies it.
    Search(EcoString),
    /// Reads something independent of files, such as a web page.
    Look,
    /// Changes files. The paths may be incomplete: a command can change other files too.
    Write(Vec<EcoString>),
    /// An unknown tool. Only its result shows its effect.
    Unknown,
    /// Neither reads nor writes: updates a task list, waits, asks the user.
    Nothing,
}

/// How a tool takes its arguments.
#[derive(Clone, Copy)]
enum Kind {
    /// Reads a file. The names of the arguments for the path, the first line and the number of lines.
    Read(&'static str, &'static str, &'static str),
    /// Reads or writes a file, depending on the argument `command`. The name of the path argument.
    Edit(&'static str),
    /// Writes a file. The name of the path argument.
    Write(&'static str),
    /// Writes the files named in a patch.
    Patch,
    /// Runs a shell command. The name of the command argument.
    Shell(&'static str),
    /// Runs code that may call other tools.
    Code,
    Search,
    Look,
    Nothing,
}

use Kind::{Code, Edit, Look, Nothing, Patch, Read, Search, Shell, Write};

/// Tools of Claude Code, Codex, opencode, OpenHands, pi, Gemini CLI, Cline and SWE-agent, by name. If a name has several
/// rows, the first row with a matching argument wins.
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

/// Arguments of shell tools that change the result of a command. Others, such as a description or a timeout, do not.
const FOLDERS: [&str; 3] = ["workdir", "cwd", "directory"];
/// Line prefixes before a file name in a patch.
const PATCHED: [&str; 4] = ["*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "];

impl Action {
    /// Classifies a call. `whole` is the name with the arguments as JSON.
    pub fn of(call: &Call, whole: &EcoString) -> Action {
        let name = call.name.as_str();
        for (tool, kind) in TOOLS {
            if *tool == name
                && let Some(action) = kind.action_of(call, whole)
            {
                return action;
            }
        }
        unknown_action(call)
    }
}

impl Action {
    /// Returns false if a call reads mostly new lines: an agent that continues reading a file often repeats a few. `lines`
    /// is the number of lines read before; `result` returns the number of lines in the result.
    pub fn is_mostly(&self, lines: u64, result: impl FnOnce() -> u64) -> bool {
        let Action::Read(files) = self else { return true };
        let wanted = files.iter().map(|(_, lines)| lines.count()).sum::<Option<u64>>();
        lines > 0 && 2 * lines >= wanted.unwrap_or(u64::MAX).min(result())
    }
}

/// The action of an unknown tool. Its arguments may contain a patch, such as code run by Codex.
fn unknown_action(call: &Call) -> Action {
    match patched_files(call) {
        paths if paths.is_empty() => Action::Unknown,
        paths => Action::Write(paths),
    }
}

impl Kind {
    /// The action of a call; `None` if the argument is missing.
    fn action_of(self, call: &Call, whole: &EcoString) -> Option<Action> {
        Some(match self {
            Read(path, first, count) => {
                let lines = Lines::from(argument_number(call, first), argument_number(call, count));
                Action::Read(vec![(argument_text(call, path)?, lines)])
            }
            Edit(path) => {
                let path = argument_text(call, path)?;
                match argument_text(call, "command")?.as_str() {
                    "view" => Action::Read(vec![(path, viewed_lines(call))]),
                    _ => Action::Write(vec![path]),
                }
            }
            Write(path) => Action::Write(vec![argument_text(call, path)?]),
            Patch => Action::Write(patched_files(call)),
            Shell(command) => command_of(call, command)?,
            Code => parse_code(&argument_texts(call).concat())?,
            Search => Action::Search(whole.clone()),
            Look => Action::Look,
            Nothing => Action::Nothing,
        })
    }
}

/// The action of a shell command.
fn command_of(call: &Call, argument: &str) -> Option<Action> {
    let command = match argument {
        "" => argument_texts(call).into_iter().next()?,
        _ => command_text(argument_value(call, argument)?)?,
    };
    let folder = FOLDERS.iter().find_map(|folder| argument_text(call, folder)).unwrap_or_default();
    let mut action = shell::action(&command, &folder);
    if let Action::Write(paths) = &mut action {
        paths.extend(patched_files(call));
    }
    Some(action)
}

/// The action of Codex code that calls one other tool: a command, or waiting for one. `None` for other code.
fn parse_code(text: &str) -> Option<Action> {
    if text.matches("tools.").count() != 1 {
        return None;
    }
    if text.contains("tools.write_stdin(") {
        return Some(Action::Nothing);
    }
    if !text.contains("tools.exec_command(") {
        return None;
    }
    let command = find_literal(text, "cmd")?;
    Some(shell::action(&command, &find_literal(text, "workdir").unwrap_or_default()))
}

/// The double-quoted string after a key in code.
fn find_literal(code: &str, key: &str) -> Option<String> {
    let (_, after) = code.split_once(key)?;
    let after = after.trim_start_matches('"').trim_start().strip_prefix(':')?;
    serde_json::Deserializer::from_str(after).into_iter::<String>().next()?.ok()
}

/// A command as one string. Codex passes a list: the shell, an option, and the command.
fn command_text(value: &Json) -> Option<EcoString> {
    if let Json::String(command) = value {
        return Some(command.into());
    }
    let words: Vec<EcoString> = value.as_array()?.iter().filter_map(as_text).collect();
    match words.as_slice() {
        [shell, option, command] if option.starts_with('-') && shell.ends_with("sh") => Some(command.clone()),
        _ => Some(words.join(" ").into()),
    }
}

/// The files named by a patch in an argument.
fn patched_files(call: &Call) -> Vec<EcoString> {
    let mut paths = Vec::new();
    for text in argument_texts(call) {
        // Code may contain the patch as a string with escaped line breaks.
        for line in text.split('\n').flat_map(|line| line.split("\\n")) {
            let path = PATCHED.iter().find_map(|start| line.split_once(start));
            paths.extend(path.map(|(_, path)| path.trim().into()));
        }
    }
    paths
}

/// The range of lines in `view_range`. An end of -1 means the last line.
fn viewed_lines(call: &Call) -> Lines {
    let range = argument_value(call, "view_range").and_then(Json::as_array);
    let ends: Vec<f64> = range.into_iter().flatten().filter_map(Json::as_f64).collect();
    match ends.as_slice() {
        [first, last] if *last >= *first => Lines::from(Some(*first), Some(last - first + 1.0)),
        [first, _] => Lines::from(Some(*first), None),
        _ => WHOLE,
    }
}

/// The strings among a call's arguments.
fn argument_texts(call: &Call) -> Vec<EcoString> {
    match &call.arguments {
        Some(Json::Object(arguments)) => arguments.values().filter_map(as_text).collect(),
        single => single.iter().filter_map(as_text).collect(),
    }
}

fn argument_value<'c>(call: &'c Call, name: &str) -> Option<&'c Json> {
    call.arguments.as_ref()?.as_object()?.get(name)
}

fn argument_text(call: &Call, name: &str) -> Option<EcoString> {
    let text = as_text(argument_value(call, name)?)?;
    (!text.is_empty()).then_some(text)
}

fn argument_number(call: &Call, name: &str) -> Option<f64> {
    argument_value(call, name).and_then(Json::as_f64)
}

fn as_text(value: &Json) -> Option<EcoString> {
    value.as_str().map(EcoString::from)
}
