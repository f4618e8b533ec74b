//! `ptc-eval schema`: the JSON Schemas of the files, from the types that read and write them.

use clap::{Args, ValueEnum};

use super::exit::Exit;
use crate::report;
use crate::scenario::{ScenarioFile, SuiteFile};

#[derive(Args)]
pub(super) struct Arguments {
    /// Which file
    #[arg(value_enum)]
    what: What,
}

#[derive(Clone, Copy, ValueEnum)]
enum What {
    /// A scenario file, or a line of a .jsonl file
    Scenario,
    /// suite.yaml
    Suite,
    /// results.json
    Results,
}

pub(super) fn run(arguments: &Arguments) -> Exit {
    let schema = match arguments.what {
        What::Scenario => schemars::schema_for!(ScenarioFile),
        What::Suite => schemars::schema_for!(SuiteFile),
        What::Results => report::schema(),
    };
    outln!("{:#}", schema.as_value());
    Exit::Success
}
