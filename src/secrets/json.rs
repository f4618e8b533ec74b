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
        let string = json.get(start..end).and_then(|text| serde_json::from_str::<String>(text).ok());
        let Some(string) = string else { continue };
        // A string is the key of the next one if there is only a colon between them.
        let key = last.take().filter(|(_, end)| json.get(*end..start).is_some_and(|gap| gap.trim() == ":"));
        let key = key.as_ref().map(|(key, _)| key.as_str());
        if let Some(replaced) = replace(&JsonString { key, text: &string })
            && let Ok(replaced) = serde_json::to_string(&replaced)
        {
            // Both positions are at quotation marks, so these are character boundaries.
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
