//! Finds token counts in the raw JSON of a log by the words in their names. So renamed fields are found too.

use std::borrow::Cow;
use std::fmt;

use memchr::memmem;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::transcript::MOST_TOKENS;

/// Parts of the names of counts. A value without any of them has no bill.
const HINTS: [&str; 3] = ["oken", "utput", "sage"];
/// Words of token counts.
const TOKEN_WORDS: [&str; 3] = ["token", "tokens", "toks"];
/// Words of input and output.
const INPUT_WORDS: [&str; 6] = ["input", "prompt", "request", "in", "sent", "context"];
const OUTPUT_WORDS: [&str; 9] = [
    "output",
    "completion",
    "response",
    "generation",
    "generated",
    "candidates",
    "answer",
    "out",
    "received",
];
/// Words of parts of the input and of the output.
const INPUT_PARTS: [&str; 7] = ["cache", "cached", "read", "write", "written", "creation", "tool"];
const OUTPUT_PARTS: [&str; 4] = ["reasoning", "thoughts", "thought", "thinking"];
/// Words of numbers about tokens other than the bill of one call: limits, sums, prices, times.
const OTHER_WORDS: [&str; 33] = [
    "max",
    "min",
    "limit",
    "limits",
    "budget",
    "window",
    "threshold",
    "remaining",
    "reserved",
    "accumulated",
    "cumulative",
    "cost",
    "costs",
    "price",
    "prices",
    "pricing",
    "time",
    "latency",
    "duration",
    "ms",
    "seconds",
    "rate",
    "id",
    "index",
    "requests",
    "saved",
    "estimated",
    "before",
    "after",
    "pre",
    "post",
    "cleared",
    "truncation",
];
/// Words of objects with numbers other than the bill of one call.
const OTHER_OBJECTS: [&str; 16] = [
    "accumulated",
    "cumulative",
    "total",
    "totals",
    "cost",
    "costs",
    "price",
    "prices",
    "pricing",
    "limit",
    "limits",
    "budget",
    "rate",
    "billed",
    "estimated",
    "saved",
];
/// Words of sums over input and output. With a direction in its name, a count is a bill: Gemini bills `total_input_tokens`.
const SUM_WORDS: [&str; 2] = ["total", "totals"];
/// Fields with the arguments of calls and the input of requests. The numbers in them are data.
const DATA: [&str; 6] = ["input", "inputs", "arguments", "args", "parameters", "params"];
/// Maximum number of counts in a bill.
const MAX_COUNTS: usize = 24;

/// Token counts in one object of a log, above 0.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct FoundBill {
    pub(super) counts: Vec<FoundCount>,
}

/// A token count and its place in a value, as the name of its field and of the object around it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FoundCount {
    pub(super) path: String,
    pub(super) tokens: u64,
    pub(super) side: Side,
}

/// The side of a bill, by the words in a count's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Side {
    /// All input tokens, or those outside the cache.
    Input,
    /// Input tokens read from the cache or written to it, or fetched by tools.
    InputPart,
    Output,
    Unknown,
}

/// Finds the bills in raw JSON. JSON inside a string is a text.
pub(super) fn find_bills(raw: &str) -> Vec<FoundBill> {
    if HINTS.iter().all(|hint| memmem::find(raw.as_bytes(), hint.as_bytes()).is_none()) {
        return Vec::new();
    }
    let mut deserializer = serde_json::Deserializer::from_str(raw);
    let walk = Walk { name: "", above: "", is_data: false };
    match walk.deserialize(&mut deserializer) {
        Ok(Found::Object { own, mut below }) => {
            below.extend(Some(own).filter(|own| !own.counts.is_empty()));
            below
        }
        Ok(Found::List(bills)) => bills,
        // A value nested too deep for the parser has its bills outside, or is no log.
        Ok(Found::Count(_) | Found::Other) | Err(_) => Vec::new(),
    }
}

/// What is found in a value.
enum Found {
    Count(u64),
    /// The counts of an object, and the bills of the objects in it.
    Object {
        own: FoundBill,
        below: Vec<FoundBill>,
    },
    List(Vec<FoundBill>),
    Other,
}

/// Walks through a value.
#[derive(Clone, Copy)]
struct Walk<'n> {
    /// Name of the field with the value.
    name: &'n str,
    /// Name of the field with the object around the value.
    above: &'n str,
    /// True for a field with data: lists and objects in it are skipped.
    is_data: bool,
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = Found;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Found, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = Found;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_u64<E>(self, number: u64) -> Result<Found, E> {
        Ok(Found::Count(number))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Found, E> {
        // Data frames write counts as `12.0`.
        let is_count = number.fract() == 0.0 && (0.0..MOST_TOKENS as f64).contains(&number);
        Ok(if is_count { Found::Count(number as u64) } else { Found::Other })
    }

    fn visit_str<E>(self, text: &str) -> Result<Found, E> {
        // Some gateways log numbers as text.
        let is_number = text.len() < 12 && text.starts_with(|c: char| c.is_ascii_digit());
        Ok(if is_number { text.parse().map_or(Found::Other, Found::Count) } else { Found::Other })
    }

    fn visit_i64<E>(self, _number: i64) -> Result<Found, E> {
        Ok(Found::Other)
    }

    fn visit_bool<E>(self, _value: bool) -> Result<Found, E> {
        Ok(Found::Other)
    }

    fn visit_unit<E>(self) -> Result<Found, E> {
        Ok(Found::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Found, A::Error> {
        if self.is_data {
            while items.next_element::<IgnoredAny>()?.is_some() {}
            return Ok(Found::Other);
        }
        let mut bills = Vec::new();
        while let Some(found) = items.next_element_seed(self)? {
            match found {
                Found::Object { own, below } => {
                    bills.extend(below);
                    bills.extend(Some(own).filter(|own| !own.counts.is_empty()));
                }
                Found::List(inner) => bills.extend(inner),
                Found::Count(_) | Found::Other => {}
            }
        }
        Ok(Found::List(bills))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Found, A::Error> {
        if self.is_data {
            while fields.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            return Ok(Found::Other);
        }
        let (mut numbers, mut inner, mut below) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(name) = fields.next_key_seed(Name)? {
            let is_data = DATA.contains(&name.as_ref());
            match fields.next_value_seed(Walk { name: &name, above: self.name, is_data })? {
                Found::Count(number) if (1..=MOST_TOKENS).contains(&number) => numbers.push((name, number)),
                Found::Object { own, below: bills } => {
                    inner.extend(Some(own).filter(|own| !own.counts.is_empty()));
                    below.extend(bills);
                }
                Found::List(bills) => below.extend(bills),
                Found::Count(_) | Found::Other => {}
            }
        }
        let mut own = FoundBill { counts: self.find_counts(&numbers) };
        // Details of a bill are nested objects, such as `input_tokens_details`.
        let is_detailed = !own.counts.is_empty() || TOKEN_WORDS.iter().any(|word| has_word(self.name, word));
        for bill in inner {
            if is_detailed && own.counts.len() + bill.counts.len() <= MAX_COUNTS {
                own.counts.extend(bill.counts);
            } else {
                below.push(bill);
            }
        }
        Ok(Found::Object { own, below })
    }
}

impl Walk<'_> {
    /// The token counts among the numbers of the object.
    fn find_counts(self, numbers: &[(Cow<str>, u64)]) -> Vec<FoundCount> {
        let is_other = has_any(self.name, &OTHER_OBJECTS) || has_any(self.above, &OTHER_OBJECTS);
        if numbers.is_empty() || is_other {
            return Vec::new();
        }
        // pi, opencode and Gemini CLI have no "token" in their names: `{"input": 900, "output": 20}`.
        let is_pair = numbers.iter().any(|(name, _)| has_word(name, "input"))
            && numbers.iter().any(|(name, _)| has_word(name, "output"));
        let mut counts = Vec::new();
        for (name, tokens) in numbers {
            // In flat attributes the name includes the objects around it: `gen_ai.usage.input_tokens`.
            let (around, own) = name.rsplit_once('.').unwrap_or((self.name, name));
            // `tokens: {input: 900, cache: {read: 800}}`
            let is_part = has_any(around, &INPUT_PARTS) && has_any(self.above, &TOKEN_WORDS);
            if is_count(around, own, is_pair || is_part) {
                let dot = if self.name.is_empty() { "" } else { "." };
                let path = format!("{}{dot}{name}", self.name);
                let side = side_of(around, own);
                counts.push(FoundCount { path, tokens: *tokens, side });
            }
        }
        counts.truncate(MAX_COUNTS);
        counts
    }
}

/// Returns true for the name of a token count.
fn is_count(around: &str, own: &str, is_pair: bool) -> bool {
    let is_whole = has_any(own, &SUM_WORDS) && !has_direction(own);
    // The AI SDK bills `inputTokens: {total: 900, cacheRead: 800}`.
    let is_sum = is_whole && !(has_any(around, &INPUT_WORDS) || has_any(around, &OUTPUT_WORDS));
    if is_sum || has_any(own, &OTHER_WORDS) || has_any(around, &OTHER_OBJECTS) {
        return false;
    }
    let is_of_tokens = has_any(own, &TOKEN_WORDS) || has_any(around, &TOKEN_WORDS);
    let is_of_usage = has_word(around, "usage");
    is_of_usage
        || is_of_tokens && (has_direction(own) || has_direction(around))
        || is_pair && has_direction(own)
}

/// Returns true if a name has words of input or output.
fn has_direction(name: &str) -> bool {
    [&INPUT_WORDS[..], &INPUT_PARTS, &OUTPUT_WORDS, &OUTPUT_PARTS].iter().any(|words| has_any(name, words))
}

fn side_of(around: &str, own: &str) -> Side {
    let has = |words: &[&str]| has_any(own, words) || has_any(around, words);
    match () {
        () if has_any(own, &OUTPUT_PARTS) => Side::Output,
        () if has_any(own, &INPUT_PARTS) || has_any(around, &INPUT_PARTS) => Side::InputPart,
        () if has_any(own, &OUTPUT_WORDS) => Side::Output,
        () if has_any(own, &INPUT_WORDS) => Side::Input,
        () if has(&OUTPUT_WORDS) || has(&OUTPUT_PARTS) => Side::Output,
        () if has(&INPUT_WORDS) => Side::Input,
        () => Side::Unknown,
    }
}

fn has_any(name: &str, words: &[&str]) -> bool {
    words.iter().any(|word| has_word(name, word))
}

/// Returns true if a name such as `promptTokenCount` or `input_tokens` has this word, in lower case.
fn has_word(name: &str, word: &str) -> bool {
    let bytes = name.as_bytes();
    if bytes.len() < word.len() {
        return false;
    }
    (0..=bytes.len() - word.len()).any(|start| {
        let end = start + word.len();
        let is_same = bytes.get(start..end).is_some_and(|part| part.eq_ignore_ascii_case(word.as_bytes()));
        is_same && is_border(bytes, start) && is_border(bytes, end)
    })
}

/// Returns true if a word begins or ends at this place of a name.
fn is_border(name: &[u8], at: usize) -> bool {
    let Some((before, after)) = at.checked_sub(1).and_then(|last| name.get(last).zip(name.get(at))) else {
        return true;
    };
    !before.is_ascii_alphabetic()
        || !after.is_ascii_alphabetic()
        || before.is_ascii_lowercase() && after.is_ascii_uppercase()
}

/// Reads a name without a copy where it has no escapes.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Cow<'de, str>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Name {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Borrowed(name))
    }

    fn visit_str<E>(self, name: &str) -> Result<Cow<'de, str>, E> {
        Ok(Cow::Owned(name.to_owned()))
    }
}
