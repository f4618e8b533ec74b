//! Answers that are programs. They need an interpreter to be understood, which this crate does not have.

use std::borrow::Cow;

use ecow::EcoString;

use crate::matching::Atom;
use crate::uses::Use;

/// A run whose answers are programs: what the programs use, and what their definitions hold.
pub trait Programs: Send + Sync {
    /// The names that the turn before the one at an index defined, each with the number of the turn.
    fn defined_before(&self, index: usize) -> Vec<(EcoString, u32)>;

    /// What the program of the turn at an index uses. `is_defined` returns true for names that earlier turns defined.
    fn uses(&self, index: usize, is_defined: &dyn Fn(&str) -> bool) -> Vec<Use>;

    /// The calls of all programs, in order.
    fn calls(&self) -> Vec<CallTexts<'_>>;

    /// Returns true if a definition whose name is wanted holds the atom after this many turns.
    fn hold(&self, atom: &Atom, completed: usize, is_wanted: &mut dyn FnMut(&Atom) -> bool) -> bool;
}

/// The texts in the arguments of a call.
#[derive(Debug, Default)]
pub struct CallTexts<'c> {
    /// The tool.
    pub name: &'c str,
    /// Each value of each named argument: the name, and the value if it is a text. Values inside lists and maps count too, such as the
    /// `status` of each task of a list.
    pub named: Vec<(Cow<'c, str>, Option<&'c str>)>,
    /// The texts of a call that is code or text as a whole. `None` for a call with named arguments.
    pub whole: Option<Vec<&'c str>>,
}
