//! Secrets in the output of commands: a secret on its own line (`pass show shop`), values below a heading such as `Recovery codes:`, and
//! all keys printed by commands such as `keys list`.

use std::sync::LazyLock;

use regex::Regex;

use super::chars::{are_alphanumeric_or, are_hex_digits, ends_with_any, has_digit, without_number};
use super::starts::SparseRegex;
use super::values::{Strength, is_chosen, is_likely, is_mixed, is_uuid, is_words};

/// Maximum lines of an output to search.
const LINES: usize = 200;

/// Commands with a single secret as output.
static PRINTS_ONE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let commands = [
        r"pass(?:age)?[ ](?:show|-c|generate|otp)?[^|]*|gopass[ ].+|op[ ](?:read|item[ ]get.*--fields|signin.*--raw).*",
        r"vault[ ](?:kv[ ]get|read|print[ ]token|token[ ]create).*-field.*|vault[ ]print[ ]token|bao[ ]kv[ ]get.*-field.*",
        r"(?:bw|rbw|lpass|keyring|secret-tool|chamber|ejson|teller|akeyless|infisical|doppler|conjur|keepassxc-cli|1pass|security|psst|pwsafe)[ ].*",
        r"aws[ ](?:secretsmanager[ ]get-secret-value|ssm[ ]get-parameter|ecr[ ]get-login-password|rds[ ]generate-db-auth-token|codeartifact[ ]get-authorization-token|configure[ ]get[ ][a-z_.]*(?:secret|token)).*",
        r"gcloud[ ](?:secrets[ ]versions[ ]access|auth[ ].*print-.*token|sql[ ]generate-login-token).*|az[ ](?:keyvault[ ]secret[ ]show|account[ ]get-access-token|acr[ ].*credential|acr[ ]login.*--expose-token).*",
        r"(?:gh|glab|heroku|fly|flyctl|doctl|oc|kubectl|huggingface-cli|hf|netlify|vercel|pulumi|argocd|databricks|linode-cli|npm|cargo|supabase|tea|stripe)[ ].*(?:token|whoami[ ]-t|password).*",
        r"kubectl[ ].*get[ ]secrets?.*(?:jsonpath|go-template|base64).*|oc[ ].*(?:extract|get)[ ]secrets?.*|kubeadm[ ].*token.*|docker[ ]swarm[ ].*token.*",
        r"openssl[ ]rand.*|pwgen.*|(?:head|dd)[ ].*/dev/u?random.*(?:base64|xxd|md5sum|sha256sum|tr|od).*|wg[ ](?:genkey|genpsk|showconf).*|apg.*|makepasswd.*|diceware.*|xkcdpass.*|mkpasswd.*|uuencode.*",
        r"(?:bundle[ ]exec[ ]|bin/)?(?:rails|rake)[ ]secret|mix[ ]phx\.gen\.secret.*|php[ ]artisan[ ]key:generate.*|python3?[ ]-c[ ].*(?:secrets\.|get_random_secret_key|token_hex|token_urlsafe|Fernet\.generate_key).*|node[ ]-e[ ].*randomBytes.*|ruby[ ].*SecureRandom.*",
        r"(?:gpg2?|age|sops|ansible-vault|rage|openssl|eyaml|ansible)[ ].*(?:-d|--decrypt|decrypt|view)(?:[ ].*)?",
        r"(?:cat|less|head|more|type|bat|tail|xxd[ ]-p|Get-Content|sudo[ ]cat|base64[ ]-d|base64[ ]--decode|strings)[ ][^|;&]*(?:secret|token|passwd|password|passphrase|pgpass|cookie|credential|master\.key|\.key|apikey|api_key|api-key|initialAdminPassword|\.pass|id\.json|\.pin|_key|otp)[^|;&]*",
        r"(?:echo|printenv|printf|print|Write-Host|Write-Output)[ ][^|;]*(?:TOKEN|SECRET|PASSWORD|PASSWD|PASS|PWD_|API_?KEY|_KEY|CREDENTIAL|PASSPHRASE|AUTH|PSK)[A-Z0-9_]*[}\x22')]*|echo[ ]+[A-Za-z0-9+/=]{8,}[ ]*\|[ ]*base64[ ](?:-d|-D|--decode)",
        r"(?:bitcoin-cli|litecoin-cli|dogecoin-cli|geth|cast|solana-keygen|eth|near|flow)[ ].*(?:dumpprivkey|private-key|privkey|wallet|decrypt).*|snmp.*|consul[ ]keygen|nomad[ ].*keygen.*|erl.*cookie.*|tailscale[ ].*auth.*|consul[ ]acl.*|caddy[ ]hash-password.*|htpasswd[ ]-n.*",
        r"defaults[ ]read[ ].*(?:assword|oken|ecret|Key).*|reg[ ]query[ ].*(?:assword|DefaultPassword).*|netsh[ ]wlan.*key=clear.*|git[ ]config[ ].*(?:token|password|extraheader).*|npm[ ]config[ ]get[ ].*(?:auth|token).*|pip[ ]config[ ]get.*|composer[ ]config.*(?:token|auth).*|terraform[ ]output[ ].*(?:password|secret|token|key).*|pulumi[ ].*(?:--show-secrets|config[ ]get).*|wp[ ]config[ ]get[ ].*|jq[ ].*(?:password|secret|token|api_?key|ApiKey).*|yq[ ].*(?:password|secret|token|api_?key).*|redis-cli[ ].*requirepass.*|grep[ ]-[a-zA-Z]*o[a-zA-Z]*.*(?:password|secret|token|api_?key).*|awk[ ].*(?:password|secret|token).*",
    ];
    Regex::new(&format!("^(?:sudo[ ](?:-u[ ][a-z]+[ ])?|(?:docker|podman|kubectl)[ ](?:compose[ ])?exec[ ](?:.*[ ])??(?:--[ ])?|[A-Z_]+=[^ ]+[ ])*(?:{})$", commands.join("|"))).ok()
});

/// Commands with keys among other output.
static PRINTS_KEYS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i-u:secret|token|password|passwd|credential|api-?keys?|access-?key|keys?[ ](?:list|create|show|renew|regenerate)|connection-?string|login|genkey|signing-?key|service-account|get-session|assume-role|sas)").ok()
});

/// A line with a shell prompt. Captures the command.
static PROMPT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"^(?:(?:\([a-z0-9_.-]+\)[ ])?\[?[A-Za-z0-9_.-]+@[A-Za-z0-9_.-]+[: ]?[^\s$#%>]*\]?[ ]?[$#%>]|(?:\+|[a-z~/][^\s]*)?[ ]?\$|❯|➜|»|PS[ ][^>]*>|[A-Za-z0-9_.:-]+(?:>|=[#>]))[ ]+([a-z./A-Z].+)$",
    )
    .ok()
});

/// A possible key, in JSON, YAML or a table, quoted or not.
static WORD: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"[A-Za-z0-9+/_~-]{20,}={0,2}").ok());

/// A line announcing a secret on the next one.
static HEADING: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i-u:\b(?:password|passphrase|passcode|secret|token|api[ _-]?key|secret[ _-]?key|access[ _-]?key|private[ _-]?key|unlock[ ]key|license[ ]key|recovery[ ]key|encryption[ ]key|join[ ]key|key[ ]is|secret[ ]is|one[- ]time[ ]code|generated))[^\r\n]{0,80}[:：]$").ok()
});

/// A heading of codes.
static CODES: LazyLock<Option<SparseRegex>> = LazyLock::new(|| {
    SparseRegex::new(
        r"(?i-u:\b(?:recovery|backup|scratch|emergency|one-time|rescue)[ -](?:codes?|keys?|passwords?))(?-u:\b)",
    )
});

/// Quick pre-filter: any text with such secrets contains one of these words.
static HINTS: LazyLock<Option<SparseRegex>> = LazyLock::new(|| {
    SparseRegex::new(
        r"(?i-u:pass|secret|token|key|code|rand|credential|cookie|decrypt|auth|pwgen|base64|login|gpg|sops|age[ ]|bw[ ]|op[ ]|id\.json)",
    )
});

/// All patterns, named for a test.
pub const PATTERNS: [(&str, &LazyLock<Option<Regex>>); 5] = [
    ("commands that print one", &PRINTS_ONE),
    ("commands that print keys", &PRINTS_KEYS),
    ("prompts", &PROMPT),
    ("words of outputs", &WORD),
    ("headings", &HEADING),
];

/// Returns true if the patterns of hints and codes are usable. They are.
pub fn has_hints() -> bool {
    HINTS.is_some() && CODES.is_some()
}

fn is_match(pattern: &LazyLock<Option<Regex>>, text: &str) -> bool {
    let Some(pattern) = &**pattern else { return false };
    pattern.is_match(text)
}

/// Finds the secrets in the output of commands in a text, and below headings.
pub fn secrets(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    if !text.contains('\n') {
        return found;
    }
    let Some(hints) = &*HINTS else { return found };
    if !hints.is_match(text) {
        return found;
    }
    let Some(codes) = &*CODES else { return found };
    let has_codes = codes.is_match(text);
    let lines: Vec<&str> = text.lines().collect();
    for (number, line) in lines.iter().enumerate() {
        let line = line.trim_end();
        if line.len() > 400 || line.len() < 4 {
            continue;
        }
        let rest = &lines[number + 1..];
        if line.ends_with([':', '：']) && is_match(&HEADING, line) {
            found.extend(find_below_heading(rest));
        }
        if has_codes && codes.is_match(line) {
            found.extend(find_codes_below(rest));
        }
        if let Some(command) = find_command(line) {
            let rest = &rest[..rest.len().min(LINES)];
            let end = rest.iter().position(|next| find_command(next).is_some()).unwrap_or(rest.len());
            found.extend(find_in_output(command, &rest[..end]));
        }
    }
    found
}

/// The secret in the first line that is neither empty nor a code fence.
fn find_below_heading<'t>(lines: &[&'t str]) -> Option<&'t str> {
    for line in lines {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with("```") {
            return is_below_heading(line).then_some(line);
        }
    }
    None
}

/// Finds the secrets in the output of a command.
pub fn of_command<'t>(command: &str, output: &'t str) -> Vec<&'t str> {
    let lines: Vec<&str> = output.lines().take(LINES).collect();
    find_in_output(command, &lines)
}

/// The command of a line with a prompt.
fn find_command(line: &str) -> Option<&str> {
    if !line.contains(['$', '#', '%', '>', '❯', '➜', '»']) {
        return None;
    }
    let command = PROMPT.as_ref()?.captures(line.trim())?.get(1)?;
    Some(command.as_str())
}

fn find_in_output<'t>(command: &str, output: &[&'t str]) -> Vec<&'t str> {
    let mut found = Vec::new();
    // In `cd shop && pass show key` the last command prints the secret.
    let command = command.trim_end_matches("; echo");
    let last = command.rsplit(" && ").next().unwrap_or(command).rsplit("; ").next().unwrap_or(command).trim();
    if last.starts_with("cat ") && ends_with_any(last, &[".enc", ".gpg", ".asc", ".age", ".sops"]) {
        return found;
    }
    if is_match(&PRINTS_ONE, last)
        && let Some(line) = output.iter().find(|line| has_value(line))
    {
        let value = line.trim().trim_matches(['"', '\'']);
        if is_alone(value) {
            found.push(value);
        }
    }
    if is_match(&PRINTS_KEYS, command)
        && let Some(word) = &*WORD
    {
        for line in output {
            if line.trim().is_empty() {
                break;
            }
            for key in word.find_iter(line) {
                if is_likely(key.as_str(), Strength::Mixed) && !key.as_str().contains("://") {
                    found.push(key.as_str());
                }
            }
        }
    }
    found
}

/// Returns false for empty lines, comments and warnings.
fn has_value(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with(['›', '#']) && !line.contains("arning:")
}

/// Returns true if the line is a single value, such as a password.
fn is_alone(line: &str) -> bool {
    let is_hash = line.len() >= 32 && are_hex_digits(line);
    let is_random = is_likely(line, Strength::Random);
    !line.contains(char::is_whitespace)
        && (is_chosen(line) && !is_file(line) || is_random || is_hash || is_uuid(line))
}

/// Returns true for a path or the name of a file.
fn is_file(line: &str) -> bool {
    line.contains('/') && is_words(line)
        || line.contains(':')
        || line.ends_with(".sh")
        || line.ends_with(".md")
}

/// Returns true for a likely secret on the line after a heading.
fn is_below_heading(line: &str) -> bool {
    let value = line.trim_matches(['"', '\'', '`']);
    let is_possible = is_likely(value, Strength::Random)
        || is_chosen(value)
            && (is_mixed(value) || value.contains(['!', '@', '#', '%', '^', '&', '*', '?']))
            && !is_words(value);
    // A line such as `if token:` is followed by code.
    let is_code = value.contains(['(', ')', '[', ']', '`', '=']) && !value.ends_with('=')
        || value.starts_with(['@', '&']);
    !value.contains(char::is_whitespace)
        && is_possible
        && !is_code
        && !value.ends_with([':', ',', ';', '{', '('])
}

/// The codes in the lines below their heading.
fn find_codes_below<'t>(lines: &[&'t str]) -> Vec<&'t str> {
    let mut found = Vec::new();
    for line in lines.iter().skip_while(|line| line.trim().is_empty()).take(20) {
        let line = line.trim().trim_start_matches(['-', '*', '•', '#']);
        let known = found.len();
        for word in line.split_whitespace() {
            if is_list_number(word) {
                continue;
            }
            if !is_code(word) {
                found.truncate(known);
                return found;
            }
            found.push(word);
        }
        if found.len() == known {
            break;
        }
    }
    found
}

/// Returns true for the number of a list item, such as `7.`.
fn is_list_number(word: &str) -> bool {
    let number = word.trim_end_matches(['.', ')', ':']);
    number.len() <= 2 && without_number(number).is_empty()
}

fn is_code(word: &str) -> bool {
    word.len() >= 8 && are_alphanumeric_or(word, b"-") && has_digit(word)
}
