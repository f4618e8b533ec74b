//! The numbers of each strategy: columns of `strategies.csv` and metrics of thresholds.

use super::comparison::{Comparison, CostRow, StrategyComparison};
use super::rework;
use super::totals::Totals;
use crate::measure::numbers::Cell;
use ptc_prices::OtherCosts;

/// One number of a strategy.
pub struct StrategyColumn {
    pub name: &'static str,
    pub doc: &'static str,
    value: fn(&StrategyComparison) -> Cell,
}

const fn column(
    name: &'static str,
    doc: &'static str,
    value: fn(&StrategyComparison) -> Cell,
) -> StrategyColumn {
    StrategyColumn { name, doc, value }
}

/// The only text column.
const BREAK_EVEN: &str = "break_even";

/// The columns independent of models. For the columns of each model, see [`StrategyComparison::cells`].
pub const STRATEGY_COLUMNS: &[StrategyColumn] = &[
    column("requests", "requests sent", |s| Cell::Count(s.sums.requests)),
    column("input_tokens", "tokens of all requests", |s| Cell::Count(s.sums.input_tokens)),
    column("output_tokens", "tokens of all answers, the same everywhere", |s| {
        Cell::Count(s.sums.output_tokens)
    }),
    column("ratio", "input tokens divided by the baseline's", |s| Cell::Ratio(s.ratio)),
    column("history_tokens", "input tokens without SYSTEM and the opening", |s| {
        Cell::Count(s.sums.history_tokens)
    }),
    column("history_ratio", "history tokens divided by the baseline's", |s| Cell::Ratio(s.history_ratio)),
    column("request_median", "tokens of the median request", |s| spread(s.request_tokens.map(|r| r.median))),
    column("request_p90", "90th percentile of the tokens of a request", |s| {
        spread(s.request_tokens.map(|r| r.p90))
    }),
    column("request_worst", "tokens of the largest request", |s| spread(s.request_tokens.map(|r| r.worst))),
    column("ratio_median", "ratio of the median scenario", |s| Cell::Ratio(s.ratios.map(|r| r.median))),
    column("ratio_p90", "90th percentile of the ratio of a scenario", |s| {
        Cell::Ratio(s.ratios.map(|r| r.p90))
    }),
    column("ratio_worst", "ratio of the worst scenario", |s| Cell::Ratio(s.ratios.map(|r| r.worst))),
    column("wins", "scenarios with fewer tokens than the baseline", |s| Cell::Count(s.sums.versus.wins)),
    column("ties", "scenarios with as many tokens", |s| Cell::Count(s.sums.versus.ties)),
    column("losses", "scenarios with more tokens", |s| Cell::Count(s.sums.versus.losses)),
    column("larger_requests", "requests larger than the baseline's", |s| {
        Cell::Count(s.sums.versus.larger_requests)
    }),
    column("growth", "slope of log tokens against log turn", |s| Cell::Ratio(s.growth)),
    column("pays_from_turn", "first turn with fewer tokens sent so far than under the baseline", |s| {
        s.pays_from_turn.map_or(Cell::Ratio(None), |turn| Cell::Count(u64::from(turn)))
    }),
    column("stable_prefix", "share of input tokens that repeat the start of the request before", |s| {
        Cell::Ratio(s.stable_prefix)
    }),
    column(
        BREAK_EVEN,
        "price of cached reads, as a share of the input price, at which it saves money",
        |s| Cell::Text(s.break_even.to_string()),
    ),
    column("answers_needing", "answers that use a fact from an earlier turn", |s| {
        Cell::Count(s.sums.answers.needing)
    }),
    column("answers_short", "answers whose request lacks such a fact", |s| Cell::Count(s.sums.answers.short)),
    column("runs_short", "runs with an answer missing a fact", |s| Cell::Count(s.sums.answers.short_runs)),
    column("answers_own", "answers that lack only the model's own words", |s| {
        Cell::Count(s.sums.answers.own_short)
    }),
    column("answers_doubtful", "answers that lack only common names; not in `answers_short`", |s| {
        Cell::Count(s.sums.answers.doubtful)
    }),
    column("answers_again", "answers that lack only facts the agent can read again", |s| {
        Cell::Count(s.sums.answers.short_again)
    }),
    column("instructions_lost", "instructions of people missing in a later request", |s| {
        Cell::Count(s.sums.instructions_lost)
    }),
    column("evidence", "share of the used facts that requests show", |s| Cell::Ratio(s.evidence)),
    column("evidence_min", "the same share for the worst answer", |s| Cell::Ratio(s.sums.evidence_min)),
    column("lost", "number of used facts that requests do not show", |s| Cell::Count(s.sums.lost())),
    column("hidden_tool_calls", "earlier calls that requests do not show, summed", |s| {
        Cell::Count(s.sums.hidden_tool_calls)
    }),
    column("invalid_requests", "requests that an API would reject", |s| Cell::Count(s.sums.invalid_requests)),
    column("efficient", "1 if no strategy is better in both tokens and evidence", |s| {
        Cell::Count(u64::from(s.is_efficient))
    }),
];

/// Further columns if any strategy calls a model itself.
const CALL_COLUMNS: &[StrategyColumn] = &[
    column("strategy_calls", "calls of a model that the strategy makes itself", |s| {
        Cell::Count(s.sums.own_calls.calls)
    }),
    column("strategy_call_input", "their input tokens", |s| Cell::Count(s.sums.own_calls.input_tokens)),
    column("strategy_call_output", "their output tokens", |s| Cell::Count(s.sums.own_calls.output_tokens)),
    column("answers_short_least", "answers missing a fact if those calls return the best text", |s| {
        Cell::Count(s.sums.least_short())
    }),
];
/// A further such column, one per model.
const CALL_COST: &str = "strategy_call_cost";

/// The metrics available to thresholds, without those of models.
pub fn metrics() -> Vec<String> {
    let numbers = STRATEGY_COLUMNS.iter().chain(CALL_COLUMNS).filter(|column| column.name != BREAK_EVEN);
    numbers.map(|column| column.name.to_owned()).collect()
}

/// The columns of each model, computed by `StrategyComparison::cost_cells`. Thresholds may use them too.
pub const COST_COLUMNS: [&str; 6] =
    ["cached_tokens", "cost", "cost_ratio", "cost_cold", "cost_warm", "cost_naive"];

fn cost_names(model: &str) -> [String; 6] {
    COST_COLUMNS.map(|name| format!("{name}:{model}"))
}

fn spread(tokens: Option<u32>) -> Cell {
    tokens.map_or(Cell::Ratio(None), |tokens| Cell::Count(u64::from(tokens)))
}

impl Comparison {
    /// The numbers of all strategies, formatted as in `strategies.csv`.
    pub fn totals(&self) -> Totals {
        Totals::of_rows(self.strategies.iter().map(|strategy| {
            let cells = strategy.cells().into_iter().map(|(metric, cell)| (metric, cell.plain()));
            (strategy.name.clone(), cells)
        }))
    }
}

impl StrategyComparison {
    /// All numbers by name: the fixed columns, then those of each model, such as `cost:MODEL` and
    /// `price_date:MODEL`.
    pub fn cells(&self) -> Vec<(String, Cell)> {
        let of_calls = if self.shows_calls { CALL_COLUMNS } else { &[] };
        let mut cells = Vec::new();
        for column in STRATEGY_COLUMNS.iter().chain(of_calls) {
            cells.push((column.name.to_owned(), (column.value)(self)));
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

    /// The costs of the strategy's own model calls.
    fn call_costs(&self) -> impl Iterator<Item = (String, Cell)> {
        let models = self.costs.iter().enumerate().filter(|_| self.shows_calls);
        models.map(|(model, row)| {
            // Without calls of its own, a strategy paid 0 for them.
            let cost = self.sums.own_calls.cost.get(model).copied().unwrap_or_default();
            (format!("{CALL_COST}:{}", row.model), Cell::Money(cost))
        })
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
