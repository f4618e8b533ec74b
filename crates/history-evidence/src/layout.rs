//! Lines without their layout: white space, kinds of quotes, and escapes of JSON. A model that sees a line in another layout can
//! write this one.

/// Letters in the white space escapes of JSON.
pub const ESCAPES: [char; 3] = ['n', 't', 'r'];

/// The characters of a text without its layout. `%vOutput` of `"%v\nOutput"`.
pub fn significant(text: &str) -> impl Iterator<Item = char> + '_ {
    let mut follows_backslash = false;
    text.chars().filter(move |c| {
        let is_escape = follows_backslash && ESCAPES.contains(c);
        follows_backslash = *c == '\\';
        !is_escape && !is_layout(*c)
    })
}

fn is_layout(c: char) -> bool {
    c != '\n' && c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '\\')
}
