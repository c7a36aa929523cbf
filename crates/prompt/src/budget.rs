//! Degradation: what is given up, and in which order, until the prompt fits a number of tokens.
//!
//! The variant's `[budget]` lists what to keep, most important first. One item at a time goes, the last
//! listed first; of the lists `skill_lines` and `always_bodies` one skill at a time, again the last first. What
//! the list does not name never goes.

use std::sync::Arc;

use model::{Assembly, Finding, Severity, SkillState, SkipReason, text};

use crate::assemble::{Assembler, Inputs};
use crate::components::GivenUp;

/// Runs that are at most this long are tried item by item; longer ones by halving.
const ONE_BY_ONE: usize = 16;

/// One thing that can be given up.
enum Item {
    Component(String),
    Body(String),
    Line(String),
}

impl GivenUp {
    fn add(&mut self, item: &Item) {
        match item {
            Item::Component(name) => self.components.insert(name.clone()),
            Item::Body(name) => {
                self.lines.remove(name);
                self.bodies.insert(name.clone())
            }
            Item::Line(name) => self.lines.insert(name.clone()),
        };
    }
}

/// Assembles within `max_tokens`. `counter` gives the high bound of the tokens of some texts joined.
///
/// Equal is within. What went is in `skipped` with the reason `budget` and the tokens of its text. When nothing
/// more may go and the text is still over, the finding `budget-unreachable` says so.
pub fn degrade(
    assembler: &mut Assembler,
    inputs: &Inputs<'_>,
    max_tokens: u32,
    counter: &mut dyn FnMut(&[&str]) -> u32,
) -> Assembly {
    let whole = assembler.assemble(inputs);
    if tokens(&whole, counter) <= max_tokens {
        return whole;
    }
    let mut given_up = GivenUp::default();
    let mut best = whole;
    for run in runs(inputs, &best) {
        let mut after = |assembler: &mut Assembler, given_up: &GivenUp, count: usize| {
            let mut given_up = given_up.clone();
            run[..count].iter().for_each(|item| given_up.add(item));
            let assembly = assembler.assemble_without(inputs, &given_up);
            let fits = tokens(&assembly, counter) <= max_tokens;
            (given_up, assembly, fits)
        };
        let (all, assembly, fits) = after(assembler, &given_up, run.len());
        if !fits {
            (given_up, best) = (all, assembly);
            continue;
        }
        let mut fewest = assembly;
        if run.len() <= ONE_BY_ONE {
            for count in 1..run.len() {
                let (_, assembly, fits) = after(assembler, &given_up, count);
                if fits {
                    fewest = assembly;
                    break;
                }
            }
        } else {
            let (mut too_few, mut enough) = (0, run.len());
            while enough - too_few > 1 {
                let middle = usize::midpoint(too_few, enough);
                let (_, assembly, fits) = after(assembler, &given_up, middle);
                if fits {
                    (enough, fewest) = (middle, assembly);
                } else {
                    too_few = middle;
                }
            }
        }
        return with_savings(fewest, counter);
    }
    let message = text!("budget-unreachable", most = max_tokens);
    best.findings.push(Finding::new("budget-unreachable", Severity::Error, message));
    with_savings(best, counter)
}

/// The items in the order in which they go, a list's items together.
fn runs(inputs: &Inputs<'_>, whole: &Assembly) -> Vec<Vec<Item>> {
    let with_state = |state: SkillState| {
        whole.skills.iter().filter(move |skill| skill.state == state).map(|skill| skill.name.clone())
    };
    let run = |name: &String| match name.as_str() {
        "skill_lines" => with_state(SkillState::OnDemand).map(Item::Line).rev().collect(),
        "always_bodies" => {
            let listed: Vec<String> = with_state(SkillState::Always).collect();
            let order = inputs.target.always_on.iter().filter(|name| listed.contains(*name));
            order.rev().cloned().map(Item::Body).collect()
        }
        _ => vec![Item::Component(name.clone())],
    };
    inputs.variant.budget.keep.iter().rev().map(run).filter(|run: &Vec<Item>| !run.is_empty()).collect()
}

fn tokens(assembly: &Assembly, counter: &mut dyn FnMut(&[&str]) -> u32) -> u32 {
    let texts: Vec<&str> = assembly.sections.iter().map(|section| &*section.text).collect();
    counter(&texts)
}

/// Fills in what each thing that was given up saves.
fn with_savings(mut assembly: Assembly, counter: &mut dyn FnMut(&[&str]) -> u32) -> Assembly {
    for skipped in assembly.skipped.iter_mut().filter(|skipped| skipped.reason == SkipReason::Budget) {
        skipped.tokens = skipped.text.as_ref().map(|text: &Arc<str>| counter(&[text]));
    }
    assembly
}
