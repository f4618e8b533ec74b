//! What must survive any bytes: one function for each kind of text that comes from outside. The fuzz
//! targets call them, and `tests/robustness.rs` does so with seeds and random input. Each ends in a value
//! or an error within its limits, or it fails by panicking.

use std::path::{Path, PathBuf};

use ptc_eval::agent::extract;
use ptc_eval::scenario::{self, Format, Known, Suite};
use ptc_eval::snapshot::Change;
use ptc_lisp::error::{ErrorKind, Eval, raise};
use ptc_lisp::eval::Interpreter;
use ptc_lisp::json;
use ptc_lisp::limits::Limits;
use ptc_lisp::print::{pr_str, to_clojure};
use ptc_lisp::read;
use ptc_lisp::session::{Ended, Environment, Host, Outcome, Session, ToolRequest};
use ptc_lisp::source::Source;
use ptc_lisp::symbol::Symbol;
use ptc_lisp::value::Value;

/// Small enough that any program ends at once.
pub const LIMITS: Limits =
    Limits { ticks: 20_000, depth: 200, memory_mib: 2, print_length: 200, prints: 20, tool_calls: Some(10) };

/// A tool that fails.
pub struct Broken;

impl Host for Broken {
    fn call_tool(&mut self, _: &mut Interpreter<'_>, request: ToolRequest) -> Eval {
        raise(ErrorKind::ToolError, format!("Tool '{}' failed", request.name))
    }
}

/// The reader: forms or an error; what it reads as data prints and reads back.
pub fn reader(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Ok(forms) = read::read(&Source::new("fuzz", text)) else { return };
    for value in forms.iter().filter_map(read::literal) {
        let printed = pr_str(&value);
        let again = read::read(&Source::new("fuzz", printed.as_str()));
        let again = again.ok().and_then(|forms| read::literal(forms.first()?));
        assert_eq!(again.as_ref().map(pr_str), Some(printed));
    }
}

/// The evaluator: an outcome within the limits, the same every time, however its value is looked at.
pub fn evaluator(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let first = run(&text, LIMITS);
    let second = run(&text, LIMITS);
    assert_eq!(first.usage, second.usage, "{text}");
    assert_eq!(first.prints, second.prints, "{text}");
    assert_eq!(ending(&first.ended), ending(&second.ended), "{text}");
}

/// A program that finds a tool and no data, and what is left of it looked at in every way.
pub fn run(text: &str, limits: Limits) -> Outcome {
    let environment = Environment { tools: vec![Symbol::new("broken")], ..Environment::default() };
    let mut session = Session::new(environment, limits);
    let outcome = session.run("fuzz", text, 1, &mut Broken);
    if let Ended::Value(value) | Ended::Return(value) | Ended::Fail(value) = &outcome.ended {
        look_at(value);
        session.commit(Some(value.clone()));
    }
    outcome
}

fn look_at(value: &Value) {
    to_clojure(value, 10, 80);
    json::to_json(value);
    json::generate(value);
}

fn ending(ended: &Ended) -> String {
    match ended {
        Ended::Value(value) => to_clojure(value, 5, 50).0,
        Ended::Return(value) => format!("return {}", to_clojure(value, 5, 50).0),
        Ended::Fail(value) => format!("fail {}", to_clojure(value, 5, 50).0),
        Ended::Error(error) => format!("{}: {}", error.kind, error.message),
    }
}

/// The program in a response, which is part of it.
pub fn response(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(program) = extract::program_in(&text) {
        assert!(program.len() <= text.len());
    }
}

/// A scenario file in either form: a scenario or an explanation.
pub fn scenario(bytes: &[u8]) {
    for format in [Format::Yaml, Format::JsonLine] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let Ok(suite) = Suite::open(folder, Known::default()) else { return };
        let source = scenario::Source {
            name: Some("fuzz".to_owned()),
            path: "fuzz.yaml".to_owned(),
            folder: PathBuf::from(folder),
            line: 1,
            text: bytes.to_vec(),
            format,
        };
        if let Err(error) = suite.load(&source) {
            assert!(!error.to_string().is_empty());
        }
    }
}

/// Two snapshots, divided by a zero byte: accepting all hunks gives the new one, none the old one.
pub fn snapshot(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (old, new) = text.split_once('\0').unwrap_or((&text, ""));
    let change = Change::new("fuzz".to_owned(), old.to_owned(), new.to_owned());
    assert_eq!(change.with_hunks(|_| true), new.trim_end());
    assert_eq!(change.with_hunks(|_| false), old.trim_end());
}
