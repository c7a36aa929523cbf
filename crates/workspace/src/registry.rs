//! The target's own list of workspace folders, `~/.catbuddy/workspace-folders.json`. Its form is not documented, so
//! every plausible one is read, and it is never written.

use std::path::Path;

use model::{Parsed, Text, text};
use serde_json::Value;

use crate::projects::Project;
use crate::rules;

/// Reads the list. No file: no folders. A form that is not known: none, and a finding.
pub(crate) fn read(file: &Path) -> Parsed<Vec<Project>> {
    let bytes = match std::fs::read(file) {
        Ok(bytes) => bytes,
        Err(cause) if cause.kind() == std::io::ErrorKind::NotFound => return Parsed::default(),
        Err(cause) => return odd(file, Vec::new(), crate::causes::cause(&cause)),
    };
    match serde_json::from_slice(&bytes) {
        Ok(value) => parse(file, &value),
        Err(error) => odd(file, Vec::new(), Text::verbatim(error.to_string())),
    }
}

fn parse(file: &Path, value: &Value) -> Parsed<Vec<Project>> {
    const LISTS: [&str; 4] = ["folders", "workspaces", "projects", "items"];
    let list = match value {
        Value::Array(list) => Some(list),
        Value::Object(map) => LISTS.iter().find_map(|key| map.get(*key)?.as_array()),
        _ => None,
    };
    let Some(list) = list else { return odd(file, Vec::new(), text!("registry-no-list")) };
    let projects: Vec<_> = list.iter().filter_map(entry).collect();
    if projects.len() == list.len() {
        return Parsed { value: projects, findings: Vec::new() };
    }
    let skipped = list.len() - projects.len();
    odd(file, projects, text!("registry-entries-skipped", count = skipped))
}

fn entry(value: &Value) -> Option<Project> {
    const PATHS: [&str; 4] = ["path", "folder", "root", "dir"];
    const NAMES: [&str; 3] = ["name", "label", "title"];
    let text = |keys: &[&str]| keys.iter().find_map(|key| value.get(*key)?.as_str());
    let path = value.as_str().or_else(|| text(&PATHS))?;
    let name = text(&NAMES).map(str::to_owned);
    path.starts_with('/').then(|| Project { name, ..Project::new(model::paths::resolve("/", path)) })
}

fn odd(file: &Path, value: Vec<Project>, cause: Text) -> Parsed<Vec<Project>> {
    let message = text!("registry-unreadable", cause);
    Parsed { value, findings: vec![rules::REGISTRY_UNREADABLE.finding(message).at(file.to_string_lossy())] }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_plausible_form_is_read() {
        for value in [
            json!(["/a", "/b/"]),
            json!([{"path": "/a"}, {"folder": "/b"}]),
            json!({"folders": [{"root": "/a", "extra": 1}, "/b"]}),
        ] {
            let parsed = parse(Path::new("/x"), &value);
            let paths: Vec<_> = parsed.value.iter().map(|project| project.path.as_str()).collect();
            assert_eq!((paths, parsed.findings.len()), (vec!["/a", "/b"], 0), "{value}");
        }
        let named = parse(Path::new("/x"), &json!([{"path": "/a", "name": "Bay"}]));
        assert_eq!(named.value, [Project { name: Some("Bay".to_owned()), ..Project::new("/a") }]);
    }

    #[test]
    fn an_unknown_form_is_reported_and_what_can_be_read_is() {
        for (value, count) in [(json!(7), 0), (json!({"a": []}), 0), (json!(["/a", "b", 3]), 1)] {
            let parsed = parse(Path::new("/x"), &value);
            assert_eq!((parsed.value.len(), &*parsed.findings[0].id), (count, "registry-unreadable"), "{value}");
        }
    }
}
