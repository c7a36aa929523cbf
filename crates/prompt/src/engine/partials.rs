//! Partials: registered ones, inline ones, and the block of `{{#> name}}`.

use std::rc::Rc;

use super::error::ErrorClass;
use super::machine::{MAX_PARTIALS, Machine, Run, Task};
use super::nodes::{Partial, PartialName};
use super::output::Site;
use super::scope::{Closure, Frame, Params, PartialBlock, Scope, Target};
use super::value::{Merged, Named, Value};

impl<'a> Machine<'a> {
    /// Calls a partial.
    pub(super) fn partial(&mut self, partial: &'a Partial, scope: &Rc<Scope<'a>>) -> Run<()> {
        let (name, found) = self.target(&partial.name, scope)?;
        let mut context = match &partial.context {
            Some(context) => self.expression(context, scope)?,
            None => scope.context.clone(),
        };
        if partial.hash.is_some() {
            let pairs = self.pairs(partial.hash.as_ref(), scope)?;
            context = Value::Merged(Rc::new(Merged { base: context, pairs })).into();
        }
        let outer = scope.data.block.clone();
        let block = match partial.program {
            Some(program) => Some(self.closure(program, scope)?),
            None => None,
        };
        let (data, partials) = match &block {
            Some(closure) => {
                let block = Rc::new(PartialBlock { closure: closure.clone(), outer: outer.clone() });
                let frame = Frame { block: Some(block), ..scope.data.child() };
                (Rc::new(frame), scope.partials.with(closure.inlines.as_ref()))
            }
            None => (Rc::clone(&scope.data), scope.partials.clone()),
        };
        let target = found.or_else(|| block.map(|closure| Target::Block(Rc::new(PartialBlock { closure, outer }))));
        let Some(target) = target else {
            let message = format!("there is no partial \"{name}\": register it, or correct the name");
            return Self::error(scope, ErrorClass::MissingPartial, &partial.place, message);
        };
        if self.partials >= MAX_PARTIALS {
            let message = format!(
                "partials call each other more than {MAX_PARTIALS} deep: \"{name}\" may call itself without end"
            );
            return Self::error(scope, ErrorClass::Depth, &partial.place, message);
        }
        self.partials += 1;
        self.tasks.push(Task::EndPartial);
        if !partial.indent.is_empty() {
            let container = &scope.container;
            let site =
                Site { partial: container.name.as_ref(), source: &container.code.source, place: &partial.indent };
            self.output.begin();
            self.output.begin_indent(site);
            self.tasks.push(Task::EndIndent { scope: Rc::clone(scope), place: partial.place.clone() });
        }
        let params = Params::Caller(scope.params.clone());
        match target {
            Target::Template(name, Ok(template)) => {
                self.call_template(&template.code, Some(name), context, data, partials)
            }
            Target::Template(_, Err(error)) => Err(error.clone()),
            Target::Inline(closure) => {
                self.call_closure(&closure, context, data, params);
                Ok(())
            }
            Target::Block(block) => {
                self.call_partial_block(&block, context, &data, params);
                Ok(())
            }
        }
    }

    /// Renders a partial block with the one around it in force.
    fn call_partial_block(
        &mut self,
        block: &PartialBlock<'a>,
        context: Named<'a>,
        data: &Rc<Frame<'a>>,
        params: Params<'a>,
    ) {
        let frame = Frame { block: block.outer.clone(), ..data.child() };
        let closure: &Closure<'a> = &block.closure;
        self.call_closure(closure, context, Rc::new(frame), params);
    }

    /// The name of a partial, and what it stands for.
    fn target(&mut self, name: &'a PartialName, scope: &Rc<Scope<'a>>) -> Run<(String, Option<Target<'a>>)> {
        match name {
            PartialName::Written(name) => {
                let target = scope.partials.find(name).or_else(|| {
                    let block = scope.data.block.as_ref().filter(|_| &**name == "@partial-block")?;
                    Some(Target::Block(Rc::clone(block)))
                });
                Ok((name.to_string(), target))
            }
            PartialName::Computed(call) => {
                let value = self.call(call, scope)?.value;
                // What is false names nothing, and nothing is called "undefined".
                let name = if value.is_truthy() { value.print().into_owned() } else { "undefined".into() };
                let target = scope.partials.find(&name);
                Ok((name, target))
            }
        }
    }
}
