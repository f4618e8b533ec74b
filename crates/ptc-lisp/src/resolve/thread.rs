//! Threading macros. `->` and `->>` write their steps into each other; the others bind hidden names.

use super::branch::is_nil;
use super::*;
use crate::expr::{Binding, Pattern};

/// Position of the threaded value in a step.
#[derive(Clone, Copy)]
pub(super) enum Position {
    First,
    Last,
}

/// `(-> value step…)` and `(->> value step…)`
pub(super) fn resolve_thread(
    r: &mut Resolver<'_>,
    operands: &[Form],
    tail: Tail,
    position: Position,
) -> Expr {
    let (first, steps) = (&operands[0], &operands[1..]);
    if steps.len() > super::MAX_EXPANDED_NESTING as usize {
        return r.invalid(first.span, "threading has too many steps");
    }
    let threaded = steps.iter().fold(first.clone(), |value, step| insert(step, value, position));
    r.form(&threaded, tail)
}

/// `(.. value member…)`: each member is the name of a method, or a list with one in front.
pub(super) fn resolve_members(r: &mut Resolver<'_>, _: &Form, operands: &[Form], tail: Tail) -> Expr {
    let steps = operands[1..].iter().map(as_method);
    let threaded = std::iter::once(operands[0].clone()).chain(steps).collect::<Vec<_>>();
    resolve_thread(r, &threaded, tail, Position::First)
}

/// `name` as `.name`, `(name argument…)` as `(.name argument…)`.
pub(super) fn as_method(form: &Form) -> Form {
    match &form.kind {
        FormKind::Symbol(name) => {
            Form::new(FormKind::Symbol(Symbol::new(&format!(".{}", name.name()))), form.span)
        }
        FormKind::List(items) => {
            let mut items = items.clone();
            if let Some(head) = items.first_mut() {
                *head = as_method(head);
            }
            Form::new(FormKind::List(items), form.span)
        }
        _ => form.clone(),
    }
}

/// `(as-> value pattern step…)`
pub(super) fn resolve_as(r: &mut Resolver<'_>, form: &Form, operands: &[Form], tail: Tail) -> Expr {
    let pattern = &operands[1];
    if !matches!(pattern.kind, FormKind::Symbol(_) | FormKind::Vector(_) | FormKind::Map(_)) {
        return r.invalid(form.span, "Invalid as->: expected a name after the value");
    }
    r.scoped(|r| {
        let mut bindings = Vec::new();
        let mut value = r.value(&operands[0]);
        // Long chains of steps under one name need one place.
        let slot = pattern.as_symbol().map(|name| r.declare(name));
        for step in &operands[2..] {
            let pattern = slot.map_or_else(|| r.pattern(pattern), Pattern::Slot);
            bindings.push(Binding { pattern, value, span: step.span });
            value = r.form(step, tail_of(step, operands, tail));
        }
        Expr::bound(bindings, value)
    })
}

/// `(doto value step…)`: calls every step on the value and returns the value.
pub(super) fn resolve_doto(r: &mut Resolver<'_>, form: &Form, operands: &[Form], _: Tail) -> Expr {
    let value = r.value(&operands[0]);
    r.scoped(|r| {
        let (slot, name) = r.declare_hidden(form);
        let mut steps: Vec<Expr> =
            operands[1..].iter().map(|step| r.value(&insert(step, name.clone(), Position::First))).collect();
        steps.push(Expr::Local(slot));
        Expr::bound([Binding::slot(slot, value, form.span)], Expr::Do(steps.into()))
    })
}

/// The last step alone stands where the whole form does.
fn tail_of(step: &Form, operands: &[Form], tail: Tail) -> Tail {
    if operands.last().is_some_and(|last| std::ptr::eq(step, last)) { tail } else { Tail::NONE }
}

/// `(cond-> value test step …)` and `(cond->> value test step …)`
pub(super) fn resolve_cond_thread(
    r: &mut Resolver<'_>,
    form: &Form,
    operands: &[Form],
    tail: Tail,
    (name, position): (&str, Position),
) -> Expr {
    if operands.len().is_multiple_of(2) {
        return r.invalid(form.span, format!("Invalid {name}: needs an even number of clauses"));
    }
    r.scoped(|r| {
        let mut bindings = Vec::new();
        let mut value = r.value(&operands[0]);
        let (slot, before) = r.declare_hidden(form);
        for clause in operands[1..].chunks_exact(2) {
            bindings.push(Binding::slot(slot, value, clause[1].span));
            let test = r.value(&clause[0]);
            let step = insert(&clause[1], before.clone(), position);
            let step = r.form(&step, tail_of(&clause[1], operands, tail));
            value = Expr::choose(test, step, Expr::Local(slot));
        }
        Expr::bound(bindings, value)
    })
}

/// `(some-> value step…)` and `(some->> value step…)`: stops at nil.
pub(super) fn resolve_some_thread(
    r: &mut Resolver<'_>,
    form: &Form,
    operands: &[Form],
    tail: Tail,
    position: Position,
) -> Expr {
    r.scoped(|r| {
        let mut bindings = Vec::new();
        let mut value = r.value(&operands[0]);
        let (slot, before) = r.declare_hidden(form);
        for step in &operands[1..] {
            bindings.push(Binding::slot(slot, value, step.span));
            let next = insert(step, before.clone(), position);
            let next = r.form(&next, tail_of(step, operands, tail));
            value = Expr::choose(is_nil(Expr::Local(slot), step.span), nil(), next);
        }
        Expr::bound(bindings, value)
    })
}

impl Resolver<'_> {
    /// A slot with a name impossible in programs, and a form to read it.
    fn declare_hidden(&mut self, form: &Form) -> (u32, Form) {
        let name = Symbol::new(&format!(" {}", self.frame().slots));
        (self.declare(name), Form::new(FormKind::Symbol(name), form.span))
    }
}

/// `step` with `value` as an argument if it is a list; anything else, `#(…)` too, is called with it.
fn insert(step: &Form, value: Form, position: Position) -> Form {
    let items = match &step.kind {
        FormKind::List(items) if !items.is_empty() => {
            let mut items = items.clone();
            match position {
                Position::First => items.insert(1, value),
                Position::Last => items.push(value),
            }
            items
        }
        _ => vec![step.clone(), value],
    };
    Form::new(FormKind::List(items), step.span)
}
