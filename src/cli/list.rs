//! `ptc-eval list`: strategies, tools, builtins, scenarios, models, formats or presets, from the registries.

use clap::{Args, ValueEnum};

use super::error::CliResult;
use super::exit::Exit;
use super::run::describe_variant;
use super::suite::{ScenarioChoice, count, nothing_selected, spelled};
use super::today::Today;
use crate::compression::{STRATEGIES, presets};
use crate::measure::numbers::grouped;
use crate::scenario::{Content, KnownStrategy, Scenario};
use agent_logs::FORMATS;
use ptc_lisp::builtin::Arity;
use ptc_lisp::builtins::{FAMILIES, constants};
use ptc_lisp::manual;
use ptc_lisp::resolve::SPECIAL_FORMS;
use ptc_prices::{Price, PriceTable, date_of_day};

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
    /// The price table; --filter looks at the names
    Models,
    /// Formats of logs that import and advise read
    Formats,
    /// Products and what they do with their history, as options of strategies; --filter looks at the names
    Presets,
}

pub(super) fn run(ListArguments { what, choice, today }: &ListArguments) -> CliResult {
    match what {
        Registry::Strategies => list_strategies(choice),
        Registry::Builtins => Ok(list_builtins(choice)),
        Registry::Scenarios => list_scenarios(choice, |scenario| {
            outln!("{:<39} {}", scenario.name, describe_scenario(scenario));
        }),
        Registry::Tools => list_scenarios(choice, list_tools),
        Registry::Models => list_models(choice, *today),
        Registry::Presets => Ok(list_presets(choice)),
        Registry::Formats => {
            for format in FORMATS.iter() {
                outln!("{:<24}{}", format.name, format.doc);
            }
            Ok(Exit::Success)
        }
    }
}

/// Lists prices in dollars per million tokens, with their age and confidence.
fn list_models(choice: &ScenarioChoice, today: Today) -> CliResult {
    let table = PriceTable::built_in()?;
    let (day, now) = (date_of_day(table.day()), today.number());
    let mut rows: Vec<&Price> = table.rows_on(&day).collect();
    rows.retain(|price| is_wanted(choice, &price.model));
    if rows.is_empty() {
        errln!("no model matches the filter");
        return Ok(Exit::NothingSelected);
    }
    let of_row = format!("{:>12}  {:<12}{:<10}", "window", "date", "age");
    print_prices(["model", "input", "read", "write", "output"], of_row);
    for price in rows {
        let age = match price.age_on(now) {
            Some(age) => format!("{age} days"),
            None => "-".to_owned(),
        };
        let confidence = price.confidence.as_deref().unwrap_or("");
        let window = match price.window {
            Some(window) => grouped(window.into()),
            None => "-".to_owned(),
        };
        let of_row = format!("{window:>12}  {:<12}{age:<10}{confidence}", price.date);
        print_rates(price, &price.model, of_row);
        for later in table.announced_rows(&price.model, &day) {
            let name = match &later.from {
                Some(day) => format!("  from {day}"),
                None => String::new(),
            };
            print_rates(later, &name, String::new());
        }
    }
    Ok(Exit::Success)
}

fn is_wanted(choice: &ScenarioChoice, name: &str) -> bool {
    match &choice.filter {
        Some(filter) => filter.is_match(name),
        None => true,
    }
}

/// Prints the prices of a row, then those of large requests.
fn print_rates(price: &Price, name: &str, rest: String) {
    let mut rows = vec![(name.to_owned(), price.rates(0), rest)];
    if let Some(tier) = price.above {
        let name = format!("  above {}", grouped(tier.tokens.into()));
        rows.push((name, price.rates(tier.tokens.saturating_add(1)), String::new()));
    }
    for (name, rates, rest) in rows {
        let write = if price.write.is_some() { rates.write.to_string() } else { "-".to_owned() };
        let [input, read, output] = [rates.input, rates.read, rates.output].map(|price| price.to_string());
        print_prices([&name, &input, &read, &write, &output], rest);
    }
}

fn print_prices([model, input, read, write, output]: [&str; 5], rest: String) {
    let line = format!("{model:<25}{input:>8}{read:>8}{write:>8}{output:>8}{rest}");
    outln!("{}", line.trim_end());
}

/// Lists the options of each preset, its product, and its rules without an option.
fn list_presets(choice: &ScenarioChoice) -> Exit {
    let mut wanted = presets();
    wanted.retain(|preset| is_wanted(choice, &preset.name));
    if wanted.is_empty() {
        errln!("no preset matches the filter");
        return Exit::NothingSelected;
    }
    for preset in wanted {
        let setting = spelled(preset.strategy.name, &KnownStrategy::from(preset).options);
        outln!("{:<27}{setting}", preset.name);
        outln!("{:<27}{} ({})", "", preset.product, preset.source);
        outln!("{:<27}{}", "", preset.lacks);
    }
    Exit::Success
}

fn list_strategies(choice: &ScenarioChoice) -> CliResult {
    for strategy in STRATEGIES {
        outln!("{:<24}{}", strategy.name, strategy.doc);
        for row in strategy.options {
            outln!("    {:<24}{} (default {})", row.name, row.doc, row.kind.default_text());
        }
    }
    // Outside of a suite there are no variants.
    if let Ok(suite) = choice.open() {
        for variant in &suite.variants {
            outln!("{:<23} {}", variant.strategy.name, describe_variant(variant));
        }
    }
    Ok(Exit::Success)
}

/// Lists the builtins with names matching the filter.
fn list_builtins(choice: &ScenarioChoice) -> Exit {
    let mut sections: Vec<(&str, Vec<String>)> = Vec::new();
    let mut forms = Vec::new();
    for form in SPECIAL_FORMS {
        if is_wanted(choice, form.name) {
            forms.push(builtin_row(form.name, form.arity));
        }
    }
    sections.push(("Special forms", forms));
    for family in FAMILIES {
        let mut rows = Vec::new();
        for row in family.rows {
            if is_wanted(choice, row.name) {
                rows.push(builtin_row(row.name, row.arity));
            }
        }
        sections.push((family.title, rows));
    }
    let mut rows = Vec::new();
    for name in constants() {
        if is_wanted(choice, name) {
            rows.push(format!("  {name:<32}{}", manual::entry(name).doc));
        }
    }
    sections.push(("Constants", rows));
    let mut between = "";
    for (title, rows) in sections {
        if !rows.is_empty() {
            outln!("{between}{title}\n{}", rows.join("\n"));
            between = "\n";
        }
    }
    if between.is_empty() {
        errln!("no builtin matches the filter");
        return Exit::NothingSelected;
    }
    Exit::Success
}

fn builtin_row(name: &str, arity: Arity) -> String {
    format!("  {name:<24}{:<8}{}", arity.to_string(), manual::entry(name).doc)
}

/// The description of a scenario, or the length of a conversation.
fn describe_scenario(scenario: &Scenario) -> String {
    match (&scenario.description, &scenario.content) {
        (Some(description), _) => description.clone(),
        (None, Content::Log(logged)) => count(logged.conversation.turns.len(), "turn"),
        (None, Content::Script(_)) => String::new(),
    }
}

fn list_tools(scenario: &Scenario) {
    let Some(script) = scenario.script() else { return };
    for tool in &script.agent.tools {
        let mut line = String::new();
        crate::compression::sections::stable::tools(&mut line, std::slice::from_ref(tool));
        // Skip the heading of the section.
        if let Some(line) = line.lines().last() {
            outln!("{:<39} {line}", scenario.name);
        }
    }
}

fn list_scenarios(choice: &ScenarioChoice, list: impl Fn(&Scenario)) -> CliResult {
    let suite = choice.open_any(None)?;
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
    match exit {
        Some(exit) => Ok(exit),
        None => Ok(nothing_selected(&suite, &selection)),
    }
}
