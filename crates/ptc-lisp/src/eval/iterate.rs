//! Forms that repeat. Every round costs a tick.

use crate::builtins::{Call, Source};
use crate::error::{Eval, type_error};
use crate::expr::{Clause, Expr, Iterate, Loop, Recur, Repeat, Slot, While};
use crate::stack::guarded;
use crate::value::Value;

use super::{Done, Frame, Interpreter, at, infinite};

/// What a round of `for` says about those that follow.
#[derive(PartialEq)]
enum Round {
    Done,
    /// `:while` failed: the nearest collection is done with.
    Stop,
}

/// Whether a `:while` of the nearest collection, before the next one begins, may end the rounds.
fn can_end(clauses: &[Clause]) -> bool {
    let own = clauses.iter().take_while(|clause| !matches!(clause, Clause::Each(_)));
    own.into_iter().any(|clause| matches!(clause, Clause::While(_)))
}

impl Interpreter<'_> {
    /// The values of a loop, and its first round.
    pub(super) fn begin_loop(&mut self, form: &Loop, frame: &Frame<'_>, out: &mut Value) -> Eval<()> {
        for (index, value) in form.values.iter().enumerate() {
            self.eval_to_slot(value, form.first + index as u32, frame, out)?;
        }
        self.begin_round(form, frame)
    }

    #[inline(always)]
    pub(super) fn begin_round(&mut self, form: &Loop, frame: &Frame<'_>) -> Eval<()> {
        self.tick(form.weight).map_err(at(form.span))?;
        if form.patterns.is_empty() { Ok(()) } else { self.take_round_apart(form, frame) }
    }

    #[inline(never)]
    fn take_round_apart(&mut self, form: &Loop, frame: &Frame<'_>) -> Eval<()> {
        for parameter in &form.patterns {
            let value = self.stack[frame.base + parameter.slot as usize].take();
            self.bind(&parameter.pattern, value, frame).map_err(at(parameter.span))?;
        }
        Ok(())
    }

    /// All values are computed before the first is rebound.
    #[inline(always)]
    pub(super) fn eval_recur(&mut self, form: &Recur, frame: &Frame<'_>, out: &mut Value) -> Eval<()> {
        match &*form.values {
            [a] => self.eval_to_slot(a, form.first, frame, out),
            [a, b] => {
                let a = match self.operand(a, frame, out) {
                    Done::Int(a) => a,
                    Done::Left(unwind) => return Err(unwind),
                    Done::Stored | Done::Recur | Done::Tail(_) => {
                        return self.recur_with_value(form.first, b, frame, out);
                    }
                };
                self.eval_to_slot(b, form.first + 1, frame, out)?;
                self.put_integer(frame, form.first, a);
                Ok(())
            }
            several => self.recur_with(form.first, several, frame, out),
        }
    }

    /// The first of two values is `out`.
    #[inline(never)]
    fn recur_with_value(&mut self, first: Slot, b: &Expr, frame: &Frame<'_>, out: &mut Value) -> Eval<()> {
        let a = out.take();
        self.eval_to_slot(b, first + 1, frame, out)?;
        self.set(frame, first, a);
        Ok(())
    }

    /// The values wait on top of the stack.
    #[inline(never)]
    fn recur_with(&mut self, first: Slot, values: &[Expr], frame: &Frame<'_>, out: &mut Value) -> Eval<()> {
        let top = self.stack.top();
        for value in values {
            self.push_value_of(value, frame, out)?;
        }
        self.stack.move_down(top, frame.base + first as usize);
        self.stack.lower(top);
        Ok(())
    }

    pub(super) fn eval_iterate(&mut self, form: &Iterate, frame: &Frame<'_>) -> Eval {
        let mut collected = form.collects.then(Vec::new);
        self.rounds(&form.clauses, form, &mut collected, frame)?;
        Ok(collected.map_or(Value::Nil, Value::list))
    }

    fn rounds(
        &mut self,
        clauses: &[Clause],
        form: &Iterate,
        collected: &mut Option<Vec<Value>>,
        frame: &Frame<'_>,
    ) -> Eval<Round> {
        let Some((clause, others)) = clauses.split_first() else {
            let value = self.eval(&form.body, frame)?;
            if let Some(collected) = collected {
                self.allocate(16)?;
                self.check_size(collected.len() + 1)?;
                collected.push(value);
            }
            return Ok(Round::Done);
        };
        match clause {
            Clause::Each(binding) => {
                let name = if form.collects { "for" } else { "doseq" };
                let collection = self.eval(&binding.value, frame)?;
                if matches!(collection, Value::Generator(_)) && !can_end(others) {
                    return infinite().map_err(at(binding.span));
                }
                let mut source =
                    Source::new(&mut Call::new(name, self), collection).map_err(at(binding.span))?;
                while let Some(item) = source.next(self).map_err(at(binding.span))? {
                    if form.extra > 0 {
                        self.tick(form.extra).map_err(at(binding.span))?;
                    }
                    self.bind(&binding.pattern, item, frame).map_err(at(binding.span))?;
                    if guarded(|| self.rounds(others, form, collected, frame))? == Round::Stop {
                        break;
                    }
                }
            }
            Clause::Let(bindings) => {
                for binding in bindings {
                    let value = self.eval(&binding.value, frame)?;
                    self.bind(&binding.pattern, value, frame).map_err(at(binding.span))?;
                }
                return guarded(|| self.rounds(others, form, collected, frame));
            }
            Clause::When(test) => {
                if self.eval(test, frame)?.is_truthy() {
                    return guarded(|| self.rounds(others, form, collected, frame));
                }
            }
            Clause::While(test) => {
                if !self.eval(test, frame)?.is_truthy() {
                    return Ok(Round::Stop);
                }
                return guarded(|| self.rounds(others, form, collected, frame));
            }
        }
        Ok(Round::Done)
    }

    pub(super) fn eval_repeat(&mut self, form: &Repeat, frame: &Frame<'_>) -> Eval {
        let count = match self.eval(&form.count, frame)? {
            Value::Int(count) => count,
            Value::Float(count, ..) => count as i64,
            other => return type_error("dotimes", "a number", &other).map_err(at(form.span)),
        };
        for index in 0..count {
            self.tick(form.weight).map_err(at(form.span))?;
            self.set(frame, form.slot, Value::Int(index));
            self.eval(&form.body, frame)?;
        }
        Ok(Value::Nil)
    }

    pub(super) fn eval_while(&mut self, form: &While, frame: &Frame<'_>) -> Eval {
        while self.eval(&form.test, frame)?.is_truthy() {
            self.tick(form.weight)?;
            self.eval(&form.body, frame)?;
        }
        Ok(Value::Nil)
    }
}
