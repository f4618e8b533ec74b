//! Text with a limit. All printing of values writes here, so that no value exhausts memory while it is printed.

use std::fmt;

use ecow::EcoString;

/// Text that drops what is written past its limit. Cut text is longer than the limit, by at most a character.
pub(super) struct Bounded {
    text: EcoString,
    limit: usize,
}

impl Bounded {
    pub(super) fn new(limit: usize) -> Bounded {
        Bounded { text: EcoString::new(), limit }
    }

    pub(super) fn push_str(&mut self, text: &str) {
        let room = self.room();
        if text.len() <= room {
            self.text.push_str(text);
        } else if !self.is_full() {
            self.text.push_str(&text[..text.ceil_char_boundary(room + 1)]);
        }
    }

    /// Bytes up to the limit.
    pub(super) fn room(&self) -> usize {
        self.limit.saturating_sub(self.text.len())
    }

    /// Returns true if text was cut.
    pub(super) fn is_full(&self) -> bool {
        self.text.len() > self.limit
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn finish(self) -> EcoString {
        self.text
    }
}

impl fmt::Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }
}
