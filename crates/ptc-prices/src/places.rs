//! Places that sell models: routers, and clouds with regional surcharges.

use crate::prices::Price;

/// A place with its own price for a model.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place {
    /// Cloud and region, such as `bedrock/us`; empty at the list price.
    name: String,
    /// Factor on the list price.
    factor: f64,
}

/// The price of some models on one part of a route.
struct Rule {
    /// A router, provider or cloud.
    route: &'static str,
    /// Regions after it in the route; the empty string means no region.
    regions: &'static [&'static str],
    /// Prefixes of model names.
    models: &'static [&'static str],
    /// Factor on the list price.
    factor: f64,
}

const fn list_price(route: &'static str, models: &'static [&'static str]) -> Rule {
    Rule { route, regions: &[""], models, factor: 1.0 }
}

const fn regional(
    route: &'static str,
    regions: &'static [&'static str],
    models: &'static [&'static str],
    factor: f64,
) -> Rule {
    Rule { route, regions, models, factor }
}

const OPENAI: &[&str] = &["gpt-", "o1", "o3", "o4", "chat-latest", "codex-"];
const MISTRAL: &[&str] = &["mistral-", "codestral-", "devstral-", "magistral-"];
/// Models sold by gateways at the price of their provider.
const GATEWAYS: &[&str] = &["claude-", "gpt-", "o3", "o4", "gemini-", "grok-4"];
/// Bedrock regions that keep requests within them.
const REGIONS: &[&str] = &["us", "eu", "jp", "au", "apac"];
/// Claude models before Sonnet 4.5, without a regional surcharge on Bedrock.
const EARLY: &[&str] = &["claude-3", "claude-sonnet-4-0", "claude-opus-4-0", "claude-opus-4-1"];

/// The first matching rule counts; without one the price is unknown. Factors of clouds are those of litellm 1.109.1 and
/// 1.110.2, and so are the gateways: 52 of 57 of their models with a row have its price, and the others are not in
/// [`GATEWAYS`].
const RULES: &[Rule] = &[
    list_price("openrouter", &[""]),
    list_price("models", &["gemini-"]),
    // Proxies and gateways without a surcharge.
    list_price("litellm_proxy", &[""]),
    list_price("vercel_ai_gateway", GATEWAYS),
    list_price("github_copilot", GATEWAYS),
    list_price("github-copilot", GATEWAYS),
    list_price("opencode", GATEWAYS),
    list_price("anthropic", &["claude-"]),
    list_price("openai", OPENAI),
    list_price("google", &["gemini-"]),
    list_price("gemini", &["gemini-"]),
    list_price("google-gla", &["gemini-"]),
    list_price("google-vertex", &["gemini-", "claude-"]),
    list_price("vertex_ai", &["gemini-", "claude-", "grok-4"]),
    list_price("x-ai", &["grok-"]),
    list_price("xai", &["grok-"]),
    list_price("z-ai", &["glm-"]),
    list_price("zai", &["glm-"]),
    list_price("moonshotai", &["kimi-"]),
    list_price("moonshot", &["kimi-"]),
    list_price("deepseek", &["deepseek-"]),
    list_price("qwen", &["qwen"]),
    list_price("dashscope", &["qwen"]),
    list_price("mistralai", MISTRAL),
    list_price("mistral", MISTRAL),
    // Kimi costs a tenth more in some regions, and the bare name does not contain the region.
    regional("bedrock", &["", "global"], &["claude-", "gpt-"], 1.0),
    regional("bedrock", &["global"], &["kimi-"], 1.0),
    regional("bedrock", REGIONS, EARLY, 1.0),
    regional("bedrock", REGIONS, &["claude-", "gpt-", "kimi-"], 1.1),
    regional("bedrock", &["us-gov"], &["claude-"], 1.2),
    regional("bedrock", &["global"], &["grok-4"], 1.0),
    regional("bedrock", &["us"], &["grok-4"], 1.1),
    regional("bedrock_mantle", &[""], &["claude-haiku-4-5"], 1.0),
    regional("bedrock_mantle", &[""], &["claude-", "gpt-"], 1.1),
    regional("azure_ai", &[""], &["claude-", "gpt-", "grok-4"], 1.0),
    regional("azure", &["", "global", "global-standard"], OPENAI, 1.0),
    regional("azure_openai", &[""], OPENAI, 1.0),
    regional("azure", &["us"], OPENAI, 1.1),
    regional("azure", &["eu"], &["gpt-6"], 1.2),
    regional("azure", &["eu"], OPENAI, 1.1),
    regional("azure", &["apac"], &["gpt-6.1"], 1.2),
];

/// The last place on a route with a price of its own, else the list price. `None` if the model's price on the route is
/// unknown.
pub(super) fn find_place(route: &[String], model: &str) -> Option<Place> {
    let mut place = Place { name: String::new(), factor: 1.0 };
    let mut route = route.iter().map(String::as_str).peekable();
    while let Some(part) = route.next() {
        let region = route.next_if(|next| has_region(part, next)).unwrap_or_default();
        let rule = RULES.iter().find(|rule| rule.is_for(part, region, model))?;
        if rule.factor != 1.0 {
            let name = if region.is_empty() { part.to_owned() } else { format!("{part}/{region}") };
            place = Place { name, factor: rule.factor };
        }
    }
    Some(place)
}

/// Returns true if this part of a route sells any model.
pub(super) fn is_known(route: &str) -> bool {
    RULES.iter().any(|rule| rule.route == route)
}

fn has_region(route: &str, region: &str) -> bool {
    RULES.iter().any(|rule| rule.route == route && rule.regions.contains(&region))
}

impl Rule {
    fn is_for(&self, route: &str, region: &str, model: &str) -> bool {
        let is_here = self.route == route && self.regions.contains(&region);
        is_here && self.models.iter().any(|start| model.starts_with(start))
    }
}

impl Price {
    /// The prices at a place, with a note in `model` and `confidence`.
    pub(super) fn sold_at(self, place: &Place) -> Price {
        let Place { name, factor } = place;
        if name.is_empty() {
            return self;
        }
        let assumed = self.confidence.as_ref().map(|text| format!("{text}; ")).unwrap_or_default();
        Price {
            model: format!("{name}/{}", self.model),
            confidence: Some(format!("{assumed}{factor} times the list price")),
            ..self.multiply_by(*factor)
        }
    }
}
