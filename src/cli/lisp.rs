//! `ptc-eval lisp`: evaluates an expression, a file, standard input, or one program a line. On a terminal it is a
//! read-eval-print loop.

mod place;
mod repl;
mod terminal;

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use ecow::EcoString;
use serde::Deserialize;
use serde_json::json;

use self::place::{Place, Seat};
use super::error::{CliError, CliResult};
use super::exit::Exit;
use super::terminal::{for_reader, json_line, visible, write_painted};
use crate::scenario::files;
use ptc_lisp::diagnostic;
use ptc_lisp::error::{Error, ErrorKind};
use ptc_lisp::json::from_json;
use ptc_lisp::lenient::read_lenient;
use ptc_lisp::limits::{Limits, MAX_DEPTH, MAX_MEMORY_MIB};
use ptc_lisp::print::whole;
use ptc_lisp::read;
use ptc_lisp::session::{Bindings, CLOCK, Ended, Environment, NoTools, Session};
use ptc_lisp::source::Source;
use ptc_lisp::symbol::Symbol;

#[derive(Args)]
pub(super) struct LispArguments {
    /// Evaluate this program instead of a file, standard input or the REPL
    #[arg(
        short,
        long = "expression",
        value_name = "EXPR",
        conflicts_with = "file",
        allow_hyphen_values = true
    )]
    expression: Option<String>,
    /// File with the program
    file: Option<PathBuf>,
    /// Open a turn of a scenario, such as shop/join@3, with its tools, data/ and definitions; default: the first turn
    #[arg(long = "in", value_name = "SCENARIO@TURN", conflicts_with_all = ["jsonl", "ticks", "depth", "memory"])]
    place: Option<String>,
    /// Read {"id", "program", "data"} and print {"id", "ok", "value", "error", "prints"}, one JSON object per line
    #[arg(long, conflicts_with = "expression")]
    jsonl: bool,
    /// Limit of evaluation steps (ticks)
    #[arg(long, value_name = "N")]
    ticks: Option<u64>,
    /// Limit of nested calls
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Limit of allocated memory
    #[arg(long, value_name = "MIB")]
    memory: Option<u64>,
}

#[derive(Deserialize)]
struct Request {
    #[serde(default)]
    id: serde_json::Value,
    program: String,
    #[serde(default)]
    data: serde_json::Map<String, serde_json::Value>,
}

pub(super) fn run(arguments: &LispArguments) -> CliResult {
    let limits = arguments.limits();
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let place = arguments.place.as_deref().map(Place::find).transpose()?;
    if is_terminal && arguments.expression.is_none() && arguments.file.is_none() && !arguments.jsonl {
        return terminal::converse(limits, place);
    }
    let held = place.as_ref().map(Place::hold).transpose()?;
    let seat = held.map_or_else(|| Seat::empty(limits), Seat::of);
    match (&arguments.expression, &arguments.file) {
        (Some(expression), _) => evaluate_text("expression", expression, seat),
        (None, None) if arguments.jsonl => answer_lines(io::stdin().lock(), limits),
        (None, None) => {
            let text = io::read_to_string(io::stdin());
            let text = text.map_err(|error| CliError::Read { path: "standard input".into(), error })?;
            evaluate_text("stdin", &text, seat)
        }
        (None, Some(path)) => {
            let unreadable = |error| CliError::Read { path: path.clone(), error };
            if arguments.jsonl {
                let file = files::open(path).map_err(unreadable)?;
                return answer_lines(io::BufReader::new(file), limits);
            }
            let text = files::read_to_string(path).map_err(unreadable)?;
            evaluate_text(&path.display().to_string(), &text, seat)
        }
    }
}

impl LispArguments {
    /// Returns true if the output may contain data of a scenario.
    pub(super) fn opens_turn(&self) -> bool {
        self.place.is_some()
    }

    fn limits(&self) -> Limits {
        let default = Limits::default();
        Limits {
            ticks: self.ticks.unwrap_or(default.ticks),
            depth: self.depth.unwrap_or(default.depth).min(MAX_DEPTH),
            memory_mib: self.memory.unwrap_or(default.memory_mib).min(MAX_MEMORY_MIB),
            ..default
        }
    }
}

/// Runs one program. Prints its output and value to standard output, an error to standard error.
fn evaluate_text(name: &str, text: &str, mut seat: Seat<'_>) -> CliResult {
    if let Some(error) = stray_closer(name, text) {
        err!("{error}");
        return Ok(Exit::Failed);
    }
    let outcome = seat.session.run(name, text, seat.turn, &mut *seat.host);
    for print in &outcome.prints {
        write_line(print);
    }
    match value_text(outcome.ended) {
        Ok(value) => {
            write_line(&for_reader(&value, io::stdout().is_terminal()));
            Ok(Exit::Success)
        }
        Err(error) => {
            let message = for_reader(&error.message, io::stderr().is_terminal()).into();
            err!("{}", describe_error(&Error { message, ..error }, &Source::new(name, text)));
            Ok(Exit::Failed)
        }
    }
}

/// The error message for an unmatched closing bracket.
fn stray_closer(name: &str, text: &str) -> Option<String> {
    let source = read_lenient(&Source::new(name, text)).source;
    Some(diagnostic::render(&read::stray_closer(&source)?, &source))
}

/// The printed value of a program. Printing has the limits of a program.
fn value_text(ended: Ended) -> Result<EcoString, Error> {
    match ended {
        Ended::Value(value) | Ended::Return(value) => whole(&value),
        Ended::Fail(reason) => Err(Error::new(ErrorKind::Failed, whole(&reason)?)),
        Ended::Error(error) => Err(error),
    }
}

fn describe_error(error: &Error, source: &Source) -> String {
    match error.kind {
        ErrorKind::Failed => format!("failed: {}\n", error.message),
        _ => diagnostic::render(error, source),
    }
}

/// Writes a line: byte-exact to a file or pipe, without control characters to a terminal.
fn write_line(text: &str) {
    let text = if io::stdout().is_terminal() { visible(text) } else { text.into() };
    write_painted(&format!("{text}\n"));
}

/// Answers every line, even if it is not valid UTF-8.
fn answer_lines(input: impl BufRead, limits: Limits) -> CliResult {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in input.split(b'\n') {
        let line = line?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let answer = match serde_json::from_slice::<Request>(&line) {
            Ok(request) => answer_request(request, limits),
            Err(error) => {
                let error = json!({"kind": "invalid_request", "message": error.to_string()});
                json!({"id": null, "ok": false, "value": null, "error": error, "prints": []})
            }
        };
        out.write_all(json_line(&answer.to_string()).as_bytes())?;
        out.flush()?;
    }
    Ok(Exit::Success)
}

fn answer_request(request: Request, limits: Limits) -> serde_json::Value {
    let mut data: Bindings =
        request.data.iter().map(|(name, value)| (Symbol::new(name), from_json(value))).collect();
    data.sort_keys();
    let environment = Environment { now: CLOCK, data: Arc::new(data), ..Environment::default() };
    let outcome = Session::new(environment, limits).run("program", &request.program, 1, &mut NoTools);
    let value = value_text(outcome.ended);
    let error = value.as_ref().err();
    let error = error.map(|error| json!({"kind": error.kind.name(), "message": error.message.as_str()}));
    let value = value.as_deref().ok();
    let prints: Vec<&str> = outcome.prints.iter().map(|print| print.as_str()).collect();
    json!({"id": request.id, "ok": error.is_none(), "value": value, "error": error, "prints": prints})
}
