//! Nested data: `flatten`, `tree-seq`, the family of `clojure.walk`, and `replace`.

use super::output::{Growing, add};
use crate::builtins::prelude::*;
use crate::builtins::replace::replace_all;
use crate::builtins::text::Converted;
use crate::symbol::Symbol;

pub fn flatten(cx: &mut Call, collection: &Value) -> Eval {
    let mut leaves = Growing::default();
    match collection {
        Value::Vector(items) | Value::List(items) => flatten_items(cx, items, &mut leaves)?,
        Value::Generator(_) => return infinite(),
        _ => {}
    }
    Ok(leaves.into_list())
}

fn flatten_items(cx: &mut Interpreter<'_>, items: &Items, leaves: &mut Growing) -> Eval<()> {
    cx.tick(items.len())?;
    for item in items {
        match item {
            Value::Vector(inner) | Value::List(inner) => guarded(|| flatten_items(cx, inner, leaves))?,
            Value::Generator(_) => return infinite(),
            leaf => leaves.push(cx, leaf.clone())?,
        }
    }
    Ok(())
}

pub fn tree_seq(cx: &mut Call, is_branch: &Value, children: &Value, root: Value) -> Eval {
    let mut nodes = Growing::default();
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        nodes.push(cx, node.clone())?;
        if cx.call(is_branch, &mut [node.clone()])?.is_truthy() {
            let inner = cx.call(children, &mut [node])?;
            waiting.extend(cx.all(inner)?.into_iter().rev());
        }
    }
    Ok(nodes.into_list())
}

pub fn walk(cx: &mut Call, inner: &Value, outer: &Value, form: Value) -> Eval {
    let walked = map_parts(cx, form, &mut |cx, part| cx.call(inner, &mut [part]))?;
    cx.call(outer, &mut [walked])
}

pub fn postwalk(cx: &mut Call, function: &Value, form: Value) -> Eval {
    walk_up(cx, form, &mut |cx, part| cx.call(function, &mut [part]))
}

pub fn prewalk(cx: &mut Call, function: &Value, form: Value) -> Eval {
    walk_down(cx, form, &mut |cx, part| cx.call(function, &mut [part]))
}

pub fn postwalk_replace(cx: &mut Call, substitutes: Value, form: Value) -> Eval {
    replace_parts(cx, substitutes, form, walk_up)
}

pub fn prewalk_replace(cx: &mut Call, substitutes: Value, form: Value) -> Eval {
    replace_parts(cx, substitutes, form, walk_down)
}

type Walker = fn(&mut Call, Value, &mut Visit<'_>) -> Eval;

/// A set maps each member to itself, so it changes nothing.
fn replace_parts(cx: &mut Call, substitutes: Value, form: Value, walk: Walker) -> Eval {
    if let Value::Set(_) = substitutes {
        return Ok(form);
    }
    let substitutes = Substitutes::new(substitutes);
    walk(cx, form, &mut |cx, part| substitutes.of(cx.name, part))
}

pub fn keywordize_keys(cx: &mut Call, form: Value) -> Eval {
    rename_keys(cx, form, |key| match key {
        Value::Str(text) => Value::keyword(text),
        other => other.clone(),
    })
}

pub fn stringify_keys(cx: &mut Call, form: Value) -> Eval {
    rename_keys(cx, form, |key| match key {
        Value::Keyword(name) => Value::str(after_namespace(*name)),
        other => other.clone(),
    })
}

fn after_namespace(name: Symbol) -> &'static str {
    let name = name.name();
    name.split_once('/').map_or(name, |(_, after)| after)
}

fn rename_keys(cx: &mut Call, form: Value, rename: fn(&Value) -> Value) -> Eval {
    walk_up(cx, form, &mut |cx, part| {
        let Value::Map(map) = &part else { return Ok(part) };
        cx.allocate_entries(map.len())?;
        Ok(Value::map(map.iter().map(|(key, value)| (rename(key), value.clone())).collect()))
    })
}

/// Maps one part of a form to a part of the result.
type Visit<'v> = dyn FnMut(&mut Call, Value) -> Eval + 'v;

/// Visits the parts of a form before the form itself.
fn walk_up(cx: &mut Call, form: Value, visit: &mut Visit<'_>) -> Eval {
    let walked = cx.nested(|cx| map_parts(cx, form, &mut |cx, part| walk_up(cx, part, visit)))?;
    visit(cx, walked)
}

/// Visits a form before the parts of the result.
fn walk_down(cx: &mut Call, form: Value, visit: &mut Visit<'_>) -> Eval {
    let visited = visit(cx, form)?;
    cx.nested(|cx| map_parts(cx, visited, &mut |cx, part| walk_down(cx, part, visit)))
}

/// Visits the items of a collection and keeps its type. Other values are returned unchanged.
fn map_parts(cx: &mut Call, form: Value, visit: &mut Visit<'_>) -> Eval {
    match form {
        Value::Vector(items) if items.is_entry() => {
            map_items(cx, items, visit).map(|items| Value::Vector(items.into_entry()))
        }
        Value::Vector(items) => map_items(cx, items, visit).map(Value::Vector),
        Value::List(items) => map_items(cx, items, visit).map(Value::List),
        Value::Map(ref map) => gather(cx, Value::map(map.emptied()), form, visit),
        Value::Set(ref set) => gather(cx, Value::set(set.emptied()), form, visit),
        Value::Generator(_) => infinite(),
        leaf => Ok(leaf),
    }
}

fn map_items(cx: &mut Call, items: Items, visit: &mut Visit<'_>) -> Eval<Items> {
    cx.tick(items.len())?;
    cx.allocate_slots(items.len())?;
    let mut slots = items.into_vec();
    for slot in &mut slots {
        *slot = visit(cx, slot.take())?;
    }
    Ok(Items::from(slots))
}

fn gather(cx: &mut Call, mut target: Value, form: Value, visit: &mut Visit<'_>) -> Eval {
    for item in cx.all(form)? {
        let visited = visit(cx, item)?;
        add(cx, &mut target, visited)?;
    }
    Ok(target)
}

/// `(replace substitutes)`, `(replace substitutes collection)` and `(replace string match replacement)`
pub fn replace(cx: &mut Call, mut first: Value, second: Option<Value>, replacement: Option<Value>) -> Eval {
    let collection = match (second, replacement) {
        (None, _) => return Ok(Transducer::of(Step::Replace(Substitutes::new(first)))),
        (Some(wanted), Some(replacement)) => {
            let text = Converted::of(cx, first.take())?;
            return replace_all(cx, text, &wanted, &replacement);
        }
        (Some(collection), None) => collection,
    };
    let substitutes = Substitutes::new(first);
    let is_vector = matches!(collection, Value::Vector(_));
    let items = cx.all(collection)?.into_iter().map(|item| substitutes.of(cx.name, item));
    let items = items.collect::<Eval<Vec<Value>>>()?;
    if is_vector { cx.vector(items) } else { cx.list(items) }
}

/// Replacements of values: the entries of a map, or the items of a vector by their indices.
#[derive(Clone)]
pub enum Substitutes {
    Map(Arc<Map>),
    Vector(Items),
    /// A value without entries: an error once there is something to replace.
    Other(Value),
}

impl Substitutes {
    fn new(value: Value) -> Substitutes {
        match value {
            Value::Nil => Substitutes::Map(Arc::default()),
            Value::Map(map) => Substitutes::Map(map),
            Value::Vector(items) => Substitutes::Vector(items),
            other => Substitutes::Other(other),
        }
    }

    /// The substitute of a value; by default the value itself. `name` is the calling function.
    pub fn of(&self, name: &str, value: Value) -> Eval {
        let found = match (self, &value) {
            (Substitutes::Other(other), _) => {
                let refused = match other {
                    Value::Str(_) => {
                        let hint = "For text write (str/replace text match replacement)";
                        type_error_hint(name, "a map of replacements", other, hint)
                    }
                    _ => type_error(name, "a map of replacements", other),
                };
                return refused.map_err(of_class(Class::IllegalArgumentException));
            }
            (Substitutes::Map(map), _) => {
                let found = map.get(&value);
                if found.is_none()
                    && let Some(other) = map.bars(&value)
                {
                    return cannot_compare(&value, &other);
                }
                found
            }
            (Substitutes::Vector(items), Value::Int(index)) => {
                usize::try_from(*index).ok().and_then(|index| items.get(index))
            }
            _ => None,
        };
        Ok(found.cloned().unwrap_or(value))
    }
}
