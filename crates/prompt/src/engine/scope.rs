//! What a program sees while it runs: context, outer contexts, `@` variables, block parameters and the
//! partials in force.
//!
//! Contexts and frames are shared lists, so that entering a block costs the same however deep it is.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::Partials;
use super::nodes::{Code, ProgramId};
use super::value::{Named, Value};

/// One template as it is being rendered: its nodes, and the partials in force at this moment.
///
/// Inline partials are in force while the program that defines them runs, for whatever is called
/// meanwhile, as in the original: the scope is dynamic.
pub(super) struct Container<'a> {
    pub(super) code: &'a Code,
    /// Name of the partial; `None` for the template itself.
    pub(super) name: Option<Arc<str>>,
    pub(super) partials: RefCell<PartialScope<'a>>,
}

/// The environment of one run of a program.
pub(super) struct Scope<'a> {
    pub(super) container: Rc<Container<'a>>,
    /// The partials in force when the run began.
    pub(super) partials: PartialScope<'a>,
    pub(super) context: Named<'a>,
    /// The context and those around it; kept only where a template looks outward.
    pub(super) contexts: List<Named<'a>>,
    pub(super) data: Rc<Frame<'a>>,
    pub(super) params: List<Params<'a>>,
}

/// A shared list, the newest item first.
pub(super) struct List<T>(Option<Rc<Cell<T>>>);

struct Cell<T> {
    item: T,
    next: List<T>,
}

impl<T> Clone for List<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> List<T> {
    pub(super) fn empty() -> Self {
        Self(None)
    }

    /// This list with one item more.
    pub(super) fn with(&self, item: T) -> Self {
        Self(Some(Rc::new(Cell { item, next: self.clone() })))
    }

    /// The items, the newest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        std::iter::successors(self.0.as_deref(), |cell| cell.next.0.as_deref()).map(|cell| &cell.item)
    }

    /// The item so many places from the newest.
    pub(super) fn get(&self, places: usize) -> Option<&T> {
        self.iter().nth(places)
    }
}

/// The block parameters that one program was called with.
#[derive(Clone)]
pub(super) enum Params<'a> {
    /// None were passed; to ask for one is an error.
    Missing,
    Values(Rc<[Named<'a>]>),
    /// The caller's own list stands in their place: a slip of the original, kept.
    Caller(List<Params<'a>>),
}

impl<'a> Params<'a> {
    /// The parameter at an index; `None` when none were passed at all.
    pub(super) fn get(&self, index: usize) -> Option<Named<'a>> {
        match self {
            Self::Missing => None,
            Self::Values(values) => Some(values.get(index).cloned().unwrap_or(Value::Undefined.into())),
            Self::Caller(list) => Some(list.get(index).map_or(Value::Undefined, Self::as_value).into()),
        }
    }

    fn as_value(&self) -> Value<'a> {
        match self {
            Self::Missing => Value::Undefined,
            Self::Values(values) => Value::List(Rc::clone(values)),
            Self::Caller(list) => Value::List(list.iter().map(|params| Named::from(params.as_value())).collect()),
        }
    }
}

/// The `@` variables of a block.
#[derive(Clone, Default)]
pub(super) struct Frame<'a> {
    pub(super) parent: Option<Rc<Frame<'a>>>,
    pub(super) root: Option<Named<'a>>,
    pub(super) step: Option<Step<'a>>,
    pub(super) block: Option<Rc<PartialBlock<'a>>>,
}

/// What `#each` tells its body.
#[derive(Clone)]
pub(super) struct Step<'a> {
    pub(super) key: Value<'a>,
    pub(super) index: usize,
    pub(super) last: bool,
}

impl<'a> Frame<'a> {
    /// A frame with the same variables, and this one as its `@../`.
    pub(super) fn child(self: &Rc<Self>) -> Self {
        Self { parent: Some(Rc::clone(self)), ..Self::clone(self) }
    }

    /// The variable of this name.
    pub(super) fn get(&self, name: &str) -> Named<'a> {
        let step = self.step.as_ref();
        let value = match name {
            "root" => return self.root.clone().unwrap_or(Value::Undefined.into()),
            "key" => step.map(|step| step.key.clone()),
            "index" => step.map(|step| Value::Number(step.index as f64)),
            "first" => step.map(|step| Value::Boolean(step.index == 0)),
            "last" => step.map(|step| Value::Boolean(step.last)),
            "_parent" => self.parent.as_ref().map(|parent| Value::Frame(Rc::clone(parent))),
            "partial-block" => self.block.as_ref().map(|block| Value::Block(Rc::clone(block))),
            _ => None,
        };
        value.unwrap_or(Value::Undefined).into()
    }
}

/// A program with the scope it was written in.
#[derive(Clone)]
pub(super) struct Closure<'a> {
    pub(super) program: ProgramId,
    pub(super) scope: Rc<Scope<'a>>,
    pub(super) inlines: Option<Rc<Inlines<'a>>>,
}

/// The inline partials of one program, in order; a name without block hides a partial of that name.
pub(super) type Inlines<'a> = Vec<(String, Option<Closure<'a>>)>;

/// The block of `{{#> name}}`, and the one that was in force around it.
pub(super) struct PartialBlock<'a> {
    pub(super) closure: Closure<'a>,
    pub(super) outer: Option<Rc<PartialBlock<'a>>>,
}

/// The partials in force: inline ones by layers, then those registered.
#[derive(Clone)]
pub(super) struct PartialScope<'a> {
    pub(super) registered: &'a Partials,
    pub(super) layers: List<Rc<Inlines<'a>>>,
}

/// What a partial's name stands for.
pub(super) enum Target<'a> {
    Template(Arc<str>, &'a super::Registered),
    Inline(Closure<'a>),
    Block(Rc<PartialBlock<'a>>),
}

impl<'a> PartialScope<'a> {
    /// With one more layer, if there is one.
    pub(super) fn with(&self, layer: Option<&Rc<Inlines<'a>>>) -> Self {
        let layers = layer.map_or_else(|| self.layers.clone(), |layer| self.layers.with(Rc::clone(layer)));
        Self { registered: self.registered, layers }
    }

    /// The partial of this name.
    pub(super) fn find(&self, name: &str) -> Option<Target<'a>> {
        for layer in self.layers.iter() {
            if let Some((_, closure)) = layer.iter().rev().find(|(known, _)| known == name) {
                return closure.clone().map(Target::Inline);
            }
        }
        self.registered.find(name).map(|(name, registered)| Target::Template(name, registered))
    }
}
