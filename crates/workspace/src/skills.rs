//! Skills as other readers see them, and as files: their names and texts. How the target itself reads a skill is the
//! `prompt` crate's matter; folders are made and moved by [`crate::save::folder`] and [`crate::trash`].

pub mod names;
pub mod text;
pub mod yaml;
