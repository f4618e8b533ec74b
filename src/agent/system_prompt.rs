//! The text that every request begins with (ARC-008): static, so that it costs next to nothing where
//! prefixes are cached. It never holds tools, data or the mission.

use std::sync::LazyLock;

use super::Frame;
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

    /// The static text between what a scenario puts around it, joined by one blank line.
    pub fn framed(frame: &Frame) -> String {
        let around =
            |text: &Option<String>| text.as_deref().map(without_blank_ends).unwrap_or_default().to_string();
        let parts = [around(&frame.prefix), SystemPrompt::text().to_string(), around(&frame.suffix)];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// BRK-005, MIG-004
    #[test]
    fn prefix_and_suffix_stand_a_blank_line_apart() {
        let frame = Frame { prefix: Some("\n\nBe careful.\n".into()), suffix: Some(" \n".into()) };
        let framed = SystemPrompt::framed(&frame);
        assert_eq!(framed, format!("Be careful.\n\n{}", SystemPrompt::text()));
        assert_eq!(SystemPrompt::framed(&Frame::default()), SystemPrompt::text());
        assert!(framed.ends_with("the result."));
    }

    /// It is sent with every request of every strategy.
    #[test]
    fn the_text_is_short() {
        let tokens = tiktoken_rs::o200k_base_singleton().encode_ordinary(SystemPrompt::text()).len();
        assert!(tokens <= 1_800, "{tokens} tokens");
    }
}
