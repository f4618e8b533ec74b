//! Spellings of models, and the rows that they mean.

use ptc_tokens::PriceTable;

/// The model that a spelling means, with its price of input.
fn found(name: &str) -> Option<(String, f64)> {
    let table = PriceTable::built_in().unwrap();
    table.find(name, table.day()).ok().map(|price| (price.model, price.input))
}

#[test]
fn spellings_mean_rows() {
    let model = |name: &str| found(name).map(|(model, _)| model);
    for name in
        ["claude-sonnet-5-5[1m]", "anthropic/claude-5.5-sonnet", "global.anthropic.claude-sonnet-5-5-v1:0"]
    {
        assert_eq!(model(name).as_deref(), Some("claude-sonnet-5-5"), "{name}");
    }
    let regional = Some(("bedrock/us/claude-sonnet-5-5".to_owned(), 2.2));
    assert_eq!(found("us.anthropic.claude-sonnet-5-5"), regional);
    assert_eq!(found("bedrock/us/claude-sonnet-5-5"), regional);
    assert_eq!(found("fireworks_ai/claude-sonnet-5-5"), None);
}
