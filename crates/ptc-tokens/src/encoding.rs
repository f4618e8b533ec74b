//! The encodings: their vocabularies and split patterns.

use super::byte_pairs::{BytePairs, Encoder};

/// An encoding by name.
pub struct Encoding {
    /// The name that users type.
    pub name: &'static str,
    /// Creates an encoder in a few milliseconds.
    pub start: fn() -> Box<dyn Encoder>,
}

/// The supported encodings, the default first. Each allows cutting a text into blocks.
pub const ENCODINGS: &[Encoding] = &[
    Encoding { name: "o200k_base", start: o200k_base },
    Encoding { name: "cl100k_base", start: cl100k_base },
];

fn o200k_base() -> Box<dyn Encoder> {
    const PIECE: &str = r"(?x)\A(?:
        [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)? |
        [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)? |
        \p{N}{1,3} |
        [\ ]?[^\s\p{L}\p{N}]+[\r\n/]* |
        \s*[\r\n]+ |
        \s+)";
    Box::new(BytePairs::new(include_bytes!("../vocabularies/o200k_base.fst"), PIECE))
}

fn cl100k_base() -> Box<dyn Encoder> {
    const PIECE: &str = r"(?x)\A(?:
        '(?i:[sdmt]|ll|ve|re) |
        [^\r\n\p{L}\p{N}]?\p{L}+ |
        \p{N}{1,3} |
        [\ ]?[^\s\p{L}\p{N}]+[\r\n]* |
        \s+\z |
        \s*[\r\n] |
        \s+)";
    Box::new(BytePairs::new(include_bytes!("../vocabularies/cl100k_base.fst"), PIECE))
}
