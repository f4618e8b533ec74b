//! Fills the placeholders of missions with data.

use super::extract::without_blank_ends;
use super::template::{PlaceholderError, Template};
use crate::signature::same_name;
use ptc_lisp::print::{Printer, Style};
use ptc_lisp::session::Bindings;
use ptc_lisp::symbol::Symbol;
use ptc_lisp::value::Value;

/// Fills the placeholders of missions. `data` contains the values.
#[derive(Clone, Copy, Debug)]
pub struct MissionExpander<'a> {
    data: &'a Bindings,
}

impl<'a> MissionExpander<'a> {
    pub fn new(data: &'a Bindings) -> MissionExpander<'a> {
        MissionExpander { data }
    }

    /// Replaces each `{{name}}` by `(str data/name)`, and drops blank lines at the ends of the mission.
    ///
    /// # Errors
    /// The first placeholder without data or with too much of it, and its position in `mission`.
    pub fn expand(&self, mission: &str) -> Result<String, PlaceholderError> {
        let filled = Template::new(mission).fill(|name, bytes| {
            let mut printer = Printer::limited(Style::Readable, u64::MAX, bytes);
            printer.write_str_argument(self.find_value(name)?);
            Some(printer.finish().0)
        });
        match filled {
            Ok(filled) => Ok(without_blank_ends(&filled).to_string()),
            Err(error) => Err(self.with_available(error)),
        }
    }

    /// Looks up a name as `data/` does: the exact name, else the only name that differs just in `-` and `_`.
    fn find_value(&self, name: &str) -> Option<&Value> {
        if let Some(symbol) = Symbol::known(name)
            && let Some(value) = self.data.get(&symbol)
        {
            return Some(value);
        }
        let mut similar = None;
        for (key, value) in self.data {
            if !same_name(key.name(), name) {
                continue;
            }
            if similar.is_some() {
                return None;
            }
            similar = Some(value);
        }
        similar
    }

    fn with_available(&self, mut error: PlaceholderError) -> PlaceholderError {
        if error.available.is_some() {
            error.available = Some(self.data.keys().map(|key| key.name().to_string()).collect());
        }
        error
    }
}
