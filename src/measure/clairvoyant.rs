//! Summaries of someone who knows what later answers need, and how few answers any summary of a size can leave short.

use ecow::EcoString;
use rustc_hash::{FxHashMap, FxHashSet};

use super::evidence::{Atom, Lacking};
use super::requests::Requests;

/// Shorter words count nothing: the end of a contraction is a word, but no token of its own.
const SHORT_WORD: usize = 3;
/// The error of sums of shares of a token.
const ROUNDING: f64 = 1e-6;

/// Counts the tokens of a text.
type Count<'c> = dyn Fn(&str) -> u32 + 'c;

/// The answers of the requests that have one summary.
struct Period<'l, 'n> {
    most_tokens: u32,
    /// The atoms that each of them lacks if the summary says nothing.
    answers: Vec<&'l [Lacking<'n>]>,
    /// The least share of the summary that each of them takes, with the position of the answer; the smallest first.
    shares: Vec<(f64, usize)>,
}

/// Fewest answers that are short under summaries of at most their size, whatever these say. `lacking` is what makes each answer
/// short if they say nothing.
pub fn least_short(requests: &Requests, lacking: &[Vec<Lacking<'_>>], count: &Count<'_>) -> u32 {
    let (before, periods) = periods(requests, lacking, count);
    let short_before = before.iter().filter(|answer| !answer.is_empty()).count();
    let of_periods = periods.iter().map(Period::least_short);
    short_before as u32 + of_periods.sum::<u32>()
}

/// A summary for each that the requests have: the facts that make the most answers whole.
pub fn texts(requests: &Requests, lacking: &[Vec<Lacking<'_>>], count: &Count<'_>) -> Vec<EcoString> {
    let (_, periods) = periods(requests, lacking, count);
    periods.iter().map(|period| period.text(count)).collect()
}

/// The answers before the first summary, and those of each.
fn periods<'l, 'n>(
    requests: &Requests,
    lacking: &'l [Vec<Lacking<'n>>],
    count: &Count<'_>,
) -> (&'l [Vec<Lacking<'n>>], Vec<Period<'l, 'n>>) {
    let first = requests.iter().position(|request| request.call.is_some()).unwrap_or(lacking.len());
    let mut periods: Vec<Period<'l, 'n>> = Vec::new();
    for (request, answer) in requests.iter().zip(lacking).skip(first) {
        if let Some(call) = &request.call {
            let (most_tokens, answers, shares) = (call.most_tokens, Vec::new(), Vec::new());
            periods.push(Period { most_tokens, answers, shares });
        }
        if let Some(period) = periods.last_mut() {
            period.answers.push(answer);
        }
    }
    periods.iter_mut().for_each(|period| period.set_shares(count));
    (lacking.get(..first).unwrap_or(lacking), periods)
}

impl<'n> Period<'_, 'n> {
    /// A word that several answers need is shared by them. So the shares of any answers are together at most the tokens of a text
    /// that has all their words.
    fn set_shares(&mut self, count: &Count<'_>) {
        let words: Vec<FxHashSet<&str>> = self.answers.iter().map(|answer| words(answer)).collect();
        let mut tokens_by_word: FxHashMap<&str, (u32, u32)> = FxHashMap::default();
        for word in words.iter().flatten() {
            let (times, _) = tokens_by_word.entry(word).or_insert_with(|| (0, least_tokens(word, count)));
            *times += 1;
        }
        let share_of = |word: &&str| {
            tokens_by_word.get(*word).map_or(0.0, |(times, tokens)| f64::from(*tokens) / f64::from(*times))
        };
        let shares = words.iter().enumerate().map(|(answer, words)| {
            // The sum must not depend on the order of a hash.
            let mut shares: Vec<f64> = words.iter().map(share_of).collect();
            shares.sort_by(f64::total_cmp);
            (shares.iter().sum(), answer)
        });
        self.shares = shares.collect();
        self.shares.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    }

    fn least_short(&self) -> u32 {
        let most = f64::from(self.most_tokens) + ROUNDING;
        let sums = self.shares.iter().scan(0.0, |sum, (share, _)| {
            *sum += share;
            Some(*sum)
        });
        (self.answers.len() - sums.take_while(|sum| *sum <= most).count()) as u32
    }

    /// The facts of one answer after the other, those first that take the least room, as long as they fit.
    fn text(&self, count: &Count<'_>) -> EcoString {
        let (mut text, mut left) = (EcoString::new(), self.most_tokens);
        let mut known: FxHashSet<&'n Atom> = FxHashSet::default();
        for answer in self.shares.iter().filter_map(|(_, answer)| self.answers.get(*answer)) {
            let new = answer.iter().map(|lacking| lacking.atom).filter(|atom| !known.contains(atom));
            let new: Vec<&'n Atom> = new.collect();
            let lines: String = new.iter().flat_map(|atom| [atom.text().as_str(), "\n"]).collect();
            let tokens = count(&lines);
            if tokens <= left {
                left -= tokens;
                text.push_str(&lines);
                known.extend(new);
            }
        }
        text.trim_end().into()
    }
}

/// The words that a text must have for an answer to be whole. A fact in several spellings has only those that all of them have.
fn words<'l>(answer: &'l [Lacking<'_>]) -> FxHashSet<&'l str> {
    let needed = answer.iter().filter(|lacking| !lacking.is_defined);
    let words = needed.flat_map(|lacking| lacking.atom.words_of_all_spellings());
    words.filter(|word| word.chars().count() >= SHORT_WORD).collect()
}

/// The fewest tokens that a word takes in a text: a token may begin with a space before it.
fn least_tokens(word: &str, count: &Count<'_>) -> u32 {
    count(word).min(count(&format!(" {word}")))
}
