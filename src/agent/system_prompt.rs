//! The SYSTEM text of every request. It is static, so providers cache it, and never holds tools, data or
//! the mission.

use std::sync::LazyLock;

use super::PromptFrame;
use super::extract::without_blank_ends;
use super::language_spec::LanguageSpec;

static TEXT: LazyLock<String> = LazyLock::new(|| {
    let answer_format = include_str!("answer_format.md").trim_ascii_end();
    format!("{}\n\n{answer_format}", LanguageSpec::text())
});

/// SYSTEM: the language, how to return and fail, the answer format.
#[derive(Clone, Copy, Debug)]
pub struct SystemPrompt;

impl SystemPrompt {
    /// The static text, the same for every agent, turn and strategy.
    pub fn text() -> &'static str {
        &TEXT
    }

    /// The text with the prefix and suffix of a scenario, joined by blank lines.
    pub fn framed(frame: &PromptFrame) -> String {
        let [prefix, suffix] =
            [&frame.prefix, &frame.suffix].map(|text| text.as_deref().map(without_blank_ends));
        let parts = [prefix, Some(SystemPrompt::text()), suffix].into_iter().flatten();
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
    }
}
