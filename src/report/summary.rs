//! `summary.md`: the strategies in tables. Contains no changes: the file's git history shows the cost of a
//! commit.

use std::io::{self, Write};

use super::advice::Advice;
use super::agents;
use super::comparison::{Comparison, CostRow, StrategyComparison, TurnRow};
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
        let escaped = |text: String| if is_text { text } else { code(&text) };
        let notes: String = advice.notes().map(|note| format!(" {}", escaped(note))).collect();
        writeln!(out, "**{}** {}{notes}\n", escaped(advice.sentence()), advice.certainty())?;
    }
    writeln!(out, "{}\n", setting(comparison))?;
    if !comparison.facts.is_empty() {
        facts::write(comparison.facts.iter().map(|fact| &fact.text), out)?;
        writeln!(out)?;
    }
    let headings = HEADINGS.map(str::to_owned).to_vec();
    let cells = |strategy: &StrategyComparison| tokens_row(strategy, comparison);
    strategy_table(headings, comparison.strategies.iter(), cells, comparison, out)?;
    writeln!(out, "\n{LEGEND}\n")?;
    let efficient = comparison.strategies.iter().filter(|strategy| strategy.is_efficient);
    let efficient: Vec<_> = efficient.map(|strategy| name(&strategy.name)).collect();
    writeln!(out, "Best in tokens and evidence: {}.", efficient.join(", "))?;
    lengths(comparison, out)?;
    turns(comparison, out)?;
    rounds(comparison, out)?;
    if comparison.spending.requests > 0 {
        comparison.spending.write(out)?;
    }
    costs(comparison, out)?;
    costs_by_length(comparison, out)?;
    prompts::write(comparison, out)?;
    agents::write(&comparison.agents, &comparison.unjudged_agents, out)
}

/// A table with a row for each strategy, starting with its name. Strategies that are set apart come last.
fn strategy_table<'s>(
    headings: Vec<String>,
    strategies: impl Iterator<Item = &'s StrategyComparison>,
    cells: impl Fn(&StrategyComparison) -> Vec<String>,
    comparison: &Comparison,
    out: &mut dyn Write,
) -> io::Result<()> {
    let named = |first: &str, cells| [vec![first.to_owned()], cells].concat();
    let row = |strategy: &StrategyComparison| named(&name(&strategy.name), cells(strategy));
    let (apart, kept): (Vec<_>, Vec<_>) = strategies.partition(|strategy| comparison.is_set_apart(strategy));
    let above = (!apart.is_empty()).then(|| named(SET_APART, vec![String::new(); headings.len()]));
    let rows = kept.into_iter().map(row).chain(above).chain(apart.into_iter().map(row));
    table(out, &named("strategy", headings), rows)
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
    "answers lacking a fact · own",
    "evidence all · worst",
    "pays at cached-read prices",
];

const LEGEND: &str = "Output tokens are the same under every strategy. *Larger requests* cost more than the \
baseline's on the same turn. *Growth* is the slope of log tokens against log turn. *Stable prefix* is the share \
of later requests that repeats the start of the one before. *Answers lacking a fact* are those whose request lacks \
something that they use, of those that use anything that came up before; *own* are those of them that lack only what \
the model itself had said. *Evidence* is the share of what answers use \
that requests show. The last column is the price of a cached read, as a share of the price of input, \
at which the strategy pays.";

fn setting(comparison: &Comparison) -> String {
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
    let record = [versus.wins, versus.ties, versus.losses].map(grouped).join(" · ");
    let unless_baseline = |text: String| if is_baseline { "–".to_owned() } else { text };
    vec![
        grouped(strategy.sums.input_tokens),
        share(strategy, strategy.ratio, comparison),
        spread.map_or("–".to_owned(), |spread| spread.join(" · ")),
        unless_baseline(record),
        unless_baseline(grouped(versus.larger_requests)),
        strategy.pays_from_turn.map_or("–".to_owned(), |turn| turn.to_string()),
        decimal(strategy.growth),
        percent(strategy.stable_prefix),
        format!("{} · {}", strategy.sums.short_of_needing(), grouped(strategy.sums.answers.own_short)),
        format!("{} · {}", percent(strategy.evidence), percent(strategy.sums.evidence_min)),
        unless_baseline(strategy.break_even.to_string()),
    ]
}

/// The ratio to the baseline, or a sentence in its place.
fn share(strategy: &StrategyComparison, ratio: Option<f64>, comparison: &Comparison) -> String {
    comparison.instead_of_numbers(strategy).unwrap_or_else(|| percent(ratio))
}

fn lengths(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let ratios = |strategy: &StrategyComparison| strategy.by_length.iter().map(|row| row.ratio).collect();
    length_table("Input tokens as a share of the baseline's", ratios, comparison, out)
}

/// A table per model: with a cache, runs of different lengths differ even more.
fn costs_by_length(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    for (index, model) in comparison.header.models.iter().enumerate() {
        let ratios = |strategy: &StrategyComparison| {
            strategy.costs.get(index).map_or_else(Vec::new, |row| row.ratios_by_length.clone())
        };
        let title = format!("Cost with {} as a share of the baseline's", name(&model.model));
        length_table(&title, ratios, comparison, out)?;
    }
    Ok(())
}

/// A table by length of run, for strategies with runs of every length.
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
    writeln!(out, "\n## {title}, by length of run\n")?;
    let headings = longest.by_length.iter().map(|row| {
        let runs = if row.scenarios == 1 { "run" } else { "runs" };
        format!("{} ({} {runs})", row.text(), grouped(row.scenarios))
    });
    let complete = |strategy: &&StrategyComparison| strategy.by_length.len() == longest.by_length.len();
    let strategies = comparison.strategies.iter().filter(complete);
    let cells = |strategy: &StrategyComparison| ratios(strategy).into_iter().map(percent).collect();
    strategy_table(headings.collect(), strategies, cells, comparison, out)
}

fn turns(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let turns = comparison.strategies.iter().map(|strategy| strategy.by_turn.len()).max().unwrap_or(0);
    if turns == 0 {
        return Ok(());
    }
    writeln!(out, "\n## Median tokens of a request, by turn\n")?;
    let steps = std::iter::successors(Some(1), |step| Some(step * 10));
    let shown = steps.flat_map(|step| [step, 2 * step, 5 * step]).take_while(|turn| *turn < turns);
    let shown: Vec<usize> = shown.chain([turns]).collect();
    let cells = |strategy: &StrategyComparison| {
        let median = |row: &TurnRow| grouped(row.request_tokens.median.into());
        let cell = |turn: &usize| strategy.by_turn.get(turn - 1).map_or("–".to_owned(), median);
        shown.iter().map(cell).collect()
    };
    let headings = shown.iter().map(usize::to_string).collect();
    strategy_table(headings, comparison.strategies.iter(), cells, comparison, out)
}

/// Short answers after one, two, four and eight summaries, for strategies that write summaries.
fn rounds(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    let writes = |strategy: &&StrategyComparison| !strategy.sums.rounds.is_none();
    if !comparison.strategies.iter().any(|strategy| writes(&strategy)) {
        return Ok(());
    }
    writeln!(out, "\n## Answers that would lack a fact they use, by the number of summaries before\n")?;
    let headings = rounds::HEADINGS.map(str::to_owned).to_vec();
    let cells = |strategy: &StrategyComparison| strategy.sums.rounds.cells();
    strategy_table(headings, comparison.strategies.iter().filter(writes), cells, comparison, out)
}

fn costs(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
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
    let cell = |row: &CostRow, strategy: &StrategyComparison| {
        if strategy.sums.requests == 0 {
            return "–".to_owned();
        }
        let best = if row.is_efficient { " *" } else { "" };
        format!("{} · {}{best}", row.cost, share(strategy, row.ratio, comparison))
    };
    let cells =
        |strategy: &StrategyComparison| strategy.costs.iter().map(|row| cell(row, strategy)).collect();
    strategy_table(headings.collect(), comparison.strategies.iter(), cells, comparison, out)?;
    writeln!(out, "\n`*`: none is better in both cost and evidence.")
}
