#![no_main]

#[path = "../files.rs"]
#[allow(dead_code)] // each target calls one of the functions
mod files;

use std::sync::LazyLock;

use agent_logs::LogFormat;

/// The format in the variable `FORMAT`, in which the whole input is read.
static FORMAT: LazyLock<Option<&LogFormat>> =
    LazyLock::new(|| std::env::var("FORMAT").ok().map(|name| LogFormat::named(&name).unwrap()));

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| match *FORMAT {
    Some(format) => files::import_from(Some(format), bytes),
    None => files::import(bytes),
});
