//! Golden texts: texts written by a live model for a strategy in the run of one scenario. Each is keyed by the messages it replaces. They
//! are stored next to the strategy's golden file.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use agent_logs::TranscriptUsage;
use ecow::EcoString;
use serde::{Deserialize, Serialize};

use super::atomic::{at_place, write_atomically};
use super::yaml::{of_json, quoted, scalar};
use crate::compression::TextKey;
use crate::scenario::{GOLDEN_TEXTS, GOLDEN_TEXTS_HEAD, files};

const ADVICE: &str = "`ptc-eval record --summaries` asks for those that are missing or stale.";

/// The golden texts of a strategy in one scenario.
#[derive(Clone, Debug)]
pub struct GoldenTexts {
    pub path: PathBuf,
    /// Sorted by repeat, then by turns.
    pub texts: Vec<GoldenText>,
}

/// A text written by a live model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoldenText {
    /// The number of its sequence, from 1. The model only saw earlier texts of the same sequence.
    pub repeat: u32,
    /// The first and last turn it replaces, from 1.
    pub turns: (usize, usize),
    /// Hash of the replaced messages, in hexadecimal.
    pub messages: String,
    /// Hash of the instruction, in hexadecimal.
    pub prompt: String,
    /// The model's name at the endpoint.
    pub model: String,
    /// Date of the answer: `2026-11-22`.
    pub date: String,
    /// The requested temperature. `None`: the model's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Tokens billed by the endpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<TranscriptUsage>,
    pub text: EcoString,
}

/// Why a key has no golden text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// No text replaces these turns.
    Missing,
    /// The text for these turns replaced other messages.
    OtherMessages,
    /// The text for these turns was written for another instruction.
    OtherPrompt,
}

impl GoldenTexts {
    /// The golden texts of a strategy below a folder of snapshots. Empty if there is no file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(folder: &Path, scenario: &str, strategy: &str) -> io::Result<GoldenTexts> {
        let path = folder.join(format!("{scenario}/{strategy}{GOLDEN_TEXTS}"));
        let Some(bytes) = files::read_if_there(&path).map_err(|error| at_place(&path, &error))? else {
            return Ok(GoldenTexts { path, texts: Vec::new() });
        };
        let text = String::from_utf8_lossy(&files::with_line_feeds(&bytes)).into_owned();
        let texts = serde_yaml::from_str(&text).map_err(|error| at_place(&path, &io::Error::other(error)))?;
        Ok(GoldenTexts { path, texts })
    }

    /// Number of sequences of texts.
    pub fn repeats(&self) -> u32 {
        self.texts.iter().map(|text| text.repeat).max().unwrap_or(0)
    }

    /// The text for this key in a sequence, or why there is none.
    pub fn find(&self, repeat: u32, key: &TextKey) -> Result<&GoldenText, Lack> {
        let mut lack = Lack::Missing;
        for text in &self.texts {
            if text.repeat != repeat {
                continue;
            }
            if text.has_key(key) {
                return Ok(text);
            }
            if text.turns == key.turns && lack == Lack::Missing {
                let is_same = text.messages == hexadecimal(key.messages);
                lack = if is_same { Lack::OtherPrompt } else { Lack::OtherMessages };
            }
        }
        Err(lack)
    }

    /// Adds a text, replacing the one for the same turns in its sequence.
    pub fn put(&mut self, text: GoldenText) {
        self.texts.retain(|old| (old.repeat, old.turns) != (text.repeat, text.turns));
        self.texts.push(text);
        self.texts.sort_by_key(|text| (text.repeat, text.turns));
    }

    /// Removes a sequence's texts without one of these keys. Returns how many.
    pub fn keep(&mut self, repeat: u32, keys: &[TextKey]) -> usize {
        let before = self.texts.len();
        self.texts.retain(|text| text.repeat != repeat || keys.iter().any(|key| text.has_key(key)));
        before - self.texts.len()
    }

    /// Writes the file atomically.
    ///
    /// # Errors
    /// The file cannot be written; the old one is kept.
    pub fn write(&self) -> io::Result<()> {
        let mut out = format!("{GOLDEN_TEXTS_HEAD} {ADVICE}\n");
        for text in &self.texts {
            text.write(&mut out)?;
        }
        write_atomically(&self.path, |file| file.write_all(out.as_bytes()))
            .map_err(|error| at_place(&self.path, &error))
    }
}

impl GoldenText {
    /// Sets the turns and hashes of the key.
    pub fn with_key(self, key: &TextKey) -> GoldenText {
        let (messages, prompt) = (hexadecimal(key.messages), hexadecimal(key.prompt));
        GoldenText { turns: key.turns, messages, prompt, ..self }
    }

    fn has_key(&self, key: &TextKey) -> bool {
        self.messages == hexadecimal(key.messages) && self.prompt == hexadecimal(key.prompt)
    }

    fn write(&self, out: &mut String) -> io::Result<()> {
        let GoldenText { repeat, turns: (first, last), messages, prompt, .. } = self;
        // Unquoted, a string of digits would be read as a number.
        let (messages, prompt, model) = (quoted(messages), quoted(prompt), quoted(&self.model));
        let _ = write!(
            out,
            "- repeat: {repeat}\n  turns: [{first}, {last}]\n  messages: {messages}\n  prompt: {prompt}\n  model: {model}\n  date: {}\n",
            quoted(&self.date)
        );
        if let Some(temperature) = self.temperature {
            let _ = writeln!(out, "  temperature: {temperature}");
        }
        if let Some(usage) = &self.usage {
            let _ = writeln!(out, "  usage: {}", of_json(&serde_json::to_value(usage)?));
        }
        let _ = writeln!(out, "  text: {}", scalar(&self.text, 4));
        Ok(())
    }
}

impl Lack {
    /// The reason as a sentence on the summary of these turns.
    pub fn sentence(self, (first, last): (usize, usize)) -> String {
        let turns = if first == last { format!("turn {first}") } else { format!("turns {first} to {last}") };
        match self {
            Lack::Missing => format!("there is no summary of {turns}"),
            Lack::OtherMessages => format!("the summary of {turns} was written for other messages"),
            Lack::OtherPrompt => format!("the summary of {turns} was written for another prompt"),
        }
    }
}

fn hexadecimal(hash: u64) -> String {
    format!("{hash:016x}")
}
