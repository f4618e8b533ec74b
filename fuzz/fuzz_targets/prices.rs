#![no_main]

#[path = "../files.rs"]
#[allow(dead_code)] // each target calls one of the functions
mod files;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| files::prices(bytes));
