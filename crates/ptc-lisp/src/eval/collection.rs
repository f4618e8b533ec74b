//! Forms that make collections of the values of their parts.

use smallvec::SmallVec;

use super::*;
use crate::table::Set;

impl Interpreter<'_> {
    #[inline(never)]
    pub(super) fn eval_vector(&mut self, items: &[Expr], frame: &Frame<'_>) -> Eval {
        self.allocate_slots(items.len())?;
        Ok(Value::Vector(items.iter().map(|item| self.eval(item, frame)).collect::<Eval<Items>>()?))
    }

    #[inline(never)]
    pub(super) fn eval_set(&mut self, items: &[Expr], frame: &Frame<'_>) -> Eval {
        self.allocate_entries(items.len())?;
        Ok(Value::set(items.iter().map(|item| Ok((self.eval(item, frame)?, ()))).collect::<Eval<Set>>()?))
    }

    /// A key that comes twice: the last value wins.
    #[inline(never)]
    pub(super) fn eval_map(&mut self, parts: &[Expr], frame: &Frame<'_>) -> Eval {
        self.allocate_entries(parts.len() / 2)?;
        let (pairs, _) = parts.as_chunks::<2>();
        let entry = |[key, value]: &[Expr; 2]| Ok((self.eval(key, frame)?, self.eval(value, frame)?));
        Ok(Value::map(pairs.iter().map(entry).collect::<Eval<Map>>()?))
    }

    /// Evaluates arguments and passes them on. A few need no place on the heap.
    #[inline(always)]
    pub(super) fn with_arguments<R>(
        &mut self,
        exprs: &[Expr],
        frame: &Frame<'_>,
        run: impl FnOnce(&mut Self, &mut [Value]) -> Eval<R>,
    ) -> Eval<R> {
        let mut values = SmallVec::<[Value; 4]>::new();
        for expr in exprs {
            values.push(self.eval(expr, frame)?);
        }
        run(self, &mut values)
    }
}
