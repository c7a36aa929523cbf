//! `cbw compare`: two prompts, the first byte in which they differ, and what that costs.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use history::StoredText;
use model::{Assembly, Decoded, Source};
use tokens::{Counter, Tokenizer};

use crate::api::outputs::{CompareOutput, FirstDifference, OUTPUT_VERSION, SectionChange};
use crate::api::{ApiError, ErrorCode};
use crate::assembling::{self, Request};
use crate::counting;
use crate::log_parts;
use crate::sent;
use crate::use_cases::assemble::value;
use crate::use_cases::past;

/// One side of a comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Side {
    /// The request with another channel.
    Channel(String),
    /// The request with another variant.
    Variant(String),
    /// The request with another context file.
    Context(PathBuf),
    /// A recorded assembly.
    At(i64),
    /// The logged text of a prompt that was really sent.
    Log(PathBuf),
}

impl Side {
    /// Reads `channel=…`, `variant=…`, `context=…`, `at=…` or `log=…`.
    ///
    /// # Errors
    /// [`ErrorCode::Invalid`] says what a side looks like.
    pub fn parse(text: &str) -> Result<Self, ApiError> {
        let wrong = || {
            ApiError::english(
                ErrorCode::Invalid,
                format!(
                    "\"{text}\" is no side of a comparison. Use channel=NAME, variant=ID, context=FILE, at=ID or log=FILE."
                ),
            )
        };
        let (kind, value) = text.split_once('=').ok_or_else(wrong)?;
        Ok(match kind {
            "channel" => Self::Channel(value.to_owned()),
            "variant" => Self::Variant(value.to_owned()),
            "context" => Self::Context(value.into()),
            "at" => Self::At(value.parse().map_err(|_| wrong())?),
            "log" => Self::Log(value.into()),
            _ => return Err(wrong()),
        })
    }
}

/// A text in named parts.
pub(crate) struct Text {
    parts: Vec<Part>,
    assembly: Option<Assembly>,
    /// Set for a log: what was taken from it, if it was not the prompt itself.
    #[allow(clippy::option_option, reason = "whether it is a log, and what is said of it, are two questions")]
    log: Option<Option<String>>,
}

pub(crate) struct Part {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) text: String,
}

impl Text {
    /// The text of an assembly, section by section.
    pub(crate) fn of_assembly(assembly: Assembly) -> Self {
        let parts = assembly.sections.iter().map(|section| Part {
            id: section.id.to_string(),
            title: section.title.to_string(),
            text: section.text.to_string(),
        });
        Self { parts: parts.collect(), assembly: Some(assembly), log: None }
    }

    /// The prompt in a log, as one part.
    pub(crate) fn of_log(title: String, log: &str) -> Self {
        let sent = sent::read(log);
        let part = Part { id: "log".to_owned(), title, text: sent.text };
        Self { parts: vec![part], assembly: None, log: Some(sent.note) }
    }

    /// A log in the parts that stand for the sections of `other`, when that is an assembly.
    fn aligned(self, other: &Self) -> Self {
        let (Some(_), Some(assembly)) = (&self.log, &other.assembly) else { return self };
        let text = self.joined();
        let parts = log_parts::align(&text, &assembly.sections).into_iter().map(|part| Part {
            id: part.id,
            title: part.title,
            text: part.text.to_owned(),
        });
        Self { parts: parts.collect(), ..self }
    }

    /// Its parts.
    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// All of it.
    pub(crate) fn joined(&self) -> String {
        self.parts.iter().map(|part| part.text.as_str()).collect()
    }
}

/// Compares two sides of a request.
///
/// # Errors
/// A side that cannot be assembled or read.
pub fn compare(request: &Request, a: &Side, b: &Side) -> Result<CompareOutput, ApiError> {
    let (a, _) = side(request, a)?;
    let (b, tokenizer) = side(request, b)?;
    Ok(of_texts(a, b, &mut Counter::default(), tokenizer).0)
}

/// Compares two texts; gives them back as they were compared, a log in the parts that stand for sections.
pub(crate) fn of_texts(a: Text, b: Text, counter: &mut Counter, tokenizer: Tokenizer) -> (CompareOutput, Text, Text) {
    let a = a.aligned(&b);
    let b = b.aligned(&a);
    let (text_a, text_b) = (a.joined(), b.joined());
    let equal = text_a.bytes().zip(text_b.bytes()).take_while(|(a, b)| a == b).count();
    let identical = text_a == text_b;
    let at = text_b.floor_char_boundary(equal.min(text_b.len()));
    let total = counting::count(counter, &text_b, tokenizer).total;
    let kept = if identical { total } else { counting::count(counter, &text_b[..at], tokenizer).total };
    let mut notes: Vec<String> = [&a, &b].into_iter().filter_map(|text| text.log.clone().flatten()).collect();
    notes.extend(log_note(&a, &text_a, &text_b).or_else(|| log_note(&b, &text_b, &text_a)));
    let output = CompareOutput {
        schema_version: OUTPUT_VERSION,
        identical,
        first_difference: (!identical).then(|| first_difference(&a, &b, &text_b, equal)),
        tokens_kept: kept,
        tokens_lost: total.zip(kept).map(|(total, kept)| total.saturating_sub(kept)),
        sections: changes(counter, tokenizer, &a, &b),
        notes,
    };
    (output, a, b)
}

/// What a log has otherwise than the prompt though nobody changed it.
fn log_note(log: &Text, text: &str, other: &str) -> Option<String> {
    log.log.as_ref()?;
    let note = if text == other {
        return None;
    } else if text.trim_end() == other.trim_end() {
        "They differ in white space at the end alone, which a log may add or lose."
    } else if text.replace("\r\n", "\n") == other.replace("\r\n", "\n") {
        "They differ in line ends alone: one has CR LF where the other has LF, which copying may change."
    } else {
        return None;
    };
    Some(note.to_owned())
}

fn side(request: &Request, side: &Side) -> Result<(Text, Tokenizer), ApiError> {
    let mut request = request.clone();
    match side {
        Side::Channel(channel) => request.flags.channel = Some(channel.clone()),
        Side::Variant(variant) => request.variant = Some(variant.clone()),
        Side::Context(path) => request.context_file = Some(path.clone()),
        Side::At(_) | Side::Log(_) => {}
    }
    let inputs = assembling::read(&request)?;
    let tokenizer = counting::tokenizer(inputs.context.provider.as_deref(), inputs.context.model.as_deref());
    let text = match side {
        Side::At(id) => recorded(&request.place.home, *id)?,
        Side::Log(path) => logged(path)?,
        Side::Channel(_) | Side::Variant(_) | Side::Context(_) => {
            Text::of_assembly(assembling::assemble(&inputs, &mut Counter::default(), tokenizer))
        }
    };
    Ok((text, tokenizer))
}

fn recorded(home: &Path, id: i64) -> Result<Text, ApiError> {
    let detail = past::get(home, id)?;
    let mut parts = Vec::new();
    for section in detail.sections {
        let StoredText::Text(text) = section.text else {
            return Err(ApiError::english(
                ErrorCode::Failed,
                format!("Assembly {id} cannot be compared: the text of \"{}\" was too large to keep.", section.title),
            ));
        };
        parts.push(Part { id: section.id, title: section.title, text });
    }
    Ok(Text { parts, assembly: None, log: None })
}

fn logged(path: &Path) -> Result<Text, ApiError> {
    let text = fs::read_to_string(path).map_err(|error| {
        let code = if error.kind() == ErrorKind::NotFound { ErrorCode::NotFound } else { ErrorCode::Failed };
        ApiError::english(code, format!("The log {} cannot be read: {error}.", path.display()))
            .with("path", path.display())
    })?;
    Ok(Text::of_log(path.display().to_string(), &text))
}

fn first_difference(a: &Text, b: &Text, text_b: &str, offset: usize) -> FirstDifference {
    let source = |text: &Text| text.assembly.as_ref().and_then(|assembly| source_at(assembly, offset as u32));
    let (source_a, source_b) = (source(a), source(b));
    let source_line_b = source_b.as_ref().and_then(|(source, within)| source_line(source, *within));
    let before = text_b.as_bytes().get(..offset.min(text_b.len())).unwrap_or_default();
    FirstDifference {
        offset: offset as u32,
        line: before.iter().filter(|&&byte| byte == b'\n').count() as u32 + 1,
        section_a: section_at(a, offset),
        section_b: section_at(b, offset),
        source_a: value(&source_a.map(|(source, _)| source)),
        source_b: value(&source_b.map(|(source, _)| source)),
        source_line_b,
    }
}

fn section_at(text: &Text, offset: usize) -> Option<String> {
    let mut end = 0;
    text.parts.iter().find_map(|part| {
        end += part.text.len();
        (offset < end).then(|| part.id.clone())
    })
}

/// The source of a byte, and how far into it the byte stands.
pub(crate) fn source_at(assembly: &Assembly, offset: u32) -> Option<(Source, u32)> {
    let section = assembly.sections.iter().find(|section| (section.start..section.end()).contains(&offset))?;
    let within = offset - section.start;
    let span = section.spans.iter().find(|span| (span.start..span.end).contains(&within))?;
    Some((span.source.clone(), within - span.start))
}

/// The line, from 1, of the byte `within` bytes into a file source.
fn source_line(source: &Source, within: u32) -> Option<u32> {
    let Source::File { path, start, .. } = source else { return None };
    let bytes = fs::read(&**path).ok()?;
    let decoded = Decoded::new(&bytes);
    let end = decoded.to_text_offset(*start as usize) + within as usize;
    Some(decoded.text.as_bytes().get(..end)?.iter().filter(|&&byte| byte == b'\n').count() as u32 + 1)
}

fn changes(counter: &mut Counter, tokenizer: Tokenizer, a: &Text, b: &Text) -> Vec<SectionChange> {
    let mut count = |part: Option<&Part>| part.and_then(|part| counting::count(counter, &part.text, tokenizer).total);
    let mut rows = Vec::new();
    for part in &b.parts {
        let before = a.parts.iter().find(|other| other.id == part.id);
        let change = match before {
            Some(before) if before.text == part.text => "same",
            Some(_) => "changed",
            None => "added",
        };
        rows.push(SectionChange {
            id: part.id.clone(),
            title: part.title.clone(),
            change: change.to_owned(),
            tokens_a: count(before),
            tokens_b: count(Some(part)),
        });
    }
    for part in a.parts.iter().filter(|part| !b.parts.iter().any(|other| other.id == part.id)) {
        rows.push(SectionChange {
            id: part.id.clone(),
            title: part.title.clone(),
            change: "removed".to_owned(),
            tokens_a: count(Some(part)),
            tokens_b: None,
        });
    }
    rows
}
