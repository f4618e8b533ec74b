//! `ptc-eval run --tune`: searches strategies and options for the cheapest setting with few enough answers
//! lacking a fact, and writes it into the suite.

mod curve;
mod suite_text;

use std::path::{Path, PathBuf};

use clap::Args;

use super::apply;
use super::broken::BrokenStrategies;
use super::error::{CliError, CliResult};
use super::exit::Exit;
use super::priced::{kept_for, logged_prices, price_table, prices_named};
use super::recommendation::{recommendation_without_table, wrapped};
use super::run::{print_usage, usage_of};
use super::suite::{Permission, ScenarioChoice, ToleranceArguments, count, known, nothing_selected};
use super::terminal::{Color, GOOD, columns, write_painted};
use super::token_cache::CachedTokenizer;
use crate::compression::AnyStrategy;
use crate::evaluate::{BrokenRun, Plan, Pool, RunUse, Search, StrategySetting, Tried, Tuning};
use crate::measure::numbers::{grouped, shortened, signed_percent};
use crate::report::{Bounds, Gauges, Standing};
use crate::scenario::{Suite, files};
use crate::snapshot::atomic::write_atomically;
use ptc_prices::{Price, PriceTable};
use suite_text::SuiteText;

/// The name of the written variant.
const VARIANT: &str = "tuned";
/// Most settings in the table besides the baseline. More would push the recommendation off the screen.
const ROWS: usize = 12;
/// Terminal columns for the numbers in the table: four columns of eleven characters.
const NUMBERS: usize = 44;

#[derive(Args)]
pub(super) struct TuneArguments {
    #[command(flatten)]
    pub(super) choice: ScenarioChoice,
    /// The model whose prices decide; default: the first one of the suite
    #[arg(long, value_name = "NAME")]
    pub(super) model: Option<String>,
    /// Prices to add to the built-in table, or to replace some of it
    #[arg(long, value_name = "FILE")]
    pub(super) prices: Option<PathBuf>,
    #[command(flatten)]
    pub(super) tolerance: ToleranceArguments,
    /// Number that decides which third of the scenarios is held back
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) seed: u64,
    /// Write the setting as the variant `tuned`, with its thresholds, into the suite's file
    #[arg(long)]
    pub(super) write: bool,
    /// Also try strategies that rewrite tool calls as text; they are tried anyway where no log has tool calls
    #[arg(long)]
    pub(super) all: bool,
    /// Threads; default: one a core. The results are the same for any number
    #[arg(long, short, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub(super) jobs: u16,
}

pub(super) fn run(arguments: &TuneArguments, color: Color) -> CliResult {
    let table = price_table(arguments.prices.as_deref())?;
    let suite = arguments.choice.open_any(Some(&table))?;
    if arguments.write && suite.is_in_memory() {
        return Err(CliError::NotWithLogs { option: "--write" });
    }
    let selection = arguments.choice.selection(&suite);
    let models: Vec<String> = arguments.model.iter().chain(&suite.models).take(1).cloned().collect();
    let models = kept_for(prices_named(&table, &models)?, suite.ttl);
    let tokenizer = CachedTokenizer::of(None, &suite)?;
    let logged = logged_prices(&suite, arguments.model.as_slice(), suite.ttl);
    let pool = match Pool::new(arguments.jobs.into()) {
        Ok(pool) => pool,
        Err(error) => return Err(CliError::Threads { error }),
    };
    let search = Search {
        suite: &suite,
        selection: &selection,
        gauges: Gauges {
            tokenizer: &tokenizer,
            models: &models,
            logged: logged.as_ref(),
            warm_system: suite.warm_system,
        },
        pool: &pool,
        seed: arguments.seed,
        bounds: Bounds::new(arguments.tolerance.over(suite.tolerance), &suite.baseline),
        tries_all: arguments.all,
    };
    let mut tuning = search.run()?;
    if tuning.runs.is_empty() {
        return Ok(nothing_selected(&suite, &selection));
    }
    let mut broken = BrokenStrategies::default();
    let is_broken = !tuning.broken.is_empty();
    for BrokenRun { scenario, strategies } in std::mem::take(&mut tuning.broken) {
        for error in broken.add(&scenario, strategies) {
            err!("{error}");
        }
    }
    let judged = JudgedTuning { tuning: &tuning, models: &models };
    judged.print(&suite, color);
    if arguments.write {
        judged.write_variant(&suite, &arguments.choice.permission, &table)?;
    } else if tuning.recommended().is_some() && !suite.is_in_memory() {
        outln!("next:  with --write, the setting becomes the variant {VARIANT} of the suite");
    }
    Ok(if is_broken { Exit::Failed } else { Exit::Success })
}

/// Search results, with the prices used to judge them.
struct JudgedTuning<'t> {
    tuning: &'t Tuning,
    models: &'t [Price],
}

impl JudgedTuning<'_> {
    fn baseline(&self) -> Option<&Tried> {
        self.tuning.tried.first()
    }

    fn print(&self, suite: &Suite, color: Color) {
        let tried = count(self.tuning.tried.len(), "setting");
        let copies = match self.count_runs(RunUse::Copy) {
            0 => String::new(),
            1 => ", 1 duplicate left out".to_owned(),
            several => format!(", {several} duplicates left out"),
        };
        let chosen_by = count(self.count_runs(RunUse::Chooses), "run");
        let held_back = self.count_runs(RunUse::HeldBack);
        outln!("{tried} tried on {chosen_by}, {held_back} kept to check the choice{copies}\n");
        write_painted(&(self.describe_verdict(color) + "\n"));
        self.print_table();
        if let Some(command) = self.command_to_apply(suite) {
            print_usage(&usage_of(&command));
        }
        if let Some(baseline) = self.baseline() {
            curve::print(&self.tuning.curves, baseline.on_all_runs());
        }
    }

    /// The verdict, judged like that of `run` and `advise`, and the command to use the setting.
    fn describe_verdict(&self, color: Color) -> String {
        if let Some(too_little) = self.tuning.too_little {
            return color.paint(GOOD, &format!("{}\n{}", too_little.sentence(), too_little.remedy())) + "\n";
        }
        let Some(verdict) = &self.tuning.verdict else { return String::new() };
        let runs = count(self.count_runs(verdict.runs), "run");
        if let (Some(chosen), Some(_)) = (self.tuning.chosen(), verdict.comparison.too_little) {
            let name = match self.baseline() {
                Some(baseline) => &baseline.setting.strategy,
                None => "the baseline",
            };
            let setting = chosen.setting.label();
            let keep = format!("Keep {name}: {setting} could be checked on {runs} only. Add runs.");
            return color.paint(GOOD, &wrapped(&keep, columns())) + "\n";
        }
        let which = match verdict.runs {
            RunUse::HeldBack => format!("On {runs} kept to check the choice:"),
            _ => format!("On {runs}:"),
        };
        format!("{which}\n{}", recommendation_without_table(&verdict.comparison, color))
    }

    /// The command to use the recommended setting. `None` without one, or if nothing can be copied.
    fn command_to_apply(&self, suite: &Suite) -> Option<String> {
        let setting = &self.tuning.recommended()?.setting;
        let plan = Plan::new(suite, &[(setting.strategy.clone(), setting.options.clone())]).ok()?;
        let variants = plan.settled().ok()?;
        apply::command_line(variants.first()?, None)
    }

    fn count_runs(&self, wanted: RunUse) -> usize {
        self.tuning.runs.iter().filter(|run_use| **run_use == wanted).count()
    }

    /// Prints the baseline and the unbeaten settings, cheapest first.
    fn print_table(&self) {
        let Some(baseline) = self.baseline() else { return };
        let model = match self.models.first() {
            Some(price) => price.model.as_str(),
            None => "input tokens",
        };
        let mut rows = self.shown_settings(baseline);
        rows.insert(0, baseline);
        let mut names = 0;
        for tried in &rows {
            names = names.max(tried.setting.label().chars().count());
        }
        let width = names.min(columns().max(80).saturating_sub(NUMBERS + 2)).max(12);
        outln!("  {:width$}{:>22}{:>22}", "", "cost vs baseline", "missing a fact");
        outln!(
            "  {:<width$}{:>11}{:>11}{:>11}{:>11}",
            shortened(model, width),
            "chosen on",
            "checked on",
            "chosen on",
            "checked on"
        );
        let used = self.tuning.recommended().unwrap_or(baseline);
        for tried in rows {
            let is_used = self.tuning.verdict.is_some() && used.setting == tried.setting;
            print_row(if is_used { '>' } else { ' ' }, tried, baseline, width);
        }
        for tried in &self.tuning.tried {
            if !tried.is_whole() {
                let missing =
                    if tried.on_all_runs().cost == 0 { "no requests" } else { "no requests in some runs" };
                outln!("  {:<width$}  {missing}", tried.setting.label());
            }
        }
        outln!("not shown: settings that another beats in cost and in answers missing a fact");
    }

    /// The settings in the table, cheapest first: the recommended one, the chosen one, and unbeaten ones.
    fn shown_settings(&self, baseline: &Tried) -> Vec<&Tried> {
        let mut shown: Vec<&Tried> = Vec::new();
        shown.extend(self.tuning.recommended());
        shown.extend(self.tuning.chosen());
        shown.dedup_by_key(|tried| tried.setting.label());
        for tried in self.tuning.unbeaten().into_iter().rev() {
            let is_listed = shown.iter().any(|known| known.setting == tried.setting);
            if shown.len() < ROWS && !is_listed && tried.setting != baseline.setting {
                shown.push(tried);
            }
        }
        shown.sort_by_key(|tried| tried.chosen_by.cost);
        shown
    }

    /// Writes the recommended setting into the suite's file, and reads it back as a check.
    fn write_variant(
        &self,
        suite: &Suite,
        permission: &Permission,
        table: &PriceTable,
    ) -> Result<(), CliError> {
        let Some(tried) = self.tuning.recommended() else {
            outln!("nothing is written, since nothing is recommended");
            return Ok(());
        };
        let path = suite.root.join("suite.yaml");
        let before = match files::read_if_there(&path) {
            Ok(Some(bytes)) => String::from_utf8_lossy(&bytes).into_owned(),
            Ok(None) => String::new(),
            Err(error) => return Err(CliError::Read { path, error }),
        };
        let setting = tried.setting.label();
        let Some(variant) = variant_line(&tried.setting, suite) else {
            return Err(CliError::SuiteNotChanged {
                path,
                setting,
                reason: "its strategy is a program".to_owned(),
            });
        };
        // `run` only judges costs of the suite's models.
        let of_suite = prices_named(table, &suite.models)?;
        let model = self.models.first();
        let known = model.filter(|model| of_suite.iter().any(|of_suite| of_suite.model == model.model));
        let after = self.edit_suite(&before, &variant, (tried, known), suite);
        write_suite(&path, &after)?;
        if let Err(reason) = has_variant(&suite.root, permission, table) {
            write_suite(&path, &before)?;
            return Err(CliError::SuiteNotChanged { path, setting, reason });
        }
        outln!("written: the variant {VARIANT} and its thresholds in {}", path.display());
        if let (Some(model), None) = (model, known) {
            outln!("no cost threshold was written, because {} is not among the suite's models", model.model);
        }
        Ok(())
    }

    /// The suite's file with the variant and its thresholds. The cost threshold needs a model of the suite.
    fn edit_suite(
        &self,
        before: &str,
        variant: &str,
        (tried, model): (&Tried, Option<&Price>),
        suite: &Suite,
    ) -> String {
        let short = tried.chosen_by.short + tried.held_back.short;
        let mut thresholds = vec![format!("- {{strategy: {VARIANT}, metric: answers_short, max: {short}}}")];
        if let (Some(model), Some(baseline)) = (model, self.baseline()) {
            // Round up: reports round to four decimals.
            let ratio = (cost_of_all(tried) / cost_of_all(baseline).max(1.0) * 10_000.0).ceil() / 10_000.0;
            let metric = format!("\"cost_ratio:{}\"", model.model);
            thresholds.push(format!("- {{strategy: {VARIANT}, metric: {metric}, max: {ratio}}}"));
        }
        // Remove the variant and thresholds of an earlier search.
        let mut text = SuiteText::new(before)
            .without(&format!("{VARIANT}: {{"))
            .without(&format!("- {{strategy: {VARIANT},"));
        if !is_listed(suite) {
            text = text.with_name("strategies", VARIANT, &suite.strategies);
        }
        text.with_entries("variants", &[variant.to_owned()]).with_entries("thresholds", &thresholds).text()
    }
}

fn write_suite(path: &Path, text: &str) -> Result<(), CliError> {
    match write_atomically(path, |out| out.write_all(text.as_bytes())) {
        Ok(()) => Ok(()),
        Err(error) => Err(CliError::Write { path: path.to_owned(), error }),
    }
}

/// The cost of a setting on both parts of the runs.
fn cost_of_all(tried: &Tried) -> f64 {
    (tried.chosen_by.cost + tried.held_back.cost) as f64
}

/// Prints the cost and the answers lacking a fact under a setting, on both parts of the runs.
fn print_row(pointer: char, tried: &Tried, baseline: &Tried, width: usize) {
    let is_baseline = tried.setting == baseline.setting;
    let mut cells = String::new();
    for (own, base) in [(tried.chosen_by, baseline.chosen_by), (tried.held_back, baseline.held_back)] {
        let cost = if is_baseline { "–".to_owned() } else { describe_change(own, base) };
        cells += &format!("{cost:>11}");
    }
    for own in [tried.chosen_by, tried.held_back] {
        let short = match own.needing {
            0 => "–".to_owned(),
            needing if is_baseline => format!("{} of {}", grouped(own.short), grouped(needing)),
            _ => grouped(own.short),
        };
        cells += &format!("{short:>11}");
    }
    let mut name = tried.setting.label();
    // Two settings with shortened names may look the same.
    if name.chars().count() > width {
        outln!("{pointer} {name}");
        name.clear();
    }
    let pointer = if name.is_empty() { ' ' } else { pointer };
    outln!("{pointer} {name:<width$}{cells}");
}

/// The YAML line of a variant with this setting. `None` if the strategy is a user's program.
fn variant_line(setting: &StrategySetting, suite: &Suite) -> Option<String> {
    let known = suite.known.strategy(&setting.strategy)?;
    let AnyStrategy::BuiltIn(base) = &known.base else { return None };
    let mut options = serde_json::Map::from_iter([("strategy".to_owned(), base.name().into())]);
    for variant in &suite.variants {
        if variant.strategy.name == setting.strategy {
            options.extend(variant.options.clone());
        }
    }
    options.extend(setting.options.clone());
    Some(format!("{VARIANT}: {}", serde_json::Value::Object(options)))
}

/// Checks the suite for the new variant. The error is the reason if it is missing.
fn has_variant(root: &Path, permission: &Permission, table: &PriceTable) -> Result<(), String> {
    let suite = match Suite::open(root, known(permission, Some(table))) {
        Ok(suite) => suite,
        Err(error) => return Err(error.to_string()),
    };
    let is_defined = suite.variants.iter().any(|variant| variant.strategy.name == VARIANT);
    match is_defined && is_listed(&suite) {
        true => Ok(()),
        false => Err("the edited file would not contain the variant".to_owned()),
    }
}

/// Returns true if the suite already runs the written variant.
fn is_listed(suite: &Suite) -> bool {
    suite.strategies.iter().any(|name| name == VARIANT)
}

/// `-2.7%`
fn describe_change(standing: Standing, baseline: Standing) -> String {
    if baseline.cost == 0 {
        "–".to_owned()
    } else {
        signed_percent(standing.cost as f64 / baseline.cost as f64 - 1.0)
    }
}
