//! Near misses: declarations that break one refused rule, and nothing else.

use ptx::ir::{
    Address, Byte, Directive, DirectiveKind, Extent, FunctionKind, Init, Link, Linkage, Linked,
    Param, Type, Value, Variable,
};
use ptx::rules;
use ptx::special::SpecialRegister;
use ptx::{
    Applies, Assignment, Member, MemberValue, Opaque, ScalarType, Space, Target, TextureMode,
    Version,
};

use crate::draft::{Body, Draft, keep, keep_all};
use crate::grammar::{
    align, array, assignment, bytes, element, float, integer, number, numbers, scalar, shaped,
    sized, stored, structure, unified, vector,
};
use crate::legal::{VERSIONS, directive, pointer, special_name, target};
use crate::rng::Rng;

/// A rule, and what breaks it.
type Miss = (&'static str, fn(&mut Draft));

/// What breaks each rule.
pub(crate) const MISSES: &[Miss] = &[
    ("D001", illegal_name),
    ("D002", same_name),
    ("D003", predicate_stored),
    ("D004", vector_too_wide),
    ("D005", align_not_power_of_two),
    ("D007", initialiser_space),
    ("D008", extent_zero),
    ("D009", const_variable_over_limit),
    ("D010", extent_missing),
    ("D011", wide_scalar),
    ("D012", new_scalar),
    ("D013", initialiser_of_extern),
    ("D015", vector_lanes),
    ("D017", space_not_here),
    ("D018", value_shape),
    ("D019", inexact_kind),
    ("D020", pointer_not_power_of_two),
    ("D025", common_outside_global),
    ("D026", managed_outside_global),
    ("D027", common),
    ("D028", managed),
    ("D030", align_too_large),
    ("D031", predicate_vector),
    ("D033", address_of_nothing),
    ("D037", function_is_generic),
    ("D038", offset_of_function),
    ("D039", address_type),
    ("D041", mask_not_a_byte),
    ("D042", address_space),
    ("D044", new_address),
    ("D045", family_initialised),
    ("D046", family_of_arrays),
    ("D048", unified_outside_global),
    ("D049", unified_variable),
    ("D050", unified_variable),
    ("D051", address_of_extern_function),
    ("D052", address_circle),
    ("D055", param_type),
    ("D060", register_array),
    ("D056", local_param_over_aligned),
    ("O001", opaque_misplaced),
    ("O002", member_not_applicable),
    ("O010", members_too_many),
    ("O003", sampler_in_unified_mode),
    ("O008", opaque_common),
    ("F001", params_over_limit),
    ("F002", shared_over_limit),
    ("F003", cluster_directive),
    ("F004", cluster_directive),
    ("F005", directive_zero),
    ("F007", directives_conflict),
    ("F010", param_over_aligned),
    ("F011", register_type),
    ("F012", several_param_returns),
    ("F017", unified_narrow_parameter),
    ("F018", unified_function_name),
    ("D067", address_without_abi),
    ("F013", unified_function),
    ("F014", unified_function),
    ("S001", new_special),
    ("S002", special),
    ("T001", anything),
    ("T002", anything),
    ("T003", const_over_limit),
];

/// Refused rules that never come alone, and what comes with them: what needs PTX 7.8 here needs
/// `sm_90` too, which has PTX 7.8, and no target here is as old as the version that lacks
/// `.managed`. More members than there are stand there twice.
pub(crate) const COMPANIONS: &[(&str, &str)] =
    &[("F003", "F004"), ("D028", "T001"), ("O010", "O007"), ("F017", "F009")];

/// Whether `codes` are the violation of this rule and nothing else.
pub(crate) fn is_only(rule: &str, codes: &[&str]) -> bool {
    codes.contains(&rule)
        && codes.iter().all(|code| *code == rule || COMPANIONS.contains(&(rule, *code)))
}

/// Chooses a target and a version for which the rule is the only one that is broken; as it comes
/// where there are none, the rules say why.
pub(crate) fn settle(draft: &mut Draft, rule: &str) {
    // None of these are or were versions.
    const NEVER: &[Version] = &[
        Version::new(4, 4),
        Version::new(4, 9),
        Version::new(5, 2),
        Version::new(6, 6),
        Version::new(7, 9),
        Version::new(8, 9),
    ];
    const OLD: &[Version] = &[Version::new(2, 3), Version::new(3, 0), Version::new(3, 2)];
    if rule == "T002" {
        for _ in 0..100 {
            let (target, version) = (target(&mut draft.rng), draft.rng.pick(NEVER));
            if breaks_only(draft, rule, target, Some(version)) {
                return;
            }
        }
    }
    for _ in 0..24 {
        let rng = &mut draft.rng;
        let version = match rng.below(16) {
            0..7 => None,
            7 => Some(rng.pick(NEVER)),
            8 => Some(rng.pick(OLD)),
            _ => Some(rng.pick(VERSIONS)),
        };
        let target = target(rng);
        if breaks_only(draft, rule, target, version) {
            return;
        }
    }
    // Some rules have one target and version: all are tried, from anywhere on.
    let (targets, versions) = (Target::ALL, VERSIONS);
    let pairs = targets.len() * versions.len();
    let start = draft.rng.below(pairs);
    for pair in (start..pairs).chain(0..start) {
        let (target, version) = (targets[pair / versions.len()], versions[pair % versions.len()]);
        let is_known = target.since().is_below(Version::new(9, 1));
        if is_known && breaks_only(draft, rule, target, Some(version)) {
            return;
        }
    }
}

/// Whether the rule is the only one that is broken for a target and version, which the draft is
/// then for.
fn breaks_only(draft: &mut Draft, rule: &str, target: Target, version: Option<Version>) -> bool {
    (draft.case.target, draft.case.version) = (target, version);
    draft.case.with(None, |module| {
        let codes: Vec<&str> =
            rules::check_module(module).iter().map(|violation| violation.rule.code).collect();
        is_only(rule, &codes)
    })
}

/// A variable of the module that is as good as any.
fn good(draft: &mut Draft) -> Variable<'static> {
    let rng = &mut draft.rng;
    let space = rng.pick(&[Space::Global, Space::Const, Space::Shared]);
    let ty = sized(rng);
    let (align, linkage) = (
        align(rng, ty).filter(|align| Some(*align) >= ty.align()),
        rng.pick(&[Linkage::Internal, Linkage::Visible]),
    );
    Variable { align, linkage, ..draft.plain(space, ty) }
}

/// One that has a value, or can have one.
fn good_with(
    draft: &mut Draft,
    ty: &'static Type<'static>,
    init: Init<'static>,
) -> Variable<'static> {
    let space = draft.rng.pick(&[Space::Global, Space::Const]);
    let linkage = draft.rng.pick(&[Linkage::Internal, Linkage::Visible]);
    Variable { linkage, init, ..draft.plain(space, ty) }
}

/// Declares it in the module or in a body.
fn anywhere(draft: &mut Draft, variable: Variable<'static>) {
    if draft.rng.one_in(3) {
        inside(draft, Variable { linkage: Linkage::Internal, ..variable });
    } else {
        draft.add(variable);
    }
}

fn inside(draft: &mut Draft, variable: Variable<'static>) {
    let body = Body::of_local(&mut draft.rng, variable);
    draft.function(body);
}

fn kernel_of(draft: &mut Draft, param: Param<'static>) {
    draft.function(Body { params: vec![param], ..Body::kernel() });
}

fn anything(draft: &mut Draft) {
    let variable = good(draft);
    anywhere(draft, variable);
}

fn illegal_name(draft: &mut Draft) {
    const NAMES: &[&str] = &[
        "a.b", "a%b", "1a", "_", "$", "%", "WARP_SZ", "%tid", "%laneid", "%ctaid", "%clock", "x-y",
        "x:y", "x@", "x?", "0x", "%%x", "~s", "a b", "%envreg3", "%pm0",
    ];
    let name = draft.rng.pick(NAMES);
    let mut variable = Variable { name, ..good(draft) };
    // Of its own type ptxas takes it, and D064 is not refused.
    if ptx::special::is_special(name) {
        variable.ty = scalar(ScalarType::F64);
    }
    draft.add(variable);
}

fn same_name(draft: &mut Draft) {
    let (one, other) = (good(draft), good(draft));
    let first = draft.add(one).name;
    match draft.rng.below(4) {
        0 | 1 => {
            draft.add(Variable { name: first, ..other });
        }
        2 => {
            let family = keep(Type::Family(Extent::Known(4), scalar(ScalarType::U32)));
            let family = draft.plain(Space::Global, family);
            let name = format!("{}{}", draft.add(family).name, draft.rng.below(4)).leak();
            draft.add(Variable { name, ..other });
        }
        _ => {
            let ty = sized(&mut draft.rng);
            let params = vec![Param::new("twice", ty), Param::new("twice", ty)];
            draft.function(Body { params, ..Body::kernel() });
        }
    }
}

fn predicate_stored(draft: &mut Draft) {
    let predicate = scalar(ScalarType::Pred);
    match draft.rng.below(4) {
        0 | 1 => {
            let variable = Variable { ty: predicate, align: None, ..good(draft) };
            anywhere(draft, variable);
        }
        2 => {
            let param = Param::new(draft.name(), predicate);
            kernel_of(draft, param);
        }
        _ => {
            let space = draft.rng.pick(&[Space::Local, Space::Param]);
            let variable = draft.plain(space, predicate);
            inside(draft, variable);
        }
    }
}

fn of_vector(draft: &mut Draft, vector: Type<'static>) {
    let rank = draft.rng.below(2);
    let ty = array(&mut draft.rng, rank, keep(vector));
    let variable = Variable { ty, align: None, ..good(draft) };
    anywhere(draft, variable);
}

fn vector_too_wide(draft: &mut Draft) {
    let vector = loop {
        let (lanes, scalar) = (draft.rng.pick(&[2, 4]), stored(&mut draft.rng));
        if usize::from(lanes) * scalar.bytes() > 16 {
            break Type::Vector(lanes, scalar);
        }
    };
    of_vector(draft, vector);
}

fn vector_lanes(draft: &mut Draft) {
    let vector = loop {
        let (lanes, scalar) = (draft.rng.pick(&[3, 5, 8, 16]), stored(&mut draft.rng));
        if usize::from(lanes) * scalar.bytes() <= 16 {
            break Type::Vector(lanes, scalar);
        }
    };
    of_vector(draft, vector);
}

/// No power of two.
fn odd_align(rng: &mut Rng) -> usize {
    rng.pick(&[0, 3, 5, 6, 7, 12, 24, 48, 100, 192, 1000, 4097, 65_535])
}

fn align_not_power_of_two(draft: &mut Draft) {
    let align = Some(odd_align(&mut draft.rng));
    let variable = good(draft);
    let ty = variable.ty;
    if draft.rng.one_in(3) {
        let mut param = Param::new(variable.name, ty);
        param.variable.align = align;
        kernel_of(draft, param);
    } else {
        anywhere(draft, Variable { align, ty, ..variable });
    }
}

fn align_too_large(draft: &mut Draft) {
    let align = Some(1 << draft.rng.within(32, 40));
    let variable = Variable { align, ..good(draft) };
    draft.add(variable);
}

fn initialiser_space(draft: &mut Draft) {
    let space =
        draft.rng.pick(&[Space::Shared, Space::Shared, Space::Local, Space::Reg, Space::Param]);
    let ty = match space {
        Space::Reg | Space::Param => scalar(stored(&mut draft.rng)),
        _ => sized(&mut draft.rng),
    };
    let init = if draft.rng.one_in(2) {
        Init::Bytes(bytes(&mut draft.rng, ty.size().unwrap_or(1)))
    } else {
        Init::Value(shaped(&mut draft.rng, ty, &mut |rng, scalar| match number(rng, scalar) {
            Value::Int(_) => Value::Int(1),
            _ => Value::Float(1.5),
        }))
    };
    let variable = Variable { init, ..draft.plain(space, ty) };
    if space == Space::Shared { anywhere(draft, variable) } else { inside(draft, variable) }
}

fn extent_zero(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let inner = element(rng);
    let empty = keep(Type::Array(Extent::Known(0), inner));
    let rank = rng.below(3);
    let ty = if rng.one_in(2) {
        array(rng, rank, empty)
    } else {
        keep(Type::Array(Extent::Known(0), array(rng, rank, inner)))
    };
    let variable = Variable { ty, align: None, ..good(draft) };
    if draft.rng.one_in(5) {
        let param = Param::new(variable.name, variable.ty);
        kernel_of(draft, param);
    } else {
        anywhere(draft, variable);
    }
}

fn const_variable_over_limit(draft: &mut Draft) {
    let size = 65_536 + draft.rng.pick(&[1, 2, 100, 4096, 1 << 20]);
    let ty = keep(Type::Array(Extent::Known(size), scalar(ScalarType::U8)));
    let variable = good_with(draft, ty, Init::None);
    let variable = Variable { space: Space::Const, ..variable };
    draft.add(variable);
}

fn const_over_limit(draft: &mut Draft) {
    let mut left = 65_536 + draft.rng.within(1, 4000);
    while left > 0 {
        let size = draft.rng.within(1, 30_000).min(left);
        let ty = keep(Type::Array(Extent::Known(size), scalar(ScalarType::U8)));
        let variable = seen(good_with(draft, ty, Init::None));
        draft.add(Variable { space: Space::Const, ..variable });
        left -= size;
    }
}

fn extent_missing(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let inner = loop {
        let inner = element(rng);
        if !matches!(inner, Type::Struct(_)) {
            break inner;
        }
    };
    let open = keep(Type::Array(Extent::Incomplete, inner));
    let ty = if rng.one_in(3) { array(rng, 1, open) } else { open };
    if ty.extent(0) == Some(Extent::Incomplete) && draft.rng.one_in(4) {
        let param = Param::new(draft.name(), ty);
        kernel_of(draft, param);
    } else {
        let variable = Variable { ty, align: None, ..good(draft) };
        anywhere(draft, variable);
    }
}

/// A scalar that needs a version.
fn wide_scalar(draft: &mut Draft) {
    let scalar = scalar(ScalarType::B128);
    let is_family = draft.rng.one_in(4);
    let ty = if is_family { keep(Type::Family(Extent::Known(2), scalar)) } else { scalar };
    if is_family {
        let variable = draft.plain(Space::Global, ty);
        draft.add(variable);
    } else {
        in_memory(draft, ty);
    }
}

/// A scalar that needs a target.
fn new_scalar(draft: &mut Draft) {
    let of = draft.rng.pick(&[ScalarType::B128, ScalarType::F16x2]);
    let rank = if of == ScalarType::F16x2 { draft.rng.below(3) } else { 0 };
    let ty = array(&mut draft.rng, rank, scalar(of));
    in_memory(draft, ty);
}

/// As a variable, a parameter, a register.
fn in_memory(draft: &mut Draft, ty: &'static Type<'static>) {
    match draft.rng.below(4) {
        0 if ty.rank() == 0 => {
            let register = draft.plain(Space::Reg, ty);
            inside(draft, register);
        }
        1 if ty.scalar() == Some(ScalarType::B128) => {
            let param = Param::new(draft.name(), ty);
            kernel_of(draft, param);
        }
        _ => {
            let variable = Variable { ty, align: None, ..good(draft) };
            anywhere(draft, variable);
        }
    }
}

fn initialiser_of_extern(draft: &mut Draft) {
    let ty = sized(&mut draft.rng);
    let init = if draft.rng.one_in(2) {
        Init::Bytes(bytes(&mut draft.rng, ty.size().unwrap_or(1)))
    } else {
        numbers(&mut draft.rng, ty)
    };
    let variable = good_with(draft, ty, init);
    draft.add(Variable { linkage: Linkage::Extern, ..variable });
}

fn space_not_here(draft: &mut Draft) {
    let ty = scalar(stored(&mut draft.rng));
    match draft.rng.below(6) {
        0 | 1 => {
            let space =
                draft.rng.pick(&[Space::Reg, Space::Local, Space::Param, Space::Sreg, Space::Tex]);
            let variable = draft.plain(space, ty);
            draft.add(variable);
        }
        2 | 3 => {
            let space = draft.rng.pick(&[Space::Sreg, Space::Tex]);
            let variable = draft.plain(space, ty);
            inside(draft, variable);
        }
        _ => {
            let variable = draft.plain(Space::Reg, ty);
            kernel_of(draft, Param { variable, pointer: None });
        }
    }
}

fn value_shape(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let one = |rng: &mut Rng, ty| shaped(rng, ty, &mut number);
    let of = scalar(stored(rng));
    let (ty, value) = match rng.below(6) {
        // A list for a scalar.
        0 => (of, Value::List(keep_all(vec![one(rng, of)]))),
        // A number for an array.
        1 => (array(rng, 1, of), one(rng, of)),
        // More than there are.
        2 => {
            let count = rng.within(1, 5);
            let ty = keep(Type::Array(Extent::Known(count), of));
            (ty, Value::List(keep_all((0..=count).map(|_| one(rng, of)).collect())))
        }
        // A vector with more or fewer.
        3 | 4 => {
            let ty = keep(vector(rng));
            let Type::Vector(lanes, scalar) = *ty else { return };
            let count = rng.pick(&[1, lanes + 1, 3]);
            let count = if count == lanes { 1 } else { count };
            (ty, Value::List(keep_all((0..count).map(|_| number(rng, scalar)).collect())))
        }
        // A nested list too few.
        _ => (array(rng, 2, of), Value::List(keep_all(vec![one(rng, of)]))),
    };
    let variable = good_with(draft, ty, Init::Value(value));
    anywhere(draft, variable);
}

fn inexact_kind(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let (of, value) = match rng.below(5) {
        0 => (rng.pick(&[ScalarType::F32, ScalarType::F64]), Value::MaskedInt(0xFF, 5)),
        1 | 2 => (rng.pick(&[ScalarType::F32, ScalarType::F64]), integer(rng, ScalarType::S32)),
        _ => {
            const INTEGERS: &[ScalarType] = &[
                ScalarType::U8,
                ScalarType::U16,
                ScalarType::U32,
                ScalarType::U64,
                ScalarType::S8,
                ScalarType::S16,
                ScalarType::S32,
                ScalarType::S64,
            ];
            (rng.pick(INTEGERS), float(rng))
        }
    };
    let rank = rng.below(3);
    let ty = array(rng, rank, scalar(of));
    let value = shaped(rng, ty, &mut |_, _| value);
    let variable = good_with(draft, ty, Init::Value(value));
    anywhere(draft, variable);
}

fn pointer_not_power_of_two(draft: &mut Draft) {
    let align = Some(odd_align(&mut draft.rng));
    let pointer = ptx::ir::Pointer { align, ..pointer(&mut draft.rng) };
    let param =
        Param { pointer: Some(pointer), ..Param::new(draft.name(), scalar(ScalarType::U64)) };
    kernel_of(draft, param);
}

fn outside_global(draft: &mut Draft) -> Variable<'static> {
    let space = draft.rng.pick(&[Space::Const, Space::Shared]);
    Variable { space, ..good(draft) }
}

fn common_outside_global(draft: &mut Draft) {
    let variable = outside_global(draft);
    draft.add(Variable { linkage: Linkage::Common, ..variable });
}

fn managed_outside_global(draft: &mut Draft) {
    let variable = seen(outside_global(draft));
    if draft.rng.one_in(4) {
        anywhere(draft, Variable { managed: true, ..variable });
    } else {
        draft.add(Variable { managed: true, ..variable });
    }
}

fn unified_outside_global(draft: &mut Draft) {
    let variable = outside_global(draft);
    let unified = Some(unified(&mut draft.rng));
    draft.add(Variable { unified, ..variable });
}

fn common(draft: &mut Draft) {
    let variable = good(draft);
    draft.add(Variable { space: Space::Global, linkage: Linkage::Common, ..variable });
}

fn managed(draft: &mut Draft) {
    let variable = seen(good(draft));
    draft.add(Variable { space: Space::Global, managed: true, ..variable });
}

/// A variable that the host can find.
fn seen(variable: Variable<'static>) -> Variable<'static> {
    match variable.linkage {
        Linkage::Internal => Variable { linkage: Linkage::Visible, ..variable },
        _ => variable,
    }
}

fn unified_variable(draft: &mut Draft) {
    let (variable, unified) = (good(draft), Some(unified(&mut draft.rng)));
    draft.add(Variable { space: Space::Global, unified, ..variable });
}

fn predicate_vector(draft: &mut Draft) {
    let lanes = draft.rng.pick(&[2, 4]);
    let register = draft.plain(Space::Reg, keep(Type::Vector(lanes, ScalarType::Pred)));
    inside(draft, register);
}

fn plain_address(symbol: &'static str) -> Address<'static> {
    Address { symbol, generic: false, addend: 0 }
}

/// A variable with this address in its value, in one of the ways that there are.
fn holder(draft: &mut Draft, address: Address<'static>) {
    let rng = &mut draft.rng;
    let (wide, narrow) = (scalar(ScalarType::U64), scalar(ScalarType::U8));
    let (ty, init) = match rng.below(4) {
        0 => (wide, Init::Value(Value::Address(address))),
        1 => {
            let values = keep_all(vec![Value::Address(address), Value::Int(3)]);
            (keep(Type::Array(Extent::Known(2), wide)), Init::Value(Value::List(values)))
        }
        2 => {
            let mask = rng.pick(&Byte::ALL).mask();
            (narrow, Init::Value(Value::MaskedAddress(mask, address)))
        }
        _ => {
            let links = keep_all(vec![Link { at: 0, size: 8, address, byte: None }]);
            (wide, Init::Linked(Linked { bytes: &[0; 8], links }))
        }
    };
    let variable = good_with(draft, ty, init);
    draft.add(variable);
}

fn address_of_nothing(draft: &mut Draft) {
    let generic = draft.rng.one_in(2);
    let addend = draft.rng.pick(&[0, 0, 8, -8]);
    let symbol = match draft.rng.below(3) {
        0 | 1 => draft.name(),
        // A family has members, and no address of its own.
        _ => {
            let ty = keep(Type::Family(Extent::Known(3), scalar(ScalarType::U32)));
            let family = draft.plain(Space::Global, ty);
            let base = draft.add(family).name;
            if draft.rng.one_in(2) { base } else { format!("{base}3").leak() }
        }
    };
    holder(draft, Address { symbol, generic, addend });
}

fn function_is_generic(draft: &mut Draft) {
    let kind = draft.rng.pick(&[FunctionKind::Device, FunctionKind::Kernel]);
    let symbol = draft.empty(kind).name;
    holder(draft, Address { generic: true, ..plain_address(symbol) });
}

fn offset_of_function(draft: &mut Draft) {
    let kind = draft.rng.pick(&[FunctionKind::Device, FunctionKind::Kernel]);
    let symbol = draft.empty(kind).name;
    let addend = draft.rng.pick(&[4, 8, -4, 1 << 40]);
    holder(draft, Address { addend, ..plain_address(symbol) });
}

fn address_of_extern_function(draft: &mut Draft) {
    let body = Body::new(FunctionKind::Device);
    let body = Body { is_elsewhere: true, linkage: Some(Linkage::Extern), ..body };
    let symbol = draft.function(body).name;
    holder(draft, plain_address(symbol));
}

fn address_space(draft: &mut Draft) {
    let ty = sized(&mut draft.rng);
    let target = draft.plain(Space::Shared, ty);
    let symbol = draft.add(target).name;
    let generic = draft.rng.one_in(3);
    holder(draft, Address { generic, ..plain_address(symbol) });
}

/// Something in global memory, to take the address of.
fn target_of(draft: &mut Draft) -> &'static str {
    let target = draft.plain(Space::Global, scalar(ScalarType::U64));
    draft.add(target).name
}

fn address_type(draft: &mut Draft) {
    let address = plain_address(target_of(draft));
    let rng = &mut draft.rng;
    let masked = rng.one_in(3);
    let of = loop {
        let of = stored(rng);
        let takes = match of {
            ScalarType::U8 => masked,
            ScalarType::U32 | ScalarType::U64 => true,
            _ => false,
        };
        if !takes {
            break of;
        }
    };
    let value = if masked {
        Value::MaskedAddress(rng.pick(&Byte::ALL).mask(), address)
    } else {
        Value::Address(address)
    };
    let rank = rng.below(2);
    let ty = array(rng, rank, scalar(of));
    let value = shaped(rng, ty, &mut |_, _| value);
    let variable = good_with(draft, ty, Init::Value(value));
    draft.add(variable);
}

fn mask_not_a_byte(draft: &mut Draft) {
    const MASKS: &[u64] =
        &[0, 1, 0xF, 0x1FF, 0xFFFF, 0xFF0, 0xFE, 0x100, 0x00FF_00FF, 0x1FE, u64::MAX];
    let address = plain_address(target_of(draft));
    let mask = draft.rng.pick(MASKS);
    let value = if draft.rng.one_in(2) {
        Value::MaskedAddress(mask, address)
    } else {
        Value::MaskedInt(mask, 1234)
    };
    let variable = good_with(draft, scalar(ScalarType::U8), Init::Value(value));
    draft.add(variable);
}

/// What needs PTX 7.1 or 7.2.
fn new_address(draft: &mut Draft) {
    let address = plain_address(target_of(draft));
    let mask = draft.rng.pick(&Byte::ALL).mask();
    let value = if draft.rng.one_in(2) {
        Value::MaskedAddress(mask, address)
    } else {
        Value::MaskedInt(mask, 1234)
    };
    let variable = good_with(draft, scalar(ScalarType::U8), Init::Value(value));
    draft.add(variable);
}

fn address_circle(draft: &mut Draft) {
    let length = draft.rng.within(1, 4);
    let names: Vec<&'static str> = (0..length).map(|_| draft.name()).collect();
    for (n, name) in names.iter().enumerate() {
        let address = plain_address(names[(n + 1) % length]);
        let init = Init::Value(Value::Address(address));
        let variable = good_with(draft, scalar(ScalarType::U64), init);
        draft.add(Variable { name, ..variable });
    }
}

fn family_initialised(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let inner = scalar(stored(rng));
    let ty = keep(Type::Family(Extent::Known(rng.within(1, 9)), inner));
    let init = Init::Value(shaped(rng, inner, &mut number));
    let variable = good_with(draft, ty, init);
    anywhere(draft, variable);
}

fn family_of_arrays(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let inner = if rng.one_in(4) {
        keep(structure(rng))
    } else {
        let (rank, element) = (rng.within(1, 2), element(rng));
        array(rng, rank, element)
    };
    let ty = keep(Type::Family(Extent::Known(rng.within(1, 9)), inner));
    let variable = Variable { ty, align: None, ..good(draft) };
    anywhere(draft, variable);
}

fn param_type(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let ty = if rng.one_in(3) { *scalar(ScalarType::F16x2) } else { vector(rng) };
    let local = draft.plain(Space::Param, keep(ty));
    inside(draft, local);
}

fn local_param_over_aligned(draft: &mut Draft) {
    let ty = scalar(stored(&mut draft.rng));
    let align = Some(1 << draft.rng.within(8, 20));
    let local = Variable { align, ..draft.plain(Space::Param, ty) };
    inside(draft, local);
}

fn opaque_misplaced(draft: &mut Draft) {
    let ty = keep(Type::Opaque(draft.rng.pick(&[Opaque::TexRef, Opaque::SurfRef])));
    match draft.rng.below(3) {
        0 => {
            let space = draft.rng.pick(&[Space::Const, Space::Shared]);
            let variable = draft.plain(space, ty);
            draft.add(variable);
        }
        1 => {
            let space = draft.rng.pick(&[Space::Global, Space::Param, Space::Local, Space::Const]);
            let variable = draft.plain(space, ty);
            inside(draft, variable);
        }
        _ => {
            let params = vec![Param::new(draft.name(), ty)];
            draft.function(Body { params, ..Body::new(FunctionKind::Device) });
        }
    }
}

fn member_not_applicable(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let mode = rng.pick(&[TextureMode::Unified, TextureMode::Independent]);
    let opaque = match mode {
        TextureMode::Unified => rng.pick(&[Opaque::TexRef, Opaque::SurfRef]),
        TextureMode::Independent => rng.pick(Opaque::ALL),
    };
    let lacking: Vec<Member> = Member::ALL
        .iter()
        .copied()
        .filter(|member| member.applies(opaque, mode) == Applies::No)
        .collect();
    let member = rng.pick(&lacking);
    let init = Init::Members(keep_all(vec![assignment(rng, member)]));
    draft.case.mode = mode;
    let variable = Variable { init, ..draft.plain(Space::Global, keep(Type::Opaque(opaque))) };
    draft.add(variable);
}

fn members_too_many(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let count = rng.within(14, 20);
    let members: Vec<Assignment> = (0..count)
        .map(|_| Assignment {
            member: Member::Width,
            value: MemberValue::Int(i128::from(rng.next() >> 40)),
        })
        .collect();
    let init = Init::Members(keep_all(members));
    let ty = keep(Type::Opaque(rng.pick(&[Opaque::TexRef, Opaque::SurfRef])));
    draft.case.mode = rng.pick(&[TextureMode::Unified, TextureMode::Independent]);
    let variable = Variable { init, ..draft.plain(Space::Global, ty) };
    draft.add(variable);
}

fn sampler_in_unified_mode(draft: &mut Draft) {
    let ty = keep(Type::Opaque(Opaque::SamplerRef));
    if draft.rng.one_in(3) {
        let param = Param::new(draft.name(), ty);
        kernel_of(draft, param);
    } else {
        let linkage = draft.rng.pick(&[Linkage::Internal, Linkage::Visible, Linkage::Weak]);
        let variable = Variable { linkage, ..draft.plain(Space::Global, ty) };
        draft.add(variable);
    }
}

fn opaque_common(draft: &mut Draft) {
    let opaque = draft.rng.pick(Opaque::ALL);
    draft.case.mode = TextureMode::Independent;
    let ty = keep(Type::Opaque(opaque));
    let variable = draft.plain(Space::Global, ty);
    draft.add(Variable { linkage: Linkage::Common, ..variable });
}

fn params_over_limit(draft: &mut Draft) {
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

fn shared_over_limit(draft: &mut Draft) {
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

fn directed(draft: &mut Draft, directives: Vec<Directive>) {
    draft.function(Body { directives, ..Body::kernel() });
}

fn cluster_directive(draft: &mut Draft) {
    let kind = draft.rng.pick(&[DirectiveKind::ReqNCtaPerCluster, DirectiveKind::MaxClusterRank]);
    directed(draft, vec![Directive { kind, values: [2, 1, 1] }]);
}

fn directive_zero(draft: &mut Draft) {
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

fn directives_conflict(draft: &mut Draft) {
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

fn param_over_aligned(draft: &mut Draft) {
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

fn register_type(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let element = element(rng);
    let ty = if rng.one_in(3) { keep(structure(rng)) } else { array(rng, 1, element) };
    let variable = draft.plain(Space::Reg, ty);
    let params = vec![Param { variable, pointer: None }];
    draft.function(Body { params, ..Body::new(FunctionKind::Device) });
}

fn register_array(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let (rank, element) = (rng.within(1, 2), element(rng));
    let ty = if rng.one_in(4) { keep(structure(rng)) } else { array(rng, rank, element) };
    let register = draft.plain(Space::Reg, ty);
    inside(draft, register);
}

fn several_param_returns(draft: &mut Draft) {
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

fn unified_narrow_parameter(draft: &mut Draft) {
    let rng = &mut draft.rng;
    let narrow = rng.pick(&[ScalarType::U8, ScalarType::S8, ScalarType::U16, ScalarType::S16]);
    let unified = Some(unified(rng));
    let space = rng.pick(&[Space::Param, Space::Reg]);
    let variable = draft.plain(space, scalar(narrow));
    let params = vec![Param { variable, pointer: None }];
    let body = Body::new(FunctionKind::Device);
    let body = if draft.rng.one_in(3) {
        Body { unified, returns: params, ..body }
    } else {
        Body { params, unified, ..body }
    };
    draft.function(body);
}

fn unified_function_name(draft: &mut Draft) {
    let unified = Some(unified(&mut draft.rng));
    let name = format!("%{}", draft.name().trim_start_matches('%')).leak();
    draft.named_function(name, Body { unified, ..Body::new(FunctionKind::Device) });
}

/// Several values returned, and the address of a function.
fn address_without_abi(draft: &mut Draft) {
    let returns = (0..draft.rng.within(2, 3))
        .map(|_| {
            let variable = draft.plain(Space::Reg, scalar(ScalarType::B32));
            Param { variable, pointer: None }
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

fn unified_function(draft: &mut Draft) {
    let unified = Some(unified(&mut draft.rng));
    draft.function(Body { unified, ..Body::new(FunctionKind::Device) });
}

/// A special register that came after its target.
fn new_special(draft: &mut Draft) {
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

/// A special register that is not there everywhere.
fn special(draft: &mut Draft) {
    let has_needs = |register: &SpecialRegister| register.min_arch > 50;
    let special = loop {
        let special = special_name(&mut draft.rng);
        if has_needs(special.1) {
            break special;
        }
    };
    draft.function(Body { special: Some(special), ..Body::kernel() });
}
