//! The strategies of this crate, one file each. A new one is a file in this folder, its `mod` line and its row in [`STRATEGIES`].

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

/// `full-history`: no compression, the strategy that others are compared with.
pub const FULL_HISTORY: &BuiltIn = &full_history::FULL_HISTORY;

/// `full-history`, as any strategy.
pub const BASELINE: &dyn Strategy = FULL_HISTORY;

/// `as-recorded`: the requests that the agent of a log sent.
pub const AS_RECORDED: &BuiltIn = &as_recorded::AS_RECORDED;

/// `as-recorded`, as any strategy. Others are compared with it if the agent shortened its history.
pub const RECORDED: &dyn Strategy = AS_RECORDED;

/// `summary`: a model's summary in place of old turns.
pub const SUMMARIES: &BuiltIn = &summary::SUMMARY;
pub use summary::{
    CALL_TOKENS, KEEP_OPENING, KEEP_RECENT_TOKENS, KEEP_RECENT_TURNS as SUMMARY_TURNS,
    trigger as summary_trigger,
};

/// `clear-tool-results`: old results of tools left out once a request has 100,000 tokens, or those of a `trigger`.
pub const CLEARING: &BuiltIn = &clear_tool_results::CLEAR_TOOL_RESULTS;

/// `observation-masking`: old observations left out.
pub const MASKING: &BuiltIn = &observation_masking::OBSERVATION_MASKING;

/// `fold`: old observations left out, all at once, when carrying them has cost as much as sending the rest again without them. That takes
/// 15 to 25 turns where results have some 800 tokens. Set the prices with [`Variant::at_prices`](crate::Variant::at_prices).
pub const FOLDING: &BuiltIn = &fold::FOLD;

/// `trim`: old turns left out.
pub const TRIMMING: &BuiltIn = &trim::TRIM;

/// Finds a strategy of this crate by name.
///
/// # Errors
/// The name is unknown; the error lists those that are known.
pub fn find(name: &str) -> Result<&'static BuiltIn, SettingError> {
    let strategy = STRATEGIES.iter().copied().find(|strategy| strategy.name == name);
    let known = || STRATEGIES.iter().map(|strategy| strategy.name.to_owned()).collect();
    strategy.ok_or_else(|| SettingError::UnknownStrategy { name: name.to_owned(), known: known() })
}
