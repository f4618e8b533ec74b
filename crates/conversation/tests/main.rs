//! Messages of bodies, conversations made of them, and the table.

mod bodies;
mod table;
