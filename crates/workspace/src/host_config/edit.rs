//! The change of the list as a change of the text: pure.

use super::scan::{Fault, Kind, Node, scan};
use super::{KEYS, Switch, line_end};

/// A configuration that holds the list alone.
pub(super) fn minimal(name: &str) -> String {
    format!("{{\n  {}\n}}\n", member(&KEYS, name, "  ", "  ", "\n"))
}

/// The text with the change made; `None` when it says so already.
pub(super) fn switched(text: &str, change: Switch<'_>) -> Result<Option<String>, Fault> {
    let root = scan(text)?;
    if change.disabled { disabled(text, &root, change.name) } else { enabled(text, change.name) }
}

/// Where the list is looked for, as far as there is something.
enum Found<'a> {
    List(&'a Node),
    /// The innermost object that is there, and the keys that are missing in it.
    Missing(&'a Node, &'static [&'static str]),
}

/// Follows the keys. Of two equal ones the last counts, as it does for the host.
fn find(root: &Node) -> Result<Found<'_>, Fault> {
    let mut node = root;
    for (depth, key) in KEYS.iter().enumerate() {
        let Kind::Object(members) = &node.kind else {
            let name = if depth == 0 { "the whole".to_owned() } else { format!("\"{}\"", KEYS[depth - 1]) };
            return Err(Fault { at: node.range.start, message: format!("{name} is expected to be an object {{ }}") });
        };
        match members.iter().rev().find(|member| member.key == *key) {
            Some(member) => node = &member.value,
            None => return Ok(Found::Missing(node, &KEYS[depth..])),
        }
    }
    match node.kind {
        Kind::Array(_) | Kind::Null => Ok(Found::List(node)),
        _ => Err(Fault { at: node.range.start, message: "\"disabledSkills\" is expected to be a list [ ]".to_owned() }),
    }
}

fn is(node: &Node, name: &str) -> bool {
    matches!(&node.kind, Kind::Text(text) if text == name)
}

fn disabled(text: &str, root: &Node, name: &str) -> Result<Option<String>, Fault> {
    let put =
        |at: std::ops::Range<usize>, new: &str| Ok(Some(format!("{}{new}{}", &text[..at.start], &text[at.end..])));
    match find(root)? {
        Found::Missing(object, keys) => {
            let (at, new) = new_member(text, root, object, keys, name);
            put(at, &new)
        }
        Found::List(node) => {
            let Kind::Array(items) = &node.kind else { return put(node.range.clone(), &format!("[{}]", json(name))) };
            if items.iter().any(|item| is(item, name)) {
                return Ok(None);
            }
            let Some(last) = items.last() else {
                let at = node.range.start + 1;
                return put(at..at, &json(name));
            };
            // What stands before the last entry stands before the new one too; a comment does not.
            let before = blank_before(text, last.range.start);
            let space = if before.is_empty() && items.len() == 1 { " " } else { before };
            put(last.range.end..last.range.end, &format!(",{space}{}", json(name)))
        }
    }
}

/// Removes every entry of the name.
fn enabled(text: &str, name: &str) -> Result<Option<String>, Fault> {
    let mut text = text.to_owned();
    let mut changed = false;
    loop {
        let root = scan(&text)?;
        let Found::List(Node { kind: Kind::Array(items), range }) = find(&root)? else { break };
        let Some(at) = items.iter().position(|item| is(item, name)) else { break };
        let cut = match (at.checked_sub(1), items.get(at + 1)) {
            (Some(before), _) => comma(&text, items[before].range.end)..items[at].range.end,
            (None, Some(next)) => items[at].range.start..next.range.start,
            (None, None) => {
                let inner = range.start + 1..range.end - 1;
                let rest = [&text[inner.start..items[at].range.start], &text[items[at].range.end..inner.end]];
                if rest.iter().all(|rest| rest.trim().is_empty()) { inner } else { items[at].range.clone() }
            }
        };
        text.replace_range(cut, "");
        changed = true;
    }
    Ok(changed.then_some(text))
}

/// The comma behind an entry that ends at `from`: comments may stand before it.
fn comma(text: &str, from: usize) -> usize {
    let mut at = from;
    loop {
        let rest = &text[at..];
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else if rest.starts_with(',') || rest.is_empty() {
            return at;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
}

/// The white space right before a byte.
fn blank_before(text: &str, at: usize) -> &str {
    let before = &text[..at];
    &before[before.trim_end_matches([' ', '\t', '\r', '\n']).len()..]
}

/// Where a member goes that is missing, and its text.
fn new_member(text: &str, root: &Node, object: &Node, keys: &[&str], name: &str) -> (std::ops::Range<usize>, String) {
    let end = line_end(text);
    let Kind::Object(members) = &object.kind else { return (object.range.clone(), String::new()) };
    let unit = unit(text, root);
    let Some(last) = members.last() else {
        let inner = object.range.start + 1..object.range.end - 1;
        let kept = text[inner.clone()].trim_end();
        let outer = indentation(text, object.range.start);
        let own = format!("{outer}{unit}");
        let new = format!("{kept}{end}{own}{}{end}{outer}", member(keys, name, &own, &unit, end));
        return (inner, new);
    };
    let before = blank_before(text, last.start);
    let at = last.value.range.end;
    let new = if before.contains('\n') {
        let own = before.rsplit('\n').next().unwrap_or_default();
        format!(",{end}{own}{}", member(keys, name, own, &unit, end))
    } else {
        format!(",{}{}", if before.is_empty() && text.contains(": ") { " " } else { before }, short(keys, name))
    };
    (at..at, new)
}

/// What one level is indented by: what stands before the first member of the whole.
fn unit(text: &str, root: &Node) -> String {
    let first = match &root.kind {
        Kind::Object(members) => members.first().map(|member| blank_before(text, member.start)),
        _ => None,
    };
    let unit = first.and_then(|blank| blank.rsplit_once('\n')).map_or("", |(_, unit)| unit);
    if unit.is_empty() { "  ".to_owned() } else { unit.to_owned() }
}

/// The white space at the beginning of the line of a byte.
fn indentation(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
    let line = text[start..at].trim_start_matches('\u{FEFF}');
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// The keys within each other and the list, on lines of their own.
fn member(keys: &[&str], name: &str, own: &str, unit: &str, end: &str) -> String {
    match keys {
        [] => String::new(),
        [key] => format!("{}: [{}]", json(key), json(name)),
        [key, rest @ ..] => {
            let inner = format!("{own}{unit}");
            format!("{}: {{{end}{inner}{}{end}{own}}}", json(key), member(rest, name, &inner, unit, end))
        }
    }
}

/// The same on one line.
fn short(keys: &[&str], name: &str) -> String {
    match keys {
        [] => String::new(),
        [key] => format!("{}: [{}]", json(key), json(name)),
        [key, rest @ ..] => format!("{}: {{ {} }}", json(key), short(rest, name)),
    }
}

fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
