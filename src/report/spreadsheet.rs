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
