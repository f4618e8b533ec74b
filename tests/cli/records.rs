//! The form of records, which another version of the program would misread: the values of a request have no names there, and fields that
//! are not always written have a default.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use ptc_eval::measure::measured::{BILL, REQUEST, STATISTICS};
use serde_json::Value;

use super::suite::{SUM, Suite};
use crate::golden::is_blessing;

/// Scenarios that between them have all that a record can hold, but failures.
const SCENARIOS: [&str; 8] = [
    "endings/model-error.yaml",
    "sessions/clinic-desk.yaml",
    "sessions/data/clinic-desk.json",
    "tools/ways-to-call.yaml",
    "transcripts/fish-pass.yaml",
    "transcripts/data/fish-pass.json",
    "transcripts/recipe-units.yaml",
    "transcripts/data/recipe-units.json",
];

/// Fields that hold whatever a program or a model wrote.
const VALUES: [&str; 3] = [".scenario.result.value", ".result", ".arguments"];

#[test]
fn another_form_of_records_has_another_version() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let suite = Suite::with(&[("failed", &SUM.replace("value: 3", "value: 4"))]);
    for name in SCENARIOS {
        suite.write(
            &format!("scenarios/{name}"),
            &fs::read_to_string(root.join("scenarios").join(name)).unwrap(),
        );
    }
    suite.write(
        "scenarios/own.clj",
        "(fn [view] (if (= \"Add the numbers.\" (:mission view)) [] [{:role :user :content \"x\"}]))",
    );
    suite.write(
        "scenarios/suite.yaml",
        "strategies: [full-history, trim, aggressive, fold, per-turn-summary, own]\nvariants: {own: {program: own.clj}}\nmodels: [gpt-5, qwen3.7-max]\n",
    );
    let ran = suite.run(&["run", "--format", "full-records", "--quiet"]);
    let records: Vec<Value> =
        ran.ends(1).out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut fields = BTreeSet::new();
    records.iter().for_each(|record| note_fields(record, "", &mut fields));
    let version = format!("version {}\n", records[0]["version"]);
    let mut form = version.clone();
    for (list, names) in [("request", &REQUEST[..]), ("stats", &STATISTICS), ("bill", &BILL)] {
        writeln!(form, "{list}: {}", names.join(" ")).unwrap();
    }
    fields.iter().for_each(|field| writeln!(form, "{field}").unwrap());

    let path = root.join("tests/records.txt");
    let kept = fs::read_to_string(&path).unwrap_or_default();
    let difference = similar::TextDiff::from_lines(kept.as_str(), &form);
    let difference = difference.unified_diff().context_radius(0).to_string();
    assert!(
        kept == form || !kept.starts_with(&version),
        "the form of records is another: raise VERSION in src/report/records.rs and in CHANGELOG.md, and bless\n{difference}"
    );
    if is_blessing() {
        fs::write(path, form).unwrap();
    } else {
        assert!(kept == form, "PTC_EVAL_BLESS=1 accepts this:\n{difference}");
    }
    let documented = format!("| records of `merge` | `version`, now {} |", records[0]["version"]);
    assert!(include_str!("../../CHANGELOG.md").contains(&documented), "{documented}");
}

/// Notes the paths of all fields of a value.
fn note_fields(value: &Value, path: &str, fields: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(name, value)| {
            let field = format!("{path}.{name}");
            if !VALUES.iter().any(|ending| field.ends_with(ending) && field != ".scenario.result") {
                note_fields(value, &field, fields);
            }
            fields.insert(field);
        }),
        Value::Array(items) => items.iter().for_each(|item| note_fields(item, &format!("{path}[]"), fields)),
        _ => {}
    }
}
