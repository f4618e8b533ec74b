//! Prints one table: the bench programs in this interpreter and in others, each from its source text every
//! time, the fastest of many runs. `run.sh` builds and starts it, and hands it what nbb needed.

use std::fmt::Display;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use ptc_lisp::error::{Error, ErrorKind, Eval};
use ptc_lisp::eval::Interpreter;
use ptc_lisp::limits::Limits;
use ptc_lisp::session::{Ended, Environment, Host, Session, ToolRequest};
use ptc_lisp::value::Value;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How long one program is run again and again.
const PATIENCE: Duration = Duration::from_secs(1);

fn main() {
    let nbb = std::env::args().nth(1).map(|path| fs::read_to_string(path).expect("nbb.mjs wrote it"));
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    println!("| program | ptc-eval | nbb | koto | rhai |\n|---|---|---|---|---|");
    let mut programs: Vec<_> =
        fs::read_dir(here.join("../programs")).expect("programs").map(|entry| entry.expect("entry").path()).collect();
    programs.sort();
    for path in programs {
        let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        let source = fs::read_to_string(&path).expect("readable");
        let (value, ours) = best(|| lisp(&source));
        let by_nbb = nbb.as_deref().and_then(|table| table.lines().find_map(|line| row(line, name, &value)));
        let translated = |language: &str| fs::read_to_string(here.join(format!("{language}/{name}.{language}"))).ok();
        let in_koto = translated("koto").map(|source| checked(name, &value, best(|| koto(&source))));
        let in_rhai = translated("rhai").map(|source| checked(name, &value, best(|| rhai(&source))));
        println!("| {name} | {} | {} | {} | {} |", cell(Some(ours)), cell(by_nbb), cell(in_koto), cell(in_rhai));
    }
}

/// Milliseconds of the fastest run, and what it gave.
fn best(run: impl Fn() -> String) -> (String, f64) {
    let (value, mut best, start) = (run(), Duration::MAX, Instant::now());
    while start.elapsed() < PATIENCE {
        let begin = Instant::now();
        std::hint::black_box(run());
        best = best.min(begin.elapsed());
    }
    (value, best.as_secs_f64() * 1e3)
}

/// A fast wrong answer is no good news.
fn checked(name: &str, expected: &str, (value, time): (String, f64)) -> f64 {
    assert_eq!(value, expected, "{name}");
    time
}

fn cell(time: Option<f64>) -> String {
    time.map_or(String::new(), |time| if time < 1.0 { format!("{time:.3}") } else { format!("{time:.1}") })
}

/// A row of `nbb.mjs`; maps and the like may be printed in another order, so only scalars are compared.
fn row(line: &str, name: &str, expected: &str) -> Option<f64> {
    let mut columns = line.split('\t');
    let time = (columns.next()? == name).then(|| columns.next())??.parse().ok()?;
    let value = columns.next()?;
    assert!(value == expected || value.contains('{'), "{name}: nbb gives {value}, expected {expected}");
    Some(time)
}

struct NoTools;

impl Host for NoTools {
    fn call_tool(&mut self, _: &mut Interpreter<'_>, request: ToolRequest) -> Eval<Value> {
        Err(Error::new(ErrorKind::ToolNotFound, request.name.name()).into())
    }
}

fn lisp(source: &str) -> String {
    let limits = Limits { ticks: u64::MAX, memory_mib: 1 << 20, ..Limits::default() };
    match Session::new(Environment::default(), limits).run("peers", source, 1, &mut NoTools).ended {
        Ended::Value(value) => ptc_lisp::print::pr_str(&value),
        other => panic!("{other:?}"),
    }
}

fn koto(source: &str) -> String {
    let mut koto = koto::Koto::default();
    let value = unwrap(koto.compile_and_run(source));
    unwrap(koto.value_to_string(value))
}

fn rhai(source: &str) -> String {
    unwrap(rhai::Engine::new().eval::<rhai::Dynamic>(source)).to_string()
}

fn unwrap<T, E: Display>(result: Result<T, E>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}
