//! Warns of silent mistakes in a scenario file: braces without a valid placeholder, pauses after the last request, unreachable cases.

use super::document::{Step, Target, below, trail};
use super::file::{CaseFile, ScenarioFile};
use super::loader::Loader;
use crate::signature::{Signature, same_name};
use ptc_lisp::hint::suggestion;

/// Warns of braces in a mission that look like a placeholder, but are not one.
pub fn warn_of_braces(loader: &mut Loader<'_>, mission: &str, data: &[&str]) {
    let mut warned: Vec<String> = Vec::new();
    for (at, _) in mission.match_indices('{') {
        let Some(braces) = Braces::braces_at(mission, at) else { continue };
        let is_data = data.iter().any(|known| same_name(known, braces.name));
        if !is_data && !braces.is_half_closed {
            continue;
        }
        let written = braces.text;
        if warned.iter().any(|known| known == written) {
            continue;
        }
        warned.push(written.to_owned());
        let message = format!("'{written}' is no placeholder, so the model reads it as it stands");
        let help = format!("write {{{{{}}}}}", braces.name);
        loader.warn("no_placeholder", &trail!["mission"], Target::Value, message, &help);
    }
}

/// `{name}`, `{{name` or `{{name}`.
struct Braces<'m> {
    text: &'m str,
    name: &'m str,
    /// True for `{{name}`: meant as a placeholder whatever its name.
    is_half_closed: bool,
}

impl<'m> Braces<'m> {
    /// The braces opening at an index. `None` for a placeholder, a second brace, or braces without a name.
    fn braces_at(mission: &'m str, open: usize) -> Option<Braces<'m>> {
        if mission.get(..open)?.ends_with('{') {
            return None;
        }
        let rest = mission.get(open..)?;
        let opened = rest.len() - rest.trim_start_matches('{').len();
        if opened > 2 {
            return None;
        }
        let inside = rest.get(opened..)?;
        let start = inside.len() - inside.trim_start_matches(' ').len();
        let name = inside.get(start..)?.split(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '_'));
        let name = name.into_iter().next()?;
        if !name.starts_with(char::is_alphabetic) {
            return None;
        }
        let end = opened + start + name.len();
        let after = rest.get(end..)?.trim_start_matches(' ');
        let closed = after.len() - after.trim_start_matches('}').len();
        match (opened, closed) {
            (1, 1) => Some(Braces { text: rest.get(..=rest.find('}')?)?, name, is_half_closed: false }),
            (2, 1) => Some(Braces { text: rest.get(..=rest.find('}')?)?, name, is_half_closed: true }),
            (2, 0) => Some(Braces { text: rest.get(..end)?, name, is_half_closed: false }),
            _ => None,
        }
    }
}

/// Warns of pauses after the last request of the run.
pub fn warn_of_late_pauses(loader: &mut Loader<'_>, file: &ScenarioFile) {
    let requests = file.responses.len();
    if requests == 0 {
        return;
    }
    for turn in file.pauses.keys() {
        if turn.parse::<usize>().is_ok_and(|turn| turn > requests) {
            let message = format!("the run ends with turn {requests}, so nothing waits before turn {turn}");
            let help = "remove it, or write the turn whose request comes after the pause";
            loader.warn("unused_pause", &trail!["pauses", turn.as_str()], Target::Key, message, help);
        }
    }
}

/// Warns of cases of a tool with a parameter missing from its signature.
pub fn warn_of_unknown_parameters(
    loader: &mut Loader<'_>,
    at: &[Step],
    signature: &Signature,
    cases: &[CaseFile],
) {
    let names: Vec<&str> = signature.parameters.iter().map(|parameter| parameter.name.as_str()).collect();
    for (index, case) in cases.iter().enumerate() {
        for name in case.when.keys().filter(|name| !names.iter().any(|known| same_name(known, name))) {
            let at = below(at, ["cases".into(), index.into(), "when".into(), name.as_str().into()]);
            let message = format!("the signature has no parameter '{name}', so this case never answers");
            let help = if names.is_empty() {
                "remove it; the tool takes nothing".into()
            } else {
                suggestion(name, &names)
            };
            loader.warn("unknown_parameter", &at, Target::Key, message, &help);
        }
    }
}
