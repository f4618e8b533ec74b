//! Arithmetic, comparisons and tests on integers: no value is made where numbers suffice.

use crate::lisp::error::{Eval, Unwind};
use crate::lisp::expr::{Arithmetic, Binary, Comparison, Expr, Step};
use crate::lisp::value::Value;

use super::{Done, Frame, Interpreter, at, forget_nothing};

/// What a test came to.
pub(super) enum Test {
    Holds,
    Fails,
    Left(Box<Unwind>),
}

impl Interpreter<'_> {
    /// Whether a form is truthy; a comparison of integers makes no value of it.
    #[inline(always)]
    pub(super) fn test(&mut self, expr: &Expr, frame: &Frame<'_>) -> Test {
        if let Expr::Comparison(form) = expr {
            if let (Some(a), Some(b)) = (self.integer(&form.left, frame), self.integer(&form.right, frame)) {
                return Test::of(form.operation.holds(a, b));
            }
            return self.test_comparison(form, frame);
        }
        let mut value = Value::Nil;
        match self.operand(expr, frame, &mut value) {
            Ok(Some(_)) => {
                forget_nothing(value);
                Test::Holds
            }
            Ok(None) => Test::of(value.is_truthy()),
            Err(unwind) => Test::Left(unwind),
        }
    }

    #[inline(never)]
    fn test_comparison(&mut self, form: &Binary<Comparison>, frame: &Frame<'_>) -> Test {
        let compared = self.operands(form, frame).and_then(|operands| match operands {
            Operands::Integers(a, b) => Ok(form.operation.holds(a, b)),
            Operands::Values(values) => Ok(self.run_binary(form, values)?.is_truthy()),
        });
        match compared {
            Ok(holds) => Test::of(holds),
            Err(unwind) => Test::Left(unwind),
        }
    }

    /// The value of a local or constant, if it is an integer. Nothing is moved.
    #[inline(always)]
    fn integer(&self, expr: &Expr, frame: &Frame<'_>) -> Option<i64> {
        match expr {
            Expr::Local(slot) | Expr::Last(slot) => match self.stack[frame.base + *slot as usize] {
                Value::Int(integer) => Some(integer),
                _ => None,
            },
            Expr::Const(Value::Int(integer)) => Some(*integer),
            _ => None,
        }
    }

    /// An integer that takes at most one operation on locals and constants. Nothing is moved, and nothing
    /// has happened where there is none.
    #[inline(always)]
    pub(super) fn short_integer(&self, expr: &Expr, frame: &Frame<'_>) -> Option<i64> {
        match expr {
            Expr::Arithmetic(form) => self.short_arithmetic(form, frame),
            Expr::Step(step) => self.integer(&step.operand, frame)?.checked_add(step.by),
            simple => self.integer(simple, frame),
        }
    }

    fn short_arithmetic(&self, form: &Binary<Arithmetic>, frame: &Frame<'_>) -> Option<i64> {
        let (a, b) = (self.integer(&form.left, frame)?, self.integer(&form.right, frame)?);
        form.operation.apply(a, b)
    }

    #[inline(never)]
    pub(super) fn eval_arithmetic(
        &mut self,
        form: &Binary<Arithmetic>,
        frame: &Frame<'_>,
        out: &mut Value,
    ) -> Done {
        let values = match self.operands(form, frame) {
            Ok(Operands::Integers(a, b)) => match form.operation.apply(a, b) {
                Some(integer) => return Done::Int(integer),
                None => [Value::Int(a), Value::Int(b)],
            },
            Ok(Operands::Values(values)) => values,
            Err(unwind) => return Done::Left(unwind),
        };
        Done::of(self.run_binary(form, values), out)
    }

    #[inline(never)]
    pub(super) fn eval_comparison(
        &mut self,
        form: &Binary<Comparison>,
        frame: &Frame<'_>,
        out: &mut Value,
    ) -> Done {
        match self.operands(form, frame) {
            Ok(Operands::Integers(a, b)) => Done::stored(Value::Bool(form.operation.holds(a, b)), out),
            Ok(Operands::Values(values)) => Done::of(self.run_binary(form, values), out),
            Err(unwind) => Done::Left(unwind),
        }
    }

    #[inline(always)]
    fn operands<O>(&mut self, form: &Binary<O>, frame: &Frame<'_>) -> Eval<Operands> {
        let (mut left, mut right) = (Value::Nil, Value::Nil);
        let a = self.operand(&form.left, frame, &mut left)?;
        let b = self.operand(&form.right, frame, &mut right)?;
        if let (Some(a), Some(b)) = (a, b) {
            forget_nothing(left);
            forget_nothing(right);
            return Ok(Operands::Integers(a, b));
        }
        Ok(Operands::Values([a.map_or(left, Value::Int), b.map_or(right, Value::Int)]))
    }

    fn run_binary<O>(&mut self, form: &Binary<O>, mut values: [Value; 2]) -> Eval {
        (form.builtin.run)(self, &mut values).map_err(at(form.span))
    }

    #[inline(never)]
    pub(super) fn eval_step(&mut self, step: &Step, frame: &Frame<'_>, out: &mut Value) -> Done {
        let mut operand = Value::Nil;
        match self.operand(&step.operand, frame, &mut operand) {
            Ok(Some(integer)) => match integer.checked_add(step.by) {
                Some(next) => return Done::Int(next),
                None => operand = Value::Int(integer),
            },
            Ok(None) => {}
            Err(unwind) => return Done::Left(unwind),
        }
        Done::of((step.builtin.run)(self, &mut [operand]).map_err(at(step.span)), out)
    }
}

/// Both operands of a builtin that is short for integers.
enum Operands {
    Integers(i64, i64),
    Values([Value; 2]),
}

impl Test {
    #[inline]
    fn of(holds: bool) -> Test {
        if holds { Test::Holds } else { Test::Fails }
    }
}
