//! Distinguishes people's words from program output by style.

/// Words common in speech and rare in program output.
const SPOKEN: [&str; 40] = [
    "i", "you", "it", "the", "a", "is", "are", "to", "please", "can", "could", "what", "how", "why", "this",
    "that", "we", "my", "me", "not", "now", "but", "do", "does", "ich", "du", "das", "ist", "bitte", "nicht",
    "je", "le", "la", "est", "que", "el", "es", "por", "il", "che",
];
const SHORT: [&str; 12] =
    ["yes", "no", "ok", "okay", "thanks", "continue", "sure", "go", "next", "done", "stop", "great"];
/// Maximum number of words in a phrase.
const MAX_PHRASE: usize = 8;
/// Minimum number of words in a sentence. A shorter line counts as a person's only with a word such as `yes`.
const MIN_WORDS: usize = 4;

/// Returns true if the first or last line reads like a person's sentence.
pub(super) fn is_prose(reply: &str) -> bool {
    let mut lines = reply.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next();
    let last = lines.next_back().or(first);
    first.into_iter().chain(last).any(is_sentence)
}

/// Returns true for one line of few words, without digits and symbols.
pub(super) fn is_phrase(reply: &str) -> bool {
    let words = || reply.split([' ', ',', '.', '!', '?', '\'']).filter(|word| !word.is_empty());
    words().count() <= MAX_PHRASE && words().all(|word| word.chars().all(char::is_alphabetic))
}

fn is_sentence(line: &str) -> bool {
    // Chinese and Japanese have no spaces between words.
    if line.chars().any(|c| ('\u{3040}'..='\u{9fff}').contains(&c)) {
        return true;
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let bare = |word: &str| word.trim_matches(|c: char| ".,!?'\"()".contains(c)).to_lowercase();
    let is_word =
        |word: &&&str| bare(word).chars().all(|c| c.is_alphabetic() || c == '\'' || c == '’' || c == '-');
    // Program output mixes in paths, numbers and symbols.
    let plain = words.iter().filter(is_word).count();
    let is_spoken = || words.iter().any(|word| SPOKEN.contains(&bare(word).as_str()));
    let is_short = || words.iter().any(|word| SHORT.contains(&bare(word).as_str()));
    let is_sentence = words.len() >= MIN_WORDS && plain * 5 >= words.len() * 4 && is_spoken();
    is_sentence || words.len() < MIN_WORDS && is_short()
}
