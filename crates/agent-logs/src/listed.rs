//! Lists in a log.

use super::json::Object;
use super::notes::Notes;
use super::place::LogPlace;

/// The objects of a list field, with their places. Notes anything else in the field as lost; `elements` names it in the note.
pub(super) fn list_objects<'a>(
    object: &Object<'a>,
    key: &str,
    elements: &str,
    place: &LogPlace,
    notes: &mut Notes,
) -> Vec<(Object<'a>, LogPlace)> {
    let mut objects = Vec::new();
    let Some(field) = object.get(key) else { return objects };
    let Some(list) = field.list() else {
        notes.lost(format!("{elements} that are no list"), place.key(key));
        return objects;
    };
    for (index, element) in list.into_iter().enumerate() {
        let place = place.item(key, index);
        match element.object() {
            Some(element) => objects.push((element, place)),
            None => notes.lost(format!("{elements} that are no object"), place),
        }
    }
    objects
}
