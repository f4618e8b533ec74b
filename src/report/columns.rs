//! The numbers of each strategy: columns of `strategies.csv` and metrics of thresholds.

use super::comparison::{Comparison, CostRow, StrategyComparison};
use super::rework;
use super::spread::Spread;
use super::totals::Totals;
use crate::measure::numbers::Cell;
use ptc_prices::OtherCosts;

/// One number of a strategy.
pub struct StrategyColumn {
    pub name: &'static str,
    pub doc: &'static str,
}

const fn column(name: &'static str, doc: &'static str) -> StrategyColumn {
    StrategyColumn { name, doc }
}

/// The only text column.
const BREAK_EVEN: &str = "break_even";

/// The columns independent of models, in the order of `fixed_cells`. For the columns of each model, see
/// [`StrategyComparison::cells`].
pub const STRATEGY_COLUMNS: [StrategyColumn; 33] = [
    column("requests", "requests sent"),
    column("input_tokens", "tokens of all requests"),
    column("output_tokens", "tokens of all answers, the same everywhere"),
    column("ratio", "input tokens divided by the baseline's"),
    column("history_tokens", "input tokens without SYSTEM and the opening"),
    column("history_ratio", "history tokens divided by the baseline's"),
    column("request_median", "tokens of the median request"),
    column("request_p90", "90th percentile of the tokens of a request"),
    column("request_worst", "tokens of the largest request"),
    column("ratio_median", "ratio of the median scenario"),
    column("ratio_p90", "90th percentile of the ratio of a scenario"),
    column("ratio_worst", "ratio of the worst scenario"),
    column("wins", "scenarios with fewer tokens than the baseline"),
    column("ties", "scenarios with as many tokens"),
    column("losses", "scenarios with more tokens"),
    column("larger_requests", "requests larger than the baseline's"),
    column("growth", "slope of log tokens against log turn"),
    column("pays_from_turn", "first turn with fewer tokens sent so far than under the baseline"),
    column("stable_prefix", "share of input tokens that repeat the start of the request before"),
    column(BREAK_EVEN, "price of cached reads, as a share of the input price, at which it saves money"),
    column("answers_needing", "answers that use a fact from an earlier turn"),
    column("answers_short", "answers whose request lacks such a fact"),
    column("runs_short", "runs with an answer missing a fact"),
    column("answers_own", "answers that lack only the model's own words"),
    column("answers_doubtful", "answers that lack only common names; not in `answers_short`"),
    column("answers_again", "answers that lack only facts the agent can read again"),
    column("instructions_lost", "instructions of people missing in a later request"),
    column("evidence", "share of the used facts that requests show"),
    column("evidence_min", "the same share for the worst answer"),
    column("lost", "number of used facts that requests do not show"),
    column("hidden_tool_calls", "earlier calls that requests do not show, summed"),
    column("invalid_requests", "requests that an API would reject"),
    column("efficient", "1 if no strategy is better in both tokens and evidence"),
];

/// Further columns if any strategy calls a model itself, in the order of `call_cells`.
const CALL_COLUMNS: [StrategyColumn; 4] = [
    column("strategy_calls", "calls of a model that the strategy makes itself"),
    column("strategy_call_input", "their input tokens"),
    column("strategy_call_output", "their output tokens"),
    column("answers_short_least", "answers missing a fact if those calls return the best text"),
];
/// A further such column, one per model.
const CALL_COST: &str = "strategy_call_cost";

/// The metrics available to thresholds, without those of models.
pub fn metrics() -> Vec<String> {
    let mut names = Vec::new();
    for column in STRATEGY_COLUMNS.iter().chain(&CALL_COLUMNS) {
        if column.name != BREAK_EVEN {
            names.push(column.name.to_owned());
        }
    }
    names
}

/// The columns of each model, computed by `StrategyComparison::cost_cells`. Thresholds may use them too.
pub const COST_COLUMNS: [&str; 6] =
    ["cached_tokens", "cost", "cost_ratio", "cost_cold", "cost_warm", "cost_naive"];

fn cost_names(model: &str) -> [String; 6] {
    COST_COLUMNS.map(|name| format!("{name}:{model}"))
}

fn count_cell(number: Option<u32>) -> Cell {
    match number {
        Some(number) => Cell::Count(u64::from(number)),
        None => Cell::Ratio(None),
    }
}

fn split_spread<T>(spread: Option<Spread<T>>) -> [Option<T>; 3] {
    match spread {
        Some(Spread { median, p90, worst }) => [Some(median), Some(p90), Some(worst)],
        None => [None, None, None],
    }
}

impl Comparison {
    /// The numbers of all strategies, formatted as in `strategies.csv`.
    pub fn totals(&self) -> Totals {
        let mut rows = Vec::with_capacity(self.strategies.len());
        for strategy in &self.strategies {
            let mut cells = Vec::new();
            for (metric, cell) in strategy.cells() {
                cells.push((metric, cell.plain()));
            }
            rows.push((strategy.name.clone(), cells));
        }
        Totals::of_rows(rows.into_iter())
    }
}

impl StrategyComparison {
    /// All numbers by name: the fixed columns, then those of each model, such as `cost:MODEL` and
    /// `price_date:MODEL`.
    pub fn cells(&self) -> Vec<(String, Cell)> {
        let mut cells = Vec::new();
        for (column, cell) in STRATEGY_COLUMNS.iter().zip(self.fixed_cells()) {
            cells.push((column.name.to_owned(), cell));
        }
        if self.shows_calls {
            for (column, cell) in CALL_COLUMNS.iter().zip(self.call_cells()) {
                cells.push((column.name.to_owned(), cell));
            }
        }
        for row in &self.costs {
            cells.extend(self.cost_cells(row));
        }
        cells.extend(self.call_costs());
        if self.shows_spread {
            cells.extend(self.spread_cells());
        }
        if self.has_rework {
            let models = self.costs.iter().map(|row| row.model.as_str());
            cells.extend(rework::cells(self.sums.rework.as_ref(), models));
        }
        cells
    }

    /// The values of [`STRATEGY_COLUMNS`].
    fn fixed_cells(&self) -> [Cell; STRATEGY_COLUMNS.len()] {
        let [request_median, request_p90, request_worst] = split_spread(self.request_tokens);
        let [ratio_median, ratio_p90, ratio_worst] = split_spread(self.ratios);
        [
            Cell::Count(self.sums.requests),
            Cell::Count(self.sums.input_tokens),
            Cell::Count(self.sums.output_tokens),
            Cell::Ratio(self.ratio),
            Cell::Count(self.sums.history_tokens),
            Cell::Ratio(self.history_ratio),
            count_cell(request_median),
            count_cell(request_p90),
            count_cell(request_worst),
            Cell::Ratio(ratio_median),
            Cell::Ratio(ratio_p90),
            Cell::Ratio(ratio_worst),
            Cell::Count(self.sums.versus.wins),
            Cell::Count(self.sums.versus.ties),
            Cell::Count(self.sums.versus.losses),
            Cell::Count(self.sums.versus.larger_requests),
            Cell::Ratio(self.growth),
            count_cell(self.pays_from_turn),
            Cell::Ratio(self.stable_prefix),
            Cell::Text(self.break_even.to_string()),
            Cell::Count(self.sums.answers.needing),
            Cell::Count(self.sums.answers.short),
            Cell::Count(self.sums.answers.short_runs),
            Cell::Count(self.sums.answers.own_short),
            Cell::Count(self.sums.answers.doubtful),
            Cell::Count(self.sums.answers.short_again),
            Cell::Count(self.sums.instructions_lost),
            Cell::Ratio(self.evidence),
            Cell::Ratio(self.sums.evidence_min),
            Cell::Count(self.sums.lost()),
            Cell::Count(self.sums.hidden_tool_calls),
            Cell::Count(self.sums.invalid_requests),
            Cell::Count(u64::from(self.is_efficient)),
        ]
    }

    /// The values of [`CALL_COLUMNS`].
    fn call_cells(&self) -> [Cell; CALL_COLUMNS.len()] {
        [
            Cell::Count(self.sums.own_calls.calls),
            Cell::Count(self.sums.own_calls.input_tokens),
            Cell::Count(self.sums.own_calls.output_tokens),
            Cell::Count(self.sums.least_short()),
        ]
    }

    /// The costs of the strategy's own model calls.
    fn call_costs(&self) -> Vec<(String, Cell)> {
        let mut cells = Vec::new();
        if !self.shows_calls {
            return cells;
        }
        for (model, row) in self.costs.iter().enumerate() {
            // Without calls of its own, a strategy paid 0 for them.
            let cost = self.sums.own_calls.cost.get(model).copied().unwrap_or_default();
            cells.push((format!("{CALL_COST}:{}", row.model), Cell::Money(cost)));
        }
        cells
    }

    /// The numbers of a model; costs are empty if no request was sent.
    fn cost_cells(&self, row: &CostRow) -> impl Iterator<Item = (String, Cell)> {
        let OtherCosts { cold, warm, naive } = row.other_costs;
        let mut costs = [row.cost, cold, warm, naive].map(Cell::Money);
        if self.sums.requests == 0 {
            costs = costs.map(|_| Cell::Ratio(None));
        }
        let [cost, cold, warm, naive] = costs;
        let cached = Cell::Count(row.cached_tokens);
        let cells = [cached, cost, Cell::Ratio(row.ratio), cold, warm, naive];
        let date = (format!("price_date:{}", row.model), Cell::Text(row.price_date.clone()));
        cost_names(&row.model).into_iter().zip(cells).chain([date])
    }
}
