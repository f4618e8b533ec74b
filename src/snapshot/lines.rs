//! Lines of texts.

use memchr::memchr;

/// The lines of a text, as `split('\n')` has them.
pub(super) fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = memchr(b'\n', text.as_bytes());
        rest = end.and_then(|end| text.get(end + 1..));
        end.map_or(Some(text), |end| text.get(..end))
    })
}
