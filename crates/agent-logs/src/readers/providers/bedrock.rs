//! Field names of Bedrock.

use crate::names::{CallNames, Names, PartKind, PartNames, ResultNames, UsageNames};

/// Field names of the Converse API. A part has a field named after its type, instead of a type.
pub(crate) static NAMES: Names = Names {
    roles: &[("user", "user"), ("assistant", "assistant")],
    content: &["content"],
    call: CallNames {
        fields: &["toolUse"],
        id: &["toolUseId"],
        name: &["name"],
        arguments: &["input"],
        ..CallNames::NONE
    },
    result: ResultNames {
        fields: &["toolResult"],
        call: &["toolUseId"],
        content: &["content"],
        ..ResultNames::NONE
    },
    parts: PartNames {
        fields: &[
            ("image", PartKind::Image),
            ("document", PartKind::Document),
            ("video", PartKind::File),
            ("cachePoint", PartKind::Unsent),
            ("reasoningContent", PartKind::Reasoning),
        ],
        text: &["text"],
        file_name: &["name"],
        file: &["image", "document", "video", "source", "name"],
        unsent: &["citations"],
        ..PartNames::NONE
    },
    usage: UsageNames {
        bill: &["usage"],
        model: &["model"],
        input: &["inputTokens"],
        read_beside: &["cacheReadInputTokens"],
        written_beside: &["cacheWriteInputTokens"],
        output: &["outputTokens"],
        ..UsageNames::NONE
    },
    ..Names::NONE
};
