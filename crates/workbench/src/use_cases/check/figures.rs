//! What findings cost, and findings about costs: sizes, tokens, shares.

use model::{Assembly, Finding, Section, Severity, SkillState, Source, Text, text};
use tokens::{Catalogue, Counter, SectionCounts, Tokenizer};

use super::file_of;
use crate::counting;
use crate::use_cases::skills::budgets;

/// Findings whose file stands in the prompt for nothing, so that its cost is what they are about.
const TELL_COST: [&str; 3] = ["unfilled-placeholder", "default-other-product", "default-other-line-ends"];

/// An assembly with its counts.
#[derive(Clone, Copy)]
pub(crate) struct Counted<'a> {
    pub(crate) assembly: &'a Assembly,
    pub(crate) counts: &'a SectionCounts,
    pub(crate) tokenizer: Tokenizer,
}

/// Adds the costs to findings that are about them, and the findings that only counts can make.
pub(crate) fn add(findings: &mut Vec<Finding>, inputs: &prompt::Inputs<'_>, counted: &Counted<'_>) {
    let Counted { assembly, counts, .. } = counted;
    for finding in findings.iter_mut() {
        if TELL_COST.contains(&&*finding.id)
            && let Some(path) = &finding.path
            && let Some((_, count)) =
                assembly.sections.iter().zip(&counts.parts).find(|(section, _)| file_of(section) == Some(path.as_str()))
            && let Some(tokens) = count.total
        {
            finding.message = text!("with-cost", what = &finding.message, tokens);
        }
        if finding.id == "too-many-skills" {
            finding.message = with_list_cost(&finding.message, inputs, counted);
        }
    }
    let model = inputs.context.model.as_deref();
    let window = model.and_then(|model| Catalogue::embedded().context_window(None, model));
    findings.extend(large(counted, window));
    findings.extend(misjudged(counted));
}

/// Files that take a good part of the model's window by themselves.
fn large(counted: &Counted<'_>, window: Option<u32>) -> Vec<Finding> {
    /// Share of the window from which a file is told, in percent.
    const SHARE: u64 = 20;
    /// The target's own window, when the model's is not known.
    const TARGETS_WINDOW: u32 = 128_000;
    let window = window.unwrap_or(TARGETS_WINDOW);
    let parts = counted.assembly.sections.iter().zip(&counted.counts.parts);
    let found = parts.filter_map(|(section, count)| {
        let tokens = count.total.filter(|&tokens| u64::from(tokens) * 100 >= u64::from(window) * SHARE)?;
        let path = file_of(section)?;
        let message = text!(
            "fills-window",
            bytes = text_of_file(section).map_or(section.text.len(), |(_, text)| text.len()),
            tokens,
            percent = u64::from(tokens) * 100 / u64::from(window.max(1)),
            window
        );
        Some(Finding::new("fills-window", Severity::Warning, message).at(path))
    });
    found.collect()
}

/// `what`, and what the list of skills costs, and where programs that cut such lists cut this one.
fn with_list_cost(what: &Text, inputs: &prompt::Inputs<'_>, counted: &Counted<'_>) -> Text {
    let (readings, _) = prompt::read_skills(inputs);
    let listed: Vec<_> = readings.iter().filter(|reading| reading.skill.state == SkillState::OnDemand).collect();
    let lines: Vec<&str> = listed.iter().filter_map(|reading| reading.line.as_deref()).collect();
    let list = lines.join("\n");
    let bytes = list.len();
    let told = match counting::count(&mut Counter::default(), &list, counted.tokenizer).total {
        Some(tokens) => text!("with-list-cost", what, bytes, tokens),
        None => text!("with-list-size", what, bytes),
    };
    budgets::of(&readings).iter().fold(told, |what, budget| {
        let program = &budget.label;
        match (budget.limit, &budget.cut_at) {
            (None, _) => text!("with-list-uncut", what, program),
            (Some(_), None) => text!("with-list-whole", what, program),
            (Some(limit), Some(first)) => {
                let shown = listed.iter().position(|reading| reading.skill.name == *first).unwrap_or_default();
                text!("with-list-cut", what, program, shown, limit)
            }
        }
    })
}

/// Files of which an estimate by length is off by a factor of two or more, as it is for Chinese.
fn misjudged(counted: &Counted<'_>) -> Vec<Finding> {
    /// Below so many tokens of difference nobody is misled.
    const WORTH_TELLING: u32 = 200;
    let wrong = |tokens: u32, estimate: u32| {
        tokens.abs_diff(estimate) >= WORTH_TELLING && (tokens >= estimate * 2 || estimate >= tokens.saturating_mul(2))
    };
    let mut exact = Counter::default();
    let parts = counted.assembly.sections.iter().zip(&counted.counts.parts);
    let found = parts.filter_map(|(section, count)| {
        let (path, text) = text_of_file(section)?;
        let units = text.encode_utf16().count() as u32;
        let quarter = units.div_ceil(4);
        // The section is the file below its heading: a file that is off has a section that is nearly so.
        count
            .total
            .filter(|&tokens| tokens.abs_diff(quarter) >= WORTH_TELLING && tokens.abs_diff(quarter) >= quarter / 3)?;
        let count = counting::count(&mut exact, text, counted.tokenizer);
        let tokens = count.total.filter(|&tokens| wrong(tokens, quarter))?;
        let message =
            text!("length-misjudges", tokens, method = count.method.to_string(), quarter, third = units.div_ceil(3));
        Some(Finding::new("length-misjudges", Severity::Info, message).at(path))
    });
    found.collect()
}

/// The one file that a section holds, and its text without the heading; `None` for a section of several files.
fn text_of_file(section: &Section) -> Option<(&str, &str)> {
    let path = file_of(section)?;
    let mut of_files = section.spans.iter().filter(|span| matches!(span.source, Source::File { .. }));
    let start = of_files.clone().next()?.start as usize;
    let end = of_files.clone().next_back()?.end as usize;
    let one = of_files.all(|span| matches!(&span.source, Source::File { path: other, .. } if **other == *path));
    one.then(|| section.text.get(start..end)).flatten().map(|text| (path, text))
}
