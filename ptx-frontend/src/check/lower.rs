//! What a module declares in the IR, with unknowns where tokens do not tell.

use proc_macro2::Span;
use ptx_types::ir::{self, Extent, Init, Type, Unified, Value};
use ptx_types::{Class, ScalarType};

use crate::ast::{Function, Param, Variable};
use crate::body::{Count, Declaration, Family, Literal};
use crate::integer::Integer;
use crate::name::ptx_name;
use crate::types::Lowering;

/// The IR of a function without its body, with unknowns where tokens do not tell.
pub(super) fn lower_signature<'a>(
    function: &Function,
    lowering: &Lowering<'a>,
) -> &'a ir::Function<'a> {
    let codes: Vec<&'static str> = function.allow.iter().map(|(code, _)| *code).collect();
    let params = function.params.iter().map(|param| lower_param(param, function, lowering));
    let returns = function.returns.iter().map(|param| lower_param(param, function, lowering));
    // Of the others, the values may be Rust's.
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
    ir::Param { variable, pointer, readonly: param.readonly.is_some() }
}

/// The IR of a variable, with unknowns where tokens do not tell.
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

/// The halves of an identifier; 0 where rustc decides.
pub(super) fn lower_unified(upper: &Integer<u64>, lower: &Integer<u64>) -> Unified {
    let [upper, lower] = [upper, lower].map(|half| half.known().unwrap_or_default());
    Unified { upper, lower }
}

/// The IR of a literal value of such scalars; nothing if a part of it is not a literal. A Rust constant
/// is zero, which has the right shape: its value, rustc judges.
pub(super) fn lower_literal<'a>(
    value: &Literal<Span>,
    scalar: ScalarType,
    lowering: &Lowering<'a>,
) -> Option<Value<'a>> {
    Some(match value {
        Literal::Constant(_) if matches!(scalar.class(), Class::Float) => Value::Float(0.0),
        Literal::Constant(_) => Value::Int(0),
        Literal::Int(value) => Value::Int(*value),
        Literal::Float(value) => Value::Float(*value),
        Literal::MaskedInt(mask, value) => Value::MaskedInt(*mask, *value),
        Literal::Address { name, generic, addend, mask } => {
            let symbol = lowering.arena.alloc_str(&name.text);
            let address = ir::Address { symbol, generic: *generic, addend: *addend };
            match mask {
                Some(mask) => Value::MaskedAddress(*mask, address),
                None => Value::Address(address),
            }
        }
        Literal::List(values) => {
            let values: Option<Vec<Value<'a>>> =
                values.iter().map(|(value, _)| lower_literal(value, scalar, lowering)).collect();
            Value::List(lowering.arena.alloc_slice_copy(&values?))
        }
        Literal::Other => return None,
    })
}

/// The IR of a declaration in a body.
pub(super) fn lower_declaration<'a>(
    declaration: &Declaration<Span>,
    lowering: &Lowering<'a>,
) -> &'a ir::Variable<'a> {
    let scalar = declaration.scalar;
    let mut ty = if declaration.lanes == 1 {
        Type::Scalar(scalar)
    } else {
        Type::Vector(declaration.lanes, scalar)
    };
    let extent = |count: &Count| match count {
        Count::Known(count) => Extent::Known(*count),
        Count::Missing => Extent::Incomplete,
        Count::Constant(_) => Extent::Unknown,
    };
    for count in declaration.extents.iter().rev() {
        ty = Type::Array(extent(count), lowering.arena.alloc(ty));
    }
    if let Family::Of(count) = &declaration.family {
        ty = Type::Family(extent(count), lowering.arena.alloc(ty));
    }
    let name = lowering.arena.alloc_str(&declaration.name.text);
    let mut ir = ir::Variable::new(declaration.space, name, lowering.arena.alloc(ty));
    ir.align = match &declaration.align {
        Some((Count::Known(bytes), _)) => Some(*bytes),
        Some((Count::Missing | Count::Constant(_), _)) | None => None,
    };
    ir.allow = lowering.arena.alloc_slice_copy(&declaration.allowed());
    if let Some((value, _)) = &declaration.value {
        ir.init = lower_literal(value, scalar, lowering).map_or(Init::Unknown, Init::Value);
    }
    lowering.arena.alloc(ir)
}
