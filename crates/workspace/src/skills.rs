//! Skills as other readers see them. How the target itself reads a skill is the `prompt` crate's matter.

pub mod yaml;
