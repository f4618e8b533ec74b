//! The tables and verdicts of `docs/findings.md` and `docs/choosing.md`, which are made of the shipped scenarios.
//! `PTC_EVAL_BLESS=1` rewrites them.

use std::fs;
use std::ops::Range;
use std::path::Path;

use ptc_eval::compression::DEFAULT;
use ptc_eval::evaluate::{Pipeline, Plan};
use ptc_eval::measure::numbers::{grouped, percent};
use ptc_eval::report::comparison::CostRow;
use ptc_eval::report::{Advice, Comparison, Gauges, Header, ScenarioRecord, StrategyComparison, Tally};
use ptc_eval::scenario::{Known, Selection, Suite};
use ptc_tokens::{DEFAULT_TOKENIZER, Price, PriceTable, Tokenizer};

use crate::golden::Golden;

const FINDINGS: &str = "docs/findings.md";
const CHOOSING: &str = "docs/choosing.md";
/// Fewer runs of a length lead to no conclusion.
const LEAST_RUNS: u64 = 5;
/// The fewest turns of each length.
const LENGTHS: [usize; 6] = [1, 5, 10, 20, 40, 100];
/// The folder of the runs of real size.
const SESSIONS: &str = "sessions/";
/// Strategies of native messages that save on them, in the order of the table.
const SHOWN: [&str; 3] = ["fold", "observation-masking", "trim"];

/// The shipped scenarios under all strategies.
struct Shipped {
    header: Header,
    records: Vec<ScenarioRecord>,
}

/// Runs of similar length, compared as if they were a whole suite.
struct Group {
    /// `5 to 9 turns`
    name: String,
    /// One a model, which stands first there: the first model decides what is recommended.
    comparisons: Vec<Comparison>,
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

    /// The same with the next model in front, which decides the recommendation.
    fn with_next_model(&self) -> Shipped {
        let mut shipped = Shipped { header: self.header.clone(), records: self.records.clone() };
        shipped.header.models.rotate_left(1);
        for run in shipped.records.iter_mut().flat_map(|record| &mut record.strategies) {
            run.other_costs.rotate_left(1);
            run.requests.iter_mut().for_each(|request| request.bills.rotate_left(1));
        }
        shipped
    }

    fn comparison(&self, turns: &Range<usize>) -> Comparison {
        self.comparison_of(|record| turns.contains(&record.output_tokens.len()))
    }

    fn comparison_of(&self, is_member: impl Fn(&ScenarioRecord) -> bool) -> Comparison {
        let mut tally = Tally::new(self.header.clone());
        self.records.iter().filter(|record| is_member(record)).for_each(|record| tally.add(record));
        tally.compare()
    }

    /// A table with a row for each run of real size, and one for all of them.
    fn sessions(&self) -> String {
        let models = self.header.models.len();
        let heading = |name: &&str| format!(" {name} | answers short |");
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

    /// All runs, then those of each length of which there are enough.
    fn groups(self) -> Vec<Group> {
        let models = self.header.models.len();
        let shipped: Vec<Shipped> =
            std::iter::successors(Some(self), |one| Some(one.with_next_model())).take(models).collect();
        let ends = LENGTHS.iter().skip(1).copied().chain([usize::MAX]);
        let lengths = LENGTHS.iter().zip(ends).map(|(&from, to)| match to {
            usize::MAX => (from..to, format!("{from} or more turns")),
            to => (from..to, format!("{from} to {} turns", to - 1)),
        });
        let all = std::iter::once((0..usize::MAX, "All lengths".to_owned()));
        let groups = all.chain(lengths).map(|(turns, name)| Group {
            name,
            comparisons: shipped.iter().map(|one| one.comparison(&turns)).collect(),
        });
        groups.filter(|group| group.runs() >= LEAST_RUNS).collect()
    }
}

impl Group {
    fn runs(&self) -> u64 {
        self.comparisons[0].scenarios
    }

    /// `5 to 9 turns, n = 20`
    fn heading(&self) -> String {
        format!("{}, n = {}", self.name, self.runs())
    }

    /// The strategies in the order of the suite.
    fn strategies(&self) -> &[StrategyComparison] {
        &self.comparisons[0].strategies
    }

    fn models(&self) -> &[Price] {
        &self.comparisons[0].header.models
    }

    fn is_baseline(&self, strategy: &StrategyComparison) -> bool {
        strategy.name == self.comparisons[0].header.baseline
    }

    /// What `ptc-eval` says of these runs if this model decides.
    fn verdict(&self, model: usize) -> String {
        let advice = Advice::new(&self.comparisons[model]);
        let cost = advice.recommended.and_then(|strategy| strategy.costs[0].ratio);
        let short = advice.recommended.map_or("–".to_owned(), short);
        let cost = percent(cost);
        format!(
            "| {} | {} | {cost} | {short} | {} |\n",
            self.heading(),
            advice.sentence(),
            advice.certainty()
        )
    }

    /// Names the strategies that send fewer tokens than the baseline and cost more with a model.
    fn dearer(&self, model: usize) -> String {
        let is_dearer = |strategy: &&StrategyComparison| {
            strategy.ratio.is_some_and(|ratio| ratio < 1.0)
                && strategy.costs[model].ratio.is_some_and(|ratio| ratio > 1.0)
        };
        let names: Vec<&str> =
            self.strategies().iter().filter(is_dearer).map(|strategy| strategy.name.as_str()).collect();
        let others = self.strategies().len() - 1;
        let named = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        format!("- with {}, {} of {others}: {named}\n", self.models()[model].model, names.len())
    }
}

/// What the default strategy costs and loses.
fn default(all: &Group) -> String {
    let strategy = all.strategies().iter().find(|strategy| strategy.name == DEFAULT.name()).unwrap();
    let cost = |cost: &CostRow| format!("{} with {}", percent(cost.ratio), cost.model);
    let costs = strategy.costs.iter().map(cost).collect::<Vec<_>>().join(" and ");
    format!(
        "> `{}`: {costs} of what no compression costs; {} answers are short.\n",
        strategy.name,
        short(strategy)
    )
}

/// The verdicts on each group of runs, for each model.
fn choices(groups: &[Group]) -> String {
    let models = groups[0].models().iter().enumerate();
    let table = |(index, model): (usize, &Price)| {
        let rows: String = groups.iter().map(|group| group.verdict(index)).collect();
        let name = &model.model;
        format!(
            "With {name}:\n\n| runs | verdict | cost | short | how sure |\n|---|---|---:|---:|---|\n{rows}"
        )
    };
    models.map(table).collect::<Vec<_>>().join("\n")
}

/// A table with a row for each strategy but the baseline.
fn table(group: &Group, headings: &[String], cells: impl Fn(usize, &StrategyComparison) -> String) -> String {
    let head = format!("| strategy | {} |\n|---|{}\n", headings.join(" | "), "---:|".repeat(headings.len()));
    let strategies = group.strategies().iter().enumerate();
    let others = strategies.filter(|(_, strategy)| !group.is_baseline(strategy));
    let rows =
        others.map(|(index, strategy)| format!("| {} | {} |\n", strategy.name, cells(index, strategy)));
    head + &rows.collect::<String>()
}

fn overview(all: &Group) -> String {
    let models = all.models().iter().map(|model| format!("cost, {}", model.model));
    let baseline = all.strategies().iter().find(|strategy| all.is_baseline(strategy)).unwrap();
    let short = [
        format!("answers short of {}", grouped(baseline.sums.answers.needing)),
        format!("runs short of {}", all.runs()),
    ];
    let headings: Vec<String> = std::iter::once("tokens".to_owned()).chain(models).chain(short).collect();
    table(all, &headings, |_, strategy| {
        let costs = strategy.costs.iter().map(|cost| percent(cost.ratio));
        let answers = strategy.sums.answers;
        let short = [answers.short.to_string(), answers.short_runs.to_string()];
        let cells = std::iter::once(percent(strategy.ratio)).chain(costs).chain(short);
        cells.collect::<Vec<_>>().join(" | ")
    })
}

/// A table with a column for each length.
fn by_length(lengths: &[Group], cell: impl Fn(&StrategyComparison) -> String) -> String {
    let headings: Vec<String> = lengths.iter().map(Group::heading).collect();
    table(&lengths[0], &headings, |index, _| {
        let cells = lengths.iter().map(|group| cell(&group.strategies()[index]));
        cells.collect::<Vec<_>>().join(" | ")
    })
}

fn short(strategy: &StrategyComparison) -> String {
    strategy.sums.answers.short_of_needing()
}

/// Replaces the text between `<!-- NAME -->` and the next comment.
fn with_table(page: &str, name: &str, table: &str) -> String {
    let mark = format!("<!-- {name} -->\n");
    let (head, rest) = page.split_once(&mark).unwrap_or_else(|| panic!("there is no {mark}"));
    let end = rest.find("<!-- end -->").unwrap();
    format!("{head}{mark}\n{table}\n{}", &rest[end..])
}

#[test]
fn the_figures_of_the_findings_are_those_of_the_shipped_scenarios() {
    let shipped = Shipped::new();
    let sessions = shipped.sessions();
    let groups = shipped.groups();
    let (all, lengths) = groups.split_first().unwrap();
    let models = all.models();
    let advice = Advice::new(&all.comparisons[0]);
    let mut page = fs::read_to_string(FINDINGS).unwrap();
    page = with_table(&page, "verdict", &format!("> {}\n> {}\n", advice.sentence(), advice.certainty()));
    page = with_table(&page, "dearer", &(0..models.len()).map(|model| all.dearer(model)).collect::<String>());
    page = with_table(&page, "overview", &overview(all));
    page = with_table(&page, "tokens", &by_length(lengths, |strategy| percent(strategy.ratio)));
    for (index, model) in models.iter().enumerate() {
        let costs = by_length(lengths, |strategy| percent(strategy.costs[index].ratio));
        let title = format!("Cost with {}:\n\n", model.model);
        page = with_table(&page, &format!("cost {}", index + 1), &(title + &costs));
    }
    page = with_table(&page, "short", &by_length(lengths, short));
    page = with_table(&page, "sessions", &sessions);
    let mut golden = Golden::default();
    golden.holds(Path::new(FINDINGS), &page);
    let page = fs::read_to_string(CHOOSING).unwrap();
    let page = with_table(&page, "choices", &choices(&groups));
    golden.holds(Path::new(CHOOSING), &with_table(&page, "default", &default(all)));
    golden.assert_none_differs();
}
