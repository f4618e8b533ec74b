//! Who answers requests. The trait is an edge of the world: a live model composes its request elsewhere.

use ecow::EcoString;

use super::{Agent, Transcript};
use ptc_lisp::error::{Error, ErrorKind};

/// Something that answers the request before the next turn.
pub trait Model {
    /// The raw answer, every byte of it (BRK-008).
    ///
    /// # Errors
    /// The call itself failed: the run ends, and no turn is recorded.
    fn answer(&mut self, agent: &Agent, transcript: &Transcript) -> Result<EcoString, Error>;
}

/// One scripted answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Response {
    Text(EcoString),
    /// The call fails with this message.
    Error(EcoString),
}

/// A model that gives the answers of a script, one a turn, whatever it is sent.
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
    fn answer(&mut self, _agent: &Agent, transcript: &Transcript) -> Result<EcoString, Error> {
        let completed = transcript.turns().len();
        match self.responses.get(completed) {
            Some(Response::Text(text)) => Ok(text.clone()),
            Some(Response::Error(message)) => Err(Error::new(ErrorKind::ModelError, message.clone())),
            None => Err(script_exhausted(completed + 1)),
        }
    }
}

fn script_exhausted(turn: usize) -> Error {
    Error::new(ErrorKind::ScriptExhausted, format!("no response is scripted for turn {turn}"))
}
