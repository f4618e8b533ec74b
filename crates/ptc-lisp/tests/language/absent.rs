//! The table of names that do not exist.

use ptc_lisp::builtins;
use ptc_lisp::resolve::SPECIAL_FORMS;

use super::golden::rows;

const TABLE: &str = include_str!("../../src/hint/absent.tsv");

fn names(kind: &'static str) -> Vec<&'static str> {
    rows(TABLE, kind).flat_map(|[names, _]: [&str; 2]| names.split(' ')).collect()
}

#[test]
fn names_are_sorted_and_stand_in_one_row() {
    for kind in ["form", "name", "qualified", "namespace"] {
        let table: Vec<[&str; 2]> = rows(TABLE, kind).collect();
        assert!(table.is_sorted() && table.iter().all(|[names, _]| names.split(' ').is_sorted()));
        let mut names = names(kind);
        names.sort();
        assert!(names.len() > 10 && names.windows(2).all(|pair| pair[0] != pair[1]));
    }
}

#[test]
fn names_that_exist_have_no_row() {
    for name in ["name", "qualified"].into_iter().flat_map(names) {
        assert!(builtins::value(name).is_none(), "{name}");
        assert!(SPECIAL_FORMS.iter().all(|form| form.name != name), "{name}");
    }
}
