//! Predicts the bill of a conversation under a strategy that shortens its history.
//!
//! [`bills_under`] sends the requests of a strategy through a simulated cache for each model, and returns a [`Bill`](ptc_prices::Bill) for
//! each request and model. A [`SizedRun`] does the same for requests that are already in a table of messages, with
//! [`Sizes`] other than the counted ones, or at the price of the model that gave each answer ([`LoggedPrices`]).

#![warn(missing_docs)]

mod answer_bills;
mod blocks;
mod charge;
mod explained;
mod logged_prices;
mod model_cache;
mod prefix;
mod sizes;
mod tariff;

use std::borrow::Cow;

use conversation::Conversation;
use history_strategies::{History, Request, Requests, StrategyError, Variant};
use ptc_prices::{Money, Price};
use ptc_tokens::Tokenizer;

pub use answer_bills::{AnswerBill, AnswerBills, BilledModel, CallDollars};
pub use charge::{MeasuredCall, RunBills, SentRun, SizedRun};
pub use explained::{Explained, Explainer, Explanation, InputDollars, ModelFactor, median};
pub use logged_prices::{AnsweredBy, DatedPrices, LoggedPrices};
pub use prefix::{BreakAt, Prefix};
pub use sizes::{BilledAnswer, SizedRequest, Sizes, TurnSize};
pub use tariff::{RunPrices, Tariff};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Predicts the bills of a conversation's requests under a strategy, with one column per price. The pauses of the
/// conversation decide which cache entries expire.
///
/// ```
/// use conversation::{Conversation, Message, Role};
/// use conversation_bills::bills_under;
/// use history_strategies::{FULL_HISTORY, Variant};
/// use ptc_prices::PriceTable;
/// use ptc_tokens::Tokenizer;
///
/// let conversation = Conversation::from_messages(&[
///     Message::new(Role::User, "Where is my parcel?"),
///     Message::new(Role::Assistant, "I search for parcel 48213."),
///     Message::new(Role::Tool, "It is in Osaka."),
///     Message::new(Role::Assistant, "Your parcel is in Osaka."),
/// ])?;
/// let prices = PriceTable::built_in()?;
/// let price = prices.find("claude-sonnet-4-5", prices.day())?;
/// let tokenizer = Tokenizer::named("o200k_base")?;
/// let bills = bills_under(&Variant::new(FULL_HISTORY), &conversation, &[price], &tokenizer)?;
/// assert_eq!(bills.requests.len(), 2);
/// assert!(bills.total(0).dollars() > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns the error of the strategy. The strategies of `history_strategies` never fail.
pub fn bills_under(
    variant: &Variant<'_>,
    conversation: &Conversation,
    prices: &[Price],
    tokenizer: &Tokenizer,
) -> Result<RunBills, StrategyError> {
    let count = |text: &str| u64::from(tokenizer.count(text));
    let history = History::new(Cow::Borrowed(conversation), &count);
    let mut requests = Requests::default();
    let mut outputs = Vec::with_capacity(conversation.turns.len());
    for (completed, turn) in conversation.turns.iter().enumerate() {
        let rendered = variant.render_ids(&history.after(completed))?;
        requests.push(Request::new(turn.number, rendered, true));
        let calls = turn.answer.native_tokens(count);
        outputs.push(tokenizer.count(&turn.answer.content).saturating_add(calls as u32));
    }
    let mut tools_tokens = 0;
    for tool in &conversation.tools {
        tools_tokens += tokenizer.count(tool);
    }
    let table = history.messages().table();
    let sent = SentRun {
        table: &table,
        requests: &requests,
        outputs: &outputs,
        tools_tokens,
        pauses: &conversation.pauses,
        tokenizer,
    };
    let sizes = Sizes::default();
    let sized = SizedRun::new(sent, &sizes);
    let mut bills = sized.unbilled();
    sized.charge(&mut bills, Tariff::Models(prices), false);
    Ok(bills)
}

impl RunBills {
    /// The cost of the whole run in a column, including the strategy's own calls.
    pub fn total(&self, column: usize) -> Money {
        let mut total = Money::default();
        for bill in self.requests.iter().filter_map(|bills| bills.get(column)) {
            total += bill.cost;
        }
        total
    }
}
