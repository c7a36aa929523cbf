//! `cbw check`: every finding about the files, the variant and the assembly.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use model::{Assembly, Finding, Severity, Snapshot, SourceOrigin, Target};
use tokens::special_lookalikes;
use workspace::{lint, skills};

use crate::api::ApiError;
use crate::api::outputs::{CheckOutput, OUTPUT_VERSION};
use crate::assembling::{self, Assembled, Request};
use crate::use_cases::assemble::finding_output;

/// Every finding, gravest first, then by file and place.
///
/// # Errors
/// A context or variant that cannot be used.
pub fn check(request: &Request) -> Result<Vec<Finding>, ApiError> {
    Ok(of(&assembling::run(request, None)?))
}

/// Every finding about what an assembly was made from and about itself, gravest first, then by file and place.
pub fn of(assembled: &Assembled) -> Vec<Finding> {
    let mut findings = assembled.inputs.findings.clone();
    findings.extend(all(&assembled.inputs.snapshot, &assembled.inputs.target, &assembled.assembly));
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
    findings
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

/// The findings in the shape of `check --json`.
pub fn output(findings: &[Finding]) -> CheckOutput {
    CheckOutput { schema_version: OUTPUT_VERSION, findings: findings.iter().map(finding_output).collect() }
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
                    format!(
                        "\"{}\" looks like a control token ({kind}). Vendors count it as text; a local model may take it for the token itself.",
                        &decoded.text[range.clone()]
                    ),
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
                    format!(
                        "The agent lists \"{}\" for this skill; programs that read YAML show \"{}\".",
                        skill.description,
                        yaml.trim()
                    ),
                )
                .at(&*file.path)
            })
        })
        .collect()
}
