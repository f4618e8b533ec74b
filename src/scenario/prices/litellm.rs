//! LiteLLM's `model_prices_and_context_window.json`: dollars per token, by model.

use super::catalogue::{Entry, EntryRates, number, provider, tokens};
use super::{get, text_at};
use crate::scenario::document::{Document, Step, Target, Trail, below, trail};
use crate::scenario::node::Node;
use crate::scenario::problem::Problem;

/// Suffixes of price fields for large requests, each with its threshold in input tokens.
const BANDS: [(&str, u32); 5] = [
    ("_above_100k_tokens", 100_000),
    ("_above_128k_tokens", 128_000),
    ("_above_200k_tokens", 200_000),
    ("_above_256k_tokens", 256_000),
    ("_above_272k_tokens", 272_000),
];

/// Returns true for a map with a `litellm_provider` in any entry.
pub fn is_it(node: &Node) -> bool {
    let Node::Map(entries) = node else { return false };
    entries.values().any(|entry| get(entry, "litellm_provider").is_some())
}

/// The entries with text prices. Entries for images, speech and the like have other units.
pub fn entries<'n>(document: &Document<'_>, node: &'n Node) -> Result<Vec<Entry<'n>>, Problem> {
    let Node::Map(all) = node else { return Ok(Vec::new()) };
    let mut entries = Vec::new();
    for (name, entry) in all {
        let is_chat = matches!(text_at(entry, "mode"), Some("chat" | "responses") | None);
        if name != "sample_spec" && is_chat {
            entries.extend(read_entry(document, name, entry)?);
        }
    }
    Ok(entries)
}

/// The entry of a model. `None` if it has no text prices.
fn read_entry<'n>(
    document: &Document<'_>,
    name: &'n str,
    entry: &'n Node,
) -> Result<Option<Entry<'n>>, Problem> {
    let trail = trail![name].to_vec();
    let rates_of_entry = read_rates(document, entry, &trail, "")?;
    let Some(rates) = rates_of_entry.or(read_tier(document, entry, &trail, 0)?) else { return Ok(None) };
    let above = match read_band(document, entry, &trail)? {
        Some(above) => Some(above),
        None => second_tier(document, entry, &trail)?,
    };
    let minimum = number(document, entry, &trail, "prompt_cache_min_tokens")?.map(tokens);
    let provider = provider(entry, "litellm_provider");
    // Strips the provider from `deepseek/deepseek-chat`, but keeps `claude-opus-4-5` of anthropic.
    let model = name.strip_prefix(provider).and_then(|rest| rest.strip_prefix('/')).unwrap_or(name);
    Ok(Some(Entry { trail, provider, model, rates, above, minimum }))
}

/// The lowest threshold of fields with a suffix, and the prices above it.
fn read_band(
    document: &Document<'_>,
    entry: &Node,
    trail: &Trail,
) -> Result<Option<(u32, EntryRates)>, Problem> {
    for (suffix, most) in BANDS {
        if let Some(band) = read_rates(document, entry, trail, suffix)? {
            return Ok(Some((most, band)));
        }
    }
    Ok(None)
}

/// The prices of the second tier, and its lower bound in tokens.
fn second_tier(
    document: &Document<'_>,
    entry: &Node,
    trail: &Trail,
) -> Result<Option<(u32, EntryRates)>, Problem> {
    let Some(rates) = read_tier(document, entry, trail, 1)? else { return Ok(None) };
    let range = list_tiers(entry).get(1).and_then(|tier| get(tier, "range"));
    let least = match range {
        Some(Node::List(range)) => range.first(),
        _ => None,
    };
    let least = match least {
        Some(Node::Int(least)) => *least as f64,
        Some(Node::Float(least)) => *least,
        _ => {
            let place = below(trail, [Step::from("tiered_pricing"), Step::from(1)]);
            let help = "range is a list of the least and the most input tokens";
            return Err(document.problem(&place, Target::Value, "expected prices with a range", help));
        }
    };
    Ok(Some((tokens(least), rates)))
}

/// The prices of the tier at this index, if there is one.
fn read_tier(
    document: &Document<'_>,
    entry: &Node,
    trail: &Trail,
    index: usize,
) -> Result<Option<EntryRates>, Problem> {
    let Some(tier) = list_tiers(entry).get(index) else { return Ok(None) };
    let place = below(trail, [Step::from("tiered_pricing"), Step::from(index)]);
    read_rates(document, tier, &place, "")
}

fn list_tiers(entry: &Node) -> &[Node] {
    match get(entry, "tiered_pricing") {
        Some(Node::List(tiers)) => tiers,
        _ => &[],
    }
}

/// The prices in the fields with this suffix, if there are any.
fn read_rates(
    document: &Document<'_>,
    entry: &Node,
    trail: &Trail,
    suffix: &str,
) -> Result<Option<EntryRates>, Problem> {
    const KEYS: [&str; 4] = [
        "input_cost_per_token",
        "output_cost_per_token",
        "cache_read_input_token_cost",
        "cache_creation_input_token_cost",
    ];
    let mut prices = [None; KEYS.len()];
    for (at, (price, key)) in prices.iter_mut().zip(KEYS).enumerate() {
        // The multiplication adds spurious digits.
        *price = number(document, entry, trail, &format!("{key}{suffix}"))?
            .map(|price| (price * 1e15).round() / 1e9);
        // Without a price for input or output, the other fields have no use.
        if at < 2 && price.is_none() {
            return Ok(None);
        }
    }
    let [Some(input), Some(output), read, write] = prices else { return Ok(None) };
    // Zero means no surcharge here, not free writes.
    let write = write.filter(|price| *price > 0.0);
    Ok(Some(EntryRates { input, read, write, output }))
}
