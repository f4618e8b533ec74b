//! `ptc-eval import`: reads logs of any agent. Conversations whose answers are PTC-Lisp programs become scenarios, all
//! others become transcripts.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::error::{CliError, CliResult};
use super::exit::Exit;
use super::journal::Replay;
use super::new::write_file;
use super::script::Script;
use super::suite::count;
use crate::scenario::names::refuse_scenario;
use crate::scenario::{ScenarioFile, files};
use crate::transcript::{
    FORMATS, LogFormat, Notes, ReadError, RecordedEvaluation, Transcript, TranscriptRole, read,
};

/// Bytes of a transcript that is still written over several lines.
const MAX_PRETTY: usize = 100_000;

#[derive(Args)]
pub(super) struct ImportArguments {
    /// Logs in any format that ptc-eval list formats shows; - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The folder for the scenarios and transcripts, one file a conversation
    #[arg(long, short, value_name = "FOLDER", default_value = "scenarios/imported")]
    output: PathBuf,
    /// The format of the logs; default: recognised by the content
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(FORMATS.iter().map(|format| format.name)))]
    from: Option<String>,
    /// Write nothing of a log with content that no transcript can hold
    #[arg(long)]
    strict: bool,
    /// Write transcripts even of PTC-Lisp programs
    #[arg(long)]
    transcripts: bool,
}

pub(super) fn run(arguments: &ImportArguments) -> CliResult {
    let mut exit = Exit::Success;
    for file in &arguments.files {
        if let Err(error) = import(file, arguments) {
            exit = error.tell();
        }
    }
    Ok(exit)
}

fn import(file: &Path, arguments: &ImportArguments) -> Result<(), CliError> {
    let from = arguments.from.as_deref().and_then(LogFormat::named);
    let unreadable = |error| CliError::Read(file.to_owned(), error);
    let is_input = file == Path::new("-");
    let name = if is_input { "standard input".to_owned() } else { file.display().to_string() };
    let broken = |error| match error {
        ReadError::Io(error) => unreadable(error),
        other => CliError::Transcript(PathBuf::from(&name), other.to_string()),
    };
    let mut input = Vec::new();
    if is_input {
        io::stdin().read_to_end(&mut input).map_err(unreadable)?;
    }
    let open = || -> Result<Box<dyn BufRead + '_>, CliError> {
        if is_input {
            return Ok(Box::new(Cursor::new(&input)));
        }
        Ok(Box::new(BufReader::new(files::open(file).map_err(unreadable)?)))
    };
    if arguments.strict {
        let notes = read(open()?, &name, from, &mut |_| ControlFlow::Continue(())).map_err(broken)?;
        if notes.has_losses() {
            let lines: Vec<String> = notes.lost_lines().collect();
            return Err(CliError::LostContent(PathBuf::from(&name), lines));
        }
    }
    let mut output =
        Output { file, stem: stem(file), arguments, held: None, number: 0, transcripts: 0, result: Ok(()) };
    let notes = read(open()?, &name, from, &mut |transcript| output.take(transcript)).map_err(broken)?;
    output.finish(&notes)
}

/// Name of a log without folder and extension.
pub(super) fn stem(file: &Path) -> String {
    match file.file_stem() {
        Some(stem) if file != Path::new("-") => {
            let stem = stem.to_string_lossy();
            stem.strip_suffix(".transcript").unwrap_or(&stem).to_owned()
        }
        _ => "chat".to_owned(),
    }
}

/// Writes the conversations of one log.
struct Output<'a> {
    file: &'a Path,
    stem: String,
    arguments: &'a ImportArguments,
    /// The first conversation, whose name depends on whether there are more.
    held: Option<Transcript>,
    number: usize,
    transcripts: usize,
    result: Result<(), CliError>,
}

impl Output<'_> {
    fn take(&mut self, transcript: Transcript) -> ControlFlow<()> {
        self.number += 1;
        if self.number == 1 {
            self.held = Some(transcript);
            return ControlFlow::Continue(());
        }
        let first = self.held.take().map(|first| self.write(&format!("{}-1", self.stem), &first, 1));
        let name = format!("{}-{}", self.stem, self.number);
        self.result = first.unwrap_or(Ok(())).and_then(|()| self.write(&name, &transcript, self.number));
        if self.result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn finish(mut self, notes: &Notes) -> Result<(), CliError> {
        if let Some(only) = self.held.take() {
            self.result = self.write(&self.stem.clone(), &only, 1);
        }
        if self.transcripts > 0 && !self.arguments.transcripts {
            let of = count(self.transcripts, "transcript");
            outln!("{of}, because not every answer of their logs holds a PTC-Lisp program");
        }
        for line in notes.lines() {
            outln!("  note: {line}");
        }
        self.result
    }

    fn write(&mut self, name: &str, transcript: &Transcript, number: usize) -> Result<(), CliError> {
        let folder = &self.arguments.output;
        if let Some(help) = refuse_scenario(name) {
            return Err(CliError::ScenarioName(name.to_owned(), help));
        }
        let evaluation = transcript.evaluation.as_ref().filter(|_| !self.arguments.transcripts);
        if let Some(evaluation) = evaluation {
            return self.write_replay(name, transcript, evaluation);
        }
        // An answer in a journal that was not evaluated was no program there.
        let is_of_journal = transcript.source.as_ref().is_some_and(|source| source.format == "ptc-journal");
        let is_script = !self.arguments.transcripts && !is_of_journal;
        let script = if is_script { Script::of(transcript) } else { None };
        let Some(script) = script else {
            self.write_transcript(name, transcript)?;
            self.transcripts += 1;
            return Ok(());
        };
        let chat = |message: &str| CliError::Chat(self.file.to_owned(), number, message.to_owned());
        let text = script
            .yaml()
            .ok_or_else(|| chat("the user says nothing at first, which would be the mission"))?;
        if !script.is_in(&text) {
            return Err(chat("it would not read back as it is; --transcripts makes a transcript of it"));
        }
        write_new(&folder.join(format!("{name}.yaml")), &text, &count(script.answers.len(), "answer"))?;
        for line in script.remarks() {
            outln!("  {line}");
        }
        Ok(())
    }

    /// An evaluation that replays as it was recorded becomes a scenario, any other a transcript.
    fn write_replay(
        &self,
        name: &str,
        transcript: &Transcript,
        evaluation: &RecordedEvaluation,
    ) -> Result<(), CliError> {
        let replay = Replay::of(transcript, evaluation).and_then(|replay| {
            let text = replay.yaml().ok_or("a result is too long for a literal")?;
            ScenarioFile::parse(&text).map_err(|problem| problem.message)?;
            Ok((replay, text))
        });
        let (replay, text) = match replay {
            Ok(replay) => replay,
            Err(reason) => {
                self.write_transcript(name, transcript)?;
                outln!("  a transcript, because it does not replay as it was recorded: {reason}");
                return Ok(());
            }
        };
        write_new(&self.arguments.output.join(format!("{name}.yaml")), &text, &replay.tally())?;
        replay.remarks().for_each(|line| outln!("  {line}"));
        Ok(())
    }

    fn write_transcript(&self, name: &str, transcript: &Transcript) -> Result<(), CliError> {
        let path = self.arguments.output.join(format!("{name}.transcript.json"));
        write_new(&path, &json(transcript)?, &tally(transcript))
    }
}

fn write_new(path: &Path, text: &str, tally: &str) -> Result<(), CliError> {
    if path.exists() || path.is_symlink() {
        return Err(CliError::Exists(path.to_owned(), "choose another folder with --output"));
    }
    write_file(path, text)?;
    outln!("{}: {tally}", path.display());
    Ok(())
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
