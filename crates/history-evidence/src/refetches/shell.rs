//! Shell commands: recognizes those that only read, and the lines and files they read.

use ecow::{EcoString, eco_format};

use super::lines::{Lines, WHOLE};
use super::readers::only_reads;
use super::tools::Action;

/// Programs connected by pipes, each with its arguments.
type Pipeline = Vec<Vec<String>>;

/// Classifies a command run in `folder`.
pub fn action(command: &str, folder: &str) -> Action {
    let pipelines = match parse_pipelines(command) {
        Some(pipelines) if pipelines.iter().flatten().all(|program| only_reads(program)) => pipelines,
        _ => return Action::Write(possible_paths(command)),
    };
    match lines_of_files(&pipelines, folder) {
        Some(read) if !read.is_empty() => Action::Read(read),
        _ => Action::Search(eco_format!("{folder} $ {}", command.trim())),
    }
}

/// The words of a command.
fn possible_paths(command: &str) -> Vec<EcoString> {
    let words = command.split(is_between_words).filter(|word| !word.is_empty());
    words.map(EcoString::from).collect()
}

fn is_between_words(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\'' | '"' | '`' | ';' | '|' | '&' | '(' | ')' | '=')
}

/// Splits a command into pipelines. `None` if it writes to a file or runs code not visible here, such as `$(…)`.
fn parse_pipelines(command: &str) -> Option<Vec<Pipeline>> {
    let mut parsed = Parsed::default();
    let mut characters = command.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\'' => parsed.add(characters.by_ref().take_while(|c| *c != '\'')),
            '"' => parsed.add_double_quoted(&mut characters)?,
            '\\' => parsed.add(characters.next().filter(|c| *c != '\n')),
            '`' => return None,
            '$' if characters.peek() == Some(&'(') => return None,
            '<' if matches!(characters.peek(), Some('<' | '(')) => return None,
            // The input file counts as an operand.
            '<' => parsed.end_word(),
            '#' if parsed.word.is_none() => while characters.next_if(|c| *c != '\n').is_some() {},
            '>' => parsed.redirect(&mut characters)?,
            ' ' | '\t' => parsed.end_word(),
            '|' if characters.next_if_eq(&'|').is_none() => parsed.end_program(),
            // `&>` redirects both outputs.
            '&' if characters.peek() == Some(&'>') => {}
            '|' | '&' | ';' | '\n' => parsed.end_pipeline(),
            '(' | ')' | '{' | '}' if parsed.word.is_none() => parsed.end_word(),
            other => parsed.add(Some(other)),
        }
    }
    parsed.end_pipeline();
    Some(parsed.pipelines)
}

type Characters<'c> = std::iter::Peekable<std::str::Chars<'c>>;

/// The state of the parser.
#[derive(Default)]
struct Parsed {
    pipelines: Vec<Pipeline>,
    pipeline: Pipeline,
    program: Vec<String>,
    /// The unfinished word. `Some("")` after empty quotes.
    word: Option<String>,
}

impl Parsed {
    /// Adds characters to the word; without any, an empty word begins.
    fn add(&mut self, characters: impl IntoIterator<Item = char>) {
        self.word.get_or_insert_default().extend(characters);
    }

    /// Parses up to the closing double quote.
    fn add_double_quoted(&mut self, characters: &mut Characters<'_>) -> Option<()> {
        self.add(None);
        while let Some(character) = characters.next() {
            match character {
                '"' => return Some(()),
                '`' => return None,
                '$' if characters.peek() == Some(&'(') => return None,
                '\\' => self.add(characters.next()),
                other => self.add(Some(other)),
            }
        }
        Some(())
    }

    /// Parses a redirection. `None` unless its target is another output or `/dev/null`.
    fn redirect(&mut self, characters: &mut Characters<'_>) -> Option<()> {
        // The number before `>` is not part of a word.
        if matches!(self.word.as_deref(), Some("1" | "2")) {
            self.word = None;
        }
        while characters.next_if(|c| matches!(c, '>' | ' ' | '|')).is_some() {}
        let mut target = String::new();
        while let Some(character) =
            characters.next_if(|c| !c.is_whitespace() && !matches!(c, '|' | ';' | ')'))
        {
            target.push(character);
        }
        self.end_word();
        matches!(target.as_str(), "/dev/null" | "&1" | "&2").then_some(())
    }

    fn end_word(&mut self) {
        self.program.extend(self.word.take());
    }

    fn end_program(&mut self) {
        self.end_word();
        let program = std::mem::take(&mut self.program);
        if !program.is_empty() {
            self.pipeline.push(program);
        }
    }

    fn end_pipeline(&mut self) {
        self.end_program();
        let pipeline = std::mem::take(&mut self.pipeline);
        if !pipeline.is_empty() {
            self.pipelines.push(pipeline);
        }
    }
}

/// The lines of files shown by the pipelines. `None` if they show anything else.
fn lines_of_files(pipelines: &[Pipeline], folder: &str) -> Option<Vec<(EcoString, Lines)>> {
    let (mut folder, mut read) = (EcoString::from(folder), Vec::new());
    for pipeline in pipelines {
        let (first, filters) = pipeline.split_first()?;
        let program: Vec<&str> = first.iter().map(String::as_str).collect();
        if let ["cd", to] = program.as_slice()
            && filters.is_empty()
        {
            folder = path_in(&folder, to);
            continue;
        }
        let (paths, mut ranges) = shown_lines(&program)?;
        if paths.is_empty() {
            return None;
        }
        for filter in filters {
            let words: Vec<&str> = filter.iter().map(String::as_str).collect();
            let (none, filtered) = shown_lines(&words)?;
            // A filter counts the lines of its input, so a filter after a range is not supported.
            if !none.is_empty() || ranges != [WHOLE] {
                return None;
            }
            ranges = filtered;
        }
        for path in paths {
            for lines in &ranges {
                read.push((path_in(&folder, path), *lines));
            }
        }
    }
    Some(read)
}

/// The paths a program shows, with the lines of each. `None` for unsupported programs and options.
fn shown_lines<'w>(program: &[&'w str]) -> Option<(Vec<&'w str>, Vec<Lines>)> {
    let (options, words): (Vec<&str>, Vec<&str>) =
        program.iter().skip(1).partition(|word| word.starts_with('-'));
    match *program.first()? {
        "cat" | "nl" => Some((words, vec![WHOLE])),
        "head" => match (options.as_slice(), words.split_first()) {
            (["-n"], Some((count, paths))) => {
                Some((paths.to_vec(), vec![Lines::between(1, count.parse().ok()?)]))
            }
            ([count], _) => {
                let count = count.trim_start_matches("-n").trim_start_matches('-').parse().ok()?;
                Some((words, vec![Lines::between(1, count)]))
            }
            ([], _) => Some((words, vec![Lines::between(1, 10)])),
            _ => None,
        },
        "sed" if options == ["-n"] => {
            let (script, paths) = words.split_first()?;
            let ranges: Option<Vec<Lines>> = script.split(';').map(str::trim).map(printed_lines).collect();
            Some((paths.to_vec(), ranges?))
        }
        _ => None,
    }
}

/// The lines of `12,40p`, `12p` or `12,$p`.
fn printed_lines(script: &str) -> Option<Lines> {
    let range = script.strip_suffix('p')?;
    let (first, last) = range.split_once(',').unwrap_or((range, range));
    let first = first.parse().ok()?;
    let last: u32 = if last == "$" { u32::MAX } else { last.parse().ok()? };
    // A range that ends before it begins is its first line.
    Some(Lines::between(first, last.max(first)))
}

/// Joins a path to its folder, if the path is relative and the folder known.
fn path_in(folder: &str, path: &str) -> EcoString {
    let path = path.strip_prefix("./").unwrap_or(path);
    if folder.is_empty() || path.starts_with(['/', '~']) {
        path.into()
    } else {
        eco_format!("{folder}/{path}")
    }
}
