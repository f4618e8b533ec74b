//! The [`Strategy`] trait, and the rendered request.

use std::ops::Deref;
use std::sync::Arc;

use super::borders::{self, RequestBorder};
use super::call::StrategyCall;
use super::draft::RequestDraft;
use super::error::StrategyError;
use super::history::{Extends, View};
use super::options::{OptionRow, Options, TRIGGER};
use super::severity::Severity;
use super::statistics::{Shown, Statistics};
use conversation::{Message, MessageId};

/// Renders a [`View`] of a conversation as a request to the model.
pub trait Strategy: Send + Sync {
    /// The name in files, reports and on the command line.
    fn name(&self) -> &str;

    /// The options besides `trigger`, which is common to all strategies.
    fn options(&self) -> &'static [OptionRow] {
        &[]
    }

    /// Accept unlisted options, unchecked.
    fn takes_any_option(&self) -> bool {
        false
    }

    /// The severity with these options; `None` if no public experiment covers this kind of strategy.
    fn severity(&self, _options: &Options) -> Option<Severity> {
        None
    }

    /// Reports errors independent of any run.
    ///
    /// # Errors
    /// The strategy cannot render any run with these options.
    fn check(&self, _options: &Options) -> Result<(), StrategyError> {
        Ok(())
    }

    /// Renders the request for the turn after the view. Deterministic: equal views and options give equal requests. Callers use
    /// [`Variant::render`](crate::Variant::render), which also handles triggers.
    ///
    /// # Errors
    /// The strategy cannot make a request. Strategies of this crate never fail.
    fn to_messages(&self, view: &View<'_>, options: &Options) -> Result<Rendered, StrategyError>;

    /// Like [`Strategy::to_messages`], with identifiers from the view's table.
    ///
    /// # Errors
    /// Same as [`Strategy::to_messages`].
    fn to_ids(&self, view: &View<'_>, options: &Options) -> Result<Rendered<MessageId>, StrategyError> {
        let rendered = self.to_messages(view, options)?;
        Ok(rendered.map(|message| view.messages().add(&message)))
    }

    /// Like [`Strategy::to_ids`], but may leave out messages of the previous request: see [`Rendered::kept`]. Callers use
    /// [`Variant::render_next`](crate::Variant::render_next).
    ///
    /// # Errors
    /// Same as [`Strategy::to_messages`].
    fn to_next_ids(&self, view: &View<'_>, options: &Options) -> Result<Rendered<MessageId>, StrategyError> {
        self.to_ids(view, options)
    }
}

/// How a [`Strategy`] shows older turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The turns' own messages, without some results or turns. Users of an agent can switch this on.
    Native,
    /// Text written by the strategy, also in place of native tool calls.
    Text,
    /// The messages sent by the logged agent. They differ from `full-history` only in logs with compactions.
    Recorded,
    /// Text written by a model. It is unknown in advance, so the strategy runs only if named.
    Written,
}

/// A strategy as a table row: a function with its name and its [`OptionRow`]s. It never fails.
pub struct BuiltIn {
    pub name: &'static str,
    /// One line describing its requests.
    pub doc: &'static str,
    pub form: Form,
    pub options: &'static [OptionRow],
    /// The severity for given options; `None` if no public experiment covers this kind of strategy.
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
        self.to_next_ids(&view.extending(Extends::Nothing), options)
    }

    fn to_next_ids(&self, view: &View<'_>, options: &Options) -> Result<Rendered<MessageId>, StrategyError> {
        Ok(Rendered::of_draft(self.name, view, (self.render)(view, options)))
    }
}

/// A [`BuiltIn`] strategy, or a user's own [`Strategy`].
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

/// The names of all options of a strategy, `trigger` included.
pub fn option_names(strategy: &dyn Strategy) -> impl Iterator<Item = &'static str> {
    strategy.options().iter().map(|row| row.name).chain([TRIGGER])
}

/// A request with its [`Statistics`]. `M` is a whole [`Message`] or a [`MessageId`] of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Rendered<M = Message> {
    /// Number of leading messages left out of `messages`, since the previous request begins with them. 0 unless the request comes from
    /// [`Variant::render_next`](crate::Variant::render_next).
    pub kept: usize,
    pub messages: Vec<M>,
    /// From left to right; the last is the end of the request.
    pub borders: Vec<RequestBorder>,
    pub statistics: Statistics,
    /// Tool calls not shown in the request, failed ones included.
    pub hidden_tool_calls: u32,
    /// The model call made by the strategy before the request.
    pub call: Option<StrategyCall<M>>,
}

impl Rendered {
    /// A request from a strategy without declared borders. `shown` feeds its statistics.
    pub fn new(strategy: &str, view: &View<'_>, messages: Vec<Message>, shown: Shown) -> Rendered {
        let unknown = borders::guess_borders(&messages, view.head());
        Rendered::with_borders(strategy, view, messages, shown, unknown)
    }
}

impl Rendered<MessageId> {
    fn of_draft(strategy: &str, view: &View<'_>, mut draft: RequestDraft) -> Rendered<MessageId> {
        let (messages, call) = (std::mem::take(&mut draft.messages), draft.call.take());
        let end = draft.kept + messages.len();
        Rendered { messages, call, ..Rendered::measured(strategy, view, draft, end) }
    }
}

impl<M> Rendered<M> {
    /// A request with its statistics and these [`RequestBorder`]s, plus one after the last message.
    pub fn with_borders(
        strategy: &str,
        view: &View<'_>,
        messages: Vec<M>,
        shown: Shown,
        borders: Vec<RequestBorder>,
    ) -> Rendered<M> {
        let draft = RequestDraft { kept: 0, messages: Vec::new(), shown, borders, call: None };
        let end = messages.len();
        Rendered { messages, ..Rendered::measured(strategy, view, draft, end) }
    }

    /// A request without its messages. `end` is their number.
    fn measured(strategy: &str, view: &View<'_>, draft: RequestDraft, end: usize) -> Rendered<M> {
        let RequestDraft { kept, shown, borders, .. } = draft;
        let totals = view.totals();
        let calls = totals.tool_calls + totals.failed_tool_calls;
        let hidden_tool_calls = calls.saturating_sub(shown.tool_calls + shown.failed_tool_calls);
        let statistics = Statistics::new(strategy, totals, shown);
        let borders = borders::complete_borders(borders, end);
        Rendered { kept, messages: Vec::new(), borders, statistics, hidden_tool_calls, call: None }
    }

    /// Converts the messages to another form.
    pub fn map<N>(self, mut message: impl FnMut(M) -> N) -> Rendered<N> {
        let Rendered { kept, messages, borders, statistics, hidden_tool_calls, call } = self;
        let messages = messages.into_iter().map(&mut message).collect();
        let call = call.map(|call| call.map(message));
        Rendered { kept, messages, borders, statistics, hidden_tool_calls, call }
    }
}
