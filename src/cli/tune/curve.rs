//! Prints cost curves over thresholds on the terminal.

use crate::evaluate::{Curve, CurvePoint, SweptThreshold};
use crate::measure::numbers::grouped;
use crate::report::Standing;

/// Longest bar, in characters.
const BAR: u128 = 24;

/// Prints the cost of each strategy at each threshold, and marks the lowest.
pub(super) fn print(curves: &[Curve], baseline: Standing) {
    for curve in curves {
        match curve.least() {
            Some(least) => print_curve(curve, least, baseline),
            None => outln!("\n{}: no request is large enough", heading_of_curve(curve)),
        }
    }
}

fn print_curve(curve: &Curve, least: &CurvePoint, baseline: Standing) {
    outln!("\n{}: cost, answers that would lack a fact they use", heading_of_curve(curve));
    let mut points: Vec<(&str, Standing)> = Vec::with_capacity(curve.points.len() + 1);
    let mut most = 0;
    for point in &curve.points {
        points.push((&point.value, point.standing));
        most = most.max(point.standing.cost);
    }
    points.push(("today", curve.today));
    for (value, standing) in points {
        let pointer = if value == least.value { '>' } else { ' ' };
        let (change, short) = (super::describe_change(standing, baseline), grouped(standing.short));
        let bar = "▇".repeat((standing.cost.min(most) * BAR / most.max(1)) as usize);
        outln!("{pointer} {value:>6}{change:>9}{short:>8}  {bar}");
    }
}

/// `summary by share of the window`
fn heading_of_curve(Curve { strategy, threshold, .. }: &Curve) -> String {
    match threshold {
        SweptThreshold::Window => format!("{strategy} by share of the window"),
        SweptThreshold::KeptTokens => format!("{strategy} by recent tokens kept"),
    }
}
