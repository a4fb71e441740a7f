//! Checks a whole module: its declarations, its bodies, and what bodies ask of declarations.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::cell::RefCell;

use ptx_isa::Number;
use ptx_isa::Space;
use ptx_isa::ir::{self, Function, FunctionKind, Site, Source};
use ptx_isa::rules::access::Object;
use ptx_isa::rules::alignment::{Alignment, Demands};
use ptx_isa::rules::{self, Environment};

use crate::analysis::analyse_some;
use crate::callers::Callers;
use crate::constants::Constants;
use crate::deferred::Demanded;
use crate::finding::{BodyFinding, Broken, Problem};
use crate::launch::{Block, cluster};
use crate::object::{DeferredObject, VariableUse};
use crate::order::Order;
use crate::place::Place;
use crate::report::broken;
use crate::symbols::{Symbol, Symbols};
use crate::unit::{Allowance, Analysis, Declared, Unit};

/// What is known about a module besides its IR, and how many findings are wanted.
pub struct Known<'c, 'a> {
    /// The names that count as declared in a function, by its index.
    pub assumed: &'c BTreeMap<usize, Vec<&'a str>>,
    /// What is declared before what.
    pub order: &'c Order<'a>,
    /// The line of a place in a function, by its index, from 1.
    pub line: &'c dyn Fn(usize, Place) -> Option<u32>,
    /// The maximum number of findings to keep.
    pub most: usize,
}

/// Returns every rule violation in a module and what it is about, in its declarations and in its bodies except for
/// verbatim ones.
pub fn check_module<'a>(module: &ir::Module<'a>) -> Vec<(Site, Broken<'a>)> {
    // Queries come grouped by function, so one cached entry is enough.
    let last: RefCell<Option<(usize, Source<'a>)>> = RefCell::new(None);
    let line = |index: usize, place: Place| {
        let mut last = last.borrow_mut();
        let known = last.take().filter(|(of, _)| *of == index);
        let (_, source) = last.insert(match known {
            Some(known) => known,
            None => (index, Source::of(module.functions.get(index)?)),
        });
        Some(source.location(place.statement, place.tokens)?.line)
    };
    let known = Known {
        assumed: &BTreeMap::new(),
        order: &Order::default(),
        line: &line,
        most: usize::MAX,
    };
    let rule = |Finding { problem, site }: Finding<'a>| match problem {
        Problem::Rule(broken) | Problem::UnknownInstruction(broken) => Some((site, *broken)),
        // ptxas reports these, or they have no effect.
        Problem::Undeclared(_)
        | Problem::Hidden { .. }
        | Problem::Misplaced(_)
        | Problem::SideBySide
        | Problem::Unneeded(_) => None,
    };
    check(module, &known).findings.into_iter().filter_map(rule).collect()
}

/// A problem in a module, and what it is about.
#[derive(Clone, Debug)]
pub struct Finding<'a> {
    /// The problem.
    pub problem: Problem<'a>,
    /// What it is about.
    pub site: Site,
}

impl Finding<'_> {
    /// Returns the function whose body contains the problem, by its index, and the place; `None` for a declaration or
    /// the module itself.
    pub fn body(&self) -> Option<(usize, Place)> {
        let Site::Tokens { function, statement, tokens } = self.site else { return None };
        Some((function, Place::new(statement, tokens)))
    }
}

/// All that is wrong with a module, and the information needed to show it.
#[derive(Debug)]
pub struct Report<'a> {
    /// The findings in declarations, in bodies, and in declarations because of what bodies do.
    pub findings: Vec<Finding<'a>>,
    /// A finding beyond the requested maximum: the first, or the first error.
    pub more: Option<Finding<'a>>,
    /// The allowances of each function, by function index, numbered as in [`Problem::Unneeded`].
    pub allowances: BTreeMap<usize, Vec<Allowance<'a>>>,
    /// The module's symbols.
    pub symbols: Symbols<'a>,
}

/// Checks a module: its declarations, names and bodies. It keeps at most `known.most` findings.
pub fn check<'a>(module: &ir::Module<'a>, known: &Known<'_, 'a>) -> Report<'a> {
    let Known { assumed, order, line, most } = known;
    let most = *most;
    let of_declaration = |site, violation| Finding {
        problem: Problem::Rule(Box::new(broken(violation, None))),
        site,
    };
    let mut found = Found { all: Vec::new(), most, more: None };
    rules::each_of_module(module, &mut |site, violation| {
        found.note(of_declaration(site, violation));
    });
    let mut symbols = symbols(module);
    let bodies = module.functions.iter().enumerate();
    let bodies: Vec<(usize, ir::Body<'a>)> =
        bodies.filter_map(|(index, function)| Some((index, function.body?))).collect();
    let addressed = addressed(module, &symbols);
    let mut callers = Callers::of(&mut symbols, &bodies, addressed);
    let mut demanded: Demanding<'a> = BTreeMap::new();
    // A body's overflow finding counts only if every finding before it is kept.
    let mut left = most.saturating_sub(found.all.len());
    let mut analyses: Vec<(usize, Checked<'a>)> = Vec::new();
    for index in callers.order().to_vec() {
        let function = module.functions[index];
        let Some(body) = function.body else { continue };
        let locals = locals(function, body);
        let declared: Vec<Declared<'_>> =
            locals.iter().map(|(_, variable)| Declared { variable, is_deferred: false }).collect();
        let values: Vec<Option<i128>> = body.constants().iter().map(whole).collect();
        let called = callers.take(index);
        let unit = Unit {
            symbols: &symbols,
            function,
            body,
            declared: &declared,
            constants: Constants { values: &values, same: &[] },
            environment: Environment::of(module),
            block: Block::of(function.directives),
            cluster: cluster(function.directives),
            called: &called,
            allowed: function.allow,
            is_ptx: module.source.is_some(),
            assumed: assumed.get(&index).map_or(&[], Vec::as_slice),
            before: order.before(index),
            defers: false,
        };
        let analysis = analyse_some(unit, left);
        callers.note(&analysis);
        let Analysis { mut findings, more, demands, allowances, .. } = analysis;
        left -= findings.len();
        if let Some(more) = more {
            found.leave_out(of_body(index, more));
        }
        if findings.is_empty() && demands.is_empty() {
            continue;
        }
        findings.shrink_to_fit();
        let locals = if demands.is_empty() { Vec::new() } else { locals };
        analyses.push((index, Checked { findings, locals, demands, allowances }));
    }
    drop(callers);
    analyses.sort_unstable_by_key(|(index, _)| *index);
    let mut allowances = BTreeMap::new();
    for (index, checked) in analyses {
        let line = |place| line(index, place);
        note_demands((module, index), &checked, line, &mut demanded);
        checked.findings.into_iter().for_each(|finding| found.note(of_body(index, finding)));
        if !checked.allowances.is_empty() {
            allowances.insert(index, checked.allowances);
        }
    }
    // The requirements of a special register are reported where a body names it.
    let of_special = |finding: &Finding<'_>| match &finding.problem {
        Problem::Rule(broken) if broken.rule.subject == "special" => {
            Some(broken.violation().to_string())
        }
        _ => None,
    };
    let named = found.all.iter().filter(|finding| finding.body().is_some());
    let named: BTreeSet<String> = named.filter_map(of_special).collect();
    found.all.retain(|finding| {
        finding.body().is_some()
            || of_special(finding).is_none_or(|violation| !named.contains(&violation))
    });
    for (site, object, demands) in demanded.into_values() {
        let violations = rules::check_alignment(Alignment { object, demands });
        for violation in violations {
            found.note(of_declaration(site, violation));
        }
    }
    Report { findings: found.all, more: found.more, allowances, symbols }
}

fn of_body(function: usize, finding: BodyFinding<'_>) -> Finding<'_> {
    let Place { statement, tokens } = finding.place;
    let site = Site::Tokens { function, statement, tokens };
    Finding { problem: finding.problem, site }
}

/// The problems found, up to a maximum.
struct Found<'a> {
    all: Vec<Finding<'a>>,
    most: usize,
    /// A problem beyond the maximum.
    more: Option<Finding<'a>>,
}

impl<'a> Found<'a> {
    fn note(&mut self, finding: Finding<'a>) {
        if self.all.len() < self.most {
            self.all.push(finding);
        } else {
            self.leave_out(finding);
        }
    }

    fn leave_out(&mut self, finding: Finding<'a>) {
        Problem::keep_one(&mut self.more, finding, |finding| &finding.problem);
    }
}

/// The results for one body that are kept until all bodies are analysed.
struct Checked<'a> {
    findings: Vec<BodyFinding<'a>>,
    /// Its declarations, if anything is demanded of them.
    locals: Vec<(usize, &'a ir::Variable<'a>)>,
    demands: Vec<Demanded>,
    allowances: Vec<Allowance<'a>>,
}

/// Returns the functions whose addresses are in initial values.
fn addressed(module: &ir::Module<'_>, symbols: &Symbols<'_>) -> Vec<usize> {
    let mut found = Vec::new();
    for variable in module.variables {
        variable.init.for_each_address(&mut |address| {
            let functions = symbols.functions.get(address.symbol);
            found.extend(functions.into_iter().flatten().map(|symbol| symbol.index));
        });
    }
    found
}

/// Resolves the module's names.
fn symbols<'a>(module: &ir::Module<'a>) -> Symbols<'a> {
    let mut symbols = Symbols::default();
    for (index, ir) in module.variables.iter().copied().enumerate() {
        let name = ir.name.to_string();
        let symbol = Symbol::known(index, name.clone(), ir);
        let named = symbols.variables.entry(name).or_default();
        // A family leaves its base name to another variable.
        named.retain(|earlier| earlier.ir.ty.family().is_some() != ir.ty.family().is_some());
        named.push(symbol);
    }
    for (index, ir) in module.functions.iter().copied().enumerate() {
        let name = ir.name.to_string();
        let symbol = Symbol::known(index, name.clone(), ir);
        symbols.functions.insert(name, vec![symbol]);
        let points_to_const = |param: &&ir::Param<'_>| {
            param.pointer.is_some_and(|pointer| pointer.space == Some(Space::Const))
        };
        if ir.kind == FunctionKind::Kernel
            && let Some(param) = ir.params.iter().find(points_to_const)
        {
            symbols.constant_pointer = symbols.constant_pointer.or(Some(param.variable.name));
        }
    }
    symbols
}

/// Returns a body's declarations in order, each with its index among the locals of the function.
fn locals<'a>(function: &Function<'a>, body: ir::Body<'a>) -> Vec<(usize, &'a ir::Variable<'a>)> {
    let declarators = body.statements().flat_map(|statement| statement.declarators());
    let order = function.locals_in_order(declarators.map(|declarator| declarator.name.text));
    let all: Vec<&'a ir::Variable<'a>> =
        function.locals.iter().chain(function.idle_shared).copied().collect();
    order.into_iter().map(|local| (local, all[local])).collect()
}

/// Returns a Rust number as an integer, if it is integral.
fn whole(number: &Number) -> Option<i128> {
    match *number {
        Number::Int { negative, magnitude } => {
            let magnitude = i128::try_from(magnitude).ok()?;
            Some(if negative { -magnitude } else { magnitude })
        }
        Number::Bits(_) | Number::F32(_) | Number::F64(_) => None,
    }
}

/// The demands of accesses on declarations, by the index of the function, if any, and by object.
type Demanding<'a> = BTreeMap<(Option<usize>, DeferredObject), (Site, Object<'a>, Demands)>;

fn note_demands<'a>(
    (module, function): (&ir::Module<'a>, usize),
    checked: &Checked<'a>,
    line: impl Fn(Place) -> Option<u32>,
    demanded: &mut Demanding<'a>,
) {
    let ir = module.functions[function];
    for Demanded { object, demand, accesses, place } in &checked.demands {
        let line = line(*place).unwrap_or(0);
        let (site, of) = match object {
            // All members of a family are declared together.
            DeferredObject::Variable(used) => {
                (Site::Variable(used.index), Object::Variable(module.variables[used.index]))
            }
            DeferredObject::Param(param) => {
                let of = &ir.params[*param];
                let object = match ir.kind {
                    FunctionKind::Kernel => Object::EntryParam(of),
                    FunctionKind::Device => Object::Input(&of.variable),
                };
                (Site::Param { function, param: *param }, object)
            }
            DeferredObject::Pointee(param) => {
                (Site::Param { function, param: *param }, Object::Pointee(&ir.params[*param]))
            }
            DeferredObject::FieldPointee(param, at) => {
                let mut found = None;
                let of = &ir.params[*param];
                of.variable.ty.for_each_pointer(&mut |offset, pointer| {
                    if offset == *at {
                        found = Some(Object::FieldPointee(of, offset, pointer));
                    }
                });
                let Some(object) = found else { continue };
                (Site::Param { function, param: *param }, object)
            }
            DeferredObject::Return(index) => {
                let object = Object::Return(&ir.returns[*index].variable);
                (Site::Return { function, index: *index }, object)
            }
            DeferredObject::Declaration(n) => {
                let (local, variable) = checked.locals[*n];
                (Site::Local { function, local }, Object::Variable(variable))
            }
        };
        let object = match object {
            DeferredObject::Variable(used) => {
                DeferredObject::Variable(VariableUse { index: used.index, member: None })
            }
            other => other.clone(),
        };
        let owner = site.function();
        let (.., demands) = demanded.entry((owner, object)).or_insert((site, of, Demands::NONE));
        *demands = demands.with(*demand, *accesses, line);
    }
}

#[cfg(test)]
mod tests;
