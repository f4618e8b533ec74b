//! The tree that is evaluated: names have become slots, captures, builtins or entries of `user/`.

use std::sync::Arc;

use ecow::EcoString;

use super::source::Source;
use super::symbol::Symbol;

/// PLACEHOLDER
pub enum Expr {}

/// Functions that were defined together and can call each other.
pub struct Group {
    pub members: Vec<Lambda>,
    pub source: Arc<Source>,
}

/// The code of a function.
pub struct Lambda {
    pub name: Option<Symbol>,
    /// The parameter lists as they were written, each in its brackets.
    pub parameters: Vec<EcoString>,
}

impl Lambda {
    /// `[x y]`, or `[[a] [a b]]` where there are several arities.
    pub fn parameters_in_brackets(&self) -> EcoString {
        match self.parameters.as_slice() {
            [single] => single.clone(),
            several => ecow::eco_format!("[{}]", several.join(" ")),
        }
    }
}
