//! Field names of Vercel's AI SDK.

use crate::names::{CallNames, Names, PartKind, PartNames, ResultNames, UsageNames};

/// Field names of versions 3 to 6.
pub(crate) static NAMES: Names = Names {
    roles: &[("system", "system"), ("user", "user"), ("assistant", "assistant"), ("tool", "tool")],
    content: &["content", "parts"],
    beside: &["createdAt", "metadata", "annotations"],
    edits: &["providerMetadata.anthropic.contextManagement.appliedEdits"],
    call: CallNames {
        types: &["tool-call"],
        fields: &["toolInvocation"],
        id: &["toolCallId"],
        name: &["toolName"],
        arguments: &["input", "args"],
        // UI parts keep a call with its result.
        result: &["result", "output", "errorText"],
        ..CallNames::NONE
    },
    result: ResultNames {
        types: &["tool-result"],
        call: &["toolCallId"],
        content: &["errorText", "result", "output"],
        ..ResultNames::NONE
    },
    parts: PartNames {
        types: &[
            ("text", PartKind::Text),
            ("reasoning", PartKind::Reasoning),
            ("image", PartKind::Image),
            ("image-url", PartKind::Image),
            ("image-data", PartKind::Image),
            ("image-file-id", PartKind::Image),
            ("file", PartKind::File),
            ("file-url", PartKind::File),
            ("file-data", PartKind::File),
            ("file-id", PartKind::File),
            ("source", PartKind::Unsent),
            ("source-url", PartKind::Unsent),
            ("source-document", PartKind::Unsent),
        ],
        text: &["text"],
        file_name: &["filename"],
        file: &["image", "data", "url", "filename"],
        unsent: &["providerMetadata", "providerOptions", "callProviderMetadata", "rawInput"],
        ..PartNames::NONE
    },
    usage: UsageNames {
        bill: &["usage"],
        iterations: &["providerMetadata.anthropic.iterations"],
        model: &["model", "model.modelId", "response.modelId"],
        // The details are in `inputTokenDetails` since version 6, and in `inputTokens` in output of provider packages.
        input: &["inputTokens", "inputTokens.total"],
        read: &["inputTokenDetails.cacheReadTokens", "inputTokens.cacheRead", "cachedInputTokens"],
        written: &["inputTokenDetails.cacheWriteTokens", "inputTokens.cacheWrite"],
        output: &["outputTokens", "outputTokens.total"],
        reasoning: &["outputTokenDetails.reasoningTokens", "outputTokens.reasoning", "reasoningTokens"],
        total: &["totalTokens"],
        ..UsageNames::NONE
    },
    ..Names::NONE
};
