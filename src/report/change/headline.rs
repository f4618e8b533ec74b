//! The headline of the comment on a pull request: what was edited, what it costs, and what is lost.

use super::ChangeList;
use crate::compression::cut::shortened;
use crate::measure::numbers::{changed_share, grouped};
use crate::report::suite_numbers::SuiteNumbers;
use crate::report::tables::code;

/// Most characters of an edit's name in the headline.
const EDIT: usize = 80;

/// `` `suite.yaml  compression.println_limit 15 → 14`: cost -4.9%, 26 more answers would lack a fact ``. The edit is the one that loses
/// most facts. `whole` has the sums of the strategy table. Empty without a change.
pub(in crate::report) fn headline(list: &ChangeList, whole: Option<&SuiteNumbers>) -> String {
    let changes = list.sorted();
    let Some(first) = changes.first() else { return String::new() };
    let edit = code(&shortened(&first.cause.title(), EDIT));
    let more = match changes.len() - 1 {
        0 => String::new(),
        1 => " and 1 more change".to_owned(),
        more => format!(" and {} more changes", grouped(more as u64)),
    };
    format!("{edit}{more}: {}", describe_effect(list, whole))
}

fn describe_effect(list: &ChangeList, whole: Option<&SuiteNumbers>) -> String {
    let (shares, [before, now]) = match (whole, &list.sums) {
        (Some(whole), _) => (whole.cost_shares(), whole.short()),
        (None, Some([before, after])) => {
            let mut shares = Vec::new();
            for (before, after) in before.costs.iter().zip(&after.costs) {
                let (before, after) = (before.dollars(), after.dollars());
                shares.extend((before > 0.0).then(|| (after - before) / before));
            }
            (shares, [before.short, after.short])
        }
        (None, None) => return "cost and lost facts are not known".to_owned(),
    };
    let fewer = before.saturating_sub(now);
    let loss = match (now.saturating_sub(before), list.losing(), list.len()) {
        (0, 0, _) if fewer == 1 => "1 fewer answer would lack a fact".to_owned(),
        (0, 0, _) if fewer > 1 => format!("{} fewer answers would lack a fact", grouped(fewer)),
        (0, 0, _) => "no fact lost".to_owned(),
        (0, _, 1) => "loses facts".to_owned(),
        (0, 1, _) => "1 of them loses facts".to_owned(),
        (0, losing, _) => format!("{losing} of them lose facts"),
        (1, ..) => "1 more answer would lack a fact".to_owned(),
        (more, ..) => format!("{} more answers would lack a fact", grouped(more)),
    };
    match cost_words(&shares) {
        Some(cost) => format!("{cost}, {loss}"),
        None => loss,
    }
}

/// `cost -4.9%`, or `cost -4.9% to +2.1%` over several models. `None` without a known cost.
fn cost_words(shares: &[f64]) -> Option<String> {
    let least = shares.iter().copied().reduce(f64::min)?;
    let most = shares.iter().copied().reduce(f64::max)?;
    let (least, most) = (changed_share(least), changed_share(most));
    match least == most {
        true if least == "±0%" => Some("same cost".to_owned()),
        true => Some(format!("cost {least}")),
        false => Some(format!("cost {least} to {most}, depending on the model")),
    }
}
