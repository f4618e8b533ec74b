//! The advice of a comparison: the strategy to use, how sure that is, and the table that shows it.

use super::comparison::{Comparison, CostRow, LengthRow, StrategyComparison};
use crate::measure::numbers::{cheaper, grouped, percentage, shortened, signed_percent};

/// Blanks before a number.
const GAP: usize = 2;
/// The least characters of a strategy's name.
const NAME: usize = 12;
/// The most characters of a model's name.
const MODEL: usize = 11;
/// Models with a column; the first one decides.
const MODELS: usize = 2;
const LEGEND: &str = "short: the request lacks what the answer uses";
const ESTIMATE: &str = "*estimate";
/// Columns of the terminal below which a table has cost and short answers alone.
const NARROW: usize = 60;
/// The share of random halves that agree on a choice that is sure, and the least answers that need anything.
pub(super) const SURE: f64 = 0.95;
const ANSWERS: u64 = 10;

/// A comparison with the strategy to use.
pub struct Advice<'c> {
    comparison: &'c Comparison,
    baseline: Option<&'c StrategyComparison>,
    /// The other strategies, the cheapest first.
    others: Vec<&'c StrategyComparison>,
    /// The baseline if nothing cheaper leaves few enough answers short.
    pub recommended: Option<&'c StrategyComparison>,
}

impl<'c> Advice<'c> {
    /// The advice for the tolerance of the run.
    pub fn new(comparison: &'c Comparison) -> Advice<'c> {
        let is_baseline = |strategy: &&StrategyComparison| strategy.name == comparison.header.baseline;
        let mut others: Vec<&StrategyComparison> =
            comparison.strategies.iter().filter(|strategy| !is_baseline(strategy)).collect();
        others.sort_by_key(|strategy| strategy.standing().cost);
        Advice {
            comparison,
            baseline: comparison.strategies.iter().find(is_baseline),
            others,
            recommended: comparison
                .recommended
                .and_then(|index| comparison.strategies.get(index))
                .or(comparison.strategies.iter().find(is_baseline)),
        }
    }

    /// True if no other strategy is both tolerable and cheap enough.
    pub fn keeps_baseline(&self) -> bool {
        self.recommended.is_none_or(|strategy| strategy.name == self.comparison.header.baseline)
    }

    /// The sentence that names the strategy, and why it is the baseline.
    pub fn sentence(&self) -> String {
        let tolerance = percentage(self.comparison.header.tolerance.max_short);
        match self.recommended {
            Some(strategy) if !self.keeps_baseline() => {
                format!(
                    "Use {}: the cheapest strategy with at most {tolerance} of answers short.",
                    strategy.name
                )
            }
            _ => format!("Keep {}: {}.", self.comparison.header.baseline, self.why_nothing_else(&tolerance)),
        }
    }

    fn why_nothing_else(&self, tolerance: &str) -> String {
        let (Some(baseline), Some(cheapest)) = (self.baseline, self.others.first()) else {
            return "there is nothing to compare it with".to_owned();
        };
        let (own, bounds) = (baseline.standing(), self.comparison.header.tolerance);
        let cost = own.cost;
        let saving = self.others.iter().filter(|strategy| strategy.standing().saves(&own, bounds));
        let cheaper = cheaper(bounds.min_saving);
        match saving.min_by_key(|strategy| strategy.sums.answers.short) {
            Some(strategy) if !strategy.is_complete(baseline) => {
                format!("a chat model would refuse more requests of {}, which costs less", strategy.name)
            }
            Some(strategy) => format!(
                "everything {cheaper} leaves more than {tolerance} of answers short ({}: {} of {})",
                strategy.name,
                grouped(strategy.sums.answers.short),
                grouped(strategy.sums.answers.needing)
            ),
            None if cheapest.standing().cost < cost => format!("nothing is {cheaper}"),
            None if cheapest.standing().cost == cost => "no strategy makes these runs cheaper".to_owned(),
            None if self.others.iter().any(|other| other.sums.input_tokens < baseline.sums.input_tokens) => {
                "fewer tokens cost more here, since what changes is not read from the cache".to_owned()
            }
            None => "every other strategy sends more tokens".to_owned(),
        }
    }

    fn needing(&self) -> u64 {
        self.baseline.map_or(0, |baseline| baseline.sums.answers.needing)
    }

    /// The sentence on how sure the choice is. It names the runs to add where the evidence is thin.
    pub fn certainty(&self) -> String {
        if let Some(add) = self.runs_to_add() {
            let agreement = self.comparison.agreement.unwrap_or_default();
            let halves = format!("{}% of random halves agree.", (agreement * 100.0).round());
            return if agreement >= SURE {
                format!("Sure: {halves}")
            } else {
                format!("Thin: {halves}{add}")
            };
        }
        let answers = match self.needing() {
            0 => "no answer needs".to_owned(),
            1 => "one answer needs".to_owned(),
            few @ ..ANSWERS => format!("{few} answers need"),
            _ => return "Thin: it is one run. Add others.".to_owned(),
        };
        format!("Thin: {answers} anything from earlier turns. Add longer runs.")
    }

    /// The sentence on requests of the baseline that a chat model would refuse, if there are any.
    pub fn refused(&self) -> Option<String> {
        let baseline = self.baseline?;
        let (scenario, turn) = baseline.sums.first_invalid.as_ref()?;
        let requests = match baseline.sums.invalid_requests {
            1 => "1 request".to_owned(),
            several => format!("{} requests", grouped(several)),
        };
        Some(format!("Refused by chat models: {requests} of {} ({scenario}@{turn}).", baseline.name))
    }

    /// Names the runs to add where halves disagree; none if no tolerance makes the choice sure.
    pub(super) fn runs_to_add(&self) -> Option<String> {
        self.comparison.agreement.filter(|_| self.needing() >= ANSWERS)?;
        let spread = |row: &LengthRow| {
            let tokens = row.input_tokens as f64;
            tokens * tokens / row.scenarios as f64
        };
        let rows = self.baseline?.by_length.iter();
        // Those whose few runs decide most of the cost.
        let most = rows.max_by(|one, other| spread(one).total_cmp(&spread(other)))?;
        Some(format!(" Add runs of {} ({} so far).", most.text(), grouped(most.scenarios)))
    }

    /// The first short answer of the cheapest strategy that has one: scenario, turn and strategy.
    pub fn example(&self) -> Option<(&str, u32, &str)> {
        self.others.iter().find_map(|strategy| {
            let (scenario, turn) = strategy.sums.first_short.as_ref()?;
            Some((scenario.as_str(), *turn, strategy.name.as_str()))
        })
    }

    /// The table for a terminal with so many columns: the baseline, then the cheapest first.
    pub fn table(&self, columns: usize) -> String {
        let models = self.comparison.header.models.len().min(MODELS);
        let narrow = Columns { models: models.min(1), tokens: models == 0, runs: false };
        let wide = Columns { models, tokens: true, runs: true };
        let choices =
            [wide, Columns { models: models.min(1), ..wide }, Columns { runs: false, ..narrow }, narrow];
        let fitting = choices.into_iter().skip(if columns < NARROW { 3 } else { 0 });
        let grids: Vec<Grid> = fitting.map(|chosen| self.grid(chosen)).collect();
        let fits = grids.iter().find(|grid| grid.width(NAME) <= columns).or(grids.last());
        let mut out = fits.map_or(String::new(), |grid| grid.text(columns));
        out += LEGEND;
        if fits.is_some_and(|grid| self.models().iter().take(grid.costs).any(|model| model.is_estimate)) {
            let gap = if LEGEND.len() + 3 + ESTIMATE.len() > columns { "\n" } else { "   " };
            out += &[gap, ESTIMATE].concat();
        }
        out + "\n"
    }

    fn models(&self) -> &[CostRow] {
        let costs = self.comparison.strategies.first().map_or(&[][..], |strategy| &strategy.costs);
        costs.get(..MODELS).unwrap_or(costs)
    }

    fn grid(&self, columns: Columns) -> Grid {
        let models = self.models().iter().take(columns.models);
        let optional =
            |is_shown: bool, above: &str, below: &str| is_shown.then(|| (above.to_owned(), below.to_owned()));
        let headings = models.map(|model| (String::new(), heading(model))).chain(
            [
                optional(columns.tokens, "", "tokens"),
                optional(true, "answers", "short"),
                optional(columns.runs, "runs", "short"),
            ]
            .into_iter()
            .flatten(),
        );
        let row = |strategy: &&StrategyComparison| {
            let is_recommended =
                self.recommended.is_some_and(|recommended| recommended.name == strategy.name);
            (is_recommended, strategy.name.clone(), self.cells(strategy, columns))
        };
        Grid {
            above_costs: format!("cost vs {}", self.comparison.header.baseline),
            costs: columns.models,
            headings: headings.collect(),
            rows: self.baseline.iter().chain(&self.others).map(row).collect(),
        }
    }

    fn cells(&self, strategy: &StrategyComparison, columns: Columns) -> Vec<String> {
        let is_baseline = strategy.name == self.comparison.header.baseline;
        let change = |ratio: Option<f64>, absolute: String| match ratio {
            Some(ratio) if !is_baseline => signed_percent(ratio - 1.0),
            _ => absolute,
        };
        let costs = strategy.costs.iter().take(columns.models);
        let costs = costs.map(|cost| change(cost.ratio, dollars(cost.cost.dollars())));
        let answers = strategy.sums.answers;
        let of = |part: u64, whole: u64| match whole {
            0 => "–".to_owned(),
            _ if is_baseline => format!("{} of {}", grouped(part), grouped(whole)),
            _ => grouped(part),
        };
        let tokens = columns.tokens.then(|| change(strategy.ratio, grouped(strategy.sums.input_tokens)));
        let runs = if answers.needing == 0 { 0 } else { self.comparison.scenarios };
        let runs = columns.runs.then(|| of(answers.short_runs, runs));
        costs.chain(tokens).chain([of(answers.short, answers.needing)]).chain(runs).collect()
    }
}

/// Columns of the table besides names and short answers.
#[derive(Clone, Copy)]
struct Columns {
    models: usize,
    tokens: bool,
    runs: bool,
}

/// The cells of a table, with two lines of headings.
struct Grid {
    /// Stands above the columns of costs, of which there are so many.
    above_costs: String,
    costs: usize,
    headings: Vec<(String, String)>,
    /// True for the recommended strategy, a name and cells.
    rows: Vec<(bool, String, Vec<String>)>,
}

impl Grid {
    fn widths(&self) -> impl Iterator<Item = usize> {
        self.headings.iter().enumerate().map(|(column, (above, below))| {
            let cells = self.rows.iter().filter_map(move |(_, _, cells)| cells.get(column));
            let widths = [above, below].into_iter().chain(cells).map(|text| text.chars().count());
            widths.max().unwrap_or(0) + GAP
        })
    }

    /// Columns with a name of this width.
    fn width(&self, name: usize) -> usize {
        2 + name + self.widths().sum::<usize>()
    }

    fn text(&self, columns: usize) -> String {
        let names = self.rows.iter().map(|(_, name, _)| name.chars().count()).max().unwrap_or(0);
        let name = names.min(columns.saturating_sub(self.width(0))).max(NAME);
        let costs: usize = self.widths().take(self.costs).sum();
        let room = costs + name;
        let above_costs = if self.costs == 0 { "" } else { &self.above_costs };
        let line = |start: String, cells: &mut dyn Iterator<Item = &str>, skipped: usize| {
            let cells = self.widths().skip(skipped).zip(cells);
            let line = cells.fold(start, |line, (width, cell)| format!("{line}{cell:>width$}"));
            line.trim_end().to_owned() + "\n"
        };
        let above = &mut self.headings.iter().skip(self.costs).map(|(above, _)| above.as_str());
        let below = &mut self.headings.iter().map(|(_, below)| below.as_str());
        let mut out = line(format!("  {:>room$}", shortened(above_costs, room)), above, self.costs);
        out += &line(format!("  {:name$}", ""), below, 0);
        for (is_recommended, strategy, cells) in &self.rows {
            let mark = if *is_recommended { '>' } else { ' ' };
            let start = format!("{mark} {:<name$}", shortened(strategy, name));
            out += &line(start, &mut cells.iter().map(String::as_str), 0);
        }
        out
    }
}

/// The name of a model, without its vendor if it is long.
fn heading(model: &CostRow) -> String {
    let estimate = if model.is_estimate { "*" } else { "" };
    let is_long = model.model.chars().count() > MODEL;
    let own = model.model.split_once('-').filter(|_| is_long).map_or(&*model.model, |(_, own)| own);
    shortened(own, MODEL) + estimate
}

/// `$1,234`, `$12.34`, `$0.452`, `$0.0052`
fn dollars(amount: f64) -> String {
    match amount {
        100.0.. => format!("${}", grouped(amount.round() as u64)),
        10.0.. => format!("${amount:.2}"),
        0.1.. => format!("${amount:.3}"),
        _ => format!("${amount:.4}"),
    }
}
