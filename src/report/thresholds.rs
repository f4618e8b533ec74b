//! Bounds that a suite sets for its strategies, and which of them are crossed. Whether that fails a run
//! is for others to say.

use std::fmt;

use super::comparison::Comparison;
use crate::scenario::suite::{Bound, Threshold};

/// A threshold that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossed {
    pub strategy: String,
    pub metric: String,
    /// What was bound to what, and what was found.
    pub message: String,
}

impl fmt::Display for Crossed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} {}", self.strategy, self.metric, self.message)
    }
}

/// A committed report that cannot be compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaselineError {
    pub message: String,
}

impl fmt::Display for BaselineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for BaselineError {}

/// The thresholds that do not hold. `baseline` is the text of the `strategies.csv` that increases are
/// measured from; what it does not hold, such as a new strategy, cannot increase.
///
/// # Errors
/// The baseline is not such a file.
pub fn crossed(
    comparison: &Comparison,
    thresholds: &[Threshold],
    baseline: Option<&str>,
) -> Result<Vec<Crossed>, BaselineError> {
    let baseline = baseline.map(BaselineReport::parse).transpose()?;
    Ok(thresholds.iter().filter_map(|threshold| judge(comparison, threshold, baseline.as_ref())).collect())
}

fn judge(
    comparison: &Comparison,
    threshold: &Threshold,
    baseline: Option<&BaselineReport>,
) -> Option<Crossed> {
    let strategy = comparison.strategy(&threshold.strategy)?;
    let (_, cell) = strategy.cells().into_iter().find(|(name, _)| *name == threshold.metric)?;
    let found = cell.number()?;
    let text = cell.plain();
    let message = match threshold.bound {
        Bound::Min(least) if found < least => format!("is {text}, expected at least {least}"),
        Bound::Max(most) if found > most => format!("is {text}, expected at most {most}"),
        Bound::MaxIncrease(share) => {
            let before = baseline?.number(&threshold.strategy, &threshold.metric)?;
            if found <= before * (1.0 + share) {
                return None;
            }
            let percent = share * 100.0;
            format!("is {text}, more than {percent:.1}% above the {before} of the baseline report")
        }
        Bound::Min(_) | Bound::Max(_) => return None,
    };
    let (strategy, metric) = (threshold.strategy.clone(), threshold.metric.clone());
    Some(Crossed { strategy, metric, message })
}

/// An earlier `strategies.csv`.
struct BaselineReport {
    names: csv::StringRecord,
    rows: Vec<csv::StringRecord>,
}

impl BaselineReport {
    fn parse(text: &str) -> Result<BaselineReport, BaselineError> {
        let refuse = |reason: String| BaselineError {
            message: format!(
                "the baseline report is no strategies.csv: {reason}; write it anew with `ptc-eval run`"
            ),
        };
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let names = reader.headers().map_err(|error| refuse(error.to_string()))?.clone();
        if names.get(0) != Some("strategy") {
            return Err(refuse("expected 'strategy' as its first column".to_owned()));
        }
        let rows = reader.records().collect::<Result<_, _>>().map_err(|error| refuse(error.to_string()))?;
        Ok(BaselineReport { names, rows })
    }

    fn number(&self, strategy: &str, metric: &str) -> Option<f64> {
        let column = self.names.iter().position(|name| name == metric)?;
        let row = self.rows.iter().find(|row| row.get(0) == Some(strategy))?;
        row.get(column)?.parse().ok()
    }
}
