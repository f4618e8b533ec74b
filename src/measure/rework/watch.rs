//! Watches the results of calls through the requests of a run: which are shown, which are gone, and which are fetched again.

use ecow::EcoString;
use rustc_hash::FxHashMap;

use super::ages::Ages;
use super::calls::{Call, Calls, TurnCalls};
use super::lines::{Replaced, Shown};
use super::tools::Action;
use super::{Refetch, Results};
use crate::measure::Requests;
use conversation::{MessageId, Table};
use history_strategies::SentRequest;
use ptc_tokens::Key;

/// A result that is as good as when it was fetched.
struct Known {
    /// The turn whose answer fetched it.
    turn: u32,
    state: State,
    /// The first turn whose request has it in this state.
    since: u32,
    /// True for each state in which it was fetched again: shown, gone.
    again: [bool; 2],
    /// True if it was counted as shown, and as gone.
    counted: [bool; 2],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// No request has had it.
    Unseen,
    Shown,
    Gone,
    /// Its text may be wrong by now, or a newer result has it.
    Stale,
}

/// The findings in the requests of a run.
#[derive(Default)]
pub struct Found {
    /// Each with the message that is its result.
    pub refetches: Vec<(Refetch, MessageId)>,
    pub shown: Results,
    pub gone: Results,
    pub ages: Ages,
}

/// Finds the results that were fetched again.
pub fn watch(calls: &Calls, table: &Table, requests: &Requests) -> Found {
    let mut watch = Watch { copies: vec![0; table.len()], ..Watch::default() };
    let mut last = 0;
    requests.map(|request, _, replaced| {
        last = request.turn;
        watch.send(request, replaced);
        if let Some(calls) = calls.of_turn(request.turn) {
            watch.answer(request.turn, calls, table);
        }
    });
    (0..watch.results.len()).for_each(|result| watch.close(result, last));
    watch.found
}

#[derive(Default)]
struct Watch {
    /// The number of times that the newest request has each message.
    copies: Vec<u32>,
    results: Vec<Known>,
    /// By message, the results that it is.
    of_message: FxHashMap<MessageId, Vec<usize>>,
    /// The results that show lines of files, by the name of the file and its path.
    files: FxHashMap<EcoString, FxHashMap<EcoString, Shown>>,
    /// The results of searches, which any change of a file may change.
    searches: FxHashMap<EcoString, usize>,
    /// Other results, each with the hash of its text.
    others: FxHashMap<EcoString, (usize, Key)>,
    found: Found,
}

impl Watch {
    /// Notes what the request before a turn shows.
    fn send(&mut self, request: &SentRequest, replaced: &[MessageId]) {
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
            let results = self.of_message.get(&id).cloned();
            results.into_iter().flatten().for_each(|result| self.see(result, is_shown, request.turn));
        }
    }

    /// Notes that a request shows a result, or does not.
    fn see(&mut self, result: usize, is_shown: bool, turn: u32) {
        let state = if is_shown { State::Shown } else { State::Gone };
        match self.results[result].state {
            State::Stale => return,
            State::Unseen if !is_shown => return,
            now if now == state => return,
            _ => self.close(result, turn - 1),
        }
        let known = &mut self.results[result];
        (known.state, known.since) = (state, turn);
        let counted = &mut known.counted[usize::from(!is_shown)];
        if !std::mem::replace(counted, true) {
            let results = if is_shown { &mut self.found.shown } else { &mut self.found.gone };
            results.number += 1;
        }
    }

    /// Counts the requests in which a result has had its state, up to the request of a turn. Requests after it was fetched again do
    /// not count.
    fn close(&mut self, result: usize, last: u32) {
        let known = &self.results[result];
        let (is_shown, is_watched) = (known.state == State::Shown, known.state.is_watched());
        if is_watched && !known.again[usize::from(!is_shown)] {
            self.found.ages.add_requests(is_shown, known.since - known.turn, last.saturating_sub(known.turn));
        }
    }

    /// Notes that a result may be wrong after a turn.
    fn spoil(&mut self, result: usize, turn: u32) {
        self.close(result, turn);
        self.results[result].state = State::Stale;
    }

    fn answer(&mut self, turn: u32, calls: &TurnCalls, table: &Table) {
        for call in &calls.calls {
            match &call.action {
                Action::Write(paths) => self.write(turn, paths),
                Action::Nothing => {}
                _ => {
                    if let Some(message) = call.result {
                        self.fetch(turn, call, message, table);
                    }
                }
            }
        }
    }

    /// Forgets what a change of files may have made wrong.
    fn write(&mut self, turn: u32, paths: &[EcoString]) {
        let mut stale: Vec<usize> = std::mem::take(&mut self.searches).into_values().collect();
        for path in paths {
            let files = self.files.remove(file_name(path)).into_iter().flatten();
            stale.extend(files.flat_map(|(_, shown)| shown.results().collect::<Vec<_>>()));
        }
        // Results that show several files, or several ranges of one, stand there more than once.
        stale.sort_unstable();
        stale.dedup();
        stale.into_iter().for_each(|result| self.spoil(result, turn));
    }

    fn fetch(&mut self, turn: u32, call: &Call, message: MessageId, table: &Table) {
        let result = self.results.len();
        let known = Known { turn, state: State::Unseen, since: turn, again: [false; 2], counted: [false; 2] };
        self.results.push(known);
        self.of_message.entry(message).or_default().push(result);
        let replaced = self.replace(turn, call, (result, message), table);
        let is_again = call.action.is_mostly(replaced.iter().map(|replaced| replaced.lines).sum(), || {
            table.text(message).lines().count() as u64
        });
        // Calls of one answer do not know each other's results.
        let in_state = |state: State| {
            let mut earlier = replaced.iter().map(|replaced| &self.results[replaced.result]);
            earlier.find(|known| known.state == state && known.turn < turn)
        };
        if let Some(first) = in_state(State::Gone).or_else(|| in_state(State::Shown)).filter(|_| is_again) {
            let tokens = table.row(message).tokens();
            let was_shown = first.state == State::Shown;
            let refetch = Refetch { turn, first: first.turn, call: call.text.clone(), tokens, was_shown };
            self.found.refetches.push((refetch, message));
        }
        for Replaced { result, is_whole, .. } in replaced {
            if is_again {
                self.touch(result, turn);
            }
            if is_whole {
                self.spoil(result, turn);
            }
        }
    }

    /// Puts a result in the place of earlier ones that say the same. Returns the earlier ones.
    fn replace(&mut self, turn: u32, call: &Call, new: (usize, MessageId), table: &Table) -> Vec<Replaced> {
        let (result, message) = new;
        let whole = |result: usize| Replaced { result, lines: 0, is_whole: true };
        match &call.action {
            Action::Read(files) => {
                let mut earlier = Vec::new();
                for (path, lines) in files {
                    let of_name = self.files.entry(file_name(path).into()).or_default();
                    earlier.extend(of_name.entry(path.clone()).or_default().set(*lines, result));
                }
                // A call may name one file twice.
                earlier.retain(|one| one.result != result);
                earlier
            }
            Action::Search(key) => self.searches.insert(key.clone(), result).into_iter().map(whole).collect(),
            action => {
                let text = table.row(message).text;
                let Some((earlier, told)) = self.others.insert(call.whole.clone(), (result, text)) else {
                    return Vec::new();
                };
                // Nobody knows what other calls change, so only an equal result shows that nothing was new.
                if *action == Action::Unknown && told != text {
                    self.spoil(earlier, turn);
                    return Vec::new();
                }
                vec![whole(earlier)]
            }
        }
    }

    /// Notes that the answer of a turn fetched a result again.
    fn touch(&mut self, result: usize, turn: u32) {
        let known = &self.results[result];
        let (is_shown, age) = (known.state == State::Shown, turn - known.turn);
        if !known.state.is_watched() || known.again[usize::from(!is_shown)] || age == 0 {
            return;
        }
        self.close(result, turn);
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
