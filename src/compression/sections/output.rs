//! Prints of programs, as they printed them: no prefix, no clean-up.

use ecow::EcoString;

/// The heading over the prints.
pub const HEADING: &str = ";; Output:";

/// A heading and the prints, each on the next line; nothing if there are none. Returns their number.
pub fn list<'a>(out: &mut String, heading: &str, prints: impl IntoIterator<Item = &'a EcoString>) -> u32 {
    let mut shown = 0;
    for print in prints {
        if shown == 0 {
            out.push_str(heading);
        }
        out.push('\n');
        out.push_str(print);
        shown += 1;
    }
    shown
}
