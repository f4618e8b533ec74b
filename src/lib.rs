pub mod lisp;
