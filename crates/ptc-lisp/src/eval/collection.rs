//! Forms that make collections of the values of their parts.

use super::*;
use crate::table::Set;

impl Interpreter<'_> {
    #[inline(never)]
    pub(super) fn eval_vector(&mut self, items: &[Expr], frame: &Frame<'_>) -> Eval {
        self.allocate_slots(items.len())?;
        let items = Items::made(items.len(), |index, place| self.eval_to(&items[index], frame, place))?;
        Ok(Value::Vector(items))
    }

    #[inline(never)]
    pub(super) fn eval_set(&mut self, items: &[Expr], frame: &Frame<'_>) -> Eval {
        self.allocate_entries(items.len())?;
        let items = self.eval_all(items, frame)?;
        Ok(Value::set(items.into_iter().map(|item| (item, ())).collect::<Set>()))
    }

    /// A key that comes twice: the last value wins.
    #[inline(never)]
    pub(super) fn eval_map(&mut self, parts: &[Expr], frame: &Frame<'_>) -> Eval {
        self.allocate_entries(parts.len() / 2)?;
        let (pairs, _) = parts.as_chunks::<2>();
        let mut entries: Vec<(Value, Value)> = pairs.iter().map(|_| Default::default()).collect();
        for ([key, value], entry) in pairs.iter().zip(&mut entries) {
            self.eval_to(key, frame, &mut entry.0)?;
            self.eval_to(value, frame, &mut entry.1)?;
        }
        Ok(Value::map(Map::from_entries(entries)))
    }

    /// Evaluates arguments and passes them on. A few need no place on the heap.
    #[inline(always)]
    pub(super) fn with_arguments<R>(
        &mut self,
        exprs: &[Expr],
        frame: &Frame<'_>,
        run: impl FnOnce(&mut Self, &mut [Value]) -> Eval<R>,
    ) -> Eval<R> {
        let (mut few, mut many) = ([const { Value::Nil }; 4], Vec::new());
        let places = match few.get_mut(..exprs.len()) {
            Some(places) => places,
            None => {
                many.resize_with(exprs.len(), Value::default);
                &mut many[..]
            }
        };
        for (expr, place) in exprs.iter().zip(&mut *places) {
            self.eval_to(expr, frame, place)?;
        }
        let result = run(self, places);
        // One look at each is enough: mostly there is nothing left to drop.
        few.iter_mut().for_each(Value::clear);
        std::mem::forget(few);
        result
    }

    fn eval_all(&mut self, exprs: &[Expr], frame: &Frame<'_>) -> Eval<Vec<Value>> {
        exprs.iter().map(|expr| self.eval(expr, frame)).collect()
    }
}
