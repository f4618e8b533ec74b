//! Calls of tools written as text in an answer.

/// Call names starting like this address a person: the reply is a person's words.
const SPEAKING: [&str; 12] = [
    "respond",
    "reply",
    "final",
    "finish",
    "answer",
    "ask",
    "human",
    "message",
    // Cline and Roo end a task with this call; a person answers.
    "attempt_completion",
    "plan_mode",
    "say",
    "talk",
];

/// Call tags that also occur in other texts.
pub(super) const TAGS: [&str; 14] = [
    // MINT writes `<execute>` and `<solution>`.
    "execute", "solution", "action", "command", "bash", "shell", "terminal", "tool", "search", "python",
    "code", "run", "query", "invoke",
];

/// Start of code tags.
pub(super) const CODE_TAG: &str = "execute_";

/// Starts of lines with a call.
const ACTION_LINES: [&str; 4] = ["action:", "act:", "action input:", "next action:"];

/// Fields of a call written as a JSON object.
const CALL_FIELDS: [&str; 7] =
    ["action", "action_input", "tool", "tool_name", "function", "command", "tool_calls"];

/// A call written as text in an answer.
pub(super) struct Call<'t> {
    pub(super) grammar: Grammar<'t>,
    pub(super) name: &'t str,
}

/// The form of a call.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Grammar<'t> {
    /// A tag with this name.
    Tag(&'t str),
    /// A line such as `Action: search[Oslo]`.
    ActionLine,
    /// A JSON object with this field.
    Json(&'static str),
    /// A fenced block at the end of the answer.
    Block,
    /// A fenced block before the end, as in ordinary chats.
    Example,
}

impl Call<'_> {
    /// Returns true if the call addresses a person.
    pub(super) fn addresses_person(&self) -> bool {
        let name = self.name.to_lowercase();
        SPEAKING.iter().any(|start| name.starts_with(start))
    }
}

/// Finds a call written as text in an answer.
pub(super) fn find_call(answer: &str) -> Option<Call<'_>> {
    let answer = answer.trim();
    if let Some(call) = parse_json_call(answer) {
        return Some(call);
    }
    let outside = outside_of_blocks(answer);
    for line in &outside {
        if let Some(call) = find_tag(line, answer) {
            return Some(call);
        }
    }
    if let Some(call) = parse_action_line(answer, &outside) {
        return Some(call);
    }
    if !answer.contains("```") {
        return None;
    }
    // smolagents ends its code with `<end_code>`; some providers cut off the final `>`.
    let end = answer.trim_end_matches("<end_code>").trim_end();
    let grammar = if end.ends_with("```") { Grammar::Block } else { Grammar::Example };
    Some(Call { grammar, name: "" })
}

/// The lines outside fenced blocks.
fn outside_of_blocks(text: &str) -> Vec<&str> {
    let mut is_inside = false;
    let mut outside = Vec::new();
    for line in text.lines() {
        let is_fence = line.trim_start().starts_with("```");
        is_inside ^= is_fence;
        if !is_inside && !is_fence {
            outside.push(line);
        }
    }
    outside
}

/// Finds a call's opening tag in a line. A known tag may be anywhere. Any other tag must start the line, contain an underscore, and be
/// closed in the answer.
fn find_tag<'t>(line: &'t str, answer: &str) -> Option<Call<'t>> {
    for (at, _) in line.match_indices('<') {
        let (before, after) = (&line[..at], &line[at + 1..]);
        // A tag in backticks is only mentioned.
        if before.ends_with('`') {
            continue;
        }
        let end = after.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '-').unwrap_or(after.len());
        let (name, rest) = after.split_at(end);
        // `<function=NAME>` and `<invoke name="NAME">`.
        let named = rest.strip_prefix('=').or(rest.strip_prefix(" name=\""));
        let called = match named {
            Some(named) => named.split(['>', '"']).next().unwrap_or(name),
            None => name,
        };
        let is_known = TAGS.contains(&name) && (rest.starts_with('>') || named.is_some());
        let is_own = rest.starts_with('>') && before.trim().is_empty() && name.contains('_');
        let is_code = name.starts_with(CODE_TAG) || name == "function" && named.is_some();
        if is_known || is_code || is_own && answer.contains(&format!("</{name}>")) {
            return Some(Call { grammar: Grammar::Tag(name), name: called });
        }
    }
    None
}

/// Parses a line such as `Action: search[Oslo]`.
fn parse_action_line<'t>(answer: &'t str, outside: &[&'t str]) -> Option<Call<'t>> {
    let rest = outside.iter().find_map(|line| strip_action(line))?;
    let name = rest.trim_matches(|c: char| c == '*' || c.is_whitespace());
    let is_below = name.is_empty() || name.starts_with(['{', '`']);
    let name = if is_below { json_name(answer) } else { name.split(['(', '[', '{', ':', '`']).next() };
    Some(Call { grammar: Grammar::ActionLine, name: name.unwrap_or_default().trim() })
}

/// The text after `Action:`, or a numbered `Action 3:`.
fn strip_action(line: &str) -> Option<&str> {
    let plain = line.trim_start_matches(|c: char| !c.is_alphanumeric());
    if let Some((head, rest)) = plain.split_once(':')
        && let Some((word, number)) = head.split_at_checked(7)
        && word.eq_ignore_ascii_case("action ")
        && number.parse::<u32>().is_ok()
    {
        return Some(rest);
    }
    let known = ACTION_LINES.iter().find(|start| starts_with(plain, start))?;
    plain.get(known.len()..)
}

/// Returns true for a line such as `Action: search[Oslo]`.
pub(super) fn is_action_line(line: &str) -> bool {
    ACTION_LINES.iter().any(|start| starts_with(line, start))
}

/// Parses an answer consisting of one JSON object, bare or in a fenced block.
fn parse_json_call(answer: &str) -> Option<Call<'_>> {
    let inside = match answer.strip_prefix("```") {
        Some(block) => block.split_once('\n')?.1.trim_end().strip_suffix("```")?,
        None => answer,
    };
    let inside = inside.trim();
    if !inside.starts_with('{') {
        return None;
    }
    let value: serde_json::Value = serde_json::from_str(inside).ok()?;
    let key = *CALL_FIELDS.iter().find(|key| value.get(key).is_some())?;
    Some(Call { grammar: Grammar::Json(key), name: json_name(inside).unwrap_or_default() })
}

/// Finds the call's name in JSON: the string value of the first name field.
fn json_name(text: &str) -> Option<&str> {
    for key in ["\"action\"", "\"name\"", "\"tool\"", "\"tool_name\""] {
        if let Some((_, rest)) = text.split_once(key)
            && let Some(value) = rest.trim_start().strip_prefix(':')
            && let Some(string) = value.trim_start().strip_prefix('"')
        {
            return string.split('"').next();
        }
    }
    None
}

/// Returns true if a text has this start, ignoring ASCII case.
pub(super) fn starts_with(text: &str, start: &str) -> bool {
    match text.get(..start.len()) {
        Some(head) => head.eq_ignore_ascii_case(start),
        None => false,
    }
}
