//! The `data.json` of genai-prices: a list of providers with their models. Prices may have a first day.

use super::catalogue::{Entry, EntryRates, number, provider, tokens};
use super::{get, text};
use crate::scenario::document::{Document, Step, Trail, below, trail};
use crate::scenario::node::Node;
use crate::scenario::problem::Problem;

/// Returns true for a list of providers with a list of models.
pub fn is_it(node: &Node) -> bool {
    let Node::List(providers) = node else { return false };
    providers.iter().any(|provider| matches!(get(provider, "models"), Some(Node::List(_))))
}

/// The prices of all models, each with its first day. Prices that hold at some hours of the day are left out.
pub fn entries<'n>(document: &Document<'_>, node: &'n Node) -> Result<Vec<Entry<'n>>, Problem> {
    let Node::List(providers) = node else { return Ok(Vec::new()) };
    let mut entries = Vec::new();
    for (number, entry) in providers.iter().enumerate() {
        let provider = provider(entry, "id");
        let Some(Node::List(models)) = get(entry, "models") else { continue };
        for (index, model) in models.iter().enumerate() {
            let trail = trail![number, "models", index, "prices"].to_vec();
            let Some(name) = text(model, "id") else { continue };
            for (trail, from, prices) in dated(&trail, model) {
                let Some((rates, above)) = read(document, prices, &trail)? else { continue };
                let catalogue = "genai-prices";
                entries.push(Entry {
                    trail,
                    catalogue,
                    provider,
                    model: name,
                    from,
                    rates,
                    above,
                    minimum: None,
                });
            }
        }
    }
    Ok(entries)
}

/// The prices of a model, each with its place and its first day.
fn dated<'n>(trail: &Trail, model: &'n Node) -> Vec<(Trail, Option<String>, &'n Node)> {
    match get(model, "prices") {
        Some(Node::List(rows)) => {
            let rows = rows.iter().enumerate().filter_map(|(index, row)| {
                let constraint = get(row, "constraint");
                let start = constraint.and_then(|constraint| text(constraint, "start_date"));
                let is_of_hours =
                    constraint.is_some_and(|constraint| get(constraint, "start_time").is_some());
                let place = below(trail, [Step::from(index), Step::from("prices")]);
                (!is_of_hours).then_some((place, start.map(str::to_owned), get(row, "prices")?))
            });
            rows.collect()
        }
        Some(prices) => vec![(trail.clone(), None, prices)],
        None => Vec::new(),
    }
}

type Rates = (EntryRates, Option<(u32, EntryRates)>);

fn read(document: &Document<'_>, prices: &Node, trail: &Trail) -> Result<Option<Rates>, Problem> {
    // A number, or a base and prices of large requests.
    let base = |key: &str| match get(prices, key) {
        Some(tiered @ Node::Map(_)) => number(document, tiered, &below(trail, [Step::from(key)]), "base"),
        _ => number(document, prices, trail, key),
    };
    let (Some(input), Some(output)) = (base("input_mtok")?, base("output_mtok")?) else { return Ok(None) };
    let rates =
        EntryRates { input, read: base("cache_read_mtok")?, write: base("cache_write_mtok")?, output };
    let Some(start) = tier(document, prices, trail, "input_mtok", "start")? else {
        return Ok(Some((rates, None)));
    };
    let large = |key: &str| tier(document, prices, trail, key, "price");
    let large = EntryRates {
        input: large("input_mtok")?.unwrap_or(input),
        read: large("cache_read_mtok")?.or(rates.read),
        write: large("cache_write_mtok")?.or(rates.write),
        output: large("output_mtok")?.unwrap_or(output),
    };
    Ok(Some((rates, Some((tokens(start), large)))))
}

/// A number of the first tier of a price, if it has tiers.
fn tier(
    document: &Document<'_>,
    prices: &Node,
    trail: &Trail,
    key: &str,
    wanted: &str,
) -> Result<Option<f64>, Problem> {
    match get(prices, key).and_then(|tiered| get(tiered, "tiers")) {
        Some(Node::List(tiers)) => match tiers.first() {
            Some(first) => {
                let steps = [Step::from(key), Step::from("tiers"), Step::from(0)];
                number(document, first, &below(trail, steps), wanted)
            }
            None => Ok(None),
        },
        _ => Ok(None),
    }
}
