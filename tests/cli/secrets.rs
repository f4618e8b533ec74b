//! Keys and passwords of logs, which no file that `import` and `advise --save` write holds.

use serde_json::{Value, json};

use super::suite::Suite;

/// Beginnings of keys, the number of characters that follow, and what they are chosen of. No file of this repository
/// holds a whole key, since scanners of secrets would find it.
const KEYS: &[(&str, usize, &str)] = &[
    ("sk-", 48, "base62"),
    ("sk-proj-", 48, "base64"),
    ("sk-ant-api03-", 80, "base64"),
    ("AKIA", 16, "upper"),
    ("AIza", 35, "base64"),
    ("ya29.", 60, "base64"),
    ("ghp_", 36, "base62"),
    ("github_pat_", 60, "base62"),
    ("glpat-", 20, "base62"),
    ("npm_", 36, "base62"),
    ("hf_", 34, "base62"),
    ("gsk_", 52, "base62"),
    ("xoxb-", 40, "base62"),
    ("sk_live_", 24, "base62"),
    ("rk_live_", 24, "base62"),
    ("dapi", 32, "hex"),
    ("dop_v1_", 64, "hex"),
    ("lin_api_", 40, "base62"),
    ("shpat_", 32, "hex"),
    ("hvs.", 30, "base62"),
    ("key-", 32, "hex"),
    ("https://hooks.slack.com/services/", 40, "base62"),
    ("https:\\/\\/hooks.slack.com\\/services\\/", 40, "base62"),
    ("csk-", 48, "lower"),
    ("fw_", 24, "base62"),
    // Keys that have no digit.
    ("hf_", 34, "letters"),
    ("AKIA", 16, "capitals"),
    ("sk_live_", 24, "letters"),
];

/// Contexts of a password, with `#` in its place.
const CONTEXTS: &[&str] = &[
    "password=#",
    "DB_PASSWORD: #\n",
    "export API_KEY=\"#\" && run",
    "{\"client_secret\": \"#\", \"id\": 7}",
    "{\\\"access_token\\\": \\\"#\\\"}",
    "postgres://app:#@db.internal:5432/shop",
    "curl -H 'Authorization: Bearer #' host",
    "mysql --password #",
    "<password>#</password>",
    "aws_secret_access_key = #",
    "AccountName=a;AccountKey=#;EndpointSuffix=b",
    "password\\u003d#",
    "redis:\\/\\/:#@cache:6379\\/0",
    "{\"name\": \"DB_PASSWORD\", \"value\": \"#\"}",
    "- name: API_TOKEN\n  value: #\n",
    "machine host login me password #",
    "curl -s -u me:# https://host/x",
    "sshpass -p '#' ssh host",
    "https://#@sentry.example.org/2",
    "GET /map?key=# HTTP",
    "next: /x?a=1\\u0026token=#",
    "Cookie: theme=dark; sessionid=#; a=b",
    "Set-Cookie: connect.sid=#; Path=/",
    "{\"auths\": {\"host\": {\"auth\": \"#\"}}}",
];

/// What reads like a secret and is none.
const OTHERS: &[&str] = &[
    "password = getpass.getpass()",
    "token = tokenizer.encode(text)",
    "\"password\": \"required\"",
    "password=$DB_PASSWORD1",
    "api_key: {{ secrets.KEY_2024 }}",
    "api_key = os.environ[\"OPENAI_API_KEY_2\"]",
    "max_tokens: 4096, total_tokens: 123456789",
    "<div class=\"sk-toggleable__content sk-estimator-doc-link\">",
    "PWD=/home/user1/work",
    "https://host.example:8080/a@b",
    "the key-value store of task-based access",
    "commit 0123456789abcdef0123456789abcdef01234567",
    "call_1234567890abcdefghijklmn and msg_01ABCDEFGHIJKLMNOPQRSTUV",
    "-----BEGIN PRIVATE KEY-----",
    "password: \"your-password-1\"",
    "if (password1 === password2)",
    "docker run --user 1000:1000 image",
    "ssh://git@github.com/o/r and mailto://someone@example.org",
    "ASIAPACIFICASIAPACIF hf_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "{\"name\": \"max_tokens\", \"value\": \"4096-8192\"}",
    "GET /x?key=name&token=next",
    "Cookie: theme=dark",
];

fn characters(length: usize, kind: &str, seed: usize) -> String {
    let upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    let alphabet: &[u8] = match kind {
        "hex" => b"0123456789abcdef",
        "upper" => upper.as_bytes(),
        "lower" => b"1q0a9z2wsx8edc7rfv6tgb5yhn4ujm3ik",
        "letters" => b"QaZwSxEdCrFvTgByHnUjMiKoLpAqWsEdRfTgYhU",
        "capitals" => b"QAZWSXEDCRFVTGBYHNUJMIK",
        "base62" => b"Q1aZ0w9Sx8Ed7Cr6Fv5Tg4By3Hn2UjMiKoLpqAzWsXeDcRfVtGbYhNuJmIkOlP",
        _ => b"Q1aZ0w9Sx8Ed7Cr6Fv5Tg4By3Hn2UjMiKoLpqAzWsXeDcRfVtGbYhNuJmIkOlP-_",
    };
    let bend = if ["letters", "capitals"].contains(&kind) { 0 } else { 1 };
    (0..length)
        .map(|at| char::from(alphabet[(at * 7 + seed * 11 + at * at * bend) % alphabet.len()]))
        .collect()
}

/// A conversation in which a tool prints these texts.
fn log(texts: &[String]) -> String {
    let mut messages = vec![json!({"role": "user", "content": "Look."})];
    for text in texts {
        messages.push(json!({"role": "assistant", "content": "Next."}));
        messages.push(json!({"role": "user", "content": text}));
    }
    messages.push(json!({"role": "assistant", "content": "Done."}));
    json!({ "messages": messages }).to_string()
}

/// The transcript of a log.
fn imported(log: &str, options: &[&str]) -> Value {
    let suite = Suite::with(&[]);
    suite.write("log.json", log);
    let ran = suite.run(&[&["import", "log.json", "--output", "-"], options].concat());
    ran.ends(0);
    serde_json::from_str(&ran.out).unwrap()
}

fn texts(transcript: &Value) -> Vec<String> {
    let messages = transcript["messages"].as_array().unwrap().iter();
    let told = messages.skip(1).filter(|message| message["role"] == "user");
    told.map(|message| message["content"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn keys_and_passwords_are_replaced() {
    let key = |(number, (start, length, kind)): (usize, &(&str, usize, &str))| {
        format!("{start}{}", characters(*length, kind, number))
    };
    let keys: Vec<String> = KEYS.iter().enumerate().map(key).collect();
    let printed: Vec<String> =
        keys.iter().map(|key| format!("a \"{key}\", (b) {key}. c\\n{key}\\nd")).collect();
    for (number, text) in (1..).zip(texts(&imported(&log(&printed), &[]))) {
        let secret = format!("[secret {number}]");
        assert_eq!(text, format!("a \"{secret}\", (b) {secret}. c\\n{secret}\\nd"), "{}", keys[number - 1]);
    }
    assert_eq!(texts(&imported(&log(&printed), &["--keep-secrets"])), printed);
    let password =
        |number: usize| format!("{}!7{}", characters(9, "base62", number), characters(9, "hex", number));
    // A header or an address takes no signs.
    let plain = ["Bearer", "sentry", "map?", "x?a", "sessionid", "connect.sid", "auths"];
    let password = |number: usize| {
        let is_plain = plain.iter().any(|word| CONTEXTS[number].contains(word));
        if is_plain { characters(40, "base62", number) } else { password(number) }
    };
    let around: Vec<String> = CONTEXTS
        .iter()
        .enumerate()
        .map(|(number, context)| context.replace('#', &password(number)))
        .collect();
    for (number, text) in texts(&imported(&log(&around), &[])).iter().enumerate() {
        assert_eq!(*text, CONTEXTS[number].replace('#', &format!("[secret {}]", number + 1)));
    }
    let others: Vec<String> = OTHERS.iter().map(|&text| text.to_owned()).collect();
    assert_eq!(texts(&imported(&log(&others), &[])), others);
}

#[test]
fn a_private_key_is_one_secret_in_any_form() {
    let lines: Vec<String> =
        (0..12).map(|number| characters(if number == 11 { 9 } else { 64 }, "base62", number)).collect();
    let [begin, end] = ["BEGIN", "END"].map(|word| format!("-----{word} RSA PRIVATE KEY-----"));
    let plain = format!("{begin}\n{}\n{end}", lines.join("\n"));
    let numbered = |(number, line): (usize, &str)| format!("{number:6}\t{line}");
    let numbered: Vec<String> = (1..).zip(plain.lines()).map(numbered).collect();
    let forms = [
        format!("before\n{plain}\nafter"),
        format!("\"key\": \"{}\"", plain.replace('\n', "\\n")),
        format!("before\n{}\nafter", numbered.join("\n")),
        format!("before\n{begin}\n{}\n\nAnd then it ends.", lines[..4].join("\n")),
    ];
    let expected = [
        "before\n[secret 1]\nafter",
        "\"key\": \"[secret 1]\"",
        "before\n     1\t[secret 2]\nafter",
        "before\n[secret 3]\n\nAnd then it ends.",
    ];
    assert_eq!(texts(&imported(&log(&forms), &[])), expected);
}

/// A password recognised by its context is also found alone: in arguments, the system prompt and other
/// conversations.
#[test]
fn equal_secrets_have_one_number_and_notes_their_places() {
    let password = format!("Tr0ub4dor{}", "!3zz");
    let call = |arguments: Value| {
        json!({"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function",
            "function": {"name": "login", "arguments": arguments.to_string()}}]})
    };
    let conversation = |mission: &str| {
        json!({"messages": [
            {"role": "system", "content": format!("Log in with {password}.")},
            {"role": "user", "content": mission},
            call(json!({"user": "me", "password": password, "other_secret": "Ab3!defgh", "n": [1.50, "x"]})),
            {"role": "tool", "tool_call_id": "c", "content": "ok"},
            {"role": "assistant", "content": "Done."},
        ]})
    };
    let suite = Suite::with(&[]);
    suite.write("log.jsonl", &format!("{}\n{}\n", conversation("one"), conversation("two")));
    let ran = suite.run(&["import", "log.jsonl"]);
    // The second message has two.
    let places = "(log.jsonl: conversation 1, system, log.jsonl: conversation 1, messages[1], log.jsonl: conversation 2, system, …)";
    ran.ends(0).says(&format!("secrets replaced by [secret NUMBER], which --keep-secrets keeps; others may be left, since no rule knows all: 6 {places}"));
    for number in [1, 2] {
        let text = suite.read(&format!("scenarios/imported/log-{number}.transcript.json"));
        let transcript: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(transcript["system"], "Log in with [secret 1].");
        let arguments = &transcript["messages"][1]["tool_calls"][0]["arguments"];
        assert_eq!(arguments["password"], "[secret 1]");
        assert_eq!(arguments["other_secret"], "[secret 2]");
        assert!(text.contains("1.50") || text.contains("1.5"), "{text}");
    }
}

/// Summaries and rewritten messages repeat secrets of the history that they replaced.
#[test]
fn a_compaction_has_no_secret() {
    let key = format!("ghp_{}", characters(36, "base62", 3));
    let rewritten = json!({
        "role": "assistant",
        "content": format!("I use {key}."),
        "tool_calls": [{"id": "c", "name": "login", "arguments": {"with": key}}],
    });
    let transcript = json!({
        "messages": [
            {"role": "user", "content": "Log in."},
            {"role": "assistant", "content": "Next."},
            {"role": "user", "content": "Go on."},
            {"role": "assistant", "content": "Done."},
        ],
        "compactions": [{
            "before": 3,
            "kind": "summary",
            "removed": [[0, 1]],
            "text": format!("The key is {key}."),
            "sent": [{"message": rewritten}],
            "system": format!("Log in with {key}."),
        }],
    });
    let transcript = imported(&transcript.to_string(), &["--from", "transcript"]);
    let compaction = &transcript["compactions"][0];
    assert_eq!(compaction["text"], "The key is [secret 1].");
    assert_eq!(compaction["system"], "Log in with [secret 1].");
    let rewritten = &compaction["sent"][0]["message"];
    assert_eq!(rewritten["content"], "I use [secret 1].");
    assert_eq!(rewritten["tool_calls"][0]["arguments"]["with"], "[secret 1]");
}

/// The advice counts what was sent, and the thresholds what is saved. The answer that needs a key still has it.
#[test]
fn advice_saves_no_secret_and_keeps_evidence() {
    let key = format!("ghp_{}", characters(36, "base62", 3));
    let other = format!("ghp_{}", characters(36, "base62", 4));
    let log =
        super::advise::log(30).replace("ord_", &format!("{key}-")).replace("log-", &format!("{other}/"));
    let suite = Suite::with(&[]);
    suite.write("log.json", &log);
    let ran = suite.advise(&["log.json", "--save", "kept"]);
    ran.ends(0).complains("secrets replaced by [secret NUMBER]");
    let saved = suite.read("kept/logs.jsonl");
    assert!(!saved.contains(&key[4..]) && !saved.contains(&other[4..]) && saved.contains("[secret 2]"));
    suite.run(&["run", "kept", "--accept"]).ends(0);
    suite.advise(&["log.json", "--save", "all", "--keep-secrets"]).ends(0);
    assert!(suite.read("all/logs.jsonl").contains(&key));
    // Only what is saved is replaced.
    let plain = suite.advise(&["log.json"]);
    plain.ends(0);
    assert!(!plain.err.contains("secret"), "{}", plain.err);
    // Placeholders have fewer tokens than secrets, which changes no number of the verdict.
    let verdict = |text: &str| text.split("look:").next().map(str::to_owned);
    assert_eq!(verdict(&ran.out), verdict(&plain.out));
    // The evaluation of what is saved prints no lines of its own.
    let records = ["log.json", "--save", "kept", "--format", "records", "--today", "2099-01-01"];
    let records = suite.advise(&records);
    let lines = |key: &str| records.out.lines().filter(|line| line.contains(key)).count();
    assert_eq!((lines(r#""run":"#), lines(r#""summary":"#)), (1, 1));
    assert_eq!(records.err.matches("warning: prices are older").count(), 1, "{}", records.err);
}

/// Records and pages of logs show no key either. Their numbers equal those of the original logs.
#[test]
fn reports_of_logs_show_no_secret() {
    let key = format!("ghp_{}", characters(36, "base62", 3));
    let log = super::advise::log(30).replace("ord_", &format!("{key}-"));
    let suite = Suite::with(&[]);
    suite.write("log.json", &log);
    suite.run(&["advise", "log.json", "--save", "kept", "--keep-secrets"]).ends(0);
    assert!(suite.read("kept/logs.jsonl").contains(&key));
    suite.run(&["run", "kept", "--accept", "-q"]);
    let shown =
        |options: &[&str]| suite.run(&[&["run", "kept", "--format", "full-records"], options].concat()).out;
    let (hidden, kept) = (shown(&[]), shown(&["--keep-secrets"]));
    assert!(!hidden.contains(&key[4..]) && hidden.contains("[secret 1]") && kept.contains(&key));
    for (name, records) in [("hidden", &hidden), ("kept-as-it-is", &kept)] {
        suite.run_with(&["merge", "-", "--requests-csv", "--report-dir", name], records, &[]).ends(0);
        assert!(suite.exists(&format!("{name}/index.html")));
    }
    for file in ["results.json", "strategies.csv", "requests.csv"] {
        let [hidden, kept] =
            ["hidden", "kept-as-it-is"].map(|folder| suite.read(&format!("{folder}/{file}")));
        assert_eq!(hidden.replace("[secret 1]", &key), kept, "{file}");
    }
}

/// A secret removed from a log is in no request, but still in the diff that removed it.
#[test]
fn secrets_that_are_gone_are_replaced_in_changes() {
    let key = format!("sk-{}", characters(48, "base62", 3));
    let transcript = |line: &str| {
        let messages = json!([
            {"role": "user", "content": format!("Look. {line}")},
            {"role": "assistant", "content": "Done."},
        ]);
        json!({ "messages": messages }).to_string()
    };
    let suite = Suite::with(&[]);
    suite.write("scenarios/a.transcript.json", &transcript(&format!("API_KEY={key}")));
    suite.run(&["run", "--accept", "--keep-secrets"]).ends(0);
    suite.write("scenarios/a.transcript.json", &transcript("There is no key here."));
    let run = suite.run(&["run"]);
    run.ends(1).says("[secret 1]");
    for file in ["changes.md", "changes.json", "junit.xml", "index.html", "results.json"] {
        assert!(!suite.read(&format!("reports/{file}")).contains(&key), "{file}");
    }
    assert!(!run.out.contains(&key) && !suite.run(&["review", "--print"]).out.contains(&key));
}

/// A key in whatever a log names, and in the output of a command that prints one alone.
#[test]
fn keys_in_names_and_outputs_are_replaced() {
    let key = format!("ghp_{}", characters(36, "base62", 3));
    let password = format!("cobalt-{}-64", "pelican");
    let calls = json!([{"id": format!("call_{key}"), "type": "function",
        "function": {"name": format!("run_{key}"), "arguments": json!({"command": "pass show shop"}).to_string()}}]);
    let log = json!({"messages": [
        {"role": "user", "content": "Log in.", (key.as_str()): 1},
        {"role": "assistant", "content": null, "tool_calls": calls},
        {"role": "tool", "tool_call_id": format!("call_{key}"), "content": format!("{password}\n")},
        {"role": "assistant", "content": format!("It is {password}.")},
    ]});
    let suite = Suite::with(&[]);
    let file = format!("log-{key}.json");
    suite.write(&file, &log.to_string());
    let ran = suite.run(&["import", &file]);
    ran.ends(0);
    let saved = suite.read("scenarios/imported/log-secret-1.transcript.json");
    suite.run(&["advise", &file, "--report-dir", "advice"]).ends(0);
    for text in [&ran.out, &ran.err, &saved, &suite.read("advice/results.json")] {
        assert!(!text.contains(&key) && !text.contains(&password), "{text}");
    }
    assert!(saved.contains("It is [secret "), "{saved}");
}

/// What `show` prints and what an error quotes reach screens and reports.
#[test]
fn screens_and_errors_show_no_secret() {
    let key = format!("ghp_{}", characters(36, "base62", 5));
    let suite = Suite::with(&[]);
    let messages = json!([
        {"role": "user", "content": format!("Log in with {key}.")},
        {"role": "assistant", "content": format!("Done with {key}.")},
    ]);
    suite.write("scenarios/a.transcript.json", &json!({"messages": messages}).to_string());
    suite.write("scenarios/b.yaml", &format!("mission: x\nunknown_{key}: 1\n"));
    for arguments in [&["show", "a"][..], &["show", "a@1", "--request"], &["check"], &["run", "--accept"]] {
        let ran = suite.run(arguments);
        assert!(!ran.out.contains(&key) && !ran.err.contains(&key), "{arguments:?}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains("[secret 1]") || ran.err.contains("[secret 1]"), "{arguments:?}");
    }
    for file in ["results.json", "index.html", "junit.xml", "changes.md"] {
        assert!(!suite.read(&format!("reports/{file}")).contains(&key), "{file}");
    }
}

/// A key that is typed in the wrong place, such as from the clipboard.
#[test]
fn errors_repeat_no_typed_key() {
    let key = format!("ghp_{}", characters(36, "base62", 5));
    let suite = Suite::with(&[("a", "mission: m\nresponses: [{program: (return 1)}]")]);
    let option = format!("--{key}");
    for arguments in [
        &["show", &key][..],
        &["new", &key],
        &["apply", &key],
        &["import", "scenarios/a.yaml", "--from", &key],
        &["run", "--timeout", &key],
        &["run", "--format", &key],
        &["list", &key],
        &["generate", &key],
        &["lisp", &key],
        &[&option],
    ] {
        let ran = suite.run(arguments);
        assert!(!ran.out.contains(&key) && !ran.err.contains(&key), "{arguments:?}: {}{}", ran.out, ran.err);
        assert!(
            ran.out.contains("[secret 1]") || ran.err.contains("[secret 1]"),
            "{arguments:?}: {}",
            ran.err
        );
    }
}

/// Columns wrap lines, and no rule finds half of a key.
#[test]
fn columns_of_two_strategies_show_no_part_of_a_key() {
    let key = format!("ghp_{}", characters(36, "base62", 5));
    let suite = Suite::with(&[(
        "a",
        &format!(
            "mission: Log in with {key}.\nresponses:\n  - program: (def k \"{key}\")\n  - program: (return k)\n"
        ),
    )]);
    for arguments in
        [&["show", "a", "--against", "fold"][..], &["diff", "a", "--strategies", "full-history", "fold"]]
    {
        let ran = suite.run(arguments);
        ran.ends(0).says("[secret 1]");
        assert!(!ran.out.contains(&key[4..14]), "{}", ran.out);
    }
}
