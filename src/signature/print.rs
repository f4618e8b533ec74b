//! Prints signatures in their canonical form (`docs/language.md` §14.4).

use std::fmt::{Display, Formatter, Result};

use super::{Field, Shape, Signature, Type};

/// Fields between brackets: `id :int, tags [:string]`.
pub struct Fields<'a>(pub &'a [Field]);

/// `(id :int) -> :string`, with brackets even without parameters.
pub fn format_signature(signature: &Signature) -> String {
    format!("({}) -> {}", Fields(&signature.parameters), signature.returns)
}

impl Display for Signature {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if !self.parameters.is_empty() {
            write!(f, "({}) ", Fields(&self.parameters))?;
        }
        write!(f, "-> {}", self.returns)
    }
}

impl Display for Fields<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for (index, field) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{} {}", field.name, field.kind)?;
        }
        Ok(())
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}{}", self.shape, if self.optional { "?" } else { "" })
    }
}

impl Display for Shape {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Shape::List(element) => write!(f, "[{element}]"),
            Shape::Record(fields) => write!(f, "{{{}}}", Fields(fields)),
            primitive => write!(f, ":{}", primitive.name()),
        }
    }
}
