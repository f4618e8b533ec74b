//! Programs of a shell that read files, and their options for writing or for running another program. The rows with
//! options were searched for in the manuals of Debian 12 on 29 November 2026.

/// A program and its options that write.
struct Reader {
    name: &'static str,
    /// Short options by letter, also inside clusters such as `-uo`.
    letters: &'static str,
    /// Long options without dashes, also abbreviated.
    words: &'static [&'static str],
    /// The most operands of which none is written to.
    operands: usize,
}

const fn reader(name: &'static str, letters: &'static str, words: &'static [&'static str]) -> Reader {
    Reader { name, letters, words, operands: usize::MAX }
}

const READERS: [Reader; 34] = [
    reader("cat", "", &[]),
    reader("nl", "", &[]),
    reader("head", "", &[]),
    reader("tail", "", &[]),
    // The log file gets a copy of the input.
    reader("less", "oO", &["log-file", "LOG-FILE"]),
    reader("more", "", &[]),
    reader("grep", "", &[]),
    reader("egrep", "", &[]),
    reader("fgrep", "", &[]),
    // `--pre` runs a program for each file.
    reader("rg", "", &["pre", "hostname-bin"]),
    reader("ag", "", &["pager"]),
    reader("ack", "", &["pager"]),
    reader("fd", "xX", &["exec", "exec-batch"]),
    reader("ls", "", &[]),
    // `-R` writes a `00Tree.html` in each folder.
    reader("tree", "oR", &["output"]),
    reader("wc", "", &[]),
    reader("stat", "", &[]),
    // Compiles a file of magic numbers.
    reader("file", "C", &["compile"]),
    reader("du", "", &[]),
    reader("df", "", &[]),
    reader("pwd", "", &[]),
    reader("which", "", &[]),
    reader("type", "", &[]),
    reader("echo", "", &[]),
    reader("printf", "", &[]),
    reader("sort", "o", &["output", "compress-program"]),
    // The second operand is the output.
    Reader { name: "uniq", letters: "", words: &[], operands: 1 },
    reader("cut", "", &[]),
    reader("tr", "", &[]),
    reader("jq", "", &[]),
    reader("diff", "", &[]),
    reader("column", "", &[]),
    reader("basename", "", &[]),
    reader("true", "", &[]),
];
/// Options of `uniq` with a separate value.
const UNIQ_VALUES: [&str; 3] = ["-f", "-s", "-w"];
/// Read-only commands of `git`.
const GIT: [&str; 11] = [
    "log",
    "show",
    "diff",
    "status",
    "blame",
    "ls-files",
    "ls-tree",
    "grep",
    "rev-parse",
    "cat-file",
    "describe",
];
/// Options of `git` before the command, with a separate value.
const GIT_VALUES: [&str; 3] = ["-C", "--git-dir", "--work-tree"];
/// Options of read-only commands of `git` that write a file or run a program.
const GIT_WRITES: Reader = reader("git", "", &["output", "open-files-in-pager", "ext-diff"]);
/// Read-only commands of `gh`, after a group such as `pr`.
const GITHUB: [&str; 5] = ["view", "list", "diff", "status", "checks"];
/// Actions of `find` that change files or run programs.
const FINDING: [&str; 9] =
    ["-delete", "-exec", "-execdir", "-ok", "-okdir", "-fprint", "-fprint0", "-fprintf", "-fls"];
/// Options of `xargs` with a separate value. Those of `--eof`, `--replace` and `--max-lines` stand behind a `=`.
const XARGS_VALUES: [&str; 14] = [
    "-a",
    "-d",
    "-E",
    "-I",
    "-L",
    "-n",
    "-P",
    "-s",
    "--arg-file",
    "--delimiter",
    "--max-args",
    "--max-procs",
    "--max-chars",
    "--process-slot-var",
];

/// Returns true if a program with these arguments changes nothing.
pub fn only_reads(program: &[String]) -> bool {
    let Some((name, arguments)) = program.split_first() else { return true };
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let name = name.rsplit('/').next().unwrap_or(name);
    match name {
        "cd" => true,
        "sed" => sed_reads(&arguments),
        "find" => !has_one_of(&arguments, &FINDING),
        "git" => git_reads(&arguments),
        "gh" => gh_reads(&arguments),
        "xargs" => xargs_reads(&arguments),
        name => READERS.iter().any(|reader| reader.name == name && reader.reads_with(&arguments)),
    }
}

fn has_one_of(arguments: &[&str], options: &[&str]) -> bool {
    arguments.iter().any(|argument| options.contains(argument))
}

impl Reader {
    fn reads_with(&self, arguments: &[&str]) -> bool {
        let (mut operands, mut ends_options, mut takes_value) = (0, false, false);
        for argument in arguments {
            if std::mem::take(&mut takes_value) {
                continue;
            }
            if ends_options || !argument.starts_with('-') || *argument == "-" {
                operands += 1;
                continue;
            }
            ends_options = *argument == "--";
            takes_value = self.name == "uniq" && UNIQ_VALUES.contains(argument);
            if self.is_writing(argument) {
                return false;
            }
        }
        operands <= self.operands
    }

    /// Returns true if an option makes the program write. GNU programs accept the start of a long option.
    fn is_writing(&self, option: &str) -> bool {
        match option.strip_prefix("--") {
            Some("") => false,
            Some(long) => {
                let word = long.split('=').next().unwrap_or(long);
                self.words.iter().any(|writing| writing.starts_with(word))
            }
            None => option.chars().skip(1).any(|letter| self.letters.contains(letter)),
        }
    }
}

/// The arguments from the first one that is neither an option nor the value of one of `with_value`.
fn after_options<'a>(arguments: &'a [&'a str], with_value: &[&str]) -> &'a [&'a str] {
    let mut rest = arguments;
    while let [option, after @ ..] = rest {
        if !option.starts_with('-') {
            break;
        }
        rest = if with_value.contains(option) { after.get(1..).unwrap_or_default() } else { after };
    }
    rest
}

fn git_reads(arguments: &[&str]) -> bool {
    let [command, rest @ ..] = after_options(arguments, &GIT_VALUES) else { return false };
    let before = arguments.len() - rest.len() - 1;
    let mut options = rest.iter().take_while(|argument| **argument != "--");
    GIT.contains(command)
        && !arguments.iter().take(before).copied().any(is_git_setting)
        && !options.any(|option| is_written_by_git(command, option))
}

/// Returns true for an option of `git` with a setting or a folder of programs: both may name a program to run.
fn is_git_setting(argument: &str) -> bool {
    argument == "-c" || argument.starts_with("--config-env") || argument.starts_with("--exec-path=")
}

fn is_written_by_git(command: &str, argument: &str) -> bool {
    match argument.strip_prefix("--") {
        Some(_) => GIT_WRITES.is_writing(argument),
        // `git diff -O` takes an order file, `git grep -O` opens a pager.
        None => command == "grep" && argument.starts_with("-O"),
    }
}

/// `gh pr view 12`, `gh search issues …`
fn gh_reads(arguments: &[&str]) -> bool {
    // Both open a browser.
    if has_one_of(arguments, &["-w", "--web"]) {
        return false;
    }
    match after_options(arguments, &["-R", "--repo"]) {
        ["search" | "status", ..] => true,
        [_, rest @ ..] => match after_options(rest, &["-R", "--repo"]) {
            [verb, ..] => GITHUB.contains(verb),
            [] => false,
        },
        [] => false,
    }
}

/// Without a program, `xargs` runs `echo`.
fn xargs_reads(arguments: &[&str]) -> bool {
    let program = after_options(arguments, &XARGS_VALUES);
    let program: Vec<String> = program.iter().copied().map(String::from).collect();
    // `uniq` writes to its second operand, which `xargs` may add.
    program.first().is_none_or(|name| name != "uniq") && only_reads(&program)
}

/// Returns true if `sed -n` prints only: no option edits in place, and no script writes or runs anything.
fn sed_reads(arguments: &[&str]) -> bool {
    let (mut is_quiet, mut scripts, mut words): (bool, Vec<&str>, Vec<&str>) =
        (false, Vec::new(), Vec::new());
    let mut arguments = arguments.iter().copied();
    while let Some(argument) = arguments.next() {
        match argument {
            "-n" | "--quiet" | "--silent" => is_quiet = true,
            "-e" | "--expression" => scripts.extend(arguments.next()),
            "-E" | "-r" | "-s" | "-z" | "-u" | "--regexp-extended" | "--posix" | "--debug" => {}
            "-nE" | "-nr" | "-En" | "-rn" => is_quiet = true,
            "-ne" => {
                is_quiet = true;
                scripts.extend(arguments.next());
            }
            option if option.starts_with('-') => return false,
            _ => words.push(argument),
        }
    }
    if scripts.is_empty() {
        scripts.extend(words.first().copied());
    }
    is_quiet && scripts.into_iter().all(prints_only)
}

/// Returns true if a script of `sed` has no command that writes a file or runs a program. Unknown commands count as writing.
fn prints_only(script: &str) -> bool {
    let mut characters = script.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            // A line number, `$`, or what joins addresses and commands.
            '0'..='9' | '$' | ',' | '+' | '~' | '!' | ';' | '{' | '}' | ' ' | '\n' => {}
            '/' => skip_to(&mut characters, '/'),
            '\\' => {
                let Some(delimiter) = characters.next() else { return false };
                skip_to(&mut characters, delimiter);
            }
            // Flags of an address and commands that print, delete, skip or quit.
            'I' | 'M' | 'p' | 'P' | '=' | 'l' | 'd' | 'D' | 'n' | 'N' | 'q' | 'Q' | 'g' | 'G' | 'h' | 'H'
            | 'x' => {}
            's' => {
                let Some(delimiter) = characters.next() else { return false };
                skip_to(&mut characters, delimiter);
                skip_to(&mut characters, delimiter);
                // The flags `w` and `e` are unknown commands here.
                while characters.next_if(|c| "gpiImM0123456789".contains(*c)).is_some() {}
            }
            _ => return false,
        }
    }
    true
}

/// Skips a pattern and its closing delimiter.
fn skip_to(characters: &mut std::iter::Peekable<std::str::Chars<'_>>, delimiter: char) {
    while let Some(character) = characters.next() {
        match character {
            '\\' => drop(characters.next()),
            character if character == delimiter => return,
            _ => {}
        }
    }
}
