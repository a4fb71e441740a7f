//! Checks a whole module: its declarations, its bodies, and what bodies ask of declarations.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

use ptx_isa::Number;
use ptx_isa::Space;
use ptx_isa::ir::{self, Function, FunctionKind, Named, Names, Site, Sources};
use ptx_isa::rules::access::Object;
use ptx_isa::rules::alignment::{Alignment, Demands};
use ptx_isa::rules::{self, Environment, Violation};
use ptx_isa::sorted::{SortedMap, SortedSet};

use crate::calls::callers::Callers;
use crate::check::analysis::{analyse, check_statements};
use crate::check::assumed::CheckedBody;
use crate::findings::deferred::Demanded;
use crate::findings::finding::{Finding, Problem};
use crate::findings::order::Order;
use crate::findings::symbols::{Symbol, Symbols};
use crate::findings::unit::{Allowance, Analysis, Declared, Traced, Unit};
use crate::flow::object::{DeferredObject, VariableUse};
use crate::flow::place::Place;
use crate::values::constants::Constants;
use crate::values::launch::{Block, cluster, given_cluster};
use crate::values::launches::{Following, Launch, Launches};

/// What is known about a module besides its IR, and what a caller wants. The defaults hold where the IR says all.
pub trait Known<'a> {
    /// Returns what the module is checked for.
    fn environment(&self, module: &ir::Module<'a>) -> Environment {
        Environment::of(module)
    }

    /// Returns the name that bodies use for a variable or a function, if it differs from the one in PTX.
    fn name(&self, _: Site) -> Option<&str> {
        None
    }

    /// Whether a condition decides if a variable or a function exists.
    fn is_conditional(&self, _: Site) -> bool {
        false
    }

    /// Whether the alignment of a variable or its type is a constant that is not known.
    fn is_alignment_unknown(&self, _variable: usize) -> bool {
        false
    }

    /// Returns the names that count as declared in a function.
    fn assumed(&self, _function: usize) -> &[&'a str] {
        &[]
    }

    /// Returns what is not known of a body; with `None`, the IR has all its constants, and no check is deferred.
    fn unknown(&self, _function: usize) -> Option<Unknown<'_>> {
        None
    }

    /// Returns what is declared before what, if that counts.
    fn order(&self) -> Option<&Order<'a>> {
        None
    }

    /// Returns the line of a place in a function, from 1, if there are lines.
    fn line(&self, _function: usize, _place: Place) -> Option<u32> {
        None
    }

    /// Returns how the threads of a kernel are followed.
    fn following(&self, _function: usize) -> Following<'_> {
        Following::default()
    }

    /// Whether the values in registers are followed, and with them the threads of kernels. Otherwise declarations, and
    /// each statement by itself, are checked, which is all that the version and the target of a module decide.
    fn follows_values(&self) -> bool {
        true
    }

    /// Returns the maximum number of steps of warps in which the threads of a kernel are followed.
    fn effort(&self) -> usize {
        EFFORT
    }

    /// Returns the maximum number of findings to keep.
    fn most(&self) -> usize {
        usize::MAX
    }
}

/// The most steps of warps in which the threads of a kernel are followed.
const EFFORT: usize = 100_000;

/// The most steps of warps for all kernels of a module whose launch is given, and as many for all others.
const EFFORT_OF_MODULE: usize = 4_000_000;

/// The steps that are left, and the number of kernels that are left: each gets an equal part, and what one does not take
/// is for those after it.
#[derive(Clone, Copy)]
struct Steps {
    steps: usize,
    kernels: usize,
}

impl Steps {
    /// The part of the next kernel.
    fn part(&mut self) -> usize {
        let part = self.steps / self.kernels.max(1);
        self.kernels = self.kernels.saturating_sub(1);
        self.steps -= part;
        part
    }
}

/// What a front end does not know of a body, and what it assumes.
#[derive(Clone, Copy, Debug)]
pub struct Unknown<'c> {
    /// The value of each constant that tokens suggest; only rustc knows them.
    pub values: &'c [Option<i128>],
    /// For each constant, the first one that is the same expression.
    pub same: &'c [usize],
    /// For each declaration, whether it depends on a constant.
    pub declared: &'c [bool],
    /// The directives whose values are known.
    pub directives: &'c [ir::Directive],
}

/// Returns every rule violation in a module and what it is about, in its declarations and in its bodies except for
/// verbatim ones.
pub fn check_module<'a>(module: &ir::Module<'a>) -> Vec<(Site, Violation<'a>)> {
    let launches = module.functions.iter().map(|it| it.launch.map(Launch::from)).collect();
    let known = InRust { sources: RefCell::new(Sources::of(module)), launches };
    let rule = |finding: &Finding<'a>| Some((finding.site, *finding.violation()?));
    check(module, &known).findings.iter().filter_map(rule).collect()
}

/// The places in Rust source of a module whose constants are all known.
struct InRust<'a> {
    sources: RefCell<Sources<'a>>,
    /// The example of a launch that each function has.
    launches: Vec<Option<Launch>>,
}

impl<'a> Known<'a> for InRust<'a> {
    fn line(&self, function: usize, place: Place) -> Option<u32> {
        let Place { statement, tokens } = place;
        let site = Site::Tokens { function, statement, tokens };
        Some(self.sources.borrow_mut().location(site)?.line)
    }

    fn following(&self, function: usize) -> Following<'_> {
        let example = self.launches.get(function).and_then(Option::as_ref);
        example.map_or(Launches::Declared, Launches::Given).into()
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
    pub allowances: SortedMap<usize, Vec<Allowance<'a>>>,
    /// The allowances of declarations, directives and functions that permit a violation: what violates a rule, and its
    /// code.
    pub needed: SortedSet<(Site, &'static str)>,
    /// The module's symbols.
    pub symbols: Symbols<'a>,
    /// The analysis of each body of which something is unknown, by function index.
    pub bodies: SortedMap<usize, CheckedBody<'a>>,
    /// What accesses demand of declarations of whose accesses more is known later.
    pub demanded: Vec<Demand>,
}

/// What accesses demand of a declaration.
#[derive(Clone, Debug)]
pub struct Demand {
    /// The function, by its index; `None` for a variable of the module.
    pub function: Option<usize>,
    /// The declaration.
    pub object: DeferredObject,
    /// The demands.
    pub demands: Demands,
}

/// Checks a module: its declarations, names and bodies. It keeps at most as many findings as are wanted.
pub fn check<'a>(module: &ir::Module<'a>, known: &dyn Known<'a>) -> Report<'a> {
    let most = known.most();
    let environment = known.environment(module);
    let mut found = Findings { all: Vec::new(), most, more: None, needed: SortedSet::new() };
    let is_conditional = |site| known.is_conditional(site);
    rules::each_of_module(module, environment, &is_conditional, &mut |site, violation| {
        found.of_declaration(site, &violation);
    });
    let mut symbols = symbols(module, known);
    let bodies = module.functions.iter().enumerate();
    let bodies: Vec<(usize, ir::Body<'a>)> =
        bodies.filter_map(|(index, function)| Some((index, function.body?))).collect();
    let addressed = addressed(module);
    let mut callers = Callers::of(&mut symbols, &bodies, addressed);
    let mut demanded: Demanding<'a> = SortedMap::new();
    // A body's overflow finding counts only if every finding before it is kept.
    let mut left = most.saturating_sub(found.all.len());
    let mut analyses: Vec<(usize, Checked<'a>)> = Vec::new();
    let mut of_bodies = SortedMap::new();
    let analyse = if known.follows_values() { analyse } else { check_statements };
    let following = |index: usize| match module.functions[index].kind {
        FunctionKind::Kernel => known.following(index),
        FunctionKind::Device => Following::default(),
    };
    let pool =
        |following: Following<'_>| usize::from(matches!(following.launches, Launches::Given(_)));
    let mut pools = [Steps { steps: EFFORT_OF_MODULE, kernels: 0 }; 2];
    for (index, _) in &bodies {
        if module.functions[*index].kind == FunctionKind::Kernel {
            pools[pool(following(*index))].kernels += 1;
        }
    }
    for index in callers.order().to_vec() {
        let function = module.functions[index];
        let Some(body) = function.body else { continue };
        let unknown = known.unknown(index);
        let locals = locals(function);
        let is_deferred = |n: usize| unknown.is_some_and(|it| it.declared.get(n) == Some(&true));
        let declared = locals.iter().enumerate();
        let declared: Vec<Declared<'_>> = declared
            .map(|(n, (_, variable))| Declared { variable, is_deferred: is_deferred(n) })
            .collect();
        let values: Vec<Option<i128>> = match unknown {
            Some(unknown) => vec![None; unknown.values.len()],
            None => body.constants().iter().map(whole).collect(),
        };
        let same = unknown.map_or(&[][..], |unknown| unknown.same);
        let is_first = unknown.is_some_and(|it| it.values.iter().any(Option::is_some));
        let directives = unknown.map_or(function.directives, |unknown| unknown.directives);
        let called = callers.take(index);
        let line = |place| known.line(index, place);
        let following = following(index);
        let launches = following.launches;
        let part = Cell::new(match function.kind {
            FunctionKind::Kernel => pools[pool(following)].part(),
            FunctionKind::Device => 0,
        });
        let effort = known.effort();
        let traced = Traced { directives, following, effort, part: &part, line: &line };
        let unit = Unit {
            symbols: &symbols,
            index,
            function,
            body,
            declared: &declared,
            constants: Constants { values: &values, same },
            environment,
            block: Block::of(directives).or(launches),
            cluster: cluster(directives).or_else(|| given_cluster(launches)),
            called: &called,
            is_ptx: module.source.is_some(),
            assumed: known.assumed(index),
            before: known.order().and_then(|order| order.before(index)),
            traced: Some(&traced),
            defers: unknown.is_some(),
            is_first,
        };
        let mut analysis = analyse(unit, left);
        if known.is_conditional(Site::Function(index)) {
            callers.note_conditional(&analysis);
        } else {
            callers.note(&analysis);
        }
        let demands = core::mem::take(&mut analysis.demands);
        let allowed_by = core::mem::take(&mut analysis.allowed_by);
        found.needed.extend(
            allowed_by.into_iter().map(|(object, code)| (site_of(&object, index, &locals), code)),
        );
        let (findings, allowances) = match unknown {
            Some(unknown) => {
                let values = unknown.values;
                let constants = Constants { values, same };
                let assumed =
                    is_first.then(|| analyse(Unit { constants, is_first: false, ..unit }, left));
                of_bodies.insert(index, CheckedBody::of(analysis, assumed.as_ref(), constants));
                Default::default()
            }
            None => {
                let Analysis { mut findings, more, allowances, .. } = analysis;
                left -= findings.len();
                if let Some(more) = more {
                    found.leave_out(more);
                }
                findings.shrink_to_fit();
                (findings, allowances)
            }
        };
        pools[pool(following)].steps += part.get();
        if findings.is_empty() && demands.is_empty() {
            continue;
        }
        let locals = if demands.is_empty() { Vec::new() } else { locals };
        analyses.push((index, Checked { findings, locals, demands, allowances }));
    }
    drop(callers);
    analyses.sort_unstable_by_key(|(index, _)| *index);
    let mut allowances = SortedMap::new();
    for (index, checked) in analyses {
        let line = |place| known.line(index, place);
        note_demands((module, index), &checked, line, &mut demanded);
        checked.findings.into_iter().for_each(|finding| found.note(finding));
        if !checked.allowances.is_empty() {
            allowances.insert(index, checked.allowances);
        }
    }
    // The requirements of a special register are reported where a body names it.
    let special_violation = |finding: &Finding<'_>| match &finding.problem {
        Problem::Rule(violation) if violation.rule.subject == "special" => {
            Some(violation.to_string())
        }
        _ => None,
    };
    let named = found.all.iter().filter(|finding| finding.body().is_some());
    let named: SortedSet<String> = named.filter_map(special_violation).collect();
    found.all.retain(|finding| {
        finding.body().is_some()
            || special_violation(finding).is_none_or(|violation| !named.contains(&violation))
    });
    let (later, mut of_later) = (demanded_later(&of_bodies), Vec::new());
    for ((function, id), (site, object, demands)) in demanded {
        let key = (function, id);
        if later.contains(&key) {
            let (function, object) = key;
            of_later.push(Demand { function, object, demands });
            continue;
        }
        let alignment = Alignment { object, demands };
        rules::each_of_alignment(alignment, |violation| found.of_declaration(site, &violation));
    }
    Report {
        findings: found.all,
        more: found.more,
        allowances,
        needed: found.needed,
        symbols,
        bodies: of_bodies,
        demanded: of_later,
    }
}

/// The declarations of whose alignment a deferred check may ask more, by function, if any.
fn demanded_later(
    bodies: &SortedMap<usize, CheckedBody<'_>>,
) -> SortedSet<(Option<usize>, DeferredObject)> {
    let checks = bodies.iter().flat_map(|(function, body)| {
        body.analysis.deferred.iter().map(move |check| (*function, check))
    });
    let objects = checks.filter_map(|(n, check)| Some(declared(n, check.maybe_misaligned()?)));
    objects.collect()
}

/// The declaration of an object that a function names, and the function if it is its own: all members of a family are
/// declared together.
fn declared(function: usize, object: &DeferredObject) -> (Option<usize>, DeferredObject) {
    match object {
        DeferredObject::Variable(used) => {
            (None, DeferredObject::Variable(VariableUse { index: used.index, member: None }))
        }
        other => (Some(function), other.clone()),
    }
}

/// The problems found, up to a maximum.
struct Findings<'a> {
    all: Vec<Finding<'a>>,
    most: usize,
    /// A problem beyond the maximum.
    more: Option<Finding<'a>>,
    /// The allowances that are needed.
    needed: SortedSet<(Site, &'static str)>,
}

impl<'a> Findings<'a> {
    fn note(&mut self, finding: Finding<'a>) {
        if self.all.len() < self.most {
            self.all.push(finding);
        } else {
            self.leave_out(finding);
        }
    }

    /// Notes a violation by a declaration, or that an allowance permits it.
    fn of_declaration(&mut self, site: Site, violation: &Violation<'a>) {
        if violation.is_allowed {
            self.needed.insert((site.declaration(), violation.rule.code));
        } else {
            let problem = Problem::Rule(Box::new(*violation));
            self.note(Finding { problem, site, other: None });
        }
    }

    fn leave_out(&mut self, finding: Finding<'a>) {
        Problem::keep_one(&mut self.more, finding, |finding| &finding.problem);
    }
}

/// The results for one body that are kept until all bodies are analysed.
struct Checked<'a> {
    findings: Vec<Finding<'a>>,
    /// Its declarations, if anything is demanded of them.
    locals: Vec<(usize, &'a ir::Variable<'a>)>,
    demands: Vec<Demanded>,
    allowances: Vec<Allowance<'a>>,
}

/// Returns the functions whose addresses are in initial values.
fn addressed(module: &ir::Module<'_>) -> Vec<usize> {
    let mut found = Vec::new();
    if module.variables.iter().any(|variable| variable.init.has_address()) {
        let names = Names::of(module);
        for variable in module.variables {
            variable.init.for_each_address(&mut |address| match names.find(address.symbol) {
                Some(Named::Function(n)) => found.push(n),
                Some(Named::Variable(_)) | None => {}
            });
        }
    }
    found
}

/// Resolves the module's names.
pub(super) fn symbols<'a>(module: &ir::Module<'a>, known: &dyn Known<'a>) -> Symbols<'a> {
    let mut symbols = Symbols::default();
    let name = |site, ptx_name: &str| known.name(site).unwrap_or(ptx_name).to_string();
    for (index, ir) in module.variables.iter().copied().enumerate() {
        let symbol = Symbol {
            index,
            name: ir.name.to_string(),
            ir,
            is_alignment_deferred: known.is_alignment_unknown(index),
        };
        let site = Site::Variable(index);
        let named = symbols.variables.entry(name(site, ir.name)).or_default();
        // A family leaves its base name to another variable.
        if !known.is_conditional(site) {
            named.retain(|earlier| {
                earlier.ir.ty.family().is_some() != ir.ty.family().is_some()
                    || known.is_conditional(Site::Variable(earlier.index))
            });
        }
        named.push(symbol);
    }
    for (index, ir) in module.functions.iter().copied().enumerate() {
        let symbol = Symbol { index, name: ir.name.to_string(), ir, is_alignment_deferred: false };
        let site = Site::Function(index);
        let named = symbols.functions.entry(name(site, ir.name)).or_default();
        if !known.is_conditional(site) {
            named.retain(|earlier| known.is_conditional(Site::Function(earlier.index)));
        }
        named.push(symbol);
        let points_to_const = |param: &&ir::Param<'_>| {
            param.pointer.is_some_and(|pointer| pointer.space == Some(Space::Const))
        };
        if ir.kind == FunctionKind::Kernel
            && !known.is_conditional(site)
            && let Some(param) = ir.params.iter().find(points_to_const)
        {
            symbols.constant_pointer = symbols.constant_pointer.or(Some(param.variable.name));
        }
    }
    symbols
}

/// Returns a body's declarations in order, each with its index among the locals of the function.
pub(super) fn locals<'a>(function: &Function<'a>) -> Vec<(usize, &'a ir::Variable<'a>)> {
    let all: Vec<&'a ir::Variable<'a>> =
        function.locals.iter().chain(function.idle_shared).copied().collect();
    function.declared().map(|(local, ..)| (local, all[local])).collect()
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
type Demanding<'a> = SortedMap<(Option<usize>, DeferredObject), (Site, Object<'a>, Demands)>;

/// Returns the site of an object of a function with these declarations.
fn site_of(
    object: &DeferredObject,
    function: usize,
    locals: &[(usize, &ir::Variable<'_>)],
) -> Site {
    match object {
        // All members of a family are declared together.
        DeferredObject::Variable(used) => Site::Variable(used.index),
        DeferredObject::Param(param)
        | DeferredObject::Pointee(param)
        | DeferredObject::FieldPointee(param, _) => Site::Param { function, param: *param },
        DeferredObject::Return(index) => Site::Return { function, index: *index },
        DeferredObject::Declaration(n) => Site::Local { function, local: locals[*n].0 },
    }
}

/// Returns an object of a function with these declarations.
fn object_of<'a>(
    object: &DeferredObject,
    (module, function): (&ir::Module<'a>, &'a Function<'a>),
    locals: &[(usize, &'a ir::Variable<'a>)],
) -> Option<Object<'a>> {
    Some(match object {
        DeferredObject::Variable(used) => Object::Variable(module.variables[used.index]),
        DeferredObject::Param(param) => {
            let of = &function.params[*param];
            match function.kind {
                FunctionKind::Kernel => Object::EntryParam(of),
                FunctionKind::Device => Object::Input(&of.variable),
            }
        }
        DeferredObject::Pointee(param) => Object::Pointee(&function.params[*param]),
        DeferredObject::FieldPointee(param, at) => {
            let mut found = None;
            let of = &function.params[*param];
            of.variable.ty.for_each_pointer(&mut |offset, pointer| {
                if offset == *at {
                    found = Some(Object::FieldPointee(of, offset, pointer));
                }
            });
            found?
        }
        DeferredObject::Return(index) => Object::Return(&function.returns[*index].variable),
        DeferredObject::Declaration(n) => Object::Variable(locals[*n].1),
    })
}

fn note_demands<'a>(
    (module, function): (&ir::Module<'a>, usize),
    checked: &Checked<'a>,
    line: impl Fn(Place) -> Option<u32>,
    demanded: &mut Demanding<'a>,
) {
    let ir = module.functions[function];
    for Demanded { object, demand, accesses, place } in &checked.demands {
        let line = line(*place).unwrap_or(0);
        let Some(of) = object_of(object, (module, ir), &checked.locals) else { continue };
        let site = site_of(object, function, &checked.locals);
        let (.., demands) =
            demanded.entry(declared(function, object)).or_insert((site, of, Demands::NONE));
        *demands = demands.with(*demand, *accesses, line);
    }
}

#[cfg(test)]
mod tests;
