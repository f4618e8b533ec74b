//! The language reference for models. People read `docs/language.md` instead.

/// The reference of PTC-Lisp for a model that knows Clojure.
#[derive(Clone, Copy, Debug)]
pub struct LanguageSpec;

impl LanguageSpec {
    /// Markdown; the same for every agent. Lines `EXPRESSION ;=> VALUE` in its blocks are tests.
    pub fn text() -> &'static str {
        include_str!("language_spec.md").trim_ascii_end()
    }
}
