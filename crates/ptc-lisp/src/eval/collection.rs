//! Forms that make collections of what their parts come to.

use crate::error::Eval;
use crate::expr::{Expr, Record};
use crate::items::Items;
use crate::table::{Map, Set};
use crate::value::Value;

use super::{Done, Frame, Interpreter, write_integer};

impl Interpreter<'_> {
    #[inline(never)]
    pub(super) fn eval_vector(&mut self, items: &[Expr], frame: &Frame<'_>, out: &mut Value) -> Done {
        if let Err(unwind) = self.allocate_slots(items.len()) {
            return Done::Left(unwind);
        }
        match Items::made(items.len(), |index, place| self.eval_element(&items[index], frame, place)) {
            Ok(items) => Done::stored(Value::Vector(items), out),
            Err(unwind) => Done::Left(unwind),
        }
    }

    #[inline(never)]
    pub(super) fn eval_set(&mut self, items: &[Expr], frame: &Frame<'_>) -> Eval {
        self.allocate_entries(items.len())?;
        let items = self.eval_all(items, frame)?;
        Ok(Value::set(items.into_iter().map(|item| (item, ())).collect::<Set>()))
    }

    #[inline(never)]
    pub(super) fn eval_record(&mut self, form: &Record, frame: &Frame<'_>, out: &mut Value) -> Done {
        if let Err(unwind) = self.allocate_entries(form.keys.len()) {
            return Done::Left(unwind);
        }
        let keys = form.keys.clone();
        match Map::record(keys, |index, place| self.eval_element(&form.values[index], frame, place)) {
            Ok(map) => Done::stored(Value::Map(map), out),
            Err(unwind) => Done::Left(unwind),
        }
    }

    /// A key that comes twice: the last value wins.
    #[inline(never)]
    pub(super) fn eval_map(&mut self, parts: &[Expr], frame: &Frame<'_>, out: &mut Value) -> Done {
        match self.allocate_entries(parts.len() / 2).and_then(|()| self.eval_entries(parts, frame)) {
            Ok(entries) => Done::stored(Value::map(Map::from_entries(entries)), out),
            Err(unwind) => Done::Left(unwind),
        }
    }

    #[inline]
    fn eval_entries(&mut self, parts: &[Expr], frame: &Frame<'_>) -> Eval<Vec<(Value, Value)>> {
        let (pairs, _) = parts.as_chunks::<2>();
        let mut entries: Vec<(Value, Value)> = pairs.iter().map(|_| (Value::Nil, Value::Nil)).collect();
        for ([key, value], entry) in pairs.iter().zip(&mut entries) {
            self.eval_to(key, frame, &mut entry.0)?;
            self.eval_to(value, frame, &mut entry.1)?;
        }
        Ok(entries)
    }

    pub(super) fn eval_all(&mut self, exprs: &[Expr], frame: &Frame<'_>) -> Eval<Vec<Value>> {
        let mut values: Vec<Value> = exprs.iter().map(|_| Value::Nil).collect();
        for (expr, place) in exprs.iter().zip(&mut values) {
            self.eval_element(expr, frame, place)?;
        }
        Ok(values)
    }

    /// `eval_to` without a call of its own.
    #[inline(always)]
    pub(super) fn eval_element(&mut self, expr: &Expr, frame: &Frame<'_>, place: &mut Value) -> Eval<()> {
        match self.integer(expr, frame) {
            Some(integer) => write_integer(place, integer),
            None => self.eval_into(expr, frame, place).settle(place)?,
        }
        Ok(())
    }
}
