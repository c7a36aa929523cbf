//! Files as forms.

use crate::Session;
use crate::api::{ApiError, ErrorCode, FormEditRequest, FormEditView, FormRequest, FormView};

/// A file as a form.
///
/// # Errors
/// As [`super::documents::document`].
pub fn form(session: &Session, request: FormRequest) -> Result<FormView, ApiError> {
    super::documents::document(session, request.file.clone()).map(|frame| FormView {
        file: request.file,
        version: frame.head.version,
        schema: None,
        blocks: Vec::new(),
    })
}

/// What a change of a field does to the text.
///
/// # Errors
/// [`ErrorCode::Stale`] when the form was read from another text.
pub fn form_edit(_session: &Session, request: FormEditRequest) -> Result<FormEditView, ApiError> {
    Err(ApiError::new(ErrorCode::Invalid, format!("There is no form for {}.", request.file.path)))
}
