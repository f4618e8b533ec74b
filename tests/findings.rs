//! The tables of `docs/findings.md` and `docs/choosing.md`, which are made of the shipped scenarios. `PTC_EVAL_BLESS=1` rewrites them.

use std::fs;
use std::path::Path;

use ptc_eval::evaluate::{Pipeline, Plan};
use ptc_eval::measure::MeasuredRun;
use ptc_eval::measure::numbers::{grouped, percent};
use ptc_eval::report::{Gauges, Header, Rule, ScenarioRecord, Standing};
use ptc_eval::scenario::{Known, Selection, Suite};
use ptc_tokens::{DEFAULT_TOKENIZER, Price, PriceTable, Tokenizer};

use crate::golden::Golden;

const FINDINGS: &str = "docs/findings.md";
const CHOOSING: &str = "docs/choosing.md";
/// Fewer runs of a length lead to no conclusion.
const LEAST_RUNS: usize = 5;
/// The fewest turns of each length.
const LENGTHS: [usize; 5] = [1, 5, 10, 20, 40];

/// The shipped scenarios under all strategies.
struct Shipped {
    header: Header,
    records: Vec<ScenarioRecord>,
}

/// Sums over the runs of a strategy.
#[derive(Default)]
struct Sums {
    input: u64,
    costs: Vec<u128>,
    needing: u64,
    short: u64,
    short_runs: usize,
}

impl Shipped {
    fn new() -> Shipped {
        let suite = Suite::open(Path::new("scenarios"), Known::default()).unwrap();
        let plan = Plan::of(&suite).unwrap();
        let table = PriceTable::built_in().unwrap();
        let models: Vec<Price> = suite.models.iter().map(|name| table.find(name).unwrap().clone()).collect();
        let tokenizer = Tokenizer::named(suite.tokenizer.as_deref().unwrap_or(DEFAULT_TOKENIZER)).unwrap();
        let pipeline = Pipeline::new(
            &plan,
            Gauges { tokenizer: &tokenizer, models: &models, warm_system: suite.warm_system },
        );
        let selection = Selection::default();
        let scenarios = suite.scenarios(&selection).unwrap();
        let record = |(position, scenario)| pipeline.evaluate(scenario, position).unwrap().record;
        let records = (0..).zip(scenarios.map(Result::unwrap)).map(record).collect();
        Shipped { header: pipeline.header(&suite), records }
    }

    /// The sums of a strategy over the runs of these lengths.
    fn sums(&self, strategy: usize, turns: &std::ops::Range<usize>) -> Sums {
        let mut sums = Sums { costs: vec![0; self.header.models.len()], ..Sums::default() };
        for record in self.runs(turns) {
            let run: &MeasuredRun = &record.strategies[strategy];
            for request in &run.requests {
                sums.input += u64::from(request.input_tokens);
                sums.needing += u64::from(request.evidence.needed() > 0);
                sums.short += u64::from(request.evidence.is_short());
                let costs = sums.costs.iter_mut().zip(&request.bills);
                costs.for_each(|(sum, bill)| *sum += bill.cost.exact());
            }
            sums.short_runs += usize::from(run.requests.iter().any(|request| request.evidence.is_short()));
        }
        sums
    }

    fn runs(&self, turns: &std::ops::Range<usize>) -> impl Iterator<Item = &ScenarioRecord> {
        self.records.iter().filter(|record| turns.contains(&record.output_tokens.len()))
    }

    /// The lengths with enough runs, and their headings.
    fn lengths(&self) -> Vec<(std::ops::Range<usize>, String)> {
        let ends = LENGTHS.iter().skip(1).copied().chain([usize::MAX]);
        let lengths = LENGTHS.iter().zip(ends).map(|(&from, to)| {
            let runs = self.runs(&(from..to)).count();
            let turns =
                if to == usize::MAX { format!("{from} or more") } else { format!("{from} to {}", to - 1) };
            (from..to, runs, format!("{turns} turns, n = {runs}"))
        });
        lengths
            .filter(|(_, runs, _)| *runs >= LEAST_RUNS)
            .map(|(turns, _, heading)| (turns, heading))
            .collect()
    }

    /// A table with a row for each strategy but the baseline.
    fn table(&self, headings: &[String], cells: impl Fn(usize, usize) -> Vec<String>) -> String {
        let baseline = self.baseline();
        let mut table =
            format!("| strategy | {} |\n|---|{}\n", headings.join(" | "), "---:|".repeat(headings.len()));
        for (index, name) in self.header.strategies.iter().enumerate().filter(|(index, _)| *index != baseline)
        {
            table += &format!("| {name} | {} |\n", cells(index, baseline).join(" | "));
        }
        table
    }

    fn overview(&self) -> String {
        let all = 0..usize::MAX;
        let (runs, baseline) = (self.records.len(), self.sums(0, &all));
        let models = self.header.models.iter().map(|model| format!("cost, {}", model.model));
        let tokens = std::iter::once("tokens".to_owned());
        let short =
            [format!("answers short of {}", grouped(baseline.needing)), format!("runs short of {runs}")];
        let headings: Vec<String> = tokens.chain(models).chain(short).collect();
        self.table(&headings, |strategy, baseline| {
            let [own, baseline] = [strategy, baseline].map(|index| self.sums(index, &all));
            let tokens = ratio(own.input.into(), baseline.input.into());
            let costs = own.costs.iter().zip(&baseline.costs).map(|(own, baseline)| ratio(*own, *baseline));
            let short = [own.short.to_string(), own.short_runs.to_string()];
            std::iter::once(tokens).chain(costs).chain(short).collect()
        })
    }

    /// A table with a column for each length.
    fn by_length(&self, cell: impl Fn(&Sums, &Sums) -> String) -> String {
        let lengths = self.lengths();
        let headings: Vec<String> = lengths.iter().map(|(_, heading)| heading.clone()).collect();
        self.table(&headings, |strategy, baseline| {
            let cell = |(turns, _): &(std::ops::Range<usize>, String)| {
                cell(&self.sums(strategy, turns), &self.sums(baseline, turns))
            };
            lengths.iter().map(cell).collect()
        })
    }

    /// The recommended strategy for each length and model, with its cost and short answers.
    fn choices(&self) -> String {
        let models = self.header.models.iter().map(|model| format!("with {} | cost | short", model.model));
        let headings: Vec<String> = models.collect();
        let mut table = format!("| turns | {} |\n|---|", headings.join(" | "));
        table += &"---|---:|---:|".repeat(self.header.models.len());
        for (turns, heading) in self.lengths() {
            table += &format!("\n| {} ", heading.replace(" turns", ""));
            let sums: Vec<Sums> =
                (0..self.header.strategies.len()).map(|index| self.sums(index, &turns)).collect();
            let rule = Rule {
                tolerance: self.header.tolerance,
                baseline: self.baseline(),
                is_complete: &vec![true; sums.len()],
            };
            for model in 0..self.header.models.len() {
                let standing = |Sums { costs, needing, short, .. }: &Sums| Standing {
                    cost: costs[model],
                    needing: *needing,
                    short: *short,
                };
                let index = rule.choose(&sums.iter().map(standing).collect::<Vec<_>>()).unwrap();
                let (name, own) = (&self.header.strategies[index], &sums[index]);
                let cost = ratio(own.costs[model], sums[rule.baseline].costs[model]);
                table += &format!("| {name} | {cost} | {} of {} ", own.short, own.needing);
            }
            table += "|";
        }
        table + "\n"
    }

    /// The index of the baseline.
    fn baseline(&self) -> usize {
        self.header.strategies.iter().position(|name| *name == self.header.baseline).unwrap()
    }
}

fn ratio(own: u128, baseline: u128) -> String {
    percent((baseline > 0).then(|| own as f64 / baseline as f64))
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
    let mut page = fs::read_to_string(FINDINGS).unwrap();
    page = with_table(&page, "overview", &shipped.overview());
    page =
        with_table(&page, "tokens", &shipped.by_length(|own, all| ratio(own.input.into(), all.input.into())));
    for (index, model) in shipped.header.models.iter().enumerate() {
        let costs = shipped.by_length(|own, all| ratio(own.costs[index], all.costs[index]));
        let title = format!("Cost with {}:\n\n", model.model);
        page = with_table(&page, &format!("cost {}", index + 1), &(title + &costs));
    }
    let short = shipped.by_length(|own, _| match own.needing {
        0 => "–".to_owned(),
        needing => format!("{} of {needing}", own.short),
    });
    page = with_table(&page, "short", &short);
    let mut golden = Golden::default();
    golden.holds(Path::new(FINDINGS), &page);
    let page = fs::read_to_string(CHOOSING).unwrap();
    golden.holds(Path::new(CHOOSING), &with_table(&page, "choices", &shipped.choices()));
    golden.assert_none_differs();
}
