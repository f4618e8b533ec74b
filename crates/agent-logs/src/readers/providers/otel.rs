//! Field names of OpenTelemetry messages.

use crate::names::{CallNames, Names, PartKind, PartNames, ResultNames};

/// Field names of the GenAI conventions.
pub(crate) static NAMES: Names = Names {
    content: &["content", "parts"],
    call: CallNames {
        types: &["tool_call", "server_tool_call"],
        id: &["id"],
        name: &["name"],
        arguments: &["arguments", "server_tool_call"],
        ..CallNames::NONE
    },
    result: ResultNames {
        types: &["tool_call_response"],
        call: &["id"],
        content: &["response", "result", "server_tool_call_response"],
        ..ResultNames::NONE
    },
    parts: PartNames {
        types: &[
            ("text", PartKind::Text),
            ("reasoning", PartKind::Reasoning),
            ("blob", PartKind::File),
            ("file", PartKind::File),
            ("uri", PartKind::File),
        ],
        text: &["text", "content"],
        file_name: &["uri", "file_id"],
        file: &["data", "uri", "file_id"],
        ..PartNames::NONE
    },
    ..Names::NONE
};
