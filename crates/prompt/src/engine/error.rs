//! What can be wrong with a template, and where.

use std::sync::Arc;

use serde::Serialize;

/// The kind of a [`TemplateError`]. Serialized in `snake_case` (`block_mismatch`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorClass {
    /// The text is not a template: a tag that does not end, a block that is never closed, `{{}}`, …
    Parse,
    /// A block is closed by another name than it was opened with.
    BlockMismatch,
    /// `..`, `.` or `this` after a name, as in `a/../b`.
    InvalidPath,
    /// A name is used with arguments, and nothing of that name can take them.
    MissingHelper,
    /// `{{> name}}` and no partial of that name.
    MissingPartial,
    /// A built-in helper (or a partial) got more or fewer arguments than it takes.
    ArgumentCount,
    /// A plain value is used where only a helper or a block can stand (`{{boat..name}}`, `{{if x}}`).
    NotAFunction,
    /// A bound of the engine: nesting, recursion of partials, steps, or size of the output.
    Depth,
}

/// When the error shows itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// While the template is read: whatever the values, it cannot be used.
    Parse,
    /// While it is rendered: other values may do.
    Render,
}

/// One error in one template, with its place.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug, Serialize)]
#[error("{}line {line}, column {column}: {message}", .template.as_deref().map_or_else(String::new, |name| format!("partial \"{name}\", ")))]
pub struct TemplateError {
    /// What kind of error.
    pub class: ErrorClass,
    /// When it was found.
    pub at: Stage,
    /// Name of the partial the place is in; `None` for the template itself.
    pub template: Option<String>,
    /// Byte offset in that template's source.
    pub offset: usize,
    /// Line, from 1. A line ends with LF, CR LF or a lone CR.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What is wrong, and what to do about it.
    pub message: String,
}

impl TemplateError {
    /// An error at a byte offset of `source`. An offset inside a character is moved to its start.
    pub(super) fn new(class: ErrorClass, at: Stage, source: &str, offset: usize, message: String) -> Self {
        let offset = source.floor_char_boundary(offset);
        let (line, column) = position(source, offset);
        Self { class, at, template: None, offset, line, column, message }
    }

    /// The same error, said of the partial `name`.
    pub(super) fn in_partial(mut self, name: Option<&Arc<str>>) -> Self {
        self.template = name.map(ToString::to_string);
        self
    }
}

/// Line and column, both from 1, of a byte offset on a character boundary.
fn position(source: &str, offset: usize) -> (u32, u32) {
    let before = &source[..offset];
    let bytes = before.as_bytes();
    let mut line = 1;
    let mut start = 0;
    for (at, byte) in bytes.iter().enumerate() {
        let ends = match byte {
            b'\n' => true,
            // The LF of a CR LF ends the line; when the offset stands between the two, neither does.
            b'\r' => source.as_bytes().get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        if ends {
            line += 1;
            start = at + 1;
        }
    }
    (line, before[start..].chars().count() as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_with_lf_cr_lf_or_a_lone_cr_and_columns_count_characters() {
        let source = "a\r\nb\rc\nß🚢x";
        let x = source.len() - 1;
        assert_eq!(position(source, x), (4, 3), "two characters stand before the x");
        assert_eq!(position(source, 3), (2, 1));
        assert_eq!(position(source, 5), (3, 1));
        assert_eq!(position("", 0), (1, 1));
    }

    #[test]
    fn the_message_names_partial_and_place() {
        let error = TemplateError::new(ErrorClass::Parse, Stage::Parse, "ab", 1, "no".into());
        assert_eq!(error.to_string(), "line 1, column 2: no");
        assert_eq!(error.in_partial(Some(&"p".into())).to_string(), "partial \"p\", line 1, column 2: no");
    }
}
