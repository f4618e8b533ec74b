//! Models: the source of answers.

use ecow::EcoString;

use super::{Agent, ProgramTurn};
use ptc_lisp::error::{Error, ErrorKind};

/// A source of answers, scripted or live.
pub trait Model {
    /// Returns the raw answer, unchanged.
    ///
    /// # Errors
    /// The call failed. The run ends without a turn.
    fn answer(&mut self, agent: &Agent, turns: &[ProgramTurn]) -> Result<EcoString, Error>;
}

/// One scripted answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Response {
    Text(EcoString),
    /// The call fails with this message.
    Error(EcoString),
}

/// A model with scripted answers, one for each turn.
#[derive(Clone, Copy, Debug)]
pub struct ScriptedModel<'a> {
    responses: &'a [Response],
}

impl<'a> ScriptedModel<'a> {
    pub fn new(responses: &'a [Response]) -> ScriptedModel<'a> {
        ScriptedModel { responses }
    }
}

impl Model for ScriptedModel<'_> {
    fn answer(&mut self, _agent: &Agent, turns: &[ProgramTurn]) -> Result<EcoString, Error> {
        let completed = turns.len();
        match self.responses.get(completed) {
            Some(Response::Text(text)) => Ok(text.clone()),
            Some(Response::Error(message)) => Err(Error::new(ErrorKind::ModelError, message.clone())),
            None => {
                let message = format!("no response is scripted for turn {}", completed + 1);
                Err(Error::new(ErrorKind::ScriptExhausted, message))
            }
        }
    }
}
