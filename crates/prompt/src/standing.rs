//! Where the agent stands: layering, work root, file access; and the values that its templates see.

use model::paths::resolve;
use model::{Context, FileAccess, Fingerprint, FingerprintPart, Folder, Places, Snapshot, Target};
use serde_json::{Map, Value, json};

use crate::js;
use crate::skills;

/// What follows from the places and the context.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Standing {
    /// True when the workspace's resolved path is not the global one's. Textual: links are not followed.
    pub(crate) layered: bool,
    pub(crate) work_root: String,
    pub(crate) file_access: FileAccess,
}

/// The standing of an agent whose workspace is `places.workspace`.
///
/// Work root: the context's, else the opened project, else two folders up from the resolved workspace. File
/// access: the context's, else internal exactly when the work root is the resolved workspace.
pub(crate) fn standing(places: &Places, context: &Context) -> Standing {
    let cwd = context.process_cwd.as_deref().unwrap_or(&places.process_cwd);
    let workspace = resolve(cwd, &places.workspace);
    let work_root =
        context.work_root.clone().or_else(|| places.project.clone()).unwrap_or_else(|| resolve(&workspace, "../.."));
    let derived = if work_root == workspace { FileAccess::Internal } else { FileAccess::Project };
    Standing {
        layered: workspace != resolve(cwd, &places.global),
        file_access: context.file_access.unwrap_or(derived),
        work_root,
    }
}

/// The folder that a bootstrap file is read from.
pub(crate) fn bootstrap_folder<'a>(snapshot: &'a Snapshot, target: &Target, name: &str, layered: bool) -> &'a Folder {
    let global = layered && target.bootstrap.iter().any(|file| file.name == name && file.global_when_layered);
    if global { &snapshot.global } else { &snapshot.workspace }
}

/// The values of the identity template (facts: identity variables).
pub(crate) fn variables(places: &Places, context: &Context, standing: &Standing) -> Map<String, Value> {
    let channel = context.template_channel();
    let folded = channel.to_lowercase();
    let slashes = |path: &str| path.replace('\\', "/");
    let values = json!({
        "runtime": context.runtime(),
        "work_root": slashes(&standing.work_root),
        "workspace_path": slashes(&places.workspace),
        "file_access_project": standing.file_access == FileAccess::Project,
        "file_access_internal": standing.file_access == FileAccess::Internal,
        "channel": channel,
        "isMessagingApp": matches!(folded.as_str(), "telegram" | "qq" | "discord"),
        "isPlainMessaging": matches!(folded.as_str(), "whatsapp" | "sms"),
        "isEmail": folded == "email",
        "isTerminalChannel": matches!(folded.as_str(), "cli" | "mochat"),
    });
    match values {
        Value::Object(values) => values,
        _ => Map::new(),
    }
}

/// The target's own fingerprint: texts and modification times joined by NUL, `0` for what is missing.
pub(crate) fn fingerprint(snapshot: &Snapshot, target: &Target, context: &Context, standing: &Standing) -> Fingerprint {
    let time = |folder: &Folder, name: &str| {
        folder
            .entry(name)
            .and_then(|entry| entry.identity)
            .map_or_else(|| "0".to_owned(), |file| js::mtime_ms(file.mtime_ns))
    };
    let part = |name: &str, text: String| FingerprintPart { name: name.to_owned(), text };
    let mut parts = vec![
        part("workspace", snapshot.places.workspace.clone()),
        part("global workspace", snapshot.places.global.clone()),
        part("work root", standing.work_root.clone()),
        part("file access", standing.file_access.as_str().to_owned()),
    ];
    for file in &target.bootstrap {
        let folder = bootstrap_folder(snapshot, target, &file.name, standing.layered);
        parts.push(part(&file.name, format!("{}:{}", file.name, time(folder, &file.name))));
    }
    parts.push(part("global memory", format!("global-memory:{}", time(&snapshot.global, &target.memory))));
    if standing.layered {
        parts.push(part("project memory", format!("project-memory:{}", time(&snapshot.workspace, &target.memory))));
    }
    parts.push(part("skills", format!("skills:{}", skills::fingerprint(snapshot, context))));
    Fingerprint { parts }
}
