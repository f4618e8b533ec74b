//! `summary.md`: the strategy table for people. It says how things stand, not what changed, so that the
//! file's own history shows what a change costs.

use std::io::{self, Write};

use super::comparison::{Comparison, CostRow, StrategyComparison};
use super::numbers::{decimal, grouped, percent};
use super::tables::table;

pub fn write(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# Strategies\n")?;
    writeln!(out, "{}\n", setting(comparison))?;
    table(out, &HEADINGS, comparison.strategies.iter().map(|strategy| tokens_row(strategy, comparison)))?;
    writeln!(out, "\n{LEGEND}\n")?;
    writeln!(
        out,
        "Best in tokens and evidence: {}.",
        efficient(comparison, |strategy| strategy.is_efficient)
    )?;
    lengths(comparison, out)?;
    turns(comparison, out)?;
    costs(comparison, out)?;
    costs_by_length(comparison, out)
}

const HEADINGS: [&str; 11] = [
    "strategy",
    "input tokens",
    "of baseline",
    "request median · p90 · worst",
    "wins · ties · losses",
    "larger requests",
    "pays from turn",
    "growth",
    "stable prefix",
    "evidence mean · min",
    "pays at cached-read prices",
];

const LEGEND: &str = "Output tokens are the same under every strategy. *Larger requests* cost more than the \
baseline's on the same turn. *Growth* is the slope of log tokens against log turn. *Stable prefix* is the share \
of later requests that repeats the start of the one before. *Evidence* is the share of what the next answer \
needed that the request shows. The last column is the price of a cached read, as a share of the price of input, \
at which the strategy pays.";

fn setting(comparison: &Comparison) -> String {
    let first = comparison.strategies.first();
    format!(
        "{} {}, {} with failures. Baseline: {}. Tokens by {}: {} of output.",
        grouped(comparison.scenarios),
        if comparison.scenarios == 1 { "scenario" } else { "scenarios" },
        grouped(comparison.failed),
        comparison.header.baseline,
        comparison.header.tokenizer,
        grouped(first.map_or(0, |strategy| strategy.output_tokens)),
    )
}

fn tokens_row(strategy: &StrategyComparison, comparison: &Comparison) -> Vec<String> {
    let is_baseline = strategy.name == comparison.header.baseline;
    let spread =
        strategy.request_tokens.map(|r| [r.median, r.p90, r.worst].map(|tokens| grouped(tokens.into())));
    let record = [strategy.wins, strategy.ties, strategy.losses].map(grouped).join(" · ");
    let unless_baseline = |text: String| if is_baseline { "–".to_owned() } else { text };
    vec![
        strategy.name.clone(),
        grouped(strategy.input_tokens),
        percent(strategy.ratio),
        spread.map_or("–".to_owned(), |spread| spread.join(" · ")),
        unless_baseline(record),
        unless_baseline(grouped(strategy.larger_requests)),
        strategy.pays_from_turn.map_or("–".to_owned(), |turn| turn.to_string()),
        decimal(strategy.growth),
        percent(strategy.stable_prefix),
        format!("{} · {}", percent(strategy.evidence), percent(strategy.evidence_min)),
        unless_baseline(strategy.break_even.to_string()),
    ]
}

fn efficient(comparison: &Comparison, is_efficient: impl Fn(&StrategyComparison) -> bool) -> String {
    let names = comparison.strategies.iter().filter(|strategy| is_efficient(strategy));
    names.map(|strategy| strategy.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn lengths(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let ratios = |strategy: &StrategyComparison| strategy.by_length.iter().map(|row| row.ratio).collect();
    length_table("Input tokens as a share of the baseline's", ratios, comparison, out)
}

/// One model a table: with a cache, runs of different lengths differ even more.
fn costs_by_length(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    for (index, model) in comparison.header.models.iter().enumerate() {
        let ratios = |strategy: &StrategyComparison| {
            let row = strategy.costs.get(index);
            row.into_iter().flat_map(|row| &row.by_length).map(|row| row.ratio).collect()
        };
        let title = format!("Cost with {} as a share of the baseline's", model.model);
        length_table(&title, ratios, comparison, out)?;
    }
    Ok(())
}

/// The strategies that took part in every length of run.
fn length_table(
    title: &str,
    ratios: impl Fn(&StrategyComparison) -> Vec<Option<f64>>,
    comparison: &Comparison,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some(longest) = comparison.strategies.iter().max_by_key(|strategy| strategy.by_length.len()) else {
        return Ok(());
    };
    if longest.by_length.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n## {title}, by turns of the run\n")?;
    let headings = longest.by_length.iter().map(|row| {
        let runs = if row.scenarios == 1 { "run" } else { "runs" };
        format!("{} ({} {runs})", row.turns, grouped(row.scenarios))
    });
    let headings: Vec<String> = std::iter::once("strategy".to_owned()).chain(headings).collect();
    let row = |strategy: &StrategyComparison| {
        std::iter::once(strategy.name.clone()).chain(ratios(strategy).into_iter().map(percent)).collect()
    };
    let complete = |strategy: &&StrategyComparison| strategy.by_length.len() == longest.by_length.len();
    table(out, &headings, comparison.strategies.iter().filter(complete).map(row))
}

fn turns(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let turns = comparison.strategies.iter().map(|strategy| strategy.by_turn.len()).max().unwrap_or(0);
    if turns == 0 {
        return Ok(());
    }
    writeln!(out, "\n## Median tokens of a request, by turn\n")?;
    let headings: Vec<String> =
        std::iter::once("strategy".to_owned()).chain((1..=turns).map(|turn| turn.to_string())).collect();
    let row = |strategy: &StrategyComparison| {
        let medians = strategy.by_turn.iter().map(|row| grouped(row.request_tokens.median.into()));
        let cells = medians.chain(std::iter::repeat("–".to_owned())).take(turns);
        std::iter::once(strategy.name.clone()).chain(cells).collect()
    };
    table(out, &headings, comparison.strategies.iter().map(row))
}

fn costs(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    if comparison.header.models.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n## Cost in dollars\n")?;
    writeln!(out, "Prices of {}.\n", comparison.price_dates().join(" and "))?;
    let first = comparison.strategies.first();
    let headings = first.into_iter().flat_map(|strategy| &strategy.costs).map(|row| {
        let label = if row.is_estimate { " (estimate)" } else { "" };
        format!("{}{label}", row.model)
    });
    let headings: Vec<String> = std::iter::once("strategy".to_owned()).chain(headings).collect();
    let cell = |row: &CostRow| {
        let best = if row.is_efficient { " *" } else { "" };
        format!("{} · {}{best}", row.cost, percent(row.ratio))
    };
    let row = |strategy: &StrategyComparison| {
        std::iter::once(strategy.name.clone()).chain(strategy.costs.iter().map(cell)).collect()
    };
    table(out, &headings, comparison.strategies.iter().map(row))?;
    writeln!(out, "\n`*`: none is better in both cost and evidence.")
}
