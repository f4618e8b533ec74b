//! Scripted tools of a scenario, checked and built.

use super::document::{Target, Trail, trail};
use super::entries::Datum;
use super::file::{AnswerFile, AnswersFile, CaseFile, ToolFile};
use super::load::{Loader, one_line};
use super::names;
use crate::agent::{Answer, Behaviour, Case, Tool};
use crate::signature::Signature;
use crate::signature::validate;
use ptc_lisp::json::key;
use ptc_lisp::read::read;
use ptc_lisp::source::Source;
use ptc_lisp::symbol::Symbol;
use ptc_lisp::table::Map;
use ptc_lisp::value::Value;

const BEHAVIOURS: &str = "give it one of: returns, fails, sequence, cases, program";

/// A tool, or nothing where its file is wrong: the loader has been told.
pub fn tool(loader: &mut Loader<'_>, name: &str, file: &ToolFile) -> Option<Tool> {
    check_name(loader, name);
    let at = trail!["tools", name];
    let signature = loader.signature(&below(&at, "signature"), file.signature.as_deref());
    let behaviour = behaviour(loader, &at, file)?;
    if let Some(signature) = &signature {
        warn_of_wrong_returns(loader, &at, signature, file);
    }
    let description = file.description.as_deref().map(one_line);
    Some(Tool { name: Symbol::new(name), signature, description, behaviour })
}

fn check_name(loader: &mut Loader<'_>, name: &str) {
    let at = trail!["tools", name];
    if let Some((message, help)) = names::refuse_symbol("a tool", name) {
        loader.error(&at, Target::Key, message, help);
    } else if names::is_special_form(name) {
        let message = format!("a tool cannot be called '{name}': that is a special form");
        loader.error(&at, Target::Key, message, "choose another name");
    } else {
        loader.warn_if_shadowed(&at, "tool", name);
    }
}

fn behaviour(loader: &mut Loader<'_>, at: &Trail, file: &ToolFile) -> Option<Behaviour> {
    let said = [
        ("returns", file.returns.is_some()),
        ("fails", file.fails.is_some()),
        ("sequence", file.sequence.is_some()),
        ("cases", file.cases.is_some()),
        ("program", file.program.is_some()),
    ];
    let kind = loader.just_one(at, &said, "the tool", BEHAVIOURS)?;
    if file.otherwise.is_some() && kind != "cases" {
        let message = "otherwise is only for tools with cases".to_owned();
        loader.error(&below(at, "otherwise"), Target::Key, message, "remove it, or add cases");
    }
    match (&file.cases, &file.program) {
        (Some(cases), _) => Some(Behaviour::Cases {
            cases: cases
                .iter()
                .enumerate()
                .filter_map(|(index, case)| self::case(loader, at, index, case))
                .collect(),
            otherwise: file.otherwise.as_ref().and_then(|answers| otherwise(loader, at, answers)),
        }),
        (None, Some(program)) => {
            loader.warn_if_cut(&below(at, "program"), program);
            check_program(loader, at, program);
            Some(Behaviour::Program(program.clone()))
        }
        (None, None) => {
            answers(loader, at, &file.returns, &file.fails, &file.sequence).map(Behaviour::Always)
        }
    }
}

fn case(loader: &mut Loader<'_>, at: &Trail, index: usize, file: &CaseFile) -> Option<Case> {
    let mut at = below(at, "cases");
    at.push(index.into());
    let when: Map = file.when.iter().map(|(name, Datum(value))| (key(name), value.clone())).collect();
    let answers = answers(loader, &at, &file.returns, &file.fails, &file.sequence)?;
    Some(Case { when: when.into(), answers })
}

fn otherwise(loader: &mut Loader<'_>, at: &Trail, file: &AnswersFile) -> Option<Vec<Answer>> {
    answers(loader, &below(at, "otherwise"), &file.returns, &file.fails, &file.sequence)
}

/// The answers of one place of a tool: never none.
fn answers(
    loader: &mut Loader<'_>,
    at: &Trail,
    returns: &Option<Datum>,
    fails: &Option<Datum>,
    sequence: &Option<Vec<AnswerFile>>,
) -> Option<Vec<Answer>> {
    let said = [("returns", returns.is_some()), ("fails", fails.is_some()), ("sequence", sequence.is_some())];
    loader.just_one(at, &said, "the answer", "give it one of: returns, fails, sequence")?;
    match (returns, fails, sequence) {
        (Some(Datum(value)), _, _) => Some(vec![Answer::Returns(value.clone())]),
        (_, Some(Datum(reason)), _) => Some(vec![Answer::Fails(reason.clone())]),
        (_, _, sequence) => {
            let sequence = sequence.as_deref().unwrap_or_default();
            if sequence.is_empty() {
                let message = "a sequence needs an answer".to_owned();
                loader.error(
                    &below(at, "sequence"),
                    Target::Value,
                    message,
                    "add `- returns:` or `- fails:`",
                );
            }
            let answers = sequence.iter().enumerate();
            Some(answers.filter_map(|(index, file)| answer(loader, at, index, file)).collect())
        }
    }
}

fn answer(loader: &mut Loader<'_>, at: &Trail, index: usize, file: &AnswerFile) -> Option<Answer> {
    let mut at = below(at, "sequence");
    at.push(index.into());
    let said = [("returns", file.returns.is_some()), ("fails", file.fails.is_some())];
    loader.just_one(&at, &said, "the answer", "give it one of: returns, fails")?;
    match (&file.returns, &file.fails) {
        (Some(Datum(value)), _) => Some(Answer::Returns(value.clone())),
        (None, reason) => reason.clone().map(|Datum(reason)| Answer::Fails(reason)),
    }
}

fn check_program(loader: &mut Loader<'_>, at: &Trail, program: &str) {
    let source = Source::new("", program);
    match read(&source) {
        Ok(forms) if forms.is_empty() => {
            let message = "the program is empty".to_owned();
            loader.error(
                &below(at, "program"),
                Target::Value,
                message,
                "write a function of the map of arguments",
            );
        }
        Ok(_) => {}
        Err(error) => {
            let message = format!("the program cannot be read: {}", error.message);
            loader.error(&below(at, "program"), Target::Value, message, "check its brackets and quotes");
        }
    }
}

/// A `returns` that the signature does not allow is odd, but may be what the scenario is about.
fn warn_of_wrong_returns(loader: &mut Loader<'_>, at: &Trail, signature: &Signature, file: &ToolFile) {
    for (at, value) in returned(at, file) {
        if let Ok(Err(mismatches)) = validate(&signature.returns, value, &mut |_| Ok(())) {
            let message = format!("this is not what the signature says: {mismatches}");
            loader.warn("unexpected_type", &at, Target::Value, message, "correct it, or the signature");
        }
    }
}

/// Every value that a tool can return, and where it stands.
fn returned<'a>(at: &Trail, file: &'a ToolFile) -> Vec<(Trail, &'a Value)> {
    let mut found = answered(at, &file.returns, &file.sequence);
    for (index, case) in file.cases.iter().flatten().enumerate() {
        let mut at = below(at, "cases");
        at.push(index.into());
        found.extend(answered(&at, &case.returns, &case.sequence));
    }
    if let Some(otherwise) = &file.otherwise {
        found.extend(answered(&below(at, "otherwise"), &otherwise.returns, &otherwise.sequence));
    }
    found
}

fn answered<'a>(
    at: &Trail,
    returns: &'a Option<Datum>,
    sequence: &'a Option<Vec<AnswerFile>>,
) -> Vec<(Trail, &'a Value)> {
    let alone = returns.iter().map(|Datum(value)| (below(at, "returns"), value));
    let in_sequence = sequence.iter().flatten().enumerate().filter_map(|(index, answer)| {
        let mut at = below(at, "sequence");
        at.push(index.into());
        at.push("returns".into());
        answer.returns.as_ref().map(|Datum(value)| (at, value))
    });
    alone.chain(in_sequence).collect()
}

fn below(at: &Trail, key: &str) -> Trail {
    let mut below = at.clone();
    below.push(key.into());
    below
}
