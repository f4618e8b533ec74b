//! Arithmetic, comparisons and tests on integers: no value is made where numbers suffice.

use crate::error::Unwind;
use crate::expr::{Arithmetic, Binary, Comparison, Expr, Step};
use crate::value::Value;

use super::{Done, Frame, Interpreter, at};

/// What a test came to.
pub(super) enum Test {
    Holds,
    Fails,
    Left(Box<Unwind>),
}

impl Interpreter<'_> {
    /// Evaluates a form of which an integer may be expected: those that are at hand take no call.
    #[inline(always)]
    pub(super) fn operand(&mut self, expr: &Expr, frame: &Frame<'_>, out: &mut Value) -> Done {
        if let Some(integer) = self.integer(expr, frame) {
            return Done::Int(integer);
        }
        match expr {
            Expr::Captured(index) => frame.copy_captured(*index, out),
            Expr::Call(call) => self.eval_call(call, frame, out),
            Expr::Arithmetic(form) => match self.short_arithmetic(form, frame) {
                Some(integer) => Done::Int(integer),
                None => self.eval_long_arithmetic(form, frame, out),
            },
            Expr::Step(step) => match self.integer(&step.operand, frame).and_then(|i| i.checked_add(step.by))
            {
                Some(integer) => Done::Int(integer),
                None => self.eval_step(step, frame, out),
            },
            other => self.eval_into(other, frame, out),
        }
    }

    /// The value of a local or constant, if it is an integer. Nothing is moved.
    #[inline(always)]
    pub(super) fn integer(&self, expr: &Expr, frame: &Frame<'_>) -> Option<i64> {
        match expr {
            Expr::Int(integer) => Some(*integer),
            Expr::Local(slot) | Expr::Last(slot) => match self.stack[frame.base + *slot as usize] {
                Value::Int(integer) => Some(integer),
                _ => None,
            },
            _ => None,
        }
    }

    /// One operation on locals and constants, if they are integers. A function that calls no other has
    /// nothing to keep for its caller, which is worth an attempt where it may succeed.
    #[inline(always)]
    fn short_arithmetic(&self, form: &Binary<Arithmetic>, frame: &Frame<'_>) -> Option<i64> {
        match form.operation {
            _ if !form.is_short => None,
            Arithmetic::Add => {
                self.integer(&form.left, frame)?.checked_add(self.integer(&form.right, frame)?)
            }
            _ => self.integers_at_hand(form, frame),
        }
    }

    #[inline(never)]
    fn integers_at_hand(&self, form: &Binary<Arithmetic>, frame: &Frame<'_>) -> Option<i64> {
        let (a, b) = (self.integer(&form.left, frame)?, self.integer(&form.right, frame)?);
        form.operation.apply(a, b)
    }

    /// Whether a form is truthy; a comparison of integers makes no value of it.
    #[inline(always)]
    pub(super) fn test(&mut self, expr: &Expr, frame: &Frame<'_>, out: &mut Value) -> Test {
        let done = match expr {
            Expr::Comparison(form) => match self.short_comparison(form, frame) {
                Some(holds) => return Test::of(holds),
                None => match self.integers(form, frame, out) {
                    Ok((a, b)) => return Test::of(form.operation.holds(a, b)),
                    Err(done) => done,
                },
            },
            Expr::Local(slot) => return Test::of(self.stack[frame.base + *slot as usize].is_truthy()),
            other => self.eval_into(other, frame, out),
        };
        match done {
            Done::Int(_) => Test::Holds,
            Done::Left(unwind) => Test::Left(unwind),
            Done::Stored | Done::Recur | Done::Tail(_) => {
                let holds = out.is_truthy();
                *out = Value::Nil;
                Test::of(holds)
            }
        }
    }

    /// One comparison of locals and constants, if they are integers.
    #[inline(always)]
    fn short_comparison(&self, form: &Binary<Comparison>, frame: &Frame<'_>) -> Option<bool> {
        if !form.is_short {
            return None;
        }
        let (a, b) = (self.integer(&form.left, frame)?, self.integer(&form.right, frame)?);
        Some(form.operation.holds(a, b))
    }

    #[inline(never)]
    pub(super) fn eval_arithmetic(
        &mut self,
        form: &Binary<Arithmetic>,
        frame: &Frame<'_>,
        out: &mut Value,
    ) -> Done {
        match self.short_arithmetic(form, frame) {
            Some(integer) => Done::Int(integer),
            None => self.eval_long_arithmetic(form, frame, out),
        }
    }

    #[inline(never)]
    fn eval_long_arithmetic(
        &mut self,
        form: &Binary<Arithmetic>,
        frame: &Frame<'_>,
        out: &mut Value,
    ) -> Done {
        match self.integers(form, frame, out) {
            Ok((a, b)) => match form.operation.apply(a, b) {
                Some(integer) => Done::Int(integer),
                None => self.run_binary(form, [Value::Int(a), Value::Int(b)], out),
            },
            Err(done) => done,
        }
    }

    #[inline(never)]
    pub(super) fn eval_comparison(
        &mut self,
        form: &Binary<Comparison>,
        frame: &Frame<'_>,
        out: &mut Value,
    ) -> Done {
        match self.integers(form, frame, out) {
            Ok((a, b)) => Done::stored(Value::Bool(form.operation.holds(a, b)), out),
            Err(done) => done,
        }
    }

    /// Both operands, if they are integers; otherwise what the builtin makes of them. Values of other
    /// kinds pass through `out`, so that integers find no places to be cleared.
    #[inline(always)]
    fn integers<O>(
        &mut self,
        form: &Binary<O>,
        frame: &Frame<'_>,
        out: &mut Value,
    ) -> Result<(i64, i64), Done> {
        let a = match self.operand(&form.left, frame, out) {
            Done::Int(a) => a,
            Done::Left(unwind) => return Err(Done::Left(unwind)),
            Done::Stored | Done::Recur | Done::Tail(_) => return Err(self.run_on_value(form, frame, out)),
        };
        match self.operand(&form.right, frame, out) {
            Done::Int(b) => Ok((a, b)),
            Done::Left(unwind) => Err(Done::Left(unwind)),
            Done::Stored | Done::Recur | Done::Tail(_) => Err(self.run_on_integer(form, a, out)),
        }
    }

    /// Runs the builtin on `out` and the right operand.
    #[inline(never)]
    fn run_on_value<O>(&mut self, form: &Binary<O>, frame: &Frame<'_>, out: &mut Value) -> Done {
        let left = out.take();
        let right = match self.operand(&form.right, frame, out) {
            Done::Int(integer) => Value::Int(integer),
            Done::Left(unwind) => return Done::Left(unwind),
            Done::Stored | Done::Recur | Done::Tail(_) => out.take(),
        };
        self.run_binary(form, [left, right], out)
    }

    /// Runs the builtin on an integer and `out`.
    #[inline(never)]
    fn run_on_integer<O>(&mut self, form: &Binary<O>, left: i64, out: &mut Value) -> Done {
        let right = out.take();
        self.run_binary(form, [Value::Int(left), right], out)
    }

    #[inline(never)]
    fn run_binary<O>(&mut self, form: &Binary<O>, mut values: [Value; 2], out: &mut Value) -> Done {
        Done::of(form.builtin.call(self, &mut values).map_err(at(form.span)), out)
    }

    #[inline(never)]
    pub(super) fn eval_step(&mut self, step: &Step, frame: &Frame<'_>, out: &mut Value) -> Done {
        let operand = match self.operand(&step.operand, frame, out) {
            Done::Int(integer) => match integer.checked_add(step.by) {
                Some(next) => return Done::Int(next),
                None => Value::Int(integer),
            },
            Done::Left(unwind) => return Done::Left(unwind),
            Done::Stored | Done::Recur | Done::Tail(_) => out.take(),
        };
        Done::of(step.builtin.call(self, &mut [operand]).map_err(at(step.span)), out)
    }
}

impl Test {
    #[inline]
    fn of(holds: bool) -> Test {
        if holds { Test::Holds } else { Test::Fails }
    }
}
