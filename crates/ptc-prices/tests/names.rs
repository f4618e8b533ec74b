//! Spellings of models, and the rows that they mean.

use proptest::prelude::{any, prop_assert, proptest};
use ptc_prices::{Price, PriceTable, UnknownModel, day_number};

fn on(day: &str, name: &str) -> Result<Price, UnknownModel> {
    PriceTable::built_in().unwrap().find(name, day_number(day).unwrap())
}

fn found(name: &str) -> Result<Price, UnknownModel> {
    on("2026-11-24", name)
}

/// Models, and other spellings that mean them at the list price.
const SPELLINGS: &[(&str, &[&str])] = &[
    (
        "claude-sonnet-5-5",
        &[
            "Claude-Sonnet-5-5",
            "claude-sonnet-5-5[1m]",
            "claude-sonnet-5.5",
            "claude-5-5-sonnet",
            "claude-5.5-sonnet",
            "claude-5.5-sonnet-thinking",
            "Claude Sonnet 5.5",
            "Claude Sonnet 5.5 (High)",
            "claude-sonnet-5-5-20260928",
            "claude-sonnet-5-5-2026-09-28",
            "claude-sonnet-5-5@20260928",
            "claude-sonnet-5-5@default",
            "anthropic/claude-sonnet-5.5",
            "anthropic/claude-sonnet-5.5:thinking",
            "openrouter/anthropic/claude-sonnet-5.5",
            "vertex_ai/claude-sonnet-5-5@default",
            "azure_ai/claude-sonnet-5-5",
            "anthropic.claude-sonnet-5-5",
            "bedrock/anthropic.claude-sonnet-5-5",
            "global.anthropic.claude-sonnet-5-5-20260928-v1:0",
            "bedrock/global.anthropic.claude-sonnet-5-5",
            "claude-sonnet",
            // Cursor's.
            "sonnet-5.5",
            "sonnet-5.5-thinking",
            "claude-5.5-sonnet-max",
            "anthropic:claude-sonnet-5-5",
            "bedrock:global.anthropic.claude-sonnet-5-5",
            "openrouter:anthropic/claude-sonnet-5.5",
            "arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-sonnet-5-5",
            "arn:aws:bedrock:us-west-2:123456789012:inference-profile/global.anthropic.claude-sonnet-5-5-20260928-v1:0",
            "bedrock/converse/global.anthropic.claude-sonnet-5-5",
            "projects/p/locations/global/publishers/anthropic/models/claude-sonnet-5-5@20260928",
            "litellm_proxy/claude-sonnet-5-5",
            "litellm_proxy/anthropic/claude-sonnet-5-5",
            "vercel_ai_gateway/anthropic/claude-sonnet-5.5",
            "github_copilot/claude-sonnet-5.5",
            "opencode/claude-sonnet-5-5",
        ],
    ),
    ("claude-3-5-sonnet", &["claude-3-5-sonnet-20241022", "claude-3-5-sonnet-20240620", "claude-3.5-sonnet"]),
    ("claude-3-opus", &["claude-3-opus-20240229", "anthropic.claude-3-opus-20240229-v1:0"]),
    ("claude-3-haiku", &["claude-3-haiku-20240307", "anthropic/claude-3-haiku"]),
    ("gpt-4-turbo", &["gpt-4-turbo-2024-04-09", "gpt-4-1106-preview"]),
    ("gpt-4", &["gpt-4-0613", "openai/gpt-4"]),
    ("claude-opus-4-5", &["claude-opus-4-5-20251101", "claude-opus-4-5@20251101", "claude-4.5-opus-high"]),
    ("claude-opus-4-6", &["anthropic.claude-opus-4-6-v1", "global.anthropic.claude-opus-4-6-v1"]),
    (
        "claude-opus-4-0",
        &["claude-opus-4", "claude-opus-4-20250514", "us.anthropic.claude-opus-4-20250514-v1:0"],
    ),
    ("claude-3-5-haiku", &["claude-3.5-haiku", "claude-haiku-3.5", "claude-3-5-haiku-latest"]),
    ("claude-haiku-4-5", &["claude-haiku-4-5-20251001", "bedrock_mantle/anthropic.claude-haiku-4-5"]),
    (
        "gpt-5.5",
        &[
            "gpt-5-5",
            "openai/gpt-5.5",
            "gpt-5.5-2026-04-23",
            "GPT-5.5 (xhigh)",
            "gpt-5.5-high",
            "gpt-5.5-codex",
            "openai:gpt-5.5",
            "azure:gpt-5.5",
            "azure_openai/gpt-5.5",
            "azure/global-standard/gpt-5.5",
        ],
    ),
    (
        "gpt-5.6-sol",
        &["gpt-5.6", "gpt-5.6-low", "azure/gpt-5.6-sol", "azure/global/gpt-5.6", "openai.gpt-5.6-sol"],
    ),
    ("gpt-5.1", &["gpt-5.1-2025-11-13", "azure/global/gpt-5.1", "gpt-5.1-none"]),
    ("gpt-5.1-codex-mini", &["gpt-5.1-mini", "gpt-5-1-codex-mini"]),
    ("gpt-4o", &["gpt-4o-2024-08-06", "openai/gpt-4o-2024-11-20"]),
    ("gpt-4o-2024-05-13", &["openai/gpt-4o-2024-05-13"]),
    ("gpt-oss-120b", &["openai.gpt-oss-120b-1:0", "bedrock/openai.gpt-oss-120b-1:0", "openai/gpt-oss-120b"]),
    ("gpt-4o-mini", &["openai/gpt-4o-mini", "gpt-4o-mini-2024-07-18"]),
    ("gemini-3.8-flash", &["gemini-flash-latest", "gemini/gemini-3.8-flash", "google/gemini-3.8-flash"]),
    (
        "gemini-2.5-pro",
        &[
            "models/gemini-2.5-pro",
            "vertex_ai/gemini-2.5-pro",
            "publishers/google/models/gemini-2.5-pro",
            "google-gla:gemini-2.5-pro",
            "google-vertex:gemini-2.5-pro",
            "gemini-2.5-pro-preview-06-05",
        ],
    ),
    ("grok-4.6", &["x-ai/grok-4.6", "grok-4.6-build", "grok-4.6-latest", "xai/grok-4-6"]),
    ("grok-4.20", &["grok-4.20-0309-reasoning"]),
    ("kimi-k2.6", &["moonshotai/kimi-k2.6", "openrouter/moonshotai/kimi-k2.6"]),
    ("kimi-k3", &["global.moonshotai.kimi-k3", "Kimi K3"]),
    (
        "claude-opus-4-6",
        &["opus-4.6", "opus-4.6-thinking", "claude-4.6-opus-max", "claude-4.6-opus-high-thinking"],
    ),
    ("gemini-3.1-pro-preview", &["gemini-3.1-pro", "Gemini 3.1 Pro"]),
    ("kimi-k2-thinking", &["moonshot/kimi-k2-thinking"]),
    ("glm-5.3", &["z-ai/glm-5.3", "zai/glm-5-3"]),
    ("deepseek-flash", &["deepseek/deepseek-v4.1-flash", "deepseek-v4.1-flash-1017"]),
    ("qwen3.8-max", &["qwen/qwen3.8-max"]),
    ("mistral-medium-2604", &["mistral-medium-latest", "mistral-medium-3-5", "mistralai/mistral-medium-3.5"]),
];

/// Clouds that charge more: spelling, name of the row, and prices of input and of cached reads.
const CLOUDS: &[(&str, &str, f64, f64)] = &[
    ("us.anthropic.claude-sonnet-5-5", "bedrock/us/claude-sonnet-5-5", 2.2, 0.11),
    ("bedrock/us/claude-sonnet-5-5", "bedrock/us/claude-sonnet-5-5", 2.2, 0.11),
    ("bedrock/eu.anthropic.claude-sonnet-5-5-20260928-v1:0", "bedrock/eu/claude-sonnet-5-5", 2.2, 0.11),
    ("us-gov.anthropic.claude-opus-5-5", "bedrock/us-gov/claude-opus-5-5", 4.8, 0.24),
    ("bedrock_mantle/anthropic.claude-opus-5-5", "bedrock_mantle/claude-opus-5-5", 4.4, 0.22),
    ("us.openai.gpt-6.1-sol", "bedrock/us/gpt-6.1-sol", 2.2, 0.11),
    ("us.xai.grok-4.6", "bedrock/us/grok-4.6", 2.2, 0.55),
    (
        "arn:aws:bedrock:eu-west-1:1:inference-profile/eu.anthropic.claude-sonnet-5-5",
        "bedrock/eu/claude-sonnet-5-5",
        2.2,
        0.11,
    ),
    ("us.moonshotai.kimi-k3", "bedrock/us/kimi-k3", 3.3, 0.33),
    ("azure/us/gpt-6.1-sol", "azure/us/gpt-6.1-sol", 2.2, 0.11),
    ("azure/eu/gpt-6.1-sol", "azure/eu/gpt-6.1-sol", 2.4, 0.12),
    ("azure/apac/gpt-6.1-sol", "azure/apac/gpt-6.1-sol", 2.4, 0.12),
    ("azure/eu/gpt-5.5-2026-04-23", "azure/eu/gpt-5.5", 5.5, 0.55),
];

/// Names of other models with other prices, and of providers with unknown prices.
const UNKNOWN: &[&str] = &[
    "",
    "claude",
    "sonnet",
    "gpt",
    "gpt-5.7",
    "gpt-6.1",
    "claude-sonnet-5-6",
    "claude-opus-5-5-fast",
    "claude-2.1",
    "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3",
    "vercel_ai_gateway/zai/glm-4.6",
    "claude-sonnet-5-5-20261399",
    "claude-sonnet-5-5:batch",
    "z-ai/glm-5.3:free",
    "fireworks_ai/accounts/fireworks/models/glm-5.3",
    "together_ai/deepseek-v4-pro",
    "mistral/deepseek-v4.1-flash-1017",
    "openai/claude-sonnet-5-5",
    "azure/apac/gpt-5.5",
    "azure/mars/gpt-5.5",
    "bedrock/claude-sonnet-5-5/x",
    "mars.anthropic.claude-sonnet-5-5",
    "us-gov.openai.gpt-5.4",
    "moonshotai.kimi-k3",
    "mistral-large-latest",
    "qwen3-coder-flash",
    "<synthetic>",
    "codex-auto-review",
];

#[test]
fn spellings_mean_rows() {
    for (model, spellings) in SPELLINGS {
        let row = found(model).unwrap();
        assert_eq!(row.model, *model);
        for name in *spellings {
            assert_eq!(found(name).as_ref(), Ok(&row), "{name}");
        }
    }
}

#[test]
fn clouds_have_their_own_prices() {
    for (name, model, input, read) in CLOUDS {
        let price = found(name).unwrap();
        assert_eq!((price.model.as_str(), price.input, price.read), (*model, *input, *read), "{name}");
        assert_eq!(found(&price.model), Ok(price), "{name}");
    }
    let price = found("azure/eu/gpt-6.1-sol").unwrap();
    let above = price.above.unwrap();
    assert_eq!((price.write, price.output), (Some(3.0), 12.0));
    assert_eq!((above.tokens, above.input, above.read, above.output), (272_000, 4.8, 0.24, 18.0));
    assert_eq!(price.confidence.as_deref(), Some("sure; 1.2 times the list price"));
}

#[test]
fn other_names_are_unknown() {
    for name in UNKNOWN {
        assert_eq!(
            found(name).map(|price| price.model).map_err(|unknown| unknown.name),
            Err((*name).to_owned())
        );
    }
}

#[test]
fn unknown_names_have_near_ones() {
    let near = |name: &str| found(name).unwrap_err().nearest;
    assert_eq!(near("claude-sonet-5-5")[0], "claude-sonnet-5-5");
    assert_eq!(near("openrouter/openai/gpt-55"), ["gpt-5.5", "gpt-5", "gpt-5.6-sol"]);
    assert_eq!(near("fireworks_ai/glm-5.3")[0], "glm-5.3");
    assert_eq!(near("gpt-6"), ["gpt-6.1-terra", "gpt-6.1-sol", "gpt-6-sol"]);
    assert_eq!(near("claude-opus-6")[0], "claude-opus-5");
    assert_eq!(near(""), Vec::<String>::new());
    assert_eq!(near("phi-5-multimodal-vision"), Vec::<String>::new());
    let unknown = found("gpt-6.1-soll").unwrap_err();
    assert_eq!(unknown.to_string(), "the price table has no model 'gpt-6.1-soll'");
    let suggestion = unknown.suggestion();
    assert_eq!(suggestion.as_deref(), Some("did you mean 'gpt-6.1-sol', 'gpt-6-sol' or 'gpt-5.6-sol'?"));
    assert_eq!(found("falcon").unwrap_err().suggestion(), None);
}

/// A change counts from its first day on, for every spelling.
#[test]
fn a_day_decides_between_rows() {
    let read = |day: &str, name: &str| on(day, name).unwrap().read;
    assert_eq!(read("2026-10-06", "claude-sonnet-5-5"), 0.2);
    assert_eq!(read("2026-10-07", "claude-sonnet-5-5"), 0.1);
    assert_eq!(read("2026-10-06", "us.anthropic.claude-sonnet-5-5"), 0.22);
    assert_eq!(read("2025-01-01", "claude-sonnet-5-5"), 0.2);
    let argon =
        |day: &str| on(day, "gemini-4-argon").map(|price| (price.input, price.output, price.until)).unwrap();
    assert_eq!(argon("2026-11-30"), (2.0, 10.0, Some("2026-12-01".to_owned())));
    assert_eq!(argon("2026-12-01"), (4.0, 20.0, None));
    let medium = |day: &str| on(day, "mistral-medium-latest").map(|price| price.model).unwrap_or_default();
    assert_eq!(medium("2026-06-15"), "mistral-medium-2508");
    assert_eq!(medium("2026-06-16"), "mistral-medium-2604");
    assert_eq!(on("2026-09-01", "gemini-flash-latest").unwrap_err().name, "gemini-flash-latest");
}

/// No two models have names that are spelled alike, so that the order of the rows decides nothing.
#[test]
fn every_row_is_found_by_all_of_its_names() {
    let table = PriceTable::built_in().unwrap();
    for row in table.rows() {
        let start = row.from.as_deref().map_or(table.day(), |from| day_number(from).unwrap());
        for name in row.aliases.iter().chain([&row.model]) {
            assert_eq!(table.find(name, start).unwrap().model, row.model, "{name}");
            assert_eq!(table.find(&name.to_uppercase(), start).unwrap().model, row.model, "{name}");
        }
    }
}

/// Rows of the user come first, whatever they are called, and end the prices of all days.
#[test]
fn rows_of_the_user_come_first() {
    let mut table = PriceTable::built_in().unwrap();
    let row = |model: &str| {
        let text = format!("{{model: {model}, date: 2026-12-01, source: s, input: 7, read: 7, output: 7}}");
        serde_yaml::from_str::<Price>(&text).unwrap()
    };
    table.extend(vec![row("us.anthropic.claude-sonnet-5-5"), row("claude-sonnet-5-5")]).unwrap();
    let input = |name: &str, day: &str| table.find(name, day_number(day).unwrap()).unwrap().input;
    assert_eq!(input("us.anthropic.claude-sonnet-5-5", "2026-11-24"), 7.0);
    assert_eq!(input("claude-5.5-sonnet", "2026-09-30"), 7.0);
    assert_eq!(input("eu.anthropic.claude-sonnet-5-5", "2026-11-24"), 7.7);
    assert_eq!(table.day(), day_number("2026-12-01").unwrap());
}

proptest! {
    #[test]
    fn any_text_may_be_a_name(name in any::<String>(), tail in "(-20[0-9]{6}|@default|-v1:0|[(]high[)]|é)?", day in any::<i32>()) {
        let found = PriceTable::built_in().unwrap().find(&(name.clone() + &tail), day.into());
        prop_assert!(found.is_ok() || found.unwrap_err().nearest.len() <= 3);
    }
}
