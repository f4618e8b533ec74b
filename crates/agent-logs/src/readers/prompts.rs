//! Requests of a prompt that is one text, and others of few words, in the words of chats: completions of OpenAI, Anthropic,
//! Bedrock's models and Ollama, the first chat of Cohere.

use serde_json::{Value, json};

/// Fields of a request with its prompt.
const PROMPTS: [&str; 2] = ["prompt", "inputText"];

/// Places of the text in a response.
const TEXTS: [&str; 8] = [
    "/completion",
    "/generation",
    "/generations/0/text",
    "/outputs/0/text",
    "/results/0/outputText",
    "/completions/0/data/text",
    "/response",
    "/text",
];

/// Places of the billed input and output tokens in a response.
const TOKENS: [(&str, &str); 5] = [
    ("/usage/tokens/input_tokens", "/usage/tokens/output_tokens"),
    ("/prompt_eval_count", "/eval_count"),
    ("/prompt_token_count", "/generation_token_count"),
    ("/inputTextTokenCount", "/results/0/tokenCount"),
    ("/meta/billed_units/input_tokens", "/meta/billed_units/output_tokens"),
];

/// Rewrites a request and its response as those of a chat. Those that are in such words stay.
pub(super) fn as_chat(request: &mut Value, response: &mut Value, address: &str) {
    if request.get("messages").is_none()
        && let Some(messages) = prompted(request).or_else(|| chatted(request))
    {
        said(response);
        request["messages"] = messages.into();
        for key in ["prompt", "inputText", "message", "chat_history", "preamble"] {
            request.as_object_mut().and_then(|request| request.remove(key));
        }
    }
    bill(response);
    if let Some((response, model)) = response.as_object_mut().zip(model(address)) {
        response.entry("model").or_insert_with(|| model.into());
    }
}

/// The prompt as a message.
fn prompted(request: &Value) -> Option<Vec<Value>> {
    let given = PROMPTS.iter().find_map(|key| request.get(key))?;
    // OpenAI takes a list of prompts; a request has one of them.
    let text = given.as_str().or_else(|| given.as_array().filter(|list| list.len() == 1)?.first()?.as_str());
    Some(vec![json!({"role": "user", "content": text?})])
}

/// The messages of Cohere's first chat, whose system prompt is the preamble.
fn chatted(request: &Value) -> Option<Vec<Value>> {
    let last = request.get("message")?.as_str()?;
    let preamble = request.get("preamble").and_then(Value::as_str);
    let mut messages: Vec<Value> =
        preamble.map(|text| json!({"role": "system", "content": text})).into_iter().collect();
    for said in request.get("chat_history").and_then(Value::as_array).into_iter().flatten() {
        let role = match said.get("role").and_then(Value::as_str) {
            Some("CHATBOT") => "assistant",
            Some("SYSTEM") => "system",
            _ => "user",
        };
        messages.push(json!({"role": role, "content": said.get("message")?}));
    }
    messages.push(json!({"role": "user", "content": last}));
    Some(messages)
}

/// Makes messages of the texts of a response.
fn said(response: &mut Value) {
    if let Some(choices) = response.get_mut("choices").and_then(Value::as_array_mut) {
        for choice in choices {
            let text = choice.get("text").cloned();
            if let Some((choice, text)) = choice.as_object_mut().zip(text) {
                choice.remove("text");
                choice.insert("message".to_owned(), json!({"role": "assistant", "content": text}));
            }
        }
        return;
    }
    let text = TEXTS.iter().find_map(|place| response.pointer(place)?.as_str()).map(str::to_owned);
    if let Some((response, text)) = response.as_object_mut().zip(text) {
        // Interactions of Gemini have outputs too.
        response.remove("outputs");
        response.insert("message".to_owned(), json!({"role": "assistant", "content": text}));
    }
}

/// Writes the bill where that of a chat stands.
fn bill(response: &mut Value) {
    let number = |place| response.pointer(place).and_then(Value::as_u64);
    let tokens = TOKENS.iter().find_map(|(input, output)| Some((number(input)?, number(output))));
    if let Some((input, output)) = tokens {
        response["usage"] = json!({"input_tokens": input, "output_tokens": output});
    }
}

/// The model that the address of a request to Bedrock names.
fn model(address: &str) -> Option<String> {
    let (_, rest) = address.split_once("/model/")?;
    let (name, _) = rest.split_once('/')?;
    Some(name.replace("%3A", ":").replace("%2F", "/"))
}
