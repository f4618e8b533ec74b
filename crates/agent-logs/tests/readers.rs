//! Readers of logs. Each `tests/logs/FORMAT/*` has its transcripts and notes beside it; `PTC_EVAL_BLESS=1`
//! rewrites them.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use agent_logs::{FORMATS, LogFormat, Notes, ReadError, Transcript, TranscriptMessage, TranscriptRole, read};
use proptest::prelude::*;

use crate::golden::Golden;

const FOLDER: &str = "tests/logs";

pub(crate) fn files() -> Vec<PathBuf> {
    let entries = |folder: &Path| {
        let mut paths: Vec<PathBuf> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let all = entries(Path::new(FOLDER)).into_iter().flat_map(|folder| entries(&folder));
    all.filter(|path| !path.to_string_lossy().ends_with(".golden")).collect()
}

/// All transcripts of a log, and its notes.
fn read_all(log: &[u8], from: Option<&'static LogFormat>) -> (Vec<Transcript>, Result<Notes, ReadError>) {
    let mut transcripts = Vec::new();
    let notes = read(log, "LOG", from, &mut |transcript| {
        transcripts.push(transcript);
        ControlFlow::Continue(())
    });
    (transcripts, notes)
}

fn json_lines(transcripts: &[Transcript]) -> String {
    transcripts.iter().map(|transcript| serde_json::to_string(transcript).unwrap() + "\n").collect()
}

#[test]
fn every_log_has_its_transcripts_and_notes() {
    let mut goldens = Golden::default();
    for file in files() {
        let (transcripts, notes) = read_all(&fs::read(&file).unwrap(), None);
        let mut said = String::new();
        match &notes {
            Ok(notes) => {
                let lost: Vec<String> = notes.lost_lines().collect();
                for line in notes.lines() {
                    said += &format!("{}: {line}\n", if lost.contains(&line) { "lost" } else { "note" });
                }
            }
            Err(error) => said += &format!("error: {error}\n"),
        }
        for transcript in &transcripts {
            said += &(serde_json::to_string_pretty(transcript).unwrap() + "\n");
        }
        let golden = PathBuf::from(format!("{}.golden", file.display()));
        goldens.holds(&golden, &said);
    }
    goldens.assert_none_differs();
}

#[test]
fn every_format_recognises_its_logs() {
    let folders: Vec<String> = FORMATS.iter().map(|format| format!("{FOLDER}/{}", format.name)).collect();
    for (format, folder) in FORMATS.iter().zip(folders).filter(|(format, _)| format.name != "transcript") {
        let own: Vec<PathBuf> = files().into_iter().filter(|file| file.starts_with(&folder)).collect();
        assert!(!own.is_empty(), "{folder} is empty");
        for file in own {
            let (transcripts, _) = read_all(&fs::read(&file).unwrap(), None);
            let format_of = |transcript: &Transcript| transcript.source.as_ref().unwrap().format.clone();
            assert!(!transcripts.is_empty(), "{}", file.display());
            assert!(transcripts.iter().all(|one| format_of(one) == format.name), "{}", file.display());
            let (forced, _) = read_all(&fs::read(&file).unwrap(), LogFormat::named(format.name));
            assert_eq!(json_lines(&forced), json_lines(&transcripts), "{}", file.display());
        }
    }
}

/// A transcript that a reader gives reads back as it is, whatever the layout.
fn assert_reads_back(transcripts: &[Transcript]) {
    let neutral = LogFormat::named("transcript");
    let lines = json_lines(transcripts);
    if transcripts.is_empty() {
        return;
    }
    let (again, notes) = read_all(lines.as_bytes(), neutral);
    assert_eq!(json_lines(&again), lines, "{notes:?}");
    let pretty = serde_json::to_string_pretty(transcripts).unwrap();
    let (again, notes) = read_all(pretty.as_bytes(), neutral);
    assert_eq!(json_lines(&again), lines, "{notes:?}");
}

#[test]
fn every_transcript_reads_back_as_it_is() {
    for file in files() {
        assert_reads_back(&read_all(&fs::read(&file).unwrap(), None).0);
    }
}

/// Arguments nested too deeply for a JSON Lines parser are kept as text.
#[test]
fn deep_arguments_read_back() {
    for (depth, is_text) in [(100, false), (101, true), (120, true)] {
        let arguments = "[".repeat(depth) + &"]".repeat(depth);
        let call = serde_json::json!({"id": "k1", "function": {"name": "look", "arguments": arguments}});
        let log = serde_json::json!({"messages": [
            {"role": "user", "content": "Look."},
            {"role": "assistant", "content": "", "tool_calls": [call]},
        ]});
        let (transcripts, _) = read_all(log.to_string().as_bytes(), None);
        let arguments = transcripts[0].messages[1].tool_calls[0].arguments.get();
        assert_eq!(arguments.starts_with('"'), is_text, "{depth}");
        assert_reads_back(&transcripts);
    }
}

/// Providers want the results of an answer right after it.
#[test]
fn nothing_stands_between_an_answer_and_its_results() {
    for file in files() {
        for transcript in read_all(&fs::read(&file).unwrap(), None).0 {
            let is_answer = |role| role == TranscriptRole::Assistant;
            for turn in transcript.messages.chunk_by(|_, next| !is_answer(next.role)) {
                let calls: Vec<&str> = turn[0].tool_calls.iter().map(|call| call.id.as_str()).collect();
                let is_result =
                    |told: &TranscriptMessage| told.call.as_deref().is_some_and(|id| calls.contains(&id));
                let last = turn.iter().rposition(is_result).unwrap_or(0);
                assert_eq!(turn.iter().filter(|told| is_result(told)).count(), last, "{}", file.display());
            }
        }
    }
}

#[test]
fn a_log_reads_the_same_in_every_layout() {
    let log = fs::read_to_string(format!("{FOLDER}/openai-chat/requests.jsonl")).unwrap();
    let expected = json_lines(&read_all(log.as_bytes(), None).0);
    let values: Vec<serde_json::Value> =
        log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let list = serde_json::to_string(&values).unwrap();
    let pretty: Vec<String> =
        values.iter().map(|value| serde_json::to_string_pretty(value).unwrap()).collect();
    let layouts = [
        list.clone(),
        serde_json::to_string_pretty(&values).unwrap(),
        pretty.join("\n"),
        format!("\u{feff}\n\n  {list}"),
        log.replace('\n', "\r\n\r\n"),
    ];
    for layout in layouts {
        assert_eq!(json_lines(&read_all(layout.as_bytes(), None).0), expected, "{layout}");
    }
}

/// Values that a taker refuses are not read any more.
#[test]
fn a_reader_stops_when_it_is_told_to() {
    let log = fs::read(format!("{FOLDER}/transcript/lines.jsonl")).unwrap();
    let mut taken = 0;
    read(log.as_slice(), "LOG", None, &mut |_| {
        taken += 1;
        ControlFlow::Break(())
    })
    .unwrap();
    assert_eq!(taken, 1);
}

fn any_json() -> impl Strategy<Value = serde_json::Value> {
    let words =
        "(role|user|assistant|tool|content|type|text|message|messages|tool_use|id|c1|\\{\\}|[a-z]{0,3})";
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        words.prop_map(Into::into),
    ];
    leaf.prop_recursive(5, 40, 5, move |inner| {
        let keys = "(role|content|messages|tool_calls|function|name|arguments|type|message|history|conversations|from|value\
            |samples|eval|payload|timestamp|input|output|attributes|gen_ai\\.input\\.messages|spans|parts|uuid|sessionId|choices|usage)";
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
            prop::collection::vec((keys, inner), 0..6)
                .prop_map(|fields| serde_json::Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_json_never_panics_and_reads_back(value in any_json(), format in 0..FORMATS.len()) {
        let text = value.to_string();
        for from in [None, FORMATS.get(format)] {
            assert_reads_back(&read_all(text.as_bytes(), from).0);
        }
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        for from in std::iter::once(None).chain(FORMATS.iter().map(Some)) {
            let _ = read_all(&bytes, from);
        }
    }

    /// A log that is cut, or in which bytes are replaced.
    #[test]
    fn damaged_logs_never_panic_and_read_back(file in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(), byte in "[\"{}\\[\\],:0 \n\\\\nx]", is_cut in any::<bool>()) {
        let files = files();
        let mut log = fs::read(&files[file.index(files.len())]).unwrap();
        if !log.is_empty() {
            let at = at.index(log.len());
            if is_cut { log.truncate(at) } else { log[at] = byte.as_bytes()[0] }
        }
        assert_reads_back(&read_all(&log, None).0);
    }
}

/// A log of Cursor may be cut before any line, also before one that has no identifier.
#[test]
fn a_cut_log_of_cursor_is_read_as_its_own() {
    let log = fs::read_to_string("tests/logs/cursor-cli/partial.jsonl").unwrap();
    let lines: Vec<&str> = log.lines().collect();
    for first in 0..lines.len() - 1 {
        // Without the question nothing is left to read.
        let format = match read_all(lines[first..].join("\n").as_bytes(), None).1 {
            Ok(notes) => notes.format,
            Err(ReadError::Nothing(notes)) => notes.format,
            Err(error) => panic!("{error}"),
        };
        assert_eq!(format, Some("cursor-cli"), "from line {first}");
    }
}
