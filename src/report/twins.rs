//! Tells which scenarios have others that are like them. Only these have to be remembered while sums are made.

use serde::{Deserialize, Serialize};

/// Other scenarios of the same evaluation that are like one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Twins {
    /// True if another one may have its name, or one that some systems do not tell from it.
    pub in_name: bool,
    /// True if another one may be the same run.
    pub in_run: bool,
}

impl Twins {
    /// The twins of a scenario of which nothing is known.
    pub const POSSIBLE: Twins = Twins { in_name: true, in_run: true };
}
