//! What a bill says about the prices of its call: the tier, the region, and how long the cache keeps what was written.

use crate::json::{Json, Object};

/// Tokens written to Bedrock's cache with a lifetime of one hour. Bedrock lists writes by lifetime.
pub(super) fn written_for_hour(bill: &Object) -> Option<u64> {
    let details = bill.list("cacheDetails")?.into_iter().filter_map(Json::object);
    let for_hour = details.filter(|detail| detail.text("ttl").is_some_and(|ttl| ttl == "1h"));
    for_hour.filter_map(|detail| detail.number("inputTokens")).reduce(u64::saturating_add)
}

/// Tiers without a surcharge. `auto` lets the provider choose, and its answer doesn't name the choice.
const STANDARD: [&str; 5] = ["", "auto", "default", "on_demand", "standard"];

/// The service tier at a path of a bill or a response, lowercase. `None` if it is a standard one.
pub(super) fn tier(object: &Object, path: &str) -> Option<String> {
    let tier = object.at(path).and_then(Json::text)?.to_lowercase();
    (!STANDARD.contains(&tier.as_str())).then_some(tier)
}

/// The region the model ran in. `None` if unknown or global.
pub(super) fn geography(bill: &Object, path: &str) -> Option<String> {
    let place = bill.at(path).and_then(Json::text)?.to_lowercase();
    (!["", "global", "not_available"].contains(&place.as_str())).then_some(place)
}
