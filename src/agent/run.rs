//! The agent loop: answer, program, turn, until the run ends. Requests are rendered elsewhere.

use super::Agent;
use super::extract::program_in;
use super::host::ScriptedHost;
use super::model::Model;
use super::outcome::{Ending, RunOutcome};
use super::turn::{ProgramTurn, Work};
use crate::signature::{describe_refusal, validate};
use ptc_lisp::error::{Error, ErrorKind};
use ptc_lisp::print::whole;
use ptc_lisp::session::{Ended, Session};
use ptc_lisp::stop;
use ptc_lisp::value::Value;

/// Runs an agent until it returns, fails, hits an error of the loop or has no turns left.
pub fn run(agent: &Agent, model: &mut dyn Model) -> RunOutcome {
    let mut run = Run::new(agent);
    if let Err(error) = run.load_preludes() {
        return RunOutcome { ending: Ending::Error(error), turns: run.turns };
    }
    for number in 1..=agent.max_turns {
        if let Some(ending) = run.take_turn(number, model) {
            return RunOutcome { ending, turns: run.turns };
        }
    }
    RunOutcome { ending: max_turns_exceeded(agent), turns: run.turns }
}

/// A run paused before a turn, so that other programs can be evaluated in its state.
pub struct HeldRun<'a> {
    pub session: Session,
    pub host: ScriptedHost<'a>,
    /// The completed turns.
    pub turns: Vec<ProgramTurn>,
}

/// Runs an agent and pauses it before turn `number`. `None` if the run ends earlier.
pub fn hold_before<'a>(agent: &'a Agent, model: &mut dyn Model, number: u32) -> Option<HeldRun<'a>> {
    let mut run = Run::new(agent);
    run.load_preludes().ok()?;
    for before in 1..number {
        if run.take_turn(before, model).is_some() {
            return None;
        }
    }
    (number <= agent.max_turns).then_some(HeldRun { session: run.session, host: run.host, turns: run.turns })
}

fn max_turns_exceeded(agent: &Agent) -> Ending {
    let message = format!("Exceeded max_turns limit of {}", agent.max_turns);
    Ending::Error(Error::new(ErrorKind::MaxTurnsExceeded, message))
}

struct Run<'a> {
    agent: &'a Agent,
    session: Session,
    host: ScriptedHost<'a>,
    turns: Vec<ProgramTurn>,
}

impl<'a> Run<'a> {
    fn new(agent: &'a Agent) -> Run<'a> {
        Run { agent, session: agent.session(), host: ScriptedHost::new(&agent.tools), turns: Vec::new() }
    }

    fn load_preludes(&mut self) -> Result<(), Error> {
        for prelude in &self.agent.preludes {
            self.session.load("prelude", prelude)?;
        }
        Ok(())
    }

    /// Runs one turn. Returns the ending if it was the last.
    fn take_turn(&mut self, number: u32, model: &mut dyn Model) -> Option<Ending> {
        if stop::is_asked() {
            let message = "the run was stopped from outside";
            return Some(Ending::Error(Error::new(ErrorKind::TickLimitExceeded, message)));
        }
        let raw_response = match model.answer(self.agent, &self.turns) {
            Ok(raw_response) => raw_response,
            Err(error) => return Some(Ending::Error(error)),
        };
        let work = Work { number, raw_response, ..Work::default() };
        let program = match program_in(&work.raw_response) {
            Ok(program) => program,
            Err(error) => {
                self.record_turn(work, Err(error));
                return None;
            }
        };
        let name = format!("turn {number}");
        let outcome = self.session.run(&name, &program, number, &mut self.host);
        // An unscripted call is a gap in the scenario, so it ends the run even if the program caught the error.
        let (result, ending) = match self.host.unscripted() {
            Some(error) => (Err(error.clone()), Some(Ending::Error(error.clone()))),
            None => self.conclude_turn(outcome.ended),
        };
        match &result {
            // The next program can read the value as `*1`.
            Ok(value) => self.session.commit(ending.is_none().then(|| value.clone())),
            Err(_) => self.session.roll_back(),
        }
        let (prints, tool_calls, usage) = (outcome.prints, self.host.take_calls(), outcome.usage);
        self.record_turn(Work { program, prints, tool_calls, usage, ..work }, result);
        ending
    }

    /// The result of a turn, and the ending if it was the last.
    fn conclude_turn(&self, ended: Ended) -> (Result<Value, Error>, Option<Ending>) {
        // A value with shared parts may be huge when printed, and the final value is printed in reports.
        let (value, ending): (_, fn(Value) -> Ending) = match ended {
            Ended::Value(value) if self.agent.max_turns == 1 => (check_size(value), Ending::Return),
            Ended::Value(value) => return (Ok(value), None),
            Ended::Return(value) => (self.check_returned(value), Ending::Return),
            Ended::Fail(reason) => (check_size(reason), Ending::Fail),
            Ended::Error(error) => return (Err(error), None),
        };
        match value {
            Ok(value) => (Ok(value.clone()), Some(ending(value))),
            Err(error) => (Err(error), None),
        }
    }

    fn record_turn(&mut self, work: Work, result: Result<Value, Error>) {
        let memory = self.session.memory().clone();
        self.turns.push(match result {
            Ok(value) => ProgramTurn::of_success(work, value, memory),
            Err(error) => ProgramTurn::of_failure(work, error, memory),
        });
    }

    /// Checks the size of a returned value, then its type against the signature.
    fn check_returned(&self, value: Value) -> Result<Value, Error> {
        let value = check_size(value)?;
        let Some(signature) = &self.agent.signature else { return Ok(value) };
        match validate(&signature.returns, &value) {
            Ok(value) => Ok(value),
            Err(mismatches) => {
                let message = describe_refusal(&signature.returns, &value, &mismatches);
                Err(Error::new(ErrorKind::ReturnValidationFailed, message))
            }
        }
    }
}

/// Refuses a value that is too large to print as a whole.
fn check_size(value: Value) -> Result<Value, Error> {
    whole(&value)?;
    Ok(value)
}
