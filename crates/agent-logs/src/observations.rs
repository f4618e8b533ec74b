//! Recognises tool output sent with the role `user`. Agents without native tool calls write a call as text, and the next user message is
//! its result.

use rustc_hash::FxHashMap;

use super::draft::Draft;
use super::notes::Notes;
use super::prose::{is_phrase, is_prose};
use super::text_calls::{CODE_TAG, Call, Grammar, TAGS, find_call, starts_with};
use super::told_results::{give_to_calls, is_name, result_header};
use super::transcript::{Transcript, TranscriptMessage, TranscriptRole};

/// Which user messages count as observations, in addition to those marked in the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Observations {
    /// Replies to calls written as text. None in the neutral format: it marks observations itself.
    #[default]
    Auto,
    /// All after the first answer.
    User,
    /// None.
    None,
}

/// Maximum length of `ResultForm::start`, in characters.
const MAX_START: usize = 100;

/// A pattern of tool results.
struct ResultForm {
    start: &'static str,
    /// Must also occur somewhere in the text.
    holds: &'static str,
    proof: Proof,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Proof {
    /// No person writes like this. It is a result if the preceding answer contains anything like a call.
    Certain,
    /// A person might write this. The preceding answer must contain a call in a form unusual in ordinary chats.
    Likely,
}

const fn certain(start: &'static str, holds: &'static str) -> ResultForm {
    ResultForm { start, holds, proof: Proof::Certain }
}

const fn likely(start: &'static str) -> ResultForm {
    ResultForm { start, holds: "", proof: Proof::Likely }
}

/// Patterns of results. Starts are matched case-insensitively.
const RESULTS: [ResultForm; 31] = [
    // OpenHands until 0.20, then before 0.10, and the browsers of WebArena.
    certain("EXECUTION RESULT of [", ""),
    certain("OBSERVATION:\n", ""),
    // mini-swe-agent.
    certain("<returncode>", ""),
    certain("<exception>", "<returncode>"),
    certain("{", "\"returncode\":"),
    // SWE-agent: each result ends with this prompt of its shell.
    certain("", "\n(Current directory: "),
    certain("Your command ran successfully and did not produce any output.", ""),
    certain("<observation>", ""),
    certain("<function_result", ""),
    certain("<tool_response>", ""),
    certain("<tool_result", ""),
    certain("<tool_output>", ""),
    certain("<execution_result", ""),
    // Gemini, prompted to write calls as code.
    certain("```tool_output", ""),
    // tau-bench, for models without native calls.
    certain("API output:", ""),
    // Chat agents of LangChain.
    certain("TOOL RESPONSE:", "-----"),
    // AgentBench.
    certain("The output of the OS", ""),
    // AutoGen.
    certain("exitcode: ", ""),
    certain("The script ran, then exited with an error (POSIX exit code:", ""),
    // smolagents.
    certain("Error:\n", RETRY),
    certain("Call id: ", RETRY),
    // ReAct, MINT and most agents modelled on it.
    likely("Observation:"),
    likely("Output:"),
    likely("Result:"),
    likely("Tool output"),
    likely("Tool result"),
    likely("Execution output"),
    likely("Execution result"),
    likely("Command output"),
    likely("The output of the command"),
    likely("<output>"),
];

/// smolagents appends this to every error.
const RETRY: &str = "Now let's retry: take care not to repeat previous errors!";

/// Starts of the agent program's complaints about an unusable answer. They are neither a person's words nor results.
const COMPLAINTS: [&str; 17] = [
    // AutoCodeRover.
    "The search API calls seem not valid.",
    "The buggy locations is not precise.",
    // smolagents.
    "Error:\nError in code parsing:",
    "Error:\nError while parsing tool call",
    // SWE-agent.
    "Your output was not formatted correctly.",
    "Your command was blocked",
    "EXECUTION TIMED OUT",
    "Interactive operation '",
    // mini-swe-agent.
    "Format error:",
    "Please always provide EXACTLY ONE action",
    "The last command <command>",
    "No tool calls found in the response.",
    // MINT.
    "I don't understand your input.",
    // Cline and Roo.
    "[ERROR] You did not use a tool in your previous response",
    // LangChain.
    "Invalid Format: Missing 'Action:'",
    "Invalid or incomplete response",
    // OpenHands.
    "Please continue working on the task on whatever approach you think is suitable.",
];

/// Blocks that editors add to a person's message.
const EDITOR_BLOCKS: [&str; 2] = ["environment_details", "system-reminder"];

/// Markers of a person's words inside a result: feedback on a call, or an answer to the model's question.
const WORDS: [&str; 5] =
    ["<feedback>", "<answer>", "<user_message>", "\nNew task:\n", "\nExpert feedback:\n"];

/// Phrases of prompts asking for a call as a code block.
const ONE_BLOCK: [&str; 10] = [
    "exactly one",
    "one command",
    "single command",
    "one action",
    "one code block",
    "a single code block",
    "will be executed",
    // AppWorld.
    "will execute",
    // SWE-agent's name for its shell.
    "special interface",
    "one discussion and one command",
];

/// Phrases of prompts that ask the model to think before a call. Meeting minutes have `Action: …` lines too, but not these phrases.
const THOUGHTS: [&str; 5] = ["thought", "think", "observation", "action input", "available action"];

/// Words of prompts about calls.
const TOLD: [&str; 8] = [
    "observation",
    "tool",
    " api",
    "environment",
    "execute",
    "operating system",
    "available action",
    "function",
];

/// If more than this share of the replies is prose, only replies in a known form count as results.
const MAX_PROSE: (usize, usize) = (1, 5);
/// Unless the prompt explains how to write a call, this many replies are necessary before any without a known form counts as a result.
const MIN_REPLIES: usize = 3;

fn is_user_text(message: &TranscriptMessage) -> bool {
    message.role == TranscriptRole::User && !message.is_observation
}

/// Marks tool output among the user messages as observations.
pub(super) fn mark_observations(draft: &mut Draft, mode: Observations, notes: &mut Notes) {
    let results: Vec<usize> = match mode {
        Observations::None => return,
        Observations::Auto if draft.marks_observations => return,
        Observations::Auto => {
            give_to_calls(draft, notes);
            mark_editor_blocks(draft, notes);
            Protocol::from_transcript(&draft.transcript).find_results(&draft.transcript)
        }
        Observations::User => user_texts_after_answer(&draft.transcript),
    };
    for &at in &results {
        if let Some(message) = draft.transcript.messages.get_mut(at) {
            message.is_observation = true;
        }
    }
    if let Some(origin) = results.first().and_then(|&first| draft.origins.get(first)) {
        let place = origin.place.clone();
        notes.count_observations(results.len() as u64, mode == Observations::User, &place);
    }
}

/// Indices of the user messages after the first answer.
fn user_texts_after_answer(transcript: &Transcript) -> Vec<usize> {
    let mut found = Vec::new();
    let mut is_answered = false;
    for (at, message) in transcript.messages.iter().enumerate() {
        is_answered |= message.is_answer();
        if is_answered && is_user_text(message) {
            found.push(at);
        }
    }
    found
}

/// An answer and the user messages after it.
struct Exchange<'t> {
    call: Option<Call<'t>>,
    answer: &'t str,
    /// Indices of the messages.
    replies: Vec<usize>,
}

/// A group of call forms. Replies are judged per group.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    KnownTag,
    OwnTag,
    ActionLine,
    Json,
    Block,
    Example,
}

/// Counts of the first replies to answers.
#[derive(Default)]
struct FirstReplies {
    all: usize,
    /// Replies to calls.
    by_kind: FxHashMap<Kind, Replies>,
}

/// Counts of the first replies to calls of one [`Kind`].
#[derive(Clone, Copy, Default)]
struct Replies {
    number: usize,
    /// Replies in the form of a result.
    formed: usize,
    /// Replies in prose.
    prose: usize,
    /// One-line replies of few words, as people type to a program.
    phrases: usize,
}

impl Replies {
    fn are_mostly_formed(self) -> bool {
        self.formed * 3 >= self.number * 2
    }

    fn are_mostly_phrases(self) -> bool {
        self.phrases * 2 > self.number
    }
}

/// How a conversation's answers write calls.
struct Protocol<'t> {
    /// The system prompt, in lower case.
    system: String,
    /// The system prompt and all user messages before the first answer, in lower case.
    prompt: String,
    /// True if any answer has native tool calls. Then a call in the text is only an example.
    has_native_calls: bool,
    exchanges: Vec<Exchange<'t>>,
}

impl<'t> Protocol<'t> {
    fn from_transcript(transcript: &'t Transcript) -> Protocol<'t> {
        let mut prompt = transcript.system.clone().unwrap_or_default();
        let mut exchanges: Vec<Exchange> = Vec::new();
        for (at, message) in transcript.messages.iter().enumerate() {
            match (message.role, exchanges.last_mut()) {
                (TranscriptRole::Assistant, _) => exchanges.push(Exchange {
                    // An answer with native calls gets native results; a call in its text is an example.
                    call: if message.tool_calls.is_empty() { find_call(&message.content) } else { None },
                    answer: &message.content,
                    replies: Vec::new(),
                }),
                (TranscriptRole::User, Some(last)) if !message.is_observation => last.replies.push(at),
                // User messages before the first answer may explain the call format, like the system prompt.
                (TranscriptRole::User, None) => {
                    prompt.push('\n');
                    prompt.push_str(&message.content);
                }
                _ => {}
            }
        }
        let system = transcript.system.as_deref().unwrap_or("").to_lowercase();
        let has_native_calls = transcript.answers().any(|answer| !answer.tool_calls.is_empty());
        Protocol { system, prompt: prompt.to_lowercase(), has_native_calls, exchanges }
    }

    /// Indices of the results, in order.
    fn find_results(&self, transcript: &Transcript) -> Vec<usize> {
        let first = self.count_first_replies(transcript);
        // Cached: most answers use the same grammar, and searching the long prompt is slow.
        let mut rules: FxHashMap<Grammar, bool> = FxHashMap::default();
        let (mut results, mut complaints) = (Vec::new(), Vec::new());
        for exchange in &self.exchanges {
            let (mut holds_rule, mut have_form) = (false, false);
            if let Some(call) = &exchange.call {
                holds_rule = !call.addresses_person()
                    && *rules.entry(call.grammar).or_insert_with(|| self.has_rule(call.grammar, &first));
                if let Some(replies) = first.by_kind.get(&call.grammar.reply_kind()) {
                    have_form = replies.are_mostly_formed();
                }
            }
            for (index, &at) in exchange.replies.iter().enumerate() {
                let reply = trimmed_text(transcript, at);
                let is_result = self.has_form(reply, exchange)
                    // If results have a known form, prose without it comes from a person who interrupted.
                    || index == 0 && holds_rule && !(have_form && is_prose(reply));
                if is_result && !has_words(reply) {
                    results.push(at);
                } else if is_complaint(reply) {
                    complaints.push(at);
                }
            }
        }
        // Without any result the agent has no text calls. Then a "complaint" is a person's message with such a start by chance.
        if !results.is_empty() {
            results.append(&mut complaints);
            results.sort_unstable();
        }
        results
    }

    /// Returns true for a text in the form of a result if the answer contains a call.
    fn has_form(&self, reply: &str, exchange: &Exchange) -> bool {
        if let Some(name) = named_in_result(reply) {
            return exchange.answer.contains(name);
        }
        let Some(call) = &exchange.call else { return false };
        // ReAct numbers its observations.
        let head = without_number(reply);
        let is_plain = match call.grammar {
            Grammar::Block | Grammar::Example => true,
            // Minutes have `Action: …` lines too, and people reply to them with `Result: …`.
            Grammar::ActionLine => !starts_with(&head, "Observation"),
            Grammar::Tag(_) | Grammar::Json(_) => false,
        };
        for form in &RESULTS {
            if !starts_with(&head, form.start) || !reply.contains(form.holds) {
                continue;
            }
            // The smolagents prompt mentions the line `Observation:`, and its answers end after their code.
            if form.proof == Proof::Certain
                || !is_plain
                || self.prompt_explains(call.grammar)
                || self.prompt_has_label(&head)
            {
                return true;
            }
        }
        false
    }

    /// Returns true if the prompt contains the label at the start of a reply, such as `Observation:`.
    fn prompt_has_label(&self, head: &str) -> bool {
        let Some((label, _)) = head.split_once(':') else { return false };
        self.prompt.contains(&format!("{}:", label.to_lowercase()))
    }

    /// Counts the first replies to calls, by [`Kind`].
    fn count_first_replies(&self, transcript: &Transcript) -> FirstReplies {
        let mut first = FirstReplies::default();
        for exchange in &self.exchanges {
            let Some(&reply) = exchange.replies.first() else { continue };
            first.all += 1;
            if let Some(call) = &exchange.call
                && !call.addresses_person()
            {
                let reply = trimmed_text(transcript, reply);
                let replies = first.by_kind.entry(call.grammar.reply_kind()).or_default();
                replies.number += 1;
                replies.formed += usize::from(self.has_form(reply, exchange));
                replies.prose += usize::from(is_prose(reply));
                replies.phrases += usize::from(is_phrase(reply));
            }
        }
        first
    }

    /// Returns true if the first reply to each call in this form is a result, whatever its text.
    fn has_rule(&self, grammar: Grammar, first: &FirstReplies) -> bool {
        if self.has_native_calls {
            return false;
        }
        // Without a reply there is nothing to judge.
        let Some(&replies) = first.by_kind.get(&grammar.reply_kind()) else { return false };
        let Replies { number, prose, .. } = replies;
        let (part, whole) = MAX_PROSE;
        let has_little_prose = prose * whole <= number * part;
        match grammar {
            Grammar::Example => false,
            Grammar::Block => self.prompt_explains(grammar) && has_little_prose,
            Grammar::Tag(name) if TAGS.contains(&name) => self.prompt_explains(grammar) && has_little_prose,
            // A home assistant's model emits a call and never gets its result; the user goes on with `kitchen too`.
            Grammar::Json(_) => {
                self.prompt_explains(grammar) && has_little_prose && !replies.are_mostly_phrases()
            }
            // Text games answer in prose.
            Grammar::Tag(_) | Grammar::ActionLine => {
                // Two replies may be chance. 80% are enough: agents end with words to a person, so not every answer has a call.
                let is_usual = number >= MIN_REPLIES
                    && number * 5 >= first.all * 4
                    && has_little_prose
                    && !replies.are_mostly_phrases();
                // A person may ask for a change of XML pasted into the first message.
                let is_of_system = grammar == Grammar::ActionLine || explains_calls(&self.system, grammar);
                is_usual || self.prompt_explains(grammar) && (is_of_system || has_little_prose)
            }
        }
    }

    fn prompt_explains(&self, grammar: Grammar) -> bool {
        explains_calls(&self.prompt, grammar)
    }
}

fn trimmed_text(transcript: &Transcript, at: usize) -> &str {
    transcript.messages.get(at).map_or("", |message| message.content.trim())
}

/// Returns true if a prompt (in lower case) asks for calls in this form.
fn explains_calls(prompt: &str, grammar: Grammar) -> bool {
    match grammar {
        Grammar::Tag(name) if name.starts_with(CODE_TAG) => prompt.contains("<execute_"),
        Grammar::Tag(name) => prompt.contains(&format!("<{}", name.to_lowercase())),
        Grammar::ActionLine => {
            has_any(prompt, &["action:", "act:", "action input"])
                && has_any(prompt, &TOLD)
                && has_any(prompt, &THOUGHTS)
        }
        Grammar::Json(key) => prompt.contains(&format!("\"{key}\"")) && has_any(prompt, &TOLD),
        Grammar::Block => {
            has_any(prompt, &["```", "backtick", "code block"])
                && has_any(prompt, &ONE_BLOCK)
                && has_any(prompt, &TOLD)
        }
        Grammar::Example => false,
    }
}

fn has_any(prompt: &str, words: &[&str]) -> bool {
    words.iter().any(|word| prompt.contains(word))
}

impl Grammar<'_> {
    /// The group for judging replies. `OwnTag` is one group because each tool may have its own tag.
    fn reply_kind(self) -> Kind {
        match self {
            Grammar::Tag(name) if TAGS.contains(&name) => Kind::KnownTag,
            Grammar::Tag(_) => Kind::OwnTag,
            Grammar::ActionLine => Kind::ActionLine,
            Grammar::Json(_) => Kind::Json,
            Grammar::Block => Kind::Block,
            Grammar::Example => Kind::Example,
        }
    }
}

/// Extracts the tool name from `[read_file for 'x'] Result:` or `Result of search_class("X"):`.
fn named_in_result(reply: &str) -> Option<&str> {
    if let Some(name) = result_header(reply.lines().next()?) {
        return Some(name);
    }
    let (name, _) = reply.strip_prefix("Result of ")?.split_once('(')?;
    let name = name.trim_start_matches('`');
    is_name(name).then_some(name)
}

/// Returns true for a result that contains a person's words.
fn has_words(reply: &str) -> bool {
    WORDS.iter().any(|tag| reply.contains(tag))
}

fn is_complaint(reply: &str) -> bool {
    COMPLAINTS.iter().any(|start| reply.starts_with(start))
}

/// Returns true for a text consisting only of editor blocks.
fn is_editor_blocks(reply: &str) -> bool {
    let mut rest = reply;
    while let Some(after) = skip_editor_block(rest) {
        rest = after;
    }
    rest.is_empty() && !reply.is_empty()
}

/// The text after an editor block at the start.
fn skip_editor_block(text: &str) -> Option<&str> {
    for name in EDITOR_BLOCKS {
        if let Some(inside) = text.strip_prefix(&format!("<{name}>"))
            && let Some((_, rest)) = inside.split_once(&format!("</{name}>"))
        {
            return Some(rest.trim_start());
        }
    }
    None
}

/// The start of a text, with `Observation 12:` shortened to `Observation:`.
pub(super) fn without_number(text: &str) -> String {
    let (head, rest) = text.split_at(text.find([':', '\n']).unwrap_or(text.len()));
    let plain = head.trim_end_matches(|c: char| c.is_ascii_digit());
    let head = if plain.ends_with(' ') { plain.trim_end() } else { head };
    head.chars().chain(rest.chars()).take(MAX_START).collect()
}

/// Marks user messages consisting only of editor blocks as observations, after the first answer.
fn mark_editor_blocks(draft: &mut Draft, notes: &mut Notes) {
    let mut is_answered = false;
    for (message, origin) in draft.transcript.messages.iter_mut().zip(&draft.origins) {
        is_answered |= message.is_answer();
        if is_answered && is_user_text(message) && is_editor_blocks(message.content.trim()) {
            message.is_observation = true;
            notes.note("messages written by an editor, taken as observations", origin.place.clone());
        }
    }
}
