//! The preview: assemble what is on disk with the drafts over it, count, and send what the window does not hold.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

use history::Reason;
use model::{Assembly, Context};
use prompt::{Inputs, TargetCache, degrade};
use tokens::Catalogue;

use crate::Session;
use crate::api::{ApiError, Framed, PreviewHead, PreviewRequest, StageView};
use crate::contexts::{self, Layered, Origin};
use crate::machine::Machine;
use crate::place::Place;
use crate::recording::{self, Occasion};
use crate::session::{Beside, Engine, Made, Served, fingerprint_view, identity, preview_head, sections_body};
use crate::{attachments, counting, variants};

/// Assembles. Sections that the window holds already come without their text.
///
/// # Errors
/// When no workspace is open, or the context or variant cannot be used.
pub fn preview(session: &Session, request: PreviewRequest) -> Result<Framed<PreviewHead>, ApiError> {
    let mut clock = Stages::start();
    let made = make(session, &request)?;
    clock.stage("assemble and count");
    let (revision, drafts) = session
        .with_open(|open| Ok((open.revision, open.documents.drafts().cloned().collect::<HashSet<Arc<str>>>())))?;
    let mut engine = session.engine();
    let engine = &mut *engine;
    let unchanged = session.history.as_ref().and_then(|history| {
        let places = &made.snapshot.places;
        recording::unchanged(history, &mut engine.counter, places, &made.assembly, &made.counts, made.tokenizer)
            .inspect_err(|error| tracing::warn!(%error, "the cached prefix is not known"))
            .ok()?
    });
    clock.stage("history");
    let known = if request.held == Some(engine.held.serial) {
        std::mem::take(&mut engine.held.sections)
    } else {
        HashSet::new()
    };
    let serial = engine.held.serial + 1;
    let served = serve(engine, &made, drafts.is_empty());
    let before = engine.fingerprints.get(&made.assembly.channel);
    let fingerprint = fingerprint_view(&made.assembly.fingerprint, before, made.assembly.content_hash, served);
    let window = made.context.model.as_deref().and_then(|model| Catalogue::embedded().context_window(None, model));
    let identities: Vec<_> = made.assembly.sections.iter().map(identity).collect();
    let fresh: Vec<bool> = identities.iter().map(|one| !known.contains(one)).collect();
    let body = sections_body(&made.assembly.sections, &fresh);
    clock.stage("frame");
    let beside = Beside {
        serial,
        revision,
        fresh: &fresh,
        drafts: &drafts,
        window,
        fingerprint,
        unchanged: unchanged.as_ref(),
        stages: clock.stages,
    };
    let head = preview_head(&made, &mut engine.counter, beside);
    engine.held.serial = serial;
    engine.held.sections = identities.into_iter().collect();
    engine.fingerprints.insert(made.assembly.channel.clone(), made.assembly.fingerprint.clone());
    engine.last_request = Some(request);
    Ok(Framed { head, body })
}

/// What the target's own cache would do. Only saved states go into it: the target never sees a draft.
fn serve(engine: &mut Engine, made: &Made, saved: bool) -> Served {
    let key = TargetCache::key(&made.context, &made.assembly);
    let fresh: Arc<str> = made.assembly.text().into();
    let hit = engine.target_cache.get(&key).is_some();
    let (next, text) = engine.target_cache.clone().serve(&key, &fresh);
    if saved {
        engine.target_cache = next;
    }
    Served { hit, stale: text != fresh }
}

/// The context of a request in its layers.
///
/// # Errors
/// When the context's text is none, or the named context is gone.
pub(crate) fn context(session: &Session, place: &Place, request: Option<&PreviewRequest>) -> Result<Layered, ApiError> {
    let settings = session.settings();
    let mut layers = place.context(&settings, &Machine::here());
    let text = match request.and_then(|request| request.context.clone()) {
        Some(text) => Some(text),
        None => settings.context.as_deref().map(|name| contexts::text(session.home(), name)).transpose()?,
    };
    if let Some(text) = text {
        let file = Context::from_json(&text).map_err(|error| contexts::context_error(&error, None))?;
        layers = layers.with(Origin::File, file);
    }
    if let Some(request) = request {
        let flags = Context {
            channel: request.channel.clone(),
            model: request.model.clone().or(settings.model),
            max_tokens: request.max_tokens,
            ..Context::default()
        };
        layers = layers.with(Origin::Flag, flags);
    }
    Ok(layers)
}

/// Assembles and counts.
pub(crate) fn make(session: &Session, request: &PreviewRequest) -> Result<Made, ApiError> {
    let (snapshot, place) = session.with_open(|open| Ok((open.overlay(), open.place.clone())))?;
    let context = context(session, &place, Some(request))?.merged();
    let settings = super::settings::effective(session);
    let id = request.variant.clone().or(settings.variant).unwrap_or_else(|| variants::DEFAULT.to_owned());
    let variant = session.with_open(|open| open.registry.get(&id))?;
    let tokenizer = counting::tokenizer(context.provider.as_deref(), context.model.as_deref());
    let attachments = attachments::read(&context);
    let inputs = Inputs {
        snapshot: &snapshot,
        variant: &variant,
        target: session.target_for(&snapshot.places),
        context: &context,
        attachments: &attachments,
    };
    let mut engine = session.engine();
    let Engine { assembler, counter, .. } = &mut *engine;
    let mut assembly: Assembly = match context.max_tokens {
        None => assembler.assemble(&inputs),
        Some(limit) => {
            degrade(assembler, &inputs, limit, &mut |sections| counting::high_bound(counter, sections, tokenizer))
        }
    };
    let counts = counting::count_assembly(counter, &mut assembly, tokenizer);
    Ok(Made { snapshot, variant, assembly, counts, tokenizer, context })
}

/// Records what the prompt is now, for the last request of the window. A draft is never recorded this way, and a
/// record that fails is a warning.
pub(crate) fn record_now(session: &Session, reason: Reason) {
    let Some(history) = &session.history else { return };
    let recordable = session.with_open(|open| Ok(!open.sample && !open.documents.any_draft())).unwrap_or(false);
    let request = session.engine().last_request.clone();
    let Some(request) = request.filter(|_| recordable) else { return };
    let Ok(made) = make(session, &request) else { return };
    let places = &made.snapshot.places;
    let mut engine = session.engine();
    let unchanged =
        recording::unchanged(history, &mut engine.counter, places, &made.assembly, &made.counts, made.tokenizer);
    let occasion = Occasion { now: Machine::here().now, reason, model: made.context.model.as_deref() };
    let recorded = unchanged.and_then(|unchanged| {
        recording::record(history, places, &made.assembly, &made.counts, unchanged.as_ref(), occasion)
    });
    if let Err(error) = recorded {
        tracing::warn!(%error, "the assembly was not recorded");
    }
    session.recorded();
}

/// Measures the stages of a preview.
struct Stages {
    last: Instant,
    stages: Vec<StageView>,
}

impl Stages {
    fn start() -> Self {
        Self { last: Instant::now(), stages: Vec::new() }
    }

    fn stage(&mut self, name: &str) {
        let micros = u32::try_from(self.last.elapsed().as_micros()).unwrap_or(u32::MAX);
        self.stages.push(StageView { name: name.to_owned(), micros });
        self.last = Instant::now();
    }
}
