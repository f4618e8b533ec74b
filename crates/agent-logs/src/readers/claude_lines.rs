//! Types and fields of the lines of Claude Code.

use crate::unread::Fields;

/// Fields of lines that are either read here or never part of a request.
pub(super) const FIELDS: Fields = Fields {
    below: &[],
    known: &[
        "attachment",
        "cwd",
        "error",
        "errorDetails",
        "forkedFrom",
        "gitBranch",
        "mcpMeta",
        "message",
        "origin",
        "planContent",
        "rendered",
        "slug",
        "thinkingMetadata",
        "timestamp",
        "todos",
        "toolUseResult",
        "tool_use_result",
    ],
};

/// Types of lines with no content sent to the model.
pub(super) const BOOKKEEPING: &[&str] = &[
    "summary",
    "system",
    "progress",
    "file-history-snapshot",
    "queue-operation",
    "custom-title",
    "ai-title",
    "agent-name",
    "last-prompt",
    "mode",
    "permission-mode",
    "tag",
    "pr-link",
    "result",
    "rate_limit_event",
    "worktree-state",
    "bridge-session",
    // The types below come from the published package of the Agent SDK (0.3.332).
    "active_goal",
    "agent_metadata",
    "agent-color",
    "agent-setting",
    "atis-latch",
    "attribution-snapshot",
    "auth_status",
    "content-replacement",
    "control_cancel_request",
    "control_request",
    "control_response",
    "data-flow-incomplete",
    "data-flow-records",
    "derived-from",
    "history-suppression",
    "hybrid-organization",
    "keep_alive",
    "prompt_suggestion",
    "relocated",
    "session-owner",
    "session_metadata",
    "stream_event",
    "tool_progress",
    "tool_use_summary",
    "tools-used",
    "transcript_mirror",
];

/// Types of lines that repeat requests and bills of other lines (2.1.332).
pub(super) const REPEATING: &[&str] = &["api-request", "api-request-blob", "api-request-shape", "cost-state"];

/// Lines of a collapsed context. The published package (2.1.90) appends and reads them, but contains neither the code that writes
/// them nor their field names.
pub(super) const COLLAPSES: [&str; 2] = ["marble-origami-commit", "marble-origami-snapshot"];
