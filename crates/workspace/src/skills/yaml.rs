//! The front matter of a skill, read as YAML: what readers other than the target make of it.
//!
//! Never fails: what is not YAML becomes an error with its line and column, and the fields are then unknown, as they
//! are for those readers. A byte order mark and CR LF are tolerated, because YAML tolerates them.

use model::{ByteRange, Finding, Parsed, text};
use serde_json::Value;

use crate::rules;

/// The front matter of a text. Offsets are bytes of that text.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FrontMatter {
    /// What stands between the fences, without them; `None` when the text begins with no fence or none closes it.
    pub span: Option<ByteRange>,
    /// First byte after the closing fence's line; 0 (or past a byte order mark) without front matter.
    pub body: u32,
    /// The top-level fields in their order; empty when there is an error.
    pub fields: Vec<(String, Value)>,
    /// Why it is not YAML.
    pub error: Option<YamlError>,
}

/// Where and why a front matter is not YAML.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct YamlError {
    /// Line of the file, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// Byte of the text.
    pub offset: u32,
    /// What the reader says.
    pub message: String,
}

impl FrontMatter {
    /// A field by its exact name.
    pub fn field(&self, name: &str) -> Option<&Value> {
        self.fields.iter().find(|(field, _)| field == name).map(|(_, value)| value)
    }

    /// The field `name`, when it is a text.
    pub fn name(&self) -> Option<&str> {
        self.field("name")?.as_str()
    }

    /// The field `description`, when it is a text.
    pub fn description(&self) -> Option<&str> {
        self.field("description")?.as_str()
    }

    /// The field `always`, which other hosts read and this target does not.
    pub fn always(&self) -> Option<bool> {
        self.field("always")?.as_bool()
    }
}

/// Reads the front matter of `text`.
pub fn read(text: &str) -> Parsed<FrontMatter> {
    let start = if text.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    let mut value = FrontMatter { body: start as u32, ..FrontMatter::default() };
    let mut lines = lines(text, start);
    if !lines.next().is_some_and(|(_, line)| is_fence(line)) {
        return Parsed { value, findings: Vec::new() };
    }
    let mut inner = None;
    let mut close = None;
    for (at, line) in lines.by_ref() {
        inner.get_or_insert(at);
        if is_fence(line) {
            close = Some((at, at + line.len()));
            break;
        }
    }
    let (Some(inner), Some((close, after))) = (inner, close) else {
        let finding = rules::FRONTMATTER_UNCLOSED.finding(text!("frontmatter-unclosed"));
        return Parsed { value, findings: vec![finding.range(start, (start + 3).min(text.len()))] };
    };
    value.span = Some(ByteRange { start: inner as u32, end: close as u32 });
    value.body = after as u32;
    let mut findings = Vec::new();
    match fields(&text[inner..close]) {
        Ok(fields) => value.fields = fields,
        Err(error) => {
            // The first line of the file is the fence.
            let error = YamlError { line: error.line + 1, offset: error.offset + inner as u32, ..error };
            findings.push(not_yaml(&error));
            value.error = Some(error);
        }
    }
    Parsed { value, findings }
}

fn not_yaml(error: &YamlError) -> Finding {
    let at = error.offset as usize;
    rules::FRONTMATTER_YAML
        .finding(text!("frontmatter-yaml", line = error.line, column = error.column, cause = &error.message))
        .range(at, at)
}

fn fields(yaml: &str) -> Result<Vec<(String, Value)>, YamlError> {
    match serde_saphyr::from_str::<Value>(yaml) {
        Ok(Value::Object(map)) => Ok(map.into_iter().collect()),
        Ok(Value::Null) => Ok(Vec::new()),
        Ok(_) => {
            Err(YamlError { line: 1, column: 1, offset: 0, message: "fields with values are expected".to_owned() })
        }
        Err(_) if yaml.trim().is_empty() => Ok(Vec::new()),
        Err(error) => {
            let location = error.location();
            let line = location.map_or(1, |at| u32::try_from(at.line()).unwrap_or(1));
            let column = location.map_or(1, |at| u32::try_from(at.column()).unwrap_or(1));
            let message = error.without_snippet().to_string();
            let message = message.lines().next().unwrap_or("not YAML").trim_end_matches('.').to_owned();
            Err(YamlError { line, column, offset: offset_of(yaml, line, column), message })
        }
    }
}

/// The byte at a line and column, both from 1, columns in characters.
fn offset_of(text: &str, line: u32, column: u32) -> u32 {
    let Some((start, text)) = lines(text, 0).nth(line.saturating_sub(1) as usize) else {
        return text.len() as u32;
    };
    let within = text.char_indices().nth(column.saturating_sub(1) as usize).map_or(text.len(), |(at, _)| at);
    (start + within) as u32
}

/// The lines of `text` from byte `from` on, each with its offset and its line end.
fn lines(text: &str, from: usize) -> impl Iterator<Item = (usize, &str)> {
    text[from..].split_inclusive('\n').scan(from, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line))
    })
}

fn is_fence(line: &str) -> bool {
    line.trim_end() == "---"
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use proptest::prelude::*;

    use super::*;

    fn span(text: &str) -> Option<&str> {
        let span = read(text).value.span?;
        Some(&text[span.start as usize..span.end as usize])
    }

    #[test]
    fn fields_are_read_with_and_without_a_mark_and_carriage_returns() {
        for text in [
            "---\nname: tide\ndescription: 'Read: a table'\nalways: true\n---\nBody\n",
            "\u{FEFF}---\r\nname: tide\r\ndescription: 'Read: a table'\r\nalways: true\r\n---\r\nBody\r\n",
        ] {
            let parsed = read(text);
            assert_eq!(parsed.findings, []);
            let front = parsed.value;
            assert_eq!(
                (front.name(), front.description(), front.always()),
                (Some("tide"), Some("Read: a table"), Some(true))
            );
            assert!(text[front.body as usize..].starts_with("Body"));
            assert!(span(text).unwrap().starts_with("name:"));
        }
    }

    #[test]
    fn a_folded_description_is_one_line_for_yaml() {
        let front = read("---\ndescription: >\n  Two words\n  and more\n---\n").value;
        assert_eq!(front.description(), Some("Two words and more\n"));
    }

    #[test]
    fn a_colon_in_a_plain_value_is_an_error_with_its_place() {
        let parsed = read("---\nname: trip\ndescription: Plan trips: rail, bus\n---\n");
        let error = parsed.value.error.unwrap();
        assert_eq!(error.line, 3, "counted in the file");
        assert_eq!((parsed.value.fields.len(), &*parsed.findings[0].id), (0, "frontmatter-yaml"));
    }

    #[test]
    fn a_text_without_front_matter_is_all_body_and_an_open_one_is_told() {
        assert_eq!(read("# Title\n---\n").value, FrontMatter::default());
        let open = read("---\nname: tide\n");
        assert_eq!((open.value.span, &*open.findings[0].id), (None, "frontmatter-unclosed"));
        let empty = read("---\n---\n");
        assert_eq!((empty.value.fields.len(), empty.value.error), (0, None));
        assert_eq!(read("---\n- a\n- b\n---\n").value.error.unwrap().line, 2);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_fail(text in "(---\r?\n)?[a-z:>|&*\\-\\[\\]{}\"' \r\n\u{FEFF}é]{0,80}(---\r?\n)?") {
            let parsed = read(&text);
            let front = parsed.value;
            prop_assert!(text.is_char_boundary(front.body as usize));
            if let Some(error) = front.error {
                prop_assert!(text.is_char_boundary(error.offset as usize));
            }
        }
    }
}
