//! Paths, arguments, and helpers where a value is wanted (`{{lookup a b}}`, sub-expressions).

use std::rc::Rc;

use super::error::ErrorClass;
use super::machine::{Machine, Run};
use super::nodes::{Builtin, Call, Callee, Expression, Hash, Path, Place, Root};
use super::scope::{Frame, PartialBlock, Scope};
use super::value::{Merged, Named, Value, extend};

/// What a path does at a value that has no properties.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Halt {
    /// It ends at null and undefined.
    Nullish,
    /// It ends at whatever is false: 0 has no property, and is itself the result.
    Falsy,
}

impl<'a> Machine<'a> {
    /// The value of an argument.
    pub(super) fn expression(&mut self, expression: &'a Expression, scope: &Rc<Scope<'a>>) -> Run<Named<'a>> {
        Ok(match expression {
            Expression::Text(text) => Value::Text(super::value::Text::Given(text)).into(),
            Expression::Number(number) => Value::Number(*number).into(),
            Expression::Boolean(value) => Value::Boolean(*value).into(),
            Expression::Undefined => Value::Undefined.into(),
            Expression::Null => Value::Null.into(),
            Expression::Path(path) => Self::path(path, scope)?,
            Expression::Call(call) => self.call(call, scope)?,
        })
    }

    pub(super) fn expressions(&mut self, expressions: &'a [Expression], scope: &Rc<Scope<'a>>) -> Run<Vec<Named<'a>>> {
        expressions.iter().map(|expression| self.expression(expression, scope)).collect()
    }

    /// The `key=value` pairs.
    pub(super) fn pairs(&mut self, hash: Option<&'a Hash>, scope: &Rc<Scope<'a>>) -> Run<Vec<(&'a str, Named<'a>)>> {
        let pairs = hash.map_or(&[][..], |hash| hash);
        pairs.iter().map(|(key, value)| Ok((&**key, self.expression(value, scope)?))).collect()
    }

    /// The value of a path.
    pub(super) fn path(path: &'a Path, scope: &Scope<'a>) -> Run<Named<'a>> {
        let halt = if matches!(path.root, Root::Data(_)) { Halt::Falsy } else { Halt::Nullish };
        Self::lookup_path(path, scope, halt)
    }

    fn lookup_path(path: &'a Path, scope: &Scope<'a>, halt: Halt) -> Run<Named<'a>> {
        let undefined = || Named::from(Value::Undefined);
        let base = match path.root {
            Root::Context(0) => scope.context.clone(),
            Root::Context(outward) => scope.contexts.get(outward).cloned().unwrap_or_else(undefined),
            Root::Data(outward) => {
                let mut frame = Some(&scope.data);
                for _ in 0..outward {
                    frame = frame.and_then(|frame| frame.parent.as_ref());
                }
                frame.map_or_else(undefined, |frame| Value::Frame(Rc::clone(frame)).into())
            }
            Root::Param { outward, index } => {
                let Some(value) = scope.params.get(outward).and_then(|params| params.get(index)) else {
                    let message = format!(
                        "nothing is passed for the block parameter in {}: only #each and #with pass values",
                        path.original
                    );
                    return Self::error(scope, ErrorClass::NotAFunction, &path.place, message);
                };
                value
            }
        };
        // Most paths run over the given values alone: their name is known beforehand.
        if let Value::Json(_) = base.value
            && halt == Halt::Nullish
        {
            let mut value = base.value;
            for part in &path.parts {
                if value.is_nullish() {
                    break;
                }
                value = value.get(part);
            }
            return Ok(Named { value, path: base.path.map(|base| extend(&base, &path.shown)) });
        }
        let mut named = base;
        for part in &path.parts {
            let halts = match halt {
                Halt::Nullish => named.value.is_nullish(),
                Halt::Falsy => !named.value.is_truthy(),
            };
            if halts {
                break;
            }
            named = named.get(part);
        }
        Ok(named)
    }

    /// What a name stands for where a helper is wanted: something true, or nothing.
    pub(super) fn callable(path: &'a Path, scope: &Scope<'a>) -> Run<Option<Named<'a>>> {
        let named = Self::lookup_path(path, scope, Halt::Falsy)?;
        Ok(named.value.is_truthy().then_some(named))
    }

    /// Whether a call names the block helper `raw`.
    pub(super) fn is_raw(&self, call: &Call) -> bool {
        self.options.raw_helper
            && call.path.simple
            && &*call.path.original == "raw"
            && matches!(call.callee, Callee::Ambiguous | Callee::Helper)
    }

    /// The value of a mustache or a sub-expression.
    pub(super) fn call(&mut self, call: &'a Call, scope: &Rc<Scope<'a>>) -> Run<Named<'a>> {
        if self.is_raw(call) {
            self.expressions(&call.params, scope)?;
            self.pairs(call.hash.as_ref(), scope)?;
            return Self::needs_block(call, scope);
        }
        match call.callee {
            Callee::Value | Callee::Ambiguous => {
                let named = Self::path(&call.path, scope)?;
                match &named.value {
                    Value::Block(block) => self.call_block(block, &[], scope, &call.place),
                    _ => Ok(named),
                }
            }
            Callee::Helper => {
                let callable = Self::callable(&call.path, scope)?;
                let params = self.expressions(&call.params, scope)?;
                self.pairs(call.hash.as_ref(), scope)?;
                self.unknown_helper(call, callable, &params, scope)
            }
            Callee::Builtin(Builtin::Hook) => Self::not_callable(call, scope),
            Callee::Builtin(builtin) => {
                let params = self.expressions(&call.params, scope)?;
                self.pairs(call.hash.as_ref(), scope)?;
                match builtin {
                    Builtin::Log => Ok(Value::Undefined.into()),
                    Builtin::Lookup => Self::lookup(call, &params, scope),
                    _ => {
                        Self::check_arguments(builtin, call, &params, scope)?;
                        Self::needs_block(call, scope)
                    }
                }
            }
        }
    }

    /// A call of a name that is no built-in helper.
    pub(super) fn unknown_helper(
        &mut self,
        call: &'a Call,
        callable: Option<Named<'a>>,
        params: &[Named<'a>],
        scope: &Rc<Scope<'a>>,
    ) -> Run<Named<'a>> {
        match callable {
            Some(Named { value: Value::Block(block), .. }) => self.call_block(&block, params, scope, &call.place),
            Some(_) => Self::not_callable(call, scope),
            // Without arguments (it may have pairs) it counts as a missing value.
            None if params.is_empty() => Ok(Value::Undefined.into()),
            None => {
                let name = &call.path.original;
                let message =
                    format!("there is no helper \"{name}\": the helpers are if, unless, each, with, lookup and log");
                Self::error(scope, ErrorClass::MissingHelper, &call.place, message)
            }
        }
    }

    pub(super) fn not_callable<T>(call: &Call, scope: &Scope<'a>) -> Run<T> {
        let message = format!("\"{}\" is a value and takes no arguments: remove what follows it", call.path.original);
        Self::error(scope, ErrorClass::NotAFunction, &call.place, message)
    }

    fn needs_block<T>(call: &Call, scope: &Scope<'a>) -> Run<T> {
        let name = &call.path.original;
        let message = format!("{name} needs a block: write {{{{#{name} …}}}} … {{{{/{name}}}}}");
        Self::error(scope, ErrorClass::NotAFunction, &call.place, message)
    }

    /// `{{lookup object field}}`.
    pub(super) fn lookup(call: &Call, params: &[Named<'a>], scope: &Scope<'a>) -> Run<Named<'a>> {
        match params {
            [object, ..] if params.len() > 1 && !object.value.is_truthy() => Ok(object.clone()),
            [object, field] => Ok(object.get(&field.value.print())),
            [object] if !object.value.is_truthy() => Ok(object.clone()),
            // The original takes the third argument for its own options.
            [_, _, third, ..] if !third.value.is_nullish() => Self::not_callable(call, scope),
            _ => {
                let message = "lookup takes an object and the name of a field: {{lookup object field}}".into();
                Self::error(scope, ErrorClass::ArgumentCount, &call.place, message)
            }
        }
    }

    /// The argument of a block helper that takes one.
    pub(super) fn check_arguments(
        builtin: Builtin,
        call: &Call,
        params: &[Named<'a>],
        scope: &Scope<'a>,
    ) -> Run<Named<'a>> {
        match (builtin, params) {
            (_, [only]) => Ok(only.clone()),
            // The original takes the second argument for the block, if it is anything at all.
            (Builtin::Each, [_, second, ..]) if second.value.is_truthy() => Self::not_callable(call, scope),
            _ => {
                let name = &call.path.original;
                let message = format!("{name} takes exactly one argument, and has {}", params.len());
                Self::error(scope, ErrorClass::ArgumentCount, &call.place, message)
            }
        }
    }

    /// Calls `@partial-block` as a function: it renders the block, with the first argument for context.
    pub(super) fn call_block(
        &mut self,
        block: &Rc<PartialBlock<'a>>,
        params: &[Named<'a>],
        scope: &Rc<Scope<'a>>,
        place: &Place,
    ) -> Run<Named<'a>> {
        // Without argument the original passes its own options object.
        let options = || Value::Merged(Rc::new(Merged { base: Value::Undefined.into(), pairs: Vec::new() })).into();
        let context = params.first().cloned().unwrap_or_else(options);
        let data: Option<&Rc<Frame<'a>>> = (params.len() == 1).then_some(&scope.data);
        self.detached(block, context, data, (scope, place)).map(Named::from)
    }
}
