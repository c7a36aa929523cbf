//! Sections: finished texts kept between assemblies, and their order in one.

use std::collections::HashMap;
use std::sync::Arc;

use model::{ComponentSpec, ContentHash, Section, Source, Span, Stability, Variant};

use crate::traced::{Built, Traced};

/// The key of a cached section: everything that its text is made from.
pub(crate) struct Key(blake3::Hasher);

impl Key {
    pub(crate) fn new(kind: &str) -> Self {
        Self(blake3::Hasher::new()).text(kind)
    }

    pub(crate) fn text(mut self, text: &str) -> Self {
        self.0.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
        self
    }

    pub(crate) fn hash(mut self, hash: ContentHash) -> Self {
        self.0.update(&hash.0);
        self
    }

    pub(crate) fn done(&self) -> ContentHash {
        ContentHash(*self.0.finalize().as_bytes())
    }
}

/// Finished texts by what they were made from, so that only what changed is built and hashed again.
#[derive(Debug, Default)]
pub(crate) struct SectionCache {
    built: HashMap<ContentHash, (Built, u64)>,
    turn: u64,
}

impl SectionCache {
    /// The text for `key`, made by `make` when it is not kept.
    pub(crate) fn get(&mut self, key: ContentHash, make: impl FnOnce() -> Traced) -> Built {
        self.try_get(key, || Ok::<_, std::convert::Infallible>(make())).unwrap_or_else(|never| match never {})
    }

    /// As [`SectionCache::get`]; a failure is not kept.
    pub(crate) fn try_get<E>(
        &mut self,
        key: ContentHash,
        make: impl FnOnce() -> Result<Traced, E>,
    ) -> Result<Built, E> {
        if let Some((built, used)) = self.built.get_mut(&key) {
            *used = self.turn;
            return Ok(built.clone());
        }
        let built = Built { key, ..make()?.finish() };
        self.built.insert(key, (built.clone(), self.turn));
        Ok(built)
    }

    /// Ends an assembly. Texts that the last few did not use are dropped.
    pub(crate) fn end_turn(&mut self) {
        const KEPT: u64 = 16;
        self.turn += 1;
        let oldest = self.turn.saturating_sub(KEPT);
        self.built.retain(|_, (_, used)| *used >= oldest);
    }
}

/// What a component contributed.
pub(crate) struct Part<'a> {
    pub(crate) name: &'a str,
    pub(crate) spec: &'a ComponentSpec,
    /// Empty only where the variant joins absent components too.
    pub(crate) built: Built,
}

/// Sections in the making: unique ids, running offsets.
#[derive(Default)]
pub(crate) struct Sections {
    list: Vec<Section>,
    separators: usize,
    literals: usize,
    end: u32,
}

impl Sections {
    fn push(&mut self, id: Arc<str>, layer: Option<u8>, title: Arc<str>, stability: Stability, built: Built) {
        if built.text.is_empty() {
            return;
        }
        let start = self.end;
        self.end += built.text.len() as u32;
        self.list.push(Section {
            id,
            layer,
            title,
            stability,
            start,
            text: built.text,
            hash: built.hash,
            spans: built.spans,
        });
    }

    /// A component's section. A component that stands twice gets a number.
    pub(crate) fn component(&mut self, name: &str, spec: &ComponentSpec, built: Built) {
        let earlier = self.list.iter().filter(|section| section.id.split('#').next() == Some(name)).count();
        let id = if earlier == 0 { name.into() } else { format!("{name}#{}", earlier + 1).into() };
        let title = spec.title.as_deref().unwrap_or(name).into();
        self.push(id, spec.layer, title, spec.stability.unwrap_or(Stability::User), built);
    }

    fn separator(&mut self, text: &str) {
        self.separators += 1;
        let id = format!("separator-{}", self.separators).into();
        let built = Traced::of(text, Source::Literal { name: "separator".into() }).finish();
        self.push(id, None, "Separator".into(), Stability::Frozen, built);
    }

    /// A text of the base template between components.
    pub(crate) fn literal(&mut self, traced: Traced) {
        if traced.text().is_empty() {
            return;
        }
        self.literals += 1;
        self.push(
            format!("literal-{}", self.literals).into(),
            None,
            "Template".into(),
            Stability::Release,
            traced.finish(),
        );
    }

    /// The line that stands for the whole prompt.
    pub(crate) fn fallback(&mut self, text: &str) {
        self.push(
            "fallback".into(),
            Some(1),
            "Fallback".into(),
            Stability::Frozen,
            Traced::of(text, Source::Fallback).finish(),
        );
    }

    pub(crate) fn joined(variant: &Variant, parts: Vec<Part<'_>>) -> Self {
        let mut sections = Self::default();
        let mut before: Option<Option<u8>> = None;
        for part in parts {
            if let Some(layer) = before {
                let within = variant.join_within_layer.as_deref().filter(|_| layer == part.spec.layer);
                sections.separator(within.unwrap_or(&variant.join));
            }
            before = Some(part.spec.layer);
            sections.component(part.name, part.spec, part.built);
        }
        sections
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(crate) fn into_list(self) -> Vec<Section> {
        self.list
    }
}

/// Bytes `range` of a text, with their sources, as a text of its own.
pub(crate) fn excerpt(text: &str, spans: &[Span], range: std::ops::Range<usize>) -> Traced {
    let mut traced = Traced::default();
    traced.append(text, spans, range);
    traced
}
