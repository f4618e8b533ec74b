//! Conversations of agents with models: messages with native tool calls, turns, and a table to store and count each text only once.
//!
//! A [`Conversation`] has [`Turn`]s of [`Message`]s, as the model saw them. [`Messages`] is the table, indexed by [`MessageId`]. [`bodies`]
//! reads and writes the messages of request bodies.

pub mod bodies;
mod conversation;
pub mod cut;
mod extension;
mod long_lines;
mod message;
mod message_builder;
mod pauses;
mod runs;
mod table;
mod turn;

pub use conversation::{
    Change, Conversation, LoggedSummary, MessagePlace, NoOpening, Recorded, Sent, SentStart, system_message,
};
pub use extension::Extension;
pub use long_lines::{LONG, line_parts};
pub use message::{Message, MessagePart, Native, NativeCall, Role};
pub use message_builder::MessageBuilder;
pub use pauses::Pauses;
pub use runs::{Runs, Stretches};
pub use table::{Identity, MessageId, Messages, Row, Table, TextTokens};
pub use turn::{Call, Reply, ReplyKind, Turn};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
