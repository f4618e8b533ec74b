//! Tokens: how many a text has, how many two texts share at their start, and what they cost. A leaf:
//! it knows texts and numbers, no messages, strategies or runs.

mod billing;
mod blocks;
mod encoding;
mod memo;
mod money;
mod prices;

pub use billing::{Bill, Ledger, Sent};
pub use encoding::{ENCODINGS, Encoder, Encoding};
pub use money::Money;
pub use prices::{CacheRule, Price, PriceError, PriceTable};

use std::fmt;

use blocks::{Blocks, may_cut};
use encoding::Engines;
use memo::{Key, Memo};

/// Tokens that the chat format adds to each message: three, and its role.
pub const MESSAGE_OVERHEAD: u32 = 4;
/// Tokens that the chat format adds to each request.
pub const REQUEST_OVERHEAD: u32 = 3;
/// The encoding that counts when nothing else is said.
pub const DEFAULT_TOKENIZER: &str = "o200k_base";

/// Counts tokens exactly, each distinct block of lines once. Shared by all threads.
pub struct Tokenizer {
    encoding: &'static Encoding,
    engines: Engines,
    counts: Memo<Key>,
    shared: Memo<(Key, Key)>,
}

/// No encoding has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownTokenizer {
    pub name: String,
}

impl fmt::Display for UnknownTokenizer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known: Vec<&str> = ENCODINGS.iter().map(|encoding| encoding.name).collect();
        write!(f, "there is no tokenizer '{}'; try one of: {}", self.name, known.join(", "))
    }
}

impl std::error::Error for UnknownTokenizer {}

impl Tokenizer {
    /// The tokenizer of this encoding. It is started when it first has to count something unseen.
    ///
    /// # Errors
    /// There is no such encoding.
    pub fn named(name: &str) -> Result<Tokenizer, UnknownTokenizer> {
        let found = ENCODINGS.iter().find(|encoding| encoding.name == name);
        found.map(Tokenizer::new).ok_or_else(|| UnknownTokenizer { name: name.to_owned() })
    }

    /// A tokenizer for an encoding.
    pub fn new(encoding: &'static Encoding) -> Tokenizer {
        Tokenizer {
            encoding,
            engines: Engines::new(encoding),
            counts: Memo::default(),
            shared: Memo::default(),
        }
    }

    pub fn name(&self) -> &'static str {
        self.encoding.name
    }

    /// Tokens of a text in which special tokens are plain text.
    pub fn count(&self, text: &str) -> u32 {
        let keyed = Blocks::new(text).map(|block| (Key::of(block), block));
        let (known, unseen) = self.counts.sum_known(keyed);
        known.saturating_add(self.count_unseen(&unseen))
    }

    /// Tokens of a request whose messages have these texts, with what the chat format adds.
    pub fn request_tokens<'t>(&self, contents: impl IntoIterator<Item = &'t str>) -> u32 {
        let of_message = |text| self.count(text).saturating_add(MESSAGE_OVERHEAD);
        contents.into_iter().map(of_message).fold(REQUEST_OVERHEAD, u32::saturating_add)
    }

    /// How many leading tokens the encodings of two texts have in common.
    pub fn shared_prefix(&self, one: &str, other: &str) -> u32 {
        let start = last_common_cut(one, other);
        let head = one.get(..start).unwrap_or_default();
        let block = |text: &str| Blocks::new(text.get(start..).unwrap_or_default()).next().map(str::to_owned);
        let tail = match (block(one), block(other)) {
            (Some(one), Some(other)) => self.shared_by_blocks(&one, &other),
            _ => 0,
        };
        self.count(head).saturating_add(tail)
    }

    fn count_unseen(&self, unseen: &[(Key, &str)]) -> u32 {
        if unseen.is_empty() {
            return 0;
        }
        let bytes = unseen.iter().map(|(_, block)| block.len() as u64).sum();
        let counts: Vec<u32> = self.engines.with(bytes, |encoder| {
            unseen.iter().map(|(_, block)| encode(encoder, block).len() as u32).collect()
        });
        self.counts.insert_all(unseen.iter().map(|(key, _)| *key).zip(counts.iter().copied()));
        counts.into_iter().fold(0, u32::saturating_add)
    }

    fn shared_by_blocks(&self, one: &str, other: &str) -> u32 {
        let key = (Key::of(one), Key::of(other));
        if let Some(known) = self.shared.get(&key) {
            return known;
        }
        let bytes = (one.len() + other.len()) as u64;
        let (one, other) = self.engines.with(bytes, |encoder| (encode(encoder, one), encode(encoder, other)));
        let shared = one.iter().zip(&other).take_while(|(one, other)| one == other).count() as u32;
        self.shared.insert_all([(key, shared)]);
        shared
    }
}

/// Where the last block begins up to which two texts are cut alike and are equal, in bytes.
fn last_common_cut(one: &str, other: &str) -> usize {
    let equal = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    let ends = |text: &str, end: usize| end == text.len() || may_cut(text, end);
    let mut start = 0;
    for block in Blocks::new(one) {
        let end = start + block.len();
        if end > equal || !ends(other, end) {
            break;
        }
        start = end;
    }
    start
}

fn encode(encoder: &dyn Encoder, block: &str) -> Vec<u32> {
    match blocks::pieces(block, blocks::BOUNDS).as_slice() {
        [whole] => encoder.encode(whole),
        pieces => pieces.iter().flat_map(|piece| encoder.encode(piece)).collect(),
    }
}
