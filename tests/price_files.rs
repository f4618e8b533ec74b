//! Price files: LiteLLM's catalogue is read as it is.

use ptc_eval::scenario::extend_prices;
use ptc_prices::{Price, PriceTable, Rates, day_number};

const LITELLM: &str = r#"{
  "sample_spec": {"litellm_provider": "one of them", "mode": "one of: chat", "input_cost_per_token": 0.0, "output_cost_per_token": 0.0},
  "claude-next": {"litellm_provider": "anthropic", "mode": "chat", "input_cost_per_token": 2.8e-06, "output_cost_per_token": 1e-05,
    "cache_read_input_token_cost": 2.8e-07, "cache_creation_input_token_cost": 3.5e-06, "cache_creation_input_token_cost_above_1hr": 5.6e-06,
    "input_cost_per_token_above_200k_tokens": 5.6e-06, "output_cost_per_token_above_200k_tokens": 2e-05,
    "cache_read_input_token_cost_above_200k_tokens": 5.6e-07, "prompt_cache_min_tokens": 512},
  "vertex_ai/claude-next": {"litellm_provider": "vertex_ai", "mode": "chat", "input_cost_per_token": 3e-06, "output_cost_per_token": 1e-05},
  "gpt-5.5": {"litellm_provider": "openai", "mode": "responses", "input_cost_per_token": 4e-06, "output_cost_per_token": 2e-05,
    "cache_read_input_token_cost": 4e-07},
  "deepseek/deepseek-next": {"litellm_provider": "deepseek", "mode": "chat", "input_cost_per_token": 2.8e-07, "output_cost_per_token": 4.2e-07,
    "cache_read_input_token_cost": 2.8e-08, "cache_creation_input_token_cost": 0.0},
  "dashscope/qwen-next": {"litellm_provider": "dashscope", "mode": "chat", "tiered_pricing": [
    {"range": [0, 256000.0], "input_cost_per_token": 5e-08, "output_cost_per_token": 4e-07},
    {"range": [256000.0, 1000000.0], "input_cost_per_token": 2.5e-07, "output_cost_per_token": 2e-06}]},
  "priceless": {"litellm_provider": "openai", "mode": "chat", "cache_read_input_token_cost": "n/a"},
  "picture": {"litellm_provider": "openai", "mode": "image_generation", "input_cost_per_token": 1, "output_cost_per_token": 1}
}"#;

fn table(path: &str, text: &str) -> PriceTable {
    let mut table = PriceTable::built_in().unwrap();
    extend_prices(&mut table, path, text).unwrap();
    table
}

fn price(table: &PriceTable, model: &str) -> Price {
    table.find(model, day_number("2026-11-23").unwrap()).unwrap()
}

#[test]
fn prices_and_caching_rules_of_a_new_model() {
    let found = price(&table("prices.json", LITELLM), "claude-next");
    assert_eq!(found.rates(200_000), Rates { input: 2.8, read: 0.28, write: 3.5, output: 10.0 });
    assert_eq!(found.rates(200_001), Rates { input: 5.6, read: 0.56, write: 7.0, output: 20.0 });
    let rule = found.cache.breakpoints.unwrap();
    assert_eq!((rule.marks, rule.look_back, rule.minimum), (4, Some(20), Some(512)));
    assert_eq!(found.confidence.unwrap(), "price of LiteLLM; caching rule of the provider");
}

/// The caching rule and the tokenizer of a model that the table has stay.
#[test]
fn known_models_keep_their_caching_rules() {
    let (before, after) =
        (price(&PriceTable::built_in().unwrap(), "gpt-5.5"), price(&table("p.json", LITELLM), "gpt-5.5"));
    assert_eq!((after.input, after.read, after.write, after.output), (4.0, 0.4, None, 20.0));
    assert_eq!((after.cache, after.tokenizer), (before.cache, before.tokenizer));
}

#[test]
fn entries_of_litellm_are_read_by_their_fields() {
    let table = table("p.json", LITELLM);
    let deepseek = price(&table, "deepseek-next");
    assert_eq!((deepseek.input, deepseek.read, deepseek.write), (0.28, 0.028, None));
    let qwen = price(&table, "qwen-next");
    assert_eq!((qwen.rates(256_000).input, qwen.rates(256_001).input), (0.05, 0.25));
    assert_eq!((qwen.read, qwen.cache.prefix), (0.05, None));
    assert_eq!(price(&table, "vertex_ai/claude-next").input, 3.0);
    let unknown = |model: &str| table.find(model, 0).is_err();
    assert!(unknown("picture") && unknown("sample_spec") && unknown("priceless"));
}

#[test]
fn errors_name_file_and_place() {
    let text = LITELLM.replace("2.8e-07, \"cache_creation", "\"2.8e-07\", \"cache_creation");
    assert_ne!(text, LITELLM);
    let mut table = PriceTable::built_in().unwrap();
    let problem = extend_prices(&mut table, "prices.json", &text).unwrap_err().to_string();
    assert!(problem.contains("prices.json:4:") && problem.contains("expected a number"), "{problem}");
}

/// Catalogues of others are maps too.
#[test]
fn another_catalogue_is_told_what_is_read() {
    let text = r#"{"anthropic": {"models": {"claude-next": {"cost": {"input": 2.8, "output": 10}}}}}"#;
    let mut table = PriceTable::built_in().unwrap();
    let problem = extend_prices(&mut table, "api.json", text).unwrap_err().to_string();
    assert!(problem.contains("api.json:1:1") && problem.contains("LiteLLM's model_prices"), "{problem}");
}

/// Without its range a price of large requests would hold for all.
#[test]
fn a_tier_without_a_range_is_an_error() {
    for range in ["", r#""range": [], "#, r#""range": ["256k", 1000000], "#] {
        let text = LITELLM.replace(r#""range": [256000.0, 1000000.0], "#, range);
        assert_ne!(text, LITELLM);
        let mut table = PriceTable::built_in().unwrap();
        let problem = extend_prices(&mut table, "prices.json", &text).unwrap_err().to_string();
        assert!(
            problem.contains("prices.json:14:") && problem.contains("expected prices with a range"),
            "{problem}"
        );
    }
}
