//! Starts and ends of texts.

use conversation::cut::{on_one_line, shortened, shortened_inside, shortened_with, split_end, split_start};
use proptest::prelude::*;

#[test]
fn a_mark_stands_for_what_is_left_out() {
    assert_eq!(shortened("Zürich", 6), "Zürich");
    assert_eq!(shortened("Zürich", 2), "Zü...");
    assert_eq!(shortened_with("Zürich", 0, "…"), "…");
    assert_eq!(shortened_inside("src/page/search.rs", 9), "src/p...h.rs");
    assert_eq!(shortened_inside("src/a.rs", 8), "src/a.rs");
    assert_eq!(on_one_line("a\r\n\nb"), "a b");
}

proptest! {
    /// Starts and ends are as long as they can be, and nothing is lost or cut inside a character.
    #[test]
    fn texts_are_cut_between_characters(text in "\\PC{0,12}", characters in 0_usize..14) {
        let all = text.chars().count();
        for (start, end) in [split_start(&text, characters), split_end(&text, characters)] {
            prop_assert_eq!([start, end].concat(), text.clone());
        }
        prop_assert_eq!(split_start(&text, characters).0.chars().count(), characters.min(all));
        prop_assert_eq!(split_end(&text, characters).1.chars().count(), characters.min(all));
    }
}
