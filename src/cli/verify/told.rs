//! The texts of `verify`: the estimate before it asks, and the table at the end.

use std::fmt::Write;

use crate::cli::recommendation::wrapped;
use crate::cli::suite::count;
use crate::cli::terminal::columns;
use crate::evaluate::verify::{
    ArmRequests, DISCORDANT, Finding, LOSS, PairedResults, PairedRuns, fewest_tasks, tasks_needed,
};
use crate::measure::numbers::grouped;

/// The calls, tokens and dollars of runs as long as the scripted ones.
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
        return "nothing to ask: no answer is missing".to_owned();
    }
    match is_priced {
        true => {
            let dollars = all.cost.dollars();
            let digits = if dollars < 0.01 { 4 } else { 2 };
            format!("{line}, about ${dollars:.digits$} with a cache, for runs as long as the scripted ones")
        }
        false => format!("{line}; {model} has no price here, --prices FILE adds one"),
    }
}

/// The number of tasks, and how many are needed to detect a loss.
pub(super) fn power(tasks: u32) -> String {
    let tasks = count(tasks as usize, "task");
    format!(
        "{tasks}; to show a loss, you need {} if every answer is lost, or about {} if {:.0} in 100 are",
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
    text += &format_row("would lack a fact", &lacking);
    text += &format_row("control", &control);
    text.push('\n');
    text += &wrapped(&describe_finding("Answers that would lack a fact", &lacking), columns());
    text.push('\n');
    if let Finding::Loss(_) = control.finding() {
        text += &wrapped(&describe_finding("Answers for control, which lack nothing", &control), columns());
        text.push('\n');
    }
    text
}

fn format_row(name: &str, results: &PairedResults) -> String {
    let PairedResults { tasks, full, strategy, lost, gained, .. } = *results;
    let [full, strategy] = [full, strategy].map(|share| match tasks {
        0 => "–".to_owned(),
        _ => format!("{:.0}%", share * 100.0),
    });
    let mut row = String::new();
    let _ = writeln!(row, "{name:<19}{tasks:>13}{full:>6}{strategy:>10}{lost:>10}{gained:>10}");
    row
}

fn describe_finding(answers: &str, results: &PairedResults) -> String {
    let PairedResults { tasks, lost, gained, full, .. } = *results;
    let (least, most) = results.interval();
    match results.finding() {
        Finding::Loss(chance) => format!(
            "{answers} are lost: {lost} of {} right only with the full history, {gained} only with the shorter one \
             ({}). Between {} and {} points are lost (95%).",
            count(tasks as usize, "task"),
            test_in_words(chance),
            in_points(least.max(0.0)),
            in_points(most)
        ),
        Finding::Gain(chance) => format!(
            "{answers} are right more often with the shorter history: {gained} of {}, against {lost} ({}).",
            count(tasks as usize, "task"),
            test_in_words(chance)
        ),
        Finding::NoDifference { at_most, more } => {
            let mut sentence = format!("{answers}: no difference is shown.");
            if full == 0.0 {
                sentence += " The model is right in none of them with the full history, so these tasks cannot show a loss.";
            } else if at_most < LOSS {
                let _ = write!(sentence, " At most {} points are lost (95%).", in_points(at_most));
            } else {
                let _ = write!(
                    sentence,
                    " Up to {} points may be lost all the same (95%); about {} more would show {}.",
                    in_points(at_most),
                    count(more as usize, "task"),
                    in_points(LOSS)
                );
            }
            sentence
        }
        Finding::Nothing => format!("{answers}: no pair has both answers."),
    }
}

fn in_points(share: f64) -> String {
    format!("{:.0}", share * 100.0)
}

fn test_in_words(chance: f64) -> String {
    format!("McNemar's exact test on one side: {}", p_value(chance))
}

/// Without blanks, so that no line ends within it.
fn p_value(chance: f64) -> String {
    if chance < 0.001 { "p<0.001".to_owned() } else { format!("p={chance:.3}") }
}
