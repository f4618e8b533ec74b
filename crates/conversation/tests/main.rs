//! Messages of bodies, conversations made of them, and the table.

#![allow(clippy::unwrap_used)]

mod bodies;
mod cut;
mod extension;
mod table;
