//! Texts in cells of CSV files, which spreadsheets open.

use std::borrow::Cow;

/// A text as a cell that no spreadsheet takes for a formula.
pub(super) fn text_cell(text: &str) -> Cow<'_, str> {
    if is_formula(text) { format!("'{text}").into() } else { text.into() }
}

/// Adds a text as such a cell to a line of CSV, in quotes if it needs them.
pub(super) fn push_cell(line: &mut Vec<u8>, text: &str) {
    let cell = text_cell(text);
    if cell.contains([',', '"', '\r', '\n']) {
        line.extend_from_slice(format!("\"{}\"", cell.replace('"', "\"\"")).as_bytes());
    } else {
        line.extend_from_slice(cell.as_bytes());
    }
}

/// The text of a cell that [`text_cell`] made.
pub(super) fn text_of(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| is_formula(text)).unwrap_or(cell)
}

fn is_formula(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(['=', '+', '-', '@', '\t', '\r'])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn no_text_is_a_formula() {
        let cells = ["=1+1", "+a", "-a", "@SUM", "\tx", "\rx", "'=1", "''", "'a", "a=1", ""];
        let written = cells.map(|cell| text_cell(cell).into_owned());
        assert_eq!(written, ["'=1+1", "'+a", "'-a", "'@SUM", "'\tx", "'\rx", "''=1", "''", "'a", "a=1", ""]);
    }

    proptest! {
        #[test]
        fn every_text_reads_back(text in "['=+@\t\r\n\",;a\u{ffff}-]{0,6}") {
            let mut out = b",".to_vec();
            push_cell(&mut out, &text);
            let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(&*out);
            let row = reader.records().next().unwrap().unwrap();
            prop_assert_eq!(text_of(&row[1]), &text);
            prop_assert!(!row[1].starts_with(['=', '+', '-', '@', '\t', '\r']));
        }
    }
}
