//! Counts the tokens of texts, and of the prefix shared by two texts.
//!
//! [`Tokenizer`] counts exactly in the encodings of [`ENCODINGS`]. It counts each distinct word once, so repeated text
//! is cheap.
//!
//! The vocabularies are those of `tiktoken-rs`, stored as automata in `vocabularies/`. Our own encoder uses them in
//! place: it starts in 4 ms with 3 MB, against 121 ms and 47 MB for `tiktoken-rs`. Tests compare its tokens and
//! vocabularies with those of `tiktoken-rs`.

#![warn(missing_docs)]

mod blocks;
mod byte_pairs;
pub mod counts_file;
mod encoding;
mod memo;

pub use blocks::blocks;
#[doc(hidden)]
pub use byte_pairs::BytePairs;
pub use byte_pairs::Encoder;
pub use encoding::{ENCODINGS, Encoding};
pub use memo::Key;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use blocks::{may_cut, split_words};
use memo::{Memo, copy_entry};

/// Tokens added by the chat format to each message: three for its start and its end, and one for its role.
// The numbers of OpenAI's published example of token counting. It adds three to each request for the start of the
// answer.
pub const MESSAGE_OVERHEAD: u32 = 4;
/// Tokens added by the chat format to each request, for the start of the answer.
pub const REQUEST_OVERHEAD: u32 = 3;
/// Tokens added by each native tool call to its name and arguments: an estimate, since providers do not document it.
pub const CALL_OVERHEAD: u32 = 8;
/// The name of the default encoding.
pub const DEFAULT_TOKENIZER: &str = "o200k_base";

/// Blocks in a generation of the memo. There are two generations.
const BLOCKS: usize = 50_000;
/// Words in a generation of the memo. Two full ones take about 15 MB.
const WORDS: usize = 250_000;
/// Words or blocks looked up at a time. A long text has millions.
const BATCH: usize = 16_384;
/// Bytes of a block whose words are counted in batches.
const LONG_BLOCK: usize = 65_536;

/// Counts tokens exactly, each distinct word once. Threads can share it.
///
/// ```
/// use ptc_tokens::Tokenizer;
///
/// let tokenizer = Tokenizer::named("o200k_base")?;
/// assert_eq!(tokenizer.count("The parcel is in Osaka."), 6);
/// assert_eq!(tokenizer.shared_prefix("The parcel is in Osaka.", "The parcel is lost."), 3);
/// # Ok::<(), ptc_tokens::UnknownTokenizer>(())
/// ```
pub struct Tokenizer {
    encoding: &'static Encoding,
    /// Created for the first word without a remembered count, since that takes 4 ms.
    engine: OnceLock<Box<dyn Encoder>>,
    /// Token counts of blocks.
    blocks: Memo,
    /// Token counts of words, and of the prefixes shared by two words.
    words: Memo,
    /// True if the encoder has counted something.
    has_counted: AtomicBool,
}

/// Token counts of a text, up to the end of each block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// The end of each block in bytes, and the tokens of the text up to there.
    ends: Vec<(u32, u32)>,
}

impl Counted {
    /// Tokens of the whole text.
    pub fn tokens(&self) -> u32 {
        self.ends.last().map_or(0, |(_, tokens)| *tokens)
    }

    /// The end (in bytes) of the last block that ends at or before `byte`, and the tokens up to there.
    pub fn up_to(&self, byte: usize) -> (usize, u32) {
        let after = self.ends.partition_point(|(end, _)| *end as usize <= byte);
        match self.ends[..after].last() {
            Some((end, tokens)) => (*end as usize, *tokens),
            None => (0, 0),
        }
    }
}

/// The error for an unknown encoding name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no tokenizer '{name}'; try one of: {}", known_names())]
pub struct UnknownTokenizer {
    /// The requested name.
    pub name: String,
}

fn known_names() -> String {
    let names: Vec<&str> = ENCODINGS.iter().map(|encoding| encoding.name).collect();
    names.join(", ")
}

impl Tokenizer {
    /// A tokenizer for the encoding of this name.
    ///
    /// # Errors
    /// There is no such encoding.
    pub fn named(name: &str) -> Result<Tokenizer, UnknownTokenizer> {
        for encoding in ENCODINGS {
            if encoding.name == name {
                return Ok(Tokenizer::new(encoding));
            }
        }
        Err(UnknownTokenizer { name: name.to_owned() })
    }

    /// A tokenizer for an encoding. The encoder is created when first needed.
    pub fn new(encoding: &'static Encoding) -> Tokenizer {
        Tokenizer {
            encoding,
            engine: OnceLock::new(),
            blocks: Memo::with_room(BLOCKS),
            words: Memo::with_room(WORDS),
            has_counted: AtomicBool::new(false),
        }
    }

    /// The name of the encoding.
    pub fn name(&self) -> &'static str {
        self.encoding.name
    }

    /// Tokens of a text. Special tokens are treated as plain text.
    pub fn count(&self, text: &str) -> u32 {
        let mut sum = 0_u32;
        for block in blocks(text) {
            sum = sum.saturating_add(self.count_block(block));
        }
        sum
    }

    fn count_block(&self, block: &str) -> u32 {
        let key = Key::of(block);
        let known = self.blocks.read().get(&key);
        if let Some(tokens) = known {
            return tokens;
        }
        if block.len() > LONG_BLOCK {
            return self.count_by_words(&[(key, block)])[&key];
        }
        let (mut sum, mut unseen) = (0_u32, Vec::new());
        {
            let known = self.words.read();
            for word in split_words(block) {
                let key = Key::of(word);
                match known.get(&key) {
                    Some(tokens) => sum = sum.saturating_add(tokens),
                    None => unseen.push((key, word)),
                }
            }
        }
        if !unseen.is_empty() {
            let counts = self.encode_words(&unseen);
            for (key, _) in &unseen {
                sum = sum.saturating_add(counts[key]);
            }
        }
        self.blocks.insert_all([(key, sum)]);
        sum
    }

    /// Token counts of several texts; faster than one by one.
    pub fn count_all(&self, texts: &[&str]) -> Vec<Counted> {
        let mut counted = vec![Counted::default(); texts.len()];
        let mut batch = Batch::default();
        for (number, text) in texts.iter().enumerate() {
            for block in blocks(text) {
                if batch.texts.len() == BATCH {
                    self.count_blocks(&mut batch, &mut counted);
                }
                batch.push(number, block);
            }
        }
        self.count_blocks(&mut batch, &mut counted);
        counted
    }

    /// Adds the counts of a batch of blocks to their texts, and empties the batch.
    fn count_blocks(&self, batch: &mut Batch<'_>, counted: &mut [Counted]) {
        let counts = look_up_counts(&self.blocks, &batch.texts, |unseen| self.count_by_words(unseen));
        for ((number, count), (_, block)) in batch.numbers.iter().zip(counts).zip(&batch.texts) {
            let ends = &mut counted[*number].ends;
            let (end, tokens) = ends.last().copied().unwrap_or((0, 0));
            ends.push((end + block.len() as u32, tokens.saturating_add(count)));
        }
        batch.clear();
    }

    /// Tokens of the prefix shared by two texts.
    pub fn shared_prefix(&self, left: &str, right: &str) -> u32 {
        self.shared_with(&self.count_all(&[left]).pop().unwrap_or_default(), left, right)
    }

    /// Like [`Tokenizer::shared_prefix`], with the counts of `left` from [`Tokenizer::count_all`].
    pub fn shared_with(&self, counted: &Counted, left: &str, right: &str) -> u32 {
        let equal = common_bytes(left, right);
        let (mut start, mut tokens) = counted.up_to(equal);
        // If a block of `left` ends where the texts differ, the same block may be longer in `right`.
        let ends_in_right = start == right.len() || may_cut(right, start);
        if start == equal && start > 0 && !ends_in_right {
            (start, tokens) = counted.up_to(start - 1);
        }
        // The words are empty if the text ends at `start`.
        let [left, right] = [&left[start..], &right[start..]];
        let mut left_words = split_words(blocks(left).next().unwrap_or_default());
        let mut right_words = split_words(blocks(right).next().unwrap_or_default());
        loop {
            match (left_words.next(), right_words.next()) {
                (Some(left), Some(right)) if left == right => {
                    tokens = tokens.saturating_add(self.count_word(left));
                }
                (Some(left), Some(right)) => {
                    return tokens.saturating_add(self.shared_by_words(left, right));
                }
                _ => return tokens,
            }
        }
    }

    /// Adds the counts that [`Tokenizer::known_words`] returned in another process.
    pub fn learn_words(&self, words: impl IntoIterator<Item = (Key, u32)>) {
        self.words.insert_all(words);
    }

    /// All counts of words. The flag is true if the encoder added any to those learnt by [`Tokenizer::learn_words`].
    pub fn known_words(&self) -> (Vec<(Key, u32)>, bool) {
        (self.words.read().all_counts().collect(), self.has_counted.load(Ordering::Relaxed))
    }

    /// Returns true if the count of this word is known.
    pub fn knows_word(&self, word: &Key) -> bool {
        self.words.read().get(word).is_some()
    }

    /// Token counts of blocks missing from the memo, which then stores them.
    fn count_by_words(&self, blocks: &[(Key, &str)]) -> FxHashMap<Key, u32> {
        let mut sums = vec![0_u32; blocks.len()];
        let mut batch = Batch::default();
        for (number, (_, block)) in blocks.iter().enumerate() {
            for word in split_words(block) {
                if batch.texts.len() == BATCH {
                    self.sum_words(&mut batch, &mut sums);
                }
                batch.push(number, word);
            }
        }
        self.sum_words(&mut batch, &mut sums);
        let mut counts = FxHashMap::with_capacity_and_hasher(blocks.len(), FxBuildHasher);
        for ((key, _), sum) in blocks.iter().zip(sums) {
            counts.insert(*key, sum);
        }
        self.blocks.insert_all(counts.iter().map(copy_entry));
        counts
    }

    /// Adds the counts of a batch of words to the sums of their blocks, and empties the batch.
    fn sum_words(&self, batch: &mut Batch<'_>, sums: &mut [u32]) {
        let counts = look_up_counts(&self.words, &batch.texts, |unseen| self.encode_words(unseen));
        for (number, count) in batch.numbers.iter().zip(counts) {
            sums[*number] = sums[*number].saturating_add(count);
        }
        batch.clear();
    }

    /// Token counts of words missing from the memo, which then stores them.
    fn encode_words(&self, unseen: &[(Key, &str)]) -> FxHashMap<Key, u32> {
        let engine = self.start_engine();
        let mut counts = FxHashMap::with_capacity_and_hasher(unseen.len(), FxBuildHasher);
        for (key, word) in unseen {
            counts.insert(*key, engine.count(word) as u32);
        }
        self.remember_words(counts.iter().map(copy_entry));
        counts
    }

    fn count_word(&self, word: &str) -> u32 {
        let key = Key::of(word);
        let known = self.words.read().get(&key);
        match known {
            Some(count) => count,
            None => self.encode_words(&[(key, word)])[&key],
        }
    }

    /// Tokens of the prefix shared by two words.
    fn shared_by_words(&self, left: &str, right: &str) -> u32 {
        if left.as_bytes().first() != right.as_bytes().first() {
            return 0;
        }
        let key = Key::of_pair(left, right);
        if let Some(known) = self.words.read().get(&key) {
            return known;
        }
        let (left, right) = (self.start_engine().encode(left), self.start_engine().encode(right));
        let shared = left.iter().zip(&right).take_while(|(left, right)| left == right).count() as u32;
        self.remember_words([(key, shared)]);
        shared
    }

    fn start_engine(&self) -> &dyn Encoder {
        self.engine.get_or_init(self.encoding.start).as_ref()
    }

    fn remember_words(&self, words: impl IntoIterator<Item = (Key, u32)>) {
        self.words.insert_all(words);
        self.has_counted.store(true, Ordering::Relaxed);
    }
}

/// At most [`BATCH`] blocks of texts, or words of blocks, to be looked up together.
#[derive(Default)]
struct Batch<'t> {
    /// The index of the whole that each text is a part of.
    numbers: Vec<usize>,
    texts: Vec<(Key, &'t str)>,
}

impl<'t> Batch<'t> {
    fn push(&mut self, number: usize, text: &'t str) {
        self.numbers.push(number);
        self.texts.push((Key::of(text), text));
    }

    fn clear(&mut self) {
        self.numbers.clear();
        self.texts.clear();
    }
}

/// Token counts of each text. `count` gets the texts missing from the memo, each once.
fn look_up_counts(
    memo: &Memo,
    texts: &[(Key, &str)],
    count: impl FnOnce(&[(Key, &str)]) -> FxHashMap<Key, u32>,
) -> Vec<u32> {
    let known: Vec<Option<u32>> = {
        let memo = memo.read();
        texts.iter().map(|(key, _)| memo.get(key)).collect()
    };
    let (mut unseen, mut seen) = (Vec::new(), FxHashSet::default());
    for (text, count) in texts.iter().zip(&known) {
        if count.is_none() && seen.insert(text.0) {
            unseen.push(*text);
        }
    }
    let new = if unseen.is_empty() { FxHashMap::default() } else { count(&unseen) };
    let mut counts = Vec::with_capacity(texts.len());
    for ((key, _), known) in texts.iter().zip(known) {
        counts.push(match known {
            Some(count) => count,
            None => new[key],
        });
    }
    counts
}

/// Length in bytes of the common prefix of two texts. It may end inside a character.
pub fn common_bytes(left: &str, right: &str) -> usize {
    // Comparing chunks is faster than comparing bytes, and requests share hundreds of kilobytes.
    const CHUNK: usize = 64;
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let chunks = left.chunks_exact(CHUNK).zip(right.chunks_exact(CHUNK));
    let equal = CHUNK * chunks.take_while(|(left, right)| left == right).count();
    let rest = left.iter().skip(equal).zip(right.iter().skip(equal));
    equal + rest.take_while(|(left, right)| left == right).count()
}
