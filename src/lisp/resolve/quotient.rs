//! Which quotients of integers become floats at once, as Clojure's ratios do where a float is wanted:
//! `(double (/ 5 3))`, also by way of a local that is read nowhere else.

use crate::lisp::builtins::{self, Builtin};
use crate::lisp::expr::{Binding, Expr};
use crate::lisp::form::{Form, FormKind};
use crate::lisp::symbol::Symbol;
use crate::lisp::value::Value;

use super::Resolver;

/// How a local is read.
#[derive(Default)]
struct Reads {
    as_float: usize,
    otherwise: bool,
}

/// Marks the quotients among the arguments of a builtin that makes floats of them.
pub(super) fn mark_arguments(builtin: &Builtin, arguments: &mut [Expr]) {
    let is_float =
        |argument: &Expr| matches!(argument, Expr::Const(value) if matches!(**value, Value::Float(_)));
    if makes_floats(builtin, arguments, is_float) {
        arguments.iter_mut().for_each(mark);
    }
}

/// Whether a builtin makes floats of these arguments, of which `is_float` knows the literals.
fn makes_floats<T>(builtin: &Builtin, arguments: &[T], is_float: impl Fn(&T) -> bool) -> bool {
    builtins::makes_floats(builtin)
        || builtins::makes_floats_beside_one(builtin) && arguments.iter().take(2).any(is_float)
}

/// Marks the quotients that a form comes to.
fn mark(form: &mut Expr) {
    match form {
        Expr::Builtin(call) => call.builtin = builtins::float_quotient(call.builtin),
        Expr::If(parts) => {
            let [_, then, otherwise] = &mut **parts;
            mark(then);
            mark(otherwise);
        }
        _ => {}
    }
}

/// Whether there is anything to mark.
fn is_quotient(form: &Expr) -> bool {
    match form {
        Expr::Builtin(call) => call.builtin.name == "/",
        Expr::If(parts) => is_quotient(&parts[1]) || is_quotient(&parts[2]),
        _ => false,
    }
}

impl Resolver<'_> {
    /// Marks the values of locals that are read only where floats are wanted.
    pub(super) fn mark_locals<'f>(
        &mut self,
        bindings: &mut [Binding],
        pairs: &[(&'f Form, &'f Form)],
        body: impl Iterator<Item = &'f Form> + Clone,
    ) {
        for (index, binding) in bindings.iter_mut().enumerate() {
            let Some(((pattern, _), later)) = pairs.get(index..).and_then(<[_]>::split_first) else { return };
            if let Some(name) = pattern.as_symbol()
                && is_quotient(&binding.value)
                && self.is_read_as_float(name, later.iter().map(|(_, value)| *value).chain(body.clone()))
            {
                mark(&mut binding.value);
            }
        }
    }

    fn is_read_as_float<'f>(&mut self, name: Symbol, forms: impl Iterator<Item = &'f Form>) -> bool {
        let mut reads = Reads::default();
        forms.for_each(|form| self.count_reads(name, form, &mut reads));
        reads.as_float > 0 && !reads.otherwise
    }

    fn count_reads(&mut self, name: Symbol, form: &Form, reads: &mut Reads) {
        if self.quotient_effort == 0 || reads.otherwise {
            reads.otherwise = true;
            return;
        }
        self.quotient_effort -= 1;
        match &form.kind {
            FormKind::Symbol(read) => reads.otherwise = *read == name,
            FormKind::List(forms) | FormKind::ShortFn(forms) => {
                let wants_floats = self.wants_floats(forms);
                for form in forms {
                    match form.as_symbol() {
                        Some(read) if read == name && wants_floats => reads.as_float += 1,
                        _ => self.count_reads(name, form, reads),
                    }
                }
            }
            FormKind::Vector(forms) | FormKind::Map(forms) | FormKind::Set(forms) => {
                forms.iter().for_each(|form| self.count_reads(name, form, reads));
            }
            _ => {}
        }
    }

    /// Whether a call makes floats of its arguments, or compares them.
    fn wants_floats(&mut self, call: &[Form]) -> bool {
        let Some((head, arguments)) = call.split_first() else { return false };
        let Some(name) = head.as_symbol() else { return false };
        let Some(builtin) = builtins::find(name.name()) else { return false };
        let is_float = |form: &Form| matches!(form.kind, FormKind::Float(_));
        let wants = matches!(builtin.name, "<" | ">" | "<=" | ">=" | "==")
            || makes_floats(builtin, arguments, is_float);
        wants && self.local(name).is_none() && !self.is_defined(name)
    }
}
