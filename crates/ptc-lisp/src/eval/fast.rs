//! The short way for what tight loops do: arithmetic and comparisons of two integers, without a call and
//! without values in memory. [`builtin_call`] alone chooses it. The programs that justify it are `02_fib20`,
//! `03_loop_100k`, `05_nested_reduce` and `peer_sum` of `benches/programs`.

use crate::builtins::{self, Builtin};
use crate::error::Eval;
use crate::expr::{Binary, BuiltinCall, Expr, Operation};
use crate::source::Span;
use crate::value::Value;

use super::{Evaluated, Frame, Interpreter, Returned, at};

/// Builtins with a short way: the operation, and the number of arguments. With one argument the other
/// operand is 1.
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
    /// The result for two integers; none where the builtin has to decide.
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
    /// Evaluates a form that is not in tail position. An integer that is at hand takes no call.
    #[inline(always)]
    pub(super) fn operand(&mut self, expr: &Expr, frame: &Frame<'_>, out: &mut Value) -> Eval<Evaluated> {
        match expr {
            Expr::Int(integer) => return Ok(Evaluated::Int(*integer)),
            Expr::Local(slot) | Expr::Last(slot) => {
                if let Value::Int(integer) = self.slot(*slot, frame) {
                    return Ok(Evaluated::Int(*integer));
                }
            }
            Expr::Binary(form) => return self.eval_binary(form, frame, out).get(),
            Expr::Call(call) => return self.eval_call(call, frame, out).get(),
            _ => {}
        }
        self.eval_into(expr, frame, out).get()
    }

    #[inline(never)]
    pub(super) fn eval_binary(&mut self, form: &Binary, frame: &Frame<'_>, out: &mut Value) -> Returned {
        Returned::of(|| {
            // A left operand that is no integer is rare, so it is moved there only then.
            let (mut left, [first, second]) = (Value::Nil, &form.operands);
            let a = self.operand(first, frame, out)?;
            if !matches!(a, Evaluated::Int(_)) {
                a.store(out);
                left = out.take();
            }
            let b = self.operand(second, frame, out)?;
            match (a, b) {
                (Evaluated::Int(a), Evaluated::Int(b)) => match form.operation.apply(a, b) {
                    Some(result) => Ok(result),
                    None => self.run_binary(form, [Value::Int(a), Value::Int(b)], out),
                },
                (a, b) => {
                    a.store(&mut left);
                    b.store(out);
                    let right = out.take();
                    self.run_binary(form, [left, right], out)
                }
            }
        })
    }

    #[inline(never)]
    fn run_binary(&mut self, form: &Binary, mut values: [Value; 2], out: &mut Value) -> Eval<Evaluated> {
        let result = form.builtin.call(self, &mut values[..form.arguments]).map_err(at(form.span))?;
        Ok(Evaluated::of(result, out))
    }
}
