//! The read-eval-print loop: a line in, an answer out. It knows no terminal.

use std::path::Path;
use std::sync::Arc;

use super::NoTools;
use crate::cli::terminal::for_reader;
use crate::scenario::problem;
use crate::scenario::{Refused, read_data};
use ptc_lisp::builtins;
use ptc_lisp::diagnostic;
use ptc_lisp::error::Error;
use ptc_lisp::lenient::read_lenient;
use ptc_lisp::limits::Limits;
use ptc_lisp::manual;
use ptc_lisp::print::pr_str;
use ptc_lisp::read::is_unfinished;
use ptc_lisp::resolve::SPECIAL_FORMS;
use ptc_lisp::session::{Bindings, CLOCK, Ended, Environment, Session};
use ptc_lisp::source::Source;
use ptc_lisp::symbol::Symbol;

/// Commands that can be typed besides programs.
const COMMANDS: &[(&str, &str)] = &[
    (":data FILE", "make the values of a .csv, .json, .jsonl, .yaml or .txt file data/NAME"),
    (":doc NAME", "what a builtin does; so does (doc NAME)"),
    (":help", "this list"),
    (":quit", "leave; so does Ctrl-D"),
];

/// A session that goes on from one form to the next.
pub(super) struct Repl {
    session: Session,
    data: Bindings,
    /// Number of programs that were run.
    count: u32,
}

/// The answer to what was typed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Text(String),
    /// Something went wrong.
    Error(String),
    Quit,
}

impl Repl {
    pub(super) fn new(limits: Limits) -> Repl {
        let environment = Environment { now: CLOCK, ..Environment::default() };
        Repl { session: Session::new(environment, limits), data: Bindings::default(), count: 0 }
    }

    /// Returns true if the text could become a program if more were typed.
    pub(super) fn is_unfinished(text: &str) -> bool {
        read_lenient(&Source::new("", text)).forms.is_err_and(|error| is_unfinished(&error))
    }

    pub(super) fn answer(&mut self, text: &str) -> Answer {
        let text = text.trim();
        // As Clojure's own loop has it.
        if let Some(page) = called_doc(text).and_then(documented) {
            return Answer::Text(page);
        }
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match word {
            "" => Answer::Text(String::new()),
            ":quit" | ":exit" | ":q" => Answer::Quit,
            ":help" => Answer::Text(help()),
            ":doc" => doc(rest.trim()),
            ":data" => self.load(Path::new(rest.trim())),
            _ => self.run(text),
        }
    }

    fn run(&mut self, text: &str) -> Answer {
        self.count += 1;
        let name = format!("repl:{}", self.count);
        let outcome = self.session.run(&name, text, self.count, &mut NoTools);
        let mut printed: String = outcome.prints.iter().map(|print| format!("{print}\n")).collect();
        match outcome.ended {
            Ended::Value(value) | Ended::Return(value) => {
                printed.push_str(&for_reader(&pr_str(&value), true));
                printed.push('\n');
                self.session.commit(Some(value));
                Answer::Text(printed)
            }
            Ended::Fail(reason) => {
                self.session.commit(None);
                Answer::Error(format!("{printed}failed: {}\n", for_reader(&pr_str(&reason), true)))
            }
            Ended::Error(error) => {
                self.session.roll_back();
                let error = Error { message: for_reader(&error.message, true).into(), ..error };
                Answer::Error(printed + &diagnostic::render(&error, &Source::new(name, text)))
            }
        }
    }

    /// Makes the content of a file data under the file's name.
    fn load(&mut self, file: &Path) -> Answer {
        let (Some(name), Some(stem)) = (file.file_name(), file.file_stem()) else {
            return Answer::Error("error: expected :data FILE\n".to_string());
        };
        let folder = match file.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        match read_data(folder, folder, &name.to_string_lossy()) {
            Ok(value) => {
                let name = Symbol::new(&stem.to_string_lossy());
                self.data.insert(name, value);
                self.data.sort_keys();
                self.session.provide(Arc::new(self.data.clone()));
                Answer::Text(format!("data/{}\n", name.name()))
            }
            Err(Refused::Path(message, help)) => {
                Answer::Error(format!("error: {message}\n  = help: {help}\n"))
            }
            Err(Refused::File(problem)) => Answer::Error(problem::render(std::slice::from_ref(&problem))),
        }
    }

    /// The names that a word could be the beginning of, in alphabetical order.
    pub(super) fn completions(&self, word: &str) -> Vec<String> {
        let forms = SPECIAL_FORMS.iter().map(|form| form.name.to_string());
        let builtins = builtins::all().map(|builtin| builtin.name.to_string());
        let constants = builtins::constants().map(str::to_string);
        let defined = self.session.memory().iter().map(|definition| definition.name.name().to_string());
        let data = self.data.keys().map(|name| format!("data/{}", name.name()));
        let commands = COMMANDS.iter().filter_map(|(usage, _)| usage.split(' ').next()).map(str::to_string);
        let all = forms.chain(builtins).chain(constants).chain(defined).chain(data).chain(commands);
        let mut names: Vec<String> = all.filter(|name| name.starts_with(word)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

fn help() -> String {
    let row = |(usage, does): &(&str, &str)| format!("{usage:<12}{does}\n");
    let commands: String = COMMANDS.iter().map(row).collect();
    format!("{commands}*1 *2 *3    the last values; a form goes on until its brackets close\n")
}

/// The name in `(doc NAME)`.
fn called_doc(text: &str) -> Option<&str> {
    text.strip_prefix("(doc ")?.strip_suffix(')').map(str::trim)
}

fn documented(name: &str) -> Option<String> {
    let is_form = || SPECIAL_FORMS.iter().any(|form| form.name == name);
    let entry = manual::entry(name);
    let page = || format!("{name}\n  {}\n  {}\n", entry.doc, entry.example);
    (builtins::find(name).is_some() || is_form()).then(page)
}

fn doc(name: &str) -> Answer {
    if let Some(page) = documented(name) {
        return Answer::Text(page);
    }
    let names = builtins::all().map(|builtin| builtin.name);
    let names = names.chain(SPECIAL_FORMS.iter().map(|form| form.name));
    let hint = ptc_lisp::hint::did_you_mean(name, names).map_or_else(String::new, |hint| format!(". {hint}"));
    Answer::Error(format!("error: there is no builtin '{name}'{hint}\n"))
}
