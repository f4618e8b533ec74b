//! Atoms inside values.

use super::matching::Atom;
use ptc_lisp::print::pr_str;
use ptc_lisp::stack::guarded;
use ptc_lisp::value::Value;

/// Returns true if a value has the atom at any depth.
pub fn holds(value: &Value, atom: &Atom) -> bool {
    guarded(|| match value {
        Value::Str(text) => atom.stands_in(text),
        Value::Vector(items) | Value::List(items) => items.iter().any(|item| holds(item, atom)),
        Value::Map(map) => map.iter().any(|(key, value)| match (key, atom) {
            (Value::Str(key), Atom::Keyword(name)) => {
                name.strip_prefix(':') == Some(key) || holds(value, atom)
            }
            _ => holds(key, atom) || holds(value, atom),
        }),
        Value::Set(set) => set.keys().any(|item| holds(item, atom)),
        Value::Int(_) | Value::Float(..) => {
            matches!(atom, Atom::Number(_)) && Atom::number(&pr_str(value)).as_ref() == Some(atom)
        }
        Value::Keyword(_) | Value::Date(_) | Value::DateTime(_) => atom.stands_in(&pr_str(value)),
        Value::Nil
        | Value::Bool(_)
        | Value::Function(_)
        | Value::Regex(_)
        | Value::Var(_)
        | Value::Duration(_)
        | Value::Generator(_)
        | Value::Reduced(_) => false,
    })
}
