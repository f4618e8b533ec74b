//! Collects the problems of a scenario file while its parts are checked.

use std::path::PathBuf;

use super::cut::Cuts;
use super::document::{Document, Step, Target, below};
use super::problem::{LISTED, Problem, Severity};
use super::{Suite, names, swallowed};
use crate::signature::Signature;
use agent_logs::ShelvedTranscript;

/// One scenario before parsing.
#[derive(Clone, Debug)]
pub struct ScenarioSource {
    /// The name derived from the path. `None` for a JSON line; it contains its own name.
    pub name: Option<String>,
    /// The path as shown in messages.
    pub path: String,
    /// The base folder of relative paths in the scenario.
    pub folder: PathBuf,
    /// The line of the file where the text begins.
    pub line: u32,
    pub content: SourceContent,
}

/// The content of a scenario before it is loaded.
#[derive(Clone, Debug)]
pub enum SourceContent {
    Text {
        bytes: Vec<u8>,
        format: SourceFormat,
    },
    /// A conversation from a log, without text.
    Conversation(ShelvedTranscript),
}

impl ScenarioSource {
    /// The text. Empty for a conversation.
    pub fn text(&self) -> &[u8] {
        match &self.content {
            SourceContent::Text { bytes, .. } => bytes,
            SourceContent::Conversation(_) => &[],
        }
    }

    fn is_yaml(&self) -> bool {
        matches!(self.content, SourceContent::Text { format: SourceFormat::Yaml, .. })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceFormat {
    Yaml,
    JsonLine,
    /// A file with one transcript in the neutral format.
    Transcript,
}

/// Collects problems while a scenario is built.
pub struct Loader<'a> {
    pub document: Document<'a>,
    pub source: &'a ScenarioSource,
    pub suite: &'a Suite,
    pub problems: Vec<Problem>,
    unlisted: Unlisted,
    cuts: Cuts<'a>,
}

/// Problems beyond the listed ones.
#[derive(Default)]
struct Unlisted {
    count: usize,
    has_errors: bool,
}

impl<'a> Loader<'a> {
    pub fn new(document: Document<'a>, source: &'a ScenarioSource, suite: &'a Suite) -> Loader<'a> {
        let cuts = Cuts::new(document);
        Loader { document, source, suite, problems: Vec::new(), unlisted: Unlisted::default(), cuts }
    }

    /// The problems. The last one counts the unlisted ones.
    pub fn into_problems(self) -> Vec<Problem> {
        let mut problems = self.problems;
        let Unlisted { count, has_errors } = self.unlisted;
        if count > 0 {
            let severity = if has_errors { Severity::Error } else { Severity::Warning };
            problems.push(Problem { severity, ..Problem::more(&self.source.path, count) });
        }
        problems
    }

    pub fn add(&mut self, severity: Severity, describe: impl FnOnce(&Document<'_>) -> Problem) {
        if self.problems.len() < LISTED {
            self.problems.push(Problem { severity, ..describe(&self.document) });
        } else {
            self.unlisted.count += 1;
            self.unlisted.has_errors |= severity == Severity::Error;
        }
    }

    /// Adds an error at the value of a trail.
    pub fn error(&mut self, at: &[Step], message: impl Into<String>, help: &str) {
        self.error_at(at, Target::Value, message, help);
    }

    /// Adds an error at the key of a trail.
    pub fn key_error(&mut self, at: &[Step], message: impl Into<String>, help: &str) {
        self.error_at(at, Target::Key, message, help);
    }

    /// Adds an error at the key or the value of a trail.
    pub fn error_at(&mut self, at: &[Step], target: Target, message: impl Into<String>, help: &str) {
        self.add(Severity::Error, |document| document.problem(at, target, message, help));
    }

    /// Adds a warning.
    pub fn warn(&mut self, code: &'static str, at: &[Step], target: Target, message: String, help: &str) {
        self.add(Severity::Warning, |document| Problem {
            code: Some(code),
            ..document.problem(at, target, message, help)
        });
    }

    /// Warns of text truncated by a YAML comment.
    pub fn warn_if_cut(&mut self, at: &[Step], text: &str) {
        if self.source.is_yaml() {
            self.problems.extend(self.cuts.warning(at, text));
        }
    }

    /// Warns of an answer truncated by a YAML comment, or one with a YAML key inside by mistake.
    pub fn warn_of_answer(&mut self, at: &[Step], text: &str) {
        self.warn_if_cut(at, text);
        if self.source.is_yaml() && self.problems.len() < LISTED {
            self.problems.extend(swallowed::warning(&self.document, at, text));
        }
    }

    /// Warns of tools and data with the name of a builtin (`docs/language.md` §6.2).
    pub fn warn_if_shadowed(&mut self, at: &[Step], kind: &str, name: &str) {
        if names::is_builtin(name) || names::is_special_form(name) {
            let message = format!("the {kind} '{name}' shadows the builtin of that name");
            self.warn("shadowed_builtin", at, Target::Key, message, "choose another name");
        }
    }

    /// The only given key of several. Adds an error if there is none, or more than one.
    pub fn just_one(
        &mut self,
        at: &[Step],
        given: &[(&'static str, bool)],
        what: &str,
        help: &str,
    ) -> Option<&'static str> {
        let mut there = given.iter().filter(|(_, given)| *given).map(|(key, _)| *key);
        match (there.next(), there.next()) {
            (Some(key), None) => Some(key),
            (None, _) => {
                self.error(at, format!("{what} is empty"), help);
                None
            }
            (Some(first), Some(second)) => {
                let at = below(at, [second.into()]);
                self.key_error(&at, format!("{what} has both {first} and {second}"), help);
                None
            }
        }
    }

    /// Parses a signature.
    pub fn signature(&mut self, at: &[Step], text: Option<&str>) -> Option<Signature> {
        match Signature::parse(text?) {
            Ok(signature) => Some(signature),
            Err(error) => {
                let help = "write it as \"(name :string, count :int?) -> [:string]\"";
                self.error(at, error.to_string(), help);
                None
            }
        }
    }
}

/// Joins the text to one line: each run of white space becomes one space.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
