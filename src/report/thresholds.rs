//! Checks a suite's thresholds.

use super::comparison::Comparison;
use super::totals::Totals;
use super::verdicts::Crossed;
use crate::scenario::suite::{Bound, Threshold};

/// The crossed thresholds, including those for a strategy or model not measured. Increases are measured from
/// `baseline`; numbers missing there, such as those of a new strategy, cannot increase.
pub fn crossed(comparison: &Comparison, thresholds: &[Threshold], baseline: Option<&Totals>) -> Vec<Crossed> {
    let earlier = baseline.map(|before| Earlier { before, now: comparison.comparable(before) });
    thresholds
        .iter()
        .filter_map(|threshold| judge_threshold(comparison, threshold, earlier.as_ref()))
        .collect()
}

/// The numbers of an earlier report, and the current ones over the same scenarios.
struct Earlier<'b> {
    before: &'b Totals,
    now: Totals,
}

/// The condition of a threshold: `trim: evidence is at least 0.9`.
pub fn promise(threshold: &Threshold) -> String {
    let Threshold { strategy, metric, bound } = threshold;
    match bound {
        Bound::Min(least) => format!("{strategy}: {metric} is at least {least}"),
        Bound::Max(most) => format!("{strategy}: {metric} is at most {most}"),
        Bound::MaxIncrease(share) => format!("{strategy}: {metric} grows by at most {:.1}%", share * 100.0),
    }
}

fn judge_threshold(
    comparison: &Comparison,
    threshold: &Threshold,
    earlier: Option<&Earlier<'_>>,
) -> Option<Crossed> {
    let message = find_violation(comparison, threshold, earlier)?;
    Some(Crossed { threshold: threshold.clone(), message })
}

fn find_violation(
    comparison: &Comparison,
    threshold: &Threshold,
    earlier: Option<&Earlier<'_>>,
) -> Option<String> {
    let Some(strategy) = comparison.strategy(&threshold.strategy) else {
        return Some("is not measured; list the strategy under strategies".to_owned());
    };
    let Some((_, cell)) = strategy.cells().into_iter().find(|(name, _)| *name == threshold.metric) else {
        return Some("is not measured; list the model under models".to_owned());
    };
    let found = cell.number()?;
    let text = cell.plain();
    match threshold.bound {
        Bound::Min(least) if found < least => Some(format!("is {text}, expected at least {least}")),
        Bound::Max(most) if found > most => Some(format!("is {text}, expected at most {most}")),
        Bound::MaxIncrease(share) => {
            let Earlier { before, now } = earlier?;
            let before = before.number(&threshold.strategy, &threshold.metric)?;
            let text = now.cell(&threshold.strategy, &threshold.metric)?;
            if relative_increase(before, text.parse().ok()?) <= share {
                return None;
            }
            let percent = share * 100.0;
            Some(format!("is {text}, more than {percent:.1}% above the {before} of the baseline report"))
        }
        Bound::Min(_) | Bound::Max(_) => None,
    }
}

/// The relative increase. Both numbers are rounded as in files, so rounding alone is no increase.
fn relative_increase(before: f64, now: f64) -> f64 {
    if now <= before { 0.0 } else { (now - before) / before.abs() }
}
