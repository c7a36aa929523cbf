//! Which variant: shipped, the user's, the project's. The project's beats the user's beats the shipped one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use model::{Finding, Severity, Text, Variant, text};

use crate::api::{ApiError, ErrorCode};
use crate::place::{Place, text};
use crate::settings::own_folder;

/// The variant that is used when none is asked for.
pub const DEFAULT: &str = "catbuddy";

/// Largest file of a variant that is read, in bytes.
const LARGEST_FILE: u64 = 4 * 1024 * 1024;

/// A variant that can be chosen.
#[derive(Clone, Debug)]
pub struct Known {
    /// The design.
    pub variant: Arc<Variant>,
    /// `shipped`, `user` or `project`.
    pub origin: &'static str,
}

/// Every variant by id, and what was wrong with those that cannot be used.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    /// By id.
    pub known: BTreeMap<String, Known>,
    /// Errors of variants that cannot be read, shadowing.
    pub findings: Vec<Finding>,
    broken: BTreeMap<String, ApiError>,
}

impl Registry {
    /// Reads the shipped variants and those in the folders of the home and of the project.
    pub fn read(place: &Place) -> Self {
        let mut registry = Self::default();
        for (id, variant) in prompt::shipped() {
            registry.known.insert(id.clone(), Known { variant: Arc::clone(variant), origin: "shipped" });
        }
        registry.read_folder(&own_folder(&place.home).join("variants"), "user");
        if let Some(project) = &place.project {
            registry.read_folder(&Path::new(project).join(".catbuddy/variants"), "project");
        }
        registry
    }

    fn read_folder(&mut self, folder: &Path, origin: &'static str) {
        let mut folders: Vec<PathBuf> = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.join("variant.toml").is_file())
            .collect();
        folders.sort_unstable();
        for folder in folders {
            let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            match prompt::load_variant(&text(&folder), &read_files(&folder)) {
                Ok(parsed) => {
                    let variant = Arc::new(parsed.value);
                    self.findings.extend(parsed.findings);
                    if let Some(shadowed) = self.known.get(&variant.id) {
                        self.findings.push(
                            Finding::new(
                                "variant-shadowed",
                                Severity::Info,
                                text!(
                                    "variant-shadowed",
                                    id = &variant.id,
                                    used = origin_word(origin),
                                    other = origin_word(shadowed.origin)
                                ),
                            )
                            .at(text(&folder)),
                        );
                    }
                    self.broken.remove(&variant.id);
                    self.known.insert(variant.id.clone(), Known { variant, origin });
                }
                Err(error) => {
                    let path = PathBuf::from(&error.file);
                    let message = text!("variant-unreadable", name = &name, cause = error.to_string());
                    self.findings
                        .push(Finding::new("variant-unreadable", Severity::Error, message.clone()).at(text(&path)));
                    self.broken.insert(
                        name,
                        ApiError::new(ErrorCode::Invalid, message)
                            .with("path", path.display())
                            .with("line", error.line)
                            .with("column", error.column),
                    );
                }
            }
        }
    }

    /// The variant of this id.
    ///
    /// # Errors
    /// The reason why it cannot be used, with file, line and column; or [`ErrorCode::NotFound`] with the ids there are.
    pub fn get(&self, id: &str) -> Result<Arc<Variant>, ApiError> {
        if let Some(error) = self.broken.get(id) {
            return Err(error.clone());
        }
        self.known.get(id).map(|known| Arc::clone(&known.variant)).ok_or_else(|| {
            let ids: Vec<&str> = self.known.keys().map(String::as_str).collect();
            ApiError::new(ErrorCode::NotFound, text!("error-no-variant", id, ids = ids.join(", "))).with("variant", id)
        })
    }
}

/// The files of a variant's folder by relative path, three levels deep.
fn read_files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut waiting = vec![(folder.to_owned(), 0)];
    while let Some((current, depth)) = waiting.pop() {
        for entry in fs::read_dir(&current).into_iter().flatten().flatten() {
            let path = entry.path();
            let Ok(metadata) = fs::metadata(&path) else { continue };
            if metadata.is_dir() && depth < 3 {
                waiting.push((path, depth + 1));
            } else if metadata.is_file()
                && metadata.len() <= LARGEST_FILE
                && let Ok(relative) = path.strip_prefix(folder)
                && let Ok(bytes) = fs::read(&path)
            {
                files.insert(relative.to_string_lossy().replace('\\', "/"), bytes);
            }
        }
    }
    files
}

/// The word for where a variant comes from.
fn origin_word(origin: &str) -> Text {
    match origin {
        "shipped" => text!("origin-shipped"),
        "project" => text!("origin-project"),
        _ => text!("origin-user"),
    }
}
