//! Reads requests back from a golden file. The inverse of [`super::text::requests_text`].

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use ecow::EcoString;

use super::escape::{is_ruler, read_line};
use super::lines::{RunLines, lines_of};
use super::parts::Part;
use super::references::{PART, Reference, messages_within, parts_of};
use super::text::{CALL, TURN, UNANSWERED, title_words};
use crate::agent::{Message, Native, NativeCall, Role, SystemPrompt};

/// A request in a golden file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadRequest {
    /// The turn after the request, from 1.
    pub turn: u32,
    /// The messages, SYSTEM included.
    pub messages: Vec<Message>,
    pub is_answered: bool,
}

/// A golden file that is not as it is written, or refers to text that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableRequest {
    /// The turn after the request.
    pub turn: u32,
    pub line: String,
}

impl fmt::Display for UnreadableRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "turn {}: nothing belongs to the line '{}'; accept what `ptc-eval run` writes",
            self.turn, self.line
        )
    }
}

impl std::error::Error for UnreadableRequest {}

/// The requests in a strategy's golden file, in order; empty for other texts. References are resolved with the lines of
/// the run's golden file.
///
/// # Errors
/// A line cannot be read, or refers to text that is not there.
pub fn requests_of(body: &str, run: &RunLines<'_>) -> Result<Vec<ReadRequest>, UnreadableRequest> {
    let mut requests: Vec<ReadRequest> = Vec::new();
    for block in blocks(body) {
        let title = block.title.strip_suffix(UNANSWERED);
        let turn = title.unwrap_or(block.title).strip_prefix(TURN).and_then(|turn| turn.parse().ok());
        let Some(turn) = turn else { continue };
        let before = requests.last().map_or(&[][..], |before| &before.messages);
        let mut reader = Reader { run, turn, before, there: 0, taken: 0, messages: Vec::new(), open: None };
        for line in &block.lines {
            reader.line(line).ok_or_else(|| UnreadableRequest { turn, line: (*line).to_owned() })?;
        }
        let messages = reader.finish();
        requests.push(ReadRequest { turn, messages, is_answered: title.is_none() });
    }
    Ok(requests)
}

/// Reader of one request.
struct Reader<'r> {
    run: &'r RunLines<'r>,
    turn: u32,
    /// The messages of the request before.
    before: &'r [Message],
    /// The first of them that no reference has passed, and the number of lines from there on that were referred to.
    there: usize,
    taken: usize,
    messages: Vec<Message>,
    /// The section whose lines are read.
    open: Option<(Section, Vec<Part<'r>>)>,
}

/// Section of a request.
enum Section {
    Message(Role),
    /// The result of the call with this identifier.
    Result(EcoString),
    /// A call of the message before, by identifier and name.
    Call(EcoString, EcoString),
}

impl Section {
    fn read(title: &str) -> Option<Section> {
        let of_role = [Role::System, Role::User, Role::Assistant].into_iter();
        if let Some(role) = of_role.clone().find(|role| role.name() == title) {
            return Some(Section::Message(role));
        }
        if let Some(words) = title_words(Role::Tool.name(), title) {
            let [call] = <[String; 1]>::try_from(words).ok()?;
            return Some(Section::Result(call.into()));
        }
        let [id, name] = <[String; 2]>::try_from(title_words(CALL, title)?).ok()?;
        Some(Section::Call(id.into(), name.into()))
    }
}

impl<'r> Reader<'r> {
    /// None: the line is not as it is written.
    fn line(&mut self, line: &'r str) -> Option<()> {
        if let Some(title) = section_name(line) {
            let section = Section::read(title)?;
            self.close();
            self.open = Some((section, Vec::new()));
            return Some(());
        }
        let is_open = line.starts_with(PART);
        if is_open || !line.starts_with("= ") {
            let text = read_line(line.strip_prefix(PART).unwrap_or(line));
            self.open.as_mut()?.1.push(Part { text, is_open });
            return Some(());
        }
        match Reference::read(line)? {
            Reference::Messages { turn, skipped, count } if turn.checked_add(1) == Some(self.turn) => {
                self.close();
                let rest = self.before.get(self.there..)?;
                let first = self.there + messages_within(rest, self.taken) + skipped;
                self.messages.extend_from_slice(self.before.get(first..first + count)?);
                (self.there, self.taken) = (first + count, 0);
                Some(())
            }
            Reference::Lines { turn, skipped, count } if turn.checked_add(1) == Some(self.turn) => {
                let lines = self.before.get(self.there..)?.iter().flat_map(parts_of);
                let lines = lines.skip(self.taken + skipped).take(count);
                self.taken += skipped + count;
                self.add(lines, count)
            }
            Reference::Run { turn, name, skipped, count } => {
                let lines = self.run.section(turn, name)?.get(skipped..skipped + count)?;
                self.add(lines.iter().map(|part| part.clone().into_owned()), count)
            }
            Reference::System => {
                let lines = SystemPrompt::text().split('\n');
                let whole = |line| Part { text: Cow::Borrowed(line), is_open: false };
                self.add(lines.clone().map(whole), lines.count())
            }
            Reference::Messages { .. } | Reference::Lines { .. } => None,
        }
    }

    /// Adds lines to the open message; none if there are not so many.
    fn add(&mut self, lines: impl Iterator<Item = Part<'r>>, count: usize) -> Option<()> {
        let (_, content) = self.open.as_mut()?;
        let before = content.len();
        content.extend(lines);
        (content.len() == before + count).then_some(())
    }

    fn close(&mut self) {
        let Some((section, parts)) = self.open.take() else { return };
        let content: String =
            parts.iter().flat_map(|part| [&*part.text, if part.is_open { "" } else { "\n" }]).collect();
        let content = content.strip_suffix('\n').unwrap_or(&content);
        match section {
            Section::Message(role) => self.messages.push(Message::new(role, content)),
            Section::Result(call) => {
                let native = Some(Arc::new(Native::ResultOf(call)));
                self.messages.push(Message { native, ..Message::new(Role::Tool, content) });
            }
            Section::Call(id, name) => {
                let Some(message) = self.messages.last_mut() else { return };
                let call = NativeCall { id, name, arguments: content.into() };
                let calls = message.calls().iter().cloned().chain([call]).collect();
                message.native = Some(Arc::new(Native::Calls(calls)));
            }
        }
    }

    fn finish(mut self) -> Vec<Message> {
        self.close();
        self.messages
    }
}

/// A ruler and the lines below it.
pub(super) struct Block<'b> {
    /// Such as `turn 2`.
    pub title: &'b str,
    pub lines: Vec<&'b str>,
}

/// Splits a body before each ruler of a turn. One blank line separates blocks.
pub(super) fn blocks(body: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    for line in lines_of(body.trim_end()) {
        if let Some(title) = line.strip_prefix("=== ") {
            if let Some(before) = blocks.last_mut() {
                before.lines.pop_if(|last| last.is_empty());
            }
            blocks.push(Block { title: title.trim_end_matches('=').trim_end(), lines: Vec::new() });
        } else if let Some(block) = blocks.last_mut() {
            block.lines.push(line);
        }
    }
    blocks
}

/// Names and lines of the sections of a block, as they are written.
pub(super) fn sections<'l, 'b>(lines: &'l [&'b str]) -> impl Iterator<Item = (&'b str, &'l [&'b str])> {
    let starts = lines.iter().enumerate().filter_map(|(at, line)| Some((at, section_name(line)?)));
    let starts: Vec<(usize, &str)> = starts.collect();
    let ends: Vec<usize> = starts.iter().map(|(at, _)| *at).skip(1).chain([lines.len()]).collect();
    let section = |((at, name), end)| (name, lines.get(at + 1..end).unwrap_or_default());
    starts.into_iter().zip(ends).map(section)
}

fn section_name(line: &str) -> Option<&str> {
    line.strip_prefix("--- ").filter(|_| is_ruler(line))?.strip_suffix(" ---")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::agent::PromptFrame;
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
        Request { turn, messages, borders: Vec::new(), statistics, hidden_tool_calls: 0, is_answered }
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

    /// Writes the requests, reads them back, and returns the text.
    #[track_caller]
    fn check(run: &[Request], run_body: &str) -> String {
        let lines = RunLines::of(run_body);
        let text = requests_text(run, &lines);
        let sent: Vec<ReadRequest> = run
            .iter()
            .map(|request| ReadRequest {
                turn: request.turn,
                messages: request.messages.clone(),
                is_answered: request.is_answered,
            })
            .collect();
        assert_eq!(requests_of(text.trim_end(), &lines).as_ref(), Ok(&sent), "{text}");
        text
    }

    fn user(content: impl Into<ecow::EcoString>) -> Message {
        Message::new(Role::User, content)
    }

    fn page(number: usize, lines: usize) -> String {
        (0..lines).map(|line| format!("page {number} line {line}\n")).collect()
    }

    #[test]
    fn system_texts_of_all_kinds_are_written_and_read() {
        let answer = Message::new(Role::Assistant, "(f)");
        let own = Message::new(Role::System, "You are a pirate.");
        let (careful, brief) = (framed("Be careful.", ""), framed("", "Be brief.\n\n- really"));
        let first = vec![careful.clone(), user("do it")];
        let run = run(
            vec![
                first.clone(),
                [first, vec![answer, user("do it")]].concat(),
                vec![careful, user("do it")],
                vec![brief, user("do it")],
                vec![own.clone(), own, user("do it")],
                vec![user("do it")],
                vec![Message::new(Role::System, SystemPrompt::text()), user("do it")],
            ],
            None,
        );
        let text = check(&run, "");
        let system = "--- system ---\nBe careful.\n\n= all lines of system-prompt.snap\n--- user ---";
        assert_eq!(text.matches(system).count(), 1, "{text}");
        assert!(
            text.contains("=\n--- system ---\n= all lines of system-prompt.snap\n--- user ---"),
            "{text}"
        );
    }

    #[test]
    fn an_unanswered_request_is_marked() {
        let first = vec![framed("", ""), user("do it")];
        let more = vec![Message::new(Role::Assistant, "(f)"), user("Result: 1")];
        let text = check(&run(vec![first.clone()], Some([first, more].concat())), "");
        assert!(
            text.contains("=== turn 2, unanswered ====") && text.contains("= 2 messages as in turn 1\n"),
            "{text}"
        );
    }

    #[test]
    fn a_request_refers_to_the_one_before_and_to_the_run() {
        let run_body = format!(
            "=== turn 1 ===\n--- program ---\n(f)\n--- prints ---\n{}\n=== turn 2 ===\n--- print 1 ---\n{}--- print 2 ---\n{}\n=== outcome ===\nreturn 1",
            page(1, 9),
            page(2, 5),
            page(3, 5)
        );
        let opening = user(page(0, 6));
        let shown = |text: String| user(format!(";; Output:\n{text}end"));
        let both = format!("{}{}", page(2, 5), page(3, 5));
        let requests = run(
            vec![
                vec![framed("", ""), opening.clone()],
                vec![framed("", ""), opening.clone(), shown(page(1, 9))],
                vec![framed("", ""), opening.clone(), shown(both.clone()), shown("x\n".to_owned())],
                vec![framed("", ""), shown(format!("new\n{}", both.replace("page 2 line 0", "masked")))],
            ],
            None,
        );
        let text = check(&requests, &run_body);
        let expected = [
            "= 2 messages as in turn 1\n--- user ---\n;; Output:\n= 9 lines as in run.snap: turn 1, prints\nend\n",
            "= 2 messages as in turn 2\n--- user ---\n;; Output:\n= 10 lines as in run.snap: turn 2, prints\nend\n--- user ---\n;; Output:\nx\nend\n",
            "= 1 message as in turn 3\n--- user ---\n;; Output:\nnew\nmasked\n= 10 lines as in turn 3, skipping 9\n",
        ];
        expected.iter().for_each(|expected| assert!(text.contains(expected), "{expected}\n{text}"));
        for huge in [
            "= 4294967295 lines as in turn 0, skipping 4294967295",
            "= 1 line as in turn 4294967295",
            "= 0x1 lines",
        ] {
            let broken = text.replace("= 9 lines as in run.snap: turn 1, prints", huge);
            assert!(requests_of(&broken, &RunLines::of(&run_body)).is_err(), "{huge}");
        }
        let broken = text.replace("= 9 lines as in run", "= 10 lines as in run");
        let error = requests_of(&broken, &RunLines::of(&run_body)).unwrap_err();
        assert!(
            error.to_string().starts_with(
                "turn 2: nothing belongs to the line '= 10 lines as in run.snap: turn 1, prints'"
            ),
            "{error}"
        );
    }

    /// Two or three short lines are read faster than a reference.
    #[test]
    fn short_messages_are_repeated() {
        let requests = run(vec![vec![user("a\nb")], vec![user("a\nb"), user("c")], vec![user("c")]], None);
        assert!(!check(&requests, "").contains("\n= "));
    }

    #[test]
    fn long_lines_are_not_repeated() {
        let line = "0123456789".repeat(60);
        let requests =
            run(vec![vec![user(format!("a\n{line}\nb"))], vec![user(format!("c\n{line}\nd"))]], None);
        let text = check(&requests, "");
        assert!(text.ends_with("--- user ---\nc\n= 1 line as in turn 1, skipping 1\nd\n"), "{text}");
    }

    #[test]
    fn a_line_that_grows_is_written_as_what_is_new() {
        let word = |number: usize| format!("name-{number} integer, ");
        let line = |words: usize, changed: &str| {
            (0..words).map(word).collect::<String>().replace("name-70 ", changed)
        };
        let requests = [line(300, "name-70 "), line(301, "name-70 longer "), line(301, "name-70 longer ")];
        let requests = run(requests.map(|line| vec![user(format!("a\n{line}\nb"))]).to_vec(), None);
        let text = check(&requests, "");
        let [first, second, third] = [0, 1, 2].map(|turn| text.split("=== turn ").nth(turn + 1).unwrap());
        assert!(first.len() > 4_000 && second.len() < 1_500 && third.len() < 200, "{second}{third}");
        assert!(second.contains("\n= part of a line: ") && second.contains(" lines as in turn 1, skipping "));
    }

    /// Lines that look like rulers, references and escapes, with invisible characters, or long.
    const LINE: &str = "=== turn 2 ===|--- user ---|= 2 messages as in turn 1|= all lines of system-prompt.snap|= |\\\\|;;|\\[~L\\]|é|\u{200b}| |\t|\r|a |\u{3000}|(\\[~L\\]|= |x ){2}|";

    proptest! {
        #[test]
        fn every_request_is_read_as_it_was_sent(
            pool in prop::collection::vec(prop::collection::vec(LINE, 0..7), 1..6),
            requests in prop::collection::vec(prop::collection::vec((0_usize..5, prop::collection::vec(0_usize..6, 0..5)), 0..7), 1..6),
            printed in prop::collection::vec(0_usize..6, 0..4),
        ) {
            let long: String = (0..400).map(|word| format!("long {} ", word % 29 * 7)).collect();
            let text = |parts: &[usize]| {
                let lines = parts.iter().flat_map(|part| pool.get(part % pool.len()).into_iter().flatten());
                lines.map(|line| line.replace("[~L]", &long)).collect::<Vec<_>>().join("\n")
            };
            let message = |(role, parts): &(usize, Vec<usize>)| {
                let message = Message::new([Role::System, Role::User, Role::Assistant][*role % 3], text(parts));
                let id: EcoString = if parts.len() > 2 { text(parts).into() } else { "c1".into() };
                let call = |number: &usize| NativeCall {
                    id: format!("{id}{number}").into(),
                    name: "look".into(),
                    arguments: text(&[*number]).into(),
                };
                match role {
                    3 => Message { role: Role::Tool, native: Some(Arc::new(Native::ResultOf(id))), ..message },
                    4 if !parts.is_empty() => {
                        let calls = Native::Calls(parts.iter().map(call).collect());
                        Message { role: Role::Assistant, native: Some(Arc::new(calls)), ..message }
                    }
                    _ => message,
                }
            };
            let requests: Vec<Vec<Message>> = requests.iter().map(|all| all.iter().map(message).collect()).collect();
            let mut run_body = "=== turn 1 ===\n--- prints ---\n".to_owned();
            crate::snapshot::escape::write_content(&mut run_body, &text(&printed));
            let last = requests.last().cloned();
            check(&run(requests, last), &run_body);
        }
    }
}
