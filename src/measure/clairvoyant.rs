//! Bounds for summaries of a given size: the texts of a writer with knowledge of all later answers, and the minimum number of
//! answers lacking a fact under any summary.

use ecow::EcoString;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Requests;
use super::evidence::{Atom, Lacking};

/// Shorter words count as 0 tokens: the end of a contraction is a word, but not a token.
const SHORT_WORD: usize = 3;
/// Tolerance for rounding errors in sums of shares.
const ROUNDING: f64 = 1e-6;

/// Counts the tokens of a text.
type Count<'c> = dyn Fn(&str) -> u32 + 'c;

/// The answers with the same summary in their requests.
struct Period<'l, 'n> {
    /// Maximum tokens of the summary.
    most_tokens: u32,
    /// For each answer, the atoms missing from its request if the summary is empty.
    answers: Vec<&'l [Lacking<'n>]>,
    /// Each answer's share of the summary's tokens (a lower bound) and its index in `answers`; the smallest share first.
    shares: Vec<(f64, usize)>,
}

/// Minimum number of answers lacking a fact, over all possible summaries. `lacking` has the atoms missing from each request
/// if the summaries are empty.
pub fn least_short(requests: &Requests, lacking: &[Vec<Lacking<'_>>], count: &Count<'_>) -> u32 {
    let (before, periods) = split_into_periods(requests, lacking, count);
    let mut short = 0;
    for answer in before {
        short += u32::from(!answer.is_empty());
    }
    for period in &periods {
        short += period.least_short();
    }
    short
}

/// A text for each summary, with the facts of as many answers as fit.
pub fn write_best_summaries(
    requests: &Requests,
    lacking: &[Vec<Lacking<'_>>],
    count: &Count<'_>,
) -> Vec<EcoString> {
    let (_, periods) = split_into_periods(requests, lacking, count);
    periods.iter().map(|period| period.write_text(count)).collect()
}

/// The answers before the first summary, and the period of each summary.
fn split_into_periods<'l, 'n>(
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
    for period in &mut periods {
        period.set_shares(count);
    }
    (lacking.get(..first).unwrap_or(lacking), periods)
}

impl<'n> Period<'_, 'n> {
    /// Sets the shares. The tokens of a word are divided among the answers that need it. So the shares of any answers add up
    /// to at most the tokens of a text with all their words.
    fn set_shares(&mut self, count: &Count<'_>) {
        let words: Vec<FxHashSet<&str>> = self.answers.iter().map(|answer| needed_words(answer)).collect();
        let mut tokens_by_word: FxHashMap<&str, (u32, u32)> = FxHashMap::default();
        for word in words.iter().flatten() {
            let (answers, _) = tokens_by_word.entry(word).or_insert_with(|| (0, least_tokens(word, count)));
            *answers += 1;
        }
        self.shares.clear();
        for (answer, words) in words.iter().enumerate() {
            let mut shares: Vec<f64> = Vec::with_capacity(words.len());
            for word in words {
                let (answers, tokens) = tokens_by_word[word];
                shares.push(f64::from(tokens) / f64::from(answers));
            }
            // Sorted, because the sum must not depend on hash order.
            shares.sort_by(f64::total_cmp);
            self.shares.push((shares.iter().sum(), answer));
        }
        self.shares.sort_by(|(share, answer), (other_share, other_answer)| {
            share.total_cmp(other_share).then(answer.cmp(other_answer))
        });
    }

    /// The number of answers that do not fit. Choosing the smallest shares first fits the most answers.
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

    /// The facts of the answers that fit, smallest shares first.
    fn write_text(&self, count: &Count<'_>) -> EcoString {
        let (mut text, mut left) = (EcoString::new(), self.most_tokens);
        let mut known: FxHashSet<&'n Atom> = FxHashSet::default();
        for (_, answer) in &self.shares {
            let Some(answer) = self.answers.get(*answer) else { continue };
            let mut new: Vec<&'n Atom> = Vec::new();
            let mut lines = String::new();
            for Lacking { atom, .. } in *answer {
                if !known.contains(atom) {
                    new.push(atom);
                    lines.push_str(atom.text());
                    lines.push('\n');
                }
            }
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

/// The words a summary must contain to complete an answer. For facts with several spellings, only words common to all of
/// them.
fn needed_words<'l>(answer: &'l [Lacking<'_>]) -> FxHashSet<&'l str> {
    let mut words = FxHashSet::default();
    for lacking in answer {
        if !lacking.needs_less {
            words.extend(lacking.atom.words_of_all_spellings());
        }
    }
    words.retain(|word: &&str| word.chars().count() >= SHORT_WORD);
    words
}

/// Minimum tokens of a word in a text. A token may include the space before the word.
fn least_tokens(word: &str, count: &Count<'_>) -> u32 {
    count(word).min(count(&format!(" {word}")))
}
