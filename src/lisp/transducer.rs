//! PLACEHOLDER
pub struct Transducer;
