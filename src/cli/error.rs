//! All errors of commands and their messages.

use std::io;
use std::path::PathBuf;

use rustyline::error::ReadlineError;

use super::exit::Exit;
use super::git::Foreign;
use super::suite::{count, for_shell};
use crate::compression::{BrokenStrategy, SettingError, StrategyError, explain_refusal};
use crate::evaluate::EvaluateError;
use crate::report::{RecordsError, ResultsError};
use crate::scenario::{Problem, ScenarioError, help_for_model, on_one_line, reason};
use agent_logs::ReadError;
use ptc_prices::{PriceError, UnknownModel};
use ptc_tokens::UnknownTokenizer;

/// The result of a command.
pub(super) type CliResult = Result<Exit, CliError>;

/// Declares errors, each with its help after it: a format string and its arguments.
macro_rules! errors_with_help {
    ($(#[$outer:meta])* $visibility:vis enum $name:ident {
        $($(#[$attribute:meta])* $variant:ident $({
            $($(#[$field_attribute:meta])* $field:ident: $type:ty),*
        })? $(help $help:tt)?,)*
    }) => {
        $(#[$outer])*
        $visibility enum $name {
            $($(#[$attribute])* $variant $({ $($(#[$field_attribute])* $field: $type),* })?,)*
        }

        impl $name {
            /// Advice on what to do, where there is any.
            #[expect(unused_variables, reason = "most help names no field")]
            fn help(&self) -> Option<String> {
                match self { $(Self::$variant { $($($field),*)? } => errors_with_help!(@help $($help)?),)* }
            }
        }
    };
    (@help) => { None };
    (@help ($($format:tt)*)) => { Some(format!($($format)*)) };
}

errors_with_help! {
/// Why a command failed.
#[derive(Debug, thiserror::Error)]
// Some occur only in `record` and `verify`.
#[cfg_attr(not(feature = "live"), allow(dead_code))]
pub(super) enum CliError {
    /// A first word that is neither a command nor a path but close to a command.
    #[error("there is no command '{word}', and no file or folder")]
    MistypedCommand { word: String, meant: String }
        help ("did you mean '{meant}'?"),

    #[error("there is no session of {agent}: looked in {folders}")]
    NoSessions { agent: &'static str, folders: String }
        help ("ptc-eval advise FOLDER reads sessions that are elsewhere"),

    #[error("{agent} keeps its sessions in a database")]
    SessionsNotInFiles { agent: &'static str, export: &'static str }
        help ("export them with `{export}`, then: ptc-eval advise FILE"),

    #[error("there is no command '{name}'")]
    UnknownCommand { name: String, hint: String }
        help ("{hint}"),

    #[error("{option} cannot be used with standard input")]
    NotWithStandardInput { option: &'static str },

    /// Options about golden files and the files of a suite, on logs.
    #[error("{option} cannot be used with logs, which are in no suite")]
    NotWithLogs { option: &'static str }
        help ("ptc-eval advise LOGS --save FOLDER, or ptc-eval import LOGS, makes a suite of them"),

    #[error("scenarios on standard input can only be run")]
    ScenariosOnStandardInput
        help ("ptc-eval run - reads them; write them into a file of lines, FILE.jsonl, for other commands"),

    #[error("{log} is a log, and {scenario} is none")]
    LogsAndScenarios { log: PathBuf, scenario: PathBuf }
        help ("name logs or scenarios; ptc-eval import turns logs into scenarios and transcripts"),

    /// A path that holds something else than the command takes.
    #[error("{path} is {found}; expected {expected}")]
    OtherInput { path: PathBuf, found: String, expected: &'static str, instead: String }
        help ("{instead}"),

    #[error("there is no conversation in {logs}")]
    NoConversation { logs: String }
        help ("ptc-eval list formats shows the formats of logs, ptc-eval new NAME writes a scenario"),

    #[error("{path} is in no suite")]
    OutsideSuite { option: &'static str, path: PathBuf }
        help ("{option} needs a suite: a folder called scenarios, or one with suite.yaml"),

    #[error("nothing can be accepted with CI=true")]
    AcceptInCi,

    #[error("expected two strategies and one scenario, or two results")]
    DiffUsage
        help ("ptc-eval diff --strategies X Y SCENARIO\n  = help: ptc-eval diff HEAD~1 reports"),

    #[error("there is no prompt '{name}'")]
    UnknownPrompt { name: String, help: String }
        help ("{help}"),

    #[error("cannot read the system prompt in {path}: {}", reason(error))]
    UnreadablePrompt { path: PathBuf, error: io::Error },

    #[error("this build cannot ask a model: it has no network code")]
    #[cfg_attr(feature = "live", allow(dead_code))]
    NotLive
        help ("cargo install --path . --features live, in a clone of the repository"),

    /// Problems of a scenario's file, written out with the lines that they are about.
    #[error(transparent)]
    Scenario { #[from] error: ScenarioError },

    #[error("no scenario is called '{name}'")]
    UnknownScenario { name: String, hint: String }
        help ("{hint}"),

    #[error("'{name}' means {} scenarios", meanings.len())]
    AmbiguousScenario { name: String, meanings: Vec<String> }
        help ("choose one of: {}", on_one_line(&meanings.join(", "))),

    /// A log with several conversations and no valid choice among them.
    #[error("{log} holds {}", count(*number, "conversation"))]
    Conversations { log: String, argument: String, number: usize, first: Vec<String> }
        help ("choose one: {argument}#1 is the first"),

    #[error("{scenario} has no such turn, it took {turns}")]
    NoSuchTurn { scenario: String, turns: String },

    #[error("{scenario} is a transcript: its answers are not programs, so there is no turn to open")]
    NoPrograms { scenario: String }
        help ("ptc-eval show {} shows its turns", for_shell(&on_one_line(scenario))),

    /// A log of programs: `import` makes a scenario of it.
    #[error("{log} is a log: its tools and data are not known")]
    ProgramsInLog { log: String }
        help ("ptc-eval import {} makes a scenario of it, whose turns can be opened", for_shell(&on_one_line(log))),

    #[error("there is no agent '{name}' in these logs")]
    UnknownAgent { name: String, agents: Vec<String> }
        help ("their agents: {}", on_one_line(&agents.join(", "))),

    #[error("a scenario cannot be called '{name}'")]
    ScenarioName { name: String, help: &'static str }
        help ("{help}"),

    #[error("{}", explain_refusal(error))]
    Setting { #[from] error: SettingError },

    /// An error of a strategy, written out with the line that it is about.
    #[error(transparent)]
    BrokenStrategy { error: StrategyError },

    #[error("no strategy")]
    NoStrategy,

    #[error("there is nothing to copy into an agent for {strategy}")]
    NotCopyable { strategy: String, known: String }
        help ("there is for {known}"),

    #[error("messages of the OpenAI API have no option for summaries")]
    NoOwnSummary
        help ("libraries and providers write them themselves: --for langchain, openai-agents, pydantic-ai, ai-sdk, anthropic-api or litellm"),

    #[error("{setting}: what is copied into an agent has no option '{option}'")]
    NotInCopy { setting: String, option: &'static str, known: String }
        help ("its options: {known}"),

    #[error("{path} has no costs to compare: {reason}")]
    NoCosts { path: PathBuf, reason: String }
        help ("effect needs input tokens, cached tokens and the model of each request; ptc-eval advise estimates the cost of other logs"),

    #[error("{product} has {what}")]
    NoSetting { product: String, what: &'static str },

    #[error("{product} summarizes in its own way: only the size at which it does can be set")]
    OnlyTrigger { product: String, instead: String }
        help ("such as {instead}"),

    #[error("the setting of {product} depends on the window of the model")]
    NeedsWindow { product: String }
        help ("name the model with --model; ptc-eval list models shows the windows"),

    #[error("{product} cannot compact at {tokens} tokens: {reason}")]
    OutOfReach { product: String, tokens: String, reason: String, instead: String }
        help ("{instead}"),

    #[error("{product} has no way to do {strategy}")]
    NotInProduct { product: String, strategy: String, instead: String }
        help ("{instead}"),

    #[error("{setting}: {keeps}")]
    KeepsOther { setting: String, keeps: &'static str, instead: String }
        help ("nearest to it is {instead}"),

    #[error(transparent)]
    Tokenizer { #[from] error: UnknownTokenizer },

    #[error(transparent)]
    Prices { #[from] error: PriceError },

    #[error("cannot read {path}: {}", reason(error))]
    UnreadablePrices { path: PathBuf, error: io::Error }
        help ("expected rows such as `- {{model: NAME, input: 2, output: 10}}`, in dollars for a million tokens"),

    #[error(transparent)]
    UnknownModel { #[from] unknown: UnknownModel }
        help ("{}", help_for_model(unknown)),

    /// A suite's file that a variant with this setting cannot be added to.
    #[error("{setting} cannot be written into {path} as a variant: {reason}")]
    SuiteNotChanged { path: PathBuf, setting: String, reason: String }
        help ("add it by hand; ptc-eval run --strategy accepts it as printed"),

    #[error("cannot read {path}: {}", reason(error))]
    Read { path: PathBuf, error: io::Error },

    #[error("cannot write {path}: {}", reason(error))]
    Write { path: PathBuf, error: io::Error },

    /// A file that is not overwritten.
    #[error("{path} is there already")]
    Exists { path: PathBuf, help: &'static str }
        help ("{help}"),

    /// Something in the folders of reports and snapshots cannot be read or written.
    #[error("cannot read and write what belongs in {reports} and {snapshots}: {}", reason(error))]
    Folders { reports: PathBuf, snapshots: PathBuf, error: io::Error }
        help ("--report-dir and --snapshot-dir name other folders"),

    #[error("{folder} is that of another suite too: {other}")]
    SharedFolder { folder: PathBuf, other: PathBuf }
        help ("give each suite a parent folder of its own, as in agents/shop/scenarios, or name other folders with --report-dir and --snapshot-dir"),

    #[error("cannot write to {folder}: {}", reason(error))]
    WriteReports { folder: PathBuf, error: io::Error }
        help ("--report-dir names another folder"),

    #[error("cannot read what failed before from {folder}: {}", reason(error))]
    ReadFailedNames { folder: PathBuf, error: io::Error }
        help ("--report-dir names another folder"),

    #[error("no threads: {error}")]
    Threads { error: io::Error },

    #[error(transparent)]
    Io { #[from] error: io::Error },

    #[error("cannot write to standard output: {error}")]
    Output { error: io::Error },

    #[error("cannot use this terminal: {error}")]
    Terminal { error: ReadlineError },

    /// A report to compare with that is not as `ptc-eval` writes it.
    #[error("{name}: {reason}")]
    Baseline { name: String, reason: String },

    #[error("cannot read {path}: {}", reason(error))]
    UnreadableBaseline { path: PathBuf, error: io::Error }
        help ("a report folder holds strategies.csv once ptc-eval has run on the whole suite"),

    #[error("there is neither a folder nor a revision '{name}'")]
    UnknownBaseline { name: String }
        help ("ptc-eval run writes the folder reports, git fetch brings revisions; in CI, fetch the branch that is compared with"),

    #[error("{} {}; its commits are not read", foreign.git.display(), foreign.found())]
    ForeignRepository { foreign: Foreign }
        help ("if both are yours: {}; --against FOLDER compares with a report in a folder", foreign.help()),

    #[error("{revision} has no report in {folder}")]
    NoBaseline { revision: String, folder: PathBuf }
        help ("--report-dir names another folder"),

    #[error(transparent)]
    Results { #[from] error: ResultsError }
        help ("write it again with ptc-eval run"),

    #[error(transparent)]
    Records { #[from] error: RecordsError }
        help ("{}", error.help),

    /// Shards that list the changes since one revision, in reports that would name another.
    #[error("the shards list the changes since {}, and the merge is asked for those since {}",
        or_accepted(found.as_ref()), or_accepted(asked.as_ref()))]
    OtherRevision { found: Option<String>, asked: Option<String> }
        help ("give every shard and the merge the same --against"),

    #[error("records are for programs, and standard output is a terminal")]
    RecordsOnTerminal
        help ("send them to a file or a pipe: … > records.ndjson"),

    #[error("{option} is about reports, and --format records writes none")]
    NotWithRecords { option: &'static str }
        help ("give it to the merge of the records: ptc-eval merge … {option}"),

    #[error("the records are of the suite {suite}, which is not to be found from here")]
    NoSuite { suite: String }
        help ("merge where they were written, or name --report-dir and --snapshot-dir"),

    #[error("the records are of the suite {suite}, which is not below this folder")]
    SuiteElsewhere { suite: String }
        help ("--report-dir and --snapshot-dir name the folders that are written to"),

    #[error("{path}: {}", first_line(error))]
    Transcript { path: PathBuf, error: ReadError },

    /// A log of which a strict import takes nothing, and notes on what would be lost.
    #[error("{path}: content would be lost")]
    LostContent { path: PathBuf, notes: Vec<String> }
        help ("without --strict it is left out"),

    #[error("{path}, chat {number}: {reason}")]
    Chat { path: PathBuf, number: usize, reason: String },

    #[error("{path} cannot take responses: its keys do not begin lines of YAML")]
    TakesNoResponses { path: String }
        help ("write it as a .yaml file, a key a line"),

    /// A recording without its next answer. The help names the file of the others.
    #[error("{name}: {reason}")]
    Unfinished { name: String, reason: String, help: String }
        help ("{help}"),

    #[error("{path} would not hold the answers as they are")]
    NotReadBack { path: PathBuf }
        help ("they are kept; please report this with the scenario"),

    #[error("--output names one file for {scenarios} scenarios")]
    OneOutput { scenarios: usize }
        help ("without it each recording is written beside its scenario"),

    #[error("no strategy has summaries to record")]
    #[cfg_attr(not(feature = "live"), allow(dead_code))]
    NoSummaries
        help ("list summary, a preset or a variant of them under strategies in suite.yaml"),

    #[error("summaries are not kept for options of the command line, as in {label}")]
    #[cfg_attr(not(feature = "live"), allow(dead_code))]
    SummariesOfOptions { label: String }
        help ("make it a variant in suite.yaml, with its options under a name of its own"),

    #[error("another process adds to {path}")]
    InUse { path: PathBuf }
        help ("wait for it, or name another file"),

    #[error("{url} is not the URL of an endpoint")]
    NoUrl { url: String }
        help ("write it like https://host/v1"),

    /// The variable of the environment that names a proxy.
    #[error("{variable}: expected a proxy such as http://host:3128, found {found}")]
    NoProxy { variable: &'static str, found: String }
        help ("change or unset it, or name the endpoint's host in NO_PROXY"),

    /// A line of a file that should be an entry of `record` or `verify`.
    #[error("{path}:{line}: not what this command keeps: {error}")]
    NoEntry { path: PathBuf, line: usize, error: serde_json::Error }
        help ("remove the line or the file"),

    #[error("{root} is of another suite")]
    OtherSuite { root: PathBuf, first: PathBuf }
        help ("name scenarios of {} only", first.display()),

    #[error("{url} needs a key, and there is none")]
    NoKey { url: String, variable: &'static str }
        help ("set {variable}, or name another endpoint with --url"),
}
}

impl CliError {
    /// Prints the error to standard error.
    pub(super) fn tell(self) -> Exit {
        match &self {
            // The reader closed the pipe, as `head` does.
            CliError::Io { error } | CliError::Output { error }
                if error.kind() == io::ErrorKind::BrokenPipe =>
            {
                return Exit::OutputClosed;
            }
            _ => err!("{}", self.report()),
        }
        if let CliError::BrokenStrategy { .. } = self { Exit::Failed } else { Exit::Unreadable }
    }

    /// The full report: message, details and help, with a final line break.
    pub(super) fn report(&self) -> String {
        match self {
            // These errors are already formatted, with their source lines.
            CliError::Scenario { error } => return error.to_string(),
            CliError::BrokenStrategy { error } => return error.diagnostic(),
            _ => {}
        }
        let mut report = format!("error: {}\n", on_one_line(&self.to_string()));
        for line in self.details() {
            report += &format!("  {}\n", on_one_line(&line));
        }
        match self.help() {
            Some(help) if !help.is_empty() => report + &format!("  = help: {help}\n"),
            _ => report,
        }
    }

    /// Detail lines below the message.
    fn details(&self) -> Vec<String> {
        match self {
            CliError::LostContent { notes, .. } => notes.clone(),
            CliError::Conversations { first, .. } => first.clone(),
            CliError::Transcript { error: ReadError::Nothing(notes), .. } => notes.lines().collect(),
            _ => Vec::new(),
        }
    }
}

/// The name of a revision in quotes, or "the accepted golden files".
fn or_accepted(revision: Option<&String>) -> String {
    revision.map_or_else(|| "the accepted golden files".to_owned(), |name| format!("'{name}'"))
}

/// The error without the reasons of a refused log. `details` lists them.
fn first_line(error: &ReadError) -> String {
    match error {
        ReadError::Nothing(notes) => notes.describe_nothing_read(),
        other => other.to_string(),
    }
}

impl From<BrokenStrategy> for CliError {
    fn from(broken: BrokenStrategy) -> CliError {
        CliError::BrokenStrategy { error: broken.error }
    }
}

impl From<EvaluateError> for CliError {
    fn from(error: EvaluateError) -> CliError {
        match error {
            EvaluateError::Scenario(error) => CliError::Scenario { error },
            EvaluateError::Io(error) => CliError::Io { error },
        }
    }
}

impl From<Problem> for CliError {
    fn from(problem: Problem) -> CliError {
        CliError::Scenario { error: problem.into() }
    }
}
