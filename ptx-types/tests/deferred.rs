//! The rules as the constants of expanded code check them: each check panics with the broken rule if that is
//! reported at the checked part. Also the conversions of numbers that the checks use.

#[path = "../../ptx-isa/tests/panics/mod.rs"]
mod panics;

use panics::found::{code, text};
use ptx_types::__private::{
    Checker, Found, check_attribute, check_count, check_layout, check_padding, check_pointed,
    check_u32, holds, is_whole, plus, splice_whole, times, to_i128, to_mask, to_step, to_u32,
    to_usize,
};
use ptx_types::ir::{
    Address, Directive, DirectiveKind, Extent, Field, Function, FunctionKind, Init, Module, Param,
    Pointer, Struct, StructKind, Type, Value, Variable,
};
use ptx_types::rules::{Comparison, Environment};
use ptx_types::{Number, ScalarType, Space, Target, Version, splice};

const U8: Type<'static> = Type::Scalar(ScalarType::U8);
const U32: Type<'static> = Type::Scalar(ScalarType::U32);
const U64: Type<'static> = Type::Scalar(ScalarType::U64);
const F32: Type<'static> = Type::Scalar(ScalarType::F32);
const PRED: Type<'static> = Type::Scalar(ScalarType::Pred);
const UNKNOWN: Checker = Checker(Environment::UNKNOWN);

const fn in_sm(target: Target) -> Checker {
    Checker(Environment { target: Some(target), ..Environment::UNKNOWN })
}

#[test]
fn counts_can_have_any_integer_type() {
    assert_eq!(to_usize(7_u8), 7);
    assert_eq!(to_usize(7_i128), 7);
    assert_eq!(to_usize(0_i8), 0);
    assert_eq!(to_usize(u64::MAX), usize::MAX);
    assert_eq!(to_usize(u128::from(u64::MAX)), usize::MAX);
    // A number that is too large saturates, and a negative number is reported elsewhere.
    assert_eq!(to_usize(u128::from(u64::MAX) + 1), usize::MAX);
    assert_eq!(to_usize(u128::MAX), usize::MAX);
    assert_eq!(to_usize(-7_i32), 1);
    assert_eq!(to_i128(-7_i8), -7);
    assert_eq!(to_i128(u64::MAX), i128::from(u64::MAX));
    assert_eq!(to_mask(0xff00_u16), 0xff00);
    assert_eq!(to_mask(-1_i8), u64::MAX);
    assert_eq!(to_mask(u128::MAX >> 1), u64::MAX);
    assert_eq!(splice_whole(-3_i16), Number::Int { negative: true, magnitude: 3 });
    assert!(is_whole(1_u8) && is_whole(-1_i64));
    assert!(!is_whole(1_f32) && !is_whole(1_f64) && !is_whole(ptx_types::B32(1)));
    assert_eq!(to_u32(0), 0);
    assert_eq!(to_u32(u32::MAX as usize - 1), u32::MAX - 1);
    assert_eq!(to_u32(u32::MAX as usize), u32::MAX);
    assert_eq!(to_u32(u32::MAX as usize + 1), u32::MAX);
}

#[test]
fn steps_are_powers_of_two() {
    for (value, expected) in [
        (0, 0),
        (1, 1),
        (3, 1),
        (-3, 1),
        (2, 2),
        (-6, 2),
        (48, 16),
        (1 << 62, 1 << 62),
        (1 << 63, 1 << 63),
        (3 << 63, 1 << 63),
        (1 << 64, 0),
        (i128::MIN, 0),
    ] {
        assert_eq!(to_step(value), expected, "{value}");
    }
}

#[test]
fn registers_add_and_multiply() {
    for (one, other) in [(2, 3), (-2, 3), (0, 5), (7, -7)] {
        assert_eq!(plus(one, other), one + other);
        assert_eq!(times(one, other), one * other);
    }
    assert_eq!(plus(i128::MAX, 1), i128::MIN);
    assert_eq!(times(i128::MAX, 2), -2);
}

#[test]
fn comparisons_are_those_of_registers() {
    assert!(holds(-1, Comparison::Less, 0, 32, true));
    assert!(!holds(-1, Comparison::Less, 0, 32, false));
    assert!(holds(1 << 32, Comparison::Equal, 0, 32, false));
    assert!(!holds(1 << 32, Comparison::Equal, 0, 64, false));
}

#[test]
fn a_count_is_not_negative_and_a_directive_has_32_bits() {
    const NEGATIVE: &str =
        "a length, a size or an alignment cannot be negative; write a positive number";
    const LARGE: &str = "a directive takes a 32-bit number; write 4294967295 or less";
    for (number, of_count, of_directive) in [
        (-1_i128, NEGATIVE, NEGATIVE),
        (0, "", ""),
        (1, "", ""),
        (i128::from(u32::MAX), "", ""),
        (i128::from(u32::MAX) + 1, "", LARGE),
    ] {
        assert_eq!(text(check_count(number)), of_count, "{number}");
        assert_eq!(text(check_u32(number)), of_directive, "{number}");
    }
    // The type rejects a value that is not an integer.
    assert_eq!(text(check_count(-1_f32)), "");
    assert_eq!(text(check_u32(1e30_f64)), "");
}

#[test]
fn findings_for_some_constants_are_reported_for_those() {
    assert_eq!(text(Found::message(true, "it is wrong")), "it is wrong");
    assert_eq!(text(Found::message(false, "it is wrong")), "");
}

#[test]
fn a_parameter_is_judged_by_its_type_and_its_alignment() {
    const WIDE: Type<'static> = Type::Aligned(256, &Type::Array(Extent::Known(256), &U8));
    let pointer = Pointer { space: Some(Space::Global), align: Some(3), pointee: &U32 };
    let of = |param: Param<'static>, kind| {
        let params = [param, param];
        let returns: &[Param<'_>] = match kind {
            FunctionKind::Kernel => &[],
            FunctionKind::Device => &[param],
        };
        let function = Function { params: &params, returns, ..Function::new(kind, "f") };
        let (size, align) = (param.variable.ty.size(), param.variable.ty.align());
        let layout = (size.expect("known"), align.expect("known"));
        let found = |n| {
            let checked = UNKNOWN.param(&function, n, false, layout);
            assert_eq!(text(checked.value), "");
            (code(checked.ty), code(checked.align))
        };
        let first = found(0);
        assert!((1..2 + returns.len()).all(|n| found(n) == first));
        first
    };
    let pair = |ty: &str, align: &str| (ty.to_owned(), align.to_owned());
    let plain = Param::new("x", &U32);
    for kind in [FunctionKind::Kernel, FunctionKind::Device] {
        assert_eq!(of(plain, kind), pair("", ""));
        assert_eq!(of(Param::new("x", &PRED), kind).0, "D003");
        assert_eq!(of(Param { pointer: Some(pointer), ..plain }, kind), pair("D020", ""));
        let odd = Variable { align: Some(3), ..plain.variable };
        assert_eq!(of(Param { variable: odd, ..plain }, kind), pair("", "D005"));
        // Its name is not checked here.
        let named = Variable { name: "1", ..plain.variable };
        assert_eq!(of(Param { variable: named, ..plain }, kind), pair("", ""));
    }
    // Some types are valid for a parameter of a kernel and not for one of a function.
    for (param, expected) in [(Param::new("x", &U8), "F009"), (Param::new("x", &WIDE), "F010")] {
        assert_eq!(of(param, FunctionKind::Kernel), pair("", ""));
        assert_eq!(of(param, FunctionKind::Device), pair(expected, ""));
    }
    // Rust's layout comes last.
    let params = [plain, Param::new("x", &PRED)];
    let kernel = Function { params: &params, ..Function::new(FunctionKind::Kernel, "k") };
    assert_eq!(code(UNKNOWN.param(&kernel, 0, false, (8, 8)).ty), "D022");
    assert_eq!(code(UNKNOWN.param(&kernel, 1, false, (8, 8)).ty), "D003");
}

#[test]
fn an_attribute_of_a_parameter_is_judged_by_itself() {
    let plain = Param::new("x", &U32);
    let readonly = Param { readonly: true, ..plain };
    let pointer = Some(Pointer { space: None, align: Some(3), pointee: &U32 });
    assert_eq!(code(check_attribute(&plain)), "");
    assert_eq!(code(check_attribute(&readonly)), "D076");
    assert_eq!(code(check_attribute(&Param { pointer, ..readonly })), "");
}

#[test]
fn declarations_in_bodies_are_checked_completely() {
    let of = |variable: Variable<'_>, checker: Checker| code(checker.local(&variable));
    let plain = Variable::new(Space::Shared, "x", &U32);
    assert_eq!(of(plain, UNKNOWN), "");
    assert_eq!(of(Variable { name: "1", ..plain }, UNKNOWN), "D001");
    assert_eq!(of(Variable { align: Some(3), ..plain }, UNKNOWN), "D005");
    assert_eq!(of(Variable { space: Space::Sreg, ..plain }, UNKNOWN), "D017");
    let bits = Type::Scalar(ScalarType::B128);
    let wide = Variable::new(Space::Reg, "x", &bits);
    assert_eq!(of(wide, in_sm(Target::Sm60)), "D012");
    assert_eq!(of(wide, in_sm(Target::Sm70)), "");
}

#[test]
fn a_spliced_value_fits_the_type() {
    let found = |space, scalar, number| {
        let ty = Type::Scalar(scalar);
        UNKNOWN.spliced(&Variable::new(space, "x", &ty), number)
    };
    let of = |scalar, number| code(found(Space::Global, scalar, number));
    for (scalar, number, expected) in [
        (ScalarType::U8, splice(255_u32), ""),
        (ScalarType::U8, splice(256_u32), "D014"),
        (ScalarType::U8, splice(-1_i8), "D014"),
        (ScalarType::S8, splice(-128_i32), ""),
        (ScalarType::S8, splice(-129_i32), "D014"),
        (ScalarType::S8, splice(127_i32), ""),
        (ScalarType::S8, splice(128_i32), "D014"),
        (ScalarType::U64, splice(u64::MAX), ""),
        (ScalarType::U64, splice(u128::MAX), "D014"),
        (ScalarType::B16, splice(ptx_types::B32(0xffff)), ""),
        (ScalarType::B16, splice(ptx_types::B32(0x1_0000)), "D014"),
        (ScalarType::F32, splice(1_f32), ""),
        (ScalarType::F32, splice(f64::MAX), "D029"),
        (ScalarType::F32, splice(f32::MAX), ""),
        (ScalarType::F16, splice(65_504_f32), ""),
        (ScalarType::F16, splice(65_520_f32), "D029"),
        (ScalarType::F32, splice(1_u32), "D019"),
        (ScalarType::U32, splice(1_f32), "D019"),
    ] {
        assert_eq!(of(scalar, number), expected, "{scalar:?} {number:?}");
    }
    assert!(
        text(found(Space::Global, ScalarType::U8, splice(-7_i8)))
            .starts_with("`-7` does not fit in `.u8`, which holds 0 to 255;")
    );
    // A space where a value is never allowed is reported, too.
    assert_eq!(code(found(Space::Shared, ScalarType::U8, splice(1_u8))), "D007");
    // In a list and in a vector, it is one of the elements.
    let vector = Type::Vector(2, ScalarType::U8);
    for element in [&U8, &vector] {
        let array = Type::Array(Extent::Known(2), element);
        let list = Variable::new(Space::Global, "x", &array);
        assert_eq!(code(UNKNOWN.spliced(&list, splice(255_u32))), "");
        assert_eq!(code(UNKNOWN.spliced(&list, splice(256_u32))), "D014");
    }
}

#[test]
fn a_directive_is_judged_by_its_number_its_target_and_its_version() {
    use DirectiveKind::{MaxClusterRank, MaxNTid, MinNCtaPerSm, ReqNTid};
    let of = |kind: DirectiveKind, values, checker: Checker| {
        let is_of_kernels = kind.is_of_kernels();
        let of = if is_of_kernels { FunctionKind::Kernel } else { FunctionKind::Device };
        let directives = [Directive { kind: MaxNTid, values: [0; 3] }, Directive { kind, values }];
        let function = Function { directives: &directives, ..Function::new(of, "k") };
        code(checker.directive(&function, 1))
    };
    assert_eq!(of(ReqNTid, [1024, 1, 1], UNKNOWN), "");
    assert_eq!(of(ReqNTid, [1024, 2, 1], UNKNOWN), "F006");
    assert_eq!(of(ReqNTid, [1, 1, 64], UNKNOWN), "");
    assert_eq!(of(ReqNTid, [1, 1, 65], UNKNOWN), "F006");
    // A warning is not an error.
    assert_eq!(of(MaxNTid, [1024, 3, 1], UNKNOWN), "");
    assert_eq!(of(DirectiveKind::NoReturn, [1; 3], UNKNOWN), "");
    assert_eq!(of(MaxNTid, [1, 0, 1], UNKNOWN), "F005");
    assert_eq!(of(MaxClusterRank, [8, 1, 1], in_sm(Target::Sm90)), "");
    assert_eq!(of(MaxClusterRank, [8, 1, 1], in_sm(Target::Sm80)), "F004");
    let old = Some(Version::new(7, 7));
    let old = Checker(Environment { version: old, ..Environment::UNKNOWN });
    assert_eq!(of(MaxClusterRank, [8, 1, 1], old), "F003");
    // Rules about several directives are checked where all of them are known.
    assert_eq!(of(MinNCtaPerSm, [2, 1, 1], UNKNOWN), "");
}

#[test]
fn functions_are_checked_by_rules_reported_at_the_name() {
    let ty = Type::Array(Extent::Known(40_000), &U8);
    let params = [Param::new("x", &ty)];
    let directives = [Directive { kind: DirectiveKind::MaxNTid, values: [0; 3] }];
    let large = Function { params: &params, ..Function::new(FunctionKind::Kernel, "k") };
    let zero = Function { directives: &directives, ..Function::new(FunctionKind::Kernel, "k") };
    assert_eq!(code(in_sm(Target::Sm90).function(&large)), "F001");
    assert_eq!(code(in_sm(Target::Sm90).function(&zero)), "");
}

#[test]
fn a_module_is_judged_as_a_whole() {
    let of = |version: (u8, u8)| {
        let version = Some(Version::new(version.0, version.1));
        code(UNKNOWN.module(&Module { version, ..Module::new("m", Target::Sm90) }))
    };
    assert_eq!(of((7, 8)), "");
    assert_eq!(of((7, 7)), "T001");
    assert_eq!(of((8, 9)), "T002");
}

#[test]
fn rust_lays_a_type_out_like_ptx() {
    let of = |ty: &Type<'_>, size, align| code(check_layout(ty, size, align));
    assert_eq!(of(&U32, 4, 4), "");
    assert_eq!(of(&U32, 8, 4), "D022");
    assert_eq!(of(&U32, 4, 8), "D022");
    // A layout that another rule rejects is left to that rule.
    let padded = Type::Aligned(16, &U32);
    assert_eq!(of(&padded, 16, 16), "");
    assert_eq!(of(&Type::Vector(4, ScalarType::U64), 24, 8), "");
    assert_eq!(of(&Type::Unknown, 4, 4), "");
    // The host type holds the members of a texture, and the PTX type is a handle.
    assert_eq!(of(&Type::Opaque(ptx_types::Opaque::TexRef), 64, 8), "");
}

#[test]
fn a_struct_has_no_gaps() {
    let fields = [
        Field { name: "a", offset: 0, ty: &U8, pointer: None },
        Field { name: "b", offset: 4, ty: &U32, pointer: None },
        Field { name: "c", offset: 8, ty: &U8, pointer: None },
    ];
    let kind = StructKind::Fields;
    let ty = Type::Struct(Struct { name: "S", size: 12, align: 4, fields: &fields, kind });
    let of = |n| text(check_padding(&ty, n));
    assert_eq!(of(0), "");
    assert!(of(1).starts_with("`S` has 3 bytes of padding before `b`"), "{}", of(1));
    assert_eq!(of(2), "");
    assert!(of(3).starts_with("`S` has 3 bytes of padding at its end"), "{}", of(3));
    assert_eq!(text(check_padding(&U32, 0)), "");
    // In the order of their alignment, the fields pad the end.
    assert!(
        of(1).contains("; fill it with a field `[u8; 3]`, or let `#[ptx::padded]` do so ["),
        "{}",
        of(1)
    );
    let half = Type::Scalar(ScalarType::U16);
    let fields = [
        Field { name: "a", offset: 0, ty: &half, pointer: None },
        Field { name: "b", offset: 4, ty: &U32, pointer: None },
        Field { name: "c", offset: 8, ty: &half, pointer: None },
    ];
    let ty = Type::Struct(Struct { name: "S", size: 12, align: 4, fields: &fields, kind });
    let found = text(check_padding(&ty, 1));
    let fix = "; sort the fields by alignment, largest first, or fill the gap with a field `[u8; 2]`, or let `#[ptx::padded]` do so [";
    assert!(found.contains(fix), "{found}");
}

#[test]
fn an_address_is_within_its_variable() {
    let array = Type::Array(Extent::Known(4), &U32);
    let target = Variable::new(Space::Global, "y", &array);
    let holder = Variable::new(Space::Global, "x", &U64);
    let of = |addend, target: &Variable<'_>| {
        let address = Address { symbol: "y", generic: false, addend };
        code(UNKNOWN.address(&address, target, &holder))
    };
    assert_eq!(of(0, &target), "");
    assert_eq!(of(15, &target), "");
    assert_eq!(of(16, &target), "D034");
    assert_eq!(of(-1, &target), "D034");
    assert_eq!(of(0, &Variable { space: Space::Shared, ..target }), "D042");
}

#[test]
fn an_address_has_the_promised_alignment() {
    for (aligned, promised, expected) in
        [(4, 4, ""), (8, 4, ""), (2, 4, "D070"), (6, 4, "D070"), (0, 4, ""), (1, 1, "")]
    {
        assert_eq!(code(check_pointed("x", aligned, promised)), expected);
    }
}

#[test]
fn a_mask_selects_one_byte() {
    for index in 0..8 {
        assert_eq!(code(UNKNOWN.mask(0xff << (8 * index))), "");
    }
    for mask in [0, 1, 0xfe, 0x1fe, 0xff0, 0xffff, u64::MAX] {
        assert_eq!(code(UNKNOWN.mask(mask)), "D041", "{mask:#x}");
    }
}

#[test]
fn arguments_are_those_of_the_parameter() {
    let of = |formal: &Param<'_>| {
        [
            code(UNKNOWN.number_argument(formal, splice(1_u8))),
            code(UNKNOWN.number_argument(formal, Number::Bits(1))),
            code(UNKNOWN.number_argument(formal, splice(1_f32))),
            code(UNKNOWN.number_argument(formal, splice(1_f64))),
        ]
    };
    assert_eq!(of(&Param::new("x", &U32)), ["", "", "C005", "C005"]);
    assert_eq!(of(&Param::new("x", &F32)), ["C005", "C005", "", ""]);
    let array = Type::Array(Extent::Known(4), &U8);
    assert_eq!(of(&Param::new("x", &array)), ["C004"; 4]);
    // A register can be passed for a scalar, and a `.param` variable also for an array.
    let (register, local) =
        (Variable::new(Space::Reg, "r", &array), Variable::new(Space::Param, "p", &array));
    let formal = Param::new("x", &array);
    assert_eq!(code(UNKNOWN.argument(&formal, &register)), "C004");
    assert_eq!(code(UNKNOWN.argument(&formal, &local)), "");
}

#[test]
fn passed_addresses_are_in_the_space_of_the_parameter() {
    let pointer = Some(Pointer { space: Some(Space::Shared), align: None, pointee: &U32 });
    let formal = Param { pointer, ..Param::new("x", &U64) };
    assert_eq!(code(UNKNOWN.address_argument(&formal, "y", Space::Shared)), "");
    assert_eq!(
        text(UNKNOWN.address_argument(&formal, "y", Space::Global)),
        "`x` points into `.shared`, but is given an address of `y` in `.global`; pass an \
         address in `.shared`, or declare the parameter for `.global` [C007, PTX ISA 5.1.6.3]"
    );
}

#[test]
fn a_value_in_a_list_is_an_initial_value_too() {
    let values: &[Value<'_>] = &[Value::Int(300)];
    let ty = Type::Array(Extent::Known(1), &U8);
    let init = Init::Value(Value::List(values));
    let variable = Variable { init, ..Variable::new(Space::Shared, "x", &ty) };
    assert_eq!(code(UNKNOWN.local(&variable)), "D007");
    let variable = Variable { space: Space::Local, ..variable };
    assert_eq!(code(UNKNOWN.local(&variable)), "D007");
}
