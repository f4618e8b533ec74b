//! The interpreter on whole programs, each from its source text every time: `cargo bench -p ptc-bench --bench language`.

#![allow(clippy::expect_used, clippy::panic)]

use std::fs;
use std::hint::black_box;
use std::path::PathBuf;

use criterion::{Criterion, criterion_group, criterion_main};
use ptc_lisp::limits::Limits;
use ptc_lisp::print::pr_str;
use ptc_lisp::session::{Ended, Environment, NoTools, Session};

/// The one that the program has.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The value of each program, so that a fast wrong answer fails.
const EXPECTED: &[(&str, &str)] = &[
    (
        "01_filter_sort_group",
        "[[\"ops\" 166 526361 916] [\"sales\" 166 489028 967] [\"lab\" 167 488538 434] [\"it\" 167 509950 193]]",
    ),
    ("02_fib20", "6765"),
    ("03_loop_100k", "299995"),
    ("03b_loop_1k", "2997"),
    ("04_string_build", "[4000 \"0-1+2-3+4-5+6-7+8-9+\" 11426 \"K0=0,K1=1,K2=4,K3=9,K4=1\"]"),
    ("05_nested_reduce", "406899"),
    ("06_destructuring", "[5046771 [\"n0\" 0] [\"n999\" 10133]]"),
    ("07_regex", "[100 49410 {\"gw\" 34, \"mail\" 33, \"db\" 33} 4]"),
    ("08_frequencies", "[106 [\"w10\" \"w102\" \"w104\" \"w106\" \"w108\"] 6000]"),
    ("09_assoc_update", "[200 5656 100 100 24950]"),
    ("10_threading_cond", "[99 397 396 99 5 true]"),
    ("peer_closures", "4999950000"),
    ("peer_fib", "75025"),
    ("peer_nested", "10000"),
    ("peer_records", "133859"),
    ("peer_strings", "98890"),
    ("peer_sum", "499999500000"),
];

fn limits() -> Limits {
    Limits { ticks: u64::MAX, memory_mib: 1 << 20, ..Limits::default() }
}

fn evaluate(program: &str) -> Ended {
    Session::new(Environment::default(), limits()).run("bench", program, 1, &mut NoTools).ended
}

fn programs(c: &mut Criterion) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("programs");
    for (name, expected) in EXPECTED {
        let program = fs::read_to_string(folder.join(format!("{name}.clj"))).expect("the program is there");
        match evaluate(&program) {
            Ended::Value(value) => assert_eq!(pr_str(&value), *expected, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
        c.bench_function(name, |b| b.iter(|| evaluate(black_box(&program))));
    }
}

fn start(c: &mut Criterion) {
    c.bench_function("new interpreter", |b| b.iter(|| evaluate(black_box("1"))));
}

criterion_group!(benches, programs, start);
criterion_main!(benches);
