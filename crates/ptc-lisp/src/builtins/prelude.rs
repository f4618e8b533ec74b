//! The names that most families of builtins use.

pub(super) use std::cmp::Ordering;

pub(super) use ecow::EcoString;
pub(super) use triomphe::Arc;

pub(super) use super::{AtLeast, Call, FromValue, builtins, every, from_value, taken};
pub(super) use crate::builtin::Builtin;
pub(super) use crate::error::{ErrorKind, Eval, arity_error, raise, type_error, type_error_hint};
pub(super) use crate::eval::{Interpreter, infinite};
pub(super) use crate::exception::{Class, of_class};
pub(super) use crate::items::Items;
pub(super) use crate::limits::{MAX_ITEMS, MAX_STRING};
pub(super) use crate::order::{cannot_compare, compare_numbers};
pub(super) use crate::print::Style;
pub(super) use crate::stack::guarded;
pub(super) use crate::table::{Map, Set, Table};
pub(super) use crate::transducer::{Step, Transducer};
pub(super) use crate::value::{Composed, Function, Value};
pub(super) use crate::{builtin, flexible, generator, hint, meter};
