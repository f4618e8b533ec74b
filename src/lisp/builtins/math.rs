//! PLACEHOLDER

use super::Builtin;

pub(super) static ROWS: &[Builtin] = &[];
pub(super) static CONSTANTS: &[super::Constant] = &[];
