//! Golden files of the language: programs with their expectations as comments, in the format that `check`
//! documents.

#![allow(clippy::disallowed_methods)] // the flag that re-blesses is read from the environment

use std::fs;
use std::path::{Path, PathBuf};

use ptc_lisp::error::{ErrorKind, Eval, raise};
use ptc_lisp::eval::Interpreter;
use ptc_lisp::limits::Limits;
use ptc_lisp::print::pr_str;
use ptc_lisp::session::{Arguments, Ended, Environment, Host, Outcome, Session, ToolRequest};
use ptc_lisp::symbol::Symbol;
use ptc_lisp::value::Value;

const BLESS: &str = "PTC_EVAL_BLESS";

/// Runs the programs of a `.clj` file in one session and compares their outcomes with the expectations.
///
/// A program ends at a blank line or at its expectations. `;out> LINE` is printed, then one of
/// `;=> VALUE`, `;return> VALUE`, `;fail> VALUE`, `;!> KIND MESSAGE` ends it. A program that expects
/// `;ticks> N` has its cost checked too. `;data> MAP` and `;tools> NAME…` before the first program define its
/// environment; a tool returns its arguments, except that `broken` fails.
///
/// `PTC_EVAL_BLESS=1` rewrites the expectations instead.
pub fn check(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let actual = replay(&text);
    if std::env::var_os(BLESS).is_some() {
        return bless(&path, &text, &actual);
    }
    assert!(text == actual, "{name} differs (bless with {BLESS}=1):\n{}", difference(&text, &actual));
}

/// The `.clj` files of a folder below `tests`, sorted.
pub fn files(folder: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let entries = fs::read_dir(&directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "clj"));
    files.sort();
    files
}

/// The rows of one kind in a table, which its first column names, without that column.
pub fn rows<const N: usize>(
    table: &'static str,
    kind: &'static str,
) -> impl Iterator<Item = [&'static str; N]> {
    let rows = table.lines().filter_map(move |line| line.strip_prefix(kind)?.strip_prefix('\t'));
    rows.map(|row| row.split('\t').collect::<Vec<_>>().try_into().unwrap())
}

/// Runs one program in a new session.
pub fn run(program: &str) -> Outcome {
    let mut session = Session::new(empty_environment(), Limits::default());
    session.run("program", program, 1, &mut Echo)
}

/// Returns the arguments of every tool call.
pub struct Echo;

impl Host for Echo {
    fn call_tool(&mut self, _: &mut Interpreter<'_>, request: ToolRequest) -> Eval {
        match request.arguments {
            _ if request.name.name() == "broken" => {
                raise(ErrorKind::ToolError, "Tool 'broken' failed: \"out of order\"")
            }
            Arguments::Named(map) => Ok(Value::Map(map)),
            Arguments::Positional(values) => Ok(Value::vector(values)),
        }
    }
}

fn bless(path: &Path, text: &str, actual: &str) {
    if text != actual {
        fs::write(path, actual).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

fn difference(expected: &str, actual: &str) -> String {
    similar::TextDiff::from_lines(expected, actual).unified_diff().context_radius(3).to_string()
}

/// The text of the file with actual outcomes as expectations.
fn replay(text: &str) -> String {
    let mut session = Session::new(environment(text), Limits::default());
    let mut out = String::new();
    for (index, case) in cases(text).into_iter().enumerate() {
        out.push_str(&case.program);
        if case.is_program() {
            let outcome = session.run("program", &case.program, index as u32 + 1, &mut Echo);
            out.push_str(&rendered(&outcome, case.counts_ticks));
            settle(&mut session, outcome.ended);
        }
        out.push_str(&case.blank);
    }
    out
}

fn settle(session: &mut Session, ended: Ended) {
    match ended {
        Ended::Value(value) => session.commit(Some(value)),
        Ended::Return(_) | Ended::Fail(_) => session.commit(None),
        Ended::Error(_) => session.roll_back(),
    }
}

/// An outcome as expectations.
fn rendered(outcome: &Outcome, counts_ticks: bool) -> String {
    let mut lines: Vec<String> = Vec::new();
    for print in &outcome.prints {
        lines.extend(print.split('\n').map(|line| format!(";out> {line}")));
    }
    match &outcome.ended {
        Ended::Value(value) => lines.push(format!(";=> {}", pr_str(value))),
        Ended::Return(value) => lines.push(format!(";return> {}", pr_str(value))),
        Ended::Fail(value) => lines.push(format!(";fail> {}", pr_str(value))),
        Ended::Error(error) => {
            let text = format!("{} {}", error.kind, error.message);
            lines.extend(text.split('\n').map(|line| format!(";!> {line}")));
        }
    }
    if counts_ticks {
        lines.push(format!(";ticks> {}", outcome.usage.ticks));
    }
    lines.iter().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// A program and the blank lines after its expectations.
#[derive(Default)]
struct Case {
    program: String,
    blank: String,
    counts_ticks: bool,
    expects: bool,
}

impl Case {
    fn is_program(&self) -> bool {
        self.program.lines().any(|line| !line.trim_start().starts_with(';'))
    }
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases = vec![Case::default()];
    for line in text.lines() {
        let is_blank = line.trim().is_empty();
        let is_expectation = [";out>", ";=>", ";!>", ";return>", ";fail>", ";ticks>"]
            .iter()
            .any(|marker| line.starts_with(marker));
        if cases
            .last()
            .is_none_or(|case| !is_blank && !is_expectation && (case.expects || !case.blank.is_empty()))
        {
            cases.push(Case::default());
        }
        let Some(case) = cases.last_mut() else { continue };
        if is_blank {
            case.blank.push('\n');
        } else if is_expectation {
            case.expects = true;
            case.counts_ticks |= line.starts_with(";ticks>");
        } else {
            case.program.push_str(line);
            case.program.push('\n');
        }
    }
    cases
}

/// An environment with the clock at 2024-01-01T00:00:00Z.
fn empty_environment() -> Environment {
    Environment { now: 1_704_067_200_000, ..Environment::default() }
}

/// The environment that the headers of a file define.
pub fn environment(text: &str) -> Environment {
    let header = |marker: &str| text.lines().find_map(|line| line.strip_prefix(marker));
    let mut environment = empty_environment();
    if let Some(Ended::Value(Value::Map(map))) = header(";data> ").map(|data| run(data).ended) {
        let mut data: Vec<(Symbol, Value)> =
            map.iter().map(|(key, value)| (Symbol::new(&name_of(key)), value.clone())).collect();
        data.sort_by_key(|entry| entry.0);
        environment.data = std::sync::Arc::new(data.into_iter().collect());
    }
    let mut tools: Vec<Symbol> = header(";tools> ")
        .map(|names| names.split_whitespace().map(Symbol::new).collect())
        .unwrap_or_default();
    tools.sort();
    environment.tools = tools;
    environment
}

fn name_of(key: &Value) -> String {
    pr_str(key).trim_matches([':', '"']).to_string()
}
