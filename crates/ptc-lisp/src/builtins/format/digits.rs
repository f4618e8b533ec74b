//! The decimal digits of a float, rounded half up as in Java's `Formatter`. It rounds the shortest decimal with the same
//! value, not the exact binary one: 2.345 gives 2.35.

/// `0.d₁d₂…` times ten to the power of `exponent`.
pub(in crate::builtins) struct Digits {
    digits: Vec<u8>,
    exponent: i64,
}

impl Digits {
    /// The shortest digits that read back as this number, which is finite and not negative.
    pub(in crate::builtins) fn of(number: f64) -> Digits {
        let text = format!("{number:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let digits = mantissa.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
        Digits { digits, exponent: exponent.parse().unwrap_or(0) + 1 }
    }

    /// `123.46`
    pub(super) fn fixed(&self, precision: usize) -> String {
        let rounded = self.rounded(self.exponent + precision as i64);
        let point = rounded.exponent;
        let mut text = String::new();
        if point <= 0 {
            text.push('0');
        }
        text.extend((0..point).map(|place| rounded.digit(place)));
        if precision > 0 {
            text.push('.');
            text.extend((point..point + precision as i64).map(|place| rounded.digit(place)));
        }
        text
    }

    /// `1.23e+02`
    pub(super) fn scientific(&self, precision: usize) -> String {
        let rounded = self.rounded(1 + precision as i64);
        let mut text = String::from(rounded.digit(0));
        if precision > 0 {
            text.push('.');
            text.extend((1..=precision as i64).map(|place| rounded.digit(place)));
        }
        let exponent = if rounded.is_zero() { 0 } else { rounded.exponent - 1 };
        let sign = if exponent < 0 { '-' } else { '+' };
        text + &format!("e{sign}{:02}", exponent.abs())
    }

    /// Chooses the notation by the size of the number; the precision counts all digits.
    pub(super) fn general(&self, precision: usize) -> String {
        let precision = precision.max(1);
        let rounded = self.rounded(precision as i64);
        let exponent = rounded.exponent;
        if exponent < -3 || exponent > precision as i64 {
            return rounded.scientific(precision - 1);
        }
        rounded.fixed(usize::try_from(precision as i64 - exponent).unwrap_or(0))
    }

    /// The number with this many decimals.
    pub(in crate::builtins) fn with_decimals(&self, decimals: i64) -> f64 {
        let rounded = self.rounded(self.exponent.saturating_add(decimals));
        let digits: String = (0..rounded.digits.len() as i64).map(|place| rounded.digit(place)).collect();
        format!("0.{digits}e{}", rounded.exponent).parse().unwrap_or(f64::NAN)
    }

    fn is_zero(&self) -> bool {
        self.digits.iter().all(|digit| *digit == 0)
    }

    /// The digit at this place, from 0; there are zeros before and behind.
    fn digit(&self, place: i64) -> char {
        let digit = usize::try_from(place).ok().and_then(|place| self.digits.get(place));
        char::from(b'0' + digit.unwrap_or(&0))
    }

    /// With this many digits kept.
    fn rounded(&self, keep: i64) -> Digits {
        let Ok(keep) = usize::try_from(keep) else {
            return Digits { digits: vec![0], exponent: 1 };
        };
        let kept = self.digits.iter().take(keep).copied().collect();
        let mut rounded = Digits { digits: kept, exponent: self.exponent };
        if self.digits.get(keep).is_some_and(|first_dropped| *first_dropped >= 5) {
            rounded.increment();
        }
        rounded
    }

    /// Adds one in the last place.
    fn increment(&mut self) {
        for digit in self.digits.iter_mut().rev() {
            if *digit < 9 {
                *digit += 1;
                return;
            }
            *digit = 0;
        }
        self.digits.insert(0, 1);
        self.exponent += 1;
    }
}
