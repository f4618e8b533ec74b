//! Reads requests back from a golden file: the inverse of `spans.rs`.

use std::iter::Peekable;
use std::sync::Arc;

use ecow::EcoString;
use rustc_hash::FxHashMap;

use super::escape::read_part;
use super::lines::{Line, lines_of, text_of};
use super::message_lines::lines_of_message;
use super::reference::{Reference, is_reference, repeated_strategy};
use super::rulers::{CALL, section_name, title_words};
use super::run_sections::RunSections;
use super::spans::{BAR, LAST_UNANSWERED, ONE_REQUEST, REQUESTS, SpanWriter};
use crate::agent::{Message, Native, NativeCall, Role};

/// A request read from a golden file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadRequest {
    /// The turn answering the request, from 1.
    pub turn: u32,
    /// The messages, SYSTEM included.
    pub messages: Vec<Message>,
    pub is_answered: bool,
}

/// Error of a golden file with an unknown line, or with a reference to missing text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnreadableRequest {
    #[error("nothing belongs to the line '{line}'; accept what `ptc-eval run` writes")]
    Line { line: String },
    /// An earlier version wrote the file.
    #[error("an earlier version wrote it; write it again with `ptc-eval run --accept`")]
    Earlier,
}

/// Sanity limit on the requests of a file, so that reading a broken file ends. Real runs are shorter.
const MOST_REQUESTS: u32 = 1_000_000;
/// The start of the first line in an earlier version's form.
const EARLIER: &str = "=== turn ";

/// Returns true for a golden file of requests in an earlier version's form.
pub fn is_of_earlier_version(body: &str) -> bool {
    body.starts_with(EARLIER)
}

/// The requests in a strategy's golden file, in order. Empty for other texts. References are resolved from the sections of the run's golden
/// file.
///
/// # Errors
/// A line is invalid or refers to missing text. This includes a file that only refers to another strategy: resolve it first with
/// [`super::Store::request_bodies`].
pub fn requests_of(body: &str, run: &RunSections<'_>) -> Result<Vec<ReadRequest>, UnreadableRequest> {
    if is_of_earlier_version(body) {
        return Err(UnreadableRequest::Earlier);
    }
    if repeated_strategy(body).is_some() {
        return Err(unreadable_line(body.trim_end()));
    }
    let mut lines = lines_of(body.trim_end());
    let Some(head) = lines.next().and_then(Head::read) else { return Ok(Vec::new()) };
    let mut spans = Vec::new();
    for line in lines {
        let Some(span) = Span::read(line, head.requests) else { return Err(unreadable_line(line)) };
        spans.push(span);
    }
    let mut reader = Reader { run, spans: &spans, messages: FxHashMap::default() };
    let mut by_start: Vec<usize> = (0..spans.len()).collect();
    by_start.sort_by_key(|at| spans[*at].first);
    let (mut coming, mut shown) = (by_start.into_iter().peekable(), Vec::new());
    let mut requests = Vec::new();
    for turn in 1..=head.requests {
        shown.retain(|at: &usize| spans[*at].last >= turn);
        let before = shown.len();
        while let Some(at) = coming.next_if(|at| spans[*at].first == turn) {
            shown.push(at);
        }
        if shown.len() > before {
            shown.sort_unstable();
        }
        let messages = reader.read_messages(&shown)?;
        requests.push(ReadRequest { turn, messages, is_answered: turn < head.requests || head.is_answered });
    }
    Ok(requests)
}

fn unreadable_line(line: &str) -> UnreadableRequest {
    UnreadableRequest::Line { line: line.to_owned() }
}

/// The body of a golden file with these requests. With a run, its texts are replaced by references.
pub fn body_of(requests: &[ReadRequest], run: Option<&RunSections<'_>>) -> String {
    let (mut numbers, mut messages) = (FxHashMap::default(), Vec::new());
    let mut writer = SpanWriter::default();
    for request in requests {
        let mut of_request = Vec::new();
        for message in &request.messages {
            let key = (message.role, message.content.clone(), message.native.clone());
            let next = messages.len() as u32;
            let number = *numbers.entry(key).or_insert(next);
            if number == next {
                messages.push(message);
            }
            of_request.push(number);
        }
        writer.add_request(0, &of_request, request.is_answered, |number| {
            lines_of_message(messages[number as usize], run, request.turn)
        });
    }
    writer.write_body()
}

/// The first line of the file.
struct Head {
    requests: u32,
    /// True if the last request has an answer.
    is_answered: bool,
}

impl Head {
    fn read(line: &str) -> Option<Head> {
        let title = line.strip_prefix("=== ")?.trim_end_matches('=').trim_end();
        let (counted, is_answered) = match title.strip_suffix(LAST_UNANSWERED) {
            Some(counted) => (counted, false),
            None => (title, true),
        };
        let number = counted.strip_suffix(REQUESTS).or(counted.strip_suffix(ONE_REQUEST))?;
        let requests = number.parse().ok()?;
        if requests > MOST_REQUESTS {
            return None;
        }
        Some(Head { requests, is_answered })
    }
}

/// A line and its span of requests.
struct Span<'b> {
    first: u32,
    last: u32,
    text: &'b str,
}

impl<'b> Span<'b> {
    fn read(line: &'b str, requests: u32) -> Option<Span<'b>> {
        let (span, text) = line.split_once(BAR)?;
        let text = if text.is_empty() { text } else { text.strip_prefix(' ')? };
        let (first, last) = match span.split_once('-') {
            None => (span.parse().ok()?, span.parse().ok()?),
            Some((first, "")) => (first.parse().ok()?, requests),
            Some((first, last)) => (first.parse().ok()?, last.parse().ok()?),
        };
        (0 < first && first <= last && last <= requests).then_some(Span { first, last, text })
    }
}

/// Reads the requests of one file.
struct Reader<'r> {
    run: &'r RunSections<'r>,
    spans: &'r [Span<'r>],
    /// The previous request's messages, keyed by the index of the first line, with the indexes of all lines.
    messages: FxHashMap<usize, (Vec<usize>, Message)>,
}

impl Reader<'_> {
    /// The messages on these lines.
    fn read_messages(&mut self, shown: &[usize]) -> Result<Vec<Message>, UnreadableRequest> {
        let mut messages = Vec::new();
        let mut read = FxHashMap::default();
        let mut rest = shown;
        while let Some((first, others)) = rest.split_first() {
            let length = others.iter().take_while(|at| !self.begins_message(**at)).count() + 1;
            let (lines, after) = rest.split_at(length);
            let message = match self.messages.remove(first) {
                Some((known, message)) if known == lines => message,
                _ => self.read_message(lines)?,
            };
            messages.push(message.clone());
            read.insert(*first, (lines.to_vec(), message));
            rest = after;
        }
        self.messages = read;
        Ok(messages)
    }

    fn begins_message(&self, at: usize) -> bool {
        match section_name(self.spans[at].text) {
            Some(title) => title_words(CALL, title).is_none(),
            None => false,
        }
    }

    fn read_message(&self, lines: &[usize]) -> Result<Message, UnreadableRequest> {
        let mut texts = lines.iter().map(|at| self.spans[*at].text).peekable();
        let first = texts.next().unwrap_or_default();
        let Some(mut message) = section_name(first).and_then(message_of) else {
            return Err(unreadable_line(first));
        };
        message.content = self.read_text(&mut texts)?.into();
        let mut calls = Vec::new();
        while let Some(ruler) = texts.next() {
            let Some([id, name]) = call_words(ruler) else { return Err(unreadable_line(ruler)) };
            let arguments = self.read_text(&mut texts)?.into();
            calls.push(NativeCall { id: id.into(), name: name.into(), arguments });
        }
        if !calls.is_empty() {
            message.native = Some(Arc::new(Native::Calls(calls)));
        }
        Ok(message)
    }

    /// The text up to the next ruler.
    fn read_text<'t>(
        &self,
        texts: &mut Peekable<impl Iterator<Item = &'t str>>,
    ) -> Result<String, UnreadableRequest> {
        let mut lines: Vec<Line<'_>> = Vec::new();
        while let Some(text) = texts.next_if(|text| section_name(text).is_none()) {
            if is_reference(text) {
                let Some(referred) = self.referred_lines(text) else { return Err(unreadable_line(text)) };
                lines.extend(referred);
                continue;
            }
            let line = read_part(text);
            if line.goes_on && lines.is_empty() {
                return Err(unreadable_line(text));
            }
            lines.push(line);
        }
        Ok(text_of(&lines))
    }

    /// The lines that a reference stands for. `None` if the run lacks them.
    fn referred_lines(&self, reference: &str) -> Option<Vec<Line<'_>>> {
        match Reference::read(reference)? {
            Reference::Section { turn, name } => {
                let section = self.run.lines(turn, name)?;
                Some(section.iter().map(|line| Line::whole(&**line)).collect())
            }
            Reference::System(part) => Some(lines_of(part.text()).map(Line::whole).collect()),
        }
    }
}

/// The identifier and the name in the ruler of a call.
fn call_words(ruler: &str) -> Option<[String; 2]> {
    title_words(CALL, section_name(ruler)?)?.try_into().ok()
}

/// An empty message, from the title of its ruler.
fn message_of(title: &str) -> Option<Message> {
    for role in [Role::System, Role::User, Role::Assistant] {
        if role.name() == title {
            return Some(Message::new(role, EcoString::new()));
        }
    }
    let [call] = <[String; 1]>::try_from(title_words(Role::Tool.name(), title)?).ok()?;
    let native = Some(Arc::new(Native::ResultOf(call.into())));
    Some(Message { native, ..Message::new(Role::Tool, EcoString::new()) })
}
