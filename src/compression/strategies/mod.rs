//! The built-in strategies: those of the crate `history_strategies`, and those here, which use the definitions, calls and prints of
//! programs. Each one has a file. To add one, write a file in either folder, its `mod` line and its row in [`STRATEGIES`].

mod aggressive;
mod per_turn_summary;
mod rolling_window;
mod single_user_coalesced;
mod turn_log;

use history_strategies::{
    AS_RECORDED, BuiltIn, CLEARING, FOLDING, FULL_HISTORY, Form, MASKING, SUMMARIES, SettingError, Strategy,
    TRIMMING,
};

/// All strategies, in the order of reports.
pub const STRATEGIES: &[&BuiltIn] = &[
    FULL_HISTORY,
    &single_user_coalesced::SINGLE_USER_COALESCED,
    &per_turn_summary::PER_TURN_SUMMARY,
    &rolling_window::ROLLING_WINDOW,
    &aggressive::AGGRESSIVE,
    &turn_log::TURN_LOG,
    TRIMMING,
    MASKING,
    FOLDING,
    CLEARING,
    AS_RECORDED,
    SUMMARIES,
];

/// The strategy of `compression: true`.
pub const DEFAULT: &dyn Strategy = &single_user_coalesced::SINGLE_USER_COALESCED;

/// Returns true if suites without a list of strategies run this one.
pub fn is_default(name: &str) -> bool {
    for strategy in STRATEGIES {
        if strategy.name == name {
            return matches!(strategy.form, Form::Native | Form::Text);
        }
    }
    false
}

/// Finds a strategy by name.
///
/// # Errors
/// The name is unknown. The error contains the known names.
pub fn find(name: &str) -> Result<&'static BuiltIn, SettingError> {
    for strategy in STRATEGIES {
        if strategy.name() == name {
            return Ok(strategy);
        }
    }
    let known = STRATEGIES.iter().map(|strategy| strategy.name().to_string()).collect();
    Err(SettingError::UnknownStrategy { name: name.to_string(), known })
}
