//! The history of assemblies. A record that fails is a warning, never a failed assembly.

use std::borrow::Cow;

use history::{AssemblyId, CacheEstimate, History, HistoryError, NewAssembly, NewSection, Reason, TokenTotals};
use jiff::Timestamp;
use model::{Assembly, Places};
use tokens::{Catalogue, Counter, SectionCounts, Tokenizer};

use crate::counting;

/// How much of an assembly is unchanged since the last recorded one of the same workspace and channel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unchanged {
    /// The earlier assembly.
    pub since: AssemblyId,
    /// When it was last seen.
    pub last_seen: Timestamp,
    /// What a prompt cache would have kept.
    pub estimate: CacheEstimate,
    /// Id of the section in which the texts part.
    pub breaks_at: Option<String>,
}

fn sections<'a>(assembly: &'a Assembly, counts: &SectionCounts) -> Vec<NewSection<'a>> {
    assembly
        .sections
        .iter()
        .zip(&counts.parts)
        .map(|(section, count)| NewSection {
            id: Cow::Borrowed(&section.id),
            layer: section.layer,
            title: Cow::Borrowed(&section.title),
            text: Cow::Borrowed(&section.text),
            tokens: count.total,
        })
        .collect()
}

/// Compares with the last recorded assembly of the same workspace and channel; `None` when there is none.
///
/// # Errors
/// A fault of the database.
pub(crate) fn unchanged(
    history: &History,
    counter: &mut Counter,
    places: &Places,
    assembly: &Assembly,
    counts: &SectionCounts,
    tokenizer: Tokenizer,
) -> Result<Option<Unchanged>, HistoryError> {
    let Some(previous) = history.previous(&places.workspace, assembly.channel.as_deref())? else { return Ok(None) };
    let prefix = history.common_prefix(&previous, &sections(assembly, counts))?;
    let breaks_at = prefix.breaks_at.and_then(|index| assembly.sections.get(index));
    Ok(Some(Unchanged {
        since: previous.id,
        last_seen: previous.last_seen,
        estimate: CacheEstimate {
            prefix_bytes: prefix.bytes,
            prefix_tokens: counting::count_prefix(counter, assembly, prefix.bytes, tokenizer),
            breaks_at: prefix.breaks_at.map(|index| index as u32),
        },
        breaks_at: breaks_at.map(|section| section.id.to_string()),
    }))
}

/// What is recorded besides the assembly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occasion<'a> {
    /// When.
    pub(crate) now: Timestamp,
    /// Why.
    pub(crate) reason: Reason,
    /// The model that tokens were counted for.
    pub(crate) model: Option<&'a str>,
}

/// Records an assembly, or counts the last one as seen again.
///
/// # Errors
/// A fault of the database; nothing is recorded then.
pub(crate) fn record(
    history: &History,
    places: &Places,
    assembly: &Assembly,
    counts: &SectionCounts,
    unchanged: Option<&Unchanged>,
    occasion: Occasion<'_>,
) -> Result<history::Recorded, HistoryError> {
    let fingerprint = assembly.fingerprint.text();
    history.record(&NewAssembly {
        time: occasion.now,
        workspace: &places.workspace,
        project: places.project.as_deref(),
        channel: assembly.channel.as_deref(),
        variant: &assembly.variant,
        variant_version: assembly.variant_version,
        model: occasion.model,
        fingerprint: &fingerprint,
        content_hash: assembly.content_hash,
        sections: sections(assembly, counts),
        tokens: TokenTotals {
            total: counts.total.total,
            low: counts.total.low,
            high: counts.total.high,
            method: counts.total.method.to_string(),
        },
        parent: unchanged.map(|unchanged| unchanged.since),
        cache: unchanged.map(|unchanged| unchanged.estimate),
        catalogue: Some(&Catalogue::embedded().header().sha256),
        reason: occasion.reason,
    })
}
