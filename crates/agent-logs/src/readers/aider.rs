//! Chat histories of Aider (`.aider.chat.history.md`): the user's lines start with `####`, the program's with `>`, and the rest are
//! answers. The system prompt and the files sent are missing; the bills show their size.

use serde_json::{Value, json};

use super::chat::Chats;
use crate::format::LogFormat;

const NAME: &str = "aider";

pub(super) const FORMAT: LogFormat = LogFormat {
    name: NAME,
    doc: "chat histories of Aider (.aider.chat.history.md); prompts and files are missing in them",
    recognises: |object| object.text("object").is_some_and(|own| own == KIND),
    reader: || Chats::boxed_reader(NAME),
};

/// Marks a session converted to JSON.
const KIND: &str = "aider chat";

/// Commands with a text that is sent to the model.
const SENT: [&str; 4] = ["/ask ", "/code ", "/architect ", "/context "];

/// A session as a conversation, with its first line in the file.
pub(crate) struct Session {
    pub(crate) line: usize,
    pub(crate) value: Value,
}

/// The sessions of a history; `None` if the text is something else.
pub(crate) fn split_sessions(text: &str) -> Option<Vec<Session>> {
    if !text.lines().find(|line| !line.trim().is_empty()).is_some_and(is_start) {
        return None;
    }
    let mut sessions: Vec<(usize, Chat)> = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        match sessions.last_mut().filter(|_| !is_start(line)) {
            Some((_, chat)) => chat.read_line(line),
            None if is_start(line) => sessions.push((number, Chat::start_chat(line))),
            None => {}
        }
    }
    Some(sessions.into_iter().map(|(line, chat)| Session { line, value: chat.into_value() }).collect())
}

fn is_start(line: &str) -> bool {
    line.starts_with("# aider chat started at ")
}

#[derive(Default)]
struct Chat {
    started: String,
    messages: Vec<Value>,
    said: Vec<String>,
    answer: Vec<String>,
}

impl Chat {
    fn start_chat(line: &str) -> Chat {
        let started = line.trim_start_matches("# aider chat started at ").trim().to_owned();
        Chat { started, ..Chat::default() }
    }

    fn read_line(&mut self, line: &str) {
        if let Some(said) = line.strip_prefix("####") {
            self.end_answer();
            self.said.push(said.trim().to_owned());
        } else if let Some(told) = line.strip_prefix("> ") {
            self.end_answer();
            self.end_words();
            self.read_bill(told.trim());
        } else {
            self.end_words();
            self.answer.push(line.to_owned());
        }
    }

    fn end_words(&mut self) {
        let said = std::mem::take(&mut self.said).join("\n");
        let sent = SENT.iter().find_map(|command| said.strip_prefix(command));
        let is_command = said.starts_with('/') && sent.is_none();
        let said = sent.unwrap_or(&said).trim();
        if !said.is_empty() && !is_command {
            self.messages.push(json!({"role": "user", "content": said}));
        }
    }

    fn end_answer(&mut self) {
        let answer = std::mem::take(&mut self.answer).join("\n");
        let answer = answer.trim();
        if !answer.is_empty() {
            self.messages.push(json!({"role": "assistant", "content": answer}));
        }
    }

    /// Reads `Tokens: 12k sent, 1.2k cache write, 8k cache hit, 221 received. Cost: $0.02 message, $0.05 session.` The numbers are
    /// rounded. Tokens sent include cached ones.
    fn read_bill(&mut self, line: &str) {
        let Some((tokens, cost)) =
            line.strip_prefix("Tokens: ").map(|rest| rest.split_once(". ").unwrap_or((rest, "")))
        else {
            return;
        };
        let number = |name: &str| {
            let part = tokens.split(", ").find_map(|part| part.trim_end_matches('.').strip_suffix(name))?;
            parse_rounded(part.trim())
        };
        let dollars =
            cost.strip_prefix("Cost: $").and_then(|cost| cost.split(' ').next()?.parse::<f64>().ok());
        let usage = json!({
            "prompt_tokens": number(" sent"),
            "cached_tokens": number(" cache hit"),
            "cache_write_tokens": number(" cache write"),
            "completion_tokens": number(" received"),
            "cost": dollars,
        });
        let last = self.messages.last_mut().filter(|last| last["role"] == "assistant");
        if let Some(last) = last.and_then(Value::as_object_mut) {
            last.insert("usage".to_owned(), usage);
        }
    }

    fn into_value(mut self) -> Value {
        self.end_answer();
        self.end_words();
        json!({"object": KIND, "id": self.started, "messages": self.messages})
    }
}

/// Parses a number such as `221` or `1.2k`.
fn parse_rounded(text: &str) -> Option<u64> {
    let Some(thousands) = text.strip_suffix('k') else { return text.replace(',', "").parse().ok() };
    let number: f64 = thousands.parse().ok()?;
    Some((number * 1000.0).round() as u64)
}
