//! A named strategy with options, as listed by suites and chosen by scenarios.

use std::borrow::Cow;

use ecow::EcoString;
use serde_json::Value;

use super::call::WrittenText;
use super::error::{SettingError, StrategyError};
use super::gauge::SizedRequest;
use super::history::{Extends, History, View};
use super::options::{Options, TRIGGER, Trigger};
use super::strategies::{BASELINE, find};
use super::strategy::{Rendered, Strategy, option_names};
use conversation::{Conversation, Message, MessageId, TextTokens};
use ptc_prices::{Price, TimeSpan};

/// A named strategy with options.
///
/// ```
/// use history_strategies::{SettingError, Variant};
///
/// let masking = Variant::named("observation-masking")?.with("keep_recent_turns", 3)?.called("mask-3");
/// assert_eq!(masking.name, "mask-3");
/// assert!(matches!(masking.with("keep_recent", 3), Err(SettingError::UnknownOption { .. })));
/// # Ok::<(), SettingError>(())
/// ```
#[derive(Clone)]
pub struct Variant<'s> {
    /// The name in reports and snapshots: the strategy's, unless a suite sets another.
    pub name: EcoString,
    pub strategy: &'s dyn Strategy,
    pub options: Options,
    /// The text of the SYSTEM message. `None`: the agent's.
    pub system: Option<EcoString>,
}

impl<'s> Variant<'s> {
    /// A strategy with its usual name and default options.
    pub fn new(strategy: &'s dyn Strategy) -> Variant<'s> {
        Variant { name: strategy.name().into(), strategy, options: Options::default(), system: None }
    }

    /// A strategy of [`STRATEGIES`](crate::STRATEGIES), by name.
    ///
    /// # Errors
    /// The name is unknown.
    pub fn named(name: &str) -> Result<Variant<'static>, SettingError> {
        find(name).map(|strategy| Variant::new(strategy))
    }

    /// Renames the variant.
    pub fn called(mut self, name: &str) -> Variant<'s> {
        self.name = name.into();
        self
    }

    /// Sets one of the [`Options`]. The last value wins, so apply suite, variant, scenario and command line in this order.
    ///
    /// # Errors
    /// The strategy has no such option, or the value is out of range.
    pub fn with(mut self, option: &str, value: impl Into<Value>) -> Result<Variant<'s>, SettingError> {
        let (strategy, value) = (self.strategy, value.into());
        if option == TRIGGER {
            self.options.trigger = Trigger::parse(&value)?;
        } else if let Some(row) = strategy.options().iter().find(|row| row.name == option) {
            self.options.set(row, &value)?;
        } else if strategy.takes_any_option() {
            self.options.extra.insert(option.to_owned(), value);
        } else {
            return Err(SettingError::UnknownOption {
                strategy: strategy.name().into(),
                option: option.into(),
                known: option_names(strategy).collect(),
            });
        }
        Ok(self)
    }

    /// Sets several options.
    ///
    /// # Errors
    /// Same as [`Variant::with`].
    pub fn with_all<'o>(
        mut self,
        options: impl IntoIterator<Item = (&'o String, &'o Value)>,
    ) -> Result<Variant<'s>, SettingError> {
        for (name, value) in options {
            self = self.with(name, value.clone())?;
        }
        Ok(self)
    }

    /// Sets the model's context window in tokens, if known.
    pub fn for_window(mut self, window: Option<u32>) -> Variant<'s> {
        self.options.window = window;
        self
    }

    /// Sets the texts written by a model for the strategy in one run, in order.
    pub fn with_texts<T: Into<WrittenText>>(mut self, texts: impl IntoIterator<Item = T>) -> Variant<'s> {
        self.options.texts = texts.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the content of the file named by the option `prompt`.
    pub fn with_prompt(mut self, text: &str) -> Variant<'s> {
        self.options.prompt = Some(text.trim_end().into());
        self
    }

    /// Sets another text of the SYSTEM message.
    pub fn with_system(mut self, text: EcoString) -> Variant<'s> {
        self.system = Some(text);
        self
    }

    /// Sets the options `read`, `write` and `ttl` from a model's prices and cache.
    ///
    /// # Errors
    /// The strategy lacks these options, or the model's input is free.
    pub fn at_prices(self, price: &Price) -> Result<Variant<'s>, SettingError> {
        let ttl = price.ttl.map_or(0, TimeSpan::seconds);
        let write = price.write.unwrap_or(price.input) / price.input;
        self.with("read", price.read / price.input)?.with("write", write)?.with("ttl", i64::from(ttl))
    }

    /// The messages of the next request of a conversation. `tokens` counts the tokens of a text.
    ///
    /// ```
    /// use conversation::{Conversation, Message, Role};
    /// use history_strategies::{TRIMMING, Variant};
    ///
    /// let mut messages = vec![Message::new(Role::User, "Count to 9.")];
    /// for number in 1..9 {
    ///     messages.push(Message::new(Role::Assistant, number.to_string()));
    ///     messages.push(Message::new(Role::Tool, "Go on."));
    /// }
    /// let words = |text: &str| text.split_whitespace().count() as u64;
    /// let trim = Variant::new(TRIMMING).with("keep_recent_turns", 2)?;
    /// let sent = trim.shorten(&Conversation::from_messages(&messages)?, &words)?;
    /// let texts: Vec<&str> = sent.iter().map(|message| message.content.as_str()).collect();
    /// assert_eq!(texts, ["Count to 9.", "7", "Go on.", "8", "Go on."]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`Variant::render`].
    pub fn shorten(
        &self,
        conversation: &Conversation,
        tokens: &TextTokens<'_>,
    ) -> Result<Vec<Message>, StrategyError> {
        let history = History::new(Cow::Borrowed(conversation), tokens).with_systems(self.system.iter());
        Ok(self.render(&history.whole())?.messages)
    }

    /// Renders the request before the next turn. Below the trigger, and for single-shot runs, `full-history` renders it.
    ///
    /// # Errors
    /// The strategy fails; built-in ones never do.
    pub fn render(&self, view: &View<'_>) -> Result<Rendered, StrategyError> {
        Ok(self.render_ids(view)?.map(|id| view.messages().message(id)))
    }

    /// Like [`Variant::render`], with identifiers from the view's table.
    ///
    /// # Errors
    /// Same as [`Variant::render`].
    pub fn render_ids(&self, view: &View<'_>) -> Result<Rendered<MessageId>, StrategyError> {
        let view = &view.with_system(self.system.as_ref());
        let strategy = self.strategy_for(view);
        Ok(self.named_in(strategy, strategy.to_ids(view, &self.options)?))
    }

    /// Like [`Variant::render_ids`], but may leave out messages of the previous request rendered with the view's memo: see
    /// [`Rendered::kept`]. With it, rendering all requests of a long conversation takes linear time.
    ///
    /// # Errors
    /// Same as [`Variant::render`].
    pub fn render_next(&self, view: &View<'_>) -> Result<Rendered<MessageId>, StrategyError> {
        let view = &view.with_system(self.system.as_ref());
        let strategy = self.strategy_for(view);
        let is_compressed = strategy.name() != BASELINE.name();
        let extends = match view.memo().map(|memo| memo.begin_request(is_compressed)) {
            Some(true) => Extends::Previous,
            Some(false) => Extends::Whole,
            None => Extends::Nothing,
        };
        Ok(self.named_in(strategy, strategy.to_next_ids(&view.extending(extends), &self.options)?))
    }

    /// The strategy, or `full-history` below the trigger.
    fn strategy_for(&self, view: &View<'_>) -> &'s dyn Strategy {
        let is_single_shot = view.conversation().max_turns.is_some_and(|most| most <= 1);
        let compresses = !is_single_shot && is_met(&self.options, view);
        if compresses { self.strategy } else { BASELINE }
    }

    /// A request of this strategy under the variant's name.
    fn named_in(&self, strategy: &dyn Strategy, mut rendered: Rendered<MessageId>) -> Rendered<MessageId> {
        rendered.statistics.strategy = self.name.clone();
        rendered.statistics.enabled = strategy.name() != BASELINE.name();
        rendered
    }
}

/// Returns true if these options' trigger fires, so the request after the view is compressed.
fn is_met(options: &Options, view: &View<'_>) -> bool {
    let trigger = options.trigger;
    let turns = trigger.turns.map(|turns| view.completed() > turns as usize);
    if trigger.idle.is_some() {
        let was_idle = was_idle(options, view);
        if was_idle || trigger.is_idle_only() {
            return was_idle;
        }
    }
    // Either bound fires the trigger. Without bounds it always fires.
    match options.tokens_of(trigger) {
        Some(tokens) => turns == Some(true) || view.largest_trigger_size(options) >= tokens,
        None => turns.unwrap_or(true),
    }
}

/// Whether a pause fired the trigger in the first turns.
#[derive(Default)]
struct Idle {
    completed: usize,
    was_idle: bool,
}

/// Returns true if some pause so far fired the trigger.
fn was_idle(options: &Options, view: &View<'_>) -> bool {
    view.carry(|idle: &mut Idle| {
        let (start, sizes) = (view.start_tokens(), view.turn_tokens());
        while !idle.was_idle && idle.completed < view.completed() {
            idle.completed += 1;
            let completed = idle.completed;
            let counted = start + sizes.get(completed).copied().unwrap_or(0);
            let request = SizedRequest { completed, counted, first: 0, shortened_at: None };
            let size = view.trigger_size(options, request);
            idle.was_idle = options.trigger.is_idle(view.pause_after(completed), size);
        }
        idle.was_idle
    })
}
