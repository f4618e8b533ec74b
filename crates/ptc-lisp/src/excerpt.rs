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
    let mark = |shown: &str, whole: &str| if shown.len() < whole.len() { "…" } else { "" };
    (mark(shown_lead, lead).to_owned() + shown_lead, shown_rest.to_owned() + mark(shown_rest, rest))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_lines_are_shown_whole() {
        let (lead, rest) = ("a".repeat(80), "b".repeat(80));
        assert_eq!(excerpt(&lead, &rest), (lead, rest));
        assert_eq!(excerpt("", ""), Default::default());
    }

    #[test]
    fn long_lines_are_cut_on_both_sides() {
        let (lead, rest) = excerpt(&"a".repeat(100_000), &"b".repeat(100_000));
        assert_eq!(lead, format!("…{}", "a".repeat(40)));
        assert_eq!(rest, format!("{}…", "b".repeat(120)));
    }

    #[test]
    fn unused_columns_on_one_side_go_to_the_other() {
        assert_eq!(excerpt(&"a".repeat(1_000), "bb"), (format!("…{}", "a".repeat(158)), "bb".to_owned()));
        assert_eq!(excerpt("aa", &"b".repeat(1_000)), ("aa".to_owned(), format!("{}…", "b".repeat(158))));
    }

    #[test]
    fn width_is_counted_in_columns_and_no_combining_mark_starts_an_excerpt() {
        let (lead, rest) = excerpt(&"漢".repeat(1_000), &"\t".repeat(1_000));
        assert_eq!((lead.chars().count(), rest.chars().count()), (1 + 20, 30 + 1));
        let (lead, rest) = excerpt(&"e\u{301}".repeat(1_000), &"\u{301}".repeat(1_000));
        assert!(lead.starts_with("…e"), "{lead:?}");
        assert!(rest.chars().count() < 200);
        let (lead, _) =
            excerpt(&format!("{}{}", "漢".repeat(100), "e\u{301}".repeat(19) + "e"), &"b".repeat(200));
        assert!(lead.starts_with("…e"), "{lead:?}");
    }
}
