//! Bodies of requests are read and written without loss.

use conversation::bodies::{BodyMessages, anthropic, openai};
use conversation::{Conversation, Message, NoOpening, ReplyKind, Role};
use serde_json::{Value as Json, json};

fn openai_body() -> Vec<Json> {
    vec![
        json!({"role": "developer", "content": "Be brief."}),
        json!({"role": "user", "content": [
            {"type": "text", "text": "What is this?"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA", "detail": "low"}}]}),
        json!({"role": "assistant", "content": null, "refusal": null, "tool_calls": [
            {"id": "a", "type": "function", "function": {"name": "look", "arguments": "{\"at\": 1}"}},
            {"id": "b", "type": "function", "function": {"name": "look", "arguments": "{\"at\": 2}"}}]}),
        json!({"role": "tool", "tool_call_id": "a", "content": "a fox"}),
        json!({"role": "tool", "tool_call_id": "b", "content": [{"type": "text", "text": "a hen"}]}),
        json!({"role": "assistant", "content": "A fox and a hen."}),
        json!({"role": "user", "content": "Thanks.", "name": "Ada"}),
    ]
}

fn anthropic_body() -> (Json, Vec<Json>) {
    let system = json!([{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}]);
    let messages = vec![
        json!({"role": "user", "content": "What is this?"}),
        json!({"role": "assistant", "content": [
            {"type": "thinking", "thinking": "hm", "signature": "x"},
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "a", "name": "look", "input": {"at": 1}},
            {"type": "tool_use", "id": "b", "name": "look", "input": {"at": 2}}]}),
        json!({"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "a", "content": "a fox"},
            {"type": "tool_result", "tool_use_id": "b", "content": [{"type": "text", "text": "a hen"}], "is_error": true,
                "cache_control": {"type": "ephemeral"}},
            {"type": "text", "text": "Hurry.", "cache_control": {"type": "ephemeral"}}]}),
        json!({"role": "user", "content": "Please."}),
        json!({"role": "assistant", "content": "A fox and a hen."}),
    ];
    (system, messages)
}

#[test]
fn messages_that_stay_are_the_same_json() {
    let body = openai_body();
    let read = openai::read_messages(&body).unwrap();
    assert_eq!(openai::write_messages(&read, read.messages()), body);
    let (system, messages) = anthropic_body();
    let read = anthropic::read_messages(Some(&system), &messages).unwrap();
    assert_eq!(anthropic::write_messages(&read, read.messages()), (Some(system), messages));
}

#[test]
fn a_result_with_another_text_keeps_its_place_and_its_marks() {
    let read = openai::read_messages(&openai_body()).unwrap();
    let mut sent = read.messages().to_vec();
    sent[3] = sent[3].with_content("[omitted]");
    let mut expected = openai_body();
    expected[3] = json!({"role": "tool", "tool_call_id": "a", "content": "[omitted]"});
    assert_eq!(openai::write_messages(&read, &sent), expected);

    let (system, mut messages) = anthropic_body();
    let read = anthropic::read_messages(Some(&system), &messages).unwrap();
    for place in [3, 4] {
        let mut sent = read.messages().to_vec();
        sent[place] = sent[place].with_content("[omitted]");
        let before = messages[2]["content"][place - 3]["content"].take();
        messages[2]["content"][place - 3]["content"] = json!("[omitted]");
        assert_eq!(anthropic::write_messages(&read, &sent).1, messages);
        messages[2]["content"][place - 3]["content"] = before;
    }
}

/// Agents that count calls anew in each turn use an identifier again. Each result keeps its own marks.
#[test]
fn results_of_equal_identifiers_keep_their_own_marks() {
    let result =
        |mark: u32| json!({"role": "tool", "tool_call_id": "a", "content": mark.to_string(), "mark": mark});
    let body = vec![result(1), result(2), result(3)];
    let read = openai::read_messages(&body).unwrap();
    let sent: Vec<Message> = read.messages().iter().map(|message| message.with_content("gone")).collect();
    let written = openai::write_messages(&read, &sent);
    assert_eq!(
        written.iter().map(|json| json["mark"].as_u64()).collect::<Vec<_>>(),
        [Some(1), Some(2), Some(3)]
    );
    assert!(written.iter().all(|json| json["content"] == "gone"));
}

/// Equal texts are different messages: each keeps its own source.
#[test]
fn equal_messages_keep_their_order() {
    let body: Vec<Json> = (0..5)
        .map(|number| json!({"role": "user", "content": "again", "name": number.to_string()}))
        .collect();
    let read = openai::read_messages(&body).unwrap();
    assert_eq!(openai::write_messages(&read, read.messages()), body);
    assert_eq!(openai::write_messages(&read, &read.messages()[..2]), body[..2]);
}

#[test]
fn errors_say_where() {
    let error = |message: Json| openai::read_messages(&[message]).unwrap_err().to_string();
    assert_eq!(error(json!({"content": "x"})), "messages[0].role: expected a string");
    assert_eq!(
        error(json!({"role": "user", "content": 1})),
        "messages[0].content: expected a string or a list of blocks"
    );
    assert_eq!(error(json!({"role": "tool", "content": "x"})), "messages[0].tool_call_id: expected a string");
    let error = |message: Json| anthropic::read_messages(None, &[message]).unwrap_err().to_string();
    assert_eq!(
        error(json!({"role": "tool", "content": "x"})),
        "messages[0].role: expected user or assistant"
    );
    assert_eq!(error(json!({"role": "user"})), "messages[0].content: expected a string or a list of blocks");
}

#[test]
fn messages_become_turns() {
    let read = openai::read_messages(&openai_body()).unwrap();
    let conversation = Conversation::from_messages(read.messages()).unwrap();
    assert_eq!(conversation.head.len(), 1);
    assert_eq!(conversation.opening.content, "What is this?");
    let [first, second] = conversation.turns.as_slice() else { panic!("{conversation:?}") };
    assert_eq!(
        first.calls.iter().map(|call| call.text.as_str()).collect::<Vec<_>>(),
        ["look({\"at\": 1})", "look({\"at\": 2})"]
    );
    assert_eq!(first.outputs, ["a fox", "a hen"]);
    assert_eq!(second.replies[0].kind, ReplyKind::Words);
    assert!(conversation.messages().eq(read.messages()));
    let answer = Message::new(Role::Assistant, "Hello.");
    assert_eq!(Conversation::from_messages(&[answer]).unwrap_err(), NoOpening);
    assert_eq!(Conversation::from_messages(&[]).unwrap_err(), NoOpening);
}

/// Messages that were made by hand, of one API or the other.
#[test]
fn messages_without_a_body_are_written_anew() {
    let read = openai::read_messages(&openai_body()).unwrap();
    let sent =
        [&read.messages()[..1], &[Message::new(Role::System, "[summary]")], &read.messages()[2..]].concat();
    let (system, messages) = anthropic::write_messages(&BodyMessages::default(), &sent);
    let text = |text: &str| json!({"type": "text", "text": text});
    assert_eq!(system, Some(json!([text("Be brief."), text("[summary]")])));
    let call = |id: &str, at: u32| json!({"type": "tool_use", "id": id, "name": "look", "input": {"at": at}});
    let result = |id: &str, text: &str| json!({"type": "tool_result", "tool_use_id": id, "content": text});
    let expected = [
        json!({"role": "assistant", "content": [call("a", 1), call("b", 2)]}),
        json!({"role": "user", "content": [result("a", "a fox"), result("b", "a hen")]}),
        json!({"role": "assistant", "content": "A fox and a hen."}),
        json!({"role": "user", "content": "Thanks."}),
    ];
    assert_eq!(messages, expected);
}
