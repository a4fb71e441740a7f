//! Functions: their parameters, directives and attributes.

use ptx_isa::ir::{
    Directive, DirectiveKind, Extent, FunctionKind, Linkage, Param, Pointer, Type, Variable,
};
use ptx_isa::special::{SPECIAL_REGISTERS, SpecialRegister};
use ptx_isa::{Opaque, ScalarType, Space, TextureMode};

use super::draft::{Body, Draft, keep};
use super::grammar::{align, scalar, sized, unified, vector};
use crate::Rng;

/// A parameter whose name may have another meaning in PTX.
fn param(draft: &mut Draft, ty: &'static Type<'static>) -> Param<'static> {
    let name = if draft.rng.one_in(16) {
        draft.rng.pick(&["align", "add", "global", "tid", "main", "u32", "generic", "v4", "ret"])
    } else {
        draft.name()
    };
    Param::new(name, ty)
}

pub(super) fn kernel_params(draft: &mut Draft) {
    let mut body = Body::kernel();
    let mut names = Vec::new();
    for _ in 0..draft.rng.within(1, 4) {
        let ty = sized(&mut draft.rng);
        let mut param = param(draft, ty);
        param.variable.align = align(&mut draft.rng, ty);
        if !names.contains(&param.variable.name) {
            names.push(param.variable.name);
            body.params.push(param);
        }
    }
    draft.function(body);
}

/// The target of a pointer parameter, and its alignment.
pub fn pointer(rng: &mut Rng) -> Pointer<'static> {
    const SPACES: &[Option<Space>] =
        &[None, Some(Space::Global), Some(Space::Const), Some(Space::Shared), Some(Space::Local)];
    let pointee = sized(rng);
    Pointer { space: rng.pick(SPACES), align: align(rng, pointee), pointee }
}

pub(super) fn pointers(draft: &mut Draft) {
    let mut body = Body::kernel();
    for _ in 0..draft.rng.within(1, 3) {
        let mut param = param(draft, scalar(ScalarType::U64));
        param.variable.name = draft.name();
        param.pointer = Some(pointer(&mut draft.rng));
        body.params.push(param);
    }
    draft.function(body);
}

pub(super) fn opaque_params(draft: &mut Draft) {
    let mut body = Body::kernel();
    draft.case.mode = TextureMode::Independent;
    for _ in 0..draft.rng.within(1, 3) {
        let ty = keep(Type::Opaque(draft.rng.pick(Opaque::ALL)));
        if *ty != Type::Opaque(Opaque::SamplerRef) && draft.rng.one_in(4) {
            draft.case.mode = TextureMode::Unified;
        }
        body.params.push(Param::new(draft.name(), ty));
    }
    let sampler = |param: &Param<'_>| *param.variable.ty == Type::Opaque(Opaque::SamplerRef);
    if body.params.iter().any(sampler) {
        draft.case.mode = TextureMode::Independent;
    }
    draft.function(body);
}

pub fn directive(rng: &mut Rng, kind: DirectiveKind) -> Directive {
    let value = |rng: &mut Rng| rng.pick(&[1, 2, 3, 8, 32, 64, 256]);
    Directive { kind, values: [value(rng), value(rng), value(rng)] }
}

pub(super) fn directives(draft: &mut Draft) {
    let mut body = Body::kernel();
    let (one, other) = if draft.rng.one_in(2) {
        (DirectiveKind::MaxNTid, DirectiveKind::ReqNCtaPerCluster)
    } else {
        (DirectiveKind::ReqNTid, DirectiveKind::MaxClusterRank)
    };
    for kind in [
        one,
        other,
        DirectiveKind::MinNCtaPerSm,
        DirectiveKind::MaxNReg,
        DirectiveKind::ExplicitCluster,
    ] {
        if draft.rng.one_in(2) {
            body.directives.push(directive(&mut draft.rng, kind));
        }
    }
    if body.directives.is_empty() {
        body.directives.push(directive(&mut draft.rng, other));
    }
    draft.function(body);
}

/// A parameter of a device function, in a register or not.
fn formal(draft: &mut Draft, space: Space) -> Param<'static> {
    let rng = &mut draft.rng;
    let ty = match space {
        Space::Reg if rng.one_in(3) => keep(vector(rng)),
        Space::Reg => scalar(rng.pick(ScalarType::ALL)),
        _ => sized(rng),
    };
    let align = align(rng, ty).filter(|_| space == Space::Param);
    let mut param = param(draft, ty);
    param.variable = Variable { space, align, ..param.variable };
    param
}

pub(super) fn device(draft: &mut Draft) {
    let mut body = Body::new(FunctionKind::Device);
    body.is_elsewhere = draft.rng.one_in(4);
    if body.is_elsewhere {
        body.linkage = Some(Linkage::Extern);
    }
    for _ in 0..draft.rng.within(0, 3) {
        let space = draft.rng.pick(&[Space::Param, Space::Param, Space::Reg]);
        let mut param = formal(draft, space);
        if body.params.iter().any(|other| other.variable.name == param.variable.name) {
            param.variable.name = draft.name();
        }
        body.params.push(param);
    }
    match draft.rng.below(4) {
        0 => {}
        1 | 2 => {
            let space = draft.rng.pick(&[Space::Param, Space::Reg]);
            body.returns.push(formal(draft, space));
        }
        _ => {
            for _ in 0..2 {
                body.returns.push(formal(draft, Space::Reg));
            }
        }
    }
    for param in &mut body.returns {
        param.variable.name = draft.name();
    }
    if body.returns.is_empty() && draft.rng.one_in(2) {
        body.directives.push(directive(&mut draft.rng, DirectiveKind::NoReturn));
    }
    draft.function(body);
}

/// A kernel that is defined elsewhere.
pub(super) fn kernel_elsewhere(draft: &mut Draft) {
    let mut body = Body { linkage: Some(Linkage::Extern), is_elsewhere: true, ..Body::kernel() };
    for _ in 0..draft.rng.within(0, 3) {
        let ty = sized(&mut draft.rng);
        body.params.push(Param::new(draft.name(), ty));
    }
    draft.function(body);
}

/// A device function that takes a varying number of arguments.
pub(super) fn variadic(draft: &mut Draft) {
    let mut body = Body::new(FunctionKind::Device);
    body.params.push(Param::new(draft.name(), scalar(ScalarType::B64)));
    let byte = draft.rng.pick(&[ScalarType::B8, ScalarType::U8, ScalarType::S8]);
    let list = keep(Type::Array(Extent::Incomplete, scalar(byte)));
    let mut param = Param::new(draft.name(), list);
    param.variable.align = draft.rng.pick(&[None, Some(4), Some(8), Some(16)]);
    body.params.push(param);
    draft.function(body);
}

pub(super) fn unified_function(draft: &mut Draft) {
    let mut body = Body::new(FunctionKind::Device);
    body.unified = Some(unified(&mut draft.rng));
    body.params.push(Param::new(draft.name(), scalar(ScalarType::F32)));
    draft.function(body);
}

/// A register, under one of its names.
pub fn special_name(rng: &mut Rng) -> (&'static str, &'static SpecialRegister) {
    let register = &SPECIAL_REGISTERS[rng.below(SPECIAL_REGISTERS.len())];
    let name = match register.family {
        Some((first, last, suffix)) => {
            let number = rng.within(first.into(), last.into());
            &*format!("{}{number}{suffix}", register.name).leak()
        }
        None => register.name,
    };
    (name, register)
}

pub(super) fn special(draft: &mut Draft) {
    let mut body = Body::new(draft.rng.pick(&[FunctionKind::Kernel, FunctionKind::Device]));
    body.special = Some(special_name(&mut draft.rng));
    draft.function(body);
}

/// Shared memory of a function that a kernel calls.
pub(super) fn called(draft: &mut Draft) {
    let mut callee = Body::new(FunctionKind::Device);
    for _ in 0..draft.rng.within(1, 3) {
        let ty = sized(&mut draft.rng);
        let align = align(&mut draft.rng, ty);
        callee.locals.push(keep(Variable { align, ..draft.plain(Space::Shared, ty) }));
    }
    let callee = draft.function(callee);
    draft.function(Body { calls: Some(callee), ..Body::kernel() });
}
