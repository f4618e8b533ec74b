//! A strategy under the name by which it was asked for, with its options: what suites list, scenarios
//! choose and replay renders.

use ecow::EcoString;

use super::history::View;
use super::options::Options;
use super::setting::SettingError;
use super::statistics::Rendered;
use super::{BASELINE, Strategy, StrategyError, find};
use ptc_lisp::session::Bindings;
use ptc_lisp::value::Value;

/// A strategy ready to render.
#[derive(Clone)]
pub struct Variant<'s> {
    /// As reports and snapshots call it: the strategy's own name unless a suite gave another.
    pub name: EcoString,
    pub strategy: &'s dyn Strategy,
    pub options: Options,
}

impl<'s> Variant<'s> {
    /// A strategy under its own name with the options it has by default.
    pub fn new(strategy: &'s dyn Strategy) -> Variant<'s> {
        Variant { name: strategy.name().into(), strategy, options: Options::default() }
    }

    /// The built-in strategy of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn named(name: &str) -> Result<Variant<'static>, SettingError> {
        find(name).map(Variant::new)
    }

    /// The same under another name.
    pub fn called(mut self, name: &str) -> Variant<'s> {
        self.name = name.into();
        self
    }

    /// The same with one option set (API-002). Later settings win, so that the levels of API-007 are
    /// applied from the weakest to the strongest.
    ///
    /// # Errors
    /// When the strategy has no such option, or not with this value.
    pub fn with(mut self, option: &str, value: impl Into<Value>) -> Result<Variant<'s>, SettingError> {
        self.options.set(self.strategy, option, &value.into())?;
        Ok(self)
    }

    /// The same with all these options set.
    ///
    /// # Errors
    /// As [`Variant::with`].
    pub fn with_all(mut self, options: &Bindings) -> Result<Variant<'s>, SettingError> {
        for (option, value) in options {
            self.options.set(self.strategy, option.name(), value)?;
        }
        Ok(self)
    }

    /// The request before the next turn: `full-history` for a single shot (SS-001) and below the
    /// trigger, what the strategy makes of it otherwise.
    ///
    /// # Errors
    /// What the strategy says; those that come with the program always render.
    pub fn render(&self, view: &View<'_>) -> Result<Rendered, StrategyError> {
        let compresses = view.agent.max_turns > 1 && self.options.trigger().is_met(view);
        let mut rendered = match compresses {
            true => self.strategy.to_messages(view, &self.options)?,
            false => BASELINE.to_messages(view, &self.options)?,
        };
        rendered.statistics.strategy = self.name.clone();
        Ok(rendered)
    }
}
