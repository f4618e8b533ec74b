//! The terminal of the read-eval-print loop: line history, multi-line forms, completion.

use std::path::PathBuf;

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Editor, Helper};

use super::place::{Place, Seat};
use super::repl::{Answer, Repl};
use crate::cli::error::{CliError, CliResult};
use crate::cli::exit::Exit;
use crate::cli::token_cache::path_in_variable;
use crate::secrets::without_secrets;
use ptc_lisp::limits::Limits;

const PROMPT: &str = "user> ";

/// Reads, evaluates and prints until the user quits. `:in` continues at another turn.
pub(super) fn converse(limits: Limits, mut place: Option<Place>) -> CliResult {
    outln!("PTC-Lisp. :help lists the commands, Ctrl-D quits.");
    loop {
        let seat = match &place {
            Some(place) => Seat::of(place.hold()?),
            None => Seat::empty(limits),
        };
        if let Some(place) = &place {
            outln!("{}", place.describe(&seat));
        }
        match converse_at(seat)? {
            Left::At(next) => place = Some(*next),
            Left::For(exit) => return Ok(exit),
        }
    }
}

/// Why a loop ended.
enum Left {
    /// To continue at another turn.
    At(Box<Place>),
    For(Exit),
}

fn converse_at(seat: Seat<'_>) -> Result<Left, CliError> {
    let mut editor: Editor<Assistant<'_>, FileHistory> =
        Editor::new().map_err(|error| CliError::Terminal { error })?;
    editor.set_helper(Some(Assistant { repl: Repl::new(seat) }));
    let history = history_file();
    if let Some(file) = &history {
        // There is no history file yet on the first start.
        let _ = editor.load_history(file);
    }
    let left = answer_all(&mut editor);
    if let Some(file) = &history {
        save_history(&mut editor, file);
    }
    Ok(left)
}

fn answer_all(editor: &mut Editor<Assistant<'_>, FileHistory>) -> Left {
    loop {
        let text = match editor.readline(PROMPT) {
            Ok(text) => text,
            Err(ReadlineError::Eof) => return Left::For(Exit::Success),
            // Ctrl-C discards the current input, as in other shells.
            Err(ReadlineError::Interrupted) => continue,
            Err(error) => {
                errln!("error: {error}");
                return Left::For(Exit::Interrupted);
            }
        };
        // The history is a file, so it gets no secrets.
        if without_secrets(&text) == text {
            let _ = editor.add_history_entry(&text);
        }
        match editor.helper_mut().map(|assistant| assistant.repl.answer(&text)) {
            Some(Answer::Text(text)) => out!("{text}"),
            Some(Answer::Error(text)) => err!("{text}"),
            Some(Answer::Enter(place)) => match Place::find(&place) {
                Ok(place) => return Left::At(Box::new(place)),
                Err(error) => drop(error.tell()),
            },
            Some(Answer::Quit) | None => return Left::For(Exit::Success),
        }
    }
}

/// The history file. `None` if there is no home folder.
fn history_file() -> Option<PathBuf> {
    let state = match path_in_variable("XDG_STATE_HOME") {
        Some(state) => state,
        None => path_in_variable("HOME")?.join(".local/state"),
    };
    Some(state.join("ptc-eval").join("history"))
}

/// Returns true for the characters that cannot be in a name.
fn ends_name(c: char) -> bool {
    c.is_whitespace() || "()[]{}\"'`@#^~,;".contains(c)
}

/// Errors are ignored: failing to save the history is not worth a message.
fn save_history(editor: &mut Editor<Assistant<'_>, FileHistory>, file: &PathBuf) {
    if let Some(folder) = file.parent() {
        let _ = std::fs::create_dir_all(folder);
    }
    let _ = editor.append_history(file);
}

/// Detects incomplete forms and completes names.
struct Assistant<'p> {
    repl: Repl<'p>,
}

impl Helper for Assistant<'_> {}

impl Highlighter for Assistant<'_> {}

impl Hinter for Assistant<'_> {
    type Hint = String;
}

impl Validator for Assistant<'_> {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let is_unfinished = Repl::is_unfinished(context.input());
        Ok(if is_unfinished { ValidationResult::Incomplete } else { ValidationResult::Valid(None) })
    }
}

impl Completer for Assistant<'_> {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..at).unwrap_or(line);
        let name = typed.rsplit_once(ends_name).map_or(typed, |(_, name)| name);
        Ok((typed.len() - name.len(), self.repl.completions(name)))
    }
}
