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

    /// The character at the index.
    ".charAt" = |cx: &mut Call, text: &str, index: &mut Value| character_at(cx, text, index).map(Value::from) =>
        "(.charAt \"abc\" 1) ;=> \"b\""
    /// The difference of the first characters that differ, else that of the lengths.
    ".compareTo" = compare_to => "(.compareTo \"c\" \"a\") ;=> 2"
    /// True if the string contains the other, or the vector or set has the member.
    ".contains" = contains => "(.contains \"abc\" \"b\") ;=> true"
    /// True if the string ends with the other.
    ".endsWith" = ends_with => "(.endsWith \"abc\" \"bc\") ;=> true"
    /// The same as =.
    ".equals" = |cx: &mut Call, a: &Value, b: &Value| equal(cx, a, b) => "(.equals \"a\" \"a\") ;=> true"
    /// True if the strings are equal, ignoring case.
    ".equalsIgnoreCase" = equals_ignoring_case => "(.equalsIgnoreCase \"Ab\" \"aB\") ;=> true"
    /// Index of the first occurrence of the other string, from an index on, or of an item of a vector; -1 if
    /// there is none.
    ".indexOf" = index_of => "(.indexOf \"abcb\" \"b\") ;=> 1"
    /// True if the string has no characters.
    ".isEmpty" = is_empty => "(.isEmpty \"\") ;=> true"
    /// Index of the last occurrence of the other string, up to an index, or of an item of a vector; -1 if
    /// there is none.
    ".lastIndexOf" = last_index_of => "(.lastIndexOf \"abcb\" \"b\") ;=> 3"
    /// Number of characters of the string.
    ".length" = length => "(.length \"abc\") ;=> 3"
    /// The string with each occurrence of one text replaced by another.
    ".replace" = replace_text => "(.replace \"a.b\" \".\" \"-\") ;=> \"a-b\""
    /// The parts of the string between the matches of a regular expression, given as text.
    ".split" = split => "(.split \"a,b\" \",\") ;=> [\"a\" \"b\"]"
    /// True if the string starts with the other, or has it at the index.
    ".startsWith" = starts_with => "(.startsWith \"abc\" \"ab\") ;=> true"
    /// The characters from one index up to another, or to the end.
    ".substring" = substring => "(.substring \"abcd\" 1 3) ;=> \"bc\""
    /// The string in lower case.
    ".toLowerCase" = |cx: &mut Call, text: &str| changed(cx, text, str::to_lowercase) =>
        "(.toLowerCase \"AB\") ;=> \"ab\""
    /// The same as str, but not of nil.
    ".toString" = to_string => "(.toString :a) ;=> \":a\""
    /// The string in upper case.
    ".toUpperCase" = |cx: &mut Call, text: &str| changed(cx, text, str::to_uppercase) =>
        "(.toUpperCase \"ab\") ;=> \"AB\""
    /// The string without blanks and control characters at its ends.
    ".trim" = |cx: &mut Call, text: &str| changed(cx, text, |text| text.trim_matches(|c| c <= ' ')) =>
        "(.trim \" a \") ;=> \"a\""
    /// True if the string is "true", in any case.
    "Boolean/parseBoolean" = parse_boolean => "(Boolean/parseBoolean \"TRUE\") ;=> true"
    /// The value of the digit to this base; -1 if it is none.
    "Character/digit" = |Character(c): Character, radix: i64| digit(c, radix) =>
        "(Character/digit \"f\" 16) ;=> 15"
    /// The value of the digit, 10 to 35 for the letters a to z, else -1.
    "Character/getNumericValue" = |Character(c): Character| digit(c, 36) =>
        "(Character/getNumericValue \"7\") ;=> 7"
    /// True if the character is a decimal digit.
    "Character/isDigit" = |Character(c): Character| is_digit(c) => "(Character/isDigit \"7\") ;=> true"
    /// True if the character is a letter.
    "Character/isLetter" = |Character(c): Character| is_letter(c) => "(Character/isLetter \"a\") ;=> true"
    /// True if the character is a letter or a decimal digit.
    "Character/isLetterOrDigit" = |Character(c): Character| is_letter(c) || is_digit(c) =>
        "(Character/isLetterOrDigit \"-\") ;=> false"
    /// True if the character is a lower-case letter.
    "Character/isLowerCase" = |Character(c): Character| c.is_lowercase() =>
        "(Character/isLowerCase \"A\") ;=> false"
    /// True if the character is a space of Unicode; tabs and ends of lines are not.
    "Character/isSpaceChar" = |Character(c): Character| is_space(c) =>
        "(Character/isSpaceChar \" \") ;=> true"
    /// True if the character is an upper-case letter.
    "Character/isUpperCase" = |Character(c): Character| c.is_uppercase() =>
        "(Character/isUpperCase \"A\") ;=> true"
    /// True if the character is white space; non-breaking spaces are not.
    "Character/isWhitespace" = |Character(c): Character| is_whitespace(c) =>
        "(Character/isWhitespace \" \") ;=> true"
    /// The character in lower case.
    "Character/toLowerCase" = |Character(c): Character| Value::from(lower_case(c)) =>
        "(Character/toLowerCase \"A\") ;=> \"a\""
    /// The character in upper case.
    "Character/toUpperCase" = |Character(c): Character| Value::from(upper_case(c)) =>
        "(Character/toUpperCase \"a\") ;=> \"A\""
    /// The float that the string shows.
    "Double/parseDouble" = parse_float => "(Double/parseDouble \"1.5\") ;=> 1.5"
    /// The same as Double/parseDouble.
    "Float/parseFloat" = parse_float => "(Float/parseFloat \"1.5\") ;=> 1.5"
    /// The integer that the string shows, to base ten or another.
    "Integer/parseInt" =
        |cx: &mut Call, text: &Value, radix: Option<&Value>| parse_integer(cx, text, radix, INTEGER) =>
        "(Integer/parseInt \"ff\" 16) ;=> 255"
    /// The 32 bits of the integer as text, without leading zeros.
    "Integer/toBinaryString" = |cx: &mut Call, Int32(number): Int32| cx.string(format!("{number:b}")) =>
        "(Integer/toBinaryString 5) ;=> \"101\""
    /// The 32 bits of the integer in hexadecimal.
    "Integer/toHexString" = |cx: &mut Call, Int32(number): Int32| cx.string(format!("{number:x}")) =>
        "(Integer/toHexString 255) ;=> \"ff\""
    /// The integer as text, to base ten or another.
    "Integer/toString" =
        |cx: &mut Call, number: &Value, radix: Option<&Value>| integer_text(cx, number, radix, INTEGER) =>
        "(Integer/toString 42) ;=> \"42\""
    /// The integer that the string shows, to base ten or another.
    "Long/parseLong" =
        |cx: &mut Call, text: &Value, radix: Option<&Value>| parse_integer(cx, text, radix, LONG) =>
        "(Long/parseLong \"12\") ;=> 12"
    /// The integer as text, to base ten or another.
    "Long/toString" =
        |cx: &mut Call, number: &Value, radix: Option<&Value>| integer_text(cx, number, radix, LONG) =>
        "(Long/toString 42) ;=> \"42\""
    /// The same as str, but nil gives "null".
    "String/valueOf" =
        |cx: &mut Call, value: Value| if value.is_nil() { cx.string("null") } else { to_string(cx, value) } =>
        "(String/valueOf 5) ;=> \"5\""
}

/// Constant whose value is made when a program names it, see `builtins::value`.
pub(super) const EMPTY_QUEUE: &str = "PersistentQueue/EMPTY";

/// Constant that is a function.
pub(super) const IGNORING_CASE: &str = "String/CASE_INSENSITIVE_ORDER";

pub(super) static CONSTANTS: &[Constant] = &[
    constant("Boolean/FALSE", Value::Bool(false), "false."),
    constant("Boolean/TRUE", Value::Bool(true), "true."),
    constant("Double/MAX_VALUE", Value::float(f64::MAX), "The greatest finite float."),
    // The least that is not rounded to zero.
    constant("Double/MIN_VALUE", Value::float(f64::from_bits(1)), "The least float greater than zero."),
    constant("Integer/MAX_VALUE", Value::Int(i32::MAX as i64), "The greatest integer of 32 bits."),
    constant("Integer/MIN_VALUE", Value::Int(i32::MIN as i64), "The least integer of 32 bits."),
    constant("Integer/SIZE", Value::Int(32), "Number of bits of such an integer."),
    constant("Long/BYTES", Value::Int(8), "Number of bytes of an integer."),
    constant("Long/MAX_VALUE", Value::Int(i64::MAX), "The greatest integer."),
    constant("Long/MIN_VALUE", Value::Int(i64::MIN), "The least integer."),
    constant("Long/SIZE", Value::Int(64), "Number of bits of an integer."),
    constant(EMPTY_QUEUE, Value::Nil, "The empty queue: conj adds at the end, peek and pop take the front."),
    constant(IGNORING_CASE, Value::Nil, "The comparator of strings that ignores case."),
];
