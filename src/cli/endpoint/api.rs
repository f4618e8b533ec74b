//! Request bodies and replies of the OpenAI and Anthropic APIs.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Api;
use super::client::Usage;
use crate::agent::{Message, NativeCall, Role};
use crate::compression::RequestBorder;

/// The length limit of answers, for APIs that require one.
pub(super) const MAX_TOKENS: u32 = 16_000;
/// Most cache breakpoints in a request accepted by Anthropic.
const MARKS: usize = 4;

/// A request with its model settings.
pub(super) struct Asked<'a> {
    pub model: &'a str,
    pub temperature: Option<f64>,
    /// True if answers must not exceed [`MAX_TOKENS`], even if the API has no default limit.
    pub is_bounded: bool,
    pub request: LiveRequest<'a>,
}

/// The messages to send.
#[derive(Clone, Copy)]
pub(in crate::cli) struct LiveRequest<'a> {
    pub messages: &'a [Message],
    /// Places before which later requests rarely change: candidates for cache breakpoints.
    pub borders: &'a [RequestBorder],
    /// True if the model may call the tools used earlier in the conversation. Its calls become part of its text.
    pub may_call: bool,
}

/// The content of a reply.
pub(super) struct Reply {
    pub text: String,
    /// The model named in the reply, if any.
    pub model: Option<String>,
    pub usage: Option<Usage>,
}

impl Api {
    /// The API of a known host. OpenAI's for all others.
    pub(super) fn of_host(host: &str) -> Api {
        if host == "anthropic.com" || host.ends_with(".anthropic.com") { Api::Anthropic } else { Api::Openai }
    }

    pub(super) fn default_url(self) -> &'static str {
        match self {
            Api::Openai => "https://api.openai.com/v1",
            Api::Anthropic => "https://api.anthropic.com/v1",
        }
    }

    /// Environment variables for the endpoint and the key.
    pub(super) fn variables(self) -> (&'static str, &'static str) {
        match self {
            Api::Openai => ("OPENAI_BASE_URL", "OPENAI_API_KEY"),
            Api::Anthropic => ("ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"),
        }
    }

    /// The path to call, relative to the endpoint's URL.
    pub(super) fn path(self, base: &str) -> &'static str {
        match self {
            Api::Openai => "/chat/completions",
            Api::Anthropic if base.ends_with("/v1") => "/messages",
            Api::Anthropic => "/v1/messages",
        }
    }

    pub(super) fn headers(self, key: Option<&str>) -> Vec<(&'static str, String)> {
        match self {
            Api::Openai => key.map(|key| ("authorization", format!("Bearer {key}"))).into_iter().collect(),
            Api::Anthropic => {
                let version = ("anthropic-version", "2023-06-01".to_string());
                key.map(|key| ("x-api-key", key.to_string())).into_iter().chain([version]).collect()
            }
        }
    }

    pub(super) fn body(self, asked: &Asked<'_>) -> String {
        let marks = if self == Api::Anthropic { cache_marks(asked.request.borders) } else { Vec::new() };
        let mut messages: Vec<Value> = Vec::new();
        let mut system: Vec<Value> = Vec::new();
        let mut calls: BTreeSet<&str> = BTreeSet::new();
        for (number, message) in asked.request.messages.iter().enumerate() {
            let marked = Marked::of(&marks, number);
            if self == Api::Anthropic && message.role == Role::System {
                let between = if system.is_empty() { "" } else { "\n\n" };
                system.extend(marked.blocks(&message.content, between));
                continue;
            }
            calls.extend(message.calls().iter().map(|call| call.name.as_str()));
            self.add_message(message, &marked, &mut messages);
        }
        let mut body = json!({"model": asked.model, "messages": messages});
        let may_call = asked.request.may_call;
        match self {
            _ if calls.is_empty() => {}
            // Anthropic rejects messages with calls if their tools are not declared, even if the model must not call any.
            Api::Anthropic => {
                let mut tools = Vec::new();
                for name in &calls {
                    tools.push(json!({"name": name, "input_schema": {"type": "object"}}));
                }
                body["tools"] = tools.into();
                body["tool_choice"] = json!({"type": if may_call { "auto" } else { "none" }});
            }
            Api::Openai if may_call => {
                let mut tools = Vec::new();
                for name in &calls {
                    let function = json!({"name": name, "parameters": {"type": "object"}});
                    tools.push(json!({"type": "function", "function": function}));
                }
                body["tools"] = tools.into();
            }
            Api::Openai => {}
        }
        match self {
            Api::Anthropic => body["max_tokens"] = MAX_TOKENS.into(),
            Api::Openai if asked.is_bounded => body["max_completion_tokens"] = MAX_TOKENS.into(),
            Api::Openai => {}
        }
        if !system.is_empty() {
            body["system"] = system.into();
        }
        if let Some(temperature) = asked.temperature {
            body["temperature"] = temperature.into();
        }
        body.to_string()
    }

    /// Adds a message. Anthropic requires the results of parallel calls in one user message.
    fn add_message(self, message: &Message, marked: &Marked, messages: &mut Vec<Value>) {
        let content = message.content.as_str();
        let calls = message.calls();
        let mut body = json!({"role": message.role.name(), "content": content});
        if marked.is_any() && message.result_of().is_none() && calls.is_empty() {
            body["content"] = marked.blocks(content, "").into();
        }
        match (self, message.result_of()) {
            (_, None) if calls.is_empty() => {}
            (Api::Openai, None) => body["tool_calls"] = calls.iter().map(openai_call).collect(),
            (Api::Openai, Some(call)) => body["tool_call_id"] = call.as_str().into(),
            (Api::Anthropic, None) => {
                let text = (!content.is_empty()).then(|| json!({"type": "text", "text": content}));
                let mut blocks: Vec<Value> =
                    text.into_iter().chain(calls.iter().map(anthropic_call)).collect();
                marked.mark_end(&mut blocks);
                body["content"] = blocks.into();
            }
            (Api::Anthropic, Some(call)) => {
                let result = json!({"type": "tool_result", "tool_use_id": call.as_str(), "content": content});
                let mut result = vec![result];
                marked.mark_end(&mut result);
                let results = messages.last_mut().filter(|last| last["content"][0]["type"] == "tool_result");
                if let Some(results) = results.and_then(|last| last["content"].as_array_mut()) {
                    return results.append(&mut result);
                }
                body = json!({"role": Role::User.name(), "content": result});
            }
        }
        messages.push(body);
    }

    /// The error in a reply with neither an answer nor a stop reason. Some gateways send errors with status 200.
    pub(super) fn refusal(self, reply: &Value) -> Option<String> {
        let end = match self {
            Api::Openai => &reply["choices"][0],
            Api::Anthropic => &reply["content"],
        };
        end.is_null().then(|| format!("gave no answer: {}", error_in(reply).unwrap_or(reply.to_string())))
    }

    /// Parses the answer in a reply.
    ///
    /// # Errors
    /// It is missing or incomplete.
    pub(super) fn read(self, reply: &Value, may_call: bool) -> Result<Reply, String> {
        let calls = if may_call { self.calls(reply) } else { String::new() };
        let (reason, text) = match self {
            Api::Openai => {
                let choice = &reply["choices"][0];
                let refusal = choice["message"]["refusal"].as_str().filter(|refusal| !refusal.is_empty());
                if let Some(refusal) = refusal {
                    return Err(format!("refused to answer: {refusal}"));
                }
                (&choice["finish_reason"], choice["message"]["content"].as_str().map(str::to_string))
            }
            Api::Anthropic => {
                let blocks = reply["content"].as_array().into_iter().flatten();
                let texts: Vec<&str> = blocks.filter_map(|block| block["text"].as_str()).collect();
                (&reply["stop_reason"], (!texts.is_empty()).then(|| texts.concat()))
            }
        };
        let text = match text {
            Some(text) => Some(text + &calls),
            None => Some(calls).filter(|calls| !calls.is_empty()),
        };
        match (reason.as_str(), text) {
            (Some("length" | "max_tokens" | "model_context_window_exceeded"), _) => {
                Err("cut the answer off at its longest length".to_string())
            }
            (Some("content_filter" | "refusal"), _) => {
                Err("held the answer back by a content filter".to_string())
            }
            (_, Some(text)) => Ok(Reply {
                text,
                model: reply["model"].as_str().map(str::to_string),
                usage: self.usage(reply),
            }),
            (Some(reason), None) => Err(format!("ended without an answer: {reason}")),
            (None, None) => Err(format!("gave no answer: {}", error_in(reply).unwrap_or(reply.to_string()))),
        }
    }

    /// The tool calls in a reply, as text.
    fn calls(self, reply: &Value) -> String {
        let blocks = match self {
            Api::Openai => &reply["choices"][0]["message"]["tool_calls"],
            Api::Anthropic => &reply["content"],
        };
        let mut calls = String::new();
        for block in blocks.as_array().into_iter().flatten() {
            match self {
                Api::Openai => {
                    let function = &block["function"];
                    if let (Some(name), Some(arguments)) =
                        (function["name"].as_str(), function["arguments"].as_str())
                    {
                        calls += &format!("\n{name}: {arguments}");
                    }
                }
                Api::Anthropic => {
                    if let Some(name) = block["name"].as_str() {
                        calls += &format!("\n{name}: {}", block["input"]);
                    }
                }
            }
        }
        calls
    }

    /// The billed tokens in a reply.
    pub(super) fn usage(self, reply: &Value) -> Option<Usage> {
        let usage = reply.get("usage")?;
        let tokens = |pointer: &str| usage.pointer(pointer).and_then(Value::as_u64);
        Some(match self {
            Api::Openai => Usage {
                input: tokens("/prompt_tokens")?,
                // Missing for providers without a cache.
                cached: tokens("/prompt_tokens_details/cached_tokens").unwrap_or(0),
                // Only for models whose provider charges for writes.
                written: tokens("/prompt_tokens_details/cache_write_tokens").unwrap_or(0),
                output: tokens("/completion_tokens")?,
            },
            // `input_tokens` counts only tokens neither read from the cache nor written to it.
            Api::Anthropic => {
                let cached = tokens("/cache_read_input_tokens").unwrap_or(0);
                let written = tokens("/cache_creation_input_tokens").unwrap_or(0);
                Usage {
                    input: tokens("/input_tokens")?.saturating_add(cached).saturating_add(written),
                    cached,
                    written,
                    output: tokens("/output_tokens")?,
                }
            }
        })
    }
}

/// Cache breakpoints as (whole messages before it, bytes of the next message before it): the first border and the last ones.
fn cache_marks(borders: &[RequestBorder]) -> Vec<(usize, u32)> {
    let mut places: Vec<(usize, u32)> = Vec::new();
    for RequestBorder { messages, bytes, .. } in borders {
        let place = (*messages, *bytes);
        if place > (0, 0) && !places.contains(&place) {
            places.push(place);
        }
    }
    let last = places.len().saturating_sub(MARKS - 1).max(1);
    let kept = places.iter().enumerate().filter(|(number, _)| *number == 0 || *number >= last);
    kept.map(|(_, place)| *place).collect()
}

/// The cache breakpoints in one message.
struct Marked {
    /// Byte offsets of breakpoints within its text.
    within: Vec<usize>,
    is_end_marked: bool,
}

impl Marked {
    fn of(marks: &[(usize, u32)], message: usize) -> Marked {
        let within = marks.iter().filter(|(before, bytes)| *before == message && *bytes > 0);
        Marked {
            within: within.map(|(_, bytes)| *bytes as usize).collect(),
            is_end_marked: marks.contains(&(message + 1, 0)),
        }
    }

    fn is_any(&self) -> bool {
        self.is_end_marked || !self.within.is_empty()
    }

    /// Splits the text at its breakpoints into blocks. `between` is put before the first.
    fn blocks(&self, text: &str, between: &str) -> Vec<Value> {
        let mut blocks = Vec::new();
        let (mut rest, mut from) = (text, 0);
        for at in &self.within {
            let Some((before, after)) = rest.split_at_checked(at - from) else { continue };
            let mut block = vec![text_block(before, if from == 0 { between } else { "" })];
            mark_last(&mut block);
            blocks.append(&mut block);
            (rest, from) = (after, *at);
        }
        if !rest.is_empty() {
            blocks.push(text_block(rest, if from == 0 { between } else { "" }));
            self.mark_end(&mut blocks);
        }
        blocks
    }

    fn mark_end(&self, blocks: &mut [Value]) {
        if self.is_end_marked {
            mark_last(blocks);
        }
    }
}

fn text_block(text: &str, between: &str) -> Value {
    json!({"type": "text", "text": format!("{between}{text}")})
}

fn mark_last(blocks: &mut [Value]) {
    if let Some(last) = blocks.last_mut() {
        last["cache_control"] = json!({"type": "ephemeral"});
    }
}

fn openai_call(call: &NativeCall) -> Value {
    let function = json!({"name": call.name.as_str(), "arguments": call.arguments.as_str()});
    json!({"id": call.id.as_str(), "type": "function", "function": function})
}

fn anthropic_call(call: &NativeCall) -> Value {
    let arguments = serde_json::from_str(&call.arguments).ok().filter(Value::is_object);
    // In truncated logs, arguments may not be a JSON object.
    let input = arguments.unwrap_or_else(|| json!({"arguments": call.arguments.as_str()}));
    json!({"type": "tool_use", "id": call.id.as_str(), "name": call.name.as_str(), "input": input})
}

/// The message of a server's error.
pub(super) fn error_in(reply: &Value) -> Option<String> {
    reply.pointer("/error/message").and_then(Value::as_str).map(str::to_string)
}
