//! A local is moved out where it is read last, so that collections change in place. That must not show: a
//! program does the same when every local is named once more after its last use, so that none is moved.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use ptc_lisp::print::pr_str;
use ptc_lisp::session::Ended;

use super::golden::run;

/// An expression whose value is a small vector. Numbers are small, and so are copies: they cost no ticks.
#[derive(Clone, Debug)]
enum Vector {
    Literal(Vec<i8>),
    /// A local in scope; a literal where there is none.
    Local(Index),
    /// A template with `$` for one vector.
    Of(&'static str, Box<Vector>),
    /// A template with `$` for two vectors, from left to right.
    OfTwo(&'static str, Box<Vector>, Box<Vector>),
    /// `(let [local value] body)`
    Let(Box<Vector>, Box<Vector>),
    /// `((fn [local other] body) first second)`
    Call(Box<Vector>, Box<Vector>, Box<Vector>),
    /// `(reduce (fn [local element] body) start [0 1 2])`
    Reduce(Box<Vector>, Box<Vector>),
    /// `(loop [local start, round 0] (if (< round 3) (recur next (inc round)) end))`
    Loop(Box<Vector>, Box<Vector>, Box<Vector>),
}

const OF_ONE: &[&str] = &[
    "(conj $ 7)",
    "(assoc (conj $ 1) 0 9)",
    "(update (conj $ 1) 0 inc)",
    "(pop (conj $ 8))",
    "(vec (rest $))",
    "(vec (reverse $))",
    "(mapv inc $)",
    "(vec (cons 5 $))",
    "(vec (take 4 $))",
    "(vec (sort $))",
    "(vec (for [x $ :when (odd? x)] x))",
    "(do (println (count $)) [1])",
    "(try (nth $ 2) [2] (catch Exception e [3]))",
    "(vec (vals (assoc (zipmap $ (range 9)) :k 1)))",
    "(:k (update {:k $} :k conj 4))",
    "(get-in (assoc-in {:k {:v $}} [:k :w] 1) [:k :v])",
    "(vec (set $))",
    "(let [[a & more] $] (vec (conj more a)))",
    "(let [{:keys [k] :as m} {:k $}] (conj k (count m)))",
    "((fn [& all] (conj (first all) 2)) $)",
    "(case (count $) 0 [0] 1 [1] [2])",
    "(letfn [(f [v n] (if (< n 3) (f (conj v n) (inc n)) v))] (f $ 0))",
    "(let [f (let [held $] (fn [] (conj held 6)))] (into (f) (f)))",
];

const OF_TWO: &[&str] = &[
    "(into $ $)",
    "(if (> (count $) 3) $ [3])",
    "(vec (or (seq $) $))",
    "(and $ $)",
    "(reduce conj $ $)",
    "(conj $ (count $))",
    "(vec (concat $ $))",
    "(mapv + $ $)",
    "(vec (distinct [(count $) (count $)]))",
    "(first [$ $])",
    "(vec (when-let [a (seq $)] (into $ a)))",
    "(assoc (conj $ 0) 0 (count $))",
    "(try (throw $) (catch Exception e (conj $ 1)))",
];

fn vector() -> impl Strategy<Value = Vector> {
    let leaf = prop_oneof![
        1 => prop::collection::vec(any::<i8>(), 0..4).prop_map(Vector::Literal),
        3 => any::<Index>().prop_map(Vector::Local),
    ];
    leaf.prop_recursive(6, 40, 3, |inner| {
        let inner = inner.prop_map(Box::new);
        let (a, b, c) = (inner.clone(), inner.clone(), inner.clone());
        prop_oneof![
            3 => (select(OF_ONE), a.clone()).prop_map(|(template, a)| Vector::Of(template, a)),
            3 => (select(OF_TWO), a.clone(), b.clone()).prop_map(|(template, a, b)| Vector::OfTwo(template, a, b)),
            3 => (a.clone(), b.clone()).prop_map(|(a, b)| Vector::Let(a, b)),
            2 => (a.clone(), b.clone(), c.clone()).prop_map(|(a, b, c)| Vector::Call(a, b, c)),
            1 => (a.clone(), b.clone()).prop_map(|(a, b)| Vector::Reduce(a, b)),
            2 => (a, b, c).prop_map(|(a, b, c)| Vector::Loop(a, b, c)),
        ]
    })
}

/// Whether locals are named once more after their last use.
#[derive(Clone, Copy, PartialEq)]
enum Locals {
    Moved,
    Kept,
}

impl Vector {
    /// The text of the expression where this many locals are in scope, `v0` first.
    fn text(&self, scope: usize, locals: Locals) -> String {
        let text = |vector: &Vector| vector.text(scope, locals);
        let kept = |local: usize, body: String| match locals {
            Locals::Moved => body,
            Locals::Kept => format!("(let [result {body}] v{local} result)"),
        };
        match self {
            Vector::Literal(items) => format!("{items:?}").replace(',', ""),
            Vector::Local(_) if scope == 0 => "[1 2 3]".to_string(),
            Vector::Local(index) => format!("v{}", index.index(scope)),
            Vector::Of(template, a) => template.replacen('$', &text(a), 1),
            Vector::OfTwo(template, a, b) => template.replacen('$', &text(a), 1).replacen('$', &text(b), 1),
            Vector::Let(value, body) => {
                let body = kept(scope, body.text(scope + 1, locals));
                format!("(let [v{scope} {}] {body})", text(value))
            }
            Vector::Call(first, second, body) => {
                let body = kept(scope, kept(scope + 1, body.text(scope + 2, locals)));
                format!("((fn [v{scope} v{}] {body}) {} {})", scope + 1, text(first), text(second))
            }
            Vector::Reduce(start, body) => {
                let body = kept(scope, body.text(scope + 1, locals));
                format!("(reduce (fn [v{scope} _] (vec (take 9 {body}))) {} [0 1 2])", text(start))
            }
            Vector::Loop(start, next, end) => {
                let next = kept(scope, next.text(scope + 1, locals));
                let end = kept(scope, end.text(scope + 1, locals));
                let (start, round) = (text(start), format!("round{scope}"));
                format!(
                    "(loop [v{scope} {start} {round} 0] \
                     (if (< {round} 3) (recur (vec (take 9 {next})) (inc {round})) {end}))"
                )
            }
        }
    }
}

/// How a program ends, what it prints and what it spends.
fn behaviour(program: &str) -> String {
    let outcome = run(program);
    let ended = match outcome.ended {
        Ended::Value(value) => pr_str(&value),
        Ended::Return(value) | Ended::Fail(value) => format!("left with {}", pr_str(&value)),
        Ended::Error(error) => format!("{} {}", error.kind, error.message),
    };
    format!("{ended} {:?} {} ticks, {} bytes", outcome.prints, outcome.usage.ticks, outcome.usage.allocated)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn moving_the_last_use_does_not_show(vector in vector()) {
        let (moved, kept) = (vector.text(0, Locals::Moved), vector.text(0, Locals::Kept));
        prop_assert_eq!(behaviour(&moved), behaviour(&kept), "{}\n{}", moved, kept);
    }
}
