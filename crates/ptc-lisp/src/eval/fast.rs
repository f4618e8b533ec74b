//! Fast paths for tight loops, without a call and without values in memory: arithmetic and comparisons of two integers
//! (chosen by [`builtin_call`] alone), and reads of locals and keys. Unless others are named, `02_fib20`, `03_loop_100k`,
//! `05_nested_reduce`, `peer_closures` and `peer_sum` of `benches/programs` justify them.

use super::*;
use crate::builtin::Builtin;
use crate::builtins;
use crate::expr::{Binary, Operation};

/// Builtins with a short way: operation and number of arguments. A missing second operand is 1.
static OPERATIONS: &[(&Builtin, Operation, usize)] = &[
    (&builtins::PLUS, Operation::Add, 2),
    (&builtins::INC, Operation::Add, 1),
    (&builtins::MINUS, Operation::Subtract, 2),
    (&builtins::DEC, Operation::Subtract, 1),
    (&builtins::TIMES, Operation::Multiply, 2),
    (&builtins::QUOT, Operation::Quotient, 2),
    (&builtins::REM, Operation::Remainder, 2),
    (&builtins::MOD, Operation::Modulo, 2),
    (&builtins::LESS, Operation::Less, 2),
    (&builtins::GREATER, Operation::Greater, 2),
    (&builtins::AT_MOST, Operation::AtMost, 2),
    (&builtins::AT_LEAST, Operation::AtLeast, 2),
    (&builtins::EQUAL, Operation::Equal, 2),
    (&builtins::SAME_NUMBER, Operation::Equal, 2),
    (&builtins::DIFFERENT, Operation::Different, 2),
];

/// The tree of a call of a builtin.
pub(crate) fn builtin_call(builtin: &'static Builtin, arguments: Box<[Expr]>, span: Span) -> Expr {
    let mut arguments = arguments.into_vec();
    let count = arguments.len();
    let has_short_way = |row: &&(&Builtin, Operation, usize)| std::ptr::eq(row.0, builtin) && row.2 == count;
    if let Some((_, operation, _)) = OPERATIONS.iter().find(has_short_way) {
        arguments.resize_with(2, || Expr::Int(1));
        match <[Expr; 2]>::try_from(arguments) {
            Ok(operands) => {
                let form = Binary { operation: *operation, builtin, operands, arguments: count, span };
                return Expr::Binary(Box::new(form));
            }
            Err(others) => arguments = others,
        }
    }
    Expr::Builtin(Box::new(BuiltinCall { builtin, arguments: arguments.into(), span }))
}

impl Operation {
    /// The result for two integers. `None` if the builtin has to compute it.
    #[inline(always)]
    fn apply(self, a: i64, b: i64) -> Option<Evaluated> {
        Some(Evaluated::Int(match self {
            Operation::Add => a.checked_add(b)?,
            Operation::Subtract => a.checked_sub(b)?,
            Operation::Multiply => a.checked_mul(b)?,
            Operation::Quotient => a.checked_div(b)?,
            Operation::Remainder => a.checked_rem(b)?,
            Operation::Modulo => match a.checked_rem(b)? {
                remainder if remainder != 0 && (remainder < 0) != (b < 0) => remainder + b,
                remainder => remainder,
            },
            Operation::Less => return Some(Evaluated::Bool(a < b)),
            Operation::Greater => return Some(Evaluated::Bool(a > b)),
            Operation::AtMost => return Some(Evaluated::Bool(a <= b)),
            Operation::AtLeast => return Some(Evaluated::Bool(a >= b)),
            Operation::Equal => return Some(Evaluated::Bool(a == b)),
            Operation::Different => return Some(Evaluated::Bool(a != b)),
        }))
    }
}

impl Interpreter<'_> {
    /// Evaluates a form outside of tail position, without a call if it is an integer constant or local.
    #[inline(always)]
    pub(super) fn operand(&mut self, expr: &Expr, frame: &Frame<'_>, out: &mut Value) -> Eval<Evaluated> {
        if let Some(integer) = self.integer(expr, frame) {
            return Ok(Evaluated::Int(integer));
        }
        match expr {
            Expr::Binary(form) => self.eval_binary(form, frame, out).get(),
            Expr::Call(call) => self.eval_call(call, frame, out).get(),
            Expr::Builtin(call) => self.eval_builtin(call, frame, out).get(),
            Expr::Local(_) | Expr::Last(_) => self.local(expr, frame, out).get(),
            other => self.eval_into(other, frame, out).get(),
        }
    }

    /// An integer constant or local.
    #[inline(always)]
    fn integer(&self, expr: &Expr, frame: &Frame<'_>) -> Option<i64> {
        match expr {
            Expr::Int(integer) => Some(*integer),
            Expr::Local(slot) | Expr::Last(slot) => match self.stack.get(frame.base + *slot as usize) {
                Some(Value::Int(integer)) => Some(*integer),
                _ => None,
            },
            _ => None,
        }
    }

    /// The value of a local, without the saved registers of `eval_into`.
    #[inline(never)]
    fn local(&mut self, expr: &Expr, frame: &Frame<'_>, out: &mut Value) -> Returned {
        Returned::of(|| match expr {
            Expr::Local(slot) => Ok(Evaluated::copied(self.slot(*slot, frame), out)),
            Expr::Last(slot) => Ok(Evaluated::of(self.slot(*slot, frame).take(), out)),
            other => self.eval_into(other, frame, out).get(),
        })
    }

    /// The value of `(:key local)` for a map with the key, without a copy of the map: `01_filter_sort_group`, `peer_records`.
    pub(super) fn short_lookup(
        &mut self,
        callee: &Value,
        arguments: &[Expr],
        frame: &Frame<'_>,
        out: &mut Value,
    ) -> Option<Evaluated> {
        let ([Expr::Local(slot) | Expr::Last(slot)], Value::Keyword(_)) = (arguments, callee) else {
            return None;
        };
        let place = self.slot(*slot, frame);
        let Value::Map(map) = &*place else { return None };
        let found = Evaluated::copied(map.get(callee)?, out);
        if let [Expr::Last(_)] = arguments {
            *place = Value::Nil;
        }
        Some(found)
    }

    /// Removes the values above a place from the stack. Most are integers, with nothing to drop.
    #[inline(always)]
    pub(super) fn lower(&mut self, top: usize) {
        while self.stack.len() > top
            && let Some(mut value) = self.stack.pop()
        {
            value.clear();
            std::mem::forget(value);
        }
    }

    /// An operation on integer constants and locals.
    #[inline(always)]
    fn short_binary(&self, form: &Binary, frame: &Frame<'_>) -> Option<Evaluated> {
        let [left, right] = &form.operands;
        form.operation.apply(self.integer(left, frame)?, self.integer(right, frame)?)
    }

    /// Returns true if a form is truthy.
    #[inline(always)]
    pub(super) fn test(&mut self, expr: &Expr, frame: &Frame<'_>) -> Eval<bool> {
        match expr {
            Expr::Binary(form) => match self.short_binary(form, frame) {
                Some(Evaluated::Bool(holds)) => Ok(holds),
                _ => self.long_test(expr, frame),
            },
            _ => self.long_test(expr, frame),
        }
    }

    #[inline(never)]
    fn long_test(&mut self, expr: &Expr, frame: &Frame<'_>) -> Eval<bool> {
        let mut value = Value::Nil;
        let holds = match self.operand(expr, frame, &mut value)? {
            Evaluated::Bool(holds) => holds,
            Evaluated::Int(_) => true,
            Evaluated::Stored | Evaluated::Recur | Evaluated::Tail => value.is_truthy(),
        };
        value.clear();
        std::mem::forget(value);
        Ok(holds)
    }

    /// Saves no registers where the operands are at hand.
    #[inline(never)]
    pub(super) fn eval_binary(&mut self, form: &Binary, frame: &Frame<'_>, out: &mut Value) -> Returned {
        match self.short_binary(form, frame) {
            Some(result) => Returned::of(|| Ok(result)),
            None => self.eval_long_binary(form, frame, out),
        }
    }

    #[inline(never)]
    fn eval_long_binary(&mut self, form: &Binary, frame: &Frame<'_>, out: &mut Value) -> Returned {
        Returned::of(|| {
            let [left, right] = &form.operands;
            let a = match self.operand(left, frame, out)? {
                Evaluated::Int(a) => a,
                a => return self.run_on_value(form, a, frame, out),
            };
            let b = self.operand(right, frame, out)?;
            if let Evaluated::Int(b) = b
                && let Some(result) = form.operation.apply(a, b)
            {
                return Ok(result);
            }
            b.store(out);
            self.run_binary(form, Value::Int(a), out)
        })
    }

    /// Rare: the left operand is no integer.
    #[inline(never)]
    fn run_on_value(
        &mut self,
        form: &Binary,
        left: Evaluated,
        frame: &Frame<'_>,
        out: &mut Value,
    ) -> Eval<Evaluated> {
        left.store(out);
        let left = out.take();
        self.operand(&form.operands[1], frame, out)?.store(out);
        self.run_binary(form, left, out)
    }

    /// Calls the builtin with the left operand and the right one, whose place the result takes.
    #[inline(never)]
    fn run_binary(&mut self, form: &Binary, left: Value, right: &mut Value) -> Eval<Evaluated> {
        let mut values = [left, right.take()];
        let result = form.builtin.call(self, &mut values[..form.arguments]).map_err(at(form.span))?;
        Ok(Evaluated::of(result, right))
    }
}
