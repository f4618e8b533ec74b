//! Conversations kept in the temporary file come back as they were.

use std::fs;
use std::ops::ControlFlow;

use agent_logs::{Shelf, Transcript, read};

use crate::readers::files;

/// All of a transcript but the identities of its calls, which only the ledger needs.
fn all_of(transcript: &Transcript) -> String {
    let mut transcript = transcript.clone();
    for message in &mut transcript.messages {
        let Some(usage) = &mut message.usage else { continue };
        (usage.call, usage.copy_of) = (None, None);
        usage.beside.iter_mut().for_each(|beside| (beside.call, beside.copy_of) = (None, None));
    }
    for usage in transcript.compactions.iter_mut().filter_map(|compaction| compaction.usage.as_mut()) {
        (usage.call, usage.copy_of) = (None, None);
    }
    if let Some(usage) = transcript.outcome.as_mut().and_then(|outcome| outcome.usage.as_mut()) {
        (usage.call, usage.copy_of) = (None, None);
    }
    format!("{transcript:#?}")
}

#[test]
fn conversations_come_back_from_the_file() {
    let mut shelf = Shelf::within(0);
    let (mut kept, mut changed_prompts) = (Vec::new(), 0);
    for file in files() {
        let name = file.display().to_string();
        let _ = read(&fs::read(&file).unwrap()[..], &name, None, &mut |transcript| {
            changed_prompts += transcript.system_changes.len();
            kept.push((all_of(&transcript), shelf.add(transcript).unwrap()));
            ControlFlow::Continue(())
        });
    }
    assert!(kept.len() > 100 && changed_prompts > 0, "{} {changed_prompts}", kept.len());
    // Threads open them in any order.
    for (expected, shelved) in kept.iter().rev() {
        assert_eq!(all_of(&shelved.open().unwrap()), *expected);
    }
    assert!(format!("{:?}", kept[0].1).contains("File"), "the first conversation is in the file");
}

#[test]
fn conversations_stay_in_memory_while_there_is_room() {
    let question = "word ".repeat(100);
    let log = format!(
        "{{\"messages\":[{{\"role\":\"user\",\"content\":\"{question}\"}},{{\"role\":\"assistant\",\"content\":\"Yes.\"}}]}}\n"
    );
    let mut places = Vec::new();
    let mut shelf = Shelf::within(2000);
    for _ in 0..3 {
        let _ = read(log.as_bytes(), "LOG", None, &mut |transcript| {
            places.push(format!("{:?}", shelf.add(transcript).unwrap()).contains("Memory"));
            ControlFlow::Continue(())
        });
    }
    assert_eq!(places, [true, false, false]);
}

/// The room counts texts, prompts and arguments.
#[test]
fn arguments_take_room() {
    let is_in_memory = |mut shelf: Shelf, length: usize| {
        let call = serde_json::json!({"id": "c", "name": "look", "arguments": {"a": "x".repeat(length)}});
        let answer = serde_json::json!({"role": "assistant", "content": "Yes.", "tool_calls": [call]});
        let log = serde_json::json!({"system": "s".repeat(500), "messages": [{"role": "user", "content": "Begin."}, answer]});
        let transcript: Transcript = serde_json::from_value(log).unwrap();
        format!("{:?}", shelf.add(transcript).unwrap()).contains("Memory")
    };
    assert!(is_in_memory(Shelf::within(20_000), 3_000));
    assert!(!is_in_memory(Shelf::within(3_400), 3_000));
    assert!(is_in_memory(Shelf::default(), 3_000));
}
