//! `ptc-eval list`: strategies, tools, builtins, scenarios, models or formats, from the registries.

use clap::{Args, ValueEnum};

use super::error::{CliError, CliResult};
use super::exit::Exit;
use super::suite::{ScenarioChoice, nothing_selected};
use super::today::Today;
use crate::compression::{AnyStrategy, STRATEGIES};
use crate::measure::numbers::grouped;
use crate::scenario::{KnownStrategy, Scenario};
use crate::transcript::FORMATS;
use ptc_lisp::builtin::{Arity, Builtin};
use ptc_lisp::builtins::{FAMILIES, constants};
use ptc_lisp::manual;
use ptc_lisp::resolve::SPECIAL_FORMS;
use ptc_tokens::{PriceTable, Rates};

#[derive(Args)]
pub(super) struct ListArguments {
    what: Registry,
    #[command(flatten)]
    choice: ScenarioChoice,
    #[command(flatten)]
    today: Today,
}

#[derive(Clone, Copy, ValueEnum)]
enum Registry {
    /// Compression strategies, their options, and the suite's variants
    Strategies,
    /// The tools of the scenarios
    Tools,
    /// Special forms and builtins of PTC-Lisp; --filter looks at their names
    Builtins,
    /// Names and descriptions of the scenarios
    Scenarios,
    /// The price table
    Models,
    /// Formats of logs that import and advise read
    Formats,
}

pub(super) fn run(ListArguments { what, choice, today }: &ListArguments) -> CliResult {
    match what {
        Registry::Strategies => list_strategies(choice),
        Registry::Builtins => Ok(list_builtins(choice)),
        Registry::Scenarios => list_scenarios(choice, |scenario| {
            outln!("{:<39} {}", scenario.name, scenario.description.as_deref().unwrap_or_default());
        }),
        Registry::Tools => list_scenarios(choice, list_tools),
        Registry::Models => list_models(*today),
        Registry::Formats => {
            FORMATS.iter().for_each(|format| outln!("{:<24}{}", format.name, format.doc));
            Ok(Exit::Success)
        }
    }
}

/// Dollars per million tokens, and what is not sure of them.
fn list_models(today: Today) -> CliResult {
    let table = PriceTable::built_in().map_err(CliError::Prices)?;
    let row = |cells: [&str; 5], rest: String| {
        let [model, input, read, write, output] = cells;
        let line = format!("{model:<20}{input:>8}{read:>8}{write:>8}{output:>8}  {rest}");
        outln!("{}", line.trim_end());
    };
    let prices = |model: &str, rates: Rates, has_write: bool, rest: String| {
        let write = if has_write { rates.write.to_string() } else { "-".to_owned() };
        let [input, read, output] = [rates.input, rates.read, rates.output].map(|price| price.to_string());
        row([model, &input, &read, &write, &output], rest);
    };
    row(["model", "input", "read", "write", "output"], format!("{:<12}{:<10}", "date", "age"));
    let today = today.number();
    for price in table.rows() {
        let age = format!("{} days", price.age(today));
        let confidence = price.confidence.as_deref().unwrap_or_default();
        let rest = format!("{:<12}{age:<10}{confidence}", price.date);
        prices(&price.model, price.rates(0), price.write.is_some(), rest);
        if let Some(tier) = price.above {
            let name = format!("  above {}", grouped(tier.tokens.into()));
            let rates = price.rates(tier.tokens.saturating_add(1));
            prices(&name, rates, price.write.is_some(), String::new());
        }
    }
    Ok(Exit::Success)
}

fn list_strategies(choice: &ScenarioChoice) -> CliResult {
    for strategy in STRATEGIES {
        outln!("{:<24}{}", strategy.name, strategy.doc);
        for row in strategy.options {
            outln!("    {:<24}{} (default {})", row.name, row.doc, row.kind.default_text());
        }
    }
    for variant in choice.open().iter().flat_map(|suite| &suite.variants) {
        let KnownStrategy { name, base } = &variant.strategy;
        let kind = if let AnyStrategy::Own(_) = base { "program" } else { "variant of" };
        outln!("{name:<23} {kind} {}", base.name());
    }
    Ok(Exit::Success)
}

/// Lists the builtins whose names match the filter.
fn list_builtins(choice: &ScenarioChoice) -> Exit {
    let is_wanted = |name: &str| choice.filter.as_ref().is_none_or(|filter| filter.is_match(name));
    let row = |name: &str, arity: Arity| {
        is_wanted(name).then(|| format!("  {name:<24}{:<8}{}", arity.to_string(), manual::entry(name).doc))
    };
    let forms = SPECIAL_FORMS.iter().filter_map(|form| row(form.name, form.arity));
    let constants = constants().filter(|name| is_wanted(name));
    let constants = constants.map(|name| format!("  {name:<32}{}", manual::entry(name).doc));
    let mut sections: Vec<(&str, Vec<String>)> = vec![("Special forms", forms.collect())];
    let family =
        |rows: &[&Builtin]| rows.iter().filter_map(|row_of| row(row_of.name, row_of.arity)).collect();
    sections.extend(FAMILIES.iter().map(|of| (of.title, family(of.rows))));
    sections.push(("Constants", constants.collect()));
    sections.retain(|(_, rows)| !rows.is_empty());
    if sections.is_empty() {
        errln!("no builtin matches the filter");
        return Exit::NothingSelected;
    }
    let sections: Vec<String> =
        sections.into_iter().map(|(title, rows)| format!("{title}\n{}", rows.join("\n"))).collect();
    outln!("{}", sections.join("\n\n"));
    Exit::Success
}

fn list_tools(scenario: &Scenario) {
    for tool in &scenario.agent.tools {
        let mut line = String::new();
        crate::compression::sections::stable::tools(&mut line, std::slice::from_ref(tool));
        let line = line.lines().last().unwrap_or_default();
        outln!("{:<39} {line}", scenario.name);
    }
}

fn list_scenarios(choice: &ScenarioChoice, list: impl Fn(&Scenario)) -> CliResult {
    let suite = choice.open()?;
    let selection = choice.selection(&suite);
    let mut exit = None;
    for scenario in suite.scenarios(&selection)? {
        match scenario {
            Ok(scenario) => {
                list(&scenario);
                exit.get_or_insert(Exit::Success);
            }
            Err(error) => {
                err!("{error}");
                exit = Some(Exit::Unreadable);
            }
        }
    }
    Ok(exit.unwrap_or_else(|| nothing_selected(&suite, &selection)))
}
