//! Binding forms: `let`, `loop`, `recur`, the `if-let` family, and the patterns they take apart.

use super::scope::Target;
use super::*;
use crate::expr::{Binding, Loop, MapEntry, MapPattern, Parameter, Pattern, Recur, SequencePattern};
use crate::read;

const NO_PATTERN: &str = "Invalid binding: expected a name, a vector pattern or a map pattern";
const MANY_AFTER_AMPERSAND: &str = "Invalid binding: & must be followed by exactly one pattern";
const NO_DEFAULTS: &str = "Invalid binding: :or must be a map of names and values";
const NO_NAMES: &str = "Invalid binding: :keys and :strs must be vectors of names";

/// `(let [pattern value …] body…)`
pub(super) fn resolve_let(r: &mut Resolver<'_>, form: &Form, operands: &[Form], tail: Tail) -> Expr {
    let (head, body) = (&operands[0], &operands[1..]);
    let Some(pairs) = r.binding_pairs("let", head, form) else { return nil() };
    r.scoped(|r| {
        let bindings = r.bindings(&pairs);
        let body = r.body(body, tail);
        Expr::bound(bindings, body)
    })
}

/// `(loop [pattern value …] body…)`
pub(super) fn resolve_loop(r: &mut Resolver<'_>, form: &Form, operands: &[Form], tail: Tail) -> Expr {
    let (head, body) = (&operands[0], &operands[1..]);
    let Some(pairs) = r.binding_pairs("loop", head, form) else { return nil() };
    r.scoped(|r| {
        let first = r.frame().slots;
        r.frame().slots += pairs.len() as u32;
        let (mut values, mut patterns) = (Vec::new(), Vec::new());
        for (index, (pattern, value)) in pairs.iter().enumerate() {
            values.push(r.value(value));
            let slot = first + index as u32;
            match pattern.as_symbol() {
                Some(name) => r.frame().locals.push(name, slot),
                None => patterns.push(Parameter { slot, pattern: r.pattern(pattern), span: pattern.span }),
            }
        }
        let outer = r.frame().target.replace(Target { first, count: pairs.len() });
        let body = r.body(body, Tail { recur: true, call: tail.call });
        r.frame().target = outer;
        let (values, patterns, span) = (values.into(), patterns.into(), form.span);
        Expr::Loop(Box::new(Loop { first, values, patterns, body, span, weight: weight(span) }))
    })
}

/// `(recur value…)`
pub(super) fn resolve_recur(r: &mut Resolver<'_>, form: &Form, operands: &[Form], tail: Tail) -> Expr {
    let values = r.values(operands);
    let target = r.frame().target;
    match target {
        Some(Target { first, count }) if tail.recur => {
            if count == values.len() {
                return Expr::Recur(Box::new(Recur { first, values }));
            }
            let message =
                format!("Wrong number of arguments to recur: expected {count}, got {}", values.len());
            r.find(ErrorKind::InvalidArity, form.span, message)
        }
        _ => r.invalid(form.span, "recur must be in tail position"),
    }
}

impl Resolver<'_> {
    /// The pairs of a binding vector; anything else is noted.
    pub(super) fn binding_pairs<'f>(
        &mut self,
        name: &str,
        head: &'f Form,
        form: &Form,
    ) -> Option<Vec<(&'f Form, &'f Form)>> {
        if let FormKind::Vector(items) = &head.kind
            && items.len().is_multiple_of(2)
        {
            return Some(items.chunks_exact(2).map(|pair| (&pair[0], &pair[1])).collect());
        }
        let hint = self.binding_hint(head);
        let message = format!("Invalid {name}: bindings must be a vector with an even number of forms{hint}");
        self.invalid(form.span, message);
        None
    }

    /// Hint for bindings in the syntax of other languages, or for a name without a value.
    fn binding_hint(&self, head: &Form) -> String {
        let FormKind::Vector(items) = &head.kind else {
            return ". Write [name value name value]".to_string();
        };
        for item in items {
            let text = self.source.slice(item.span);
            if matches!(text, "=" | ":=" | "<-" | "in") {
                return format!(". Write [name value], without '{text}' between them");
            }
        }
        match items.last() {
            Some(last) => {
                format!(". '{}' has no value", crate::atom::shown(self.source.slice(last.span)))
            }
            None => String::new(),
        }
    }

    pub(super) fn bindings(&mut self, pairs: &[(&Form, &Form)]) -> Box<[Binding]> {
        pairs.iter().map(|(pattern, value)| self.binding(pattern, value)).collect()
    }

    /// The value is resolved before the pattern's names exist.
    pub(super) fn binding(&mut self, pattern: &Form, value: &Form) -> Binding {
        let value = self.value(value);
        Binding { pattern: self.pattern(pattern), value, span: pattern.span }
    }

    /// The pattern and the value of a vector with no more than these; anything else is noted.
    pub(super) fn binding_pair<'f>(
        &mut self,
        name: &str,
        head: &'f Form,
        form: &Form,
    ) -> Option<&'f [Form; 2]> {
        let pair = match &head.kind {
            FormKind::Vector(items) => items.as_slice().try_into().ok(),
            _ => None,
        };
        if pair.is_none() {
            let message = format!("Invalid {name}: bindings must be a vector of one name and one value");
            self.invalid(form.span, message);
        }
        pair
    }

    /// `(if-let [pattern value] then else?)` and `(when-let [pattern value] body…)`; those named `-some` test for nil.
    /// Tests the value first and takes it apart afterwards; its names are not seen by `else`.
    pub(super) fn bound(&mut self, name: &str, form: &Form, operands: &[Form], tail: Tail) -> Expr {
        let Some([pattern, value]) = self.binding_pair(name, &operands[0], form) else { return nil() };
        let (then, otherwise) =
            operands[1..].split_at(if name.starts_with("if") { 1 } else { operands.len() - 1 });
        let value = self.value(value);
        let slot = self.new_slot();
        let then = self.scoped(|r| {
            let binding =
                Binding { pattern: r.pattern(pattern), value: Expr::Local(slot), span: pattern.span };
            Expr::bound([binding], r.body(then, tail))
        });
        let otherwise = self.body(otherwise, tail);
        let local = Expr::Local(slot);
        let body = if name.ends_with("some") {
            Expr::choose(super::branch::is_nil(local, form.span), otherwise, then)
        } else {
            Expr::choose(local, then, otherwise)
        };
        Expr::bound([Binding::slot(slot, value, operands[0].span)], body)
    }

    /// Declares the names of a pattern.
    pub(super) fn pattern(&mut self, form: &Form) -> Pattern {
        match &form.kind {
            FormKind::Symbol(name) if super::namespace::split(name.name()).is_none() => {
                Pattern::Slot(self.declare(*name))
            }
            FormKind::Vector(items) => self.sequence_pattern(items),
            FormKind::Map(items) => self.map_pattern(items),
            _ => {
                self.invalid(form.span, NO_PATTERN);
                Pattern::Slot(0)
            }
        }
    }

    fn sequence_pattern(&mut self, forms: &[Form]) -> Pattern {
        let (mut items, mut rest, mut whole) = (Vec::new(), None, None);
        let mut forms = forms.iter();
        while let Some(form) = forms.next() {
            match &form.kind {
                FormKind::Symbol(name) if name.name() == "&" => match forms.next() {
                    Some(pattern) if rest.is_none() => rest = Some(self.pattern(pattern)),
                    _ => drop(self.invalid(form.span, MANY_AFTER_AMPERSAND)),
                },
                FormKind::Keyword(name) if name.name() == "as" => whole = self.whole(forms.next(), form),
                _ if rest.is_some() => drop(self.invalid(form.span, MANY_AFTER_AMPERSAND)),
                _ => items.push(self.pattern(form)),
            }
        }
        Pattern::Sequence(Box::new(SequencePattern { items: items.into(), rest, whole }))
    }

    fn whole(&mut self, name: Option<&Form>, at: &Form) -> Option<u32> {
        match name.and_then(Form::as_symbol) {
            Some(name) => Some(self.declare(name)),
            None => {
                self.invalid(at.span, "Invalid binding: :as must be followed by a name");
                None
            }
        }
    }

    /// Binds explicit pairs first, then `:keys`, then `:strs`; a default sees what is bound before it.
    fn map_pattern(&mut self, forms: &[Form]) -> Pattern {
        let pairs: Vec<(&Form, &Form)> = forms.chunks_exact(2).map(|pair| (&pair[0], &pair[1])).collect();
        let defaults = self.defaults(&pairs);
        let (mut entries, mut keys, mut strings, mut whole) = (Vec::new(), Vec::new(), Vec::new(), None);
        for (target, source) in pairs {
            match &target.kind {
                FormKind::Keyword(word) => match word.name() {
                    "as" => whole = self.whole(Some(source), target),
                    "or" => {}
                    "keys" => keys.extend(self.names(source)),
                    "strs" | "syms" => strings.extend(self.names(source)),
                    other => match other.strip_suffix("keys") {
                        Some(prefix) if prefix.ends_with('/') => {
                            keys.extend(self.qualified_names(prefix, source))
                        }
                        _ => {
                            let message = format!("Invalid binding: unknown directive :{word}");
                            self.invalid(target.span, message);
                        }
                    },
                },
                _ => entries.push(self.explicit_entry(target, source, &defaults)),
            }
        }
        for named in keys {
            entries.push(self.named_entry(named, Value::Keyword(named.0), &defaults));
        }
        for named in strings {
            entries.push(self.named_entry(named, Value::str(named.0.name()), &defaults));
        }
        Pattern::Map(Box::new(MapPattern { entries: entries.into(), whole }))
    }

    /// The names of `:space/keys`; the prefix is `space/`.
    fn qualified_names<'f>(&mut self, prefix: &str, source: &'f Form) -> Vec<(Symbol, &'f Form)> {
        let names = self.names(source).into_iter();
        names.map(|(name, form)| (Symbol::new(&format!("{prefix}{name}")), form)).collect()
    }

    fn defaults<'f>(&mut self, pairs: &[(&'f Form, &'f Form)]) -> Vec<(Symbol, &'f Form)> {
        let mut defaults = Vec::new();
        for (target, source) in pairs {
            if !matches!(&target.kind, FormKind::Keyword(word) if word.name() == "or") {
                continue;
            }
            let FormKind::Map(items) = &source.kind else {
                self.invalid(source.span, NO_DEFAULTS);
                continue;
            };
            for pair in items.chunks_exact(2) {
                match &pair[0].kind {
                    FormKind::Symbol(name) | FormKind::Keyword(name) => defaults.push((*name, &pair[1])),
                    _ => drop(self.invalid(pair[0].span, NO_DEFAULTS)),
                }
            }
        }
        defaults
    }

    /// The names of a `:keys` or `:strs` vector.
    fn names<'f>(&mut self, source: &'f Form) -> Vec<(Symbol, &'f Form)> {
        let FormKind::Vector(items) = &source.kind else {
            self.invalid(source.span, NO_NAMES);
            return Vec::new();
        };
        let mut names = Vec::new();
        for item in items {
            match &item.kind {
                FormKind::Symbol(name) | FormKind::Keyword(name) => names.push((*name, item)),
                _ => drop(self.invalid(item.span, NO_NAMES)),
            }
        }
        names
    }

    fn explicit_entry(&mut self, target: &Form, source: &Form, defaults: &[(Symbol, &Form)]) -> MapEntry {
        let key = match (read::literal(source), &source.kind) {
            (Some(key), _) => Expr::constant(key),
            (None, FormKind::Symbol(_) | FormKind::List(_)) => self.value(source),
            _ => {
                self.invalid(source.span, "Invalid binding: expected a keyword, a string or a number as key")
            }
        };
        let default = match target.as_symbol() {
            Some(name) => self.default_of(name, defaults),
            None => None,
        };
        MapEntry { pattern: self.pattern(target), key, default }
    }

    fn named_entry(
        &mut self,
        (name, form): (Symbol, &Form),
        key: Value,
        defaults: &[(Symbol, &Form)],
    ) -> MapEntry {
        let local = match super::namespace::split(name.name()) {
            Some((_, bare)) => Symbol::new(bare),
            None => name,
        };
        let default = self.default_of(local, defaults);
        let pattern = self.pattern(&Form::new(FormKind::Symbol(local), form.span));
        MapEntry { pattern, key: Expr::constant(key), default }
    }

    fn default_of(&mut self, name: Symbol, defaults: &[(Symbol, &Form)]) -> Option<Expr> {
        let (_, form) = defaults.iter().rev().find(|(defaulted, _)| *defaulted == name)?;
        Some(self.value(form))
    }
}
