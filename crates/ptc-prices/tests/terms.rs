//! Terms of a call that multiply its price.

use ptc_prices::{CallTokens, HourOfWeek, Price, PriceTable, Terms, day_number};

fn price(model: &str, day: &str) -> Price {
    PriceTable::built_in().unwrap().find(model, day_number(day).unwrap()).unwrap()
}

fn dollars(price: &Price, [input, read, output]: [u64; 3]) -> f64 {
    let tokens = CallTokens { input, read, output, ..CallTokens::default() };
    price.input_dollars(&tokens) + price.output_dollars(&tokens)
}

/// 9,400 fresh and 8,900 read tokens and 210 of output at 2.5 times $5, $0.50 and $30: what ccusage 20.0.24 has for the same calls.
#[test]
fn a_tier_multiplies_all_prices() {
    let priority = Terms { tier: Some("priority"), ..Terms::default() };
    let plain = price("gpt-5.5", "2026-10-05");
    let cost = dollars(&plain.clone().on(&priority), [18_300, 8900, 210]);
    assert!((cost - 0.144_375).abs() < 1e-9, "{cost}");
    assert!((cost / dollars(&plain, [18_300, 8900, 210]) - 2.5).abs() < 1e-9);
    // A Responses call at half of $5 and $30.
    let flex = Terms { tier: Some("flex"), ..Terms::default() };
    let cost = dollars(&plain.clone().on(&flex), [900, 0, 500]);
    assert!((cost - 0.009_75).abs() < 1e-9, "{cost}");
    let unknown = Terms { tier: Some("turbo"), geography: Some("mars"), ..Terms::default() };
    assert_eq!(unknown.unknown_terms(&plain), ["tier turbo", "geography mars"]);
    assert_eq!(plain.clone().on(&unknown), plain);
}

/// DeepSeek doubles its prices from Monday to Friday at 01:00 to 04:00 and 06:00 to 10:00 UTC.
#[test]
fn hours_multiply_the_prices_of_deepseek() {
    let plain = price("deepseek-v4-pro", "2026-10-05");
    // 2026-10-05 is a Monday; date -u -d '2026-10-05 06:30' +%s
    let monday = 1_791_181_800;
    let at = |seconds: i64| Terms { hour: Some(HourOfWeek::of_seconds(seconds)), ..Terms::default() };
    let factor = |hours: i64| at(monday + hours * 3600).price_factor(&plain);
    assert_eq!([0, 3, 4, -3, -5, 5 * 24, 7 * 24].map(factor), [2.0, 2.0, 1.0, 2.0, 2.0, 1.0, 2.0]);
    assert_eq!(Terms::default().price_factor(&plain), 1.0);
    assert_eq!(at(monday).price_factor(&price("gpt-5.5", "2026-10-05")), 1.0);
}

/// Terms from a single source are marked.
#[test]
fn prices_of_one_source_are_not_confirmed() {
    assert!(price("claude-opus-5", "2026-10-05").is_confirmed());
    assert!(!price("nova-pro", "2026-10-05").is_confirmed());
}

/// Dollars for 1,000 uses, from LiteLLM and the page of xAI.
#[test]
fn tools_of_providers_have_prices() {
    let table = PriceTable::built_in().unwrap();
    let price = |model: &str, tool: &str| {
        let row = table.find(model, table.day()).unwrap();
        if tool == "web_search" { row.web_search } else { row.server_tools.get(tool).copied() }
    };
    for (model, tool, dollars) in [
        ("gpt-4.1", "web_search", 10.0),
        ("gpt-4.1", "web_search_preview", 25.0),
        ("gpt-4o-mini", "web_search_preview", 25.0),
        ("gpt-6.1-sol", "web_search_preview", 10.0),
        ("gpt-5", "file_search", 2.5),
        ("gpt-5", "code_session", 30.0),
        ("gemini-2.5-pro", "web_search", 0.0),
        ("gemini-2.5-pro", "grounded_prompt", 35.0),
        ("gemini-3-flash-preview", "web_search", 14.0),
        ("gemini-4-argon", "grounded_prompt", 0.0),
        ("grok-4.7", "web_search", 5.0),
        ("grok-4.7", "x_search", 5.0),
        ("claude-opus-5-5", "web_search", 10.0),
    ] {
        assert_eq!(price(model, tool), Some(dollars), "{tool} of {model}");
    }
    assert_eq!(price("claude-opus-5-5", "file_search"), None);
}
