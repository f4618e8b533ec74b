//! Answers of a model as the `responses:` of a scenario file, byte for byte what was answered.

use std::fmt::Write;

use crate::agent::Response;

/// The key `responses:` and its list.
pub(super) fn responses(answers: &[Response]) -> String {
    let mut text = String::from("responses:\n");
    for answer in answers {
        match answer {
            Response::Text(answer) => {
                let _ = writeln!(text, "  - {}", scalar(answer, 4));
            }
            Response::Error(message) => {
                let _ = writeln!(text, "  - error: {}", quoted(message));
            }
        }
    }
    text
}

/// A text as a YAML scalar whose lines are indented so far: a block where it reads back as it is.
pub(super) fn scalar(text: &str, indentation: usize) -> String {
    if !fits_block(text) {
        return quoted(text);
    }
    let body = text.strip_suffix('\n').unwrap_or(text);
    let mut block = String::from(if body.len() == text.len() { "|-" } else { "|" });
    for line in body.split('\n') {
        block.push('\n');
        if !line.is_empty() {
            block.extend(std::iter::repeat_n(' ', indentation));
            block.push_str(line);
        }
    }
    block
}

/// A JSON string, which YAML reads as JSON does.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns true if a block scalar keeps every byte: the first line begins with neither space nor line break, there is
/// at most one line break at the end, and YAML takes every character as it is.
fn fits_block(text: &str) -> bool {
    let is_plain = |c: char| match c {
        '\n' | '\t' => true,
        '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => false,
        other => !other.is_control(),
    };
    text.starts_with(|c: char| !c.is_whitespace()) && !text.ends_with("\n\n") && text.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_answer_reads_back_as_it_was() {
        let texts = [
            "",
            "one",
            "one\n",
            "one\n\n",
            "\none",
            "  indented",
            "a\n  b\n\nc",
            "a\r\nb",
            "tab\tand\n\ttab",
            "- # : {}",
            "no\u{2028}break",
            "```clojure\n(return 1)\n```",
            "trailing  \n   \nspaces ",
            "\u{1b}[31m",
            "\"'\\",
        ];
        let answers: Vec<Response> = texts.iter().map(|&text| Response::Text(text.into())).collect();
        let yaml: serde_json::Value = serde_yaml::from_str(&responses(&answers)).unwrap();
        let read: Vec<&str> =
            yaml["responses"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
        assert_eq!(read, texts);
    }
}
