//! Robustness of the harness: any response, scenario file, snapshot, log, data file or record ends in a value or an
//! error, or the function panics. Fuzz targets call these functions on what they find, and `cargo test` on seeds and random
//! input.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use agent_logs::{FORMATS as LOG_FORMATS, LogFormat, Transcript};
use ptc_eval::agent::extract;
use ptc_eval::evaluate::{Plan, replay};
use ptc_eval::measure::refusal;
use ptc_eval::report::{FORMATS, Gauges, Record, Records, RecordsError, ReportEntry, STREAMS, Tally};
use ptc_eval::scenario::{
    self, Known, Refused, Scenario, ScenarioError, SourceContent, SourceFormat, Suite, extend_prices,
};
use ptc_eval::snapshot::requests::requests_of;
use ptc_eval::snapshot::{RunSections, body_of};
use ptc_lisp::json;
use ptc_prices::PriceTable;
use ptc_tokens::Tokenizer;
use tempfile::NamedTempFile;
use xxhash_rust::xxh3::xxh3_64;

static TOKENIZER: LazyLock<Tokenizer> = LazyLock::new(|| Tokenizer::named("o200k_base").unwrap());
static PRICES: LazyLock<PriceTable> = LazyLock::new(|| PriceTable::built_in().unwrap());
static SUITE: LazyLock<Suite> =
    LazyLock::new(|| Suite::open(Path::new(env!("CARGO_MANIFEST_DIR")), Known::default()).unwrap());

/// The program in a response is part of the response.
pub fn response(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(program) = extract::program_in(&text) {
        assert!(program.len() <= text.len());
    }
}

/// A scenario file in either format loads, or fails with a reason.
pub fn scenario(bytes: &[u8]) {
    for format in [SourceFormat::Yaml, SourceFormat::JsonLine] {
        if let Err(error) = loaded(bytes, format) {
            assert!(!error.to_string().is_empty());
        }
    }
}

fn loaded(bytes: &[u8], format: SourceFormat) -> Result<Scenario, ScenarioError> {
    SUITE.load(&scenario::ScenarioSource {
        name: Some("fuzz".to_owned()),
        path: "fuzz.yaml".to_owned(),
        folder: PathBuf::from(env!("CARGO_MANIFEST_DIR")),
        line: 1,
        content: SourceContent::Text { bytes: bytes.to_vec(), format },
    })
}

/// Requests that a text is read as are written and read as the same.
pub fn snapshot(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let run = RunSections::default();
    for text in [text.to_string(), format!("=== 3 requests ===\n{text}")] {
        if let Ok(requests) = requests_of(&text, &run) {
            assert_eq!(requests_of(&body_of(&requests, None), &run), Ok(requests));
        }
    }
}

/// The transcripts of a log read back as they are, and all strategies render requests that providers accept. A letter at the start chooses the
/// format; otherwise it is recognised.
pub fn import(bytes: &[u8]) {
    let (from, log) = match bytes.split_first() {
        Some((letter @ b'a'..=b'z', log)) => (LOG_FORMATS.get(usize::from(letter - b'a')), log),
        Some((letter @ b'A'..=b'Z', log)) => (LOG_FORMATS.get(26 + usize::from(letter - b'A')), log),
        _ => (None, bytes),
    };
    import_from(from, log);
}

/// Like `import`, in this format or the one that is recognised.
pub fn import_from(from: Option<&'static LogFormat>, log: &[u8]) {
    let transcripts = transcripts_in(log, from);
    let lines: Vec<String> = transcripts.iter().map(|one| serde_json::to_string(one).unwrap()).collect();
    let again = transcripts_in(lines.join("\n").as_bytes(), LogFormat::named("transcript"));
    let again: Vec<String> = again.iter().map(|one| serde_json::to_string(one).unwrap()).collect();
    assert_eq!(again, lines);
    for line in lines.iter().take(3) {
        let recorded =
            loaded(line.as_bytes(), SourceFormat::Transcript).unwrap_or_else(|error| panic!("{error}"));
        let result =
            replay(recorded, &Plan::of(&SUITE).unwrap(), &|text| TOKENIZER.count(text).into()).unwrap();
        for run in &result.strategies {
            assert!(run.broken.is_none(), "{}: {line}", run.name);
            for request in &run.requests {
                let reason = refusal(&request.messages, result.conversation.past());
                assert_eq!(reason, None, "{} at turn {}: {line}", run.name, request.turn);
            }
        }
        result.measure(0, &Gauges { tokenizer: &TOKENIZER, models: &[], logged: None, warm_system: false });
        result.snapshots();
    }
}

fn transcripts_in(log: &[u8], from: Option<&'static LogFormat>) -> Vec<Transcript> {
    let mut transcripts = Vec::new();
    let notes = agent_logs::read(log, "fuzz", from, &mut |transcript| {
        transcripts.push(transcript);
        ControlFlow::Continue(())
    });
    match notes {
        Ok(notes) => assert_eq!(notes.has_losses(), notes.lost_lines().next().is_some()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    transcripts
}

/// A data file parses, or fails with a reason. The first byte chooses the extension.
pub fn csv(bytes: &[u8]) {
    let Some((kind, text)) = bytes.split_first() else { return };
    let extension = ["csv", "json", "jsonl", "yaml", "txt"].get(usize::from(*kind) % 5).unwrap();
    let file = written(&[text], &format!(".{extension}"));
    let name = file.path().file_name().unwrap().to_str().unwrap();
    let folder = file.path().parent().unwrap();
    match scenario::read_data(folder, folder, name) {
        Ok(value) => assert!(json::generate(&value).is_none_or(|(text, _)| !text.is_empty())),
        Err(Refused::File(problem)) => assert!(!problem.to_string().is_empty()),
        Err(Refused::Path(message, _)) => panic!("{message}"),
    }
}

/// A price file extends the table, or fails with a reason. JSON after a `j`, else YAML.
pub fn prices(bytes: &[u8]) {
    let Some((kind, text)) = bytes.split_first() else { return };
    let path = if *kind == b'j' { "prices.json" } else { "prices.yaml" };
    let mut table = PRICES.clone();
    match extend_prices(&mut table, path, &String::from_utf8_lossy(text)) {
        Ok(()) => {
            let is_there = |model: &str| table.rows().iter().any(|row| row.model == model);
            assert!(PRICES.rows().iter().all(|row| is_there(&row.model)));
        }
        Err(problem) => assert!(!problem.to_string().is_empty()),
    }
}

fn written(parts: &[&[u8]], suffix: &str) -> NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(suffix).tempfile().unwrap();
    parts.iter().for_each(|part| file.write_all(part).unwrap());
    file
}

/// Records become reports, or fail with a reason. After an `s`, each line gets its correct checksum.
pub fn merge(bytes: &[u8]) {
    let Some((first, text)) = bytes.split_first() else { return };
    let sealed: Vec<u8> = text.split(|byte| *byte == b'\n').flat_map(sealed).collect();
    let file = written(&[if *first == b's' { &sealed } else { text }], "");
    if let Err(error) = reported(file.path()) {
        assert!(!error.message.is_empty());
    }
}

fn sealed(line: &[u8]) -> Vec<u8> {
    let end = format!(",\"checksum\":\"{:016x}\"}}\n", xxh3_64(line));
    if line.is_empty() { Vec::new() } else { [line, end.as_bytes()].concat() }
}

fn reported(path: &Path) -> Result<(), RecordsError> {
    let records = Records::read(&[path.to_owned()])?;
    records.copy(&mut Vec::new()).unwrap();
    let mut tally = Tally::new(records.header.clone());
    for text in records.texts() {
        if let Record::Scenario(record) = text?.parse()? {
            ReportEntry::new(&records.header, &record).unwrap();
            tally.add(&record);
        }
    }
    let comparison = tally.compare();
    for write in FORMATS.iter().map(|format| format.write).chain(STREAMS.iter().map(|stream| stream.tail)) {
        write(&comparison, &mut Vec::new()).unwrap();
    }
    records.check_complete()
}
