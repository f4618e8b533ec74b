//! Compares the old and new text of golden files: the tokens of their requests, and the evidence that they
//! show.

use ecow::EcoString;

use crate::measure::evidence::{EvidenceItem, Needs};
use crate::snapshot::RunSections;
use crate::snapshot::requests::{UnreadableRequest, requests_of};
use crate::snapshot::text::{RUN, SYSTEM_PROMPT};
use ptc_tokens::{REQUEST_OVERHEAD, Tokenizer};

/// The effect of changes of golden files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Impact {
    /// By name.
    pub strategies: Vec<StrategyImpact>,
    /// Evidence that only the old texts show.
    pub losses: Vec<Loss>,
    /// Evidence that only the new texts show.
    pub gains: Vec<Loss>,
    /// Number of changes that are not among these, since a text cannot be read.
    pub unread: usize,
}

/// The sums of one strategy over the golden files that were added.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StrategyImpact {
    pub name: EcoString,
    pub before: Sum,
    pub after: Sum,
}

/// The sums of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sum {
    /// Of all requests that got an answer.
    pub input_tokens: u64,
    /// Things that the known answers need, and those of them that requests show.
    needed: u32,
    shown: u32,
}

/// Evidence that one side does not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    pub scenario: String,
    pub strategy: EcoString,
    /// The turn whose answer relies on it.
    pub turn: u32,
    pub what: EvidenceItem,
}

impl Sum {
    /// The share of evidence that its requests show; none if no known answer needs any.
    pub fn evidence(&self) -> Option<f64> {
        (self.needed > 0).then(|| f64::from(self.shown) / f64::from(self.needed))
    }
}

impl Impact {
    /// Adds a golden file that changes from one text to another, whose new messages are whole. One that cannot be read is
    /// counted. `needs` is the evidence that the answers of its scenario need, if that can be replayed.
    pub fn add(&mut self, key: &str, (old, new): (&str, &str), needs: Option<&Needs>, tokenizer: &Tokenizer) {
        let (scenario, strategy) = key.rsplit_once('/').unwrap_or(("", key));
        if strategy == RUN {
            return;
        }
        let sides = [old, new].map(|text| side(key, text, needs, tokenizer));
        let [Ok((before, lost_before)), Ok((after, lost_after))] = sides else {
            self.unread += 1;
            return;
        };
        let sums = self.of(strategy);
        sums.before.add(before);
        sums.after.add(after);
        let loss = |(turn, what): &(u32, EvidenceItem)| Loss {
            scenario: scenario.to_string(),
            strategy: strategy.into(),
            turn: *turn,
            what: what.clone(),
        };
        self.losses.extend(lost_after.iter().filter(|lost| !lost_before.contains(lost)).map(loss));
        self.gains.extend(lost_before.iter().filter(|lost| !lost_after.contains(lost)).map(loss));
    }

    /// Returns true if neither tokens nor evidence change.
    pub fn is_nothing(&self) -> bool {
        let moved = self.strategies.iter().any(|strategy| strategy.before != strategy.after);
        !moved && self.losses.is_empty() && self.gains.is_empty() && self.unread == 0
    }

    fn of(&mut self, strategy: &str) -> &mut StrategyImpact {
        let at = self.strategies.binary_search_by(|known| known.name.as_str().cmp(strategy));
        let at = at.unwrap_or_else(|at| {
            let new = StrategyImpact { name: strategy.into(), ..StrategyImpact::default() };
            self.strategies.insert(at, new);
            at
        });
        &mut self.strategies[at]
    }
}

impl Sum {
    fn add(&mut self, other: Sum) {
        self.input_tokens += other.input_tokens;
        self.needed += other.needed;
        self.shown += other.shown;
    }
}

/// The sums of a text, and the evidence that it lacks, with the turns that rely on it.
fn side(
    key: &str,
    body: &str,
    needs: Option<&Needs>,
    tokenizer: &Tokenizer,
) -> Result<(Sum, Vec<(u32, EvidenceItem)>), UnreadableRequest> {
    let (mut sum, mut lost) = (Sum::default(), Vec::new());
    if key == SYSTEM_PROMPT {
        sum.input_tokens = u64::from(tokenizer.count(body));
        return Ok((sum, lost));
    }
    for request in requests_of(body, &RunSections::default())?.iter().filter(|request| request.is_answered) {
        let count = |text: &str| u64::from(tokenizer.count(text));
        // Golden files have no declared tools, which are the same on both sides.
        let messages = request.messages.iter().map(|message| message.tokens(count)).sum::<u64>();
        sum.input_tokens += messages + u64::from(REQUEST_OVERHEAD);
        if let Some(needs) = needs {
            let index = (request.turn as usize).saturating_sub(1);
            // SYSTEM, which shows the least of it, is searched last.
            let evidence = needs.examine(index, |atom, opening| {
                let sought = atom.sought();
                request.messages.iter().rev().any(|message| sought.is_shown(message, opening))
            });
            sum.needed += evidence.needed();
            sum.shown += evidence.shown;
            lost.extend(evidence.lost.into_iter().map(|what| (request.turn, what)));
        }
    }
    Ok((sum, lost))
}
