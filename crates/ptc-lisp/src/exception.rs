//! Classes of errors, as Clojure would throw them, and their superclasses. The language has no classes; their names only
//! select a `catch`.

use super::error::{ErrorKind, Unwind};
use super::value::Value;

macro_rules! classes {
    ($($class:ident extends $parent:ident)*) => {
        /// A class of Java's, without its package.
        #[allow(clippy::enum_variant_names)] // the names are Java's
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Class { Throwable, $($class),* }

        impl Class {
            /// `None` if no error has this class.
            pub fn named(name: &str) -> Option<Class> {
                match name {
                    "Throwable" => Some(Class::Throwable),
                    $(stringify!($class) => Some(Class::$class),)*
                    _ => None,
                }
            }

            fn parent(self) -> Option<Class> {
                match self {
                    Class::Throwable => None,
                    $(Class::$class => Some(Class::$parent)),*
                }
            }
        }
    };
}

classes! {
    ArithmeticException extends RuntimeException
    ArityException extends IllegalArgumentException
    ArrayIndexOutOfBoundsException extends IndexOutOfBoundsException
    AssertionError extends Error
    ClassCastException extends RuntimeException
    DateTimeException extends RuntimeException
    DateTimeParseException extends DateTimeException
    Error extends Throwable
    Exception extends Throwable
    ExceptionInfo extends RuntimeException
    IllegalArgumentException extends RuntimeException
    IllegalStateException extends RuntimeException
    IndexOutOfBoundsException extends RuntimeException
    NullPointerException extends RuntimeException
    NumberFormatException extends IllegalArgumentException
    PatternSyntaxException extends IllegalArgumentException
    RuntimeException extends Exception
    StringIndexOutOfBoundsException extends IndexOutOfBoundsException
    UnsupportedOperationException extends RuntimeException
}

/// Some of the classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Classes(u32);

impl Class {
    /// The class of an error with a known kind only.
    pub fn of_kind(kind: ErrorKind) -> Class {
        match kind {
            ErrorKind::ArithmeticError => Class::ArithmeticException,
            ErrorKind::ArityError => Class::ArityException,
            ErrorKind::AssertionFailed => Class::AssertionError,
            ErrorKind::DestructureError => Class::UnsupportedOperationException,
            ErrorKind::RegexError => Class::PatternSyntaxException,
            ErrorKind::NotCallable | ErrorKind::TypeError => Class::ClassCastException,
            _ => Class::RuntimeException,
        }
    }

    /// The class for a value where another was wanted: nil has no methods, others are no instance of the class.
    pub fn of_wrong(value: &Value) -> Class {
        if value.is_nil() { Class::NullPointerException } else { Class::ClassCastException }
    }

    /// The class for a key of a vector outside of its indexes.
    pub fn of_wrong_index(key: &Value) -> Class {
        match key {
            Value::Int(_) => Class::IndexOutOfBoundsException,
            _ => Class::IllegalArgumentException,
        }
    }

    /// The class and what it extends.
    fn ancestry(self) -> impl Iterator<Item = Class> {
        std::iter::successors(Some(self), |class| class.parent())
    }

    /// Returns true if `(catch class …)` catches an error of this class.
    pub fn is_caught_as(self, class: Class) -> bool {
        self.ancestry().any(|ancestor| ancestor == class)
    }
}

impl Classes {
    pub fn and(self, others: Classes) -> Classes {
        Classes(self.0 | others.0)
    }

    /// Returns true if a `catch` of one of them would catch an error of this class.
    pub fn catch(self, class: Class) -> bool {
        class.ancestry().any(|ancestor| self.0 & (1 << ancestor as u32) != 0)
    }
}

impl FromIterator<Class> for Classes {
    fn from_iter<I: IntoIterator<Item = Class>>(classes: I) -> Classes {
        Classes(classes.into_iter().fold(0, |bits, class| bits | 1 << class as u32))
    }
}

/// Returns a function for `map_err` to replace the class of an error.
pub fn of_class(class: Class) -> impl Fn(Box<Unwind>) -> Box<Unwind> {
    move |mut unwind| {
        if let Unwind::Error(error) = &mut *unwind {
            error.class = class;
        }
        unwind
    }
}
