//! PLACEHOLDER

use super::Builtin;

pub(super) static ROWS: &[Builtin] = &[];
pub(super) static CONSTANTS: &[super::Constant] = &[];

pub(super) fn parse_long(text: &str) -> Option<i64> {
    text.parse().ok()
}

pub(super) fn parse_double(text: &str) -> Option<f64> {
    text.parse().ok()
}
