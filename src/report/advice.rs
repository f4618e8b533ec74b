//! The advice of a comparison: the strategy to use, how sure that is, and the table that shows it.

use super::cliffs::Idle;
use super::comparison::{Comparison, CostRow, LengthRow, StrategyComparison};
use super::resample::TASKS;
use crate::measure::numbers::{cheaper, dollars, grouped, shortened, signed_percent};

/// Blanks before a number.
const GAP: usize = 2;
/// The least characters of a strategy's name.
const NAME: usize = 12;
/// The most characters of a model's name.
const MODEL: usize = 11;
/// Models with a column; the first one decides.
const MODELS: usize = 2;
const SHORT: &str = "short: the request lacks what the answer uses";
const BOUNDS: &str = "0–9: with the best text of this size, and with none";
const OWN: &str = "own: those that lack only the model's own words";
const REWRITES: &str = "~ rewrites tool calls as text";
const REWORK: &str = "with rework: plus 1/12 of what it would cost to fetch all again that is short";
const OVER_WINDOW: &str = "^ over the window of the model, so impossible";
const ESTIMATE: &str = "*estimate";
/// Stands for the difference of a strategy that changed nothing, since no run was long enough for it.
const UNCHANGED: &str = "same";
/// Blanks between two explanations.
const BETWEEN: &str = "   ";
/// Strategies that a sentence names; it counts the others.
const LISTED: usize = 3;
/// Columns of the terminal below which a table has cost and short answers alone.
const NARROW: usize = 60;
/// The share of random halves whose choice holds on the other half, for a choice that is sure.
pub(super) const SURE: f64 = 0.95;

/// A comparison with the strategy to use.
pub struct Advice<'c> {
    comparison: &'c Comparison,
    baseline: Option<&'c StrategyComparison>,
    /// The other strategies, the cheapest first; those without all requests last.
    others: Vec<&'c StrategyComparison>,
    /// None if there is too little to choose by. The baseline if nothing cheaper leaves few enough answers short.
    pub recommended: Option<&'c StrategyComparison>,
}

impl<'c> Advice<'c> {
    /// The advice for the tolerance of the run.
    pub fn new(comparison: &'c Comparison) -> Advice<'c> {
        let is_baseline = |strategy: &&StrategyComparison| strategy.name == comparison.header.baseline;
        let baseline = comparison.strategies.iter().find(is_baseline);
        let mut others: Vec<&StrategyComparison> =
            comparison.strategies.iter().filter(|strategy| !is_baseline(strategy)).collect();
        let is_whole =
            |strategy: &StrategyComparison| baseline.is_none_or(|baseline| strategy.is_whole(baseline));
        others.sort_by_key(|strategy| (!is_whole(strategy), strategy.whole_cost()));
        let chosen = comparison.recommended.and_then(|index| comparison.strategies.get(index));
        let recommended = if comparison.too_little.is_none() { chosen.or(baseline) } else { None };
        Advice { comparison, baseline, others, recommended }
    }

    /// The sentence that names the strategy, and why it is the baseline or none.
    pub fn sentence(&self) -> String {
        let tolerance = self.comparison.header.bounds().in_words(&self.comparison.header.baseline);
        let baseline = &self.comparison.header.baseline;
        match (self.comparison.too_little, self.recommended) {
            (Some(too_little), _) if too_little.names_cheapest() => {
                format!("{} {}", too_little.sentence(), self.cheapest(&tolerance))
            }
            (Some(too_little), _) => too_little.sentence(),
            (None, Some(strategy)) if strategy.name != *baseline => {
                let bound = format!("with at most {tolerance}");
                match self.is_cheapest(strategy) {
                    true => format!("Use {}: the cheapest strategy {bound}.", strategy.name),
                    false => format!(
                        "Use {}: it is within 1 point of the cheapest strategy {bound}, and changes less.",
                        strategy.name
                    ),
                }
            }
            (None, _) => format!("Keep {baseline}: {}.", self.why_nothing_else(&tolerance)),
        }
    }

    /// Returns true if no strategy that may be recommended costs less.
    fn is_cheapest(&self, chosen: &StrategyComparison) -> bool {
        let Some(baseline) = self.baseline else { return false };
        let bounds = self.comparison.header.bounds();
        let may_be = |one: &&StrategyComparison| {
            one.course.cliff.is_none()
                && bounds.admit(&one.standings.first, &baseline.standings.first)
                && one.is_complete(baseline)
        };
        let mut others = self.comparison.strategies.iter().filter(may_be);
        others.all(|one| one.standings.first.cost >= chosen.standings.first.cost)
    }

    /// The sentence on the cheapest strategy where none is recommended.
    fn cheapest(&self, tolerance: &str) -> String {
        let bound = match self.needing() {
            0 => String::new(),
            _ => format!(" with at most {tolerance}"),
        };
        let cheapest = self.comparison.cheapest.and_then(|index| self.comparison.strategies.get(index));
        let costs = cheapest
            .zip(self.baseline)
            .map(|(own, baseline)| (own, own.standings.first.cost, baseline.standings.first.cost));
        match costs {
            Some((strategy, cost, whole)) if cost < whole => {
                let change = signed_percent(cost as f64 / whole as f64 - 1.0);
                format!("Cheapest{bound}: {} ({change}).", strategy.name)
            }
            _ => format!("No strategy{bound} is cheaper."),
        }
    }

    fn why_nothing_else(&self, tolerance: &str) -> String {
        let Some(baseline) = self.baseline else {
            return "there is nothing to compare it with".to_owned();
        };
        // Without all requests a strategy only seems to cost less.
        let whole = || self.others.iter().filter(|strategy| strategy.is_whole(baseline));
        let Some(cheapest) = whole().map(|strategy| strategy.standings.first.cost).min() else {
            return "there is nothing to compare it with".to_owned();
        };
        let (own, bounds) = (baseline.standings.first, self.comparison.header.bounds());
        let saving = whole().filter(|strategy| strategy.standings.first.saves(&own, bounds.tolerance));
        let cheaper = cheaper(bounds.tolerance.min_saving);
        match saving.min_by_key(|strategy| strategy.standings.first.short) {
            Some(strategy) if strategy.sums.over_window > baseline.sums.over_window => {
                format!("{}, which costs less, is over the window", strategy.name)
            }
            Some(strategy) if !strategy.is_complete(baseline) => {
                format!("a chat model would refuse more requests of {}, which costs less", strategy.name)
            }
            Some(strategy)
                if strategy.course.cliff.is_some() && bounds.admit(&strategy.standings.first, &own) =>
            {
                format!("few runs show what {} costs on longer ones", strategy.name)
            }
            Some(strategy) => format!(
                "everything {cheaper} leaves more than {tolerance} ({}: {} of {})",
                strategy.name,
                grouped(strategy.standings.first.short),
                grouped(strategy.standings.first.needing)
            ),
            None if cheapest < own.cost => format!("nothing is {cheaper}"),
            None if cheapest == own.cost => "no strategy makes these runs cheaper".to_owned(),
            None if whole().any(|other| other.sums.input_tokens < baseline.sums.input_tokens) => {
                "fewer tokens cost more here, since what changes is not read from the cache".to_owned()
            }
            None => "every other strategy sends more tokens".to_owned(),
        }
    }

    fn needing(&self) -> u64 {
        self.baseline.map_or(0, |baseline| baseline.standings.first.needing)
    }

    /// The sentence on how sure the choice is, which names the runs to add where the evidence is thin; or on what a choice
    /// would take.
    pub fn certainty(&self) -> String {
        if let Some(too_little) = self.comparison.too_little {
            return too_little.remedy();
        }
        // Without a model or a run there is nothing to resample, and 0% would say that the choice never holds.
        let Some(confidence) = self.comparison.confidence else { return String::new() };
        let halves = format!("within 1 point of the best in {}% of resamples.", (confidence * 100.0).floor());
        match self.runs_to_add() {
            Some(add) if confidence < SURE || !self.may_be_sure() => format!("Thin: {halves}{add}"),
            _ => format!("Sure: {halves}"),
        }
    }

    /// Sentences that bound the choice.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        let of_calls = self.own_calls();
        let bounds = self.passed_over().into_iter().chain(self.rework()).chain(self.forgotten());
        bounds.chain(of_calls).chain(self.marks()).chain(self.copies())
    }

    /// The sentence on strategies that only seem to save if a client marks the two ends that clients mark by themselves.
    fn marks(&self) -> Option<String> {
        let baseline = self.baseline?;
        let tolerance = self.comparison.header.bounds().tolerance;
        let rows = self.others.iter().filter(|strategy| strategy.is_whole(baseline));
        let mut dearer: Vec<&StrategyComparison> =
            rows.filter(|strategy| strategy.needs_marks(baseline, tolerance)).copied().collect();
        let recommended = self.recommended.map(|strategy| &strategy.name);
        dearer.sort_by_key(|strategy| Some(&strategy.name) != recommended);
        let listed: Vec<String> = dearer
            .iter()
            .take(LISTED)
            .filter_map(|strategy| {
                let change = strategy.with_usual_marks(baseline)?;
                Some(format!("{} costs {}", strategy.name, signed_percent(change)))
            })
            .collect();
        let more = match dearer.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => format!(", and {more} others cost more"),
        };
        (!listed.is_empty()).then(|| {
            let listed = listed.join(", ");
            format!(
                "Cache marks decide: with those after the system prompt and the last message alone, {listed}{more}."
            )
        })
    }

    /// The sentence on the choices that more or less rework would lead to, if they are others.
    pub(super) fn rework(&self) -> Option<String> {
        let (choices, chosen) = (self.comparison.by_rework?, self.recommended?);
        let other = |index: Option<usize>, of: &str| {
            let strategy = index.and_then(|index| self.comparison.strategies.get(index)).or(self.baseline)?;
            let is_other = strategy.name != chosen.name;
            is_other.then(|| format!("{} if {of} that short answers lack were fetched again", strategy.name))
        };
        let others = [other(choices.none, "nothing"), other(choices.all, "all")];
        let others: Vec<String> = others.into_iter().flatten().collect();
        (!others.is_empty()).then(|| format!("The choice would be {}.", others.join(", ")))
    }

    /// The sentence on a strategy that would be recommended if longer runs had shown what it costs.
    pub(super) fn passed_over(&self) -> Option<String> {
        let strategy = self.comparison.strategies.get(self.comparison.passed_over?)?;
        let is_told = self.comparison.too_little.is_none();
        strategy.course.cliff.filter(|_| is_told).map(|cliff| cliff.sentence(&strategy.name))
    }

    /// The sentences on calls that strategies make themselves, and on those that no text of these makes worth it.
    pub(super) fn own_calls(&self) -> impl Iterator<Item = String> + use<'c> {
        let (bounds, baseline) = (self.comparison.header.bounds(), self.baseline);
        let strategies = self.comparison.strategies.iter();
        strategies.flat_map(move |one| {
            let hopeless = baseline.and_then(|baseline| one.hopeless(bounds, baseline));
            let spread = baseline.map_or_else(Vec::new, |baseline| one.spread_texts(bounds, baseline));
            one.own_calls_text().into_iter().chain(spread).chain(hopeless)
        })
    }

    /// The sentence on instructions that the recommended strategy forgets. They make no answer short.
    fn forgotten(&self) -> Option<String> {
        let strategy = self.recommended?;
        let lost = Some(strategy.sums.instructions_lost).filter(|lost| *lost > 0)?;
        Some(format!("Instructions no longer shown under {}: {}.", strategy.name, grouped(lost)))
    }

    /// The sentence on runs that count once.
    pub(super) fn copies(&self) -> Option<String> {
        let copies = &self.comparison.copies;
        let first = copies.first.as_ref()?;
        Some(match copies.runs {
            1 => format!("1 run equals another and counts once: {first}."),
            several => format!("{} runs equal others and count once, such as {first}.", grouped(several)),
        })
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

    /// Returns true if there are tasks enough, and runs that are long enough for each strategy.
    pub(super) fn may_be_sure(&self) -> bool {
        self.comparison.tasks >= TASKS && self.comparison.idle.is_none()
    }

    /// Names the runs to add where the choice is not sure; none if there is too little to choose by.
    pub(super) fn runs_to_add(&self) -> Option<String> {
        if self.comparison.too_little.is_some() {
            return None;
        }
        if self.comparison.tasks < TASKS {
            return Some(format!(" Add runs of other tasks ({} so far).", self.comparison.tasks));
        }
        if let Some(Idle { strategy, changed, runs }) = self.comparison.idle {
            let name = self.comparison.strategies.get(strategy).map_or("", |strategy| &strategy.name);
            let changed = if changed == 0 { "none".to_owned() } else { format!("only {changed}") };
            return Some(format!(" Add longer runs: {name} changes {changed} of {}.", grouped(runs)));
        }
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

    /// `cost: $0.021 a run, $20.8 per 1,000 runs; fold saves $3.40 of that`, with the first model; none without models.
    pub fn money(&self) -> Option<String> {
        let pays = self.comparison.by_rework.is_some();
        let of = |strategy: &StrategyComparison| {
            let row = strategy.costs.first()?;
            Some(if pays { row.with_rework() } else { row.cost }.dollars())
        };
        let all = self.baseline.and_then(of).filter(|all| *all > 0.0)?;
        let runs = self.comparison.scenarios as f64;
        let (one, thousand) = (dollars(all / runs), dollars(all / runs * 1_000.0));
        let saving = self.recommended.and_then(|strategy| Some((strategy, all - of(strategy)?)));
        let saving =
            saving.filter(|(_, saved)| *saved > 0.0).map_or_else(String::new, |(strategy, saved)| {
                format!("; {} saves {} of that", strategy.name, dollars(saved / runs * 1_000.0))
            });
        Some(format!("cost: {one} a run, {thousand} per 1,000 runs{saving}"))
    }

    /// The baseline, then the cheapest first.
    pub(super) fn rows(&self) -> impl Iterator<Item = &'c StrategyComparison> {
        self.baseline.into_iter().chain(self.others.iter().copied())
    }

    /// The table for a terminal with so many columns: the baseline, then the cheapest first.
    pub fn table(&self, columns: usize) -> String {
        let models = self.comparison.header.models.len().min(MODELS);
        let own = self.comparison.strategies.iter().any(|strategy| strategy.sums.answers.own_short > 0);
        let rework = self.comparison.by_rework.is_some();
        let narrow = Columns { models: models.min(1), rework, tokens: models == 0, own, runs: false };
        let wide = Columns { models, rework, tokens: true, own, runs: true };
        // Caches differ from model to model, so a second one says more than the runs that are short. So do whole names.
        let without_runs = Columns { runs: false, ..wide };
        let whole = self.comparison.strategies.iter().map(label_width).max().unwrap_or(NAME);
        let choices = [
            (wide, whole),
            (without_runs, whole),
            (wide, NAME),
            (without_runs, NAME),
            (Columns { models: models.min(1), ..wide }, NAME),
            (Columns { tokens: true, ..narrow }, NAME),
            (narrow, NAME),
        ];
        let fitting = choices.into_iter().skip(if columns < NARROW { choices.len() - 1 } else { 0 });
        let grids: Vec<(Grid<'_>, usize)> = fitting.map(|(chosen, name)| (self.grid(chosen), name)).collect();
        let fits = grids.iter().find(|(grid, name)| grid.width(*name) <= columns).or(grids.last());
        let fits = fits.map(|(grid, _)| grid);
        let has_estimate =
            |grid: &Grid<'_>| self.models().iter().take(grid.costs).any(|model| model.is_estimate);
        let rewrites = self.comparison.strategies.iter().any(|strategy| strategy.sums.rewrites_calls);
        let is_open = |strategy: &StrategyComparison| strategy.sums.own_calls.least_short.is_some();
        let open = self.comparison.strategies.iter().any(is_open);
        let over = self.comparison.strategies.iter().any(|strategy| strategy.sums.over_window > 0);
        let legend = [
            (true, SHORT),
            (rework, REWORK),
            (open, BOUNDS),
            (fits.is_some_and(has_estimate), ESTIMATE),
            (own, OWN),
            (rewrites, REWRITES),
            (over, OVER_WINDOW),
        ];
        fits.map_or(String::new(), |grid| grid.text(columns)) + &lines(&legend, columns)
    }

    fn models(&self) -> &[CostRow] {
        let costs = self.comparison.strategies.first().map_or(&[][..], |strategy| &strategy.costs);
        costs.get(..MODELS).unwrap_or(costs)
    }

    fn grid(&self, columns: Columns) -> Grid<'c> {
        let models = self.models().iter().take(columns.models);
        let optional =
            |is_shown: bool, above: &str, below: &str| is_shown.then(|| (above.to_owned(), below.to_owned()));
        let headings = models.map(|model| (String::new(), heading(model))).chain(
            [
                optional(columns.rework, "with", "rework"),
                optional(columns.tokens, "", "tokens"),
                optional(true, "answers", "short"),
                optional(columns.own, "", "own"),
                optional(columns.runs, "runs", "short"),
            ]
            .into_iter()
            .flatten(),
        );
        let headings: Vec<(String, String)> = headings.collect();
        let row = |strategy: &'c StrategyComparison| Row {
            is_recommended: self.recommended.is_some_and(|one| one.name == strategy.name),
            strategy,
            cells: if strategy.sums.requests > 0 {
                self.cells(strategy, columns)
            } else {
                let blank = headings.iter().skip(1).map(|_| "–".to_owned());
                std::iter::once("no requests".to_owned()).chain(blank).collect()
            },
        };
        Grid {
            above_costs: format!("cost vs {}", self.comparison.header.baseline),
            costs: columns.models,
            rows: self.rows().map(row).collect(),
            headings,
        }
    }

    fn cells(&self, strategy: &StrategyComparison, columns: Columns) -> Vec<String> {
        let is_baseline = strategy.name == self.comparison.header.baseline;
        let is_same = !is_baseline && self.baseline.is_some_and(|baseline| strategy.costs_as(baseline));
        let change = |ratio: Option<f64>, absolute: String| match ratio {
            Some(_) if is_same => UNCHANGED.to_owned(),
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
        let rework = columns.rework.then(|| self.paid(strategy));
        let tokens = columns.tokens.then(|| change(strategy.ratio, grouped(strategy.sums.input_tokens)));
        let own = columns.own.then(|| grouped(answers.own_short));
        let runs = if answers.needing == 0 { 0 } else { self.comparison.scenarios };
        let runs = columns.runs.then(|| of(answers.short_runs, runs));
        let short = match strategy.sums.own_calls.least_short {
            Some(least) if least < answers.short => format!("{}–{}", grouped(least), grouped(answers.short)),
            _ => of(answers.short, answers.needing),
        };
        costs.chain(rework).chain(tokens).chain([short]).chain(own).chain(runs).collect()
    }
}

impl Advice<'_> {
    /// The cost that decides, against that of the baseline.
    fn paid(&self, strategy: &StrategyComparison) -> String {
        let Some(baseline) = self.baseline else { return String::new() };
        let [own, base] = [strategy, baseline].map(|one| one.standings.first.cost);
        match strategy.costs.first() {
            Some(cost) if strategy.name == baseline.name => dollars(cost.with_rework().dollars()),
            None if strategy.name == baseline.name => grouped(u64::try_from(base).unwrap_or(u64::MAX)),
            _ if own == base => UNCHANGED.to_owned(),
            _ => signed_percent(own as f64 / base.max(1) as f64 - 1.0),
        }
    }
}

/// The explanations that are wanted, in lines of at most so many columns.
fn lines(wanted: &[(bool, &str)], columns: usize) -> String {
    let (mut out, mut used) = (String::new(), 0);
    for (_, text) in wanted.iter().filter(|(is_wanted, _)| *is_wanted) {
        let fits = used + BETWEEN.len() + text.len() <= columns;
        let (gap, before) = match used {
            0 => ("", 0),
            _ if fits => (BETWEEN, used + BETWEEN.len()),
            _ => ("\n", 0),
        };
        out += &[gap, text].concat();
        used = before + text.len();
    }
    out + "\n"
}

/// Columns of the table besides names and short answers.
#[derive(Clone, Copy)]
struct Columns {
    models: usize,
    /// True for the cost with rework, with the first model.
    rework: bool,
    tokens: bool,
    own: bool,
    runs: bool,
}

/// The cells of a table, with two lines of headings.
struct Grid<'c> {
    /// Stands above the columns of costs, of which there are so many.
    above_costs: String,
    costs: usize,
    headings: Vec<(String, String)>,
    rows: Vec<Row<'c>>,
}

/// A strategy in a table.
struct Row<'c> {
    is_recommended: bool,
    strategy: &'c StrategyComparison,
    cells: Vec<String>,
}

impl Grid<'_> {
    fn widths(&self) -> impl Iterator<Item = usize> {
        self.headings.iter().enumerate().map(|(column, (above, below))| {
            let cells = self.rows.iter().filter_map(move |row| row.cells.get(column));
            let widths = [above, below].into_iter().chain(cells).map(|text| text.chars().count());
            widths.max().unwrap_or(0) + GAP
        })
    }

    /// Columns with a name of this width.
    fn width(&self, name: usize) -> usize {
        2 + name + self.widths().sum::<usize>()
    }

    fn text(&self, columns: usize) -> String {
        let names = self.rows.iter().map(|row| label_width(row.strategy)).max().unwrap_or(0);
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
        for row in &self.rows {
            let mark = if row.is_recommended { '>' } else { ' ' };
            let label = label(row.strategy, name);
            let start = format!("{mark} {label:<name$}");
            out += &line(start, &mut row.cells.iter().map(String::as_str), 0);
        }
        out
    }
}

/// Stands behind the names of strategies that have tool calls as text, and of those with requests over the window.
fn marks(strategy: &StrategyComparison) -> &'static str {
    match (strategy.sums.rewrites_calls, strategy.sums.over_window > 0) {
        (false, false) => "",
        (true, false) => "~",
        (false, true) => "^",
        (true, true) => "~^",
    }
}

/// The name of a strategy in a column of this width, with its mark however short it is cut.
fn label(strategy: &StrategyComparison, width: usize) -> String {
    let mark = marks(strategy);
    shortened(&strategy.name, width.saturating_sub(mark.len())) + mark
}

fn label_width(strategy: &StrategyComparison) -> usize {
    strategy.name.chars().count() + marks(strategy).len()
}

/// The name of a model, without its vendor if it is long.
fn heading(model: &CostRow) -> String {
    let estimate = if model.is_estimate { "*" } else { "" };
    let is_long = model.model.chars().count() > MODEL;
    let own = model.model.split_once('-').filter(|_| is_long).map_or(&*model.model, |(_, own)| own);
    shortened(own, MODEL) + estimate
}
