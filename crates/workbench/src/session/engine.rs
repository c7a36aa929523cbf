//! What a preview keeps from one to the next, so that a key press costs only what it changed.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use model::{Assembly, ContentHash, Context, Fingerprint, Snapshot, Variant};
use prompt::{Assembler, TargetCache};
use tokens::{Counter, SectionCounts, Tokenizer};

use crate::api::PreviewRequest;

/// Caches of a window's previews.
pub(crate) struct Engine {
    /// Parsed templates, sort keys, sections.
    pub(crate) assembler: Assembler,
    /// Counts that were made.
    pub(crate) counter: Counter,
    /// The target's own cache, as it would stand after the previews of saved states.
    pub(crate) target_cache: TargetCache,
    /// The fingerprint before, by channel.
    pub(crate) fingerprints: BTreeMap<Option<String>, Fingerprint>,
    /// What the window holds.
    pub(crate) held: Held,
    /// The last request, for records that a save or an outside change causes.
    pub(crate) last_request: Option<PreviewRequest>,
}

impl Engine {
    /// An engine that has made nothing yet, for a target that keeps `cache_entries` texts.
    pub(crate) fn new(cache_entries: usize) -> Self {
        Self {
            assembler: Assembler::default(),
            counter: Counter::default(),
            target_cache: TargetCache::new(cache_entries),
            fingerprints: BTreeMap::new(),
            held: Held::default(),
            last_request: None,
        }
    }
}

/// The sections that the window got with the last preview.
#[derive(Default)]
pub(crate) struct Held {
    /// Serial of that preview.
    pub(crate) serial: u32,
    /// Hashes of its sections' texts and spans.
    pub(crate) sections: HashSet<(ContentHash, u64)>,
}

/// A preview before it is shown.
pub(crate) struct Made {
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) variant: Arc<Variant>,
    pub(crate) assembly: Assembly,
    pub(crate) counts: SectionCounts,
    pub(crate) tokenizer: Tokenizer,
    pub(crate) context: Context,
}
