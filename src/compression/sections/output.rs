//! What programs printed, as they printed it: no prefix, no clean-up (FMT-015, FMT-018, TRN-006…TRN-010).

use crate::agent::Turn;

use super::newest;

/// The heading over the prints (FMT-014).
pub const HEADING: &str = ";; Output:";

/// The last `limit` prints of successful turns. Gives the number of prints shown.
pub fn section(out: &mut String, turns: &[Turn], limit: usize) -> u32 {
    list(out, HEADING, newest(turns, limit, |turn| &turn.prints))
}

/// A heading and the prints, each on the next line; nothing where there are none. Gives their number.
pub fn list<'a, T: AsRef<str> + 'a>(
    out: &mut String,
    heading: &str,
    prints: impl Iterator<Item = &'a T>,
) -> u32 {
    let start = out.len();
    out.push_str(heading);
    let mut shown = 0;
    for print in prints {
        out.push('\n');
        out.push_str(print.as_ref());
        shown += 1;
    }
    if shown == 0 {
        out.truncate(start);
    }
    shown
}
