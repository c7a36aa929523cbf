//! What only a second assembly tells: whether the prompt stays the same as time goes, and where channels part.

use jiff::{SignedDuration, Timestamp};
use model::{Assembly, Context, Finding, Severity, text};
use prompt::{Assembler, Inputs, tool_block_hash};
use serde_json::{Value, json};

use crate::api::outputs::FactOutput;
use crate::channels::CHANNELS;

/// Longer than a minute, so that a clock which shows minutes shows another one.
const LATER: SignedDuration = SignedDuration::from_secs(61);
/// A channel's name that nothing can know, of characters for private use.
const NO_CHANNEL: &str = "\u{F8FF}\u{F8FE}";

/// The facts about what `assembly` was made from.
pub(crate) fn facts(inputs: &Inputs<'_>, assembly: &Assembly) -> Vec<FactOutput> {
    let mut assembler = Assembler::default();
    [stable(&mut assembler, inputs), Some(part_at(&mut assembler, inputs)), tool_block(inputs, assembly)]
        .into_iter()
        .flatten()
        .collect()
}

fn fact(id: &str, value: Value, message: String) -> FactOutput {
    FactOutput { id: id.to_owned(), value, message }
}

/// The prompt at two moments; nothing when the context's time is none.
fn stable(assembler: &mut Assembler, inputs: &Inputs<'_>) -> Option<FactOutput> {
    let time: Timestamp = match inputs.context.time.as_deref() {
        Some(time) => time.parse().ok()?,
        None => Timestamp::UNIX_EPOCH,
    };
    let mut at = |time: Timestamp| {
        let context = Context { time: Some(time.to_string()), ..inputs.context.clone() };
        // A new assembler each time: what is kept cannot be what makes them equal.
        *assembler = Assembler::default();
        assembler.assemble(&Inputs { context: &context, ..*inputs })
    };
    let (before, after) = (at(time), at(time.checked_add(LATER).ok()?));
    let message = match first_difference(&before, &after) {
        None => format!(
            "Prefix stable: yes. Two assemblies {} seconds apart give the same {} bytes; only the user message may tell the time.",
            LATER.as_secs(),
            before.text().len()
        ),
        Some((at, section)) => format!(
            "Prefix stable: no. Two assemblies {} seconds apart part at byte {at}, in {section}; everything behind it is read anew each time.",
            LATER.as_secs()
        ),
    };
    Some(fact("prefix-stable", json!(first_difference(&before, &after).is_none()), message))
}

/// Where the prompts of the known channels part.
fn part_at(assembler: &mut Assembler, inputs: &Inputs<'_>) -> FactOutput {
    let mut for_channel = |channel: &str| assemble_for(assembler, inputs, channel);
    let mut first: Option<(usize, String)> = None;
    if let Some(((known, _), others)) = CHANNELS.split_first() {
        let known = for_channel(known);
        for (channel, _) in others {
            if let Some((at, section)) = first_difference(&known, &for_channel(channel))
                && first.as_ref().is_none_or(|(before, _)| at < *before)
            {
                first = Some((at, section));
            }
        }
    }
    let message = match &first {
        None => "All channels get the same prompt.".to_owned(),
        Some((at, section)) => format!(
            "The prompts of the {} channels part at byte {at}, in {section}. They share what stands before; behind it \
             each channel has a cached copy of its own.",
            CHANNELS.len()
        ),
    };
    fact("channels-part-at", first.map_or(Value::Null, |(at, _)| json!(at)), message)
}

fn tool_block(inputs: &Inputs<'_>, assembly: &Assembly) -> Option<FactOutput> {
    let hash = tool_block_hash(inputs.context)?.to_string();
    let count = assembly.tool_schemas.len();
    let what = if count == 0 { "The list of tools".to_owned() } else { format!("The block of {count} tools") };
    let message = format!("{what} is sorted by server and tool. Its hash is {hash}.");
    Some(fact("tool-block", json!(hash), message))
}

/// A channel that was named, and for which the prompt says nothing but its name: other channels have a part of their
/// own there. The default channel has none by design.
pub(crate) fn without_hint(inputs: &Inputs<'_>, assembly: &Assembly) -> Option<Finding> {
    let channel = inputs
        .context
        .channel
        .as_deref()
        .filter(|channel| !channel.is_empty() && !channel.eq_ignore_ascii_case(model::DEFAULT_CHANNEL))?;
    let of_none = assemble_for(&mut Assembler::default(), inputs, NO_CHANNEL).text();
    let masked = |text: &str| text.replace(channel, NO_CHANNEL);
    let message = text!("channel-without-hint", channel, default = model::DEFAULT_CHANNEL);
    let same = masked(&assembly.text()) == masked(&of_none);
    same.then(|| Finding::new("channel-without-hint", Severity::Info, message))
}

fn assemble_for(assembler: &mut Assembler, inputs: &Inputs<'_>, channel: &str) -> Assembly {
    let context = Context { channel: Some(channel.to_owned()), ..inputs.context.clone() };
    assembler.assemble(&Inputs { context: &context, ..*inputs })
}

/// The first byte in which two prompts differ, at the beginning of a character, and the title of its section.
fn first_difference(a: &Assembly, b: &Assembly) -> Option<(usize, String)> {
    let (a_text, b_text) = (a.text(), b.text());
    if a_text == b_text {
        return None;
    }
    let equal = a_text.bytes().zip(b_text.bytes()).take_while(|(a, b)| a == b).count();
    let at = b_text.floor_char_boundary(equal);
    let section = b.sections.iter().find(|section| at < section.end() as usize).or(b.sections.last());
    Some((at, section.map_or_else(String::new, |section| section.title.to_string())))
}
