//! Compares a strategy written in Rust with those of a suite: `cargo run --example own_strategy [FOLDER]`.

#![allow(clippy::print_stdout)]

use std::error::Error;

use ptc_eval::agent::{Message, Role};
use ptc_eval::compression::{
    CountOption, OptionRow, Options, Rendered, Strategy, StrategyError, View, past_of, recounted, turns_left,
};
use ptc_eval::evaluate::{Pipeline, Plan};
use ptc_eval::report::{Advice, Gauges};
use ptc_eval::scenario::{Known, Suite};
use ptc_lisp::memory::Memory;
use ptc_tokens::{DEFAULT_TOKENIZER, Tokenizer};

/// The mission, the names of what is defined, and the last prints: a few lines, however long the run.
struct Headlines;

const LINES: CountOption = CountOption::new("lines", 3, 1, "most recent prints that are shown");

impl Strategy for Headlines {
    fn name(&self) -> &str {
        "headlines"
    }

    fn options(&self) -> &'static [OptionRow] {
        const { &[LINES.row()] }
    }

    fn to_messages(&self, view: &View<'_>, options: &Options) -> Result<Rendered, StrategyError> {
        let names: Vec<&str> = past_of(view)
            .memory()
            .into_iter()
            .flat_map(Memory::iter)
            .map(|definition| definition.name.name())
            .collect();
        let successful = view.turns().iter().filter(|turn| turn.has_succeeded());
        let prints: Vec<&str> =
            successful.flat_map(|turn| &turn.outputs).map(|print| print.as_str()).collect();
        let recent = prints.len().saturating_sub(options.get(&LINES));

        let mut lines = vec![view.opening().content.to_string()];
        if !names.is_empty() {
            lines.push(format!(";; defined: {}", names.join(" ")));
        }
        lines.extend(prints.iter().skip(recent).map(ToString::to_string));
        lines.push(format!("Turns left: {}", turns_left(view)));
        let last = Message::new(Role::User, lines.join("\n"));
        let messages = view.head().iter().cloned().chain([last]).collect();
        // What the request shows is counted from its text.
        Ok(recounted(self.name(), view, messages))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).unwrap_or_else(|| "scenarios".into());
    let suite = Suite::open(folder.as_ref(), Known::default())?;
    let (plan, tokenizer) = (Plan::of(&suite)?.with(Headlines), Tokenizer::named(DEFAULT_TOKENIZER)?);
    let comparison =
        Pipeline::new(&plan, Gauges { tokenizer: &tokenizer, models: &[], logged: None, warm_system: false })
            .compare(&suite)?;
    print!("{}", Advice::new(&comparison).table(80));
    Ok(())
}
