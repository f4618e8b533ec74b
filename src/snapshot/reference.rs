//! Lines of golden files that stand for text elsewhere.

use std::fmt;

/// Line that stands for messages of the request before, or for text of another file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reference<'t> {
    /// `= all messages as in turn 3`
    AllMessages { turn: u32 },
    /// `= 4 messages as in turn 3`: the next 4 messages of that request stand here too.
    Messages { turn: u32, count: usize },
    /// `- 2 messages of turn 3 left out`: the next 2 messages of that request do not.
    LeftOut { turn: u32, count: usize },
    /// `= prints of turn 8 in run.snap`
    Section { turn: u32, name: &'t str },
    /// The static SYSTEM text.
    System,
}

const SYSTEM: &str = "= all lines of system-prompt.snap";
const ALL: &str = "= all messages as in turn ";
const AS_IN_TURN: &str = " as in turn ";
const OF_TURN: &str = " of turn ";
const LEFT_OUT: &str = " left out";
const IN_RUN: &str = " in run.snap";
/// The only line of a golden file whose requests are all those of another strategy.
const EVERY_REQUEST: &str = "= every request as under ";

impl fmt::Display for Reference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let messages = |count: usize| if count == 1 { "message" } else { "messages" };
        match *self {
            Reference::AllMessages { turn } => write!(f, "{ALL}{turn}"),
            Reference::Messages { turn, count } => {
                write!(f, "= {count} {}{AS_IN_TURN}{turn}", messages(count))
            }
            Reference::LeftOut { turn, count } => {
                write!(f, "- {count} {}{OF_TURN}{turn}{LEFT_OUT}", messages(count))
            }
            Reference::Section { turn, name } => write!(f, "= {name}{OF_TURN}{turn}{IN_RUN}"),
            Reference::System => f.write_str(SYSTEM),
        }
    }
}

impl<'t> Reference<'t> {
    /// Reads a line as [`Reference`] writes it.
    pub fn read(line: &'t str) -> Option<Reference<'t>> {
        if line == SYSTEM {
            return Some(Reference::System);
        }
        if let Some(turn) = line.strip_prefix(ALL) {
            return Some(Reference::AllMessages { turn: turn.parse().ok()? });
        }
        if let Some(place) = line.strip_prefix("- ") {
            let (messages, turn) = place.strip_suffix(LEFT_OUT)?.split_once(OF_TURN)?;
            return Some(Reference::LeftOut { turn: turn.parse().ok()?, count: count(messages)? });
        }
        let place = line.strip_prefix("= ")?;
        if let Some(section) = place.strip_suffix(IN_RUN) {
            let (name, turn) = section.rsplit_once(OF_TURN)?;
            return Some(Reference::Section { turn: turn.parse().ok()?, name });
        }
        let (messages, turn) = place.split_once(AS_IN_TURN)?;
        Some(Reference::Messages { turn: turn.parse().ok()?, count: count(messages)? })
    }
}

/// `4 messages`
fn count(messages: &str) -> Option<usize> {
    let (count, _) = messages.split_once(' ').filter(|(_, word)| matches!(*word, "message" | "messages"))?;
    // Numbers fit 32 bits, so that sums of them do not overflow.
    count.parse::<u32>().ok().map(|count| count as usize)
}

/// Returns true if a line is a reference, or begins like one. Text that does is escaped, so that a later kind of reference cannot be
/// mistaken for it.
pub(super) fn is_reference(line: &str) -> bool {
    line.starts_with("= ") || line.starts_with("- ") && Reference::read(line).is_some()
}

/// The strategy whose requests a golden file repeats, if the file is the line that says so.
pub fn repeated_strategy(body: &str) -> Option<&str> {
    body.trim_end().strip_prefix(EVERY_REQUEST).filter(|name| !name.contains('\n'))
}

/// The body of a golden file whose requests are all those of this strategy.
pub(super) fn repeating(strategy: &str) -> String {
    format!("{EVERY_REQUEST}{strategy}\n")
}

/// A reference without its numbers, which follow from changes elsewhere. None for other lines.
pub(super) fn without_numbers(line: &str) -> Option<String> {
    let digits = is_reference(line).then(|| line.split(|c: char| c.is_ascii_digit()))?;
    Some(digits.filter(|word| !word.is_empty()).map(|word| word.replace("messages", "message")).collect())
}
