//! The language reference for models. People read `docs/language.md` instead.

/// The reference of PTC-Lisp for a model that knows Clojure (BRK-007).
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
    use ptc_lisp::builtin::Builtin;
    use ptc_lisp::builtins;
    use ptc_lisp::limits::Limits;
    use ptc_lisp::print::pr_str;
    use ptc_lisp::resolve::SPECIAL_FORMS;
    use ptc_lisp::session::{Ended, Environment, Session};

    /// The lines of the fenced blocks of a text.
    fn code(text: &str) -> Vec<&str> {
        let mut inside = false;
        let mut lines = Vec::new();
        for line in text.lines() {
            if line.starts_with("```") {
                inside = !inside;
            } else if inside {
                lines.push(line);
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

    /// The names between backquotes in the lists of the text.
    fn names(text: &str) -> Vec<&str> {
        let listed = text.split("## What is there").nth(1).and_then(|rest| rest.split("\n## ").next());
        let spans = listed.expect("the list of names").split('`').skip(1).step_by(2);
        spans.flat_map(|span| span.split(['(', ')', ' '])).filter(|name| name.len() > 1).collect()
    }

    fn exists(name: &str) -> bool {
        if ["clojure.core", "clojure.string"].contains(&name)
            || SPECIAL_FORMS.iter().any(|form| form.name == name)
        {
            return true;
        }
        let mut session = Session::new(Environment::default(), Limits::default());
        let outcome = session.run("name", name, 1, &mut ScriptedHost::new(&[]));
        matches!(outcome.ended, Ended::Value(_))
    }

    #[test]
    fn every_name_in_it_exists() {
        let unknown: Vec<&str> =
            names(LanguageSpec::text()).into_iter().filter(|name| !exists(name)).collect();
        assert_eq!(unknown, Vec::<&str>::new());
    }

    /// Models try these from habit, so the prompt need not grow.
    const UNMENTIONED: &str = "Patterns of dates and periods";

    #[test]
    fn every_family_of_builtins_is_mentioned() {
        let text = LanguageSpec::text();
        let is_mentioned = |row: &&Builtin| {
            text.match_indices(row.name).any(|(at, name)| {
                let around = [text[..at].chars().next_back(), text[at + name.len()..].chars().next()];
                around.iter().flatten().all(|c| !(c.is_alphanumeric() || "-?!*>".contains(*c)))
            })
        };
        let silent = builtins::FAMILIES.iter().filter(|family| !family.rows.iter().any(is_mentioned));
        assert_eq!(silent.map(|family| family.title).collect::<Vec<_>>(), [UNMENTIONED]);
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
