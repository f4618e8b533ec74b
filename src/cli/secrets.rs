//! Secrets of a recorded conversation: keys, tokens and passwords, which a file that is made to be committed must not hold.
//! They are known by their shape, as scanners of secrets know them, or by what stands before them.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use rustc_hash::FxHashMap;
use serde_json::value::RawValue;

use agent_logs::{LogPlace, Notes, SentPart, Transcript, TranscriptMessage};

/// Shapes that only keys have. Each begins with characters of its own, so that an automaton of few states finds them all.
const SHAPES: &[&str] = &[
    // Models: OpenAI, Anthropic, OpenRouter, DeepSeek, Groq, xAI, Perplexity, Hugging Face, Replicate, NVIDIA, Tavily, E2B,
    // Cerebras, Fireworks.
    r"sk-(?:proj|ant|svcacct|admin|or|lf|litellm|None)-[A-Za-z0-9_-]{20,}",
    r"sk-[A-Za-z0-9]{20,}",
    r"gsk_[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{40,}|pplx-[A-Za-z0-9]{40,}|hf_[A-Za-z0-9]{30,}|r8_[A-Za-z0-9]{36,}",
    r"csk-[a-z0-9]{48}|fw_[A-Za-z0-9]{22,}",
    r"nvapi-[A-Za-z0-9_-]{40,}|tvly-[A-Za-z0-9-]{20,}|e2b_[a-f0-9]{40}|lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}",
    // Clouds: AWS, Google, DigitalOcean, Databricks, Heroku, Alibaba.
    r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}",
    r"AIza[A-Za-z0-9_-]{35}|ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{28}",
    r"do[opr]_v1_[a-f0-9]{64}|dapi[a-f0-9]{32}|HRKU-AA[A-Za-z0-9_-]{50,}|LTAI[A-Za-z0-9]{20}",
    // Code: GitHub, GitLab, Bitbucket and Jira, npm, PyPI, RubyGems, crates.io, Docker, Artifactory, Postman, Linear.
    r"gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,}",
    r"gl(?:pat|dt|rt|ptt|ft|soat|imt|agent|cbt|oas)-[A-Za-z0-9_.-]{20,}",
    r"AT(?:ATT|BB|CTT)[A-Za-z0-9_=-]{24,}",
    r"npm_[A-Za-z0-9]{36}|pypi-AgE[A-Za-z0-9_-]{50,}|rubygems_[a-f0-9]{48}|cio[A-Za-z0-9]{32}",
    r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,}|AKC[A-Za-z0-9]{60,}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}|lin_api_[A-Za-z0-9]{40}",
    // Money and mail: Stripe, Square, Shopify, SendGrid, Mailgun.
    r"(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{24,}",
    r"sq0(?:atp|csp)-[A-Za-z0-9_-]{22,}|shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}",
    r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|key-[a-f0-9]{32}",
    // Messages: Slack, Discord, Telegram, Twilio.
    r"xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[0-9]-[A-Z0-9]+-[0-9]+-[a-z0-9]+",
    r"https:\\*/\\*/hooks\.slack\.com\\*/(?:services|workflows|triggers)(?:[A-Za-z0-9+]|\\*/){30,}",
    r"https:\\*/\\*/discord(?:app)?\.com\\*/api\\*/webhooks\\*/[0-9]+\\*/[A-Za-z0-9_-]{60,}",
    r":AA[A-Za-z0-9_-]{33}|SK[a-f0-9]{32}|[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}",
    // Notion, Airtable, Figma, Dropbox, Grafana, Sentry, New Relic, PlanetScale, Supabase, Netlify, Doppler, 1Password.
    r"ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{40,}|pat[A-Za-z0-9]{14}\.[a-f0-9]{64}|figd_[A-Za-z0-9_-]{40}",
    r"sl\.[A-Za-z0-9_-]{100,}|glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}|glc_[A-Za-z0-9+/]{32,}=*|sntry[su]_[A-Za-z0-9+/=_]{40,}",
    r"NRAK-[A-Z0-9]{27}|pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,}|sb(?:p|_secret)_[A-Za-z0-9_]{20,}|nfp_[A-Za-z0-9]{36}",
    r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9]{40,}|ops_ey[A-Za-z0-9+/_-]{200,}",
    // Vault, Terraform, age, and tokens of JSON, which any server makes.
    r"hv[sbr]\.[A-Za-z0-9_-]{24,}|\.atlasv1\.[A-Za-z0-9_=-]{60,}|AGE-SECRET-KEY-1[A-Z0-9]{58}",
    r"eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+)?",
];

/// A private key, also with escaped line breaks, numbers of lines or marks of a diff, and also if it is cut off.
const PRIVATE_KEY: &str = concat!(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----",
    r"(?:(?:[ \t\r\n]|\\[nrt])*[+>-]?(?:[0-9]{1,6}(?:→|[|:\t]))?[ \t]*",
    r"(?:[A-Za-z0-9+/=]{16,}|(?:Version|Comment|Proc-Type|DEK-Info|Hash|Charset): [^\n\\]*))*",
    r"(?:(?:(?:[ \t\r\n]|\\[nrt])*[+>-]?(?:[0-9]{1,6}(?:→|[|:\t]))?[ \t]*[A-Za-z0-9+/=]{1,15})?",
    r"(?:[ \t\r\n]|\\[nrt])*[+>-]?(?:[0-9]{1,6}(?:→|[|:\t]))?[ \t]*-----END [A-Z0-9 ]{0,40}-----)?",
);

/// Names of values that are secret.
const NAMES: &str = concat!(
    r"(?:password|passwd|passphrase|[_-]pwd|secret|api[_-]?key|access[_-]?key(?:[_-]?id)?|account[_-]?key|auth[_-]?key|",
    r"encryption[_-]?key|signing[_-]?key|private[_-]?key|credentials?|",
    r"(?:auth|access|refresh|api|bot|session|csrf|security|deploy|bearer|id|hub|lab|npm|slack)[_-]?token|[_-]token)",
);

/// Patterns of the text around a secret; the secret is a group. JSON in a text escapes quotation marks, perhaps slashes, `=` and `&`.
static CONTEXTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let quoted = r#"\\*["'`]((?:[^ \t\r\n"'`\\]|\\+/){6,})\\*["'`]"#;
    let plain = r"([A-Za-z0-9+/_.=~!@#$%^&*?-]{6,})";
    let assigns = r"[ \t]*(?::=|=>|==?|:|\\+u003[dD])[ \t]*";
    let mark = r#"(?:\\*["'`\]]){0,2}"#;
    let patterns = [
        format!(
            r"(?i-u:{NAMES}[A-Z0-9]{{0,4}}(?:[_-][A-Z0-9]{{1,8}})?){mark}{assigns}(?:{quoted}|{plain})"
        ),
        format!(r"--(?i-u:{NAMES}|token)[ =](?:{quoted}|{plain})"),
        format!(r"<(?i-u:{NAMES})>([^<>\s]{{6,400}})</"),
        // A variable of an environment, as Docker and Kubernetes write it.
        format!(
            r"(?i-u:name{mark}{assigns}{mark}[A-Z0-9_.-]*{NAMES}[A-Z0-9_]*){mark},?(?:[ \t\r\n]|\\[nrt])*{mark}(?i-u:value){mark}{assigns}(?:{quoted}|{plain})"
        ),
        r"(?i-u:bearer|basic|authorization: token)[ ]+([A-Za-z0-9+/_.=~-]{16,})".to_owned(),
        r#":(?:\\*/){2}[^ \t\r\n/:@"'<>`\\]*:([^ \t\r\n/@"'<>`\\]+)@[A-Za-z0-9\[]"#.to_owned(),
        r":(?:\\*/){2}([A-Za-z0-9_]{20,})@[A-Za-z0-9]".to_owned(),
        r"(?:[?&]|\\u0026)(?i-u:sig|x-amz-signature|signature|key|token|auth)=([A-Za-z0-9%+/_-]{20,})".to_owned(),
        r#"(?i-u:cookie): [^\r\n"'`\\]*?(?i-u:sess|sid|auth|token)[A-Za-z0-9_.-]*=([^ ;\r\n"'`\\]{12,})"#.to_owned(),
        r"machine[ \t]+[^ \t]+[ \t]+login[ \t]+[^ \t]+[ \t]+password[ \t]+([^ \t\r\n]+)".to_owned(),
        format!(r#"{mark}auth\\*["']{assigns}\\*["']([A-Za-z0-9+/]{{16,}}=*)\\*["']"#),
        r#"(?:sshpass -p|curl [^\r\n"'`]*?(?:-u|--user)[ =]?\\*["']?[^ :"'`\\]+:)[ ]*\\*["']?([^ \t\r\n"'`\\]{6,})"#.to_owned(),
    ];
    Regex::new(&patterns.join("|")).ok()
});

static KEYS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!("{}|{PRIVATE_KEY}", SHAPES.join("|"))).ok());

/// A name that is one of those, and nothing else.
static NAME: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(&format!(r"^(?i-u:[A-Z0-9_.-]*{NAMES}[A-Z0-9]{{0,4}}|token|pwd|authorization)$")).ok()
});

/// The number of last bytes by which a secret is found again: as many as the shortest value that is taken for one has.
const ANCHOR: usize = 6;

/// Bytes of the longest value that is taken for a secret because of what stands before it.
const MAX: usize = 400;

/// Words in values that stand for a secret.
const PLACEHOLDERS: &[&str] = &[
    "$",
    "{",
    "<",
    "***",
    "...",
    "xxxx",
    "your",
    "example",
    "placeholder",
    "changeme",
    "change-me",
    "redacted",
    "undefined",
    "process.env",
    "os.environ",
    "getenv",
    "secrets.",
    "[secret",
];

/// The secrets of all conversations so far. Equal ones have one number.
#[derive(Default)]
pub(super) struct Secrets {
    numbers: FxHashMap<String, usize>,
    /// Secrets and their numbers, by their last bytes.
    known: FxHashMap<[u8; ANCHOR], Vec<(String, usize)>>,
}

/// A secret in a text, from one byte to another.
struct Occurrence {
    start: usize,
    end: usize,
    number: usize,
}

impl Secrets {
    /// Replaces the secrets of a log's conversation with this number by `[secret 1]` and so on, and notes their places. A secret that is known by what
    /// stands before it is also replaced where it stands alone.
    pub(super) fn hide_in(&mut self, transcript: &mut Transcript, conversation: usize, notes: &mut Notes) {
        each_text(transcript, &mut |text| {
            self.learn(text);
            None
        });
        if self.known.is_empty() {
            return;
        }
        each_text(transcript, &mut |text| {
            let (hidden, count) = self.hidden(text.text)?;
            for _ in 0..count {
                let place =
                    LogPlace { line: 0, path: format!("conversation {conversation}, {}", text.place) };
                notes.note("secrets replaced by [secret NUMBER], which --keep-secrets keeps", place);
            }
            Some(hidden)
        });
    }

    fn learn(&mut self, text: &Text) {
        let keys = KEYS.iter().flat_map(|keys| keys.find_iter(text.text));
        for key in keys.filter(|key| begins(text.text, key.start()) && is_random(key.as_str())) {
            self.add(key.as_str());
        }
        for context in CONTEXTS.iter().flat_map(|contexts| contexts.captures_iter(text.text)) {
            for value in context.iter().skip(1).flatten() {
                let (before, after) = (text.text.get(..value.start()), text.text.get(value.end()..));
                let is_quoted = before.is_some_and(|before| before.ends_with(['"', '\'', '`']));
                let is_code =
                    after.is_some_and(|after| after.starts_with(['(', '[']) || after.starts_with("::"));
                if is_secret(value.as_str()) && (is_quoted || !is_code && is_plain_secret(value.as_str())) {
                    self.add(value.as_str());
                }
            }
        }
        let is_named = text.key.is_some_and(|key| NAME.as_ref().is_some_and(|name| name.is_match(key)));
        let is_word = !text.text.contains(char::is_whitespace);
        if is_named && is_word && is_secret(text.text) {
            self.add(text.text);
        }
    }

    fn add(&mut self, value: &str) {
        // The end of a sentence.
        let value = value.trim_end_matches('.');
        let Some(anchor) = value.as_bytes().last_chunk::<ANCHOR>() else { return };
        // A private key is the same with line breaks of any kind.
        let plain = value.replace("\\n", "").replace(char::is_whitespace, "");
        let number = self.numbers.len() + 1;
        let number = *self.numbers.entry(plain).or_insert(number);
        let known = self.known.entry(*anchor).or_default();
        if known.iter().all(|(secret, _)| secret != value) {
            known.push((value.to_owned(), number));
        }
    }

    /// The text without the secrets, and their number; none if it holds none.
    fn hidden(&self, text: &str) -> Option<(String, usize)> {
        let mut occurrences = self.occurrences(text);
        // The longest of those that begin at one place.
        occurrences.sort_by_key(|secret| (secret.start, std::cmp::Reverse(secret.end)));
        let (mut hidden, mut end, mut count) = (String::new(), 0, 0);
        for secret in occurrences {
            if let Some(before) = text.get(end..secret.start).filter(|_| secret.start >= end) {
                hidden += &format!("{before}[secret {}]", secret.number);
                (end, count) = (secret.end, count + 1);
            }
        }
        // Places of secrets are borders of characters.
        (count > 0).then(|| (hidden + &text[end..], count))
    }

    /// The secrets in a text, in the order of their ends.
    fn occurrences(&self, text: &str) -> Vec<Occurrence> {
        let mut occurrences = Vec::new();
        for (at, last) in text.as_bytes().windows(ANCHOR).enumerate() {
            let Some(known) = <&[u8; ANCHOR]>::try_from(last).ok().and_then(|last| self.known.get(last))
            else {
                continue;
            };
            let end = at + ANCHOR;
            let Some(before) = text.get(..end) else { continue };
            for (secret, number) in known.iter().filter(|(secret, _)| before.ends_with(secret)) {
                let start = end - secret.len();
                if begins(text, start) && ends(text, end) {
                    occurrences.push(Occurrence { start, end, number: *number });
                }
            }
        }
        occurrences
    }
}

/// Returns true if no word goes on at this place. A letter may belong to an escape, such as that of a line break or of `=`.
fn begins(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at(at);
    let is_inside = before.ends_with(|c: char| c.is_ascii_alphanumeric())
        && after.starts_with(|c: char| c.is_ascii_alphanumeric());
    let last = before.get(before.floor_char_boundary(before.len().saturating_sub(6))..).unwrap_or_default();
    let escape = last.rsplit_once('\\').map_or("", |(_, escape)| escape);
    !is_inside || ["n", "r", "t"].contains(&escape) || escape.len() == 5 && escape.starts_with('u')
}

fn ends(text: &str, at: usize) -> bool {
    let (before, after) = text.split_at(at);
    !(before.ends_with(|c: char| c.is_ascii_alphanumeric())
        && after.starts_with(|c: char| c.is_ascii_alphanumeric()))
}

/// Returns false for what somebody writes by hand, such as a name with hyphens or the first line of a private key. Keys of Hugging
/// Face have no digit, and neither has one of thirty of AWS.
fn is_random(key: &str) -> bool {
    let last = key.rsplit(['-', '_', '.']).next().unwrap_or(key);
    let letters: BTreeSet<char> = last.chars().collect();
    let capitals = last.chars().filter(char::is_ascii_uppercase).count();
    key.contains(|c: char| c.is_ascii_digit()) || capitals >= 5 && letters.len() > 10
}

/// Returns true for a value that can be a secret: no word, number, path, name or piece of a program.
fn is_secret(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let is_name = lower.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    // `password: db_password2` names a variable; a key that holds such a word by chance is longer.
    let words = ["password", "passwd", "secret", "token", "apikey", "_key", "key_", "-key", "key-"];
    let names_itself = is_name && value.len() < 30 && words.iter().any(|word| lower.contains(word));
    let is_path = ["/", "./", "../", "~/", "http:", "https:"].iter().any(|start| lower.starts_with(start));
    let has_digit = value.contains(|c: char| c.is_ascii_digit());
    let has_letter = value.contains(|c: char| c.is_ascii_alphabetic());
    let has_sign = value.contains(|c: char| "!@#%^&*+?".contains(c));
    let is_placeholder =
        PLACEHOLDERS.iter().any(|word| lower.contains(word)) || lower.ends_with(['(', ',', ';']);
    value.len() <= MAX
        && has_letter
        && (has_digit || has_sign)
        && !is_placeholder
        && !names_itself
        && !is_path
}

/// Returns true for a value that can be a secret without quotes, where a type, a macro or a variable can stand too.
fn is_plain_secret(value: &str) -> bool {
    let is_variable = value.contains('_')
        && value.chars().all(|c| c == '_' || c.is_ascii_lowercase() || c.is_ascii_digit());
    value.contains(|c: char| c.is_ascii_digit()) && !value.starts_with(['*', '&']) && !is_variable
}

/// A text of a conversation.
struct Text<'a> {
    place: &'a str,
    /// The key of an object in the arguments of a call.
    key: Option<&'a str>,
    text: &'a str,
}

type Visit<'a> = dyn FnMut(&Text) -> Option<String> + 'a;

/// Visits all texts of a conversation in their order. What the visitor returns takes their place.
fn each_text(transcript: &mut Transcript, visit: &mut Visit) {
    transcript.system.iter_mut().for_each(|text| replace("system", text, visit));
    for (number, tool) in transcript.tools.iter_mut().enumerate() {
        let place = format!("tools[{number}]");
        tool.description.iter_mut().for_each(|text| replace(&place, text, visit));
        tool.parameters.iter_mut().for_each(|json| replace_in_json(&place, json, visit));
    }
    for (number, message) in transcript.messages.iter_mut().enumerate() {
        each_text_of(&format!("messages[{number}]"), message, visit);
    }
    for (number, compaction) in transcript.compactions.iter_mut().enumerate() {
        let place = format!("compactions[{number}]");
        compaction
            .text
            .iter_mut()
            .chain(&mut compaction.system)
            .for_each(|text| replace(&place, text, visit));
        for part in compaction.sent.iter_mut().flatten() {
            if let SentPart::Message(message) = part {
                each_text_of(&place, message, visit);
            }
        }
    }
    let Some(evaluation) = &mut transcript.evaluation else { return };
    let texts = evaluation.preludes.iter_mut().chain([&mut evaluation.program]);
    let texts = texts.chain(evaluation.prints.iter_mut().flatten());
    let texts = texts.chain(&mut evaluation.answers).chain(&mut evaluation.told);
    texts.for_each(|text| replace("evaluation", text, visit));
}

fn each_text_of(place: &str, message: &mut TranscriptMessage, visit: &mut Visit) {
    replace(place, &mut message.content, visit);
    message.tool_calls.iter_mut().for_each(|call| replace_in_json(place, &mut call.arguments, visit));
}

fn replace(place: &str, text: &mut String, visit: &mut Visit) {
    if let Some(new) = visit(&Text { place, key: None, text }) {
        *text = new;
    }
}

/// Visits the strings of a JSON text, whose other bytes stay as they are.
fn replace_in_json(place: &str, json: &mut Box<RawValue>, visit: &mut Visit) {
    let (text, mut new, mut copied, mut at) = (json.get(), String::new(), 0, 0);
    let mut key: Option<(String, usize)> = None;
    while let Some((start, end)) = next_string(text, at) {
        at = end;
        let Some(string) = text.get(start..end).and_then(|text| serde_json::from_str::<String>(text).ok())
        else {
            continue;
        };
        let of =
            key.take().filter(|(_, key_end)| text.get(*key_end..start).is_some_and(|gap| gap.trim() == ":"));
        let key_text = of.as_ref().map(|(key, _)| key.as_str());
        if let Some(hidden) = visit(&Text { place, key: key_text, text: &string })
            && let Ok(hidden) = serde_json::to_string(&hidden)
        {
            // A string begins and ends with a quotation mark.
            new += &text[copied..start];
            new += &hidden;
            copied = end;
        }
        key = Some((string, end));
    }
    new += &text[copied..];
    if copied > 0
        && let Ok(new) = RawValue::from_string(new)
    {
        *json = new;
    }
}

/// The place of the next string literal of a JSON text.
fn next_string(text: &str, from: usize) -> Option<(usize, usize)> {
    let start = from + text.get(from..)?.find('"')?;
    let mut end = start + 1;
    loop {
        end += text.get(end..)?.find(['"', '\\'])?;
        if text.as_bytes().get(end) == Some(&b'"') {
            return Some((start, end + 1));
        }
        end += 2;
    }
}
