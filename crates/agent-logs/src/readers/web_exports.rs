//! Exports of the web apps of ChatGPT and Claude.

use rustc_hash::FxHashSet;
use serde_json::{Value, json};

use super::providers::anthropic;
use crate::content::{Content, note_reasoning};
use crate::draft::{Answer, Draft, new_call};
use crate::format::{LogFormat, Whole};
use crate::json::{Json, Object, json_text};
use crate::listed::list_objects;
use crate::names::Dialect;
use crate::notes::Notes;
use crate::place::LogPlace;
use crate::sink::Sink;
use crate::time::LogTime;
use crate::unread::Fields;

pub(super) const CHATGPT: LogFormat = LogFormat {
    name: "chatgpt",
    doc: "exports of ChatGPT (conversations.json): the last shown branch of each conversation",
    recognises: |object| {
        let nodes = object.below("mapping");
        let mut nodes = nodes.fields();
        object.has("current_node")
            && nodes.all(|(_, node)| node.object().is_some_and(|node| node.has("children")))
    },
    reader: || Box::new(Whole(read_chatgpt)),
};

pub(super) const CLAUDE: LogFormat = LogFormat {
    name: "claude",
    doc: "exports of Claude's web page (conversations.json)",
    recognises: |object| object.list("chat_messages").is_some(),
    reader: || Box::new(Whole(read_claude)),
};

/// Parts of both apps are like Anthropic's.
static DIALECT: Dialect = Dialect(&[&anthropic::NAMES]);

/// Known fields of conversations in both apps.
const CONVERSATION: Fields = Fields {
    below: &[],
    known: &[
        "account",
        "chat_messages",
        "disabled_tool_ids",
        "mapping",
        "moderation_results",
        "name",
        "safe_urls",
        "summary",
        "title",
    ],
};

/// Known fields of nodes around ChatGPT messages.
const NODE: Fields = Fields { below: &[], known: &["children", "message"] };

/// Known fields of ChatGPT messages.
const MESSAGE: Fields = Fields {
    below: &["author", "content"],
    known: &["metadata", "parts", "text", "result", "user_instructions", "user_profile"],
};

/// Known fields of Claude messages.
const SAID: Fields = Fields {
    below: &["attachments"],
    known: &["content", "extracted_content", "file_name", "files", "text"],
};

fn read_chatgpt(object: &Object, place: LogPlace, sink: &mut Sink) {
    let notes = &mut sink.notes;
    let id = object.first(&["conversation_id", "id"]).and_then(Json::text);
    let mut draft = Draft::new(CHATGPT.name, id, place.line);
    let nodes = object.below("mapping");
    let mut branch: Vec<(String, Object)> = Vec::new();
    let mut seen: FxHashSet<String> = FxHashSet::default();
    let mut next = object.text("current_node");
    while let Some(id) = next {
        // The parent of the first node is null.
        let Some(node) = nodes.object(&id) else {
            notes.lost("nodes that the mapping lacks", place.key("mapping").key(&id));
            break;
        };
        if !seen.insert(id.clone()) {
            notes.lost("nodes that are their own ancestors", place.key("mapping").key(&id));
            break;
        }
        next = node.text("parent");
        branch.push((id, node));
    }
    let others = nodes.fields().filter(|(id, node)| {
        !seen.contains(*id) && node.object().is_some_and(|node| node.object("message").is_some())
    });
    for (id, _) in others {
        notes.note(
            "messages of branches that the user went back from, left out",
            place.key("mapping").key(id),
        );
    }
    CONVERSATION.note_unread(object, "conversations", &place, notes);
    for (id, node) in branch.into_iter().rev() {
        NODE.note_unread(&node, "nodes", &place.key("mapping").key(&id), notes);
        if let Some(message) = node.object("message") {
            add_message(&message, place.key("mapping").key(&id), &mut draft, notes);
        }
    }
    sink.give(draft);
}

/// Adds a message of ChatGPT. A message with a recipient is a tool call.
fn add_message(message: &Object, place: LogPlace, draft: &mut Draft, notes: &mut Notes) {
    draft.now = LogTime::of_object(message);
    let author = message.below("author");
    let Some(role) = author.text("role") else {
        return notes.lost("messages without a role left out", place);
    };
    MESSAGE.note_unread(message, "messages", &place, notes);
    let inside = message.below("content");
    let kind = inside.text("content_type");
    if ["thoughts", "reasoning_recap"].iter().any(|own| kind.as_deref() == Some(own)) {
        return note_reasoning(&place, notes);
    }
    let given = inside.first(&["parts", "text", "result", "user_instructions", "content"]);
    let text = read_parts(given, &place.key("content"), notes);
    let is_blank = text.lines.as_deref().is_none_or(|lines| lines.trim().is_empty());
    let recipient = message.text("recipient").filter(|recipient| recipient != "all");
    match (role.as_str(), recipient) {
        // Each conversation starts with an empty system message.
        ("system" | "user", _) if is_blank && text.images == 0 => {}
        ("system", _) => draft.set_system(text, place.clone(), notes),
        // "Custom instructions" written by the user are sent before every conversation.
        ("user", _) if kind.as_deref() == Some("user_editable_context") => {
            draft.set_system(text, place.clone(), notes)
        }
        ("user", _) => draft.add_user_text(text, false, place),
        // The input of a tool, such as code or a search query, is plain text, not JSON.
        ("assistant", Some(tool)) => {
            let arguments = json_text(&text.text());
            draft.add_answer(
                Answer::Whole,
                Content::default(),
                vec![new_call(None, Some(tool), arguments)],
                place,
            );
        }
        ("assistant", None) => draft.add_answer(Answer::Whole, text, Vec::new(), place),
        ("tool", _) => draft.add_result(None, author.text("name"), text, place),
        (other, _) => notes.lost(format!("messages of the role {other:?} left out"), place),
    }
}

/// The texts and images of a content. ChatGPT logs only a pointer to an image.
fn read_parts(given: Option<Json>, place: &LogPlace, notes: &mut Notes) -> Content {
    let Some(list) = given.and_then(Json::list) else { return DIALECT.read_content(given, place, notes) };
    let mut all = Content::default();
    for (index, part) in list.into_iter().enumerate() {
        let place = place.item("parts", index);
        match part.object() {
            Some(object) if object.has("asset_pointer") => {
                notes.note("images replaced by [image]", place);
                all.images += 1;
                all.add_text("[image]");
            }
            _ => DIALECT.add_part(&mut all, part, &place, notes),
        }
    }
    all
}

fn read_claude(object: &Object, place: LogPlace, sink: &mut Sink) {
    let notes = &mut sink.notes;
    CONVERSATION.note_unread(object, "conversations", &place, notes);
    let mut draft = Draft::new(CLAUDE.name, object.text("uuid"), place.line);
    for (message, place) in list_objects(object, "chat_messages", "messages", &place, notes) {
        draft.now = LogTime::of_object(&message);
        SAID.note_unread(&message, "messages", &place, notes);
        let is_human = message.text("sender").is_some_and(|sender| sender == "human");
        for (file, place) in list_objects(&message, "attachments", "attachments", &place, notes) {
            match file.text("extracted_content") {
                Some(text) => draft.add_user_text(Content::of(text), false, place),
                None => notes.note("files whose content the export lacks", place),
            }
        }
        for (_, place) in list_objects(&message, "files", "files", &place, notes) {
            notes.note("files whose content the export lacks", place);
        }
        match message.list("content").filter(|parts| !parts.is_empty()) {
            None => match message.text("text").map(Content::of) {
                Some(text) if is_human => draft.add_user_text(text, false, place),
                Some(text) => draft.add_answer(Answer::Whole, text, Vec::new(), place),
                None => notes.lost("messages without text", place),
            },
            Some(_) => {
                let role = if is_human { "user" } else { "assistant" };
                let parts = message.get("content").and_then(Json::read::<Value>);
                let whole = json!({"role": role, "content": parts}).to_string();
                if let Some(whole) = Json::parse(&whole).ok().and_then(Json::object) {
                    DIALECT.read_message(&whole, Answer::Whole, false, &place, &mut draft, notes);
                }
            }
        }
    }
    sink.give(draft);
}
