//! The reference of the language that models are given. People read `docs/language.md` instead.

/// What a model that knows Clojure must learn of PTC-Lisp (BRK-007).
#[derive(Clone, Copy, Debug)]
pub struct LanguageSpec;

impl LanguageSpec {
    /// Markdown; the same for every agent. Lines `EXPRESSION ;=> VALUE` in its blocks are tests.
    pub fn text() -> &'static str {
        include_str!("language_spec.md").trim_ascii_end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::host::ScriptedHost;
    use crate::agent::system_prompt::SystemPrompt;
    use crate::lisp::limits::Limits;
    use crate::lisp::print::pr_str;
    use crate::lisp::session::{Ended, Environment, Session};

    /// The lines of the fenced blocks of a text.
    fn code(text: &str) -> Vec<&str> {
        let mut inside = false;
        let mut lines = Vec::new();
        for line in text.lines() {
            match line.starts_with("```") {
                true => inside = !inside,
                false if inside => lines.push(line),
                false => {}
            }
        }
        lines
    }

    /// BRK-007
    #[test]
    fn every_example_is_true() {
        let mut session = Session::new(Environment::default(), Limits::default());
        let mut host = ScriptedHost::new(&[]);
        let mut checked = 0;
        for (line, turn) in code(LanguageSpec::text()).into_iter().zip(1..) {
            let (expression, expected) = line.split_once(";=>").expect("an example has a value");
            let outcome = session.run("example", expression, turn, &mut host);
            let Ended::Value(value) = outcome.ended else { panic!("{line}: {:?}", outcome.ended) };
            assert_eq!(pr_str(&value), expected.trim(), "{line}");
            session.commit(Some(value));
            checked += 1;
        }
        assert!(checked > 20);
    }

    #[test]
    fn the_example_of_an_answer_runs() {
        let text = SystemPrompt::text();
        let answer = text.split_once("# How to answer").expect("the answer format").1;
        let mut session = Session::new(Environment::default(), Limits::default());
        let outcome = session.run("example", &code(answer).join("\n"), 1, &mut ScriptedHost::new(&[]));
        assert!(matches!(outcome.ended, Ended::Value(_)), "{:?}", outcome.ended);
        assert_eq!(outcome.prints, ["rows: 2"]);
    }
}
