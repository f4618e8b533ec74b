//! Sweeps of thresholds: the cost of a strategy as a function of its trigger size, and of the tokens it keeps.

use serde_json::{Value, json};

use super::tune::{StrategySetting, Tried};
use crate::compression::{CLEARING, SUMMARIES, Strategy, TRIGGER};
use crate::report::Standing;
use crate::scenario::{JsonOptions, KnownStrategy, Suite};

/// Triggers to sweep, as shares of the window.
const WINDOWS: [f64; 10] = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95];
/// Tokens of recent turns to keep, to sweep.
const KEPT_TOKENS: [u32; 7] = [5_000, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000];
/// The option for [`KEPT_TOKENS`].
const KEEP_RECENT_TOKENS: &str = "keep_recent_tokens";

/// A threshold of a strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweptThreshold {
    Window,
    KeptTokens,
}

/// The cost of a strategy as a function of one threshold.
#[derive(Clone, Debug)]
pub struct Curve {
    pub strategy: String,
    pub threshold: SweptThreshold,
    /// The strategy with the suite's options.
    pub today: Standing,
    /// In the threshold's order.
    pub points: Vec<CurvePoint>,
}

/// One value of a threshold.
#[derive(Clone, Debug, PartialEq)]
pub struct CurvePoint {
    /// The value as written in reports: `0.65`, `20000`.
    pub value: String,
    /// The standing on all runs.
    pub standing: Standing,
}

impl SweptThreshold {
    const ALL: [SweptThreshold; 2] = [SweptThreshold::Window, SweptThreshold::KeptTokens];

    fn option(self) -> &'static str {
        match self {
            SweptThreshold::Window => TRIGGER,
            SweptThreshold::KeptTokens => KEEP_RECENT_TOKENS,
        }
    }

    /// Returns true if a strategy has this threshold.
    fn is_of(self, strategy: &KnownStrategy) -> bool {
        match self {
            // Every strategy accepts a trigger, but most work from the first turn on. These wait for a size, by default or by option.
            SweptThreshold::Window => {
                [SUMMARIES.name(), CLEARING.name()].contains(&strategy.base.name())
                    || strategy.options.contains_key(TRIGGER)
            }
            SweptThreshold::KeptTokens => {
                strategy.base.options().iter().any(|row| row.name == KEEP_RECENT_TOKENS)
            }
        }
    }

    /// Each value, as text and as JSON for the option.
    fn values(self) -> Vec<(String, Value)> {
        let mut values = Vec::new();
        match self {
            SweptThreshold::Window => {
                for share in WINDOWS {
                    values.push((format!("{share:.2}"), json!({ "window": share })));
                }
            }
            SweptThreshold::KeptTokens => {
                for tokens in KEPT_TOKENS {
                    values.push((tokens.to_string(), json!(tokens)));
                }
            }
        }
        values
    }
}

impl Curve {
    /// The cheapest point. `None` if all points are equal: no request reaches the threshold.
    pub fn least(&self) -> Option<&CurvePoint> {
        let first = self.points.first()?;
        let is_flat = self.points.iter().all(|point| point.standing == first.standing);
        if is_flat { None } else { self.points.iter().min_by_key(|point| point.standing.cost) }
    }
}

/// The settings of all sweeps over these strategies.
pub(super) fn swept_settings(suite: &Suite, names: &[&str]) -> Vec<StrategySetting> {
    let mut settings = Vec::new();
    for (name, threshold) in list_sweeps(suite, names) {
        for (_, value) in threshold.values() {
            settings.push(setting_with(name, threshold, value));
        }
    }
    settings
}

/// The curves of these strategies. Omits curves with a setting untried or missing requests.
pub(super) fn draw_curves(suite: &Suite, names: &[&str], tried: &[Tried]) -> Vec<Curve> {
    let mut curves = Vec::new();
    for (name, threshold) in list_sweeps(suite, names) {
        let Some(today) = standing_of(&StrategySetting::of(name), tried) else { continue };
        let mut points = Vec::new();
        let mut is_whole = true;
        for (text, value) in threshold.values() {
            match standing_of(&setting_with(name, threshold, value), tried) {
                Some(standing) => points.push(CurvePoint { value: text, standing }),
                None => is_whole = false,
            }
        }
        if is_whole {
            curves.push(Curve { strategy: name.to_owned(), threshold, today, points });
        }
    }
    curves
}

/// The standing of a setting; `None` if it is untried or lacks requests.
fn standing_of(setting: &StrategySetting, tried: &[Tried]) -> Option<Standing> {
    let tried = tried.iter().find(|tried| tried.setting == *setting)?;
    if tried.is_whole() { Some(tried.on_all_runs()) } else { None }
}

/// Each strategy with each of its thresholds. Strategies without a threshold are omitted.
fn list_sweeps<'n>(suite: &Suite, names: &[&'n str]) -> Vec<(&'n str, SweptThreshold)> {
    let mut sweeps = Vec::new();
    for name in names {
        let Some(known) = suite.known.strategy(name) else { continue };
        for threshold in SweptThreshold::ALL {
            if threshold.is_of(known) {
                sweeps.push((*name, threshold));
            }
        }
    }
    sweeps
}

fn setting_with(name: &str, threshold: SweptThreshold, value: Value) -> StrategySetting {
    let options = JsonOptions::from_iter([(threshold.option().to_owned(), value)]);
    StrategySetting { strategy: name.to_owned(), options }
}
