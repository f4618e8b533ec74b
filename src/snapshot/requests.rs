//! Reads requests back from a golden file, to measure the cost of a change. The inverse of
//! [`super::text::requests_text`].

use ecow::EcoString;

use super::escape::{is_ruler, read_line};
use super::text::{ADDS, KEEPS, SYSTEM_PREFIX, SYSTEM_SUFFIX, UNANSWERED};
use crate::agent::{Message, PromptFrame, Role, SystemPrompt};

/// A request in a golden file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadRequest {
    /// The turn after the request, from 1.
    pub turn: u32,
    /// The messages, SYSTEM included.
    pub messages: Vec<Message>,
    pub is_answered: bool,
}

/// The requests in a strategy's golden file, in order; empty for other texts.
pub fn requests_of(body: &str) -> Vec<ReadRequest> {
    let mut reader = Reader { requests: Vec::new(), system: SystemPrompt::text().into() };
    for block in blocks(body, |line| line.starts_with("=== ")) {
        reader.request(&block);
    }
    reader.requests
}

/// A ruler and the lines below it.
struct Block<'b> {
    title: &'b str,
    lines: Vec<&'b str>,
}

struct Reader {
    requests: Vec<ReadRequest>,
    /// The SYSTEM message of the request before.
    system: EcoString,
}

impl Reader {
    fn request(&mut self, block: &Block<'_>) {
        let Some(title) = block.title.strip_prefix("=== turn ") else { return };
        let title = title.trim_end_matches('=').trim_end();
        let (title, is_answered) = without_suffix(title, UNANSWERED);
        let (turn, kept) = turn_and_kept(title);
        let Ok(turn) = turn.parse() else { return };
        let sections = sections(&block.lines);
        self.note_system(&sections);
        let mut messages = match self.requests.last().filter(|_| kept > 0) {
            Some(before) => before.messages.iter().take(kept).cloned().collect(),
            None => vec![Message::new(Role::System, self.system.clone())],
        };
        messages.extend(sections.into_iter().filter_map(|(name, content)| {
            let role = [Role::User, Role::Assistant].into_iter().find(|role| role.name() == name)?;
            Some(Message::new(role, content))
        }));
        self.requests.push(ReadRequest { turn, messages, is_answered });
    }

    /// Reads the sections of a SYSTEM message that differs from the one before.
    fn note_system(&mut self, sections: &[(&str, String)]) {
        let section = |name: &str| {
            sections.iter().find(|(found, _)| *found == name).map(|(_, content)| content.clone())
        };
        if let Some(whole) = section(Role::System.name()) {
            self.system = whole.into();
        } else if let (Some(prefix), Some(suffix)) = (section(SYSTEM_PREFIX), section(SYSTEM_SUFFIX)) {
            let frame = PromptFrame { prefix: Some(prefix), suffix: Some(suffix) };
            self.system = SystemPrompt::framed(&frame).into();
        }
    }
}

/// The number of the turn as text, and the greatest number of messages that are kept of the request before.
fn turn_and_kept(title: &str) -> (&str, usize) {
    match title.split_once(KEEPS) {
        Some((turn, kept)) => (turn, kept.parse().unwrap_or(0)),
        None => match without_suffix(title, ADDS) {
            (turn, true) => (turn, 0),
            (turn, false) => (turn, usize::MAX),
        },
    }
}

/// The text before a suffix; true if the suffix is missing.
fn without_suffix<'t>(text: &'t str, suffix: &str) -> (&'t str, bool) {
    text.strip_suffix(suffix).map_or((text, true), |rest| (rest, false))
}

/// Names and contents of the sections of a request.
fn sections<'b>(lines: &[&'b str]) -> Vec<(&'b str, String)> {
    let is_section = |line: &str| is_ruler(line) && line.starts_with("--- ");
    let mut sections = Vec::new();
    for line in lines {
        match line.strip_prefix("--- ").filter(|_| is_section(line)) {
            Some(title) => sections.push((title.trim_end_matches(" ---"), Vec::new())),
            None => {
                if let Some((_, content)) = sections.last_mut() {
                    content.push(read_line(line));
                }
            }
        }
    }
    sections.into_iter().map(|(name, content)| (name, content.join("\n"))).collect()
}

/// Splits the text before each line that opens a block. One blank line separates blocks.
fn blocks(body: &str, opens: impl Fn(&str) -> bool) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    for line in body.trim_end().split('\n') {
        match blocks.last_mut() {
            _ if opens(line) => {
                if let Some(before) = blocks.last_mut() {
                    before.lines.pop_if(|last| last.is_empty());
                }
                blocks.push(Block { title: line, lines: Vec::new() });
            }
            Some(block) => block.lines.push(line),
            None => {}
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::compression::{Request, Statistics};
    use crate::snapshot::text::requests_text;

    fn request(turn: u32, messages: Vec<Message>, is_answered: bool) -> Request {
        let statistics = Statistics {
            enabled: false,
            strategy: "s".into(),
            turns_compressed: 0,
            tool_calls_total: 0,
            tool_calls_shown: 0,
            tool_calls_dropped: 0,
            printlns_total: 0,
            printlns_shown: 0,
            printlns_dropped: 0,
            error_turns_collapsed: 0,
        };
        Request { turn, messages, statistics, hidden_tool_calls: 0, is_answered }
    }

    fn run(requests: Vec<Vec<Message>>, unanswered: Option<Vec<Message>>) -> Vec<Request> {
        let answered = requests.into_iter().map(|messages| (messages, true));
        let all = answered.chain(unanswered.map(|messages| (messages, false)));
        (1..).zip(all).map(|(turn, (messages, is_answered))| request(turn, messages, is_answered)).collect()
    }

    fn framed(prefix: &str, suffix: &str) -> Message {
        let frame = PromptFrame { prefix: Some(prefix.into()), suffix: Some(suffix.into()) };
        Message::new(Role::System, SystemPrompt::framed(&frame))
    }

    #[track_caller]
    fn check(run: &[Request]) {
        let text = requests_text(run);
        let sent: Vec<ReadRequest> = run
            .iter()
            .map(|request| ReadRequest {
                turn: request.turn,
                messages: request.messages.clone(),
                is_answered: request.is_answered,
            })
            .collect();
        assert_eq!(requests_of(&text), sent, "{text}");
    }

    #[test]
    fn a_changed_prompt_frame_is_written_and_read() {
        let (user, answer) = (Message::new(Role::User, "do it"), Message::new(Role::Assistant, "(f)"));
        let plain = Message::new(Role::System, SystemPrompt::text());
        let own = Message::new(Role::System, "You are a pirate.");
        let (careful, brief) = (framed("Be careful.", ""), framed("", "Be brief.\n\n- really"));
        let first = vec![careful.clone(), user.clone()];
        let run = run(
            vec![
                first.clone(),
                [first, vec![answer, user.clone()]].concat(),
                vec![careful, user.clone()],
                vec![brief, user.clone()],
                vec![own, user.clone()],
                vec![plain, user.clone()],
            ],
            None,
        );
        check(&run);
        let text = requests_text(&run);
        assert_eq!(text.matches("--- system prefix ---\nBe careful.\n--- system suffix ---\n\n").count(), 1);
        assert!(text.contains("--- system prefix ---\n\n--- system suffix ---\nBe brief.\n\n- really\n"));
    }

    #[test]
    fn an_unanswered_request_is_marked() {
        let first = vec![framed("", ""), Message::new(Role::User, "do it")];
        let more = vec![Message::new(Role::Assistant, "(f)"), Message::new(Role::User, "Result: 1")];
        let run = run(vec![first.clone()], Some([first, more].concat()));
        check(&run);
        assert!(requests_text(&run).contains("=== turn 2 adds, unanswered ===="));
    }

    #[test]
    fn a_long_request_leaves_out_what_it_begins_with() {
        let text = |number: usize| Message::new(Role::User, format!("message {number}"));
        let long: Vec<Message> = std::iter::once(framed("", "")).chain((1..120).map(text)).collect();
        let mut later = long.clone();
        later.truncate(110);
        later.extend([text(7), text(8)]);
        let mut early = later.clone();
        early[50] = text(0);
        let run = run(vec![long, later, early], None);
        check(&run);
        let text = requests_text(&run);
        assert!(text.contains("=== turn 2 keeps 110 ===") && text.contains("=== turn 3 ==="), "{text}");
    }

    proptest! {
        #[test]
        fn every_request_is_read_as_it_was_sent(
            contents in prop::collection::vec(
                "((=== turn 2 ===|--- user ---|\\\\|;;|é|\u{200b}| |\t)?\n?){0,6}x",
                1..6,
            ),
            at in 0_usize..5,
        ) {
            let mut messages = vec![framed("", "")];
            messages.extend(contents.iter().map(|content| Message::new(Role::User, content.as_str())));
            let first = messages.get(..=at.min(messages.len() - 1)).unwrap_or_default().to_vec();
            check(&run(vec![first, messages.clone()], Some(messages)));
        }
    }
}
