//! Fills the placeholders of missions with data.

use super::extract::without_blank_ends;
use super::template::{MissingPlaceholder, Template};
use crate::signature::same_name;
use ptc_lisp::print::str_of;
use ptc_lisp::session::Bindings;
use ptc_lisp::value::Value;

/// Fills the placeholders of missions from data (BRK-006).
#[derive(Clone, Copy, Debug)]
pub struct MissionExpander<'a> {
    data: &'a Bindings,
}

impl<'a> MissionExpander<'a> {
    pub fn new(data: &'a Bindings) -> MissionExpander<'a> {
        MissionExpander { data }
    }

    /// The mission without blank lines at its ends, with `(str data/name)` for each `{{name}}`.
    ///
    /// # Errors
    /// The first placeholder without data; its position is that in `mission`.
    pub fn expand(&self, mission: &str) -> Result<String, MissingPlaceholder> {
        let filled = Template::new(mission).fill(|name| self.value(name).map(str_of));
        let filled = filled.map_err(|missing| self.with_available(missing))?;
        Ok(without_blank_ends(&filled).to_string())
    }

    /// Looks up a name as `data/` does: the exact name, else the only one that differs in `-` and `_`.
    fn value(&self, name: &str) -> Option<&Value> {
        let exact = self.data.iter().find(|(key, _)| key.name() == name);
        let mut similar = self.data.iter().filter(|(key, _)| same_name(key.name(), name));
        let found = exact.or_else(|| similar.next().filter(|_| similar.next().is_none()));
        found.map(|(_, value)| value)
    }

    fn with_available(&self, missing: MissingPlaceholder) -> MissingPlaceholder {
        let available = self.data.keys().map(|key| key.name().to_string()).collect();
        MissingPlaceholder { available, ..missing }
    }
}
