//! Answers that are programs. Understanding them takes an interpreter, so callers of this crate implement [`Programs`].

use std::borrow::Cow;

use ecow::EcoString;

use crate::matching::Atom;
use crate::uses::Use;

/// A run whose answers are programs: the atoms they use, and the values they define.
pub trait Programs: Send + Sync {
    /// The names defined by the turn before `index`, with the turn's number.
    fn defined_before(&self, index: usize) -> Vec<(EcoString, u32)>;

    /// The atoms used by the program of the turn at `index`. `is_defined` returns true for names defined by earlier turns.
    fn uses_of(&self, index: usize, is_defined: &dyn Fn(&str) -> bool) -> Vec<Use>;

    /// The calls of all programs, in order.
    fn calls(&self) -> Vec<CallTexts<'_>>;

    /// Returns true if a definition holds the atom after `completed` turns and `is_wanted` accepts the definition's name.
    fn is_held(&self, atom: &Atom, completed: usize, is_wanted: &mut dyn FnMut(&Atom) -> bool) -> bool;
}

/// The texts in the arguments of a [`Call`](conversation::Call).
#[derive(Debug, Default)]
pub struct CallTexts<'c> {
    /// Name of the tool.
    pub name: &'c str,
    /// Each named argument with its value, or `None` if the value is not a text. Values inside lists and maps have their own
    /// entries, such as the `status` of each task in a list.
    pub named: Vec<(Cow<'c, str>, Option<&'c str>)>,
    /// The texts of a call with code or plain text as its only argument. `None` for a call with named arguments.
    pub whole: Option<Vec<&'c str>>,
}
