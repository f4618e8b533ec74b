//! `ptc-eval import`: reads logs of any agent. A conversation becomes a scenario if all its answers are PTC-Lisp programs, else a
//! transcript.

mod folder;

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use clap::Args;

use self::folder::{Folder, Names};
use super::error::{CliError, CliResult};
use super::exit::Exit;
use super::journal::Replay;
use super::log_options::LogOptions;
use super::logs::{collect, open_log, read_until_error, shown_path, stem, unread};
use super::script::Script;
use super::secrets::hide_in;
use super::suite::count;
use super::terminal::{keep_secrets, write_json};
use crate::scenario::files::refuse_links_below;
use crate::scenario::names::scenario_called;
use crate::scenario::{SourceFormat, on_one_line};
use crate::secrets::{Secrets, without_secrets};
use agent_logs::{
    HashedTranscript, Ledger, LogPlace, Notes, ReadError, RecordedEvaluation, Transcript, TranscriptRole,
};

/// The most bytes of a pretty-printed transcript. Larger ones are too long to read anyway.
const MAX_PRETTY: usize = 100_000;

/// The default folder of scenarios.
const DEFAULT_OUTPUT: &str = "scenarios/imported";

#[derive(Args)]
pub(super) struct ImportArguments {
    /// Logs in any format of `ptc-eval list formats`, or folders of logs; - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Folder for the scenarios and transcripts, one file per conversation; - writes transcripts to standard output, one per line
    #[arg(long, short, value_name = "FOLDER", default_value = DEFAULT_OUTPUT)]
    output: PathBuf,
    #[command(flatten)]
    log: LogOptions,
    /// Refuse a log if some of its content would be lost
    #[arg(long)]
    strict: bool,
    /// Write transcripts, even for PTC-Lisp programs
    #[arg(long)]
    transcripts: bool,
    /// Don't replace keys and passwords
    #[arg(long)]
    keep_secrets: bool,
}

pub(super) fn run(arguments: &ImportArguments) -> CliResult {
    let is_stream = arguments.output == Path::new("-");
    if arguments.output == Path::new(DEFAULT_OUTPUT) {
        refuse_links_below(Path::new(""), &arguments.output)?;
    }
    let folder = if is_stream { None } else { Some(Folder::open(&arguments.output)?) };
    let secrets = (!arguments.keep_secrets).then(Secrets::default);
    if arguments.keep_secrets {
        keep_secrets();
    }
    let mut import = Import {
        arguments,
        folder,
        names: Names::default(),
        secrets,
        ledger: Ledger::default(),
        read: 0,
        conversations: 0,
    };
    let mut exit = Exit::Success;
    for file in &arguments.files {
        let mut logs = Vec::new();
        if let Err(error) = collect(file, &mut logs) {
            exit = CliError::Read { path: file.clone(), error }.tell();
        }
        for log in logs {
            match import.log(&log) {
                Ok(()) => {}
                // A folder of logs may contain other files, so skip those with a note.
                Err(CliError::Transcript { path: name, error: reason }) if log != *file => {
                    // Put all reasons on one line.
                    let reason = reason.to_string().replace("\n  ", "; ");
                    errln!("note: {} left out: {reason}", name.display());
                }
                Err(CliError::OtherInput { path, found, .. }) if log != *file => {
                    errln!("note: {} left out: {found}", path.display());
                }
                Err(error) => exit = error.tell(),
            }
        }
    }
    if exit == Exit::Success && import.conversations == 0 {
        errln!("there is no conversation in these logs");
        return Ok(Exit::NothingSelected);
    }
    Ok(exit)
}

/// The state of an import into a folder, or to standard output if there is none.
struct Import<'a> {
    arguments: &'a ImportArguments,
    folder: Option<Folder>,
    names: Names,
    /// The replaced secrets. `None` if secrets are kept.
    secrets: Option<Secrets>,
    ledger: Ledger,
    /// The number of conversations read so far.
    read: usize,
    conversations: usize,
}

fn read_error(file: &Path, error: ReadError) -> CliError {
    match error {
        ReadError::Io(error) => CliError::Read { path: file.to_owned(), error },
        other => unread(file, other),
    }
}

impl Import<'_> {
    fn log(&mut self, file: &Path) -> Result<(), CliError> {
        let options = self.arguments.log.read_options();
        let unreadable = |error| CliError::Read { path: file.to_owned(), error };
        let is_input = file == Path::new("-");
        let name = shown_path(file);
        let mut input = Vec::new();
        if is_input {
            io::stdin().read_to_end(&mut input).map_err(unreadable)?;
        }
        let opened = || -> Result<Box<dyn BufRead + '_>, CliError> {
            if is_input {
                return Ok(Box::new(Cursor::new(&input)));
            }
            Ok(Box::new(BufReader::new(open_log(file).map_err(unreadable)?)))
        };
        if self.arguments.strict {
            let (notes, _) = read_until_error(opened()?, &name, options, |_| Ok::<_, CliError>(()));
            let notes = notes.map_err(|error| read_error(file, error))?;
            if notes.has_losses() {
                let lines: Vec<String> = notes.lost_lines().collect();
                return Err(CliError::LostContent { path: PathBuf::from(&name), notes: lines });
            }
        }
        let mut output = Output {
            file,
            stem: scenario_called(&self.shown(stem(file))),
            import: self,
            held: None,
            number: 0,
            transcripts: 0,
            hidden: Notes { file: name.clone(), ..Notes::default() },
        };
        let (notes, taken) =
            read_until_error(opened()?, &name, options, |transcript| output.take(transcript));
        output.finish(notes.map_err(|error| read_error(file, error))?, taken)
    }
}

impl Import<'_> {
    /// The name of a log for file names, without secrets.
    fn shown(&self, name: String) -> String {
        if self.arguments.keep_secrets {
            name
        } else {
            without_secrets(&name).replace("[secret ", "secret-").replace(']', "")
        }
    }
}

/// Writes the conversations of one log.
struct Output<'a, 'i> {
    file: &'a Path,
    stem: String,
    import: &'a mut Import<'i>,
    /// The first conversation, held back because its name depends on whether there are more.
    held: Option<Transcript>,
    number: usize,
    transcripts: usize,
    /// Notes on replaced secrets.
    hidden: Notes,
}

impl Output<'_, '_> {
    fn take(&mut self, transcript: Transcript) -> Result<(), CliError> {
        self.number += 1;
        self.import.read += 1;
        let name = format!("{}-{}", self.stem, self.number);
        let mut hashed = HashedTranscript::from(transcript);
        if self.import.ledger.book(&mut hashed, self.import.read, &name) > 0 {
            self.hidden.note(
                "answers that are billed in another conversation, marked copied_from",
                LogPlace::default(),
            );
        }
        let mut transcript = hashed.transcript;
        if let Some(secrets) = &mut self.import.secrets {
            hide_in(secrets, &mut transcript, self.number, &mut self.hidden);
        }
        if self.number == 1 {
            self.held = Some(transcript);
            return Ok(());
        }
        if let Some(first) = self.held.take() {
            self.write(&format!("{}-1", self.stem), first, 1)?;
        }
        self.write(&format!("{}-{}", self.stem, self.number), transcript, self.number)
    }

    /// Writes a held back conversation, then prints the notes on the log.
    fn finish(mut self, mut notes: Notes, mut taken: Result<(), CliError>) -> Result<(), CliError> {
        if let Some(only) = self.held.take() {
            taken = self.write(&self.stem.clone(), only, 1);
        }
        notes.merge(self.hidden);
        let is_stream = self.import.folder.is_none();
        if self.transcripts > 0 && !self.import.arguments.transcripts && !is_stream {
            let of = count(self.transcripts, "transcript");
            outln!("{of}, because not every answer of their logs holds a PTC-Lisp program");
        }
        for line in notes.lines() {
            if is_stream { errln!("note: {line}") } else { outln!("  note: {}", on_one_line(&line)) }
        }
        taken
    }

    fn write(&mut self, wanted: &str, transcript: Transcript, number: usize) -> Result<(), CliError> {
        self.import.conversations += 1;
        let name = self.import.names.claim(wanted);
        let Some(folder) = &self.import.folder else {
            let named = Transcript { name: Some(name), ..transcript };
            write_json(&serde_json::to_string(&named).map_err(io::Error::from)?);
            return Ok(());
        };
        let takes_scenarios = !self.import.arguments.transcripts;
        if let Some(evaluation) = transcript.evaluation.as_ref().filter(|_| takes_scenarios) {
            return self.write_replay(folder, &name, (&transcript, number), evaluation);
        }
        // In a journal, an answer without an evaluation is no program.
        let script =
            if takes_scenarios && !transcript.is_of_journal() { Script::of(&transcript) } else { None };
        match script {
            Some(script) => self.write_script(folder, &name, &script, number),
            None => {
                self.write_transcript(folder, &name, &transcript, number)?;
                self.transcripts += 1;
                Ok(())
            }
        }
    }

    /// Writes a scenario with scripted programs.
    fn write_script(
        &self,
        folder: &Folder,
        name: &str,
        script: &Script<'_>,
        number: usize,
    ) -> Result<(), CliError> {
        let text = script.yaml().ok_or_else(|| {
            self.refused(number, "the first message of the user is empty, so there is no mission")
        })?;
        if !script.is_in(&text) {
            let reason = "a scenario cannot represent it exactly; --transcripts makes a transcript of it";
            return Err(self.refused(number, reason));
        }
        if let Some(reason) = folder.refusal(name, SourceFormat::Yaml, &text) {
            return Err(self.refused(number, &format!("{reason}; --transcripts makes a transcript of it")));
        }
        folder.write(name, SourceFormat::Yaml, &text, &count(script.answers.len(), "answer"))?;
        for line in script.remarks() {
            outln!("  {line}");
        }
        Ok(())
    }

    fn refused(&self, number: usize, reason: &str) -> CliError {
        CliError::Chat { path: self.file.to_owned(), number, reason: reason.to_owned() }
    }

    /// Writes a logged run as a scenario if it replays exactly, else as a transcript.
    fn write_replay(
        &self,
        folder: &Folder,
        name: &str,
        (transcript, number): (&Transcript, usize),
        evaluation: &RecordedEvaluation,
    ) -> Result<(), CliError> {
        let replay = Replay::of(transcript, evaluation).and_then(|replay| {
            let text = replay.yaml().ok_or("a result is too long for a literal")?;
            folder.refusal(name, SourceFormat::Yaml, &text).map_or(Ok((replay, text)), Err)
        });
        let (replay, text) = match replay {
            Ok(replay) => replay,
            Err(reason) => {
                self.write_transcript(folder, name, transcript, number)?;
                outln!("  a transcript, because it does not replay as it was recorded: {reason}");
                return Ok(());
            }
        };
        folder.write(name, SourceFormat::Yaml, &text, &replay.tally())?;
        replay.remark().into_iter().for_each(|line| outln!("  {line}"));
        Ok(())
    }

    fn write_transcript(
        &self,
        folder: &Folder,
        name: &str,
        transcript: &Transcript,
        number: usize,
    ) -> Result<(), CliError> {
        let text = json(transcript)?;
        if let Some(reason) = folder.refusal(name, SourceFormat::Transcript, &text) {
            return Err(self.refused(number, &reason));
        }
        folder.write(name, SourceFormat::Transcript, &text, &tally(transcript))
    }
}

fn json(transcript: &Transcript) -> Result<String, CliError> {
    let mut text = serde_json::to_string(transcript).map_err(io::Error::from)?;
    if text.len() <= MAX_PRETTY {
        text = serde_json::to_string_pretty(transcript).map_err(io::Error::from)?;
    }
    text.push('\n');
    Ok(text)
}

fn tally(transcript: &Transcript) -> String {
    let answers = transcript.messages.iter().filter(|message| message.role == TranscriptRole::Assistant);
    let calls = transcript.messages.iter().map(|message| message.tool_calls.len()).sum();
    format!("{}, {}", count(answers.count(), "turn"), count(calls, "call"))
}
