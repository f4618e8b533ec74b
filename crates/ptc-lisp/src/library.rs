//! A file of definitions that is read and resolved once and called from outside, each time with a fresh `user/` and without
//! tools. Strategies in PTC-Lisp are such files.

use std::sync::Arc;

use super::error::{Error, ErrorKind, Unwind};
use super::eval::Interpreter;
use super::expr::Program;
use super::form::{Form, FormKind};
use super::lenient::{Reading, read_lenient};
use super::limits::Limits;
use super::print::pr_str;
use super::resolve::resolve;
use super::session::{Environment, NoTools, State};
use super::source::{Source, Span};
use super::symbol::Symbol;
use super::value::{Function, Value};

/// Characters that are shown of the message of an error.
const MESSAGE: usize = 2_000;

/// Definitions that can be called, also by several threads at once.
pub struct Library {
    /// The text to which the places of errors refer.
    pub source: Arc<Source>,
    program: Program,
    function: Symbol,
    /// Names of the function's parameters.
    parameters: &'static [&'static str],
    /// Place of the function's definition.
    definition: Option<Span>,
}

impl Library {
    /// Reads a file that defines a function of this name with these parameters.
    ///
    /// # Errors
    /// When the text is no program.
    pub fn new(
        source: &Source,
        function: &str,
        parameters: &'static [&'static str],
    ) -> Result<Library, (Arc<Source>, Error)> {
        let Reading { source, forms } = read_lenient(source);
        let source = Arc::new(source);
        let function = Symbol::new(function);
        let (program, definition) = match resolve_library(&source, forms, function) {
            Ok(resolved) => resolved,
            Err(error) => return Err((source.clone(), error.in_source(&source))),
        };
        Ok(Library { source, program, function, parameters, definition })
    }

    /// Checks that some form of the file defines the function; nothing is run.
    ///
    /// # Errors
    /// When no form of it does.
    pub fn check(&self) -> Result<(), Error> {
        match self.definition {
            Some(_) => Ok(()),
            None => Err(self.placed(self.missing())),
        }
    }

    /// Runs the file and calls its function on these arguments.
    ///
    /// # Errors
    /// When the program raises an error, spends a limit, or defines no such function.
    pub fn call(
        &self,
        arguments: &mut [Value],
        environment: &Environment,
        limits: Limits,
    ) -> Result<Value, Error> {
        let (mut state, mut host) = (State::default(), NoTools);
        let mut interpreter = Interpreter::new(limits, environment, &mut state, &mut host);
        let called = interpreter.run(&self.program).and_then(|_| match interpreter.defined(self.function) {
            Some(function @ Value::Function(Function::Closure(_))) => {
                interpreter.run_call(&function, arguments)
            }
            _ => Err(self.missing().into()),
        });
        called.map_err(|unwind| match *unwind {
            Unwind::Error(error) => self.placed(error),
            Unwind::Return(value) | Unwind::Fail(value) => {
                let message = "return and fail end an agent's run, of which there is none here";
                self.placed(Error::new(ErrorKind::Failed, format!("{message}: {}", pr_str(&value))))
            }
        })
    }

    /// The error with the start of its message. Without a position, it is placed at the definition of the function.
    pub fn placed(&self, error: Error) -> Error {
        let message = error.message.chars().take(MESSAGE).collect();
        Error { message, ..error }.at(self.definition.unwrap_or_default()).in_source(&self.source)
    }

    fn missing(&self) -> Error {
        let (name, parameters) = (self.function, self.parameters.join(" "));
        Error::new(
            ErrorKind::UndefinedSymbol,
            format!("the file defines no function {name}; write (defn {name} [{parameters}] …)"),
        )
    }
}

/// The program of a file, and the place of the definition of a function.
fn resolve_library(
    source: &Arc<Source>,
    forms: Result<Vec<Form>, Error>,
    function: Symbol,
) -> Result<(Program, Option<Span>), Error> {
    let forms = forms?;
    let program = resolve(source, &forms, &|_| false)?;
    Ok((program, forms.iter().find_map(|form| definition(form, function))))
}

/// Place of the form that defines `NAME`, such as `(defn NAME …)`, also inside of other forms.
fn definition(form: &Form, name: Symbol) -> Option<Span> {
    let FormKind::List(items) = &form.kind else { return None };
    let head = items.first().and_then(Form::as_symbol).map(Symbol::name);
    let defines = matches!(head, Some("def" | "defn" | "defn-" | "defonce"))
        && items.get(1).and_then(Form::as_symbol) == Some(name);
    if defines { Some(form.span) } else { items.iter().find_map(|item| definition(item, name)) }
}
