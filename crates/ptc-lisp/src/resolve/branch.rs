//! Forms that choose: `if`, `when`, `cond`, `case`, `condp`, `and`, `or`.

use super::*;
use crate::builtins::IS_NIL;
use crate::expr::{Binding, Case, Cond};
use crate::read;
use crate::table::Table;

/// The value of the first true test.
fn choose_first(mut clauses: Vec<(Expr, Expr)>, otherwise: Expr) -> Expr {
    match clauses.pop() {
        None => otherwise,
        Some((test, value)) if clauses.is_empty() => Expr::choose(test, value, otherwise),
        Some(last) => {
            clauses.push(last);
            Expr::Cond(Box::new(Cond { clauses: clauses.into(), otherwise }))
        }
    }
}

/// `(nil? value)`
pub(super) fn is_nil(value: Expr, span: Span) -> Expr {
    builtin_call(&IS_NIL, Box::new([value]), span)
}

/// Returns true for `(else …)`.
fn begins_with_else(form: &Form) -> bool {
    let FormKind::List(items) = &form.kind else { return false };
    match items.first().and_then(Form::as_symbol) {
        Some(name) => name.name() == "else",
        None => false,
    }
}

/// `(cond test value …)`
pub(super) fn resolve_cond(r: &mut Resolver<'_>, form: &Form, operands: &[Form], tail: Tail) -> Expr {
    if !operands.len().is_multiple_of(2) {
        let hint = if operands.last().is_some_and(begins_with_else) {
            ". Write :else and its value as two forms"
        } else {
            ""
        };
        return r.invalid(form.span, format!("Invalid cond: needs an even number of forms{hint}"));
    }
    let clauses = operands.chunks_exact(2).map(|clause| (r.value(&clause[0]), r.form(&clause[1], tail)));
    choose_first(clauses.collect(), nil())
}

/// `(case subject constant value … default?)`
pub(super) fn resolve_case(r: &mut Resolver<'_>, form: &Form, operands: &[Form], tail: Tail) -> Expr {
    let subject = r.value(&operands[0]);
    let clauses = operands[1..].chunks_exact(2);
    let default = match clauses.remainder() {
        [default] => r.form(default, tail),
        _ => nil(),
    };
    let mut constants: Table<usize> = Table::new();
    let mut branches = Vec::new();
    for clause in clauses {
        for constant in case_constants(&clause[0]) {
            let Some(value) = read::literal(constant) else {
                r.invalid(constant.span, "Invalid case: constants must be literals, not symbols");
                continue;
            };
            if constants.insert(value, branches.len()).is_some() {
                let text = r.source.slice(constant.span).to_string();
                r.invalid(form.span, format!("Invalid case: duplicate constant {text}"));
            }
        }
        branches.push(r.form(&clause[1], tail));
    }
    Expr::Case(Box::new(Case { subject, constants, branches: branches.into(), default }))
}

/// A list contains alternatives.
fn case_constants(form: &Form) -> &[Form] {
    match &form.kind {
        FormKind::List(alternatives) => alternatives,
        _ => std::slice::from_ref(form),
    }
}

/// `(condp predicate subject constant value … default?)`
pub(super) fn resolve_condp(r: &mut Resolver<'_>, form: &Form, operands: &[Form], tail: Tail) -> Expr {
    let (predicate, subject) = (r.value(&operands[0]), r.value(&operands[1]));
    let slots = (r.new_slot(), r.new_slot());
    let body = r.condp_clauses(form, slots, &operands[2..], tail);
    let bind = |slot, value| Binding::slot(slot, value, form.span);
    Expr::bound([bind(slots.0, predicate), bind(slots.1, subject)], body)
}

impl Resolver<'_> {
    /// `(if test then else?)`, and `if-not` with the other truth value.
    pub(super) fn choice(&mut self, operands: &[Form], tail: Tail, truth: bool) -> Expr {
        let test = self.value(&operands[0]);
        let then = self.form(&operands[1], tail);
        let otherwise = operands.get(2).map_or_else(nil, |form| self.form(form, tail));
        if truth { Expr::choose(test, then, otherwise) } else { Expr::choose(test, otherwise, then) }
    }

    pub(super) fn chain(&mut self, operands: &[Form], tail: Tail) -> Option<Box<[Expr]>> {
        let (last, first) = operands.split_last()?;
        let mut steps: Vec<Expr> = first.iter().map(|form| self.value(form)).collect();
        steps.push(self.form(last, tail));
        Some(steps.into())
    }

    fn condp_clauses(
        &mut self,
        form: &Form,
        (predicate, subject): (u32, u32),
        clauses: &[Form],
        tail: Tail,
    ) -> Expr {
        let (mut rest, mut tests) = (clauses, Vec::new());
        let otherwise = loop {
            match rest {
                [] => break nil(),
                [default] => break self.form(default, tail),
                [constant, arrow, function, others @ ..] if is_arrow(arrow) => {
                    let test = self.condp_test(form, predicate, subject, constant);
                    let found = self.new_slot();
                    let then = call(self.value(function), [Expr::Local(found)], function.span);
                    let binding = Binding::slot(found, test, form.span);
                    tests.push((Expr::bound([binding], Expr::Local(found)), then));
                    rest = others;
                }
                [constant, value, others @ ..] => {
                    let test = self.condp_test(form, predicate, subject, constant);
                    let then = self.form(value, tail);
                    tests.push((test, then));
                    rest = others;
                }
            }
        };
        choose_first(tests, otherwise)
    }

    fn condp_test(&mut self, form: &Form, predicate: u32, subject: u32, constant: &Form) -> Expr {
        let arguments = [self.value(constant), Expr::Local(subject)];
        call(Expr::Local(predicate), arguments, form.span)
    }
}

fn call<const N: usize>(callee: Expr, arguments: [Expr; N], span: Span) -> Expr {
    Expr::Call(Box::new(Call { callee, arguments: Box::new(arguments), hidden: None, tail: false, span }))
}

fn is_arrow(form: &Form) -> bool {
    matches!(form.kind, FormKind::Keyword(name) if name.name() == ">>")
}

/// `(where field)` or `(where field op value)`
pub(super) fn resolve_where(r: &mut Resolver<'_>, form: &Form, operands: &[Form], _: Tail) -> Expr {
    use crate::builtins::filter;
    let arguments: Option<Box<[Expr]>> = match operands {
        [field] => where_field(field).map(|field| Box::new([Expr::constant(field)]) as Box<[Expr]>),
        [field, operator, value] => {
            let operator = operator.as_symbol().filter(|name| filter::OPERATORS.contains(&name.name()));
            match (where_field(field), operator) {
                (Some(field), Some(operator)) => {
                    let value = r.value(value);
                    Some(Box::new([Expr::constant(field), Expr::constant(Value::Keyword(operator)), value]))
                }
                _ => None,
            }
        }
        _ => None,
    };
    match arguments {
        Some(arguments) => builtin_call(&filter::WHERE, arguments, form.span),
        None => r.find(
            ErrorKind::InvalidWhereForm,
            form.span,
            format!(
                "Invalid where: expected (where field) or (where field op value), op one of {}",
                filter::OPERATORS.join(" ")
            ),
        ),
    }
}

fn where_field(form: &Form) -> Option<Value> {
    let is_key =
        |form: &Form| matches!(form.kind, FormKind::Keyword(_) | FormKind::Str(_) | FormKind::Int(_));
    match &form.kind {
        FormKind::Keyword(_) | FormKind::Str(_) => read::literal(form),
        FormKind::Vector(path) if path.iter().all(is_key) => read::literal(form),
        _ => None,
    }
}
