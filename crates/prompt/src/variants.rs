//! Variant files: a folder of texts to a [`Variant`], with findings that say where and what to do.
//!
//! Only a file that is not TOML or a value of the wrong type stops it. Everything else (an unknown key, a
//! template that is not there, a component that stands for nothing) is a finding, and the rest is used.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use include_dir::{Dir, include_dir};
use model::spelling::nearest;
use model::{Finding, Parsed, Severity, Text, Variant, text};
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::words::place;

/// Name of the file that describes a variant.
const FILE_NAME: &str = "variant.toml";

pub(crate) static SHIPPED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../variants");

/// Why a variant cannot be used at all.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("{file}:{line}:{column}: {message}")]
pub struct VariantError {
    /// What kind of error.
    pub kind: VariantErrorKind,
    /// The file, relative to the folder that holds the variant's folder.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong, and what to do.
    pub message: String,
}

/// The kinds of [`VariantError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum VariantErrorKind {
    /// The folder has no `variant.toml`.
    Missing,
    /// A file is not UTF-8.
    Encoding,
    /// Not TOML.
    Syntax,
    /// A value has the wrong type, or one that is needed is missing.
    Type,
}

/// Keys of a variant file, of one component, of `[budget]`. Kept equal to the fields of the types by a test.
const VARIANT_KEYS: &[&str] = &[
    "schema_version",
    "id",
    "version",
    "family",
    "description",
    "labels",
    "tags",
    "targets",
    "engine",
    "template",
    "join",
    "join_within_layer",
    "tidy",
    "fallback",
    "order",
    "components",
    "budget",
];
const COMPONENT_KEYS: &[&str] = &[
    "builtin",
    "template",
    "app_template",
    "sub_templates",
    "layer",
    "title",
    "heading",
    "heading_layered",
    "file",
    "item",
    "stability",
    "uncached_because",
];
const BUDGET_KEYS: &[&str] = &["keep"];

/// Reads a variant from the files of its folder, by their paths in it.
///
/// # Errors
/// [`VariantError`] when `variant.toml` is missing, not UTF-8, not TOML, or holds a value of the wrong type.
pub fn load_variant(folder_name: &str, files: &BTreeMap<String, Vec<u8>>) -> Result<Parsed<Variant>, VariantError> {
    let path = |relative: &str| format!("{folder_name}/{relative}");
    let error = |kind, message| VariantError { kind, file: path(FILE_NAME), line: 1, column: 1, message };
    let bytes = files.get(FILE_NAME).ok_or_else(|| {
        error(
            VariantErrorKind::Missing,
            format!("There is no {FILE_NAME} in this folder; add one, or remove the folder."),
        )
    })?;
    let text = std::str::from_utf8(bytes).map_err(|bad| {
        let (line, column) = place(&String::from_utf8_lossy(&bytes[..bad.valid_up_to()]), usize::MAX);
        let message = "This byte is not UTF-8; save the file as UTF-8.".to_owned();
        VariantError { line, column, ..error(VariantErrorKind::Encoding, message) }
    })?;
    let (mut variant, mut findings) = parse(text, &path(FILE_NAME))?;
    if variant.id != folder_name.rsplit('/').next().unwrap_or(folder_name) {
        let message = text!("variant-id-differs", id = &variant.id, folder = folder_name);
        findings.push(Finding::new("variant-id-differs", Severity::Warning, message).at(path(FILE_NAME)));
        folder_name.rsplit('/').next().unwrap_or(folder_name).clone_into(&mut variant.id);
    }
    for (relative, bytes) in files.iter().filter(|(name, _)| *name != FILE_NAME) {
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                variant.texts.insert(relative.clone(), Arc::from(text));
            }
            Err(bad) => {
                let message = text!("variant-text-encoding");
                let at = bad.valid_up_to();
                findings.push(
                    Finding::new("variant-text-encoding", Severity::Error, message)
                        .at(path(relative))
                        .range(at, at + 1),
                );
            }
        }
    }
    findings.extend(missing_parts(&variant, text, &path(FILE_NAME)));
    folder_name.clone_into(&mut variant.folder);
    Ok(Parsed { value: variant, findings })
}

fn parse(text: &str, file: &str) -> Result<(Variant, Vec<Finding>), VariantError> {
    let located = |kind, error: &toml::de::Error, advice: &str| {
        let (line, column) = place(text, error.span().map_or(0, |span| span.start));
        let message = format!("{}; {advice}.", error.message().trim_end());
        VariantError { kind, file: file.to_owned(), line, column, message }
    };
    let mut table = DeTable::parse(text).map_err(|error| {
        located(VariantErrorKind::Syntax, &error, "correct the line so that the file is TOML again")
    })?;
    let mut findings = Vec::new();
    unknown_keys(table.get_mut(), VARIANT_KEYS, Table::Variant, file, &mut findings);
    for (key, value) in table.get_mut().iter_mut() {
        match (key.get_ref().as_ref(), value.get_mut()) {
            ("components", DeValue::Table(components)) => {
                for (_, component) in components.iter_mut() {
                    if let DeValue::Table(component) = component.get_mut() {
                        unknown_keys(component, COMPONENT_KEYS, Table::Component, file, &mut findings);
                    }
                }
            }
            ("budget", DeValue::Table(budget)) => {
                unknown_keys(budget, BUDGET_KEYS, Table::Budget, file, &mut findings);
            }
            _ => {}
        }
    }
    let advice = "variants/README.md lists the keys and their types";
    let variant = Variant::deserialize(toml::Deserializer::from(table))
        .map_err(|error| located(VariantErrorKind::Type, &error, advice))?;
    Ok((variant, findings))
}

/// The tables of a variant file.
#[derive(Clone, Copy)]
enum Table {
    Variant,
    Component,
    Budget,
}

impl Table {
    /// That it has no such key, and which key is near.
    fn unknown(self, key: &str, near: Option<&str>) -> Text {
        match (self, near) {
            (Self::Variant, None) => text!("unknown-variant-key", key),
            (Self::Variant, Some(near)) => text!("unknown-variant-key-near", key, near),
            (Self::Component, None) => text!("unknown-component-key", key),
            (Self::Component, Some(near)) => text!("unknown-component-key-near", key, near),
            (Self::Budget, None) => text!("unknown-budget-key", key),
            (Self::Budget, Some(near)) => text!("unknown-budget-key-near", key, near),
        }
    }
}

/// Takes the keys away that no such table has, and reports each with the nearest known one.
fn unknown_keys(table: &mut DeTable<'_>, known: &[&'static str], what: Table, file: &str, findings: &mut Vec<Finding>) {
    let unknown: Vec<Spanned<String>> = table
        .keys()
        .filter(|key| !known.contains(&key.get_ref().as_ref()))
        .map(|key| Spanned::new(key.span(), key.get_ref().to_string()))
        .collect();
    for key in unknown {
        let name = key.get_ref();
        table.remove(name.as_str());
        let message = what.unknown(name, nearest(name, known.iter().copied()));
        let finding = Finding::new("unknown-variant-key", Severity::Warning, message).at(file);
        findings.push(finding.range(key.span().start, key.span().end));
    }
}

/// Components and templates that are named and not there.
fn missing_parts(variant: &Variant, text: &str, file: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut report = |id, severity, name: &str, message: Text| {
        let range = quoted(text, name);
        findings.push(
            Finding { range: None, ..Finding::new(id, severity, message).at(file) }.range(range.start, range.end),
        );
    };
    if variant.schema_version != 1 {
        let message = text!("variant-schema-version", found = variant.schema_version);
        report("variant-schema-version", Severity::Warning, "schema_version", message);
    }
    let templates = variant.components.values().filter_map(|spec| spec.template.as_ref()).chain(&variant.template);
    for template in templates.filter(|template| !variant.texts.contains_key(*template)) {
        let message = text!("missing-template-file", name = template);
        report("missing-template-file", Severity::Error, template, message);
    }
    for name in variant.order.iter().filter(|name| !variant.components.contains_key(*name)) {
        let known = nearest(name, variant.components.keys().map(String::as_str));
        let message = match known {
            Some(near) => text!("component-not-found-near", name, near),
            None => text!("component-not-found-add", name),
        };
        report("component-not-found", Severity::Warning, name, message);
    }
    findings
}

/// Where `name` stands as a quoted text, else as a key, else the start.
fn quoted(text: &str, name: &str) -> Range<usize> {
    let found = text.find(&format!("\"{name}\"")).map(|at| at + 1).or_else(|| text.find(name));
    found.map_or(0..0, |at| at..at + name.len())
}

/// The variants that ship, by id.
pub fn shipped() -> &'static BTreeMap<String, Arc<Variant>> {
    static VARIANTS: LazyLock<BTreeMap<String, Arc<Variant>>> = LazyLock::new(|| {
        let folders = SHIPPED.dirs().filter(|folder| folder.contains(folder.path().join(FILE_NAME)));
        folders
            .filter_map(|folder| {
                let name = format!("variants/{}", folder.path().display());
                let variant = load_variant(&name, &files_below(folder, folder)).ok()?.value;
                Some((variant.id.clone(), Arc::new(variant)))
            })
            .collect()
    });
    &VARIANTS
}

/// Every file of a variant's folder but the app that ships inside it.
fn files_below(root: &Dir<'_>, folder: &Dir<'_>) -> BTreeMap<String, Vec<u8>> {
    let relative = |path: &std::path::Path| path.strip_prefix(root.path()).map(|path| path.display().to_string());
    let mut files: BTreeMap<String, Vec<u8>> =
        folder.files().filter_map(|file| Some((relative(file.path()).ok()?, file.contents().to_vec()))).collect();
    for inner in folder.dirs().filter(|inner| relative(inner.path()).is_ok_and(|path| path != "app")) {
        files.extend(files_below(root, inner));
    }
    files
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

    use model::ComponentSpec;
    use model::variant::BudgetSpec;

    use super::*;

    const MINIMAL: &str =
        "schema_version = 1\nid = \"v\"\nversion = 1\nfamily = \"f\"\ndescription = \"d\"\ntargets = []\norder = []\n";

    fn load(text: &str) -> Result<Parsed<Variant>, VariantError> {
        load_variant("v", &BTreeMap::from([(FILE_NAME.to_owned(), text.as_bytes().to_vec())]))
    }

    #[test]
    fn every_shipped_variant_loads_without_findings() {
        let ids: Vec<&str> = shipped().keys().map(String::as_str).collect();
        assert_eq!(ids, ["catbuddy", "catbuddy-article"]);
        for folder in SHIPPED.dirs() {
            let name = folder.path().display().to_string();
            assert_eq!(load_variant(&name, &files_below(folder, folder)).unwrap().findings, [], "{name}");
        }
    }

    #[test]
    fn errors_carry_their_place_and_what_to_do() {
        let error = load("id = \"v\"\nversion = \n").unwrap_err();
        assert_eq!((error.kind, error.line, error.file.as_str()), (VariantErrorKind::Syntax, 2, "v/variant.toml"));
        let error = load(&MINIMAL.replace("version = 1\nfamily", "version = \"one\"\nfamily")).unwrap_err();
        assert_eq!((error.kind, error.line, error.column), (VariantErrorKind::Type, 3, 11));
        assert!(error.message.contains("variants/README.md"), "{error}");
        assert_eq!(load_variant("v", &BTreeMap::new()).unwrap_err().kind, VariantErrorKind::Missing);
        let latin = BTreeMap::from([(FILE_NAME.to_owned(), b"id = \"v\"\n# caf\xE9\n".to_vec())]);
        let error = load_variant("v", &latin).unwrap_err();
        assert_eq!((error.kind, error.line, error.column), (VariantErrorKind::Encoding, 2, 6));
    }

    #[test]
    fn an_unknown_key_is_left_out_and_named_with_the_nearest_one() {
        let text = format!("{MINIMAL}[components.a]\nbuiltin = \"file\"\nhedding = \"x\"\n[match]\nany = []\n");
        let parsed = load(&text).unwrap();
        let findings: Vec<(&str, &str)> =
            parsed.findings.iter().map(|finding| (finding.id.as_ref(), finding.message.as_str())).collect();
        assert_eq!(
            findings,
            [
                ("unknown-variant-key", "A variant has no key \"match\". It is left out."),
                (
                    "unknown-variant-key",
                    "A component has no key \"hedding\". It is left out; did you mean \"heading\"?"
                ),
            ]
        );
        let at = parsed.findings[1].range.unwrap();
        assert_eq!(&text[at.start as usize..at.end as usize], "hedding");
    }

    #[test]
    fn missing_parts_are_findings() {
        let text = MINIMAL.replace("order = []", "order = [\"b\"]\n[components.a]\ntemplate = \"components/a.hbs\"");
        let ids: Vec<_> = load(&text).unwrap().findings.into_iter().map(|finding| finding.id.into_owned()).collect();
        assert_eq!(ids, ["missing-template-file", "component-not-found"]);
    }

    #[test]
    fn the_known_keys_are_the_fields() {
        fn fields(error: &str) -> Vec<String> {
            error.split('`').skip(3).step_by(2).map(str::to_owned).collect()
        }
        fn error_of<T: for<'de> Deserialize<'de> + std::fmt::Debug>() -> String {
            toml::from_str::<T>("\"~\" = 1").unwrap_err().message().to_owned()
        }
        assert_eq!(fields(&error_of::<Variant>()), VARIANT_KEYS);
        assert_eq!(fields(&error_of::<ComponentSpec>()), COMPONENT_KEYS);
        assert_eq!(error_of::<BudgetSpec>(), "unknown field `~`, expected `keep`");
    }
}
