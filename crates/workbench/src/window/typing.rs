//! Keystrokes: the edit and the preview that follows from it, in one trip of the window to the shell and back.

use crate::Session;
use crate::api::{ApiError, Framed, TypedRequest, TypedView};
use crate::window::{documents, preview};

/// Adds keystrokes to a file's draft, and assembles.
///
/// # Errors
/// As [`documents::edit`]. A preview that cannot be made is no error: the edit is kept, and the reply says why.
pub fn edit(session: &Session, request: TypedRequest) -> Result<Framed<TypedView>, ApiError> {
    let edit = documents::edit(session, request.edit)?;
    let (preview, body, preview_error) = match request.preview.map(|request| preview::preview(session, request)) {
        None => (None, Vec::new(), None),
        Some(Ok(made)) => (Some(made.head), made.body, None),
        Some(Err(error)) => (None, Vec::new(), Some(error)),
    };
    Ok(Framed { head: TypedView { edit, preview, preview_error }, body })
}
