//! Types of tools and of what `return` must give: parsing, checking, coercing and printing them
//! (`ptc-lisp.md` §14). It knows nothing of tools or agents.

/// The parameters a tool takes and the type it returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    pub parameters: Vec<Field>,
    pub returns: Type,
}

/// A named parameter, or a field of a map type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: String,
    pub kind: Type,
}

/// A type, and whether it may be nil or missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    pub shape: Shape,
    pub optional: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `:string`
    String,
    /// `:int`
    Int,
    /// `:float`
    Float,
    /// `:bool`
    Bool,
    /// `:keyword`
    Keyword,
    /// `:map` or `{}`
    Map,
    /// `:any`
    Any,
    /// `[T]`
    List(Box<Type>),
    /// `{name T, …}`
    Record(Vec<Field>),
}
