//! `summary.md`: the strategies in tables. Contains no changes: the file's git history shows the cost of a
//! commit.

use std::io::{self, Write};

use super::advice::Advice;
use super::agents;
use super::comparison::{Comparison, CostRow, StrategyComparison};
use super::facts;
use super::prompts;
use super::rounds;
use super::tables::{SET_APART, code, name, table};
use crate::measure::numbers::{decimal, grouped, percent};

pub fn write(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# Strategies\n")?;
    if comparison.strategies.len() > 1 {
        let advice = Advice::new(comparison);
        let is_text = comparison.strategies.iter().all(|strategy| name(&strategy.name) == strategy.name);
        let mut sentence = advice.sentence();
        let mut notes = String::new();
        let certainty = advice.certainty();
        if !certainty.is_empty() {
            notes += " ";
            notes += &certainty;
        }
        for note in advice.notes() {
            notes += " ";
            notes += &if is_text { note } else { code(&note) };
        }
        if !is_text {
            sentence = code(&sentence);
        }
        writeln!(out, "**{sentence}**{notes}\n")?;
    }
    writeln!(out, "{}\n", describe_setting(comparison))?;
    if !comparison.facts.is_empty() {
        facts::write(comparison.facts.iter().map(|fact| &fact.text), out)?;
        writeln!(out)?;
    }
    let headings = HEADINGS.map(str::to_owned).to_vec();
    let rows = comparison.strategies.iter().map(|strategy| (strategy, tokens_row(strategy, comparison)));
    strategy_table(headings, rows, comparison, out)?;
    writeln!(out, "\n{LEGEND}\n")?;
    let efficient = comparison.strategies.iter().filter(|strategy| strategy.is_efficient);
    let efficient: Vec<_> = efficient.map(|strategy| name(&strategy.name)).collect();
    writeln!(out, "Best in tokens and evidence: {}.", efficient.join(", "))?;
    write_lengths(comparison, out)?;
    write_turns(comparison, out)?;
    write_rounds(comparison, out)?;
    if comparison.spending.requests > 0 {
        comparison.spending.write(out)?;
    }
    write_costs(comparison, out)?;
    costs_by_length(comparison, out)?;
    prompts::write(comparison, out)?;
    agents::write(&comparison.agents, &comparison.unjudged_agents, out)
}

/// A table with a row for each strategy, starting with its name. Strategies that are set apart come last.
fn strategy_table<'s>(
    headings: Vec<String>,
    rows: impl Iterator<Item = (&'s StrategyComparison, Vec<String>)>,
    comparison: &Comparison,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (mut kept, mut apart) = (Vec::new(), Vec::new());
    for (strategy, mut cells) in rows {
        cells.insert(0, name(&strategy.name).into_owned());
        if comparison.is_set_apart(strategy) { apart.push(cells) } else { kept.push(cells) }
    }
    if !apart.is_empty() {
        let mut above = vec![SET_APART.to_owned()];
        above.resize(headings.len() + 1, String::new());
        kept.push(above);
    }
    let headings = [vec!["strategy".to_owned()], headings].concat();
    table(out, &headings, kept.into_iter().chain(apart))
}

const HEADINGS: [&str; 11] = [
    "input tokens",
    "of baseline",
    "request median · p90 · worst",
    "wins · ties · losses",
    "larger requests",
    "pays from turn",
    "growth",
    "stable prefix",
    "answers missing a fact · only own words",
    "evidence all · worst",
    "pays at cached-read prices",
];

const LEGEND: &str = "Output tokens are the same under every strategy. *Larger requests* cost more than the \
baseline's on the same turn. *Growth* is the slope of log tokens against log turn. *Stable prefix* is the share \
of later requests that repeats the start of the one before. *Answers missing a fact* are those whose request lacks \
something that they use, of those that use anything that came up before; *only own words* are those of them that lack only what \
the model itself had said. *Evidence* is the share of what answers use \
that requests show. The last column is the price of a cached read, as a share of the price of input, \
at which the strategy pays.";

fn describe_setting(comparison: &Comparison) -> String {
    let first = comparison.strategies.first();
    format!(
        "{} {}, {} with failures. Baseline: {}. Tokens by {}: {} of output.",
        grouped(comparison.scenarios),
        if comparison.scenarios == 1 { "scenario" } else { "scenarios" },
        grouped(comparison.failed),
        name(&comparison.header.baseline),
        name(&comparison.header.tokenizer),
        grouped(first.map_or(0, |strategy| strategy.sums.output_tokens)),
    )
}

fn tokens_row(strategy: &StrategyComparison, comparison: &Comparison) -> Vec<String> {
    let (versus, is_baseline) = (&strategy.sums.versus, strategy.name == comparison.header.baseline);
    let spread =
        strategy.request_tokens.map(|r| [r.median, r.p90, r.worst].map(|tokens| grouped(tokens.into())));
    let mut record = [versus.wins, versus.ties, versus.losses].map(grouped).join(" · ");
    let mut larger_requests = grouped(versus.larger_requests);
    let mut break_even = strategy.break_even.to_string();
    if is_baseline {
        for cell in [&mut record, &mut larger_requests, &mut break_even] {
            *cell = "–".to_owned();
        }
    }
    vec![
        grouped(strategy.sums.input_tokens),
        format_share(strategy, strategy.ratio, comparison),
        spread.map_or("–".to_owned(), |spread| spread.join(" · ")),
        record,
        larger_requests,
        strategy.pays_from_turn.map_or("–".to_owned(), |turn| turn.to_string()),
        decimal(strategy.growth),
        percent(strategy.stable_prefix),
        format!("{} · {}", strategy.sums.short_of_needing(), grouped(strategy.sums.answers.own_short)),
        format!("{} · {}", percent(strategy.evidence), percent(strategy.sums.evidence_min)),
        break_even,
    ]
}

/// The ratio to the baseline, or a sentence in its place.
fn format_share(strategy: &StrategyComparison, ratio: Option<f64>, comparison: &Comparison) -> String {
    comparison.instead_of_numbers(strategy).unwrap_or_else(|| percent(ratio))
}

fn write_lengths(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let rows = comparison.strategies.iter().map(|strategy| {
        let ratios = strategy.by_length.iter().map(|row| row.ratio);
        (strategy, ratios.collect())
    });
    length_table("Input tokens as a share of the baseline's", rows, comparison, out)
}

/// A table per model: with a cache, runs of different lengths differ even more.
fn costs_by_length(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    for (index, model) in comparison.header.models.iter().enumerate() {
        let title = format!("Cost with {} as a share of the baseline's", name(&model.model));
        let rows = comparison.strategies.iter().map(|strategy| {
            let row = strategy.costs.get(index);
            (strategy, row.map_or_else(Vec::new, |row| row.ratios_by_length.clone()))
        });
        length_table(&title, rows, comparison, out)?;
    }
    Ok(())
}

/// A table by length of run, for strategies with runs of every length.
fn length_table<'s>(
    title: &str,
    rows: impl Iterator<Item = (&'s StrategyComparison, Vec<Option<f64>>)>,
    comparison: &Comparison,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some(longest) = comparison.strategies.iter().max_by_key(|strategy| strategy.by_length.len()) else {
        return Ok(());
    };
    if longest.by_length.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n## {title}, by length of run\n")?;
    let mut headings = Vec::with_capacity(longest.by_length.len());
    for row in &longest.by_length {
        let runs = if row.scenarios == 1 { "run" } else { "runs" };
        headings.push(format!("{} ({} {runs})", row.text(), grouped(row.scenarios)));
    }
    let mut complete: Vec<(&StrategyComparison, Vec<String>)> = Vec::new();
    for (strategy, ratios) in rows {
        if strategy.by_length.len() == longest.by_length.len() {
            complete.push((strategy, ratios.into_iter().map(percent).collect()));
        }
    }
    strategy_table(headings, complete.into_iter(), comparison, out)
}

fn write_turns(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let turns = comparison.strategies.iter().map(|strategy| strategy.by_turn.len()).max().unwrap_or(0);
    if turns == 0 {
        return Ok(());
    }
    writeln!(out, "\n## Median tokens of a request, by turn\n")?;
    let steps = std::iter::successors(Some(1), |step| Some(step * 10));
    let shown = steps.flat_map(|step| [step, 2 * step, 5 * step]).take_while(|turn| *turn < turns);
    let shown: Vec<usize> = shown.chain([turns]).collect();
    let mut rows = Vec::with_capacity(comparison.strategies.len());
    for strategy in &comparison.strategies {
        let mut cells = Vec::with_capacity(shown.len());
        for turn in &shown {
            let row = strategy.by_turn.get(turn - 1);
            cells.push(row.map_or("–".to_owned(), |row| grouped(row.request_tokens.median.into())));
        }
        rows.push((strategy, cells));
    }
    let headings = shown.iter().map(usize::to_string).collect();
    strategy_table(headings, rows.into_iter(), comparison, out)
}

/// Answers missing a fact after one, two, four and eight summaries, for strategies that write summaries.
fn write_rounds(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let mut rows = Vec::new();
    for strategy in &comparison.strategies {
        if !strategy.sums.rounds.is_none() {
            rows.push((strategy, strategy.sums.rounds.cells()));
        }
    }
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n## Answers that would lack a fact they use, by the number of summaries before\n")?;
    let headings = rounds::HEADINGS.map(str::to_owned).to_vec();
    strategy_table(headings, rows.into_iter(), comparison, out)
}

fn write_costs(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    if comparison.header.models.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n## Cost in dollars\n")?;
    let dates = comparison.price_dates().join(" and ");
    let warm = if comparison.header.warm_system { " SYSTEM is cached before each run." } else { "" };
    writeln!(out, "Prices of {dates}.{warm}\n")?;
    let first = comparison.strategies.first();
    let headings = first.into_iter().flat_map(|strategy| &strategy.costs).map(|row| {
        let label = if row.is_estimate { " (estimate)" } else { "" };
        format!("{}{label}", name(&row.model))
    });
    let rows = comparison.strategies.iter().map(|strategy| {
        let cells = strategy.costs.iter().map(|row| cost_cell(row, strategy, comparison));
        (strategy, cells.collect())
    });
    strategy_table(headings.collect(), rows, comparison, out)?;
    writeln!(out, "\n`*`: none is better in both cost and evidence.")
}

fn cost_cell(row: &CostRow, strategy: &StrategyComparison, comparison: &Comparison) -> String {
    if strategy.sums.requests == 0 {
        return "–".to_owned();
    }
    let best = if row.is_efficient { " *" } else { "" };
    format!("{} · {}{best}", row.cost, format_share(strategy, row.ratio, comparison))
}
