//! The template dialect of the installed app: Handlebars with left-overs of Jinja, which a pre-pass rewrites
//! before compiling (facts: template loader, the newer form).
//!
//! The rewriting keeps a map, so that a byte of the prompt leads back to the byte of the template file it
//! stands in, also when that file was included.

use std::ops::Range;
use std::sync::Arc;

use model::{Entry, Source};

use crate::js;

/// Includes inside includes, at most. Deeper ones are a loop.
const MAX_DEPTH: usize = 16;

/// Bytes of a Jinja tag, at most; a bound keeps the pre-pass linear.
const MAX_TAG: usize = 512;

/// A run of the rewritten text and the bytes of the file it was made from.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Run {
    /// Bytes of the rewritten text.
    text: Range<usize>,
    /// The template file.
    path: Arc<str>,
    /// Bytes of that file.
    file: Range<usize>,
}

/// A template after the pre-pass.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Prepared {
    /// What is compiled.
    pub(crate) text: String,
    runs: Vec<Run>,
}

/// A file that a template includes and that is not there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MissingInclude {
    /// The name in the tag, relative to `templates/`.
    pub(crate) name: String,
    /// The template with the tag.
    pub(crate) path: Arc<str>,
    /// Byte of the tag in that template.
    pub(crate) offset: usize,
}

impl Prepared {
    /// Rewrites the template of `entry`; `include` finds other templates by the name in a tag.
    pub(crate) fn new<'a>(
        entry: &'a Entry,
        include: &dyn Fn(&str) -> Option<&'a Entry>,
    ) -> Result<Self, MissingInclude> {
        let mut prepared = Self::default();
        prepared.add(entry, include, 0)?;
        Ok(prepared)
    }

    /// A template that is compiled as it stands.
    pub(crate) fn plain(text: &str, path: &Arc<str>) -> Self {
        let run = Run { text: 0..text.len(), path: Arc::clone(path), file: 0..text.len() };
        Self { text: text.to_owned(), runs: vec![run] }
    }

    fn add<'a>(
        &mut self,
        entry: &'a Entry,
        include: &dyn Fn(&str) -> Option<&'a Entry>,
        depth: usize,
    ) -> Result<(), MissingInclude> {
        let text = entry.text();
        let at_file = |offset: usize| entry.source().map_or(offset, |file| file.decoded().to_file_offset(offset));
        let mut copied = 0;
        let mut at = 0;
        while let Some(open) = text[at..].find('{').map(|found| at + found) {
            let Some((length, rewrite)) = tag(&text[open..]) else {
                at = open + 1;
                continue;
            };
            self.push(&text[copied..open], &entry.path, at_file(copied)..at_file(open));
            match rewrite {
                Rewrite::Text(new) => self.push(&new, &entry.path, at_file(open)..at_file(open + length)),
                Rewrite::Include(name) => {
                    let missing = || MissingInclude {
                        name: name.to_owned(),
                        path: Arc::clone(&entry.path),
                        offset: at_file(open),
                    };
                    let included = include(name).filter(|_| depth < MAX_DEPTH).ok_or_else(missing)?;
                    self.add(included, include, depth + 1)?;
                }
            }
            at = open + length;
            copied = at;
        }
        self.push(&text[copied..], &entry.path, at_file(copied)..at_file(text.len()));
        Ok(())
    }

    fn push(&mut self, text: &str, path: &Arc<str>, file: Range<usize>) {
        if !text.is_empty() {
            let start = self.text.len();
            self.text.push_str(text);
            self.runs.push(Run { text: start..self.text.len(), path: Arc::clone(path), file });
        }
    }

    /// The sources of bytes `range` of the rewritten text, each with how many of those bytes it stands for.
    pub(crate) fn sources(&self, range: Range<usize>) -> impl Iterator<Item = (usize, Source)> {
        let first = self.runs.partition_point(|run| run.text.end <= range.start);
        self.runs[first..].iter().take_while(move |run| run.text.start < range.end).map(move |run| {
            let start = range.start.max(run.text.start);
            let end = range.end.min(run.text.end);
            let file = if run.text.len() == run.file.len() {
                run.file.start + (start - run.text.start)..run.file.start + (end - run.text.start)
            } else {
                run.file.clone()
            };
            let source =
                Source::Template { path: Arc::clone(&run.path), start: file.start as u32, end: file.end as u32 };
            (end - start, source)
        })
    }

    /// The file and its byte behind byte `offset` of the rewritten text.
    pub(crate) fn file_offset(&self, offset: usize) -> Option<(&Arc<str>, usize)> {
        let at = self.runs.partition_point(|run| run.text.end <= offset).min(self.runs.len().checked_sub(1)?);
        let run = &self.runs[at];
        let past = offset - run.text.start;
        Some((&run.path, if run.text.len() == run.file.len() { run.file.start + past } else { run.file.start }))
    }
}

enum Rewrite<'a> {
    Text(String),
    Include(&'a str),
}

/// The tag that `text` begins with, its length, and what it becomes.
fn tag(text: &str) -> Option<(usize, Rewrite<'_>)> {
    jinja(text).or_else(|| squeezed(text))
}

/// `{% include 'x' %}`, `{% else %}`, `{% endif %}`, `{% if part == 'system' %}`, `{% elif … %}`.
fn jinja(text: &str) -> Option<(usize, Rewrite<'_>)> {
    let inner = text.strip_prefix("{%")?;
    let close = inner.as_bytes().windows(2).take(MAX_TAG).position(|pair| pair == b"%}")?;
    let length = close + 4;
    let words = js::trim(&inner[..close]);
    let rewrite = match words {
        "else" => Rewrite::Text("{{else}}".to_owned()),
        "endif" => Rewrite::Text("{{/if}}".to_owned()),
        _ => {
            let (keyword, rest) = words.split_once(js::is_space)?;
            let rest = js::trim(rest);
            match keyword {
                "include" => Rewrite::Include(quoted(rest)?),
                "elif" if !rest.contains(js::is_line_end) => Rewrite::Text("{{else}}".to_owned()),
                "if" => {
                    let (name, value) = rest.split_once("==")?;
                    if js::trim(name) != "part" || quoted(js::trim(value)) != Some("system") {
                        return None;
                    }
                    Rewrite::Text("{{#if is_system}}".to_owned())
                }
                _ => return None,
            }
        }
    };
    Some((length, rewrite))
}

/// The text between one pair of single or double quotes.
fn quoted(text: &str) -> Option<&str> {
    ['\'', '"']
        .iter()
        .find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote))
        .filter(|name| !name.contains(['\'', '"']))
}

/// `{{ a.b }}` becomes `{{a.b}}`; only a lone name is squeezed.
fn squeezed(text: &str) -> Option<(usize, Rewrite<'_>)> {
    let inner = text.strip_prefix("{{")?;
    let start = inner.len() - inner.trim_start_matches(js::is_space).len();
    let name_end = inner[start..].find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.')))? + start;
    let after = inner[name_end..].trim_start_matches(js::is_space);
    let squeezes = start > 0 || after.len() < inner.len() - name_end;
    if name_end == start || !squeezes || !after.starts_with("}}") {
        return None;
    }
    let length = text.len() - after.len() + 2;
    Some((length, Rewrite::Text(format!("{{{{{}}}}}", &inner[start..name_end]))))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

    use std::collections::BTreeMap;

    use model::{ContentHash, FileIdentity, SourceFile, SourceOrigin};

    use super::*;

    fn entry(path: &str, text: &str) -> Entry {
        let hash = ContentHash([0; 32]);
        Entry::file(Arc::new(SourceFile::new(path, FileIdentity::default(), SourceOrigin::Disk, text.as_bytes(), hash)))
    }

    fn prepared(text: &str) -> String {
        Prepared::new(&entry("/t", text), &|_| None).unwrap().text
    }

    #[test]
    fn left_overs_of_jinja_become_handlebars() {
        assert_eq!(
            prepared("{%if part == 'system'%}a{% elif x > 1 %}b{% else %}c{%  endif %}"),
            "{{#if is_system}}a{{else}}b{{else}}c{{/if}}"
        );
        assert_eq!(prepared("{% if other %}{% for x %}"), "{% if other %}{% for x %}", "anything else stays");
    }

    #[test]
    fn lone_names_are_squeezed() {
        assert_eq!(
            prepared("{{ a.b }}{{{ c }}}\\{{\n d}}{{#if  e }}{{ f g }}"),
            "{{a.b}}{{{c}}}\\{{d}}{{#if  e }}{{ f g }}"
        );
    }

    #[test]
    fn bytes_lead_back_to_the_file_they_stand_in() {
        let outer = entry("/outer", "é{{ a }}{% include 'in.md' %}z");
        let inner = entry("/inner", "{% else %}!");
        let others = BTreeMap::from([("in.md", &inner)]);
        let prepared = Prepared::new(&outer, &|name| others.get(name).copied()).unwrap();
        assert_eq!(prepared.text, "é{{a}}{{else}}!z");
        let source = |path: &str, start, end| Source::Template { path: path.into(), start, end };
        let sources: Vec<_> = prepared.sources(0..prepared.text.len()).collect();
        assert_eq!(
            sources,
            [
                (2, source("/outer", 0, 2)),
                (5, source("/outer", 2, 9)),
                (8, source("/inner", 0, 10)),
                (1, source("/inner", 10, 11)),
                (1, source("/outer", 30, 31)),
            ]
        );
        assert_eq!(prepared.file_offset(15), Some((&Arc::from("/inner"), 10)));
    }

    #[test]
    fn a_missing_include_is_named_with_its_place() {
        let missing = Prepared::new(&entry("/t", "ab{% include \"x.md\" %}"), &|_| None).unwrap_err();
        assert_eq!(missing, MissingInclude { name: "x.md".into(), path: "/t".into(), offset: 2 });
    }
}
