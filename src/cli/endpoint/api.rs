//! The APIs of endpoints: the body of a request, and the answer in a reply.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Api;
use super::client::Usage;
use crate::agent::{Message, NativeCall, Role};
use crate::compression::RequestBorder;

/// Longest answer to ask for where the API demands a number.
pub(super) const MAX_TOKENS: u32 = 16_000;
/// The most marks for the cache of a request that Anthropic takes.
const MARKS: usize = 4;

/// A request for an answer.
pub(super) struct Asked<'a> {
    pub model: &'a str,
    pub temperature: Option<f64>,
    /// True if the answer must not have more than [`MAX_TOKENS`], also where the API has no such bound.
    pub is_bounded: bool,
    pub request: LiveRequest<'a>,
}

/// The messages of a request for an answer.
#[derive(Clone, Copy)]
pub(in crate::cli) struct LiveRequest<'a> {
    pub messages: &'a [Message],
    /// The places before which later requests seldom differ.
    pub borders: &'a [RequestBorder],
    /// True if the model may call the tools that were called before. Its calls are then part of its text.
    pub may_call: bool,
}

/// The content of a reply.
pub(super) struct Reply {
    pub text: String,
    /// The model that answered, if the reply says so.
    pub model: Option<String>,
    pub usage: Option<Usage>,
}

impl Api {
    /// The API that a host is known for.
    pub(super) fn of_host(host: &str) -> Api {
        if host == "anthropic.com" || host.ends_with(".anthropic.com") { Api::Anthropic } else { Api::Openai }
    }

    pub(super) fn default_url(self) -> &'static str {
        match self {
            Api::Openai => "https://api.openai.com/v1",
            Api::Anthropic => "https://api.anthropic.com/v1",
        }
    }

    /// Variables of the environment with the endpoint and the key.
    pub(super) fn variables(self) -> (&'static str, &'static str) {
        match self {
            Api::Openai => ("OPENAI_BASE_URL", "OPENAI_API_KEY"),
            Api::Anthropic => ("ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"),
        }
    }

    /// The path to call below that of the endpoint.
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
        let marks = if self == Api::Anthropic { marks(asked.request.borders) } else { Vec::new() };
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
            // Calls are refused without the tools that they call, also if the model is not to call any.
            Api::Anthropic => {
                let tool = |name: &&str| json!({"name": name, "input_schema": {"type": "object"}});
                body["tools"] = calls.iter().map(tool).collect();
                body["tool_choice"] = json!({"type": if may_call { "auto" } else { "none" }});
            }
            Api::Openai if may_call => {
                let function = |name: &&str| json!({"name": name, "parameters": {"type": "object"}});
                let tool = |name: &&str| json!({"type": "function", "function": function(name)});
                body["tools"] = calls.iter().map(tool).collect();
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

    /// Adds a message. Anthropic has the results of calls together in one message of the user.
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

    /// Why a reply holds neither an answer nor a reason for its end: some gateways send their errors with status 200.
    pub(super) fn refusal(self, reply: &Value) -> Option<String> {
        let end = match self {
            Api::Openai => &reply["choices"][0],
            Api::Anthropic => &reply["content"],
        };
        end.is_null().then(|| format!("gave no answer: {}", error_in(reply).unwrap_or(reply.to_string())))
    }

    /// The answer in a reply.
    ///
    /// # Errors
    /// It is not whole, or there is none.
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

    /// The calls of tools in a reply, as text.
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

    /// The tokens that a reply was billed for.
    pub(super) fn usage(self, reply: &Value) -> Option<Usage> {
        let usage = reply.get("usage")?;
        let tokens = |pointer: &str| usage.pointer(pointer).and_then(Value::as_u64);
        Some(match self {
            Api::Openai => Usage {
                input: tokens("/prompt_tokens")?,
                // Providers without a cache leave this out.
                cached: tokens("/prompt_tokens_details/cached_tokens").unwrap_or(0),
                written: 0,
                output: tokens("/completion_tokens")?,
            },
            // `input_tokens` are those that the cache neither had nor took.
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

/// The messages and borders between a mark and the start of a request: the first border, and the last ones.
fn marks(borders: &[RequestBorder]) -> Vec<(usize, u32)> {
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

/// The marks in one message.
struct Marked {
    /// Bytes before marks within its text.
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

    /// The text in blocks that end at marks, behind what separates it from the text before.
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
    // Arguments that are no object are those of a log that was cut.
    let input = arguments.unwrap_or_else(|| json!({"arguments": call.arguments.as_str()}));
    json!({"type": "tool_use", "id": call.id.as_str(), "name": call.name.as_str(), "input": input})
}

/// The message of an error that a server reports.
pub(super) fn error_in(reply: &Value) -> Option<String> {
    reply.pointer("/error/message").and_then(Value::as_str).map(str::to_string)
}
