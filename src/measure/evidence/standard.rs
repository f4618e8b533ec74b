//! Names of standard libraries, which every model knows.

/// Modules and objects of Python, JavaScript and Go that names such as `json.dumps` begin with.
const HEADS: [&str; 61] = [
    "Array",
    "Date",
    "JSON",
    "Math",
    "Number",
    "Object",
    "Promise",
    "String",
    "argparse",
    "asyncio",
    "atomic",
    "bufio",
    "bytes",
    "collections",
    "console",
    "context",
    "csv",
    "datetime",
    "document",
    "encoding",
    "errors",
    "exec",
    "filepath",
    "fmt",
    "functools",
    "hashlib",
    "http",
    "io",
    "itertools",
    "json",
    "log",
    "logging",
    "math",
    "module",
    "os",
    "path",
    "pathlib",
    "process",
    "random",
    "re",
    "regexp",
    "require",
    "shutil",
    "sort",
    "strconv",
    "strings",
    "subprocess",
    "sync",
    "sys",
    "t",
    "tarfile",
    "tempfile",
    "testing",
    "threading",
    "time",
    "unicode",
    "unittest",
    "url",
    "utf8",
    "uuid",
    "zipfile",
];
/// The ends of names of files.
const FILES: [&str; 28] = [
    "c", "cc", "cfg", "cpp", "css", "csv", "go", "h", "html", "ini", "java", "js", "json", "jsx", "lock",
    "log", "md", "mod", "py", "rb", "rs", "sh", "sql", "toml", "ts", "tsx", "txt", "yaml",
];

/// Returns true for `json.dumps` and `t.Fatalf`, but not for `json.md`.
pub fn is_standard(word: &str) -> bool {
    let (Some((head, rest)), Some((_, end))) = (word.split_once('.'), word.rsplit_once('.')) else {
        return false;
    };
    let is_name = rest.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, '.' | '_'));
    is_name && HEADS.contains(&head) && !FILES.contains(&end)
}
