//! Groups the conversations of a folder by agent, and names the agents. Advice for one agent does not apply to another.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::transcript::Transcript;

/// Formats of programs that log their own sessions. Prompt and tools vary between a program's versions and subagents, and most of these
/// logs contain neither.
const PRODUCTS: [&str; 21] = [
    "aider",
    "amp",
    "chatgpt",
    "claude",
    "claude-code",
    "cline",
    "codex",
    "copilot-cli",
    "cursor-cli",
    "deepseek-harness",
    "factory-droid",
    "gemini-cli",
    "goose",
    "kimi-cli",
    "kimi-code",
    "opencode",
    "openhands",
    "pi",
    "qwen-code",
    "roo",
    "vscode-chat",
];

/// Returns true for the log format of a program such as Claude Code. Users cannot change the code of such an agent.
pub fn is_of_program(format: &str) -> bool {
    PRODUCTS.contains(&format)
}

/// Number of prompt words that identify an agent.
const WORDS: usize = 12;
/// Minimum number of words in a line that introduces the agent.
const LEAST_WORDS: usize = 2;
/// Maximum length of a name, in words and characters.
const NAME_WORDS: usize = 4;
const NAME_CHARACTERS: usize = 32;
/// Minimum number of conversations to conclude anything from most of their prompts being unique.
const MANY: usize = 8;
/// Two conversations with the same prompt belong to one agent if they share at least 1/`SHARED_PARTS` of the smaller tool set.
const SHARED_PARTS: usize = 2;

/// Features of a conversation that identify its agent.
#[derive(Clone, Debug, Default)]
pub struct AgentMarks {
    format: String,
    /// The first words of the system prompt that stay the same in every run.
    prompt: Vec<Word>,
    declared: BTreeSet<String>,
    called: BTreeSet<String>,
    /// Approximate input tokens of its requests.
    sent: u64,
}

/// A word of a prompt.
#[derive(Clone, Debug)]
struct Word {
    /// In lower case, without punctuation.
    text: String,
    /// True at the end of a phrase.
    is_last: bool,
}

/// An agent and its conversations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedAgent {
    /// A name usable for a folder, unique among the agents.
    pub name: String,
    /// Indices of its conversations, in order.
    pub conversations: Vec<usize>,
}

/// Format and prompt shared by conversations.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Common<'m> {
    format: &'m str,
    prompt: Vec<&'m str>,
}

impl AgentMarks {
    pub fn from_transcript(transcript: &Transcript) -> AgentMarks {
        AgentMarks {
            format: match &transcript.source {
                Some(source) => source.format.clone(),
                None => "transcript".to_owned(),
            },
            prompt: stable_words(transcript.system.as_deref().unwrap_or("")),
            declared: transcript.tools.iter().map(|tool| tool.name.clone()).collect(),
            called: called_tools(transcript),
            sent: sent_tokens(transcript),
        }
    }

    fn is_of_product(&self) -> bool {
        is_of_program(&self.format)
    }

    fn common_traits(&self, with_prompt: bool) -> Common<'_> {
        let mut prompt = Vec::new();
        if with_prompt && !self.is_of_product() {
            prompt.extend(self.prompt.iter().map(|word| word.text.as_str()));
        }
        Common { format: &self.format, prompt }
    }

    fn tools(&self) -> &BTreeSet<String> {
        if self.declared.is_empty() { &self.called } else { &self.declared }
    }
}

/// Names of the called tools. None for a journal: there, a program makes the calls, and each program needs different ones.
fn called_tools(transcript: &Transcript) -> BTreeSet<String> {
    let mut tools = BTreeSet::new();
    if transcript.is_of_journal() {
        return tools;
    }
    for answer in transcript.answers() {
        tools.extend(answer.tool_calls.iter().map(|call| call.name.clone()));
    }
    tools
}

/// Bytes per token (approximate).
const TOKEN: usize = 4;

/// Billed input tokens, or an estimate from the history before each answer.
fn sent_tokens(transcript: &Transcript) -> u64 {
    if let Some(billed) = transcript.billed()
        && billed.unbilled.is_empty()
    {
        return billed.input_tokens;
    }
    let (mut sent, mut history) = (0, transcript.system.as_ref().map_or(0, String::len));
    for message in &transcript.messages {
        if message.is_answer() {
            sent += history;
        }
        history += message.content.len();
        for call in &message.tool_calls {
            history += call.arguments.get().len();
        }
    }
    (sent / TOKEN) as u64
}

/// Groups conversations by agent, the one with the most input tokens first.
pub fn agents_of(marks: &[&AgentMarks]) -> Vec<LoggedAgent> {
    let tasks = formats_with_tasks(marks);
    let mut by_common: BTreeMap<Common<'_>, Vec<usize>> = BTreeMap::new();
    for (index, one) in marks.iter().enumerate() {
        by_common.entry(one.common_traits(!tasks.contains(one.format.as_str()))).or_default().push(index);
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (common, members) in by_common {
        if is_of_program(common.format) {
            groups.push(members);
        } else {
            groups.extend(by_tools(marks, &members, !common.prompt.is_empty()));
        }
    }
    groups.sort_by_key(|group| (Reverse(sum_sent(marks, group)), group.first().copied()));
    let mut agents = Vec::with_capacity(groups.len());
    for (name, conversations) in name_groups(marks, &groups).into_iter().zip(groups) {
        agents.push(LoggedAgent { name, conversations });
    }
    agents
}

/// Approximate input tokens of a group's conversations.
fn sum_sent(marks: &[&AgentMarks], group: &[usize]) -> u64 {
    let mut sum = 0;
    for at in group {
        sum += marks.get(*at).map_or(0, |one| one.sent);
    }
    sum
}

/// Formats whose prompts contain the task: most of their conversations have a unique prompt.
fn formats_with_tasks<'m>(marks: &[&'m AgentMarks]) -> BTreeSet<&'m str> {
    let mut prompts: BTreeMap<&str, (usize, BTreeSet<Common<'_>>)> = BTreeMap::new();
    for one in marks {
        if !one.prompt.is_empty() {
            let (number, distinct) = prompts.entry(&one.format).or_default();
            *number += 1;
            distinct.insert(one.common_traits(true));
        }
    }
    prompts.retain(|_, (number, distinct)| *number >= MANY && distinct.len() * 2 > *number);
    prompts.into_keys().collect()
}

/// Conversations sharing some tools.
#[derive(Default)]
struct Toolbox<'m> {
    tools: BTreeSet<&'m str>,
    members: Vec<usize>,
}

impl Toolbox<'_> {
    fn is_alike(&self, tools: &BTreeSet<&str>, is_declared: bool) -> bool {
        let shared = self.tools.intersection(tools).count();
        if is_declared {
            return shared >= tools.len().min(self.tools.len()).div_ceil(SHARED_PARTS);
        }
        // A run calls only some of its agent's tools, so one common tool is enough.
        shared >= 1
    }
}

/// Splits conversations of one prompt and format by their tools. Those without tools join the largest group.
fn by_tools(marks: &[&AgentMarks], members: &[usize], has_prompt: bool) -> Vec<Vec<usize>> {
    let mut equal: BTreeMap<&BTreeSet<String>, Vec<usize>> = BTreeMap::new();
    let mut without = Vec::new();
    for &at in members {
        let Some(one) = marks.get(at) else { continue };
        // A run uses only some of its agent's tools, so calls are ignored if there is a prompt.
        let tools = if has_prompt { &one.declared } else { one.tools() };
        match tools.is_empty() {
            true => without.push(at),
            false => equal.entry(tools).or_default().push(at),
        }
    }
    let mut boxes: Vec<Toolbox<'_>> = Vec::new();
    for (tools, members) in equal {
        let names: BTreeSet<&str> = tools.iter().map(String::as_str).collect();
        let first = members.first().and_then(|at| marks.get(*at));
        let is_declared = first.is_some_and(|one| !one.declared.is_empty());
        let alike: Vec<_> = boxes.extract_if(.., |other| other.is_alike(&names, is_declared)).collect();
        let mut joined = Toolbox { tools: names, members };
        for other in alike {
            joined.tools.extend(other.tools);
            joined.members.extend(other.members);
        }
        boxes.push(joined);
    }
    match boxes.iter_mut().max_by_key(|one| one.members.len()) {
        Some(largest) => largest.members.append(&mut without),
        None => boxes.push(Toolbox { tools: BTreeSet::new(), members: without }),
    }
    let mut groups = Vec::with_capacity(boxes.len());
    for Toolbox { mut members, .. } in boxes {
        members.sort_unstable();
        groups.push(members);
    }
    groups
}

/// A group of conversations without a name yet.
struct Unnamed<'m> {
    plain: String,
    /// Number of conversations that declare or call each tool.
    tools: BTreeMap<&'m str, usize>,
}

/// Names each group of conversations. Groups with the same name get the name of a tool unique to them appended.
fn name_groups(marks: &[&AgentMarks], groups: &[Vec<usize>]) -> Vec<String> {
    let unnamed: Vec<Unnamed<'_>> = groups.iter().map(|group| Unnamed::from_group(marks, group)).collect();
    let mut alike: BTreeMap<&str, usize> = BTreeMap::new();
    let mut holders: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for Unnamed { plain, tools } in &unnamed {
        *alike.entry(plain).or_default() += 1;
        for tool in tools.keys() {
            *holders.entry((plain, tool)).or_default() += 1;
        }
    }
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut names = Vec::new();
    for Unnamed { plain, tools } in &unnamed {
        let own = tools.iter().filter(|(tool, _)| holders.get(&(plain.as_str(), **tool)) == Some(&1));
        let name = match own.max_by_key(|(tool, times)| (**times, Reverse(**tool))) {
            Some((tool, _)) if alike.get(plain.as_str()) != Some(&1) => {
                cut_name(&format!("{plain}-{}", slug(tool)))
            }
            _ => plain.clone(),
        };
        let mut free = name.clone();
        // Another agent may already have this name with a number.
        for number in 2.. {
            if taken.insert(free.clone()) {
                break;
            }
            free = format!("{name}-{number}");
        }
        names.push(free);
    }
    names
}

impl<'m> Unnamed<'m> {
    fn from_group(marks: &[&'m AgentMarks], group: &[usize]) -> Unnamed<'m> {
        let mut tools = BTreeMap::new();
        let members: Vec<&AgentMarks> = group.iter().filter_map(|at| marks.get(*at).copied()).collect();
        for member in &members {
            for tool in member.tools() {
                *tools.entry(tool.as_str()).or_default() += 1;
            }
        }
        let Some(first) = members.first() else { return Unnamed { plain: String::new(), tools } };
        let common = first.common_traits(true);
        let is_alike = members.iter().all(|one| one.common_traits(true) == common);
        Unnamed { plain: plain_name(first, is_alike), tools }
    }
}

/// The name before resolving duplicates: the agent's role from its prompt, or else the format of its logs.
fn plain_name(marks: &AgentMarks, has_prompt: bool) -> String {
    let phrase = if has_prompt && !marks.is_of_product() { find_role(&marks.prompt) } else { Vec::new() };
    if phrase.is_empty() { slug(&marks.format) } else { cut_name(&phrase.join("-")) }
}

/// Extracts `airline-agent` from `You are an airline agent who …`.
fn find_role(prompt: &[Word]) -> Vec<String> {
    // Words before the role.
    const BEFORE: [&str; 9] = ["you", "you're", "are", "act", "as", "a", "an", "the", "your"];
    // Words after the role.
    const AFTER: [&str; 16] = [
        "and", "who", "that", "which", "with", "for", "to", "in", "on", "based", "working", "whose", "from",
        "by", "at", "of",
    ];
    // Skip a heading such as `SETTING:`.
    let starts = match prompt {
        [first, rest @ ..] if first.is_last && !rest.is_empty() => rest,
        all => all,
    };
    let role = starts.iter().skip_while(|word| BEFORE.contains(&word.text.as_str()));
    let mut phrase = Vec::new();
    for word in role.take(NAME_WORDS) {
        if AFTER.contains(&word.text.as_str()) && !phrase.is_empty() {
            break;
        }
        phrase.push(slug(&word.text));
        if word.is_last {
            break;
        }
    }
    phrase.retain(|word| !word.is_empty());
    phrase
}

/// The first words of the line that introduces the agent, without numbers, dates, paths and addresses: these differ between runs.
fn stable_words(prompt: &str) -> Vec<Word> {
    let mut lines = prompt.lines().map(split_words).filter(|words| !words.is_empty());
    let Some(first) = lines.next() else { return Vec::new() };
    if first.len() >= LEAST_WORDS {
        return first;
    }
    lines.find(|words| words.len() >= LEAST_WORDS).unwrap_or(first)
}

fn split_words(line: &str) -> Vec<Word> {
    let mut words = Vec::new();
    for raw in line.split_whitespace() {
        let text = raw.trim_matches(|c: char| !c.is_alphanumeric() && !"/\\~".contains(c)).to_lowercase();
        if !text.is_empty() && is_stable(&text) {
            words.push(Word { text, is_last: raw.ends_with([',', '.', ';', ':', '!', '?', ')']) });
        }
        if words.len() == WORDS {
            break;
        }
    }
    words
}

fn is_stable(word: &str) -> bool {
    const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    const MONTHS: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    !word.contains(|c: char| c.is_ascii_digit() || "/\\@~".contains(c))
        && !DAYS.contains(&word)
        && !MONTHS.contains(&word)
}

fn slug(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    for part in text.to_lowercase().split(|c: char| !c.is_alphanumeric()) {
        if !part.is_empty() {
            if !slug.is_empty() {
                slug.push('-');
            }
            slug.push_str(part);
        }
    }
    slug
}

/// Cuts a name to [`NAME_CHARACTERS`] at a word boundary.
fn cut_name(name: &str) -> String {
    let mut cut: String = name.chars().take(NAME_CHARACTERS).collect();
    if let Some(next) = name.chars().nth(NAME_CHARACTERS)
        && next != '-'
        && let Some(end) = cut.rfind('-')
    {
        cut.truncate(end);
    }
    cut
}
