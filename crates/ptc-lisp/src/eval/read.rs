//! Builtins that only look at their first argument, which is a local or a constant: it is read where it
//! stands, neither copied nor counted. What is not said here is left to the builtin itself.

use std::mem::ManuallyDrop;

use crate::expr::{Expr, Query, Read};
use crate::flexible;
use crate::value::Value;

use super::{Done, Frame, Interpreter};

impl Interpreter<'_> {
    #[inline(never)]
    pub(super) fn eval_read(&mut self, form: &Read, frame: &Frame<'_>, out: &mut Value) -> Done {
        let Some((subject, others)) = form.call.arguments.split_first() else {
            return self.eval_builtin(&form.call, frame, out);
        };
        // Cleared below, see `eval_builtin_of`.
        let mut places = ManuallyDrop::new([const { Value::Nil }; 3]);
        let [held, rest @ ..] = &mut *places;
        let mut done = None;
        for (other, place) in others.iter().zip(rest.iter_mut()) {
            if let Err(unwind) = self.eval_to(other, frame, place) {
                done = Some(Done::Left(unwind));
                break;
            }
        }
        let done = match done.or_else(|| read(form.query, self.subject(subject, frame)?, rest, out)) {
            Some(done) => {
                self.forget_last(subject, frame);
                done
            }
            None => match self.eval_to(subject, frame, held) {
                Ok(()) => self.run_builtin(&form.call, &mut places[..=others.len()], out),
                Err(unwind) => Done::Left(unwind),
            },
        };
        places.iter_mut().for_each(Value::clear);
        done
    }

    /// What is looked at, if it is at hand.
    #[inline(always)]
    pub(super) fn subject<'a>(&'a self, subject: &'a Expr, frame: &Frame<'a>) -> Option<&'a Value> {
        match subject {
            Expr::Local(slot) | Expr::Last(slot) => Some(&self.stack[frame.base + *slot as usize]),
            Expr::Captured(index) => Some(frame.captured(*index)),
            Expr::Const(value) => Some(value),
            _ => None,
        }
    }

    /// A local that nobody reads again is no longer held, so that others can change what it holds in place.
    #[inline(always)]
    pub(super) fn forget_last(&mut self, expr: &Expr, frame: &Frame<'_>) {
        if let Expr::Last(slot) = expr {
            self.stack[frame.base + *slot as usize].clear();
        }
    }
}

/// What comes of the arguments that a builtin mostly gets; none where the builtin has to decide. No tick is
/// spent on any of it.
#[inline(always)]
fn read(query: Query, subject: &Value, others: &mut [Value; 2], out: &mut Value) -> Option<Done> {
    let [key, default] = others;
    match query {
        Query::Count => Some(Done::Int(subject.item_count()? as i64)),
        Query::IsEmpty => Some(Done::stored(Value::Bool(subject.item_count()? == 0), out)),
        Query::First => Some(copied(subject.as_items()?.first(), out)),
        Query::Second => Some(copied(subject.as_items()?.get(1), out)),
        Query::IsNil => Some(Done::stored(Value::Bool(subject.is_nil()), out)),
        Query::IsSome => Some(Done::stored(Value::Bool(!subject.is_nil()), out)),
        Query::Nth => {
            let Value::Int(index) = key else { return None };
            Some(copied(subject.as_items()?.get(usize::try_from(*index).ok()?), out))
        }
        Query::Get => match subject {
            Value::Map(map) => match flexible::lookup(map, key) {
                None if map.is_sorted() => None,
                None => Some(Done::stored(default.take(), out)),
                found => Some(copied(found, out)),
            },
            _ => None,
        },
        Query::Contains => {
            let (is_found, is_sorted) = match subject {
                Value::Map(map) => (flexible::lookup(map, key).is_some(), map.is_sorted()),
                Value::Set(set) => (set.contains(key), set.is_sorted()),
                _ => return None,
            };
            // A sorted collection may refuse what it does not have.
            (is_found || !is_sorted).then(|| Done::stored(Value::Bool(is_found), out))
        }
    }
}

#[inline(always)]
fn copied(found: Option<&Value>, out: &mut Value) -> Done {
    match found {
        Some(value) => Done::copied(value, out),
        None => Done::stored(Value::Nil, out),
    }
}
