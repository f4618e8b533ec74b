//! Files against the JSON Schemas that `ptc-eval schema` prints, and results read back.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use ptc_eval::report::results::{Results, ScenarioResult, Tail};
use ptc_eval::report::{ResultsReader, STREAMS};
use serde_json::Value;

use super::validator::Schema;

fn ptc_eval(arguments: &[&str]) -> Vec<u8> {
    let ran = Command::new(env!("CARGO_BIN_EXE_ptc-eval")).args(arguments).env_remove("CI").output().unwrap();
    assert!(ran.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
    ran.stdout
}

fn schema(what: &str) -> Schema {
    Schema::new(serde_json::from_slice(&ptc_eval(&["schema", what])).unwrap())
}

fn yaml(path: &Path) -> Value {
    serde_yaml::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn scenarios(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !path.ends_with("data") && !path.ends_with("strategies") {
                scenarios(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "yaml")
            && !path.ends_with("suite.yaml")
        {
            found.push(path);
        }
    }
}

#[test]
fn shipped_scenarios_fit_their_schema() {
    let schema = schema("scenario");
    let mut paths = Vec::new();
    scenarios(Path::new("scenarios"), &mut paths);
    assert!(paths.len() >= 40, "{}", paths.len());
    for path in paths {
        assert_eq!(schema.refuses(&yaml(&path)), None, "{}", path.display());
    }
    let wrong: Value = serde_json::json!({ "mision": "m", "responses": [] });
    assert!(schema.refuses(&wrong).unwrap().contains("mision"));
}

#[test]
fn the_shipped_suite_fits_its_schema() {
    let schema = schema("suite");
    assert_eq!(schema.refuses(&yaml(Path::new("scenarios/suite.yaml"))), None);
    assert!(schema.refuses(&serde_json::json!({ "strategy": 1 })).is_some());
}

/// The catalog for editors uses the names in the schemas themselves.
#[test]
fn the_catalog_of_schemas_has_their_addresses() {
    let catalog: Value =
        serde_json::from_str(&fs::read_to_string("packaging/schemastore.json").unwrap()).unwrap();
    let entries = catalog["schemas"].as_array().unwrap();
    let names = ["scenario", "transcript", "suite", "results"];
    assert_eq!(entries.len(), names.len());
    for (entry, name) in entries.iter().zip(names) {
        let schema: Value = serde_json::from_slice(&ptc_eval(&["schema", name])).unwrap();
        assert_eq!((&entry["url"], &entry["name"]), (&schema["$id"], &schema["title"]));
    }
}

/// A folder with the results of some shipped scenarios, among them failed runs, errors and frames of SYSTEM.
fn fresh_results() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    ptc_eval(&[
        "run",
        "scenarios",
        "--locked",
        "--tag",
        "recovery",
        "--tag",
        "errors",
        "--tag",
        "tools",
        "--report-dir",
        path,
    ]);
    folder
}

#[test]
fn fresh_results_fit_their_schema_and_are_what_was_read() {
    let folder = fresh_results();
    let path = folder.path().join("results.json");
    let text = fs::read_to_string(&path).unwrap();
    let schema = schema("results");
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(schema.refuses(&value), None);
    let mut wrong = value.clone();
    wrong["scenarios"][0]["strategies"][0]["requests"] = "many".into();
    assert!(schema.refuses(&wrong).is_some());

    let results: Results = serde_json::from_str(&text).unwrap();
    assert!(results.scenarios.len() > 5);
    let again: Results = serde_json::from_str(&serde_json::to_string(&results).unwrap()).unwrap();
    assert_eq!(again, results);
    assert_eq!(serde_json::to_value(&results).unwrap(), value, "nothing is lost on the way");
}

/// Results that are read one scenario at a time and written again are the same bytes.
#[test]
fn results_are_written_as_they_were_read() {
    let folder = fresh_results();
    let path = folder.path().join("results.json");
    let mut reader = ResultsReader::open_file(&path).unwrap();
    let header = reader.head.header.clone();
    let stream = STREAMS.iter().find(|stream| stream.file == "results.json").unwrap();
    let mut out = Vec::new();
    (stream.head)(&header, &mut out).unwrap();
    let mut between = "";
    while let Some(scenario) = reader.scenario::<ScenarioResult<'static>>().unwrap() {
        out.extend_from_slice(between.as_bytes());
        serde_json::to_writer(&mut out, &scenario).unwrap();
        between = stream.between;
    }
    let tail: Tail = reader.finish().unwrap();
    let tail = serde_json::to_string(&tail).unwrap();
    writeln!(out, "\n],{}", &tail[1..]).unwrap();
    assert_eq!(String::from_utf8(out).unwrap(), fs::read_to_string(&path).unwrap());
}
