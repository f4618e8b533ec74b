//! The size of requests.

use super::requests::Requests;
use crate::messages::Table;
use ptc_tokens::REQUEST_OVERHEAD;

/// Tokens of each request, with those of the declared tools and what the chat format adds.
pub fn input_tokens(table: &Table, requests: &Requests, tools_tokens: u32) -> Vec<u32> {
    // The sum before each message of the newest request, and that of all.
    let mut sums = vec![tools_tokens];
    let sum = |request: &super::SentRequest| {
        sums.truncate(request.kept + 1);
        let mut sum = sums.last().copied().unwrap_or(tools_tokens);
        for id in &request.added {
            sum = sum.saturating_add(table.row(*id).tokens());
            sums.push(sum);
        }
        sum.saturating_add(REQUEST_OVERHEAD)
    };
    requests.iter().map(sum).collect()
}
