//! The read-eval-print loop, as a function from input to answer, without terminal code.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::place::Seat;
use super::stray_closer;
use crate::cli::terminal::for_reader;
use crate::scenario::problem;
use crate::scenario::{Refused, read_data};
use ptc_lisp::builtins;
use ptc_lisp::diagnostic;
use ptc_lisp::error::Error;
use ptc_lisp::lenient::read_lenient;
use ptc_lisp::manual;
use ptc_lisp::print::pr_str;
use ptc_lisp::read::is_unfinished;
use ptc_lisp::resolve::SPECIAL_FORMS;
use ptc_lisp::session::Ended;
use ptc_lisp::source::Source;
use ptc_lisp::symbol::Symbol;

/// Commands besides programs.
const COMMANDS: &[(&str, &str)] = &[
    (":data FILE", "make the values of a .csv, .json, .jsonl, .yaml or .txt file data/NAME"),
    (":doc NAME", "what a builtin does, or a definition of yours; so does (doc NAME)"),
    (":in SCENARIO@TURN", "open a turn of a scenario: its tools, data and definitions"),
    (":help", "this list"),
    (":quit", "leave; so do exit and Ctrl-D"),
];

/// Builtins by frequency in programs written by models, most frequent first.
const USUAL_NAMES: &str = include_str!("usual_names.txt");

/// A session that keeps its state between inputs.
pub(super) struct Repl<'p> {
    seat: Seat<'p>,
}

/// The answer to an input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Text(String),
    /// An error message.
    Error(String),
    /// The turn to open, as `SCENARIO@TURN`.
    Enter(String),
    Quit,
}

impl<'p> Repl<'p> {
    pub(super) fn new(seat: Seat<'p>) -> Repl<'p> {
        Repl { seat }
    }

    /// Returns true if the text is an incomplete program.
    pub(super) fn is_unfinished(text: &str) -> bool {
        read_lenient(&Source::new("", text)).forms.is_err_and(|error| is_unfinished(&error))
    }

    pub(super) fn answer(&mut self, text: &str) -> Answer {
        let text = text.trim();
        // `(doc NAME)`, as in Clojure.
        if let Some(page) = called_doc(text).and_then(|name| self.page(name)) {
            return Answer::Text(page);
        }
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match word {
            "" => Answer::Text(String::new()),
            ":quit" | ":exit" | ":q" => Answer::Quit,
            "exit" | "quit" | "(exit)" | "(quit)" if rest.is_empty() && !self.defines(word) => Answer::Quit,
            ":help" => Answer::Text(list_commands()),
            ":doc" => self.doc(rest.trim()),
            ":in" if rest.trim().is_empty() => {
                Answer::Error("error: expected :in SCENARIO@TURN, such as :in shop/join@3\n".to_owned())
            }
            ":in" => Answer::Enter(rest.trim().to_owned()),
            ":data" => self.load(Path::new(rest.trim())),
            command if command.starts_with(':') && rest.is_empty() => unknown_command(command),
            _ => self.run(text),
        }
    }

    fn run(&mut self, text: &str) -> Answer {
        let turn = self.seat.turn;
        let name = format!("repl:{turn}");
        if let Some(error) = stray_closer(&name, text) {
            return Answer::Error(error);
        }
        self.seat.turn += 1;
        self.seat.programs.insert(turn, text.to_owned());
        let outcome = self.seat.session.run(&name, text, turn, &mut *self.seat.host);
        let mut printed: String = outcome.prints.iter().map(|print| format!("{print}\n")).collect();
        match outcome.ended {
            Ended::Value(value) | Ended::Return(value) => {
                printed.push_str(&for_reader(&pr_str(&value), true));
                printed.push('\n');
                self.seat.session.commit(Some(value));
                Answer::Text(printed)
            }
            Ended::Fail(reason) => {
                self.seat.session.commit(None);
                Answer::Error(format!("{printed}failed: {}\n", for_reader(&pr_str(&reason), true)))
            }
            Ended::Error(error) => {
                self.seat.session.roll_back();
                let error = Error { message: for_reader(&error.message, true).into(), ..error };
                Answer::Error(printed + &diagnostic::render(&error, &Source::new(name, text)))
            }
        }
    }

    /// Loads a file as data named after the file.
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
                self.seat.data.insert(name, value);
                self.seat.data.sort_keys();
                self.seat.session.provide(Arc::new(self.seat.data.clone()));
                Answer::Text(format!("data/{}\n", name.name()))
            }
            Err(Refused::Path(message, help)) => {
                Answer::Error(format!("error: {message}\n  = help: {help}\n"))
            }
            Err(Refused::File(problem)) => Answer::Error(problem::render(std::slice::from_ref(&problem))),
        }
    }

    /// Completions of a word: definitions, data, tools and commands, then builtins by frequency, then all other names.
    pub(super) fn completions(&self, word: &str) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        names.extend(self.seat.session.memory().iter().map(|defined| defined.name.name().to_string()));
        names.extend(self.seat.data.keys().map(|name| format!("data/{}", name.name())));
        names.extend(self.seat.session.tools().iter().map(|name| format!("tool/{}", name.name())));
        names.extend(COMMANDS.iter().filter_map(|(usage, _)| usage.split(' ').next()).map(str::to_owned));
        names.extend(USUAL_NAMES.lines().map(str::to_owned));
        let mut others: Vec<String> = builtins::all().map(|builtin| builtin.name.to_string()).collect();
        others.extend(SPECIAL_FORMS.iter().map(|form| form.name.to_string()));
        others.extend(builtins::constants().map(str::to_owned));
        others.sort_unstable();
        names.extend(others);
        let mut seen = BTreeSet::new();
        names.retain(|name| name.starts_with(word) && seen.insert(name.clone()));
        names
    }

    fn defines(&self, name: &str) -> bool {
        self.seat.session.memory().iter().any(|defined| defined.name.name() == name)
    }

    fn doc(&self, name: &str) -> Answer {
        if let Some(page) = self.page(name) {
            return Answer::Text(page);
        }
        let mut names: Vec<String> = self.completions("");
        names.retain(|name| !name.starts_with(':'));
        let hint = ptc_lisp::hint::did_you_mean(name, names.iter().map(String::as_str));
        let hint = hint.map_or_else(String::new, |hint| format!(". {hint}"));
        Answer::Error(format!("error: nothing is called '{name}'{hint}\n"))
    }

    /// The documentation of a definition, else of a builtin.
    fn page(&self, name: &str) -> Option<String> {
        let plain = name.strip_prefix("user/").unwrap_or(name);
        let defined = self.seat.session.memory().iter().find(|defined| defined.name.name() == plain);
        let Some(defined) = defined else { return documentation_of(name) };
        let mut page = format!("{}\n", defined.name.name());
        if let Some(text) = &defined.docstring {
            page += &format!("  {text}\n");
        }
        // For functions, show the source: the printed value is only a name.
        match self.seat.programs.get(&defined.turn) {
            Some(program) if defined.is_function() => {
                page.extend(program.lines().map(|line| format!("  {line}\n")));
            }
            _ => page += &format!("  {}\n", for_reader(&pr_str(&defined.value), true)),
        }
        Some(page)
    }
}

/// The error for an unknown command, with a list of all commands.
fn unknown_command(command: &str) -> Answer {
    Answer::Error(format!("error: there is no command {command}\n{}", list_commands()))
}

fn list_commands() -> String {
    let mut help = String::new();
    for (usage, does) in COMMANDS {
        help += &format!("{usage:<20}{does}\n");
    }
    help + "*1 *2 *3            the last three values; Enter continues a form with open brackets\n"
}

/// The name in `(doc NAME)`.
fn called_doc(text: &str) -> Option<&str> {
    text.strip_prefix("(doc ")?.strip_suffix(')').map(str::trim)
}

fn documentation_of(name: &str) -> Option<String> {
    if builtins::find(name).is_none() && !SPECIAL_FORMS.iter().any(|form| form.name == name) {
        return None;
    }
    let entry = manual::entry(name);
    Some(format!("{name}\n  {}\n  {}\n", entry.doc, entry.example))
}
