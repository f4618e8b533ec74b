//! Finds the last read of each local, so that the evaluator moves the value instead of copying it and
//! collections change in place. Walks each function backwards, in the reverse of evaluation order.

use super::*;
use crate::expr::{
    Binding, Capture, Clause, Cond, Iterate, Loop, Parameter, Pattern, Repeat, Slot, Try, While,
};

/// Marks the last reads of a program.
pub(super) fn mark_last_uses(body: &mut Expr) {
    Walk::default().expr(body);
}

/// Marks the last reads of a function. Its siblings are laid out once and stay.
pub(super) fn mark_last_uses_of_function(
    patterns: &mut [Parameter],
    body: &mut Expr,
    siblings: &[(u32, Slot)],
) {
    let mut walk = Walk::default();
    for (_, slot) in siblings {
        walk.live.add(*slot);
    }
    walk.at_recur = walk.live.clone();
    walk.expr(body);
    walk.parameters(patterns);
}

/// A set of slots.
#[derive(Clone, Default)]
struct Slots(Vec<u64>);

impl Slots {
    fn add(&mut self, slot: Slot) {
        let word = slot as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (slot % 64);
    }

    fn remove(&mut self, slot: Slot) {
        if let Some(word) = self.0.get_mut(slot as usize / 64) {
            *word &= !(1 << (slot % 64));
        }
    }

    fn contains(&self, slot: Slot) -> bool {
        match self.0.get(slot as usize / 64) {
            Some(word) => word & (1 << (slot % 64)) != 0,
            None => false,
        }
    }

    fn union(&mut self, other: &Slots) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (word, added) in self.0.iter_mut().zip(&other.0) {
            *word |= added;
        }
    }
}

/// Slots read after the current point.
#[derive(Default)]
struct Walk {
    live: Slots,
    /// Slots read after a `recur`.
    at_recur: Slots,
    /// Marks nothing: what is live at the end of a round is not known yet.
    is_trial: bool,
}

impl Walk {
    fn expr(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Local(slot) => {
                let slot = *slot;
                if self.is_last(slot) {
                    *expr = Expr::Last(slot);
                }
            }
            Expr::Int(_)
            | Expr::Const(_)
            | Expr::Last(_)
            | Expr::Captured(_)
            | Expr::Global(_)
            | Expr::User(_)
            | Expr::Tool(..)
            | Expr::Data(..)
            | Expr::History(_) => {}
            Expr::If(parts) => {
                let [test, then, otherwise] = &mut **parts;
                self.branches(&mut [then, otherwise]);
                self.expr(test);
            }
            Expr::Cond(form) => self.cond(form),
            Expr::And(steps)
            | Expr::Or(steps)
            | Expr::Do(steps)
            | Expr::Vector(steps)
            | Expr::Map(steps)
            | Expr::Set(steps) => self.exprs(steps),
            Expr::Let(form) => {
                self.expr(&mut form.body);
                self.bindings(&mut form.bindings);
            }
            Expr::Loop(form) => self.loop_form(form),
            Expr::Recur(form) => {
                self.live = self.at_recur.clone();
                self.exprs(&mut form.values);
            }
            Expr::Fn(form) => self.captures(&mut form.captures),
            Expr::LetFn(form) => {
                self.expr(&mut form.body);
                for slot in &form.slots {
                    self.live.remove(*slot);
                }
                self.captures(&mut form.captures);
            }
            Expr::Call(form) => {
                self.exprs(&mut form.arguments);
                self.expr(&mut form.callee);
            }
            Expr::Builtin(form) => self.exprs(&mut form.arguments),
            Expr::Binary(form) => self.exprs(&mut form.operands),
            Expr::Def(form) => {
                if let Some(value) = &mut form.value {
                    self.expr(value);
                }
            }
            Expr::Case(form) => {
                let mut branches: Vec<&mut Expr> = form.branches.iter_mut().collect();
                branches.push(&mut form.default);
                self.branches(&mut branches);
                self.expr(&mut form.subject);
            }
            Expr::Iterate(form) => self.iterate(form),
            Expr::Repeat(form) => self.repeat(form),
            Expr::While(form) => self.while_form(form),
            Expr::Try(form) => self.try_form(form),
            Expr::Leave(form) => self.expr(&mut form.value),
        }
    }

    /// Notes a read. Returns true if it is the last one and is to be marked.
    fn is_last(&mut self, slot: Slot) -> bool {
        let is_last = !self.live.contains(slot) && !self.is_trial;
        self.live.add(slot);
        is_last
    }

    fn cond(&mut self, form: &mut Cond) {
        let after = self.live.clone();
        self.expr(&mut form.otherwise);
        for (test, value) in form.clauses.iter_mut().rev() {
            let rest = std::mem::replace(&mut self.live, after.clone());
            self.expr(value);
            self.live.union(&rest);
            self.expr(test);
        }
    }

    /// Slots live at the start of a round of a loop. One trial finds them: a slot is bound in one place, so it is live
    /// before the round if some path through the round reads it.
    fn before_round(&mut self, round: impl FnOnce(&mut Walk)) -> Slots {
        if self.is_trial {
            return self.live.clone();
        }
        let mut trial = Walk { live: self.live.clone(), at_recur: self.live.clone(), is_trial: true };
        round(&mut trial);
        trial.live
    }

    fn loop_form(&mut self, form: &mut Loop) {
        let mut around = self.before_round(|walk| walk.loop_round(form));
        for slot in (form.first..).take(form.values.len()) {
            around.remove(slot);
        }
        let outer = std::mem::replace(&mut self.at_recur, around);
        self.loop_round(form);
        self.at_recur = outer;
        for (index, value) in form.values.iter_mut().enumerate().rev() {
            self.live.remove(form.first + index as Slot);
            self.expr(value);
        }
    }

    fn loop_round(&mut self, form: &mut Loop) {
        self.expr(&mut form.body);
        self.parameters(&mut form.patterns);
    }

    fn iterate(&mut self, form: &mut Iterate) {
        let around = self.before_round(|walk| walk.iterate_round(form));
        self.live.union(&around);
        self.expr(&mut form.body);
        for clause in form.clauses.iter_mut().rev() {
            self.clause(clause);
        }
    }

    /// A round of the innermost collection. The bindings of the clauses around it remain for the next round.
    fn iterate_round(&mut self, form: &mut Iterate) {
        let innermost = form.clauses.iter().rposition(is_each).unwrap_or(0);
        self.expr(&mut form.body);
        for (index, clause) in form.clauses.iter_mut().enumerate().rev() {
            let bound = self.live.clone();
            match clause {
                // The first collection is evaluated once.
                Clause::Each(binding) if index == 0 => self.pattern(&mut binding.pattern),
                clause => self.clause(clause),
            }
            if index < innermost {
                self.live.union(&bound);
            }
        }
    }

    fn repeat(&mut self, form: &mut Repeat) {
        let around = self.before_round(|walk| walk.expr(&mut form.body));
        self.live.union(&around);
        self.live.remove(form.slot);
        self.expr(&mut form.body);
        self.live.remove(form.slot);
        self.expr(&mut form.count);
    }

    fn while_form(&mut self, form: &mut While) {
        let around = self.before_round(|walk| walk.while_round(form));
        self.live.union(&around);
        self.while_round(form);
    }

    fn while_round(&mut self, form: &mut While) {
        self.expr(&mut form.body);
        self.expr(&mut form.test);
    }

    /// The body may stop anywhere and continue in any `catch`.
    fn try_form(&mut self, form: &mut Try) {
        if let Some(finally) = &mut form.finally {
            self.expr(finally);
        }
        let after = self.live.clone();
        let mut before = after.clone();
        for catch in &mut form.catches {
            self.live.clone_from(&after);
            self.expr(&mut catch.body);
            self.live.remove(catch.slot);
            before.union(&self.live);
        }
        self.live = before;
        self.expr(&mut form.body);
    }

    fn exprs(&mut self, exprs: &mut [Expr]) {
        for expr in exprs.iter_mut().rev() {
            self.expr(expr);
        }
    }

    /// Only one of them is taken.
    fn branches(&mut self, branches: &mut [&mut Expr]) {
        let after = self.live.clone();
        let mut before = Slots::default();
        for branch in branches {
            self.live = after.clone();
            self.expr(branch);
            before.union(&self.live);
        }
        self.live = before;
    }

    fn captures(&mut self, captures: &mut [Capture]) {
        for capture in captures.iter_mut().rev() {
            if let Capture::Local(slot) = *capture
                && self.is_last(slot)
            {
                *capture = Capture::Last(slot);
            }
        }
    }

    fn bindings(&mut self, bindings: &mut [Binding]) {
        for binding in bindings.iter_mut().rev() {
            self.pattern(&mut binding.pattern);
            self.expr(&mut binding.value);
        }
    }

    fn parameters(&mut self, parameters: &mut [Parameter]) {
        for parameter in parameters.iter_mut().rev() {
            self.pattern(&mut parameter.pattern);
        }
    }

    /// A pattern binds its slots and reads its defaults.
    fn pattern(&mut self, pattern: &mut Pattern) {
        match pattern {
            Pattern::Slot(slot) => self.live.remove(*slot),
            Pattern::Sequence(sequence) => {
                if let Some(slot) = sequence.whole {
                    self.live.remove(slot);
                }
                if let Some(rest) = &mut sequence.rest {
                    self.pattern(rest);
                }
                for item in sequence.items.iter_mut().rev() {
                    self.pattern(item);
                }
            }
            Pattern::Map(map) => {
                for entry in map.entries.iter_mut().rev() {
                    self.pattern(&mut entry.pattern);
                    if let Some(default) = &mut entry.default {
                        self.expr(default);
                    }
                    self.expr(&mut entry.key);
                }
                if let Some(slot) = map.whole {
                    self.live.remove(slot);
                }
            }
        }
    }

    fn clause(&mut self, clause: &mut Clause) {
        match clause {
            Clause::Each(binding) => {
                self.pattern(&mut binding.pattern);
                self.expr(&mut binding.value);
            }
            Clause::Let(bindings) => self.bindings(bindings),
            Clause::When(test) | Clause::While(test) => self.expr(test),
        }
    }
}

fn is_each(clause: &Clause) -> bool {
    matches!(clause, Clause::Each(_))
}
