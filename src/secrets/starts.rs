//! Finds the places where one of many literals may begin, by its first three bytes. One pass over the text with a table of 4 KB is
//! several times faster than an automaton for all literals.

use std::ops::Range;

use regex::{Captures, Regex};
use regex_syntax::hir::literal::{ExtractKind, Extractor};
use rustc_hash::FxHashMap;

/// Number of classes of bytes.
const CLASSES: usize = 32;
/// Number of hashes of three bytes.
const HASHES: usize = CLASSES * CLASSES * CLASSES;
/// Maximum bytes of a match of [`SparseRegex`], with the byte after it.
const WINDOW: usize = 64;
/// Maximum prefixes extracted from a pattern. Ignoring case, three letters have eight spellings.
const PREFIXES: usize = 10_000;

/// The class of each byte: letters without case, white space, and groups of signs. Digits share the classes of letters: in a class of their
/// own, one literal of digits would make each number a possible start.
static CLASS: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            letter @ (b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9') => letter & 31,
            b' ' | b'\t' | b'\r' | b'\n' => 28,
            b'-' | b'_' => 29,
            // Literals of one byte.
            b'?' | b'&' => 30,
            sign if sign.is_ascii_punctuation() => 31,
            _ => 0,
        };
        byte += 1;
    }
    classes
}

fn class(byte: u8) -> usize {
    usize::from(CLASS[usize::from(byte)])
}

fn hash_of<'b>(bytes: impl Iterator<Item = &'b u8>) -> usize {
    let mut hash = 0;
    for byte in bytes {
        hash = hash * CLASSES + class(*byte);
    }
    hash
}

/// Items by the first three bytes of their literals.
pub struct Starts<T> {
    /// A bit for each hash with items.
    bits: Box<[u64; HASHES / 64]>,
    /// By hash, in the order of the literals.
    items: FxHashMap<u16, Vec<T>>,
}

impl<T: Clone> Starts<T> {
    pub fn of<'l>(literals: impl Iterator<Item = (&'l [u8], T)>) -> Starts<T> {
        let mut starts = Starts { bits: Box::new([0; HASHES / 64]), items: FxHashMap::default() };
        for (literal, item) in literals {
            let known = literal.len().min(3);
            let start = hash_of(literal.iter().take(known));
            // Any bytes may follow a short literal.
            let following = CLASSES.pow(3 - known as u32);
            for hash in start * following..(start + 1) * following {
                starts.bits[hash / 64] |= 1 << (hash % 64);
                starts.items.entry(hash as u16).or_default().push(item.clone());
            }
        }
        starts
    }

    /// The first place from a byte offset where a literal may begin, and the items of the possible literals.
    pub fn next(&self, text: &str, from: usize) -> Option<(usize, &[T])> {
        let bytes = text.as_bytes().get(from..)?;
        let (first, second) = (*bytes.first()?, bytes.get(1).copied().unwrap_or_default());
        let mut hash = class(first) * CLASSES + class(second);
        for (at, byte) in bytes.get(2..).unwrap_or_default().iter().enumerate() {
            hash = (hash * CLASSES + class(*byte)) % HASHES;
            if self.has(hash) {
                return Some((from + at, self.at_hash(hash)));
            }
        }
        // A short literal at the end is followed by bytes of class 0.
        for at in bytes.len().saturating_sub(2)..bytes.len() {
            hash = hash * CLASSES % HASHES;
            if self.has(hash) {
                return Some((from + at, self.at_hash(hash)));
            }
        }
        None
    }

    fn has(&self, hash: usize) -> bool {
        self.bits[hash / 64 % (HASHES / 64)] >> (hash % 64) & 1 == 1
    }

    /// The items of literals that may begin a text.
    pub fn at_start(&self, text: &str) -> &[T] {
        self.at_hash(hash_of(text.as_bytes().iter().chain(&[0; 3]).take(3)))
    }

    fn at_hash(&self, hash: usize) -> &[T] {
        self.items.get(&(hash as u16)).map_or(&[], Vec::as_slice)
    }
}

/// The places where a match of a pattern may begin. `None` if that may be anywhere, or the pattern is invalid.
pub fn starts_of_pattern(pattern: &str) -> Option<Starts<()>> {
    let parsed = regex_syntax::parse(pattern).ok()?;
    let mut extractor = Extractor::new();
    extractor.kind(ExtractKind::Prefix).limit_literal_len(3).limit_total(PREFIXES);
    let prefixes = extractor.extract(&parsed);
    let literals = prefixes.literals()?;
    for literal in literals {
        if literal.is_empty() {
            return None;
        }
    }
    Some(Starts::of(literals.iter().map(|literal| (literal.as_bytes(), ()))))
}

/// A regex with short matches that begin at few places of a text.
pub struct SparseRegex {
    regex: Regex,
    starts: Starts<()>,
}

impl SparseRegex {
    /// `None` if the pattern is invalid, or a match may begin anywhere.
    pub fn new(pattern: &str) -> Option<SparseRegex> {
        Some(SparseRegex { regex: Regex::new(pattern).ok()?, starts: starts_of_pattern(pattern)? })
    }

    /// The byte range of the first match from a byte offset.
    pub fn find_at(&self, text: &str, mut from: usize) -> Option<Range<usize>> {
        while let Some((at, _)) = self.starts.next(text, from) {
            from = at + 1;
            if !text.is_char_boundary(at) {
                continue;
            }
            let near = &text[..text.floor_char_boundary(at + WINDOW)];
            if let Some(found) = self.regex.find_at(near, at)
                && found.start() == at
            {
                return Some(found.range());
            }
        }
        None
    }

    pub fn is_match(&self, text: &str) -> bool {
        self.find_at(text, 0).is_some()
    }
}

/// A regex with matches of any length that begin at few places of a text.
pub struct LongRegex {
    /// Anchored.
    regex: Regex,
    starts: Starts<()>,
    /// True if matches begin where a word does.
    begins_word: bool,
}

/// Beginning of a [`LongRegex`] whose matches begin where a word does.
const WORD_START: &str = r"(?-u:\b)";

impl LongRegex {
    /// `None` if the pattern is invalid, or a match may begin anywhere.
    pub fn new(pattern: &str) -> Option<LongRegex> {
        let rest = pattern.strip_prefix(WORD_START);
        let anchored = format!("^(?:{})", rest.unwrap_or(pattern));
        let regex = Regex::new(&anchored).ok()?;
        Some(LongRegex { regex, starts: starts_of_pattern(pattern)?, begins_word: rest.is_some() })
    }

    /// The place of the first match from a byte offset, and its groups in the text from this place.
    pub fn captures_at<'t>(&self, text: &'t str, mut from: usize) -> Option<(usize, Captures<'t>)> {
        while let Some((at, _)) = self.starts.next(text, from) {
            from = at + 1;
            let is_inside = self.begins_word && text.as_bytes()[..at].last().is_some_and(is_of_word);
            if is_inside || !text.is_char_boundary(at) {
                continue;
            }
            if let Some(captures) = self.regex.captures(&text[at..]) {
                return Some((at, captures));
            }
        }
        None
    }
}

fn is_of_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || *byte == b'_'
}
