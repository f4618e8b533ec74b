//! Lists of calls and outputs, one per line.

use std::borrow::Cow;

use conversation::Call;
use conversation::cut::{on_one_line, shortened};
use ecow::EcoString;

/// Most characters of the line of a call.
const CALL_CHARACTERS: usize = 200;

/// The call on one line, shortened: `search({"q": "x"})`
pub fn call_line(call: &Call) -> Cow<'_, str> {
    match on_one_line(&call.text) {
        Cow::Borrowed(text) => shortened(text, CALL_CHARACTERS),
        Cow::Owned(text) => Cow::Owned(shortened(&text, CALL_CHARACTERS).into_owned()),
    }
}

/// Writes a heading and a line for each call, or nothing without calls. Returns the number of calls.
pub fn list_calls(out: &mut String, heading: &str, calls: &[Call]) -> u32 {
    if calls.is_empty() {
        return 0;
    }
    out.push_str(heading);
    for call in calls {
        out.push_str("\n;   ");
        out.push_str(&call_line(call));
    }
    calls.len() as u32
}

/// Writes a heading and the outputs, each on a new line, or nothing without outputs. Returns their number.
pub fn list_outputs<'a>(
    out: &mut String,
    heading: &str,
    outputs: impl IntoIterator<Item = &'a EcoString>,
) -> u32 {
    let mut shown = 0;
    for output in outputs {
        if shown == 0 {
            out.push_str(heading);
        }
        out.push('\n');
        out.push_str(output);
        shown += 1;
    }
    shown
}
