//! Templates: loaded as the target loads them, compiled when first used, rendered with the source of every byte.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};

use model::{AppFiles, ContentHash, Entry, Finding, Severity, Source, Target, TargetError, TargetErrorKind, text};
use serde_json::{Map, Value};

use crate::dialect::Prepared;
use crate::engine::{Options, Origin, Partials, Template, TemplateError, Variable, render};
use crate::traced::{Built, Traced};
use crate::words::place;

/// A template after the pre-pass. Parsed when it is first rendered, as Handlebars does it, so that an error in
/// a template that nobody uses stops nobody.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) prepared: Prepared,
    pub(crate) path: Arc<str>,
    pub(crate) hash: ContentHash,
    parsed: OnceLock<Result<Template, TemplateError>>,
    variables: OnceLock<Vec<Variable>>,
}

impl Compiled {
    fn new(prepared: Prepared, path: Arc<str>) -> Self {
        let hash = ContentHash(*blake3::hash(prepared.text.as_bytes()).as_bytes());
        Self { prepared, path, hash, parsed: OnceLock::new(), variables: OnceLock::new() }
    }

    fn parsed(&self) -> &Result<Template, TemplateError> {
        self.parsed.get_or_init(|| Template::parse(&self.prepared.text))
    }

    /// What the template reads of the values; nothing when it does not parse.
    pub(crate) fn variables(&self) -> &[Variable] {
        self.variables.get_or_init(|| self.parsed().as_ref().map(Template::variables).unwrap_or_default())
    }

    /// Renders with `values`. A value that is named in `nested` keeps the sources that its text has there.
    pub(crate) fn render(
        &self,
        values: &Map<String, Value>,
        nested: &BTreeMap<&str, &Built>,
    ) -> Result<Traced, TemplateError> {
        let template = self.parsed().as_ref().map_err(Clone::clone)?;
        let rendered = render(template, &Value::Object(values.clone()), &Partials::new(), Options::default())?;
        let mut traced = Traced::with_capacity(rendered.text.len());
        for piece in &rendered.pieces {
            let text = &rendered.text[piece.start..piece.end];
            match &piece.origin {
                Origin::Template { start, end, .. } => self.push_template(&mut traced, text, *start, *end),
                Origin::Value { path, start, end, .. } => match nested.get(&**path) {
                    Some(inner) if inner.text.get(*start..*end) == Some(text) => {
                        traced.append(&inner.text, &inner.spans, *start..*end);
                    }
                    _ => traced.value(text, path),
                },
            }
        }
        Ok(traced)
    }

    fn push_template(&self, traced: &mut Traced, text: &str, start: usize, end: usize) {
        let sources = self.prepared.sources(start..end);
        if text.len() == end - start {
            let mut at = 0;
            for (length, source) in sources {
                traced.push(&text[at..at + length], source);
                at += length;
            }
            return;
        }
        // Rewritten on the way, as `\{{` is: the whole range, as far as it lies in one file.
        let whole = sources.map(|(_, source)| source).reduce(|first, next| match (&first, &next) {
            (Source::Template { path, start, .. }, Source::Template { path: other, end, .. }) if path == other => {
                Source::Template { path: Arc::clone(path), start: *start, end: *end }
            }
            _ => first,
        });
        if let Some(source) = whole {
            traced.push(text, source);
        }
    }
}

/// Why no template after this one is loaded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Stop {
    /// The template that should have been loaded, relative to `templates/`.
    pub(crate) name: String,
    pub(crate) finding: Finding,
}

/// The app's templates, in the state the target has them in.
#[derive(Debug, Default)]
pub(crate) struct TemplateSet {
    app: Arc<AppFiles>,
    order: Vec<String>,
    loaded: BTreeMap<String, Arc<Compiled>>,
    stop: Option<Stop>,
    /// Templates of variants, by their text.
    own: HashMap<ContentHash, Arc<Compiled>>,
}

impl TemplateSet {
    /// Loads the templates of `app`, all or nothing: the first missing one leaves the later ones unloaded.
    /// Nothing is done when they are loaded already; a text that did not change stays compiled.
    pub(crate) fn load(&mut self, app: &Arc<AppFiles>, target: &Target) {
        if Arc::ptr_eq(&self.app, app) && self.order == target.templates {
            return;
        }
        self.app = Arc::clone(app);
        self.order.clone_from(&target.templates);
        self.stop = None;
        let before = std::mem::take(&mut self.loaded);
        for name in &target.templates {
            let Some(entry) = app.templates.get(name).filter(|entry| entry.source().is_some()) else {
                let message = text!("missing-template", name);
                let mut finding = Finding::new("missing-template", Severity::Warning, message);
                finding.path = path_of(app, name);
                self.stop = Some(Stop { name: name.clone(), finding });
                break;
            };
            let include = |name: &str| app.templates.get(name).filter(|entry| entry.source().is_some());
            match Prepared::new(entry, &include) {
                Ok(prepared) => {
                    let kept = before.get(name).filter(|kept| kept.prepared == prepared && kept.path == entry.path);
                    let compiled =
                        kept.cloned().unwrap_or_else(|| Arc::new(Compiled::new(prepared, Arc::clone(&entry.path))));
                    self.loaded.insert(name.clone(), compiled);
                }
                Err(missing) => {
                    let message = text!("missing-template-included", included = &missing.name, name);
                    let finding = Finding::new("missing-template", Severity::Warning, message).at(&*missing.path);
                    let finding = finding.range(missing.offset, missing.offset + 1);
                    self.stop = Some(Stop { name: name.clone(), finding });
                    break;
                }
            }
        }
    }

    pub(crate) fn get(&self, name: &str) -> Option<Arc<Compiled>> {
        self.loaded.get(name).cloned()
    }

    /// Why templates are missing; `None` when all are loaded.
    pub(crate) fn stop(&self) -> Option<&Stop> {
        self.stop.as_ref()
    }

    /// A template of a variant.
    pub(crate) fn own(&mut self, text: &str, path: String) -> Arc<Compiled> {
        const MOST: usize = 256;
        if self.own.len() > MOST {
            self.own.clear();
        }
        let mut key = blake3::Hasher::new();
        key.update(path.as_bytes()).update(&[0]).update(text.as_bytes());
        let make = || {
            let path: Arc<str> = path.into();
            Arc::new(Compiled::new(Prepared::plain(text, &path), path))
        };
        Arc::clone(self.own.entry(ContentHash(*key.finalize().as_bytes())).or_insert_with(make))
    }

    /// The place of a template's error in the file at fault: path, byte, line, column.
    fn place(&self, compiled: &Compiled, error: &TemplateError) -> (Arc<str>, usize, u32, u32) {
        let Some((path, offset)) = compiled.prepared.file_offset(error.offset) else {
            return (Arc::clone(&compiled.path), 0, error.line, error.column);
        };
        let file = self.app.templates.values().filter(|entry| entry.path == *path).find_map(|entry| entry.source());
        let Some(before) = file.and_then(|file| file.bytes.get(..offset)) else {
            return (Arc::clone(path), offset, error.line, error.column);
        };
        let (line, column) = place(&String::from_utf8_lossy(before), usize::MAX);
        (Arc::clone(path), offset, line as u32, column as u32)
    }

    /// The error with which the target stops at a broken template of its own.
    pub(crate) fn target_error(&self, compiled: &Compiled, error: &TemplateError) -> TargetError {
        let (path, _, line, column) = self.place(compiled, error);
        TargetError {
            kind: TargetErrorKind::TemplateSyntax,
            path: Some(path.to_string()),
            line: Some(line),
            column: Some(column),
            message: text!("target-template-broken", cause = sentence(&error.message)),
        }
    }

    /// The finding about a broken template of a variant.
    pub(crate) fn own_error(&self, compiled: &Compiled, error: &TemplateError) -> Finding {
        let (path, offset, line, column) = self.place(compiled, error);
        let message = text!("variant-template-broken", line, column, cause = sentence(&error.message));
        Finding::new("variant-template-broken", Severity::Error, message).at(&*path).range(offset, offset + 1)
    }
}

/// Where a template stands or would stand: beside those that are there.
fn path_of(app: &AppFiles, name: &str) -> Option<String> {
    let root = |(relative, entry): (&String, &Entry)| Some(entry.path.strip_suffix(relative)?.to_owned());
    Some(app.templates.iter().find_map(root)? + name)
}

fn sentence(text: &str) -> String {
    let text = text.trim_end();
    if text.ends_with(['.', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}
