//! Checks and builds the scripted tools of a scenario.

use super::document::{Step, Target, Trail, below, trail};
use super::entries::Datum;
use super::file::{AnswerFile, ToolFile};
use super::loader::{Loader, one_line};
use super::names;
use super::silent::warn_of_unknown_parameters;
use std::sync::Arc;

use crate::agent::{Behaviour, Tool, ToolAnswer, ToolCase};
use crate::signature::{Signature, validate};
use ptc_lisp::error::describe;
use ptc_lisp::json::key;
use ptc_lisp::limits::Limits;
use ptc_lisp::read::read;
use ptc_lisp::session::{CLOCK, Ended, Environment, NoTools, Session};
use ptc_lisp::source::Source;
use ptc_lisp::symbol::Symbol;
use ptc_lisp::table::Map;
use ptc_lisp::value::Value;

const BEHAVIOURS: &str = "give it one of: returns, fails, sequence, cases, program";

/// Builds a tool. `None` if its keys are wrong; the loader then has the problem.
pub fn tool(loader: &mut Loader<'_>, name: &str, file: &ToolFile) -> Option<Tool> {
    check_name(loader, name);
    let at = trail!["tools", name];
    let signature = loader.signature(&below(&at, ["signature".into()]), file.signature.as_deref());
    let behaviour = load_behaviour(loader, &at, file)?;
    if let Some(signature) = &signature {
        warn_of_wrong_returns(loader, &at, signature, file);
        warn_of_unknown_parameters(loader, &at, signature, file.cases.as_deref().unwrap_or_default());
    }
    let description = file.description.as_deref().map(one_line);
    Some(Tool { name: Symbol::new(name), signature, description, behaviour })
}

fn check_name(loader: &mut Loader<'_>, name: &str) {
    let at = trail!["tools", name];
    if let Some((message, help)) = names::refuse_symbol("a tool", name) {
        loader.key_error(&at, message, help);
    } else if names::is_special_form(name) {
        let message = format!("a tool cannot be called '{name}': that is a special form");
        loader.key_error(&at, message, "choose another name");
    } else {
        loader.warn_if_shadowed(&at, "tool", name);
    }
}

fn load_behaviour(loader: &mut Loader<'_>, at: &[Step], file: &ToolFile) -> Option<Behaviour> {
    let given = [
        ("returns", file.returns.is_some()),
        ("fails", file.fails.is_some()),
        ("sequence", file.sequence.is_some()),
        ("cases", file.cases.is_some()),
        ("program", file.program.is_some()),
    ];
    let kind = loader.just_one(at, &given, "the tool", BEHAVIOURS)?;
    if file.otherwise.is_some() && kind != "cases" {
        let message = "otherwise is only for tools with cases";
        loader.key_error(&below(at, ["otherwise".into()]), message, "remove it, or add cases");
    }
    if let Some(program) = &file.program {
        let at = below(at, ["program".into()]);
        loader.warn_if_cut(&at, program);
        check_program(loader, &at, program);
        return Some(Behaviour::Program(program.clone()));
    }
    let Some(cases) = &file.cases else {
        return load_answers(loader, at, (&file.returns, &file.fails, &file.sequence)).map(Behaviour::Always);
    };
    let mut read = Vec::with_capacity(cases.len());
    for (index, file) in cases.iter().enumerate() {
        let at = below(at, ["cases".into(), index.into()]);
        let when: Map = file.when.iter().map(|(name, Datum(value))| (key(name), value.clone())).collect();
        if let Some(answers) = load_answers(loader, &at, (&file.returns, &file.fails, &file.sequence)) {
            read.push(ToolCase { when: when.into(), answers });
        }
    }
    let otherwise = file.otherwise.as_ref().and_then(|file| {
        let at = below(at, ["otherwise".into()]);
        load_answers(loader, &at, (&file.returns, &file.fails, &file.sequence))
    });
    Some(Behaviour::Cases { cases: read, otherwise })
}

/// The keys `returns`, `fails` and `sequence` of a tool or one of its cases.
type AnswerKeys<'f> = (&'f Option<Datum>, &'f Option<Datum>, &'f Option<Vec<AnswerFile>>);

/// The answers of a tool or one of its cases, at least one.
fn load_answers(
    loader: &mut Loader<'_>,
    at: &[Step],
    (returns, fails, sequence): AnswerKeys<'_>,
) -> Option<Vec<ToolAnswer>> {
    let given =
        [("returns", returns.is_some()), ("fails", fails.is_some()), ("sequence", sequence.is_some())];
    loader.just_one(at, &given, "the answer", "give it one of: returns, fails, sequence")?;
    let Some(sequence) = sequence else { return load_answer(returns, fails).map(|answer| vec![answer]) };
    if sequence.is_empty() {
        let at = below(at, ["sequence".into()]);
        loader.error(&at, "a sequence needs an answer", "add `- returns:` or `- fails:`");
    }
    let mut answers = Vec::with_capacity(sequence.len());
    for (index, file) in sequence.iter().enumerate() {
        let at = below(at, ["sequence".into(), index.into()]);
        let given = [("returns", file.returns.is_some()), ("fails", file.fails.is_some())];
        if loader.just_one(&at, &given, "the answer", "give it one of: returns, fails").is_some() {
            answers.extend(load_answer(&file.returns, &file.fails));
        }
    }
    Some(answers)
}

fn load_answer(returns: &Option<Datum>, fails: &Option<Datum>) -> Option<ToolAnswer> {
    let returns = returns.as_ref().map(|Datum(value)| ToolAnswer::Returns(value.clone()));
    returns.or_else(|| fails.as_ref().map(|Datum(reason)| ToolAnswer::Fails(reason.clone())))
}

fn check_program(loader: &mut Loader<'_>, at: &[Step], program: &str) {
    match read(&Source::new("", program)) {
        Ok(forms) if forms.is_empty() => {
            loader.error(at, "the program is empty", "write a function of the map of arguments");
        }
        Ok(_) => {
            if let Some(value) = not_callable(program) {
                let message = format!("expected a function of the map of arguments, found {value}");
                loader.error(at, message, "write (fn [args] …), with (:name args) for each argument");
            }
        }
        Err(error) => {
            let message = format!("the program cannot be read: {}", error.message);
            loader.error(at, message, "check its brackets and quotes");
        }
    }
}

/// Describes the value of a tool's program if it is not callable. A failing program is reported only by the run.
fn not_callable(program: &str) -> Option<String> {
    let environment = Environment { tools: Vec::new(), data: Arc::default(), now: CLOCK };
    let mut session = Session::new(environment, Limits::default());
    let outcome = session.run("tool", program, 1, &mut NoTools);
    match outcome.ended {
        Ended::Value(
            Value::Function(_) | Value::Keyword(_) | Value::Map(_) | Value::Set(_) | Value::Var(_),
        ) => None,
        Ended::Value(value) => Some(describe(&value)),
        _ => None,
    }
}

/// Warns of a `returns` with the wrong type for the signature. Not an error, since a scenario may be about just that.
fn warn_of_wrong_returns(loader: &mut Loader<'_>, at: &[Step], signature: &Signature, file: &ToolFile) {
    let mut returned = returned_values(at, &file.returns, &file.sequence);
    for (index, case) in file.cases.iter().flatten().enumerate() {
        let at = below(at, ["cases".into(), index.into()]);
        returned.extend(returned_values(&at, &case.returns, &case.sequence));
    }
    if let Some(otherwise) = &file.otherwise {
        let at = below(at, ["otherwise".into()]);
        returned.extend(returned_values(&at, &otherwise.returns, &otherwise.sequence));
    }
    for (at, value) in returned {
        if let Err(mismatches) = validate(&signature.returns, value) {
            let message = format!("this does not match the signature: {mismatches}");
            loader.warn("unexpected_type", &at, Target::Value, message, "correct it, or the signature");
        }
    }
}

/// The possible return values of a tool or one of its cases, each with its trail.
fn returned_values<'a>(
    at: &[Step],
    returns: &'a Option<Datum>,
    sequence: &'a Option<Vec<AnswerFile>>,
) -> Vec<(Trail, &'a Value)> {
    let alone = returns.iter().map(|Datum(value)| (below(at, ["returns".into()]), value));
    let in_sequence = sequence.iter().flatten().enumerate().filter_map(|(index, answer)| {
        let at = below(at, ["sequence".into(), index.into(), "returns".into()]);
        answer.returns.as_ref().map(|Datum(value)| (at, value))
    });
    alone.chain(in_sequence).collect()
}
