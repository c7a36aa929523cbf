//! Values as the original's JavaScript sees them: truth, printing, properties, order of keys, equality.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use serde_json::Value as Json;

use super::javascript::{array_index, number_text, sort_keys, text_number};
use super::scope::{Frame, PartialBlock};

/// A value, and where in the given values it lies.
#[derive(Clone)]
pub(super) struct Named<'a> {
    pub(super) value: Value<'a>,
    /// Path from the root (`boat.crew[0]`, empty for the root itself); `None` when it was computed.
    pub(super) path: Option<Arc<str>>,
}

/// A JavaScript value, as far as templates can meet one.
#[derive(Clone)]
pub(super) enum Value<'a> {
    Undefined,
    Null,
    Boolean(bool),
    Number(f64),
    Text(Text<'a>),
    /// An array or an object of the given values.
    Json(&'a Json),
    /// A context with `key=value` pairs laid over it.
    Merged(Rc<Merged<'a>>),
    /// Block parameters seen as an array.
    List(Rc<[Named<'a>]>),
    /// What stands in for a context that is null.
    Empty,
    /// The `@` variables of a block.
    Frame(Rc<Frame<'a>>),
    /// `@partial-block`, the only function there is.
    Block(Rc<PartialBlock<'a>>),
}

/// Text of the given values, or text made while rendering.
#[derive(Clone, Debug)]
pub(super) enum Text<'a> {
    Given(&'a str),
    Made(Rc<str>),
}

/// The context of a partial that was called with pairs. Pairs win.
pub(super) struct Merged<'a> {
    pub(super) base: Named<'a>,
    pub(super) pairs: Vec<(&'a str, Named<'a>)>,
}

impl std::ops::Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Given(text) => text,
            Self::Made(text) => text,
        }
    }
}

impl<'a> From<Value<'a>> for Named<'a> {
    /// A computed value.
    fn from(value: Value<'a>) -> Self {
        Self { value, path: None }
    }
}

impl<'a> From<&'a Json> for Value<'a> {
    fn from(json: &'a Json) -> Self {
        match json {
            Json::Null => Self::Null,
            Json::Bool(value) => Self::Boolean(*value),
            // JavaScript has no other numbers; integers beyond 2^53 lose digits there, too.
            Json::Number(number) => Self::Number(number.as_f64().unwrap_or(f64::NAN)),
            Json::String(text) => Self::Text(Text::Given(text)),
            Json::Array(_) | Json::Object(_) => Self::Json(json),
        }
    }
}

impl<'a> Value<'a> {
    pub(super) fn made(text: &str) -> Self {
        Self::Text(Text::Made(text.into()))
    }

    pub(super) fn is_nullish(&self) -> bool {
        matches!(self, Self::Undefined | Self::Null)
    }

    /// JavaScript's truth: empty arrays and objects are true.
    pub(super) fn is_truthy(&self) -> bool {
        match self {
            Self::Undefined | Self::Null => false,
            Self::Boolean(value) => *value,
            Self::Number(number) => *number != 0.0 && !number.is_nan(),
            Self::Text(text) => !text.is_empty(),
            _ => true,
        }
    }

    /// What `#if` and `#with` take for nothing: all that is false except 0, and empty arrays.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Number(number) => number.is_nan(),
            Self::Json(Json::Array(items)) => items.is_empty(),
            Self::List(items) => items.is_empty(),
            _ => !self.is_truthy(),
        }
    }

    /// The own property of this name; prototypes do not exist here.
    pub(super) fn get(&self, name: &str) -> Value<'a> {
        match self {
            Self::Json(Json::Object(map)) => map.get(name).map_or(Self::Undefined, Self::from),
            Self::Json(Json::Array(items)) if name == "length" => Self::Number(items.len() as f64),
            Self::Json(Json::Array(items)) => {
                array_index(name).and_then(|at| items.get(at)).map_or(Self::Undefined, Self::from)
            }
            Self::Text(text) if name == "length" => Self::Number(text.encode_utf16().count() as f64),
            Self::Text(text) => array_index(name).and_then(|at| unit(text, at)).unwrap_or(Self::Undefined),
            Self::Merged(merged) => merged.get(name).value,
            Self::List(items) if name == "length" => Self::Number(items.len() as f64),
            Self::List(items) => {
                array_index(name).and_then(|at| items.get(at)).map_or(Self::Undefined, |item| item.value.clone())
            }
            Self::Frame(frame) => frame.get(name).value,
            _ => Self::Undefined,
        }
    }

    /// Prints the value as JavaScript's `String()` does.
    pub(super) fn print(&self) -> Cow<'_, str> {
        match self {
            Self::Undefined => Cow::Borrowed("undefined"),
            Self::Null => Cow::Borrowed("null"),
            Self::Boolean(value) => Cow::Borrowed(if *value { "true" } else { "false" }),
            Self::Number(number) => Cow::Owned(number_text(*number)),
            Self::Text(text) => Cow::Borrowed(text),
            Self::Json(json) => {
                let mut out = String::new();
                join(json, &mut out);
                Cow::Owned(out)
            }
            Self::List(items) => {
                let texts =
                    items.iter().map(|item| if item.value.is_nullish() { "".into() } else { item.value.print() });
                Cow::Owned(texts.collect::<Vec<_>>().join(","))
            }
            Self::Block(_) => Cow::Borrowed(""),
            Self::Merged(_) | Self::Empty | Self::Frame(_) => Cow::Borrowed("[object Object]"),
        }
    }

    fn is_object(&self) -> bool {
        !matches!(self, Self::Undefined | Self::Null | Self::Boolean(_) | Self::Number(_) | Self::Text(_))
    }

    /// Whether two objects are one and the same.
    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Json(a), Self::Json(b)) => std::ptr::eq(*a, *b),
            (Self::Merged(a), Self::Merged(b)) => Rc::ptr_eq(a, b),
            (Self::List(a), Self::List(b)) => Rc::ptr_eq(a, b),
            (Self::Frame(a), Self::Frame(b)) => Rc::ptr_eq(a, b),
            (Self::Block(a), Self::Block(b)) => Rc::ptr_eq(a, b),
            (Self::Empty, Self::Empty) => true,
            _ => false,
        }
    }

    /// JavaScript's `==`. The original compares contexts with it to decide whether `../` has one level more.
    #[allow(clippy::float_cmp, reason = "this is the comparison of the language that is reproduced")]
    pub(super) fn loosely_equals(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(a), Self::Text(b)) => **a == **b,
            (a, b) if a.is_nullish() || b.is_nullish() => a.is_nullish() && b.is_nullish(),
            (a, b) if a.is_object() && b.is_object() => a.is_same(b),
            (Self::Text(text), object) | (object, Self::Text(text)) if object.is_object() => object.prints_as(text),
            (a, b) => a.to_number() == b.to_number(),
        }
    }

    /// Whether an object prints as `text`, without printing more of it than the text is long.
    fn prints_as(&self, text: &str) -> bool {
        match self {
            Self::Json(json) => strip_joined(json, text) == Some(""),
            _ => self.print() == text,
        }
    }

    fn to_number(&self) -> f64 {
        match self {
            Self::Boolean(value) => f64::from(u8::from(*value)),
            Self::Number(number) => *number,
            Self::Text(text) => text_number(text),
            // The text of two items has a comma, that of an object a bracket: no number.
            Self::Json(Json::Array(items)) => match &items[..] {
                [] => 0.0,
                [item] => Value::from(item).array_item_number(),
                _ => f64::NAN,
            },
            Self::List(items) if items.len() < 2 => text_number(&self.print()),
            _ => f64::NAN,
        }
    }

    /// The number that an array of this one item stands for.
    fn array_item_number(&self) -> f64 {
        match self {
            Self::Undefined | Self::Null => 0.0,
            // The item is printed first: `[true]` is the text "true", which is no number.
            Self::Boolean(_) => f64::NAN,
            _ => self.to_number(),
        }
    }
}

impl<'a> Named<'a> {
    /// The property of this name, with its path.
    pub(super) fn get(&self, name: &str) -> Named<'a> {
        match &self.value {
            Value::Merged(merged) => merged.get(name),
            Value::Frame(frame) => frame.get(name),
            value => Named { value: value.get(name), path: self.path.as_ref().map(|path| step(path, name)) },
        }
    }

    /// The item at an index of an array, with its path.
    pub(super) fn item(&self, index: usize) -> Named<'a> {
        match &self.value {
            Value::Json(Json::Array(items)) => Named {
                value: items.get(index).map_or(Value::Undefined, Value::from),
                path: self.path.as_ref().map(|path| format!("{path}[{index}]").into()),
            },
            Value::List(items) => items.get(index).cloned().unwrap_or(Value::Undefined.into()),
            _ => Value::Undefined.into(),
        }
    }

    /// The enumerable own properties in JavaScript's order.
    pub(super) fn entries(&self) -> Vec<(Text<'a>, Named<'a>)> {
        let at = |name: &str| self.path.as_ref().map(|path| step(path, name));
        let mut entries: Vec<(Text<'a>, Named<'a>)> = match &self.value {
            Value::Json(Json::Object(map)) => {
                map.iter().map(|(key, item)| (Text::Given(key), Named { value: item.into(), path: at(key) })).collect()
            }
            Value::Json(Json::Array(items)) => (0..)
                .zip(items)
                .map(|(index, item)| numbered(index, Named { value: item.into(), path: at(&index.to_string()) }))
                .collect(),
            Value::Text(text) => {
                let units: Vec<u16> = text.encode_utf16().collect();
                (0..).zip(units).map(|(index, unit)| numbered(index, unit_text(unit).into())).collect()
            }
            Value::List(items) => (0..).zip(items.iter()).map(|(index, item)| numbered(index, item.clone())).collect(),
            Value::Merged(merged) => {
                // A key that both have keeps its place among the base's.
                let mut all = merged.base.entries();
                for (key, item) in &mut all {
                    if let Some(pair) = merged.pair(key) {
                        *item = pair.clone();
                    }
                }
                for (key, item) in &merged.pairs {
                    if merged.base.enumerable(key).is_none() {
                        all.push((Text::Given(key), item.clone()));
                    }
                }
                all
            }
            _ => Vec::new(),
        };
        sort_keys(&mut entries, |(key, _)| key);
        entries
    }

    /// The property that a copy of this object would have.
    fn enumerable(&self, name: &str) -> Option<Named<'a>> {
        match &self.value {
            Value::Json(Json::Object(map)) => map.contains_key(name).then(|| self.get(name)),
            Value::Json(Json::Array(items)) => array_index(name).filter(|at| *at < items.len()).map(|_| self.get(name)),
            Value::List(items) => array_index(name).and_then(|at| items.get(at)).cloned(),
            Value::Text(text) => array_index(name).and_then(|at| unit(text, at)).map(Named::from),
            Value::Merged(merged) => merged.pair(name).cloned().or_else(|| merged.base.enumerable(name)),
            _ => None,
        }
    }
}

impl<'a> Merged<'a> {
    fn pair(&self, name: &str) -> Option<&Named<'a>> {
        self.pairs.iter().find_map(|(key, item)| (*key == name).then_some(item))
    }

    fn get(&self, name: &str) -> Named<'a> {
        self.pair(name).cloned().or_else(|| self.base.enumerable(name)).unwrap_or(Value::Undefined.into())
    }
}

fn numbered(index: usize, item: Named<'_>) -> (Text<'_>, Named<'_>) {
    (Text::Made(index.to_string().into()), item)
}

/// The UTF-16 unit at an index, as text.
fn unit<'a>(text: &str, at: usize) -> Option<Value<'a>> {
    text.encode_utf16().nth(at).map(unit_text)
}

/// One UTF-16 unit. Half of a surrogate pair cannot be written in UTF-8; it prints as U+FFFD.
fn unit_text<'a>(unit: u16) -> Value<'a> {
    Value::made(&String::from_utf16_lossy(&[unit]))
}

/// Prints as `Array.prototype.toString` and `Object.prototype.toString`.
fn join(json: &Json, out: &mut String) {
    match json {
        Json::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                if !item.is_null() {
                    join(item, out);
                }
            }
        }
        Json::Object(_) => out.push_str("[object Object]"),
        _ => out.push_str(&Value::from(json).print()),
    }
}

/// What is left of `text` after the printed `json`; `None` when it does not begin with that.
fn strip_joined<'t>(json: &Json, text: &'t str) -> Option<&'t str> {
    match json {
        Json::Array(items) => items.iter().enumerate().try_fold(text, |text, (at, item)| {
            let text = if at > 0 { text.strip_prefix(',')? } else { text };
            if item.is_null() { Some(text) } else { strip_joined(item, text) }
        }),
        Json::Object(_) => text.strip_prefix("[object Object]"),
        _ => text.strip_prefix(&*Value::from(json).print()),
    }
}

/// A path one step longer.
fn step(path: &str, name: &str) -> Arc<str> {
    let mut longer = String::with_capacity(path.len() + name.len() + 4);
    longer.push_str(path);
    push_step(&mut longer, name);
    longer.into()
}

/// Appends a step in the notation of source maps: `.name`, `[2]`, `["odd name"]`.
pub(super) fn push_step(path: &mut String, name: &str) {
    use std::fmt::Write as _;
    let odd = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '.' | '[' | ']' | '"' | '\\');
    let dot = if path.is_empty() { "" } else { "." };
    // Writing to a string cannot fail.
    let _ = if array_index(name).is_some() {
        write!(path, "[{name}]")
    } else if name.is_empty() || name.contains(odd) {
        write!(path, "[{name:?}]")
    } else {
        write!(path, "{dot}{name}")
    };
}

/// A path that goes on with steps already written out.
pub(super) fn extend(path: &Arc<str>, steps: &Arc<str>) -> Arc<str> {
    if path.is_empty() {
        Arc::clone(steps)
    } else if steps.is_empty() {
        Arc::clone(path)
    } else {
        let dot = if steps.starts_with('[') { "" } else { "." };
        [path, dot, steps].concat().into()
    }
}
