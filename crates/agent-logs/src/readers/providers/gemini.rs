//! Field names of Gemini.

use crate::names::{CallNames, Names, PartKind, PartNames, ResultNames, UsageNames};

/// Field names of Gemini's clients for JavaScript and Python, and of its CLI's sessions.
pub(crate) static NAMES: Names = Names {
    roles: &[("user", "user"), ("gemini", "assistant")],
    // Messages of the CLI to the user.
    shown: &["info", "warning", "error"],
    content: &["parts", "content"],
    reasoning: &["thoughts"],
    call_lists: &["toolCalls"],
    beside: &["model", "timestamp"],
    call: CallNames {
        fields: &["functionCall", "function_call"],
        id: &["id"],
        name: &["name"],
        arguments: &["args"],
        // The CLI logs a call with its result.
        result: &["result"],
        ..CallNames::NONE
    },
    result: ResultNames {
        fields: &["functionResponse", "function_response"],
        call: &["id"],
        content: &["result", "response"],
        ..ResultNames::NONE
    },
    parts: PartNames {
        types: &[("text", PartKind::Text)],
        fields: &[
            ("inlineData", PartKind::Image),
            ("inline_data", PartKind::Image),
            ("fileData", PartKind::File),
            ("file_data", PartKind::File),
        ],
        text: &["text"],
        file: &["inlineData", "inline_data", "fileData", "file_data"],
        unsent: &["displayName", "description", "resultDisplay", "timestamp"],
        ..PartNames::NONE
    },
    usage: UsageNames {
        bill: &["usageMetadata", "usage_metadata", "tokens"],
        model: &["model", "modelVersion", "model_version"],
        input: &["promptTokenCount", "prompt_token_count", "input"],
        // `tool` is the CLI's name.
        fetched_beside: &["toolUsePromptTokenCount", "tool_use_prompt_token_count", "tool"],
        read: &["cachedContentTokenCount", "cached_content_token_count", "cached"],
        output: &["candidatesTokenCount", "candidates_token_count", "output"],
        // Gemini counts thoughts separately from the candidates, and bills both as output.
        reasoning_beside: &["thoughtsTokenCount", "thoughts_token_count", "thoughts"],
        ..UsageNames::NONE
    },
    ..Names::NONE
};
