//! Reads committed files with `git`, safely in strangers' repositories. A folder may contain files that git would mistake for a
//! repository, and git settings can run arbitrary programs. So this file finds the repository itself, and only reads commits and blobs:
//! these need no working tree, filter, hook, pager or network.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use crate::processes::{Environment, Program};
use crate::scenario::files;

/// Chosen, not measured: a blob is read in milliseconds.
const LIMIT: Duration = Duration::from_secs(20);
/// Most bytes of a committed report.
const MOST_BYTES: u64 = 64 << 20;

/// Arguments before every subcommand.
const ARGUMENTS: &[&str] = &[
    "--no-pager",
    "-c",
    "safe.bareRepository=explicit",
    "-c",
    "protocol.allow=never",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.attributesFile=/dev/null",
    "-c",
    "diff.external=",
    "-c",
    "credential.helper=",
];

/// Environment variables of every call. Old versions of git ignore some, so each danger is blocked twice.
const VARIABLES: &[(&str, &str)] = &[
    ("GIT_NO_LAZY_FETCH", "1"),
    // It overrides `protocol.NAME.allow` of the repository.
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_PAGER", "cat"),
    ("LC_ALL", "C"),
];

/// The subcommand that prints a blob as it is.
const READ_BLOB: &[&str] = &["cat-file", "blob"];
/// Most bytes of a file that names a folder.
const MOST_BYTES_OF_POINTER: u64 = 64 << 10;
/// Places of references in a `.git` folder.
const REFERENCES: &[&str] = &["HEAD", "packed-refs", "refs", "reftable", "logs"];

/// A `.git` of perhaps another folder. Its commits are not read: a stranger's could lead to any repository of the user.
#[derive(Debug)]
pub(super) struct Foreign {
    pub(super) git: PathBuf,
    pub(super) reason: Reason,
}

/// The reason why a `.git` is not read.
#[derive(Debug)]
pub(super) enum Reason {
    Link,
    /// It names a place without a repository.
    LeadsNowhere,
    /// The repository does not name the folder as its worktree or submodule.
    NotNamedBack {
        repository: PathBuf,
        is_worktree: bool,
    },
    /// References or a `commondir` are those of another repository.
    Borrows,
}

impl Foreign {
    /// What was found, as the end of a sentence about the `.git`.
    pub(super) fn found(&self) -> String {
        match &self.reason {
            Reason::Link => "is a link".to_owned(),
            Reason::LeadsNowhere => "leads to no repository".to_owned(),
            Reason::NotNamedBack { repository, .. } => {
                format!("leads to {}, which does not name this folder as its own", repository.display())
            }
            Reason::Borrows => "has the references of another repository".to_owned(),
        }
    }

    /// What makes the repository readable, if it belongs to the user.
    pub(super) fn help(&self) -> String {
        let root = self.git.parent().unwrap_or(Path::new(".")).display();
        match &self.reason {
            Reason::Link => "put the folder itself in place of the link".to_owned(),
            Reason::NotNamedBack { is_worktree: false, .. } => {
                format!("git -C {root} config core.worktree {root}")
            }
            Reason::LeadsNowhere | Reason::NotNamedBack { .. } => format!("git worktree repair {root}"),
            Reason::Borrows => "git clone makes a repository with its own".to_owned(),
        }
    }
}

/// Checks that a `.git` belongs to the folder around it: it is a repository, or leads to one with the folder as worktree or submodule.
fn check_own(git: &Path, root: &Path) -> Result<(), Reason> {
    if git.is_symlink() {
        return Err(Reason::Link);
    }
    if git.is_dir() {
        return if is_repository(git) { Ok(()) } else { Err(Reason::Borrows) };
    }
    let named = read_pointer(git).and_then(|text| Some(root.join(text.strip_prefix("gitdir:")?.trim())));
    let folder = named.and_then(|folder| folder.canonicalize().ok()).ok_or(Reason::LeadsNowhere)?;
    let worktrees = folder.parent().filter(|above| above.ends_with("worktrees"));
    let (repository, is_named_back) = match worktrees.and_then(Path::parent) {
        Some(repository) => {
            let leads_back = leads_to(&folder, "gitdir", git);
            (repository, leads_back && leads_to(&folder, "commondir", repository))
        }
        None => {
            let is_same = worktree_of(&folder).is_some_and(|place| is_same(&folder.join(place), root));
            (folder.as_path(), is_same)
        }
    };
    if !is_named_back {
        let repository = repository.to_owned();
        return Err(Reason::NotNamedBack { repository, is_worktree: worktrees.is_some() });
    }
    if has_no_links(&folder) && is_repository(repository) { Ok(()) } else { Err(Reason::Borrows) }
}

/// Returns true if the references of a repository are its own files. Otherwise a stranger could show commits of another one.
fn is_repository(git: &Path) -> bool {
    !git.join("commondir").exists() && has_no_links(git)
}

fn has_no_links(git: &Path) -> bool {
    let mut places: Vec<PathBuf> = REFERENCES.iter().map(|name| git.join(name)).collect();
    while let Some(place) = places.pop() {
        if place.is_symlink() {
            return false;
        }
        if place.is_dir() {
            let Ok(entries) = files::list(&place) else { return false };
            places.extend(entries.flatten().map(|entry| entry.path()));
        }
    }
    true
}

/// Returns true if a file of a folder names this place.
fn leads_to(folder: &Path, name: &str, place: &Path) -> bool {
    read_pointer(&folder.join(name)).is_some_and(|text| is_same(&folder.join(text.trim()), place))
}

/// The working tree that the settings of a submodule name.
fn worktree_of(folder: &Path) -> Option<String> {
    let settings = read_pointer(&folder.join("config"))?;
    settings.lines().find_map(|line| {
        let (name, value) = line.split_once('=')?;
        (name.trim() == "worktree").then(|| value.trim().to_owned())
    })
}

fn read_pointer(file: &Path) -> Option<String> {
    let mut text = String::new();
    files::open(file).ok()?.take(MOST_BYTES_OF_POINTER).read_to_string(&mut text).ok()?;
    Some(text)
}

fn is_same(place: &Path, other: &Path) -> bool {
    let place = place.canonicalize().ok();
    place.is_some() && place == other.canonicalize().ok()
}

/// A file of a commit.
pub(super) struct Blob {
    hash: String,
    pub(super) size: usize,
}

impl Blob {
    /// Parses `100644 blob HASH SIZE<tab>PATH` into path and blob.
    fn read(line: &str) -> Option<(String, Blob)> {
        let (head, path) = line.split_once('\t')?;
        let mut words = head.split_ascii_whitespace();
        let is_file = words.next()?.starts_with("100") && words.next()? == "blob";
        let (hash, size) = (words.next()?.to_owned(), words.next()?.parse().ok()?);
        (is_file && is_below(path)).then(|| (path.to_owned(), Blob { hash, size }))
    }
}

/// Returns true for a path that stays below its folder and is not hidden. A tree not written by git may contain names such as
/// `/etc/passwd` and `../a`.
fn is_below(path: &str) -> bool {
    let is_plain = path.split('/').all(|part| !part.is_empty() && !part.starts_with('.'));
    is_plain && Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

/// A repository with a working tree.
pub(super) struct Repository {
    /// The folder of the working tree, without links.
    root: PathBuf,
    /// Its `.git`: a folder, or a file in a worktree or submodule.
    git: String,
}

impl Repository {
    /// Finds the repository around a folder. `None` if there is none, or one that may belong to another folder.
    pub(super) fn around(folder: &Path) -> Option<Repository> {
        Repository::find(folder).ok()?
    }

    /// Finds the repository around a folder. Requires a `.git`: a plain folder is never treated as a bare repository.
    ///
    /// # Errors
    /// The `.git` may belong to another folder.
    pub(super) fn find(folder: &Path) -> Result<Option<Repository>, Foreign> {
        let Ok(folder) = folder.canonicalize() else { return Ok(None) };
        for root in folder.ancestors() {
            let git = root.join(".git");
            if git.is_file() || git.join("HEAD").exists() {
                let name = git.to_str().map(str::to_owned);
                check_own(&git, root).map_err(|reason| Foreign { git, reason })?;
                return Ok(name.map(|git| Repository { root: root.to_owned(), git }));
            }
        }
        Ok(None)
    }

    /// The hash of a revision's commit.
    pub(super) fn commit(&self, revision: &str) -> Option<String> {
        let revision = format!("{revision}^{{commit}}");
        // A revision with a leading dash would be parsed as an option.
        let text = self.ask(&["rev-parse", "--verify", "--quiet", "--end-of-options", &revision])?;
        let hash = text.trim();
        (!hash.is_empty() && hash.chars().all(|c| c.is_ascii_hexdigit())).then(|| hash.to_owned())
    }

    /// The text of a file in a commit. The path need not exist any more.
    pub(super) fn file(&self, commit: &str, path: &Path) -> Option<String> {
        // `show` starts the program that checks the signature of a commit, which a tree may call a file. `cat-file` starts none.
        let object = format!("{commit}:{}", self.below_root(path)?);
        self.ask(&[READ_BLOB, &[&object]].concat())
    }

    /// The files below a folder in a commit, keyed by their paths below it, with hashes and sizes. Excludes hidden files and links.
    pub(super) fn files(&self, commit: &str, folder: &Path) -> Option<BTreeMap<String, Blob>> {
        let tree = format!("{commit}:{}", self.below_root(folder)?);
        let list = self.ask(&["ls-tree", "-r", "-l", "-z", "--full-tree", &tree])?;
        Some(list.split('\0').filter_map(Blob::read).collect())
    }

    /// The bytes of blobs, concatenated. `None` if one is missing or no blob.
    pub(super) fn blobs(&self, blobs: &[&Blob]) -> Option<Vec<u8>> {
        let hashes: String = blobs.iter().map(|blob| format!("{}\n", blob.hash)).collect();
        let answers = self.ask_bytes(&["cat-file", "--batch"], hashes)?;
        let (mut bytes, mut rest) = (Vec::with_capacity(answers.len()), answers.as_slice());
        for Blob { hash, size } in blobs {
            let content = rest.strip_prefix(format!("{hash} blob {size}\n").as_bytes())?;
            let (content, after) = content.split_at_checked(*size)?;
            bytes.extend_from_slice(content);
            rest = after.strip_prefix(b"\n")?;
        }
        Some(bytes)
    }

    /// The path relative to the root of the repository.
    fn below_root(&self, path: &Path) -> Option<String> {
        let existing = path.ancestors().find(|folder| folder.is_dir()).unwrap_or(Path::new("."));
        let below = path.strip_prefix(existing).unwrap_or(path);
        let existing = existing.canonicalize().ok()?;
        let path = existing.strip_prefix(&self.root).ok()?.join(below);
        let mut words = Vec::new();
        for component in path.components() {
            words.push(component.as_os_str().to_str()?);
        }
        Some(words.join("/"))
    }

    fn ask(&self, arguments: &[&str]) -> Option<String> {
        String::from_utf8(self.ask_bytes(arguments, String::new())?).ok()
    }

    fn ask_bytes(&self, arguments: &[&str], input: String) -> Option<Vec<u8>> {
        let environment = Environment::filter(std::env::vars_os(), &[]);
        let program = Program {
            name: "git",
            arguments: [ARGUMENTS, &["--git-dir", &self.git], arguments].concat(),
            folder: &self.root,
            environment: &environment,
            variables: VARIABLES,
        };
        program.output(input.into_bytes(), LIMIT, MOST_BYTES).ok()?
    }
}
