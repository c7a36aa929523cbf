//! The tables, one file each: all SQL that reads or writes rows stands below here.

pub(crate) mod assemblies;
pub(crate) mod contents;
pub(crate) mod drafts;
pub(crate) mod expiry;
pub(crate) mod names;
pub(crate) mod sections;
pub(crate) mod series;
pub(crate) mod texts;
pub(crate) mod versions;
