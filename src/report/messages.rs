//! The distinct messages of a scenario: requests repeat most of what the ones before said, so each message
//! is looked at once. It compares texts and counts nothing.

use rustc_hash::FxHashMap;

use crate::agent::{Message, Role};
use crate::replay::ScenarioResult;

/// Each distinct message once, in the order in which strategies and requests first send it.
pub struct DistinctMessages<'r> {
    pub messages: Vec<&'r Message>,
    by_place: FxHashMap<(*const u8, usize, Role), u32>,
    by_text: FxHashMap<(Role, &'r str), u32>,
}

/// Where a message first stands in a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub strategy: u32,
    pub request: u32,
    pub message: u32,
}

impl Place {
    /// The message that stands there.
    pub fn find(self, result: &ScenarioResult) -> Option<&Message> {
        let run = result.strategies.get(self.strategy as usize)?;
        run.requests.get(self.request as usize)?.messages.get(self.message as usize)
    }
}

impl<'r> DistinctMessages<'r> {
    /// The messages of all requests; for each request of each strategy their numbers; where each is found.
    pub fn of(result: &'r ScenarioResult) -> (DistinctMessages<'r>, Vec<Vec<Vec<u32>>>, Vec<Place>) {
        let mut distinct = DistinctMessages {
            messages: Vec::new(),
            by_place: FxHashMap::default(),
            by_text: FxHashMap::default(),
        };
        let mut places = Vec::new();
        let mut numbers = Vec::with_capacity(result.strategies.len());
        for (strategy, run) in (0..).zip(&result.strategies) {
            let mut of_run = Vec::with_capacity(run.requests.len());
            for (request, sent) in (0..).zip(&run.requests) {
                let mut of_request = Vec::with_capacity(sent.messages.len());
                for (message, content) in (0..).zip(&sent.messages) {
                    let number = distinct.number(content);
                    if number as usize == places.len() {
                        places.push(Place { strategy, request, message });
                    }
                    of_request.push(number);
                }
                of_run.push(of_request);
            }
            numbers.push(of_run);
        }
        (distinct, numbers, places)
    }

    pub fn get(&self, number: u32) -> Option<&'r Message> {
        self.messages.get(number as usize).copied()
    }

    /// The number of a message, the next one if it is new. Requests share texts, so that most are known
    /// by where they lie in memory.
    fn number(&mut self, message: &'r Message) -> u32 {
        let text = message.content.as_str();
        let place = (text.as_ptr(), text.len(), message.role);
        if let Some(&known) = self.by_place.get(&place) {
            return known;
        }
        let number = *self.by_text.entry((message.role, text)).or_insert_with(|| {
            self.messages.push(message);
            self.messages.len() as u32 - 1
        });
        self.by_place.insert(place, number);
        number
    }
}
