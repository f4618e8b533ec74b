//! What a format is recognised by. `tests/rows/recognised.txt` has a value a line. `recognised.golden` has the format that
//! reads it, and the fields without which another format or none reads it.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use agent_logs::{ReadError, read};
use serde_json::Value;

use crate::golden::Golden;

/// Depth of the objects whose fields are taken away.
const DEPTH: usize = 3;

/// The name of the format that recognises a value.
fn recognise(value: &Value) -> &'static str {
    let read = read(value.to_string().as_bytes(), "LOG", None, &mut |_| ControlFlow::Continue(()));
    let format = match read {
        Ok(notes) => notes.format,
        Err(ReadError::Nothing(notes)) => notes.format,
        Err(_) => None,
    };
    format.unwrap_or("none")
}

/// The pointers to fields of a value, of its objects, and of the first object of each list.
fn find_fields(value: &Value, pointer: &str, depth: usize, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, inner) in fields {
                let pointer = format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
                found.push(pointer.clone());
                if depth > 0 {
                    find_fields(inner, &pointer, depth - 1, found);
                }
            }
        }
        Value::Array(items) => {
            for first in items.iter().take(1) {
                find_fields(first, &format!("{pointer}/0"), depth, found);
            }
        }
        _ => {}
    }
}

fn remove(value: &mut Value, pointer: &str) {
    let (above, key) = pointer.rsplit_once('/').unwrap();
    let key = key.replace("~1", "/").replace("~0", "~");
    value.pointer_mut(above).unwrap().as_object_mut().unwrap().shift_remove(&key);
}

#[test]
fn every_format_is_recognised_by_its_fields() {
    let text = fs::read_to_string("tests/rows/recognised.txt").unwrap();
    let mut said = String::new();
    for (index, line) in text.lines().enumerate() {
        let value: Value = serde_json::from_str(line).unwrap();
        let own = recognise(&value);
        said += &format!("{}: {own}", index + 1);
        let mut fields = Vec::new();
        find_fields(&value, "", DEPTH, &mut fields);
        for field in fields {
            let mut without = value.clone();
            remove(&mut without, &field);
            let other = recognise(&without);
            if other != own {
                said += &format!("; without {field} {other}");
            }
        }
        said += "\n";
    }
    let mut golden = Golden::default();
    golden.holds(Path::new("tests/rows/recognised.golden"), &said);
    golden.assert_none_differs();
}
