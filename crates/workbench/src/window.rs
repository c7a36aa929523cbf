//! The window's commands: one function for each entry of [`crate::for_each_command`].

#![allow(clippy::needless_pass_by_value, reason = "a command owns its request, as it comes off the wire")]

pub mod boot;
pub mod contexts;
pub mod documents;
pub mod fixes;
pub mod forms;
pub mod lost_drafts;
pub mod memory;
pub mod merge;
pub mod past;
pub mod preview;
pub mod projects;
pub mod settings;
pub mod skills;
pub mod typing;
pub mod versions;
pub mod why;
pub mod workspace;
