//! Functions, their parameters and directives.

use ptx_isa::ir::{
    Directive, DirectiveKind, Extent, FunctionKind, Init, Linkage, Param, Type, Value, Variable,
};
use ptx_isa::rules;
use ptx_isa::special::SpecialRegister;
use ptx_isa::{ScalarType, Space, Target, Version};

use super::good::{good_with, inside};
use super::values::plain_address;
use crate::Rng;
use crate::declarations::draft::{Body, Draft, keep};
use crate::declarations::function::{directive, special_name};
use crate::declarations::grammar::{array, element, scalar, sized, structure, unified};

pub(super) fn params_over_limit(draft: &mut Draft) {
    let most = draft.rng.pick(&[rules::PARAM_BYTES, rules::PARAM_BYTES_BEFORE_8_1]);
    let over = draft.rng.pick(&[1, 2, 64, 1000]);
    let first = draft.rng.within(1, most - 1);
    let bytes = |size| keep(Type::Array(Extent::Known(size), scalar(ScalarType::U8)));
    let params = vec![
        Param::new(draft.name(), bytes(first)),
        Param::new(draft.name(), bytes(most + over - first)),
    ];
    draft.function(Body { params, ..Body::kernel() });
}

pub(super) fn shared_over_limit(draft: &mut Draft) {
    let most = draft.rng.pick(&[48 * 1024, 99 * 1024, 227 * 1024]);
    let over = draft.rng.pick(&[1, 2, 64, 100_000]);
    let ty = keep(Type::Array(Extent::Known(most + over), scalar(ScalarType::U8)));
    let variable = draft.plain(Space::Shared, ty);
    let mut body = Body::kernel();
    match draft.rng.below(3) {
        0 => body.idle.push(keep(variable)),
        1 => body.locals.push(keep(variable)),
        _ => body.uses.push(draft.add(variable)),
    }
    draft.function(body);
}

pub(super) fn directed(draft: &mut Draft, directives: Vec<Directive>) {
    draft.function(Body { directives, ..Body::kernel() });
}

pub(super) fn cluster_directive(draft: &mut Draft) {
    let kind = draft.rng.pick(&[DirectiveKind::ReqNCtaPerCluster, DirectiveKind::MaxClusterRank]);
    directed(draft, vec![Directive { kind, values: [2, 1, 1] }]);
}

pub(super) fn directive_zero(draft: &mut Draft) {
    let kind = draft.rng.pick(&[
        DirectiveKind::MaxNTid,
        DirectiveKind::ReqNTid,
        DirectiveKind::MinNCtaPerSm,
        DirectiveKind::MaxNReg,
    ]);
    let mut zero = directive(&mut draft.rng, kind);
    zero.values[draft.rng.below(kind.arity())] = 0;
    let mut directives = vec![zero];
    if kind == DirectiveKind::MinNCtaPerSm {
        directives.push(Directive { kind: DirectiveKind::MaxNTid, values: [32, 1, 1] });
    }
    directed(draft, directives);
}

pub(super) fn directives_conflict(draft: &mut Draft) {
    let (one, other) = draft.rng.pick(&[
        (DirectiveKind::MaxNTid, DirectiveKind::ReqNTid),
        (DirectiveKind::ReqNCtaPerCluster, DirectiveKind::MaxClusterRank),
    ]);
    let values = |rng: &mut Rng| [rng.within(1, 8).try_into().unwrap_or(1), 1, 1];
    let mut directives = vec![
        Directive { kind: one, values: values(&mut draft.rng) },
        Directive { kind: other, values: values(&mut draft.rng) },
    ];
    if draft.rng.one_in(2) {
        directives.reverse();
    }
    directed(draft, directives);
}

pub(super) fn extern_with_body(draft: &mut Draft) {
    let kind = draft.rng.pick(&[FunctionKind::Kernel, FunctionKind::Device]);
    let linkage = Some(Linkage::Extern);
    draft.function(Body { linkage, ..Body::new(kind) });
}

/// A directive with a value that breaks no rule about the size of a block or a cluster.
fn small_directive(rng: &mut Rng, kind: DirectiveKind) -> Directive {
    Directive { kind, values: [rng.pick(&[1, 2, 4, 8]), 1, 1] }
}

pub(super) fn directive_of_other_kind(draft: &mut Draft) {
    let kind = draft.rng.pick(DirectiveKind::ALL);
    let is_of_kernels = kind.is_of_kernels();
    let of = if is_of_kernels { FunctionKind::Device } else { FunctionKind::Kernel };
    // Another rule is about its number of blocks or registers alone.
    let mut directives = vec![small_directive(&mut draft.rng, kind)];
    if kind == DirectiveKind::MinNCtaPerSm {
        directives.push(Directive { kind: DirectiveKind::MaxNTid, values: [32, 1, 1] });
    }
    draft.function(Body { directives, ..Body::new(of) });
}

pub(super) fn directives_of_declaration(draft: &mut Draft) {
    let kind = draft.rng.pick(&[DirectiveKind::MaxNTid, DirectiveKind::MaxNReg]);
    let directives = vec![small_directive(&mut draft.rng, kind)];
    let linkage = Some(Linkage::Extern);
    draft.function(Body { directives, linkage, is_elsewhere: true, ..Body::kernel() });
}

/// A declaration that differs in one way from the definition after it.
pub(super) fn declaration_differs(draft: &mut Draft) {
    let scalars = [ScalarType::U32, ScalarType::B32, ScalarType::F32, ScalarType::B64];
    let n = draft.rng.below(scalars.len());
    let (name, of) = (draft.name(), scalar(scalars[n]));
    let other = scalar(scalars[(n + 1 + draft.rng.below(3)) % 4]);
    let kinds = [FunctionKind::Device, FunctionKind::Kernel];
    let kind = draft.rng.pick(&kinds);
    let param = |ty, space| {
        let variable = Variable::new(space, "p", ty);
        Param { variable, pointer: None, readonly: false, elements: None }
    };
    let linkage = Some(Linkage::Visible);
    let declared = || Body {
        linkage,
        params: vec![param(of, Space::Param)],
        is_elsewhere: true,
        ..Body::new(kind)
    };
    let defined = || Body { is_elsewhere: false, ..declared() };
    let (first, second) = match draft.rng.below(6) {
        0 => (declared(), Body { params: vec![param(other, Space::Param)], ..defined() }),
        1 => (declared(), Body { params: Vec::new(), ..defined() }),
        2 => (Body { linkage: Some(Linkage::Weak), ..declared() }, defined()),
        3 => {
            let kind = kinds[usize::from(kind == FunctionKind::Device)];
            (declared(), Body { kind, ..defined() })
        }
        4 => {
            let mut aligned = param(of, Space::Param);
            aligned.variable.align = Some(16);
            (declared(), Body { params: vec![aligned], ..defined() })
        }
        _ => (defined(), declared()),
    };
    draft.named_function(name, first);
    draft.named_function(name, second);
}

pub(super) fn param_over_aligned(draft: &mut Draft) {
    let ty = sized(&mut draft.rng);
    let mut param = Param::new(draft.name(), ty);
    param.variable.align = Some(1 << draft.rng.within(8, 20));
    let (mut params, mut returns) = (Vec::new(), Vec::new());
    if draft.rng.one_in(3) {
        returns.push(param);
    } else {
        params.push(param);
    }
    draft.function(Body { returns, params, ..Body::new(FunctionKind::Device) });
}

pub(super) fn register_type(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let element = element(rng);
    let ty = if rng.one_in(3) { keep(structure(rng)) } else { array(rng, 1, element) };
    let variable = draft.plain(Space::Reg, ty);
    let params = vec![Param { variable, pointer: None, readonly: false, elements: None }];
    draft.function(Body { params, ..Body::new(FunctionKind::Device) });
}

pub(super) fn register_array(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let (rank, element) = (rng.within(1, 2), element(rng));
    let ty = if rng.one_in(4) { keep(structure(rng)) } else { array(rng, rank, element) };
    let register = draft.plain(Space::Reg, ty);
    inside(draft, register);
}

pub(super) fn several_param_returns(draft: &mut Draft) {
    let mut returns = Vec::new();
    for n in 0..draft.rng.within(2, 3) {
        let ty = scalar(ScalarType::B32);
        let mut param = Param::new(draft.name(), ty);
        if n > 0 && draft.rng.one_in(2) {
            param.variable.space = Space::Reg;
        }
        returns.push(param);
    }
    draft.function(Body { returns, ..Body::new(FunctionKind::Device) });
}

pub(super) fn noreturn_returns(draft: &mut Draft) {
    let returns = vec![Param::new(draft.name(), scalar(ScalarType::B32))];
    let directives = vec![directive(&mut draft.rng, DirectiveKind::NoReturn)];
    draft.function(Body { returns, directives, ..Body::new(FunctionKind::Device) });
}

pub(super) fn unified_narrow_parameter(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let narrow = rng.pick(&[ScalarType::U8, ScalarType::S8, ScalarType::U16, ScalarType::S16]);
    let unified = Some(unified(rng));
    let space = rng.pick(&[Space::Param, Space::Reg]);
    let variable = draft.plain(space, scalar(narrow));
    let params = vec![Param { variable, pointer: None, readonly: false, elements: None }];
    let body = Body::new(FunctionKind::Device);
    let body = if draft.rng.one_in(3) {
        Body { unified, returns: params, ..body }
    } else {
        Body { params, unified, ..body }
    };
    draft.function(body);
}

pub(super) fn unified_function_name(draft: &mut Draft) {
    let unified = Some(unified(&mut draft.rng));
    let name = format!("%{}", draft.name().trim_start_matches('%')).leak();
    draft.named_function(name, Body { unified, ..Body::new(FunctionKind::Device) });
}

/// Several values returned, and the address of a function.
pub(super) fn address_without_abi(draft: &mut Draft) {
    let returns = (0..draft.rng.within(2, 3))
        .map(|_| {
            let variable = draft.plain(Space::Reg, scalar(ScalarType::B32));
            Param { variable, pointer: None, readonly: false, elements: None }
        })
        .collect();
    let several = draft.function(Body { returns, ..Body::new(FunctionKind::Device) });
    let named = match draft.rng.below(3) {
        0 => several,
        1 => draft.empty(FunctionKind::Device),
        _ => draft.empty(FunctionKind::Kernel),
    };
    let init = Init::Value(Value::Address(plain_address(named.name)));
    let variable = good_with(draft, scalar(ScalarType::U64), init);
    draft.add(variable);
}

pub(super) fn unified_function(draft: &mut Draft) {
    let unified = Some(unified(&mut draft.rng));
    draft.function(Body { unified, ..Body::new(FunctionKind::Device) });
}

/// A special register that is newer than its target.
pub(super) fn new_special(draft: &mut Draft) {
    let special = loop {
        let special = special_name(&mut draft.rng);
        let (since, arch) = (special.1.since, special.1.min_arch);
        let old = if arch < 90 { Version::new(4, 0) } else { Target::Sm90.since() };
        if old.is_below(since) {
            break special;
        }
    };
    draft.function(Body { special: Some(special), ..Body::kernel() });
}

/// A special register that only some targets have.
pub(super) fn special(draft: &mut Draft) {
    let has_needs = |register: &SpecialRegister| register.min_arch > 50;
    let special = loop {
        let special = special_name(&mut draft.rng);
        if has_needs(special.1) {
            break special;
        }
    };
    draft.function(Body { special: Some(special), ..Body::kernel() });
}
