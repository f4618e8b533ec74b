#![no_main]

#[path = "../inputs.rs"]
#[allow(dead_code)] // each target takes one of them
mod inputs;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| inputs::scenario(bytes));
