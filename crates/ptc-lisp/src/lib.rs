//! PTC-Lisp: text to value. No I/O, clock, threads or randomness; the only ways out are tools and prints.
//!
//! `read → resolve → eval`, see `docs/language.md` for the language itself.

mod atom;
pub mod builtins;
pub mod diagnostic;
pub mod error;
pub mod eval;
mod exception;
pub mod excerpt;
pub mod expr;
pub mod flexible;
pub mod form;
pub mod generator;
mod hashed;
pub mod hint;
mod identity;
pub mod items;
pub mod json;
pub mod lenient;
pub mod lex;
pub mod library;
pub mod limits;
pub mod memory;
mod meter;
pub mod order;
pub mod print;
pub mod read;
mod record;
pub mod regexp;
pub mod resolve;
pub mod session;
pub mod source;
pub mod stack;
pub mod symbol;
pub mod table;
pub mod time;
pub mod transducer;
pub mod value;
