//! The table of special forms and macros: names in operator position that mean something of their own.

use std::sync::LazyLock;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::builtins::{Arity, Builtin, at_least, between, exactly, filter};
use crate::expr::Expr;
use crate::form::{Form, FormKind};
use crate::symbol::Symbol;

use super::binding::Test;
use super::thread::Position;
use super::{Resolver, Tail, binding, branch, builtin_call, control, function, iteration, thread};

/// One special form or macro.
pub struct SpecialForm {
    pub name: &'static str,
    /// How many operands it takes.
    pub arity: Arity,
    /// Whether a local of the same name leaves it what it is, as in Clojure's own special forms.
    pub is_reserved: bool,
    pub(super) resolve: Resolve,
    /// One line, for people and for the model.
    pub doc: &'static str,
    /// `EXPRESSION ;=> VALUE`, run by a test; empty for forms that leave the program.
    pub example: &'static str,
}

/// Makes the tree of a form: the form, its operands, and whether it stands in tail position.
type Resolve = fn(&mut Resolver<'_>, &Form, &[Form], Tail) -> Expr;

impl SpecialForm {
    const fn new(
        name: &'static str,
        arity: Arity,
        resolve: Resolve,
        doc: &'static str,
        example: &'static str,
    ) -> SpecialForm {
        SpecialForm { name, arity, is_reserved: false, resolve, doc, example }
    }

    const fn reserved(self) -> SpecialForm {
        SpecialForm { is_reserved: true, ..self }
    }
}

/// All special forms, sorted by name.
pub static SPECIAL_FORMS: &[SpecialForm] = &[
    SpecialForm::new(
        "->",
        at_least(1),
        |r, _, o, t| thread::resolve_thread(r, o, t, Position::First),
        "Threads a value through calls as their first argument.",
        "(-> 5 (- 1)) ;=> 4",
    ),
    SpecialForm::new(
        "->>",
        at_least(1),
        |r, _, o, t| thread::resolve_thread(r, o, t, Position::Last),
        "Threads a value through calls as their last argument.",
        "(->> [1 2] (map inc)) ;=> (2 3)",
    ),
    SpecialForm::new(
        "..",
        at_least(2),
        |r, _, o, t| thread::resolve_members(r, o, t),
        "Calls one method after another.",
        "(.. \"abc\" toUpperCase (substring 1)) ;=> \"BC\"",
    ),
    SpecialForm::new(
        "all-of",
        at_least(0),
        |r, f, o, _| r.junction(&filter::ALL_OF, f, o),
        "A predicate that holds where all of its predicates do.",
        "(filter (all-of odd? pos?) [-1 1 2]) ;=> (1)",
    ),
    SpecialForm::new(
        "and",
        at_least(0),
        branch::resolve_and,
        "The first falsy value, or the last one.",
        "(and 1 nil 2) ;=> nil",
    ),
    SpecialForm::new(
        "any-of",
        at_least(0),
        |r, f, o, _| r.junction(&filter::ANY_OF, f, o),
        "A predicate that holds where one of its predicates does.",
        "(filter (any-of odd? neg?) [-2 1 2]) ;=> (-2 1)",
    ),
    SpecialForm::new(
        "as->",
        at_least(2),
        thread::resolve_as,
        "Threads a value through forms under a name.",
        "(as-> 1 x (inc x) (* x x)) ;=> 4",
    ),
    SpecialForm::new(
        "assert",
        between(1, 2),
        control::resolve_assert,
        "An error unless the test holds.",
        "(assert (pos? 1)) ;=> nil",
    ),
    SpecialForm::new(
        "case",
        at_least(1),
        branch::resolve_case,
        "Chooses by a constant.",
        "(case 5 (1 2) :low (5 6) :mid :other) ;=> :mid",
    ),
    SpecialForm::new(
        "comment",
        at_least(0),
        control::resolve_nothing,
        "Ignores its forms.",
        "(comment (/ 1 0)) ;=> nil",
    ),
    SpecialForm::new(
        "cond",
        at_least(0),
        branch::resolve_cond,
        "The value after the first test that holds.",
        "(cond false 1 :else 2) ;=> 2",
    ),
    SpecialForm::new(
        "cond->",
        at_least(1),
        |r, f, o, _| thread::resolve_cond_thread(r, f, o, ("cond->", Position::First)),
        "Threads through the steps whose tests hold, as first argument.",
        "(cond-> 1 true inc false (* 100)) ;=> 2",
    ),
    SpecialForm::new(
        "cond->>",
        at_least(1),
        |r, f, o, _| thread::resolve_cond_thread(r, f, o, ("cond->>", Position::Last)),
        "Threads through the steps whose tests hold, as last argument.",
        "(cond->> [1 2] true (map inc)) ;=> (2 3)",
    ),
    SpecialForm::new(
        "condp",
        at_least(2),
        branch::resolve_condp,
        "Chooses by a predicate of constant and value.",
        "(condp < 5 3 :lt 10 :gt) ;=> :lt",
    ),
    SpecialForm::new(
        "declare",
        at_least(0),
        control::resolve_nothing,
        "Does nothing: names are looked up late anyway.",
        "(declare f g) ;=> nil",
    ),
    SpecialForm::new(
        "def",
        between(1, 3),
        function::resolve_def,
        "Defines a name in user/.",
        "(def x \"how many\" 1) ;=> #'x",
    )
    .reserved(),
    SpecialForm::new(
        "defn",
        at_least(2),
        function::resolve_defn,
        "Defines a function in user/.",
        "(do (defn sq \"squares\" [x] (* x x)) (sq 5)) ;=> 25",
    ),
    SpecialForm::new(
        "defn-",
        at_least(2),
        function::resolve_defn,
        "The same as defn.",
        "(do (defn- half [x] (/ x 2)) (half 4)) ;=> 2",
    ),
    SpecialForm::new(
        "defonce",
        between(2, 3),
        function::resolve_defonce,
        "Defines a name unless it is defined.",
        "(do (def a 1) (defonce a 2) a) ;=> 1",
    ),
    SpecialForm::new(
        "do",
        at_least(0),
        control::resolve_do,
        "Evaluates forms in order, gives the last value.",
        "(do 1 2) ;=> 2",
    )
    .reserved(),
    SpecialForm::new(
        "doseq",
        at_least(1),
        iteration::resolve_doseq,
        "Runs its body for every item.",
        "(doseq [x [1 2]] (println x)) ;=> nil",
    ),
    SpecialForm::new(
        "dotimes",
        at_least(1),
        iteration::resolve_dotimes,
        "Runs its body a number of times.",
        "(dotimes [i 3] (println i)) ;=> nil",
    ),
    SpecialForm::new(
        "doto",
        at_least(1),
        thread::resolve_doto,
        "Calls every step on a value and gives the value.",
        "(doto [1] (conj 2)) ;=> [1]",
    ),
    SpecialForm::new(
        "fail",
        exactly(1),
        control::resolve_fail,
        "Ends the mission as failed, with a reason.",
        "",
    )
    .reserved(),
    SpecialForm::new(
        "fn",
        at_least(1),
        function::resolve_fn,
        "A function.",
        "((fn [a & more] [a more]) 1 2 3) ;=> [1 (2 3)]",
    ),
    SpecialForm::new(
        "for",
        at_least(1),
        iteration::resolve_for,
        "A list of what its body gives for every item.",
        "(for [x [1 2 3] :when (odd? x)] (* x x)) ;=> (1 9)",
    ),
    SpecialForm::new("if", between(2, 3), branch::resolve_if, "One of two forms.", "(if nil 1 2) ;=> 2")
        .reserved(),
    SpecialForm::new(
        "if-let",
        between(2, 3),
        |r, f, o, t| binding::resolve_if_bound(r, f, o, t, ("if-let", Test::Truthy)),
        "Binds a value if it is truthy.",
        "(if-let [x (get {:a 1} :a)] x :none) ;=> 1",
    ),
    SpecialForm::new(
        "if-not",
        between(2, 3),
        branch::resolve_if_not,
        "One of two forms, the other way round.",
        "(if-not nil 1 2) ;=> 1",
    ),
    SpecialForm::new(
        "if-some",
        between(2, 3),
        |r, f, o, t| binding::resolve_if_bound(r, f, o, t, ("if-some", Test::NotNil)),
        "Binds a value if it is not nil.",
        "(if-some [x false] x :none) ;=> false",
    ),
    SpecialForm::new(
        "import",
        at_least(0),
        control::resolve_nothing,
        "Accepted and ignored.",
        "(import java.util.Date) ;=> nil",
    ),
    SpecialForm::new(
        "let",
        at_least(1),
        binding::resolve_let,
        "Names values for its body.",
        "(let [[a b] [1 2]] (+ a b)) ;=> 3",
    ),
    SpecialForm::new(
        "letfn",
        at_least(1),
        function::resolve_letfn,
        "Names functions that may call each other.",
        "(letfn [(f [x] (* 2 x))] (f 2)) ;=> 4",
    ),
    SpecialForm::new(
        "loop",
        at_least(1),
        binding::resolve_loop,
        "Names values; recur starts over with others.",
        "(loop [i 0] (if (< i 3) (recur (inc i)) i)) ;=> 3",
    ),
    SpecialForm::new(
        "memfn",
        at_least(1),
        control::resolve_method,
        "A method as a function.",
        "(map (memfn length) [\"a\" \"bb\"]) ;=> (1 2)",
    ),
    SpecialForm::new(
        "none-of",
        at_least(0),
        |r, f, o, _| r.junction(&filter::NONE_OF, f, o),
        "A predicate that holds where none of its predicates does.",
        "(filter (none-of odd? neg?) [-2 1 2]) ;=> (2)",
    ),
    SpecialForm::new(
        "ns",
        at_least(0),
        control::resolve_nothing,
        "Accepted and ignored.",
        "(ns app.core) ;=> nil",
    ),
    SpecialForm::new(
        "or",
        at_least(0),
        branch::resolve_or,
        "The first truthy value, or the last one.",
        "(or nil 2 3) ;=> 2",
    ),
    SpecialForm::new(
        "quote",
        exactly(1),
        control::resolve_quote,
        "Data as it stands.",
        "(quote [1 {:a (2)}]) ;=> [1 {:a (2)}]",
    )
    .reserved(),
    SpecialForm::new(
        "recur",
        at_least(0),
        binding::resolve_recur,
        "Starts the nearest loop or function over.",
        "(loop [x 1] (if (< x 5) (recur (inc x)) x)) ;=> 5",
    )
    .reserved(),
    SpecialForm::new(
        "require",
        at_least(0),
        control::resolve_nothing,
        "Accepted and ignored.",
        "(require '[clojure.string :as str]) ;=> nil",
    ),
    SpecialForm::new("return", exactly(1), control::resolve_return, "Ends the mission with its result.", "")
        .reserved(),
    SpecialForm::new(
        "some->",
        at_least(1),
        |r, f, o, _| thread::resolve_some_thread(r, f, o, Position::First),
        "Threads as first argument until something is nil.",
        "(some-> {:a nil} :a :b) ;=> nil",
    ),
    SpecialForm::new(
        "some->>",
        at_least(1),
        |r, f, o, _| thread::resolve_some_thread(r, f, o, Position::Last),
        "Threads as last argument until something is nil.",
        "(some->> [1 2] (map inc) (reduce +)) ;=> 5",
    ),
    SpecialForm::new(
        "throw",
        exactly(1),
        control::resolve_throw,
        "Raises an error.",
        "(try (throw \"no\") (catch Exception e (:message e))) ;=> \"no\"",
    )
    .reserved(),
    SpecialForm::new(
        "time",
        exactly(1),
        control::resolve_do,
        "The value of its form; there is no time to tell.",
        "(time (+ 1 2)) ;=> 3",
    ),
    SpecialForm::new(
        "try",
        at_least(0),
        control::resolve_try,
        "Catches errors of its body.",
        "(try (/ 1 0) (catch Exception e :bad)) ;=> :bad",
    )
    .reserved(),
    SpecialForm::new(
        "use",
        at_least(0),
        control::resolve_nothing,
        "Accepted and ignored.",
        "(use 'clojure.set) ;=> nil",
    ),
    SpecialForm::new(
        "var",
        exactly(1),
        control::resolve_var,
        "The variable of a name.",
        "(var inc) ;=> #'inc",
    )
    .reserved(),
    SpecialForm::new(
        "when",
        at_least(1),
        branch::resolve_when,
        "Its body if a test holds.",
        "(when true 1 2) ;=> 2",
    ),
    SpecialForm::new(
        "when-first",
        at_least(1),
        iteration::resolve_when_first,
        "Its body with the first item, if there is one.",
        "(when-first [x [1 2]] x) ;=> 1",
    ),
    SpecialForm::new(
        "when-let",
        at_least(1),
        |r, f, o, t| binding::resolve_when_bound(r, f, o, t, ("when-let", Test::Truthy)),
        "Its body with a value that is truthy.",
        "(when-let [x 1] (inc x)) ;=> 2",
    ),
    SpecialForm::new(
        "when-not",
        at_least(1),
        branch::resolve_when_not,
        "Its body if a test does not hold.",
        "(when-not nil 1 2) ;=> 2",
    ),
    SpecialForm::new(
        "when-some",
        at_least(1),
        |r, f, o, t| binding::resolve_when_bound(r, f, o, t, ("when-some", Test::NotNil)),
        "Its body with a value that is not nil.",
        "(when-some [x false] x) ;=> false",
    ),
    SpecialForm::new(
        "where",
        at_least(0),
        branch::resolve_where,
        "A predicate of rows.",
        "(filter (where :qty > 3) [{:qty 5} {:qty 1}]) ;=> ({:qty 5})",
    ),
    SpecialForm::new(
        "while",
        at_least(1),
        iteration::resolve_while,
        "Runs its body as long as a test holds.",
        "(while false) ;=> nil",
    ),
    SpecialForm::new(
        "with-out-str",
        at_least(0),
        control::resolve_with_out_str,
        "What its body prints, as a string.",
        "(with-out-str (println 1)) ;=> \"1\\n\"",
    ),
];

/// Forms of Clojure that do not exist here, and what to write instead; sorted by name.
static UNSUPPORTED: &[(&str, &str)] = &[
    (".", "write (.method object)"),
    ("binding", "dynamic variables do not exist; pass the value as an argument"),
    ("call", "use (tool/NAME …)"),
    ("defmacro", "macros do not exist; write a function with defn"),
    ("defmethod", "use defn with cond or case"),
    ("defmulti", "use defn with cond or case"),
    ("defprotocol", "use maps and functions"),
    ("defrecord", "use maps"),
    ("deftype", "use maps"),
    ("dosync", "mutable state is not available; use def, reduce or loop"),
    ("eval", "write the form itself"),
    ("extend-protocol", "use maps and functions"),
    ("extend-type", "use maps and functions"),
    ("future", "programs run in one thread; call the function directly"),
    ("lazy-seq", "use range or iterate with take"),
    ("locking", "programs run in one thread; call the function directly"),
    ("monitor-enter", "programs run in one thread; call the function directly"),
    ("new", "objects do not exist; use the functions of the language"),
    ("proxy", "use maps and functions"),
    ("reify", "use maps and functions"),
    ("set!", "mutable state is not available; use def, reduce or loop"),
    ("with-local-vars", "mutable state is not available; use def, reduce or loop"),
    ("with-open", "there is no input or output; use tools and data"),
    ("with-precision", "decimals do not exist; use round or format"),
    ("with-redefs", "pass the function as an argument"),
];

/// The special form of this name; `clojure.core/NAME` is the form itself.
pub(super) fn find(name: &str) -> Option<&'static SpecialForm> {
    static BY_NAME: LazyLock<FxHashMap<&str, &SpecialForm>> =
        LazyLock::new(|| SPECIAL_FORMS.iter().map(|form| (form.name, form)).collect());
    let bare = name.strip_prefix("clojure.core/").or_else(|| name.strip_prefix("core/")).unwrap_or(name);
    BY_NAME.get(bare).copied()
}

/// What to write instead of a form that does not exist here.
pub(super) fn find_unsupported(name: &str) -> Option<(&'static str, &'static str)> {
    UNSUPPORTED.binary_search_by_key(&name, |(name, _)| name).ok().map(|index| UNSUPPORTED[index])
}

/// Names that a `def` anywhere in these forms defines.
pub(super) fn names_defined_in(forms: &[Form]) -> FxHashSet<Symbol> {
    let mut names = FxHashSet::default();
    forms.iter().for_each(|form| collect_defined(form, &mut names));
    names
}

fn collect_defined(form: &Form, names: &mut FxHashSet<Symbol>) {
    match &form.kind {
        FormKind::List(items) | FormKind::ShortFn(items) => {
            if let [head, name, ..] = items.as_slice()
                && let (Some(head), Some(name)) = (head.as_symbol(), name.as_symbol())
                && matches!(head.name(), "def" | "defn" | "defn-" | "defonce")
            {
                names.insert(name);
            }
            items.iter().for_each(|item| collect_defined(item, names));
        }
        FormKind::Vector(items) | FormKind::Map(items) | FormKind::Set(items) => {
            items.iter().for_each(|item| collect_defined(item, names));
        }
        _ => {}
    }
}

impl Resolver<'_> {
    /// `(all-of predicate…)` and its kin.
    fn junction(&mut self, builtin: &'static Builtin, form: &Form, operands: &[Form]) -> Expr {
        let arguments = self.values(operands);
        builtin_call(builtin, arguments, form.span)
    }
}
