//! Byte-pair encoding. A pattern splits text into pieces. The bytes of a piece become tokens by joining the two
//! neighbours that make the token of the lowest rank, the leftmost first, as long as there are any.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fst::Map;
use regex::Regex;

/// Encodes text as tokens.
pub trait Encoder: Send + Sync {
    /// The tokens of a text. Special tokens in it are plain text.
    fn encode(&self, text: &str) -> Vec<u32>;
}

/// A vocabulary, and the pattern that splits text for it.
pub struct BytePairs {
    vocabulary: Vocabulary,
    /// Matches the piece at the start of a text.
    piece: Option<Regex>,
}

/// Maps the bytes of a token to its rank.
struct Vocabulary(Option<Map<&'static [u8]>>);

impl BytePairs {
    /// An encoder for a vocabulary, which is an `fst` map from the bytes of tokens to ranks. Both arguments are
    /// constants of the program, and tests check that they are valid.
    pub fn new(vocabulary: &'static [u8], piece: &str) -> BytePairs {
        BytePairs { vocabulary: Vocabulary(Map::new(vocabulary).ok()), piece: Regex::new(piece).ok() }
    }

    /// The piece that a text begins with. The last white space before a visible character belongs to the piece
    /// of that character, which a pattern without look-ahead cannot express.
    fn first_piece<'t>(&self, text: &'t str) -> &'t str {
        let matched = self.piece.as_ref().and_then(|pattern| pattern.find(text));
        let piece = matched.map_or(text, |matched| matched.as_str());
        let is_blank = |last: &char| last.is_whitespace() && !matches!(last, '\n' | '\r');
        let blank = piece.chars().next_back().filter(is_blank).map_or(0, char::len_utf8);
        let without_blank = piece.get(..piece.len() - blank).filter(|shorter| !shorter.is_empty());
        // At the end of the text no character follows that could have it.
        without_blank.filter(|_| piece.len() < text.len()).unwrap_or(piece)
    }
}

impl Encoder for BytePairs {
    fn encode(&self, text: &str) -> Vec<u32> {
        let (mut tokens, mut rest) = (Vec::new(), text);
        while !rest.is_empty() {
            let piece = self.first_piece(rest);
            match self.vocabulary.rank(piece.as_bytes()) {
                Some(token) => tokens.push(token),
                None => tokens.extend(Parts::new(&self.vocabulary, piece.as_bytes()).joined()),
            }
            rest = &rest[piece.len()..];
        }
        tokens
    }
}

impl Vocabulary {
    fn rank(&self, bytes: &[u8]) -> Option<u32> {
        self.0.as_ref()?.get(bytes)?.try_into().ok()
    }
}

/// A piece of text, divided into parts that are tokens. At first each byte is a part.
struct Parts<'p> {
    vocabulary: &'p Vocabulary,
    piece: &'p [u8],
    /// The parts by the byte at which they begin. No `end` leads to a part that was joined to the one before it.
    parts: Vec<Part>,
    /// The rank of each pair, and the byte at which its first part begins. Pairs stay here after one of their parts was
    /// joined to another; `Part::pair` says which still hold.
    pairs: BinaryHeap<Reverse<(u32, usize)>>,
}

struct Part {
    /// The byte at which the part before it begins.
    before: usize,
    end: usize,
    /// The rank of the token that it makes with the part after it.
    pair: Option<u32>,
}

impl<'p> Parts<'p> {
    fn new(vocabulary: &'p Vocabulary, piece: &'p [u8]) -> Parts<'p> {
        let part = |start: usize| Part { before: start.saturating_sub(1), end: start + 1, pair: None };
        let parts = (0..piece.len()).map(part).collect();
        let mut parts = Parts { vocabulary, piece, parts, pairs: BinaryHeap::new() };
        (0..piece.len()).for_each(|start| parts.pair(start));
        parts
    }

    /// Joins pairs as long as there are any and returns the tokens.
    fn joined(mut self) -> Vec<u32> {
        while let Some(Reverse((rank, start))) = self.pairs.pop() {
            if self.parts[start].pair == Some(rank) {
                self.join(start);
            }
        }
        let starts = std::iter::successors(Some(0), |start| Some(self.parts.get(*start)?.end));
        let parts = starts.map_while(|start| self.piece.get(start..self.parts.get(start)?.end));
        parts.filter_map(|bytes| self.vocabulary.rank(bytes)).collect()
    }

    /// Joins the part that begins here with the next one.
    fn join(&mut self, start: usize) {
        let next = self.parts[start].end;
        let end = self.parts[next].end;
        self.parts[next].pair = None;
        self.parts[start].end = end;
        if let Some(after) = self.parts.get_mut(end) {
            after.before = start;
        }
        self.pair(start);
        if start > 0 {
            self.pair(self.parts[start].before);
        }
    }

    /// Looks up the token that the part that begins here makes with the next one.
    fn pair(&mut self, start: usize) {
        let next = self.parts.get(self.parts[start].end);
        let bytes = next.and_then(|next| self.piece.get(start..next.end));
        let pair = bytes.and_then(|bytes| self.vocabulary.rank(bytes));
        self.parts[start].pair = pair;
        self.pairs.extend(pair.map(|rank| Reverse((rank, start))));
    }
}
