//! Parses the programs of scripted answers without running them, and warns of mistakes: unbalanced brackets, missing tools and data,
//! undefined names. These are warnings rather than errors: models make such mistakes too, and a scenario may be about them.

use rustc_hash::FxHashSet;

use super::answer_place::AnswerPlace;
use super::calls::tool_calls;
use super::document::Document;
use super::problem::{LISTED, Problem, Severity};
use super::{Place, Scenario};
use crate::agent::extract::program_in;
use crate::agent::{Agent, Response};
use crate::signature::same_name;
use ptc_lisp::error::{Error, ErrorKind};
use ptc_lisp::hint::{did_you_mean, undefined};
use ptc_lisp::read::read;
use ptc_lisp::resolve::{FreeName, FreeSpace, ProgramNames, SPECIAL_FORMS};
use ptc_lisp::session::Session;
use ptc_lisp::source::Source;
use ptc_lisp::symbol::Symbol;

const MEANT: &str = "if the model is to err here, accept the run: ptc-eval check is silent then";

/// A warning about the answer of a turn.
pub struct ProgramWarning {
    /// From 1.
    pub turn: u32,
    pub problem: Problem,
}

/// The warnings about the programs of a scenario, in turn order.
pub fn warnings(scenario: &Scenario) -> Vec<ProgramWarning> {
    let Some(script) = scenario.script() else { return Vec::new() };
    let text = scenario.origin.text();
    let mut review = Review {
        scenario,
        agent: &script.agent,
        text: text.as_deref(),
        session: script.agent.session(),
        defined: Some(FxHashSet::default()),
        warnings: Vec::new(),
    };
    for prelude in &script.agent.preludes {
        // A prelude that fails to load is already an error of the scenario.
        let _ = review.session.load("prelude", prelude);
    }
    if script.responses.is_empty() {
        review.warn_without_responses();
    }
    for (index, response) in script.responses.iter().enumerate() {
        if let Response::Text(answer) = response {
            review.check_answer(index, answer);
        }
    }
    let mut warnings = review.warnings;
    let unlisted = warnings.len().saturating_sub(LISTED);
    if let Some(first) = warnings.get(LISTED).filter(|_| unlisted > 0) {
        let more = Problem { severity: Severity::Warning, ..Problem::more(&scenario.origin.path, unlisted) };
        let turn = first.turn;
        warnings.truncate(LISTED);
        warnings.push(ProgramWarning { turn, problem: more });
    }
    warnings
}

/// State of checking a scenario's programs.
struct Review<'s> {
    scenario: &'s Scenario,
    agent: &'s Agent,
    /// The text of the file. `None` if positions in it are unknown.
    text: Option<&'s str>,
    session: Session,
    /// Names defined by the programs so far. `None` after an unparsable program: it may define any name.
    defined: Option<FxHashSet<Symbol>>,
    warnings: Vec<ProgramWarning>,
}

impl Review<'_> {
    fn check_answer(&mut self, index: usize, answer: &str) {
        match program_in(answer) {
            Ok(program) => self.check_program(index, &program),
            Err(_) => {
                let help = "put the program into a block fenced as clojure, or write it below program:";
                self.add_warning(
                    index,
                    "no_program",
                    "",
                    (1, 1),
                    "this answer holds no program".into(),
                    help,
                );
            }
        }
    }

    fn check_program(&mut self, index: usize, program: &str) {
        let names = ProgramNames::of(program, &|name| {
            let is_defined = self.defined.as_ref().is_some_and(|defined| defined.contains(&name));
            is_defined || self.session.knows(name)
        });
        let names = match names {
            Ok(names) => names,
            Err(error) => {
                self.warn_unreadable(index, program, &error);
                self.defined = None;
                return;
            }
        };
        self.check_calls(index, program);
        let ProgramNames { source, free, defined } = names;
        for name in &free {
            if let Some((code, message)) = self.explain_unknown(name) {
                let position = source.position(name.span.start);
                self.add_warning(index, code, program, position, message, MEANT);
            }
        }
        if let Some(known) = &mut self.defined {
            known.extend(&defined);
        }
    }

    fn warn_without_responses(&mut self) {
        let Scenario { expect, origin, .. } = self.scenario;
        if expect.error == Some(ErrorKind::ScriptExhausted) {
            return;
        }
        let message = "the scenario has no responses, so its run ends before the first turn";
        let help = "add `responses:`, or let ptc-eval record ask a model for them";
        let problem = Problem {
            severity: Severity::Warning,
            code: Some("no_responses"),
            ..Problem::of_file(&origin.path, message, help)
        };
        self.warnings.push(ProgramWarning { turn: 1, problem });
    }

    /// Warns of tool calls with missing arguments.
    fn check_calls(&mut self, index: usize, program: &str) {
        let source = Source::new("", program);
        let Ok(forms) = read(&source) else { return };
        for call in tool_calls(&forms) {
            let tools = &self.agent.tools;
            let Some(tool) = tools.iter().find(|tool| same_name(tool.name.name(), call.tool)) else {
                continue;
            };
            let missing = tool.signature.as_ref().map_or_else(Vec::new, |signature| call.missing(signature));
            if let Some(name) = missing.first() {
                let message = format!("this call of tool/{} lacks '{name}'", tool.name);
                self.add_warning(
                    index,
                    "missing_argument",
                    program,
                    source.position(call.span.start),
                    message,
                    MEANT,
                );
            }
        }
    }

    fn warn_unreadable(&mut self, index: usize, program: &str, error: &Error) {
        let message = match self.place_of_answer(index, program) {
            Some(place) => place.in_file(&error.message),
            None => error.message.to_string(),
        };
        let code = if error.kind == ErrorKind::ParseError { "parse_error" } else { "not_a_program" };
        let message = format!("this program cannot run: {message}");
        self.add_warning(index, code, program, error.position.unwrap_or((1, 1)), message, MEANT);
    }

    /// The code and the message for an undefined name. `None` if a run would find it.
    fn explain_unknown(&self, free: &FreeName) -> Option<(&'static str, String)> {
        let name = free.name.name();
        let agent = self.agent;
        let (code, what, known): (_, _, Vec<&str>) = match free.space {
            FreeSpace::Tool => {
                ("unknown_tool", "tool", agent.tools.iter().map(|tool| tool.name.name()).collect())
            }
            FreeSpace::Data => ("unknown_data", "data", agent.data.keys().map(|key| key.name()).collect()),
            FreeSpace::Bare => return self.explain_undefined(name),
        };
        if known.iter().any(|known| same_name(known, name)) {
            return None;
        }
        let hint = did_you_mean(name, known.iter().copied()).unwrap_or_else(|| match known.as_slice() {
            [] => format!("The scenario has no {what}"),
            known => format!("There is {}", known.join(", ")),
        });
        Some((code, format!("there is no {what}/{name}. {hint}")))
    }

    fn explain_undefined(&self, name: &str) -> Option<(&'static str, String)> {
        let agent = self.agent;
        let defined = self.defined.as_ref()?.iter().copied();
        let given = agent.tools.iter().map(|tool| tool.name).chain(agent.data.keys().copied());
        let mut known: Vec<Symbol> = defined.chain(given).collect();
        known.sort_unstable_by_key(|name| name.name());
        let forms: Vec<&str> = SPECIAL_FORMS.iter().map(|form| form.name).collect();
        let hint = undefined(name, &forms, known.iter().map(|name| name.name()));
        let hint = hint.map_or(String::new(), |hint| format!(". {hint}"));
        Some(("undefined_symbol", format!("nothing defines '{name}' before this turn{hint}")))
    }

    fn add_warning(
        &mut self,
        index: usize,
        code: &'static str,
        program: &str,
        position: (u32, u32),
        message: String,
        help: &str,
    ) {
        let place =
            self.place_of_answer(index, program).map(|answer| Box::<Place>::new(answer.place(position, 1)));
        let path = &self.scenario.origin.path;
        let message = if place.is_some() { message } else { format!("answer {}: {message}", index + 1) };
        let problem = Problem {
            severity: Severity::Warning,
            code: Some(code),
            place,
            ..Problem::of_file(path, message, help)
        };
        self.warnings.push(ProgramWarning { turn: index as u32 + 1, problem });
    }

    fn place_of_answer(&self, index: usize, program: &str) -> Option<AnswerPlace<'_>> {
        AnswerPlace::find_answer(Document::new(&self.scenario.origin.path, self.text?), index, program)
    }
}
