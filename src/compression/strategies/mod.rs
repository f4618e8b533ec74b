//! The strategies that come with the program, one file each. A new one is a file in this folder, its `mod`
//! line and its row in [`STRATEGIES`].

mod aggressive;
mod as_recorded;
mod clear_tool_results;
mod fold;
mod full_history;
mod observation_masking;
mod per_turn_summary;
mod rolling_window;
mod single_user_coalesced;
mod summary;
mod trim;
mod turn_log;

use super::error::SettingError;
use super::strategy::{BuiltIn, Form, Strategy};

/// All strategies, in the order in which reports list them.
pub const STRATEGIES: &[&BuiltIn] = &[
    &full_history::FULL_HISTORY,
    &single_user_coalesced::SINGLE_USER_COALESCED,
    &per_turn_summary::PER_TURN_SUMMARY,
    &rolling_window::ROLLING_WINDOW,
    &aggressive::AGGRESSIVE,
    &turn_log::TURN_LOG,
    &trim::TRIM,
    &observation_masking::OBSERVATION_MASKING,
    &fold::FOLD,
    &clear_tool_results::CLEAR_TOOL_RESULTS,
    &as_recorded::AS_RECORDED,
    &summary::SUMMARY,
];

/// The strategy of `compression: true`.
pub const DEFAULT: &dyn Strategy = &single_user_coalesced::SINGLE_USER_COALESCED;

/// No compression: the strategy that others are compared with.
pub const BASELINE: &dyn Strategy = &full_history::FULL_HISTORY;

/// The requests that the agent of a log sent. Others are compared with this strategy if the agent shortened its history.
pub const RECORDED: &dyn Strategy = &as_recorded::AS_RECORDED;

/// A model's summary in place of old turns.
pub const SUMMARIES: &BuiltIn = &summary::SUMMARY;
pub use summary::{
    CALL_TOKENS, KEEP_OPENING, KEEP_RECENT_TOKENS, KEEP_RECENT_TURNS as SUMMARY_TURNS,
    trigger as summary_trigger,
};

/// Old results of tools left out.
pub const CLEARING: &BuiltIn = &clear_tool_results::CLEAR_TOOL_RESULTS;

/// Old observations left out.
pub const MASKING: &BuiltIn = &observation_masking::OBSERVATION_MASKING;

/// Old turns left out.
pub const TRIMMING: &BuiltIn = &trim::TRIM;

/// Returns true if suites that name no strategies run the strategy of this name.
pub fn is_default(name: &str) -> bool {
    let is_it = |strategy: &&&BuiltIn| strategy.name == name;
    STRATEGIES.iter().find(is_it).is_some_and(|strategy| matches!(strategy.form, Form::Native | Form::Text))
}

/// Finds a strategy by name.
///
/// # Errors
/// The name is unknown; the error lists those that are known.
pub fn find(name: &str) -> Result<&'static BuiltIn, SettingError> {
    let strategy = STRATEGIES.iter().copied().find(|strategy| strategy.name() == name);
    let known = || STRATEGIES.iter().map(|strategy| strategy.name().to_string()).collect();
    strategy.ok_or_else(|| SettingError::UnknownStrategy { name: name.to_string(), known: known() })
}
