//! Arithmetic, comparisons and tests on integers: no value is made where numbers suffice.

use crate::lisp::error::{Eval, Unwind};
use crate::lisp::expr::{Arithmetic, Binary, Comparison, Expr, Step};
use crate::lisp::value::Value;

use super::{Done, Frame, Interpreter, Operand, at};

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
        match self.operand(expr, frame) {
            Ok(Operand::Int(_)) => Test::Holds,
            Ok(Operand::Value(value)) => Test::of(value.is_truthy()),
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
        let left = self.operand(&form.left, frame)?;
        let right = self.operand(&form.right, frame)?;
        Ok(match (left, right) {
            (Operand::Int(a), Operand::Int(b)) => Operands::Integers(a, b),
            (left, right) => Operands::Values([left.into(), right.into()]),
        })
    }

    fn run_binary<O>(&mut self, form: &Binary<O>, mut values: [Value; 2]) -> Eval {
        (form.builtin.run)(self, &mut values).map_err(at(form.span))
    }

    #[inline(never)]
    pub(super) fn eval_step(&mut self, step: &Step, frame: &Frame<'_>, out: &mut Value) -> Done {
        let operand = match self.operand(&step.operand, frame) {
            Ok(operand) => operand,
            Err(unwind) => return Done::Left(unwind),
        };
        if let Operand::Int(integer) = operand
            && let Some(next) = integer.checked_add(step.by)
        {
            return Done::Int(next);
        }
        Done::of((step.builtin.run)(self, &mut [operand.into()]).map_err(at(step.span)), out)
    }
}

/// Both operands of a builtin that is short for integers.
enum Operands {
    Integers(i64, i64),
    Values([Value; 2]),
}

impl From<Operand> for Value {
    fn from(operand: Operand) -> Value {
        match operand {
            Operand::Int(integer) => Value::Int(integer),
            Operand::Value(value) => value,
        }
    }
}

impl Test {
    #[inline]
    fn of(holds: bool) -> Test {
        if holds { Test::Holds } else { Test::Fails }
    }
}
