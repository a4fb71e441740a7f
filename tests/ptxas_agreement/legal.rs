//! Declarations that are meant to be legal: each form in turn, its parts at random.

use ptx::ir::{
    Directive, DirectiveKind, Extent, FunctionKind, Init, Linkage, Param, Pointer, Type, Value,
    Variable,
};
use ptx::rules::{self, Kind};
use ptx::special::{SPECIAL_REGISTERS, SpecialRegister};
use ptx::{Opaque, ScalarType, Space, Target, TextureMode, Version};

use crate::draft::{Body, Draft, keep};
use crate::grammar::{
    address, addresses, align, array, bytes, element, members, numbers, scalar, sized, stored,
    structure, unified, vector,
};
use ptx_smith::Rng;

/// The forms of a legal declaration.
pub(crate) const FORMS: &[fn(&mut Draft)] = &[
    variable,
    variable,
    literal,
    literal,
    initial_bytes,
    counted,
    with_addresses,
    with_addresses,
    with_addresses,
    with_addresses,
    opaque,
    opaque,
    opaque,
    opaque,
    opaque,
    family,
    family,
    managed,
    unified_variable,
    external,
    dynamic,
    kernel_params,
    kernel_params,
    pointers,
    opaque_params,
    directives,
    device,
    device,
    kernel_elsewhere,
    variadic,
    unified_function,
    local,
    local,
    local,
    local_with_value,
    special,
    called,
    shared_near_limit,
    const_near_limit,
    params_near_limit,
];

/// PTX versions that all releases know for some targets, and 9.0.
pub(crate) const VERSIONS: &[Version] = &[
    Version::new(4, 0),
    Version::new(4, 1),
    Version::new(4, 2),
    Version::new(4, 3),
    Version::new(5, 0),
    Version::new(6, 0),
    Version::new(6, 1),
    Version::new(6, 2),
    Version::new(6, 3),
    Version::new(6, 4),
    Version::new(6, 5),
    Version::new(7, 0),
    Version::new(7, 1),
    Version::new(7, 2),
    Version::new(7, 3),
    Version::new(7, 4),
    Version::new(7, 5),
    Version::new(7, 6),
    Version::new(7, 7),
    Version::new(7, 8),
    Version::new(8, 0),
    Version::new(8, 1),
    Version::new(8, 2),
    Version::new(8, 3),
    Version::new(8, 4),
    Version::new(8, 5),
    Version::new(8, 6),
    Version::new(8, 7),
    Version::new(8, 8),
    Version::new(9, 0),
];

/// A target that at least one of the two releases knows.
pub(crate) fn target(rng: &mut Rng) -> Target {
    loop {
        let target = rng.pick(Target::ALL);
        if !target.since().is_below(Version::new(9, 1)) {
            continue;
        }
        return target;
    }
}

/// Chooses a target, and usually no version, that support the declaration; if it finds none, the case stays as
/// it is, and the rules report the reason.
pub(crate) fn settle(draft: &mut Draft) {
    for _ in 0..24 {
        draft.case.target = target(&mut draft.rng);
        draft.case.version = None;
        if draft.rng.one_in(3) {
            let version = draft.rng.pick(VERSIONS);
            let known = |target: &Target| !version.is_below(target.since());
            let fitting: Vec<Target> = Target::ALL.iter().copied().filter(known).collect();
            (draft.case.target, draft.case.version) = (draft.rng.pick(&fitting), Some(version));
        }
        let refused = draft.case.with(None, |module| {
            rules::check_module(module).iter().any(|violation| violation.rule.kind == Kind::Refused)
        });
        if !refused {
            return;
        }
    }
}

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
fn variable(draft: &mut Draft) {
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

fn literal(draft: &mut Draft) {
    let ty = sized(&mut draft.rng);
    let init = numbers(&mut draft.rng, ty);
    initialised(draft, ty, init);
}

fn initial_bytes(draft: &mut Draft) {
    let ty = sized(&mut draft.rng);
    let init = Init::Bytes(bytes(&mut draft.rng, ty.size().unwrap_or(1)));
    initialised(draft, ty, init);
}

/// `x[] = {..}`
fn counted(draft: &mut Draft) {
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

fn with_addresses(draft: &mut Draft) {
    let (ty, init) = addresses(draft);
    initialised(draft, ty, init);
}

fn opaque(draft: &mut Draft) {
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

fn family(draft: &mut Draft) {
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

fn managed(draft: &mut Draft) {
    let ty = sized(&mut draft.rng);
    let (align, linkage) = (align(&mut draft.rng, ty), linkage(&mut draft.rng, Space::Global));
    let variable = Variable { align, linkage, managed: true, ..draft.plain(Space::Global, ty) };
    draft.add(variable);
}

fn unified_variable(draft: &mut Draft) {
    let ty = sized(&mut draft.rng);
    let linkage = linkage(&mut draft.rng, Space::Global);
    let init = if draft.rng.one_in(2) { numbers(&mut draft.rng, ty) } else { Init::None };
    let (managed, unified) = (draft.rng.one_in(4), Some(unified(&mut draft.rng)));
    let variable = Variable { linkage, init, managed, unified, ..draft.plain(Space::Global, ty) };
    draft.add(variable);
}

/// `.extern .global x;`, and `.extern .global x[];`
fn external(draft: &mut Draft) {
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
fn dynamic(draft: &mut Draft) {
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

/// A parameter whose name may have another meaning in PTX.
fn param(draft: &mut Draft, ty: &'static Type<'static>) -> Param<'static> {
    let name = if draft.rng.one_in(16) {
        draft.rng.pick(&["align", "add", "global", "tid", "main", "u32", "generic", "v4", "ret"])
    } else {
        draft.name()
    };
    Param::new(name, ty)
}

fn kernel_params(draft: &mut Draft) {
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
pub(crate) fn pointer(rng: &mut Rng) -> Pointer<'static> {
    const SPACES: &[Option<Space>] =
        &[None, Some(Space::Global), Some(Space::Const), Some(Space::Shared), Some(Space::Local)];
    let pointee = sized(rng);
    Pointer { space: rng.pick(SPACES), align: align(rng, pointee), pointee }
}

fn pointers(draft: &mut Draft) {
    let mut body = Body::kernel();
    for _ in 0..draft.rng.within(1, 3) {
        let mut param = param(draft, scalar(ScalarType::U64));
        param.variable.name = draft.name();
        param.pointer = Some(pointer(&mut draft.rng));
        body.params.push(param);
    }
    draft.function(body);
}

fn opaque_params(draft: &mut Draft) {
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

pub(crate) fn directive(rng: &mut Rng, kind: DirectiveKind) -> Directive {
    let value = |rng: &mut Rng| rng.pick(&[1, 2, 3, 8, 32, 64, 256]);
    Directive { kind, values: [value(rng), value(rng), value(rng)] }
}

fn directives(draft: &mut Draft) {
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

fn device(draft: &mut Draft) {
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
fn kernel_elsewhere(draft: &mut Draft) {
    let mut body = Body { linkage: Some(Linkage::Extern), is_elsewhere: true, ..Body::kernel() };
    for _ in 0..draft.rng.within(0, 3) {
        let ty = sized(&mut draft.rng);
        body.params.push(Param::new(draft.name(), ty));
    }
    draft.function(body);
}

/// A device function that takes a varying number of arguments.
fn variadic(draft: &mut Draft) {
    let mut body = Body::new(FunctionKind::Device);
    body.params.push(Param::new(draft.name(), scalar(ScalarType::B64)));
    let byte = draft.rng.pick(&[ScalarType::B8, ScalarType::U8, ScalarType::S8]);
    let list = keep(Type::Array(Extent::Incomplete, scalar(byte)));
    let mut param = Param::new(draft.name(), list);
    param.variable.align = draft.rng.pick(&[None, Some(4), Some(8), Some(16)]);
    body.params.push(param);
    draft.function(body);
}

fn unified_function(draft: &mut Draft) {
    let mut body = Body::new(FunctionKind::Device);
    body.unified = Some(unified(&mut draft.rng));
    body.params.push(Param::new(draft.name(), scalar(ScalarType::F32)));
    draft.function(body);
}

fn local(draft: &mut Draft) {
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

fn local_with_value(draft: &mut Draft) {
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

/// A register, under one of its names.
pub(crate) fn special_name(rng: &mut Rng) -> (&'static str, &'static SpecialRegister) {
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

fn special(draft: &mut Draft) {
    let mut body = Body::new(draft.rng.pick(&[FunctionKind::Kernel, FunctionKind::Device]));
    body.special = Some(special_name(&mut draft.rng));
    draft.function(body);
}

/// Shared memory of a function that a kernel calls.
fn called(draft: &mut Draft) {
    let mut callee = Body::new(FunctionKind::Device);
    for _ in 0..draft.rng.within(1, 3) {
        let ty = sized(&mut draft.rng);
        let align = align(&mut draft.rng, ty);
        callee.locals.push(keep(Variable { align, ..draft.plain(Space::Shared, ty) }));
    }
    let callee = draft.function(callee);
    draft.function(Body { calls: Some(callee), ..Body::kernel() });
}

/// Parts that fill a space to about `most` bytes, each at its alignment.
fn parts(draft: &mut Draft, most: usize, count: usize) -> Vec<(usize, Option<usize>)> {
    let rng = &mut draft.rng;
    let mut left = most;
    let mut parts = Vec::new();
    for n in 0..count {
        let size = if n + 1 == count { left } else { rng.within(1, left / 2) };
        let align = rng.pick(&[None, None, Some(2), Some(8), Some(64)]);
        left -= size;
        parts.push((size, align));
    }
    let last = &mut parts[count - 1].0;
    // A little below the limit or above it; padding decides.
    *last = 1.max((*last + rng.below(9)).saturating_sub(rng.pick(&[0, 4, 4, 16, 130])));
    parts
}

fn bytes_of(size: usize) -> &'static Type<'static> {
    keep(Type::Array(Extent::Known(size), scalar(ScalarType::B8)))
}

/// Static shared memory of every kind, about as much as the limit.
fn shared_near_limit(draft: &mut Draft) {
    let most = draft.rng.pick(&[48 * 1024, 48 * 1024, 48 * 1024, 99 * 1024, 227 * 1024]);
    let count = draft.rng.within(1, 5);
    let mut body = Body::kernel();
    for (size, align) in parts(draft, most, count) {
        let variable = Variable { align, ..draft.plain(Space::Shared, bytes_of(size)) };
        match draft.rng.below(8) {
            0..3 => body.uses.push(draft.add(variable)),
            3 | 4 => {
                let linkage = draft.rng.pick(&[Linkage::Visible, Linkage::Weak]);
                body.uses.push(draft.add(Variable { linkage, ..variable }));
            }
            5 => body.locals.push(keep(variable)),
            _ => body.idle.push(keep(variable)),
        }
    }
    draft.function(body);
}

/// Constants, about as many as the limit.
fn const_near_limit(draft: &mut Draft) {
    let count = draft.rng.within(1, 5);
    let mut body = Body::kernel();
    for (size, align) in parts(draft, 64 * 1024, count) {
        let linkage = draft.rng.pick(&[Linkage::Internal, Linkage::Visible, Linkage::Weak]);
        let variable = Variable { align, ..draft.plain(Space::Const, bytes_of(size)) };
        if draft.rng.one_in(4) {
            body.locals.push(keep(variable));
        } else {
            draft.add(Variable { linkage, ..variable });
        }
    }
    draft.function(body);
}

/// Parameters, about as many as the limit.
fn params_near_limit(draft: &mut Draft) {
    let most = draft.rng.pick(&[rules::PARAM_BYTES, rules::PARAM_BYTES_BEFORE_8_1]);
    let count = draft.rng.within(1, 4);
    let mut body = Body::kernel();
    for (size, align) in parts(draft, most, count) {
        let mut param = Param::new(draft.name(), bytes_of(size));
        param.variable.align = align;
        body.params.push(param);
    }
    draft.function(body);
}
