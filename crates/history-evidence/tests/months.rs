//! Days of dates in words, and words that begin like the name of a month.

use history_evidence::Needs;

use super::{conversation, lost};

/// The facts of an answer that are lost with the result.
fn lost_with_result(answer: &str) -> Vec<String> {
    let result = "suite KX-77 ran 12 tests, all by Mei Marcus";
    let texts = ["Look at KX-77.", "count tests", result, "check the weather", "It rains.", answer];
    let (messages, conversation) = conversation(&texts);
    let short = [messages[0].clone(), messages[3].clone(), messages[4].clone()];
    lost(&Needs::of(&conversation).examine_messages(2, &short))
}

/// Any word that begins like a month used to hide the count behind it.
#[test]
fn a_count_behind_a_word_like_a_month_is_a_fact() {
    for word in ["Marked", "Maybe", "Decided", "Junk", "Octal", "Sep-only", "ran"] {
        let answer = format!("{word} 12 tests of KX-77.");
        assert_eq!(lost_with_result(&answer), ["12 (gone, turn 1)"], "{answer}");
    }
}

#[test]
fn the_day_behind_a_month_is_no_fact() {
    for month in ["May", "Mar", "March", "Sep", "Sept", "September"] {
        let answer = format!("Since {month} 12, KX-77 passes.");
        assert_eq!(lost_with_result(&answer), [""; 0], "{answer}");
    }
}
