//! Named contexts and the keys they may have.

use model::Context;
use model::context::{KEYS, KeyKind};

use crate::Session;
use crate::api::{
    ApiError, ContextCheck, ContextKeyView, ContextList, ContextName, ContextSave, ContextText, ContextValueView,
    ContextView, KeyKindView, Nothing,
};
use crate::contexts::{self, Layered, Origin};
use crate::machine::Machine;

/// Named contexts and every key.
///
/// # Errors
/// None; the signature is that of every command.
pub fn contexts(session: &Session, _: Nothing) -> Result<ContextList, ApiError> {
    Ok(list(session))
}

/// One named context.
///
/// # Errors
/// When there is none of this name.
pub fn context(session: &Session, request: ContextName) -> Result<ContextView, ApiError> {
    let json = contexts::text(session.home(), &request.name)?;
    let values = check(session, &json).values;
    Ok(ContextView { name: request.name, json, values })
}

/// Keeps a context under a name.
///
/// # Errors
/// When the text is no context, the name cannot be used, or the file cannot be written.
pub fn save_context(session: &Session, request: ContextSave) -> Result<ContextList, ApiError> {
    contexts::save(session.home(), &request.name, &request.json)?;
    Ok(list(session))
}

/// Removes a named context.
///
/// # Errors
/// When there is none of this name.
pub fn remove_context(session: &Session, request: ContextName) -> Result<ContextList, ApiError> {
    contexts::remove(session.home(), &request.name)?;
    session.change_settings(|settings| {
        settings.context.take_if(|current| *current == request.name);
    })?;
    Ok(list(session))
}

/// Reads a context text without keeping it.
///
/// # Errors
/// None: what is wrong with the text is the reply.
pub fn check_context(session: &Session, request: ContextText) -> Result<ContextCheck, ApiError> {
    Ok(check(session, &request.json))
}

fn list(session: &Session) -> ContextList {
    ContextList {
        names: contexts::names(session.home()),
        current: session.settings().context,
        keys: KEYS.iter().map(key_view).collect(),
    }
}

fn key_view(key: &model::context::ContextKey) -> ContextKeyView {
    let (kind, words) = match key.kind {
        KeyKind::Text => (KeyKindView::Text, &[][..]),
        KeyKind::LongText => (KeyKindView::LongText, &[][..]),
        KeyKind::Time => (KeyKindView::Time, &[][..]),
        KeyKind::Flag => (KeyKindView::Flag, &[][..]),
        KeyKind::Number => (KeyKindView::Number, &[][..]),
        KeyKind::List => (KeyKindView::List, &[][..]),
        KeyKind::Word(words) => (KeyKindView::Word, words),
        KeyKind::Json => (KeyKindView::Json, &[][..]),
    };
    ContextKeyView {
        name: key.name.to_owned(),
        group: key.group.to_owned(),
        kind,
        words: words.iter().map(ToString::to_string).collect(),
        default: key.default.to_owned(),
        variable: key.variable.map(str::to_owned),
        help: key.help.to_owned(),
    }
}

fn check(session: &Session, json: &str) -> ContextCheck {
    let (context, error) = match Context::from_json(json) {
        Ok(context) => (context, None),
        Err(error) => (Context::default(), Some(contexts::context_error(&error, None))),
    };
    let place = session.with_open(|open| Ok(open.place.clone())).unwrap_or_else(|_| session.place.clone());
    let layers = place.context(&session.settings(), &Machine::here()).with(Origin::File, context);
    ContextCheck {
        key: error.as_ref().and_then(|error| error.context.get("key").cloned()),
        error: error.map(|error| error.message.to_string()),
        values: value_views(&layers),
    }
}

fn value_views(layers: &Layered) -> Vec<ContextValueView> {
    let values = layers.values().into_iter();
    values
        .map(|(key, value, origin)| ContextValueView {
            key: key.to_owned(),
            value: value.to_string(),
            origin: origin.as_str().to_owned(),
        })
        .collect()
}
