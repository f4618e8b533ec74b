//! The language reference for models. People read `docs/language.md` instead.

/// The PTC-Lisp reference for a model with knowledge of Clojure.
#[derive(Clone, Copy, Debug)]
pub struct LanguageSpec;

impl LanguageSpec {
    /// The reference as Markdown; the same for every agent. Lines `EXPRESSION ;=> VALUE` in its code blocks are tests.
    pub fn text() -> &'static str {
        include_str!("language_spec.md").trim_ascii_end()
    }
}
