//! The window's commands: one function for each entry of [`crate::for_each_command`].

pub mod boot;
pub mod contexts;
pub mod documents;
pub mod past;
pub mod preview;
pub mod settings;
pub mod workspace;
