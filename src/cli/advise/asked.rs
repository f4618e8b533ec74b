//! Strategies that the command line asks for besides those of the suite.

use crate::cli::suite::StrategyChoice;
use crate::compression::PRESETS;
use crate::scenario::JsonOptions;
use crate::scenario::suite::Suite;

/// The settings of a suite with these strategies before all others. One with options is a variant, so that a suite that is saved
/// has it too.
pub(super) fn added(settings: String, asked: &[StrategyChoice]) -> String {
    asked.iter().rev().fold(settings, |settings, choice| {
        let name = name(choice);
        let listed = settings.replacen("strategies: [", &format!("strategies: [{}, ", quoted(&name)), 1);
        if choice.options.is_empty() { listed } else { with_variant(listed, &name, choice) }
    })
}

/// The strategies of a suite, and these.
pub(super) fn wanted(suite: &Suite, asked: &[StrategyChoice]) -> Vec<(String, JsonOptions)> {
    let own = suite.strategies.iter().map(|name| (name.clone(), JsonOptions::default()));
    let mut wanted: Vec<(String, JsonOptions)> = own.collect();
    for StrategyChoice { name, options } in asked {
        let choice = (name.clone(), options.clone());
        if !wanted.contains(&choice) {
            wanted.push(choice);
        }
    }
    wanted
}

/// The strategy that a preset is.
pub(super) fn preset(name: &str) -> Result<StrategyChoice, String> {
    if let Some(preset) = PRESETS.iter().find(|preset| preset.name == name) {
        return Ok(StrategyChoice { name: preset.name.to_owned(), options: JsonOptions::default() });
    }
    let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
    Err(format!("there is no such preset; presets: {}", names.join(", ")))
}

fn with_variant(settings: String, name: &str, choice: &StrategyChoice) -> String {
    let options = choice.options.iter().map(|(option, value)| format!(", {}: {value}", quoted(option)));
    let options: String = options.collect();
    let variant = format!("  {}: {{strategy: {}{options}}}\n", quoted(name), quoted(&choice.name));
    settings.replacen("variants:\n", &format!("variants:\n{variant}"), 1)
}

/// `summary,trigger=window=0.5`: a name that variants can have, and so files.
fn name(choice: &StrategyChoice) -> String {
    let value = |value: &serde_json::Value| -> String {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        text.replace(':', "=").replace(['{', '}', '"', '/', ' '], "")
    };
    let options = choice.options.iter().map(|(option, of)| format!(",{option}={}", value(of)));
    choice.name.clone() + &options.collect::<String>()
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
