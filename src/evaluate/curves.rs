//! Sweeps of thresholds. They show the cost of a strategy by the size of a request from which on it shortens requests, and by the tokens
//! that it keeps.

use serde_json::{Value, json};

use super::tune::{StrategySetting, Tried};
use crate::compression::{CLEARING, SUMMARIES, Strategy, TRIGGER};
use crate::report::Standing;
use crate::scenario::{JsonOptions, KnownStrategy, Suite};

/// Shares of the window from which on a request is shortened.
const WINDOWS: [f64; 10] = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95];
/// Tokens of recent turns that are kept.
const KEPT_TOKENS: [u32; 7] = [5_000, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000];
/// The option for these tokens.
const KEEP_RECENT_TOKENS: &str = "keep_recent_tokens";

/// A threshold of a strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweptThreshold {
    Window,
    KeptTokens,
}

/// The cost of a strategy by one of its thresholds.
#[derive(Clone, Debug)]
pub struct Curve {
    pub strategy: String,
    pub threshold: SweptThreshold,
    /// The strategy as the suite has it.
    pub today: Standing,
    /// In the order of the threshold.
    pub points: Vec<CurvePoint>,
}

/// A value of a threshold.
#[derive(Clone, Debug, PartialEq)]
pub struct CurvePoint {
    /// The value as people write it: `0.65`, `20000`.
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
            // All strategies take a trigger, but most work from the first turn on. These wait for a size, or are told to.
            SweptThreshold::Window => {
                [SUMMARIES.name(), CLEARING.name()].contains(&strategy.base.name())
                    || strategy.options.contains_key(TRIGGER)
            }
            SweptThreshold::KeptTokens => {
                strategy.base.options().iter().any(|row| row.name == KEEP_RECENT_TOKENS)
            }
        }
    }

    /// Each value as people write it, and as the option takes it.
    fn values(self) -> Vec<(String, Value)> {
        match self {
            SweptThreshold::Window => {
                WINDOWS.iter().map(|share| (format!("{share:.2}"), json!({ "window": share }))).collect()
            }
            SweptThreshold::KeptTokens => {
                KEPT_TOKENS.iter().map(|tokens| (tokens.to_string(), json!(tokens))).collect()
            }
        }
    }
}

impl Curve {
    /// The point that costs least. None if all points are the same, which means that no request reaches the threshold.
    pub fn least(&self) -> Option<&CurvePoint> {
        let first = self.points.first()?;
        let differs = self.points.iter().any(|point| point.standing != first.standing);
        self.points.iter().filter(|_| differs).min_by_key(|point| point.standing.cost)
    }
}

/// The settings of all sweeps of strategies with these names.
pub(super) fn settings(suite: &Suite, names: &[&str]) -> Vec<StrategySetting> {
    let sweeps = sweeps(suite, names).into_iter();
    sweeps.flat_map(|(name, threshold)| values(name, threshold)).map(|(_, setting)| setting).collect()
}

/// The curves of strategies with these names. A curve needs a setting for each of its points that was tried and made all requests.
pub(super) fn curves(suite: &Suite, names: &[&str], tried: &[Tried]) -> Vec<Curve> {
    let standing = |setting: &StrategySetting| {
        let tried = tried.iter().find(|tried| tried.setting == *setting);
        tried.filter(|tried| tried.is_whole()).map(Tried::on_all_runs)
    };
    let curve = |(name, threshold): (&str, SweptThreshold)| {
        let point = |(value, setting): (String, StrategySetting)| {
            Some(CurvePoint { value, standing: standing(&setting)? })
        };
        Some(Curve {
            strategy: name.to_owned(),
            threshold,
            today: standing(&StrategySetting::of(name))?,
            points: values(name, threshold).map(point).collect::<Option<_>>()?,
        })
    };
    sweeps(suite, names).into_iter().filter_map(curve).collect()
}

/// The strategies among these that shorten requests once they are large, each with each of its thresholds.
fn sweeps<'n>(suite: &Suite, names: &[&'n str]) -> Vec<(&'n str, SweptThreshold)> {
    let mut sweeps = Vec::new();
    for name in names {
        let Some(known) = suite.known.strategy(name) else { continue };
        let thresholds = SweptThreshold::ALL.into_iter().filter(|threshold| threshold.is_of(known));
        sweeps.extend(thresholds.map(|threshold| (*name, threshold)));
    }
    sweeps
}

fn values(name: &str, threshold: SweptThreshold) -> impl Iterator<Item = (String, StrategySetting)> {
    threshold.values().into_iter().map(move |(text, value)| {
        let options = JsonOptions::from_iter([(threshold.option().to_owned(), value)]);
        (text, StrategySetting { strategy: name.to_owned(), options })
    })
}
