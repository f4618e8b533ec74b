//! Robustness of the language: any text ends in a value or an error within its limits, or the function
//! panics. Fuzz targets call these functions on what they find, and `cargo test` on seeds and random input.

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
const LIMITS: Limits =
    Limits { ticks: 20_000, depth: 200, memory_mib: 2, print_length: 200, prints: 20, tool_calls: Some(10) };

/// A tool that fails.
struct Broken;

impl Host for Broken {
    fn call_tool(&mut self, _: &mut Interpreter<'_>, request: ToolRequest) -> Eval {
        raise(ErrorKind::ToolError, format!("Tool '{}' failed", request.name))
    }
}

/// The reader gives forms or an error. What it reads as data prints and reads back.
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

/// The evaluator gives the same outcome every time.
pub fn evaluator(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let first = run(&text, LIMITS);
    let second = run(&text, LIMITS);
    assert_eq!(first.usage, second.usage, "{text}");
    assert_eq!(first.prints, second.prints, "{text}");
    assert_eq!(ending(&first.ended), ending(&second.ended), "{text}");
}

/// Runs a program that has one tool and no data, then prints its value in every way.
pub fn run(text: &str, limits: Limits) -> Outcome {
    let environment = Environment { tools: vec![Symbol::new("broken")], ..Environment::default() };
    let mut session = Session::new(environment, limits);
    let outcome = session.run("fuzz", text, 1, &mut Broken);
    if let Ended::Value(value) | Ended::Return(value) | Ended::Fail(value) = &outcome.ended {
        print(value);
        session.commit(Some(value.clone()));
    }
    outcome
}

fn print(value: &Value) {
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
