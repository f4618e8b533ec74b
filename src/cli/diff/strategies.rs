//! Two strategies' requests for the same turns of one scenario, side by side: `|` between different lines, `<` and `>` next to lines sent
//! by only one.

use std::fmt::Write;

use super::side_by_side::Page;
use crate::agent::Message;
use crate::cli::error::{CliError, CliResult};
use crate::cli::exit::Exit;
use crate::cli::replayed::{Replayed, no_such_turn, replayed, strategy_of};
use crate::cli::show::shown_content;
use crate::cli::suite::{Permission, StrategyChoice};
use crate::cli::terminal::{Color, columns, without_secrets, write_painted};
use crate::compression::Request;
use crate::evaluate::ReplayedScenario;
use crate::measure::MeasuredRun;
use crate::snapshot::differences::differences;

pub(super) fn run(
    (scenario, permission): (&str, &Permission),
    strategies: [Option<&StrategyChoice>; 2],
    turn: Option<u32>,
    color: Color,
) -> CliResult {
    let replayed = replayed(scenario, permission, |scenario, suite| {
        strategies.iter().map(|wanted| strategy_of(*wanted, scenario, suite)).collect()
    })?;
    print_pairs(&replayed, turn, color)
}

/// Prints the requests of two replayed strategies.
pub(super) fn print_pairs(replayed: &Replayed, turn: Option<u32>, color: Color) -> CliResult {
    let measured = replayed.sized()?;
    let mut page = Page::new(columns(), color);
    for pair in pairs_of_requests(&replayed.result, turn)? {
        compare_pair(&mut page, &replayed.result, pair, &measured);
    }
    write_painted(&page.text);
    Ok(Exit::Success)
}

type Pair<'r> = [&'r Request; 2];

/// The requests of both strategies for the given turn, or for all turns.
fn pairs_of_requests(result: &ReplayedScenario, turn: Option<u32>) -> Result<Vec<Pair<'_>>, CliError> {
    let [left, right] = result.strategies.as_slice() else { return Ok(Vec::new()) };
    let pairs = left.answered().zip(right.answered());
    let wanted = pairs.filter(|(left, _)| turn.is_none_or(|turn| left.turn == turn));
    let pairs: Vec<Pair<'_>> = wanted.map(|(left, right)| [left, right]).collect();
    match (turn, pairs.is_empty()) {
        (Some(_), true) => Err(no_such_turn(result)),
        _ => Ok(pairs),
    }
}

fn compare_pair(page: &mut Page, result: &ReplayedScenario, pair: Pair<'_>, measured: &[MeasuredRun]) {
    let [left, right] = pair;
    page.title(&format!("=== Request {} ===", left.turn));
    if let [left, right] = result.strategies.as_slice() {
        page.both(&left.name, &right.name);
    }
    if let [left_run, right_run] = measured
        && let Some(left) = left_run.requests.get(left.turn as usize - 1)
        && let Some(right) = right_run.requests.get(right.turn as usize - 1)
    {
        page.both(&format!("{} tokens", left.input_tokens), &format!("{} tokens", right.input_tokens));
    }
    page.rule();
    add_texts(page, &text_of_messages(&left.messages), &text_of_messages(&right.messages));
    page.end();
}

/// Adds two texts, line by line.
pub(super) fn add_texts(page: &mut Page, left: &str, right: &str) {
    // Before lines are wrapped, since no rule finds half of a key.
    let (left, right) = (without_secrets(left), without_secrets(right));
    let (left, right): (Vec<&str>, Vec<&str>) = (left.lines().collect(), right.lines().collect());
    let mut at = 0;
    let end = (left.len()..left.len(), right.len()..right.len());
    for (old, new) in differences(&left, &right).into_iter().chain([end]) {
        left[at..old.start].iter().for_each(|line| page.both(line, line));
        at = old.end;
        page.changed(&left[old], &right[new]);
    }
}

fn text_of_messages(messages: &[Message]) -> String {
    let mut out = String::new();
    for (index, message) in messages.iter().enumerate() {
        let gap = if index == 0 { "" } else { "\n" };
        let role = message.role.name().to_uppercase();
        let _ = writeln!(out, "{gap}[{role}]\n{}", shown_content(message));
    }
    out
}
