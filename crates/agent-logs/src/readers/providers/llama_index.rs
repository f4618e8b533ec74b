//! Field names of LlamaIndex.

use crate::names::{CallNames, Names, PartKind, PartNames, ResultNames};

/// Field names of LlamaIndex. Messages are lists of blocks.
pub(crate) static NAMES: Names = Names {
    content: &["blocks"],
    call: CallNames {
        id: &["tool_call_id"],
        name: &["tool_name"],
        arguments: &["tool_kwargs"],
        ..CallNames::NONE
    },
    result: ResultNames { call_of_message: &["additional_kwargs.tool_call_id"], ..ResultNames::NONE },
    parts: PartNames {
        types: &[("image", PartKind::Image), ("audio", PartKind::File), ("video", PartKind::File)],
        kind: &["block_type"],
        file: &["image", "audio", "video", "data", "path", "url"],
        ..PartNames::NONE
    },
    ..Names::NONE
};
