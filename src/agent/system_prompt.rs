//! The SYSTEM text of every request. It is static, so providers cache it, and never holds tools, data or
//! the mission.

use std::sync::LazyLock;

use super::PromptFrame;
use super::extract::without_blank_ends;
use super::language_spec::LanguageSpec;
use super::template::{PlaceholderError, Template};

static TEXT: LazyLock<String> =
    LazyLock::new(|| format!("{}\n\n{}", LanguageSpec::text(), GeneratedPart::AnswerFormat.text()));

/// SYSTEM: the language, how to return and fail, the answer format.
#[derive(Clone, Copy, Debug)]
pub struct SystemPrompt;

/// A part of the SYSTEM text that the program writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GeneratedPart {
    /// Both parts below, with a blank line between: the SYSTEM text of a scenario that sets none.
    Whole,
    /// The reference of the language.
    Language,
    /// How to answer.
    AnswerFormat,
}

/// A piece of a SYSTEM text: lines of the user, or a generated part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SystemPiece<'t> {
    /// Lines without the line break at their end.
    Lines(&'t str),
    Generated(GeneratedPart),
}

impl GeneratedPart {
    /// All, the longest first.
    pub const ALL: [GeneratedPart; 3] =
        [GeneratedPart::Whole, GeneratedPart::Language, GeneratedPart::AnswerFormat];

    /// The part for which a placeholder stands.
    fn placeholder(self) -> Option<&'static str> {
        match self {
            GeneratedPart::Whole => None,
            GeneratedPart::Language => Some("language"),
            GeneratedPart::AnswerFormat => Some("answer_format"),
        }
    }

    /// The text, the same for every agent, turn and strategy.
    pub fn text(self) -> &'static str {
        match self {
            GeneratedPart::Whole => &TEXT,
            GeneratedPart::Language => LanguageSpec::text(),
            GeneratedPart::AnswerFormat => include_str!("answer_format.md").trim_ascii_end(),
        }
    }
}

impl SystemPrompt {
    /// The static text, the same for every agent, turn and strategy.
    pub fn text() -> &'static str {
        &TEXT
    }

    /// A text of the user with the generated parts in place of `{{language}}` and `{{answer_format}}`.
    ///
    /// # Errors
    /// A placeholder with another name.
    pub fn fill(template: &str) -> Result<String, PlaceholderError> {
        let part_of = |name: &str, _: usize| {
            let mut parts = GeneratedPart::ALL.into_iter();
            parts.find(|part| part.placeholder() == Some(name)).map(|part| part.text().into())
        };
        Template::new(without_blank_ends(template)).fill(part_of)
    }

    /// The text with the prefix and suffix of a scenario, joined by blank lines.
    pub fn framed(frame: &PromptFrame) -> String {
        let [prefix, suffix] =
            [&frame.prefix, &frame.suffix].map(|text| text.as_deref().map(without_blank_ends));
        let text = frame.text.as_deref().unwrap_or(SystemPrompt::text());
        let parts = [prefix, Some(text), suffix].into_iter().flatten();
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
    }

    /// The pieces of a SYSTEM text. A generated part counts if it has lines of its own.
    pub fn pieces(text: &str) -> Vec<SystemPiece<'_>> {
        let mut pieces = Vec::new();
        push_pieces(text, &mut pieces);
        pieces
    }
}

fn push_pieces<'t>(text: &'t str, pieces: &mut Vec<SystemPiece<'t>>) {
    for part in GeneratedPart::ALL {
        let Some((before, after)) = split_at_lines(text, part.text()) else { continue };
        before.into_iter().for_each(|before| push_pieces(before, pieces));
        pieces.push(SystemPiece::Generated(part));
        after.into_iter().for_each(|after| push_pieces(after, pieces));
        return;
    }
    pieces.push(SystemPiece::Lines(text));
}

/// The lines before and after a part that has lines of its own.
fn split_at_lines<'t>(text: &'t str, part: &str) -> Option<(Option<&'t str>, Option<&'t str>)> {
    let (before, after) = text.split_once(part)?;
    let (lines_before, lines_after) = (before.strip_suffix('\n'), after.strip_prefix('\n'));
    let is_apart =
        (before.is_empty() || lines_before.is_some()) && (after.is_empty() || lines_after.is_some());
    is_apart.then_some((lines_before, lines_after))
}
