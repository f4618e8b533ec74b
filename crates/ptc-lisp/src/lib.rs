//! From the text of a program to its value: `read → resolve → eval`.
#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

mod atom;
mod bounded;
pub mod builtin;
pub mod builtins;
pub mod diagnostic;
pub mod error;
pub mod eval;
mod exception;
pub mod excerpt;
mod expr;
pub mod flexible;
pub mod form;
mod generator;
mod hashed;
pub mod hint;
mod identity;
pub mod items;
pub mod json;
pub mod lenient;
mod lex;
pub mod library;
pub mod limits;
pub mod manual;
pub mod memory;
mod merge_sort;
mod meter;
pub mod order;
pub mod print;
mod ratio;
pub mod read;
mod regexp;
pub mod resolve;
pub mod session;
pub mod source;
pub mod stack;
pub mod stop;
pub mod symbol;
pub mod table;
mod time;
mod transducer;
pub mod value;
