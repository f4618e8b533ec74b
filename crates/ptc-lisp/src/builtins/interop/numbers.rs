//! Numbers in text, as Java reads them (`docs/language.md` §16.3).

/// A sign or none and decimal digits, nothing else; none outside 64 bits.
pub(in crate::builtins) fn parse_long(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// The syntax of `Double.parseDouble` without hexadecimal floats; too large a number is an infinity.
pub(in crate::builtins) fn parse_double(text: &str) -> Option<f64> {
    let text = text.trim_matches(|c| c <= ' ');
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let magnitude = match unsigned {
        "NaN" => f64::NAN,
        "Infinity" => f64::INFINITY,
        _ => parse_decimal(unsigned.strip_suffix(['d', 'D', 'f', 'F']).unwrap_or(unsigned))?,
    };
    Some(if text.starts_with('-') { -magnitude } else { magnitude })
}

fn parse_decimal(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent_digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let is_number = are_digits(whole)
        && are_digits(fraction)
        && are_digits(exponent_digits)
        && !exponent_digits.is_empty()
        && !(whole.is_empty() && fraction.is_empty());
    if is_number { text.parse().ok() } else { None }
}

fn are_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longs_are_digits_and_a_sign() {
        assert_eq!(parse_long("+42"), Some(42));
        assert_eq!(parse_long("-9223372036854775808"), Some(i64::MIN));
        for text in ["", "+", " 42", "4.2", "1_000", "0x1", "--1", "9223372036854775808"] {
            assert_eq!(parse_long(text), None, "{text}");
        }
    }

    #[test]
    fn doubles_are_read_as_java_reads_them() {
        let cases = [
            ("1", 1.0),
            ("12.", 12.0),
            (".5", 0.5),
            ("-.5e-1", -0.05),
            (" 1.5\t", 1.5),
            ("1d", 1.0),
            ("1.5F", 1.5),
            ("+1E+3", 1000.0),
            ("1e400", f64::INFINITY),
            ("-Infinity", f64::NEG_INFINITY),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_double(text), Some(expected), "{text}");
        }
        assert!(parse_double("-NaN").is_some_and(f64::is_nan));
        let bad = [
            "", ".", "e5", "1e", "1e+", "inf", "nan", "infinity", "0x1p3", "1,000", "1 2", "1dd", "NaNd",
            "+-1",
        ];
        for text in bad {
            assert_eq!(parse_double(text), None, "{text}");
        }
    }
}
