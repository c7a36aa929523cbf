//! User files: roots, layouts, reading, saving, watching.
//!
//! Everything that a person's agent is shaped by stands in files, and this crate is the one that touches them:
//! [`reader`] reads them into a [`model::Snapshot`], [`save`] writes one file, [`watch`] tells when they change.
//! Only [`save::save`] writes over a user's file, and [`save::rename`] gives one another name; [`first_run`] creates
//! files that are missing. Whole folders are made by [`save::folder`] and taken to the [`trash`]; [`host_config`] changes
//! one list of the host's own file, through [`save::save`].

pub mod causes;
mod dates;
pub mod document;
pub mod encoding;
pub mod first_run;
pub mod forms;
pub mod host_config;
pub mod lint;
pub mod memory;
pub mod merge;
pub mod paths;
pub mod places;
pub mod projects;
pub mod reader;
mod registry;
pub mod rules;
pub mod save;
pub mod skills;
pub mod starters;
#[cfg(test)]
mod testing;
pub mod trash;
pub mod watch;
