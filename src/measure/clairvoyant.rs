//! Bounds of summaries: the texts of a writer who knows what later answers need, and the fewest answers that any summary of a
//! given size leaves short.

use ecow::EcoString;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Requests;
use super::evidence::{Atom, Lacking};

/// Words with fewer characters count no tokens: the end of a contraction is a word, but no token of its own.
const SHORT_WORD: usize = 3;
/// The rounding error that a sum of shares of tokens may have.
const ROUNDING: f64 = 1e-6;

/// Counts the tokens of a text.
type Count<'c> = dyn Fn(&str) -> u32 + 'c;

/// The answers whose requests have the same summary.
struct Period<'l, 'n> {
    /// Most tokens of the summary.
    most_tokens: u32,
    /// For each answer, the atoms that its request lacks if the summary says nothing.
    answers: Vec<&'l [Lacking<'n>]>,
    /// For each answer, the fewest tokens of the summary that it takes, with its index in `answers`; the fewest first.
    shares: Vec<(f64, usize)>,
}

/// The fewest answers that are short, whatever the summaries say. `lacking` is what makes each answer short if they say
/// nothing.
pub fn least_short(requests: &Requests, lacking: &[Vec<Lacking<'_>>], count: &Count<'_>) -> u32 {
    let (before, periods) = periods(requests, lacking, count);
    let short_before = before.iter().filter(|answer| !answer.is_empty()).count();
    let of_periods = periods.iter().map(Period::least_short);
    short_before as u32 + of_periods.sum::<u32>()
}

/// A text for each summary of the requests: the facts that make the most answers whole.
pub fn texts(requests: &Requests, lacking: &[Vec<Lacking<'_>>], count: &Count<'_>) -> Vec<EcoString> {
    let (_, periods) = periods(requests, lacking, count);
    periods.iter().map(|period| period.text(count)).collect()
}

/// The answers before the first summary, and the period of each summary.
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
    /// Sets the share of each answer. The tokens of a word are divided among the answers that need it, so the shares of some
    /// answers together are at most the tokens of a text that has all their words.
    fn set_shares(&mut self, count: &Count<'_>) {
        let words: Vec<FxHashSet<&str>> = self.answers.iter().map(|answer| words(answer)).collect();
        let mut tokens_by_word: FxHashMap<&str, (u32, u32)> = FxHashMap::default();
        for word in words.iter().flatten() {
            let (answers, _) = tokens_by_word.entry(word).or_insert_with(|| (0, least_tokens(word, count)));
            *answers += 1;
        }
        let share_of = |word: &&str| {
            tokens_by_word
                .get(*word)
                .map_or(0.0, |(answers, tokens)| f64::from(*tokens) / f64::from(*answers))
        };
        let shares = words.iter().enumerate().map(|(answer, words)| {
            // The sum must not depend on the order of a hash.
            let mut shares: Vec<f64> = words.iter().map(share_of).collect();
            shares.sort_by(f64::total_cmp);
            (shares.iter().sum(), answer)
        });
        self.shares = shares.collect();
        self.shares.sort_by(|(share, answer), (other_share, other_answer)| {
            share.total_cmp(other_share).then(answer.cmp(other_answer))
        });
    }

    /// The answers that do not fit. Taking those with the smallest shares first fits the most answers.
    fn least_short(&self) -> u32 {
        let most = f64::from(self.most_tokens) + ROUNDING;
        let (mut sum, mut fitting) = (0.0, 0);
        for (share, _) in &self.shares {
            sum += share;
            if sum > most {
                break;
            }
            fitting += 1;
        }
        (self.answers.len() - fitting) as u32
    }

    /// The facts of one answer after the other, as long as they fit. Answers with the smallest shares come first.
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

/// The words that a text must have for an answer to be whole. Of a fact with several spellings they are the words of all
/// spellings.
fn words<'l>(answer: &'l [Lacking<'_>]) -> FxHashSet<&'l str> {
    let needed = answer.iter().filter(|lacking| !lacking.is_defined);
    let words = needed.flat_map(|lacking| lacking.atom.words_of_all_spellings());
    words.filter(|word| word.chars().count() >= SHORT_WORD).collect()
}

/// The fewest tokens that a word takes in a text, where a token may begin with the space before it.
fn least_tokens(word: &str, count: &Count<'_>) -> u32 {
    count(word).min(count(&format!(" {word}")))
}
