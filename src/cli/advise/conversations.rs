//! The conversations found in logs, without duplicates, and totals over them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufReader};
use std::path::PathBuf;
use std::sync::Arc;

use super::AdviseArguments;
use super::compacted::Compacted;
use super::log_times::{LogTimes, days_of};
use super::own_lines::OwnLines;
use super::several::OtherAgents;
use super::titles::title_of;
use super::unlogged::Unlogged;
use crate::cli::error::CliError;
use crate::cli::logs::{collect, open, read_all, shown_path, stem, unread};
use crate::cli::priced::Answers;
use crate::evaluate::{Pool, in_order};
use crate::measure::numbers::grouped;
use crate::report::spending::{UnloggedCalls, request_costs};
use crate::report::{ModelPrices, Spending};
use crate::scenario::names::{folded, refuse_scenario, scenario_called};
use crate::scenario::reason;
use agent_logs::{
    self as transcripts, AgentMarks, HashedTranscript, Ledger, LogPlace, Notes, Novelty, ReadError,
    ReadOptions, Repeats, Shelf, ShelvedTranscript, Transcript,
};

/// The conversations found in logs. A conversation counts once, even if several logs contain it or its beginning.
#[derive(Default)]
pub(in crate::cli) struct Conversations {
    /// In the order of the logs. `None` if a later conversation continues this one.
    pub(super) all: Vec<Option<Conversation>>,
    /// Their messages.
    pub(super) shelf: Shelf,
    pub(super) repeats: Repeats,
    pub(super) ledger: Ledger,
    pub(super) prices: ModelPrices,
    /// Notes on all logs, with lost content first.
    pub(super) notes: Notes,
    pub(super) files: usize,
    pub(super) left_out: usize,
    /// The name of the agent, if the logs are of several agents.
    pub(super) agent: Option<String>,
    pub(super) others: OtherAgents,
    /// Answers of subagents missing in all logs.
    pub(super) unlogged_subagents: UnloggedCalls,
}

/// The names of a conversation: see [`Conversation`].
struct Names {
    name: String,
    place: String,
    file: Arc<str>,
}

/// A conversation with its measures for reports.
pub(super) struct Conversation {
    pub(super) transcript: ShelvedTranscript,
    pub(super) name: String,
    /// True for the conversation of a subagent.
    pub(super) is_subagent: bool,
    /// The session, also of a subagent, if the log names it.
    pub(super) session: Option<String>,
    /// The log, with `#` and a number if it contains several: `logs/session.jsonl#2`.
    pub(super) place: String,
    /// The first words of the user.
    pub(super) title: Option<String>,
    /// Billed dollars of each request.
    pub(super) costs: Vec<f64>,
    /// Billed input tokens of each request.
    pub(super) inputs: Vec<Option<u64>>,
    pub(super) largest: u64,
    /// The log file.
    pub(super) file: Arc<str>,
    /// The name of the log reader.
    pub(super) format: Option<String>,
    /// Input tokens billed by the provider.
    pub(super) billed: Option<transcripts::Billed>,
    pub(super) answers: Answers,
    /// The days of the first and last message with a time.
    pub(super) days: Option<(i64, i64)>,
    pub(super) compacted: Compacted,
    pub(super) own_lines: OwnLines,
    pub(super) times: LogTimes,
    pub(super) spending: Spending,
    pub(super) marks: AgentMarks,
    /// True if the agent uses native tool calls, not programs in its answers.
    pub(super) calls_natively: bool,
}

impl Conversations {
    /// Reads logs on all cores.
    ///
    /// # Errors
    /// A log named on the command line cannot be read.
    pub(super) fn read(arguments: &AdviseArguments, prices: ModelPrices) -> Result<Conversations, CliError> {
        let mut conversations = Conversations { prices, ..Conversations::default() };
        let mut files = Vec::new();
        for file in &arguments.files {
            collect(file, &mut files).map_err(|error| CliError::Read { path: file.clone(), error })?;
        }
        conversations.files = files.len();
        let pool = Pool::new(arguments.jobs.into()).map_err(|error| CliError::Threads { error })?;
        let options = arguments.log.read_options();
        in_order(
            &pool,
            files.into_iter(),
            |file| Log::read(file, options),
            |logs| {
                for log in logs {
                    let is_named = arguments.agent.is_none() && arguments.files.contains(&log.file);
                    conversations.add_log(log, is_named)?;
                }
                Ok::<(), CliError>(())
            },
        )?;
        conversations.unlogged_subagents =
            Unlogged::price_subagents(&conversations.notes.subagents, &mut conversations.prices);
        // Readers should see lost content first.
        conversations.notes.notes.sort_by_key(|note| !note.is_lost);
        conversations.all.retain(Option::is_some);
        Ok(conversations)
    }

    /// The conversations themselves.
    pub(super) fn transcripts(&self) -> Vec<ShelvedTranscript> {
        self.kept().map(|conversation| conversation.transcript.clone()).collect()
    }

    /// The conversations, named after their places in the logs where the result is a valid, unique name.
    ///
    /// # Errors
    /// The temporary file of large logs cannot be read.
    pub(super) fn into_named_by_log(self) -> Result<Vec<ShelvedTranscript>, CliError> {
        let (mut taken, mut named, mut shelf) = (BTreeSet::new(), Vec::new(), Shelf::default());
        for conversation in self.all.into_iter().flatten() {
            let Conversation { place, file, transcript, .. } = conversation;
            let name = name_of_place(&place).filter(|name| taken.insert(folded(name)));
            let renamed = rename(&transcript, name, &mut shelf);
            named.push(renamed.map_err(|error| CliError::Read { path: PathBuf::from(&*file), error })?);
        }
        Ok(named)
    }

    /// Lines of code printed by `ptc-eval apply`.
    pub(super) fn own_lines(&self) -> OwnLines {
        let mut all = OwnLines::default();
        self.kept().for_each(|conversation| all.add(&conversation.own_lines));
        all
    }

    /// Returns true if requests are sized by their bills.
    pub(super) fn has_bills(&self, arguments: &AdviseArguments) -> bool {
        !arguments.no_bills && self.kept().any(|conversation| conversation.billed.is_some())
    }

    pub(super) fn compacted(&self) -> Compacted {
        let mut all = Compacted::default();
        self.kept().for_each(|conversation| all.add(&conversation.compacted));
        all
    }

    /// The log format, if all conversations have the same.
    pub(super) fn format(&self) -> Option<&str> {
        let mut formats = self.kept().map(|conversation| conversation.format.as_deref());
        let first = formats.next()??;
        formats.all(|format| format == Some(first)).then_some(first)
    }

    pub(super) fn times(&self) -> LogTimes {
        let mut all = LogTimes::default();
        self.kept().for_each(|conversation| all.add(conversation.times));
        all
    }

    pub(super) fn spending(&self) -> Spending {
        let mut all = Spending::default();
        self.kept().for_each(|conversation| all.merge(&conversation.spending));
        all
    }

    pub(super) fn kept(&self) -> impl Iterator<Item = &Conversation> {
        self.all.iter().flatten()
    }

    /// The first and last known day in the logs.
    pub(super) fn span(&self) -> Option<(i64, i64)> {
        let days = self.kept().filter_map(|conversation| conversation.days);
        days.reduce(|(first, last), (from, to)| (first.min(from), last.max(to)))
    }

    /// `; 4 of 43 files left out`, or an empty text.
    pub(super) fn left_out_in_words(&self) -> String {
        match self.left_out {
            0 => String::new(),
            left_out => {
                let files = grouped(self.files as u64);
                format!("; {} of {files} files left out", grouped(left_out as u64))
            }
        }
    }

    /// The first and last day of each conversation, by name. Conversations without times are left out.
    pub(super) fn days(&self) -> BTreeMap<&str, (i64, i64)> {
        self.kept().filter_map(|kept| Some((kept.name.as_str(), kept.days?))).collect()
    }

    /// The log of each conversation, by name.
    pub(super) fn logs(&self) -> BTreeMap<&str, &str> {
        self.kept().map(|kept| (kept.name.as_str(), &*kept.file)).collect()
    }

    /// The number of answers by model.
    pub(super) fn answers(&self) -> Answers {
        let mut all = Answers::default();
        let models = self.kept().flat_map(|conversation| conversation.answers.iter());
        models.for_each(|(model, answers)| all.add(model, answers));
        all
    }

    /// Billed input tokens by name of the conversation.
    pub(super) fn billed(&self) -> BTreeMap<&str, &transcripts::Billed> {
        self.kept().filter_map(|kept| Some((kept.name.as_str(), kept.billed.as_ref()?))).collect()
    }

    /// Adds the conversations of one log. An unreadable file is noted and left out, unless it was named on the command line.
    fn add_log(&mut self, log: Log, is_named: bool) -> Result<(), CliError> {
        let Log { file: path, transcripts, notes } = log;
        let name = shown_path(&path);
        let (stem, shown) = (stem(&path), Arc::<str>::from(name.as_str()));
        let has_several = transcripts.len() > 1;
        for (number, mut hashed) in (1..).zip(transcripts) {
            let name = self.unique_name(&stem, number);
            let file = path.display();
            let place = if has_several { format!("{file}#{number}") } else { file.to_string() };
            hashed.transcript.name = Some(name.clone());
            self.add(hashed, Names { name, place, file: Arc::clone(&shown) })
                .map_err(|error| CliError::Read { path: path.clone(), error })?;
        }
        match notes {
            Ok(notes) => self.notes.merge(notes),
            Err(ReadError::Io(error)) if is_named => return Err(CliError::Read { path, error }),
            // This was the only file, so there is nothing to advise on.
            Err(error) if is_named && self.files == 1 => return Err(unread(&path, error)),
            Err(error) => self.leave_out(name, error),
        }
        Ok(())
    }

    fn leave_out(&mut self, file: String, error: ReadError) {
        self.left_out += 1;
        let kind = match &error {
            ReadError::Io(error) => format!("files left out: {}", reason(error)),
            ReadError::UnknownFormat(found) => format!("files left out, found {found}"),
            ReadError::Nothing(_) => "files left out, without a conversation".to_owned(),
        };
        let mut notes = Notes { file, ..Notes::default() };
        notes.lost(kind, LogPlace::default());
        self.notes.merge(notes);
        if let ReadError::Nothing(notes) = error {
            self.notes.merge(*notes);
        }
    }

    /// A unique name, valid for snapshots.
    fn unique_name(&self, stem: &str, number: usize) -> String {
        let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' };
        let stem: String = scenario_called(stem).chars().map(plain).collect();
        format!("{:04}-{}-{number}", self.all.len() + 1, stem.trim_matches(['.', '-']))
    }

    /// Adds a conversation unless an earlier one equals or continues it. Removes earlier ones continued by it.
    ///
    /// # Errors
    /// The disk has no room for the temporary file of large logs.
    fn add(&mut self, mut hashed: HashedTranscript, names: Names) -> io::Result<()> {
        match self.repeats.add(&hashed, self.all.len()) {
            Novelty::Equal => self.repeated(EQUALS, &names.file),
            Novelty::Beginning => self.repeated(BEGINNINGS, &names.file),
            Novelty::New(continued) => {
                for number in continued {
                    if let Some(earlier) = self.all.get_mut(number).and_then(Option::take) {
                        // An equal conversation is replaced only by a copy with larger bills.
                        let is_equal = earlier.inputs.len() == hashed.transcript.answers().count();
                        self.repeated(if is_equal { EQUALS } else { BEGINNINGS }, &earlier.file);
                    }
                    self.ledger.release(number);
                }
                if self.ledger.book(&mut hashed, self.all.len(), &names.name) > 0 {
                    self.repeated(COPIES, &names.file);
                }
                let conversation =
                    Conversation::of(hashed.transcript, names, &mut self.prices, &mut self.shelf)?;
                self.all.push(Some(conversation));
            }
        }
        Ok(())
    }

    fn repeated(&mut self, kind: &str, file: &Arc<str>) {
        let mut notes = Notes { file: file.to_string(), ..Notes::default() };
        notes.note(kind, LogPlace::default());
        self.notes.merge(notes);
    }
}

const COPIES: &str = "conversations that begin with a copy of another one, whose bills count once";
const EQUALS: &str = "conversations that equal another one, which counts once";
const BEGINNINGS: &str = "conversations that are the beginning of another one, which counts once";

impl Conversation {
    /// Measures a conversation, and puts it on the shelf.
    fn of(
        transcript: Transcript,
        Names { name, place, file }: Names,
        prices: &mut ModelPrices,
        shelf: &mut Shelf,
    ) -> io::Result<Conversation> {
        let mut spending = Spending::default();
        spending.add(&transcript, prices);
        let mut answers = Answers::default();
        let models = transcript.messages.iter().filter_map(|message| message.usage.as_ref()?.model.as_ref());
        models.for_each(|model| answers.add(model, 1));
        let inputs: Vec<Option<u64>> =
            transcript.answers().map(|answer| answer.usage.as_ref()?.input_tokens).collect();
        let source = transcript.source.as_ref();
        Ok(Conversation {
            name,
            place,
            is_subagent: source.is_some_and(|source| source.is_subagent),
            session: source.and_then(|source| session_of(source.id.as_deref()?)),
            costs: request_costs(&transcript, prices),
            title: title_of(&transcript),
            largest: inputs.iter().flatten().copied().max().unwrap_or(0),
            inputs,
            file,
            format: transcript.source.as_ref().map(|source| source.format.clone()),
            billed: transcript.billed(),
            answers,
            days: days_of(&transcript),
            compacted: Compacted::of(&transcript),
            own_lines: OwnLines::of_transcript(&transcript),
            times: LogTimes::of(&transcript),
            spending,
            marks: AgentMarks::from_transcript(&transcript),
            calls_natively: !transcript.is_of_journal()
                && transcript.answers().any(|answer| !answer.tool_calls.is_empty()),
            transcript: shelf.add(transcript)?,
        })
    }
}

/// Puts a conversation under another name, if there is one, on a shelf.
fn rename(
    transcript: &ShelvedTranscript,
    name: Option<String>,
    shelf: &mut Shelf,
) -> io::Result<ShelvedTranscript> {
    let mut transcript = Arc::unwrap_or_clone(transcript.open()?);
    transcript.name = name.or(transcript.name);
    shelf.add(transcript)
}

/// The session in the id of a conversation. A subagent of Claude Code has `SESSION/AGENT`.
fn session_of(id: &str) -> Option<String> {
    id.split('/').next().filter(|session| !session.is_empty()).map(str::to_owned)
}

/// The longest end of a place valid as a scenario name. For example, hidden folders and everything above them are dropped.
pub(super) fn name_of_place(place: &str) -> Option<String> {
    let place = place.replace('\\', "/");
    let mut name = place.as_str();
    while refuse_scenario(name).is_some() {
        name = name.split_once('/')?.1;
    }
    Some(name.to_owned())
}

/// A log after reading.
struct Log {
    file: PathBuf,
    transcripts: Vec<HashedTranscript>,
    notes: Result<Notes, ReadError>,
}

impl Log {
    fn read(file: PathBuf, options: ReadOptions) -> Log {
        let name = shown_path(&file);
        match open(&file) {
            Ok(log) => {
                let (transcripts, notes) = read_all(BufReader::new(log), &name, options);
                let transcripts = transcripts.into_iter().map(HashedTranscript::from).collect();
                Log { file, transcripts, notes }
            }
            Err(error) => Log { file, transcripts: Vec::new(), notes: Err(ReadError::Io(error)) },
        }
    }
}
