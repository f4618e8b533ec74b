//! Builtins are Rust functions with typed parameters. A row of [`builtins!`] names a function; its arity and
//! the conversion of its arguments follow from the types.

use std::ops::{Deref, DerefMut};

use ecow::EcoString;
use triomphe::Arc;

use crate::error::{Eval, arity_error, type_error};
use crate::eval::Interpreter;
use crate::items::Items;
use crate::symbol::Symbol;
use crate::table::{Map, Set};
use crate::value::Value;

use crate::builtin::Arity;

/// A call of a builtin: the interpreter and the name that errors begin with.
pub struct Call<'c, 'h> {
    /// The name that errors begin with.
    pub name: &'static str,
    interpreter: &'c mut Interpreter<'h>,
}

impl<'c, 'h> Call<'c, 'h> {
    /// A call under this name.
    pub fn new(name: &'static str, interpreter: &'c mut Interpreter<'h>) -> Call<'c, 'h> {
        Call { name, interpreter }
    }

    /// The same call under the name of another builtin.
    pub fn named(&mut self, name: &'static str) -> Call<'_, 'h> {
        Call { name, interpreter: self.interpreter }
    }

    /// `NAME: expected EXPECTED, got TYPE VALUE`
    pub fn type_error<T>(&self, expected: &str, got: &Value) -> Eval<T> {
        type_error(self.name, expected, got)
    }

    /// The items of a collection, for which no tick is spent.
    pub fn items(&mut self, collection: Value) -> Eval<Items> {
        self.interpreter.items(self.name, collection)
    }

    /// The items of a collection that is read to its end. Spends a tick for each.
    pub fn all(&mut self, collection: Value) -> Eval<Items> {
        let items = self.items(collection)?;
        self.tick(items.len())?;
        Ok(items)
    }

    /// Counts `work` towards the depth of calls.
    pub fn nested<T>(&mut self, work: impl FnOnce(&mut Call) -> Eval<T>) -> Eval<T> {
        let name = self.name;
        self.interpreter.nested(|interpreter| work(&mut Call { name, interpreter }))
    }
}

impl<'h> Deref for Call<'_, 'h> {
    type Target = Interpreter<'h>;

    fn deref(&self) -> &Interpreter<'h> {
        self.interpreter
    }
}

impl<'h> DerefMut for Call<'_, 'h> {
    fn deref_mut(&mut self) -> &mut Interpreter<'h> {
        self.interpreter
    }
}

/// Moves the values out of the slice.
pub fn taken(values: &mut [Value]) -> Vec<Value> {
    values.iter_mut().map(Value::take).collect()
}

/// A type that one argument converts to.
pub trait FromValue<'a>: Sized {
    /// Converts an argument (and may move it out), or returns an error with the expected type.
    fn from_value(cx: &mut Call, value: &'a mut Value) -> Eval<Self>;
}

/// A parameter of a builtin: one argument, an optional one, or all that are left.
pub trait Parameter<'a>: Sized {
    /// The least and the largest number of arguments that it takes.
    const ARITY: Arity;

    /// Takes its arguments from the front of `args`.
    fn take(cx: &mut Call, args: &mut &'a mut [Value]) -> Eval<Self>;
}

/// A result of a builtin.
pub trait IntoEval {
    /// The result as a value.
    fn into_eval(self) -> Eval;
}

/// Returns true if a fallible test is true for all items. Stops at the first false one.
pub fn every<T>(items: impl IntoIterator<Item = T>, mut holds: impl FnMut(T) -> Eval<bool>) -> Eval<bool> {
    for item in items {
        if !holds(item)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A function that implements a builtin. `Parameters` are the types of its parameters.
pub trait Implementation<'a, Parameters> {
    /// Number of arguments.
    const ARITY: Arity;

    /// Converts the arguments and calls the function.
    fn run(self, cx: &mut Call, args: &'a mut [Value]) -> Eval;
}

impl<'a, T: FromValue<'a>> Parameter<'a> for T {
    const ARITY: Arity = Arity { min: 1, max: Some(1) };

    #[inline(always)]
    fn take(cx: &mut Call, args: &mut &'a mut [Value]) -> Eval<T> {
        match std::mem::take(args).split_first_mut() {
            Some((first, others)) => {
                *args = others;
                T::from_value(cx, first)
            }
            None => arity_error(cx.name, "one more", 0),
        }
    }
}

impl<'a, T: FromValue<'a>> Parameter<'a> for Option<T> {
    const ARITY: Arity = Arity { min: 0, max: Some(1) };

    #[inline(always)]
    fn take(cx: &mut Call, args: &mut &'a mut [Value]) -> Eval<Option<T>> {
        if args.is_empty() { Ok(None) } else { T::take(cx, args).map(Some) }
    }
}

impl<'a> Parameter<'a> for &'a mut [Value] {
    const ARITY: Arity = Arity { min: 0, max: None };

    #[inline(always)]
    fn take(_: &mut Call, args: &mut &'a mut [Value]) -> Eval<&'a mut [Value]> {
        Ok(std::mem::take(args))
    }
}

/// `N` or more arguments.
pub struct AtLeast<'a, const N: u8>(pub &'a mut [Value]);

impl<'a, const N: u8> Parameter<'a> for AtLeast<'a, N> {
    const ARITY: Arity = Arity { min: N, max: None };

    #[inline(always)]
    fn take(_: &mut Call, args: &mut &'a mut [Value]) -> Eval<AtLeast<'a, N>> {
        Ok(AtLeast(std::mem::take(args)))
    }
}

impl<'a> FromValue<'a> for Value {
    #[inline(always)]
    fn from_value(_: &mut Call, value: &'a mut Value) -> Eval<Value> {
        Ok(value.take())
    }
}

impl<'a> FromValue<'a> for &'a Value {
    #[inline(always)]
    fn from_value(_: &mut Call, value: &'a mut Value) -> Eval<&'a Value> {
        Ok(value)
    }
}

impl<'a> FromValue<'a> for &'a mut Value {
    #[inline(always)]
    fn from_value(_: &mut Call, value: &'a mut Value) -> Eval<&'a mut Value> {
        Ok(value)
    }
}

/// Implements [`FromValue`] by patterns and what errors say is expected, or by an expression.
macro_rules! from_value {
    ($($type:ty: |$cx:ident, $value:ident| $result:expr;)*) => {
        $(impl FromValue<'_> for $type {
            fn from_value($cx: &mut Call, $value: &mut Value) -> Eval<$type> {
                $result
            }
        })*
    };
    ($($type:ty: $($pattern:pat => $result:expr),+; $expected:literal)*) => {
        $(impl<'a> FromValue<'a> for $type {
            #[inline]
            fn from_value(cx: &mut Call, value: &'a mut Value) -> Eval<$type> {
                match value {
                    $($pattern => Ok($result),)+
                    other => cx.type_error($expected, other),
                }
            }
        })*
    };
}

from_value! {
    // A collection that is read to its end. Spends a tick for each item.
    Items: |cx, value| cx.all(value.take());
}

from_value! {
    EcoString: Value::Str(text) => std::mem::take(text); "a string"
    Symbol: Value::Keyword(name) => *name; "a keyword"
    bool: Value::Bool(value) => *value; "a boolean"
    i64: Value::Int(number) => *number; "an integer"
    &'a [Value]: Value::Vector(items) | Value::List(items) => items; "a vector"
    &'a str: Value::Str(text) => &**text; "a string"
    Arc<Map>: Value::Map(map) => std::mem::take(map); "a map"
    Arc<Set>: Value::Set(set) => std::mem::take(set); "a set"
}

impl<T> IntoEval for Eval<T>
where
    Value: From<T>,
{
    #[inline(always)]
    fn into_eval(self) -> Eval {
        self.map(Value::from)
    }
}

macro_rules! into_eval {
    ($($type:ty)*) => {
        $(impl IntoEval for $type {
            #[inline(always)]
            fn into_eval(self) -> Eval {
                Ok(Value::from(self))
            }
        })*
    };
}

into_eval! { Value bool i64 usize f64 }

/// Marks functions that take the [`Call`] before their parameters.
pub struct WithCall<Parameters>(Parameters);

macro_rules! implementations {
    ($($($parameter:ident)*;)*) => {
        $(
            impl<'a, F, R: IntoEval, $($parameter: Parameter<'a>),*> Implementation<'a, ($($parameter,)*)> for F
            where
                F: Fn($($parameter),*) -> R,
            {
                const ARITY: Arity = Arity::total(&[$($parameter::ARITY),*]);

                #[inline(always)]
                #[allow(unused)]
                fn run(self, cx: &mut Call, mut args: &'a mut [Value]) -> Eval {
                    self($($parameter::take(cx, &mut args)?),*).into_eval()
                }
            }

            impl<'a, F, R: IntoEval, $($parameter: Parameter<'a>),*>
                Implementation<'a, WithCall<($($parameter,)*)>> for F
            where
                F: Fn(&mut Call<'_, '_>, $($parameter),*) -> R,
            {
                const ARITY: Arity = Arity::total(&[$($parameter::ARITY),*]);

                #[inline(always)]
                #[allow(unused, non_snake_case)]
                fn run(self, cx: &mut Call, mut args: &'a mut [Value]) -> Eval {
                    $(let $parameter = $parameter::take(cx, &mut args)?;)*
                    self(cx, $($parameter),*).into_eval()
                }
            }
        )*
    };
}

implementations! {
    ;
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E G;
}

/// The arity of a function that implements a builtin.
pub const fn arity_of<'a, Parameters, F: Implementation<'a, Parameters>>(_: &F) -> Arity {
    F::ARITY
}

/// Converts the arguments and calls the function.
#[inline(always)]
pub fn run_typed<'a, Parameters>(
    function: impl Implementation<'a, Parameters>,
    name: &'static str,
    interpreter: &mut Interpreter<'_>,
    args: &'a mut [Value],
) -> Eval {
    function.run(&mut Call { name, interpreter }, args)
}

/// A `Builtin` of a name and a function. `alias NAME`: errors name that builtin instead.
#[macro_export]
macro_rules! builtin {
    ($name:literal $(alias $target:literal)?, $run:expr) => {
        $crate::builtin::Builtin {
            name: $name,
            error_name: $crate::builtin!(@last $name $($target)?),
            arity: $crate::builtins::arity_of(&$run),
            run: |builtin, cx, args| $crate::builtins::run_typed($run, builtin.error_name, cx, args),
        }
    };
    (@last $name:literal) => { $name };
    (@last $name:literal $target:literal) => { $target };
}

/// A table of builtins, each `"NAME" = FUNCTION;`. After the name may stand `alias "OTHER"`, where errors name
/// another builtin, and `as ITEM`, which makes the row an item.
macro_rules! builtins {
    ($vis:vis static $rows:ident;
    $($name:literal $(alias $target:literal)? $(as $item:ident)? = $run:expr;)*) => {
        $(builtins!(@item [$($item)?] $name $(alias $target)?, $run);)*
        $vis static $rows: &[&$crate::builtin::Builtin] = &[$(
            builtins!(@ref [$($item)?] $name $(alias $target)?, $run)
        ),*];
    };
    (@item [] $($row:tt)*) => {};
    (@item [$item:ident] $($row:tt)*) => {
        pub(crate) static $item: $crate::builtin::Builtin = $crate::builtin!($($row)*);
    };
    (@ref [$item:ident] $($row:tt)*) => { &$item };
    (@ref [] $($row:tt)*) => { &$crate::builtin!($($row)*) };
}

pub(super) use {builtins, from_value};
