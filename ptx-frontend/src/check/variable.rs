//! The values of variables, each checked where it is written.

use ptx_isa::count::Count;
use ptx_isa::ir::{self, Extent, Type, Value};
use ptx_isa::rules;

use super::report::{Part, Reporter, When};
use crate::ast::{Module, Variable};
use crate::errors::Errors;
use crate::group::Peel;
use crate::values::{float_leaves, leaves, miscounted, rounded};

/// Whether a type is syntactically a family.
pub fn is_family(ty: &syn::Type) -> bool {
    let syn::Type::Path(path) = ty.peel() else { return false };
    path.path.segments.last().is_some_and(|last| last.ident == "Family")
}

/// Checks the values of a module's variables where they are written.
pub(super) fn check_values(
    module: &mut Module,
    ir: &ir::Module<'_>,
    reporter: &mut Reporter<'_, '_>,
) {
    for (n, ir) in ir.variables.iter().enumerate() {
        let (item, is_unchecked) = (module.variables[n], module.args.is_unchecked);
        let Some(variable) = module.variable_mut(n) else { continue };
        let is_sound = !variable.refused;
        let mut has_bad_leaf = variable.addresses.iter().any(|address| address.refused);
        variable.refused |= reporter.add(When::Item(item, Part::Value), |errors| {
            has_bad_leaf |= check_value(variable, ir, is_sound, errors);
        });
        // A test judges the value itself.
        if has_bad_leaf && !is_unchecked {
            variable.value = None;
        }
        variable.assumption = assumption(variable, ir.ty);
        variable.bytes = ir.ty.size();
    }
}

/// Checks the value of a variable that breaks no rule, or some. Returns whether a part of the value is wrong.
fn check_value(
    variable: &Variable,
    ir: &ir::Variable<'_>,
    is_sound: bool,
    errors: &mut Errors,
) -> bool {
    let Some(value) = &variable.value else {
        if is_sound && has_infer(&variable.ty) {
            let message = "a length of `_` is taken from the value, and this has no value; write a number, or `[T]` for memory that the launch sizes";
            errors.on(&variable.ty, message);
        }
        return false;
    };
    let mut has_bad_leaf = check_leaves(ir, value, errors);
    has_bad_leaf |= check_counts(ir.ty, value, errors);
    if variable.exact {
        check_exact(ir.ty, value, errors);
    }
    if matches!(ir.ty, Type::Array(Extent::Incomplete, _))
        && matches!(variable.ty.peel(), syn::Type::Slice(_))
        && is_sound
        && errors.is_empty()
    {
        errors.on(
            &variable.ty,
            format_args!(
                "`{}` has a value but no length; write `_` for the first extent, as in `[f32; _]`",
                variable.name
            ),
        );
    }
    has_bad_leaf
}

/// The declaration that the rules were checked against, if tokens determine everything that the rules depend on: no
/// rule depends on the numbers in a value of scalars of the right type.
fn assumption(variable: &Variable, ty: &Type<'_>) -> Option<Vec<u8>> {
    let is_told = !variable.is_linked
        && variable.align.as_ref().is_none_or(|align| align.known_as::<usize>().is_some());
    if is_told { ty.assumption() } else { None }
}

fn has_infer(ty: &syn::Type) -> bool {
    matches!(ty.peel(), syn::Type::Array(array) if matches!(array.len, syn::Expr::Infer(_)))
}

/// Reports floating-point literals that are not exactly representable although `exact` requires it.
fn check_exact(ty: &Type<'_>, value: &syn::Expr, errors: &mut Errors) {
    let mut found = Vec::new();
    float_leaves(ty, value, &mut found);
    for leaf in found {
        // The IR has the value that is stored, and neither the literal nor `exact`.
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
fn check_leaves(ir: &ir::Variable<'_>, value: &syn::Expr, errors: &mut Errors) -> bool {
    let before = errors.len();
    let mut found = Vec::new();
    leaves(ir.ty, value, &mut found);
    for leaf in found.iter().filter(|leaf| leaf.scalar.integer_range().is_some()) {
        // The value of a Rust expression is unknown in the IR.
        for violation in rules::check_number(ir, leaf.scalar, Value::Int(leaf.value)) {
            errors.on(&leaf.tokens, violation);
        }
    }
    errors.len() > before
}
