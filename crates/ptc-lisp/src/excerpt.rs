//! Excerpts of a line around a place: the whole line if it is short, else a window with `…` where it is cut.

use console::measure_text_width;

/// Largest number of columns shown.
const SHOWN: usize = 160;
/// Columns shown before the place in a longer line.
const LEAD: usize = 40;

/// Shortens the parts of a line before and after a place.
pub fn excerpt(lead: &str, rest: &str) -> (String, String) {
    let rest_columns = columns_up_to(rest, SHOWN);
    if columns_up_to(lead, SHOWN) + rest_columns <= SHOWN {
        return (lead.to_owned(), rest.to_owned());
    }
    let shown_lead = last_columns(lead, LEAD.max(SHOWN.saturating_sub(rest_columns)));
    let shown_rest = first_columns(rest, SHOWN.saturating_sub(columns_up_to(shown_lead, SHOWN)));
    (ellipsis(shown_lead, lead).to_owned() + shown_lead, shown_rest.to_owned() + ellipsis(shown_rest, rest))
}

/// Marks a shortened text.
fn ellipsis(shown: &str, whole: &str) -> &'static str {
    if shown.len() < whole.len() { "…" } else { "" }
}

/// Columns of a text, counted up to a little more than `most`.
fn columns_up_to(text: &str, most: usize) -> usize {
    text.chars().take(most + 1).map(columns).sum()
}

fn first_columns(text: &str, most: usize) -> &str {
    let mut left = most;
    let end = text.char_indices().find(|(_, c)| !spend(&mut left, *c)).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or_default()
}

/// Leaves out combining characters at the cut, since the character that they join is missing.
fn last_columns(text: &str, most: usize) -> &str {
    let mut left = most;
    let cut = text.char_indices().rev().find(|(_, c)| !spend(&mut left, *c));
    let Some((at, c)) = cut else { return text };
    let shown = text.get(at + c.len_utf8()..).unwrap_or_default();
    shown.trim_start_matches(|c: char| !c.is_control() && width(c) == 0)
}

fn spend(left: &mut usize, c: char) -> bool {
    let rest = left.checked_sub(columns(c));
    *left = rest.unwrap_or_default();
    rest.is_some()
}

/// At least one, so that every excerpt is bounded.
fn columns(c: char) -> usize {
    if c == '\t' { 4 } else { width(c).max(1) }
}

fn width(c: char) -> usize {
    measure_text_width(c.encode_utf8(&mut [0; 4]))
}
