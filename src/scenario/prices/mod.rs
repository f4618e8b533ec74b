//! Price files: rows to replace and extend the built-in price table, or an unmodified LiteLLM catalogue.

mod catalogue;
mod litellm;

use super::document::{Document, Step, Target, Trail, trail};
use super::node::Node;
use super::problem::Problem;
use super::shape::fit;
use ptc_prices::{Price, PriceTable, UnknownModel};

const ROWS: &str = "write a list of rows such as `- {model: NAME, input: 2, output: 10}`; LiteLLM's model_prices_and_context_window.json is \
                    read as it is";

/// Adds the rows of a price file to a table.
///
/// # Errors
/// The first problem of the file. The table is unchanged.
pub fn extend_prices(table: &mut PriceTable, path: &str, text: &str) -> Result<(), Problem> {
    let document = Document::new(path, text);
    // JSON parses ten times faster than YAML, and the catalogue is large.
    let is_json = path.ends_with(".json") || text.trim_start().starts_with('{');
    let node = if is_json { document.json()? } else { document.yaml()? };
    let (rows, trails) = match catalogue::read_rows(table, &document, &node)? {
        Some(rows) => rows.into_iter().map(|row| (row.price, row.trail)).unzip(),
        None if matches!(node, Node::Map(_)) => {
            return Err(document.problem(&[], Target::Value, "expected prices, found a map", ROWS));
        }
        None => {
            let rows: Vec<Price> = fit(&node).map_err(|misfit| misfit.into_problem(&document))?;
            let trails: Vec<Trail> = (0..rows.len()).map(|row| trail![row].to_vec()).collect();
            (rows, trails)
        }
    };
    table.extend(rows).map_err(|error| {
        let row = trails[error.row].clone();
        let keys = error.keys.into_iter().map(Step::from);
        let trail: Vec<Step> = row.into_iter().chain(keys).collect();
        document.problem(&trail, Target::Value, error.message, error.help)
    })
}

/// Help for an unknown model.
pub fn help_for_model(unknown: &UnknownModel) -> String {
    match unknown.suggestion() {
        Some(suggestion) => suggestion,
        None => "ptc-eval list models shows all; --prices FILE adds others".to_owned(),
    }
}

/// The value of a key of a map.
fn get<'n>(node: &'n Node, key: &str) -> Option<&'n Node> {
    let Node::Map(entries) = node else { return None };
    entries.get(key)
}

fn text_at<'n>(node: &'n Node, key: &str) -> Option<&'n str> {
    match get(node, key)? {
        Node::Str(text) => Some(text),
        _ => None,
    }
}
