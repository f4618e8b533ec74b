//! Golden files of the strategies of one scenario. They are written while the requests are rendered.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::message_lines::lines_of_message;
use super::reference::repeating;
use super::run_sections::RunSections;
use super::spans::SpanWriter;
use super::text::{Snapshot, snapshot};
use crate::agent::{Native, Role};
use crate::compression::{BASELINE, Request};
use crate::scenario::Scenario;
use conversation::{Extension, MessageId, Messages, Stretches};
use ptc_tokens::Key;

/// Writer of the golden files of a scenario's strategies.
pub struct Goldens<'r> {
    scenario: &'r Scenario,
    run: RunSections<'r>,
    /// The numbers of messages. Messages that look the same in a golden file have one number, though the table tells them apart.
    numbers: FxHashMap<(Role, Key, Option<Arc<Native>>), u32>,
    /// The golden file of the baseline, once it is written.
    baseline: Option<Baseline>,
}

/// The golden file of the baseline.
struct Baseline {
    body: String,
    requests: Vec<WrittenRequest>,
}

/// A request in the golden file of the baseline.
#[derive(PartialEq, Eq)]
struct WrittenRequest {
    is_answered: bool,
    /// The numbers of its messages.
    messages: Extension,
}

/// Golden file of one strategy that is being written.
pub struct GoldenDraft {
    strategy: String,
    writer: SpanWriter,
    /// True if all requests so far are those of the baseline. Nothing is written then, since the file may become the line that says
    /// so.
    repeats: bool,
    /// Number of requests.
    requests: usize,
    written: Vec<WrittenRequest>,
    /// The messages of the newest request.
    last: Vec<u32>,
    stretches: Stretches,
    /// By the position of a message in the table, its number, if the strategy has sent it.
    numbers: Vec<Option<u32>>,
    /// By number, a message that has it, if the strategy has sent one.
    ids: Vec<MessageId>,
}

impl<'r> Goldens<'r> {
    /// The writer for a scenario whose run has this golden file.
    pub fn new(scenario: &'r Scenario, run: &'r Snapshot) -> Goldens<'r> {
        Goldens { scenario, run: RunSections::of(&run.body), numbers: FxHashMap::default(), baseline: None }
    }

    /// The golden file of a strategy without requests.
    pub fn draft(&self, strategy: &str) -> GoldenDraft {
        GoldenDraft {
            strategy: strategy.to_owned(),
            writer: SpanWriter::default(),
            repeats: self.baseline.is_some() && strategy != BASELINE.name(),
            requests: 0,
            written: Vec::new(),
            last: Vec::new(),
            stretches: Stretches::default(),
            numbers: Vec::new(),
            ids: Vec::new(),
        }
    }

    /// Adds a request with messages of this table.
    pub fn add(&mut self, draft: &mut GoldenDraft, request: &Request<MessageId>, messages: &Messages<'_>) {
        let numbers: Vec<u32> = request.messages.iter().map(|id| self.number(draft, *id, messages)).collect();
        let messages_added = Extension::new(&draft.last, &numbers, &mut draft.stretches);
        let written = WrittenRequest { is_answered: request.is_answered, messages: messages_added };
        let position = draft.requests;
        draft.requests += 1;
        if let Some(baseline) = self.baseline.as_ref().filter(|_| draft.repeats) {
            if baseline.requests.get(position) == Some(&written) {
                draft.last = numbers;
                return;
            }
            draft.repeats = false;
            self.repeat(draft, position, messages);
        }
        draft.writer.add(&numbers, request.is_answered, |number| {
            self.lines(draft.ids[number as usize], request.turn, messages)
        });
        if self.baseline.is_none() {
            draft.written.push(written);
        }
        draft.last = numbers;
    }

    /// Writes the first requests of the baseline, which the strategy has sent too.
    fn repeat(&self, draft: &mut GoldenDraft, requests: usize, messages: &Messages<'_>) {
        let known = self.baseline.iter().flat_map(|baseline| &baseline.requests);
        let mut numbers = Vec::new();
        for (turn, request) in (1..).zip(known.take(requests)) {
            request.messages.extend(&mut numbers);
            draft.writer.add(&numbers, request.is_answered, |number| {
                self.lines(draft.ids[number as usize], turn, messages)
            });
        }
    }

    fn lines(&self, id: MessageId, turn: u32, messages: &Messages<'_>) -> Vec<String> {
        lines_of_message(&messages.message(id), Some(&self.run), turn)
    }

    fn number(&mut self, draft: &mut GoldenDraft, id: MessageId, messages: &Messages<'_>) -> u32 {
        let at = id.index();
        if let Some(Some(number)) = draft.numbers.get(at) {
            return *number;
        }
        let table = messages.table();
        let row = table.row(id);
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry((row.role, row.text, row.native.clone())).or_insert(next);
        if draft.numbers.len() <= at {
            draft.numbers.resize(at + 1, None);
        }
        draft.numbers[at] = Some(number);
        if draft.ids.len() <= number as usize {
            // Numbers that the strategy has not sent are never looked up.
            draft.ids.resize(number as usize + 1, id);
        }
        draft.ids[number as usize] = id;
        number
    }

    /// The golden file of a strategy whose requests are all added. That of the baseline is kept for strategies that repeat it.
    pub fn finish(&mut self, mut draft: GoldenDraft, messages: &Messages<'_>) -> Snapshot {
        let baseline = self.baseline.as_ref().filter(|_| draft.repeats);
        if baseline.is_some_and(|baseline| baseline.requests.len() == draft.requests) {
            return snapshot(self.scenario, &draft.strategy, repeating(BASELINE.name()));
        }
        if draft.repeats {
            let requests = draft.requests;
            self.repeat(&mut draft, requests, messages);
        }
        let body = draft.writer.body();
        if draft.strategy == BASELINE.name() && self.baseline.is_none() {
            self.baseline = Some(Baseline { body: body.clone(), requests: draft.written });
        }
        snapshot(self.scenario, &draft.strategy, body)
    }

    /// The body of the baseline's golden file; empty if it has none.
    pub fn baseline(&self) -> &str {
        self.baseline.as_ref().map_or("", |baseline| &baseline.body)
    }
}
