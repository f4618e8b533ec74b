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
/// Minimum number of words in a sentence. A shorter line counts as prose only with a word such as `yes`.
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
    let mut words = 0;
    for word in reply.split([' ', ',', '.', '!', '?', '\'']) {
        words += usize::from(!word.is_empty());
        if words > MAX_PHRASE || !word.chars().all(char::is_alphabetic) {
            return false;
        }
    }
    true
}

fn is_sentence(line: &str) -> bool {
    // Chinese and Japanese have no spaces between words.
    if line.chars().any(|c| ('\u{3040}'..='\u{9fff}').contains(&c)) {
        return true;
    }
    let words: Vec<String> = line.split_whitespace().map(trim_punctuation).collect();
    if words.len() < MIN_WORDS {
        return words.iter().any(|word| SHORT.contains(&word.as_str()));
    }
    // Program output mixes in paths, numbers and symbols.
    let plain = words.iter().filter(|word| is_plain_word(word)).count();
    plain * 5 >= words.len() * 4 && words.iter().any(|word| SPOKEN.contains(&word.as_str()))
}

/// The word in lower case, without the punctuation around it.
fn trim_punctuation(word: &str) -> String {
    word.trim_matches(|c: char| ".,!?'\"()".contains(c)).to_lowercase()
}

fn is_plain_word(word: &str) -> bool {
    word.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-'))
}
