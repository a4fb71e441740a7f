//! Kernels and device functions.

use std::collections::HashMap;

use ptx_analysis::{Analysis, Block, Called, Problem, cluster};
use ptx_isa::ir::{self, FunctionKind};
use ptx_isa::rules::call::Callee;
use ptx_isa::rules::{self, Blame, Environment, Scope};
use quote::{ToTokens, quote};
use syn::Item as RustItem;

use super::blame::{blamed_type, check_ident};
use super::body::{Around, CheckedBody, check_body, lower_declarations};
use super::lower::lower_signature;
use super::names::Names;
use super::place::tokens_over;
use super::variable::check_declaration;
use crate::ast::{Directive, Function, Item, Module};
use crate::attribute::is_conditional;
use crate::body::{is_place_of, prototypes, unknown_place};
use crate::codes::is_of_declarations;
use crate::errors::Errors;
use crate::integers::Integers;
use crate::types::Lowering;

/// The context of a function.
#[derive(Clone, Copy)]
pub(super) struct Known<'c, 'a> {
    /// The module's names.
    pub(super) names: &'c Names<'a>,
    /// The integer constants in scope.
    pub(super) integers: &'c Integers,
    /// The body in the IR, if it has one.
    pub(super) ir: Option<ir::Body<'a>>,
    /// The callers' view of the function.
    pub(super) called: &'c Called<'a>,
}

pub(super) fn check_function<'a>(
    function: &mut Function,
    env: Environment,
    Known { names, integers, ir, called }: Known<'_, 'a>,
    lowering: &Lowering<'a>,
    errors: &mut Errors,
) -> Option<CheckedBody<'a>> {
    check_ident(&function.ident, &function.name, errors);
    check_directives(function, env, errors);
    let signature = lower_signature(function, lowering);
    check_params(function, signature, names.several_returns.is_some(), env, errors);
    let (body, ir) = (function.body.as_ref()?, ir?);
    let prototypes = prototypes(ir, lowering.arena);
    let signature = lowering.arena.alloc(ir::Function { prototypes, ..*signature });
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
    let directives = known_directives(&function.directives);
    let (block, cluster) = (Block::of(&directives), cluster(&directives));
    let integers = &integers.clone().with(function.items.iter());
    let around = Around {
        names,
        function: signature,
        allow: &function.allow,
        env,
        block,
        cluster,
        integers,
        called,
    };
    let checked = check_body((body, ir), declared, around, lowering, errors);
    leave_out_undeclared(&mut function.items, &checked.analysis);
    Some(checked)
}

/// Removes the names that are not declared, which were reported, from the constants of places.
fn leave_out_undeclared(items: &mut [RustItem], analysis: &Analysis<'_>) {
    for finding in &analysis.findings {
        let Problem::Undeclared(undeclared) = &finding.problem else { continue };
        for item in &mut *items {
            if let RustItem::Verbatim(constant) = item
                && is_place_of(constant, undeclared.name)
            {
                *constant = unknown_place(constant);
            }
        }
    }
}

/// The directives whose values tokens determine.
fn known_directives(directives: &[Directive]) -> Vec<ir::Directive> {
    let known = directives.iter().filter_map(|directive| {
        let mut values = [1; 3];
        for (number, value) in directive.values.iter().zip(&mut values) {
            *value = number.known_as()?;
        }
        Some(ir::Directive { kind: directive.kind, values })
    });
    known.collect()
}

/// Checks the parameters and the returned values, and reports each at its own tokens.
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

/// Gives a rejected type a size, so that rustc does not report it as unsized.
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

/// Reports parameters and declarations of bodies that share a name with a function of the module. Where `cfg` may
/// remove that function, only its own parameters and declarations are certain to coexist with it.
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
    let is_certain =
        |function: &Function| function.body.is_some() && !is_conditional(&function.attrs);
    for (i, owner) in functions() {
        let Some(body) = &owner.body else { continue };
        let is_alone = !functions().any(|(j, function)| i != j && is_certain(function));
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
                found.filter(|(j, function)| i == *j || !is_conditional(&function.attrs));
            let Some((_, function)) = certain.next() else { continue };
            let function = lower_signature(function, lowering);
            for violation in rules::check_named(variable, &signature, function, is_alone) {
                errors.on(&tokens, violation);
            }
        }
    }
}

/// Checks each directive by itself, so that its own tokens are reported; then all of them together.
fn check_directives(kernel: &mut Function, env: Environment, errors: &mut Errors) {
    let (kind, name) = (kernel.kind, kernel.name.clone());
    let mut all = Vec::new();
    for directive in &mut kernel.directives {
        let before = errors.len();
        let mut values = [1; 3];
        for (number, value) in directive.values.iter().zip(&mut values) {
            // A value that is not a literal is checked once rustc knows it; 1 breaks no rule.
            let known = number.known().unwrap_or(1);
            *value = u32::try_from(known).unwrap_or(1);
            if u32::try_from(known).is_err() {
                errors.on(number, "a directive takes a 32-bit number; write 4294967295 or less");
            }
        }
        let ir = ir::Directive { kind: directive.kind, values };
        all.push(ir);
        let directives = [ir];
        for violation in errors_of(&directed(kind, &name, &directives), env) {
            match violation.rule.blames {
                Blame::DirectiveValue => {
                    let values = &directive.values;
                    errors.on(quote!(#(#values)*), violation);
                }
                Blame::Directive => errors.at(directive.span, violation),
                // Whether another directive compensates is checked below; names are not checked here.
                _ => {}
            }
        }
        directive.refused = errors.len() > before;
    }
    for violation in errors_of(&directed(kind, &name, &all), env) {
        if let (Blame::Directives, Some(last)) = (violation.rule.blames, kernel.directives.last()) {
            errors.at(last.span, violation);
        }
    }
}

/// The violations that are errors: a macro has no warnings, and `Module::check()` reports them.
fn errors_of<'a>(
    function: &ir::Function<'a>,
    env: Environment,
) -> impl Iterator<Item = rules::Violation<'a>> {
    rules::check_function(function, env)
        .into_iter()
        .filter(|violation| violation.rule.kind.is_error())
}

/// A function with these directives, and nothing else.
fn directed<'a>(
    kind: FunctionKind,
    name: &'a str,
    directives: &'a [ir::Directive],
) -> ir::Function<'a> {
    ir::Function { directives, body: Some(ir::Body::verbatim("")), ..ir::Function::new(kind, name) }
}
