//! Custom strategies in PTC-Lisp. The file defines `(defn to-messages [turns memory opts] …)`. It returns
//! `[{:role :user :content "…"}]`. It runs in the sandbox without tools, with fresh state for every request, so it is pure.

mod builtins;
mod values;

use std::sync::Arc;

use history_strategies::{
    ErrorPlace, OptionRow, Options, PRINTLN_LIMIT, Rendered, SAMPLE_LIMIT, SAMPLE_PRINTABLE_LIMIT, Strategy,
    StrategyError, TOOL_CALL_LIMIT, View,
};

use super::recount::recounted;
use super::run::whole_past_of;
use crate::agent::{Message, Role};
use ptc_lisp::diagnostic;
use ptc_lisp::error::{Error, ErrorKind, describe};
use ptc_lisp::flexible;
use ptc_lisp::library::Library;
use ptc_lisp::limits::Limits;
use ptc_lisp::session::{CLOCK, Environment};
use ptc_lisp::source::Source;
use ptc_lisp::value::Value;

/// The name of the function in the file.
const FUNCTION: &str = "to-messages";
const PARAMETERS: &[&str] = &["turns", "memory", "opts"];
const SHAPE: &str = "[{:role :user :content \"…\"} …]";

/// A strategy in PTC-Lisp, parsed once and called for every request.
pub struct Program {
    path: String,
    /// The parsed file, or its error, reported when rendering.
    library: Result<Library, StrategyError>,
    /// True if the program may use sections.
    wants_sections: bool,
}

impl Program {
    /// Parses a strategy. Errors are kept for later.
    pub fn new(path: &str, text: &str) -> Program {
        let library = Library::new(&Source::new(path, text), FUNCTION, PARAMETERS)
            .map_err(|(source, error)| error_in_file(&error, &source));
        // Every program with sections contains this word. For others, writing the sections would be slow.
        Program { path: path.to_string(), library, wants_sections: text.contains("section") }
    }

    fn messages(&self, view: &View<'_>, options: &Options) -> Result<Vec<Message>, StrategyError> {
        let library = self.library.as_ref().map_err(Clone::clone)?;
        let data = Arc::new(builtins::bindings(view, options, self.wants_sections));
        let environment = Environment { tools: Vec::new(), data, now: CLOCK };
        let own;
        let all = match view.keep(|| values::turns(whole_past_of(view))) {
            Some(kept) => kept,
            None => {
                own = values::turns(whole_past_of(view));
                &own
            }
        };
        let turns = all.get(..view.completed()).unwrap_or(all);
        let memory = match turns.last() {
            Some(last) => last.memory.clone(),
            None => Value::vector(Vec::new()),
        };
        let turns: Vec<Value> = turns.iter().map(|values| values.turn.clone()).collect();
        let mut arguments = [Value::vector(turns), memory, values::opts(view, options)];
        let returned = match library.call(&mut arguments, &environment, Limits::default()) {
            Ok(returned) => returned,
            Err(error) => return Err(error_in_file(&error, &library.source)),
        };
        match read_messages(&returned) {
            Ok(messages) => Ok(messages),
            Err(error) => Err(error_in_file(&library.placed(error), &library.source)),
        }
    }
}

/// The options of the sections.
const OPTIONS: &[OptionRow] =
    &[PRINTLN_LIMIT.row(), TOOL_CALL_LIMIT.row(), SAMPLE_LIMIT.row(), SAMPLE_PRINTABLE_LIMIT.row()];

impl Strategy for Program {
    /// Returns the path of the file.
    fn name(&self) -> &str {
        &self.path
    }

    fn options(&self) -> &'static [OptionRow] {
        OPTIONS
    }

    fn takes_any_option(&self) -> bool {
        true
    }

    fn check(&self, _options: &Options) -> Result<(), StrategyError> {
        let library = self.library.as_ref().map_err(Clone::clone)?;
        library.check().map_err(|error| error_in_file(&error, &library.source))
    }

    fn to_messages(&self, view: &View<'_>, options: &Options) -> Result<Rendered, StrategyError> {
        let mut messages = self.messages(view, options)?;
        messages.splice(0..0, view.head().iter().cloned());
        Ok(recounted(self.name(), view, messages))
    }
}

/// Converts an error, with its place in the file.
fn error_in_file(error: &Error, source: &Source) -> StrategyError {
    let (line, column) = error.position.unwrap_or((1, 1));
    let name = format!("{}:{line}:{column}: {}", source.name, error.kind);
    let place = ErrorPlace { name, diagnostic: diagnostic::render(error, source) };
    StrategyError::at(place, error.message.as_str())
}

/// Converts the return value of a program to messages.
fn read_messages(returned: &Value) -> Result<Vec<Message>, Error> {
    let items = match returned.as_items() {
        Some(items) if !items.is_empty() => items,
        _ => return Err(refuse_shape(&format!("expected {SHAPE}, got {}", describe(returned)))),
    };
    let mut messages = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        messages.push(read_message(index, item)?);
    }
    Ok(messages)
}

fn read_message(index: usize, returned: &Value) -> Result<Message, Error> {
    let number = index + 1;
    if !matches!(returned, Value::Map(_)) {
        return Err(refuse_shape(&format!("message {number}: expected a map, got {}", describe(returned))));
    }
    let role = match flexible::get(returned, &Value::keyword("role")).unwrap_or_default() {
        Value::Keyword(name) if name.name() == "user" => Role::User,
        Value::Keyword(name) if name.name() == "assistant" => Role::Assistant,
        other => {
            return Err(refuse_shape(&format!(
                "message {number}: expected :user or :assistant as :role, got {}",
                describe(&other)
            )));
        }
    };
    match flexible::get(returned, &Value::keyword("content")).unwrap_or_default() {
        Value::Str(content) => Ok(Message::new(role, content)),
        other => Err(refuse_shape(&format!(
            "message {number}: expected a string as :content, got {}",
            describe(&other)
        ))),
    }
}

fn refuse_shape(message: &str) -> Error {
    Error::new(ErrorKind::TypeError, format!("{FUNCTION}: {message}"))
}
