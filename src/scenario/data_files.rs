//! Parses data files by extension. Refuses files outside the suite's folder.

use std::path::{Component, Path, PathBuf};

use rustc_hash::FxHashSet;

use super::document::{Document, Step, Target};
use super::files;
use super::node::Node;
use super::problem::{Problem, ScenarioError};
use ptc_lisp::json::key;
use ptc_lisp::table::Map;
use ptc_lisp::value::Value;

const EXTENSIONS: &str = ".csv, .json, .jsonl, .yaml, .yml and .txt files can be read";

/// Why a file was refused: because of its path, or because of its content.
pub enum Refused {
    /// Message and help about the path.
    Path(String, &'static str),
    File(Box<Problem>),
}

impl Refused {
    /// The reason without a position.
    pub fn message(&self) -> String {
        match self {
            Refused::Path(message, help) => format!("{message}; {help}"),
            Refused::File(problem) => problem.message.clone(),
        }
    }

    /// The problem, at the value with the file name or in the file itself.
    pub fn into_problem(self, document: &Document<'_>, at: &[Step]) -> Problem {
        match self {
            Refused::Path(message, help) => document.problem(at, Target::Value, message, help),
            Refused::File(problem) => *problem,
        }
    }
}

impl From<Problem> for Refused {
    fn from(problem: Problem) -> Refused {
        Refused::File(Box::new(problem))
    }
}

/// Parses a data file. `path` is relative to `folder`, and must stay inside `root`.
pub fn read(root: &Path, folder: &Path, path: &str) -> Result<Value, Refused> {
    let (file, text) = read_text(root, folder, path)?;
    let shown = display(&file);
    let document = Document::new(&shown, &text);
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("csv") => Ok(csv_rows(&document)?),
        Some("json") => Ok(document.json()?.to_value()),
        Some("jsonl") => Ok(json_lines(&document)?),
        Some("yaml" | "yml") => Ok(parse_yaml(&document)?),
        Some("txt") => Ok(Value::str(document.text)),
        _ => Err(Refused::Path(format!("cannot read '{path}' as data"), EXTENSIONS)),
    }
}

/// Reads a text file, and returns its path and text. `path` is relative to `folder`, and must stay inside `root`.
pub fn read_text(root: &Path, folder: &Path, path: &str) -> Result<(PathBuf, String), Refused> {
    let file = folder.join(path);
    check_confined(root, folder, path)?;
    let bytes = match files::read(&file) {
        Ok(bytes) => bytes,
        Err(error) => {
            let message = format!("cannot read '{path}': {}", reason(&error));
            return Err(Refused::Path(message, "the path is relative to this file"));
        }
    };
    let shown = display(&file);
    let text = utf8(&shown, &files::with_line_feeds(&bytes))?.to_owned();
    Ok((file, text))
}

/// Decodes UTF-8. The error has the position of the first invalid byte.
pub fn utf8<'a>(path: &str, bytes: &'a [u8]) -> Result<&'a str, Problem> {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(error) => error,
    };
    let at = error.valid_up_to();
    let (before, rest) = bytes.split_at(at);
    let message = format!("byte {at} of the file is not UTF-8");
    let text = String::from_utf8_lossy(before).into_owned() + &String::from_utf8_lossy(rest);
    let document = Document { path, text: &text, first_line: 1 };
    Err(document.problem_at(at, 1, message, "save the file as UTF-8"))
}

/// A path for messages and names, with slashes on every system.
pub fn display(path: &Path) -> String {
    let shown = path.display().to_string();
    if std::path::MAIN_SEPARATOR == '/' { shown } else { shown.replace(std::path::MAIN_SEPARATOR, "/") }
}

/// The reason of an I/O error, in the same words on every system.
pub fn reason(error: &std::io::Error) -> String {
    use std::io::ErrorKind::*;
    match error.kind() {
        NotFound => "there is no such file".to_owned(),
        PermissionDenied => "permission denied".to_owned(),
        IsADirectory => "it is a folder".to_owned(),
        NotADirectory => "a part of its path is not a folder".to_owned(),
        InvalidInput => "this is no path".to_owned(),
        InvalidData => "it is not UTF-8".to_owned(),
        _ => error.to_string(),
    }
}

/// Refuses a path leading out of the suite's folder, either by its text or through a link.
fn check_confined(root: &Path, folder: &Path, path: &str) -> Result<(), Refused> {
    let Ok(below) = folder.strip_prefix(root) else { return Err(refuse_leaving(path)) };
    let mut depth = below.components().count();
    for component in Path::new(path).components() {
        match component {
            Component::Normal(_) => depth += 1,
            Component::CurDir => {}
            Component::ParentDir if depth > 0 => depth -= 1,
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                return Err(refuse_leaving(path));
            }
        }
    }
    if files::leads_out(root, &folder.join(path)) { Err(refuse_leaving(path)) } else { Ok(()) }
}

fn refuse_leaving(path: &str) -> Refused {
    let help = "move the file below the suite's folder";
    Refused::Path(format!("'{path}' leads out of the suite's folder"), help)
}

fn parse_yaml(document: &Document<'_>) -> Result<Value, Problem> {
    let node = document.yaml()?;
    match document.huge_integers(&node).into_iter().next() {
        Some(problem) => Err(problem),
        None => Ok(node.to_value()),
    }
}

/// One value per non-blank line.
fn json_lines(document: &Document<'_>) -> Result<Value, Problem> {
    let mut values = Vec::new();
    for (text, first_line) in document.text.lines().zip(1..) {
        if !text.trim().is_empty() {
            values.push(Document { text, first_line, ..*document }.json()?.to_value());
        }
    }
    Ok(Value::vector(values))
}

/// One map per row, with the header's columns as keys.
fn csv_rows(document: &Document<'_>) -> Result<Value, Problem> {
    let mut reader = csv::Reader::from_reader(document.text.as_bytes());
    let headers = match reader.headers() {
        Ok(headers) => headers.clone(),
        Err(error) => return Err(csv_problem(document, &error)),
    };
    refuse_other_separator(document, &headers)?;
    let mut seen = FxHashSet::default();
    if let Some((index, name)) = headers.iter().enumerate().find(|(_, name)| !seen.insert(*name)) {
        let message = format!("the header has two columns '{name}'");
        let before: usize = headers.iter().take(index).map(|name| name.len() + 1).sum();
        return Err(document.problem_at(before, name.len(), message, "give each column a name of its own"));
    }
    let (mut rows, mut last) = (Vec::new(), 0);
    for row in reader.records() {
        let row = match row {
            Ok(row) => row,
            Err(error) => return Err(csv_problem(document, &error)),
        };
        if let Some(position) = row.position() {
            last = position.byte() as usize;
        }
        rows.push(Value::map(csv_row(&headers, &row)));
    }
    refuse_open_quote(document, last)?;
    Ok(Value::vector(rows))
}

/// Refuses a file without a header, or with a separator other than commas.
fn refuse_other_separator(document: &Document<'_>, headers: &csv::StringRecord) -> Result<(), Problem> {
    if document.text.trim().is_empty() {
        let help = "write a header such as name,amount; a header alone is a table without rows";
        return Err(document.problem_at(0, 1, "the file is empty, expected a header", help));
    }
    let Some(header) = headers.get(0) else { return Ok(()) };
    if headers.len() > 1 {
        return Ok(());
    }
    let Some(at) = header.find([';', '\t', '|']) else { return Ok(()) };
    let message = format!("expected commas between columns, found one column {header:?}");
    let offset = document.text.find(header).unwrap_or(0) + at;
    Err(document.problem_at(offset, 1, message, "save the file with commas between columns"))
}

/// Refuses an unclosed quote in the last row.
fn refuse_open_quote(document: &Document<'_>, row: usize) -> Result<(), Problem> {
    // The library closes the quote at the end of the file without an error. An appended row then becomes part of the cell.
    let followed = document.text.get(row..).unwrap_or_default().to_owned() + "\n-";
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(followed.as_bytes());
    match reader.records().last() {
        None => return Ok(()),
        Some(Ok(last)) if last == ["-"][..] => return Ok(()),
        Some(_) => {}
    }
    let help = "close it; a quote within a quoted cell is written twice";
    Err(document.problem_at(row, 1, "a quote in this row is not closed before the end of the file", help))
}

fn csv_row(headers: &csv::StringRecord, row: &csv::StringRecord) -> Map {
    headers.iter().zip(row).map(|(name, cell)| (key(name), csv_cell(cell))).collect()
}

/// The value of a cell: a JSON number, true or false, else text. An empty cell is nil.
fn csv_cell(cell: &str) -> Value {
    if cell.is_empty() {
        return Value::Nil;
    }
    match Document::new("", cell).json() {
        Ok(node @ (Node::Int(_) | Node::Float(_) | Node::Bool(_))) if cell.trim() == cell => node.to_value(),
        _ => Value::str(cell),
    }
}

fn csv_problem(document: &Document<'_>, error: &csv::Error) -> Problem {
    let offset = error.position().map_or(0, |position| position.byte() as usize);
    if let Err(problem) = refuse_open_quote(document, offset) {
        return problem;
    }
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            let columns = if *expected_len == 1 { "column" } else { "columns" };
            let message = format!("expected {expected_len} {columns} as in the header, found {len}");
            document.problem_at(offset, 1, message, "quote cells with commas or line breaks")
        }
        _ => {
            let message = format!("this is not CSV: {error}");
            document.problem_at(offset, 1, message, "check the quotes up to here")
        }
    }
}

/// The error for a file that cannot be opened.
pub fn unreadable(path: &str, error: &std::io::Error) -> ScenarioError {
    let help = match error.kind() {
        std::io::ErrorKind::PermissionDenied => "let this user read it",
        _ => "check the path",
    };
    Problem::of_file(path, format!("cannot be read: {}", reason(error)), help).into()
}
