//! The rules while a macro expands: the AST is lowered to IR with unknowns, and what the rules
//! find is reported at the tokens they blame.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use ptx_types::Space;
use ptx_types::ir::{self, Extent, Init, Linkage, Type, Value};
use ptx_types::rules::{self, Environment, Part, Scope};
use quote::{ToTokens, quote};
use syn::Ident;

use crate::ast::{Item, Kernel, Module, Param, Variable};
use crate::body::{Count, Declaration, Literal, Symbols, resolve};
use crate::errors::Errors;
use crate::types::{Lowering, literal};
use crate::values::leaves;

/// Asks every rule about every item.
pub(crate) fn check_module(module: &mut Module, errors: &mut Errors) {
    let lowering = &Lowering::of(module);
    let env = Environment {
        target: module.args.target,
        version: module.args.version.map(|(version, _)| version),
        release: module.args.release,
    };
    check_names(module, errors);
    let symbols = symbols(module, lowering);
    for item in &mut module.items {
        match item {
            Item::Variable(variable) => check_variable(variable, env, lowering, errors),
            Item::Kernel(kernel) => check_kernel(kernel, env, &symbols, lowering, errors),
            Item::Extern(function) => {
                check_ident(&function.ident, env, errors);
                for param in &mut function.params {
                    check_param(param, &[], env, lowering, errors);
                }
            }
            Item::Rust(_) => {}
        }
    }
    check_alone(module, lowering, errors);
}

/// The rules of the module as a whole, as far as tokens tell.
fn check_alone(module: &mut Module, lowering: &Lowering, errors: &mut Errors) {
    let Some(target) = module.args.target else { return };
    let mut variables = Vec::new();
    for item in &module.items {
        if let Item::Variable(variable) = item
            && !variable.refused
        {
            variables.push(lower_variable(variable, lowering));
        }
    }
    let ir = ir::Module {
        name: lowering.arena.alloc_str(&ptx_name(&module.ident)),
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
fn lower_variable<'a>(variable: &Variable, lowering: &'a Lowering) -> &'a ir::Variable<'a> {
    let name = lowering.arena.alloc_str(&ptx_name(&variable.ident));
    let mut ir = ir::Variable::new(variable.space, name, lowering.lower_type(&variable.ty));
    ir.linkage = variable.linkage;
    ir.managed = variable.managed;
    if variable.value.is_some() {
        ir.init = Init::Unknown;
    }
    ir.align = variable.align.as_ref().and_then(literal);
    ir.allow = lowering.arena.alloc_slice_copy(&variable.allow);
    lowering.arena.alloc(ir)
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

fn symbols<'a>(module: &Module, lowering: &'a Lowering) -> Symbols<'a> {
    let mut symbols = Symbols::default();
    for (i, item) in module.items.iter().enumerate() {
        match item {
            Item::Variable(variable) => {
                let here = (i, lower_variable(variable, lowering));
                symbols.variables.entry(ptx_name(&variable.ident)).or_default().push(here);
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

fn check_variable(
    variable: &mut Variable,
    env: Environment,
    lowering: &Lowering,
    errors: &mut Errors,
) {
    let before = errors.len();
    let name = ptx_name(&variable.ident);
    let ir = lower_variable(variable, lowering);
    let ty = ir.ty;
    for violation in rules::check_variable(ir, Scope::Module, env) {
        let tokens = match violation.rule.blames {
            Part::Name
            | Part::Space
            | Part::Directive
            | Part::DirectiveValue
            | Part::Directives
            | Part::Version => variable.ident.to_token_stream(),
            Part::Linkage => match variable.linkage_span {
                Some(span) => quote::quote_spanned!(span=> _),
                None => variable.ident.to_token_stream(),
            },
            Part::Align => variable.align.to_token_stream(),
            part @ (Part::Type | Part::Element | Part::Extent) => blamed_type(part, &variable.ty),
            Part::Value => variable.value.to_token_stream(),
        };
        errors.on(tokens, violation);
    }
    if variable.value.is_none() && errors.len() == before && has_infer(&variable.ty) {
        let message = "a length of `_` comes from a value, and there is none; write a number, or `[T]` for memory that the launch sizes";
        errors.on(&variable.ty, message);
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
    variable.refused |= errors.len() > before;
    if has_bad_leaf {
        variable.value = None;
    }
}

fn has_infer(ty: &syn::Type) -> bool {
    matches!(peel(ty), syn::Type::Array(array) if matches!(array.len, syn::Expr::Infer(_)))
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

/// The part of a type that a rule blames: the zero extent, the element, or all of it.
fn blamed_type(part: Part, ty: &syn::Type) -> TokenStream {
    match (part, peel(ty)) {
        (Part::Extent, syn::Type::Array(array)) if literal(&array.len) == Some(0_usize) => {
            array.len.to_token_stream()
        }
        (Part::Element | Part::Extent, syn::Type::Array(array)) => blamed_type(part, &array.elem),
        (_, ty) => ty.to_token_stream(),
    }
}

fn check_param<'a>(
    param: &mut Param,
    allow: &[&'static str],
    env: Environment,
    lowering: &'a Lowering,
    errors: &mut Errors,
) -> ir::Param<'a> {
    let before = errors.len();
    let name = lowering.arena.alloc_str(&ptx_name(&param.ident));
    let mut variable = ir::Variable::new(Space::Param, name, lowering.lower_type(&param.ty));
    variable.allow = lowering.arena.alloc_slice_copy(allow);
    let ir = ir::Param { variable, pointer: lowering.lower_pointer(&param.ty) };
    for violation in rules::check_param(&ir, env) {
        match violation.rule.blames {
            Part::Name => errors.at(param.ident.span(), violation),
            part => errors.on(blamed_type(part, &param.ty), violation),
        }
    }
    param.refused |= errors.len() > before;
    ir
}

fn check_kernel(
    kernel: &mut Kernel,
    env: Environment,
    symbols: &Symbols<'_>,
    lowering: &Lowering,
    errors: &mut Errors,
) {
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
        params.push(check_param(param, &kernel.allow, env, lowering, errors));
    }
    let (mut locals, mut idle) = (Vec::new(), Vec::new());
    for declaration in kernel.body.declarations() {
        let local = check_declaration(declaration, env, lowering, errors);
        if kernel.body.is_idle_shared(declaration) {
            idle.push(local);
        } else {
            locals.push(local);
        }
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let uses = resolve(&mut kernel.body, symbols, &names, env, errors);
    let is_sound = kernel.params.iter().all(|param| !param.refused);
    if is_sound {
        let before = errors.len();
        let name = ptx_name(&kernel.ident);
        let mut ir = signature(&name, &[]);
        (ir.params, ir.uses) = (&params, &uses);
        (ir.locals, ir.idle_shared) = (&locals, &idle);
        for violation in rules::check_function(&ir, env) {
            errors.at(kernel.ident.span(), violation);
        }
        kernel.refused = errors.len() > before;
    } else {
        kernel.refused = true;
    }
}

/// Each directive by itself, so that its own tokens are blamed; then all together.
fn check_directives(kernel: &mut Kernel, env: Environment, errors: &mut Errors) {
    let name = ptx_name(&kernel.ident);
    let mut all = Vec::new();
    for directive in &mut kernel.directives {
        let before = errors.len();
        let mut values = [1; 3];
        for (expr, value) in directive.values.iter().zip(&mut values) {
            // What is no literal is asked late; 1 breaks no rule.
            let number = literal::<u128>(expr).unwrap_or(1);
            *value = u32::try_from(number).unwrap_or(u32::MAX);
        }
        let ir = ir::Directive { kind: directive.kind, values };
        all.push(ir);
        let directives = [ir];
        for violation in rules::check_function(&signature(&name, &directives), env) {
            match violation.rule.blames {
                Part::DirectiveValue => {
                    let values = &directive.values;
                    errors.on(quote!(#(#values)*), violation);
                }
                Part::Directive => errors.at(directive.span, violation),
                // Whether another makes up for it is seen below; names are not asked here.
                _ => {}
            }
        }
        directive.refused = errors.len() > before;
    }
    for violation in rules::check_function(&signature(&name, &all), env) {
        if let (Part::Directives, Some(last)) = (violation.rule.blames, kernel.directives.last()) {
            errors.at(last.span, violation);
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
        idle_shared: &[],
        specials: &[],
    }
}

/// The IR of a literal value; nothing if a part of it is no literal.
fn lower_literal<'a>(value: &Literal, lowering: &'a Lowering) -> Option<Value<'a>> {
    Some(match value {
        Literal::Int(value) => Value::Int(*value),
        Literal::Float(value) => Value::Float(*value),
        Literal::List(values) => {
            let values: Option<Vec<Value<'a>>> =
                values.iter().map(|value| lower_literal(value, lowering)).collect();
            Value::List(lowering.arena.alloc_slice_copy(&values?))
        }
        Literal::Other => return None,
    })
}

/// A declaration in a body.
fn check_declaration<'a>(
    declaration: &Declaration,
    env: Environment,
    lowering: &'a Lowering,
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
        ty = Type::Array(extent, lowering.arena.alloc(ty));
    }
    let name = lowering.arena.alloc_str(&declaration.name.text);
    let mut ir = ir::Variable::new(declaration.space, name, lowering.arena.alloc(ty));
    ir.align = match &declaration.align {
        Some((Count::Known(bytes), _)) => Some(*bytes),
        Some((Count::Missing | Count::Splice(_), _)) | None => None,
    };
    if let Some((value, _)) = &declaration.value {
        ir.init = lower_literal(value, lowering).map_or(Init::Unknown, Init::Value);
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
            Part::Name
            | Part::Space
            | Part::Linkage
            | Part::Directive
            | Part::DirectiveValue
            | Part::Directives
            | Part::Version => {
                errors.on(declaration.name.tokens(), violation);
            }
            Part::Align => {
                errors.at(
                    declaration.align.as_ref().map_or(declaration.ty_span, |(_, span)| *span),
                    violation,
                );
            }
            Part::Type | Part::Element | Part::Extent => {
                errors.at(declaration.ty_span, violation);
            }
            Part::Value => errors.at(
                declaration.value.as_ref().map_or(declaration.ty_span, |(_, span)| *span),
                violation,
            ),
        }
    }
    lowering.arena.alloc(ir)
}
