//! Field names of Anthropic.

use crate::names::{CallNames, Names, PartKind, PartNames, ResultNames, UsageNames};

/// Field names of Anthropic's Messages API.
pub(crate) static NAMES: Names = Names {
    roles: &[("user", "user"), ("assistant", "assistant"), ("system", "system")],
    content: &["content"],
    beside: &[
        "model",
        "stop_reason",
        "stop_sequence",
        "stop_details",
        "container",
        "context_management",
        "cache_control",
        "diagnostics",
    ],
    edits: &["context_management.applied_edits"],
    call: CallNames {
        types: &["tool_use", "server_tool_use", "mcp_tool_use"],
        id: &["id"],
        name: &["name"],
        arguments: &["input"],
        ..CallNames::NONE
    },
    result: ResultNames {
        // Each tool run by Anthropic has its own type, such as `web_search_tool_result`.
        types: &["tool_result"],
        call: &["tool_use_id"],
        content: &["content"],
        ..ResultNames::NONE
    },
    parts: PartNames {
        types: &[
            ("text", PartKind::Text),
            ("thinking", PartKind::Reasoning),
            ("redacted_thinking", PartKind::Reasoning),
            ("image", PartKind::Image),
            ("document", PartKind::Document),
            ("search_result", PartKind::SearchResult),
            ("compaction", PartKind::Compaction),
        ],
        text: &["text"],
        file_name: &["title"],
        file: &["source", "title"],
        unsent: &["citations"],
        ..PartNames::NONE
    },
    usage: UsageNames {
        bill: &["usage"],
        iterations: &["usage.iterations"],
        model: &["model"],
        input: &["input_tokens"],
        read_beside: &["cache_read_input_tokens"],
        written_beside: &["cache_creation_input_tokens"],
        written_1h: &["cache_creation.ephemeral_1h_input_tokens"],
        output: &["output_tokens"],
        tier: &["speed", "service_tier"],
        geography: &["inference_geo"],
        web_searches: &["server_tool_use.web_search_requests"],
        ..UsageNames::NONE
    },
    ..Names::NONE
};
