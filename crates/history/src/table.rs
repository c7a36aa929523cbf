//! The tables, one file each: all SQL that reads or writes rows stands below here.

pub(crate) mod assemblies;
pub(crate) mod names;
pub(crate) mod sections;
pub(crate) mod series;
pub(crate) mod texts;
