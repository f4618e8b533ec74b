//! Files of counts are read as they were written; damaged ones hold nothing.

use ptc_tokens::Key;
use ptc_tokens::counts_file::{self, write_counts};

fn some() -> Vec<(Key, u32)> {
    ["a", "b", "cd"].iter().zip(1..).map(|(text, number)| (Key::of(text), number)).collect()
}

fn read(encoding: &str, bytes: &[u8]) -> Vec<(Key, u32)> {
    counts_file::read_counts(encoding, bytes).collect()
}

#[test]
fn what_was_written_is_read() {
    let bytes = write_counts("o200k_base", some());
    assert_eq!(read("o200k_base", &bytes), some());
    assert_eq!(read("o200k_base", &write_counts("o200k_base", [])), []);
}

#[test]
fn what_is_not_whole_says_nothing() {
    let bytes = write_counts("o200k_base", some());
    assert_eq!(read("cl100k_base", &bytes), []);
    assert_eq!(read("o200k_base", b""), []);
    for at in 0..bytes.len() {
        assert_eq!(read("o200k_base", &bytes[..at]), [], "cut at {at}");
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        assert_eq!(read("o200k_base", &damaged), [], "damaged at {at}");
    }
}
