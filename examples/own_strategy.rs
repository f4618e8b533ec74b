//! A strategy of one's own, written in Rust, on a suite next to those that come with the program:
//! `cargo run --example own_strategy [FOLDER]`.

use std::error::Error;
use std::path::PathBuf;

use ptc_eval::agent::{Message, Role};
use ptc_eval::compression::{OptionRow, Options, Rendered, Strategy, StrategyError, View};
use ptc_eval::replay::{Plan, replay};
use ptc_eval::report::{Gauges, Header, ScenarioRecord, Tally, measure, terminal};
use ptc_eval::scenario::{Known, Selection, Suite};
use ptc_tokens::{DEFAULT_TOKENIZER, Tokenizer};

/// The mission, the names of what is defined, and the last prints: a few lines, however long the run.
struct Headlines;

const LINES: OptionRow =
    OptionRow { name: "lines", default: 3, least: 1, doc: "most recent prints that are shown" };

impl Strategy for Headlines {
    fn name(&self) -> &str {
        "headlines"
    }

    fn doc(&self) -> &str {
        "the mission, names, and the last prints"
    }

    fn options(&self) -> &'static [OptionRow] {
        &[LINES]
    }

    fn to_messages(&self, view: &View<'_>, options: &Options) -> Result<Rendered, StrategyError> {
        let names: Vec<&str> = view.memory.iter().map(|definition| definition.name.name()).collect();
        let successful = view.turns.iter().filter(|turn| turn.success);
        let prints: Vec<&str> =
            successful.flat_map(|turn| &turn.prints).map(|print| print.as_str()).collect();
        let recent = prints.len().saturating_sub(options.get(&LINES));

        let mut lines = vec![view.opening().content.to_string()];
        if !names.is_empty() {
            lines.push(format!(";; defined: {}", names.join(" ")));
        }
        lines.extend(prints.iter().skip(recent).map(ToString::to_string));
        lines.push(format!("Turns left: {}", view.turns_left));
        let messages = vec![view.system().clone(), Message::new(Role::User, lines.join("\n"))];
        // What the request shows is counted from its text.
        Ok(Rendered::recounted(self.name(), view, messages))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("scenarios"), PathBuf::from);
    let suite = Suite::open(&folder, Known::default())?;
    let plan = Plan::of(&suite)?.with(Headlines);
    let tokenizer = Tokenizer::named(DEFAULT_TOKENIZER)?;

    let gauges = Gauges { tokenizer: &tokenizer, models: &[] };
    let mut tally = Tally::new(Header {
        tokenizer: tokenizer.name().to_string(),
        strategies: plan.names().into_iter().map(str::to_string).collect(),
        baseline: suite.baseline.clone(),
        ..Header::default()
    });
    for (position, scenario) in (0..).zip(suite.scenarios(&Selection::default())?) {
        let result = replay(scenario?, &plan, &|text| tokenizer.count(text).into())?;
        tally.add(&ScenarioRecord::new(&result, measure(&result, &gauges), position));
    }
    print!("{}", terminal::strategy_table(&tally.compare()));
    Ok(())
}
