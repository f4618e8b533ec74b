//! Transcripts: recorded conversations of any agent. Readers convert other programs' logs to this format; everything else reads only this
//! format.
#![doc = include_str!("../README.md")]

mod agents;
mod alternate;
mod bills;
mod check;
mod conserved;
mod content;
mod declared;
mod draft;
mod error;
mod fingerprint;
mod format;
mod grow;
mod inline_results;
mod json;
mod kin;
mod ledger;
mod listed;
mod names;
mod notes;
mod observations;
mod packed;
mod parts;
mod place;
mod prose;
mod provider_tools;
mod read;
mod readers;
mod repeats;
mod rewritten;
mod scratchpad;
mod served;
mod server_side;
mod shelf;
mod sink;
mod spill;
mod stream;
mod subagents;
mod tallies;
mod text_calls;
mod time;
mod told_results;
mod transcript;
mod units;
mod unread;
mod viewed;

pub use agents::{AgentMarks, LoggedAgent, agents_of, is_of_program};
pub use error::ReadError;
pub use format::LogFormat;
pub use ledger::Ledger;
pub use notes::{Note, Notes};
pub use observations::Observations;
pub use place::LogPlace;
pub use read::{ReadOptions, read, read_within};
pub use readers::FORMATS;
pub use repeats::{HashedTranscript, Novelty, Repeats, hash_of};
pub use shelf::{Shelf, ShelvedTranscript};
pub use subagents::SubagentAnswers;
pub use tallies::{Compactions, LateStarts, MissingCalls, Places, Tallies, UserObservations, grouped};
pub use time::LogTime;
pub use transcript::{
    Billed, CompactionKind, RecordedEvaluation, SentPart, ToolDeclaration, Transcript, TranscriptCall,
    TranscriptCompaction, TranscriptMessage, TranscriptOutcome, TranscriptRole, TranscriptSource,
    TranscriptUsage,
};
