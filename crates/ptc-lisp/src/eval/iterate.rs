//! Forms that repeat. Every round costs a tick.

use super::*;
use crate::builtins::{Call, Source};
use crate::expr::{Clause, Iterate, Repeat, While};
use crate::stack::guarded;

/// Result of a round of `for`.
#[derive(PartialEq)]
enum Round {
    Done,
    /// `:while` failed: the nearest collection is done with.
    Stop,
}

/// Returns true if a `:while` of the nearest collection may end its rounds.
fn can_end(clauses: &[Clause]) -> bool {
    let own = clauses.iter().take_while(|clause| !matches!(clause, Clause::Each(_)));
    own.into_iter().any(|clause| matches!(clause, Clause::While(_)))
}

impl Interpreter<'_> {
    /// Binds the values of a loop and begins its first round.
    #[inline(never)]
    pub(super) fn begin_loop(&mut self, form: &Loop, frame: &Frame<'_>) -> Eval<()> {
        for (slot, value) in (form.first..).zip(&form.values) {
            self.eval_to_slot(value, slot, frame)?;
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
            let value = self.slot(parameter.slot, frame).take();
            self.bind(&parameter.pattern, value, frame).map_err(at(parameter.span))?;
        }
        Ok(())
    }

    /// Computes all values before it rebinds the first. Until then they are in registers or on Rust's stack.
    #[inline(always)]
    pub(super) fn eval_recur(&mut self, first: Slot, values: &[Expr], frame: &Frame<'_>) -> Eval<()> {
        match values {
            [value] => self.eval_to_slot(value, first, frame),
            [value, last] => {
                let mut place = Value::Nil;
                let evaluated = self.operand(value, frame, &mut place)?;
                self.eval_to_slot(last, first + 1, frame)?;
                self.put(first, frame, evaluated, place);
                Ok(())
            }
            several => self.recur_with(first, several, frame),
        }
    }

    #[inline(never)]
    fn recur_with(&mut self, first: Slot, values: &[Expr], frame: &Frame<'_>) -> Eval<()> {
        let [value, others @ ..] = values else { return Ok(()) };
        let mut place = Value::Nil;
        let evaluated = self.operand(value, frame, &mut place)?;
        guarded(|| self.recur_with(first + 1, others, frame))?;
        self.put(first, frame, evaluated, place);
        Ok(())
    }

    #[inline(never)]
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
                if matches!(&collection, Value::Generator(items) if !items.may_end()) && !can_end(others) {
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

    #[inline(never)]
    pub(super) fn eval_repeat(&mut self, form: &Repeat, frame: &Frame<'_>) -> Eval {
        let count = match self.eval(&form.count, frame)? {
            Value::Int(count) => count,
            Value::Float(count, ..) => count as i64,
            other => return type_error("dotimes", "a number", &other).map_err(at(form.span)),
        };
        for index in 0..count {
            self.tick(form.weight).map_err(at(form.span))?;
            *self.slot(form.slot, frame) = Value::Int(index);
            self.eval(&form.body, frame)?;
        }
        Ok(Value::Nil)
    }

    #[inline(never)]
    pub(super) fn eval_while(&mut self, form: &While, frame: &Frame<'_>) -> Eval {
        while self.eval(&form.test, frame)?.is_truthy() {
            self.tick(form.weight).map_err(at(form.span))?;
            self.eval(&form.body, frame)?;
        }
        Ok(Value::Nil)
    }
}
