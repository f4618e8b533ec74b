//! Follows the results of calls through the requests of a run: shown, gone, or fetched again.

use ecow::EcoString;
use rustc_hash::FxHashMap;

use super::ages::Ages;
use super::calls::{Call, Calls, TurnCalls};
use super::lines::{Replaced, Shown};
use super::tools::Action;
use super::{Refetch, Results};
use conversation::{MessageId, Table};
use history_strategies::{Requests, SentRequest};
use ptc_tokens::Key;

/// A result that is still up to date.
struct Known {
    /// The turn of the call.
    turn: u32,
    state: State,
    /// The first turn with the result in this state.
    since: u32,
    /// True for each state in which it was fetched again: while shown, while gone.
    again: [bool; 2],
    /// True for each state in which it was counted: shown, gone.
    counted: [bool; 2],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Not yet in any request.
    Unseen,
    Shown,
    Gone,
    /// Possibly outdated, or replaced by a newer result.
    Stale,
}

/// The results of calls in a run, and those that were fetched again: see [`find_refetches`].
#[derive(Debug, Default)]
pub struct FoundRefetches {
    /// Calls that fetched something again, with the message of their result.
    pub refetches: Vec<(Refetch, MessageId)>,
    /// Results in a request.
    pub shown: Results,
    /// Results no longer in a request.
    pub gone: Results,
    /// The same by age.
    pub ages: Ages,
}

/// Finds results that were fetched again.
pub fn find_refetches(calls: &Calls, table: &Table, requests: &Requests) -> FoundRefetches {
    let mut watch = Watch { copies: vec![0; table.len()], ..Watch::default() };
    let mut last = 0;
    requests.map(|request, _, replaced| {
        last = request.turn;
        watch.send_request(request, replaced);
        if let Some(calls) = calls.of_turn(request.turn) {
            watch.add_answer(request.turn, calls, table);
        }
    });
    (0..watch.results.len()).for_each(|result| watch.close_result(result, last));
    watch.found
}

#[derive(Default)]
struct Watch {
    /// For each message, how often the newest request contains it.
    copies: Vec<u32>,
    results: Vec<Known>,
    /// The results contained in each message.
    of_message: FxHashMap<MessageId, Vec<usize>>,
    /// Results that show lines of files, by file name, then path.
    files: FxHashMap<EcoString, FxHashMap<EcoString, Shown>>,
    /// Results of searches. Any file change may outdate them.
    searches: FxHashMap<EcoString, usize>,
    /// Other results, with the hash of their text.
    others: FxHashMap<EcoString, (usize, Key)>,
    found: FoundRefetches,
}

impl Watch {
    /// Updates the states for the request before a turn.
    fn send_request(&mut self, request: &SentRequest, replaced: &[MessageId]) {
        let mut touched = replaced.to_vec();
        for id in replaced {
            self.copies[id.index()] -= 1;
        }
        for id in request.added() {
            self.copies[id.index()] += 1;
            touched.push(id);
        }
        for id in touched {
            let is_shown = self.copies[id.index()] > 0;
            for result in self.of_message.get(&id).cloned().unwrap_or_default() {
                self.see_result(result, is_shown, request.turn);
            }
        }
    }

    /// Updates the state of a result when a request shows it or no longer shows it.
    fn see_result(&mut self, result: usize, is_shown: bool, turn: u32) {
        let state = if is_shown { State::Shown } else { State::Gone };
        match self.results[result].state {
            State::Stale => return,
            State::Unseen if !is_shown => return,
            now if now == state => return,
            _ => self.close_result(result, turn - 1),
        }
        let known = &mut self.results[result];
        (known.state, known.since) = (state, turn);
        let counted = &mut known.counted[usize::from(!is_shown)];
        if !std::mem::replace(counted, true) {
            let results = if is_shown { &mut self.found.shown } else { &mut self.found.gone };
            results.number += 1;
        }
    }

    /// Counts the requests up to turn `last` that had the result in its current state. Skipped if the result was fetched again
    /// in this state.
    fn close_result(&mut self, result: usize, last: u32) {
        let known = &self.results[result];
        let (is_shown, is_watched) = (known.state == State::Shown, known.state.is_watched());
        if is_watched && !known.again[usize::from(!is_shown)] {
            self.found.ages.add_requests(is_shown, known.since - known.turn, last.saturating_sub(known.turn));
        }
    }

    /// Marks a result as possibly outdated after a turn.
    fn spoil_result(&mut self, result: usize, turn: u32) {
        self.close_result(result, turn);
        self.results[result].state = State::Stale;
    }

    fn add_answer(&mut self, turn: u32, calls: &TurnCalls, table: &Table) {
        for call in &calls.calls {
            match &call.action {
                Action::Write(paths) => self.write_files(turn, paths),
                Action::Nothing => {}
                _ => {
                    if let Some(message) = call.result {
                        self.add_fetch(turn, call, message, table);
                    }
                }
            }
        }
    }

    /// Marks results as outdated that may depend on the changed files.
    fn write_files(&mut self, turn: u32, paths: &[EcoString]) {
        let mut stale: Vec<usize> = std::mem::take(&mut self.searches).into_values().collect();
        for path in paths {
            for shown in self.files.remove(file_name(path)).unwrap_or_default().values() {
                stale.extend(shown.results());
            }
        }
        // A result with several files or ranges occurs several times.
        stale.sort_unstable();
        stale.dedup();
        stale.into_iter().for_each(|result| self.spoil_result(result, turn));
    }

    fn add_fetch(&mut self, turn: u32, call: &Call, message: MessageId, table: &Table) {
        let result = self.results.len();
        let known = Known { turn, state: State::Unseen, since: turn, again: [false; 2], counted: [false; 2] };
        self.results.push(known);
        self.of_message.entry(message).or_default().push(result);
        let replaced = self.replace_earlier(turn, call, (result, message), table);
        let lines: u64 = replaced.iter().map(|replaced| replaced.lines).sum();
        let is_again = call.action.is_mostly(lines, || table.text(message).lines().count() as u64);
        // The calls of one answer do not see each other's results.
        let mut first: Option<&Known> = None;
        for replaced in &replaced {
            let known = &self.results[replaced.result];
            let is_wanted = match first {
                None => known.state.is_watched(),
                Some(first) => first.state == State::Shown && known.state == State::Gone,
            };
            if is_wanted && known.turn < turn {
                first = Some(known);
            }
        }
        if let Some(first) = first
            && is_again
        {
            let tokens = table.row(message).tokens();
            let was_shown = first.state == State::Shown;
            let refetch = Refetch { turn, first: first.turn, call: call.text.clone(), tokens, was_shown };
            self.found.refetches.push((refetch, message));
        }
        for Replaced { result, is_whole, .. } in replaced {
            if is_again {
                self.touch_result(result, turn);
            }
            if is_whole {
                self.spoil_result(result, turn);
            }
        }
    }

    /// Replaces earlier results with the same content by a new one. Returns the earlier ones.
    fn replace_earlier(
        &mut self,
        turn: u32,
        call: &Call,
        new: (usize, MessageId),
        table: &Table,
    ) -> Vec<Replaced> {
        let (result, message) = new;
        match &call.action {
            Action::Read(files) => {
                let mut earlier = Vec::new();
                for (path, lines) in files {
                    let of_name = self.files.entry(file_name(path).into()).or_default();
                    earlier.extend(of_name.entry(path.clone()).or_default().set(*lines, result));
                }
                // A call may name the same file twice.
                earlier.retain(|one| one.result != result);
                earlier
            }
            Action::Search(key) => {
                let earlier = self.searches.insert(key.clone(), result);
                Vec::from_iter(earlier.map(Replaced::whole))
            }
            action => {
                let text = table.row(message).text;
                let Some((earlier, told)) = self.others.insert(call.whole.clone(), (result, text)) else {
                    return Vec::new();
                };
                // The effect of unknown tools is unknown, so only an equal result proves that nothing was new.
                if *action == Action::Unknown && told != text {
                    self.spoil_result(earlier, turn);
                    return Vec::new();
                }
                vec![Replaced::whole(earlier)]
            }
        }
    }

    /// Records that a turn fetched a result again.
    fn touch_result(&mut self, result: usize, turn: u32) {
        let known = &self.results[result];
        let (is_shown, age) = (known.state == State::Shown, turn - known.turn);
        if !known.state.is_watched() || known.again[usize::from(!is_shown)] || age == 0 {
            return;
        }
        self.close_result(result, turn);
        self.found.ages.add_again(is_shown, age);
        self.results[result].again[usize::from(!is_shown)] = true;
        let results = if is_shown { &mut self.found.shown } else { &mut self.found.gone };
        results.again += 1;
    }
}

impl State {
    fn is_watched(self) -> bool {
        matches!(self, State::Shown | State::Gone)
    }
}

fn file_name(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}
