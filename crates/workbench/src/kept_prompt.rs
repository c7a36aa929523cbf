//! Would the target serve a prompt that it kept, although a file changed? It tells files apart by their time of
//! change alone, so an edit that keeps the time (a restored backup, some sync programs) goes unseen.
//!
//! The history knows what was assembled before; nothing is read from the target's own memory.

use std::collections::BTreeSet;

use history::{History, ListFilter, StoredText};
use model::{Assembly, ContentHash, Finding, Severity, Snapshot, text};

use crate::use_cases::check::file_of;

/// How many of the last assemblies are looked at; the target keeps eight.
const KEPT: u32 = 8;

/// Files whose text differs from that of an earlier assembly with the same fingerprint. A history that cannot be read
/// gives none: it is a matter of its own.
pub(crate) fn findings(history: Option<&History>, snapshot: &Snapshot, assembly: &Assembly) -> Vec<Finding> {
    let Some(history) = history else { return Vec::new() };
    let fingerprint = ContentHash(*blake3::hash(assembly.fingerprint.text().as_bytes()).as_bytes());
    let filter = ListFilter {
        workspace: Some(snapshot.places.workspace.clone()),
        channel: assembly.channel.clone(),
        variant: Some(assembly.variant.clone()),
        limit: KEPT,
        ..ListFilter::default()
    };
    let rows = history.list(&filter).unwrap_or_default();
    let mut changed = BTreeSet::new();
    for row in rows {
        let same = row.fingerprint == fingerprint && row.variant_version == assembly.variant_version;
        if !same || row.content_hash == assembly.content_hash || row.channel != assembly.channel {
            continue;
        }
        let Ok(detail) = history.get(row.id) else { continue };
        for section in &assembly.sections {
            let before = detail.sections.iter().find(|before| before.id == *section.id);
            let differs = before.is_some_and(|before| match &before.text {
                StoredText::Text(text) => *text != *section.text,
                StoredText::Missing { hash, .. } => *hash != section.hash,
            });
            changed.extend(file_of(section).filter(|_| differs));
        }
    }
    let told = changed.into_iter().map(|path| {
        let message = text!("stale-prompt");
        Finding::new("stale-prompt", Severity::Warning, message).at(path)
    });
    told.collect()
}
