//! The search index of a scenario: a bit set of hashed trigrams of its texts. The page looks there first, and unpacks only
//! scenarios whose index has every trigram of the searched text.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Bits of the largest index. Longer texts fill it, and are then unpacked by every search.
const MOST_BITS: usize = 1 << 16;
const LEAST_BITS: usize = 1 << 8;
/// Bits of a word of the set.
const WORD: usize = u64::BITS as usize;

/// The index of a text in lower case, in base64. `indexOf` in the page's `list.js` computes the same bits.
pub fn index(text: &str) -> String {
    let mut words = vec![0_u64; MOST_BITS / WORD];
    for trigram in text.as_bytes().windows(3) {
        let bit = hash_trigram(trigram) as usize % MOST_BITS;
        if let Some(word) = words.get_mut(bit / WORD) {
            *word |= 1 << (bit % WORD);
        }
    }
    // At most a half of the bits is set, so a wrong hit has one chance in two for each trigram.
    while words.len() * WORD > LEAST_BITS && count_ones(&words) * 4 <= words.len() * WORD {
        words = fold_words(&words);
    }
    let mut bytes = Vec::with_capacity(words.len() * 8);
    words.iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
    STANDARD.encode(bytes)
}

/// The hash of three bytes, by a multiplication as in Fibonacci hashing. The low bits choose the bit of any smaller index.
fn hash_trigram(trigram: &[u8]) -> u32 {
    let number = trigram.iter().fold(0_u32, |number, byte| number << 8 | u32::from(*byte));
    number.wrapping_mul(0x9E37_79B1) >> 16
}

fn count_ones(words: &[u64]) -> usize {
    words.iter().map(|word| word.count_ones() as usize).sum()
}

/// The set with half the bits.
fn fold_words(words: &[u64]) -> Vec<u64> {
    let (low, high) = words.split_at(words.len() / 2);
    low.iter().zip(high).map(|(low, high)| low | high).collect()
}
