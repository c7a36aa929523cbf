//! The memory page: the layers, and what the agent would append for a summary.

use jiff::Timestamp;
use model::text;
use prompt::memory::{LABEL, handed_on};

use crate::Session;
use crate::api::{ApiError, ErrorCode, MemorySplit, MemorySplitRequest, MemoryView, Nothing};
use crate::use_cases::memory::{self, Limits, Parts};
use crate::use_cases::memory_split;
use crate::window::preview;

/// What the page lists. Everything is counted.
const LIMITS: Limits = Limits { entries: 300, duplicates: 100, marks: 50 };

/// What the agent remembers, drafts included.
///
/// # Errors
/// As [`preview::preview`].
pub fn memory(session: &Session, _: Nothing) -> Result<MemoryView, ApiError> {
    let request = session.engine().last_request.clone().unwrap_or_default();
    let made = preview::make(session, &request)?;
    let parts = Parts {
        snapshot: &made.snapshot,
        target: &session.target,
        variant: &made.variant,
        assembly: &made.assembly,
        tokenizer: made.tokenizer,
        model: made.context.model.as_deref(),
    };
    let mut view = memory::look(&parts, &mut session.engine().counter, LIMITS);
    if let Some(history) = &session.history {
        let growth = memory::growth(history, &made.snapshot.places.workspace, &made.variant);
        view.growth = growth.inspect_err(|error| tracing::warn!(%error, "the growth is not known")).unwrap_or_default();
    }
    Ok(view)
}

/// What the agent would append for a model's answer, to the files as they are with their drafts. Nothing is written.
///
/// # Errors
/// [`ErrorCode::NotFound`] when no workspace is open; [`ErrorCode::Invalid`] for an answer that the agent drops.
pub fn memory_split(session: &Session, request: MemorySplitRequest) -> Result<MemorySplit, ApiError> {
    let snapshot = session.with_open(|open| Ok(open.overlay()))?;
    let summary = handed_on(&request.summary)
        .ok_or_else(|| ApiError::new(ErrorCode::Invalid, text!("error-nothing-appended")))?;
    let label = request.label.as_deref().filter(|label| !label.is_empty()).unwrap_or(LABEL);
    let layered = memory_split::layered(&snapshot);
    Ok(memory_split::look(&snapshot, &session.target, summary, layered, label, Timestamp::now()))
}
