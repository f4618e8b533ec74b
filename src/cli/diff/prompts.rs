//! Two system prompts of a suite side by side: their texts, or the requests of a scenario under each.

use super::side_by_side::Page;
use super::strategies::{add_texts, print_pairs};
use crate::agent::{PromptFrame, SystemPrompt};
use crate::cli::error::{CliError, CliResult};
use crate::cli::exit::Exit;
use crate::cli::replayed::replayed;
use crate::cli::show::with_named_parts;
use crate::cli::suite::{Permission, ScenarioChoice};
use crate::cli::terminal::{Color, columns, write_painted};
use crate::cli::token_cache::CachedTokenizer;
use crate::scenario::Suite;
use ptc_lisp::hint::suggestion;

/// The prompts to compare.
pub(super) struct PromptComparison<'p> {
    pub(super) prompts: [&'p str; 2],
    pub(super) permission: &'p Permission,
    pub(super) turn: Option<u32>,
    pub(super) color: Color,
}

impl PromptComparison<'_> {
    /// Prints the texts of both prompts, with the prefix and suffix of the suite.
    pub(super) fn of_suite(&self) -> CliResult {
        let choice = ScenarioChoice { permission: self.permission.clone(), ..ScenarioChoice::default() };
        let suite = choice.open()?;
        let tokenizer = CachedTokenizer::of(None, &suite)?;
        let mut sides = Vec::new();
        for name in self.prompts {
            let prompt = suite.prompt(name).ok_or_else(|| unknown_prompt(&suite, name))?;
            let frame = PromptFrame { text: prompt.text.clone(), ..suite.system_prompt.clone() };
            sides.push(SystemPrompt::frame_prompt(&frame));
        }
        let [left, right] = sides.as_slice() else { return Err(CliError::DiffUsage) };
        let mut page = Page::new(columns(), self.color);
        page.both(self.prompts[0], self.prompts[1]);
        let [tokens, others] = [left, right].map(|text| format!("{} tokens", tokenizer.count(text)));
        page.both(&tokens, &others);
        page.rule();
        add_texts(&mut page, &with_named_parts(left), &with_named_parts(right));
        write_painted(&page.text);
        Ok(Exit::Success)
    }

    /// Prints the requests of a scenario under both prompts.
    pub(super) fn of_scenario(&self, scenario: &str) -> CliResult {
        let mut unknown = None;
        let replayed = replayed(scenario, self.permission, |scenario, suite| {
            let strategy = scenario.compression.as_ref().map_or(&suite.baseline, |chosen| &chosen.strategy);
            let mut wanted = Vec::new();
            for name in self.prompts {
                match suite.strategy_under(strategy, name) {
                    Some(name) => wanted.push((name, Default::default())),
                    None => _ = unknown.get_or_insert_with(|| unknown_prompt(suite, name)),
                }
            }
            wanted
        })?;
        match unknown {
            Some(error) => Err(error),
            None => print_pairs(&replayed, self.turn, self.color),
        }
    }
}

fn unknown_prompt(suite: &Suite, name: &str) -> CliError {
    let known: Vec<&str> = suite.prompts.iter().map(|prompt| prompt.name.as_str()).collect();
    let help = match known.is_empty() {
        true => "suite.yaml has no prompts; write prompts: {current: FILE, shorter: FILE}".to_owned(),
        false => suggestion(name, &known),
    };
    CliError::UnknownPrompt { name: name.to_owned(), help }
}
