//! Price files: the catalogues of LiteLLM, models.dev and genai-prices are read as they are.

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
  "picture": {"litellm_provider": "openai", "mode": "image_generation", "input_cost_per_token": 1, "output_cost_per_token": 1}
}"#;

const MODELS_DEV: &str = r#"{"anthropic": {"id": "anthropic", "models": {
    "claude-next": {"cost": {"input": 2.8, "output": 10, "cache_read": 0.28, "cache_write": 3.5,
      "context_over_200k": {"input": 5.6, "output": 20, "cache_read": 0.56, "cache_write": 7}}},
    "free": {}}},
  "router": {"id": "router", "models": {"claude-next": {"cost": {"input": 3, "output": 10, "cache_read": 0.3, "cache_write": 0,
      "tiers": [{"input": 6, "output": 20, "cache_read": 0.6, "tier": {"type": "context", "size": 100000}}]}}}}}"#;

const GENAI_PRICES: &str = r#"[{"id": "anthropic", "name": "Anthropic", "models": [
    {"id": "claude-next", "match": {"starts_with": "claude-next"}, "prices": [
      {"prices": {"input_mtok": 3, "output_mtok": 15, "cache_read_mtok": 0.3, "cache_write_mtok": 3.75}},
      {"constraint": {"start_date": "2026-10-01"}, "prices": {
        "input_mtok": {"base": 2.8, "tiers": [{"start": 200000, "price": 5.6}]},
        "output_mtok": {"base": 10, "tiers": [{"start": 200000, "price": 20}]},
        "cache_read_mtok": {"base": 0.28, "tiers": [{"start": 200000, "price": 0.56}]}, "cache_write_mtok": 3.5}},
      {"constraint": {"start_time": "16:30:00Z", "end_time": "00:30:00Z"}, "prices": {"input_mtok": 1, "output_mtok": 1}}]}]}]"#;

fn table(path: &str, text: &str) -> PriceTable {
    let mut table = PriceTable::built_in().unwrap();
    extend_prices(&mut table, path, text).unwrap();
    table
}

fn price(table: &PriceTable, model: &str) -> Price {
    table.find(model, day_number("2026-11-23").unwrap()).unwrap()
}

#[test]
fn catalogues_agree_on_a_model() {
    for (path, text) in [("prices.json", LITELLM), ("api.json", MODELS_DEV), ("data.json", GENAI_PRICES)] {
        let found = price(&table(path, text), "claude-next");
        assert_eq!(
            found.rates(200_000),
            Rates { input: 2.8, read: 0.28, write: 3.5, output: 10.0 },
            "{path}"
        );
        assert_eq!(
            found.rates(200_001),
            Rates { input: 5.6, read: 0.56, write: 7.0, output: 20.0 },
            "{path}"
        );
        let rule = found.cache.breakpoints.unwrap();
        assert_eq!((rule.marks, rule.look_back), (4, Some(20)), "{path}");
        assert_eq!(rule.minimum, if path == "prices.json" { Some(512) } else { None }, "{path}");
        let says = found.confidence.unwrap();
        assert!(says.ends_with("; caching rule of the provider"), "{says}");
    }
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
    assert!(unknown("picture") && unknown("sample_spec"));
}

/// Another seller of a model has a row of its own.
#[test]
fn sellers_of_models_are_told_apart() {
    let table = table("api.json", MODELS_DEV);
    let router = price(&table, "router/claude-next");
    assert_eq!((router.rates(100_000).input, router.rates(100_001).output), (3.0, 20.0));
    assert_eq!((router.write, price(&table, "claude-next").input), (None, 2.8));
}

#[test]
fn first_days_of_prices_are_kept() {
    let table = table("data.json", GENAI_PRICES);
    let before = table.find("claude-next", day_number("2026-09-30").unwrap()).unwrap();
    assert_eq!((before.input, before.until.as_deref()), (3.0, Some("2026-10-01")));
}

#[test]
fn errors_name_file_and_place() {
    let text = MODELS_DEV.replace("\"cache_read\": 0.28", "\"cache_read\": \"0.28\"");
    let mut table = PriceTable::built_in().unwrap();
    let problem = extend_prices(&mut table, "api.json", &text).unwrap_err().to_string();
    assert!(problem.contains("api.json:2:") && problem.contains("expected a number"), "{problem}");
    let text = GENAI_PRICES.replace("2026-10-01", "October");
    let problem = extend_prices(&mut table, "data.json", &text).unwrap_err().to_string();
    assert!(
        problem.contains("data.json:4:") && problem.contains("expected a date, found 'October'"),
        "{problem}"
    );
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
