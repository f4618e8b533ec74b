//! TEMPORARY
use crate::agent::{Agent, Turn};
use crate::lisp::print::to_clojure;
use ecow::EcoString;
use std::fmt::Write;

pub fn feedback(turn: &Turn, max_turns: u32) -> String {
    let mut out = match &turn.result {
        Ok(v) => format!("Result: {}", to_clojure(v, 20, 500).0),
        Err(e) => format!("Error: {}", e.message),
    };
    if !turn.prints.is_empty() {
        out.push_str("\n\n;; Output:");
        for p in &turn.prints {
            let _ = write!(out, "\n{p}");
        }
    }
    if turn.number + 1 == max_turns {
        out.push_str("\n\nFINAL TURN - you must call (return result) or (fail reason) now.");
    } else {
        let _ = write!(out, "\n\nTurn {} of {max_turns}", turn.number + 1);
    }
    out
}

pub fn system_prompt(agent: &Agent) -> EcoString {
    let p = &agent.system_prompt;
    let parts = [p.prefix.as_deref(), Some("SYSTEM"), p.suffix.as_deref()];
    parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n").into()
}
