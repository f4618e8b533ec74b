//! The first screen of `advise`, for the terminal and the page: the money, the actions and the evidence.

use serde::Serialize;

use crate::measure::numbers::grouped;

/// Ranges from this on are in whole dollars.
const WHOLE_DOLLARS: f64 = 10.0;

/// The first screen.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FirstScreen {
    /// The sessions and the sum, a line each.
    pub heading: Vec<String>,
    pub money: Vec<MoneyRow>,
    /// The sum by session, by model and by day, for the page alone.
    pub splits: Vec<MoneySplit>,
    /// The most expensive session.
    pub dearest: Option<String>,
    pub actions: Vec<Action>,
    /// The dollars that all actions save together at least. `None` for a single action.
    pub together: Option<f64>,
    /// Sentences below the actions.
    pub notes: Vec<String>,
    /// Sentences on how strong the evidence is, and what would make it stronger.
    pub evidence: Vec<String>,
}

/// The sum in parts of one kind, such as sessions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoneySplit {
    pub title: String,
    pub rows: Vec<MoneyRow>,
}

/// A use of money.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoneyRow {
    pub dollars: f64,
    /// The share of the sum.
    pub share: f64,
    pub text: String,
}

/// A change that the owner of an agent can make.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Action {
    pub title: String,
    /// Dollars saved: the least and the most.
    pub saves: (f64, f64),
    /// What it costs besides money, as a sentence without a full stop. Empty if it costs nothing.
    pub loses: String,
    /// Lines to paste or to know.
    pub lines: Vec<String>,
    /// Where the saving comes from.
    #[serde(skip)]
    pub basis: Basis,
}

/// Where the saving of an action comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The token counts in the logs.
    Counts,
    /// A simulated compaction, whose evidence has a sentence of its own.
    Compaction,
    /// A simulated clearing of tool results, with the same.
    Clearing,
    /// A simulated strategy.
    Strategy,
}

impl Action {
    /// The saving: `$17 to $22`, `$3.63`, `up to $0.15`.
    pub fn saving(&self) -> String {
        let (least, most) = self.saves;
        let (from, to) = (dollars(least), dollars(most));
        if from == to {
            return to;
        }
        if least <= 0.0 {
            return format!("up to {to}");
        }
        // The ends of a range this wide are no matter of cents.
        if least >= WHOLE_DOLLARS {
            return format!("${} to ${}", grouped(least.round() as u64), grouped(most.round() as u64));
        }
        format!("{from} to {to}")
    }
}

/// An amount of money on the screen: `$1,204`, `$13.80`, `$0.0042`.
pub fn dollars(amount: f64) -> String {
    match amount {
        amount if amount >= 1000.0 => format!("${}", grouped(amount.round() as u64)),
        amount if amount >= 0.1 || amount == 0.0 => format!("${amount:.2}"),
        amount => format!("${amount:.4}"),
    }
}
