//! Forms that leave: `return`, `fail`, `throw`, `try`, `assert`; and `with-out-str`, `lazy-seq` and `var`.

use super::*;
use crate::exception::{Class, Classes};
use crate::expr::{Catch, Leave, Try, Way};

/// `(with-out-str body…)` and `(lazy-seq body…)`: a builtin gets the body as a function.
pub(super) fn resolve_delayed(
    r: &mut Resolver<'_>,
    form: &Form,
    operands: &[Form],
    run: &'static Builtin,
) -> Expr {
    let parameters = Form::new(FormKind::Vector(Vec::new()), form.span);
    let function: Vec<Form> = std::iter::once(parameters).chain(operands.iter().cloned()).collect();
    let body = function::resolve_fn(r, form, &function, Tail::NONE);
    builtin_call(run, Box::new([body]), form.span)
}

/// `(assert test message?)`
pub(super) fn resolve_assert(r: &mut Resolver<'_>, form: &Form, operands: &[Form], _: Tail) -> Expr {
    let test = r.value(&operands[0]);
    let value = match operands.get(1) {
        Some(message) => r.value(message),
        None => Expr::constant(Value::str(super::super::form::print(&operands[0]))),
    };
    let failed =
        Expr::Leave(Box::new(Leave { way: Way::FailedAssertion, class: None, value, span: form.span }));
    Expr::choose(test, nil(), failed)
}

/// `(var name)`
pub(super) fn resolve_var(r: &mut Resolver<'_>, form: &Form, operands: &[Form], _: Tail) -> Expr {
    match operands[0].as_symbol() {
        Some(name) => Expr::constant(Value::Var(r.own(name))),
        None => r.invalid(form.span, "Invalid var: expected a name"),
    }
}

/// `(try body… (catch Class name body…)… (finally body…))`
pub(super) fn resolve_try(r: &mut Resolver<'_>, form: &Form, operands: &[Form], _: Tail) -> Expr {
    let handlers = operands.iter().position(|form| handler_name(form).is_some()).unwrap_or(operands.len());
    let (body, handlers) = operands.split_at(handlers);
    let body = r.body(body, Tail::NONE);
    let (mut catches, mut finally) = (Vec::new(), None);
    for handler in handlers {
        let FormKind::List(items) = &handler.kind else {
            return r.invalid(form.span, "Invalid try: only catch and finally may follow a catch");
        };
        match (handler_name(handler), items.as_slice()) {
            (Some("catch"), [_, class, name, rest @ ..]) if name.as_symbol().is_some() => {
                let class = class.as_symbol().and_then(|name| class_named(name.name()));
                catches.push(r.scoped(|r| {
                    let slot = name.as_symbol().map_or(0, |name| r.declare(name));
                    Catch { class, slot, body: r.body(rest, Tail::NONE) }
                }));
            }
            (Some("finally"), [_, rest @ ..]) => finally = Some(r.body(rest, Tail::NONE)),
            _ => {
                return r.invalid(
                    handler.span,
                    "Invalid try: expected (catch Class name body…) or (finally body…)",
                );
            }
        }
    }
    let handled = catches.iter().filter_map(|catch: &Catch| catch.class).collect::<Classes>();
    Expr::Try(Box::new(Try { body, catches: catches.into(), handled, finally }))
}

/// The class of this name, with its package or without.
fn class_named(name: &str) -> Option<Class> {
    Class::named(name.rsplit('.').next().unwrap_or(name))
}

/// The class of `(Class. …)`.
fn class_made(form: &Form) -> Option<Class> {
    let FormKind::List(items) = &form.kind else { return None };
    let constructor = items.first()?.as_symbol()?;
    constructor.name().strip_suffix('.').and_then(class_named)
}

impl Resolver<'_> {
    pub(super) fn leave(&mut self, way: Way, form: &Form, operands: &[Form]) -> Expr {
        let value = self.value(&operands[0]);
        Expr::Leave(Box::new(Leave { way, class: class_made(&operands[0]), value, span: form.span }))
    }
}

fn handler_name(form: &Form) -> Option<&'static str> {
    let FormKind::List(items) = &form.kind else { return None };
    match items.first()?.as_symbol()?.name() {
        "catch" => Some("catch"),
        "finally" => Some("finally"),
        _ => None,
    }
}
