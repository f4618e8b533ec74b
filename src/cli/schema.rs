//! `ptc-eval schema`: the JSON Schemas of the files, from the types that read and write them.

use clap::{Args, ValueEnum};

use super::error::CliResult;
use super::exit::Exit;
use crate::report;
use crate::scenario::{AnyScenarioFile, SuiteFile};
use crate::transcript::Transcript;

#[derive(Args)]
pub(super) struct SchemaArguments {
    /// The file to describe
    #[arg(value_enum)]
    what: SchemaFile,
}

#[derive(Clone, Copy, ValueEnum)]
enum SchemaFile {
    /// A scenario file, or a line of a .jsonl file
    Scenario,
    /// A recorded conversation
    Transcript,
    /// suite.yaml
    Suite,
    /// results.json
    Results,
}

pub(super) fn run(arguments: &SchemaArguments) -> CliResult {
    match arguments.what {
        SchemaFile::Scenario => out!("{}", scenario()),
        SchemaFile::Transcript => out!("{}", text(&schemars::schema_for!(Transcript))),
        SchemaFile::Suite => out!("{}", text(&schemars::schema_for!(SuiteFile))),
        SchemaFile::Results => out!("{}", text(&report::schema())),
    }
    Ok(Exit::Success)
}

/// The schema of scenario files, which `new` puts where editors find it.
pub(super) fn scenario() -> String {
    text(&schemars::schema_for!(AnyScenarioFile))
}

fn text(schema: &schemars::Schema) -> String {
    format!("{:#}\n", schema.as_value())
}
