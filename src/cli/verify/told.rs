//! The texts of `verify`: the estimate before it asks, and the table at the end.

use std::fmt::Write;

use crate::cli::recommendation::wrapped;
use crate::cli::suite::count;
use crate::cli::terminal::columns;
use crate::evaluate::verify::{
    ArmRequests, DISCORDANT, Finding, LOSS, PairedResults, PairedRuns, fewest_tasks, tasks_needed,
};
use crate::measure::numbers::grouped;

/// Calls, tokens and dollars needed if runs are as long as the scripts.
pub(in crate::cli) fn estimate<'c>(
    requests: impl Iterator<Item = &'c ArmRequests>,
    model: &str,
    is_priced: bool,
) -> String {
    let mut all = ArmRequests::default();
    for arm in requests {
        all.calls += arm.calls;
        all.input_tokens += arm.input_tokens;
        all.output_tokens += arm.output_tokens;
        all.cost += arm.cost;
    }
    let calls = count(usize::try_from(all.calls).unwrap_or(usize::MAX), "call");
    let (input, output) = (grouped(all.input_tokens), grouped(all.output_tokens));
    let line = format!("estimate: {calls} to {model}, {input} tokens in, {output} out");
    if all.calls == 0 {
        return "nothing is to be asked".to_owned();
    }
    match is_priced {
        true => {
            let dollars = all.cost.dollars();
            let digits = if dollars < 0.01 { 4 } else { 2 };
            format!("{line}, about ${dollars:.digits$} if it caches and its runs are as long as the scripts")
        }
        false => format!("{line}; {model} has no price here, --prices FILE adds one"),
    }
}

/// The number of tasks, and how many are needed to detect a loss.
pub(super) fn power(tasks: u32) -> String {
    let tasks = count(tasks as usize, "task");
    format!(
        "{tasks}; to show a loss takes {} if all of them are lost, about {} if it is {:.0} points",
        fewest_tasks(),
        tasks_needed(LOSS, DISCORDANT),
        LOSS * 100.0
    )
}

/// The results as a table, followed by the findings.
pub(super) fn table(model: &str, label: &str, lacking: &[PairedRuns], control: &[PairedRuns]) -> String {
    let [lacking, control] = [lacking, control].map(|runs| PairedResults::of(runs.iter().copied()));
    let mut text = format!("{model}: {label} against the full history, from the same turn on\n\n");
    text += "answers                    tasks      right with     right only with\n";
    text += "                                  full  strategy      full  strategy\n";
    text += &row("would lack a fact", &lacking);
    text += &row("control", &control);
    text.push('\n');
    text += &wrapped(&sentence("Answers that would lack a fact", &lacking), columns());
    text.push('\n');
    if let Finding::Loss(_) = control.finding() {
        text += &wrapped(&sentence("Answers for control, which lack nothing", &control), columns());
        text.push('\n');
    }
    text
}

fn row(name: &str, results: &PairedResults) -> String {
    let PairedResults { tasks, full, strategy, lost, gained, .. } = *results;
    let percent = |share: f64| match tasks {
        0 => "–".to_owned(),
        _ => format!("{:.0}%", share * 100.0),
    };
    let (full, strategy) = (percent(full), percent(strategy));
    let mut row = String::new();
    let _ = writeln!(row, "{name:<19}{tasks:>13}{full:>6}{strategy:>10}{lost:>10}{gained:>10}");
    row
}

fn sentence(answers: &str, results: &PairedResults) -> String {
    let PairedResults { tasks, lost, gained, full, .. } = *results;
    let (least, most) = results.interval();
    let points = |share: f64| format!("{:.0}", share * 100.0);
    let test = |chance: f64| format!("McNemar's exact test on one side: {}", p_value(chance));
    match results.finding() {
        Finding::Loss(chance) => format!(
            "{answers} are lost: {lost} of {} right only with the full history, {gained} only with the strategy's \
             request ({}). Between {} and {} points are lost (95%).",
            count(tasks as usize, "task"),
            test(chance),
            points(least.max(0.0)),
            points(most)
        ),
        Finding::Gain(chance) => format!(
            "{answers} are right more often with the strategy's request: {gained} of {}, against {lost} ({}).",
            count(tasks as usize, "task"),
            test(chance)
        ),
        Finding::NoDifference { at_most, more } => {
            let mut sentence = format!("{answers}: no difference is shown.");
            if full == 0.0 {
                sentence += " The model is right in none of them with the full history, so these tasks cannot show a loss.";
            } else if at_most < LOSS {
                let _ = write!(sentence, " At most {} points are lost (95%).", points(at_most));
            } else {
                let _ = write!(
                    sentence,
                    " Up to {} points may be lost all the same (95%); about {} more would show {}.",
                    points(at_most),
                    count(more as usize, "task"),
                    points(LOSS)
                );
            }
            sentence
        }
        Finding::Nothing => format!("{answers}: there is no whole pair."),
    }
}

/// Without blanks, so that no line ends within it.
fn p_value(chance: f64) -> String {
    if chance < 0.001 { "p<0.001".to_owned() } else { format!("p={chance:.3}") }
}
