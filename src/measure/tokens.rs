//! The size of requests.

use super::requests::Requests;
use crate::messages::Table;
use ptc_tokens::REQUEST_OVERHEAD;

/// Tokens of one request.
pub struct RequestTokens {
    /// Of the messages that the request before begins with too, and of the declared tools before them.
    pub kept: u32,
    /// Of the whole request, with what the chat format adds.
    pub input: u32,
}

/// Tokens of each request. The declared tools stand before all messages.
pub fn request_tokens(table: &Table, requests: &Requests, tools_tokens: u32) -> Vec<RequestTokens> {
    requests.fold(
        tools_tokens,
        |sum, id| sum.saturating_add(table.row(id).tokens()),
        |_, kept, all| RequestTokens { kept: *kept, input: all.saturating_add(REQUEST_OVERHEAD) },
    )
}
