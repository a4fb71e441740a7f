//! Functions that return all violations of the rules by one subject, during macro expansion and at run time.

use alloc::vec::Vec;

use super::value::Misfit;
use super::{
    AddressTarget, Arg, Args, Blame, Environment, GivenDirective, NONE, Padding, Rule, Scope,
    StorageAccess, Violation, access, aliased, alignment, block_barrier, call, copy, form, format,
    instruction, misplaced, name_in_body, protocol, register, reload, surface, table, trace,
    warpgroup,
};
use crate::ir::{
    Address, Directive, DirectiveKind, Function, Module, Named, Names, Order, Param, Site, Struct,
    Type, Value, Variable,
};
use crate::rule::{all, with_allowed};
use crate::scalar::ScalarType;
use crate::sorted::SortedMap;
use crate::space::Space;

/// Returns all violations by a variable and by the elements of its initial value.
pub fn check_variable<'a>(
    variable: &Variable<'a>,
    scope: Scope,
    env: Environment,
) -> Vec<Violation<'a>> {
    let mut found = of_variable(variable, scope, env);
    each_of_value(variable, &mut |_, violations| found.extend(violations));
    unallowed(found)
}

/// Returns all violations by a number, as an element of the initial value of a variable.
pub fn check_number<'a>(
    variable: &Variable<'a>,
    scalar: ScalarType,
    number: Value<'_>,
) -> Vec<Violation<'a>> {
    let misfit = Misfit::of_number(variable, scalar, &number);
    misfit.map_or_else(Vec::new, |misfit| all(|from| table::element(misfit, from, None)))
}

/// Calls `found` with the violations by each element of the initial value of a variable, allowed or not, and its index.
fn each_of_value<'a>(variable: &Variable<'a>, found: &mut dyn FnMut(usize, Vec<Violation<'a>>)) {
    Misfit::each(variable, &mut |element, misfit| {
        found(element, with_allowed(|from| table::element(misfit, from, None)));
    });
}

/// The violations that no declaration allows.
fn unallowed(mut found: Vec<Violation<'_>>) -> Vec<Violation<'_>> {
    found.retain(|violation| !violation.is_allowed);
    found
}

/// All violations by a variable, allowed or not.
fn of_variable<'a>(variable: &Variable<'a>, scope: Scope, env: Environment) -> Vec<Violation<'a>> {
    with_allowed(|from| table::variable(variable, scope, env, from, None))
}

/// Returns all violations by a parameter, including its variable's, or by a return value.
pub fn check_param<'a>(
    param: &Param<'a>,
    scope: Scope,
    callee: call::Callee,
    env: Environment,
) -> Vec<Violation<'a>> {
    unallowed(of_param(param, scope, callee, env))
}

/// All violations by a parameter, allowed or not.
fn of_param<'a>(
    param: &Param<'a>,
    scope: Scope,
    callee: call::Callee,
    env: Environment,
) -> Vec<Violation<'a>> {
    let mut found = of_variable(&param.variable, scope, env);
    found.extend(with_allowed(|from| table::param(param, from, None)));
    if scope != Scope::Param {
        found.extend(all(|from| table::formal(param, callee, from, None)));
    }
    found
}

/// Returns all gaps in a struct that the padding rule refuses.
pub fn check_padding<'a>(layout: &Struct<'a>) -> Vec<Padding<'a>> {
    let gaps = (0..=layout.fields.len()).map(|n| Padding::before_field(layout, n));
    gaps.filter(|gap| table::padding(gap, 0, None).is_some()).collect()
}

/// Returns all violations by the name of a function.
pub fn check_name(name: &str) -> Vec<Violation<'_>> {
    // Functions have no state space; names are checked on a variable in this one.
    let probe = Variable::new(Space::Param, name, &Type::Unknown);
    let mut found = Vec::new();
    if let Some((_, violation)) =
        table::variable(&probe, Scope::Module, Environment::UNKNOWN, 0, Some(Blame::Name))
    {
        // The name is taken from the argument because the probe is dropped here.
        found.push(Violation {
            subject: name,
            args: named(name),
            rule: violation.rule,
            only_where: None,
            reached: None,
            blames: violation.blames,
            is_allowed: false,
        });
    }
    found
}

/// Returns all violations by an alignment that the IR has no place for, of what is declared in this space.
pub fn check_align(align: usize, space: Space, scope: Scope) -> Vec<Violation<'static>> {
    let probe = Variable { align: Some(align), ..Variable::new(space, "", &Type::Unknown) };
    let part = Some(Blame::Align);
    all(|from| table::variable(&probe, scope, Environment::UNKNOWN, from, part))
}

/// The values of a message about a name.
const fn named(name: &str) -> Args<'_> {
    match crate::ident::fault(name) {
        Some(fault) => [Arg::Str(name), Arg::Str(fault.reason()), Arg::Str(fault.fix()), NONE],
        None => [Arg::Str(name), NONE, NONE, NONE],
    }
}

/// Returns all violations by a function's signature, excluding those of its parameters.
pub fn check_function<'a>(function: &Function<'a>, env: Environment) -> Vec<Violation<'a>> {
    all(|from| table::function(function, env, from, None))
}

/// Returns all violations by a directive of a function.
pub fn check_directive<'a>(
    directive: GivenDirective<'a>,
    function: &Function<'a>,
    env: Environment,
) -> Vec<Violation<'a>> {
    all(|from| table::directive(directive, function, env, from, None))
}

/// Returns all violations by the directives of a function that has only such as the IR does not have.
pub fn check_other_directives<'a>(function: &Function<'a>) -> Vec<Violation<'a>> {
    const OTHERS: &[Directive] = &[Directive { kind: DirectiveKind::MaxNTid, values: [1; 3] }];
    let function = Function { directives: OTHERS, ..*function };
    all(|from| table::function(&function, Environment::UNKNOWN, from, Some(Blame::Directives)))
}

/// Returns all violations by an address in the initial value of `holder`.
pub fn check_address<'a>(
    address: &Address<'a>,
    symbol: AddressTarget<'a>,
    holder: &Variable<'a>,
) -> Vec<Violation<'a>> {
    all(|from| table::address(address, symbol, holder, from, None))
}

/// Returns all violations by an operand at its offset.
pub fn check_operand<'a>(
    operand: StorageAccess<'a>,
    object: access::Object<'a>,
) -> Vec<Violation<'a>> {
    let mut found = all(|from| table::operand(operand, object, from, None));
    for violation in &mut found {
        *violation = violation.under(operand.only_where, operand.reached);
    }
    found
}

/// Returns the rules that an operand breaks, and that its object allows.
pub fn allowed_of_operand<'a>(
    operand: StorageAccess<'a>,
    object: access::Object<'a>,
) -> impl Iterator<Item = &'static Rule> {
    let mut found = Vec::new();
    if !object.variable().allow.is_empty() {
        found = with_allowed(|from| table::operand(operand, object, from, None));
    }
    found.into_iter().filter(|violation| violation.is_allowed).map(|violation| violation.rule)
}

/// Calls `found` with each violation by a declaration whose alignment is insufficient for the accesses to it, allowed or
/// not.
pub fn each_of_alignment<'a>(
    alignment: alignment::Alignment<'a>,
    found: impl FnMut(Violation<'a>),
) {
    with_allowed(|from| table::alignment(alignment, from, None)).into_iter().for_each(found);
}

/// The rule of addresses in initial values that have a lower alignment than their type guarantees, which only rustc
/// can evaluate.
pub const POINTED: &Rule = &table::D070;

/// The rule of addresses that are passed as pointers into another state space.
pub const PASSED: &Rule = &table::C007;

/// The rule of declarations with a lower alignment than an access to this object needs.
pub const fn alignment_rule(object: access::Object<'_>) -> &'static Rule {
    match object {
        access::Object::Pointee(_) | access::Object::FieldPointee(..) => &table::A036,
        access::Object::Variable(_)
        | access::Object::Member(..)
        | access::Object::EntryParam(_)
        | access::Object::Input(_)
        | access::Object::Return(_)
        | access::Object::LocalParam(_) => &table::A022,
    }
}

/// Returns all violations by the tile and the map of a tensor copy.
pub fn check_copy(copy: copy::TensorCopy<'_>) -> Vec<Violation<'_>> {
    all(|from| table::copy(copy, from, None))
}

/// Returns all violations by the count of an `expect_tx`.
pub fn check_transactions(transactions: copy::Transactions<'_>) -> Vec<Violation<'static>> {
    all(|from| table::transactions(transactions, from, None))
}

/// Returns all violations by a copy that completes on this barrier, in a kernel that expects bytes somewhere or not.
pub fn check_completed(barrier: &str, is_expected: bool) -> Vec<Violation<'_>> {
    all(|from| table::completed(barrier, is_expected, from, None))
}

/// Returns all violations by a number that a barrier is set to count to.
pub fn check_count<'a>(count: copy::BarrierCount) -> Vec<Violation<'a>> {
    all(|from| table::count(count, from, None))
}

/// Returns all violations by the content of a register that an instruction uses as an address or a guard.
pub fn check_register(taken: register::Taken<'_>) -> Vec<Violation<'_>> {
    all(|from| table::register(taken, from, None))
}

/// Returns all violations by the content of a register that an instruction uses as numbers.
pub fn check_numbers(taken: format::UsedNumbers<'_>) -> Vec<Violation<'_>> {
    all(|from| table::numbers(taken, from, None))
}

/// Returns all violations by an address that is passed to a function.
pub fn check_passed(passed: call::PassedAddress<'_>) -> Vec<Violation<'_>> {
    all(|from| table::passed(passed, from, None))
}

/// Returns all violations by a register or a `.param` variable that is passed to a function.
pub fn check_passed_name(passed: call::PassedName<'_>) -> Vec<Violation<'_>> {
    all(|from| table::passed_name(passed, from, None))
}

/// Returns all violations by the rank of a block of a cluster.
pub fn check_named_block<'a>(block: register::NamedBlock) -> Vec<Violation<'a>> {
    all(|from| table::named_block(block, from, None))
}

/// Returns all violations by a load of read-only data that this kernel stores to.
pub fn check_reload(reload: reload::Reload<'_>) -> Vec<Violation<'_>> {
    all(|from| table::reload(reload, from, None))
}

/// Returns all violations by a load of dynamic shared memory that has several names.
pub fn check_aliased(aliased: aliased::AliasedLoad<'_>) -> Vec<Violation<'_>> {
    all(|from| table::aliased(aliased, from, None))
}

/// Returns all violations by an instruction that is out of order.
pub fn check_order(misuse: protocol::Misuse<'_>) -> Vec<Violation<'_>> {
    all(|from| table::protocol(misuse, from, None))
}

/// Returns all violations by what threads do in a launch.
pub fn check_trace(trace: trace::Trace<'_>) -> Vec<Violation<'_>> {
    all(|from| table::trace(trace, from, None))
}

/// Returns all violations by a coordinate in a row of a surface.
pub fn check_surface<'a>(at: surface::SurfaceByte) -> Vec<Violation<'a>> {
    all(|from| table::surface(at, from, None))
}

/// Returns all violations by the number of threads that a barrier of a block waits for.
pub fn check_block_barrier<'a>(barrier: block_barrier::BlockBarrier) -> Vec<Violation<'a>> {
    all(|from| table::block_barrier(barrier, from, None))
}

/// Returns all violations by a warpgroup around asynchronous multiplications.
pub fn check_warpgroup(found: warpgroup::Warpgroup<'_>) -> Vec<Violation<'_>> {
    all(|from| table::warpgroup(found, from, None))
}

/// Returns all violations by a matrix descriptor, given its tile.
pub fn check_descriptor(descriptor: copy::TileDescriptor<'_>) -> Vec<Violation<'_>> {
    all(|from| table::descriptor(descriptor, from, None))
}

/// Returns all violations by a call as a whole.
pub fn check_call<'a>(
    name: &'a str,
    counts: call::Counts<'a>,
    is_kernel: bool,
) -> Vec<Violation<'a>> {
    all(|from| table::call(name, counts, is_kernel, from, None))
}

/// Returns all violations by an argument of a call, or by the receiver of a return value.
pub fn check_argument<'a>(formal: &Param<'a>, actual: call::Actual<'a>) -> Vec<Violation<'a>> {
    all(|from| table::argument(formal, actual, from, None))
}

/// Returns all violations by a use of a special register; its name includes `%`.
pub fn check_special(name: &str, env: Environment) -> Vec<Violation<'_>> {
    all(|from| table::special(name, env, from, None))
}

/// Returns all violations by a name that is declared twice in one scope.
pub fn check_duplicate<'a>(name: &'a str, earlier: &'a str) -> Vec<Violation<'a>> {
    all(|from| table::duplicate(name, earlier, from, None))
}

/// Returns all violations by a module, including those of its declarations.
pub fn check_module<'a>(module: &Module<'a>) -> Vec<Violation<'a>> {
    let mut found = Vec::new();
    let env = Environment::of(module);
    each_of_module(module, env, &|_| false, &mut |_, violation| found.push(violation));
    unallowed(found)
}

/// Calls `found` with each violation by a module, allowed or not, and what it is about: hostile input can have many.
/// Declarations of one name are not compared where a condition chooses between them.
pub fn each_of_module<'a>(
    module: &Module<'a>,
    env: Environment,
    is_conditional: &dyn Fn(Site) -> bool,
    found: &mut dyn FnMut(Site, Violation<'a>),
) {
    let mut all = |site: Site, violations: Vec<Violation<'a>>| {
        for violation in violations {
            found(site, violation);
        }
    };
    // Without a target, nothing is known of the module as a whole.
    if env.target.is_some() {
        all(Site::Module, check_module_alone(module));
    }
    let several_returns = module.functions.iter().any(|function| function.returns.len() > 1);
    for (n, variable) in module.variables.iter().enumerate() {
        all(Site::Variable(n), of_variable(variable, Scope::Module, env));
        each_of_value(variable, &mut |element, found| {
            all(Site::Element { variable: n, element }, found);
        });
    }
    for (n, function) in module.functions.iter().enumerate() {
        all(Site::Function(n), check_name(function.name));
        for (directive, ir) in function.directives.iter().enumerate() {
            let site = Site::Directive { function: n, directive };
            let given = GivenDirective::Known(*ir);
            let of_directive = |from| table::directive(given, function, env, from, None);
            all(site, with_allowed(of_directive));
        }
        let of_function = |from| table::function(function, env, from, None);
        all(Site::Function(n), with_allowed(of_function));
        for name in function.specials {
            all(Site::Function(n), check_special(name, env));
        }
        let callee = call::Callee::new(function.linkage.is_elsewhere(), several_returns);
        let sites = signature(n, function);
        for ((site, _), (param, scope)) in sites.zip(Scope::of_signature(function)) {
            all(site, of_param(param, scope, callee, env));
        }
        // The names in a declaration are never used, and may be equal.
        if function.body.is_some() {
            let names = signature(n, function).map(|(site, param)| (param.variable.name, site));
            check_duplicates(names, &mut all);
        }
        for (local, (site, variable)) in locals(n, function).enumerate() {
            all(site, of_variable(variable, Scope::Body, env));
            each_of_value(variable, &mut |element, found| {
                all(Site::LocalElement { function: n, local, element }, found);
            });
        }
    }
    check_param_names(module, is_conditional, &mut all);
    let is_certain = |site: Site| !is_conditional(site);
    check_addresses(module, &is_certain, &mut all);
    let redeclared = check_declarations(module, &is_certain, &mut all);
    let variables = module.variables.iter().enumerate();
    let functions = module.functions.iter().enumerate().zip(&redeclared);
    let functions = functions.filter(|(_, is_redeclared)| !**is_redeclared);
    let functions = functions.map(|((n, function), _)| (function.name, Site::Function(n)));
    let is_family = |(_, variable): &(usize, &&Variable<'a>)| variable.ty.family().is_some();
    let named = |(n, variable): (usize, &&Variable<'a>)| (variable.name, Site::Variable(n));
    // What `s<4>` declares is named `s0` to `s3`, and not `s`.
    let others = variables.clone().filter(|variable| !is_family(variable)).map(named);
    let families = variables.clone().filter(is_family).map(named);
    let families: Vec<(&str, Site)> = families.filter(|(_, site)| is_certain(*site)).collect();
    let others = others.chain(functions.clone()).filter(|(_, site)| is_certain(*site));
    check_duplicates(others, &mut all);
    let has_families = variables.clone().any(|variable| is_family(&variable));
    check_duplicates(families.into_iter(), &mut all);
    if has_families {
        let names = Names::of(module);
        let all_names = variables.map(named).chain(functions);
        for (name, site) in all_names.filter(|(_, site)| is_certain(*site)) {
            if names.family_of(name).is_some() {
                all(site, check_duplicate(name, name));
            }
        }
    }
}

/// The parameters and return values of a function, in the order of [`Scope::of_signature`].
fn signature<'f, 'a>(
    function: usize,
    ir: &'f Function<'a>,
) -> impl Iterator<Item = (Site, &'f Param<'a>)> {
    let params = ir.params.iter().enumerate();
    let params = params.map(move |(param, of)| (Site::Param { function, param }, of));
    let returns = ir.returns.iter().enumerate();
    params.chain(returns.map(move |(index, of)| (Site::Return { function, index }, of)))
}

/// The declarations of a body.
fn locals<'a>(
    function: usize,
    ir: &Function<'a>,
) -> impl Iterator<Item = (Site, &'a Variable<'a>)> {
    let all = ir.locals.iter().chain(ir.idle_shared).copied().enumerate();
    all.map(move |(local, variable)| (Site::Local { function, local }, variable))
}

/// The violations by functions that were declared before, and for each function, whether one of the two is only a
/// declaration.
fn check_declarations<'a>(
    module: &Module<'a>,
    is_certain: &dyn Fn(Site) -> bool,
    found: &mut dyn FnMut(Site, Vec<Violation<'a>>),
) -> Vec<bool> {
    let mut declared: SortedMap<&str, &Function<'a>> = SortedMap::new();
    let each = module.functions.iter().enumerate().map(|(n, function)| {
        if !is_certain(Site::Function(n)) {
            return false;
        }
        let Some(earlier) = declared.insert(function.name, function) else { return false };
        found(Site::Function(n), check_redeclared(earlier, function));
        earlier.body.is_none() || function.body.is_none()
    });
    each.collect()
}

/// Returns the violation by a declaration of a function that `earlier` declares, too.
pub fn check_redeclared<'a>(earlier: &Function<'a>, function: &Function<'a>) -> Vec<Violation<'a>> {
    all(|from| table::redeclared(earlier, function, from, None))
}

/// The violations by addresses in the initial values of the module's variables.
fn check_addresses<'a>(
    module: &Module<'a>,
    is_certain: &dyn Fn(Site) -> bool,
    found: &mut dyn FnMut(Site, Vec<Violation<'a>>),
) {
    if !module.variables.iter().any(|variable| variable.init.has_address()) {
        return;
    }
    let names = Names::of(module);
    let mut functions = module.functions.iter().enumerate();
    let several = functions
        .find(|(n, function)| function.returns.len() > 1 && is_certain(Site::Function(*n)))
        .map(|(_, function)| function);
    let holders = module.variables.iter().enumerate();
    for (n, holder) in holders.filter(|(_, holder)| !holder.is_dynamic()) {
        let mut number = 0;
        holder.init.for_each_address(&mut |address| {
            let site = Site::Address { variable: n, address: number };
            number += 1;
            if let (Some(function), Some(Named::Function(_))) =
                (several, names.find(address.symbol))
            {
                let of = |from| table::abi(function.name, address.symbol, from, None);
                found(site, all(of));
            }
            let symbol = match names.find(address.symbol) {
                Some(Named::Variable(i)) => AddressTarget::Variable(module.variables[i]),
                Some(Named::Function(_)) => AddressTarget::Function,
                None => AddressTarget::Nothing,
            };
            let of_address = |from| table::address(address, symbol, holder, from, None);
            found(site, with_allowed(of_address));
        });
    }
    for last in Order::of(module).into_iter().flat_map(|order| order.cycles) {
        let name = module.variables[last].name;
        found(Site::Variable(last), all(|from| table::cycle(name, from, None)));
    }
}

/// Returns the violation by a number that is declared to be exact, but that a type cannot represent.
pub fn check_exact<'a>(
    literal: &'a str,
    scalar: ScalarType,
    nearest: &'a str,
) -> Vec<Violation<'a>> {
    all(|from| table::exact(literal, scalar, nearest, from, None))
}

/// Returns all violations by the form of an instruction.
pub fn check_form(form: form::Form<'_>, env: Environment) -> Vec<Violation<'_>> {
    all(|from| table::form(form, env, from, None))
}

/// Returns all violations by the use of an instruction.
pub fn check_instruction(used: instruction::Used<'_>, env: Environment) -> Vec<Violation<'_>> {
    all(|from| table::instruction(used, env, from, None))
}

/// Returns the violation by a name in a body.
pub fn check_name_in_body<'a>(
    name: &'a str,
    wrong: name_in_body::WrongName<'a>,
) -> Option<Violation<'a>> {
    table::name_in_body(name, wrong, 0, None).map(|(_, violation)| violation)
}

/// Returns all violations by what stands where something else has to.
pub fn check_misplaced(found: misplaced::Misplaced<'_>) -> Vec<Violation<'_>> {
    all(|from| table::misplaced(found, from, None))
}

/// Returns all violations by a module as a whole, excluding those of its declarations.
pub fn check_module_alone<'a>(module: &Module<'a>) -> Vec<Violation<'a>> {
    all(|from| table::module(module, from, None))
}

/// Returns all violations by a parameter of `owner`, or a `.param` of its body, that has the name of `function`, in a
/// module that defines no other function than `owner`, or several.
pub fn check_named<'a>(
    variable: &Variable<'a>,
    owner: &Function<'a>,
    function: &Function<'a>,
    is_alone: bool,
) -> Vec<Violation<'a>> {
    unallowed(of_name(variable, owner, function, is_alone))
}

fn of_name<'a>(
    variable: &Variable<'a>,
    owner: &Function<'a>,
    function: &Function<'a>,
    is_alone: bool,
) -> Vec<Violation<'a>> {
    with_allowed(|from| table::named(variable, owner, function, is_alone, from, None))
}

/// The violations by parameters with the name of one of the module's functions. Where a condition may remove that
/// function, only its own parameters and declarations are certain to be there with it.
fn check_param_names<'a>(
    module: &Module<'a>,
    is_conditional: &dyn Fn(Site) -> bool,
    found: &mut dyn FnMut(Site, Vec<Violation<'a>>),
) {
    let is_certain = |n: usize| !is_conditional(Site::Function(n));
    let mut by_name: SortedMap<&str, Vec<usize>> = SortedMap::new();
    for (n, function) in module.functions.iter().enumerate() {
        by_name.entry(function.name).or_insert_with(|| Vec::with_capacity(1)).push(n);
    }
    let functions = || module.functions.iter().enumerate();
    let defined: Vec<usize> = functions()
        .filter(|(n, function)| function.body.is_some() && is_certain(*n))
        .map(|(n, _)| n)
        .collect();
    for (n, owner) in functions() {
        let is_alone = !defined.iter().take(2).any(|other| *other != n);
        let signature = signature(n, owner).map(|(site, param)| (site, &param.variable));
        let first = owner.locals.len();
        let locals = locals(n, owner).take(first);
        for (site, variable) in signature.chain(locals) {
            let mut named = by_name.get(variable.name).into_iter().flatten();
            if let Some(function) = named.find(|other| **other == n || is_certain(**other)) {
                let function = module.functions[*function];
                found(site, of_name(variable, owner, function, is_alone));
            }
        }
    }
}

/// The violations by names that are declared more than once in a scope, by each declaration but the first.
fn check_duplicates<'a>(
    names: impl Iterator<Item = (&'a str, Site)>,
    found: &mut dyn FnMut(Site, Vec<Violation<'a>>),
) {
    let mut sorted: Vec<(&str, Site)> = names.collect();
    sorted.sort_by_key(|(name, _)| *name);
    for pair in sorted.windows(2) {
        let [(earlier, _), (name, site)] = [pair[0], pair[1]];
        found(site, check_duplicate(name, earlier));
    }
}
