//! Lowers a module's declarations to IR, with unknowns where tokens do not determine a value.

use ptx_isa::ir::{self, Init, Unified};

use crate::ast::{Function, Param, Variable};
use crate::integer::Integer;
use crate::name::ptx_name;
use crate::types::Lowering;

/// The IR of a function without its body, with unknowns where tokens do not determine a value.
pub(super) fn lower_signature<'a>(
    function: &Function,
    lowering: &Lowering<'a>,
) -> &'a ir::Function<'a> {
    let codes: Vec<&'static str> = function.allow.iter().map(|(code, _)| *code).collect();
    let params = function.params.iter().map(|param| lower_param(param, function, lowering));
    let returns = function.returns.iter().map(|param| lower_param(param, function, lowering));
    // The values of the others may be Rust expressions.
    let bare = function.directives.iter().filter(|directive| directive.kind.arity() == 0);
    let bare: Vec<_> =
        bare.map(|directive| ir::Directive { kind: directive.kind, values: [0; 3] }).collect();
    let (params, returns): (Vec<_>, Vec<_>) = (params.collect(), returns.collect());
    lowering.arena.alloc(ir::Function {
        linkage: function.linkage,
        params: lowering.arena.alloc_slice_copy(&params),
        returns: lowering.arena.alloc_slice_copy(&returns),
        unified: function.unified.as_ref().map(|(upper, lower, _)| lower_unified(upper, lower)),
        allow: lowering.arena.alloc_slice_copy(&codes),
        directives: lowering.arena.alloc_slice_copy(&bare),
        ..ir::Function::new(function.kind, lowering.arena.alloc_str(&function.name))
    })
}

fn lower_param<'a>(param: &Param, function: &Function, lowering: &Lowering<'a>) -> ir::Param<'a> {
    let name = lowering.arena.alloc_str(&ptx_name(&param.ident));
    let mut variable = ir::Variable::new(param.space, name, lowering.lower_type(&param.ty));
    variable.allow = lowering.arena.alloc_slice_copy(&param.allowed(function));
    variable.align = param.align.as_ref().and_then(Integer::known_as);
    let pointer = lowering.lower_pointer(&param.ty);
    let elements = function.contract.elements(&param.ident);
    ir::Param { variable, pointer, readonly: param.readonly.is_some(), elements }
}

/// The IR of a variable, with unknowns where tokens do not determine a value.
pub(super) fn lower_variable<'a>(
    variable: &Variable,
    lowering: &Lowering<'a>,
) -> &'a ir::Variable<'a> {
    let name = lowering.arena.alloc_str(&variable.name);
    let mut ir = ir::Variable::new(variable.space, name, lowering.lower_type(&variable.ty));
    ir.linkage = variable.linkage;
    ir.managed = variable.managed;
    ir.unified = variable.unified.as_ref().map(|(upper, lower)| lower_unified(upper, lower));
    if variable.value.is_some() {
        ir.init = Init::Unknown;
    }
    ir.align = variable.align.as_ref().and_then(Integer::known_as);
    ir.allow = lowering.arena.alloc_slice_copy(&variable.allow);
    lowering.arena.alloc(ir)
}

/// The halves of an identifier; 0 where rustc evaluates them.
pub(super) fn lower_unified(upper: &Integer<u64>, lower: &Integer<u64>) -> Unified {
    let [upper, lower] = [upper, lower].map(|half| half.known().unwrap_or_default());
    Unified { upper, lower }
}
