//! The tables of `docs/benchmark.md` that follow from this repository: the shipped scenarios and the public experiments.
//! `PTC_EVAL_BLESS=1` rewrites them.

use std::fs;
use std::path::Path;

use ptc_eval::evaluate::{Pipeline, Plan};
use ptc_eval::measure::numbers::{grouped, percent};
use ptc_eval::report::{Advice, Comparison, Gauges, Header, ScenarioRecord, StrategyComparison, Tally};
use ptc_eval::scenario::{JsonOptions, Known, Selection, Suite};
use ptc_prices::{Price, PriceTable};
use ptc_tokens::{DEFAULT_TOKENIZER, Tokenizer};

use crate::golden::Golden;

const PAGE: &str = "docs/benchmark.md";
/// Public experiments: kind, kept, agent, models, pairs, points, low, high, turns, source.
const SETTINGS: &str = "src/report/public/settings.tsv";
/// The folder of the runs of real size.
const SESSIONS: &str = "sessions/";
/// Strategies of native messages that save on them, in the order of the table.
const SHOWN: [&str; 3] = ["fold", "observation-masking", "trim"];

/// The shipped scenarios under all strategies.
struct Shipped {
    header: Header,
    records: Vec<ScenarioRecord>,
}

impl Shipped {
    fn new() -> Shipped {
        let suite = Suite::open(Path::new("scenarios"), Known::default()).unwrap();
        let plan = Plan::of(&suite).unwrap();
        let table = PriceTable::built_in().unwrap();
        let models: Vec<Price> =
            suite.models.iter().map(|name| table.find(name, table.day()).unwrap()).collect();
        let tokenizer = Tokenizer::named(suite.tokenizer.as_deref().unwrap_or(DEFAULT_TOKENIZER)).unwrap();
        let pipeline = Pipeline::new(
            &plan,
            Gauges { tokenizer: &tokenizer, models: &models, logged: None, warm_system: suite.warm_system },
        );
        let selection = Selection::default();
        let scenarios = suite.scenarios(&selection).unwrap();
        let record = |(position, scenario)| pipeline.evaluate(scenario, position).unwrap().record;
        let records = (0..).zip(scenarios.map(Result::unwrap)).map(record).collect();
        Shipped { header: pipeline.header(&suite), records }
    }

    fn comparison_of(&self, is_member: impl Fn(&ScenarioRecord) -> bool) -> Comparison {
        let mut tally = Tally::new(self.header.clone());
        self.records.iter().filter(|record| is_member(record)).for_each(|record| tally.add(record));
        tally.compare()
    }

    /// A table with a row for each run of real size, and one for all of them.
    fn sessions(&self) -> String {
        let models = self.header.models.len();
        let heading = |name: &&str| format!(" {name} | lack a fact |");
        let costs: String = SHOWN.iter().map(heading).collect();
        let head =
            format!("| session | turns | tokens |{costs}\n|---|{}\n", "---:|".repeat(2 + 2 * SHOWN.len()));
        let row = |name: &str, turns: usize, runs: &Comparison| {
            let strategy =
                |name: &str| runs.strategies.iter().find(|strategy| strategy.name == name).unwrap();
            let cell = |name: &&str| {
                let costs = strategy(name).costs.iter().take(models).map(|cost| percent(cost.ratio));
                let costs = costs.collect::<Vec<_>>().join(" / ");
                format!(" {costs} | {} |", short(strategy(name)))
            };
            let tokens = grouped(strategy(&runs.header.baseline).sums.input_tokens);
            format!("| {name} | {turns} | {tokens} |{}\n", SHOWN.iter().map(cell).collect::<String>())
        };
        let is_session = |record: &ScenarioRecord| record.name.starts_with(SESSIONS);
        let members: Vec<&ScenarioRecord> = self.records.iter().filter(|record| is_session(record)).collect();
        let rows = members.iter().map(|session| {
            let turns = session.output_tokens.len();
            let runs = self.comparison_of(|record| record.name == session.name);
            row(session.name.trim_start_matches(SESSIONS), turns, &runs)
        });
        let rows: String = rows.collect();
        let turns = members.iter().map(|session| session.output_tokens.len()).sum();
        head + &rows + &row("all", turns, &self.comparison_of(is_session))
    }
}

/// A row for each strategy but the baseline.
fn overview(all: &Comparison) -> String {
    let baseline = all.strategies.iter().find(|strategy| strategy.name == all.header.baseline).unwrap();
    let models: String = all.header.models.iter().map(|model| format!(" cost, {} |", model.model)).collect();
    let needing = grouped(baseline.sums.answers.needing);
    let mut table =
        format!("| strategy | tokens |{models} lack a fact, of {needing} | runs, of {} |\n", all.scenarios);
    table += &format!("|---|{}\n", "---:|".repeat(3 + all.header.models.len()));
    for strategy in all.strategies.iter().filter(|strategy| strategy.name != all.header.baseline) {
        let costs: String = strategy.costs.iter().map(|cost| format!(" {} |", percent(cost.ratio))).collect();
        let answers = strategy.sums.answers;
        table += &format!(
            "| {} | {} |{costs} {} | {} |\n",
            strategy.name,
            percent(strategy.ratio),
            answers.short,
            answers.short_runs
        );
    }
    table
}

fn short(strategy: &StrategyComparison) -> String {
    strategy.sums.answers.short_of_needing()
}

/// The page with a table between `<!-- NAME -->` and the next `<!-- end -->`.
pub fn with_table(page: &str, name: &str, table: &str) -> String {
    let mark = format!("<!-- {name} -->\n");
    let (head, rest) = page.split_once(&mark).unwrap_or_else(|| panic!("there is no {mark}"));
    let end = rest.find("<!-- end -->").unwrap();
    format!("{head}{mark}\n{table}\n{}", &rest[end..])
}

/// A row for each public experiment.
fn outcomes() -> String {
    let mut table =
        "| setting | turns kept | agent | pairs | points of success | turns × |\n|---|---:|---|---:|---:|---:|\n".to_owned();
    for line in fs::read_to_string(SETTINGS).unwrap().lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [kind, kept, agent, models, pairs, points, low, high, turns, _] = fields.as_slice() else {
            panic!("{line}")
        };
        let agent = if *models == "1" { (*agent).to_owned() } else { format!("{agent}, {models} models") };
        table += &format!("| {kind} | {kept} | {agent} | {pairs} | {points} ({low} to {high}) | {turns} |\n");
    }
    table
}

#[test]
fn the_figures_of_the_benchmark_are_those_of_the_repository() {
    let shipped = Shipped::new();
    let all = shipped.comparison_of(|_| true);
    let advice = Advice::new(&all);
    let mut page = fs::read_to_string(PAGE).unwrap();
    page = with_table(&page, "outcomes", &outcomes());
    page = with_table(&page, "verdict", &format!("> {}\n> {}\n", advice.sentence(), advice.certainty()));
    page = with_table(&page, "overview", &overview(&all));
    page = with_table(&page, "sessions", &shipped.sessions());
    let mut golden = Golden::default();
    golden.holds(Path::new(PAGE), &page);
    golden.assert_none_differs();
}

/// `tune` tries settings in batches without the baseline, and judged the first of each as if it needed no more turns.
#[test]
fn the_first_of_some_settings_is_not_taken_for_the_baseline() {
    let suite = Suite::open(Path::new("scenarios"), Known::default()).unwrap();
    let plan = Plan::new(&suite, &[("trim".to_owned(), JsonOptions::default())]).unwrap();
    let tokenizer = Tokenizer::named(DEFAULT_TOKENIZER).unwrap();
    let gauges = Gauges { tokenizer: &tokenizer, models: &[], logged: None, warm_system: false };
    let header = Pipeline::new(&plan, gauges).header(&suite);
    assert_eq!(header.baseline, "full-history");
    assert!(header.most_turns(0) > 1.0, "{}", header.most_turns(0));
}
