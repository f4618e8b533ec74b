#![no_main]

#[path = "../endpoint.rs"]
mod endpoint;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| endpoint::reply(bytes));
