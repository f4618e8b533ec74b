//! Strategies: pure functions from what happened to what the model is sent. They cannot run code, look
//! at a clock or keep state (ARC-003, ARC-004); those of users that are programs run in the sandbox. A new one is a file here and a line in `strategies!`.

mod cut;
mod failure;
mod history;
mod message_builder;
mod options;
mod program;
mod recount;
mod remembered;
mod request;
pub mod sections;
mod setting;
mod statistics;
mod variant;

pub use failure::StrategyError;
pub use history::{Exchange, History, TextTokens, Totals, View};
pub use message_builder::MessageBuilder;
pub use options::{OptionRow, Options, TRIGGER, Trigger, option_names};
pub use program::Program;
pub use request::{BrokenStrategy, Request};
pub use setting::{Setting, SettingError, normalize};
pub use statistics::{Rendered, Shown, Statistics};
pub use variant::Variant;

use std::ops::Deref;
use std::sync::Arc;

/// A way to show a run to the model (ARC-003, S2-06).
pub trait Strategy: Send + Sync {
    /// What users type.
    fn name(&self) -> &str;

    /// One line that says what is sent.
    fn doc(&self) -> &str;

    /// The options it has besides `trigger`, which all have.
    fn options(&self) -> &'static [OptionRow];

    /// Whether options that it does not list are passed to it unchecked (S4-22).
    fn takes_any_option(&self) -> bool {
        false
    }

    /// Whether it can work at all, whatever the run.
    ///
    /// # Errors
    /// What is wrong with it.
    fn check(&self) -> Result<(), StrategyError> {
        Ok(())
    }

    /// The request before the turn that follows the view. The same view and options give the same
    /// request (ARC-004). [`Variant::render`] is how others call it: it knows when not to compress.
    ///
    /// # Errors
    /// Why there is no request. Those that come with the program always have one.
    fn to_messages(&self, view: &View<'_>, options: &Options) -> Result<Rendered, StrategyError>;
}

/// A strategy that others hold: one that comes with the program, or one of the user's own.
#[derive(Clone)]
pub enum AnyStrategy {
    BuiltIn(&'static dyn Strategy),
    Own(Arc<dyn Strategy>),
}

impl Deref for AnyStrategy {
    type Target = dyn Strategy;

    fn deref(&self) -> &(dyn Strategy + 'static) {
        match self {
            AnyStrategy::BuiltIn(strategy) => *strategy,
            AnyStrategy::Own(strategy) => strategy.as_ref(),
        }
    }
}

/// Declares the modules of the strategies and lists them.
macro_rules! strategies {
    ($($module:ident::$strategy:ident,)*) => {
        $(mod $module;)*

        /// All strategies that come with the program, in the order in which they are listed.
        pub const STRATEGIES: &[&dyn Strategy] = &[$(&$module::$strategy),*];
    };
}

// `cargo fmt` does not see files that are declared here; `.ci/run` looks at them by name.
strategies! {
    full_history::FullHistory,
    single_user_coalesced::SingleUserCoalesced,
    per_turn_summary::PerTurnSummary,
    rolling_window::RollingWindow,
    aggressive::Aggressive,
    turn_log::TurnLog,
    trim::Trim,
    observation_masking::ObservationMasking,
}

/// What `compression: true` means (ARC-005).
pub const DEFAULT: &dyn Strategy = &single_user_coalesced::SingleUserCoalesced;

/// No compression: what others are compared with.
pub const BASELINE: &dyn Strategy = &full_history::FullHistory;

/// The strategy of this name.
///
/// # Errors
/// When there is none; the error lists those there are.
pub fn find(name: &str) -> Result<&'static dyn Strategy, SettingError> {
    let found = STRATEGIES.iter().copied().find(|strategy| strategy.name() == name);
    let known = || STRATEGIES.iter().map(|strategy| strategy.name().to_string()).collect();
    found.ok_or_else(|| SettingError::UnknownStrategy { name: name.to_string(), known: known() })
}
