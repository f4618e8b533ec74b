//! Golden files of one scenario's strategies, written while the requests are rendered.

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

/// Writes the golden files of a scenario's strategies.
pub struct Goldens<'r> {
    scenario: &'r Scenario,
    run: RunSections<'r>,
    /// Message numbers. Messages that look the same in a golden file share a number, even if the table distinguishes them.
    numbers: FxHashMap<(Role, Key, Option<Arc<Native>>), u32>,
    /// The finished golden file of the baseline.
    baseline: Option<Baseline>,
}

/// The finished golden file of the baseline.
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

/// A strategy's golden file under construction.
pub struct GoldenDraft {
    strategy: String,
    writer: SpanWriter,
    /// True if all requests so far equal the baseline's. Nothing is written yet, since the file may end up as a reference to the baseline.
    repeats: bool,
    /// Number of requests.
    requests: usize,
    written: Vec<WrittenRequest>,
    /// The messages of the newest request.
    last: Vec<u32>,
    stretches: Stretches,
    /// Message numbers by table position; `None` if the strategy has not sent the message.
    numbers: Vec<Option<u32>>,
    /// By message number, a message with this number if the strategy has sent one.
    ids: Vec<MessageId>,
}

impl<'r> Goldens<'r> {
    /// A writer for a scenario, given the golden file of its run.
    pub fn new(scenario: &'r Scenario, run: &'r Snapshot) -> Goldens<'r> {
        Goldens { scenario, run: RunSections::of(&run.body), numbers: FxHashMap::default(), baseline: None }
    }

    /// An empty golden file of a strategy.
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

    /// Adds a request with messages from this table.
    pub fn add(&mut self, draft: &mut GoldenDraft, request: &Request<MessageId>, messages: &Messages<'_>) {
        let mut numbers = Vec::with_capacity(request.messages.len());
        for id in &request.messages {
            numbers.push(self.number_message(draft, *id, messages));
        }
        let messages_added = Extension::after(&mut draft.last, request.kept, &numbers, &mut draft.stretches);
        let written = WrittenRequest { is_answered: request.is_answered, messages: messages_added };
        let position = draft.requests;
        draft.requests += 1;
        if let Some(baseline) = &self.baseline
            && draft.repeats
        {
            if baseline.requests.get(position) == Some(&written) {
                return;
            }
            draft.repeats = false;
            self.repeat_baseline(draft, position, messages);
        }
        draft.writer.add_request(request.kept, &numbers, request.is_answered, |number| {
            self.lines_of(draft.ids[number as usize], request.turn, messages)
        });
        if self.baseline.is_none() {
            draft.written.push(written);
        }
    }

    /// Writes the first requests of the strategy, which equal the baseline's.
    fn repeat_baseline(&self, draft: &mut GoldenDraft, requests: usize, messages: &Messages<'_>) {
        let Some(baseline) = &self.baseline else { return };
        let mut numbers = Vec::new();
        for (turn, request) in (1..).zip(baseline.requests.iter().take(requests)) {
            request.messages.extend(&mut numbers);
            draft.writer.add_request(0, &numbers, request.is_answered, |number| {
                self.lines_of(draft.ids[number as usize], turn, messages)
            });
        }
    }

    fn lines_of(&self, id: MessageId, turn: u32, messages: &Messages<'_>) -> Vec<String> {
        lines_of_message(&messages.message(id), Some(&self.run), turn)
    }

    fn number_message(&mut self, draft: &mut GoldenDraft, id: MessageId, messages: &Messages<'_>) -> u32 {
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
            // Fills the gap: numbers not sent by the strategy are never looked up.
            draft.ids.resize(number as usize + 1, id);
        }
        draft.ids[number as usize] = id;
        number
    }

    /// Finishes a strategy's golden file. The baseline's is kept, so that equal strategies can refer to it.
    pub fn finish(&mut self, mut draft: GoldenDraft, messages: &Messages<'_>) -> Snapshot {
        if draft.repeats {
            if let Some(baseline) = &self.baseline
                && baseline.requests.len() == draft.requests
            {
                return snapshot(self.scenario, &draft.strategy, repeating(BASELINE.name()));
            }
            let requests = draft.requests;
            self.repeat_baseline(&mut draft, requests, messages);
        }
        let body = draft.writer.write_body();
        if draft.strategy == BASELINE.name() && self.baseline.is_none() {
            self.baseline = Some(Baseline { body: body.clone(), requests: draft.written });
        }
        snapshot(self.scenario, &draft.strategy, body)
    }

    /// The body of the baseline's golden file; empty if it is not written.
    pub fn baseline(&self) -> &str {
        self.baseline.as_ref().map_or("", |baseline| &baseline.body)
    }
}
