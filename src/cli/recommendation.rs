//! Prints the recommendation and the table of strategies, for `run`, `merge` and `advise`.

use std::path::Path;

use super::suite::for_shell;
use super::terminal::{BAD, Color, GOOD, QUIET, columns};
use crate::report::{Advice, Comparison};

/// The recommendation with its certainty, notes, refusals and prices, then the table. Only the table for shards and for a single strategy.
pub(super) fn recommendation(comparison: &Comparison, prices: Option<&str>, color: Color) -> String {
    above_table(comparison, all_sentences(comparison, prices), color)
}

/// The [`recommendation`] without the sentences already on the first screen of `advise`.
pub(super) fn below_first_screen(comparison: &Comparison, prices: Option<&str>, color: Color) -> String {
    let mut sentences = all_sentences(comparison, prices);
    if let Some(screen) = &comparison.first_screen {
        sentences.retain(|(_, text)| !screen.notes.contains(text) && !screen.evidence.contains(text));
    }
    above_table(comparison, sentences, color)
}

/// The recommendation with what can change a decision, then the table. The page and `summary.md` have the other notes.
pub(super) fn recommendation_for_screen(comparison: &Comparison, color: Color) -> String {
    above_table(comparison, deciding_sentences(comparison), color)
}

/// The recommendation with its certainty and what can change a decision, without a table.
pub(super) fn recommendation_without_table(comparison: &Comparison, color: Color) -> String {
    in_color(deciding_sentences(comparison), color)
}

/// The sentences with their colours; none for shards and for a single strategy.
fn all_sentences(comparison: &Comparison, prices: Option<&str>) -> Vec<(&'static str, String)> {
    let mut texts = choice_with_certainty(comparison);
    if texts.is_empty() {
        return texts;
    }
    let advice = Advice::new(comparison);
    for note in advice.notes() {
        texts.push(("", note));
    }
    if let Some(refused) = advice.refused() {
        texts.push((BAD, refused));
    }
    if let Some(prices) = prices {
        texts.push((QUIET, prices.to_owned()));
    }
    texts
}

/// Like [`all_sentences`], without the notes that no decision needs. The verdict above already counts the rejected requests.
fn deciding_sentences(comparison: &Comparison) -> Vec<(&'static str, String)> {
    let mut texts = choice_with_certainty(comparison);
    if !texts.is_empty() {
        for note in Advice::new(comparison).deciding_notes() {
            texts.push(("", note));
        }
    }
    texts
}

fn choice_with_certainty(comparison: &Comparison) -> Vec<(&'static str, String)> {
    if comparison.header.part.is_some() || comparison.strategies.len() < 2 {
        return Vec::new();
    }
    let advice = Advice::new(comparison);
    vec![(GOOD, advice.sentence()), (QUIET, advice.certainty())]
}

fn above_table(comparison: &Comparison, sentences: Vec<(&str, String)>, color: Color) -> String {
    let table = color.paint("", &Advice::new(comparison).table(columns()));
    if sentences.is_empty() {
        return table;
    }
    in_color(sentences, color) + "\n" + &table
}

/// One paragraph a sentence.
fn in_color(sentences: Vec<(&str, String)>, color: Color) -> String {
    let mut out = String::new();
    for (code, text) in sentences {
        out += &color.paint(code, &wrapped(&text, columns()));
        out.push('\n');
    }
    out
}

/// The command to show an example of an answer lacking a fact. It includes the suite if commands need it.
pub(super) fn look(comparison: &Comparison, suite: Option<&Path>) -> Option<String> {
    Some(look_at(suite, Advice::new(comparison).example()?))
}

/// The command to show why an answer lacks a fact under a strategy.
pub(super) fn look_at(suite: Option<&Path>, (scenario, turn, strategy): (&str, u32, &str)) -> String {
    let place = scenario_in(suite, &format!("{scenario}@{turn}"));
    format!("look:  ptc-eval show {place} --why --strategy {}", for_shell(strategy))
}

/// The same for logs. Without a saved suite there is no such command, because the names in reports are not paths.
pub(super) fn look_at_log(comparison: &Comparison, saved: Option<&Path>) -> Option<String> {
    let advice = Advice::new(comparison);
    let (conversation, turn, strategy) = advice.example()?;
    match saved {
        Some(suite) => look(comparison, Some(suite)),
        None => Some(format!("look:  {conversation}@{turn} under {strategy} (page)")),
    }
}

/// The name of a scenario for commands, quoted for a shell.
pub(super) fn scenario_in(suite: Option<&Path>, scenario: &str) -> String {
    match suite {
        Some(suite) => for_shell(&suite.join(scenario).display().to_string()).into_owned(),
        None => for_shell(scenario).into_owned(),
    }
}

/// Wraps a text between words. A longer word has its own line.
pub(super) fn wrapped(text: &str, columns: usize) -> String {
    let (mut out, mut used) = (String::new(), 0);
    for word in text.split(' ') {
        let width = word.chars().count();
        if used > 0 && used + 1 + width > columns {
            out.push('\n');
            used = 0;
        } else if used > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += width;
    }
    out
}

/// Wraps a line on a terminal, its later lines indented. In a pipe it stays whole, for `grep`.
pub(super) fn wrapped_on_terminal(line: &str) -> String {
    let Some((_, columns)) = console::Term::stdout().size_checked() else { return line.to_owned() };
    let text = line.trim_start();
    let (start, indent) = (line.len() - text.len(), line.len() - text.len() + 2);
    let lines = wrapped(text, usize::from(columns).saturating_sub(indent));
    format!("{:start$}{}", "", lines.replace('\n', &format!("\n{:indent$}", "")))
}
