//! `ptc-eval list`: what there is, from the registries.

use clap::{Args, ValueEnum};

use super::exit::Exit;
use super::suite::{Choice, report};
use crate::compression::{Strategy, STRATEGIES};
use crate::lisp::builtins::{CONSTANTS, FAMILIES};
use crate::lisp::resolve::SPECIAL_FORMS;
use crate::scenario::suite::Base;
use crate::scenario::{Scenario, Suite};

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
    /// Special forms and builtins of PTC-Lisp
    Builtins,
    /// Names and descriptions of the scenarios
    Scenarios,
    /// The price table
    Models,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    match arguments.what {
        What::Strategies => list_strategies(&arguments.choice),
        What::Builtins => list_builtins(),
        What::Scenarios => list_scenarios(&arguments.choice, |scenario| {
            println!("{:<40}{}", scenario.name, scenario.description.as_deref().unwrap_or_default());
        }),
        What::Tools => list_scenarios(&arguments.choice, list_tools),
        What::Models => {
            print!("{}", crate::tokens::price_table());
            Exit::Success
        }
    }
}

fn list_strategies(choice: &Choice) -> Exit {
    for strategy in STRATEGIES {
        println!("{:<24}{}", strategy.name(), strategy.doc());
        list_options(*strategy);
    }
    let Ok(suite) = choice.open() else { return Exit::Success };
    list_variants(&suite);
    Exit::Success
}

fn list_options(strategy: &dyn Strategy) {
    for row in strategy.options() {
        println!("    {:<24}{} (default {})", row.name, row.doc, row.default);
    }
}

fn list_variants(suite: &Suite) {
    for variant in &suite.variants {
        let base = match &variant.base {
            Base::Strategy(name) => name.clone(),
            Base::Program { path, .. } => path.clone(),
        };
        println!("{:<24}variant of {base}", variant.name);
    }
}

fn list_builtins() -> Exit {
    println!("Special forms");
    for form in SPECIAL_FORMS {
        println!("  {:<24}{:<8}{}", form.name, form.arity.to_string(), form.doc);
    }
    for family in FAMILIES {
        println!("\n{}", family.title);
        for builtin in family.rows {
            println!("  {:<24}{:<8}{}", builtin.name, builtin.arity.to_string(), builtin.doc);
        }
    }
    println!("\nConstants");
    for constant in CONSTANTS.iter().flat_map(|constants| constants.iter()) {
        println!("  {:<32}{}", constant.name, constant.doc);
    }
    Exit::Success
}

fn list_tools(scenario: &Scenario) {
    for tool in &scenario.agent.tools {
        let mut line = String::new();
        crate::compression::sections::stable::tools(&mut line, std::slice::from_ref(tool));
        let line = line.lines().last().unwrap_or_default();
        println!("{:<40}{line}", scenario.name);
    }
}

fn list_scenarios(choice: &Choice, list: impl Fn(&Scenario)) -> Exit {
    let suite = match choice.open() {
        Ok(suite) => suite,
        Err(error) => {
            report(&error);
            return Exit::Unreadable;
        }
    };
    let selection = choice.selection(&suite);
    let mut exit = Exit::NothingSelected;
    match suite.scenarios(&selection) {
        Ok(scenarios) => {
            for scenario in scenarios {
                match scenario {
                    Ok(scenario) => {
                        list(&scenario);
                        exit = exit.max(Exit::Success);
                    }
                    Err(error) => {
                        report(&error);
                        exit = Exit::Unreadable;
                    }
                }
            }
            exit
        }
        Err(error) => {
            report(&error);
            Exit::Unreadable
        }
    }
}
