//! Compares golden files that do not fit in memory, line by line, up to the start of the first change.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use super::cause::{Change, Hunk};
use super::text::LargeSnapshot;

/// Lines that are kept before a change.
const BEFORE: usize = 3;
/// Lines that are kept of a change.
const CHANGED: usize = 20;

/// Finds the first change of a golden file. White space at the end does not count.
///
/// # Errors
/// One of the files cannot be read.
pub fn difference(accepted: &Path, snapshot: &mut LargeSnapshot) -> io::Result<Option<Change>> {
    let mut old = Lines { reader: BufReader::new(File::open(accepted)?) };
    old.skip_header()?;
    let key = snapshot.key.clone();
    let mut new = Lines { reader: BufReader::new(snapshot.body.reader()?) };
    let mut before: VecDeque<String> = VecDeque::with_capacity(BEFORE);
    loop {
        let (was, is) = (old.next()?, new.next()?);
        let (Some(old_line), Some(new_line)) = (&was, &is) else {
            let rest = was.as_ref().is_some_and(|line| !line.trim().is_empty()) || old.has_more()?;
            if is.is_none() && !rest {
                return Ok(None);
            }
            return Ok(Some(change(key, before, old.some(was)?, new.some(is)?)));
        };
        if old_line != new_line && !(new.is_over()? && old_line.trim_end() == new_line.trim_end()) {
            return Ok(Some(change(key, before, old.some(was)?, new.some(is)?)));
        }
        if before.len() == BEFORE {
            before.pop_front();
        }
        before.extend(was);
    }
}

fn change(key: String, before: VecDeque<String>, removed: Vec<String>, added: Vec<String>) -> Change {
    let text = |lines: &[String]| before.iter().chain(lines).cloned().collect::<Vec<_>>().join("\n");
    let (old, new) = (text(&removed), text(&added));
    Change { key, old, new, hunks: vec![Hunk { line: before.len(), removed, added }] }
}

/// The lines of a file, without their ends.
struct Lines<R> {
    reader: R,
}

impl<R: BufRead> Lines<R> {
    fn next(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        if self.reader.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        Ok(Some(String::from_utf8_lossy(text).into_owned()))
    }

    /// Skips the header of insta's format.
    fn skip_header(&mut self) -> io::Result<()> {
        if self.next()?.as_deref() == Some("---") {
            while self.next()?.is_some_and(|line| line != "---") {}
        }
        Ok(())
    }

    fn is_over(&mut self) -> io::Result<bool> {
        Ok(self.reader.fill_buf()?.is_empty())
    }

    /// True if anything but blanks follows.
    fn has_more(&mut self) -> io::Result<bool> {
        while let Some(line) = self.next()? {
            if !line.trim().is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// This line and the next ones, at most [`CHANGED`].
    fn some(&mut self, first: Option<String>) -> io::Result<Vec<String>> {
        let mut lines: Vec<String> = first.into_iter().collect();
        while lines.len() < CHANGED
            && !lines.is_empty()
            && let Some(line) = self.next()?
        {
            lines.push(line);
        }
        Ok(lines)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::snapshot::spool::Spool;

    #[test]
    fn trailing_white_space_is_no_difference() {
        let above = "1\n2\n3\n4\n5\n";
        let cases = [
            ("end\n", "end", None),
            ("end\n \n\n", "end", None),
            ("a\r\nend\r\n", "a\nend", None),
            ("end  \n", "end", None),
            ("end  \nmore\n", "end\nmore", Some(("end  ", "end"))),
            ("old\nend\n", "new\nend", Some(("old", "new"))),
            ("end\n", "end\nmore", Some(("", "more"))),
            ("end\n\nmore\n", "end", Some(("", ""))),
        ];
        let folder = tempfile::tempdir().unwrap();
        let accepted = folder.path().join("a.snap");
        for (old, new, expected) in cases {
            std::fs::write(&accepted, format!("---\nsource: a.yaml\n---\n{above}{old}")).unwrap();
            let mut body = Spool::default();
            write!(body, "{above}{new}").unwrap();
            let mut snapshot = LargeSnapshot { key: "a".into(), source: "a.yaml".into(), body };
            let change = difference(&accepted, &mut snapshot).unwrap();
            let first = |lines: &[String]| lines.first().cloned().unwrap_or_default();
            let found = change.as_ref().map(|change| {
                let hunk = &change.hunks[0];
                (first(&hunk.removed), first(&hunk.added))
            });
            let expected = expected.map(|(removed, added): (&str, &str)| (removed.into(), added.into()));
            assert_eq!(found, expected, "{old:?} {new:?}");
            assert!(
                change.is_none_or(|change| change.hunks[0].line == 3 && change.old.starts_with("3\n")
                    || change.old.starts_with("4\n")),
                "{old:?}"
            );
        }
    }
}
