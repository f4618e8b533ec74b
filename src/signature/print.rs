//! Signatures as text, in their one canonical form (`docs/language.md` §14.4).

use std::fmt::{Display, Formatter, Result};

use super::{Field, Shape, Signature, Type};

/// Fields as they stand between brackets: `id :int, tags [:string]`.
pub struct Fields<'a>(pub &'a [Field]);

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
            Shape::String => f.write_str(":string"),
            Shape::Int => f.write_str(":int"),
            Shape::Float => f.write_str(":float"),
            Shape::Bool => f.write_str(":bool"),
            Shape::Keyword => f.write_str(":keyword"),
            Shape::Map => f.write_str(":map"),
            Shape::Any => f.write_str(":any"),
            Shape::List(element) => write!(f, "[{element}]"),
            Shape::Record(fields) => write!(f, "{{{}}}", Fields(fields)),
        }
    }
}
