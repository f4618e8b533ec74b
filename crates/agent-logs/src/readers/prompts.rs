//! Converts text completions and Cohere's first chat API to chat format: completions of OpenAI, Anthropic, Bedrock's models and
//! Ollama.

use serde_json::{Value, json};

/// Fields of a request with its prompt.
const PROMPTS: [&str; 2] = ["prompt", "inputText"];

/// JSON pointers to the text of a response.
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

/// JSON pointers to the billed input and output tokens of a response.
const TOKENS: [(&str, &str); 5] = [
    ("/usage/tokens/input_tokens", "/usage/tokens/output_tokens"),
    ("/prompt_eval_count", "/eval_count"),
    ("/prompt_token_count", "/generation_token_count"),
    ("/inputTextTokenCount", "/results/0/tokenCount"),
    ("/meta/billed_units/input_tokens", "/meta/billed_units/output_tokens"),
];

/// Rewrites a request and its response to chat format. Chats stay unchanged.
pub(super) fn as_chat(request: &mut Value, response: &mut Value, address: &str) {
    if request.get("messages").is_none()
        && let Some(messages) = prompt_messages(request).or_else(|| chat_messages(request))
    {
        rewrite_texts(response);
        request["messages"] = messages.into();
        for key in ["prompt", "inputText", "message", "chat_history", "preamble"] {
            request.as_object_mut().and_then(|request| request.remove(key));
        }
    }
    copy_bill(response);
    if let Some((response, model)) = response.as_object_mut().zip(model_in_address(address)) {
        response.entry("model").or_insert_with(|| model.into());
    }
}

/// The prompt as a message.
fn prompt_messages(request: &Value) -> Option<Vec<Value>> {
    let given = PROMPTS.iter().find_map(|key| request.get(key))?;
    // OpenAI accepts a list of prompts; only a list of one is supported.
    let text = given.as_str().or_else(|| given.as_array().filter(|list| list.len() == 1)?.first()?.as_str());
    Some(vec![json!({"role": "user", "content": text?})])
}

/// The messages of Cohere's first chat API, with the preamble as system prompt.
fn chat_messages(request: &Value) -> Option<Vec<Value>> {
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

/// Rewrites the texts of a response to messages.
fn rewrite_texts(response: &mut Value) {
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
        // Otherwise it would look like an interaction of Gemini.
        response.remove("outputs");
        response.insert("message".to_owned(), json!({"role": "assistant", "content": text}));
    }
}

/// Copies the bill to the field used by chats.
fn copy_bill(response: &mut Value) {
    for (input, output) in &TOKENS {
        if let Some(input) = response.pointer(input).and_then(Value::as_u64) {
            let output = response.pointer(output).and_then(Value::as_u64);
            response["usage"] = json!({"input_tokens": input, "output_tokens": output});
            return;
        }
    }
}

/// The model in the URL of a request to Bedrock.
fn model_in_address(address: &str) -> Option<String> {
    let (_, rest) = address.split_once("/model/")?;
    let (name, _) = rest.split_once('/')?;
    Some(name.replace("%3A", ":").replace("%2F", "/"))
}
