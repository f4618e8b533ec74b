//! Results that stand in the text of another message.

use std::ops::ControlFlow;

use agent_logs::{TranscriptMessage, TranscriptRole, read};
use serde_json::{Value, json};

fn messages_of(value: &Value) -> Vec<TranscriptMessage> {
    let log = value.to_string();
    let mut messages = Vec::new();
    read(log.as_bytes(), "LOG", None, &mut |transcript| {
        messages = transcript.messages;
        ControlFlow::Continue(())
    })
    .unwrap();
    messages
}

/// A client that appends a result to the answer sends the next answer right behind it. The result follows a call.
#[test]
fn a_result_behind_a_call_in_an_answer_is_divided() {
    let length = |answer: &str| {
        let said = |role: &str, text: &str| json!({"role": role, "content": text});
        let messages = json!([said("user", "Look."), said("assistant", answer), said("assistant", "Done.")]);
        messages_of(&json!({"messages": messages})).len()
    };
    assert_eq!(length("I think.\nAction: look\nObservation: found"), 4);
    assert_eq!(length("I think.\nObservation: found"), 3);
    assert_eq!(length("I think.\nAction: look"), 3);
}

/// Cline sends the result of a call in the words of the user, with the images in front.
#[test]
fn a_result_in_words_of_the_user_is_of_its_call() {
    let told = |tool: &str, text: &str| {
        let call = json!({"id": "c1", "type": "function", "function": {"name": tool, "arguments": "{}"}});
        let image = json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}});
        let messages = json!([
            {"role": "user", "content": "Look."},
            {"role": "assistant", "content": "I look.", "tool_calls": [call]},
            {"role": "user", "content": [{"type": "text", "text": text}, image]},
            {"role": "assistant", "content": "Done."},
        ]);
        let messages = messages_of(&json!({"messages": messages}));
        (messages.len(), messages[2].role, messages[2].images)
    };
    assert_eq!(told("read_file", "[read_file for 'a'] Result:\nfound"), (4, TranscriptRole::Tool, 1));
    assert_eq!(told("read-file", "[read-file for 'a'] Result:\nfound"), (4, TranscriptRole::User, 1));
    assert_eq!(told("read_file", "[list_files for 'a'] Result:\nfound"), (4, TranscriptRole::User, 1));
}

/// A prompt with the work so far has the question, answers and results, and ends where the next thought begins.
#[test]
fn a_prompt_with_the_work_so_far_is_divided() {
    let length = |text: &str| {
        let asked = json!([{"role": "user", "content": text}]);
        let response = json!({"choices": [{"message": {"role": "assistant", "content": "Done."}}]});
        messages_of(&json!({"request": {"messages": asked}, "response": response})).len()
    };
    let step = "Thought: I.\nAction: look\nObservation: found";
    assert_eq!(length("Help.\nQuestion: which city?\nThought:"), 2);
    assert_eq!(length(&format!("Help.\nQuestion: which city?\n{step}\nThought:")), 4);
    assert_eq!(length(&format!("Help.\nQuestion: which city?\n{step}\n{step}\nThought: ")), 6);
    assert_eq!(length(&format!("Help.\nQuestion: which city?\n{step}\nThought: I know.")), 2);
    assert_eq!(length("Help.\nQuestion: which city?\nThought: I.\nObservation: found\nThought:"), 2);
    // Images are of the question.
    let image = json!({"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}});
    let text = json!({"type": "text", "text": format!("Help.\nQuestion: which city?\n{step}\nThought:")});
    let asked = json!([{"role": "user", "content": [image, text]}]);
    let response = json!({"choices": [{"message": {"role": "assistant", "content": "Done."}}]});
    let messages = messages_of(&json!({"request": {"messages": asked}, "response": response}));
    assert_eq!(messages.iter().map(|message| message.images).collect::<Vec<_>>(), [1, 0, 0, 0]);
}

/// Without identifiers, results in words are of the calls of their tools.
#[test]
fn results_in_words_name_their_tools() {
    let call = |tool: &str| json!({"type": "function", "function": {"name": tool, "arguments": "{}"}});
    let messages = messages_of(&json!({"messages": [
        {"role": "user", "content": "Look."},
        {"role": "assistant", "content": "I look.", "tool_calls": [call("look"), call("walk")]},
        {"role": "user", "content": "[walk for 'a'] Result:\nfar\n[look for 'a'] Result:\nfound"},
        {"role": "assistant", "content": "Done."},
    ]}));
    let calls = &messages[1].tool_calls;
    let paired: Vec<&str> = messages.iter().filter_map(|message| message.call.as_deref()).collect();
    assert_eq!(paired, [calls[1].id.as_str(), calls[0].id.as_str()]);
}
