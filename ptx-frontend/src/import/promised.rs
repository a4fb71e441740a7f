//! What the types that the user gives promise about the data behind pointers, for the checks of the bodies.

use std::collections::HashMap;

use bumpalo::Bump;
use ptx_types::{Class, ScalarType, ir};

use super::declared::{Declared, Function, Given, Param};
use crate::text::Diagnostic;
use crate::types::Lowering;

/// The rules that depend on what a pointer points to, and on whether it is only read through.
/// Alignment (A036) is left out: PTX from compilers tests at the launch what an address is a multiple of.
pub(super) const RULES: [&str; 2] = ["A034", "A035"];

/// Whether a finding is certain. Compilers copy data of any type in integers and in vectors, several small numbers in one
/// larger, and load the bits of an integer as a number; but not a part of one floating-point number as another.
pub(super) fn is_certain(found: &Diagnostic, text: &str) -> bool {
    if found.code != Some("A034") {
        return true;
    }
    let quoted = found.message.split('`').filter_map(|word| word.strip_prefix('.'));
    let mut types = quoted.filter_map(ScalarType::from_name);
    let (Some(held), Some(taken)) = (types.next(), types.next()) else { return false };
    let before = text.get(..found.range.start).unwrap_or_default();
    let statement = before.rsplit(';').next().unwrap_or_default();
    let is_vector = [".v2", ".v4", ".v8"].iter().any(|vector| statement.contains(vector));
    [held, taken].iter().all(|ty| ty.class() == Class::Float)
        && taken.bytes() < held.bytes()
        && !is_vector
}

/// The module with the promises of the types that the user gives; `None` if they promise nothing.
pub(super) fn with_promises<'m>(
    module: &ir::Module<'m>,
    declared: &Declared<'m>,
    arena: &'m Bump,
) -> Option<ir::Module<'m>> {
    let is_given = |param: &Param<'_>| param.given.is_some();
    let is_typed = |found: &&Function<'_>| !found.refused && found.params.iter().any(is_given);
    let typed: HashMap<&str, &Function<'m>> =
        declared.functions.iter().filter(is_typed).map(|found| (found.ir.name, found)).collect();
    if typed.is_empty() {
        return None;
    }
    // What is declared around the macro call is not known here; the types are compared with the file later.
    let lowering = Lowering::of(std::iter::empty(), arena);
    let functions = module.functions.iter().map(|function| {
        let Some(found) = typed.get(function.name) else { return *function };
        let given = found.params.iter().map(|param| param.given.as_ref());
        let params = function.params.iter().zip(given);
        let params: Vec<ir::Param<'m>> = params
            .map(|(ir, given)| given.map_or(*ir, |given| promised(ir, given, &lowering)))
            .collect();
        let params = arena.alloc_slice_copy(&params);
        &*arena.alloc(ir::Function { params, ..**function })
    });
    let functions: Vec<&ir::Function<'m>> = functions.collect();
    Some(ir::Module { functions: arena.alloc_slice_copy(&functions), ..*module })
}

/// A parameter with the promises of its type.
fn promised<'m>(ir: &ir::Param<'m>, given: &Given, lowering: &Lowering<'m>) -> ir::Param<'m> {
    // Another size is reported when rustc knows the type.
    let pointer = lowering.lower_pointer(&given.ty).filter(|_| ir.variable.bytes() == Some(8));
    let Some(pointer) = pointer else { return *ir };
    let declared = ir.pointer.and_then(|declared| declared.align);
    let align = match (declared, pointer.alignment()) {
        // A lower alignment than that of the file is reported when rustc knows the type.
        (Some(declared), Some(own)) => Some(own.max(declared)),
        (Some(declared), None) => Some(declared),
        (None, _) => pointer.align,
    };
    // Without `.ptr`, the value is a generic address, as from a compiler, or one in the space that its uses name.
    let space = ir.pointer.and_then(|declared| declared.space);
    let pointer = ir::Pointer { space, align, ..pointer };
    ir::Param { pointer: Some(pointer), readonly: given.readonly.is_some(), ..*ir }
}
