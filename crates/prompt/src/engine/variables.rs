//! What a template reads of the values: the material of lints for unknown or volatile variables.

use super::nodes::{Block, Builtin, Call, Callee, Code, Expression, Hash, Node, PartialName, Path, ProgramId, Root};
use super::value::extend;
use std::sync::Arc;

/// What one path may stand for: readings beyond this number are left out.
const MAX_READINGS: usize = 8;

/// One reading of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// From the root: `boat.crew.first`; the items of a list or an object are written `items[*]`.
    pub path: String,
    /// First byte of the path in the source.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// Whether the path is certain. Inside a section (`{{#name}}…{{/name}}`) it is not: the names in it
    /// are looked up in `name`, or around it when that is `true`; both readings are listed. Nor is it
    /// in the block of a partial, whose context the partial decides.
    pub certain: bool,
}

impl Variable {
    /// The name at the root: `boat` of `boat.crew.first`.
    pub fn name(&self) -> &str {
        let end = self.path.find(['.', '[']).filter(|at| *at > 0);
        end.map_or(&self.path, |end| &self.path[..end])
    }
}

/// What may stand in a place, as paths from the root; nothing when that is not known.
#[derive(Clone)]
struct Readings {
    paths: Vec<Arc<str>>,
    certain: bool,
}

/// The contexts around a program, and its block parameters.
struct Around {
    readings: Readings,
    params: Vec<Readings>,
    outer: Option<usize>,
    /// The scope of the program around this one, whose context may be the same.
    program_outer: Option<usize>,
}

struct Walk<'c> {
    code: &'c Code,
    scopes: Vec<Around>,
    found: Vec<Variable>,
    todo: Vec<(ProgramId, usize)>,
}

/// Lists the readings of a template, in the order of the source.
pub(super) fn list(code: &Code) -> Vec<Variable> {
    let root = Readings { paths: vec![Arc::from("")], certain: true };
    let around = Around { readings: root, params: Vec::new(), outer: None, program_outer: None };
    let mut walk = Walk { code, scopes: vec![around], found: Vec::new(), todo: vec![(code.main, 0)] };
    while let Some((program, scope)) = walk.todo.pop() {
        walk.program(program, scope);
    }
    let mut found = walk.found;
    found.sort_by(|a, b| (a.start, a.end, &a.path).cmp(&(b.start, b.end, &b.path)));
    found.dedup();
    found
}

impl Readings {
    fn unknown() -> Self {
        Self { paths: Vec::new(), certain: false }
    }

    fn map(&self, change: impl Fn(&Arc<str>) -> Arc<str>) -> Self {
        Self { paths: self.paths.iter().map(change).collect(), certain: self.certain }
    }

    fn items(&self) -> Self {
        self.map(|path| [path, "[*]"].concat().into())
    }
}

impl Walk<'_> {
    fn program(&mut self, id: ProgramId, scope: usize) {
        let program = &self.code.programs[id];
        for inline in &program.inlines {
            self.expressions(&inline.params, scope);
            self.pairs(inline.hash.as_ref(), scope);
            if let Some(body) = inline.program {
                self.enter(body, scope, Entry { readings: Readings::unknown(), params: Vec::new(), deeper: true });
            }
        }
        for node in &program.nodes {
            match node {
                Node::Content(_) | Node::RunStart | Node::RunEnd => {}
                Node::Mustache(call) => {
                    self.call(call, scope);
                }
                Node::Block(block) => self.block(block, scope),
                Node::Partial(partial) => {
                    if let PartialName::Computed(call) = &partial.name {
                        self.call(call, scope);
                    }
                    if let Some(context) = &partial.context {
                        self.expression(context, scope);
                    }
                    self.pairs(partial.hash.as_ref(), scope);
                    if let Some(body) = partial.program {
                        let mut readings = self.scopes[scope].readings.clone();
                        readings.certain = false;
                        self.enter(body, scope, Entry { readings, params: Vec::new(), deeper: true });
                    }
                }
            }
        }
    }

    fn block(&mut self, block: &Block, scope: usize) {
        let call = &block.call;
        let same = self.scopes[scope].readings.clone();
        let stay = |readings: Readings| Entry { readings, params: Vec::new(), deeper: false };
        let entry = match call.callee {
            Callee::Builtin(builtin) => {
                let argument = self.arguments(call, scope);
                match builtin {
                    Builtin::Each => {
                        let items = argument.items();
                        Entry { params: vec![items.clone(), Readings::unknown()], readings: items, deeper: true }
                    }
                    Builtin::With => Entry { params: vec![argument.clone()], readings: argument, deeper: true },
                    _ => stay(same.clone()),
                }
            }
            Callee::Helper => {
                self.arguments(call, scope);
                stay(same.clone())
            }
            Callee::Value | Callee::Ambiguous => {
                let value = self.path(&call.path, scope);
                let mut paths = value.paths;
                paths.extend(same.paths.iter().cloned());
                // Sections in sections would double the readings each time; the nearest are kept.
                paths.truncate(MAX_READINGS);
                Entry { readings: Readings { paths, certain: false }, params: Vec::new(), deeper: true }
            }
        };
        if let Some(body) = block.program {
            self.enter(body, scope, entry);
        }
        if let Some(body) = block.inverse {
            self.enter(body, scope, stay(same));
        }
    }

    fn enter(&mut self, body: ProgramId, scope: usize, entry: Entry) {
        // Where the context stays the same, `../` still leads past it.
        let outer = if entry.deeper { Some(scope) } else { self.scopes[scope].outer };
        let Entry { readings, params, .. } = entry;
        self.scopes.push(Around { readings, params, outer, program_outer: Some(scope) });
        self.todo.push((body, self.scopes.len() - 1));
    }

    /// The readings of all that a helper is given; those of its first argument.
    fn arguments(&mut self, call: &Call, scope: usize) -> Readings {
        let first = self.expressions(&call.params, scope);
        self.pairs(call.hash.as_ref(), scope);
        first
    }

    fn expressions(&mut self, expressions: &[Expression], scope: usize) -> Readings {
        let mut all = expressions.iter().map(|expression| self.expression(expression, scope));
        let first = all.next().unwrap_or_else(Readings::unknown);
        all.for_each(drop);
        first
    }

    fn pairs(&mut self, hash: Option<&Hash>, scope: usize) {
        for (_, value) in hash.map_or(&[][..], |hash| hash) {
            self.expression(value, scope);
        }
    }

    fn expression(&mut self, expression: &Expression, scope: usize) -> Readings {
        match expression {
            Expression::Path(path) => self.path(path, scope),
            Expression::Call(call) => self.call(call, scope),
            _ => Readings::unknown(),
        }
    }

    fn call(&mut self, call: &Call, scope: usize) -> Readings {
        match call.callee {
            Callee::Value | Callee::Ambiguous => self.path(&call.path, scope),
            Callee::Builtin(Builtin::Lookup) => match (&call.params[..], self.arguments(call, scope)) {
                ([_, Expression::Text(field)], object) => object.map(|path| {
                    let mut path = path.to_string();
                    super::value::push_step(&mut path, field);
                    path.into()
                }),
                _ => Readings::unknown(),
            },
            Callee::Builtin(_) | Callee::Helper => {
                self.arguments(call, scope);
                Readings::unknown()
            }
        }
    }

    /// Notes what a path reads.
    fn path(&mut self, path: &Path, scope: usize) -> Readings {
        let readings = self.base(path, scope);
        for read in readings.paths.iter().filter(|read| !read.is_empty()) {
            self.found.push(Variable {
                path: read.to_string(),
                start: path.place.start,
                end: path.place.end,
                certain: readings.certain,
            });
        }
        readings
    }

    fn base(&self, path: &Path, scope: usize) -> Readings {
        let around = match path.root {
            Root::Context(outward) => {
                let mut around = Some(&self.scopes[scope]);
                for _ in 0..outward {
                    around = around.and_then(|around| around.outer).map(|outer| &self.scopes[outer]);
                }
                return around
                    .map_or_else(Readings::unknown, |around| around.readings.map(|base| extend(base, &path.shown)));
            }
            Root::Data(_) => {
                let root = path.parts.first().is_some_and(|part| &**part == "root");
                let shown = path.shown.strip_prefix("root").unwrap_or(&path.shown);
                let rest: Arc<str> = shown.strip_prefix('.').unwrap_or(shown).into();
                return if root { Readings { paths: vec![rest], certain: true } } else { Readings::unknown() };
            }
            Root::Param { outward, index } => {
                let mut around = Some(scope);
                for _ in 0..outward {
                    around = around.and_then(|around| self.scopes[around].program_outer);
                }
                around.and_then(|around| self.scopes[around].params.get(index))
            }
        };
        around.map_or_else(Readings::unknown, |readings| readings.map(|base| extend(base, &path.shown)))
    }
}

/// How a body is entered.
struct Entry {
    readings: Readings,
    params: Vec<Readings>,
    /// Whether `../` leads back out of it.
    deeper: bool,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

    use crate::engine::Template;

    fn paths(source: &str) -> Vec<String> {
        let variables = Template::parse(source).unwrap().variables();
        variables.into_iter().map(|found| if found.certain { found.path } else { format!("{}?", found.path) }).collect()
    }

    #[test]
    fn paths_are_followed_from_the_root() {
        assert_eq!(
            paths("{{now}} {{{boat.crew.first}}} {{this}} {{@root.zone}} {{@index}}"),
            ["now", "boat.crew.first", "zone"]
        );
        assert_eq!(
            paths("{{#with boat}}{{name}} {{../now}} {{@root.zone}}{{/with}}"),
            ["boat", "boat.name", "now", "zone"]
        );
        assert_eq!(
            paths("{{#each rows}}{{id}}{{this}}{{else}}{{none}}{{/each}}"),
            ["rows", "rows[*].id", "rows[*]", "none"]
        );
        assert_eq!(paths("{{#each rows as |row at|}}{{row.id}}{{at}}{{/each}}"), ["rows", "rows[*].id"]);
        assert_eq!(paths("{{#if a}}{{b}}{{else if c}}{{../d}}{{/if}}"), ["a", "b", "c"], "nothing is around the root");
        assert_eq!(paths("{{#with (lookup boat \"crew\")}}{{first}}{{/with}}"), ["boat", "boat.crew.first"]);
        assert_eq!(paths("{{#if (lookup map key)}}{{/if}}{{> p boat x=now}}"), ["map", "key", "boat", "now"]);
    }

    #[test]
    fn a_section_may_leave_the_context_as_it_is() {
        assert_eq!(paths("{{#is_system}}{{now}}{{/is_system}}"), ["is_system", "is_system.now?", "now?"]);
        assert_eq!(paths("{{#> page}}{{title}}{{/page}}"), ["title?"]);
    }

    #[test]
    fn places_and_names_lead_back_to_the_source() {
        let source = "é {{#each boat.rows}}{{ id }}{{/each}}";
        let variables = Template::parse(source).unwrap().variables();
        let places: Vec<&str> = variables.iter().map(|found| &source[found.start..found.end]).collect();
        assert_eq!(places, ["boat.rows", "id"]);
        assert_eq!(variables[1].name(), "boat");
    }

    #[test]
    fn sections_in_sections_are_listed_in_bounded_space() {
        let source = format!("{}{{{{x}}}}{}", "{{#a}}".repeat(900), "{{/a}}".repeat(900));
        assert!(Template::parse(&source).unwrap().variables().len() <= 901 * 8);
    }
}
