//! Asks the model and writes its answers into the scenario.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde::de::IgnoredAny;

use super::RecordArguments;
use crate::agent::{self, Ending, Message, Response};
use crate::cli::endpoint::{Endpoint, Failure};
use crate::cli::error::{CliError, CliResult};
use crate::cli::exit::Exit;
use crate::cli::replayed::strategy_of;
use crate::cli::script::responses;
use crate::cli::suite::{count, find};
use crate::cli::token_cache::CachedTokenizer;
use crate::evaluate::{LiveModel, Plan};
use crate::scenario::Scenario;
use crate::scenario::suite::Suite;
use crate::snapshot::atomic::write_atomically;
use ptc_lisp::error::ErrorKind;

pub(in crate::cli) fn run(arguments: &RecordArguments) -> CliResult {
    let (suite, scenario) = find(&arguments.scenario, arguments.permission)?;
    let path = &scenario.origin.path;
    // A script that exists is not overwritten unless its file is named.
    if arguments.output.is_none() && !scenario.responses.is_empty() {
        return Err(CliError::HasResponses(path.clone()));
    }
    let output = arguments.output.clone().unwrap_or_else(|| PathBuf::from(path));
    let original = fs::read_to_string(path).map_err(|error| CliError::Read(PathBuf::from(path), error))?;
    if !takes_responses(&original) {
        return Err(CliError::TakesNoResponses(path.clone()));
    }
    let (ending, answers) = answered(arguments, &suite, &scenario)?;
    let text = with_responses(&original, &responses(&answers));
    write_atomically(&output, |out| out.write_all(text.as_bytes()))
        .map_err(|error| CliError::Write(output.clone(), error))?;
    let shown = output.display();
    match &ending {
        Ending::Error(error) if error.kind == ErrorKind::ModelError => {
            errln!("error: {}", error.message);
            let answered = count(answers.len().saturating_sub(1), "answer");
            outln!("{shown}: {answered}, then the call failed");
            return Ok(Exit::Failed);
        }
        Ending::Return(_) | Ending::Recorded(_) => {
            outln!("{shown}: {}, the model returned", count(answers.len(), "answer"))
        }
        Ending::Fail(_) => outln!("{shown}: {}, the model gave up", count(answers.len(), "answer")),
        Ending::Error(error) => outln!("{shown}: {}, then {}", count(answers.len(), "answer"), error.kind),
    }
    outln!("Next: ptc-eval run {shown}");
    Ok(Exit::Success)
}

/// Runs the agent with the live model. Returns its ending and its answers.
fn answered(
    arguments: &RecordArguments,
    suite: &Suite,
    scenario: &Scenario,
) -> Result<(Ending, Vec<Response>), CliError> {
    let plan = Plan::new(suite, &[strategy_of(arguments.strategy.as_ref(), scenario, suite)])?;
    let variant = plan.variants_for(scenario)?.into_iter().next().ok_or(CliError::NoStrategy)?;
    let tokenizer = CachedTokenizer::of(None, suite)?;
    let count = |text: &str| u64::from(tokenizer.count(text));
    let endpoint = Endpoint::new(&arguments.endpoint)?;
    let mut answers = Vec::new();
    let send = |request: &[Message]| {
        let turn = answers.len() + 1;
        let answer = endpoint.ask(request).map_err(Failure::message);
        match &answer {
            Ok(answer) => errln!("turn {turn}: answered by {}", answer.origin()),
            Err(_) => errln!("turn {turn}: failed"),
        }
        let text = answer.map(|answer| answer.text);
        answers.push(match &text {
            Ok(text) => Response::Text(text.into()),
            Err(message) => Response::Error(message.into()),
        });
        text
    };
    let step = agent::run(&scenario.agent, &mut LiveModel::new(variant, &count, send));
    Ok((step.ending, answers))
}

/// Returns true if answers can be written into a scenario's text. It is asked before they are paid for.
fn takes_responses(text: &str) -> bool {
    let keys: Result<BTreeMap<String, IgnoredAny>, _> =
        serde_yaml::from_str(&with_responses(text, "responses: []\n"));
    keys.is_ok_and(|keys| keys.contains_key("responses"))
}

/// A scenario's text with its `responses:` replaced, or with them before `expect:`, or at its end. Keys of
/// the file begin their line; all that follows a key and is indented, a list or a comment belongs to it.
fn with_responses(text: &str, responses: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let is_key = |line: &&str| line.starts_with(|c: char| c.is_alphabetic() || matches!(c, '"' | '\''));
    let begins = |key: &str| lines.iter().position(|line| line.starts_with(key));
    let (from, to) = match (begins("responses:"), begins("expect:")) {
        (Some(from), _) => {
            let after = lines.iter().skip(from + 1).position(is_key);
            (from, after.map_or(lines.len(), |after| from + 1 + after))
        }
        (None, Some(before)) => (before, before),
        (None, None) => (lines.len(), lines.len()),
    };
    let head: String = lines.iter().take(from).copied().collect();
    let tail: String = lines.iter().skip(to).copied().collect();
    let break_before = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
    let blank_after = if tail.is_empty() { "" } else { "\n" };
    format!("{head}{break_before}{responses}{blank_after}{tail}")
}

#[cfg(test)]
mod tests {
    use super::with_responses;

    #[test]
    fn answers_take_the_place_of_those_before() {
        let cases = [
            ("mission: m\n", "mission: m\nNEW\n"),
            ("mission: m", "mission: m\nNEW\n"),
            ("mission: m\nexpect: {turns: 1}\n", "mission: m\nNEW\n\nexpect: {turns: 1}\n"),
            ("mission: m\nresponses:\n  - a\n- b\n\nexpect: {}\n", "mission: m\nNEW\n\nexpect: {}\n"),
            ("mission: m\nresponses: [a]\ntags: [t]\n", "mission: m\nNEW\n\ntags: [t]\n"),
        ];
        for (text, expected) in cases {
            assert_eq!(with_responses(text, "NEW\n"), expected, "{text}");
        }
    }
}
