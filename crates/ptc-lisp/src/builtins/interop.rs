//! The methods and statics of Java that programs written for Clojure use on strings, numbers and
//! characters. Those of dates are in `time`.

mod boxes;
mod characters;
mod collections;
mod numbers;
mod statics;
mod strings;
mod texts;

use crate::error::type_error;
use crate::value::Value;

use super::text::is_whitespace;
use super::{Constant, between, builtins, exactly};

pub(super) use boxes::ROWS as BOXES;
pub(super) use collections::ROWS as COLLECTIONS;
pub(super) use numbers::{parse_double, parse_long};
pub(super) use texts::ROWS as TEXTS;

builtins! {
    pub(super) static ROWS;

    /// The character at the index.
    ".charAt" [exactly(2)] = strings::char_at => "(.charAt \"abc\" 1) ;=> \"b\""
    /// The difference of the first characters that differ, else that of the lengths.
    ".compareTo" [exactly(2)] = strings::compare_to => "(.compareTo \"c\" \"a\") ;=> 2"
    /// Whether the string contains the other; whether the vector or set has the member.
    ".contains" [exactly(2)] = strings::contains => "(.contains \"abc\" \"b\") ;=> true"
    /// Whether the string ends with the other.
    ".endsWith" [exactly(2)] = strings::ends_with => "(.endsWith \"abc\" \"bc\") ;=> true"
    /// The same as =.
    ".equals" [exactly(2)] = |cx, args| strings::equals(cx, args) => "(.equals \"a\" \"a\") ;=> true"
    /// Whether the strings are equal but for case.
    ".equalsIgnoreCase" [exactly(2)] = strings::equals_ignoring_case =>
        "(.equalsIgnoreCase \"Ab\" \"aB\") ;=> true"
    /// Where the string has the other first, at the index or after it; the place of an item in a vector; -1
    /// without any.
    ".indexOf" [between(2, 3)] = strings::index_of => "(.indexOf \"abcb\" \"b\") ;=> 1"
    /// Whether the string has no characters.
    ".isEmpty" [exactly(1)] = strings::is_empty => "(.isEmpty \"\") ;=> true"
    /// Where the string has the other last, at the index or before it; the last place of an item in a
    /// vector; -1 without any.
    ".lastIndexOf" [between(2, 3)] = strings::last_index_of => "(.lastIndexOf \"abcb\" \"b\") ;=> 3"
    /// How many characters the string has.
    ".length" [exactly(1)] = strings::length => "(.length \"abc\") ;=> 3"
    /// The string with each occurrence of one text replaced by another.
    ".replace" [exactly(3)] = strings::replace => "(.replace \"a.b\" \".\" \"-\") ;=> \"a-b\""
    /// The parts of the string between the matches of a regular expression, given as text.
    ".split" [exactly(2)] = strings::split => "(.split \"a,b\" \",\") ;=> [\"a\" \"b\"]"
    /// Whether the string starts with the other, or has it at the index.
    ".startsWith" [between(2, 3)] = strings::starts_with => "(.startsWith \"abc\" \"ab\") ;=> true"
    /// The characters from one index up to another, or to the end.
    ".substring" [between(2, 3)] = strings::substring => "(.substring \"abcd\" 1 3) ;=> \"bc\""
    /// The string in lower case.
    ".toLowerCase" [exactly(1)] = |cx, args| strings::changed(cx, ".toLowerCase", |text| text.to_lowercase().into(), args) =>
        "(.toLowerCase \"AB\") ;=> \"ab\""
    /// The same as str, but not of nil.
    ".toString" [exactly(1)] = |cx, args| match args {
            [Value::Nil] => type_error(".toString", "a value", &Value::Nil),
            _ => strings::to_string(cx, args),
        } =>
        "(.toString :a) ;=> \":a\""
    /// The string in upper case.
    ".toUpperCase" [exactly(1)] = |cx, args| strings::changed(cx, ".toUpperCase", |text| text.to_uppercase().into(), args) =>
        "(.toUpperCase \"ab\") ;=> \"AB\""
    /// The string without blanks and control characters at its ends.
    ".trim" [exactly(1)] = |cx, args| strings::changed(cx, ".trim", |text| text.trim_matches(|c| c <= ' ').into(), args) =>
        "(.trim \" a \") ;=> \"a\""
    /// Whether the string is "true", in any case.
    "Boolean/parseBoolean" [exactly(1)] = statics::parse_boolean => "(Boolean/parseBoolean \"TRUE\") ;=> true"
    /// The value of the digit to this base; -1 if it is none.
    "Character/digit" [exactly(2)] = characters::digit => "(Character/digit \"f\" 16) ;=> 15"
    /// The value of the digit, 10 to 35 for the letters a to z, else -1.
    "Character/getNumericValue" [exactly(1)] = characters::numeric_value =>
        "(Character/getNumericValue \"7\") ;=> 7"
    /// Whether the character is a decimal digit.
    "Character/isDigit" [exactly(1)] = |_, args| characters::test("Character/isDigit", characters::is_digit, args) =>
        "(Character/isDigit \"7\") ;=> true"
    /// Whether the character is a letter.
    "Character/isLetter" [exactly(1)] = |_, args| characters::test("Character/isLetter", characters::is_letter, args) =>
        "(Character/isLetter \"a\") ;=> true"
    /// Whether the character is a letter or a decimal digit.
    "Character/isLetterOrDigit" [exactly(1)] = |_, args| {
            characters::test(
                "Character/isLetterOrDigit",
                |c| characters::is_letter(c) || characters::is_digit(c),
                args,
            )
        } =>
        "(Character/isLetterOrDigit \"-\") ;=> false"
    /// Whether the character is a lower-case letter.
    "Character/isLowerCase" [exactly(1)] = |_, args| characters::test("Character/isLowerCase", char::is_lowercase, args) =>
        "(Character/isLowerCase \"A\") ;=> false"
    /// Whether the character is a space of Unicode; tabs and ends of lines are not.
    "Character/isSpaceChar" [exactly(1)] = |_, args| characters::test("Character/isSpaceChar", characters::is_space, args) =>
        "(Character/isSpaceChar \" \") ;=> true"
    /// Whether the character is an upper-case letter.
    "Character/isUpperCase" [exactly(1)] = |_, args| characters::test("Character/isUpperCase", char::is_uppercase, args) =>
        "(Character/isUpperCase \"A\") ;=> true"
    /// Whether the character is white space; non-breaking spaces are not.
    "Character/isWhitespace" [exactly(1)] = |_, args| characters::test("Character/isWhitespace", is_whitespace, args) =>
        "(Character/isWhitespace \" \") ;=> true"
    /// The character in lower case.
    "Character/toLowerCase" [exactly(1)] = |_, args| {
            characters::changed("Character/toLowerCase", |c| characters::single(c, c.to_lowercase()), args)
        } =>
        "(Character/toLowerCase \"A\") ;=> \"a\""
    /// The character in upper case.
    "Character/toUpperCase" [exactly(1)] = |_, args| {
            characters::changed("Character/toUpperCase", |c| characters::single(c, c.to_uppercase()), args)
        } =>
        "(Character/toUpperCase \"a\") ;=> \"A\""
    /// The float that the string shows.
    "Double/parseDouble" [exactly(1)] = |_, args| statics::parse_float("Double/parseDouble", args) =>
        "(Double/parseDouble \"1.5\") ;=> 1.5"
    /// The same as Double/parseDouble.
    "Float/parseFloat" [exactly(1)] = |_, args| statics::parse_float("Float/parseFloat", args) =>
        "(Float/parseFloat \"1.5\") ;=> 1.5"
    /// The integer that the string shows, to base ten or another.
    "Integer/parseInt" [between(1, 2)] = |_, args| statics::parse_integer("Integer/parseInt", i32::MIN.into(), i32::MAX.into(), args) =>
        "(Integer/parseInt \"ff\" 16) ;=> 255"
    /// The 32 bits of the integer as text, without leading zeros.
    "Integer/toBinaryString" [exactly(1)] = |cx, args| {
            statics::formatted(cx, "Integer/toBinaryString", |number| format!("{number:b}"), args)
        } =>
        "(Integer/toBinaryString 5) ;=> \"101\""
    /// The 32 bits of the integer in hexadecimal.
    "Integer/toHexString" [exactly(1)] = |cx, args| statics::formatted(cx, "Integer/toHexString", |number| format!("{number:x}"), args) =>
        "(Integer/toHexString 255) ;=> \"ff\""
    /// The integer as text, to base ten or another.
    "Integer/toString" [between(1, 2)] = |cx, args| {
            statics::integer_to_string(cx, "Integer/toString", i32::MIN.into(), i32::MAX.into(), args)
        } =>
        "(Integer/toString 42) ;=> \"42\""
    /// The integer that the string shows, to base ten or another.
    "Long/parseLong" [between(1, 2)] = |_, args| statics::parse_integer("Long/parseLong", i64::MIN, i64::MAX, args) =>
        "(Long/parseLong \"12\") ;=> 12"
    /// The integer as text, to base ten or another.
    "Long/toString" [between(1, 2)] = |cx, args| statics::integer_to_string(cx, "Long/toString", i64::MIN, i64::MAX, args) =>
        "(Long/toString 42) ;=> \"42\""
    /// The same as str, but nil gives "null".
    "String/valueOf" [exactly(1)] = statics::value_of => "(String/valueOf 5) ;=> \"5\""
}

/// The constant whose value is made when a program names it, see `builtins::value`.
pub(super) const EMPTY_QUEUE: &str = "PersistentQueue/EMPTY";

/// The constant that is a function.
pub(super) const IGNORING_CASE: &str = "String/CASE_INSENSITIVE_ORDER";

pub(super) static CONSTANTS: &[Constant] = &[
    Constant { name: "Boolean/FALSE", value: Value::Bool(false), doc: "false." },
    Constant { name: "Boolean/TRUE", value: Value::Bool(true), doc: "true." },
    Constant { name: "Double/MAX_VALUE", value: Value::float(f64::MAX), doc: "The greatest finite float." },
    Constant {
        name: "Double/MIN_VALUE",
        // The least that is not rounded to zero.
        value: Value::float(f64::from_bits(1)),
        doc: "The least float greater than zero.",
    },
    Constant {
        name: "Integer/MAX_VALUE",
        value: Value::Int(i32::MAX as i64),
        doc: "The greatest integer of 32 bits.",
    },
    Constant {
        name: "Integer/MIN_VALUE",
        value: Value::Int(i32::MIN as i64),
        doc: "The least integer of 32 bits.",
    },
    Constant { name: "Integer/SIZE", value: Value::Int(32), doc: "How many bits such an integer has." },
    Constant { name: "Long/BYTES", value: Value::Int(8), doc: "How many bytes an integer has." },
    Constant { name: "Long/MAX_VALUE", value: Value::Int(i64::MAX), doc: "The greatest integer." },
    Constant { name: "Long/MIN_VALUE", value: Value::Int(i64::MIN), doc: "The least integer." },
    Constant { name: "Long/SIZE", value: Value::Int(64), doc: "How many bits an integer has." },
    Constant {
        name: EMPTY_QUEUE,
        value: Value::Nil,
        doc: "The empty queue: conj adds at the end, peek and pop take the front.",
    },
    Constant { name: IGNORING_CASE, value: Value::Nil, doc: "The comparator of strings that ignores case." },
];
