//! The SYSTEM text of every request (ARC-008). It is static, so providers cache it, and never holds tools, data or
//! the mission.

use std::sync::LazyLock;

use super::PromptFrame;
use super::extract::without_blank_ends;
use super::language_spec::LanguageSpec;

static TEXT: LazyLock<String> = LazyLock::new(|| {
    let answer_format = include_str!("answer_format.md").trim_ascii_end();
    format!("{}\n\n{answer_format}", LanguageSpec::text())
});

/// SYSTEM: the language, how to return and fail, the answer format (BRK-005).
#[derive(Clone, Copy, Debug)]
pub struct SystemPrompt;

impl SystemPrompt {
    /// The static text, the same for every agent, turn and strategy (ARC-011).
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

#[cfg(test)]
mod tests {
    use super::*;

    /// BRK-005, MIG-004
    #[test]
    fn prefix_and_suffix_stand_a_blank_line_apart() {
        let frame = PromptFrame { prefix: Some("\n\nBe careful.\n".into()), suffix: Some(" \n".into()) };
        let framed = SystemPrompt::framed(&frame);
        assert_eq!(framed, format!("Be careful.\n\n{}", SystemPrompt::text()));
        assert_eq!(SystemPrompt::framed(&PromptFrame::default()), SystemPrompt::text());
        assert!(framed.ends_with("the result."));
    }

    /// It is sent with every request of every strategy.
    #[test]
    fn the_text_is_short() {
        let tokens = tiktoken_rs::o200k_base_singleton().encode_ordinary(SystemPrompt::text()).len();
        assert!(tokens <= 1_800, "{tokens} tokens");
    }
}
