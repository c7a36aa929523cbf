//! One file per use case. Those with a [`crate::Session`] are the window's commands; the others are the command
//! line's, which reads the disk anew each time.

pub mod assemble;
pub mod check;
pub mod compare;
pub mod emulate;
pub mod init;
pub mod memory;
pub mod memory_split;
pub mod past;
pub mod projects;
pub mod render;
pub mod runtime_context;
pub mod skills;
pub mod tokens;
pub mod why;
