//! Forms that leave before their end: `try`, `throw`, `return`, `fail`, failed assertions.

use super::*;
use crate::error::Error;
use crate::expr::{Catch, Leave, Try, Way};
use crate::flexible;
use crate::print::Style;

impl Interpreter<'_> {
    /// Only errors are caught, and no spent limit; what the body left on the stack is taken away.
    #[inline(never)]
    pub(super) fn eval_try(&mut self, form: &Try, frame: &Frame<'_>) -> Eval {
        let (height, depth, capturing) = (self.stack.len(), self.depth, self.capturing);
        let enclosing = self.handled;
        self.handled = enclosing.and(form.handled);
        let mut result = self.eval(&form.body, frame);
        self.handled = enclosing;
        if let Err(unwind) = &mut result {
            self.stack.truncate(height);
            (self.depth, self.capturing) = (depth, capturing);
            if let Unwind::Error(error) = &mut **unwind
                && error.kind.is_catchable()
                && let Some(catch) = catch_for(error, &form.catches, enclosing)
            {
                let caught = caught(error);
                *self.slot(catch.slot, frame) = caught;
                let searched = std::mem::take(&mut self.searched);
                result = self.tick(searched).and_then(|()| self.eval(&catch.body, frame));
            }
        }
        if let Some(finally) = &form.finally {
            self.eval(finally, frame)?;
        }
        result
    }

    #[inline(never)]
    pub(super) fn eval_leave(&mut self, form: &Leave, frame: &Frame<'_>) -> Eval {
        let value = self.eval(&form.value, frame)?;
        match form.way {
            Way::Return => Err(Box::new(Unwind::Return(value))),
            Way::Fail => Err(Box::new(Unwind::Fail(value))),
            Way::Throw => {
                let thrown = self.thrown(value).map_err(at(form.span))?;
                let class = form.class.unwrap_or(thrown.class);
                Err(Error { class, ..thrown.at(form.span) }.into())
            }
            Way::FailedAssertion => {
                let text = self.str_of(&value).map_err(at(form.span))?;
                raise(ErrorKind::AssertionFailed, format!("Assert failed: {text}")).map_err(at(form.span))
            }
        }
    }

    /// The error of `(throw value)`.
    fn thrown(&mut self, value: Value) -> Eval<Error> {
        let message = match (&value, field_named("message", &value)) {
            (Value::Str(text), _) => text.clone(),
            (Value::Map(_), Some(message)) => self.str_of(&message)?,
            (other, _) => {
                let text = self.printed(Style::Readable, std::slice::from_ref(other), "")?;
                self.allocate(text.len())?;
                text
            }
        };
        let class = class_of_thrown(&value);
        let is_exception = field_named("kind", &value).is_some() && field_named("message", &value).is_some();
        let cause = field_named("cause", &value).filter(|_| is_exception).map(Box::new);
        let data = if is_exception { field_named("data", &value).unwrap_or(Value::Nil) } else { value };
        Ok(Error { data, cause, class, ..Error::new(ErrorKind::Thrown, message) })
    }

    /// The value as `str` prints it, within the program's limits.
    fn str_of(&mut self, value: &Value) -> Eval<ecow::EcoString> {
        let text = self.print_with(Style::Readable, |printer| printer.write_str_argument(value))?;
        self.allocate(text.len())?;
        Ok(text)
    }
}

/// The first `catch` with a fitting class. Without one, an enclosing `try` with a fitting class gets the error, else the
/// first `catch` here: the class thrown by Clojure is not always known.
fn catch_for<'a>(error: &Error, catches: &'a [Catch], enclosing: Classes) -> Option<&'a Catch> {
    let fits = |catch: &&Catch| catch.class.is_some_and(|class| error.class.is_caught_as(class));
    match catches.iter().find(fits) {
        None if !enclosing.catch(error.class) => catches.first(),
        fitting => fitting,
    }
}

/// The class of a thrown value. A rethrown exception keeps its class if its kind has one.
fn class_of_thrown(value: &Value) -> Class {
    match (field_named("kind", value), field_named("message", value), field_named("data", value)) {
        (Some(Value::Keyword(kind)), Some(_), data) => match (ErrorKind::from_name(kind.name()), data) {
            (Some(ErrorKind::Thrown), Some(Value::Map(_))) => Class::ExceptionInfo,
            (kind, _) => kind.map_or(Class::RuntimeException, Class::of_kind),
        },
        _ => Class::of_wrong(value),
    }
}

fn field_named(name: &str, error: &Value) -> Option<Value> {
    flexible::get(error, &Value::keyword(name))
}

/// The value bound by `catch`: the map from `ex-info`, or one like it.
fn caught(error: &mut Error) -> Value {
    let mut map = Map::new();
    map.insert(Value::keyword("kind"), Value::keyword(error.kind.name()));
    // An exception without a message has no data either.
    let has_none = error.kind == ErrorKind::Thrown && error.data.is_nil() && error.message.is_empty();
    let message = if has_none { Value::Nil } else { Value::Str(error.message.clone()) };
    map.insert(Value::keyword("message"), message);
    map.insert(Value::keyword("data"), error.data.take());
    if let Some(cause) = error.cause.take() {
        map.insert(Value::keyword("cause"), *cause);
    }
    Value::map(map)
}
