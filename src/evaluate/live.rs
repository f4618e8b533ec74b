//! Runs a live model: a strategy composes each request, and a function sends it. There is no network code here.

use std::sync::Arc;

use ecow::EcoString;

use crate::agent::{Agent, Model, ProgramRun, ProgramTurn};
use crate::compression::{Rendered, Variant, history_of};
use conversation::TextTokens;
use ptc_lisp::error::{Error, ErrorKind};

/// A live model that gets its requests from a strategy. `send` returns the raw answer to a request, or an error message.
pub struct LiveModel<'a, S> {
    variant: Variant<'a>,
    tokens: &'a TextTokens<'a>,
    send: S,
}

impl<'a, S: FnMut(&Rendered) -> Result<String, String>> LiveModel<'a, S> {
    /// A live model for the requests of `variant`. `tokens` counts tokens for triggers.
    pub fn new(variant: Variant<'a>, tokens: &'a TextTokens<'a>, send: S) -> LiveModel<'a, S> {
        LiveModel { variant, tokens, send }
    }
}

impl<S: FnMut(&Rendered) -> Result<String, String>> Model for LiveModel<'_, S> {
    fn answer(&mut self, agent: &Agent, turns: &[ProgramTurn]) -> Result<EcoString, Error> {
        let run = ProgramRun { agent: Arc::new(agent.clone()), turns: turns.to_vec() };
        let history = history_of(run.past(), self.tokens);
        let request = self.variant.render(&history.after(turns.len()));
        let answer = request.map_err(|error| error.to_string()).and_then(|request| (self.send)(&request));
        answer.map(EcoString::from).map_err(|message| Error::new(ErrorKind::ModelError, message))
    }
}
