//! Blocks: the built-in block helpers, and sections over a value.

use std::rc::Rc;

use serde_json::Value as Json;

use super::error::ErrorClass;
use super::machine::{Each, Items, Machine, Run, Task, shown};
use super::nodes::{Block, Builtin, Call, Callee, ProgramId};
use super::output::Site;
use super::scope::{Closure, Inlines, Params, Scope};
use super::value::{Named, Value};

/// Inline partials that define inline partials: they are defined by recursion.
const MAX_INLINES: usize = 64;

/// The two bodies of a block.
struct Bodies<'a> {
    program: Option<Closure<'a>>,
    inverse: Option<Closure<'a>>,
}

impl<'a> Machine<'a> {
    /// Runs a block: evaluates its arguments, then puts the body that is wanted on the task list.
    pub(super) fn block(&mut self, block: &'a Block, scope: &Rc<Scope<'a>>) -> Run<()> {
        let call = &block.call;
        match call.callee {
            Callee::Value | Callee::Ambiguous => {
                let value = Self::path(&call.path, scope)?;
                let bodies = self.bodies(block, scope)?;
                if self.is_raw(call) {
                    self.body(bodies.program.as_ref(), helper_context(scope), scope, Params::Missing);
                    return Ok(());
                }
                if let Value::Block(partial_block) = &value.value {
                    let text = self.call_block(partial_block, &[], scope, &call.place)?;
                    // A section takes a function for its helper; anywhere else its text is the value.
                    if call.callee == Callee::Ambiguous {
                        self.print(&text, call, scope);
                        return Ok(());
                    }
                    self.section(bodies, text, scope);
                    return Ok(());
                }
                self.section(bodies, value, scope);
                Ok(())
            }
            Callee::Helper => {
                let callable = Self::callable(&call.path, scope)?;
                let params = self.expressions(&call.params, scope)?;
                self.pairs(call.hash.as_ref(), scope)?;
                let bodies = self.bodies(block, scope)?;
                if self.is_raw(call) {
                    self.body(bodies.program.as_ref(), helper_context(scope), scope, Params::Missing);
                    return Ok(());
                }
                let value = self.unknown_helper(call, callable, &params, scope)?;
                self.print(&value, call, scope);
                Ok(())
            }
            Callee::Builtin(Builtin::Hook) => Self::not_callable(call, scope),
            Callee::Builtin(builtin) => {
                let params = self.expressions(&call.params, scope)?;
                let pairs = self.pairs(call.hash.as_ref(), scope)?;
                let bodies = self.bodies(block, scope)?;
                self.builtin(builtin, call, &params, &pairs, bodies, scope)
            }
        }
    }

    fn builtin(
        &mut self,
        builtin: Builtin,
        call: &'a Call,
        params: &[Named<'a>],
        pairs: &[(&'a str, Named<'a>)],
        bodies: Bodies<'a>,
        scope: &Rc<Scope<'a>>,
    ) -> Run<()> {
        match builtin {
            Builtin::Log | Builtin::Hook => {
                self.print(&Value::Undefined.into(), call, scope);
                return Ok(());
            }
            Builtin::Lookup => {
                let value = Self::lookup(call, params, scope)?;
                self.print(&value, call, scope);
                return Ok(());
            }
            Builtin::If | Builtin::Unless | Builtin::Each | Builtin::With => {}
        }
        let mut argument = Self::check_arguments(builtin, call, params, scope)?;
        if let Value::Block(block) = &argument.value {
            // A function is called without arguments, so that its block has no context at all.
            let (block, undefined) = (Rc::clone(block), Value::Undefined.into());
            argument = self.detached(&block, undefined, None, (scope, &call.place))?.into();
        }
        match builtin {
            Builtin::Each => {
                self.each(bodies, argument, scope);
            }
            Builtin::With if argument.value.is_empty() => {
                self.body(bodies.inverse.as_ref(), helper_context(scope), scope, Params::Missing);
            }
            Builtin::With => {
                let params = Params::Values(Rc::from([argument.clone()]));
                self.body(bodies.program.as_ref(), argument, scope, params);
            }
            _ => {
                let zero = pairs.iter().any(|(key, value)| *key == "includeZero" && value.value.is_truthy());
                let holds = (zero || argument.value.is_truthy()) && !argument.value.is_empty();
                let wanted = if holds == (builtin == Builtin::If) { &bodies.program } else { &bodies.inverse };
                self.body(wanted.as_ref(), helper_context(scope), scope, Params::Missing);
            }
        }
        Ok(())
    }

    /// A section: `{{#name}}…{{/name}}` where `name` is a value.
    fn section(&mut self, bodies: Bodies<'a>, value: Named<'a>, scope: &Rc<Scope<'a>>) {
        match &value.value {
            Value::Boolean(true) => {
                self.body(bodies.program.as_ref(), scope.context.clone(), scope, Params::Missing);
            }
            Value::Boolean(false) | Value::Undefined | Value::Null => {
                self.body(bodies.inverse.as_ref(), scope.context.clone(), scope, Params::Missing);
            }
            Value::Json(Json::Array(items)) if items.is_empty() => {
                self.body(bodies.inverse.as_ref(), scope.context.clone(), scope, Params::Missing);
            }
            Value::Json(Json::Array(_)) | Value::List(_) => self.each(bodies, value, scope),
            // Anything else is the context, 0 and the empty text too.
            _ => {
                let params = Params::Caller(scope.params.clone());
                self.body(bodies.program.as_ref(), value, scope, params);
            }
        }
    }

    fn each(&mut self, bodies: Bodies<'a>, over: Named<'a>, scope: &Rc<Scope<'a>>) {
        let items = match &over.value {
            Value::Json(Json::Array(items)) => Items::Array(items.len()),
            Value::List(items) => Items::Array(items.len()),
            Value::Json(_) | Value::Merged(_) => Items::Entries(over.entries()),
            _ => Items::Array(0),
        };
        let none = match &items {
            Items::Array(count) => *count == 0,
            Items::Entries(entries) => entries.is_empty(),
        };
        if none {
            self.body(bodies.inverse.as_ref(), helper_context(scope), scope, Params::Missing);
            return;
        }
        // What `#each` gives is text from the start.
        self.output.settle();
        if let Some(callable) = bodies.program {
            self.tasks.push(Task::Each(Box::new(Each { callable, items, next: 0, over })));
        }
    }

    /// Calls a body; one that is not there gives empty text.
    fn body(&mut self, body: Option<&Closure<'a>>, context: Named<'a>, scope: &Scope<'a>, params: Params<'a>) {
        match body {
            Some(closure) => self.call_closure(closure, context, Rc::clone(&scope.data), params),
            None => self.output.settle(),
        }
    }

    fn print(&mut self, value: &Named<'a>, call: &Call, scope: &Scope<'a>) {
        let container = &scope.container;
        let site = Site { partial: container.name.as_ref(), source: &container.code.source, place: &call.place };
        self.output.value(&value.value, || shown(value, &call.path.original), site);
    }

    fn bodies(&mut self, block: &Block, scope: &Rc<Scope<'a>>) -> Run<Bodies<'a>> {
        let mut closure = |id: Option<ProgramId>| id.map(|id| self.closure(id, scope)).transpose();
        Ok(Bodies { program: closure(block.program)?, inverse: closure(block.inverse)? })
    }

    /// Defines the inline partials of a program that is about to be called from `scope`.
    pub(super) fn inlines(
        &mut self,
        program: ProgramId,
        scope: &Rc<Scope<'a>>,
        depth: usize,
    ) -> Run<Option<Rc<Inlines<'a>>>> {
        let inlines = &scope.container.code.programs[program].inlines;
        if inlines.is_empty() {
            return Ok(None);
        }
        // They are evaluated around the program, not in it: its context is not there yet.
        let context = scope.contexts.get(0).cloned().unwrap_or(Value::Undefined.into());
        let around = Rc::new(Scope {
            container: Rc::clone(&scope.container),
            partials: scope.partials.clone(),
            context,
            contexts: scope.contexts.clone(),
            data: Rc::clone(&scope.data),
            params: scope.params.clone(),
        });
        let mut defined = Inlines::new();
        for inline in inlines {
            if depth >= MAX_INLINES {
                let message = format!("inline partials are nested more than {MAX_INLINES} deep: register some by name");
                return Self::error(scope, ErrorClass::Depth, &inline.place, message);
            }
            self.pairs(inline.hash.as_ref(), &around)?;
            let closure = match inline.program {
                Some(program) => {
                    let inlines = self.inlines(program, &around, depth + 1)?;
                    Some(Closure { program, scope: Rc::clone(&around), inlines })
                }
                None => None,
            };
            let params = self.expressions(&inline.params, &around)?;
            if !inline.known {
                let message = "the only decorator is inline: write {{#*inline \"name\"}}".into();
                return Self::error(scope, ErrorClass::NotAFunction, &inline.place, message);
            }
            let name = params.first().map_or(Value::Undefined, |named| named.value.clone());
            defined.push((name.print().into_owned(), closure));
        }
        Ok(Some(Rc::new(defined)))
    }
}

/// The context that a helper hands on: an empty object where there is none.
fn helper_context<'a>(scope: &Scope<'a>) -> Named<'a> {
    if scope.context.value.is_nullish() { Value::Empty.into() } else { scope.context.clone() }
}
