//! Tools that a provider runs and bills by use: searches, containers for code, grounding.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use serde::{Deserialize, Serialize};

use super::json::{Json, Object};
use super::transcript::{ToolDeclaration, TranscriptUsage};

/// Kinds of uses, each with its own price: OpenAI's search for older models, its file search, and a container of its code interpreter.
const WEB_SEARCH_PREVIEW: &str = "web_search_preview";
const FILE_SEARCH: &str = "file_search";
const CODE_SESSION: &str = "code_session";
/// Gemini 2.5 bills a prompt with any number of searches once.
const GROUNDED_PROMPT: &str = "grounded_prompt";

/// Counters of xAI's bills, each with the kind. xAI bills calls of code, not containers.
const COUNTERS: [(&str, &str); 3] = [
    ("x_search_calls", "x_search"),
    ("file_search_calls", FILE_SEARCH),
    ("code_interpreter_calls", "code_call"),
];

/// Uses of a response's tools, counted from its items.
#[derive(Default, Deserialize, Serialize)]
pub(super) struct ProviderTools {
    searches: u64,
    file_searches: u64,
    code_sessions: u64,
    /// Containers seen so far, also those of earlier responses: each is billed once.
    containers: BTreeSet<String>,
    /// True if a call had no identifier of its container.
    has_unnamed: bool,
}

/// The containers in the responses of one log. A request that refers to the previous response by identifier does not repeat its calls.
#[derive(Default)]
pub(super) struct KnownContainers {
    named: BTreeSet<String>,
    /// Identifiers of responses in whose conversation a container has no identifier.
    unnamed: BTreeSet<String>,
}

impl ProviderTools {
    /// Counts an item of a response.
    pub(super) fn count_item(&mut self, item: &Object) {
        match item.kind().as_str() {
            "web_search_call" => {
                let action = item.below("action").text("type");
                // Opening a page found by a search is free.
                if matches!(action.as_deref(), Some("search") | None) {
                    self.searches += 1;
                }
            }
            "file_search_call" => self.file_searches += 1,
            "code_interpreter_call" => {
                let is_new = match item.text("container_id") {
                    Some(container) => self.containers.insert(container),
                    // OpenAI keeps the container of a conversation while it is in use, so calls without an identifier share one. The
                    // bill is then a lower bound.
                    None => !mem::replace(&mut self.has_unnamed, true),
                };
                self.code_sessions += u64::from(is_new);
            }
            _ => {}
        }
    }

    fn forget_uses(&mut self) {
        (self.searches, self.file_searches, self.code_sessions) = (0, 0, 0);
    }

    /// Forgets the uses in the items of a request. Its containers and those of earlier responses are known.
    pub(super) fn begin_response(&mut self, known: &mut KnownContainers, previous: Option<&str>) {
        self.forget_uses();
        self.containers.append(&mut known.named);
        if let Some(previous) = previous {
            self.has_unnamed |= known.unnamed.contains(previous);
        }
    }

    /// Adds the containers of a response to the known ones.
    pub(super) fn end_response(&mut self, known: &mut KnownContainers, response: Option<&str>) {
        known.named.append(&mut self.containers);
        if self.has_unnamed
            && let Some(response) = response
        {
            known.unnamed.insert(response.to_owned());
        }
    }

    /// Adds the uses to a bill without counters.
    pub(super) fn add_to_bill(
        &mut self,
        usage: TranscriptUsage,
        tools: &[ToolDeclaration],
    ) -> TranscriptUsage {
        let is_preview = tools.iter().any(|tool| tool.name.starts_with(WEB_SEARCH_PREVIEW));
        let (web, preview) = if is_preview { (0, self.searches) } else { (self.searches, 0) };
        let uses = [
            (WEB_SEARCH_PREVIEW, preview),
            (FILE_SEARCH, self.file_searches),
            (CODE_SESSION, self.code_sessions),
        ];
        self.forget_uses();
        if usage.web_searches.is_some() || !usage.server_tools.is_empty() {
            return usage;
        }
        TranscriptUsage { web_searches: known_uses(web), server_tools: list_uses(uses), ..usage }
    }
}

/// The counters in a bill of xAI.
pub(super) fn read_counters(bill: &Object, usage: TranscriptUsage) -> TranscriptUsage {
    let Some(counters) = bill.object("server_side_tool_usage_details") else { return usage };
    let uses = COUNTERS.map(|(key, kind)| (kind, counters.number(key).unwrap_or(0)));
    let web = known_uses(counters.number("web_search_calls").unwrap_or(0));
    TranscriptUsage { web_searches: usage.web_searches.or(web), server_tools: list_uses(uses), ..usage }
}

/// Adds the grounding searches of a Gemini response.
pub(super) fn read_grounding(response: &Object, usage: TranscriptUsage) -> TranscriptUsage {
    let searches = count_grounding(response);
    if searches == 0 {
        return usage;
    }
    TranscriptUsage { web_searches: Some(searches), server_tools: list_uses([(GROUNDED_PROMPT, 1)]), ..usage }
}

/// The number of grounding searches of a Gemini response. An event of Google's ADK has them outside of candidates.
pub(super) fn count_grounding(response: &Object) -> u64 {
    let first = response.list("candidates").and_then(|all| all.first()?.object());
    let inside = first.as_ref().unwrap_or(response);
    for path in ["groundingMetadata.webSearchQueries", "grounding_metadata.web_search_queries"] {
        if let Some(queries) = inside.at(path).and_then(Json::list) {
            return queries.len() as u64;
        }
    }
    0
}

fn known_uses(number: u64) -> Option<u64> {
    if number > 0 { Some(number) } else { None }
}

fn list_uses<const N: usize>(uses: [(&str, u64); N]) -> BTreeMap<String, u64> {
    let mut used = BTreeMap::new();
    for (kind, number) in uses {
        if number > 0 {
            used.insert(kind.to_owned(), number);
        }
    }
    used
}
