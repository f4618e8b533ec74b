//! Measures of requests. Each is a function of the table of messages and the requests of one strategy; a new one is a file
//! here, a field of [`MeasuredRequest`] and a line in [`Measures::run`].

mod acceptable;
mod bill;
pub mod evidence;
pub mod measured;
mod native_calls;
pub mod numbers;
mod prefix;
mod requests;
mod tokens;

pub use acceptable::refusal;
pub use measured::{BreakAt, Gauges, MeasuredRequest, MeasuredRun, RequestMessages};
pub use requests::{Requests, SentRequest};

use std::sync::Arc;

use ecow::EcoString;

use crate::agent::{Pauses, RunOutcome, Turn};
use crate::compression::History;
use crate::messages::{MessageId, Table};
use crate::scenario::Scenario;
use acceptable::Acceptance;
use evidence::{EvidenceFinder, Needs};
use native_calls::NativeCalls;

/// Measures the strategies of one scenario, one after the other.
pub struct Measures<'m> {
    gauges: &'m Gauges<'m>,
    pub needs: Needs,
    /// Of each turn's raw response.
    pub output_tokens: Vec<u32>,
    /// Tokens of the declared tools, which stand before all messages.
    tools_tokens: u32,
    acceptance: Acceptance<'m>,
    native_calls: NativeCalls,
    pauses: Arc<Pauses>,
    finder: EvidenceFinder,
}

impl<'m> Measures<'m> {
    /// Measures of requests whose messages are in the table of this history.
    pub fn new(
        scenario: &'m Scenario,
        outcome: &RunOutcome,
        history: &History<'_>,
        gauges: &'m Gauges<'m>,
    ) -> Measures<'m> {
        let (needs, index) = Needs::in_history(scenario, history);
        let tools = scenario.agent.recorded.iter().flat_map(|recorded| &recorded.tools);
        Measures {
            gauges,
            needs,
            output_tokens: output_tokens(outcome, gauges),
            tools_tokens: tools.map(|tool| gauges.tokenizer.count(tool)).sum(),
            acceptance: Acceptance::new(&scenario.agent),
            native_calls: NativeCalls::of(&outcome.turns),
            pauses: Arc::clone(&scenario.agent.pauses),
            finder: EvidenceFinder::new(index),
        }
    }

    /// Measures the requests of a strategy. `number` gives the numbers that name their messages.
    pub fn run(
        &mut self,
        name: &EcoString,
        table: &Table,
        requests: &Requests,
        mut number: impl FnMut(MessageId) -> u32,
    ) -> MeasuredRun {
        let tokens = tokens::request_tokens(table, requests, self.tools_tokens);
        let prefixes = prefix::prefixes(table, requests, &tokens, self.gauges.tokenizer);
        let valid = self.acceptance.of(table, requests);
        let evidence = self.finder.find(&self.needs, table, requests);
        let measures = tokens.into_iter().zip(prefixes).zip(valid).zip(evidence);
        let outputs = self.output_tokens.iter().copied().chain(std::iter::repeat(0));
        let measured = requests.iter().zip(outputs).zip(measures);
        let measured = measured.map(|((request, output_tokens), (((tokens, prefix), valid), evidence))| {
            MeasuredRequest {
                turn: request.turn,
                messages: RequestMessages {
                    kept: request.kept as u32,
                    added: request.added.iter().map(|id| number(*id)).collect(),
                },
                input_tokens: tokens.input,
                output_tokens,
                prefix_tokens: prefix.tokens,
                break_at: prefix.break_at,
                evidence,
                hidden_tool_calls: request.hidden_tool_calls,
                valid,
                statistics: request.statistics.clone(),
                bills: Vec::with_capacity(self.gauges.models.len()),
            }
        });
        let mut run = MeasuredRun {
            name: name.clone(),
            requests: measured.collect(),
            other_costs: Vec::new(),
            rewrites_calls: self.native_calls.are_rewritten(table, requests),
        };
        bill::charge(&mut run, table, requests, self.gauges, self.tools_tokens, &self.pauses);
        run
    }
}

/// Tokens of each turn's raw response, with its native calls.
fn output_tokens(outcome: &RunOutcome, gauges: &Gauges<'_>) -> Vec<u32> {
    let responses: Vec<&str> = outcome.turns.iter().map(|turn| turn.raw_response.as_str()).collect();
    let counted = gauges.tokenizer.count_all(&responses);
    let count = |text: &str| u64::from(gauges.tokenizer.count(text));
    let of_calls = |turn: &Turn| {
        turn.recorded.as_ref().map_or(0, |recorded| recorded.answer.native_tokens(count) as u32)
    };
    let turns = counted.iter().zip(outcome.turns.iter());
    turns.map(|(said, turn)| said.tokens() + of_calls(turn)).collect()
}
