//! How many more sessions would decide whether a change had an effect.
//!
//! The variance of the measured change is the sum of the variances of both sides, and that of a side falls with the
//! number of its sessions. So the interval is as narrow as necessary once the sum has shrunk by the square of the
//! necessary factor.

use super::{Effect, Outcome, Promise, SessionCosts, resampled_interval};

/// More sessions than this are no advice. Chosen, not measured.
const MOST: usize = 500;

/// Sessions from before a change, once it was made.
const OLDER: &str = "older logs, or with the change switched off for a while";

/// The sessions of a side, and the width of the interval if only they vary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SideSpread {
    pub sessions: usize,
    pub width: f64,
}

/// New sessions from before a change are hard to get, so up to this many times as many sessions after it are preferred. Chosen, not measured.
const WORTH_WAITING: usize = 3;

/// The estimated number of sessions that would decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoreSessions {
    /// More sessions from before and after the change.
    About { before: usize, after: usize },
    /// More than 500 sessions: the measured change is too close to zero, or to the prediction.
    TooMany,
    /// A side has one session, so its spread is unknown.
    Unknown,
}

impl MoreSessions {
    /// Estimates the sessions that would decide. `None` if the effect is decided.
    pub fn of(
        effect: &Effect,
        predicted: Option<f64>,
        before: &[SessionCosts],
        after: &[SessionCosts],
    ) -> Option<MoreSessions> {
        if effect.interval.is_none() {
            return Some(MoreSessions::Unknown);
        }
        narrow(effect, predicted)?;
        let spread = |sessions: &[SessionCosts], is_resampled| {
            let (least, most) = resampled_interval(before, after, is_resampled)?;
            Some(SideSpread { sessions: sessions.len(), width: most - least })
        };
        let sides = [spread(before, [true, false])?, spread(after, [false, true])?];
        MoreSessions::estimate(effect, predicted, sides)
    }

    /// The same for known spreads of both sides, before the change first.
    pub fn estimate(effect: &Effect, predicted: Option<f64>, sides: [SideSpread; 2]) -> Option<MoreSessions> {
        let (factor, _) = narrow(effect, predicted)?;
        let [earlier, later] = sides.map(|side| side.width * side.width);
        let allowed = (earlier + later) * factor * factor;
        let both = sides.map(|side| side.sessions_for(1.0 / (factor * factor)));
        let mut options = vec![(both[0], both[1])];
        // With the other side as it is.
        if allowed > earlier {
            options.insert(0, (0, sides[1].sessions_for(later / (allowed - earlier))));
        }
        if allowed > later {
            options.push((sides[0].sessions_for(earlier / (allowed - later)), 0));
        }
        let smallest = options.iter().min_by_key(|(before, after)| before.saturating_add(*after))?;
        let patience = smallest.0.saturating_add(smallest.1).saturating_mul(WORTH_WAITING);
        let (before, after) = match options.first() {
            Some((0, after)) if *after <= patience.min(MOST) => (0, *after),
            _ => *smallest,
        };
        match before.saturating_add(after) {
            0..=MOST => Some(MoreSessions::About { before, after }),
            _ => Some(MoreSessions::TooMany),
        }
    }

    /// `About 12 more sessions after the change would decide it, if they are like these.`
    pub fn sentence(self, effect: &Effect, predicted: Option<f64>) -> String {
        let goal = narrow(effect, predicted).map_or(Goal::Saving, |(_, goal)| goal);
        let answer = match goal {
            Goal::Saving => "decide it",
            Goal::Prediction => "show whether the prediction is reached",
        };
        let like = "if they are like these";
        let sessions = |number: usize| if number == 1 { "session" } else { "sessions" };
        match self {
            MoreSessions::About { before: 0, after } => {
                format!("About {after} more {} after the change would {answer}, {like}.", sessions(after))
            }
            MoreSessions::About { before, after: 0 } => format!(
                "About {before} more {} from before the change would {answer}, {like}: {OLDER}.",
                sessions(before)
            ),
            MoreSessions::About { before, after } => format!(
                "About {before} more {} from before the change ({OLDER}) and {after} after it would {answer}, {like}. \
                 With sessions after it alone, it would need far more.",
                sessions(before)
            ),
            MoreSessions::TooMany => {
                let reason = match goal {
                    Goal::Saving => "the measured change is too small for this spread",
                    Goal::Prediction => "the sessions differ too much",
                };
                format!("More than {MOST} sessions would be needed to {answer}: {reason}.")
            }
            MoreSessions::Unknown => {
                "How many are needed cannot be estimated from one session on a side: give at least \
                                      2 on each side."
                    .to_owned()
            }
        }
    }
}

impl SideSpread {
    /// The additional sessions when this side should have `times` as many.
    fn sessions_for(self, times: f64) -> usize {
        // In hundredths, so that a rounding error is no session.
        let needed = (self.sessions as f64 * times * 100.0).round() / 100.0;
        (needed.ceil() as usize).saturating_sub(self.sessions).max(1)
    }
}

/// What more sessions would show.
#[derive(Clone, Copy)]
enum Goal {
    /// Whether the cost fell.
    Saving,
    /// Whether the predicted change is reached.
    Prediction,
}

/// The factor by which the interval has to shrink around the measured change, and what it then shows. `None` if it is narrow enough.
fn narrow(effect: &Effect, predicted: Option<f64>) -> Option<(f64, Goal)> {
    let (least, most) = effect.interval?;
    let change = effect.change();
    let bounds = match effect.outcome(predicted) {
        // The one that needs fewer sessions comes first.
        Outcome::Undecided(Promise::Possible | Promise::Confirmed) => {
            vec![(0.0, Goal::Saving), (predicted?, Goal::Prediction)]
        }
        Outcome::Undecided(_) => vec![(0.0, Goal::Saving)],
        Outcome::Fell(Promise::Possible) => {
            return Some((predicted?.abs() / (most - least), Goal::Prediction));
        }
        _ => return None,
    };
    let mut best = (0.0, Goal::Saving);
    for (bound, goal) in bounds {
        let part = if bound < change { change - least } else { most - change };
        if part > 0.0 && (bound - change).abs() / part > best.0 {
            best = ((bound - change).abs() / part, goal);
        }
    }
    // A bound at the edge of the interval needs a little less than all of it.
    Some((best.0.min(NEARLY), best.1))
}

/// The largest factor: the interval has to shrink at all. Chosen, not measured.
const NEARLY: f64 = 0.99;
