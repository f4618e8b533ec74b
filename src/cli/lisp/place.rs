//! Where programs run: without a scenario, or before a turn of one, with its tools, data and definitions.

use std::collections::BTreeMap;

use super::NoTools;
use crate::agent::{self, HeldRun, ScriptedModel, hold_before};
use crate::cli::error::CliError;
use crate::cli::logged::has_programs;
use crate::cli::replayed::{find_anywhere, name_and_turn};
use crate::cli::suite::{Permission, count};
use crate::scenario::{Content, Script};
use ptc_lisp::limits::Limits;
use ptc_lisp::session::{Bindings, CLOCK, Environment, Host, Session};

/// A turn of a scenario.
pub(super) struct Place {
    name: String,
    script: Script,
    turn: u32,
}

/// A session with tools and data for programs to run in.
pub(super) struct Seat<'p> {
    pub session: Session,
    pub host: Box<dyn Host + 'p>,
    pub data: Bindings,
    /// Source programs of definitions, by turn.
    pub programs: BTreeMap<u32, String>,
    /// The turn of the next program.
    pub turn: u32,
}

impl Place {
    /// Parses `shop/join@3` and finds the turn. Without a number, it is the first.
    ///
    /// # Errors
    /// There is no such scenario or turn, or its answers are not programs.
    pub(super) fn find(text: &str) -> Result<Place, CliError> {
        let (name, turn) = name_and_turn(text);
        let (_, scenario) = find_anywhere(name, &Permission::default())?;
        let Content::Script(script) = scenario.content else {
            return Err(if has_programs(name) {
                CliError::ProgramsInLog { log: name.to_owned() }
            } else {
                CliError::NoPrograms { scenario: name.to_owned() }
            });
        };
        let place = Place { name: scenario.name, script, turn: turn.unwrap_or(1) };
        place.hold()?;
        Ok(place)
    }

    /// Runs the scenario and stops before the turn.
    ///
    /// # Errors
    /// The run ends earlier.
    pub(super) fn hold(&self) -> Result<HeldRun<'_>, CliError> {
        let mut model = ScriptedModel::new(&self.script.responses);
        let held = if self.turn == 0 { None } else { hold_before(&self.script.agent, &mut model, self.turn) };
        held.ok_or_else(|| {
            let run = agent::run(&self.script.agent, &mut model);
            CliError::NoSuchTurn { scenario: self.name.clone(), turns: count(run.turns.len(), "turn") }
        })
    }

    /// `shop/join before turn 3: tools find, list; data/orders; user/total`
    pub(super) fn describe(&self, seat: &Seat<'_>) -> String {
        let agent = &self.script.agent;
        let mut names: Vec<String> = agent.tools.iter().map(|tool| format!("tool/{}", tool.name)).collect();
        names.extend(seat.data.keys().map(|name| format!("data/{}", name.name())));
        names.extend(seat.session.memory().iter().map(|defined| format!("user/{}", defined.name.name())));
        let all = if names.is_empty() { "nothing is defined".to_owned() } else { names.join(" ") };
        format!("{} before turn {}: {all}", self.name, self.turn)
    }
}

impl<'p> Seat<'p> {
    /// A session without tools, data and definitions.
    pub(super) fn empty(limits: Limits) -> Seat<'p> {
        let environment = Environment { now: CLOCK, ..Environment::default() };
        Seat {
            session: Session::new(environment, limits),
            host: Box::new(NoTools),
            data: Bindings::default(),
            programs: BTreeMap::new(),
            turn: 1,
        }
    }

    /// The session of a stopped run.
    pub(super) fn of(held: HeldRun<'p>) -> Seat<'p> {
        let programs = held.turns.iter().map(|turn| (turn.number, turn.program.to_string()));
        Seat {
            programs: programs.collect(),
            turn: held.turns.len() as u32 + 1,
            data: held.session.data().as_ref().clone(),
            session: held.session,
            host: Box::new(held.host),
        }
    }
}
