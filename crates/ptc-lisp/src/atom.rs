//! The text of one token to the form that it stands for: numbers, names, characters, string escapes
//! (`docs/language.md` §1). A failure is the message without its position.

use ecow::EcoString;

use super::form::FormKind;
use super::symbol::Symbol;

/// Code points of a token that a message repeats.
const SHOWN: usize = 60;

/// Characters with a name as literals.
pub(super) const NAMED_CHARACTERS: &[(&str, char)] = &[
    ("newline", '\n'),
    ("space", ' '),
    ("tab", '\t'),
    ("return", '\r'),
    ("backspace", '\u{8}'),
    ("formfeed", '\u{c}'),
];

/// A word: `nil`, `true`, `false`, a number, a keyword or a symbol.
pub(super) fn word(text: &str) -> Result<FormKind, String> {
    match text {
        "nil" => Ok(FormKind::Nil),
        "true" => Ok(FormKind::Bool(true)),
        "false" => Ok(FormKind::Bool(false)),
        _ if begins_number(text) => number(text),
        _ => match text.strip_prefix(':') {
            Some(name) => keyword(name),
            None => symbol(text),
        },
    }
}

/// A character literal without its backslash, as a string of one character.
pub(super) fn character(name: &str) -> Result<FormKind, String> {
    match character_named(name) {
        Some(character) => Ok(FormKind::Str(EcoString::from(character))),
        None => Err(format!("Invalid character '\\{}'", shown(name))),
    }
}

/// `##Inf`, `##-Inf` or `##NaN`.
pub(super) fn symbolic(text: &str) -> Result<FormKind, String> {
    match text {
        "##Inf" => Ok(FormKind::Float(f64::INFINITY)),
        "##-Inf" => Ok(FormKind::Float(f64::NEG_INFINITY)),
        "##NaN" => Ok(FormKind::Float(f64::NAN)),
        _ => Err(format!("Invalid number '{}'. Use ##Inf, ##-Inf or ##NaN", shown(text))),
    }
}

/// The text of a string literal with its escapes replaced. Other text stays as it is.
pub(super) fn unescape(raw: &str) -> EcoString {
    let mut text = EcoString::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((plain, escape)) = rest.split_once('\\') {
        text.push_str(plain);
        let (character, after) = match escaped(escape) {
            Some(found) => found,
            None => {
                text.push('\\');
                split_first(escape).unwrap_or(('\\', ""))
            }
        };
        text.push(character);
        rest = after;
    }
    text.push_str(rest);
    text
}

/// A token as messages repeat it.
pub(super) fn shown(text: &str) -> EcoString {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => ecow::eco_format!("{}...", text.get(..end).unwrap_or("")),
        None => text.into(),
    }
}

/// Returns true if the text begins with a digit, or a sign and a digit.
fn begins_number(text: &str) -> bool {
    text.strip_prefix(['+', '-']).unwrap_or(text).starts_with(|c: char| c.is_ascii_digit())
}

fn number(text: &str) -> Result<FormKind, String> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let problem = match integer_digits(unsigned) {
        Some((digits, radix)) => {
            let sign = if text.starts_with('-') { "-" } else { "" };
            match i64::from_str_radix(&format!("{sign}{digits}"), radix) {
                Ok(integer) => return Ok(FormKind::Int(integer)),
                Err(_) => ". Integers must fit in 64 bits",
            }
        }
        None => match float(text) {
            Some(float) => return Ok(FormKind::Float(float)),
            None => match ratio(text) {
                Some(ratio) => return Ok(ratio),
                None => number_hint(unsigned),
            },
        },
    };
    Err(format!("Invalid number '{}'{problem}", shown(text)))
}

/// The digits of an integer and their radix: `0x1F`, `2r101`, `017`, `42`. All but `2r101` may end with `N`.
fn integer_digits(text: &str) -> Option<(&str, u32)> {
    if let Some((radix, digits)) = text.split_once(['r', 'R']) {
        let radix = radix.parse().ok().filter(|radix| (2..=36).contains(radix) && !text.starts_with('0'))?;
        return all_digits(digits, radix).then_some((digits, radix));
    }
    let text = text.strip_suffix('N').unwrap_or(text);
    let (digits, radix) = match text.strip_prefix('0') {
        None | Some("") => (text, 10),
        Some(after) => match after.strip_prefix(['x', 'X']) {
            Some(hex) => (hex, 16),
            None => (after, 8),
        },
    };
    all_digits(digits, radix).then_some((digits, radix))
}

/// `2.5`, `1.`, `1e3`, `1.5M`, `1M`
fn float(text: &str) -> Option<f64> {
    let digits = text.strip_suffix('M').unwrap_or(text);
    let is_plain_integer = digits.len() == text.len() && !digits.contains(['.', 'e', 'E']);
    let has_foreign_letters =
        digits.contains(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | 'e' | 'E' | '+' | '-'));
    if is_plain_integer || has_foreign_letters { None } else { digits.parse().ok() }
}

/// `1/3`; `4/2` is an integer.
fn ratio(text: &str) -> Option<FormKind> {
    let (above, below) = text.split_once('/').filter(|(_, below)| all_digits(below, 10))?;
    let (above, below): (i64, i64) = (above.parse().ok()?, below.parse().ok()?);
    match above.checked_rem(below)? {
        0 => Some(FormKind::Int(above / below)),
        _ => Some(FormKind::Ratio(above, below)),
    }
}

fn number_hint(unsigned: &str) -> &'static str {
    match unsigned.split_once('/') {
        Some((above, below)) if all_digits(above, 10) && all_digits(below, 10) => {
            ". Both parts must fit in 64 bits, and the second must not be 0"
        }
        _ if unsigned.starts_with('0') && all_digits(unsigned, 10) => ". A leading 0 means octal",
        _ => "",
    }
}

fn all_digits(text: &str, radix: u32) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_digit(radix))
}

/// A keyword, without its colon.
fn keyword(name: &str) -> Result<FormKind, String> {
    // All definitions are in `user`.
    let own = match name.strip_prefix(':') {
        Some(bare) if bare.contains('/') => {
            return Err(format!("Keyword ':{0}' has an alias. Write ':{0}' with one colon", shown(bare)));
        }
        Some(bare) if !bare.is_empty() => Some(format!("user/{bare}")),
        _ => None,
    };
    let name = own.as_deref().unwrap_or(name);
    let valid = name.chars().all(|c| continues_name(c) || matches!(c, '/' | '|'))
        && !name.starts_with('/')
        && !name.ends_with(['/', ':'])
        && !name.is_empty();
    if valid || name == "/" {
        return Ok(FormKind::Keyword(Symbol::new(name)));
    }
    let hint = if name.is_empty() { ". A map is written {key value}, without colons between" } else { "" };
    Err(format!("Invalid keyword ':{}'{hint}", shown(name)))
}

fn symbol(text: &str) -> Result<FormKind, String> {
    let valid = match text.split_once('/') {
        None => is_name(text),
        Some(("", "")) => true,
        Some((namespace, name)) => is_name(namespace) && is_name(name),
    };
    if valid {
        return Ok(FormKind::Symbol(Symbol::new(text)));
    }
    match text.chars().next() {
        Some(first) if !begins_name(first) && first != '/' => Err(unexpected(first)),
        _ => Err(format!("Invalid symbol '{}'{}", shown(text), symbol_hint(text))),
    }
}

/// Hint for a symbol with a colon at its end or with slashes elsewhere.
fn symbol_hint(text: &str) -> String {
    match text.strip_suffix(':').filter(|name| is_name(name)) {
        Some(name) => format!(". Did you mean ':{}'?", shown(name)),
        None if text.starts_with("//") => ". Use quot, or ; for comments".to_string(),
        None => String::new(),
    }
}

/// Characters that cannot be seen are named by their code.
fn unexpected(character: char) -> String {
    if character.is_alphanumeric() || !character.is_control() && !is_invisible(character) {
        let hint = if character == '|' { ". Use or" } else { "" };
        return format!("Unexpected '{character}'{hint}");
    }
    format!("Unexpected character U+{:04X}", u32::from(character))
}

/// Characters without width, which text from models sometimes contains.
pub(super) fn is_invisible(character: char) -> bool {
    matches!(character, '\u{feff}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{ad}' | '\u{180e}')
}

fn is_name(text: &str) -> bool {
    text.starts_with(begins_name) && text.chars().all(continues_name) && !text.ends_with(':')
}

fn begins_name(character: char) -> bool {
    character.is_alphabetic()
        || matches!(character, '*' | '+' | '!' | '-' | '_' | '?' | '<' | '>' | '=' | '&' | '%' | '$' | '.')
}

fn continues_name(character: char) -> bool {
    begins_name(character) || character.is_numeric() || matches!(character, '\'' | '#' | ':')
}

fn character_named(name: &str) -> Option<char> {
    let (first, rest) = split_first(name)?;
    match first {
        _ if rest.is_empty() => Some(first),
        'u' if rest.len() == 4 && all_digits(rest, 16) => char::from_u32(code(rest, 16)?),
        'o' if rest.len() <= 3 && all_digits(rest, 8) => octal(rest),
        _ => NAMED_CHARACTERS.iter().find(|(known, _)| *known == name).map(|(_, character)| *character),
    }
}

/// The character of an escape without its backslash, and the text after it.
fn escaped(text: &str) -> Option<(char, &str)> {
    let (first, after) = split_first(text)?;
    let character = match first {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        '\\' | '"' => first,
        'u' => return unicode_escape(after),
        'o' => return octal_escape(after),
        '0'..='7' => return octal_escape(text),
        _ => return None,
    };
    Some((character, after))
}

/// `XXXX`, or `XXXX\uXXXX` where the two are halves of one character.
fn unicode_escape(text: &str) -> Option<(char, &str)> {
    let (unit, after) = hex_unit(text)?;
    if let Some(character) = char::from_u32(unit) {
        return Some((character, after));
    }
    let (low, after) = hex_unit(after.strip_prefix("\\u")?)?;
    let pair = [unit as u16, low as u16];
    let character = char::decode_utf16(pair).next()?.ok()?;
    Some((character, after))
}

fn hex_unit(text: &str) -> Option<(u32, &str)> {
    let (digits, after) = text.split_at_checked(4)?;
    all_digits(digits, 16).then_some((code(digits, 16)?, after))
}

/// One to three octal digits, at most 377.
fn octal_escape(text: &str) -> Option<(char, &str)> {
    let digits = text.bytes().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
    let (digits, after) = text.split_at_checked(digits)?;
    Some((octal(digits)?, after))
}

fn octal(digits: &str) -> Option<char> {
    code(digits, 8).and_then(|code| u8::try_from(code).ok()).map(char::from)
}

fn code(digits: &str, radix: u32) -> Option<u32> {
    u32::from_str_radix(digits, radix).ok()
}

fn split_first(text: &str) -> Option<(char, &str)> {
    let mut characters = text.chars();
    Some((characters.next()?, characters.as_str()))
}
