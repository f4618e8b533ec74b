//! `ptc-eval generate schema`: prints JSON Schemas, generated from the types for reading and writing files.

use clap::{Args, ValueEnum};

use super::error::CliResult;
use super::exit::Exit;
use crate::report;
use crate::scenario::{AnyScenarioFile, SuiteFile};
use agent_logs::Transcript;

#[derive(Args)]
pub(super) struct SchemaArguments {
    /// The file to describe
    #[arg(value_enum)]
    what: SchemaFile,
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum SchemaFile {
    /// A scenario file, or a line of a .jsonl file
    Scenario,
    /// A logged conversation
    Transcript,
    /// suite.yaml
    Suite,
    /// results.json
    Results,
}

pub(super) fn run(arguments: &SchemaArguments) -> CliResult {
    out!("{}", arguments.what.text());
    Ok(Exit::Success)
}

impl SchemaFile {
    pub(super) fn name(self) -> &'static str {
        match self {
            SchemaFile::Scenario => "scenario",
            SchemaFile::Transcript => "transcript",
            SchemaFile::Suite => "suite",
            SchemaFile::Results => "results",
        }
    }

    /// The schema, with the URL of its newest release as `$id`.
    pub(super) fn text(self) -> String {
        let mut schema = match self {
            SchemaFile::Scenario => schemars::schema_for!(AnyScenarioFile),
            SchemaFile::Transcript => schemars::schema_for!(Transcript),
            SchemaFile::Suite => schemars::schema_for!(SuiteFile),
            SchemaFile::Results => report::schema(),
        };
        let repository = env!("CARGO_PKG_REPOSITORY");
        let id = format!("{repository}/releases/latest/download/{}.schema.json", self.name());
        schema.ensure_object().shift_insert(0, "$id".to_owned(), id.into());
        format!("{:#}\n", schema.as_value())
    }
}
