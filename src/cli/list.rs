//! `ptc-eval list`: what there is, from the registries.

use clap::{Args, ValueEnum};

use super::exit::Exit;
use super::suite::{Choice, nothing_selected, report};
use crate::compression::{AnyStrategy, STRATEGIES, Strategy};
use crate::scenario::{KnownStrategy, Scenario, ScenarioError, Suite};
use ptc_lisp::builtins::{Builtin, CONSTANTS, FAMILIES};
use ptc_lisp::resolve::SPECIAL_FORMS;
use ptc_tokens::PriceTable;

#[derive(Args)]
pub(super) struct Arguments {
    what: What,
    #[command(flatten)]
    choice: Choice,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
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
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    let listed = match arguments.what {
        What::Strategies => Ok(list_strategies(&arguments.choice)),
        What::Builtins => Ok(list_builtins(&arguments.choice)),
        What::Scenarios => list_scenarios(&arguments.choice, |scenario| {
            outln!("{:<39} {}", scenario.name, scenario.description.as_deref().unwrap_or_default());
        }),
        What::Tools => list_scenarios(&arguments.choice, list_tools),
        What::Models => Ok(list_models()),
    };
    listed.unwrap_or_else(|error| {
        report(&error);
        Exit::Unreadable
    })
}

/// Dollars per million tokens.
fn list_models() -> Exit {
    match PriceTable::built_in() {
        Ok(table) => {
            outln!("{:<24}{:>10}{:>10}{:>10}{:>10}  date", "model", "input", "read", "write", "output");
            for price in table.rows() {
                let write = price.write.map_or("-".to_string(), |write| write.to_string());
                outln!(
                    "{:<24}{:>10}{:>10}{:>10}{:>10}  {}",
                    price.model,
                    price.input,
                    price.read,
                    write,
                    price.output,
                    price.date
                );
            }
            Exit::Success
        }
        Err(error) => {
            errln!("error: {error}");
            Exit::Unreadable
        }
    }
}

fn list_strategies(choice: &Choice) -> Exit {
    for strategy in STRATEGIES {
        outln!("{:<24}{}", strategy.name(), strategy.doc());
        list_options(*strategy);
    }
    let Ok(suite) = choice.open() else { return Exit::Success };
    list_variants(&suite);
    Exit::Success
}

fn list_options(strategy: &dyn Strategy) {
    for row in strategy.options() {
        outln!("    {:<24}{} (default {})", row.name, row.doc, row.default);
    }
}

fn list_variants(suite: &Suite) {
    for variant in &suite.variants {
        let KnownStrategy { name, base } = &variant.strategy;
        let kind = if let AnyStrategy::Own(_) = base { "program" } else { "variant of" };
        outln!("{name:<23} {kind} {}", base.name());
    }
}

/// Title and lines of what is called as the filter says.
fn list_builtins(choice: &Choice) -> Exit {
    let is_wanted = |name: &str| choice.filter.as_ref().is_none_or(|filter| filter.is_match(name));
    let row = |name: &str, arity: String, doc: &str| {
        is_wanted(name).then(|| format!("  {name:<24}{arity:<8}{doc}"))
    };
    let forms = SPECIAL_FORMS.iter().filter_map(|form| row(form.name, form.arity.to_string(), form.doc));
    let family = |rows: &[&Builtin]| {
        rows.iter().filter_map(|builtin| row(builtin.name, builtin.arity.to_string(), builtin.doc)).collect()
    };
    let constants = CONSTANTS.iter().flat_map(|constants| constants.iter());
    let constants = constants.filter(|constant| is_wanted(constant.name));
    let constants = constants.map(|constant| format!("  {:<32}{}", constant.name, constant.doc));
    let mut sections: Vec<(&str, Vec<String>)> = vec![("Special forms", forms.collect())];
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

fn list_scenarios(choice: &Choice, list: impl Fn(&Scenario)) -> Result<Exit, ScenarioError> {
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
                report(&error);
                exit = Some(Exit::Unreadable);
            }
        }
    }
    Ok(exit.unwrap_or_else(|| nothing_selected(&suite, &selection)))
}
