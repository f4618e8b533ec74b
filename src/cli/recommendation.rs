//! The recommendation and the table of strategies, as `run`, `merge` and `advise` print them.

use super::terminal::{BAD, Color, GOOD, QUIET, columns};
use crate::report::{Advice, Comparison};

/// The sentence, how sure it is, the prices that it rests on, and the table, with a blank line between.
pub(super) fn recommendation(comparison: &Comparison, prices: Option<&str>, color: Color) -> String {
    let advice = Advice::new(comparison);
    let table = color.paint("", &advice.table(columns()));
    if comparison.header.part.is_some() || comparison.strategies.len() < 2 {
        return table;
    }
    let texts = [(GOOD, advice.sentence()), (QUIET, advice.certainty())].into_iter();
    let texts = texts.chain(advice.notes().map(|note| ("", note)));
    let texts = texts.chain(advice.refused().map(|refused| (BAD, refused)));
    let texts = texts.chain(prices.map(|prices| (QUIET, prices.to_owned())));
    let lines = texts.map(|(code, text)| color.paint(code, &wrapped(&text, columns())));
    lines.map(|line| line + "\n").collect::<String>() + "\n" + &table
}

/// The words in lines of at most so many columns, unless a word is longer.
fn wrapped(text: &str, columns: usize) -> String {
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
