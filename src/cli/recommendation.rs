//! The recommendation and the table of strategies, as `run`, `merge` and `advise` print them.

use super::terminal::{BAD, Color, GOOD, QUIET, columns};
use crate::report::{Advice, Comparison};

/// The recommendation as a sentence, how sure it is, notes, refusals and the prices, and below them the table. Records of a
/// shard and a single strategy have the table alone.
pub(super) fn recommendation(comparison: &Comparison, prices: Option<&str>, color: Color) -> String {
    let advice = Advice::new(comparison);
    let table = color.paint("", &advice.table(columns()));
    if comparison.header.part.is_some() || comparison.strategies.len() < 2 {
        return table;
    }
    let mut texts = vec![(GOOD, advice.sentence()), (QUIET, advice.certainty())];
    texts.extend(advice.notes().map(|note| ("", note)));
    texts.extend(advice.refused().map(|refused| (BAD, refused)));
    texts.extend(prices.map(|prices| (QUIET, prices.to_owned())));
    let mut out = String::new();
    for (code, text) in texts {
        out += &color.paint(code, &wrapped(&text, columns()));
        out.push('\n');
    }
    out + "\n" + &table
}

/// A text in lines of at most this width, broken between words. A longer word has a line of its own.
pub(super) fn wrapped(text: &str, columns: usize) -> String {
    let (mut out, mut used) = (String::new(), 0);
    for word in text.split(' ') {
        let width = word.chars().count();
        if used > 0 && used + 1 + width > columns {
            out.push('\n');
            used = 0;
        } else if used > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += width;
    }
    out
}
