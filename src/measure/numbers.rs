//! Formats numbers with fixed decimals, the same on every machine, and adds costs of models.

use std::ops::AddAssign;

use conversation::cut::split_start;
use ptc_prices::Money;

pub use agent_logs::grouped;

/// One value of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Count(u64),
    /// A share or a multiple; `None` if there is nothing to compare with.
    Ratio(Option<f64>),
    Money(Money),
    Text(String),
}

impl Cell {
    /// Text for programs: no unit, empty if there is no value.
    pub fn plain(&self) -> String {
        match self {
            Cell::Count(count) => count.to_string(),
            Cell::Ratio(Some(ratio)) => format!("{ratio:.4}"),
            Cell::Ratio(None) => String::new(),
            Cell::Money(money) => money.to_string(),
            Cell::Text(text) => text.clone(),
        }
    }

    /// JSON; null if there is no value.
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Cell::Count(count) => (*count).into(),
            Cell::Text(text) => text.as_str().into(),
            Cell::Ratio(_) | Cell::Money(_) => self.plain().parse::<f64>().ok().into(),
        }
    }

    /// Its numeric value; `None` for text.
    pub fn number(&self) -> Option<f64> {
        match self {
            Cell::Count(count) => Some(*count as f64),
            Cell::Ratio(ratio) => *ratio,
            Cell::Money(money) => Some(money.dollars()),
            Cell::Text(_) => None,
        }
    }
}

/// `$1,234`, `$12.34`, `$0.452`, `$0.0052`
pub fn dollars(amount: f64) -> String {
    match amount {
        100.0.. => format!("${}", grouped(amount.round() as u64)),
        10.0.. => format!("${amount:.2}"),
        0.1.. => format!("${amount:.3}"),
        _ => format!("${amount:.4}"),
    }
}

/// An amount as written on a bill: `$1,234.56`, but `$0.452` or `$0.0052` below a dollar.
pub fn billed_dollars(amount: f64) -> String {
    let cents = (amount * 100.0).round() as u64;
    match amount {
        1.0.. => format!("${}.{:02}", grouped(cents / 100), cents % 100),
        _ => dollars(amount),
    }
}

/// `12,345`, `2.4 M`
pub fn in_millions(number: u64) -> String {
    match number {
        0..1_000_000 => grouped(number),
        _ => format!("{:.1} M", number as f64 / 1e6),
    }
}

/// `62.5%`; a dash for `None`.
pub fn percent(share: Option<f64>) -> String {
    share.map_or("–".to_owned(), |share| format!("{:.1}%", share * 100.0))
}

/// `1.25`; a dash for `None`.
pub fn decimal(number: Option<f64>) -> String {
    number.map_or("–".to_owned(), |number| format!("{number:.2}"))
}

/// Formats a cell for people: groups digits, writes a dash for an empty cell.
pub fn shown(cell: &str) -> String {
    match cell.parse::<u64>() {
        Ok(count) => grouped(count),
        Err(_) if cell.is_empty() => "–".to_owned(),
        Err(_) => cell.to_owned(),
    }
}

/// `+2.1%`
pub fn signed_percent(share: f64) -> String {
    format!("{:+.1}%", share * 100.0)
}

/// `+2.1%`, `+<0.1%`, `±0%`
pub fn changed_share(share: f64) -> String {
    match share.abs() {
        0.0..0.000_05 => "±0%".to_owned(),
        0.000_05..0.000_5 => format!("{}<0.1%", if share < 0.0 { "-" } else { "+" }),
        _ => signed_percent(share),
    }
}

/// `5%`, `2.5%`
pub fn percentage(share: f64) -> String {
    format!("{}%", (share * 1000.0).round() / 10.0)
}

/// `at least 2% cheaper`
pub fn cheaper(min_saving: f64) -> String {
    if min_saving > 0.0 {
        format!("at least {} cheaper", percentage(min_saving))
    } else {
        "cheaper".to_owned()
    }
}

/// Shortens a name to the width of a column.
pub fn shortened(name: &str, width: usize) -> String {
    match name.chars().count() {
        length if length <= width => name.to_owned(),
        _ => format!("{}…", split_start(name, width.saturating_sub(1)).0),
    }
}

/// Adds costs to sums, both in the order of the models. Extends the sums if they are shorter.
pub fn add_by_model<T: Copy + Default + AddAssign>(
    sums: &mut Vec<T>,
    costs: impl ExactSizeIterator<Item = T>,
) {
    sums.resize(sums.len().max(costs.len()), T::default());
    sums.iter_mut().zip(costs).for_each(|(sum, cost)| *sum += cost);
}
