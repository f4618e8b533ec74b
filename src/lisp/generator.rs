//! PLACEHOLDER
pub struct Generator;
