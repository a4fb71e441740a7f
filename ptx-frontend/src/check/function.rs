//! Kernels and device functions.

use std::collections::HashMap;

use ptx_analysis::{Block, VariableUse};
use ptx_types::ir::{self, DirectiveKind, FunctionKind, Linkage};
use ptx_types::rules::call::Callee;
use ptx_types::rules::{self, Blame, Environment, Scope};
use quote::{ToTokens, quote};

use super::assumption::Integers;
use super::body::{Around, check_body, lower_declarations};
use super::names::Names;
use super::place::tokens_over;
use super::variable::{check_declaration, lower_unified};
use super::{Checked, CheckedBody, blamed_type, check_ident};
use crate::address::Meaning;
use crate::ast::{Directive, Function, Item, Module, Param, Variable};
use crate::codes::is_of_declarations;
use crate::errors::Errors;
use crate::integer::Integer;
use crate::types::Lowering;

/// The IR of a function without its body, with unknowns where tokens do not tell.
pub(super) fn lower_signature<'a>(
    function: &Function,
    lowering: &Lowering<'a>,
) -> &'a ir::Function<'a> {
    let codes: Vec<&'static str> = function.allow.iter().map(|(code, _)| *code).collect();
    let params = function.params.iter().map(|param| lower_param(param, function, lowering));
    let returns = function.returns.iter().map(|param| lower_param(param, function, lowering));
    let (params, returns): (Vec<_>, Vec<_>) = (params.collect(), returns.collect());
    lowering.arena.alloc(ir::Function {
        linkage: function.linkage,
        params: lowering.arena.alloc_slice_copy(&params),
        returns: lowering.arena.alloc_slice_copy(&returns),
        unified: function.unified.as_ref().map(|(upper, lower, _)| lower_unified(upper, lower)),
        allow: lowering.arena.alloc_slice_copy(&codes),
        ..ir::Function::new(function.kind, lowering.arena.alloc_str(&function.name))
    })
}

fn lower_param<'a>(param: &Param, function: &Function, lowering: &Lowering<'a>) -> ir::Param<'a> {
    let name = lowering.arena.alloc_str(&super::ptx_name(&param.ident));
    let mut variable = ir::Variable::new(param.space, name, lowering.lower_type(&param.ty));
    variable.allow = lowering.arena.alloc_slice_copy(&param.allowed(function));
    variable.align = param.align.as_ref().and_then(Integer::known_as);
    let pointer = lowering.lower_pointer(&param.ty);
    ir::Param { variable, pointer, readonly: param.readonly.is_some() }
}

pub(super) fn check_function<'a>(
    function: &mut Function,
    env: Environment,
    names: &Names<'a>,
    integers: &Integers,
    lowering: &Lowering<'a>,
    errors: &mut Errors,
) -> Option<CheckedBody<'a>> {
    check_ident(&function.ident, &function.name, errors);
    check_directives(function, env, errors);
    let signature = lower_signature(function, lowering);
    check_params(function, signature, names.several_returns.is_some(), env, errors);
    let body = function.body.as_ref()?;
    let declared = lower_declarations(body, lowering);
    let (mut needed, mut is_open) = (Vec::new(), false);
    for (declaration, ir) in body.source.declarations.iter().zip(&declared) {
        needed.extend(check_declaration(declaration, ir, &function.allow, env, lowering, errors));
        is_open |= declaration.has_constant();
    }
    for (code, span) in &function.allow {
        if is_of_declarations(code) && !needed.contains(code) && !is_open {
            errors.at(*span, rules::unneeded(code));
        }
    }
    let block = block(&function.directives);
    let integers = &integers.clone().with(function.items.iter());
    let around =
        Around { names, function: signature, allow: &function.allow, env, block, integers };
    Some(check_body(body, declared, around, lowering, errors))
}

/// The extents of a block, as far as directives say.
fn block(directives: &[Directive]) -> Block {
    let extents = |kind| {
        let directive = directives.iter().find(|directive| directive.kind == kind)?;
        let mut extents = [1; 3];
        for (extent, value) in extents.iter_mut().zip(&directive.values) {
            *extent = value.known_as::<u32>()?.into();
        }
        Some(extents)
    };
    match (extents(DirectiveKind::ReqNTid), extents(DirectiveKind::MaxNTid)) {
        (Some(extents), _) => Block::Exactly(extents),
        (None, Some(extents)) => Block::AtMost(extents.iter().product()),
        (None, None) => Block::Unknown,
    }
}

/// The parameters and what is returned, each at its own tokens.
fn check_params(
    function: &mut Function,
    signature: &ir::Function<'_>,
    several_returns: bool,
    env: Environment,
    errors: &mut Errors,
) {
    let has_body = function.body.is_some();
    let callee = Callee::new(!has_body, several_returns);
    let mut names: Vec<&str> = Vec::new();
    let all = function.params.iter_mut().chain(&mut function.returns);
    for (param, (ir, scope)) in all.zip(Scope::of_signature(signature)) {
        let before = errors.len();
        for violation in rules::check_param(ir, scope, callee, env) {
            match violation.rule.blames {
                Blame::Name => errors.at(param.ident.span(), violation),
                Blame::Align => errors.on(&param.align, violation),
                Blame::Linkage => {
                    let place = param.readonly.unwrap_or_else(|| param.ident.span());
                    errors.at(place, violation);
                }
                part => errors.on(blamed_type(part, &param.ty), violation),
            }
        }
        // The names in a declaration without a body are never used.
        if has_body && names.contains(&ir.variable.name) {
            for violation in rules::check_duplicate(ir.variable.name, ir.variable.name) {
                errors.at(param.ident.span(), violation);
            }
        }
        names.push(ir.variable.name);
        if errors.len() > before {
            param.refused = true;
            make_sized(&mut param.ty);
        }
    }
}

/// Gives a type that was refused a size, so that rustc does not report that it has none.
fn make_sized(ty: &mut syn::Type) {
    let sized = match ty {
        syn::Type::Group(group) => return make_sized(&mut group.elem),
        syn::Type::Paren(paren) => return make_sized(&mut paren.elem),
        syn::Type::Slice(slice) => &slice.elem,
        syn::Type::Array(array) if matches!(array.len, syn::Expr::Infer(_)) => &array.elem,
        _ => return,
    };
    *ty = (**sized).clone();
}

/// Parameters that have the name of a function of the module, and `.param`s of bodies. Of functions
/// that `cfg` may remove, only the parameters' own is certain to be there with them.
pub(super) fn check_param_names(module: &Module, lowering: &Lowering<'_>, errors: &mut Errors) {
    let functions = || {
        module.items.iter().enumerate().filter_map(|(i, item)| match item {
            Item::Function(function) => Some((i, &**function)),
            Item::Variable(_) | Item::Rust(_) => None,
        })
    };
    let mut named: HashMap<&str, Vec<(usize, &Function)>> = HashMap::new();
    for (i, function) in functions() {
        named.entry(&function.name).or_default().push((i, function));
    }
    for (i, owner) in functions() {
        let Some(body) = &owner.body else { continue };
        let signature = ir::Function {
            body: Some(ir::Body::verbatim("")),
            ..*lower_signature(owner, lowering)
        };
        let params = signature.params.iter().chain(signature.returns);
        let idents = owner.params.iter().chain(&owner.returns);
        let params =
            params.zip(idents).map(|(ir, param)| (&ir.variable, param.ident.to_token_stream()));
        let locals = lower_declarations(body, lowering);
        let places = body.source.declarations.iter().map(|found| tokens_over(found.name.at));
        let locals = locals.into_iter().zip(places);
        for (variable, tokens) in params.chain(locals) {
            let found = named.get(variable.name).into_iter().flatten();
            let mut certain =
                found.filter(|(j, function)| i == *j || !super::is_conditional(&function.attrs));
            let Some((_, function)) = certain.next() else { continue };
            let function = lower_signature(function, lowering);
            for violation in rules::check_named(variable, &signature, function) {
                errors.on(&tokens, violation);
            }
        }
    }
}

/// What a kernel takes with the functions that it calls; asked when all bodies are analysed.
pub(super) fn check_totals(
    checked: &mut Checked<'_>,
    env: Environment,
    lowering: &Lowering<'_>,
    errors: &mut Errors,
) {
    for i in 0..checked.module.items.len() {
        let called = called(checked, i);
        let module = &checked.module;
        let (Item::Function(function), Some(body)) = (&module.items[i], &checked.bodies[i]) else {
            continue;
        };
        let (mut uses, mut is_certain) = (body.uses.clone(), body.analysis.uses.is_certain);
        let (locals, idle) = body.split_declarations();
        let each = |numbers: Vec<usize>| -> Vec<&ir::Variable<'_>> {
            numbers.into_iter().map(|n| body.declared[n]).collect()
        };
        let (locals, idle, mut of_called) = (each(locals), each(idle), Vec::new());
        for callee in &called {
            let (Item::Function(callee), Some(body)) =
                (&module.items[*callee], &checked.bodies[*callee])
            else {
                continue;
            };
            uses.extend_from_slice(&body.uses);
            is_certain &= body.analysis.uses.is_certain;
            for ir in &body.declared {
                of_called.push(&*lowering.arena.alloc(ir.declared_by(callee.linkage)));
            }
        }
        uses.sort_unstable();
        uses.dedup();
        let variables: Vec<&ir::Variable<'_>> =
            uses.iter().filter_map(|each| lower_use(module, each, lowering)).collect();
        let mut ir = *lower_signature(function, lowering);
        let directives: Vec<ir::Directive> = function
            .directives
            .iter()
            .filter(|directive| !directive.kind.is_of_kernels())
            .map(|directive| ir::Directive { kind: directive.kind, values: [1; 3] })
            .collect();
        ir.directives = &directives;
        (ir.locals, ir.idle_shared, ir.called_shared) = (&locals, &idle, &of_called);
        // Where `cfg` chooses, rustc knows.
        ir.uses = if is_certain { &variables } else { &[] };
        let is_sound = function.params.iter().all(|param| !param.refused);
        let before = errors.len();
        if is_sound {
            for violation in rules::check_function(&ir, env) {
                match (violation.rule.blames, &function.unified, function.directives.last()) {
                    (Blame::Directive, Some((.., span)), _) => errors.at(*span, violation),
                    (Blame::Directives, _, Some(last)) => errors.at(last.span, violation),
                    _ => errors.at(function.ident.span(), violation),
                }
            }
        }
        let Item::Function(function) = &mut checked.module.items[i] else { continue };
        function.refused = !is_sound || errors.len() > before;
        // A kernel's shared memory is that of all that it calls.
        if let (FunctionKind::Kernel, Some(body)) = (function.kind, &mut checked.bodies[i]) {
            (body.uses, body.called) = (uses, called);
        }
    }
}

/// The functions that a kernel calls, and those that they call, by their index among the items: as
/// ptxas counts them, so also what is in the tables that they name, and, where one calls what a
/// register points to, all functions whose addresses the module takes.
fn called(checked: &Checked<'_>, start: usize) -> Vec<usize> {
    let items = &checked.module.items;
    let is_kernel = |i: usize| matches!(&items[i], Item::Function(function) if function.kind == FunctionKind::Kernel);
    let (mut found, mut open, mut is_indirect) = (Vec::new(), vec![start], false);
    while let Some(next) = open.pop() {
        if found.contains(&next) || next != start && is_kernel(next) {
            continue;
        }
        found.push(next);
        open.extend(leads_to(checked, next));
        let calls_indirectly =
            checked.bodies[next].as_ref().is_some_and(|body| body.analysis.uses.calls_indirectly);
        if !is_indirect && calls_indirectly {
            is_indirect = true;
            open.extend((0..items.len()).flat_map(|i| taken(checked, i)));
        }
    }
    found.retain(|i| *i != start && matches!(items[*i], Item::Function(_)));
    found.sort_unstable();
    found
}

/// The items that one names.
fn leads_to(checked: &Checked<'_>, i: usize) -> Vec<usize> {
    let mut found: Vec<usize> = match &checked.module.items[i] {
        Item::Variable(variable) => addressed(variable).collect(),
        Item::Function(_) | Item::Rust(_) => Vec::new(),
    };
    if let Some(body) = &checked.bodies[i] {
        found.extend(&body.analysis.uses.functions);
        found.extend(body.uses.iter().map(|used| used.index));
    }
    found
}

/// The functions whose addresses one takes.
fn taken(checked: &Checked<'_>, i: usize) -> Vec<usize> {
    match (&checked.module.items[i], &checked.bodies[i]) {
        (Item::Variable(variable), _) => addressed(variable).collect(),
        (_, Some(body)) => body.analysis.uses.taken.clone(),
        (_, None) => Vec::new(),
    }
}

/// The functions whose addresses are in an initial value. Those in a table that it leads to, ptxas
/// does not count.
fn addressed(variable: &Variable) -> impl Iterator<Item = usize> {
    variable.addresses.iter().filter_map(|address| match address.meaning {
        Meaning::Function(index) => Some(index),
        Meaning::Variable(_) | Meaning::Unknown => None,
    })
}

/// The variable of the module that a body names, or the member of it.
fn lower_use<'a>(
    module: &Module,
    used: &VariableUse,
    lowering: &Lowering<'a>,
) -> Option<&'a ir::Variable<'a>> {
    let Item::Variable(variable) = &module.items[used.index] else { return None };
    let ir = super::variable::lower_variable(variable, lowering);
    Some(match &used.member {
        Some(member) => lowering.arena.alloc(ir.member(lowering.arena.alloc_str(member))),
        None => ir,
    })
}

/// Each directive by itself, so that its own tokens are blamed; then all together.
fn check_directives(kernel: &mut Function, env: Environment, errors: &mut Errors) {
    let name = kernel.name.clone();
    let mut all = Vec::new();
    for directive in &mut kernel.directives {
        let before = errors.len();
        let mut values = [1; 3];
        for (number, value) in directive.values.iter().zip(&mut values) {
            // What is no literal is asked late; 1 breaks no rule.
            let known = number.known().unwrap_or(1);
            *value = u32::try_from(known).unwrap_or(1);
            if u32::try_from(known).is_err() {
                errors.on(number, "a directive's number has 32 bits; write a smaller one");
            }
        }
        let ir = ir::Directive { kind: directive.kind, values };
        all.push(ir);
        let directives = [ir];
        for violation in rules::check_function(&kernel_of(&name, &directives), env) {
            match violation.rule.blames {
                Blame::DirectiveValue => {
                    let values = &directive.values;
                    errors.on(quote!(#(#values)*), violation);
                }
                Blame::Directive => errors.at(directive.span, violation),
                // Whether another makes up for it is seen below; names are not asked here.
                _ => {}
            }
        }
        directive.refused = errors.len() > before;
    }
    for violation in rules::check_function(&kernel_of(&name, &all), env) {
        if let (Blame::Directives, Some(last)) = (violation.rule.blames, kernel.directives.last()) {
            errors.at(last.span, violation);
        }
    }
}

fn kernel_of<'a>(name: &'a str, directives: &'a [ir::Directive]) -> ir::Function<'a> {
    ir::Function {
        directives,
        linkage: Linkage::Internal,
        ..ir::Function::new(FunctionKind::Kernel, name)
    }
}
