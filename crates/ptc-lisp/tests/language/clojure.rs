//! Programs as models write them, with the outcomes that `tests/clojure/compare.py` recorded after it found
//! Clojure 1.11 to agree.

use std::fs;

use ptc_lisp::limits::Limits;
use ptc_lisp::print::pr_str;
use ptc_lisp::session::{Ended, Outcome, Session};

use super::golden::{Echo, environment, files};

/// `;clojure>` and `;deviation>` hold Clojure's answer and the documented difference.
const RECORDED: [&str; 5] = [";out>", ";=>", ";!>", ";clojure>", ";deviation>"];

#[test]
fn programs_end_as_recorded() {
    let mut failures = Vec::new();
    for path in files("clojure/programs") {
        let text = fs::read_to_string(&path).unwrap();
        for part in format!("\n{text}").split("\n;;;;").skip(1) {
            let is_recorded = |line: &&str| RECORDED.iter().any(|marker| line.starts_with(marker));
            let (recorded, program): (Vec<&str>, Vec<&str>) = part.lines().skip(1).partition(is_recorded);
            let mut session = Session::new(environment(part), Limits::default());
            let actual = behaviour(&session.run("program", &program.join("\n"), 1, &mut Echo));
            if !recorded.iter().take_while(|line| !line.starts_with(";clojure>")).eq(&actual) {
                failures.push(format!("{}:{part}\n    got {}", path.display(), actual.join("\n        ")));
            }
        }
    }
    assert!(failures.is_empty(), "{} programs differ:\n{}", failures.len(), failures.join("\n\n"));
}

/// The lines that `compare.py` records: the kind of an error without its message, which goldens hold.
fn behaviour(outcome: &Outcome) -> Vec<String> {
    let out = outcome.prints.join("\n");
    let printed = out.split('\n').filter(|_| !out.is_empty());
    let mut lines: Vec<String> = printed.map(|line| format!(";out> {line}").trim_end().to_owned()).collect();
    lines.push(match &outcome.ended {
        Ended::Error(error) => format!(";!> {}", error.kind),
        Ended::Value(value) | Ended::Return(value) | Ended::Fail(value) => format!(";=> {}", pr_str(value)),
    });
    lines
}
