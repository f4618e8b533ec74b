//! Rows of the price table built from LiteLLM's catalogue. The catalogue lacks caching rules, so they come from the built-in row of the
//! model, or else from its provider.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::{get, litellm, text_at};
use crate::scenario::document::{Document, Step, Target, Trail, below};
use crate::scenario::node::Node;
use crate::scenario::problem::Problem;
use ptc_prices::{
    BreakpointRule, CacheRule, NewestRule, PrefixRule, Price, PriceTable, Tier, TimeSpan, date_of_day,
};

/// A row, and its position in the catalogue.
pub struct CatalogueRow {
    pub price: Price,
    pub trail: Trail,
}

/// An entry of a catalogue, in dollars per million tokens.
pub struct Entry<'e> {
    pub trail: Trail,
    pub provider: &'e str,
    /// The name without the provider.
    pub model: &'e str,
    pub rates: EntryRates,
    /// Threshold in input tokens, and the prices of requests above it.
    pub above: Option<(u32, EntryRates)>,
    /// The minimum number of cacheable tokens, if the catalogue has it.
    pub minimum: Option<u32>,
}

/// Prices of an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EntryRates {
    pub input: f64,
    pub read: Option<f64>,
    /// The price of cache writes. `None` if it equals the input price.
    pub write: Option<f64>,
    pub output: f64,
}

/// Providers of their own models. All other providers host models of these, so their models are named `PROVIDER/MODEL`.
const OWN: [&str; 16] = [
    "anthropic",
    "openai",
    "google",
    "gemini",
    "deepseek",
    "xai",
    "x-ai",
    "mistral",
    "moonshot",
    "moonshotai",
    "zai",
    "z-ai",
    "dashscope",
    "alibaba",
    "qwen",
    "cohere",
];

/// The rows of a catalogue. `None` if the file is not a catalogue.
///
/// # Errors
/// The first invalid entry.
pub fn read_rows(
    table: &PriceTable,
    document: &Document<'_>,
    node: &Node,
) -> Result<Option<Vec<CatalogueRow>>, Problem> {
    if !litellm::is_it(node) {
        return Ok(None);
    }
    let entries = litellm::entries(document, node)?;
    // A model may have several spellings, such as `gemini/NAME` and `vertex_ai/NAME`. The first one counts.
    let mut known = FxHashSet::default();
    let mut rows = Vec::with_capacity(entries.len());
    for entry in &entries {
        let row = entry.to_row(table);
        if known.insert(row.price.model.clone()) {
            rows.push(row);
        }
    }
    Ok(Some(rows))
}

impl Entry<'_> {
    fn to_row(&self, table: &PriceTable) -> CatalogueRow {
        let is_own = OWN.contains(&self.provider);
        // Only for these providers: a lookup by spelling compares a name with all others, too slow for thousands of names.
        let built_in = if is_own { table.find(self.model, table.day()).ok() } else { None };
        let (cache, known) = match (&built_in, self.rates.read) {
            (_, None) => (CacheRule::default(), "nothing is cached, since there is no price for it"),
            (Some(row), Some(_)) => (row.cache.clone(), "caching rule of the built-in row"),
            (None, Some(_)) => self.caching_rule(),
        };
        let EntryRates { input, read, write, output } = self.rates;
        let price = Price {
            model: if is_own { self.model.to_owned() } else { format!("{}/{}", self.provider, self.model) },
            aliases: Vec::new(),
            from: None,
            until: None,
            // The catalogue has no dates.
            date: date_of_day(table.day()),
            source: "LiteLLM".to_owned(),
            confidence: Some(format!("price of LiteLLM; {known}")),
            ttl: self.ttl(),
            long: None,
            window: None,
            tiers: BTreeMap::new(),
            geographies: BTreeMap::new(),
            web_search: None,
            server_tools: BTreeMap::new(),
            peak: None,
            tokenizer: None,
            input,
            read: read.unwrap_or(input),
            // In prefix caches a write costs as much as input.
            write: write.filter(|_| cache.prefix.is_none()),
            output,
            above: self.above.map(|(tokens, rates)| Tier {
                tokens,
                input: rates.input,
                read: rates.read.unwrap_or(rates.input),
                output: rates.output,
            }),
            cache,
        };
        // The catalogue lacks these, or has them in other shapes.
        let price = match built_in {
            Some(row) => Price {
                ttl: row.ttl,
                long: row.long,
                window: row.window,
                tiers: row.tiers,
                geographies: row.geographies,
                web_search: row.web_search,
                server_tools: row.server_tools,
                peak: row.peak,
                tokenizer: row.tokenizer,
                ..price
            },
            None => price,
        };
        CatalogueRow { price, trail: self.trail.clone() }
    }

    /// The cache lifetime documented by the provider.
    fn ttl(&self) -> Option<TimeSpan> {
        // Anthropic documents five minutes for all its models. Other lifetimes differ between models or are undocumented.
        if self.model.contains("claude") { TimeSpan::of_seconds(300) } else { None }
    }

    /// The caching rule of the provider, and its origin.
    fn caching_rule(&self) -> (CacheRule, &'static str) {
        // The numbers are copied from the provider's rows in `prices.jsonl`; the sources are there.
        let rule = match self.provider {
            _ if self.model.contains("claude") => CacheRule {
                breakpoints: Some(BreakpointRule { marks: 4, look_back: Some(20), minimum: self.minimum }),
                ..CacheRule::default()
            },
            // OpenAI charges for cache writes since GPT-5.6. Those models cache whole requests and breakpoints.
            "openai" if self.rates.write.is_some() => newest_rule(3, Some(1_024)),
            "openai" => prefix_rule(Some(1_024), Some(128)),
            "deepseek" => newest_rule(0, None),
            "xai" | "x-ai" => prefix_rule(None, Some(128)),
            "mistral" => prefix_rule(Some(64), Some(64)),
            "dashscope" | "alibaba" | "qwen" => prefix_rule(Some(1_024), None),
            "google" | "gemini" => prefix_rule(self.minimum, None),
            "moonshot" | "moonshotai" | "zai" | "z-ai" => prefix_rule(None, None),
            // Discounts repeated input, but under undocumented conditions.
            _ => return (prefix_rule(None, None), "caching rule assumed: any start that was sent before"),
        };
        (rule, "caching rule of the provider")
    }
}

/// The number under a key, if the key exists. Any other value is an error.
pub fn number(
    document: &Document<'_>,
    node: &Node,
    trail: &Trail,
    key: &str,
) -> Result<Option<f64>, Problem> {
    match get(node, key) {
        None | Some(Node::Null) => Ok(None),
        Some(Node::Int(number)) => Ok(Some(*number as f64)),
        Some(Node::Float(number)) => Ok(Some(*number)),
        Some(_) => {
            let trail = below(trail, [Step::from(key)]);
            Err(document.problem(
                &trail,
                Target::Value,
                "expected a number",
                "prices are numbers without quotes",
            ))
        }
    }
}

/// A token threshold, clamped to `u32`.
pub fn tokens(number: f64) -> u32 {
    number.clamp(0.0, f64::from(u32::MAX)) as u32
}

/// The provider of an entry. `key` is the name of its field.
pub fn provider<'n>(node: &'n Node, key: &str) -> &'n str {
    text_at(node, key).unwrap_or("unknown")
}

fn prefix_rule(minimum: Option<u32>, step: Option<u32>) -> CacheRule {
    CacheRule { prefix: Some(PrefixRule { minimum, step }), ..CacheRule::default() }
}

fn newest_rule(marks: u32, minimum: Option<u32>) -> CacheRule {
    CacheRule { newest: Some(NewestRule { marks, minimum }), ..CacheRule::default() }
}
