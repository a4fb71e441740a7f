//! The rules while a macro expands: the AST is lowered to IR with unknowns, and what the rules
//! find is reported at the tokens they blame.

use std::collections::HashSet;

use bumpalo::Bump;
use proc_macro2::{Span, TokenStream};
use ptx_types::Space;
use ptx_types::ir::{self, Extent, Init, Linkage, Type, Value};
use ptx_types::rules::{self, Environment, Part, Scope, Violation};
use quote::{ToTokens, quote};
use syn::Ident;

use crate::ast::{Item, Kernel, Module, Param, Variable};
use crate::body::{Count, Declaration, Symbols, resolve};
use crate::errors::Errors;
use crate::types::{literal, lower_pointer, lower_type};
use crate::values::leaves;

/// Asks every rule about every item.
pub(crate) fn check_module(module: &mut Module, errors: &mut Errors) {
    let arena = &Bump::new();
    let env = Environment {
        target: module.args.target,
        version: module.args.version.map(|(version, _)| version),
        release: module.args.release,
    };
    check_names(module, errors);
    let symbols = symbols(module, arena);
    for item in &mut module.items {
        match item {
            Item::Variable(variable) => check_variable(variable, env, arena, errors),
            Item::Kernel(kernel) => check_kernel(kernel, env, &symbols, arena, errors),
            Item::Extern(function) => {
                check_ident(&function.ident, env, errors);
                for param in &mut function.params {
                    check_param(param, env, arena, errors);
                }
            }
            Item::Rust(_) => {}
        }
    }
    check_alone(module, arena, errors);
}

/// The rules of the module as a whole, as far as tokens tell.
fn check_alone(module: &mut Module, arena: &Bump, errors: &mut Errors) {
    let Some(target) = module.args.target else { return };
    let mut variables = Vec::new();
    for item in &module.items {
        if let Item::Variable(variable) = item
            && !variable.refused
        {
            variables.push(lower_variable(variable, arena));
        }
    }
    let ir = ir::Module {
        name: arena.alloc_str(&ptx_name(&module.ident)),
        target,
        version: module.args.version.map(|(version, _)| version),
        release: module.args.release,
        variables: &variables,
        functions: &[],
    };
    for violation in rules::check_module_alone(&ir) {
        module.refused = true;
        match (violation.rule.blames, module.args.version) {
            (Part::Version, Some((_, span))) => errors.at(span, violation),
            (_, _) => errors.at(module.ident.span(), violation),
        }
    }
}

/// The IR of a variable, with unknowns where tokens do not tell.
fn lower_variable<'a>(variable: &Variable, arena: &'a Bump) -> &'a ir::Variable<'a> {
    let name = arena.alloc_str(&ptx_name(&variable.ident));
    let mut ir = ir::Variable::new(variable.space, name, lower_type(&variable.ty, arena));
    ir.linkage = variable.linkage;
    ir.managed = variable.managed;
    if variable.value.is_some() {
        ir.init = Init::Unknown;
    }
    ir.align = variable.align.as_ref().and_then(literal);
    ir.allow = arena.alloc_slice_copy(&variable.allow);
    arena.alloc(ir)
}

/// The identifier as PTX has it: without the `r#` of a raw one.
pub fn ptx_name(ident: &Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").map(str::to_owned).unwrap_or(name)
}

fn ident_of(item: &Item) -> Option<(&Ident, &[syn::Attribute])> {
    match item {
        Item::Variable(variable) => Some((&variable.ident, &variable.attrs)),
        Item::Kernel(kernel) => Some((&kernel.ident, &kernel.attrs)),
        Item::Extern(function) => Some((&function.ident, &function.attrs)),
        Item::Rust(_) => None,
    }
}

fn is_conditional(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|attr| attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr"))
}

/// Reports names that stand twice, and leaves the later item out, so that rustc does not report it
/// again. What `cfg` may remove is left to rustc.
fn check_names(module: &mut Module, errors: &mut Errors) {
    let mut seen = HashSet::new();
    module.items.retain(|item| {
        let Some((ident, attrs)) = ident_of(item) else {
            return true;
        };
        if is_conditional(attrs) || seen.insert(ptx_name(ident)) {
            return true;
        }
        let name = ptx_name(ident);
        for violation in rules::check_duplicate(&name, &name) {
            errors.at(ident.span(), violation);
        }
        false
    });
}

fn symbols<'a>(module: &Module, arena: &'a Bump) -> Symbols<'a> {
    let mut symbols = Symbols::default();
    for (i, item) in module.items.iter().enumerate() {
        match item {
            Item::Variable(variable) => {
                symbols
                    .variables
                    .insert(ptx_name(&variable.ident), (i, lower_variable(variable, arena)));
            }
            Item::Kernel(kernel) => symbols.functions.push(ptx_name(&kernel.ident)),
            Item::Extern(function) => symbols.functions.push(ptx_name(&function.ident)),
            Item::Rust(_) => {}
        }
    }
    symbols
}

/// The rule of names alone.
fn check_ident(ident: &Ident, env: Environment, errors: &mut Errors) {
    let name = ptx_name(ident);
    let probe = ir::Variable::new(Space::Global, &name, &Type::Unknown);
    for violation in rules::check_variable(&probe, Scope::Module, env) {
        errors.at(ident.span(), violation);
    }
}

fn check_variable(variable: &mut Variable, env: Environment, arena: &Bump, errors: &mut Errors) {
    let before = errors.len();
    let name = ptx_name(&variable.ident);
    let ir = lower_variable(variable, arena);
    let ty = ir.ty;
    for violation in rules::check_variable(ir, Scope::Module, env) {
        let tokens = match violation.rule.blames {
            Part::Name | Part::Directive | Part::Version | Part::Space => {
                variable.ident.to_token_stream()
            }
            Part::Linkage => match variable.linkage_span {
                Some(span) => quote::quote_spanned!(span=> _),
                None => variable.ident.to_token_stream(),
            },
            Part::Align => variable.align.to_token_stream(),
            Part::Type => blamed_type(&violation, &variable.ty),
            Part::Value => variable.value.to_token_stream(),
        };
        errors.on(tokens, violation);
    }
    let mut has_bad_leaf = false;
    if let Some(value) = &variable.value {
        has_bad_leaf = check_leaves(&name, ty, value, env, errors);
        if matches!(ty, Type::Array(Extent::Incomplete, _))
            && matches!(peel(&variable.ty), syn::Type::Slice(_))
            && errors.len() == before
        {
            errors.on(&variable.ty, format_args!("`{name}` has a value and no length; write `_` for the first extent, as in `[f32; _]`"));
        }
    }
    variable.refused = errors.len() > before;
    if has_bad_leaf {
        variable.value = None;
    }
}

fn peel(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Group(group) => peel(&group.elem),
        syn::Type::Paren(paren) => peel(&paren.elem),
        other => other,
    }
}

/// Integer literals, one by one, each at its own token; whether one is wrong.
fn check_leaves(
    name: &str,
    ty: &Type<'_>,
    value: &syn::Expr,
    env: Environment,
    errors: &mut Errors,
) -> bool {
    let before = errors.len();
    let mut found = Vec::new();
    leaves(ty, value, &mut found);
    for leaf in found {
        let scalar = Type::Scalar(leaf.scalar);
        let mut probe = ir::Variable::new(Space::Global, name, &scalar);
        probe.init = Init::Value(Value::Int(leaf.value));
        for violation in rules::check_variable(&probe, Scope::Module, env) {
            if violation.rule.code == "D014" {
                errors.on(&leaf.tokens, violation);
            }
        }
    }
    errors.len() > before
}

/// The smallest part of a type that a rule means: the zero extent, or the element.
fn blamed_type(violation: &Violation<'_>, ty: &syn::Type) -> TokenStream {
    match (violation.rule.code, peel(ty)) {
        ("D008", syn::Type::Array(array)) => {
            if literal(&array.len) == Some(0_usize) {
                array.len.to_token_stream()
            } else {
                blamed_type(violation, &array.elem)
            }
        }
        ("D003" | "D004" | "D011" | "D012" | "D015" | "D016", syn::Type::Array(array)) => {
            blamed_type(violation, &array.elem)
        }
        (_, ty) => ty.to_token_stream(),
    }
}

fn check_param<'a>(
    param: &mut Param,
    env: Environment,
    arena: &'a Bump,
    errors: &mut Errors,
) -> ir::Param<'a> {
    let before = errors.len();
    let name = arena.alloc_str(&ptx_name(&param.ident));
    let variable = ir::Variable::new(Space::Param, name, lower_type(&param.ty, arena));
    let ir = ir::Param { variable, pointer: lower_pointer(&param.ty, arena) };
    for violation in rules::check_param(&ir, env) {
        match violation.rule.blames {
            Part::Name => errors.at(param.ident.span(), violation),
            Part::Space
            | Part::Linkage
            | Part::Align
            | Part::Type
            | Part::Value
            | Part::Directive
            | Part::Version => errors.on(blamed_type(&violation, &param.ty), violation),
        }
    }
    param.refused = errors.len() > before;
    ir
}

fn check_kernel(
    kernel: &mut Kernel,
    env: Environment,
    symbols: &Symbols<'_>,
    arena: &Bump,
    errors: &mut Errors,
) {
    let before = errors.len();
    check_ident(&kernel.ident, env, errors);
    check_directives(kernel, env, errors);
    let names: Vec<String> = kernel.params.iter().map(|param| ptx_name(&param.ident)).collect();
    let mut params = Vec::new();
    for (i, param) in kernel.params.iter_mut().enumerate() {
        for earlier in &names[..i] {
            for violation in rules::check_duplicate(&names[i], earlier) {
                errors.at(param.ident.span(), violation);
            }
        }
        params.push(check_param(param, env, arena, errors));
    }
    let mut locals = Vec::new();
    for declaration in kernel.body.declarations() {
        locals.push(check_declaration(declaration, env, arena, errors));
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let uses = resolve(&mut kernel.body, symbols, &names, env, errors);
    if errors.len() == before {
        let name = ptx_name(&kernel.ident);
        let mut ir = signature(&name, &[]);
        (ir.params, ir.uses, ir.locals) = (&params, &uses, &locals);
        for violation in rules::check_function(&ir, env) {
            errors.at(kernel.ident.span(), violation);
        }
    }
    kernel.refused = errors.len() > before;
}

/// Each directive by itself, so that its own tokens are blamed.
fn check_directives(kernel: &Kernel, env: Environment, errors: &mut Errors) {
    let name = ptx_name(&kernel.ident);
    let mut all = Vec::new();
    for directive in &kernel.directives {
        let mut values = [1; 3];
        let known =
            directive.values.iter().zip(&mut values).all(|(expr, value)| match literal(expr) {
                Some(number) => {
                    *value = number;
                    true
                }
                None => false,
            });
        let ir =
            ir::Directive { kind: directive.kind, values: if known { values } else { [1; 3] } };
        all.push(ir);
        let directives = [ir];
        for violation in rules::check_function(&signature(&name, &directives), env) {
            match violation.rule.code {
                "F005" | "F006" => {
                    let values = &directive.values;
                    errors.on(quote!(#(#values)*), violation);
                }
                _ => errors.at(directive.span, violation),
            }
        }
    }
    if all.len() > 1 {
        for violation in rules::check_function(&signature(&name, &all), env) {
            if violation.rule.code == "F007" {
                let last = kernel.directives.last().map_or_else(Span::call_site, |d| d.span);
                errors.at(last, violation);
            }
        }
    }
}

fn signature<'a>(name: &'a str, directives: &'a [ir::Directive]) -> ir::Function<'a> {
    ir::Function {
        name,
        kind: ir::FunctionKind::Kernel,
        linkage: Linkage::Internal,
        returns: &[],
        params: &[],
        directives,
        body: None,
        uses: &[],
        locals: &[],
        specials: &[],
    }
}

/// A declaration in a body.
fn check_declaration<'a>(
    declaration: &Declaration,
    env: Environment,
    arena: &'a Bump,
    errors: &mut Errors,
) -> &'a ir::Variable<'a> {
    let scalar = declaration.scalar;
    let mut ty = if declaration.lanes == 1 {
        Type::Scalar(scalar)
    } else {
        Type::Vector(declaration.lanes, scalar)
    };
    for extent in declaration.extents.iter().rev() {
        let extent = match extent {
            Count::Known(count) => Extent::Known(*count),
            Count::Missing => Extent::Incomplete,
            Count::Splice(_) => Extent::Unknown,
        };
        ty = Type::Array(extent, arena.alloc(ty));
    }
    let name = arena.alloc_str(&declaration.name.text);
    let mut ir = ir::Variable::new(declaration.space, name, arena.alloc(ty));
    ir.align = declaration.align.map(|(bytes, _)| bytes);
    if declaration.value.is_some() {
        ir.init = Init::Unknown;
    }
    if matches!(declaration.space, Space::Reg) && !declaration.extents.is_empty() {
        errors.on(declaration.name.tokens(), format_args!("`{}` cannot be an array: registers have no addresses; write a family, `.reg .b32 %r<4>`, or use `.local`", declaration.name.text));
    }
    for violation in rules::check_variable(&ir, Scope::Body, env) {
        // Registers and labels may have the names of special registers, and hide them.
        let hides = violation.rule.code == "D001"
            && ir.space == Space::Reg
            && ptx_types::special::is_special(ir.name);
        match violation.rule.blames {
            Part::Name if hides => {}
            Part::Name | Part::Space | Part::Linkage | Part::Directive | Part::Version => {
                errors.on(declaration.name.tokens(), violation);
            }
            Part::Align => {
                errors
                    .at(declaration.align.map_or(declaration.ty_span, |(_, span)| span), violation);
            }
            Part::Type => errors.at(declaration.ty_span, violation),
            Part::Value => errors.at(declaration.value.unwrap_or(declaration.ty_span), violation),
        }
    }
    arena.alloc(ir)
}
