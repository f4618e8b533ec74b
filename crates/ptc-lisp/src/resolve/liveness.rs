//! Finds the last read of each local, so that the evaluator moves the value instead of copying it and
//! collections change in place. Walks each function backwards, in the reverse of evaluation order.

use crate::expr::{
    Binding, Capture, Clause, Cond, Expr, Iterate, Loop, Parameter, Pattern, Repeat, Slot, Try,
};

/// Marks the last reads of a program.
pub(super) fn mark_last_uses(body: &mut Expr) {
    Walk::default().expr(body);
}

/// Marks the last reads of a function. Its siblings are laid out once, before the first round of a
/// `recur`, so they stay.
pub(super) fn mark_last_uses_of_function(
    patterns: &mut [Parameter],
    body: &mut Expr,
    siblings: &[(u32, Slot)],
) {
    let mut walk = Walk::default();
    siblings.iter().for_each(|(_, slot)| walk.live.add(*slot));
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
        self.0.get(slot as usize / 64).is_some_and(|word| word & (1 << (slot % 64)) != 0)
    }

    fn union(&mut self, other: &Slots) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    fn subtract(&mut self, other: &Slots) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a &= !b);
    }
}

/// Slots that are read after the point at hand.
#[derive(Default)]
struct Walk {
    live: Slots,
    /// What is live where a `recur` jumps to.
    at_recur: Slots,
}

impl Walk {
    fn expr(&mut self, expr: &mut Expr) {
        match expr {
            Expr::Local(slot) => {
                let slot = *slot;
                if !self.live.contains(slot) {
                    *expr = Expr::Last(slot);
                    self.live.add(slot);
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
            Expr::Record(form) => self.exprs(&mut form.values),
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
                form.slots.iter().for_each(|slot| self.live.remove(*slot));
                self.captures(&mut form.captures);
            }
            Expr::Call(form) => {
                self.exprs(&mut form.arguments);
                self.expr(&mut form.callee);
            }
            Expr::Builtin(form) => self.exprs(&mut form.arguments),
            Expr::Read(form) => {
                // What is looked at is looked at last.
                let Some((subject, others)) = form.call.arguments.split_first_mut() else { return };
                self.expr(subject);
                self.exprs(others);
            }
            Expr::Arithmetic(form) => {
                self.expr(&mut form.right);
                self.expr(&mut form.left);
            }
            Expr::Comparison(form) => {
                self.expr(&mut form.right);
                self.expr(&mut form.left);
            }
            Expr::Step(form) => self.expr(&mut form.operand),
            Expr::Lookup(form) => {
                form.default.iter_mut().for_each(|default| self.expr(default));
                self.expr(&mut form.collection);
            }
            Expr::Def(form) => form.value.iter_mut().for_each(|value| self.expr(value)),
            Expr::Case(form) => {
                let mut branches: Vec<&mut Expr> = form.branches.iter_mut().collect();
                branches.push(&mut form.default);
                self.branches(&mut branches);
                self.expr(&mut form.subject);
            }
            Expr::Iterate(form) => self.iterate(form),
            Expr::Repeat(form) => self.repeat(form),
            Expr::While(form) => {
                self.live.union(&locals(&Visited::Expr(&form.test), Access::Read));
                self.live.union(&locals(&Visited::Expr(&form.body), Access::Read));
                self.expr(&mut form.body);
                self.expr(&mut form.test);
            }
            Expr::Try(form) => self.try_form(form),
            Expr::Leave(form) => self.expr(&mut form.value),
        }
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

    /// What is read in any round, unless the loop binds it, is live at the end of each.
    fn loop_form(&mut self, form: &mut Loop) {
        let mut around = locals_of_round(form, Access::Read);
        let mut own = locals_of_round(form, Access::Bound);
        (0..form.values.len() as u32).for_each(|index| own.add(form.first + index));
        around.subtract(&own);
        around.union(&self.live);
        let outer = std::mem::replace(&mut self.at_recur, around);
        self.expr(&mut form.body);
        self.parameters(&mut form.patterns);
        self.at_recur = outer;
        for (index, value) in form.values.iter_mut().enumerate().rev() {
            self.live.remove(form.first + index as u32);
            self.expr(value);
        }
    }

    /// What later rounds read is live, but for what each of them binds anew.
    fn iterate(&mut self, form: &mut Iterate) {
        let own = bound_in_one_round(form);
        let (first, others) = match form.clauses.split_first_mut() {
            Some((first, others)) => (Some(first), others),
            None => (None, &mut [][..]),
        };
        let mut around = locals(&Visited::Expr(&form.body), Access::Read);
        others.iter().for_each(|clause| around.union(&locals(&Visited::Clause(clause), Access::Read)));
        around.subtract(&own);
        self.live.union(&around);
        self.expr(&mut form.body);
        others.iter_mut().rev().for_each(|clause| self.clause(clause));
        if let Some(first) = first {
            self.clause(first);
        }
    }

    fn repeat(&mut self, form: &mut Repeat) {
        let mut around = locals(&Visited::Expr(&form.body), Access::Read);
        around.subtract(&locals(&Visited::Expr(&form.body), Access::Bound));
        self.live.union(&around);
        self.live.remove(form.slot);
        self.expr(&mut form.body);
        self.live.remove(form.slot);
        self.expr(&mut form.count);
    }

    /// The body may break off anywhere and go on in any of the `catch`es.
    fn try_form(&mut self, form: &mut Try) {
        form.finally.iter_mut().for_each(|finally| self.expr(finally));
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
        exprs.iter_mut().rev().for_each(|expr| self.expr(expr));
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
                && !self.live.contains(slot)
            {
                *capture = Capture::Last(slot);
                self.live.add(slot);
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
        parameters.iter_mut().rev().for_each(|parameter| self.pattern(&mut parameter.pattern));
    }

    /// What a pattern binds is new; its defaults are read.
    fn pattern(&mut self, pattern: &mut Pattern) {
        match pattern {
            Pattern::Slot(slot) => self.live.remove(*slot),
            Pattern::Sequence(sequence) => {
                sequence.whole.iter().for_each(|slot| self.live.remove(*slot));
                sequence.rest.iter_mut().for_each(|rest| self.pattern(rest));
                sequence.items.iter_mut().rev().for_each(|item| self.pattern(item));
            }
            Pattern::Map(map) => {
                for entry in map.entries.iter_mut().rev() {
                    self.pattern(&mut entry.pattern);
                    entry.default.iter_mut().for_each(|default| self.expr(default));
                }
                map.whole.iter().for_each(|slot| self.live.remove(*slot));
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

/// What the patterns and the body of a loop read or bind.
fn locals_of_round(form: &Loop, access: Access) -> Slots {
    let mut slots = locals(&Visited::Expr(&form.body), access);
    let patterns = form.patterns.iter().map(|parameter| Visited::Pattern(&parameter.pattern));
    patterns.for_each(|pattern| slots.union(&locals(&pattern, access)));
    slots
}

/// Calls `visit` with each direct part of an expression.
fn for_each_part<'e>(expr: &'e Expr, visit: &mut dyn FnMut(Visited<'e>)) {
    let mut part = |expr: &'e Expr| visit(Visited::Expr(expr));
    match expr {
        Expr::Int(_)
        | Expr::Const(_)
        | Expr::Local(_)
        | Expr::Last(_)
        | Expr::Captured(_)
        | Expr::Global(_)
        | Expr::User(_)
        | Expr::Tool(..)
        | Expr::Data(..)
        | Expr::History(_)
        | Expr::Fn(_) => {}
        Expr::If(parts) => parts.iter().for_each(part),
        Expr::Cond(form) => {
            form.clauses.iter().for_each(|(test, value)| [test, value].into_iter().for_each(&mut part));
            part(&form.otherwise);
        }
        Expr::While(form) => [&form.test, &form.body].into_iter().for_each(part),
        Expr::And(parts)
        | Expr::Or(parts)
        | Expr::Do(parts)
        | Expr::Vector(parts)
        | Expr::Map(parts)
        | Expr::Set(parts) => parts.iter().for_each(part),
        Expr::Record(form) => form.values.iter().for_each(part),
        Expr::Let(form) => {
            part(&form.body);
            form.bindings.iter().for_each(|binding| {
                visit(Visited::Expr(&binding.value));
                visit(Visited::Pattern(&binding.pattern));
            });
        }
        Expr::Loop(form) => {
            part(&form.body);
            form.values.iter().for_each(part);
            form.patterns.iter().for_each(|parameter| visit(Visited::Pattern(&parameter.pattern)));
        }
        Expr::Recur(form) => form.values.iter().for_each(part),
        Expr::LetFn(form) => part(&form.body),
        Expr::Call(form) => {
            part(&form.callee);
            form.arguments.iter().for_each(part);
        }
        Expr::Builtin(form) => form.arguments.iter().for_each(part),
        Expr::Read(form) => form.call.arguments.iter().for_each(part),
        Expr::Arithmetic(form) => [&form.left, &form.right].into_iter().for_each(part),
        Expr::Comparison(form) => [&form.left, &form.right].into_iter().for_each(part),
        Expr::Step(form) => part(&form.operand),
        Expr::Lookup(form) => {
            part(&form.collection);
            form.default.iter().for_each(part);
        }
        Expr::Def(form) => form.value.iter().for_each(part),
        Expr::Case(form) => {
            part(&form.subject);
            form.branches.iter().for_each(&mut part);
            part(&form.default);
        }
        Expr::Iterate(form) => {
            part(&form.body);
            form.clauses.iter().for_each(|clause| visit(Visited::Clause(clause)));
        }
        Expr::Repeat(form) => [&form.count, &form.body].into_iter().for_each(part),
        Expr::Try(form) => {
            part(&form.body);
            form.catches.iter().for_each(|catch| part(&catch.body));
            form.finally.iter().for_each(|finally| visit(Visited::Expr(finally)));
        }
        Expr::Leave(form) => part(&form.value),
    }
}

enum Visited<'e> {
    Expr(&'e Expr),
    Pattern(&'e Pattern),
    Clause(&'e Clause),
}

/// What happens to a local somewhere.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Bound,
}

/// Every local that is read or bound somewhere inside.
fn locals(visited: &Visited<'_>, wanted: Access) -> Slots {
    let mut slots = Slots::default();
    collect(visited, &mut |slot, access| {
        if access == wanted {
            slots.add(slot);
        }
    });
    slots
}

/// What is bound anew in every round of the innermost collection of a `for`.
fn bound_in_one_round(form: &Iterate) -> Slots {
    let mut slots = locals(&Visited::Expr(&form.body), Access::Bound);
    let innermost = form.clauses.iter().rposition(|clause| matches!(clause, Clause::Each(_))).unwrap_or(0);
    for clause in &form.clauses[innermost..] {
        slots.union(&locals(&Visited::Clause(clause), Access::Bound));
    }
    slots
}

/// Tells every local that is read or bound somewhere inside.
fn collect(visited: &Visited<'_>, tell: &mut dyn FnMut(Slot, Access)) {
    match visited {
        Visited::Expr(expr) => {
            match expr {
                Expr::Local(slot) | Expr::Last(slot) => tell(*slot, Access::Read),
                Expr::Fn(form) => collect_captures(&form.captures, tell),
                Expr::LetFn(form) => {
                    collect_captures(&form.captures, tell);
                    form.slots.iter().for_each(|slot| tell(*slot, Access::Bound));
                }
                Expr::Loop(form) => {
                    (0..form.values.len() as u32).for_each(|index| tell(form.first + index, Access::Bound));
                }
                Expr::Repeat(form) => tell(form.slot, Access::Bound),
                Expr::Try(form) => form.catches.iter().for_each(|catch| tell(catch.slot, Access::Bound)),
                _ => {}
            }
            for_each_part(expr, &mut |part| collect(&part, tell));
        }
        Visited::Pattern(Pattern::Slot(slot)) => tell(*slot, Access::Bound),
        Visited::Pattern(Pattern::Sequence(sequence)) => {
            sequence.whole.iter().for_each(|slot| tell(*slot, Access::Bound));
            let parts = sequence.items.iter().chain(&sequence.rest);
            parts.for_each(|item| collect(&Visited::Pattern(item), tell));
        }
        Visited::Pattern(Pattern::Map(map)) => {
            map.whole.iter().for_each(|slot| tell(*slot, Access::Bound));
            for entry in &map.entries {
                collect(&Visited::Pattern(&entry.pattern), tell);
                entry.default.iter().for_each(|default| collect(&Visited::Expr(default), tell));
            }
        }
        Visited::Clause(Clause::Each(binding)) => collect_binding(binding, tell),
        Visited::Clause(Clause::Let(bindings)) => bindings.iter().for_each(|b| collect_binding(b, tell)),
        Visited::Clause(Clause::When(test) | Clause::While(test)) => collect(&Visited::Expr(test), tell),
    }
}

fn collect_binding(binding: &Binding, tell: &mut dyn FnMut(Slot, Access)) {
    collect(&Visited::Expr(&binding.value), tell);
    collect(&Visited::Pattern(&binding.pattern), tell);
}

fn collect_captures(captures: &[Capture], tell: &mut dyn FnMut(Slot, Access)) {
    for capture in captures {
        if let Capture::Local(slot) | Capture::Last(slot) = capture {
            tell(*slot, Access::Read);
        }
    }
}
