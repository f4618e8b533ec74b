//! Finds tool calls in a program's forms, and their missing arguments.

use ptc_lisp::form::{Form, FormKind};
use ptc_lisp::source::Span;

use crate::signature::{Field, Signature, same_name};

/// Forms that insert a value into the calls inside them. Such calls get more arguments than written.
const THREADING: [&str; 8] = ["->", "->>", "some->", "some->>", "cond->", "cond->>", "as->", "doto"];

/// A tool call as written in a program.
pub struct WrittenCall<'f> {
    /// The name without `tool/`.
    pub tool: &'f str,
    arguments: &'f [Form],
    pub span: Span,
}

/// The tool calls in these forms, except those inside threading forms.
pub fn tool_calls(forms: &[Form]) -> Vec<WrittenCall<'_>> {
    let mut calls = Vec::new();
    // The second field is true directly below a threading form. An explicit stack, since forms nest deeply.
    let mut pending: Vec<(&Form, bool)> = forms.iter().rev().map(|form| (form, false)).collect();
    while let Some((form, is_threaded)) = pending.pop() {
        let (FormKind::List(items) | FormKind::ShortFn(items)) = &form.kind else {
            if let FormKind::Vector(items) | FormKind::Map(items) | FormKind::Set(items) = &form.kind {
                pending.extend(items.iter().rev().map(|item| (item, false)));
            }
            continue;
        };
        let head = match items.first().map(|head| &head.kind) {
            Some(FormKind::Symbol(head)) => head.name(),
            _ => "",
        };
        if let (Some(tool), false, Some(arguments)) =
            (head.strip_prefix("tool/"), is_threaded, items.get(1..))
        {
            calls.push(WrittenCall { tool, arguments, span: form.span });
        }
        let threads = THREADING.contains(&head);
        pending.extend(items.iter().rev().map(|item| (item, threads)));
    }
    calls
}

impl WrittenCall<'_> {
    /// Required parameters without an argument. Empty if the only argument may be a map of all of them.
    pub fn missing<'s>(&self, signature: &'s Signature) -> Vec<&'s str> {
        match self.arguments {
            [] => required_names(&signature.parameters),
            [Form { kind: FormKind::Map(entries), .. }] => {
                let names: Option<Vec<&str>> = entries.iter().step_by(2).map(name_of_key).collect();
                let Some(names) = names else { return Vec::new() };
                let mut missing = required_names(&signature.parameters);
                missing.retain(|wanted| !names.iter().any(|name| same_name(name, wanted)));
                missing
            }
            [only] if !is_literal(only) => Vec::new(),
            // `(tool/add :x 1)` has named arguments.
            [Form { kind: FormKind::Keyword(_), .. }, ..] => Vec::new(),
            given => required_names(signature.parameters.get(given.len()..).unwrap_or_default()),
        }
    }
}

fn name_of_key(key: &Form) -> Option<&str> {
    match &key.kind {
        FormKind::Keyword(name) => Some(name.name()),
        FormKind::Str(text) => Some(text),
        _ => None,
    }
}

fn is_literal(form: &Form) -> bool {
    matches!(
        form.kind,
        FormKind::Nil
            | FormKind::Bool(_)
            | FormKind::Int(_)
            | FormKind::Float(_)
            | FormKind::Str(_)
            | FormKind::Vector(_)
    )
}

fn required_names(parameters: &[Field]) -> Vec<&str> {
    let mut names = Vec::new();
    for parameter in parameters {
        if !parameter.kind.optional {
            names.push(parameter.name.as_str());
        }
    }
    names
}
