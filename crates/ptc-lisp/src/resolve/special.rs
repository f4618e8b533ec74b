//! The table of special forms and macros: names in operator position that mean something of their own.

use std::sync::LazyLock;

use super::namespace::Given;
use super::thread::Position;
use super::*;
use crate::builtin::{Arity, at_least, between, exactly};
use crate::builtins::{LAZY_SEQ, WITH_OUT_STR, filter};
use crate::expr::Way;

/// One special form or macro.
pub struct SpecialForm {
    /// The name in programs.
    pub name: &'static str,
    /// Number of operands.
    pub arity: Arity,
    /// True if a local of the same name does not hide it, as in Clojure's own special forms.
    pub is_reserved: bool,
    pub(super) resolve: Resolve,
}

/// Makes the tree of a form: the form, its operands, and its position.
type Resolve = fn(&mut Resolver<'_>, &Form, &[Form], Tail) -> Expr;

macro_rules! special_forms {
    ($($($reserved:ident)? $name:literal [$arity:expr] => $resolve:expr;)*) => {
        /// All special forms, sorted by name.
        pub static SPECIAL_FORMS: &[SpecialForm] = &[$(SpecialForm {
            name: $name,
            arity: $arity,
            is_reserved: !<[&str]>::is_empty(&[$(stringify!($reserved))?]),
            resolve: $resolve,
        }),*];
    };
}

special_forms! {
    "->" [at_least(1)] => |r, _, o, t| thread::resolve_thread(r, o, t, Position::First);
    "->>" [at_least(1)] => |r, _, o, t| thread::resolve_thread(r, o, t, Position::Last);
    ".." [at_least(2)] => thread::resolve_members;
    "all-of" [at_least(0)] => |r, f, o, _| r.junction(&filter::ALL_OF, f, o);
    "and" [at_least(0)] => |r, _, o, t| r.chain(o, t).map_or(Expr::constant(Value::Bool(true)), Expr::And);
    "any-of" [at_least(0)] => |r, f, o, _| r.junction(&filter::ANY_OF, f, o);
    "as->" [at_least(2)] => thread::resolve_as;
    "assert" [between(1, 2)] => control::resolve_assert;
    "case" [at_least(1)] => branch::resolve_case;
    "comment" [at_least(0)] => |_, _, _, _| nil();
    "cond" [at_least(0)] => branch::resolve_cond;
    "cond->" [at_least(1)] => |r, f, o, t| thread::resolve_cond_thread(r, f, o, t, ("cond->", Position::First));
    "cond->>" [at_least(1)] => |r, f, o, t| thread::resolve_cond_thread(r, f, o, t, ("cond->>", Position::Last));
    "condp" [at_least(2)] => branch::resolve_condp;
    "declare" [at_least(0)] => |_, _, _, _| nil();
    reserved "def" [between(1, 3)] => |r, _, o, _| r.definition("def", o, false);
    "defn" [at_least(2)] => function::resolve_defn;
    "defn-" [at_least(2)] => function::resolve_defn;
    "defonce" [between(2, 3)] => |r, _, o, _| r.definition("defonce", o, true);
    reserved "do" [at_least(0)] => |r, _, o, t| r.body(o, t);
    "doseq" [at_least(1)] => |r, f, o, _| r.iterate("doseq", f, o, false);
    "dotimes" [at_least(1)] => iteration::resolve_dotimes;
    "doto" [at_least(1)] => thread::resolve_doto;
    reserved "fail" [exactly(1)] => |r, f, o, _| r.leave(Way::Fail, f, o);
    "fn" [at_least(1)] => function::resolve_fn;
    "for" [at_least(1)] => |r, f, o, _| r.iterate("for", f, o, true);
    reserved "if" [between(2, 3)] => |r, _, o, t| r.choice(o, t, true);
    "if-let" [between(2, 3)] => |r, f, o, t| r.bound("if-let", f, o, t);
    "if-not" [between(2, 3)] => |r, _, o, t| r.choice(o, t, false);
    "if-some" [between(2, 3)] => |r, f, o, t| r.bound("if-some", f, o, t);
    "import" [at_least(0)] => |_, _, _, _| nil();
    "lazy-seq" [at_least(0)] => |r, f, o, _| control::resolve_delayed(r, f, o, &LAZY_SEQ);
    "let" [at_least(1)] => binding::resolve_let;
    "letfn" [at_least(1)] => function::resolve_letfn;
    "loop" [at_least(1)] => binding::resolve_loop;
    "memfn" [at_least(1)] => |r, _, o, _| r.value(&thread::as_method(&o[0]));
    "none-of" [at_least(0)] => |r, f, o, _| r.junction(&filter::NONE_OF, f, o);
    "ns" [at_least(0)] => |_, _, _, _| nil();
    "or" [at_least(0)] => |r, _, o, t| r.chain(o, t).map_or(nil(), Expr::Or);
    reserved "quote" [exactly(1)] => |r, _, o, _| r.quote(&o[0]);
    reserved "recur" [at_least(0)] => binding::resolve_recur;
    "require" [at_least(0)] => |_, _, _, _| nil();
    reserved "return" [exactly(1)] => |r, f, o, _| r.leave(Way::Return, f, o);
    "some->" [at_least(1)] => |r, f, o, t| thread::resolve_some_thread(r, f, o, t, Position::First);
    "some->>" [at_least(1)] => |r, f, o, t| thread::resolve_some_thread(r, f, o, t, Position::Last);
    reserved "throw" [exactly(1)] => |r, f, o, _| r.leave(Way::Throw, f, o);
    "time" [exactly(1)] => |r, _, o, t| r.body(o, t);
    reserved "try" [at_least(0)] => control::resolve_try;
    "use" [at_least(0)] => |_, _, _, _| nil();
    reserved "var" [exactly(1)] => control::resolve_var;
    "when" [at_least(1)] => |r, _, o, t| Expr::choose(r.value(&o[0]), r.body(&o[1..], t), nil());
    "when-first" [at_least(1)] => iteration::resolve_when_first;
    "when-let" [at_least(1)] => |r, f, o, t| r.bound("when-let", f, o, t);
    "when-not" [at_least(1)] => |r, _, o, t| Expr::choose(r.value(&o[0]), nil(), r.body(&o[1..], t));
    "when-some" [at_least(1)] => |r, f, o, t| r.bound("when-some", f, o, t);
    "where" [at_least(0)] => branch::resolve_where;
    "while" [at_least(1)] => iteration::resolve_while;
    "with-out-str" [at_least(0)] => |r, f, o, _| control::resolve_delayed(r, f, o, &WITH_OUT_STR);
}

/// The special form of this name; `clojure.core/NAME` is the form itself.
pub(super) fn find(name: &str) -> Option<&'static SpecialForm> {
    static BY_NAME: LazyLock<FxHashMap<&str, &SpecialForm>> =
        LazyLock::new(|| SPECIAL_FORMS.iter().map(|form| (form.name, form)).collect());
    let bare = name.strip_prefix("clojure.core/").or_else(|| name.strip_prefix("core/")).unwrap_or(name);
    BY_NAME.get(bare).copied()
}

/// Names defined by a `def` anywhere in these forms, and their aliases for names of namespaces.
pub(super) fn names_made_in(forms: &[Form]) -> (FxHashSet<Symbol>, Given) {
    let mut made = Default::default();
    forms.iter().for_each(|form| collect_made(form, &mut made));
    made
}

fn collect_made(form: &Form, made: &mut (FxHashSet<Symbol>, Given)) {
    match &form.kind {
        FormKind::List(items) | FormKind::ShortFn(items) => {
            if let [head, operands @ ..] = items.as_slice()
                && let Some(head) = head.as_symbol()
            {
                match operands.first().and_then(Form::as_symbol) {
                    Some(name) if matches!(head.name(), "def" | "defn" | "defn-" | "defonce") => {
                        made.0.insert(name);
                    }
                    _ => made.1.take(head, operands),
                }
            }
            items.iter().for_each(|item| collect_made(item, made));
        }
        FormKind::Vector(items) | FormKind::Map(items) | FormKind::Set(items) => {
            items.iter().for_each(|item| collect_made(item, made));
        }
        _ => {}
    }
}

impl Resolver<'_> {
    /// `(all-of predicate…)`, `(any-of predicate…)` or `(none-of predicate…)`.
    fn junction(&mut self, builtin: &'static Builtin, form: &Form, operands: &[Form]) -> Expr {
        let arguments = self.values(operands);
        builtin_call(builtin, arguments, form.span)
    }
}
