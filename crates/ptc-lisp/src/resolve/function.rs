//! Functions: `fn`, `#()`, `letfn`, and the definitions `def`, `defonce`, `defn`.

use ecow::EcoString;
use triomphe::Arc;

use super::scope::{Frame, Level, Target};
use super::*;
use crate::expr::{Capture, Def, FnArity, Group, Lambda, LetFn, MakeFn, Parameter};

/// `(fn name? [params] body…)` or `(fn name? ([params] body…)…)`
pub(super) fn resolve_fn(r: &mut Resolver<'_>, form: &Form, operands: &[Form], _: Tail) -> Expr {
    match operands {
        [first, rest @ ..] if first.as_symbol().is_some() => {
            r.make_fn(form, "fn", first.as_symbol(), true, rest)
        }
        _ => r.make_fn(form, "fn", None, true, operands),
    }
}

/// `(defn name doc? [params] body…)`: its own name is looked up in `user/`, as Clojure does it.
pub(super) fn resolve_defn(r: &mut Resolver<'_>, form: &Form, operands: &[Form], _: Tail) -> Expr {
    let Some(name) = r.definition_name("defn", &operands[0]) else { return nil() };
    let (docstring, rest) = match &operands[1..] {
        [Form { kind: FormKind::Str(text), .. }, rest @ ..] if !rest.is_empty() => (docstring(text), rest),
        rest => (None, rest),
    };
    let rest = match rest {
        [Form { kind: FormKind::Map(_), .. }, functions @ ..] if !functions.is_empty() => functions,
        rest => rest,
    };
    let function = r.make_fn(form, "defn", Some(name), false, rest);
    r.made.insert(name);
    Expr::Def(Box::new(Def { name, docstring, value: Some(function), once: false }))
}

/// `(letfn [(name [params] body…)…] body…)`
pub(super) fn resolve_letfn(r: &mut Resolver<'_>, form: &Form, operands: &[Form], tail: Tail) -> Expr {
    let functions = match &operands[0].kind {
        FormKind::Vector(items) => items.iter().map(letfn_member).collect::<Option<Vec<_>>>(),
        _ => None,
    };
    let Some(functions) = functions else {
        return r.invalid(form.span, "Invalid letfn: expected a vector of (name [params] body) forms");
    };
    r.levels.push(Level {
        siblings: functions.iter().map(|(name, _)| Some(*name)).collect(),
        ..Level::default()
    });
    let members =
        functions.iter().map(|(name, parts)| r.resolve_lambda(form, "letfn", Some(*name), parts)).collect();
    let captures = r.pop_captures();
    r.scoped(|r| {
        let slots = functions.iter().map(|(name, _)| r.declare(*name)).collect();
        let group = Arc::new(Group { members, source: r.source.clone() });
        let body = r.body(&operands[1..], tail);
        Expr::LetFn(Box::new(LetFn { group, captures, slots, body }))
    })
}

fn letfn_member(form: &Form) -> Option<(Symbol, &[Form])> {
    match &form.kind {
        FormKind::List(items) => {
            let (name, parts) = items.split_first()?;
            Some((name.as_symbol()?, parts))
        }
        _ => None,
    }
}

/// A docstring as it is kept: no semicolons, one line.
fn docstring(text: &str) -> Option<EcoString> {
    let text = text.replace(';', "");
    let (mut out, mut rest) = (EcoString::new(), text.as_str());
    while !rest.is_empty() {
        let blank = rest.len() - rest.trim_start().len();
        let (space, after) = rest.split_at(blank);
        if space.contains(['\n', '\r', '\t']) {
            out.push(' ');
        } else {
            out.push_str(space);
        }
        let word = after.find(char::is_whitespace).unwrap_or(after.len());
        out.push_str(&after[..word]);
        rest = &after[word..];
    }
    let trimmed = out.trim();
    (!trimmed.is_empty()).then(|| trimmed.into())
}

impl Resolver<'_> {
    /// `(def name)`, `(def name value)`, `(def name doc value)`
    pub(super) fn definition(&mut self, form_name: &str, operands: &[Form], once: bool) -> Expr {
        let Some(name) = self.definition_name(form_name, &operands[0]) else {
            return nil();
        };
        let (docstring, value) = match &operands[1..] {
            [] => (None, None),
            [value] => (None, Some(self.value(value))),
            [Form { kind: FormKind::Str(text), .. }, value] => (docstring(text), Some(self.value(value))),
            [other, ..] => {
                let hint = match other.kind {
                    FormKind::Vector(_) => format!(". A function is defined by (defn {name} […] …)"),
                    _ => String::new(),
                };
                let message =
                    format!("Invalid {form_name}: expected a docstring between name and value{hint}");
                return self.invalid(other.span, message);
            }
        };
        self.made.insert(name);
        Expr::Def(Box::new(Def { name, docstring, value, once }))
    }

    fn definition_name(&mut self, form_name: &str, form: &Form) -> Option<Symbol> {
        let name = form.as_symbol().filter(|name| super::namespace::split(name.name()).is_none());
        match name {
            Some(name) if special::find(name.name()).is_some() => {
                let message =
                    format!("Invalid {form_name}: '{name}' is a special form and cannot be redefined");
                self.invalid(form.span, message);
                None
            }
            Some(name) => Some(self.own(name)),
            None => {
                let message = format!("Invalid {form_name}: expected a name without namespace");
                self.invalid(form.span, message);
                None
            }
        }
    }

    pub(super) fn make_fn(
        &mut self,
        form: &Form,
        what: &str,
        name: Option<Symbol>,
        knows_itself: bool,
        parts: &[Form],
    ) -> Expr {
        let siblings = vec![if knows_itself { name } else { None }];
        self.levels.push(Level { siblings, ..Level::default() });
        let lambda = self.resolve_lambda(form, what, name, parts);
        let captures = self.pop_captures();
        let group = Arc::new(Group { members: vec![lambda], source: self.source.clone() });
        Expr::Fn(Box::new(MakeFn { group, captures }))
    }

    fn pop_captures(&mut self) -> Box<[Capture]> {
        let level = self.levels.pop().unwrap_or_default();
        level.captures.into_iter().map(|(_, capture)| capture).collect()
    }

    /// Resolves one function, at the newest level.
    fn resolve_lambda(&mut self, form: &Form, what: &str, name: Option<Symbol>, parts: &[Form]) -> Lambda {
        let arities: Vec<(FnArity, EcoString)> = match parts {
            [Form { kind: FormKind::Vector(_), .. }, ..] => {
                self.resolve_arity(what, parts, form.span).into_iter().collect()
            }
            [] => self.refuse_parameters(what, form.span, "").into_iter().collect(),
            [first, others @ ..] if !is_arity(first) => {
                self.refuse_parameters(what, first.span, &hint_for(what, first, others)).into_iter().collect()
            }
            several => several.iter().filter_map(|part| self.resolve_listed_arity(what, part)).collect(),
        };
        self.check_arities(what, form.span, &arities);
        let (mut arities, parameters): (Vec<FnArity>, _) = arities.into_iter().unzip();
        arities.sort_by_key(|arity| (arity.variadic, arity.required));
        Lambda { name, parameters, arities: arities.into() }
    }

    /// `([params] body…)`
    fn resolve_listed_arity(&mut self, what: &str, part: &Form) -> Option<(FnArity, EcoString)> {
        match &part.kind {
            FormKind::List(parts) => self.resolve_arity(what, parts, part.span),
            _ => self.refuse_parameters(what, part.span, ""),
        }
    }

    fn refuse_parameters<T>(&mut self, what: &str, span: Span, hint: &str) -> Option<T> {
        self.invalid(span, format!("Invalid {what}: expected a vector of parameters{hint}"));
        None
    }

    fn check_arities(&mut self, what: &str, span: Span, arities: &[(FnArity, EcoString)]) {
        let (mut variadic, mut fixed) = (Vec::new(), Vec::new());
        for (arity, _) in arities {
            let lengths = if arity.variadic { &mut variadic } else { &mut fixed };
            lengths.push(arity.required);
        }
        fixed.sort_unstable();
        if variadic.len() > 1 {
            self.invalid(span, format!("Invalid {what}: at most one parameter list may have &"));
        }
        if fixed.windows(2).any(|pair| pair[0] == pair[1]) {
            self.invalid(span, format!("Invalid {what}: two parameter lists of the same length"));
        }
        if let (Some(rest), Some(longest)) = (variadic.first(), fixed.last())
            && longest > rest
        {
            self.invalid(span, format!("Invalid {what}: a parameter list is longer than the one with &"));
        }
    }

    /// `[params] body…`
    fn resolve_arity(&mut self, what: &str, parts: &[Form], span: Span) -> Option<(FnArity, EcoString)> {
        let Some((Form { kind: FormKind::Vector(parameters), span: at }, body)) = parts.split_first() else {
            return self.refuse_parameters(what, span, "");
        };
        let (required, rest) = match parameters.iter().position(is_ampersand) {
            None => (&parameters[..], None),
            Some(at_rest) if parameters.len() == at_rest + 2 => {
                (&parameters[..at_rest], Some(&parameters[at_rest + 1]))
            }
            Some(_) => {
                self.invalid(*at, format!("Invalid {what}: & must be followed by exactly one pattern"));
                return None;
            }
        };
        let text = super::super::form::print(&parts[0]);
        let body = match body {
            [Form { kind: FormKind::Map(conditions), .. }, body @ ..]
                if !body.is_empty() && is_condition_map(conditions) =>
            {
                body
            }
            body => body,
        };
        let forms: Vec<&Form> = required.iter().chain(rest).collect();
        let arity = self.function_body(&forms, rest.is_some(), span, |r| r.body(body, Tail::FUNCTION));
        Some((arity, text))
    }

    /// Lays out a frame: parameters first, then what patterns and the body need.
    fn function_body(
        &mut self,
        parameters: &[&Form],
        variadic: bool,
        span: Span,
        body: impl FnOnce(&mut Self) -> Expr,
    ) -> FnArity {
        *self.frame() = Frame { slots: parameters.len() as u32, ..Frame::default() };
        self.frame().target = Some(Target { first: 0, count: parameters.len() });
        for (slot, parameter) in parameters.iter().enumerate() {
            if let Some(name) = parameter.as_symbol() {
                self.frame().locals.push(name, slot as u32);
            }
        }
        let mut patterns = Vec::new();
        for (slot, parameter) in parameters.iter().enumerate() {
            if parameter.as_symbol().is_none() {
                let pattern = self.pattern(parameter);
                patterns.push(Parameter { slot: slot as u32, pattern, span: parameter.span });
            }
        }
        let mut body = body(self);
        let frame = std::mem::take(self.frame());
        super::liveness::mark_last_uses_of_function(&mut patterns, &mut body, &frame.siblings);
        FnArity {
            required: (parameters.len() - usize::from(variadic)) as u32,
            variadic,
            weight: weight(span),
            frame: frame.slots,
            siblings: frame.siblings.into(),
            patterns: patterns.into(),
            body,
        }
    }

    /// `#(…)`: one parameter for each `%n` up to the highest, `%&` for the rest (`docs/language.md` §3.3).
    pub(super) fn short_fn(&mut self, form: &Form, items: &[Form]) -> Expr {
        let mut used = Placeholders::default();
        for item in items {
            used.note_placeholders(item);
        }
        if let Some(span) = used.nested {
            return self.invalid(span, "Nested #() are not allowed");
        }
        let mut names: Vec<Symbol> = (1..=used.highest).map(|n| Symbol::new(&format!("%{n}"))).collect();
        let mut texts: Vec<&str> = names.iter().copied().map(Symbol::name).collect();
        if used.rest {
            names.push(Symbol::new("%&"));
            texts.extend(["&", "%&"]);
        }
        let text = ecow::eco_format!("[{}]", texts.join(" "));
        let parameters: Vec<Form> =
            names.iter().map(|name| Form::new(FormKind::Symbol(*name), form.span)).collect();
        self.levels.push(Level::default());
        let arity = self.function_body(&parameters.iter().collect::<Vec<_>>(), used.rest, form.span, |r| {
            if used.highest > 0 {
                // The first parameter lies in the first slot.
                r.frame().locals.push(Symbol::new("%"), 0);
            }
            match items {
                [single] if !matches!(single.kind, FormKind::Symbol(_) | FormKind::List(_)) => {
                    r.form(single, Tail::FUNCTION)
                }
                _ => r.list(form, items, Tail::FUNCTION),
            }
        });
        let captures = self.pop_captures();
        let lambda = Lambda { name: None, parameters: vec![text], arities: Box::new([arity]) };
        let group = Arc::new(Group { members: vec![lambda], source: self.source.clone() });
        Expr::Fn(Box::new(MakeFn { group, captures }))
    }
}

/// The hint for a list, or for the value of `(-> x (fn [y] …))`, in place of a vector of parameters.
fn hint_for(what: &str, first: &Form, others: &[Form]) -> String {
    match &first.kind {
        FormKind::List(items) if items.iter().all(is_symbol) => {
            let names = super::super::form::print(first);
            format!(". Write [{}]", names.trim_matches(['(', ')']))
        }
        _ if what == "fn" && matches!(others, [Form { kind: FormKind::Vector(_), .. }, ..]) => {
            String::from(". To thread into a function write ((fn [x] …))")
        }
        _ => String::new(),
    }
}

/// `([params] body…)`
fn is_arity(form: &Form) -> bool {
    matches!(&form.kind, FormKind::List(parts) if matches!(parts.first(), Some(Form { kind: FormKind::Vector(_), .. })))
}

fn is_symbol(form: &Form) -> bool {
    form.as_symbol().is_some()
}

fn is_ampersand(form: &Form) -> bool {
    matches!(form.kind, FormKind::Symbol(name) if name.name() == "&")
}

/// `{:pre […]}` or `{:post […]}`, to skip.
fn is_condition_map(items: &[Form]) -> bool {
    for pair in items.chunks_exact(2) {
        match pair[0].kind {
            FormKind::Keyword(name) if matches!(name.name(), "pre" | "post") => {}
            _ => return false,
        }
    }
    !items.is_empty()
}

/// The placeholders in the body of a `#()`.
#[derive(Default)]
struct Placeholders {
    highest: u32,
    rest: bool,
    nested: Option<Span>,
}

impl Placeholders {
    fn note_placeholders(&mut self, form: &Form) {
        match &form.kind {
            FormKind::Symbol(name) => match name.name() {
                "%" => self.highest = self.highest.max(1),
                "%&" => self.rest = true,
                name => {
                    if let Some(digits) = name.strip_prefix('%')
                        && let Ok(number) = digits.parse::<u32>()
                    {
                        self.highest = self.highest.max(number.min(20));
                    }
                }
            },
            FormKind::ShortFn(_) => self.nested = self.nested.or(Some(form.span)),
            FormKind::List(items) | FormKind::Vector(items) | FormKind::Map(items) | FormKind::Set(items) => {
                for item in items {
                    self.note_placeholders(item);
                }
            }
            _ => {}
        }
    }
}
