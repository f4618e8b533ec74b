//! Forms that repeat: `for`, `doseq`, `dotimes`, `while`, `when-first`.

use super::branch::is_nil;
use super::*;
use crate::builtins::{FIRST, MAPCAT, SEQ};
use crate::expr::{Binding, Clause, Iterate, Repeat, While};

/// `(dotimes [name count] body…)`
pub(super) fn resolve_dotimes(r: &mut Resolver<'_>, form: &Form, operands: &[Form], _: Tail) -> Expr {
    let named = match &operands[0].kind {
        FormKind::Vector(items) if items.len() == 2 => items[0].as_symbol().map(|name| (name, &items[1])),
        _ => None,
    };
    let Some((name, count)) = named else {
        return r.invalid(form.span, "Invalid dotimes: expected a vector of one name and one count");
    };
    let count = r.value(count);
    r.scoped(|r| {
        let slot = r.declare(name);
        let body = r.body(&operands[1..], Tail::NONE);
        Expr::Repeat(Box::new(Repeat { slot, count, body, span: form.span, weight: weight(form.span) }))
    })
}

/// `(while test body…)`
pub(super) fn resolve_while(r: &mut Resolver<'_>, form: &Form, operands: &[Form], _: Tail) -> Expr {
    let test = r.value(&operands[0]);
    let body = r.body(&operands[1..], Tail::NONE);
    Expr::While(Box::new(While { test, body, span: form.span, weight: weight(form.span) }))
}

/// `(when-first [pattern collection] body…)`
pub(super) fn resolve_when_first(r: &mut Resolver<'_>, form: &Form, operands: &[Form], tail: Tail) -> Expr {
    let Some([pattern, collection]) = r.binding_pair("when-first", &operands[0], form) else { return nil() };
    let value = builtin_call(&SEQ, Box::new([r.value(collection)]), form.span);
    let slot = r.new_slot();
    let then = r.scoped(|r| {
        let pattern = r.pattern(pattern);
        let value = builtin_call(&FIRST, Box::new([Expr::Local(slot)]), form.span);
        Expr::bound([Binding { pattern, value, span: form.span }], r.body(&operands[1..], tail))
    });
    let body = Expr::choose(is_nil(Expr::Local(slot), form.span), nil(), then);
    Expr::bound([Binding::slot(slot, value, form.span)], body)
}

/// Returns true if the form of a collection is infinite at sight.
fn is_unbounded(collection: &Form) -> bool {
    let FormKind::List(items) = &collection.kind else { return false };
    let Some(name) = items.first().and_then(Form::as_symbol) else { return false };
    match (name.name(), &items[1..]) {
        ("range", []) | ("repeat" | "repeatedly" | "cycle", [_]) | ("iterate", [_, _]) => true,
        ("map", [_, sources @ ..]) if !sources.is_empty() => sources.iter().all(is_unbounded),
        ("filter" | "remove" | "keep" | "drop" | "drop-while", [_, source]) => is_unbounded(source),
        ("rest" | "next", [source]) => is_unbounded(source),
        _ => false,
    }
}

/// Returns true if a `:while` of the nearest collection may end its rounds.
fn can_end(others: &[(&Form, &Form)]) -> bool {
    for (left, _) in others {
        match &left.kind {
            FormKind::Keyword(word) if word.name() == "while" => return true,
            FormKind::Keyword(_) => {}
            _ => break,
        }
    }
    false
}

impl Resolver<'_> {
    /// `(for [pattern collection modifiers…] body…)` and `doseq`
    pub(super) fn iterate(&mut self, name: &str, form: &Form, operands: &[Form], collects: bool) -> Expr {
        let (head, body) = (&operands[0], &operands[1..]);
        let Some(pairs) = self.binding_pairs(name, head, form) else { return nil() };
        if collects && pairs.first().is_none_or(|(first, _)| matches!(first.kind, FormKind::Keyword(_))) {
            let message = format!("Invalid {name}: the first binding must be a name and a collection");
            return self.invalid(form.span, message);
        }
        if let [(pattern, collection), others @ ..] = &pairs[..]
            && collects
            && is_unbounded(collection)
            && !can_end(others)
        {
            return self.iterate_unbounded(form, pattern, collection, body, others);
        }
        self.scoped(|r| {
            let clauses: Box<[Clause]> =
                pairs.iter().filter_map(|(left, right)| r.clause(name, left, right)).collect();
            // Split the extra ticks of a round evenly over the collections.
            let collections = clauses.iter().filter(|clause| matches!(clause, Clause::Each(_))).count();
            let extra = (weight(form.span) - 1) / collections.max(1);
            let body = r.body(body, Tail::NONE);
            Expr::Iterate(Box::new(Iterate { clauses, body, collects, extra }))
        })
    }

    /// Rewrites `for` over an infinite collection as a lazy `mapcat`.
    fn iterate_unbounded(
        &mut self,
        form: &Form,
        pattern: &Form,
        collection: &Form,
        body: &[Form],
        others: &[(&Form, &Form)],
    ) -> Expr {
        let made = |kind| Form::new(kind, form.span);
        let name = |name| made(FormKind::Symbol(Symbol::new(name)));
        let once = [name(" once"), made(FormKind::Vector(vec![made(FormKind::Nil)]))];
        let others = others.iter().flat_map(|(left, right)| [(*left).clone(), (*right).clone()]);
        let mut round = vec![name("for"), made(FormKind::Vector(once.into_iter().chain(others).collect()))];
        round.extend_from_slice(body);
        let parts = [made(FormKind::Vector(vec![pattern.clone()])), made(FormKind::List(round))];
        let function = self.make_fn(form, "for", None, false, &parts);
        builtin_call(&MAPCAT, Box::new([function, self.value(collection)]), form.span)
    }

    fn clause(&mut self, name: &str, left: &Form, right: &Form) -> Option<Clause> {
        let FormKind::Keyword(word) = left.kind else { return Some(Clause::Each(self.binding(left, right))) };
        match word.name() {
            "when" => Some(Clause::When(self.value(right))),
            "while" => Some(Clause::While(self.value(right))),
            "let" => {
                let pairs = self.binding_pairs(&format!("{name} :let"), right, right)?;
                Some(Clause::Let(self.bindings(&pairs)))
            }
            _ => {
                let known = "expected :when, :while or :let";
                self.invalid(left.span, format!("Invalid {name}: unknown modifier :{word}, {known}"));
                None
            }
        }
    }
}
