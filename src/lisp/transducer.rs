//! PLACEHOLDER
pub struct Transducer;

pub fn compose(_parts: &[crate::lisp::value::Value]) -> crate::lisp::value::Value {
    crate::lisp::value::Value::Nil
}
