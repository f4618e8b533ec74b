#![no_main]

#[path = "../../crates/ptc-lisp/tests/language/inputs.rs"]
#[allow(dead_code)] // each target calls one of the functions
mod language;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| language::evaluator(bytes));
