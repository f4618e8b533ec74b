//! Byte-pair encoding. A pattern splits text into pieces, whose bytes are then merged into tokens. The pair with the
//! lowest rank is merged first, the leftmost if there are several, until no pair makes a token. A long piece is merged
//! in windows.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fst::Map;
use regex::Regex;

/// Bytes of a piece merged at a time.
// The parts of a window fit the cache of a core. The longest token has 128 bytes.
const WINDOW: usize = 4096;
/// Neighbouring windows overlap by this fraction of their size: an eighth.
const OVERLAP: usize = 8;

/// Encodes text as tokens.
pub trait Encoder: Send + Sync {
    /// The tokens of a text. Special tokens are treated as plain text.
    fn encode(&self, text: &str) -> Vec<u32>;

    /// The number of tokens of a text.
    fn count(&self, text: &str) -> usize {
        self.encode(text).len()
    }
}

/// A byte-pair encoder: a vocabulary, and the pattern that splits text for it.
pub struct BytePairs {
    vocabulary: Vocabulary,
    /// Bytes of a piece merged at a time.
    window: usize,
    /// Matches the first piece of a text.
    piece: Option<Regex>,
}

/// Maps the bytes of a token to its rank.
struct Vocabulary(Option<Map<&'static [u8]>>);

impl BytePairs {
    /// Creates an encoder. `vocabulary` is an `fst` map from the bytes of tokens to ranks. Both arguments are constants
    /// of the program, and tests check that they are valid.
    pub fn new(vocabulary: &'static [u8], piece: &str) -> BytePairs {
        BytePairs {
            vocabulary: Vocabulary(Map::new(vocabulary).ok()),
            window: WINDOW,
            piece: Regex::new(piece).ok(),
        }
    }

    /// Sets the window size in bytes. Any size above 0 gives the same tokens.
    pub fn in_windows(self, bytes: usize) -> BytePairs {
        BytePairs { window: bytes.max(1), ..self }
    }

    /// The first piece of a text. The last white space before a visible character belongs to the piece of that
    /// character. The pattern cannot express this, since it has no look-ahead.
    fn first_piece<'t>(&self, text: &'t str) -> &'t str {
        let piece = match self.piece.as_ref().and_then(|pattern| pattern.find(text)) {
            Some(matched) => matched.as_str(),
            None => text,
        };
        // At the end of the text there is no such character.
        if piece.len() == text.len() {
            return piece;
        }
        match piece.chars().next_back() {
            Some('\n' | '\r') => piece,
            Some(blank) if blank.is_whitespace() && piece.len() > blank.len_utf8() => {
                &piece[..piece.len() - blank.len_utf8()]
            }
            _ => piece,
        }
    }

    fn add_tokens(&self, text: &str, tokens: &mut impl Tokens) {
        let mut rest = text;
        while !rest.is_empty() {
            let piece = self.first_piece(rest);
            match self.vocabulary.find_rank(piece.as_bytes()) {
                Some(token) => tokens.push(token),
                None => self.vocabulary.add_joined(piece.as_bytes(), self.window, tokens),
            }
            rest = &rest[piece.len()..];
        }
    }
}

impl Encoder for BytePairs {
    fn encode(&self, text: &str) -> Vec<u32> {
        let mut tokens = Vec::new();
        self.add_tokens(text, &mut tokens);
        tokens
    }

    fn count(&self, text: &str) -> usize {
        let mut tokens = 0;
        self.add_tokens(text, &mut tokens);
        tokens
    }
}

/// A list of tokens, or only their number, so that counting a long text needs no memory for its tokens.
trait Tokens {
    fn push(&mut self, token: u32);
    fn len(&self) -> usize;
    fn truncate(&mut self, len: usize);
}

impl Tokens for Vec<u32> {
    fn push(&mut self, token: u32) {
        self.push(token);
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn truncate(&mut self, len: usize) {
        self.truncate(len);
    }
}

impl Tokens for usize {
    fn push(&mut self, _: u32) {
        *self += 1;
    }

    fn len(&self) -> usize {
        *self
    }

    fn truncate(&mut self, len: usize) {
        *self = len;
    }
}

impl Vocabulary {
    fn find_rank(&self, bytes: &[u8]) -> Option<u32> {
        self.0.as_ref()?.get(bytes)?.try_into().ok()
    }

    /// Adds the tokens of a piece. If windows disagree, retries with wider ones, up to the whole piece.
    fn add_joined(&self, piece: &[u8], mut window: usize, tokens: &mut impl Tokens) {
        let before = tokens.len();
        while !self.add_by_windows(piece, window, tokens) {
            tokens.truncate(before);
            window = window.saturating_mul(8);
        }
    }

    /// Adds the tokens of a piece, merged in overlapping windows. Returns false if two windows disagree.
    // This is exact. A list of tokens is right if each two neighbours are the tokens of their joint text: the first
    // merge across a token boundary would also be the first one in the text of the two alone. Two neighbours before a
    // seam are in one window, and so are two after it. The token after a seam is in both windows, so it shares a window
    // with the token before it too.
    fn add_by_windows(&self, piece: &[u8], window: usize, tokens: &mut impl Tokens) -> bool {
        let mut here = self.encode_window(piece, 0, window);
        while here.end < piece.len() {
            let overlap = here.end - window / OVERLAP;
            let Some(border) = here.tokens.iter().find(|token| token.start >= overlap) else { return false };
            let mut next = self.encode_window(piece, border.start, window);
            let Some(seam) = here.find_seam(&next) else { return false };
            for token in here.tokens.iter().take_while(|token| token.start < seam) {
                tokens.push(token.rank);
            }
            next.tokens.retain(|token| token.start >= seam);
            here = next;
        }
        for token in &here.tokens {
            tokens.push(token.rank);
        }
        true
    }

    fn encode_window(&self, piece: &[u8], start: usize, bytes: usize) -> Window {
        let end = piece.len().min(start.saturating_add(bytes));
        Window { tokens: Parts::new(self, &piece[start..end]).merge_pairs(start), end }
    }
}

/// The tokens of a window of a piece.
struct Window {
    tokens: Vec<Token>,
    /// The end of the window, in bytes of the piece.
    end: usize,
}

#[derive(PartialEq)]
struct Token {
    /// The start of the token, in bytes of the piece.
    start: usize,
    rank: u32,
}

impl Window {
    /// The start of the first token found in both windows.
    fn find_seam(&self, next: &Window) -> Option<usize> {
        let first = next.tokens.first()?.start;
        let mut mine = self.tokens.iter().skip_while(|token| token.start < first).peekable();
        let shared = next.tokens.iter().find(|token| {
            while mine.next_if(|own| own.start < token.start).is_some() {}
            mine.peek() == Some(token)
        });
        Some(shared?.start)
    }
}

/// A piece of text, divided into parts that are tokens. At first each byte is a part.
struct Parts<'p> {
    vocabulary: &'p Vocabulary,
    piece: &'p [u8],
    /// The parts by start byte. Entries merged into the part before them stay, but no `end` points to them.
    parts: Vec<Part>,
    /// The rank of each pair with the start of its first part. Entries become stale when a part is merged with another:
    /// a pair is valid if `Part::pair` has the same rank.
    pairs: BinaryHeap<Reverse<(u32, usize)>>,
}

struct Part {
    /// The start of the previous part.
    before: usize,
    end: usize,
    /// The rank of the token made with the next part, if there is one.
    pair: Option<u32>,
}

impl<'p> Parts<'p> {
    fn new(vocabulary: &'p Vocabulary, piece: &'p [u8]) -> Parts<'p> {
        let mut parts = Vec::with_capacity(piece.len());
        for start in 0..piece.len() {
            parts.push(Part { before: start.saturating_sub(1), end: start + 1, pair: None });
        }
        let mut parts = Parts { vocabulary, piece, parts, pairs: BinaryHeap::new() };
        for start in 0..piece.len() {
            parts.look_up_pair(start);
        }
        parts
    }

    /// Merges pairs until none is left, and returns the tokens. `from` is added to their starts.
    fn merge_pairs(mut self, from: usize) -> Vec<Token> {
        while let Some(Reverse((rank, start))) = self.pairs.pop() {
            if self.parts[start].pair == Some(rank) {
                self.merge_with_next(start);
            }
        }
        let (mut tokens, mut start) = (Vec::new(), 0);
        while let Some(part) = self.parts.get(start)
            && let Some(rank) = self.vocabulary.find_rank(&self.piece[start..part.end])
        {
            tokens.push(Token { start: from + start, rank });
            start = part.end;
        }
        tokens
    }

    /// Merges the part at `start` with the next one.
    fn merge_with_next(&mut self, start: usize) {
        let next = self.parts[start].end;
        let end = self.parts[next].end;
        self.parts[next].pair = None;
        self.parts[start].end = end;
        if let Some(after) = self.parts.get_mut(end) {
            after.before = start;
        }
        self.look_up_pair(start);
        if start > 0 {
            self.look_up_pair(self.parts[start].before);
        }
    }

    /// Looks up the token made of the part at `start` and the next one.
    fn look_up_pair(&mut self, start: usize) {
        let pair = self.find_pair(start);
        self.parts[start].pair = pair;
        if let Some(rank) = pair {
            self.pairs.push(Reverse((rank, start)));
        }
    }

    fn find_pair(&self, start: usize) -> Option<u32> {
        let next = self.parts.get(self.parts[start].end)?;
        self.vocabulary.find_rank(self.piece.get(start..next.end)?)
    }
}
