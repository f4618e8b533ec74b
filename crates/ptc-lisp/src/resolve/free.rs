//! Names without a meaning before the run: what a check reports of them without an evaluation.

use super::*;
use crate::lenient::{Reading, read_lenient};

/// A name unknown to the language and the program itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FreeName {
    /// The namespace to look it up in.
    pub space: FreeSpace,
    /// The name without its namespace.
    pub name: Symbol,
    /// The place in the program.
    pub span: Span,
}

/// The namespace of a free name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FreeSpace {
    /// A bare name or `user/name`.
    Bare,
    /// `tool/name`
    Tool,
    /// `data/name`
    Data,
}

/// The names of a program.
pub struct ProgramNames {
    /// The text of the places.
    pub source: Source,
    /// In the order of the text, each place once. Includes names in `tool/` and `data/` that do not exist.
    pub free: Vec<FreeName>,
    /// Names defined by a `def` anywhere in the program.
    pub defined: Vec<Symbol>,
}

impl ProgramNames {
    /// Reads and resolves a program. `is_known` returns true for names defined before it runs.
    ///
    /// # Errors
    /// When the text is no program.
    pub fn of(program: &str, is_known: IsKnown<'_>) -> Result<ProgramNames, Error> {
        let Reading { source, forms } = read_lenient(&Source::new("program", program));
        let source = Arc::new(source);
        let names = forms.and_then(|forms| ProgramNames::in_forms(&source, &forms, is_known));
        names.map_err(|error| error.in_source(&source))
    }

    fn in_forms(source: &Arc<Source>, forms: &[Form], is_known: IsKnown<'_>) -> Result<ProgramNames, Error> {
        let mut resolver = Resolver::new(source, forms, is_known);
        resolver.body(forms, Tail::NONE);
        if let Some(error) = report(source, resolver.findings) {
            return Err(error);
        }
        let mut free = resolver.free;
        free.sort_by_key(|name| name.span);
        // Macros write some forms out twice.
        free.dedup_by_key(|name| name.span);
        Ok(ProgramNames { source: (**source).clone(), free, defined: resolver.defined.into_iter().collect() })
    }
}
