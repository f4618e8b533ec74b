//! Errors of programs: a closed list of kinds, each with its message for the model.
//! A builtin reports *what* failed. The evaluator adds *where*.

use std::fmt;

use ecow::EcoString;

use super::exception::Class;
use super::print::to_clojure;
use super::source::{Source, Span};
use super::value::Value;

/// The result of evaluating something.
pub type Eval<T = Value> = Result<T, Box<Unwind>>;

/// Reason why a form has no value: an error, `return` or `fail`.
#[derive(Clone, Debug)]
pub enum Unwind {
    /// An error; `try` may catch it unless its kind is a limit.
    Error(Error),
    /// `(return v)`: the program ends, whatever the depth.
    Return(Value),
    /// `(fail v)`: the same, as a failure of the mission.
    Fail(Value),
}

/// Phase of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Reading the text.
    Parse,
    /// Resolving the forms.
    Analyze,
    /// Running the program.
    Eval,
    /// The agent around the program.
    Loop,
}

/// The error record of `docs/language.md` §13.1.
#[derive(Clone, Debug)]
pub struct Error {
    /// The kind.
    pub kind: ErrorKind,
    /// The message for the model, behind `Error: `.
    pub message: EcoString,
    /// Place of the innermost failing form, once known.
    pub span: Option<Span>,
    /// Line and column of that form, both from 1.
    pub position: Option<(u32, u32)>,
    /// The text of that form, at most 80 characters, filled with the position.
    pub form: Option<EcoString>,
    /// The thrown value, for `ex-data`; nil otherwise.
    pub data: Value,
    /// The cause given to `ex-info`.
    pub cause: Option<Box<Value>>,
    /// The class in Clojure, for `catch`.
    pub class: Class,
}

macro_rules! kinds {
    ($($variant:ident $name:literal $phase:ident)*) => {
        /// Every kind of error, in the order of `docs/language.md` §13.2.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ErrorKind { $(#[doc = $name] $variant),* }

        impl ErrorKind {
            /// All kinds, in order.
            pub const ALL: &[ErrorKind] = &[$(ErrorKind::$variant),*];

            /// The name in scenarios, snapshots and reports.
            pub fn name(self) -> &'static str {
                match self { $(ErrorKind::$variant => $name),* }
            }

            /// The phase of errors of this kind.
            pub fn phase(self) -> Phase {
                match self { $(ErrorKind::$variant => Phase::$phase),* }
            }
        }
    };
}

kinds! {
    ParseError "parse_error" Parse
    InvalidForm "invalid_form" Analyze
    InvalidArity "invalid_arity" Analyze
    InvalidWhereForm "invalid_where_form" Analyze
    InvalidPlaceholder "invalid_placeholder" Analyze
    UndefinedSymbol "undefined_symbol" Eval
    AmbiguousReference "ambiguous_reference" Eval
    DataNotFound "data_not_found" Eval
    ToolNotFound "tool_not_found" Eval
    ToolArgsError "tool_args_error" Eval
    ToolError "tool_error" Eval
    ToolCallLimitExceeded "tool_call_limit_exceeded" Eval
    NotCallable "not_callable" Eval
    ArityError "arity_error" Eval
    TypeError "type_error" Eval
    ArithmeticError "arithmetic_error" Eval
    DestructureError "destructure_error" Eval
    RegexError "regex_error" Eval
    AssertionFailed "assertion_failed" Eval
    Thrown "thrown" Eval
    InfiniteSequence "infinite_sequence" Eval
    TickLimitExceeded "tick_limit_exceeded" Eval
    DepthExceeded "depth_exceeded" Eval
    MemoryExceeded "memory_exceeded" Eval
    ReturnValidationFailed "return_validation_failed" Loop
    NoCodeFound "no_code_found" Loop
    ScriptExhausted "script_exhausted" Loop
    ModelError "model_error" Loop
    ToolUnscripted "tool_unscripted" Loop
    Failed "failed" Loop
    MaxTurnsExceeded "max_turns_exceeded" Loop
}

impl ErrorKind {
    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<ErrorKind> {
        ErrorKind::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// Returns true if `try` can catch it: errors of evaluation, but no spent limit.
    pub fn is_catchable(self) -> bool {
        use ErrorKind::*;
        let limit =
            matches!(self, TickLimitExceeded | DepthExceeded | MemoryExceeded | ToolCallLimitExceeded);
        self.phase() == Phase::Eval && !limit
    }
}

impl Error {
    /// An error without a place.
    pub fn new(kind: ErrorKind, message: impl Into<EcoString>) -> Error {
        Error {
            kind,
            message: message.into(),
            span: None,
            position: None,
            form: None,
            data: Value::Nil,
            cause: None,
            class: Class::of_kind(kind),
        }
    }

    /// Adds where it happened, unless a form further inside has said so.
    pub fn at(mut self, span: Span) -> Error {
        self.span = self.span.or(Some(span));
        self
    }

    /// Adds the line, column and text of the failing form, once it is known which source it stands in. If it spent the
    /// ticks, the message names it too.
    pub fn in_source(mut self, source: &Source) -> Error {
        if let (Some(span), None) = (self.span, &self.form) {
            let text = source.slice(span);
            self.position = Some(source.position(span.start));
            self.form = Some(text.chars().take(80).collect());
            if self.kind == ErrorKind::TickLimitExceeded {
                let line = text.lines().next().unwrap_or_default();
                let shown: String = line.chars().take(40).collect();
                let cut = if shown.len() < text.len() { " …" } else { "" };
                let form = shown.trim_end();
                let hint = format!(", in {form}{cut}; bound the loop, recursion or sequence that runs it");
                self.message.push_str(&hint);
            }
        }
        self
    }
}

/// Raises an error of this kind.
pub fn raise<T>(kind: ErrorKind, message: impl Into<EcoString>) -> Eval<T> {
    Err(Box::new(Unwind::Error(Error::new(kind, message))))
}

/// `NAME: expected EXPECTED, got TYPE VALUE`: the message of almost every builtin's last arm.
pub fn type_error<T>(name: &str, expected: &str, got: &Value) -> Eval<T> {
    wrong_value(got, type_message(name, expected, got))
}

/// A [`type_error`] with a hint about the correct form.
pub fn type_error_hint<T>(name: &str, expected: &str, got: &Value, hint: &str) -> Eval<T> {
    wrong_value(got, format!("{}. {hint}", type_message(name, expected, got)))
}

fn wrong_value<T>(got: &Value, message: String) -> Eval<T> {
    let error = Error::new(ErrorKind::TypeError, message);
    Err(Error { class: Class::of_wrong(got), ..error }.into())
}

/// The message of a type error without the error around it.
pub fn type_message(name: &str, expected: &str, got: &Value) -> String {
    let described = describe(got);
    format!("{name}: expected {expected}, got {described}")
}

/// `TYPE VALUE` as messages show it: `number 42`, `string "a"`; nil alone is `nil`.
pub fn describe(value: &Value) -> String {
    match value {
        Value::Nil => "nil".to_string(),
        other => format!("{} {}", other.type_name(), to_clojure(other, 3, 60).0),
    }
}

/// `Wrong number of arguments to NAME: expected SPEC, got N`.
pub fn arity_error<T>(name: &str, expected: &str, got: usize) -> Eval<T> {
    // In Clojure's libraries these functions take options.
    let hint = match name {
        "json/parse" | "json/parse-string" => ". keys become keywords; use (json/parse-string text)",
        "json/generate-string" => ". there are no options; use (json/generate-string value)",
        _ => "",
    };
    let message = format!("Wrong number of arguments to {name}: expected {expected}, got {got}{hint}");
    raise(ErrorKind::ArityError, message)
}

impl From<Error> for Box<Unwind> {
    fn from(error: Error) -> Box<Unwind> {
        Box::new(Unwind::Error(error))
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
