//! What a change of golden files costs: the tokens of the requests in the old text and in the new one, and
//! what they show of what the answers rest on. It knows the two texts, not the code that wrote them.

use ecow::EcoString;

use super::evidence::{Demand, Lost, examine, stands_in};
use crate::snapshot::requests::{ReadRequest, requests_of};
use crate::snapshot::text::{RUN, SYSTEM_PROMPT};
use ptc_tokens::Tokenizer;

/// What changes of golden files come to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Impact {
    /// By name.
    pub strategies: Vec<StrategyImpact>,
    /// What answers rest on and only the old texts showed.
    pub losses: Vec<Loss>,
    /// What only the new texts show.
    pub gains: Vec<Loss>,
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
    /// Requests whose answers are known.
    answered: u32,
    shares: f64,
}

/// One thing that an answer rests on and that one side does not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    pub scenario: String,
    pub strategy: EcoString,
    /// The turn whose answer rests on it.
    pub turn: u32,
    pub what: Lost,
}

impl Sum {
    /// The mean over its requests of the share that is shown; none where no answer is known.
    pub fn evidence(&self) -> Option<f64> {
        (self.answered > 0).then(|| self.shares / f64::from(self.answered))
    }
}

impl Impact {
    /// Adds a golden file that changes from one body to another. `demands` is what the answers of its
    /// scenario rest on, if that can be replayed.
    pub fn add(
        &mut self,
        key: &str,
        (old, new): (&str, &str),
        demands: Option<&[Demand]>,
        tokenizer: &Tokenizer,
    ) {
        let (scenario, strategy) = key.rsplit_once('/').unwrap_or(("", key));
        if strategy == RUN {
            return;
        }
        let scale = Scale { demands: demands.unwrap_or_default(), tokenizer };
        let (before, lost_before) = scale.side(key, old);
        let (after, lost_after) = scale.side(key, new);
        let sums = self.of(strategy);
        sums.before.add(before);
        sums.after.add(after);
        let loss = |(turn, what): &(u32, Lost)| Loss {
            scenario: scenario.to_string(),
            strategy: strategy.into(),
            turn: *turn,
            what: what.clone(),
        };
        self.losses.extend(lost_after.iter().filter(|lost| !lost_before.contains(lost)).map(loss));
        self.gains.extend(lost_before.iter().filter(|lost| !lost_after.contains(lost)).map(loss));
    }

    /// Whether neither tokens nor evidence change.
    pub fn is_nothing(&self) -> bool {
        let moved = self.strategies.iter().any(|strategy| strategy.before != strategy.after);
        !moved && self.losses.is_empty() && self.gains.is_empty()
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
        self.answered += other.answered;
        self.shares += other.shares;
    }
}

struct Scale<'s> {
    demands: &'s [Demand],
    tokenizer: &'s Tokenizer,
}

impl Scale<'_> {
    /// The sums of a text, and what it does not show, with the turns that rest on it.
    fn side(&self, key: &str, body: &str) -> (Sum, Vec<(u32, Lost)>) {
        let (mut sum, mut lost) = (Sum::default(), Vec::new());
        if key == SYSTEM_PROMPT {
            sum.input_tokens = u64::from(self.tokenizer.count(body));
            return (sum, lost);
        }
        for request in requests_of(body).iter().filter(|request| request.is_answered) {
            sum.input_tokens += self.tokens(request);
            if let Some(demand) = self.demands.get((request.turn as usize).saturating_sub(1)) {
                let evidence = examine(demand, |what| shows(request, what));
                sum.answered += 1;
                sum.shares += evidence.share();
                lost.extend(evidence.lost.into_iter().map(|what| (request.turn, what)));
            }
        }
        (sum, lost)
    }

    fn tokens(&self, request: &ReadRequest) -> u64 {
        let contents = request.messages.iter().map(|message| message.content.as_str());
        u64::from(self.tokenizer.request_tokens(contents))
    }
}

/// SYSTEM, which shows the least of it, is searched last.
fn shows(request: &ReadRequest, what: &str) -> bool {
    request.messages.iter().rev().any(|message| stands_in(what, &message.content))
}
