//! The trait that strategies implement, and the request that they make.

use std::ops::Deref;
use std::sync::Arc;

use super::borders::{self, RequestBorder};
use super::call::StrategyCall;
use super::draft::RequestDraft;
use super::error::StrategyError;
use super::history::View;
use super::options::{OptionRow, Options, TRIGGER};
use super::severity::Severity;
use super::statistics::{Shown, Statistics};
use conversation::{Message, MessageId};

/// A way to show a run to the model.
pub trait Strategy: Send + Sync {
    /// The name in files, reports and on the command line.
    fn name(&self) -> &str;

    /// The options besides `trigger`, which every strategy has.
    fn options(&self) -> &'static [OptionRow] {
        &[]
    }

    /// True if options that it does not list are passed to it unchecked.
    fn takes_any_option(&self) -> bool {
        false
    }

    /// The severity with these options; none if no public experiment has its kind.
    fn severity(&self, _options: &Options) -> Option<Severity> {
        None
    }

    /// Reports errors that do not depend on a run.
    ///
    /// # Errors
    /// The strategy cannot render any run with these options.
    fn check(&self, _options: &Options) -> Result<(), StrategyError> {
        Ok(())
    }

    /// Renders the request before the turn that follows the view. The same view and options give the same
    /// request. Callers use [`Variant::render`](crate::Variant::render), which knows when not to compress.
    ///
    /// # Errors
    /// There is no request. Those of this crate never fail.
    fn to_messages(&self, view: &View<'_>, options: &Options) -> Result<Rendered, StrategyError>;

    /// The same with messages of the view's table.
    ///
    /// # Errors
    /// Same as [`Strategy::to_messages`].
    fn to_ids(&self, view: &View<'_>, options: &Options) -> Result<Rendered<MessageId>, StrategyError> {
        let rendered = self.to_messages(view, options)?;
        Ok(rendered.map(|message| view.messages().add(&message)))
    }
}

/// The form in which a strategy shows older turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The messages of the turns themselves, without some results or some turns. The owner of an agent can switch that on.
    Native,
    /// Text that the strategy writes, also in place of native calls of tools.
    Text,
    /// The messages that the agent of a log sent. They differ from those of `full-history` only in logs with compactions.
    Recorded,
    /// Text that a model writes. Nobody knows it in advance, so the strategy runs only if it is named.
    Written,
}

/// A strategy as a row: a function with its name and options. It never fails.
pub struct BuiltIn {
    pub name: &'static str,
    /// One line about the requests.
    pub doc: &'static str,
    pub form: Form,
    pub options: &'static [OptionRow],
    /// The severity with some options; none if no public experiment has its kind.
    pub severity: Option<fn(&Options) -> Severity>,
    pub render: fn(&View<'_>, &Options) -> RequestDraft,
}

impl Strategy for BuiltIn {
    fn name(&self) -> &str {
        self.name
    }

    fn severity(&self, options: &Options) -> Option<Severity> {
        self.severity.map(|severity| severity(options))
    }

    fn options(&self) -> &'static [OptionRow] {
        self.options
    }

    fn to_messages(&self, view: &View<'_>, options: &Options) -> Result<Rendered, StrategyError> {
        Ok(self.to_ids(view, options)?.map(|id| view.messages().message(id)))
    }

    fn to_ids(&self, view: &View<'_>, options: &Options) -> Result<Rendered<MessageId>, StrategyError> {
        let RequestDraft { messages, shown, borders, call } = (self.render)(view, options);
        Ok(Rendered { call, ..Rendered::with_borders(self.name, view, messages, shown, borders) })
    }
}

/// A built-in strategy, or one of the user's own.
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

/// The names of all options of a strategy.
pub fn option_names(strategy: &dyn Strategy) -> impl Iterator<Item = &'static str> {
    strategy.options().iter().map(|row| row.name).chain([TRIGGER])
}

/// A request with its statistics. Its messages are whole, or identifiers of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Rendered<M = Message> {
    pub messages: Vec<M>,
    /// From left to right; the last one is the end of the request.
    pub borders: Vec<RequestBorder>,
    pub statistics: Statistics,
    /// Calls of all turns, failed ones included, that the request does not show.
    pub hidden_tool_calls: u32,
    /// The call that the strategy itself makes before the request.
    pub call: Option<StrategyCall<M>>,
}

impl Rendered {
    /// A compressed request with the counts of its strategy, which declares no borders.
    pub fn new(strategy: &str, view: &View<'_>, messages: Vec<Message>, shown: Shown) -> Rendered {
        let unknown = borders::unknown(&messages, view.head());
        Rendered::with_borders(strategy, view, messages, shown, unknown)
    }
}

impl<M> Rendered<M> {
    /// A compressed request with the counts of its strategy, these borders and the one after the last message.
    pub fn with_borders(
        strategy: &str,
        view: &View<'_>,
        messages: Vec<M>,
        shown: Shown,
        borders: Vec<RequestBorder>,
    ) -> Rendered<M> {
        let totals = view.totals();
        let calls = totals.tool_calls + totals.failed_tool_calls;
        let hidden_tool_calls = calls.saturating_sub(shown.tool_calls + shown.failed_tool_calls);
        let statistics = Statistics::new(strategy, totals, shown);
        let borders = borders::complete(borders, messages.len());
        Rendered { messages, borders, statistics, hidden_tool_calls, call: None }
    }

    /// The request with its messages in another form.
    pub fn map<N>(self, mut message: impl FnMut(M) -> N) -> Rendered<N> {
        let Rendered { messages, borders, statistics, hidden_tool_calls, call } = self;
        let messages = messages.into_iter().map(&mut message).collect();
        let call = call.map(|call| call.map(message));
        Rendered { messages, borders, statistics, hidden_tool_calls, call }
    }
}
