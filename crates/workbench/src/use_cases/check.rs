//! `cbw check`: every finding about the files, the variant and the assembly.

pub(crate) mod again;
pub(crate) mod figures;

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use model::{Assembly, Finding, Section, Severity, Snapshot, Source, SourceOrigin, Target, Text, text};
use tokens::special_lookalikes;
use workspace::{lint, skills};

use crate::api::ApiError;
use crate::api::outputs::{CheckOutput, FactOutput, OUTPUT_VERSION};
use crate::assembling::{self, Assembled, Request};
use crate::use_cases::assemble::finding_output;
use figures::Counted;

/// Every finding, gravest first, then by file and place; and the facts that hold without being one.
///
/// # Errors
/// A context or variant that cannot be used.
pub fn check(request: &Request) -> Result<(Vec<Finding>, Vec<FactOutput>), ApiError> {
    let assembled = assembling::run(request, None)?;
    let facts = again::facts(&assembled.inputs.parts(), &assembled.assembly);
    Ok((of(&assembled), facts))
}

/// Every finding about what an assembly was made from and about itself, gravest first, then by file and place.
pub fn of(assembled: &Assembled) -> Vec<Finding> {
    let Assembled { inputs, assembly, counts, tokenizer, .. } = assembled;
    let mut findings = inputs.findings.clone();
    findings.extend(all(&inputs.snapshot, &inputs.target, assembly));
    figures::add(&mut findings, &inputs.parts(), &Counted { assembly, counts, tokenizer: *tokenizer });
    findings.extend(again::without_hint(&inputs.parts(), assembly));
    ordered(findings)
}

/// The findings of a snapshot and of the assembly made from it.
pub fn all(snapshot: &Snapshot, target: &Target, assembly: &Assembly) -> Vec<Finding> {
    let mut findings = snapshot.findings.clone();
    findings.extend(lint::lint(snapshot, target));
    findings.extend(assembly.findings.iter().cloned());
    findings.extend(lookalikes(snapshot));
    findings.extend(readers_disagree(snapshot, assembly));
    if let Some(error) = &assembly.target_error {
        let mut finding = Finding::new("target-error", Severity::Error, error.message.clone());
        finding.path.clone_from(&error.path);
        findings.push(finding);
    }
    for finding in &mut findings {
        let message = std::mem::replace(&mut finding.message, Text::verbatim(""));
        finding.message = lint::redacted(message);
    }
    lint::capped(findings)
}

/// The first file that a section is made from.
pub(crate) fn file_of(section: &Section) -> Option<&str> {
    section.spans.iter().find_map(|span| match &span.source {
        Source::File { path, .. } => Some(&**path),
        _ => None,
    })
}

/// Gravest first, then by file and place; the same finding once.
pub fn ordered(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by(|a, b| {
        let place = |finding: &Finding| (finding.path.clone(), finding.range.map(|range| range.start));
        (Reverse(a.severity), place(a), &a.id).cmp(&(Reverse(b.severity), place(b), &b.id))
    });
    findings.dedup();
    findings
}

/// Findings and facts in the shape of `check --json`.
pub fn output(findings: &[Finding], facts: Vec<FactOutput>) -> CheckOutput {
    CheckOutput { schema_version: OUTPUT_VERSION, findings: findings.iter().map(finding_output).collect(), facts }
}

/// Text of the user's files that looks like a special token of some model.
fn lookalikes(snapshot: &Snapshot) -> Vec<Finding> {
    let mut seen = HashSet::new();
    snapshot
        .entries()
        .filter_map(|entry| entry.source())
        .filter(|file| file.origin != SourceOrigin::Shipped && seen.insert(file.path.clone()))
        .flat_map(|file| {
            let decoded = file.decoded();
            special_lookalikes(&decoded.text).into_iter().map(move |(range, kind)| {
                Finding::new(
                    "special-token-lookalike",
                    Severity::Warning,
                    text!("special-token-lookalike", found = &decoded.text[range.clone()], kind),
                )
                .at(&*file.path)
                .range(decoded.to_file_offset(range.start), decoded.to_file_offset(range.end))
            })
        })
        .collect()
}

/// Skills whose description the target reads otherwise than a YAML reader does.
fn readers_disagree(snapshot: &Snapshot, assembly: &Assembly) -> Vec<Finding> {
    let folders = snapshot.workspace.skills.iter().chain(&snapshot.app.skills);
    let files: HashMap<&str, _> = folders.map(|folder| (&*folder.file.path, &folder.file)).collect();
    let listed = assembly.skills.iter();
    listed
        .filter_map(|skill| {
            let file = files.get(&*skill.path)?.source()?;
            if file.origin == SourceOrigin::Shipped {
                return None;
            }
            let yaml = skills::yaml::read(file.text()).value;
            let yaml = yaml.description()?;
            (yaml.trim() != skill.description).then(|| {
                Finding::new(
                    "readers-disagree",
                    Severity::Info,
                    text!("readers-disagree", shown = &skill.description, yaml = yaml.trim()),
                )
                .at(&*file.path)
            })
        })
        .collect()
}
