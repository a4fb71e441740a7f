//! Tables 10 to 13: every member of every opaque type in both texture modes, and the values of the members.

use ptx::ir::{Body, Function, FunctionKind, Init, Module, Type, Variable};
use ptx::rules::{self, Kind};
use ptx::{
    AddressMode, Applies, Assignment, ChannelOrder, ChannelType, Domain, FilterMode, Member,
    MemberValue, Opaque, Space, Target, TextureMode,
};

/// A valid value for a member.
fn value(member: Member) -> MemberValue {
    match member.domain() {
        Domain::Count | Domain::Flag => MemberValue::Int(1),
        Domain::ChannelType => MemberValue::Int(ChannelType::Float.value().into()),
        Domain::ChannelOrder => MemberValue::Int(ChannelOrder::Rgba.value().into()),
        Domain::Filter => MemberValue::Filter(FilterMode::Linear),
        Domain::Address => MemberValue::Address(AddressMode::Wrap),
    }
}

/// Checks a variable of an opaque type with one member, and compares the result with ptxas.
fn judge(opaque: Opaque, mode: TextureMode, member: Member, judge: impl Fn(&[&str], bool, &str)) {
    let ty = Type::Opaque(opaque);
    let members = [Assignment { member, value: value(member) }];
    let variable =
        Variable { init: Init::Members(&members), ..Variable::new(Space::Global, "x", &ty) };
    let kernel =
        Function { body: Some(Body::verbatim("ret;")), ..Function::new(FunctionKind::Kernel, "k") };
    let module = Module {
        texture_mode: mode,
        variables: &[&variable],
        functions: &[&kernel],
        ..Module::new("m", Target::Sm90)
    };
    let found = rules::check_module(&module);
    let refused = found.iter().any(|violation| violation.rule.kind == Kind::Refused);
    let codes: Vec<&str> = found.iter().map(|violation| violation.rule.code).collect();
    let text = ptx::Module::new(module).to_string();
    for ptxas in xtask::oracles() {
        assert_eq!(ptxas.assemble(&module).is_err(), refused, "{codes:?}\n{text}");
    }
    judge(&codes, refused, &text);
}

/// In each type and mode, each member behaves as tables 10 and 11 specify, and ptxas agrees on which names
/// exist.
#[test]
fn members_are_where_the_tables_have_them() {
    for mode in [TextureMode::Unified, TextureMode::Independent] {
        for opaque in Opaque::ALL {
            for member in Member::ALL {
                judge(*opaque, mode, *member, |codes, _, text| {
                    let in_unified = (*opaque, mode) == (Opaque::SamplerRef, TextureMode::Unified);
                    match member.applies(*opaque, mode) {
                        Applies::Yes if in_unified => assert_eq!(codes, ["O003"], "{text}"),
                        Applies::Yes => assert!(codes.is_empty(), "{codes:?}\n{text}"),
                        Applies::Ignored => assert_eq!(codes, ["O006"], "{text}"),
                        Applies::No => assert!(
                            codes.contains(&"O002") || codes == ["O006"],
                            "{codes:?}\n{text}"
                        ),
                    }
                });
            }
        }
    }
}

/// Tables 12 and 13 of the specification.
#[test]
fn channel_types_and_orders_have_their_values() {
    const TYPES: &[(&str, u64)] = &[
        ("CL_SNORM_INT8", 0x10D0),
        ("CL_SNORM_INT16", 0x10D1),
        ("CL_UNORM_INT8", 0x10D2),
        ("CL_UNORM_INT16", 0x10D3),
        ("CL_UNORM_SHORT_565", 0x10D4),
        ("CL_UNORM_SHORT_555", 0x10D5),
        ("CL_UNORM_INT_101010", 0x10D6),
        ("CL_SIGNED_INT8", 0x10D7),
        ("CL_SIGNED_INT16", 0x10D8),
        ("CL_SIGNED_INT32", 0x10D9),
        ("CL_UNSIGNED_INT8", 0x10DA),
        ("CL_UNSIGNED_INT16", 0x10DB),
        ("CL_UNSIGNED_INT32", 0x10DC),
        ("CL_HALF_FLOAT", 0x10DD),
        ("CL_FLOAT", 0x10DE),
    ];
    const ORDERS: &[(&str, u64)] = &[
        ("CL_R", 0x10B0),
        ("CL_A", 0x10B1),
        ("CL_RG", 0x10B2),
        ("CL_RA", 0x10B3),
        ("CL_RGB", 0x10B4),
        ("CL_RGBA", 0x10B5),
        ("CL_BGRA", 0x10B6),
        ("CL_ARGB", 0x10B7),
        ("CL_INTENSITY", 0x10B8),
        ("CL_LUMINANCE", 0x10B9),
    ];
    let types: Vec<_> = ChannelType::ALL.iter().map(|ty| (ty.name(), ty.value())).collect();
    let orders: Vec<_> =
        ChannelOrder::ALL.iter().map(|order| (order.name(), order.value())).collect();
    assert_eq!((types.as_slice(), orders.as_slice()), (TYPES, ORDERS));
}
