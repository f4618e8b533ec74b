//! The distinct messages of a scenario as lines. Requests repeat most lines of those before, so a line stands
//! once and a text is kept as runs of lines: a long run takes the room of what is new in it.

use ecow::EcoString;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::record::MessageRecord;
use crate::agent::Role;

/// Lines in the order in which they are first seen, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    lines: IndexSet<EcoString, FxBuildHasher>,
}

/// A text as pairs of the first line of a run and the number of its lines.
pub type Runs = Box<[u32]>;

impl Lines {
    /// The text as runs; lines that are new are added.
    pub fn runs(&mut self, text: &str) -> Runs {
        runs(text, |line| match self.lines.get_index_of(line) {
            Some(known) => known as u32,
            None => self.lines.insert_full(line.into()).0 as u32,
        })
    }

    /// The number of a line that is known.
    pub fn number(&self, line: &str) -> Option<u32> {
        self.lines.get_index_of(line).map(|number| number as u32)
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(EcoString::as_str)
    }

    pub fn len(&self) -> usize {
        self.lines.len()
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The text of these runs.
    fn text(&self, runs: &[u32]) -> EcoString {
        let lines = || {
            let ranges = runs.chunks_exact(2).filter_map(|run| match *run {
                [first, length] => self.lines.get_range(first as usize..(first + length) as usize),
                _ => None,
            });
            ranges.flatten()
        };
        let mut text = EcoString::with_capacity(lines().map(|line| line.len() + 1).sum());
        for line in lines() {
            text.push_str(line);
            text.push('\n');
        }
        text.pop();
        text
    }
}

/// A text as runs of lines that have these numbers.
pub fn runs<'t>(text: &'t str, mut number: impl FnMut(&'t str) -> u32) -> Runs {
    let mut runs: Vec<u32> = Vec::new();
    let mut next = None;
    for line in text.split('\n') {
        let number = number(line);
        match runs.last_mut() {
            Some(length) if next == Some(number) => *length += 1,
            _ => runs.extend([number, 1]),
        }
        next = Some(number + 1);
    }
    runs.into()
}

/// Each distinct message of a scenario once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    pub lines: Lines,
    /// Without runs it is the SYSTEM text that all requests share.
    pub messages: Vec<(Role, Option<Runs>)>,
}

impl Texts {
    pub fn push(&mut self, role: Role, content: Option<&str>) {
        let runs = content.map(|text| self.lines.runs(text));
        self.messages.push((role, runs));
    }

    /// Forgets what was added after there were so many messages and lines.
    pub fn truncate(&mut self, messages: usize, lines: usize) {
        self.messages.truncate(messages);
        self.lines.lines.truncate(lines);
    }

    /// The messages with their texts, made one at a time.
    pub fn iter(&self) -> impl Iterator<Item = MessageRecord> + '_ {
        self.messages.iter().map(|(role, runs)| MessageRecord {
            role: *role,
            content: runs.as_ref().map(|runs| self.lines.text(runs)),
        })
    }
}

impl Serialize for Texts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Texts, D::Error> {
        struct Messages;
        impl<'de> Visitor<'de> for Messages {
            type Value = Texts;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a list of messages")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Texts, A::Error> {
                let mut texts = Texts::default();
                while let Some(message) = list.next_element::<MessageRecord>()? {
                    texts.push(message.role, message.content.as_deref());
                }
                Ok(texts)
            }
        }
        deserializer.deserialize_seq(Messages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_stands_once() {
        let mut lines = Lines::default();
        assert_eq!(*lines.runs("a\nb\n"), [0, 3]);
        assert_eq!(*lines.runs("b\n\nc\na\nb"), [1, 3, 0, 2]);
        assert!(lines.iter().eq(["a", "b", "", "c"]));
    }

    #[test]
    fn texts_come_back_as_they_were() {
        let mut texts = Texts::default();
        let contents = [Some("a\nb\n"), None, Some(""), Some("\n\nb\na"), Some("a\r\nb")];
        for content in contents {
            texts.push(Role::User, content);
        }
        let back: Vec<Option<String>> =
            texts.iter().map(|message| message.content.map(|content| content.to_string())).collect();
        assert_eq!(back, contents.map(|content| content.map(str::to_owned)));
    }
}
