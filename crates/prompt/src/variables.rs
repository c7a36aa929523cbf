//! Names that a template uses: unknown ones print nothing, volatile ones would break the cache.

use model::{Finding, Severity, Text, text};

use crate::templates::Compiled;

/// What the pre-pass writes for `part == 'system'`; the target never sets it.
const UNSET: &str = "is_system";

/// Names whose value would be another one with every request.
const VOLATILE: &[&str] =
    &["now", "date", "time", "datetime", "timestamp", "today", "current_time", "current_date", "uuid", "random"];

/// What is odd about the names in `compiled` when these `known` ones are passed. Where a name's meaning depends
/// on the values (sections, partials) nothing is said. A template that does not parse has no names.
pub(crate) fn check<'a>(compiled: &Compiled, known: impl Iterator<Item = &'a str>) -> Vec<Finding> {
    let known: Vec<&str> = known.collect();
    let mut findings = Vec::new();
    for variable in compiled.variables().iter().filter(|variable| variable.certain) {
        let name = variable.name();
        let (path, start) = compiled.prepared.file_offset(variable.start).unwrap_or((&compiled.path, variable.start));
        let mut report = |id, severity, message: Text| {
            findings.push(Finding::new(id, severity, message).at(&**path).range(start, start + name.len()));
        };
        if VOLATILE.contains(&name) {
            let message = text!("volatile-template-variable", name);
            report("volatile-template-variable", Severity::Warning, message);
        }
        if !known.contains(&name) && name != UNSET {
            let message = text!("unknown-template-variable", name);
            report("unknown-template-variable", Severity::Warning, message);
        }
    }
    findings
}
