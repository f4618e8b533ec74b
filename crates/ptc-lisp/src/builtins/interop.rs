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
use super::{Builtin, Constant, between, exactly};

pub(super) use boxes::ROWS as BOXES;
pub(super) use collections::ROWS as COLLECTIONS;
pub(super) use numbers::{parse_double, parse_long};
pub(super) use texts::ROWS as TEXTS;

pub(super) static ROWS: &[Builtin] = &[
    Builtin {
        name: ".charAt",
        arity: exactly(2),
        run: strings::char_at,
        doc: "The character at the index.",
        example: "(.charAt \"abc\" 1) ;=> \"b\"",
    },
    Builtin {
        name: ".compareTo",
        arity: exactly(2),
        run: strings::compare_to,
        doc: "The difference of the first characters that differ, else that of the lengths.",
        example: "(.compareTo \"c\" \"a\") ;=> 2",
    },
    Builtin {
        name: ".contains",
        arity: exactly(2),
        run: strings::contains,
        doc: "Whether the string contains the other; whether the vector or set has the member.",
        example: "(.contains \"abc\" \"b\") ;=> true",
    },
    Builtin {
        name: ".endsWith",
        arity: exactly(2),
        run: strings::ends_with,
        doc: "Whether the string ends with the other.",
        example: "(.endsWith \"abc\" \"bc\") ;=> true",
    },
    Builtin {
        name: ".equals",
        arity: exactly(2),
        run: |cx, args| strings::equals(cx, args),
        doc: "The same as =.",
        example: "(.equals \"a\" \"a\") ;=> true",
    },
    Builtin {
        name: ".equalsIgnoreCase",
        arity: exactly(2),
        run: strings::equals_ignoring_case,
        doc: "Whether the strings are equal but for case.",
        example: "(.equalsIgnoreCase \"Ab\" \"aB\") ;=> true",
    },
    Builtin {
        name: ".indexOf",
        arity: between(2, 3),
        run: strings::index_of,
        doc: "Where the string has the other first, at the index or after it; the place of an item in a vector; -1 without any.",
        example: "(.indexOf \"abcb\" \"b\") ;=> 1",
    },
    Builtin {
        name: ".isEmpty",
        arity: exactly(1),
        run: strings::is_empty,
        doc: "Whether the string has no characters.",
        example: "(.isEmpty \"\") ;=> true",
    },
    Builtin {
        name: ".lastIndexOf",
        arity: between(2, 3),
        run: strings::last_index_of,
        doc: "Where the string has the other last, at the index or before it; the last place of an item in a vector; -1 without any.",
        example: "(.lastIndexOf \"abcb\" \"b\") ;=> 3",
    },
    Builtin {
        name: ".length",
        arity: exactly(1),
        run: strings::length,
        doc: "How many characters the string has.",
        example: "(.length \"abc\") ;=> 3",
    },
    Builtin {
        name: ".replace",
        arity: exactly(3),
        run: strings::replace,
        doc: "The string with each occurrence of one text replaced by another.",
        example: "(.replace \"a.b\" \".\" \"-\") ;=> \"a-b\"",
    },
    Builtin {
        name: ".split",
        arity: exactly(2),
        run: strings::split,
        doc: "The parts of the string between the matches of a regular expression, given as text.",
        example: "(.split \"a,b\" \",\") ;=> [\"a\" \"b\"]",
    },
    Builtin {
        name: ".startsWith",
        arity: between(2, 3),
        run: strings::starts_with,
        doc: "Whether the string starts with the other, or has it at the index.",
        example: "(.startsWith \"abc\" \"ab\") ;=> true",
    },
    Builtin {
        name: ".substring",
        arity: between(2, 3),
        run: strings::substring,
        doc: "The characters from one index up to another, or to the end.",
        example: "(.substring \"abcd\" 1 3) ;=> \"bc\"",
    },
    Builtin {
        name: ".toLowerCase",
        arity: exactly(1),
        run: |cx, args| strings::changed(cx, ".toLowerCase", |text| text.to_lowercase().into(), args),
        doc: "The string in lower case.",
        example: "(.toLowerCase \"AB\") ;=> \"ab\"",
    },
    Builtin {
        name: ".toString",
        arity: exactly(1),
        run: |cx, args| match args {
            [Value::Nil] => type_error(".toString", "a value", &Value::Nil),
            _ => strings::to_string(cx, args),
        },
        doc: "The same as str, but not of nil.",
        example: "(.toString :a) ;=> \":a\"",
    },
    Builtin {
        name: ".toUpperCase",
        arity: exactly(1),
        run: |cx, args| strings::changed(cx, ".toUpperCase", |text| text.to_uppercase().into(), args),
        doc: "The string in upper case.",
        example: "(.toUpperCase \"ab\") ;=> \"AB\"",
    },
    Builtin {
        name: ".trim",
        arity: exactly(1),
        run: |cx, args| strings::changed(cx, ".trim", |text| text.trim_matches(|c| c <= ' ').into(), args),
        doc: "The string without blanks and control characters at its ends.",
        example: "(.trim \" a \") ;=> \"a\"",
    },
    Builtin {
        name: "Boolean/parseBoolean",
        arity: exactly(1),
        run: statics::parse_boolean,
        doc: "Whether the string is \"true\", in any case.",
        example: "(Boolean/parseBoolean \"TRUE\") ;=> true",
    },
    Builtin {
        name: "Character/digit",
        arity: exactly(2),
        run: characters::digit,
        doc: "The value of the digit to this base; -1 if it is none.",
        example: "(Character/digit \"f\" 16) ;=> 15",
    },
    Builtin {
        name: "Character/getNumericValue",
        arity: exactly(1),
        run: characters::numeric_value,
        doc: "The value of the digit, 10 to 35 for the letters a to z, else -1.",
        example: "(Character/getNumericValue \"7\") ;=> 7",
    },
    Builtin {
        name: "Character/isDigit",
        arity: exactly(1),
        run: |_, args| characters::test("Character/isDigit", characters::is_digit, args),
        doc: "Whether the character is a decimal digit.",
        example: "(Character/isDigit \"7\") ;=> true",
    },
    Builtin {
        name: "Character/isLetter",
        arity: exactly(1),
        run: |_, args| characters::test("Character/isLetter", characters::is_letter, args),
        doc: "Whether the character is a letter.",
        example: "(Character/isLetter \"a\") ;=> true",
    },
    Builtin {
        name: "Character/isLetterOrDigit",
        arity: exactly(1),
        run: |_, args| {
            characters::test(
                "Character/isLetterOrDigit",
                |c| characters::is_letter(c) || characters::is_digit(c),
                args,
            )
        },
        doc: "Whether the character is a letter or a decimal digit.",
        example: "(Character/isLetterOrDigit \"-\") ;=> false",
    },
    Builtin {
        name: "Character/isLowerCase",
        arity: exactly(1),
        run: |_, args| characters::test("Character/isLowerCase", char::is_lowercase, args),
        doc: "Whether the character is a lower-case letter.",
        example: "(Character/isLowerCase \"A\") ;=> false",
    },
    Builtin {
        name: "Character/isSpaceChar",
        arity: exactly(1),
        run: |_, args| characters::test("Character/isSpaceChar", characters::is_space, args),
        doc: "Whether the character is a space of Unicode; tabs and ends of lines are not.",
        example: "(Character/isSpaceChar \" \") ;=> true",
    },
    Builtin {
        name: "Character/isUpperCase",
        arity: exactly(1),
        run: |_, args| characters::test("Character/isUpperCase", char::is_uppercase, args),
        doc: "Whether the character is an upper-case letter.",
        example: "(Character/isUpperCase \"A\") ;=> true",
    },
    Builtin {
        name: "Character/isWhitespace",
        arity: exactly(1),
        run: |_, args| characters::test("Character/isWhitespace", is_whitespace, args),
        doc: "Whether the character is white space; non-breaking spaces are not.",
        example: "(Character/isWhitespace \" \") ;=> true",
    },
    Builtin {
        name: "Character/toLowerCase",
        arity: exactly(1),
        run: |_, args| {
            characters::changed("Character/toLowerCase", |c| characters::single(c, c.to_lowercase()), args)
        },
        doc: "The character in lower case.",
        example: "(Character/toLowerCase \"A\") ;=> \"a\"",
    },
    Builtin {
        name: "Character/toUpperCase",
        arity: exactly(1),
        run: |_, args| {
            characters::changed("Character/toUpperCase", |c| characters::single(c, c.to_uppercase()), args)
        },
        doc: "The character in upper case.",
        example: "(Character/toUpperCase \"a\") ;=> \"A\"",
    },
    Builtin {
        name: "Double/parseDouble",
        arity: exactly(1),
        run: |_, args| statics::parse_float("Double/parseDouble", args),
        doc: "The float that the string shows.",
        example: "(Double/parseDouble \"1.5\") ;=> 1.5",
    },
    Builtin {
        name: "Float/parseFloat",
        arity: exactly(1),
        run: |_, args| statics::parse_float("Float/parseFloat", args),
        doc: "The same as Double/parseDouble.",
        example: "(Float/parseFloat \"1.5\") ;=> 1.5",
    },
    Builtin {
        name: "Integer/parseInt",
        arity: between(1, 2),
        run: |_, args| statics::parse_integer("Integer/parseInt", i32::MIN.into(), i32::MAX.into(), args),
        doc: "The integer that the string shows, to base ten or another.",
        example: "(Integer/parseInt \"ff\" 16) ;=> 255",
    },
    Builtin {
        name: "Integer/toBinaryString",
        arity: exactly(1),
        run: |cx, args| {
            statics::formatted(cx, "Integer/toBinaryString", |number| format!("{number:b}"), args)
        },
        doc: "The 32 bits of the integer as text, without leading zeros.",
        example: "(Integer/toBinaryString 5) ;=> \"101\"",
    },
    Builtin {
        name: "Integer/toHexString",
        arity: exactly(1),
        run: |cx, args| statics::formatted(cx, "Integer/toHexString", |number| format!("{number:x}"), args),
        doc: "The 32 bits of the integer in hexadecimal.",
        example: "(Integer/toHexString 255) ;=> \"ff\"",
    },
    Builtin {
        name: "Integer/toString",
        arity: between(1, 2),
        run: |cx, args| {
            statics::integer_to_string(cx, "Integer/toString", i32::MIN.into(), i32::MAX.into(), args)
        },
        doc: "The integer as text, to base ten or another.",
        example: "(Integer/toString 42) ;=> \"42\"",
    },
    Builtin {
        name: "Long/parseLong",
        arity: between(1, 2),
        run: |_, args| statics::parse_integer("Long/parseLong", i64::MIN, i64::MAX, args),
        doc: "The integer that the string shows, to base ten or another.",
        example: "(Long/parseLong \"12\") ;=> 12",
    },
    Builtin {
        name: "Long/toString",
        arity: between(1, 2),
        run: |cx, args| statics::integer_to_string(cx, "Long/toString", i64::MIN, i64::MAX, args),
        doc: "The integer as text, to base ten or another.",
        example: "(Long/toString 42) ;=> \"42\"",
    },
    Builtin {
        name: "String/valueOf",
        arity: exactly(1),
        run: statics::value_of,
        doc: "The same as str, but nil gives \"null\".",
        example: "(String/valueOf 5) ;=> \"5\"",
    },
];

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
