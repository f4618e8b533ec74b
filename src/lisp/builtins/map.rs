//! PLACEHOLDER

use super::Builtin;

pub(super) static ROWS: &[Builtin] = &[];
