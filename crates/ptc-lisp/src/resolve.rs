//! From forms to a tree without names: finds slots, captures and builtins, and everything that is wrong
//! with the structure of a program, all at once. Nothing is evaluated here.

mod binding;
mod branch;
mod control;
mod free;
mod function;
mod iteration;
mod liveness;
mod namespace;
mod scope;
mod special;
mod thread;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::atom;
use super::builtin::Builtin;
use super::builtins;
use super::error::{Error, ErrorKind};
use super::eval::fast::builtin_call;
use super::expr::{Call, Expr, Global, Program};
use super::form::{Form, FormKind};
use super::hint::absent;
use super::limits::MAX_SOURCE;
use super::read::literal;
use super::regexp::{self, Regex, invalid_regex};
use super::source::{Source, Span};
use super::symbol::Symbol;
use super::value::{Function, Value};
use scope::{Level, Place};

pub use free::{FreeName, FreeSpace, ProgramNames};
pub use special::{SPECIAL_FORMS, SpecialForm};

/// Limit of nesting once threading macros have been written out.
const MAX_EXPANDED_NESTING: u32 = 1_000;
/// Number of findings in a message.
const MAX_FINDINGS: usize = 5;
/// Number of findings with a hint: more than are reported, because findings are sorted later.
const MAX_HINTS: usize = 100;

/// Names known before the program runs: definitions, tools and data.
pub type IsKnown<'a> = &'a dyn Fn(Symbol) -> bool;

/// Resolves a whole program. Returns the error of the first finding. Its message lists up to five.
pub fn resolve(source: &Arc<Source>, forms: &[Form], is_known: IsKnown<'_>) -> Result<Program, Error> {
    Resolver::new(source, forms, is_known).program(forms)
}

/// Resolves a prelude, which begins with `(ns NAME …)` and whose definitions are called `NAME/name`.
pub fn resolve_prelude(
    source: &Arc<Source>,
    forms: &[Form],
    is_known: IsKnown<'_>,
) -> Result<Program, Error> {
    let space = match forms.first().map(|form| &form.kind) {
        Some(FormKind::List(items)) => match items.as_slice() {
            [head, name, ..] if head.as_symbol().is_some_and(|head| head.name() == "ns") => name.as_symbol(),
            _ => None,
        },
        _ => None,
    };
    match space {
        Some(_) => Resolver { space, ..Resolver::new(source, forms, is_known) }.program(forms),
        None => Err(Error::new(ErrorKind::InvalidForm, "a prelude begins with (ns NAME)")),
    }
}

/// The known names read by a program before it defines them itself, without locals.
pub fn names_read(source: &Arc<Source>, forms: &[Form], is_known: IsKnown<'_>) -> FxHashSet<Symbol> {
    let mut resolver = Resolver::new(source, forms, is_known);
    resolver.body(forms, Tail::NONE);
    resolver.read
}

/// Joins findings into one error, in source order.
fn report(source: &Source, mut findings: Vec<Error>) -> Option<Error> {
    findings.sort_by_key(|finding| finding.span);
    let mut lines = Vec::new();
    for finding in findings.iter().take(MAX_FINDINGS) {
        let (line, column) = source.position(finding.span.unwrap_or_default().start);
        lines.push(format!("{} at line {line}, column {column}", finding.message));
    }
    let mut message = lines.join("\n");
    if findings.len() > MAX_FINDINGS {
        message.push_str(&format!("\nand {} more", findings.len() - MAX_FINDINGS));
    }
    let first = findings.into_iter().next()?;
    Some(Error { message: message.into(), ..first })
}

/// Ticks of a call or a round of this form: one, and one more for each 2 KiB of its text, since a round
/// walks through all of it. Text is counted, not nodes, so that a better resolver does not change a count.
fn weight(span: Span) -> usize {
    1 + span.end.saturating_sub(span.start) as usize / (2 << 10)
}

/// The position of a form.
#[derive(Clone, Copy)]
struct Tail {
    /// The value becomes the result of the nearest loop or function: `recur` is allowed.
    recur: bool,
    /// The value becomes the result of the nearest function: a call need not come back.
    call: bool,
}

impl Tail {
    const NONE: Tail = Tail { recur: false, call: false };
    const FUNCTION: Tail = Tail { recur: true, call: true };
}

/// The form `nil`.
fn nil() -> Expr {
    Expr::constant(Value::Nil)
}

struct Resolver<'a> {
    source: &'a Arc<Source>,
    is_known: IsKnown<'a>,
    /// The namespace of the definitions, in a prelude.
    space: Option<Symbol>,
    /// Names defined by a `def` of this program.
    defined: FxHashSet<Symbol>,
    /// This program's names for namespaces and their members.
    given: namespace::Given,
    /// Functions around the form at hand, the program first.
    levels: Vec<Level>,
    findings: Vec<Error>,
    nesting: u32,
    /// Effort of compiling the regexes so far.
    regex_effort: usize,
    /// Free places for local names in hints.
    names_for_hints: usize,
    /// Known names read before a definition of the same name.
    read: FxHashSet<Symbol>,
    /// Names defined before the current form.
    made: FxHashSet<Symbol>,
    /// Names without a meaning before the run.
    free: Vec<FreeName>,
}

/// Enough for a source full of regexes without repetitions.
const MAX_REGEX_EFFORT: usize = MAX_SOURCE;

impl<'a> Resolver<'a> {
    fn new(source: &'a Arc<Source>, forms: &[Form], is_known: IsKnown<'a>) -> Resolver<'a> {
        let (defined, given) = special::names_made_in(forms);
        Resolver {
            source,
            is_known,
            space: None,
            defined,
            given,
            levels: vec![Level::default()],
            findings: Vec::new(),
            nesting: 0,
            regex_effort: 0,
            names_for_hints: MAX_SOURCE,
            read: FxHashSet::default(),
            made: FxHashSet::default(),
            free: Vec::new(),
        }
    }

    fn program(mut self, forms: &[Form]) -> Result<Program, Error> {
        let mut body = self.body(forms, Tail::NONE);
        if let Some(error) = report(self.source, self.findings) {
            return Err(error);
        }
        liveness::mark_last_uses(&mut body);
        let frame = self.levels.first().map_or(0, |level| level.frame.slots);
        Ok(Program { source: self.source.clone(), frame, body })
    }

    /// The stored name of a definition of this program.
    fn own(&self, name: Symbol) -> Symbol {
        match self.space {
            Some(space) if self.defined.contains(&name) => Symbol::new(&format!("{space}/{name}")),
            _ => name,
        }
    }

    /// Notes a read of a definition.
    fn note_read(&mut self, name: Symbol) {
        if !self.made.contains(&name) && (self.is_known)(name) {
            self.read.insert(name);
        }
    }

    /// Notes what is wrong and goes on; nothing runs if anything is.
    fn find(&mut self, kind: ErrorKind, span: Span, message: impl Into<ecow::EcoString>) -> Expr {
        let mut error = Error::new(kind, message);
        error.span = Some(span);
        self.findings.push(error);
        nil()
    }

    fn invalid(&mut self, span: Span, message: impl Into<ecow::EcoString>) -> Expr {
        self.find(ErrorKind::InvalidForm, span, message)
    }

    /// An implicit `do`.
    fn body(&mut self, forms: &[Form], tail: Tail) -> Expr {
        match forms {
            [] => nil(),
            [single] => self.form(single, tail),
            [first @ .., last] => {
                let mut steps: Vec<Expr> = first.iter().map(|form| self.value(form)).collect();
                steps.push(self.form(last, tail));
                Expr::Do(steps.into())
            }
        }
    }

    /// Resolves a form outside of tail position.
    fn value(&mut self, form: &Form) -> Expr {
        self.form(form, Tail::NONE)
    }

    fn values(&mut self, forms: &[Form]) -> Box<[Expr]> {
        forms.iter().map(|form| self.value(form)).collect()
    }

    fn form(&mut self, form: &Form, tail: Tail) -> Expr {
        if self.nesting >= MAX_EXPANDED_NESTING {
            let message = format!("program is nested too deeply: more than {MAX_EXPANDED_NESTING} levels");
            return self.invalid(form.span, message);
        }
        self.nesting += 1;
        let expr = super::stack::guarded(|| self.form_kind(form, tail));
        self.nesting -= 1;
        expr
    }

    fn form_kind(&mut self, form: &Form, tail: Tail) -> Expr {
        match &form.kind {
            FormKind::Nil
            | FormKind::Bool(_)
            | FormKind::Int(_)
            | FormKind::Float(_)
            | FormKind::Ratio(..) => Expr::constant(literal(form).unwrap_or_default()),
            FormKind::Str(text) => Expr::constant(Value::Str(text.clone())),
            FormKind::Keyword(name) => Expr::constant(Value::Keyword(*name)),
            FormKind::Var(name) => {
                self.note_read(*name);
                Expr::constant(Value::Var(self.own(*name)))
            }
            FormKind::Regex(text) => self.regex(text, form.span),
            FormKind::Symbol(name) => self.symbol(*name, form.span),
            FormKind::Vector(items) => constant_or(self.values(items), Expr::Vector, Value::vector),
            FormKind::Set(items) => Expr::Set(self.values(items)),
            FormKind::Map(items) => Expr::Map(self.values(items)),
            FormKind::Quote(quoted) => self.quote(quoted),
            FormKind::ShortFn(items) => self.short_fn(form, items),
            FormKind::List(items) => self.list(form, items, tail),
        }
    }

    fn regex(&mut self, text: &str, span: Span) -> Expr {
        self.regex_effort += regexp::effort(text);
        let compiled = match self.regex_effort {
            0..=MAX_REGEX_EFFORT => Regex::of(text),
            _ => Err("the regexes of this program are too large together".to_string()),
        };
        match compiled {
            Ok(regex) => Expr::constant(Value::Regex(regex)),
            Err(reason) => self.find(ErrorKind::RegexError, span, invalid_regex(text, &reason)),
        }
    }

    /// `(re-pattern "…")` is the pattern `#"…"`, unless that is invalid: then running it raises the error.
    fn literal_pattern(&mut self, builtin: &Builtin, arguments: &[Expr]) -> Option<Expr> {
        let ("re-pattern", [Expr::Const(source)]) = (builtin.name, arguments) else { return None };
        let Value::Str(text) = &**source else { return None };
        let effort = self.regex_effort + regexp::effort(text);
        if effort > MAX_REGEX_EFFORT {
            return None;
        }
        self.regex_effort = effort;
        Some(Expr::constant(Value::Regex(Regex::of(text).ok()?)))
    }

    fn quote(&mut self, quoted: &Form) -> Expr {
        match literal(quoted) {
            Some(value) => Expr::constant(value),
            None => self.invalid(quoted.span, "Quoted symbols are not supported; use a keyword or a string"),
        }
    }

    /// A call or a special form.
    fn list(&mut self, form: &Form, items: &[Form], tail: Tail) -> Expr {
        let Some((head, operands)) = items.split_first() else {
            return Expr::constant(Value::list(Vec::new()));
        };
        let Some(name) = head.as_symbol() else { return self.call(form, head, operands, tail) };
        if let Some(special) = self.special(name) {
            return self.special_form(special, form, operands, tail);
        }
        match absent::of("form", name.name()) {
            Some(hint) if self.local(name).is_none() && !self.is_defined(name) => {
                self.invalid(form.span, format!("'{name}' is not supported: {hint}"))
            }
            _ => self.call(form, head, operands, tail),
        }
    }

    /// The special form of a name in operator position, if it has one.
    fn special(&mut self, name: Symbol) -> Option<&'static SpecialForm> {
        let special = special::find(name.name())?;
        let shadowed = !special.is_reserved && self.local(name).is_some();
        (!shadowed).then_some(special)
    }

    fn special_form(&mut self, special: &SpecialForm, form: &Form, operands: &[Form], tail: Tail) -> Expr {
        if special.arity.admits(operands.len()) {
            return (special.resolve)(self, form, operands, tail);
        }
        let hint = match (special.name, operands.len()) {
            ("def", 4..) => ". A function is defined by (defn name [parameters] body)",
            ("if" | "if-not", 4..) => ". Write several forms as (do …), several tests as cond",
            _ => "",
        };
        let message = format!(
            "Wrong number of arguments to {}: expected {}, got {}{hint}",
            special.name,
            special.arity,
            operands.len()
        );
        self.find(ErrorKind::InvalidArity, form.span, message)
    }

    fn call(&mut self, form: &Form, head: &Form, operands: &[Form], tail: Tail) -> Expr {
        let callee = self.value(head);
        let arguments = self.arguments(head, operands);
        match callee.as_constant() {
            Some(Value::Function(Function::Builtin(builtin))) if builtin.arity.admits(arguments.len()) => {
                match self.literal_pattern(builtin, &arguments) {
                    Some(pattern) => pattern,
                    None => builtin_call(builtin, arguments, form.span),
                }
            }
            // `(Math/PI)`: a static field may have parentheses. The list is `PersistentQueue/EMPTY`.
            Some(Value::Int(_) | Value::Float(..) | Value::Bool(_) | Value::List(_))
                if arguments.is_empty() && head.as_symbol().is_some_and(|name| is_of_class(name.name())) =>
            {
                callee
            }
            _ => {
                let mut hidden = None;
                if is_local(&callee)
                    && let Some(name) = head.as_symbol()
                    && let Some(builtin) = builtins::find(name.name())
                {
                    hidden = Some(builtin.name);
                }
                Expr::Call(Box::new(Call { callee, arguments, hidden, tail: tail.call, span: form.span }))
            }
        }
    }

    /// The name of a class behind `instance?` means its predicate, as in `(partial instance? String)`.
    fn arguments(&mut self, head: &Form, operands: &[Form]) -> Box<[Expr]> {
        let mut before = head;
        let mut arguments = Vec::with_capacity(operands.len());
        for form in operands {
            arguments.push(match self.class_predicate(before, form) {
                Some(predicate) => Expr::constant(predicate),
                None => self.value(form),
            });
            before = form;
        }
        arguments.into()
    }

    fn class_predicate(&mut self, before: &Form, form: &Form) -> Option<Value> {
        let (before, class) = (before.as_symbol()?, form.as_symbol()?);
        if before.name() != "instance?" || self.local(class).is_some() {
            return None;
        }
        builtins::of_class_named(class.name())
    }

    /// Resolves a name, in the order of `docs/language.md` §6.2.
    fn symbol(&mut self, name: Symbol, span: Span) -> Expr {
        match name.name() {
            "*1" => return Expr::History(0),
            "*2" => return Expr::History(1),
            "*3" => return Expr::History(2),
            _ => {}
        }
        if let Some((space, bare)) = namespace::split(name.name()) {
            return match self.space {
                Some(own) if own.name() == space => self.free(Symbol::new(bare), span),
                _ if (self.is_known)(name) => Expr::Global(Box::new(Global::new(name, span, Box::default()))),
                _ => self.qualified(space, bare, span),
            };
        }
        if let Some(place) = self.local(name) {
            return match place {
                Place::Local(slot) => Expr::Local(slot),
                Place::Captured(index) => Expr::Captured(index),
            };
        }
        if name.name().starts_with('%') {
            let message = format!("Placeholder '{name}' is only allowed inside #()");
            return self.find(ErrorKind::InvalidPlaceholder, span, message);
        }
        self.free(name, span)
    }

    /// Returns true if a definition, tool or data has the name or will get it.
    fn is_defined(&self, name: Symbol) -> bool {
        self.defined.contains(&name) || (self.is_known)(name)
    }

    /// A free name is bound to the builtin now, unless something else has the name or will get it.
    fn free(&mut self, name: Symbol, span: Span) -> Expr {
        let known = self.is_defined(name);
        if !known && let Some(value) = self.given.value(name).or_else(|| builtins::value(name.name())) {
            return Expr::constant(value);
        }
        if known {
            self.note_read(name);
        }
        if !known {
            self.free.push(FreeName { space: FreeSpace::Bare, name, span });
        }
        let locals = if known { Box::default() } else { self.locals_in_scope() };
        Expr::Global(Box::new(Global::new(self.own(name), span, locals)))
    }

    fn qualified(&mut self, space: &str, bare: &str, span: Span) -> Expr {
        let name = Symbol::new(bare);
        match space {
            "tool" => {
                self.free.push(FreeName { space: FreeSpace::Tool, name, span });
                Expr::Tool(name, span)
            }
            "data" => {
                self.free.push(FreeName { space: FreeSpace::Data, name, span });
                Expr::Data(name, span)
            }
            "user" => {
                self.note_read(name);
                if !self.is_defined(name) {
                    self.free.push(FreeName { space: FreeSpace::Bare, name, span });
                }
                Expr::User(Box::new(Global::new(name, span, Box::default())))
            }
            _ => self.in_namespace(space, bare, span),
        }
    }

    fn in_namespace(&mut self, space: &str, bare: &str, span: Span) -> Expr {
        let library = self.given.spaces.get(&Symbol::new(space)).map_or(space, |library| library.name());
        if let Some(value) = namespace::lookup(library, bare) {
            return Expr::constant(value);
        }
        if (self.is_known)(Symbol::new(&format!("{space}/"))) {
            let (space, bare) = (atom::shown(space), atom::shown(bare));
            return self.invalid(span, format!("'{space}/{bare}' does not exist: no prelude defines it"));
        }
        let mut message = namespace::missing(library, bare, space);
        // Suggestions are slow to find, and only the first findings are shown.
        if self.findings.len() < MAX_HINTS
            && let Some(hint) = namespace::hint(library, bare, space)
        {
            message = format!("{message}. {hint}");
        }
        self.invalid(span, message)
    }
}

/// Returns true if a name has a namespace.
pub fn is_qualified(name: &str) -> bool {
    namespace::split(name).is_some()
}

/// Returns true if a name is qualified with a Java class.
fn is_of_class(name: &str) -> bool {
    let is_class =
        |space: &str| space.rsplit('.').next().is_some_and(|class| class.starts_with(char::is_uppercase));
    namespace::split(name).is_some_and(|(space, _)| is_class(space))
}

fn is_local(callee: &Expr) -> bool {
    matches!(callee, Expr::Local(_) | Expr::Last(_) | Expr::Captured(_))
}

/// A collection of constants is one constant.
fn constant_or(items: Box<[Expr]>, make: fn(Box<[Expr]>) -> Expr, value: fn(Vec<Value>) -> Value) -> Expr {
    match items.iter().map(Expr::as_constant).collect::<Option<Vec<Value>>>() {
        Some(constants) if !constants.is_empty() => Expr::constant(value(constants)),
        _ => make(items),
    }
}
