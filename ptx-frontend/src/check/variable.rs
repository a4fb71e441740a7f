//! Variables of the module and of bodies.

use proc_macro2::Span;
use ptx_isa::Space;
use ptx_isa::count::Count;
use ptx_isa::ir::{self, Extent, Init, Type, Value};
use ptx_isa::rules::{self, Blame, Environment, Scope};
use quote::ToTokens;

use super::blame::blamed_type;
use super::lower::lower_variable;
use super::names::Names;
use super::place::tokens_over;
use crate::address::{InitialAddress, Meaning};
use crate::ast::Variable;
use crate::body::{Declaration, Literal, lower_literal, no_list};
use crate::codes::{is_allowed_on_declarations, is_of_declarations};
use crate::errors::Errors;
use crate::group::Peel;
use crate::message;
use crate::types::Lowering;
use crate::values::{float_leaves, leaves, miscounted, rounded};

/// Whether a type is syntactically a family.
pub fn is_family(ty: &syn::Type) -> bool {
    family_count(ty).is_some()
}

/// The number of members that `Family<T, N>` has, if the type is one.
pub(super) fn family_count(ty: &syn::Type) -> Option<Extent> {
    let syn::Type::Path(path) = ty.peel() else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Family")?;
    Some(crate::types::const_argument(&last.arguments).map_or(Extent::Unknown, Extent::Known))
}

pub(super) fn check_variable(
    variable: &mut Variable,
    env: Environment,
    names: &Names<'_>,
    lowering: &Lowering<'_>,
    errors: &mut Errors,
) {
    let before = errors.len();
    let name = variable.name.clone();
    let ir = lower_variable(variable, lowering);
    let ty = ir.ty;
    for violation in rules::check_variable(ir, Scope::Module, env) {
        let tokens = match violation.rule.blames {
            Blame::Name
            | Blame::Space
            | Blame::Directive
            | Blame::DirectiveValue
            | Blame::Directives
            | Blame::Version
            | Blame::Offset => variable.ident.to_token_stream(),
            Blame::Linkage => match variable.linkage_span {
                Some(span) => quote::quote_spanned!(span=> _),
                None => variable.ident.to_token_stream(),
            },
            Blame::Align => variable.align.to_token_stream(),
            part @ (Blame::Type | Blame::Element | Blame::Extent) => {
                blamed_type(part, &variable.ty)
            }
            Blame::Value | Blame::Number => variable.value.to_token_stream(),
        };
        errors.on(tokens, violation);
    }
    if variable.value.is_none() && errors.len() == before && has_infer(&variable.ty) {
        let message = "a length of `_` is taken from the value, and this has no value; write a number, or `[T]` for memory that the launch sizes";
        errors.on(&variable.ty, message);
    }
    let mut has_bad_leaf = false;
    if let Some(value) = &variable.value {
        has_bad_leaf = check_leaves(&name, ty, value, env, errors);
        has_bad_leaf |= check_counts(ty, value, errors);
        if variable.exact {
            check_exact(ty, value, errors);
        }
        if matches!(ty, Type::Array(Extent::Incomplete, _))
            && matches!(variable.ty.peel(), syn::Type::Slice(_))
            && errors.len() == before
        {
            errors.on(&variable.ty, format_args!("`{name}` has a value but no length; write `_` for the first extent, as in `[f32; _]`"));
        }
        for address in &mut variable.addresses {
            check_address(address, ir, names, errors);
            has_bad_leaf |= address.refused;
        }
    }
    variable.refused |= errors.len() > before;
    if has_bad_leaf {
        variable.value = None;
    }
    variable.assumption = assumption(variable, ty);
}

/// The declaration that the rules were checked against, if tokens determine everything that the rules depend on: no
/// rule depends on the numbers in a value of scalars of the right type.
fn assumption(variable: &Variable, ty: &Type<'_>) -> Option<Vec<u8>> {
    let is_told = !variable.is_linked
        && variable.align.as_ref().is_none_or(|align| align.known_as::<usize>().is_some());
    if is_told { ty.assumption() } else { None }
}

/// Checks the rules for an address in an initial value, as far as tokens allow.
fn check_address(
    address: &mut InitialAddress,
    holder: &ir::Variable<'_>,
    names: &Names<'_>,
    errors: &mut Errors,
) {
    let (before, symbols) = (errors.len(), &names.symbols);
    let name = super::ptx_name(&address.symbol);
    // An addend that is not a literal is checked once rustc knows it.
    let addend = address.addends.iter().try_fold(0_i128, |sum, (negative, number)| {
        let addend = number.known()?;
        Some(if *negative { sum.saturating_sub(addend) } else { sum.saturating_add(addend) })
    });
    let (symbol, ptx_name) = if let Some((found, member)) = symbols.variable(&name) {
        address.meaning = Meaning::Variable(found.index);
        (rules::AddressTarget::Variable(found.ir), member)
    } else if let Some(found) = symbols.functions.get(&name).and_then(|found| found.first()) {
        address.meaning = Meaning::Function(found.index);
        if let Some(several) = names.several_returns {
            for violation in rules::check_abi(several, &found.name) {
                errors.on(&address.tokens, violation);
            }
        }
        (rules::AddressTarget::Function, found.name.clone())
    } else {
        (rules::AddressTarget::Nothing, name.clone())
    };
    let ir =
        ir::Address { symbol: &name, generic: address.generic, addend: addend.unwrap_or_default() };
    for violation in rules::check_address(&ir, symbol, holder) {
        if let rules::AddressTarget::Nothing = symbol {
            let (code, section) = (violation.rule.code, violation.rule.source);
            let fault = message::family_fault(&name, symbols).or_else(|| names.rust_hint(&name));
            let near = ptx_isa::near::near(&name, message::names(symbols));
            if let Some(fault) = fault {
                errors.on(&address.symbol, format_args!("{fault} [{code}, PTX ISA {section}]"));
            } else if near.is_empty() {
                errors.on(&address.symbol, violation);
            } else {
                let near = ptx_isa::near::list(near);
                errors.on(
                    &address.symbol,
                    format_args!(
                        "nothing here is named `{name}`; did you mean {near}? [{code}, PTX ISA {section}]"
                    ),
                );
            }
            continue;
        }
        errors.on(&address.tokens, violation);
    }
    address.name = ptx_name;
    address.refused = errors.len() > before;
}

fn has_infer(ty: &syn::Type) -> bool {
    matches!(ty.peel(), syn::Type::Array(array) if matches!(array.len, syn::Expr::Infer(_)))
}

/// Reports floating-point literals that are not exactly representable although `exact` requires it.
fn check_exact(ty: &Type<'_>, value: &syn::Expr, errors: &mut Errors) {
    let mut found = Vec::new();
    float_leaves(ty, value, &mut found);
    for leaf in found {
        if let Some(nearest) = rounded(leaf.scalar, leaf.literal) {
            for violation in rules::check_exact(leaf.literal.base10_digits(), leaf.scalar, &nearest)
            {
                errors.on(leaf.literal, violation);
            }
        }
    }
}

/// Checks that each list has a value for each element. Returns whether one does not.
fn check_counts(ty: &Type<'_>, value: &syn::Expr, errors: &mut Errors) -> bool {
    let mut found = Vec::new();
    miscounted(ty, value, &mut found);
    for miscounted in &found {
        let list = miscounted.list;
        let given = list.elems.len();
        let (values, elements) = (Count(given, "value"), Count(miscounted.elements, "element"));
        let fix = if given < miscounted.elements {
            "write the others too, zeros included"
        } else {
            "remove some or make the array longer"
        };
        // Only the first length can be `_`.
        let or = if matches!(value.peel(), syn::Expr::Array(outer) if core::ptr::eq(outer, list)) {
            ", or write `_` as the length to have them counted"
        } else {
            ""
        };
        errors.on(
            list,
            format_args!("this list has {values}, but the array has {elements}; {fix}{or}"),
        );
    }
    !found.is_empty()
}

/// Checks integer literals, each at its own token. Returns whether one is wrong.
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
        if leaf.scalar.integer_range().is_none() {
            continue;
        }
        let scalar = Type::Scalar(leaf.scalar);
        let mut probe = ir::Variable::new(Space::Global, name, &scalar);
        probe.init = Init::Value(Value::Int(leaf.value));
        for violation in rules::check_variable(&probe, Scope::Module, env) {
            if violation.rule.blames == Blame::Number {
                errors.on(&leaf.tokens, violation);
            }
        }
    }
    errors.len() > before
}

/// Checks each value of a list by itself, at its place. Returns whether one broke a rule.
fn check_list(
    declaration: &Declaration<Span>,
    ir: &ir::Variable<'_>,
    env: Environment,
    lowering: &Lowering<'_>,
    errors: &mut Errors,
) -> bool {
    let before = errors.len();
    if let Some((Literal::List(_), _)) = declaration.value {
        let ty = lowering.arena.alloc(Type::Scalar(declaration.scalar));
        for (leaf, span) in declaration.leaves() {
            let init =
                Init::Value(lower_literal(leaf, declaration.scalar, lowering.arena, &no_list));
            let probe = ir::Variable { ty, align: None, init, ..*ir };
            for violation in rules::check_variable(&probe, Scope::Body, env) {
                if violation.rule.blames == Blame::Number {
                    errors.at(span, violation);
                }
            }
        }
    }
    errors.len() > before
}

/// Checks a declaration in a body, given the hazards that its function allows. Returns the codes of the allowances,
/// its own or the function's, that it needs.
pub(super) fn check_declaration(
    declaration: &Declaration<Span>,
    lowered: &ir::Variable<'_>,
    of_function: &[(&'static str, Span)],
    env: Environment,
    lowering: &Lowering<'_>,
    errors: &mut Errors,
) -> Vec<&'static str> {
    let mut needed = Vec::new();
    let ir = &ir::Variable { allow: &[], ..*lowered };
    let is_reported = check_list(declaration, ir, env, lowering, errors);
    for violation in rules::check_variable(ir, Scope::Body, env) {
        let code = violation.rule.code;
        let mut allowed = declaration.allow.iter().chain(of_function);
        if is_of_declarations(code) && allowed.any(|(allowed, _)| *allowed == code) {
            needed.push(code);
            continue;
        }
        match violation.rule.blames {
            Blame::Number if is_reported => {}
            Blame::Name
            | Blame::Space
            | Blame::Linkage
            | Blame::Directive
            | Blame::DirectiveValue
            | Blame::Directives
            | Blame::Version
            | Blame::Offset => {
                errors.on(tokens_over(declaration.name.at), violation);
            }
            Blame::Align => {
                errors.at(
                    declaration.align.as_ref().map_or(declaration.type_at, |(_, span)| *span),
                    violation,
                );
            }
            Blame::Type | Blame::Element | Blame::Extent => {
                errors.at(declaration.type_at, violation);
            }
            Blame::Value | Blame::Number => errors.at(
                declaration.value.as_ref().map_or(declaration.type_at, |(_, span)| *span),
                violation,
            ),
        }
    }
    for (code, span) in &declaration.allow {
        // rustc checks values that depend on a Rust constant; accesses are checked below.
        let is_open = declaration.has_constant() && is_of_declarations(code);
        let is_of_itself = is_of_declarations(code) && (needed.contains(code) || is_open);
        if !is_of_itself && (is_of_declarations(code) || !is_allowed_on_declarations(code)) {
            errors.at(*span, rules::unneeded(code));
        }
    }
    needed
}
