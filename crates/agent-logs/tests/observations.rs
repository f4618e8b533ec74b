//! Output of the environment with the role of the user. Each `tests/observations/*.txt` is a conversation;
//! lines of an `environment` are sent with the role `user`.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use agent_logs::{Notes, Observations, ReadOptions, Transcript, TranscriptRole, read};

const FOLDER: &str = "tests/observations";

struct Told {
    speaker: String,
    text: String,
}

fn conversations() -> Vec<(PathBuf, Vec<Told>)> {
    let mut files: Vec<PathBuf> = fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let told = |part: &str| {
        let (speaker, text) = part.split_once('\n').unwrap();
        Told { speaker: speaker.to_owned(), text: text.trim_end_matches('\n').to_owned() }
    };
    let parts = |file: &PathBuf| {
        let text = fs::read_to_string(file).unwrap();
        ("\n".to_owned() + &text).split("\n=== ").skip(1).map(told).collect()
    };
    files.into_iter().map(|file| (file.clone(), parts(&file))).collect()
}

fn as_log(told: &[Told]) -> String {
    let message = |told: &Told| {
        let role = if told.speaker == "environment" { "user" } else { &told.speaker };
        serde_json::json!({"role": role, "content": told.text})
    };
    serde_json::json!({"messages": told.iter().map(message).collect::<Vec<_>>()}).to_string()
}

fn read_with(log: &str, observations: Observations) -> (Transcript, Notes) {
    let mut transcripts = Vec::new();
    let options = ReadOptions { observations, ..ReadOptions::default() };
    let notes = read(log.as_bytes(), "LOG", options, &mut |transcript| {
        transcripts.push(transcript);
        ControlFlow::Continue(())
    });
    (transcripts.remove(0), notes.unwrap())
}

/// The conversation as its file would have it.
fn speakers(transcript: &Transcript) -> Vec<(String, String)> {
    let speaker = |message: &agent_logs::TranscriptMessage| match message.role {
        TranscriptRole::Assistant => "assistant",
        _ if message.is_observation => "environment",
        _ => "user",
    };
    transcript.messages.iter().map(|message| (speaker(message).to_owned(), message.content.clone())).collect()
}

#[test]
fn what_the_environment_says_is_an_observation_and_words_are_not() {
    for (file, told) in conversations() {
        let (transcript, notes) = read_with(&as_log(&told), Observations::Auto);
        let expected: Vec<(String, String)> = told
            .iter()
            .filter(|told| told.speaker != "system")
            .map(|told| (told.speaker.clone(), told.text.clone()))
            .collect();
        assert_same(&expected, &speakers(&transcript), &file.display().to_string());
        let number = told.iter().filter(|told| told.speaker == "environment").count();
        let said = notes.lines().any(|line| line.starts_with("observations: "));
        assert_eq!(said, number > 0, "{}", file.display());
    }
}

#[test]
fn one_line_names_the_observations_of_all_logs() {
    let mut all = Notes::default();
    for (_, told) in conversations()
        .into_iter()
        .filter(|(file, _)| file.ends_with("react.txt") || file.ends_with("mint.txt"))
    {
        all.merge(read_with(&as_log(&told), Observations::Auto).1);
    }
    let lines: Vec<String> = all.lines().collect();
    let expected = "observations: 5 user messages with the result of a call written as text (LOG:1: messages[2], LOG:1: messages[3])";
    assert_eq!(lines, [expected]);
}

fn assert_same(expected: &[(String, String)], found: &[(String, String)], file: &str) {
    for (index, (expected, found)) in expected.iter().zip(found).enumerate() {
        assert_eq!(expected, found, "{file}, message {index}");
    }
    assert_eq!(expected.len(), found.len(), "{file}");
}

#[test]
fn an_option_decides_where_the_rule_is_wrong() {
    for (file, told) in conversations() {
        let log = as_log(&told);
        let (none, notes) = read_with(&log, Observations::None);
        assert!(none.messages.iter().all(|message| !message.is_observation), "{}", file.display());
        assert_eq!(notes.lines().count(), 0, "{}", file.display());
        let (all, _) = read_with(&log, Observations::User);
        let is_answer = |role| role == TranscriptRole::Assistant;
        let first = all.messages.iter().position(|message| is_answer(message.role)).unwrap();
        for (index, message) in all.messages.iter().enumerate() {
            let is_later = index > first && !is_answer(message.role);
            assert_eq!(message.is_observation, is_later, "{}, message {index}", file.display());
        }
    }
}

/// The neutral format marks its own, so that a transcript reads back as it was written.
#[test]
fn a_transcript_keeps_its_marks() {
    for (file, told) in conversations() {
        let (mut transcript, _) = read_with(&as_log(&told), Observations::None);
        transcript.name = Some("kept".to_owned());
        let text = serde_json::to_string(&transcript).unwrap();
        let (again, _) = read_with(&text, Observations::Auto);
        assert_eq!(serde_json::to_string(&again).unwrap(), text, "{}", file.display());
    }
}
