//! Field names used by providers and libraries, one file each. Shared by the readers of chats.

pub(super) mod ai_sdk;
pub(super) mod anthropic;
pub(super) mod bedrock;
pub(super) mod gemini;
pub(super) mod langchain;
pub(super) mod llama_index;
pub(super) mod openai;
pub(super) mod otel;

use crate::names::{Dialect, Names, UsageNames};

/// Field names of all providers: a gateway logs requests to several, and clients of one pass on messages of another.
pub(super) static CHATS: Dialect = Dialect(&[
    &openai::CHAT,
    &anthropic::NAMES,
    &gemini::NAMES,
    &bedrock::NAMES,
    &langchain::NAMES,
    &ai_sdk::NAMES,
    &llama_index::NAMES,
    &openai::RESPONSES,
    &otel::NAMES,
    &NAMES,
]);

/// Field names added by programs that log chats.
static NAMES: Names = Names {
    // From chat data sets.
    roles: &[("bot", "assistant"), ("agent", "assistant")],
    beside: &[
        "conversation_id",
        "conversationId",
        "session_id",
        "sessionId",
        "thread_id",
        "threadId",
        "timestamp",
        "ts",
        "created_at",
        "createdAt",
        "metadata",
        // tau-bench and tau2-bench.
        "turn_idx",
        "requestor",
        "raw_data",
        "cost",
        // smolagents.
        "raw",
        "is_error",
    ],
    usage: UsageNames { cost: &["total_cost", "cost_usd"], ..UsageNames::NONE },
    ..Names::NONE
};
