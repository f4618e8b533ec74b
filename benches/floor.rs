//! The work that no program can avoid for the same input: read the files, parse each once, hash every text, count the tokens of each
//! distinct text, index its words, and deflate it for a page. The lines of accepted golden files are texts too: they are the requests to
//! render and compare. `benches/floor.py` compares the CPU time of `ptc-eval` with it.

#![allow(clippy::expect_used, clippy::print_stdout)]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::DeflateEncoder;
use ptc_tokens::{Key, Tokenizer};
use rustc_hash::FxHashSet;
use serde_json::{Deserializer, Value};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Shorter texts are roles, identifiers and names of tools.
const SHORTEST: usize = 20;
/// Extension of a golden file.
const GOLDEN: &str = "snap";

fn main() {
    let mut files = Vec::new();
    for path in std::env::args().skip(1) {
        read_files(Path::new(&path), &mut files);
    }
    let mut values = Vec::new();
    for file in files.iter().filter(|file| !file.is_golden) {
        values.extend(Deserializer::from_slice(&file.bytes).into_iter::<Value>().map_while(Result::ok));
    }
    let mut texts = Vec::new();
    values.iter().for_each(|value| collect_texts(value, &mut texts));
    for file in files.iter().filter(|file| file.is_golden) {
        let text = str::from_utf8(&file.bytes).expect("golden files are UTF-8");
        texts.extend(text.lines().map(without_span));
    }
    let mut known = FxHashSet::default();
    texts.retain(|text| known.insert(Key::of(text)));

    let tokenizer = Tokenizer::named("o200k_base").expect("a known encoding");
    let mut tokens = 0_u64;
    let mut words = FxHashSet::default();
    let mut page = DeflateEncoder::new(Vec::new(), Compression::fast());
    for text in &texts {
        tokens += u64::from(tokenizer.count(text));
        words.extend(text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| word.len() > 2));
        page.write_all(text.as_bytes()).expect("memory can be written");
    }
    let page = page.finish().expect("memory can be written");
    let bytes: usize = files.iter().map(|file| file.bytes.len()).sum();
    println!("{bytes} bytes, {} distinct texts, {tokens} tokens, {} words", texts.len(), words.len());
    println!("{} bytes deflated", page.len());
}

struct File {
    bytes: Vec<u8>,
    is_golden: bool,
}

/// The text of a line of a golden file: `text` of `2-5| text`.
fn without_span(line: &str) -> &str {
    line.split_once("| ").map_or(line, |(_, text)| text)
}

/// Reads a file, or all files below a folder.
fn read_files(path: &Path, files: &mut Vec<File>) {
    if !path.is_dir() {
        let is_golden = path.extension().is_some_and(|extension| extension == GOLDEN);
        files.push(File { bytes: fs::read(path).expect("a readable file"), is_golden });
        return;
    }
    let entries = fs::read_dir(path).expect("a readable folder");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.sort();
    paths.iter().for_each(|path| read_files(path, files));
}

fn collect_texts<'v>(value: &'v Value, texts: &mut Vec<&'v str>) {
    match value {
        Value::String(text) if text.len() > SHORTEST => texts.push(text),
        Value::Array(values) => values.iter().for_each(|value| collect_texts(value, texts)),
        Value::Object(fields) => fields.values().for_each(|value| collect_texts(value, texts)),
        _ => {}
    }
}
