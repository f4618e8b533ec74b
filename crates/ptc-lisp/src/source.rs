//! Program text and places: offsets in bytes, lines and columns from 1, columns in code points.

use ecow::EcoString;

/// A half-open range of bytes in a source text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` to before `end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start: start as u32, end: end as u32 }
    }

    /// The smallest span with both.
    pub fn to(self, end: Span) -> Span {
        Span { start: self.start.min(end.start), end: self.end.max(end.end) }
    }
}

/// The text of one program and the name that diagnostics call it by.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name in diagnostics.
    pub name: EcoString,
    /// The whole text.
    pub text: EcoString,
}

impl Source {
    /// A source of this name.
    pub fn new(name: impl Into<EcoString>, text: impl Into<EcoString>) -> Source {
        Source { name: name.into(), text: text.into() }
    }

    /// The text of a span; empty where the span lies outside the source.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Line and column of a byte offset, both from 1, the column in code points.
    pub fn position(&self, offset: u32) -> (u32, u32) {
        let before = &self.text[..self.text.floor_char_boundary(offset as usize)];
        let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        (line as u32, column as u32)
    }
}
