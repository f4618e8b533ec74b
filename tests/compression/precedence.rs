//! Precedence of options from suite, variant, scenario and command line (API-007, S1-04).

use std::fs;

use ptc_eval::compression::{CountOption, OptionKind};
use ptc_eval::evaluate::Plan;
use ptc_eval::scenario::options::{Layers, settle};
use ptc_eval::scenario::{JsonOptions, Known, Selection, Suite};

/// The setting of `keep_recent_turns` at each level, if any.
struct Row {
    suite: Option<u32>,
    variant: Option<u32>,
    scenario: Option<u32>,
    command_line: Option<u32>,
    expected: usize,
}

/// Suite, variant, scenario, command line, then the effective value.
fn row(places: [Option<u32>; 4], expected: usize) -> Row {
    let [suite, variant, scenario, command_line] = places;
    Row { suite, variant, scenario, command_line, expected }
}

/// `, keep_recent_turns: 2`
fn said(value: Option<u32>) -> String {
    value.map(|value| format!(", keep_recent_turns: {value}")).unwrap_or_default()
}

/// The effective value for the variant `mine` of `trim` in a scenario that runs under it.
fn settled(row: &Row) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let suite = match row.suite {
        Some(value) => format!("compression: {{keep_recent_turns: {value}}}\n"),
        None => String::new(),
    };
    let variant = format!("variants: {{mine: {{strategy: trim{}}}}}\n", said(row.variant));
    let scenario = format!("mission: m\ncompression: {{strategy: mine{}}}\n", said(row.scenario));
    fs::write(folder.path().join("suite.yaml"), suite + &variant).unwrap();
    fs::write(folder.path().join("a.yaml"), scenario).unwrap();
    let suite = Suite::open(folder.path(), Known::default()).unwrap_or_else(|error| panic!("{error}"));
    let mut options = JsonOptions::default();
    if let Some(value) = row.command_line {
        options.insert("keep_recent_turns".to_string(), value.into());
    }
    let plan = Plan::new(&suite, &[("mine".to_string(), options)]).unwrap();
    let selection = Selection::default();
    let scenario =
        suite.scenarios(&selection).unwrap().next().unwrap().unwrap_or_else(|error| panic!("{error}"));
    let variants = plan.variants_for(&scenario).unwrap();
    let OptionKind::Count { default, least, .. } = variants[0].strategy.options()[0].kind else { panic!() };
    variants[0].options.get(&CountOption::new("keep_recent_turns", default, least, ""))
}

/// API-007, S1-04: command line over scenario over variant over suite over default.
#[test]
fn the_nearest_setting_wins() {
    let table = [
        row([None, None, None, None], 3),
        row([Some(4), None, None, None], 4),
        row([None, Some(5), None, None], 5),
        row([None, None, Some(6), None], 6),
        row([None, None, None, Some(7)], 7),
        row([Some(4), Some(5), None, None], 5),
        row([Some(4), None, Some(6), None], 6),
        row([Some(4), None, None, Some(7)], 7),
        row([None, Some(5), Some(6), None], 6),
        row([None, Some(5), None, Some(7)], 7),
        row([None, None, Some(6), Some(7)], 7),
        row([Some(4), Some(5), Some(6), None], 6),
        row([Some(4), Some(5), Some(6), Some(7)], 7),
    ];
    for row in table {
        let places = [row.suite, row.variant, row.scenario, row.command_line];
        assert_eq!(settled(&row), row.expected, "{places:?}");
    }
}

#[test]
fn a_suite_gives_options_only_to_strategies_that_have_them() {
    let options = |pairs: &[(&str, i64)]| -> JsonOptions {
        pairs.iter().map(|&(name, value)| (name.to_owned(), value.into())).collect()
    };
    let (known, none) = (Known::default(), JsonOptions::default());
    let suite = options(&[("window", 1), ("println_limit", 2), ("trigger", 3)]);
    let layers = Layers { command_line: &none, scenario: &none, variant: &none, suite: &suite };
    let coalesced = known.strategy("single-user-coalesced").unwrap();
    assert_eq!(settle(coalesced, layers), options(&[("println_limit", 2), ("trigger", 3)]));
}
