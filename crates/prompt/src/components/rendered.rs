//! Components that are templates: of the app, whose errors stop the target, or of the variant.

use std::collections::BTreeMap;

use model::{SkipReason, text};
use serde_json::{Map, Value};

use super::{At, Notes, Run};
use crate::assemble::{Assembler, Inputs};
use crate::standing;
use crate::traced::Built;

impl Assembler {
    pub(super) fn template(&mut self, run: &Run<'_>, at: &At<'_>, notes: &mut Notes) -> Option<Built> {
        let Inputs { snapshot, variant, context, .. } = run.inputs;
        let mut values = standing::variables(&snapshot.places, context, run.standing);
        if let Some(name) = &at.spec.app_template
            && self.templates.get(name).is_some()
        {
            let mut parts: BTreeMap<&str, Built> = BTreeMap::new();
            for (value, template) in &at.spec.sub_templates {
                let windows = Map::from_iter([("isWindows".to_owned(), Value::Bool(context.platform() == "win32"))]);
                let part = if self.templates.get(template).is_some() {
                    self.app_template(template, windows, &BTreeMap::new(), at, notes)
                } else {
                    self.report_stop(notes);
                    None
                };
                parts.insert(value, part.unwrap_or_default());
            }
            let nested = parts.iter().map(|(name, built)| (*name, built)).collect();
            let built = self.app_template(name, values, &nested, at, notes)?;
            return non_empty(at, built, notes);
        }
        let Some(name) = &at.spec.template else {
            self.report_stop(notes);
            let detail = text!("reason-no-app-template");
            notes.skip(at.name, at.spec.layer, None, SkipReason::TemplateMissing, detail);
            return None;
        };
        let path = format!("{}/{name}", variant.folder);
        let Some(text) = variant.texts.get(name) else {
            let detail = text!("reason-no-variant-file", name);
            notes.skip(at.name, at.spec.layer, Some(&path), SkipReason::TemplateMissing, detail);
            return None;
        };
        values.extend(free_values(context));
        let built = self.own_template(text, &path, values, &BTreeMap::new(), at, notes)?;
        non_empty(at, built, notes)
    }

    /// Renders one of the app's templates. An error in it is the target's.
    pub(super) fn app_template(
        &mut self,
        name: &str,
        values: Map<String, Value>,
        nested: &BTreeMap<&str, &Built>,
        at: &At<'_>,
        notes: &mut Notes,
    ) -> Option<Built> {
        let compiled = self.templates.get(name)?;
        let known = values.keys().map(String::as_str).chain(nested.keys().copied());
        notes.findings.extend(crate::variables::check(&compiled, known));
        match self.rendered(&compiled, values, nested) {
            Ok(built) => Some(built),
            Err(error) => {
                let error = self.templates.target_error(&compiled, &error);
                notes.skip(
                    at.name,
                    at.spec.layer,
                    error.path.as_deref(),
                    SkipReason::TemplateBroken,
                    error.message.clone(),
                );
                notes.error.get_or_insert(error);
                None
            }
        }
    }

    /// Renders a template of the variant. An error in it is a finding.
    pub(super) fn own_template(
        &mut self,
        text: &str,
        path: &str,
        values: Map<String, Value>,
        nested: &BTreeMap<&str, &Built>,
        at: &At<'_>,
        notes: &mut Notes,
    ) -> Option<Built> {
        let compiled = self.templates.own(text, path.to_owned());
        let known = values.keys().map(String::as_str).chain(nested.keys().copied());
        notes.findings.extend(crate::variables::check(&compiled, known));
        match self.rendered(&compiled, values, nested) {
            Ok(built) => Some(built),
            Err(error) => {
                let finding = self.templates.own_error(&compiled, &error);
                notes.skip(at.name, at.spec.layer, Some(path), SkipReason::TemplateBroken, finding.message.clone());
                notes.findings.push(finding);
                None
            }
        }
    }

    /// Says once why templates of the app are missing.
    pub(super) fn report_stop(&self, notes: &mut Notes) {
        if let Some(stop) = self.templates.stop()
            && !notes.findings.contains(&stop.finding)
        {
            notes.findings.push(stop.finding.clone());
        }
    }
}

fn non_empty(at: &At<'_>, built: Built, notes: &mut Notes) -> Option<Built> {
    if built.text.is_empty() {
        notes.skip(at.name, at.spec.layer, None, SkipReason::Empty, text!("reason-renders-to-nothing"));
        return None;
    }
    Some(built)
}

/// The free keys and runtime placeholders of the context, which a variant's own templates may use.
pub(crate) fn free_values(context: &model::Context) -> Map<String, Value> {
    let mut values = Map::new();
    if let Some(free) = &context.x {
        values.insert("x".to_owned(), Value::Object(free.clone()));
    }
    if let Some(placeholders) = &context.placeholders {
        values.extend(placeholders.iter().map(|(name, value)| (name.clone(), value.clone())));
    }
    values
}
