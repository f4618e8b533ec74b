//! Forms that make collections of the values of their parts.

use super::*;
use crate::items::Values;
use crate::table::Set;

impl Interpreter<'_> {
    #[inline(never)]
    pub(super) fn eval_vector(&mut self, items: &[Expr], frame: &Frame<'_>) -> Eval {
        self.allocate_slots(items.len())?;
        Ok(Value::Vector(Items::of(self.eval_all(items, frame)?)))
    }

    #[inline(never)]
    pub(super) fn eval_set(&mut self, items: &[Expr], frame: &Frame<'_>) -> Eval {
        self.allocate_entries(items.len())?;
        Ok(Value::set(items.iter().map(|item| Ok((self.eval(item, frame)?, ()))).collect::<Eval<Set>>()?))
    }

    /// For a duplicate key: the last value wins.
    #[inline(never)]
    pub(super) fn eval_map(&mut self, parts: &[Expr], frame: &Frame<'_>) -> Eval {
        self.allocate_entries(parts.len() / 2)?;
        let mut map = Map::with_capacity(parts.len() / 2);
        for [key, value] in parts.as_chunks().0 {
            let key = self.eval(key, frame)?;
            map.insert(key, self.eval(value, frame)?);
        }
        Ok(Value::map(map))
    }

    /// Evaluates arguments and passes them on. A few need no place on the heap.
    #[inline(always)]
    pub(super) fn with_arguments<R>(
        &mut self,
        exprs: &[Expr],
        frame: &Frame<'_>,
        run: impl FnOnce(&mut Self, &mut [Value]) -> Eval<R>,
    ) -> Eval<R> {
        let mut values = self.eval_all(exprs, frame)?;
        run(self, &mut values)
    }

    #[inline(always)]
    fn eval_all(&mut self, exprs: &[Expr], frame: &Frame<'_>) -> Eval<Values> {
        let mut values = Values::with_capacity(exprs.len());
        for (index, expr) in exprs.iter().enumerate() {
            values.push(Value::Nil);
            self.eval_to(expr, frame, &mut values[index])?;
        }
        Ok(values)
    }
}
