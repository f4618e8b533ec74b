//! Finds changes for the model in one scenario, and the edits that caused them. Requests are compared whole. If only one edit reaches the
//! scenario, it is the cause. If several do, the earlier suite is replayed with each of them alone.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::earlier::{EarlierSuite, GoldenFiles, requests_body, run_body};
use crate::agent::{Role, SystemPrompt};
use crate::measure::evidence::{EvidenceItem, Grade};
use crate::measure::{Gauges, MeasuredRequest};
use crate::report::ScenarioRecord;
use crate::report::change::compared::{Element, RequestDifference, Side, Texts, compare, names_of};
use crate::report::change::{Cause, ChangedLines, DifferencePart, ScenarioDifference, Sums, Worst};
use crate::snapshot::RunSections;
use crate::snapshot::requests::requests_of;
use crate::snapshot::run_turns::answers;

/// Most edits of one scenario to tell apart. Each takes a replay or two.
const MOST_EDITS: usize = 32;

/// Finds differences between golden files and today's requests.
#[derive(Clone, Copy)]
pub struct DifferenceFinder<'d> {
    pub golden: &'d dyn GoldenFiles,
    /// The suite of the golden files. `None` if it is not available.
    pub earlier: Option<&'d dyn EarlierSuite>,
    /// Also compare scenarios with unchanged golden files, when `golden` are not the accepted files.
    pub compares_all: bool,
}

/// A scenario with requests that differ from its golden files.
struct Differing<'d> {
    finder: DifferenceFinder<'d>,
    gauges: Gauges<'d>,
    record: &'d ScenarioRecord,
    texts: Texts,
    names: Vec<String>,
    /// Its answers are programs only: golden files of runs contain nothing else.
    golden: Side,
    new: Side,
    has_same_answers: bool,
    rows: Vec<RequestDifference>,
}

/// A possible cause of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Candidate {
    Edit(usize),
    Program,
}

/// The scenario replayed with one edit.
struct Alone {
    candidate: Candidate,
    /// The differences that it causes.
    explained: FxHashSet<Element>,
    record: Option<ScenarioRecord>,
}

impl Alone {
    /// Returns true if it causes this difference, exact or with abstracted numbers.
    fn explains(&self, exact: Element, plain: Element) -> bool {
        self.explained.contains(&exact) || self.explained.contains(&plain)
    }
}

impl<'d> DifferenceFinder<'d> {
    /// The changes for the model in a scenario. `file` is its path below the suite's folder, `run` the body of its run snapshot. `None` if
    /// nothing changed, or without golden files.
    pub fn find(
        self,
        record: &'d ScenarioRecord,
        file: &str,
        run: &str,
        gauges: Gauges<'d>,
    ) -> Option<ScenarioDifference> {
        let old_run = run_body(self.golden, &record.name)?;
        let mut texts = Texts::default();
        let mut golden = Side { answers: answers(&old_run), strategies: Vec::new() };
        let sections = RunSections::of(&old_run);
        for strategy in &record.strategies {
            if strategy.requests.is_empty() {
                continue;
            }
            let Some(body) = requests_body(self.golden, &record.name, &strategy.name) else { continue };
            // An unreadable file counts as one without requests.
            let requests = match requests_of(&body, &sections) {
                Ok(read) => texts.read_requests(&read),
                Err(_) => Vec::new(),
            };
            golden.strategies.push((strategy.name.to_string(), requests));
        }
        let system = record.system.as_deref().unwrap_or(SystemPrompt::text());
        let mut new = texts.side_of(record, system);
        new.strategies.retain(|(_, requests)| !requests.is_empty());
        let programs = Side { answers: answers(run), ..new.clone() };
        let has_same_answers = golden.answers == programs.answers;
        let names = names_of(&golden, &new);
        let rows = compare(&mut texts, &names, &golden, &programs);
        if rows.is_empty() {
            return None;
        }
        let differing =
            Differing { finder: self, gauges, record, texts, names, golden, new, has_same_answers, rows };
        Some(differing.find_causes(file))
    }
}

impl Differing<'_> {
    fn find_causes(mut self, file: &str) -> ScenarioDifference {
        let earlier = match self.finder.earlier {
            Some(earlier) if earlier.is_known() => Some(earlier),
            _ => None,
        };
        let before = match earlier {
            Some(earlier) => self.replay_with(earlier, &BTreeSet::new()),
            None => None,
        };
        let strategies = self.strategies_of(&self.rows);
        let mut difference = ScenarioDifference {
            requests: self.rows.len() as u64,
            sums: None,
            parts: Vec::new(),
            strategies,
        };
        let (Some(earlier), Some(before)) = (earlier, before) else {
            let cause = Cause::Guess(self.guess_layer());
            difference.parts.push(self.part_of_rows(cause, &self.rows, None));
            return difference;
        };
        let replayed = self.side_of(&before);
        let by_program = self.changed_by_program(&replayed);
        let mut candidates: Vec<Candidate> =
            earlier.reaching(file).into_iter().map(Candidate::Edit).collect();
        let is_program = !by_program.is_empty();
        if is_program {
            candidates.push(Candidate::Program);
        } else {
            let after = Sums::of(self.record, &difference.strategies);
            difference.sums = Some([Sums::of(&before, &difference.strategies), after]);
        }
        match candidates.as_slice() {
            [] => {
                let cause = Cause::Guess(self.guess_layer());
                difference.parts.push(self.part_of_rows(cause, &self.rows, None));
            }
            [Candidate::Program] => {
                difference.parts.push(self.part_of_rows(Cause::Program, &self.rows, None));
            }
            [Candidate::Edit(edit)] => {
                let cause = Cause::Edit(earlier.title(*edit));
                difference.parts.push(self.part_of_rows(cause, &self.rows, Some((&before, self.record))));
            }
            edits if edits.len() > MOST_EDITS => {
                let cause = Cause::Together(vec![format!("{} edits", edits.len())]);
                difference.parts.push(self.part_of_rows(cause, &self.rows, Some((&before, self.record))));
            }
            candidates => {
                let candidates = candidates.to_vec();
                difference.parts =
                    self.attribute_rows(earlier, &candidates, (&before, &replayed, by_program));
            }
        }
        difference
    }

    /// The parts of the difference, when several edits reach the scenario.
    fn attribute_rows(
        &mut self,
        earlier: &dyn EarlierSuite,
        candidates: &[Candidate],
        (before, replayed, by_program): (&ScenarioRecord, &Side, FxHashSet<Element>),
    ) -> Vec<DifferencePart> {
        let mut alone = Vec::new();
        for candidate in candidates {
            alone.push(match candidate {
                Candidate::Program => {
                    Alone { candidate: *candidate, explained: by_program.clone(), record: None }
                }
                Candidate::Edit(edit) => {
                    let record = self.replay_with(earlier, &BTreeSet::from([*edit]));
                    let explained = match &record {
                        Some(record) => {
                            let side = self.side_of(record);
                            self.changed_elements(replayed, &side)
                        }
                        None => FxHashSet::default(),
                    };
                    Alone { candidate: *candidate, explained, record }
                }
            });
        }
        let rest = self.unexplained(&alone);
        let mut together = BTreeSet::new();
        if !rest.is_empty() {
            together = self.needed_edits(earlier, candidates, &rest);
            if together.len() == 1
                && let Some(known) = alone.iter_mut().find(|alone| together.contains(&alone.candidate))
            {
                known.explained.extend(&rest);
                together.clear();
            }
        }
        let mut parts = Vec::new();
        for Alone { candidate, explained, record } in &alone {
            let rows = self.rows_with(explained);
            if rows.is_empty() {
                continue;
            }
            let cause = match candidate {
                Candidate::Edit(edit) => Cause::Edit(earlier.title(*edit)),
                Candidate::Program => Cause::Program,
            };
            let records = record.as_ref().map(|record| (before, record));
            parts.push(self.part_of_rows(cause, &rows, records));
        }
        let rows = self.rows_with(&rest);
        if !together.is_empty() && !rows.is_empty() {
            let mut titles = Vec::with_capacity(together.len());
            for candidate in &together {
                titles.push(match candidate {
                    Candidate::Edit(edit) => earlier.title(*edit),
                    Candidate::Program => Cause::Program.title(),
                });
            }
            parts.push(self.part_of_rows(Cause::Together(titles), &rows, None));
        }
        parts
    }

    /// The edits needed for these elements to change; all if no single one is needed.
    fn needed_edits(
        &mut self,
        earlier: &dyn EarlierSuite,
        candidates: &[Candidate],
        rest: &FxHashSet<Element>,
    ) -> BTreeSet<Candidate> {
        let all: BTreeSet<usize> = (0..earlier.count()).collect();
        let mut needed = BTreeSet::new();
        for candidate in candidates {
            let Candidate::Edit(edit) = candidate else { continue };
            let mut others = all.clone();
            others.remove(edit);
            let Some(record) = self.replay_with(earlier, &others) else {
                needed.insert(*candidate);
                continue;
            };
            let side = self.side_of(&record);
            let rows = compare(&mut self.texts, &self.names, &side, &self.new);
            for row in &rows {
                if row.exact_elements(&self.texts).iter().any(|element| rest.contains(element)) {
                    needed.insert(*candidate);
                    break;
                }
            }
        }
        if needed.is_empty() { candidates.iter().copied().collect() } else { needed }
    }

    fn replay_with(&self, earlier: &dyn EarlierSuite, edits: &BTreeSet<usize>) -> Option<ScenarioRecord> {
        earlier.with(edits)?.record(&self.record.name, self.gauges)
    }

    fn side_of(&mut self, record: &ScenarioRecord) -> Side {
        let system = record.system.as_deref().unwrap_or(SystemPrompt::text());
        let mut side = self.texts.side_of(record, system);
        side.strategies.retain(|(name, _)| self.names.contains(name));
        side
    }

    /// Differences caused by the program itself: it renders the earlier suite differently today. Strategies missing on one side are
    /// ignored.
    fn changed_by_program(&mut self, replayed: &Side) -> FxHashSet<Element> {
        let (mut golden, mut replayed) = (self.golden.clone(), replayed.clone());
        golden.strategies.retain(|(name, _)| !replayed.requests_of(name).is_empty());
        replayed.strategies.retain(|(name, _)| !golden.requests_of(name).is_empty());
        // Golden files have only the programs of answers, so pair turns by number.
        for side in [&mut golden, &mut replayed] {
            side.answers = (0..side.answers.len()).map(|turn| turn.to_string()).collect();
        }
        self.changed_elements(&golden, &replayed)
    }

    /// All differences between two sides, as exact lines and as lines with abstracted numbers.
    fn changed_elements(&mut self, old: &Side, new: &Side) -> FxHashSet<Element> {
        let rows = compare(&mut self.texts, &self.names, old, new);
        let texts = &self.texts;
        let mut changed = FxHashSet::default();
        for row in &rows {
            changed.extend(row.exact_elements(texts));
            changed.extend(row.abstract_elements(texts));
        }
        changed
    }

    /// The elements of the rows that no single candidate explains.
    fn unexplained(&self, alone: &[Alone]) -> FxHashSet<Element> {
        let mut rest = FxHashSet::default();
        for row in &self.rows {
            let exact = row.exact_elements(&self.texts);
            for (element, plain) in exact.into_iter().zip(row.abstract_elements(&self.texts)) {
                if !alone.iter().any(|alone| alone.explains(element, plain)) {
                    rest.insert(element);
                }
            }
        }
        rest
    }

    /// The rows, reduced to these elements.
    fn rows_with(&self, elements: &FxHashSet<Element>) -> Vec<RequestDifference> {
        let mut rows = Vec::new();
        for row in &self.rows {
            rows.extend(row.restrict(&self.texts, elements));
        }
        rows
    }

    fn strategies_of(&self, rows: &[RequestDifference]) -> Vec<String> {
        let indexes: BTreeSet<usize> = rows.iter().map(|row| row.strategy).collect();
        let mut names = Vec::with_capacity(indexes.len());
        for index in indexes {
            names.extend(self.names.get(index).cloned());
        }
        names
    }

    fn part_of_rows(
        &self,
        cause: Cause,
        rows: &[RequestDifference],
        records: Option<(&ScenarioRecord, &ScenarioRecord)>,
    ) -> DifferencePart {
        let strategies = self.strategies_of(rows);
        let (mut new_requests, mut gone_requests) = (0, 0);
        for row in rows {
            new_requests += u64::from(row.turns[0].is_none());
            gone_requests += u64::from(row.turns[1].is_none());
        }
        let (mut sums, mut worst) = (None, None);
        if let Some((before, after)) = records {
            sums = Some([Sums::of(before, &strategies), Sums::of(after, &strategies)]);
            worst = self.worst_request(rows, before, after);
        }
        DifferencePart {
            cause,
            requests: rows.len() as u64,
            new_requests,
            gone_requests,
            removed: ChangedLines::of(rows, 0, &self.texts),
            added: ChangedLines::of(rows, 1, &self.texts),
            sums,
            worst,
            strategies,
        }
    }

    /// The request with the most newly missing facts.
    fn worst_request(
        &self,
        rows: &[RequestDifference],
        before: &ScenarioRecord,
        after: &ScenarioRecord,
    ) -> Option<Worst> {
        let [old, new] = [before, after].map(requests_by_place);
        let mut worst: Option<Worst> = None;
        for row in rows {
            let strategy = self.names.get(row.strategy)?;
            let [left, right] = row.turns;
            let Some(request) = right.and_then(|turn| new.get(&(strategy.as_str(), turn))) else { continue };
            let mut facts = request.evidence.own + request.evidence.gone;
            let mut known: &[EvidenceItem] = &[];
            if let Some(request) = left.and_then(|turn| old.get(&(strategy.as_str(), turn))) {
                facts = facts.saturating_sub(request.evidence.own + request.evidence.gone);
                known = &request.evidence.lost;
            }
            let most = match &worst {
                Some(worst) => worst.facts,
                None => 0,
            };
            if facts <= most {
                continue;
            }
            let mut found = Worst {
                strategy: strategy.clone(),
                turn: request.turn,
                facts,
                fact: String::new(),
                from: None,
            };
            for item in &request.evidence.lost {
                if item.grade != Grade::Reachable && !known.iter().any(|known| known.what == item.what) {
                    (found.fact, found.from) = (item.what.to_string(), item.turn);
                    break;
                }
            }
            worst = Some(found);
        }
        worst
    }

    /// The texts of the messages of a role.
    fn texts_of(&self, messages: &[u32], role: Role) -> Vec<&str> {
        let mut texts = Vec::new();
        for id in messages {
            if let Some((known, text)) = self.texts.text(*id)
                && known == role
            {
                texts.push(text);
            }
        }
        texts
    }

    /// Guesses the cause without the earlier suite: the first layer of the run that differs, since each layer affects the later ones.
    fn guess_layer(&self) -> String {
        let name = &self.record.name;
        let [old, new] = [first_request(&self.golden), first_request(&self.new)];
        if self.texts_of(old, Role::System) != self.texts_of(new, Role::System) {
            return format!("{name}  SYSTEM");
        }
        let [old, new] = [old, new].map(|messages| self.texts_of(messages, Role::User).join("\n"));
        if old != new {
            return format!("{name}  {}", part_of_opening(&old, &new));
        }
        let changed = self.strategies_of(&self.rows);
        match changed.len() < self.names.len() {
            true => format!("strategies {}", changed.join(", ")),
            false if self.has_same_answers => format!("{name}  results of tools, or data"),
            false => format!("{name}  answers"),
        }
    }
}

fn requests_by_place(record: &ScenarioRecord) -> FxHashMap<(&str, u32), &MeasuredRequest> {
    let mut requests = FxHashMap::default();
    for run in &record.strategies {
        for request in &run.requests {
            requests.insert((run.name.as_str(), request.turn), request);
        }
    }
    requests
}

/// The first part of the opening that differs.
fn part_of_opening(old: &str, new: &str) -> &'static str {
    let (mut header, mut others) = (None, new.split('\n'));
    for line in old.split('\n') {
        if line.starts_with(";; === ") || line.starts_with(";; Return") {
            header = Some(line);
        }
        if others.next() != Some(line) {
            break;
        }
    }
    match header {
        None => "mission",
        Some(header) if header.contains("tool/") => "tools",
        Some(header) if header.contains("data/") => "data",
        Some(header) if header.starts_with(";; Return") => "return type or limits",
        Some(_) => "opening",
    }
}

fn first_request(side: &Side) -> &[u32] {
    match side.strategies.first() {
        Some((_, requests)) => requests.first().map(Vec::as_slice).unwrap_or_default(),
        None => &[],
    }
}
