//! The loop: request, response, program, turn, until the run ends. Nothing here renders requests.

use ecow::EcoString;

use super::Agent;
use super::extract::program_in;
use super::host::ScriptedHost;
use super::model::Model;
use super::step::{Ending, Step};
use super::transcript::Transcript;
use super::turn::{Turn, Work};
use crate::signature::{describe_refusal, validate};
use ptc_lisp::error::{Error, ErrorKind, Unwind, raise};
use ptc_lisp::session::{CLOCK, Ended, Environment, Session};
use ptc_lisp::value::Value;

/// How many elements of a returned value are checked before it is refused as too large.
const MAX_CHECKED: usize = 10_000_000;

/// Lets the model work on the mission until it returns, fails, cannot go on or has no turns left.
pub fn run(agent: &Agent, model: &mut dyn Model) -> Step {
    let mut run = Run::new(agent);
    let ending = (1..=agent.max_turns).find_map(|number| run.turn(number, model));
    Step { ending: ending.unwrap_or_else(|| max_turns_exceeded(agent)), turns: run.turns }
}

fn max_turns_exceeded(agent: &Agent) -> Ending {
    let message = format!("Exceeded max_turns limit of {}", agent.max_turns);
    Ending::Error(Error::new(ErrorKind::MaxTurnsExceeded, message))
}

struct Run<'a> {
    agent: &'a Agent,
    session: Session,
    host: ScriptedHost<'a>,
    turns: Transcript,
}

/// What a turn comes to.
enum Verdict {
    Continue(Value),
    Return(Value),
    Fail(Value),
    Failed(Error),
    /// The turn failed, and so does the run: the script has no answer.
    Stop(Error),
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
            turns: Transcript::default(),
        }
    }

    /// One turn; an ending if it was the last.
    fn turn(&mut self, number: u32, model: &mut dyn Model) -> Option<Ending> {
        let raw_response = match model.answer(self.agent, &self.turns) {
            Ok(raw_response) => raw_response,
            Err(error) => return Some(Ending::Error(error)),
        };
        let work = Work { number, raw_response, ..Work::default() };
        match program_in(&work.raw_response) {
            Ok(program) => self.execute(work, program),
            Err(error) => {
                self.fail(work, error);
                None
            }
        }
    }

    fn execute(&mut self, work: Work, program: EcoString) -> Option<Ending> {
        let name = format!("turn {}", work.number);
        let outcome = self.session.run(&name, &program, work.number, &mut self.host);
        let verdict = match self.host.unscripted() {
            Some(error) => Verdict::Stop(error.clone()),
            None => self.judge(outcome.ended),
        };
        let (prints, tool_calls, usage) = (outcome.prints, self.host.take_calls(), outcome.usage);
        self.conclude(Work { program, prints, tool_calls, usage, ..work }, verdict)
    }

    fn judge(&self, ended: Ended) -> Verdict {
        match ended {
            Ended::Value(value) if self.agent.max_turns == 1 => Verdict::Return(value),
            Ended::Value(value) => Verdict::Continue(value),
            Ended::Return(value) => match self.validated(value) {
                Ok(value) => Verdict::Return(value),
                Err(error) => Verdict::Failed(error),
            },
            Ended::Fail(reason) => Verdict::Fail(reason),
            Ended::Error(error) => Verdict::Failed(error),
        }
    }

    /// The value as the signature wants it.
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

    /// Keeps or forgets what the program defined, and records the turn.
    fn conclude(&mut self, work: Work, verdict: Verdict) -> Option<Ending> {
        match verdict {
            Verdict::Continue(value) => {
                self.session.commit(Some(value.clone()));
                self.succeed(work, value);
                None
            }
            Verdict::Return(value) => {
                self.session.commit(None);
                self.succeed(work, value.clone());
                Some(Ending::Return(value))
            }
            Verdict::Fail(reason) => {
                self.session.commit(None);
                self.succeed(work, reason.clone());
                Some(Ending::Fail(reason))
            }
            Verdict::Failed(error) => {
                self.session.roll_back();
                self.fail(work, error);
                None
            }
            Verdict::Stop(error) => {
                self.session.roll_back();
                self.fail(work, error.clone());
                Some(Ending::Error(error))
            }
        }
    }

    fn succeed(&mut self, work: Work, result: Value) {
        let memory = self.session.memory().clone();
        self.turns.push(Turn::success(work, result, memory));
    }

    fn fail(&mut self, work: Work, error: Error) {
        let memory = self.session.memory().clone();
        self.turns.push(Turn::failure(work, error, memory));
    }
}
