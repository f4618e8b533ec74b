//! The table of special forms and macros: names in operator position that mean something of their own.

use std::sync::LazyLock;

use super::binding::Test;
use super::namespace::Given;
use super::thread::Position;
use super::*;
use crate::builtins::{Arity, LAZY_SEQ, WITH_OUT_STR, at_least, between, exactly, filter};
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
    /// One line, for people and for the model.
    pub doc: &'static str,
    /// `EXPRESSION ;=> VALUE`, run by a test; empty for forms that leave the program.
    pub example: &'static str,
}

/// Makes the tree of a form: the form, its operands, and whether it stands in tail position.
type Resolve = fn(&mut Resolver<'_>, &Form, &[Form], Tail) -> Expr;

macro_rules! special_forms {
    ($($($reserved:ident)? $name:literal [$arity:expr] $doc:literal $example:literal => $resolve:expr;)*) => {
        /// All special forms, sorted by name.
        pub static SPECIAL_FORMS: &[SpecialForm] = &[$(SpecialForm {
            name: $name,
            arity: $arity,
            is_reserved: !<[&str]>::is_empty(&[$(stringify!($reserved))?]),
            resolve: $resolve,
            doc: $doc,
            example: $example,
        }),*];
    };
}

special_forms! {
    "->" [at_least(1)] "Threads a value through calls as their first argument."
        "(-> 5 (- 1)) ;=> 4" => |r, _, o, t| thread::resolve_thread(r, o, t, Position::First);
    "->>" [at_least(1)] "Threads a value through calls as their last argument."
        "(->> [1 2] (map inc)) ;=> (2 3)" => |r, _, o, t| thread::resolve_thread(r, o, t, Position::Last);
    ".." [at_least(2)] "Calls one method after another."
        "(.. \"abc\" toUpperCase (substring 1)) ;=> \"BC\"" => thread::resolve_members;
    "all-of" [at_least(0)] "A predicate that holds where all of its predicates do."
        "(filter (all-of odd? pos?) [-1 1 2]) ;=> (1)" => |r, f, o, _| r.junction(&filter::ALL_OF, f, o);
    "and" [at_least(0)] "The first falsy value, or the last one."
        "(and 1 nil 2) ;=> nil" => |r, _, o, t| r.chain(o, t).map_or(Expr::constant(Value::Bool(true)), Expr::And);
    "any-of" [at_least(0)] "A predicate that holds where one of its predicates does."
        "(filter (any-of odd? neg?) [-2 1 2]) ;=> (-2 1)" => |r, f, o, _| r.junction(&filter::ANY_OF, f, o);
    "as->" [at_least(2)] "Threads a value through forms under a name."
        "(as-> 1 x (inc x) (* x x)) ;=> 4" => thread::resolve_as;
    "assert" [between(1, 2)] "An error unless the test holds."
        "(assert (pos? 1)) ;=> nil" => control::resolve_assert;
    "case" [at_least(1)] "Chooses by a constant."
        "(case 5 (1 2) :low (5 6) :mid :other) ;=> :mid" => branch::resolve_case;
    "comment" [at_least(0)] "Ignores its forms."
        "(comment (/ 1 0)) ;=> nil" => |_, _, _, _| nil();
    "cond" [at_least(0)] "The value after the first test that holds."
        "(cond false 1 :else 2) ;=> 2" => branch::resolve_cond;
    "cond->" [at_least(1)] "Threads through the steps whose tests hold, as first argument."
        "(cond-> 1 true inc false (* 100)) ;=> 2"
        => |r, f, o, t| thread::resolve_cond_thread(r, f, o, t, ("cond->", Position::First));
    "cond->>" [at_least(1)] "Threads through the steps whose tests hold, as last argument."
        "(cond->> [1 2] true (map inc)) ;=> (2 3)"
        => |r, f, o, t| thread::resolve_cond_thread(r, f, o, t, ("cond->>", Position::Last));
    "condp" [at_least(2)] "Chooses by a predicate of constant and value."
        "(condp < 5 3 :lt 10 :gt) ;=> :lt" => branch::resolve_condp;
    "declare" [at_least(0)] "Does nothing: names are looked up late anyway."
        "(declare f g) ;=> nil" => |_, _, _, _| nil();
    reserved "def" [between(1, 3)] "Defines a name in user/."
        "(def x \"how many\" 1) ;=> #'x" => |r, _, o, _| r.definition("def", o, false);
    "defn" [at_least(2)] "Defines a function in user/."
        "(do (defn sq \"squares\" [x] (* x x)) (sq 5)) ;=> 25" => function::resolve_defn;
    "defn-" [at_least(2)] "The same as defn."
        "(do (defn- half [x] (/ x 2)) (half 4)) ;=> 2" => function::resolve_defn;
    "defonce" [between(2, 3)] "Defines a name unless it is defined."
        "(do (def a 1) (defonce a 2) a) ;=> 1" => |r, _, o, _| r.definition("defonce", o, true);
    reserved "do" [at_least(0)] "Evaluates forms in order, gives the last value."
        "(do 1 2) ;=> 2" => |r, _, o, t| r.body(o, t);
    "doseq" [at_least(1)] "Runs its body for every item."
        "(doseq [x [1 2]] (println x)) ;=> nil" => |r, f, o, _| r.iterate("doseq", f, o, false);
    "dotimes" [at_least(1)] "Runs its body a number of times."
        "(dotimes [i 3] (println i)) ;=> nil" => iteration::resolve_dotimes;
    "doto" [at_least(1)] "Calls every step on a value and gives the value."
        "(doto [1] (conj 2)) ;=> [1]" => thread::resolve_doto;
    reserved "fail" [exactly(1)] "Ends the mission as failed, with a reason."
        "" => |r, f, o, _| r.leave(Way::Fail, f, o);
    "fn" [at_least(1)] "A function."
        "((fn [a & more] [a more]) 1 2 3) ;=> [1 (2 3)]" => function::resolve_fn;
    "for" [at_least(1)] "A list of what its body gives for every item."
        "(for [x [1 2 3] :when (odd? x)] (* x x)) ;=> (1 9)" => |r, f, o, _| r.iterate("for", f, o, true);
    reserved "if" [between(2, 3)] "One of two forms."
        "(if nil 1 2) ;=> 2" => |r, _, o, t| r.choice(o, t, true);
    "if-let" [between(2, 3)] "Binds a value if it is truthy."
        "(if-let [x (get {:a 1} :a)] x :none) ;=> 1"
        => |r, f, o, t| r.if_bound("if-let", Test::Truthy, f, o, t);
    "if-not" [between(2, 3)] "One of two forms, the other way round."
        "(if-not nil 1 2) ;=> 1" => |r, _, o, t| r.choice(o, t, false);
    "if-some" [between(2, 3)] "Binds a value if it is not nil."
        "(if-some [x false] x :none) ;=> false" => |r, f, o, t| r.if_bound("if-some", Test::NotNil, f, o, t);
    "import" [at_least(0)] "Accepted and ignored."
        "(import java.util.Date) ;=> nil" => |_, _, _, _| nil();
    "lazy-seq" [at_least(0)] "A sequence whose body is evaluated once its first item is read, each time anew."
        "(take 3 ((fn up [n] (lazy-seq (cons n (up (inc n))))) 1)) ;=> (1 2 3)"
        => |r, f, o, _| control::resolve_delayed(r, f, o, &LAZY_SEQ);
    "let" [at_least(1)] "Names values for its body."
        "(let [[a b] [1 2]] (+ a b)) ;=> 3" => binding::resolve_let;
    "letfn" [at_least(1)] "Names functions that may call each other."
        "(letfn [(f [x] (* 2 x))] (f 2)) ;=> 4" => function::resolve_letfn;
    "loop" [at_least(1)] "Names values; recur starts over with others."
        "(loop [i 0] (if (< i 3) (recur (inc i)) i)) ;=> 3" => binding::resolve_loop;
    "memfn" [at_least(1)] "A method as a function."
        "(map (memfn length) [\"a\" \"bb\"]) ;=> (1 2)" => |r, _, o, _| r.value(&thread::as_method(&o[0]));
    "none-of" [at_least(0)] "A predicate that holds where none of its predicates does."
        "(filter (none-of odd? neg?) [-2 1 2]) ;=> (2)" => |r, f, o, _| r.junction(&filter::NONE_OF, f, o);
    "ns" [at_least(0)] "Names namespaces and what they hold."
        "(ns app.core) ;=> nil" => |_, _, _, _| nil();
    "or" [at_least(0)] "The first truthy value, or the last one."
        "(or nil 2 3) ;=> 2" => |r, _, o, t| r.chain(o, t).map_or(nil(), Expr::Or);
    reserved "quote" [exactly(1)] "Data as it stands."
        "(quote [1 {:a (2)}]) ;=> [1 {:a (2)}]" => |r, _, o, _| r.quote(&o[0]);
    reserved "recur" [at_least(0)] "Starts the nearest loop or function over."
        "(loop [x 1] (if (< x 5) (recur (inc x)) x)) ;=> 5" => binding::resolve_recur;
    "require" [at_least(0)] "Names namespaces and what they hold."
        "(require '[clojure.string :as str]) ;=> nil" => |_, _, _, _| nil();
    reserved "return" [exactly(1)] "Ends the mission with its result."
        "" => |r, f, o, _| r.leave(Way::Return, f, o);
    "some->" [at_least(1)] "Threads as first argument until something is nil."
        "(some-> {:a nil} :a :b) ;=> nil" => |r, f, o, t| thread::resolve_some_thread(r, f, o, t, Position::First);
    "some->>" [at_least(1)] "Threads as last argument until something is nil."
        "(some->> [1 2] (map inc) (reduce +)) ;=> 5"
        => |r, f, o, t| thread::resolve_some_thread(r, f, o, t, Position::Last);
    reserved "throw" [exactly(1)] "Raises an error."
        "(try (throw \"no\") (catch Exception e (:message e))) ;=> \"no\"" => |r, f, o, _| r.leave(Way::Throw, f, o);
    "time" [exactly(1)] "The value of its form; there is no time to tell."
        "(time (+ 1 2)) ;=> 3" => |r, _, o, t| r.body(o, t);
    reserved "try" [at_least(0)] "Catches errors of its body."
        "(try (/ 1 0) (catch Exception e :bad)) ;=> :bad" => control::resolve_try;
    "use" [at_least(0)] "Names namespaces and what they hold."
        "(use 'clojure.set) ;=> nil" => |_, _, _, _| nil();
    reserved "var" [exactly(1)] "The variable of a name."
        "(var inc) ;=> #'inc" => control::resolve_var;
    "when" [at_least(1)] "Its body if a test holds."
        "(when true 1 2) ;=> 2" => |r, _, o, t| Expr::choose(r.value(&o[0]), r.body(&o[1..], t), nil());
    "when-first" [at_least(1)] "Its body with the first item, if there is one."
        "(when-first [x [1 2]] x) ;=> 1" => iteration::resolve_when_first;
    "when-let" [at_least(1)] "Its body with a value that is truthy."
        "(when-let [x 1] (inc x)) ;=> 2" => |r, f, o, t| r.when_bound("when-let", Test::Truthy, f, o, t);
    "when-not" [at_least(1)] "Its body if a test does not hold."
        "(when-not nil 1 2) ;=> 2" => |r, _, o, t| Expr::choose(r.value(&o[0]), nil(), r.body(&o[1..], t));
    "when-some" [at_least(1)] "Its body with a value that is not nil."
        "(when-some [x false] x) ;=> false" => |r, f, o, t| r.when_bound("when-some", Test::NotNil, f, o, t);
    "where" [at_least(0)] "A predicate of rows."
        "(filter (where :qty > 3) [{:qty 5} {:qty 1}]) ;=> ({:qty 5})" => branch::resolve_where;
    "while" [at_least(1)] "Runs its body as long as a test holds."
        "(while false) ;=> nil" => iteration::resolve_while;
    "with-out-str" [at_least(0)] "What its body prints, as a string."
        "(with-out-str (println 1)) ;=> \"1\\n\""
        => |r, f, o, _| control::resolve_delayed(r, f, o, &WITH_OUT_STR);
}

/// The special form of this name; `clojure.core/NAME` is the form itself.
pub(super) fn find(name: &str) -> Option<&'static SpecialForm> {
    static BY_NAME: LazyLock<FxHashMap<&str, &SpecialForm>> =
        LazyLock::new(|| SPECIAL_FORMS.iter().map(|form| (form.name, form)).collect());
    let bare = name.strip_prefix("clojure.core/").or_else(|| name.strip_prefix("core/")).unwrap_or(name);
    BY_NAME.get(bare).copied()
}

/// Names that a `def` anywhere in these forms defines, and those that they give to what namespaces hold.
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
    /// `(all-of predicate…)` and its kin.
    fn junction(&mut self, builtin: &'static Builtin, form: &Form, operands: &[Form]) -> Expr {
        let arguments = self.values(operands);
        builtin_call(builtin, arguments, form.span)
    }
}
