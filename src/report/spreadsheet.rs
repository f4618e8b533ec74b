//! Text cells in CSV files, safe to open in spreadsheets.

use std::borrow::Cow;

/// Escapes a text so that spreadsheets don't run it as a formula.
pub(super) fn text_cell(text: &str) -> Cow<'_, str> {
    if is_formula(text) { format!("'{text}").into() } else { text.into() }
}

/// Appends an escaped text to a line of CSV, quoted if necessary.
pub(super) fn push_cell(line: &mut Vec<u8>, text: &str) {
    let cell = text_cell(text);
    if cell.contains([',', '"', '\r', '\n']) {
        line.extend_from_slice(format!("\"{}\"", cell.replace('"', "\"\"")).as_bytes());
    } else {
        line.extend_from_slice(cell.as_bytes());
    }
}

/// Reverses [`text_cell`].
pub(super) fn text_of(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| is_formula(text)).unwrap_or(cell)
}

fn is_formula(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(['=', '+', '-', '@', '\t', '\r'])
}
