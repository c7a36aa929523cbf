//! `cbw assemble`: an assembly as JSON.

use model::{Finding, Section, Severity};
use serde::Serialize;
use serde_json::Value;

use crate::api::outputs::{
    AssembleOutput, CacheOutput, FindingOutput, OUTPUT_VERSION, RangeOutput, SectionOutput, SpanOutput, TokensOutput,
};
use crate::assembling::Assembled;
use crate::recording::Unchanged;
use crate::use_cases::check;

/// The whole assembly in the shape of `--as json`.
pub fn output(assembled: &Assembled) -> AssembleOutput {
    let Assembled { inputs, assembly, counts, unchanged, .. } = assembled;
    let sections = assembly.sections.iter().zip(&counts.parts);
    AssembleOutput {
        schema_version: OUTPUT_VERSION,
        text: assembly.text(),
        sections: sections.map(|(section, count)| section_output(section, count.total)).collect(),
        user_message: assembly.user_message.text.clone(),
        runtime_suffix: assembly.user_message.suffix.clone(),
        messages: value(&assembly.messages),
        tool_schemas: value(&assembly.tool_schemas),
        layered: assembly.layered,
        file_access: assembly.file_access.as_str().to_owned(),
        work_root: assembly.work_root.clone(),
        skipped: value(&assembly.skipped),
        skills: value(&assembly.skills),
        findings: check::of(assembled).iter().map(finding_output).collect(),
        fingerprint: assembly.fingerprint.text(),
        content_hash: assembly.content_hash.to_string(),
        tokens: TokensOutput {
            total: counts.total.total,
            method: counts.total.method.to_string(),
            low: counts.total.low,
            high: counts.total.high,
            joins: counts.joins,
        },
        cache: unchanged.as_ref().map(cache_output).unwrap_or_default(),
        variant: assembly.variant.clone(),
        variant_version: assembly.variant_version,
        target: assembly.target.clone(),
        channel: assembly.channel.clone(),
        app: match inputs.snapshot.app.origin {
            model::AppOrigin::Shipped => "shipped",
            model::AppOrigin::Installed => "installed",
        }
        .to_owned(),
        target_error: value(&assembly.target_error),
    }
}

fn section_output(section: &Section, tokens: Option<u32>) -> SectionOutput {
    let spans = section.spans.iter().map(|span| SpanOutput {
        start: section.start + span.start,
        end: section.start + span.end,
        source: value(&span.source),
    });
    SectionOutput {
        id: section.id.to_string(),
        layer: section.layer,
        title: section.title.to_string(),
        start: section.start,
        end: section.end(),
        stability: word(&section.stability),
        tokens,
        spans: spans.collect(),
    }
}

fn cache_output(unchanged: &Unchanged) -> CacheOutput {
    CacheOutput {
        prefix_tokens: unchanged.estimate.prefix_tokens,
        prefix_bytes: Some(unchanged.estimate.prefix_bytes),
        breaks_at: unchanged.breaks_at.clone(),
        since: Some(unchanged.since.0),
    }
}

/// A finding in the shape of the command line.
pub fn finding_output(finding: &Finding) -> FindingOutput {
    FindingOutput {
        id: finding.id.to_string(),
        severity: match finding.severity {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
        .to_owned(),
        path: finding.path.clone(),
        range: finding.range.map(|range| RangeOutput { start: range.start, end: range.end }),
        message: finding.message.clone(),
        fix: finding.fixes.first().map(|fix| fix.label.clone()),
        fixes: finding.fixes.iter().map(|fix| fix.id.to_string()).collect(),
    }
}

/// A part of the model as JSON. The types of the model always can be written, so the fallback is never seen.
pub(crate) fn value<T: Serialize>(part: &T) -> Value {
    serde_json::to_value(part).unwrap_or(Value::Null)
}

/// The word that a unit variant is written as.
pub(crate) fn word<T: Serialize>(part: &T) -> String {
    value(part).as_str().unwrap_or_default().to_owned()
}
