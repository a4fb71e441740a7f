//! Names, alignments, values and members of declarations, on both sides of each limit, over the IR.

use ptx_isa::ir::{
    Extent, Init, Linkage, Param, Pointer, Scope, Struct, StructKind, Type, Unified, Value,
    Variable,
};
use ptx_isa::rules::{self, Environment};
use ptx_isa::{
    Assignment, ChannelOrder, ChannelType, FilterMode, Member, MemberValue, Opaque, ScalarType,
    Space, Target, TextureMode,
};

const U8: Type<'static> = Type::Scalar(ScalarType::U8);
const U32: Type<'static> = Type::Scalar(ScalarType::U32);
const U64: Type<'static> = Type::Scalar(ScalarType::U64);
const UNKNOWN: Environment = Environment::UNKNOWN;

const fn global<'a>(ty: &'a Type<'a>) -> Variable<'a> {
    Variable::new(Space::Global, "x", ty)
}

/// The message of the rule with this code about a variable; empty if it is not broken.
fn message(variable: &Variable<'_>, scope: Scope, env: Environment, code: &str) -> String {
    let found = rules::check_variable(variable, scope, env);
    let mut found = found.iter().filter(|violation| violation.rule.code == code);
    found.next().map(ToString::to_string).unwrap_or_default()
}

fn breaks(variable: &Variable<'_>, code: &str) -> bool {
    !message(variable, Scope::Module, UNKNOWN, code).is_empty()
}

/// The codes in `among` whose rules a variable of the module breaks.
fn of(variable: &Variable<'_>, among: &[&'static str]) -> Vec<&'static str> {
    among.iter().copied().filter(|code| breaks(variable, code)).collect()
}

#[test]
fn a_special_register_is_declared_again_as_an_exported_variable_of_its_bits() {
    let (b32, b64) = (Type::Scalar(ScalarType::B32), Type::Scalar(ScalarType::B64));
    let visible = Linkage::Visible;
    for (name, space, linkage, ty, is_taken) in [
        ("%laneid", Space::Global, visible, &b32, true),
        ("%laneid", Space::Global, Linkage::Weak, &b32, true),
        ("%clock64", Space::Global, visible, &b64, true),
        ("%laneid", Space::Global, Linkage::Internal, &b32, false),
        ("%laneid", Space::Const, visible, &b32, false),
        ("%laneid", Space::Shared, Linkage::Internal, &b32, false),
        ("%laneid", Space::Global, visible, &b64, false),
        ("%clock64", Space::Global, visible, &b32, false),
        ("%laneid", Space::Global, visible, &U32, false),
        ("%laneid", Space::Global, Linkage::Internal, &U64, false),
        // A vector of four.
        ("%tid", Space::Global, visible, &b32, false),
    ] {
        let variable = Variable { linkage, ..Variable::new(space, name, ty) };
        let expected = if is_taken { "D064" } else { "D001" };
        assert_eq!(of(&variable, &["D001", "D064"]), [expected], "{name} {space:?} {linkage:?}");
    }
}

#[test]
fn alignments_name_the_powers_of_two_around_them() {
    for (align, expected) in [
        // No less than the type needs, and no more than PTX allows.
        (0, "the alignment 0 is not a power of two; write 4 "),
        (3, "the alignment 3 is not a power of two; write 4 "),
        (6, "the alignment 6 is not a power of two; write 4 or 8 "),
        (1000, "the alignment 1,000 is not a power of two; write 512 or 1,024 "),
        (0xffff_ffff, "the alignment 4294967295 is not a power of two; write 2147483648 "),
    ] {
        let variable = Variable { align: Some(align), ..global(&U32) };
        let text = message(&variable, Scope::Module, UNKNOWN, "D005").replace(',', "");
        assert!(text.starts_with(&expected.replace(',', "")), "{text}");
    }
}

#[test]
fn a_constant_that_is_too_large_reports_the_limit() {
    let ty = Type::Array(Extent::Known(65_537), &U8);
    let text = message(&Variable::new(Space::Const, "x", &ty), Scope::Module, UNKNOWN, "D009");
    assert!(
        text.starts_with("`x` takes 65,537 bytes, but constant memory holds 65,536;"),
        "{text}"
    );
}

#[test]
fn a_param_of_a_body_is_aligned_to_128_bytes_at_most() {
    for (align, is_refused) in [(64, false), (128, false), (256, true)] {
        let variable = Variable { align: Some(align), ..Variable::new(Space::Param, "x", &U32) };
        let text = message(&variable, Scope::Body, UNKNOWN, "D056");
        assert_eq!(!text.is_empty(), is_refused, "{align}");
    }
}

#[test]
fn unified_variables_need_sm_90() {
    let variable = Variable { unified: Some(Unified { upper: 1, lower: 2 }), ..global(&U32) };
    for (target, is_refused) in [(Target::Sm90, false), (Target::Sm89, true)] {
        let env = Environment { target: Some(target), ..UNKNOWN };
        assert_eq!(!message(&variable, Scope::Module, env, "D050").is_empty(), is_refused);
    }
}

#[test]
fn a_pointer_promises_its_pointees_alignment_or_nothing() {
    let word = Type::Scalar(ScalarType::U64);
    let codes = |align| {
        let pointer = Some(Pointer { space: None, align, pointee: &word });
        let param = Param { pointer, ..Param::new("x", &U64) };
        let callee = rules::call::Callee::new(false, false);
        let found = rules::check_param(&param, Scope::Param, callee, UNKNOWN);
        found.iter().map(|violation| violation.rule.code).collect::<Vec<_>>()
    };
    for (align, expected) in [
        (None, &[][..]),
        (Some(1), &[]),
        (Some(2), &["D021"]),
        (Some(4), &["D021"]),
        (Some(8), &[]),
        (Some(16), &[]),
        (Some(3), &["D020"]),
        (Some(0), &["D020"]),
    ] {
        assert_eq!(codes(align), expected, "{align:?}");
    }
}

#[test]
fn numbers_match_the_class_of_their_type() {
    let among = ["D014", "D019", "D029", "D032"];
    for (scalar, value, expected) in [
        (ScalarType::F32, Value::Int(1), "D019"),
        (ScalarType::F64, Value::Int(1), "D019"),
        (ScalarType::F16, Value::Int(1), "D032"),
        (ScalarType::Bf16, Value::Int(1), "D032"),
        (ScalarType::F16x2, Value::Int(1), "D032"),
        (ScalarType::F16x2, Value::Float(1.0), "D032"),
        (ScalarType::F16x2, Value::Float(0.0), "D032"),
        (ScalarType::F16, Value::Float(1.0), ""),
        (ScalarType::B64, Value::Float(1.5), ""),
        (ScalarType::B32, Value::Float(0.0), ""),
        (ScalarType::B32, Value::Float(1.5), "D032"),
        (ScalarType::U32, Value::Float(1.5), "D019"),
    ] {
        let ty = Type::Scalar(scalar);
        let found = of(&Variable { init: Init::Value(value), ..global(&ty) }, &among);
        assert_eq!(found.concat(), expected, "{scalar:?} {value:?}");
    }
}

#[test]
fn values_are_counted_down_to_one_and_not_where_there_is_none() {
    let structure = |size| {
        let kind = StructKind::Fields;
        Type::Struct(Struct { name: "S", size, align: 1, fields: &[], kind })
    };
    let array = |count, element| Type::Array(Extent::Known(count), element);
    let integers = Init::Value(Value::Integers(&[1, 2]));
    let (one_byte, nothing) = (structure(1), structure(0));
    let (one, none) = (array(1, &U8), array(0, &U8));
    let unknown = Type::Array(Extent::Incomplete, &Type::Unknown);
    let pred = Type::Scalar(ScalarType::Pred);
    let of_nothing = Type::Array(Extent::Incomplete, &pred);
    for (ty, init, is_wrong) in [
        (&one, integers, true),
        (&none, integers, false),
        (&one_byte, integers, true),
        (&nothing, integers, false),
        (&one_byte, Init::Bytes(&[1, 2]), true),
        (&one_byte, Init::Bytes(&[1]), false),
        (&nothing, Init::Bytes(&[1]), false),
        (&unknown, Init::Bytes(&[1, 2, 3]), false),
        (&of_nothing, Init::Bytes(&[1]), false),
    ] {
        assert_eq!(breaks(&Variable { init, ..global(ty) }, "D018"), is_wrong, "{ty:?} {init:?}");
    }
}

const TEXTURE: Type<'static> = Type::Opaque(Opaque::TexRef);
const SAMPLER: Type<'static> = Type::Opaque(Opaque::SamplerRef);
const SURFACE: Type<'static> = Type::Opaque(Opaque::SurfRef);

const fn assigned<'a>(ty: &'a Type<'a>, members: &'a [Assignment]) -> Variable<'a> {
    Variable { init: Init::Members(members), ..global(ty) }
}

const fn in_mode(mode: TextureMode) -> Environment {
    Environment { texture_mode: Some(mode), ..UNKNOWN }
}

#[test]
fn a_member_has_a_value_of_its_domain() {
    let is_refused =
        |member, value| breaks(&assigned(&TEXTURE, &[Assignment { member, value }]), "O005");
    for (value, is_count, is_flag) in [
        (-1, false, false),
        (0, true, true),
        (1, true, true),
        (2, true, false),
        (i128::from(u32::MAX), true, false),
        (i128::from(u32::MAX) + 1, false, false),
    ] {
        let int = MemberValue::Int(value);
        assert_eq!(!is_refused(Member::Width, int), is_count, "{value}");
        assert_eq!(!is_refused(Member::NormalizedCoords, int), is_flag, "{value}");
    }
    for value in 0x1000..0x1200_i128 {
        let (is_type, is_order) =
            ((0x10D0..=0x10DE).contains(&value), (0x10B0..=0x10B9).contains(&value));
        let int = MemberValue::Int(value);
        assert_eq!(!is_refused(Member::ChannelDataType, int), is_type, "{value:#x}");
        assert_eq!(!is_refused(Member::ChannelOrder, int), is_order, "{value:#x}");
    }
    assert_eq!((ChannelType::ALL.len(), ChannelOrder::ALL.len()), (15, 10));
    let filter = MemberValue::Filter(FilterMode::Linear);
    assert!(!is_refused(Member::FilterMode, filter));
    assert!(is_refused(Member::FilterMode, MemberValue::Int(1)));
    assert!(is_refused(Member::Width, filter));
    assert!(is_refused(Member::AddrMode0, filter));
    assert!(is_refused(Member::ChannelOrder, filter));
}

/// The numbers of members of an opaque type in a mode that are accepted, that ptxas ignores, and that are
/// rejected.
fn members(ty: &Type<'_>, mode: TextureMode) -> [usize; 3] {
    let mut counts = [0; 3];
    for member in Member::ALL {
        let members = [Assignment { member: *member, value: MemberValue::Int(0) }];
        let variable = assigned(ty, &members);
        let is = |code| !message(&variable, Scope::Module, in_mode(mode), code).is_empty();
        counts[match (is("O006"), is("O002")) {
            (false, false) => 0,
            (true, false) => 1,
            (false, true) => 2,
            (true, true) => panic!("{member:?} is ignored or refused"),
        }] += 1;
    }
    counts
}

#[test]
fn members_apply_or_are_ignored_or_rejected() {
    use TextureMode::{Independent, Unified};
    assert_eq!(members(&TEXTURE, Unified), [13, 0, 2]);
    assert_eq!(members(&SURFACE, Unified), [7, 0, 8]);
    // The filter mode of a texture belongs to the sampler, and so do its three address modes, which ptxas reads.
    assert_eq!(members(&TEXTURE, Independent), [9, 4, 2]);
    assert_eq!(members(&SAMPLER, Independent), [5, 0, 10]);
    assert_eq!(members(&SURFACE, Independent), [7, 0, 8]);
}

#[test]
fn there_are_no_more_values_than_members() {
    let assignment = Assignment { member: Member::Width, value: MemberValue::Int(0) };
    for (ty, mode, most) in [
        (&TEXTURE, TextureMode::Unified, 13),
        (&TEXTURE, TextureMode::Independent, 13),
        (&SAMPLER, TextureMode::Independent, 5),
        (&SURFACE, TextureMode::Unified, 7),
    ] {
        for (count, is_refused) in [(most - 1, false), (most, false), (most + 1, true)] {
            let values = vec![assignment; count];
            let text = message(&assigned(ty, &values), Scope::Module, in_mode(mode), "O010");
            assert_eq!(!text.is_empty(), is_refused, "{ty:?} {mode:?} {count}: {text}");
            let expected = format!("has {count} values");
            assert!(
                !is_refused
                    || text.contains(&expected) && text.contains(&format!("has {most} members")),
                "{text}"
            );
        }
    }
}

#[test]
fn a_member_is_assigned_once() {
    use Member::{Depth, Height, Width};
    let of = |members: &[Member]| {
        let value = MemberValue::Int(0);
        let members: Vec<_> =
            members.iter().map(|member| Assignment { member: *member, value }).collect();
        breaks(&assigned(&TEXTURE, &members), "O007")
    };
    assert!(!of(&[Width]) && !of(&[Width, Height, Depth]));
    assert!(of(&[Width, Width]) && of(&[Width, Height, Width]) && of(&[Height, Width, Width]));
}

#[test]
fn of_dynamic_shared_memory_ptxas_sees_bytes_and_of_arrays_the_linkage() {
    let dynamic = |ty| Variable { linkage: Linkage::Dynamic, space: Space::Shared, ..global(ty) };
    let members = [Assignment { member: Member::Width, value: MemberValue::Int(-1) }];
    let variable = Variable { init: Init::Members(&members), ..dynamic(&TEXTURE) };
    assert!(!breaks(&variable, "O005"), "the value is another rule's");
    assert!(breaks(&assigned(&TEXTURE, &members), "O005"));
    let unified = in_mode(TextureMode::Unified);
    for (variable, is_refused) in [(global(&SAMPLER), true), (dynamic(&SAMPLER), false)] {
        assert_eq!(!message(&variable, Scope::Module, unified, "O003").is_empty(), is_refused);
    }
    let array = Type::Array(Extent::Known(2), &TEXTURE);
    for (ty, is_refused) in [(&TEXTURE, true), (&array, false)] {
        let common = Variable { linkage: Linkage::Common, ..global(ty) };
        assert_eq!(breaks(&common, "O008"), is_refused, "{ty:?}");
    }
}
