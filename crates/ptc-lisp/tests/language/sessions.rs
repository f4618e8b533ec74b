//! Sessions: docstrings of definitions, and preludes.

use ptc_lisp::limits::Limits;
use ptc_lisp::print::pr_str;
use ptc_lisp::session::{Ended, Environment, NoTools, Session};

const PRELUDE: &str = "(ns shop.stock \"Stock.\" {:visibility :prompt})
    (def limit 2)
    (defn- small? [n] (< n limit))
    (defn rate [count] (if (small? count) :small (shop.stock/large count)))
    (defn large [n] [:large n #'limit])";

fn session() -> Session {
    Session::new(Environment::default(), Limits::default())
}

#[test]
fn programs_call_the_definitions_of_preludes_and_cannot_change_them() {
    let mut session = session();
    session.load("prelude", PRELUDE).unwrap();
    session.load("prelude", "(ns app) (defn twice [n] (mapv shop.stock/rate [n (* 2 n)]))").unwrap();
    let mut values = Vec::new();
    for (program, turn) in [
        "(def limit 100) (defn small? [n] false) (app/twice 1)",
        "[(map shop.stock/rate [0]) shop.stock/limit limit]",
        "(shop.stock/none 1)",
        "(def shop.stock/limit 3)",
    ]
    .into_iter()
    .zip(1..)
    {
        let outcome = session.run("program", program, turn, &mut NoTools);
        values.push(match outcome.ended {
            Ended::Value(value) => pr_str(&value),
            Ended::Error(error) => error.message.into(),
            other => format!("{other:?}"),
        });
        session.commit(None);
    }
    let expected = [
        "[:small [:large 2 #'shop.stock/limit]]",
        "[(:small) 2 100]",
        "'shop.stock/none' does not exist: no prelude defines it at line 1, column 2",
        "Invalid def: expected a name without namespace at line 1, column 6",
    ];
    assert_eq!(values, expected);
    let names: Vec<&str> = session.memory().iter().map(|definition| definition.name.name()).collect();
    assert_eq!(names, ["limit", "small?"]);
}

#[test]
fn a_prelude_that_cannot_be_loaded_says_why() {
    for (prelude, reason) in [
        ("(def a 1)", "a prelude begins with (ns NAME)"),
        ("", "a prelude begins with (ns NAME)"),
        ("(ns a", "unclosed '('"),
        ("(ns a) (return 1)", "nothing to return"),
        ("(ns a) (def b (tool/get))", "Unknown tool: get"),
    ] {
        let error = session().load("prelude", prelude).unwrap_err();
        assert!(error.message.contains(reason), "{prelude}: {}", error.message);
    }
}

/// DEF-007: what is left of the semicolons must not double the blanks around them.
#[test]
fn docstrings_lose_semicolons_and_line_breaks() {
    for (text, expected) in
        [("a ;\n b; c", Some("a b c")), ("keeps  two blanks", Some("keeps  two blanks")), (" ;; \n", None)]
    {
        let mut session = session();
        session.run("program", &format!("(defn f \"{text}\" [] 1)"), 1, &mut NoTools);
        session.commit(None);
        let docs: Vec<_> =
            session.memory().iter().map(|definition| definition.docstring.as_deref()).collect();
        assert_eq!(docs, [expected]);
    }
}
