//! Walks the nodes of a template.
//!
//! What is still to be done lies on a list of [`Task`]s, not on the stack: nesting and recursion cost
//! memory until a bound is met. The bounds are part of the contract (see the module above).

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::error::{ErrorClass, Stage, TemplateError};
use super::nodes::{Code, Node, Place, Program, ProgramId};
use super::output::{MAX_OUTPUT, Output, Site};
use super::scope::{Closure, Container, Frame, List, Params, PartialBlock, PartialScope, Scope, Step};
use super::value::{Named, Text, Value};
use super::{Options, Partials, Rendered};

/// Partials in partials.
pub(super) const MAX_PARTIALS: usize = 500;

/// Nodes and iterations of one rendering.
const MAX_STEPS: usize = 20_000_000;

/// Renderings of a `@partial-block` whose text only decides something: they recurse.
const MAX_DETACHED: usize = 16;

pub(super) type Run<T> = Result<T, TemplateError>;

/// Something still to be done.
pub(super) enum Task<'a> {
    /// The nodes of a program from `next` on.
    Program {
        scope: Rc<Scope<'a>>,
        program: &'a Program,
        next: usize,
    },
    Each(Box<Each<'a>>),
    /// Inline partials go out of force.
    Restore {
        container: Rc<Container<'a>>,
        partials: PartialScope<'a>,
    },
    /// A partial ends; it was called at this place.
    EndPartial,
    /// The indent of a partial ends. Its output must be text by then.
    EndIndent {
        scope: Rc<Scope<'a>>,
        place: Place,
    },
}

/// An iteration.
pub(super) struct Each<'a> {
    pub(super) callable: Closure<'a>,
    pub(super) items: Items<'a>,
    pub(super) next: usize,
    pub(super) over: Named<'a>,
}

/// What is iterated over.
pub(super) enum Items<'a> {
    /// So many items of an array.
    Array(usize),
    Entries(Vec<(Text<'a>, Named<'a>)>),
}

/// The state of one rendering.
pub(super) struct Machine<'a> {
    pub(super) output: Output,
    pub(super) options: Options,
    pub(super) tasks: Vec<Task<'a>>,
    pub(super) partials: usize,
    steps: usize,
    detached: usize,
}

/// Renders `code` with `values`.
pub(super) fn render(code: &Code, values: &serde_json::Value, partials: &Partials, options: Options) -> Run<Rendered> {
    Ok(machine(code, values, partials, options)?.output.finish())
}

/// The machine after everything has been done.
fn machine<'a>(
    code: &'a Code,
    values: &'a serde_json::Value,
    partials: &'a Partials,
    options: Options,
) -> Run<Machine<'a>> {
    let mut machine =
        Machine { output: Output::for_code(code), options, tasks: Vec::new(), partials: 0, steps: 0, detached: 0 };
    let root = Named { value: values.into(), path: Some(Arc::from("")) };
    let data = Rc::new(Frame { root: Some(root.clone()), ..Frame::default() });
    let scope = PartialScope { registered: partials, layers: List::empty() };
    machine.call_template(code, None, root, data, scope)?;
    machine.run(0)?;
    Ok(machine)
}

impl<'a> Machine<'a> {
    /// An error at a place of the template that `scope` belongs to.
    pub(super) fn error<T>(scope: &Scope<'_>, class: ErrorClass, place: &Place, message: String) -> Run<T> {
        let container = &scope.container;
        let error = TemplateError::new(class, Stage::Render, &container.code.source, place.start, message);
        Err(error.in_partial(container.name.as_ref()))
    }

    /// Does what is to be done until only `floor` tasks are left.
    fn run(&mut self, floor: usize) -> Run<()> {
        while self.tasks.len() > floor {
            match self.tasks.pop() {
                Some(Task::Program { scope, program, next }) => self.nodes(&scope, program, next)?,
                Some(Task::Each(each)) => self.iterate(each)?,
                Some(Task::Restore { container, partials }) => *container.partials.borrow_mut() = partials,
                Some(Task::EndPartial) => self.partials -= 1,
                Some(Task::EndIndent { scope, place }) => {
                    self.output.end_indent();
                    if self.output.end() {
                        let message = "a number cannot be indented: put text into the partial, or the tag into a line";
                        return Self::error(&scope, ErrorClass::NotAFunction, &place, message.into());
                    }
                }
                None => {}
            }
        }
        Ok(())
    }

    /// Runs the nodes of a program up to the first that has programs of its own.
    fn nodes(&mut self, scope: &Rc<Scope<'a>>, program: &'a Program, mut next: usize) -> Run<()> {
        let container = Rc::clone(&scope.container);
        while let Some(node) = program.nodes.get(next) {
            next += 1;
            let place = match node {
                Node::Content(place) => place,
                Node::Mustache(call) => &call.place,
                Node::Block(block) => &block.call.place,
                Node::Partial(partial) => &partial.place,
                Node::RunStart | Node::RunEnd => &(0..0),
            };
            self.count(scope, place)?;
            let site = Site { partial: container.name.as_ref(), source: &container.code.source, place };
            match node {
                Node::Content(_) => self.output.literal(site),
                Node::Mustache(call) => {
                    let named = self.call(call, scope)?;
                    self.output.value(&named.value, || shown(&named, &call.path.original), site);
                }
                Node::Block(block) => {
                    self.tasks.push(Task::Program { scope: Rc::clone(scope), program, next });
                    return self.block(block, scope);
                }
                Node::Partial(partial) => {
                    self.tasks.push(Task::Program { scope: Rc::clone(scope), program, next });
                    return self.partial(partial, scope);
                }
                Node::RunStart => self.output.begin(),
                Node::RunEnd => {
                    self.output.end();
                }
            }
        }
        self.output.end();
        Ok(())
    }

    /// Counts a step, and stops a rendering that has taken too many or written too much.
    fn count(&mut self, scope: &Scope<'a>, place: &Place) -> Run<()> {
        self.steps += 1;
        let message = if self.steps > MAX_STEPS {
            format!("rendering takes more than {MAX_STEPS} steps: look for partials that multiply each other")
        } else if self.output.is_full() {
            format!("the output is larger than {} MiB: look for partials that multiply each other", MAX_OUTPUT >> 20)
        } else {
            return Ok(());
        };
        Self::error(scope, ErrorClass::Depth, place, message)
    }

    /// Calls the main program of a template in a container of its own.
    pub(super) fn call_template(
        &mut self,
        code: &'a Code,
        name: Option<Arc<str>>,
        context: Named<'a>,
        data: Rc<Frame<'a>>,
        partials: PartialScope<'a>,
    ) -> Run<()> {
        // A template's output is text, whatever it consists of.
        self.output.settle();
        let container = Rc::new(Container { code, name, partials: RefCell::new(partials.clone()) });
        // Its inline partials are defined before it has a context.
        let outside = Rc::new(Scope {
            container,
            partials,
            context: Value::Undefined.into(),
            contexts: List::empty(),
            data: Rc::clone(&data),
            params: List::empty(),
        });
        let closure = self.closure(code.main, &outside)?;
        let container = &closure.scope.container;
        let partials = Self::enter(&closure, &mut self.tasks);
        let contexts = if code.looks_outward { List::empty().with(context.clone()) } else { List::empty() };
        let scope = Scope { container: Rc::clone(container), partials, context, contexts, data, params: List::empty() };
        self.start(scope, code.main);
        Ok(())
    }

    /// A program together with the scope at hand. Its inline partials are defined now.
    pub(super) fn closure(&mut self, program: ProgramId, scope: &Rc<Scope<'a>>) -> Run<Closure<'a>> {
        let inlines = self.inlines(program, scope, 0)?;
        Ok(Closure { program, scope: Rc::clone(scope), inlines })
    }

    /// Puts a closure's inline partials in force until its program ends. Gives the partials in force.
    fn enter(closure: &Closure<'a>, tasks: &mut Vec<Task<'a>>) -> PartialScope<'a> {
        let container = &closure.scope.container;
        let before = container.partials.borrow().clone();
        if closure.inlines.is_none() {
            return before;
        }
        let partials = before.with(closure.inlines.as_ref());
        *container.partials.borrow_mut() = partials.clone();
        tasks.push(Task::Restore { container: Rc::clone(container), partials: before });
        partials
    }

    /// Calls a program with a context of its own.
    pub(super) fn call_closure(
        &mut self,
        closure: &Closure<'a>,
        context: Named<'a>,
        data: Rc<Frame<'a>>,
        params: Params<'a>,
    ) {
        let around = &closure.scope;
        let partials = Self::enter(closure, &mut self.tasks);
        let code = around.container.code;
        let contexts = if code.looks_outward { outward(&around.contexts, &context) } else { List::empty() };
        let scope = Scope {
            container: Rc::clone(&around.container),
            partials,
            context,
            contexts,
            data,
            params: if code.names_params { around.params.with(params) } else { List::empty() },
        };
        self.start(scope, closure.program);
    }

    fn start(&mut self, scope: Scope<'a>, program: ProgramId) {
        let program = &scope.container.code.programs[program];
        self.output.begin();
        if program.begins_as_text {
            self.output.settle();
        }
        self.tasks.push(Task::Program { scope: Rc::new(scope), program, next: 0 });
    }

    /// The next round of an `#each`.
    fn iterate(&mut self, mut each: Box<Each<'a>>) -> Run<()> {
        let index = each.next;
        let (count, item) = match &mut each.items {
            Items::Array(count) if index < *count => {
                (*count, Some((Value::Number(index as f64), each.over.item(index))))
            }
            Items::Array(count) => (*count, None),
            Items::Entries(entries) => {
                let item = entries.get(index).map(|(key, item)| (Value::Text(key.clone()), item.clone()));
                (entries.len(), item)
            }
        };
        let Some((key, item)) = item else { return Ok(()) };
        // What the round before left is text by now, and so will be what this one leaves.
        self.output.settle();
        let closure = each.callable.clone();
        let scope = &closure.scope;
        self.count(scope, &(0..0))?;
        let data =
            Frame { step: Some(Step { key: key.clone(), index, last: index + 1 == count }), ..scope.data.child() };
        each.next += 1;
        self.tasks.push(Task::Each(each));
        let params = if scope.container.code.names_params {
            Params::Values(Rc::from([item.clone(), key.into()]))
        } else {
            Params::Missing
        };
        self.call_closure(&closure, item, Rc::new(data), params);
        Ok(())
    }

    /// The text of a partial block, rendered apart: the original calls it where a value is wanted.
    pub(super) fn detached(
        &mut self,
        block: &Rc<PartialBlock<'a>>,
        context: Named<'a>,
        data: Option<&Rc<Frame<'a>>>,
        at: (&Scope<'a>, &Place),
    ) -> Run<Value<'a>> {
        if self.detached >= MAX_DETACHED {
            let message = format!("@partial-block is asked for inside itself more than {MAX_DETACHED} times");
            return Self::error(at.0, ErrorClass::Depth, at.1, message);
        }
        self.detached += 1;
        let output = std::mem::replace(&mut self.output, Output::new());
        let floor = self.tasks.len();
        let frame = data.map(Frame::child).unwrap_or_default();
        let frame = Frame { block: block.outer.clone(), ..frame };
        self.call_closure(&block.closure, context, Rc::new(frame), Params::Missing);
        let done = self.run(floor);
        self.detached -= 1;
        let rendered = std::mem::replace(&mut self.output, output).finish();
        done?;
        Ok(Value::made(&rendered.text))
    }
}

/// The contexts seen from a program: one more, unless the original takes it for the one it has.
fn outward<'a>(around: &List<Named<'a>>, context: &Named<'a>) -> List<Named<'a>> {
    let undefined = Value::Undefined;
    let head = around.get(0).map_or(&undefined, |named| &named.value);
    let stands_in = matches!((&context.value, head), (Value::Empty, Value::Null));
    if stands_in || context.value.loosely_equals(head) {
        return around.clone();
    }
    around.with(context.clone())
}

/// How a source map names a value: by its path, or as the tag does.
pub(super) fn shown(named: &Named<'_>, written: &str) -> Arc<str> {
    match &named.path {
        Some(path) if !path.is_empty() => Arc::clone(path),
        _ => Arc::from(written),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

    use serde_json::json;

    use super::*;
    use crate::engine::Template;

    fn steps(template: &str, values: &serde_json::Value) -> usize {
        let template = Template::parse(template).unwrap();
        let mut partials = Partials::new();
        partials.insert_source("p", "a\n{{name}}\n");
        machine(&template.code, values, &partials, Options::default()).unwrap().steps
    }

    #[test]
    fn rendering_takes_steps_in_proportion_to_the_template() {
        let values = json!({"name": "n", "yes": true, "boat": {"name": "b"}});
        // Nodes of each unit: the text and the tag itself, what its block holds, what its partial holds.
        let units = [
            ("a {{name}}", 2),
            ("{{#if yes}}x{{/if}}", 2),
            ("{{#boat}}{{name}} {{../name}}{{/boat}}", 4),
            ("a {{> p}}", 5),
        ];
        for (unit, nodes) in units {
            for count in [10, 1_000, 10_000] {
                assert_eq!(steps(&unit.repeat(count), &values), nodes * count, "{count} times {unit:?}");
            }
        }
    }

    #[test]
    fn iterating_takes_steps_in_proportion_to_the_items() {
        for count in [10, 1_000, 20_000] {
            let values = json!({"items": (0..count).collect::<Vec<usize>>(), "name": "n"});
            // The block; for each item the round, its text and its two values.
            assert_eq!(steps("{{#each items}}-{{this}} {{../name}}{{/each}}", &values), 1 + 5 * count);
        }
    }
}
