//! Methods and statics of Java for strings, numbers, characters and collections; `time` has those of dates.

mod characters;
mod collections;
mod numbers;
mod strings;

use super::logic::equal;
use super::text::{changed, is_whitespace};
use crate::builtins::prelude::*;
use characters::{Character, digit, is_digit, is_letter, is_space, lower_case, upper_case};
use numbers::{INTEGER, Int32, LONG, integer_text, parse_boolean, parse_float, parse_integer};
use strings::*;

pub(super) use collections::ROWS as COLLECTIONS;
pub(super) use numbers::{ROWS as BOXES, parse_double, parse_long};
pub(super) use strings::ROWS as TEXTS;

builtins! {
    pub(super) static ROWS;

    ".charAt" = |cx: &mut Call, text: &str, index: &mut Value| character_at(cx, text, index).map(Value::from);
    ".compareTo" = compare_to;
    ".contains" = contains;
    ".endsWith" = ends_with;
    ".equals" = |cx: &mut Call, a: &Value, b: &Value| equal(cx, a, b);
    ".equalsIgnoreCase" = equals_ignoring_case;
    ".indexOf" = index_of;
    ".isEmpty" = is_empty;
    ".lastIndexOf" = last_index_of;
    ".length" = length;
    ".replace" = replace_text;
    ".split" = split;
    ".startsWith" = starts_with;
    ".substring" = substring;
    ".toLowerCase" = |cx: &mut Call, text: &str| changed(cx, text, str::to_lowercase);
    ".toString" = to_string;
    ".toUpperCase" = |cx: &mut Call, text: &str| changed(cx, text, str::to_uppercase);
    ".trim" = |cx: &mut Call, text: &str| changed(cx, text, |text| text.trim_matches(|c| c <= ' '));
    "Boolean/parseBoolean" = parse_boolean;
    "Character/digit" = |Character(c): Character, radix: i64| digit(c, radix);
    "Character/getNumericValue" = |Character(c): Character| digit(c, 36);
    "Character/isDigit" = |Character(c): Character| is_digit(c);
    "Character/isLetter" = |Character(c): Character| is_letter(c);
    "Character/isLetterOrDigit" = |Character(c): Character| is_letter(c) || is_digit(c);
    "Character/isLowerCase" = |Character(c): Character| c.is_lowercase();
    "Character/isSpaceChar" = |Character(c): Character| is_space(c);
    "Character/isUpperCase" = |Character(c): Character| c.is_uppercase();
    "Character/isWhitespace" = |Character(c): Character| is_whitespace(c);
    "Character/toLowerCase" = |Character(c): Character| Value::from(lower_case(c));
    "Character/toUpperCase" = |Character(c): Character| Value::from(upper_case(c));
    "Double/parseDouble" = parse_float;
    "Float/parseFloat" = parse_float;
    "Integer/parseInt" =
        |cx: &mut Call, text: &Value, radix: Option<&Value>| parse_integer(cx, text, radix, INTEGER);
    "Integer/toBinaryString" = |cx: &mut Call, Int32(number): Int32| cx.string(format!("{number:b}"));
    "Integer/toHexString" = |cx: &mut Call, Int32(number): Int32| cx.string(format!("{number:x}"));
    "Integer/toString" =
        |cx: &mut Call, number: &Value, radix: Option<&Value>| integer_text(cx, number, radix, INTEGER);
    "Long/parseLong" =
        |cx: &mut Call, text: &Value, radix: Option<&Value>| parse_integer(cx, text, radix, LONG);
    "Long/toString" =
        |cx: &mut Call, number: &Value, radix: Option<&Value>| integer_text(cx, number, radix, LONG);
    "String/valueOf" =
        |cx: &mut Call, value: Value| if value.is_nil() { cx.string("null") } else { to_string(cx, value) };
}
