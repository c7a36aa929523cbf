//! Variants with a base template: the template decides the order of output, and each place that a component
//! fills becomes its section.

use std::collections::BTreeMap;

use model::{Source, Variant};

use crate::assemble::Assembler;
use crate::components::{Notes, Run, free_values};
use crate::sections::{Part, Sections, excerpt};
use crate::standing;
use crate::traced::Built;

/// The base template's text, when the variant has one.
pub(crate) fn text(variant: &Variant) -> Option<&str> {
    variant.texts.get(variant.template.as_ref()?).map(|text| &**text)
}

/// The mark by which a component's bytes are told apart in the rendered text.
const COMPONENT: &str = "component ";

impl Assembler {
    /// Renders the base template over the parts. When it does not render, the parts are joined instead.
    pub(crate) fn base_sections(&mut self, run: &Run<'_>, parts: &[Part<'_>], notes: &mut Notes) -> Sections {
        let variant = run.inputs.variant;
        let name = variant.template.as_deref().unwrap_or_default();
        let path = format!("{}/{name}", variant.folder);
        let compiled = self.templates.own(text(variant).unwrap_or_default(), path);
        let mut values = standing::variables(&run.inputs.snapshot.places, run.inputs.context, run.standing);
        values.extend(free_values(run.inputs.context));
        // Each component goes in as one value of a known name, so that the source map tells it apart.
        let marked: BTreeMap<&str, Built> =
            parts.iter().map(|part| (part.name, part.built.marked(COMPONENT, part.name))).collect();
        let nested: BTreeMap<&str, &Built> = marked.iter().map(|(name, built)| (*name, built)).collect();
        let absent = variant.order.iter().filter(|name| !marked.contains_key(name.as_str()));
        values.extend(absent.map(|name| (name.clone(), "".into())));
        let known = values.keys().map(String::as_str).chain(nested.keys().copied());
        notes.findings.extend(crate::variables::check(&compiled, known));
        let rendered = match self.rendered(&compiled, values, &nested) {
            Ok(rendered) => rendered,
            Err(error) => {
                notes.findings.push(self.templates.own_error(&compiled, &error));
                let parts = parts.iter().map(|part| Part { built: part.built.clone(), ..*part });
                return Sections::joined(variant, parts.collect());
            }
        };
        let mut sections = Sections::default();
        let mut literal = 0..0;
        for span in rendered.spans.iter() {
            let range = span.start as usize..span.end as usize;
            let part = match &span.source {
                Source::Value { name } => {
                    name.strip_prefix(COMPONENT).and_then(|name| parts.iter().find(|part| part.name == name))
                }
                _ => None,
            };
            if let Some(part) = part {
                sections.literal(excerpt(&rendered.text, &rendered.spans, literal));
                sections.component(part.name, part.spec, part.built.clone());
                literal = range.end..range.end;
            } else {
                literal.end = range.end;
            }
        }
        sections.literal(excerpt(&rendered.text, &rendered.spans, literal));
        sections
    }
}
