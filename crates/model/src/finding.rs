//! Findings: what a parser, a reader or an assembly noticed. One model for all of them.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::Text;

/// A half-open range of bytes, `start <= end`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
pub struct ByteRange {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// How much a finding matters. Ordered: `Info < Warning < Error`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Info,
    /// Probably not what was meant.
    Warning,
    /// Something is lost, or the target would fail.
    Error,
}

/// A repair that changes nothing but what it names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fix {
    /// Stable name of the repair, for example `strip-bom`.
    pub id: Cow<'static, str>,
    /// What the button says.
    pub label: Text,
}

/// Something worth telling about a file or an assembly.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// Stable id in kebab case; `docs/findings.md` has an entry for each.
    pub id: Cow<'static, str>,
    /// How much it matters.
    pub severity: Severity,
    /// The file it is about, absolute; `None` when it is about the whole.
    pub path: Option<String>,
    /// Bytes of that file.
    pub range: Option<ByteRange>,
    /// What was found, and what it means for the target.
    pub message: Text,
    /// Safe repairs, the likeliest first.
    pub fixes: Vec<Fix>,
}

impl Finding {
    /// A finding about the whole workspace or assembly.
    pub fn new(id: &'static str, severity: Severity, message: Text) -> Self {
        Self { id: Cow::Borrowed(id), severity, path: None, range: None, message, fixes: Vec::new() }
    }

    /// Names the file.
    #[must_use]
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Names the bytes of the file.
    #[must_use]
    pub fn range(mut self, start: usize, end: usize) -> Self {
        self.range = Some(ByteRange { start: start as u32, end: end as u32 });
        self
    }

    /// Offers a repair, after those that were offered before.
    #[must_use]
    pub fn fix(mut self, id: &'static str, label: Text) -> Self {
        self.fixes.push(Fix { id: Cow::Borrowed(id), label });
        self
    }
}

/// What a parser of user text returns: always a value, and what it noticed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Parsed<T> {
    /// The best reading of the text.
    pub value: T,
    /// What was odd about it.
    pub findings: Vec<Finding>,
}
