//! The table of strategies for a terminal: costs, tokens and answers missing a fact, with as many columns as fit.

use super::advice::Advice;
use super::comparison::{CostRow, StrategyComparison};
use super::recommend::TooLittle;
use super::tables::SET_APART;
use crate::measure::numbers::{dollars, grouped, shortened, signed_percent};

/// Spaces before a number.
const GAP: usize = 2;
/// Minimum width of a strategy's name.
const NAME: usize = 12;
/// Maximum length of a model's name.
const MODEL: usize = 11;
/// The most models with a column; the recommendation uses the first.
const MODELS: usize = 2;
const FACT: &str = "a fact: a name, number or line of earlier text; the answer may still be right";
const DEARER: &str = "fewer tokens at a higher cost: earlier text changes, so the cache is missed";
const ABOVE_LIMIT: &str = "x: above the limit";
const BOUNDS: &str = "0–9: with the best text of this size, and with none";
const OVER_WINDOW: &str = "^ over the window of the model, so impossible";
const ESTIMATE: &str = "* estimated: its tokenizer is not public";
/// Shown instead of a difference of 0, for strategies without a limit.
const UNCHANGED: &str = "same";
/// Precedes a number of the earlier report.
const BEFORE: &str = " (was ";
/// Spaces between two explanations.
const BETWEEN: &str = "   ";
/// Narrower terminals get a table with only cost and answers missing a fact.
const NARROW: usize = 60;

impl<'c> Advice<'c> {
    /// The table for a terminal with this many columns: the baseline, then the others, cheapest first.
    pub fn table(&self, columns: usize) -> String {
        let grid = self.fitting_grid(columns);
        let strategies = &self.comparison.strategies;
        let has_estimate = self.shown_models().iter().take(grid.costs).any(|model| model.is_estimate);
        let marks = [
            (self.rows().any(|strategy| self.is_above_limit(strategy)), ABOVE_LIMIT),
            (has_estimate, ESTIMATE),
            (strategies.iter().any(|strategy| strategy.sums.over_window > 0), OVER_WINDOW),
        ];
        let mut legend = self.explanations();
        legend.extend(marks.into_iter().filter_map(|(is_shown, text)| is_shown.then_some(text)));
        grid.make_text(columns) + &wrap_texts(&legend, columns)
    }

    /// Explains the numbers of the table.
    pub(super) fn explanations(&self) -> Vec<&'static str> {
        let strategies = &self.comparison.strategies;
        let mut explanations = vec![FACT];
        if strategies.iter().any(|strategy| strategy.sums.own_calls.least_short.is_some()) {
            explanations.push(BOUNDS);
        }
        if self.rows().any(costs_more_for_fewer_tokens) {
            explanations.push(DEARER);
        }
        explanations
    }

    /// The largest grid that fits the terminal, or else the smallest one.
    fn fitting_grid(&self, columns: usize) -> Grid<'c> {
        let models = self.comparison.header.models.len().min(MODELS);
        let narrow = Columns { models: models.min(1), tokens: models == 0, runs: false };
        let wide = Columns { models, tokens: true, runs: true };
        // Caches differ between models, so a second model is worth more than the column of short runs. So are
        // whole names.
        let without_runs = Columns { runs: false, ..wide };
        let whole_names = self.comparison.strategies.iter().map(label_width).max().unwrap_or(NAME);
        // A name with settings can have a line of its own.
        let without_settings =
            self.comparison.strategies.iter().filter(|strategy| !strategy.name.contains(','));
        let plain_names = without_settings.map(label_width).max().unwrap_or(NAME);
        let choices = [
            (wide, whole_names),
            (without_runs, whole_names),
            (wide, plain_names),
            (without_runs, plain_names),
            (wide, NAME),
            (without_runs, NAME),
            (Columns { models: models.min(1), ..wide }, NAME),
            (Columns { tokens: true, ..narrow }, NAME),
        ];
        if columns >= NARROW {
            for (chosen, name_width) in choices {
                let grid = self.make_grid(chosen);
                if grid.table_width(name_width) <= columns {
                    return grid;
                }
            }
        }
        self.make_grid(narrow)
    }

    /// The mark before a strategy's name.
    fn row_mark(&self, strategy: &StrategyComparison) -> char {
        if self.recommended.is_some_and(|recommended| recommended.name == strategy.name) {
            return '>';
        }
        if self.is_above_limit(strategy) { 'x' } else { ' ' }
    }

    /// Returns true if too many answers would lack a fact.
    fn is_above_limit(&self, strategy: &StrategyComparison) -> bool {
        let Some(baseline) = self.baseline.filter(|_| self.marks_limit()) else {
            return false;
        };
        let bounds = self.comparison.header.bounds();
        strategy.name != baseline.name && !bounds.admit(&strategy.standings.first, &baseline.standings.first)
    }

    /// Returns true if strategies above the limit are marked: there are enough answers to judge them by.
    pub(super) fn marks_limit(&self) -> bool {
        matches!(self.comparison.too_little, None | Some(TooLittle::NoSwitch))
    }

    /// The models with a column, if there is room.
    fn shown_models(&self) -> &[CostRow] {
        let costs = self.comparison.strategies.first().map_or(&[][..], |strategy| &strategy.costs);
        costs.get(..MODELS).unwrap_or(costs)
    }

    fn make_grid(&self, columns: Columns) -> Grid<'c> {
        let mut headings = self.make_headings(columns);
        let mut rows = Vec::new();
        for strategy in self.rows() {
            rows.push(Row {
                mark: self.row_mark(strategy),
                strategy,
                is_set_apart: self.comparison.is_set_apart(strategy),
                cells: self.row_cells(strategy, columns, headings.len()),
            });
        }
        align_cells(&mut headings, &mut rows);
        Grid {
            above_costs: format!("cost vs {}", self.comparison.header.baseline),
            costs: columns.models,
            rows,
            headings,
        }
    }

    fn row_cells(&self, strategy: &StrategyComparison, columns: Columns, number: usize) -> Cells {
        if strategy.sums.requests == 0 {
            let mut cells = vec!["no requests".to_owned()];
            cells.resize(number.max(1), "–".to_owned());
            return Cells::Numbers(cells);
        }
        match self.comparison.instead_of_numbers(strategy) {
            Some(sentence) => Cells::Sentence(sentence),
            None => Cells::Numbers(self.make_cells(strategy, columns)),
        }
    }

    /// Two heading lines for each column.
    fn make_headings(&self, columns: Columns) -> Vec<(String, String)> {
        let mut headings: Vec<(String, String)> = Vec::new();
        for model in self.shown_models().iter().take(columns.models) {
            headings.push((String::new(), model_heading(model)));
        }
        let others = [
            (columns.tokens, "", "tokens"),
            (true, "answers", "missing a fact"),
            (columns.runs, "runs with", "such answers"),
        ];
        for (is_shown, above, below) in others {
            if is_shown {
                headings.push((above.to_owned(), below.to_owned()));
            }
        }
        headings
    }

    /// The cells of a strategy, one per heading.
    fn make_cells(&self, strategy: &StrategyComparison, columns: Columns) -> Vec<String> {
        let answers = strategy.sums.answers;
        let mut cells: Vec<String> = Vec::new();
        for (index, cost) in strategy.costs.iter().take(columns.models).enumerate() {
            let now = self.change_cell(strategy, cost.ratio, dollars(cost.cost.dollars()));
            // For the first model only: it decides, and there is no room for more.
            let before = if index == 0 { self.cost_before(strategy, cost) } else { None };
            cells.push(with_before(now, before));
        }
        if columns.tokens {
            cells.push(self.change_cell(strategy, strategy.ratio, grouped(strategy.sums.input_tokens)));
        }
        cells.push(match strategy.sums.own_calls.least_short {
            Some(least) if least < answers.short => format!("{}–{}", grouped(least), grouped(answers.short)),
            _ => {
                let before = self.comparison.number_before(&strategy.name, "answers_short");
                let before = before.filter(|before| *before != answers.short as f64);
                let now = self.part_of(strategy, answers.short, answers.needing);
                with_before(now, before.map(|before| grouped(before as u64)))
            }
        });
        if columns.runs {
            let runs = if answers.needing == 0 { 0 } else { self.comparison.scenarios };
            cells.push(self.part_of(strategy, answers.short_runs, runs));
        }
        cells
    }

    fn is_baseline(&self, strategy: &StrategyComparison) -> bool {
        strategy.name == self.comparison.header.baseline
    }

    /// The change from the baseline; for the baseline itself the absolute number.
    fn change_cell(&self, strategy: &StrategyComparison, ratio: Option<f64>, absolute: String) -> String {
        match ratio {
            Some(ratio) if !self.is_baseline(strategy) => {
                let is_same = self.baseline.is_some_and(|baseline| strategy.costs_as(baseline));
                if is_same { UNCHANGED.to_owned() } else { signed_percent(ratio - 1.0) }
            }
            _ => absolute,
        }
    }

    /// `12 of 90` for the baseline. All strategies have the same whole, so the others show only the part.
    fn part_of(&self, strategy: &StrategyComparison, part: u64, whole: u64) -> String {
        match whole {
            0 => "–".to_owned(),
            _ if self.is_baseline(strategy) => format!("{} of {}", grouped(part), grouped(whole)),
            _ => grouped(part),
        }
    }
}

impl Advice<'_> {
    /// The cost in the earlier report, formatted as in the table.
    fn cost_before(&self, strategy: &StrategyComparison, cost: &CostRow) -> Option<String> {
        let is_baseline = strategy.name == self.comparison.header.baseline;
        let metric = if is_baseline { "cost" } else { "cost_ratio" };
        let before = self.comparison.number_before(&strategy.name, &format!("{metric}:{}", cost.model))?;
        Some(if is_baseline { dollars(before) } else { signed_percent(before - 1.0) })
    }
}

/// Returns true if the cache makes fewer tokens cost more than the baseline's.
fn costs_more_for_fewer_tokens(strategy: &StrategyComparison) -> bool {
    let cost = strategy.costs.first().and_then(|costs| costs.ratio);
    cost.is_some_and(|cost| cost > 1.0) && strategy.ratio.is_some_and(|tokens| tokens < 1.0)
}

/// `-45.3% (was -44.1%)`
fn with_before(now: String, before: Option<String>) -> String {
    match before {
        Some(before) if before != now && now != UNCHANGED => format!("{now}{BEFORE}{before})"),
        _ => now,
    }
}

/// Pads the cells of each column to align the numbers, with or without earlier ones.
fn align_cells(headings: &mut [(String, String)], rows: &mut [Row<'_>]) {
    let columns = rows.iter().map(|row| row.number_cells().len()).max().unwrap_or(0);
    for column in 0..columns {
        let mut widest = 0;
        for cell in rows.iter().filter_map(|row| row.number_cells().get(column)) {
            widest = widest.max(width_before(cell));
        }
        if let Some((above, below)) = headings.get_mut(column) {
            above.push_str(&" ".repeat(widest));
            below.push_str(&" ".repeat(widest));
        }
        for row in rows.iter_mut() {
            if let Cells::Numbers(cells) = &mut row.cells
                && let Some(cell) = cells.get_mut(column)
            {
                let missing = widest - width_before(cell);
                cell.push_str(&" ".repeat(missing));
            }
        }
    }
}

/// The width of the part of a cell about the earlier report.
fn width_before(cell: &str) -> usize {
    cell.find(BEFORE).map_or(0, |at| cell.len() - at)
}

/// The wanted explanations, wrapped to this width.
fn wrap_texts(wanted: &[&str], columns: usize) -> String {
    let (mut out, mut used) = (String::new(), 0);
    for text in wanted {
        let fits = used + BETWEEN.len() + text.chars().count() <= columns;
        let mut gap = match used {
            0 => "",
            _ if fits => BETWEEN,
            _ => "\n",
        };
        for word in text.split(' ') {
            let width = word.chars().count();
            if gap == " " && used + 1 + width > columns {
                gap = "\n";
            }
            used = if gap == "\n" { width } else { used + gap.len() + width };
            out += &[gap, word].concat();
            gap = " ";
        }
    }
    out + "\n"
}

/// The optional columns of the table.
#[derive(Clone, Copy)]
struct Columns {
    models: usize,
    tokens: bool,
    runs: bool,
}

/// The cells of a table, with two lines of headings.
struct Grid<'c> {
    /// The heading above all cost columns.
    above_costs: String,
    /// The number of cost columns.
    costs: usize,
    headings: Vec<(String, String)>,
    rows: Vec<Row<'c>>,
}

/// A strategy's row in the table.
struct Row<'c> {
    /// `>` for the recommended strategy, `x` for those above the limit.
    mark: char,
    is_set_apart: bool,
    strategy: &'c StrategyComparison,
    cells: Cells,
}

impl Row<'_> {
    /// The mark and the name, padded to `width` columns.
    fn padded_name(&self, width: usize) -> String {
        format!("{} {:<width$}", self.mark, strategy_label(self.strategy, width))
    }
}

/// The part of a row after the name.
enum Cells {
    /// One per heading.
    Numbers(Vec<String>),
    /// Replaces all numbers.
    Sentence(String),
}

impl Row<'_> {
    fn number_cells(&self) -> &[String] {
        match &self.cells {
            Cells::Numbers(cells) => cells,
            Cells::Sentence(_) => &[],
        }
    }
}

impl Grid<'_> {
    fn column_widths(&self) -> impl Iterator<Item = usize> {
        self.headings.iter().enumerate().map(|(column, (above, below))| {
            let cells = self.rows.iter().filter_map(move |row| row.number_cells().get(column));
            let widths = [above, below].into_iter().chain(cells).map(|text| text.chars().count());
            widths.max().unwrap_or(0) + GAP
        })
    }

    /// The width of the table with names of this width.
    fn table_width(&self, name: usize) -> usize {
        2 + name + self.column_widths().sum::<usize>()
    }

    fn make_text(&self, columns: usize) -> String {
        let names = self.rows.iter().map(|row| label_width(row.strategy)).max().unwrap_or(0);
        let name = names.min(columns.saturating_sub(self.table_width(0))).max(NAME);
        let costs: usize = self.column_widths().take(self.costs).sum();
        let room = costs + name;
        let above_costs = if self.costs == 0 { "" } else { &self.above_costs };
        let above = self.headings.iter().skip(self.costs).map(|(above, _)| above);
        let below = self.headings.iter().map(|(_, below)| below);
        let mut out = self.fit_line(format!("  {:>room$}", shortened(above_costs, room)), above, self.costs);
        out += &self.fit_line(format!("  {:name$}", ""), below, 0);
        let first_apart = self.rows.iter().position(|row| row.is_set_apart);
        for (index, row) in self.rows.iter().enumerate() {
            if first_apart == Some(index) {
                out += &format!("  {SET_APART}:\n");
            }
            // Two settings with shortened options may look the same, so a long one has its own line.
            if row.strategy.name.contains(',') && label_width(row.strategy) > name {
                out += &format!(
                    "{} {}
",
                    row.mark,
                    strategy_label(row.strategy, usize::MAX)
                );
                out += &match &row.cells {
                    Cells::Numbers(cells) => self.fit_line(format!("  {:name$}", ""), cells.iter(), 0),
                    Cells::Sentence(text) => format!(
                        "  {:name$}{:GAP$}{text}
",
                        "", ""
                    ),
                };
                continue;
            }
            out += &match &row.cells {
                Cells::Numbers(cells) => self.fit_line(row.padded_name(name), cells.iter(), 0),
                // Even a narrow terminal has room for the sentence if the name is truncated.
                Cells::Sentence(text) => {
                    let room = columns.saturating_sub(2 + GAP + text.len()).max(NAME);
                    format!("{}{:GAP$}{text}\n", row.padded_name(name.min(room)), "")
                }
            };
        }
        out
    }

    /// A line of right-aligned cells, from the column at index `first` on.
    fn fit_line<'t>(&self, start: String, cells: impl Iterator<Item = &'t String>, first: usize) -> String {
        let mut line = start;
        for (width, cell) in self.column_widths().skip(first).zip(cells) {
            line += &format!("{cell:>width$}");
        }
        line.trim_end().to_owned() + "\n"
    }
}

/// The mark after the name of a strategy with requests over the context window.
fn window_mark(strategy: &StrategyComparison) -> &'static str {
    if strategy.sums.over_window > 0 { "^" } else { "" }
}

/// A strategy's name truncated to this width, but always with its mark.
fn strategy_label(strategy: &StrategyComparison, width: usize) -> String {
    let mark = window_mark(strategy);
    shortened(&strategy.name, width.saturating_sub(mark.len())) + mark
}

fn label_width(strategy: &StrategyComparison) -> usize {
    strategy.name.chars().count() + window_mark(strategy).len()
}

/// The name of a model, without its vendor if it is too long.
fn model_heading(model: &CostRow) -> String {
    let estimate = if model.is_estimate { "*" } else { "" };
    let is_long = model.model.chars().count() > MODEL;
    let own = model.model.split_once('-').filter(|_| is_long).map_or(&*model.model, |(_, own)| own);
    shortened(own, MODEL) + estimate
}
