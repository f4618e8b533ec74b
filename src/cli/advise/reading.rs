//! Reads logs on all cores, and keeps each of their conversations once.

use std::io::{self, BufReader};
use std::path::PathBuf;
use std::sync::Arc;

use super::conversations::{Conversation, ConversationNames, Conversations, LogFiles};
use super::settings::LogSources;
use super::unlogged::price_subagents;
use crate::cli::error::CliError;
use crate::cli::logs::{open_log, read_all, shown_path, stem, unread};
use crate::evaluate::{Pool, in_order};
use crate::report::ModelPrices;
use crate::scenario::names::scenario_called;
use crate::scenario::reason;
use agent_logs::{
    HashedTranscript, Ledger, LogPlace, Notes, Novelty, ReadError, ReadOptions, Repeats, Shelf,
};
use ptc_prices::PriceTable;

const COPIES: &str = "conversations that begin with a copy of another, billed once";
const EQUALS: &str = "conversations equal to another, counted once";
const BEGINNINGS: &str = "conversations that are the beginning of another, counted once";

/// Reads logs. A conversation counts once, even if several logs contain it or its beginning.
///
/// # Errors
/// A log named on the command line cannot be read.
pub(super) fn read_logs(sources: &LogSources, prices: &PriceTable) -> Result<Conversations, CliError> {
    let pool = Pool::new(sources.jobs).map_err(|error| CliError::Threads { error })?;
    let mut found = FoundConversations::new(prices, sources.files.len());
    in_order(
        &pool,
        sources.files.iter().cloned(),
        |file| read_log(file, sources.options),
        |logs| {
            for log in logs {
                let is_named = sources.named.contains(&log.file);
                found.add_log(log, is_named)?;
            }
            Ok::<(), CliError>(())
        },
    )?;
    Ok(found.finish())
}

/// A log after reading.
struct Log {
    file: PathBuf,
    transcripts: Vec<HashedTranscript>,
    notes: Result<Notes, ReadError>,
}

/// Opens and parses a log, and hashes its conversations. An error is part of the result, with the conversations before it.
fn read_log(file: PathBuf, options: ReadOptions) -> Log {
    let name = shown_path(&file);
    match open_log(&file) {
        Ok(log) => {
            let (transcripts, notes) = read_all(BufReader::new(log), &name, options);
            let transcripts = transcripts.into_iter().map(HashedTranscript::from).collect();
            Log { file, transcripts, notes }
        }
        Err(error) => Log { file, transcripts: Vec::new(), notes: Err(ReadError::Io(error)) },
    }
}

/// The conversations found so far, with what finds copies among them.
struct FoundConversations {
    /// In the order of the logs. `None` if a later conversation continues this one.
    all: Vec<Option<Conversation>>,
    shelf: Shelf,
    repeats: Repeats,
    ledger: Ledger,
    prices: ModelPrices,
    logs: LogFiles,
}

impl FoundConversations {
    fn new(prices: &PriceTable, files: usize) -> FoundConversations {
        FoundConversations {
            all: Vec::new(),
            shelf: Shelf::default(),
            repeats: Repeats::default(),
            ledger: Ledger::default(),
            prices: ModelPrices::of(prices.clone()),
            logs: LogFiles { files, ..LogFiles::default() },
        }
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
            self.add_conversation(hashed, ConversationNames { name, place, file: Arc::clone(&shown) })
                .map_err(|error| CliError::Read { path: path.clone(), error })?;
        }
        match notes {
            Ok(notes) => self.logs.notes.merge(notes),
            Err(ReadError::Io(error)) if is_named => return Err(CliError::Read { path, error }),
            // This was the only file, so there is nothing to advise on.
            Err(error) if is_named && self.logs.files == 1 => return Err(unread(&path, error)),
            Err(error) => self.leave_out(name, error),
        }
        Ok(())
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
    fn add_conversation(&mut self, mut hashed: HashedTranscript, names: ConversationNames) -> io::Result<()> {
        let continued = match self.repeats.add(&hashed, self.all.len()) {
            Novelty::Equal => {
                self.note_repeated(EQUALS, &names.file);
                return Ok(());
            }
            Novelty::Beginning => {
                self.note_repeated(BEGINNINGS, &names.file);
                return Ok(());
            }
            Novelty::New(continued) => continued,
        };
        for number in continued {
            if let Some(earlier) = self.all.get_mut(number).and_then(Option::take) {
                // An equal conversation is replaced only by a copy with larger bills.
                let is_equal = earlier.inputs.len() == hashed.transcript.answers().count();
                self.note_repeated(if is_equal { EQUALS } else { BEGINNINGS }, &earlier.file);
            }
            self.ledger.release(number);
        }
        if self.ledger.book(&mut hashed, self.all.len(), &names.name) > 0 {
            self.note_repeated(COPIES, &names.file);
        }
        let conversation =
            Conversation::measure(hashed.transcript, names, &mut self.prices, &mut self.shelf)?;
        self.all.push(Some(conversation));
        Ok(())
    }

    fn note_repeated(&mut self, kind: &str, file: &Arc<str>) {
        let mut notes = Notes { file: file.to_string(), ..Notes::default() };
        notes.note(kind, LogPlace::default());
        self.logs.notes.merge(notes);
    }

    fn leave_out(&mut self, file: String, error: ReadError) {
        self.logs.left_out += 1;
        self.logs.unreadable += usize::from(matches!(error, ReadError::Io(_)));
        let kind = match &error {
            ReadError::Io(error) => format!("files left out: {}", reason(error)),
            ReadError::UnknownFormat(found) => format!("files left out, found {found}"),
            ReadError::Nothing(_) => "files left out, without a conversation".to_owned(),
        };
        let mut notes = Notes { file, ..Notes::default() };
        notes.lost(kind, LogPlace::default());
        self.logs.notes.merge(notes);
        if let ReadError::Nothing(notes) = error {
            self.logs.notes.merge(*notes);
        }
    }

    fn finish(mut self) -> Conversations {
        let unlogged_subagents = price_subagents(&self.logs.notes.subagents, &mut self.prices);
        // Readers should see lost content first.
        self.logs.notes.notes.sort_by_key(|note| !note.is_lost);
        Conversations {
            all: self.all.into_iter().flatten().collect(),
            agent: None,
            unlogged_subagents,
            logs: Arc::new(self.logs),
        }
    }
}
