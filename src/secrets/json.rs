//! Replaces strings in JSON text and keeps all other bytes.

/// A string of a JSON text.
pub struct JsonString<'t> {
    /// The object key, if the string is the value of one.
    pub key: Option<&'t str>,
    pub text: &'t str,
}

/// The JSON text with some strings replaced. `None` if nothing was replaced.
pub fn replace_strings(
    json: &str,
    replace: &mut dyn FnMut(&JsonString<'_>) -> Option<String>,
) -> Option<String> {
    let (mut new, mut copied, mut at) = (String::new(), 0, 0);
    let mut last: Option<(String, usize)> = None;
    while let Some((start, end)) = next_string(json, at) {
        at = end;
        // Both positions are at quotation marks, so these are character boundaries.
        let Ok(string) = serde_json::from_str::<String>(&json[start..end]) else { continue };
        // A string is the key of the next one if there is only a colon between them.
        let key = match &last {
            Some((key, end)) if json[*end..start].trim() == ":" => Some(key.as_str()),
            _ => None,
        };
        if let Some(replaced) = replace(&JsonString { key, text: &string })
            && let Ok(replaced) = serde_json::to_string(&replaced)
        {
            new += &json[copied..start];
            new += &replaced;
            copied = end;
        }
        last = Some((string, end));
    }
    (copied > 0).then(|| new + &json[copied..])
}

/// The byte range of the next string literal of a JSON text.
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
