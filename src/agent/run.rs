//! The loop of an agent: answer, program, turn, until the run ends. Requests are rendered elsewhere.

use super::Agent;
use super::extract::program_in;
use super::host::ScriptedHost;
use super::model::Model;
use super::outcome::{Ending, RunOutcome};
use super::turn::{Turn, Work};
use super::turns::Turns;
use crate::signature::{describe_refusal, validate};
use ptc_lisp::error::{Error, ErrorKind, Unwind, raise};
use ptc_lisp::session::{CLOCK, Ended, Environment, Session};
use ptc_lisp::value::Value;

/// Largest returned value that is checked, in elements.
const MAX_CHECKED: usize = 10_000_000;

/// Runs an agent until it returns, fails, meets an error of the loop or has no turns left.
pub fn run(agent: &Agent, model: &mut dyn Model) -> RunOutcome {
    let mut run = Run::new(agent);
    let ending = (1..=agent.max_turns).find_map(|number| run.turn(number, model));
    RunOutcome { ending: ending.unwrap_or_else(|| max_turns_exceeded(agent)), turns: run.turns }
}

fn max_turns_exceeded(agent: &Agent) -> Ending {
    let message = format!("Exceeded max_turns limit of {}", agent.max_turns);
    Ending::Error(Error::new(ErrorKind::MaxTurnsExceeded, message))
}

struct Run<'a> {
    agent: &'a Agent,
    session: Session,
    host: ScriptedHost<'a>,
    turns: Turns,
}

impl<'a> Run<'a> {
    fn new(agent: &'a Agent) -> Run<'a> {
        let environment = Environment {
            tools: agent.tools.iter().map(|tool| tool.name).collect(),
            data: agent.data.clone(),
            now: CLOCK,
        };
        Run {
            agent,
            session: Session::new(environment, agent.limits),
            host: ScriptedHost::new(&agent.tools),
            turns: Turns::default(),
        }
    }

    /// Runs one turn. Returns the ending of the run if it was the last.
    fn turn(&mut self, number: u32, model: &mut dyn Model) -> Option<Ending> {
        let raw_response = match model.answer(self.agent, &self.turns) {
            Ok(raw_response) => raw_response,
            Err(error) => return Some(Ending::Error(error)),
        };
        let work = Work { number, raw_response, ..Work::default() };
        let program = match program_in(&work.raw_response) {
            Ok(program) => program,
            Err(error) => {
                self.record(work, Err(error));
                return None;
            }
        };
        let name = format!("turn {number}");
        let outcome = self.session.run(&name, &program, number, &mut self.host);
        let (result, ending) = match self.host.unscripted() {
            Some(error) => (Err(error.clone()), Some(Ending::Error(error.clone()))),
            None => self.conclude(outcome.ended),
        };
        match &result {
            Ok(value) => self.session.commit(ending.is_none().then(|| value.clone())),
            Err(_) => self.session.roll_back(),
        }
        let (prints, tool_calls, usage) = (outcome.prints, self.host.take_calls(), outcome.usage);
        self.record(Work { program, prints, tool_calls, usage, ..work }, result);
        ending
    }

    /// The result of a turn, and the ending of the run if the turn was the last.
    fn conclude(&self, ended: Ended) -> (Result<Value, Error>, Option<Ending>) {
        let returned = |value: Value| (Ok(value.clone()), Some(Ending::Return(value)));
        match ended {
            Ended::Value(value) if self.agent.max_turns == 1 => returned(value),
            Ended::Value(value) => (Ok(value), None),
            Ended::Return(value) => self.validated(value).map_or_else(|error| (Err(error), None), returned),
            Ended::Fail(reason) => (Ok(reason.clone()), Some(Ending::Fail(reason))),
            Ended::Error(error) => (Err(error), None),
        }
    }

    fn record(&mut self, work: Work, result: Result<Value, Error>) {
        let memory = self.session.memory().clone();
        self.turns.push(match result {
            Ok(value) => Turn::success(work, value, memory),
            Err(error) => Turn::failure(work, error, memory),
        });
    }

    /// Checks a returned value against the signature.
    fn validated(&self, value: Value) -> Result<Value, Error> {
        let Some(signature) = &self.agent.signature else { return Ok(value) };
        let mut left = MAX_CHECKED;
        let mut meter = |count| match left.checked_sub(count) {
            Some(rest) => {
                left = rest;
                Ok(())
            }
            None => raise(
                ErrorKind::ReturnValidationFailed,
                format!("the returned value is too large to check: more than {MAX_CHECKED} elements"),
            ),
        };
        match validate(&signature.returns, &value, &mut meter) {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(wrong)) => Err(Error::new(
                ErrorKind::ReturnValidationFailed,
                describe_refusal(&signature.returns, &value, &wrong),
            )),
            Err(unwind) => match *unwind {
                Unwind::Error(error) => Err(error),
                Unwind::Return(value) | Unwind::Fail(value) => Ok(value),
            },
        }
    }
}
