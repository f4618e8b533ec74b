//! Known fields of logged requests, responses and steps, other than their messages.

use super::graphs::SUMMARIZED;
use crate::json::Object;
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::unread::Fields;

/// Fields of a logged request or response that are read elsewhere or repeat other fields.
pub(super) const LOG_FIELDS: &[&str] = &[
    "system",
    "systemInstruction",
    "system_instruction",
    "tools",
    "toolConfig",
    "model_parameters",
    "functions",
    "choices",
    "candidates",
    "usage",
    "usageMetadata",
    "usage_metadata",
    "model",
    // LiteLLM.
    "response_cost",
    // Bedrock.
    "modelId",
    "request",
    "params",
    "body",
    "kwargs",
    "inputs",
    "id",
    "task_id",
    "name",
    "reward",
    "reward_info",
    "token_counter",
    "success",
    "object",
    "created",
    "role",
    "content",
    "type",
    "stop_reason",
    "providerMetadata",
    SUMMARIZED,
];

/// Fields of an AI SDK step: read elsewhere, repeated in its messages, or never part of a request.
pub(super) const STEP: &[&str] = &[
    "content",
    "dynamicToolCalls",
    "dynamicToolResults",
    "experimental_context",
    "files",
    "performance",
    "providerMetadata",
    "reasoning",
    "reasoningText",
    "request",
    "response",
    "runtimeContext",
    "sources",
    "staticToolCalls",
    "staticToolResults",
    "text",
    "toolCalls",
    "toolResults",
    "toolsContext",
    "usage",
    "warnings",
];

/// Fields of requests, responses and choices: read elsewhere, or settings of the model.
pub(super) const BODIES: Fields = Fields {
    below: &["candidates", "choices", "generations"],
    known: &[
        "body",
        "contents",
        "content",
        "context_management",
        "error",
        "functions",
        "generationConfig",
        "headers",
        "groundingMetadata",
        "citationMetadata",
        "finishMessage",
        "urlContextMetadata",
        "incomplete_details",
        "input",
        "instructions",
        "logprobs",
        "message",
        "messages",
        "metadata",
        "model",
        "output",
        "output_config",
        "output_format",
        "prompt",
        "promptFeedback",
        "response_format",
        "role",
        "stop",
        "stop_details",
        "stop_sequences",
        "system",
        "systemInstruction",
        "system_instruction",
        "text",
        "toolConfig",
        "tools",
        "usage",
        "usageMetadata",
        "usage_metadata",
    ],
};

/// Notes a schema for the answer, because the provider adds it to the prompt.
pub(super) fn note_schema(request: &Object, place: &LogPlace, notes: &mut Notes) {
    const SETTINGS: [&str; 5] =
        ["response_format", "text", "output_format", "output_config", "generationConfig"];
    for key in SETTINGS {
        if request.get(key).is_some_and(|value| value.raw().contains("chema\":")) {
            notes.lost("schemas of answers, which are not counted", place.key(key));
        }
    }
}
