//! The first screen of `advise`, for the terminal and the page: the money, the actions and the evidence.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use crate::measure::numbers::grouped;

/// Ranges from this many dollars on are shown without cents.
const WHOLE_DOLLARS: f64 = 10.0;

/// The content of the screen.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FirstScreen {
    /// The sessions and the total, one line each.
    pub heading: Vec<String>,
    pub money: Vec<MoneyRow>,
    /// The total by session, by model and by day; only for the page.
    pub splits: Vec<MoneySplit>,
    /// The names of sessions for people, by scenario; only for the page.
    pub sessions: BTreeMap<String, String>,
    /// The most expensive session.
    pub dearest: Option<String>,
    pub actions: Vec<Action>,
    /// How the savings add up, such as `1 and 2 together: at least $15`. `None` for a single action.
    pub together: Option<String>,
    /// The number of actions left out for lack of room.
    #[serde(skip)]
    pub more: usize,
    /// Sentences below the actions.
    pub notes: Vec<String>,
    /// Further sentences, for screens with room.
    pub asides: Vec<String>,
    /// Sentences on how strong the evidence is, and on ways to make it stronger.
    pub evidence: Vec<String>,
}

/// The total divided by one criterion, such as sessions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoneySplit {
    pub title: String,
    pub rows: Vec<MoneyRow>,
}

/// A part of the cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoneyRow {
    #[serde(serialize_with = "serialize_dollars")]
    pub dollars: f64,
    /// As a share of the total.
    pub share: f64,
    pub text: String,
}

/// A change for the agent's owner to make.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Action {
    pub title: String,
    /// Dollars saved: minimum, maximum.
    #[serde(serialize_with = "serialize_saving")]
    pub saves: (f64, f64),
    /// The price besides money, as a sentence without a full stop; empty if there is none.
    pub loses: String,
    /// Lines to paste or to know.
    pub lines: Vec<ActionLine>,
    /// The source of the saving.
    #[serde(skip)]
    pub basis: Basis,
}

/// A line below an action.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ActionLine {
    pub text: String,
    /// True for a line to paste.
    pub is_code: bool,
}

/// The source of an action's saving.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The token counts in the logs.
    Counts,
    /// The same, for a compaction before each break.
    Breaks,
    /// The same, for a longer cache lifetime.
    Lifetime,
    /// The same, for a cheaper model for subagents: it may take other numbers of tokens.
    Subagents,
    /// A simulated compaction; its evidence gets a separate sentence.
    Compaction,
    /// A simulated clearing of tool results; its evidence gets a separate sentence.
    Clearing,
    /// A simulated limit on tool results; its evidence gets a separate sentence.
    OutputLimit,
    /// A simulated strategy.
    Strategy,
    /// A simulated strategy that saves nothing if the agent needs more turns with it.
    PassedOver,
}

impl FirstScreen {
    /// The total cost in dollars; `None` if unknown.
    pub(super) fn total(&self) -> Option<f64> {
        let row = self.money.first().filter(|row| row.share > 0.0)?;
        Some(row.dollars / row.share)
    }

    /// The answer if there is nothing to change.
    pub fn answer(&self) -> Option<&str> {
        self.notes.first().filter(|_| self.actions.is_empty()).map(String::as_str)
    }
}

impl ActionLine {
    /// Lines to paste.
    pub fn code(text: &str) -> impl Iterator<Item = ActionLine> {
        text.lines().map(|line| ActionLine { text: line.to_owned(), is_code: true })
    }

    pub fn words(text: impl Into<String>) -> ActionLine {
        ActionLine { text: text.into(), is_code: false }
    }
}

impl Action {
    /// The saving: `$17 to $22`, `$3.63`, `up to $0.15`.
    pub fn saving(&self) -> String {
        saving_in_words(self.saves)
    }
}

/// `$17 to $22`, `$3.63`, `up to $0.15`
pub(super) fn saving_in_words((least, most): (f64, f64)) -> String {
    let (from, to) = (dollars(least), dollars(most));
    if from == to {
        return to;
    }
    if least <= 0.0 {
        return format!("up to {to}");
    }
    let [from, to] = [least, most].map(|end| range_end(end, least));
    format!("{from} to {to}")
}

/// The page shows the words of the terminal.
fn serialize_saving<S: Serializer>(saves: &(f64, f64), serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&saving_in_words(*saves))
}

fn serialize_dollars<S: Serializer>(amount: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&dollars(*amount))
}

/// A lower bound, rounded down: `$15`, `$3.64`.
pub fn lower_bound(amount: f64) -> String {
    match amount {
        WHOLE_DOLLARS.. => format!("${}", grouped(amount.floor() as u64)),
        0.1.. => format!("${:.2}", (amount * 100.0).floor() / 100.0),
        amount => dollars(amount),
    }
}

/// An end of a range. Cents are false precision in a range of many dollars.
fn range_end(amount: f64, least: f64) -> String {
    if least >= WHOLE_DOLLARS { format!("${}", grouped(amount.round() as u64)) } else { dollars(amount) }
}

/// An amount on the screen: `$1,204`, `$13.80`, `$0.0042`.
pub fn dollars(amount: f64) -> String {
    match amount {
        amount if amount >= 1000.0 => format!("${}", grouped(amount.round() as u64)),
        amount if amount >= 0.1 || amount == 0.0 => format!("${amount:.2}"),
        amount => format!("${amount:.4}"),
    }
}
