//! Declarations whose parts are all random, legal or not, possibly with several mistakes.

use ptx_isa::ir::{Extent, FunctionKind, Init, Linkage, Param, Type, Value, Variable};
use ptx_isa::{Opaque, ScalarType, Space, TextureMode};

use crate::Rng;
use crate::declarations::draft::{Body, Draft, keep};
use crate::declarations::grammar::{
    bytes, float, integer, members, number, scalar, shaped, structure, unified,
};
use crate::declarations::legal::{self, VERSIONS};

pub fn declaration(draft: &mut Draft) {
    draft.case.mode = draft.rng.pick(&[TextureMode::Unified, TextureMode::Independent]);
    match draft.rng.below(8) {
        0..5 => module_variable(draft),
        5 | 6 => local(draft),
        _ => param(draft),
    }
    draft.case.target = legal::target(&mut draft.rng);
    if draft.rng.one_in(2) {
        draft.case.version = Some(draft.rng.pick(VERSIONS));
    }
}

fn ty(rng: &mut Rng) -> &'static Type<'static> {
    let of = rng.pick(ScalarType::ALL);
    let inner = match rng.below(16) {
        8..11 => keep(Type::Vector(rng.pick(&[2, 2, 3, 4, 4, 8]), of)),
        11 | 12 => keep(structure(rng)),
        13 => keep(Type::Opaque(rng.pick(Opaque::ALL))),
        _ => scalar(of),
    };
    let rank = rng.pick(&[0, 0, 0, 1, 1, 2, 3]);
    let mut ty = inner;
    for _ in 0..rank {
        // The bytes of structs fold into one extent.
        let open = rng.one_in(12) && !matches!(inner, Type::Struct(_));
        let extent = match rng.below(16) {
            0 => Extent::Known(0),
            _ if open => Extent::Incomplete,
            _ => Extent::Known(rng.within(1, 4)),
        };
        ty = keep(Type::Array(extent, ty));
    }
    if rng.one_in(10) { keep(Type::Family(Extent::Known(rng.below(5)), ty)) } else { ty }
}

/// A value of this scalar type or of another.
fn leaf(rng: &mut Rng, scalar: ScalarType) -> Value<'static> {
    match rng.below(10) {
        0 => float(rng),
        1 => integer(rng, scalar),
        _ => number(rng, scalar),
    }
}

fn init(rng: &mut Rng, ty: &Type<'_>, mode: TextureMode) -> Init<'static> {
    match (ty, ty.size()) {
        (Type::Opaque(opaque), _) => members(rng, *opaque, mode),
        // A value without elements is not printed.
        _ if ty.extents().skip(1).any(|extent| extent == Extent::Known(0)) => Init::None,
        // The text of these is undefined.
        (_, Some(0) | None) if ty.opaque().is_some() || ty.family().is_some() => Init::None,
        (_, Some(size)) if rng.one_in(2) && size > 0 && ty.family().is_none() => {
            Init::Bytes(bytes(rng, size))
        }
        (Type::Family(..), _) => Init::Value(Value::Int(1)),
        _ => Init::Value(shaped(rng, ty, &mut leaf)),
    }
}

fn any(draft: &mut Draft, space: Space) -> Variable<'static> {
    let mode = draft.case.mode;
    let ty = ty(&mut draft.rng);
    let variable = draft.plain(space, ty);
    let rng = &mut draft.rng;
    let align = match rng.below(8) {
        0..4 => None,
        4 => Some(rng.pick(&[0, 3, 12])),
        _ => Some(1 << rng.within(0, 10)),
    };
    let init = if rng.one_in(3) { init(rng, ty, mode) } else { Init::None };
    let managed = rng.one_in(10);
    let unified = if rng.one_in(16) { Some(unified(rng)) } else { None };
    Variable { align, init, managed, unified, ..variable }
}

fn module_variable(draft: &mut Draft) {
    const SPACES: &[Space] = &[Space::Global, Space::Const, Space::Shared];
    let space =
        if draft.rng.one_in(10) { draft.rng.pick(Space::ALL) } else { draft.rng.pick(SPACES) };
    let mut variable = any(draft, space);
    if draft.rng.one_in(2) {
        variable.linkage = draft.rng.pick(Linkage::ALL);
    }
    draft.add(variable);
}

fn local(draft: &mut Draft) {
    // Linkages and unified variables are not part of the grammar of bodies.
    let space = draft.rng.pick(Space::ALL);
    let local = Variable { unified: None, ..any(draft, space) };
    let body = Body::of_local(&mut draft.rng, local);
    draft.function(body);
}

fn param(draft: &mut Draft) {
    let kind = draft.rng.pick(&[FunctionKind::Kernel, FunctionKind::Device]);
    let of = loop {
        let of = any(draft, Space::Param);
        if of.ty.family().is_none() {
            break of;
        }
    };
    // The text of a parameter contains its type and its alignment.
    let variable = Variable { align: of.align, ..Variable::new(Space::Param, of.name, of.ty) };
    let param = Param { variable, pointer: None, readonly: false, elements: None };
    draft.function(Body { params: vec![param], ..Body::new(kind) });
}
