//! What the types that the user gives promise about the data behind pointers, for the checks of the bodies.

use ptx_isa::sorted::SortedMap;

use bumpalo::Bump;
use ptx_analysis::{Finding, Problem};
use ptx_isa::ir;
use ptx_isa::rules::{Arg, Args};
use ptx_text::Diagnostic;

use super::declared::{Declared, Function, Given, Param};
use crate::types::Lowering;

/// The rules that depend on what a pointer points to, and on whether it is only read through.
/// Alignment (A036) is left out: PTX from compilers tests at the launch what an address is a multiple of.
const RULES: [&str; 2] = ["A034", "A035"];

/// What a rule finds because of a promise.
pub(super) struct Broken<'m> {
    pub(super) diagnostic: Diagnostic,
    args: Args<'m>,
}

impl<'m> Broken<'m> {
    /// A finding in this module, if it is certain that a promise is broken.
    pub(super) fn of((diagnostic, finding): (Diagnostic, Option<Finding<'m>>)) -> Option<Self> {
        let Finding { problem: Problem::Rule(broken), .. } = finding? else { return None };
        let is_certain = match broken.rule.code {
            "A034" => is_of_float(&broken.args),
            code => RULES.contains(&code),
        };
        is_certain.then_some(Self { diagnostic, args: broken.args })
    }

    /// Whether it is about this parameter, or what that points to.
    pub(super) fn is_about(&self, param: &ir::Param<'_>) -> bool {
        let name = match self.args {
            [Arg::Str(name) | Arg::Pointee(name), Arg::Scalar(_), ..]
            | [_, Arg::Str(name) | Arg::Pointee(name), ..] => name,
            [Arg::FieldPointee(variable, _), Arg::Scalar(_), ..]
            | [_, Arg::FieldPointee(variable, _), ..] => variable.name,
            _ => return false,
        };
        name == param.variable.name
    }
}

/// Whether an access of another type (A034) is to floating-point numbers: compilers load the bits of an integer as a
/// number, but do not compute with a number in another format.
fn is_of_float(args: &Args<'_>) -> bool {
    matches!(args, [_, Arg::Scalar(held), ..] if held.is_float())
}

/// The module with the promises of the types that the user gives; `None` if they promise nothing.
pub(super) fn with_promises<'m>(
    module: &ir::Module<'m>,
    declared: &Declared<'m>,
    arena: &'m Bump,
) -> Option<ir::Module<'m>> {
    let is_given = |param: &Param<'_>| param.given.is_some();
    let is_typed = |found: &&Function<'_>| !found.refused && found.params.iter().any(is_given);
    let typed: SortedMap<&str, &Function<'m>> =
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
