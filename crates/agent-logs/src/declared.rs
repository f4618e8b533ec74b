//! Tools that a log declares to the model.

use super::draft::Draft;
use super::json::{Json, Object};
use super::notes::Notes;
use super::place::LogPlace;
use super::transcript::ToolDeclaration;
use super::unread::Fields;

/// Lists of tools in one declaration: Gemini in JavaScript and Python.
const LISTS: [&str; 2] = ["functionDeclarations", "function_declarations"];

/// Nested objects with the actual declaration: OpenAI functions and custom tools, and Bedrock.
const INSIDE: [&str; 3] = ["function", "custom", "toolSpec"];

/// Fields with the JSON Schema: OpenAI and Gemini; Anthropic; Bedrock and the AI SDK.
const SCHEMAS: [&str; 3] = ["parameters", "input_schema", "inputSchema"];

/// Fields with the name. Tools run by the provider have only a type, those of Pydantic AI a kind.
const NAMES: [&str; 4] = ["name", "title", "type", "kind"];

/// Fields of a declaration that are read, or never shown to the model.
const FIELDS: Fields = Fields {
    below: &INSIDE,
    known: &[
        "annotations",
        "description",
        "functionDeclarations",
        "function_declarations",
        "inputSchema",
        "input_schema",
        "name",
        "outputSchema",
        "output_schema",
        "parameters",
        "title",
        "tools",
    ],
};

/// Marks of tools whose schema is sent only after the model searches for them: Anthropic and Codex.
const DEFERRED: [&str; 2] = ["defer_loading", "deferLoading"];

impl Draft {
    /// Declares a list of tools: names, or objects with name, description and schema.
    pub(super) fn declare_tools(&mut self, tools: Option<Json>, place: &LogPlace, notes: &mut Notes) {
        let Some(tools) = tools else { return };
        let Some(list) = tools.list() else {
            return notes.lost("declared tools that are not a list", place.key("tools"));
        };
        for (index, value) in list.into_iter().enumerate() {
            let place = place.item("tools", index);
            match (value.text(), value.object()) {
                (Some(name), _) => {
                    self.transcript.tools.push(ToolDeclaration { name, description: None, parameters: None });
                }
                (None, Some(declared)) => self.declare_tool(&declared, place, notes),
                (None, None) => notes.lost("declared tools without a name left out", place),
            }
        }
    }

    /// Declares one tool, or a nested list of tools.
    fn declare_tool(&mut self, outer: &Object, place: LogPlace, notes: &mut Notes) {
        if let Some(list) = outer.first(&LISTS) {
            self.declare_tools(Some(list), &place, notes);
        }
        FIELDS.note_unread(outer, "declared tools", &place, notes);
        // Codex groups a server's tools in a declaration named after the server.
        if outer.is_a("namespace") {
            return self.declare_tools(outer.get("tools"), &place, notes);
        }
        if DEFERRED.iter().any(|key| outer.is_true(key)) {
            return notes.note("declared tools found only by the model's search, left out", place);
        }
        let inner = INSIDE.iter().find_map(|key| outer.object(key));
        let declared = inner.as_ref().unwrap_or(outer);
        let mut name = declared.first(&NAMES).and_then(Json::text);
        if name.is_none() && inner.is_none() {
            // Gemini's own tools are an object with one field, such as `googleSearch`.
            let mut keys = outer.fields().map(|(key, _)| key);
            name = keys.find(|key| !LISTS.contains(key)).map(str::to_owned);
        }
        match name {
            Some(name) => self.transcript.tools.push(ToolDeclaration {
                name,
                description: declared.text("description"),
                parameters: declared.first(&SCHEMAS).map(Json::to_compact),
            }),
            None if outer.first(&LISTS).is_some() => {}
            None => notes.lost("declared tools without a name left out", place),
        }
    }
}
