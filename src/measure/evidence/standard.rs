//! Names that every model knows, since they are published with the languages and programs that have them.

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

/// The output of `published/generate.py`. Each line has a kind, a place and names.
const PUBLISHED: &str = include_str!("published/names.txt");

/// The scripts that the templates of Next.js, Nx and Vite name, and those that npm has commands for. Package managers run them: `bun run
/// lint`.
const SCRIPTS: [&str; 8] = ["build", "dev", "format", "lint", "preview", "start", "test", "typecheck"];

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    let mut names = Names::default();
    PUBLISHED.lines().for_each(|line| names.add(line));
    names
});

#[derive(Default)]
struct Names {
    /// Names that are no words of English, keywords, languages, files and modules.
    alone: FxHashSet<&'static str>,
    /// A module with each of its names.
    of_modules: FxHashSet<(&'static str, &'static str)>,
    /// Methods of values of any type.
    methods: FxHashSet<&'static str>,
    utilities: FxHashSet<&'static str>,
    programs: FxHashSet<&'static str>,
    /// Commands of programs that are no words of English, such as `rev-parse`.
    commands: FxHashSet<&'static str>,
    /// A program with each of its commands.
    of_programs: FxHashSet<(&'static str, &'static str)>,
}

impl Names {
    fn add(&mut self, line: &'static str) {
        let mut words = line.split(' ');
        let (Some(kind), Some(place)) = (words.next(), words.next()) else { return };
        match (kind, place) {
            ("word", _) => self.alone.extend(words),
            ("command", "posix") => self.utilities.extend(words),
            ("command", program) => {
                self.programs.insert(program);
                for command in words {
                    self.of_programs.insert((program, command));
                    if command.contains('-') {
                        self.commands.insert(command);
                    }
                }
            }
            ("method", _) => self.methods.extend(words),
            _ => {
                self.alone.insert(place);
                for name in words {
                    self.of_modules.insert((place, name));
                    if is_of_code(name) {
                        self.alone.insert(name);
                    }
                }
            }
        }
    }
}

/// Returns true for `BytesIO`, `exist_ok`, `json.dumps`, `os.path.join`, `go.mod`, `rev-parse` and `GraphQL`, but not for `json.md`.
pub fn is_standard(word: &str) -> bool {
    let names = &*NAMES;
    names.alone.contains(word)
        || names.commands.contains(word)
        || word.rsplit_once('.').is_some_and(|(before, name)| {
            let module = before.rsplit('.').next().unwrap_or(before);
            names.of_modules.contains(&(module, name))
        })
}

/// `old_rows` of `old_rows.append` where a method of any value is called: only the value is a fact.
pub fn value_of_call<'w>(word: &'w str, after: &str) -> Option<&'w str> {
    let is_method = |name: &str| NAMES.methods.contains(name) || is_of_code(name) && is_standard(name);
    let (value, name) = word.rsplit_once('.').filter(|_| after.starts_with('('))?;
    is_method(name).then_some(value)
}

/// Returns true for `git push`, `npm install`, `bun run lint` and `ls -la`: a command of every system, with options and without a file.
pub fn is_common_command(text: &str) -> bool {
    let mut words = text.split(' ');
    let Some(program) = words.next() else { return false };
    let is_of_program = |command: &str| NAMES.of_programs.contains(&(program, command));
    let command = words.next();
    let is_known = NAMES.utilities.contains(program) || command.is_some_and(is_of_program);
    let is_script = |word: &str| command == Some("run") && SCRIPTS.contains(&word);
    is_known && words.all(|word| is_option(word) || is_script(word))
}

/// Returns true for `grep`, `git` and `bun`.
pub fn is_program(word: &str) -> bool {
    NAMES.utilities.contains(word) || NAMES.programs.contains(word)
}

/// `--name-only`, `-la`
fn is_option(word: &str) -> bool {
    word.starts_with('-') && word.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-')
}

/// `add_argument`, `BytesIO`, but neither `index` nor `Scope`.
fn is_of_code(name: &str) -> bool {
    let is_hump = |pair: &[u8]| matches!(pair, [a, b] if !a.is_ascii_uppercase() && b.is_ascii_uppercase());
    let is_acronym = |three: &[u8]| matches!(three, [a, b, c] if a.is_ascii_uppercase() && b.is_ascii_uppercase() && c.is_ascii_lowercase());
    let bytes = name.as_bytes();
    name.contains('_') || bytes.windows(2).any(is_hump) || bytes.windows(3).any(is_acronym)
}
