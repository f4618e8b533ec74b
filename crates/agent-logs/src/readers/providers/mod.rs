//! Field names used by providers and libraries, one file each. Shared by the readers of chats.

pub(super) mod ai_sdk;
pub(super) mod anthropic;
pub(super) mod bedrock;
pub(super) mod gemini;
pub(super) mod langchain;
pub(super) mod llama_index;
pub(super) mod openai;
pub(super) mod otel;
