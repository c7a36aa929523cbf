//! The components: named functions from (variant, context, snapshot) to a text or nothing.

mod lists;
mod rendered;

use std::collections::BTreeSet;
use std::sync::Arc;

use model::{
    ComponentSpec, Content, Entry, Finding, Severity, SkipReason, Skipped, SourceFile, TargetError, Text, text,
};

use crate::assemble::{Assembler, Inputs};
use crate::defaults::{OtherName, Verdict};
use crate::sections::Key;
use crate::skills::Shelf;
use crate::standing::{self, Standing};
use crate::traced::{Built, Traced};

pub(crate) use rendered::free_values;

/// What a budget makes the assembly do without.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct GivenUp {
    /// Whole components.
    pub(crate) components: BTreeSet<String>,
    /// Always-on skills whose body is replaced by their line.
    pub(crate) bodies: BTreeSet<String>,
    /// Skills whose line is left out.
    pub(crate) lines: BTreeSet<String>,
}

/// One run over the components.
pub(crate) struct Run<'a> {
    pub(crate) inputs: &'a Inputs<'a>,
    pub(crate) standing: &'a Standing,
    pub(crate) shelf: &'a Shelf<'a>,
    pub(crate) given_up: &'a GivenUp,
}

/// What a run noticed.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub(crate) skipped: Vec<Skipped>,
    pub(crate) findings: Vec<Finding>,
    /// The first error with which the target stops.
    pub(crate) error: Option<TargetError>,
}

impl Notes {
    fn skip(
        &mut self,
        id: &str,
        layer: Option<u8>,
        path: Option<&str>,
        reason: SkipReason,
        detail: Text,
    ) -> &mut Skipped {
        self.skipped.push(Skipped {
            id: id.to_owned(),
            layer,
            path: path.map(str::to_owned),
            reason,
            detail,
            text: None,
            tokens: None,
        });
        let last = self.skipped.len() - 1;
        &mut self.skipped[last]
    }
}

/// One component at work.
struct At<'a> {
    name: &'a str,
    spec: &'a ComponentSpec,
}

impl Assembler {
    /// The text of a component, or nothing; why nothing is in `notes`.
    pub(crate) fn component(
        &mut self,
        run: &Run<'_>,
        name: &str,
        spec: &ComponentSpec,
        notes: &mut Notes,
    ) -> Option<Built> {
        let at = At { name, spec };
        let built = match spec.builtin.as_deref() {
            None if spec.template.is_some() || spec.app_template.is_some() => self.template(run, &at, notes),
            Some("file") => self.bootstrap_file(run, &at, notes),
            Some("global_memory") => {
                self.memory(run, &at, run.inputs.snapshot.global.entry(&run.inputs.target.memory), notes)
            }
            Some("project_memory") if !run.standing.layered => None,
            Some("project_memory") => {
                self.memory(run, &at, run.inputs.snapshot.workspace.entry(&run.inputs.target.memory), notes)
            }
            Some("always_skills") => self.always_skills(run, &at, notes),
            Some("skills_list") => self.skills_list(run, &at, notes),
            Some("mcp_list") => lists::mcp_list(run, &at, notes),
            other => {
                let message = match other {
                    Some(builtin) => text!("component-not-found-builtin", name, builtin),
                    None => text!("component-not-found-neither", name),
                };
                notes.findings.push(Finding::new("component-not-found", Severity::Warning, message));
                None
            }
        }?;
        if run.given_up.components.contains(name) {
            let detail = text!("reason-budget");
            let skipped = notes.skip(name, spec.layer, built.file(), SkipReason::Budget, detail);
            skipped.text = Some(Arc::clone(&built.text));
            return None;
        }
        Some(built)
    }

    fn bootstrap_file(&mut self, run: &Run<'_>, at: &At<'_>, notes: &mut Notes) -> Option<Built> {
        let Inputs { snapshot, target, .. } = run.inputs;
        let name = at.spec.file.as_deref().unwrap_or(at.name);
        let folder = standing::bootstrap_folder(snapshot, target, name, run.standing.layered);
        let entry = folder.entry(name);
        if !std::ptr::eq(folder, Arc::as_ptr(&snapshot.workspace))
            && let Some(own) = snapshot.workspace.entry(name).filter(|own| own.identity.is_some())
        {
            let detail = text!("reason-global-instead", name);
            let text = format!("{}{}", at.spec.heading.as_deref().unwrap_or_default(), own.text());
            let skipped = notes.skip(at.name, at.spec.layer, Some(&own.path), SkipReason::GlobalReadInstead, detail);
            skipped.text = Some(text.into());
        }
        let file = readable(at, entry, name, notes)?;
        if let Some(product) = self.defaults.foreign(file, name) {
            notes.findings.push(other_product(product, file));
        }
        Some(self.with_heading(at.spec.heading.as_deref().unwrap_or_default(), file))
    }

    fn memory(&mut self, run: &Run<'_>, at: &At<'_>, entry: Option<&Entry>, notes: &mut Notes) -> Option<Built> {
        let Inputs { snapshot, target, .. } = run.inputs;
        let file = readable(at, entry, &target.memory, notes)?;
        let layered = at.spec.heading_layered.as_deref().filter(|_| run.standing.layered);
        let heading = layered.or(at.spec.heading.as_deref()).unwrap_or_default();
        let built = self.with_heading(heading, file);
        match self.defaults.memory(file, &target.memory, &snapshot.app) {
            Verdict::Own => {}
            Verdict::Default => {
                let detail = text!("reason-still-default");
                let skipped = notes.skip(at.name, at.spec.layer, Some(&file.path), SkipReason::StillDefault, detail);
                skipped.text = Some(built.text);
                return None;
            }
            Verdict::OtherLineEnds => {
                let message = text!("default-other-line-ends");
                let finding = Finding::new("default-other-line-ends", Severity::Warning, message).at(&*file.path);
                notes.findings.push(finding.fix("use-lf", text!("fix-use-lf")));
            }
            Verdict::OtherProduct { product } => notes.findings.push(other_product(product, file)),
            Verdict::OtherName(OtherName { ours, theirs }) => {
                let message = text!("default-other-product-name", theirs, ours);
                notes.findings.push(Finding::new("default-other-product", Severity::Warning, message).at(&*file.path));
            }
        }
        Some(built)
    }

    fn with_heading(&mut self, heading: &str, file: &SourceFile) -> Built {
        let key = Key::new("file").text(heading).text(&file.path).hash(file.hash).done();
        self.sections.get(key, || {
            let mut traced = Traced::with_capacity(heading.len() + file.text().len());
            traced.literal(heading, "heading");
            traced.file(file, 0..file.text().len());
            traced
        })
    }
}

/// The file of `entry` when it has text; otherwise the reason is noted.
fn readable<'a>(at: &At<'_>, entry: Option<&'a Entry>, name: &str, notes: &mut Notes) -> Option<&'a Arc<SourceFile>> {
    let path = entry.map(|entry| &*entry.path);
    let mut skip = |reason, detail: Text| {
        notes.skip(at.name, at.spec.layer, path, reason, detail);
        None
    };
    match entry.map(|entry| &entry.content) {
        Some(Content::File(file)) if file.bytes.is_empty() => skip(SkipReason::Empty, text!("reason-empty-file")),
        Some(Content::File(file)) => Some(file),
        None | Some(Content::Missing) => skip(SkipReason::Missing, text!("reason-missing", name)),
        Some(Content::Folder) => skip(SkipReason::Unreadable, text!("reason-folder-instead")),
        Some(Content::Special(kind)) => {
            skip(SkipReason::Unreadable, text!("reason-special-instead", kind = Content::special(kind)))
        }
        Some(Content::Unreadable(cause)) => skip(SkipReason::Unreadable, text!("reason-unreadable", cause)),
    }
}

fn other_product(product: &str, file: &SourceFile) -> Finding {
    let message = text!("default-other-product", product);
    Finding::new("default-other-product", Severity::Warning, message).at(&*file.path)
}
