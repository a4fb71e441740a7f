//! Variables: of modules and of bodies.

use ptx_isa::ir::{Extent, Init, Linkage, Type, Value, Variable};
use ptx_isa::{Opaque, ScalarType, Space, TextureMode};

use super::draft::{Body, Draft, keep};
use super::grammar::{
    address, addresses, align, array, bytes, element, members, numbers, scalar, sized, stored,
    structure, unified, vector,
};
use crate::Rng;

fn linkage(rng: &mut Rng, space: Space) -> Linkage {
    let linkage = rng.pick(&[
        Linkage::Internal,
        Linkage::Internal,
        Linkage::Visible,
        Linkage::Visible,
        Linkage::Weak,
        Linkage::Common,
    ]);
    if linkage == Linkage::Common && space != Space::Global { Linkage::Weak } else { linkage }
}

fn stored_space(rng: &mut Rng) -> Space {
    rng.pick(&[Space::Global, Space::Global, Space::Const])
}

/// A variable of the module without a value, and a kernel that names it if it is shared.
pub(super) fn variable(draft: &mut Draft) {
    let space = draft.rng.pick(&[Space::Global, Space::Const, Space::Shared]);
    let ty = sized(&mut draft.rng);
    let (align, linkage) = (align(&mut draft.rng, ty), linkage(&mut draft.rng, space));
    let variable = Variable { align, linkage, ..draft.plain(space, ty) };
    let variable = draft.add(variable);
    if space == Space::Shared {
        draft.function(Body::of_uses(vec![variable]));
    }
}

fn initialised(draft: &mut Draft, ty: &'static Type<'static>, init: Init<'static>) {
    let space = stored_space(&mut draft.rng);
    let (align, linkage) = (align(&mut draft.rng, ty), linkage(&mut draft.rng, space));
    let managed = space == Space::Global && draft.rng.one_in(8);
    let variable = Variable { align, linkage, init, managed, ..draft.plain(space, ty) };
    draft.add(variable);
}

pub(super) fn literal(draft: &mut Draft) {
    let ty = sized(&mut draft.rng);
    let init = numbers(&mut draft.rng, ty);
    initialised(draft, ty, init);
}

pub(super) fn initial_bytes(draft: &mut Draft) {
    let ty = sized(&mut draft.rng);
    let init = Init::Bytes(bytes(&mut draft.rng, ty.size().unwrap_or(1)));
    initialised(draft, ty, init);
}

/// `x[] = {..}`
pub(super) fn counted(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let rank = rng.pick(&[0, 0, 1]);
    let inner = element(rng);
    let inner = array(rng, rank, inner);
    let ty = keep(Type::Array(Extent::Incomplete, inner));
    // A struct's bytes are counted by its size.
    let is_struct = matches!(inner.element(), Type::Struct(_));
    let init = if rng.one_in(2) || is_struct {
        let size = inner.size().unwrap_or(1) * rng.within(1, 4);
        Init::Bytes(bytes(rng, size))
    } else {
        numbers(rng, ty)
    };
    initialised(draft, ty, init);
}

pub(super) fn with_addresses(draft: &mut Draft) {
    let (ty, init) = addresses(draft);
    initialised(draft, ty, init);
}

pub(super) fn opaque(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let opaque = rng.pick(Opaque::ALL);
    let mode = match opaque {
        Opaque::SamplerRef => TextureMode::Independent,
        Opaque::TexRef | Opaque::SurfRef => {
            rng.pick(&[TextureMode::Unified, TextureMode::Independent])
        }
    };
    let init = if rng.one_in(4) { Init::None } else { members(rng, opaque, mode) };
    let linkage = rng.pick(&[Linkage::Internal, Linkage::Visible, Linkage::Weak, Linkage::Extern]);
    let linkage = if matches!(init, Init::None) || linkage != Linkage::Extern {
        linkage
    } else {
        Linkage::Visible
    };
    let align = if rng.one_in(6) { Some(1 << rng.within(0, 8)) } else { None };
    let ty = keep(Type::Opaque(opaque));
    let ty = if matches!(init, Init::None) && rng.one_in(4) {
        keep(Type::Family(Extent::Known(rng.within(1, 4)), ty))
    } else {
        ty
    };
    draft.case.mode = mode;
    let variable = Variable { align, linkage, init, ..draft.plain(Space::Global, ty) };
    draft.add(variable);
}

pub(super) fn family(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let inner = if rng.one_in(2) { scalar(stored(rng)) } else { keep(vector(rng)) };
    let ty = keep(Type::Family(Extent::Known(rng.below(12)), inner));
    let space = rng.pick(&[Space::Global, Space::Const, Space::Shared]);
    let (align, linkage) = (align(rng, ty), linkage(rng, space));
    let variable = Variable { align, linkage, ..draft.plain(space, ty) };
    if draft.rng.one_in(3) {
        let space = draft.rng.pick(&[Space::Local, Space::Shared, Space::Global, Space::Const]);
        let local = Variable { space, linkage: Linkage::Internal, ..variable };
        let body = Body::of_local(&mut draft.rng, local);
        draft.function(body);
    } else {
        draft.add(variable);
    }
}

pub(super) fn managed(draft: &mut Draft) {
    let ty = sized(&mut draft.rng);
    let (align, linkage) = (align(&mut draft.rng, ty), linkage(&mut draft.rng, Space::Global));
    let variable = Variable { align, linkage, managed: true, ..draft.plain(Space::Global, ty) };
    draft.add(variable);
}

pub(super) fn unified_variable(draft: &mut Draft) {
    let ty = sized(&mut draft.rng);
    let linkage = linkage(&mut draft.rng, Space::Global);
    let init = if draft.rng.one_in(2) { numbers(&mut draft.rng, ty) } else { Init::None };
    let (managed, unified) = (draft.rng.one_in(4), Some(unified(&mut draft.rng)));
    let variable = Variable { linkage, init, managed, unified, ..draft.plain(Space::Global, ty) };
    draft.add(variable);
}

/// `.extern .global x;`, and `.extern .global x[];`
pub(super) fn external(draft: &mut Draft) {
    let space = if draft.rng.one_in(4) { Space::Shared } else { stored_space(&mut draft.rng) };
    let inner = sized(&mut draft.rng);
    let is_struct = matches!(inner.element(), Type::Struct(_));
    let ty = if draft.rng.one_in(2) && !is_struct {
        keep(Type::Array(Extent::Incomplete, inner))
    } else {
        inner
    };
    let align = align(&mut draft.rng, ty);
    let variable = Variable { align, linkage: Linkage::Extern, ..draft.plain(space, ty) };
    draft.add(variable);
}

/// Dynamic shared memory, with some static shared memory.
pub(super) fn dynamic(draft: &mut Draft) {
    let inner = element(&mut draft.rng);
    let ty = keep(Type::Array(Extent::Incomplete, inner));
    let align = align(&mut draft.rng, ty);
    let linkage = draft.rng.pick(&[Linkage::Extern, Linkage::Dynamic]);
    let window = Variable { align, linkage, ..draft.plain(Space::Shared, ty) };
    let window = draft.add(window);
    let ty = sized(&mut draft.rng);
    let fixed = draft.plain(Space::Shared, ty);
    let fixed = draft.add(fixed);
    draft.function(Body::of_uses(vec![window, fixed]));
}

pub(super) fn local(draft: &mut Draft) {
    let space = draft.rng.pick(&[
        Space::Reg,
        Space::Reg,
        Space::Local,
        Space::Shared,
        Space::Param,
        Space::Global,
        Space::Const,
    ]);
    let rng = &mut draft.rng;
    let ty = match space {
        Space::Reg => match rng.below(4) {
            0 => keep(vector(rng)),
            1 => {
                keep(Type::Family(Extent::Known(rng.below(20)), scalar(rng.pick(ScalarType::ALL))))
            }
            2 => scalar(ScalarType::Pred),
            _ => scalar(rng.pick(ScalarType::ALL)),
        },
        Space::Param => {
            let (of, rank) = (stored(rng), rng.within(0, 2));
            let inner = if rng.one_in(4) { keep(structure(rng)) } else { scalar(of) };
            array(rng, rank, inner)
        }
        _ => sized(rng),
    };
    let most = if space == Space::Param { 128 } else { usize::MAX };
    let align = align(rng, ty).filter(|align| space != Space::Reg && *align <= most);
    let managed = space == Space::Global && rng.one_in(8);
    let local = Variable { align, managed, ..draft.plain(space, ty) };
    let mut body = Body::of_local(&mut draft.rng, local);
    // Named shared variables are placed differently from unused ones.
    if space == Space::Shared && draft.rng.one_in(2) {
        body.locals.append(&mut body.idle);
    }
    draft.function(body);
}

pub(super) fn local_with_value(draft: &mut Draft) {
    let space = stored_space(&mut draft.rng);
    let (ty, init) = match draft.rng.below(3) {
        0 => {
            let target = address(draft);
            (scalar(ScalarType::U64), Init::Value(Value::Address(target)))
        }
        1 => {
            let ty = sized(&mut draft.rng);
            (ty, Init::Bytes(bytes(&mut draft.rng, ty.size().unwrap_or(1))))
        }
        _ => {
            let ty = sized(&mut draft.rng);
            (ty, numbers(&mut draft.rng, ty))
        }
    };
    let local = Variable { init, ..draft.plain(space, ty) };
    let body = Body::of_local(&mut draft.rng, local);
    draft.function(body);
}
