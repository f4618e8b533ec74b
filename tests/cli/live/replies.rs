//! Any reply of an endpoint ends in an answer that can be recorded, or in an error.

#[path = "../../../fuzz/endpoint.rs"]
mod endpoint;

use proptest::prelude::*;
use serde_json::json;

use crate::robustness::corpus;

#[test]
fn replies_that_fuzzing_found_end() {
    corpus("endpoint").for_each(|bytes| endpoint::reply(&bytes));
}

proptest! {
    #[test]
    fn any_answer_can_be_recorded(answer in "(\\PC|[\u{0}-\u{20}\u{7f}-\u{a0}\u{2028}\u{feff}\u{ffff}]){0,20}") {
        endpoint::reply(json!({"choices": [{"message": {"content": answer}}]}).to_string().as_bytes());
        endpoint::reply(json!({"content": [{"text": answer}]}).to_string().as_bytes());
    }
}
