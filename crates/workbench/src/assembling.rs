//! One assembly from the disk, as the command line does it: read, assemble, degrade, count, compare, record.

use std::path::PathBuf;
use std::sync::Arc;

use history::{History, Reason};
use model::paths::resolve;
use model::{Assembly, Context, Finding, Places, Snapshot, Target, Variant};
use prompt::{Assembler, Attachments, targets};
use tokens::{Counter, SectionCounts, Tokenizer};
use workspace::reader::{ReadRequest, read_once};

use crate::api::{ApiError, Settings};
use crate::contexts::{self, Layered, Origin};
use crate::machine::Machine;
use crate::place::Place;
use crate::recording::{self, Occasion, Unchanged};
use crate::variants::{self, Registry};
use crate::{attachments, counting, kept_prompt, settings};

/// What to assemble.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Where.
    pub place: Place,
    /// A context file.
    pub context_file: Option<PathBuf>,
    /// Flags: a context that beats the file.
    pub flags: Context,
    /// The variant; else what was chosen for the workspace, else the settings', else `catbuddy`.
    pub variant: Option<String>,
}

/// Everything an assembly is made from, read and settled.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// Where the parts were read.
    pub places: Places,
    /// The context in its layers.
    pub layers: Layered,
    /// The context in force.
    pub context: Context,
    /// The variant.
    pub variant: Arc<Variant>,
    /// The target.
    pub target: Arc<Target>,
    /// What stands on disk.
    pub snapshot: Arc<Snapshot>,
    /// Images of the message.
    pub attachments: Attachments,
    /// What was noticed about settings and variants.
    pub findings: Vec<Finding>,
    /// The moment of reading.
    pub machine: Machine,
}

impl Inputs {
    /// What the assembler takes.
    pub(crate) fn parts(&self) -> prompt::Inputs<'_> {
        let Self { snapshot, variant, target, context, attachments, .. } = self;
        prompt::Inputs { snapshot, variant, target, context, attachments }
    }
}

/// An assembly with its figures.
#[derive(Clone, Debug)]
pub struct Assembled {
    /// What it was made from.
    pub inputs: Inputs,
    /// The assembly.
    pub assembly: Assembly,
    /// Tokens of sections and whole.
    pub counts: SectionCounts,
    /// How they were counted.
    pub tokenizer: Tokenizer,
    /// What is unchanged since the last recorded assembly.
    pub unchanged: Option<Unchanged>,
    /// Problems that do not touch the assembly, such as a history that cannot be written.
    pub warnings: Vec<String>,
}

/// The layers of the context for a request.
///
/// # Errors
/// When the context file cannot be read or is no context.
pub fn layers(request: &Request, settings: &Settings, machine: &Machine) -> Result<Layered, ApiError> {
    let mut layers = request.place.context(settings, machine).with(Origin::Flag, request.flags.clone());
    if let Some(path) = &request.context_file {
        layers = layers.with(Origin::File, contexts::read_file(path)?);
    }
    Ok(layers)
}

/// Reads everything that a request needs.
///
/// # Errors
/// A context or variant that cannot be used, or an ambiguous project. Files that cannot be read are findings.
pub fn read(request: &Request) -> Result<Inputs, ApiError> {
    let machine = Machine::here();
    let settings = settings::load(&request.place.home);
    let mut findings = settings.findings;
    let kept = settings.value;
    let settings = &kept.settings;
    findings.extend(request.place.configured_disabled_skills().findings);
    let layers = layers(request, settings, &machine)?;
    let context = layers.merged();
    let target = targets::catbuddy();
    let places = request.place.resolve(settings, &context, &machine, &target)?;
    let choices = kept.of(&resolve(&places.process_cwd, &places.workspace));
    let own_profile = request.place.own_profile.unwrap_or(choices.own_profile);
    let target = Arc::new(if own_profile { target.with_own_profile() } else { target });
    let registry = Registry::read(&request.place);
    let variant = request
        .variant
        .as_deref()
        .or(choices.variant.as_deref())
        .or(settings.variant.as_deref())
        .unwrap_or(variants::DEFAULT);
    let variant = registry.get(variant)?;
    findings.extend(registry.findings);
    findings.extend(other_layout(&places, &target));
    let snapshot = Arc::new(read_once(ReadRequest {
        places: places.clone(),
        target: Arc::clone(&target),
        shipped: prompt::shipped_app(),
    }));
    let attachments = attachments::read(&context);
    Ok(Inputs { places, layers, context, variant, target, snapshot, attachments, findings, machine })
}

/// Told when the project has a second workspace in the other layout.
pub(crate) fn other_layout(places: &Places, target: &Target) -> Option<Finding> {
    let full = |path: &str| PathBuf::from(resolve(&places.process_cwd, path));
    workspace::places::other_layout(&full(&places.workspace), &full(&places.global), target)
}

/// Assembles what was read, within the context's token budget.
pub fn assemble(inputs: &Inputs, counter: &mut Counter, tokenizer: Tokenizer) -> Assembly {
    let parts = inputs.parts();
    let mut assembler = Assembler::default();
    match inputs.context.max_tokens {
        None => assembler.assemble(&parts),
        Some(limit) => prompt::degrade(&mut assembler, &parts, limit, &mut |sections| {
            counting::high_bound(counter, sections, tokenizer)
        }),
    }
}

/// The system prompt of what was read, without counting anything.
pub fn text_alone(inputs: &Inputs) -> String {
    Assembler::default().assemble(&inputs.parts()).text()
}

/// Reads, assembles, counts and compares; records when a reason is given.
///
/// # Errors
/// As [`read`].
pub fn run(request: &Request, record: Option<Reason>) -> Result<Assembled, ApiError> {
    let inputs = read(request)?;
    let mut counter = Counter::default();
    let tokenizer = counting::tokenizer(inputs.context.provider.as_deref(), inputs.context.model.as_deref());
    let mut assembly = assemble(&inputs, &mut counter, tokenizer);
    let counts = counting::count_assembly(&mut counter, &mut assembly, tokenizer);
    let mut assembled = Assembled { inputs, assembly, counts, tokenizer, unchanged: None, warnings: Vec::new() };
    if let Err(error) = remember(&mut assembled, &mut counter, record) {
        assembled.warnings.push(format!("The history was left out. {error}"));
    }
    Ok(assembled)
}

/// Compares with the history, and records. Without a reason to record nothing is made on disk.
fn remember(
    assembled: &mut Assembled,
    counter: &mut Counter,
    record: Option<Reason>,
) -> Result<(), history::HistoryError> {
    let Assembled { inputs, assembly, counts, tokenizer, .. } = assembled;
    let path = settings::history_path(&std::path::PathBuf::from(&inputs.places.home));
    if record.is_none() && !path.exists() {
        return Ok(());
    }
    let history = History::open(&path, inputs.machine.now)?;
    inputs.findings.extend(kept_prompt::findings(Some(&history), &inputs.snapshot, assembly));
    let unchanged = recording::unchanged(&history, counter, &inputs.places, assembly, counts, *tokenizer)?;
    if let Some(reason) = record {
        let model = inputs.context.model.as_deref();
        let occasion = Occasion { now: inputs.machine.now, reason, model };
        recording::record(&history, &inputs.places, assembly, counts, unchanged.as_ref(), occasion)?;
    }
    assembled.unchanged = unchanged;
    Ok(())
}
