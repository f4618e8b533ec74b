//! Locals are moved at their last use, so that collections change in place. Programs behave the same if every
//! local is used once more at the end, so that none is moved.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::golden::{rows, run};
use super::shown;

/// An expression with a small vector as its value. Numbers and copies are small, so they cost no ticks.
#[derive(Clone, Debug)]
enum Vector {
    Literal(Vec<i8>),
    /// A local in scope; a literal if there is none.
    Local(Index),
    /// A template with a `$` for each vector.
    Of(&'static str, Vec<Vector>),
    /// `(let [local value] body)`
    Let(Box<[Vector; 2]>),
    /// `((fn [local other] body) first second)`
    Call(Box<[Vector; 3]>),
    /// `(reduce (fn [local element] body) start [0 1 2])`
    Reduce(Box<[Vector; 2]>),
    /// `(loop [local start, round 0] (if (< round 3) (recur next (inc round)) end))`
    Loop(Box<[Vector; 3]>),
}

fn templates(kind: &'static str) -> impl Strategy<Value = &'static str> {
    select(rows(include_str!("moved.tsv"), kind).map(|[template]| template).collect::<Vec<_>>())
}

fn vector() -> impl Strategy<Value = Vector> {
    let leaf = prop_oneof![
        1 => prop::collection::vec(any::<i8>(), 0..4).prop_map(Vector::Literal),
        3 => any::<Index>().prop_map(Vector::Local),
    ];
    leaf.prop_recursive(6, 40, 3, |inner| {
        let two = || [inner.clone(), inner.clone()].prop_map(Box::new);
        let three = || [inner.clone(), inner.clone(), inner.clone()].prop_map(Box::new);
        prop_oneof![
            3 => (templates("one"), inner.clone()).prop_map(|(template, a)| Vector::Of(template, vec![a])),
            3 => (templates("two"), two()).prop_map(|(template, ab)| Vector::Of(template, ab.to_vec())),
            3 => two().prop_map(Vector::Let),
            2 => three().prop_map(Vector::Call),
            1 => two().prop_map(Vector::Reduce),
            2 => three().prop_map(Vector::Loop),
        ]
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Locals {
    Moved,
    Kept,
}

impl Vector {
    /// The text of the expression with this many locals in scope, `v0` first.
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
            Vector::Of(template, parts) => {
                parts.iter().fold(template.to_string(), |all, part| all.replacen('$', &text(part), 1))
            }
            Vector::Let(parts) => {
                let [value, body] = &**parts;
                let body = kept(scope, body.text(scope + 1, locals));
                format!("(let [v{scope} {}] {body})", text(value))
            }
            Vector::Call(parts) => {
                let [first, second, body] = &**parts;
                let body = kept(scope, kept(scope + 1, body.text(scope + 2, locals)));
                format!("((fn [v{scope} v{}] {body}) {} {})", scope + 1, text(first), text(second))
            }
            Vector::Reduce(parts) => {
                let [start, body] = &**parts;
                let body = kept(scope, body.text(scope + 1, locals));
                format!("(reduce (fn [v{scope} _] (vec (take 9 {body}))) {} [0 1 2])", text(start))
            }
            Vector::Loop(parts) => {
                let [start, next, end] = &**parts;
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

/// The ending, prints and cost of a program.
fn behaviour(program: &str) -> String {
    let outcome = run(program);
    let (prints, usage) = (&outcome.prints, outcome.usage);
    format!("{} {prints:?} {} ticks, {} bytes", shown(&outcome), usage.ticks, usage.allocated)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn moving_locals_changes_no_outcome(vector in vector()) {
        let (moved, kept) = (vector.text(0, Locals::Moved), vector.text(0, Locals::Kept));
        prop_assert_eq!(behaviour(&moved), behaviour(&kept), "{}\n{}", moved, kept);
    }
}
