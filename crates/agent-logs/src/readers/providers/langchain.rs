//! Field names of LangChain.

use crate::names::{CallNames, Names, PartKind, PartNames, ResultNames, UsageNames};

/// Field names of LangChain messages, plain or dumped.
pub(crate) static NAMES: Names = Names {
    roles: &[
        ("system", "system"),
        ("human", "user"),
        ("ai", "assistant"),
        ("AIMessageChunk", "assistant"),
        ("tool", "tool"),
        ("function", "function"),
        ("remove", "remove"),
    ],
    // Dumped messages are nested in an object, next to their class name or type.
    around: &["kwargs", "data"],
    content: &["content"],
    call_lists: &["tool_calls", "invalid_tool_calls", "additional_kwargs.tool_calls"],
    single_call: &["additional_kwargs.function_call"],
    beside: &["name", "additional_kwargs", "response_metadata", "example", "status"],
    edits: &["response_metadata.context_management.applied_edits"],
    call: CallNames {
        types: &["tool_call", "server_tool_call"],
        id: &["id"],
        name: &["name"],
        arguments: &["args"],
        // Set if the arguments of a call could not be parsed.
        result: &["error"],
        ..CallNames::NONE
    },
    result: ResultNames {
        types: &["server_tool_result"],
        call_of_message: &["tool_call_id"],
        call: &["tool_call_id"],
        content: &["output"],
        ..ResultNames::NONE
    },
    parts: PartNames {
        types: &[
            ("text", PartKind::Text),
            ("text-plain", PartKind::Text),
            ("reasoning", PartKind::Reasoning),
            ("image", PartKind::Image),
            ("audio", PartKind::File),
            ("video", PartKind::File),
            ("file", PartKind::File),
            ("media", PartKind::File),
        ],
        text: &["text"],
        file_name: &["file_name", "title"],
        file: &["data", "url", "file_id", "file_name", "title"],
        // `tool_calls` repeats the arguments of a streamed call.
        unsent: &["annotations", "metadata", "partial_json"],
        ..PartNames::NONE
    },
    usage: UsageNames {
        bill: &["usage_metadata", "token_usage"],
        iterations: &["response_metadata.usage.iterations"],
        model: &["response_metadata.model_name", "response_metadata.model"],
        input: &["input_tokens"],
        read: &["input_token_details.cache_read"],
        written: &["input_token_details.cache_creation"],
        written_5m: &["input_token_details.ephemeral_5m_input_tokens"],
        written_1h: &["input_token_details.ephemeral_1h_input_tokens"],
        output: &["output_tokens"],
        reasoning: &["output_token_details.reasoning"],
        ..UsageNames::NONE
    },
    ..Names::NONE
};
