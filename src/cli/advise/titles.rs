//! Recognizable names for sessions: first words of the user, model and date.

use agent_logs::{Transcript, TranscriptRole};
use ptc_prices::date_of_day;

/// Most characters of the words.
const LENGTH: usize = 36;
/// With fewer characters than this, the next word is truncated instead of dropped.
const SHORTEST: usize = 12;
/// How user messages written by programs begin.
const NOT_OF_A_PERSON: [&str; 5] =
    ["<", "#", "Caveat:", "[Request interrupted", "This session is being continued"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The first words of the user.
pub(in crate::cli) fn title_of(transcript: &Transcript) -> Option<String> {
    let words = transcript.messages.iter().filter(|message| message.role == TranscriptRole::User);
    for message in words.filter(|message| !message.is_observation && !message.reinjected) {
        let text = message.content.trim();
        if !text.is_empty() && !NOT_OF_A_PERSON.iter().any(|start| text.starts_with(start)) {
            return Some(first_words(text));
        }
    }
    None
}

/// The first words of a text, truncated between words, without heading marks.
fn first_words(text: &str) -> String {
    let mut words = String::new();
    for word in text.split_whitespace().filter(|word| !word.chars().all(|c| c == '#')) {
        let length = words.chars().count() + word.chars().count() + 1;
        if length > LENGTH && words.chars().count() >= SHORTEST {
            return words + "…";
        }
        if !words.is_empty() {
            words.push(' ');
        }
        let room = LENGTH.saturating_sub(words.chars().count());
        words.extend(word.chars().filter(|c| !c.is_control()).take(room));
        if length > LENGTH {
            return words + "…";
        }
    }
    words
}

/// `5 Jan`, or `5 Jan 2026` with the year.
pub(super) fn day_in_words(day: i64, with_year: bool) -> String {
    let date = date_of_day(day);
    let mut parts = date.split('-');
    let (Some(year), Some(month), Some(day)) = (parts.next(), parts.next(), parts.next()) else {
        return date;
    };
    let month = month.parse::<usize>().ok().and_then(|month| MONTHS.get(month.checked_sub(1)?));
    let Some(month) = month else { return date };
    let year = if with_year { format!(" {year}") } else { String::new() };
    format!("{} {month}{year}", day.trim_start_matches('0'))
}

/// `5 Jan to 9 Sep 2026`
pub(super) fn days_in_words((first, last): (i64, i64)) -> String {
    let year = |day: i64| date_of_day(day).split('-').next().map(str::to_owned);
    if first == last {
        return day_in_words(last, true);
    }
    format!("{} to {}", day_in_words(first, year(first) != year(last)), day_in_words(last, true))
}
