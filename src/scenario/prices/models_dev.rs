//! The `api.json` of models.dev: dollars per million tokens, by provider and model.

use super::catalogue::{Entry, EntryRates, number, tokens};
use super::get;
use crate::scenario::document::{Document, Step, Trail, below, trail};
use crate::scenario::node::Node;
use crate::scenario::problem::Problem;

/// The most tokens of a request at the usual prices, if the other prices are under `context_over_200k`.
const LARGE: u32 = 200_000;

/// Returns true for a map whose entries have `models` by name.
pub fn is_it(node: &Node) -> bool {
    let Node::Map(providers) = node else { return false };
    providers.values().any(|provider| matches!(get(provider, "models"), Some(Node::Map(_))))
}

/// The models that have prices.
pub fn entries<'n>(document: &Document<'_>, node: &'n Node) -> Result<Vec<Entry<'n>>, Problem> {
    let Node::Map(providers) = node else { return Ok(Vec::new()) };
    let mut entries = Vec::new();
    for (provider, entry) in providers {
        let Some(Node::Map(models)) = get(entry, "models") else { continue };
        for (model, entry) in models {
            let trail = trail![provider.as_str(), "models", model.as_str(), "cost"].to_vec();
            let Some(cost) = get(entry, "cost") else { continue };
            let Some(rates) = rates(document, cost, &trail)? else { continue };
            let above = above(document, cost, &trail)?;
            let catalogue = "models.dev";
            entries.push(Entry {
                trail,
                catalogue,
                provider,
                model,
                from: None,
                rates,
                above,
                minimum: None,
            });
        }
    }
    Ok(entries)
}

fn above(document: &Document<'_>, cost: &Node, trail: &Trail) -> Result<Option<(u32, EntryRates)>, Problem> {
    if let Some(Node::List(tiers)) = get(cost, "tiers")
        && let Some(first) = tiers.first()
    {
        let place = below(trail, [Step::from("tiers"), Step::from(0)]);
        let size = match get(first, "tier") {
            Some(tier) => number(document, tier, &below(&place, [Step::from("tier")]), "size")?,
            None => None,
        };
        return Ok(size.map(tokens).zip(rates(document, first, &place)?));
    }
    let Some(large) = get(cost, "context_over_200k") else { return Ok(None) };
    let place = below(trail, [Step::from("context_over_200k")]);
    Ok(rates(document, large, &place)?.map(|rates| (LARGE, rates)))
}

fn rates(document: &Document<'_>, cost: &Node, trail: &Trail) -> Result<Option<EntryRates>, Problem> {
    let price = |key: &str| number(document, cost, trail, key);
    let (Some(input), Some(output)) = (price("input")?, price("output")?) else { return Ok(None) };
    // Nothing here means no surcharge, not that writing is free.
    let write = price("cache_write")?.filter(|price| *price > 0.0);
    Ok(Some(EntryRates { input, read: price("cache_read")?, write, output }))
}
