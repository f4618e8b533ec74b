//! Token counts equal those of `tiktoken-rs`.

use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use proptest::prelude::*;
use ptc_tokens::{BytePairs, ENCODINGS, Encoder, Encoding, Tokenizer};
use tiktoken_rs::CoreBPE;

/// Parts of texts, divided by broken bars.
const WORDS: &str = "electronics¦ ¦  ¦\n¦\n\n¦\t¦/¦//¦;; ¦(def x 1)¦1234567¦'s¦'LL¦é¦名前¦\u{301}¦\r\n¦<|endoftext|>¦\
    🙂¦Aa¦!?\n¦\u{a0}¦-¦x_y";

fn reference(name: &str) -> &'static CoreBPE {
    match name {
        "o200k_base" => tiktoken_rs::o200k_base_singleton(),
        "cl100k_base" => tiktoken_rs::cl100k_base_singleton(),
        other => panic!("no reference for {other}"),
    }
}

/// A pseudo-random generator: texts are the same on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn text(&mut self) -> String {
        let words: Vec<&str> = WORDS.split('¦').collect();
        (0..self.roll(30)).map(|_| words[self.roll(words.len())]).collect()
    }

    /// A text of characters from a few kinds: code, blanks, digits, letters with marks, CJK, emoji, anything.
    fn characters(&mut self) -> String {
        let kinds = [self.roll(KINDS.len()), self.roll(KINDS.len()), self.roll(KINDS.len())];
        let character = |dice: &mut Dice| {
            let (from, to) = KINDS[kinds[dice.roll(kinds.len())]];
            char::from_u32(from + dice.roll((to - from) as usize) as u32).unwrap_or('\n')
        };
        (0..self.roll(60)).map(|_| character(self)).collect()
    }
}

/// Ranges of characters. Code points that are no character become line breaks.
const KINDS: [(u32, u32); 14] = [
    (0x20, 0x7f),
    (0x28, 0x40),
    (0x30, 0x3a),
    (0x61, 0x7b),
    (0x41, 0x5b),
    (0x09, 0x0e),
    (0x20, 0x21),
    (0xa0, 0x250),
    (0x300, 0x380),
    (0x600, 0x6ff),
    (0x2000, 0x2070),
    (0x4e00, 0x9fff),
    (0x1f300, 0x1fb00),
    (0, 0x11_0000),
];

/// The vocabulary of the reference as an automaton from the bytes of a token to its rank.
fn automaton(name: &str) -> Vec<u8> {
    // Ranks count up from 0 without a gap; special tokens come after one.
    let tokens = (0_u32..).map_while(|rank| Some((reference(name).decode_bytes(&[rank]).ok()?, rank.into())));
    let mut tokens: Vec<(Vec<u8>, u64)> = tokens.collect();
    tokens.sort_unstable();
    fst::Map::from_iter(tokens).unwrap().as_fst().to_vec()
}

/// Rewrites the vocabularies with `PTC_EVAL_BLESS=1`.
#[test]
#[allow(clippy::disallowed_methods, reason = "the flag is read from the environment")]
fn vocabularies_are_those_of_the_reference() {
    for Encoding { name, .. } in ENCODINGS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("vocabularies/{name}.fst"));
        let expected = automaton(name);
        if std::env::var_os("PTC_EVAL_BLESS").is_some() {
            std::fs::write(&path, &expected).unwrap();
        }
        assert!(
            std::fs::read(&path).unwrap() == expected,
            "{name}: run PTC_EVAL_BLESS=1 cargo test -p ptc-tokens"
        );
    }
}

/// An encoding and the counts made with it.
struct Compared {
    name: &'static str,
    engine: Box<dyn Encoder>,
    tokenizer: Tokenizer,
}

impl Compared {
    fn all() -> impl Iterator<Item = Compared> {
        ENCODINGS.iter().map(|encoding| Compared {
            name: encoding.name,
            engine: (encoding.start)(),
            tokenizer: Tokenizer::new(encoding),
        })
    }

    /// Asserts that tokens equal the reference's, and that a text that is counted in pieces has as many.
    fn check(&self, text: &str) {
        let expected = reference(self.name).encode_ordinary(text);
        assert_eq!(self.engine.encode(text), expected, "{} {text:?}", self.name);
        assert_eq!(self.tokenizer.count(text) as usize, expected.len(), "{} {text:?}", self.name);
    }
}

#[test]
fn tokens_are_those_of_the_reference() {
    for compared in Compared::all() {
        let mut dice = Dice(5);
        for _ in 0..10_000 {
            compared.check(&if dice.roll(3) == 0 { dice.text() } else { dice.characters() });
        }
    }
}

/// The sources of this package.
#[test]
fn tokens_of_sources_are_those_of_the_reference() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let texts: Vec<String> = ["src", "tests"].iter().flat_map(|folder| files(&root.join(folder))).collect();
    assert!(texts.len() > 5, "{} files", texts.len());
    for compared in Compared::all() {
        texts.iter().for_each(|text| compared.check(text));
    }
}

fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let texts = entries.flat_map(|path| match path.is_dir() {
        true => files(&path),
        false => std::fs::read_to_string(&path).into_iter().collect(),
    });
    texts.collect()
}

#[test]
fn texts_counted_together_have_the_counts_they_have_alone() {
    let tokenizer = Tokenizer::named("o200k_base").unwrap();
    let mut dice = Dice(3);
    let texts: Vec<String> = (0..500).map(|_| dice.text()).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let counted = tokenizer.count_all(&texts);
    assert_eq!(counted.len(), texts.len());
    for (text, counted) in texts.iter().zip(counted) {
        let alone = reference("o200k_base").count_ordinary(text);
        assert_eq!(counted.tokens() as usize, alone, "{text:?}");
    }
}

#[test]
fn shared_prefixes_are_those_of_the_encodings() {
    for Encoding { name, .. } in ENCODINGS {
        let tokenizer = Tokenizer::named(name).unwrap();
        let mut dice = Dice(11);
        for _ in 0..1_500 {
            let head = dice.text();
            let (one, other) = (format!("{head}{}", dice.text()), format!("{head}{}", dice.text()));
            let (left, right) =
                (reference(name).encode_ordinary(&one), reference(name).encode_ordinary(&other));
            let expected = left.iter().zip(&right).take_while(|(left, right)| left == right).count();
            assert_eq!(tokenizer.shared_prefix(&one, &other) as usize, expected, "{name} {one:?} {other:?}");
        }
    }
}

#[test]
fn special_tokens_are_text() {
    let tokenizer = Tokenizer::named("o200k_base").unwrap();
    assert!(tokenizer.count("<|endoftext|>") > 1);
    assert_eq!(tokenizer.count(""), 0);
    assert_eq!(tokenizer.count("hello world"), 2);
}

/// The reference gives up on a million blanks in a row, so the pieces are compared with the whole.
#[test]
fn long_runs_are_counted_in_time() {
    let runs = [" ", "\n", "\t ", "ab", "Ab", "é", "7", "/", "some words in a line, ", "\u{301}", "\r\n "];
    for compared in Compared::all() {
        for run in runs {
            let text = run.repeat(50_000 / run.len());
            let count = compared.tokenizer.count(&text) as usize;
            assert_eq!(count, compared.engine.encode(&text).len(), "{} {run:?}", compared.name);
        }
    }
}

/// Words without any place to cut, each longer than several windows.
#[test]
fn long_words_have_the_tokens_of_the_reference() {
    let units: [&dyn Fn(&mut Dice) -> String; 9] = [
        &|_| "a".to_owned(),
        &|_| "ab".to_owned(),
        &|dice| letter(dice, "abcdefghijklmnopqrstuvwxyz"),
        &|dice| letter(dice, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/"),
        &|dice| letter(dice, "abcdef"),
        &|dice| letter(dice, "!#$%&()*+,-./:;<=>?@[]^_{|}~"),
        &|dice| ["the", "quick", "error", "message", "http", "table"][dice.roll(6)].to_owned(),
        &|dice| format!("{{\"{}\":[{}]}},", letter(dice, "xyz"), letter(dice, "{}[]")),
        &|dice| char::from_u32(0x4e00 + dice.roll(0x5000) as u32).unwrap().to_string(),
    ];
    for compared in Compared::all() {
        let mut dice = Dice(17);
        for unit in units {
            let mut text = String::new();
            while text.len() < 20_000 {
                text.push_str(&unit(&mut dice));
            }
            compared.check(&text);
        }
    }
}

fn letter(dice: &mut Dice, of: &str) -> String {
    of.chars().nth(dice.roll(of.len())).unwrap().to_string()
}

/// Every byte of UTF-8, every character of the first two planes, in which the tables differ, and some of the others.
#[test]
fn every_character_has_the_tokens_of_the_reference() {
    for compared in Compared::all() {
        let others = ('\u{20000}'..=char::MAX).step_by(37);
        let characters: Vec<char> = ('\0'..'\u{20000}').chain(others).collect();
        characters.chunks(64).for_each(|some| compared.check(&some.iter().collect::<String>()));
    }
}

#[test]
fn what_is_known_starts_nothing() {
    static ENCODED: AtomicU32 = AtomicU32::new(0);
    static STARTED: AtomicU32 = AtomicU32::new(0);
    struct Letters;
    impl Encoder for Letters {
        fn encode(&self, text: &str) -> Vec<u32> {
            ENCODED.fetch_add(1, Ordering::SeqCst);
            text.chars().map(u32::from).collect()
        }
    }
    static LETTERS: Encoding = Encoding {
        name: "letters",
        start: || {
            STARTED.fetch_add(1, Ordering::SeqCst);
            Box::new(Letters)
        },
    };
    let done = || (STARTED.load(Ordering::SeqCst), ENCODED.load(Ordering::SeqCst));
    let tokenizer = Tokenizer::new(&LETTERS);
    assert_eq!((tokenizer.count(""), done()), (0, (0, 0)));
    assert_eq!((tokenizer.count("a\nbc\n"), done()), (5, (1, 2)));
    assert_eq!((tokenizer.count("bc\na\nbc\n"), done()), (8, (1, 2)));
    assert_eq!((tokenizer.shared_prefix("a\nbc\nd", "a\nbc\ne"), done()), (5, (1, 3)));
    assert_eq!((tokenizer.shared_prefix("bc\nd", "bc\ne"), done()), (3, (1, 3)));
    assert_eq!((tokenizer.shared_prefix("a\nxy", "a\nxz"), done()), (3, (1, 6)));
    assert_eq!((tokenizer.shared_prefix("bc\nxy", "bc\nxz"), done()), (4, (1, 6)));
}

#[test]
fn an_unknown_tokenizer_is_told_those_there_are() {
    let error = Tokenizer::named("gpt2").err().unwrap().to_string();
    assert_eq!(error, "there is no tokenizer 'gpt2'; try one of: o200k_base, cl100k_base");
}

/// The vocabularies with any text as one piece, joined in windows of this many bytes.
fn one_piece(window: usize) -> [BytePairs; 2] {
    let vocabularies: [&[u8]; 2] =
        [include_bytes!("../vocabularies/o200k_base.fst"), include_bytes!("../vocabularies/cl100k_base.fst")];
    vocabularies.map(|vocabulary| BytePairs::new(vocabulary, r"(?s)\A.*").in_windows(window))
}

proptest! {
    /// Narrow windows often disagree, and cut tokens that are longer than they.
    #[test]
    fn tokens_do_not_depend_on_windows(
        text in prop_oneof!["[ab]{0,400}", "[a-z]{0,400}", "[A-Za-z+/]{0,400}", "[ \n]{0,400}", "\\PC{0,200}", "(?s).{0,200}",
            "(the|er|ing|error){0,90}", "([0-9a-f]{2}){0,150}", r#"(\{"id":"[a-z]{1,3}"\},?){0,30}"#],
        window in 1_usize..200,
    ) {
        static WHOLE: LazyLock<[BytePairs; 2]> = LazyLock::new(|| one_piece(usize::MAX));
        for (whole, windows) in WHOLE.iter().zip(one_piece(window)) {
            let expected = whole.encode(&text);
            prop_assert_eq!(windows.count(&text), expected.len());
            prop_assert_eq!(windows.encode(&text), expected);
        }
    }

    #[test]
    fn any_text_has_a_count(text in "\\PC{0,80}") {
        static SHARED: LazyLock<Tokenizer> = LazyLock::new(|| Tokenizer::named("o200k_base").unwrap());
        let tokenizer = &*SHARED;
        prop_assert_eq!(tokenizer.count(&text) as usize, reference("o200k_base").count_ordinary(&text));
    }
}
