//! PLACEHOLDER

use super::Builtin;

pub(super) static ROWS: &[Builtin] = &[];

pub(super) fn replace_text(
    _: &mut crate::lisp::eval::Interpreter<'_>,
    _: &mut [crate::lisp::value::Value],
) -> crate::lisp::error::Eval {
    crate::lisp::error::raise(crate::lisp::error::ErrorKind::TypeError, "not yet")
}
