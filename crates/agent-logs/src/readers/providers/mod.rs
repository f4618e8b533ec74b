//! Names that providers and libraries give to what messages have in common: a file each. Readers of chats share them.

pub(super) mod ai_sdk;
pub(super) mod anthropic;
pub(super) mod bedrock;
pub(super) mod gemini;
pub(super) mod langchain;
pub(super) mod llama_index;
pub(super) mod openai;
pub(super) mod otel;
