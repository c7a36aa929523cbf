//! "Why doesn't it know…?": a phrase in every file, and a prompt that was really sent beside the one now.

use model::text;

use crate::Session;
use crate::api::outputs::{CompareOutput, WhyPlace};
use crate::api::{
    ApiError, CompareFirst, CompareLogRequest, CompareLogView, CompareSection, ErrorCode, RangeView, WhyKind,
    WhyLookedAt, WhyPlaceView, WhyRequest, WhyView,
};
use crate::session::{Mapping, source_view};
use crate::use_cases::compare::{self, Text};
use crate::use_cases::why::{self, Kind, LookedAt};
use crate::window::preview;

/// Places that are listed.
const PLACES: usize = 500;
/// Longest text of a section that is shown, in bytes.
const SHOWN: usize = 256 * 1024;
/// What is shown around the first difference, in bytes.
const AROUND: usize = 80;

/// Looks for a phrase in every file, read or not, drafts included.
///
/// # Errors
/// An empty phrase, or as [`preview::preview`].
pub fn why(session: &Session, request: WhyRequest) -> Result<WhyView, ApiError> {
    let phrase = why::phrase(&request.phrase, request.ignore_case, request.loose_space)?;
    let asked = session.engine().last_request.clone().unwrap_or_default();
    let made = preview::make(session, &asked)?;
    let looked = why::look(&made.snapshot, &made.variant, &session.target, &made.assembly, &phrase);
    let mapping = Mapping::of(&made.snapshot);
    Ok(WhyView {
        phrase: request.phrase,
        left_off: looked.places.len().saturating_sub(PLACES) as u32,
        places: looked
            .places
            .into_iter()
            .take(PLACES)
            .map(|place| place_view(place, &mapping, &made.snapshot))
            .collect(),
        looked_at: looked.at.into_iter().map(|at| looked_view(at, &mapping, &made.snapshot)).collect(),
    })
}

/// Files that are not among those the target looks for cannot be opened here.
fn place_view(place: WhyPlace, mapping: &Mapping, snapshot: &model::Snapshot) -> WhyPlaceView {
    WhyPlaceView {
        file: mapping.file(&place.path).filter(|file| mapping.entry(snapshot, file).is_some()),
        path: place.path,
        line: place.line,
        range: RangeView { start: place.range.start, end: place.range.end },
        in_prompt: place.in_prompt,
        prompt_offset: place.prompt_offset,
        reason: place.reason,
        excerpt: place.excerpt,
    }
}

fn looked_view(at: LookedAt, mapping: &Mapping, snapshot: &model::Snapshot) -> WhyLookedAt {
    WhyLookedAt {
        file: mapping.file(&at.path).filter(|file| mapping.entry(snapshot, file).is_some()),
        path: at.path,
        kind: match at.kind {
            Kind::File => WhyKind::File,
            Kind::Template => WhyKind::Template,
            Kind::Ignored => WhyKind::Ignored,
            Kind::Elsewhere => WhyKind::Elsewhere,
        },
        places: at.places,
        draft: at.draft,
        problem: at.problem,
    }
}

/// Compares a prompt that was really sent with the prompt as it is now, drafts included.
///
/// # Errors
/// [`ErrorCode::Invalid`] for an empty log, or as [`preview::preview`].
pub fn compare_log(session: &Session, request: CompareLogRequest) -> Result<CompareLogView, ApiError> {
    if request.log.trim().is_empty() {
        return Err(ApiError::new(ErrorCode::Invalid, text!("error-paste-prompt")));
    }
    let asked = session.engine().last_request.clone().unwrap_or_default();
    let made = preview::make(session, &asked)?;
    let mapping = Mapping::of(&made.snapshot);
    let sent = Text::of_log(String::new(), &request.log);
    let now = Text::of_assembly(made.assembly.clone());
    let (compared, sent, now) = {
        let mut engine = session.engine();
        compare::of_texts(sent, now, &mut engine.counter, made.tokenizer)
    };
    let (text_sent, text_now) = (sent.joined(), now.joined());
    let first = first(&compared, &made.assembly, &mapping, [&text_sent, &text_now], &now);
    let layer = |id: &str| made.assembly.sections.iter().find(|section| &*section.id == id)?.layer;
    let shown = |text: &Text, id: &str| {
        let part = text.parts().iter().find(|part| part.id == id)?;
        (part.text.len() <= SHOWN).then(|| part.text.clone())
    };
    let sections = compared.sections.into_iter().map(|section| {
        let same = section.change == "same";
        CompareSection {
            layer: layer(&section.id),
            sent: shown(&sent, &section.id).filter(|_| !same),
            now: shown(&now, &section.id).filter(|_| !same),
            id: section.id,
            title: section.title,
            change: section.change,
            tokens_sent: section.tokens_a,
            tokens_now: section.tokens_b,
        }
    });
    Ok(CompareLogView {
        identical: compared.identical,
        notes: compared.notes,
        sent_bytes: text_sent.len() as u32,
        now_bytes: text_now.len() as u32,
        first,
        tokens_kept: compared.tokens_kept,
        tokens_lost: compared.tokens_lost,
        sections: sections.collect(),
    })
}

fn first(
    compared: &CompareOutput,
    assembly: &model::Assembly,
    mapping: &Mapping,
    [sent, now]: [&str; 2],
    parts: &Text,
) -> Option<CompareFirst> {
    let first = compared.first_difference.as_ref()?;
    let at = first.offset as usize;
    let from = |text: &str| {
        let start = text.floor_char_boundary(at.min(text.len()));
        text[start..text.floor_char_boundary((start + AROUND).min(text.len()))].to_owned()
    };
    let start = now.floor_char_boundary(at.min(now.len()));
    let title = |id: &String| parts.parts().iter().find(|part| part.id == *id).map(|part| part.title.clone());
    Some(CompareFirst {
        offset: first.offset,
        line: first.line,
        section: first.section_b.as_ref().and_then(title),
        source: compare::source_at(assembly, first.offset)
            .map(|(source, _)| source_view(&source, &mut |path| mapping.file(path))),
        source_line: first.source_line_b,
        before: now[now.floor_char_boundary(start.saturating_sub(AROUND))..start].to_owned(),
        sent: from(sent),
        now: from(now),
    })
}
