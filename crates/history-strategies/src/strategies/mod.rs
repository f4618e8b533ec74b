//! The strategies of this crate, one per file. To add one, add a file, its `mod` line and its row in [`STRATEGIES`].

mod as_recorded;
mod clear_tool_results;
mod fold;
mod full_history;
mod observation_masking;
mod summary;
mod trim;

use super::error::SettingError;
use super::strategy::{BuiltIn, Strategy};

/// The strategies of this crate.
pub const STRATEGIES: &[&BuiltIn] =
    &[FULL_HISTORY, TRIMMING, MASKING, FOLDING, CLEARING, AS_RECORDED, SUMMARIES];

/// `full-history`: no compression.
pub const FULL_HISTORY: &BuiltIn = &full_history::FULL_HISTORY;

/// `full-history` as a trait object, the usual baseline.
pub const BASELINE: &dyn Strategy = FULL_HISTORY;

/// `as-recorded`: the requests sent by the logged agent.
pub const AS_RECORDED: &BuiltIn = &as_recorded::AS_RECORDED;

/// `as-recorded` as a trait object, the baseline if the agent shortened its history.
pub const RECORDED: &dyn Strategy = AS_RECORDED;

/// `summary`: a model's summary in place of old turns.
pub const SUMMARIES: &BuiltIn = &summary::SUMMARY;
pub use summary::{
    CALL_TOKENS, KEEP_OPENING, KEEP_RECENT_TOKENS, KEEP_RECENT_TURNS as SUMMARY_TURNS,
    trigger as summary_trigger,
};

/// `clear-tool-results`: without old tool results, once a request has 100,000 tokens or reaches its `trigger`.
pub const CLEARING: &BuiltIn = &clear_tool_results::CLEAR_TOOL_RESULTS;

/// `observation-masking`: without old observations.
pub const MASKING: &BuiltIn = &observation_masking::OBSERVATION_MASKING;

/// `fold`: without old observations, removed all at once when carrying them has cost as much as sending the rest again. With results of
/// about 800 tokens, that happens every 15 to 25 turns. Set the prices with [`Variant::at_prices`](crate::Variant::at_prices).
pub const FOLDING: &BuiltIn = &fold::FOLD;

/// `trim`: without old turns.
pub const TRIMMING: &BuiltIn = &trim::TRIM;

/// Finds a strategy of this crate by name.
///
/// # Errors
/// The name is unknown; the error lists the known ones.
pub fn find(name: &str) -> Result<&'static BuiltIn, SettingError> {
    let strategy = STRATEGIES.iter().copied().find(|strategy| strategy.name == name);
    strategy.ok_or_else(|| {
        let known = STRATEGIES.iter().map(|strategy| strategy.name.to_owned()).collect();
        SettingError::UnknownStrategy { name: name.to_owned(), known }
    })
}
