//! Field names of OpenAI.

use crate::names::{CallNames, Names, PartKind, PartNames, ResultNames, UsageNames};

/// Field names of chat completions, including those of compatible servers and clients.
pub(crate) static CHAT: Names = Names {
    roles: &[
        ("system", "system"),
        ("user", "user"),
        ("assistant", "assistant"),
        ("tool", "tool"),
        ("function", "function"),
    ],
    content: &["content"],
    // OpenAI hides reasoning. These are from DeepSeek, vLLM and OpenRouter.
    reasoning: &["reasoning", "reasoning_content", "reasoning_details"],
    call_lists: &["tool_calls"],
    single_call: &["function_call"],
    // `weight` is from fine-tuning files.
    beside: &["name", "refusal", "audio", "annotations", "finish_reason", "weight"],
    call: CallNames {
        types: &["tool_call", "function_call"],
        fields: &["function_call"],
        inside: &["function", "custom"],
        id: &["call_id", "id"],
        // Servers of early models use `function` for the name.
        name: &["name", "function"],
        arguments: &["arguments", "input"],
        ..CallNames::NONE
    },
    result: ResultNames {
        call_of_message: &["tool_call_id"],
        call: &["tool_call_id"],
        content: &["content"],
        ..ResultNames::NONE
    },
    parts: PartNames {
        types: &[
            ("text", PartKind::Text),
            ("refusal", PartKind::Text),
            // Mistral and DeepSeek.
            ("thinking", PartKind::Reasoning),
            ("reasoning", PartKind::Reasoning),
            ("reasoning_content", PartKind::Reasoning),
            ("image_url", PartKind::Image),
            ("input_audio", PartKind::File),
            ("file", PartKind::File),
        ],
        text: &["text", "refusal"],
        file_name: &["filename", "file_id", "file.filename", "file.file_id"],
        file: &["image_url", "input_audio", "file", "filename", "file_id", "file_data"],
        unsent: &["annotations", "logprobs", "parsed_arguments"],
        ..PartNames::NONE
    },
    usage: UsageNames {
        bill: &["usage"],
        model: &["model"],
        input: &["prompt_tokens"],
        // `prompt_cache_hit_tokens` is DeepSeek's.
        read: &["prompt_tokens_details.cached_tokens", "cached_tokens", "prompt_cache_hit_tokens"],
        // OpenRouter, and models of OpenAI that charge for cache writes.
        written: &["prompt_tokens_details.cache_write_tokens", "cache_write_tokens"],
        output: &["completion_tokens"],
        reasoning: &["completion_tokens_details.reasoning_tokens", "reasoning_tokens"],
        total: &["total_tokens"],
        // OpenRouter.
        cost: &["cost"],
        ..UsageNames::NONE
    },
    ..Names::NONE
};

/// Field names of OpenAI's Responses API.
pub(crate) static RESPONSES: Names = Names {
    // Codex copies its own metadata to messages.
    // The Agents SDK adds the model and the response id.
    beside: &["status", "phase", "metadata", "internal_chat_message_metadata_passthrough", "provider_data"],
    call: CallNames {
        id: &["call_id", "id"],
        name: &["name"],
        arguments: &["arguments", "input"],
        ..CallNames::NONE
    },
    parts: PartNames {
        types: &[
            ("input_text", PartKind::Text),
            ("output_text", PartKind::Text),
            ("summary_text", PartKind::Text),
            ("input_image", PartKind::Image),
            ("computer_screenshot", PartKind::Image),
            ("input_file", PartKind::File),
            ("encrypted_content", PartKind::Encrypted),
        ],
        text: &["text", "refusal"],
        file_name: &["filename", "file_id"],
        file: &["image_url", "filename", "file_id", "file_data"],
        unsent: &["annotations", "logprobs", "metadata"],
        ..PartNames::NONE
    },
    usage: UsageNames {
        bill: &["usage"],
        model: &["model"],
        input: &["input_tokens"],
        read: &["input_tokens_details.cached_tokens"],
        written: &["input_tokens_details.cache_write_tokens"],
        output: &["output_tokens"],
        reasoning: &["output_tokens_details.reasoning_tokens"],
        ..UsageNames::NONE
    },
    ..Names::NONE
};
