//! Errors of commands, with the wording of all of them.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use rustyline::error::ReadlineError;

use super::exit::Exit;
use crate::compression::{SettingError, StrategyError};
use crate::report::{RecordsError, ResultsError};
use crate::scenario::{Problem, ScenarioError, on_one_line, reason};
use crate::transcript::ReadError;
use ptc_tokens::{PriceError, UnknownModel, UnknownTokenizer};

const REPORT_DIR_HELP: &str = "--report-dir names another folder";
const PRICES_HELP: &str =
    "it holds rows such as `- {model: NAME, input: 2, output: 10}`, in dollars for a million tokens";

/// Result of a command.
pub(super) type CliResult = Result<Exit, CliError>;

/// Reason why a command cannot do what it was asked for.
#[derive(Debug)]
pub(super) enum CliError {
    /// A first word that is neither a command nor a path, and the command that it is close to.
    MistypedCommand(String, String),
    /// A name, and a hint.
    UnknownCommand(String, String),
    /// An option that cannot be used with standard input.
    NotWithStandardInput(&'static str),
    /// An option that needs a suite, and a scenario in none.
    OutsideSuite(&'static str, PathBuf),
    AcceptInCi,
    DiffUsage,
    #[cfg(not(feature = "live"))]
    NotLive,

    Scenario(ScenarioError),
    /// A name, and a hint.
    UnknownScenario(String, String),
    /// A name, and the scenarios that it may mean.
    AmbiguousScenario(String, Vec<String>),
    /// A scenario, and its number of turns.
    NoSuchTurn(String, String),
    /// A name that no scenario can have, and advice.
    ScenarioName(String, &'static str),

    Setting(SettingError),
    BrokenStrategy(StrategyError),
    NoStrategy,
    Tokenizer(UnknownTokenizer),
    Prices(PriceError),
    UnreadablePrices(PathBuf, io::Error),
    UnknownModel(UnknownModel),

    /// A suite's file that a variant cannot be added to, and the setting.
    SuiteNotChanged(PathBuf, String),
    Read(PathBuf, io::Error),
    Write(PathBuf, io::Error),
    /// A file that is not overwritten, and advice.
    Exists(PathBuf, &'static str),
    /// Something in the folders of reports and snapshots cannot be read or written.
    Folders(PathBuf, PathBuf, io::Error),
    WriteReports(PathBuf, io::Error),
    ReadFailedNames(PathBuf, io::Error),
    Threads(String),
    Io(io::Error),
    Output(io::Error),
    Terminal(ReadlineError),

    /// The report to compare with.
    Baseline(String, String),
    UnreadableBaseline(PathBuf, io::Error),
    UnknownBaseline(String),
    NoBaseline(String, PathBuf),
    /// Results that another version may have written.
    OldResults(ResultsError),

    Records(RecordsError),
    RecordsOnTerminal,
    NoSuite(String),

    /// A transcript that cannot be imported.
    Transcript(PathBuf, ReadError),
    /// A log of which a strict import takes nothing, and notes on what would be lost.
    LostContent(PathBuf, Vec<String>),
    /// A transcript, the number of the chat, and what is wrong with it.
    Chat(PathBuf, usize, String),
    #[cfg(feature = "live")]
    TakesNoResponses(String),
    /// A recording, the reason why its next answer is missing, and the place of the others.
    #[cfg(feature = "live")]
    Unfinished(String, String, String),
    /// A recording that would not read back as it is.
    #[cfg(feature = "live")]
    NotReadBack(PathBuf),
    /// Number of scenarios for one file.
    #[cfg(feature = "live")]
    OneOutput(usize),
    /// A file that another process writes.
    #[cfg(feature = "live")]
    InUse(PathBuf),
    #[cfg(feature = "live")]
    NoUrl(String),
    /// The variable that names a proxy, and what was found in it.
    #[cfg(feature = "live")]
    NoProxy(&'static str, String),
    /// A line of a file that should be an entry of `record` or `verify`.
    #[cfg(feature = "live")]
    NoEntry(PathBuf, usize, serde_json::Error),
    /// The folder of a suite, and that of the one before it.
    #[cfg(feature = "live")]
    OtherSuite(PathBuf, PathBuf),
    /// An endpoint, and the variable for its key.
    #[cfg(feature = "live")]
    NoKey(String, &'static str),
}

impl CliError {
    /// Prints the error to standard error.
    pub(super) fn tell(self) -> Exit {
        match &self {
            CliError::Io(error) | CliError::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                return Exit::Interrupted;
            }
            _ => err!("{self}"),
        }
        if let CliError::BrokenStrategy(_) = self { Exit::Failed } else { Exit::Unreadable }
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (message, help) = match self {
            // Several errors, or an error with the line that it is about: they are written out already.
            CliError::Scenario(error) => return error.fmt(f),
            CliError::BrokenStrategy(error) => return f.write_str(&error.diagnostic()),
            other => other.message_and_help(),
        };
        writeln!(f, "error: {}", on_one_line(&message))?;
        self.details().iter().try_for_each(|line| writeln!(f, "  {}", on_one_line(line)))?;
        if help.is_empty() { Ok(()) } else { writeln!(f, "  = help: {help}") }
    }
}

impl CliError {
    /// Lines below the message.
    fn details(&self) -> Vec<String> {
        match self {
            CliError::LostContent(_, lines) => lines.clone(),
            CliError::Transcript(_, ReadError::Nothing(notes)) => notes.lines().collect(),
            _ => Vec::new(),
        }
    }

    /// The message, and advice on what to do or nothing.
    fn message_and_help(&self) -> (String, String) {
        use CliError::*;
        let cannot = |what: &str, path: &Path, error: &io::Error| {
            format!("cannot {what} {}: {}", path.display(), reason(error))
        };
        let (message, help) = match self {
            MistypedCommand(word, meant) => {
                let help = format!("did you mean '{meant}'?");
                return (format!("there is no command '{word}', and no file or folder"), help);
            }
            UnknownCommand(name, hint) => (format!("there is no command '{name}'"), hint.as_str()),
            NotWithStandardInput(option) => (format!("{option} cannot be used with standard input"), ""),
            OutsideSuite(option, path) => {
                let help =
                    format!("{option} needs a suite: a folder that is called scenarios, or holds suite.yaml");
                return (format!("{} is in no suite", path.display()), help);
            }
            AcceptInCi => ("nothing can be accepted with CI=true".into(), ""),
            DiffUsage => (
                "expected two strategies and one scenario, or two results".into(),
                "ptc-eval diff --strategies X Y SCENARIO\n  = help: ptc-eval diff HEAD~1 reports",
            ),
            #[cfg(not(feature = "live"))]
            NotLive => (
                "this build cannot ask a model: it has no network code".into(),
                "cargo install --path . --features live, in a clone of the repository",
            ),
            Scenario(error) => (error.to_string(), ""),
            UnknownScenario(name, hint) => (format!("no scenario is called '{name}'"), hint.as_str()),
            AmbiguousScenario(name, found) => {
                let help = format!("say one of: {}", on_one_line(&found.join(", ")));
                return (format!("'{name}' means {} scenarios", found.len()), help);
            }
            NoSuchTurn(scenario, turns) => (format!("{scenario} has no such turn, it took {turns}"), ""),
            ScenarioName(name, help) => (format!("a scenario cannot be called '{name}'"), *help),
            Setting(error) => (error.to_string(), ""),
            BrokenStrategy(error) => (error.to_string(), ""),
            NoStrategy => ("no strategy".into(), ""),
            Tokenizer(error) => (error.to_string(), ""),
            Prices(error) => (error.to_string(), ""),
            UnreadablePrices(path, error) => (cannot("read", path, error), PRICES_HELP),
            UnknownModel(unknown) => {
                return (format!("the price table has no model '{}'", unknown.name), unknown.help());
            }
            SuiteNotChanged(path, setting) => (
                format!("{setting} cannot be written into {} as a variant", path.display()),
                "write it by hand; ptc-eval run --strategy takes it as it is",
            ),
            Read(path, error) => (cannot("read", path, error), ""),
            Write(path, error) => (cannot("write", path, error), ""),
            Exists(path, help) => (format!("{} is there already", path.display()), *help),
            Folders(reports, snapshots, error) => {
                let what = format!("read and write what belongs in {} and", reports.display());
                (cannot(&what, snapshots, error), "--report-dir and --snapshot-dir name other folders")
            }
            WriteReports(folder, error) => (cannot("write to", folder, error), REPORT_DIR_HELP),
            ReadFailedNames(folder, error) => {
                (cannot("read what failed before from", folder, error), REPORT_DIR_HELP)
            }
            Threads(error) => (format!("no threads: {error}"), ""),
            Io(error) => (error.to_string(), ""),
            Output(error) => (format!("cannot write to standard output: {error}"), ""),
            Terminal(error) => (format!("cannot use this terminal: {error}"), ""),
            Baseline(name, error) => (format!("{name}: {error}"), ""),
            UnreadableBaseline(file, error) => (
                cannot("read", file, error),
                "a report folder holds strategies.csv once ptc-eval has run on the whole suite",
            ),
            UnknownBaseline(name) => (
                format!("there is neither a folder nor a revision '{name}'"),
                "ptc-eval run writes the folder reports, git fetch brings revisions; in CI, fetch the branch that is compared with",
            ),
            NoBaseline(name, folder) => {
                (format!("{name} has no report in {}", folder.display()), REPORT_DIR_HELP)
            }
            OldResults(error) => (error.to_string(), "write it anew with ptc-eval run"),
            Records(error) => (error.message.clone(), error.help),
            RecordsOnTerminal => (
                "records are for programs, and standard output is a terminal".into(),
                "send them to a file or a pipe: … > records.ndjson",
            ),
            NoSuite(suite) => (
                format!("the records are of the suite {suite}, which is not to be found from here"),
                "merge where they were written, or name --report-dir and --snapshot-dir",
            ),
            Transcript(path, ReadError::Nothing(_)) => (format!("{}: no conversation", path.display()), ""),
            Transcript(path, error) => (format!("{}: {error}", path.display()), ""),
            LostContent(path, _) => {
                (format!("{}: content would be lost", path.display()), "without --strict it is left out")
            }
            Chat(path, number, message) => (format!("{}, chat {number}: {message}", path.display()), ""),
            #[cfg(feature = "live")]
            TakesNoResponses(path) => (
                format!("{path} cannot take responses: its keys do not begin lines of YAML"),
                "write it as a .yaml file, a key a line",
            ),
            #[cfg(feature = "live")]
            Unfinished(name, reason, kept) => (format!("{name}: {reason}"), kept.as_str()),
            #[cfg(feature = "live")]
            NotReadBack(path) => (
                format!("{} would not hold the answers as they are", path.display()),
                "they are kept; please report this with the scenario",
            ),
            #[cfg(feature = "live")]
            OneOutput(number) => (
                format!("--output names one file for {number} scenarios"),
                "without it each recording is written beside its scenario",
            ),
            #[cfg(feature = "live")]
            InUse(path) => {
                (format!("another process adds to {}", path.display()), "wait for it, or name another file")
            }
            #[cfg(feature = "live")]
            NoUrl(url) => (format!("{url} is not the URL of an endpoint"), "write it like https://host/v1"),
            #[cfg(feature = "live")]
            NoProxy(variable, found) => (
                format!("{variable}: expected a proxy such as http://host:3128, found {found}"),
                "change or unset it, or name the endpoint's host in NO_PROXY",
            ),
            #[cfg(feature = "live")]
            NoEntry(path, line, error) => (
                format!("{}:{line}: not what this command keeps: {error}", path.display()),
                "remove the line or the file",
            ),
            #[cfg(feature = "live")]
            OtherSuite(root, first) => {
                let help = format!("name scenarios of {} only", first.display());
                return (format!("{} is of another suite", root.display()), help);
            }
            #[cfg(feature = "live")]
            NoKey(url, variable) => {
                let help = format!("set {variable}, or name another endpoint with --url");
                return (format!("{url} needs a key, and there is none"), help);
            }
        };
        (message, help.to_string())
    }
}

impl From<ScenarioError> for CliError {
    fn from(error: ScenarioError) -> CliError {
        CliError::Scenario(error)
    }
}

impl From<RecordsError> for CliError {
    fn from(error: RecordsError) -> CliError {
        CliError::Records(error)
    }
}

impl From<Problem> for CliError {
    fn from(problem: Problem) -> CliError {
        CliError::Scenario(problem.into())
    }
}

impl From<SettingError> for CliError {
    fn from(error: SettingError) -> CliError {
        CliError::Setting(error)
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> CliError {
        CliError::Io(error)
    }
}
