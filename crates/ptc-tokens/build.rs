//! Writes the vocabularies as automata from bytes of tokens to ranks, which the program maps into memory as
//! they are: nothing is read or built when it starts. They are those of the reference implementation.

#![allow(clippy::disallowed_methods, reason = "cargo says where to write by the environment")]

use std::error::Error;
use std::path::{Path, PathBuf};

use fst::Map;
use tiktoken_rs::CoreBPE;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = PathBuf::from(std::env::var("OUT_DIR")?);
    write(&folder.join("o200k_base.fst"), tiktoken_rs::o200k_base_singleton())?;
    write(&folder.join("cl100k_base.fst"), tiktoken_rs::cl100k_base_singleton())
}

fn write(path: &Path, reference: &CoreBPE) -> Result<(), Box<dyn Error>> {
    // Ranks count up from 0 without a gap; special tokens come after one.
    let tokens = (0_u32..).map_while(|rank| Some((reference.decode_bytes(&[rank]).ok()?, u64::from(rank))));
    let mut tokens: Vec<(Vec<u8>, u64)> = tokens.collect();
    tokens.sort_unstable();
    Ok(std::fs::write(path, Map::from_iter(tokens)?.as_fst().as_bytes())?)
}
