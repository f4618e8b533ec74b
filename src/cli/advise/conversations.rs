//! The conversations of one agent, and totals over them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::compacted::Compacted;
use super::log_times::{LogTimes, days_of};
use super::own_lines::OwnLines;
use super::sessions::words_of;
use super::titles::title_of;
use crate::cli::error::CliError;
use crate::cli::priced::Answers;
use crate::measure::numbers::grouped;
use crate::report::spending::{UnloggedCalls, request_costs};
use crate::report::{ModelPrices, Spending};
use crate::scenario::names::{folded, refuse_scenario};
use agent_logs::{AgentMarks, Billed, Notes, Shelf, ShelvedTranscript, Transcript};

/// The conversations of one agent, or all that logs contain.
#[derive(Default)]
pub(in crate::cli) struct Conversations {
    /// In the order of the logs.
    pub(super) all: Vec<Conversation>,
    /// The name of the agent, if the logs are of several agents.
    pub(super) agent: Option<String>,
    /// Answers of subagents missing in all logs.
    pub(super) unlogged_subagents: UnloggedCalls,
    /// The logs of all agents.
    pub(super) logs: Arc<LogFiles>,
}

/// The files of the logs, and notes on them.
#[derive(Default)]
pub(super) struct LogFiles {
    /// With lost content first.
    pub(super) notes: Notes,
    pub(super) files: usize,
    pub(super) left_out: usize,
    /// Those of them that could not be read at all.
    pub(super) unreadable: usize,
}

impl LogFiles {
    /// `; 4 of 43 files left out (no conversation)`, or an empty text.
    pub(super) fn left_out_in_words(&self) -> String {
        let [left_out, unreadable, files] =
            [self.left_out, self.unreadable, self.files].map(|number| grouped(number as u64));
        let why = match self.unreadable {
            _ if self.left_out == 0 => return String::new(),
            0 => "no conversation".to_owned(),
            all if all == self.left_out => "not readable".to_owned(),
            _ => format!("{unreadable} not readable, others without a conversation"),
        };
        format!("; {left_out} of {files} files left out ({why})")
    }
}

/// The names of a conversation: see [`Conversation`].
pub(super) struct ConversationNames {
    pub(super) name: String,
    pub(super) place: String,
    pub(super) file: Arc<str>,
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
    pub(super) billed: Option<Billed>,
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
    /// Replaces the names of conversations by their titles: ` 0004-claude-code@58` becomes ` "Fix the test", 3 Jul, turn 58`.
    pub(super) fn with_titles(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for conversation in &self.all {
            let place = format!(" {}@", conversation.name);
            if text.contains(&place) {
                text = text.replace(&place, &format!(" {}, turn ", words_of(conversation)));
            }
        }
        text
    }

    /// The conversations themselves.
    pub(super) fn transcripts(&self) -> Vec<ShelvedTranscript> {
        self.all.iter().map(|conversation| conversation.transcript.clone()).collect()
    }

    /// The conversations, named after their places in the logs where the result is a valid, unique name.
    ///
    /// # Errors
    /// The temporary file of large logs cannot be read.
    pub(super) fn into_named_by_log(self) -> Result<Vec<ShelvedTranscript>, CliError> {
        let (mut taken, mut named, mut shelf) = (BTreeSet::new(), Vec::new(), Shelf::default());
        for conversation in self.all {
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
        for conversation in &self.all {
            all.add(&conversation.own_lines);
        }
        all
    }

    pub(super) fn number_of_subagents(&self) -> usize {
        self.all.iter().filter(|conversation| conversation.is_subagent).count()
    }

    /// The number of conversations without token counts.
    pub(super) fn number_without_counts(&self) -> usize {
        self.all.iter().filter(|conversation| conversation.spending.requests == 0).count()
    }

    /// Returns true if the logs contain bills.
    pub(super) fn have_bills(&self) -> bool {
        self.all.iter().any(|conversation| conversation.billed.is_some())
    }

    pub(super) fn compacted(&self) -> Compacted {
        let mut all = Compacted::default();
        for conversation in &self.all {
            all.add(&conversation.compacted);
        }
        all
    }

    /// The log format, if all conversations have the same.
    pub(super) fn format(&self) -> Option<&str> {
        let first = &self.all.first()?.format;
        for conversation in &self.all {
            if conversation.format != *first {
                return None;
            }
        }
        first.as_deref()
    }

    pub(super) fn times(&self) -> LogTimes {
        let mut all = LogTimes::default();
        for conversation in &self.all {
            all.add(conversation.times);
        }
        all
    }

    pub(super) fn spending(&self) -> Spending {
        let mut all = Spending::default();
        for conversation in &self.all {
            all.merge(&conversation.spending);
        }
        all
    }

    /// The first and last known day in the logs.
    pub(super) fn span(&self) -> Option<(i64, i64)> {
        let mut span: Option<(i64, i64)> = None;
        for (from, to) in self.all.iter().filter_map(|conversation| conversation.days) {
            let (first, last) = span.unwrap_or((from, to));
            span = Some((first.min(from), last.max(to)));
        }
        span
    }

    /// The first and last day of each conversation, by name. Conversations without times are left out.
    pub(super) fn days(&self) -> BTreeMap<&str, (i64, i64)> {
        self.all.iter().filter_map(|one| Some((one.name.as_str(), one.days?))).collect()
    }

    /// The log of each conversation, by name.
    pub(super) fn log_files(&self) -> BTreeMap<&str, &str> {
        self.all.iter().map(|one| (one.name.as_str(), &*one.file)).collect()
    }

    /// The number of answers by model.
    pub(super) fn answers(&self) -> Answers {
        let mut all = Answers::default();
        for conversation in &self.all {
            for (model, answers) in conversation.answers.iter() {
                all.add(model, answers);
            }
        }
        all
    }

    /// Billed input tokens by name of the conversation.
    pub(super) fn billed(&self) -> BTreeMap<&str, &Billed> {
        self.all.iter().filter_map(|one| Some((one.name.as_str(), one.billed.as_ref()?))).collect()
    }
}

impl Conversation {
    /// Measures a conversation, and puts it on the shelf.
    pub(super) fn measure(
        transcript: Transcript,
        ConversationNames { name, place, file }: ConversationNames,
        prices: &mut ModelPrices,
        shelf: &mut Shelf,
    ) -> io::Result<Conversation> {
        let mut spending = Spending::default();
        spending.add(&transcript, prices);
        let mut answers = Answers::default();
        for message in &transcript.messages {
            if let Some(model) = message.usage.as_ref().and_then(|usage| usage.model.as_ref()) {
                answers.add(model, 1);
            }
        }
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
            compacted: Compacted::of_transcript(&transcript),
            own_lines: OwnLines::of_transcript(&transcript),
            times: LogTimes::of_transcript(&transcript),
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
fn name_of_place(place: &str) -> Option<String> {
    let place = place.replace('\\', "/");
    let mut name = place.as_str();
    while refuse_scenario(name).is_some() {
        name = name.split_once('/')?.1;
    }
    Some(name.to_owned())
}

/// The folder to prepend to the names from [`Conversations::into_named_by_log`] to get the paths of the logs.
pub(in crate::cli) fn folder_of_names(logs: &[PathBuf]) -> Option<PathBuf> {
    let place = logs.first()?.display().to_string();
    let name = name_of_place(&place)?;
    place.strip_suffix(&name).filter(|folder| !folder.is_empty()).map(PathBuf::from)
}
