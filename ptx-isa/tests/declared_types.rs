//! The types of declarations over the IR: vectors, predicates, extents and their number, and how PTX text
//! represents them.

use ptx_isa::ir::{
    Extent, Field, Init, Linkage, Linked, Scope, Struct, StructKind, Type, Value, Variable,
};
use ptx_isa::rules::{self, Environment};
use ptx_isa::{ScalarType, Space, Target, Version};

const U8: Type<'static> = Type::Scalar(ScalarType::U8);
const U32: Type<'static> = Type::Scalar(ScalarType::U32);
const PRED: Type<'static> = Type::Scalar(ScalarType::Pred);
const UNKNOWN: Environment = Environment::UNKNOWN;

const fn array<'a>(count: usize, element: &'a Type<'a>) -> Type<'a> {
    Type::Array(Extent::Known(count), element)
}

const fn global<'a>(ty: &'a Type<'a>) -> Variable<'a> {
    Variable::new(Space::Global, "x", ty)
}

const fn dynamic<'a>(ty: &'a Type<'a>) -> Variable<'a> {
    Variable { linkage: Linkage::Dynamic, ..Variable::new(Space::Shared, "x", ty) }
}

/// The codes in `among` whose rules a variable breaks.
fn of(
    variable: &Variable<'_>,
    scope: Scope,
    env: Environment,
    among: &[&str],
) -> Vec<&'static str> {
    let found = rules::check_variable(variable, scope, env);
    let codes = found.iter().map(|violation| violation.rule.code);
    codes.filter(|code| among.contains(code)).collect()
}

fn breaks(variable: &Variable<'_>, scope: Scope, env: Environment, code: &str) -> bool {
    !of(variable, scope, env, &[code]).is_empty()
}

#[test]
fn a_vector_has_2_or_4_elements_and_16_bytes() {
    for (lanes, scalar, expected) in [
        (2, ScalarType::U64, &[][..]),
        (4, ScalarType::U32, &[]),
        (4, ScalarType::U8, &[]),
        (4, ScalarType::U64, &["D004"]),
        (2, ScalarType::B128, &["D004"]),
        (16, ScalarType::U8, &["D015"]),
        (17, ScalarType::U8, &["D004", "D015"]),
        (3, ScalarType::U32, &["D015"]),
        (1, ScalarType::U32, &["D015"]),
    ] {
        let ty = Type::Vector(lanes, scalar);
        let among = ["D004", "D015", "D066"];
        assert_eq!(
            of(&global(&ty), Scope::Module, UNKNOWN, &among),
            expected,
            "{lanes} {scalar:?}"
        );
        // In the text, a parameter is an array of bytes, which ptxas accepts if it has an alignment.
        let param = Variable::new(Space::Param, "x", &ty);
        let found = of(&param, Scope::Param, UNKNOWN, &among);
        if ty.align().is_some_and(usize::is_power_of_two) {
            let as_bytes: &[&str] = if expected.is_empty() { &[] } else { &["D066"] };
            assert_eq!(found, as_bytes, "{lanes} {scalar:?}");
        } else {
            assert_eq!(found, expected, "{lanes} {scalar:?}");
        }
    }
}

#[test]
fn predicates_are_scalar_registers() {
    let vector = Type::Vector(2, ScalarType::Pred);
    let register = |ty| Variable::new(Space::Reg, "x", ty);
    assert!(!breaks(&register(&PRED), Scope::Body, UNKNOWN, "D003"));
    assert!(breaks(&register(&vector), Scope::Body, UNKNOWN, "D031"));
    assert!(breaks(&global(&PRED), Scope::Module, UNKNOWN, "D003"));
    assert!(!breaks(&global(&vector), Scope::Module, UNKNOWN, "D031"), "another rule says so");
    // ptxas sees dynamic shared memory as bytes, if it has an alignment.
    let among = ["D003", "D068"];
    let predicate = dynamic(&PRED);
    assert_eq!(of(&predicate, Scope::Module, UNKNOWN, &among), ["D003"]);
    let aligned = Variable { align: Some(4), ..predicate };
    assert_eq!(of(&aligned, Scope::Module, UNKNOWN, &among), ["D068"]);
}

#[test]
fn families_are_made_of_scalars_and_vectors() {
    let (words, pair) = (array(2, &U32), Type::Vector(2, ScalarType::U32));
    let structure = Type::Struct(Struct {
        name: "S",
        size: 4,
        align: 4,
        fields: &[Field { name: "a", offset: 0, ty: &U32, pointer: None }],
        kind: StructKind::Fields,
    });
    for (member, is_refused) in [(&U32, false), (&pair, false), (&words, true), (&structure, true)]
    {
        let ty = Type::Family(Extent::Known(4), member);
        assert_eq!(breaks(&global(&ty), Scope::Module, UNKNOWN, "D046"), is_refused, "{member:?}");
        // The launch determines the size of one variable, whatever its family consists of.
        let found = of(&dynamic(&ty), Scope::Module, UNKNOWN, &["D046", "D068"]);
        assert_eq!(found, ["D068"], "{member:?}");
    }
}

#[test]
fn no_extent_is_zero_unless_values_or_a_launch_count() {
    const EMPTY: Struct<'static> =
        Struct { name: "S", size: 4, align: 4, fields: &[], kind: StructKind::Fields };
    let structure = Type::Struct(EMPTY);
    let none = array(0, &U32);
    let (inner, structs) = (array(2, &none), array(0, &structure));
    let structs_inside = array(2, &structs);
    let (one, empty) = (Init::Value(Value::Integers(&[1])), Init::Value(Value::Integers(&[])));
    let linked = |bytes| Init::Linked(Linked { bytes, links: &[] });
    for (ty, init, expected) in [
        (&none, Init::None, "D008"),
        (&none, one, "D065"),
        (&none, empty, "D008"),
        (&none, Init::Bytes(&[0; 4]), "D065"),
        (&none, Init::Bytes(&[]), "D008"),
        (&none, linked(&[0; 4]), "D065"),
        (&none, linked(&[]), "D008"),
        (&inner, one, "D008"),
        (&structs, one, "D065"),
        (&structs_inside, one, "D065"),
        (&structs_inside, Init::None, "D008"),
    ] {
        let variable = Variable { init, ..global(ty) };
        let found = of(&variable, Scope::Module, UNKNOWN, &["D008", "D065"]);
        assert_eq!(found, [expected], "{ty:?} {init:?}");
    }
    for (space, linkage, expected) in [
        (Space::Shared, Linkage::Internal, "D008"),
        (Space::Shared, Linkage::Extern, "D065"),
        (Space::Shared, Linkage::Dynamic, "D065"),
        (Space::Global, Linkage::Internal, "D008"),
        (Space::Global, Linkage::Extern, "D008"),
    ] {
        let variable = Variable { linkage, ..Variable::new(space, "x", &none) };
        let found = of(&variable, Scope::Module, UNKNOWN, &["D008", "D065"]);
        assert_eq!(found, [expected], "{space:?} {linkage:?}");
    }
    let family = Type::Family(Extent::Known(0), &U32);
    assert_eq!(of(&global(&family), Scope::Module, UNKNOWN, &["D008", "D065"]), ["D065"]);
}

#[test]
fn the_last_array_that_a_function_takes_may_have_no_length() {
    let (bytes, words) =
        (Type::Array(Extent::Incomplete, &U8), Type::Array(Extent::Incomplete, &U32));
    let at = |major, minor| Environment { version: Some(Version::new(major, minor)), ..UNKNOWN };
    let among = ["D010", "D068"];
    for (ty, scope, env, expected) in [
        (&bytes, Scope::LastInput, UNKNOWN, &[][..]),
        (&bytes, Scope::LastInput, at(6, 0), &[]),
        (&bytes, Scope::LastInput, at(5, 1), &["D010"]),
        (&bytes, Scope::Function, at(6, 0), &["D010"]),
        (&bytes, Scope::Param, at(6, 0), &["D010"]),
        // A variable number of arguments is an array of bytes without a length; an array of words is not.
        (&words, Scope::LastInput, at(6, 0), &["D068"]),
        (&words, Scope::Function, at(6, 0), &["D010"]),
    ] {
        let variable = Variable::new(Space::Param, "x", ty);
        assert_eq!(of(&variable, scope, env, &among), expected, "{ty:?} {scope:?} {env:?}");
    }
}

#[test]
fn some_types_require_a_target() {
    let (wide, pair) = (Type::Scalar(ScalarType::B128), Type::Scalar(ScalarType::F16x2));
    let (wides, pairs) = (array(2, &wide), Type::Vector(2, ScalarType::F16x2));
    for (ty, old, new, asked) in [
        (&wide, Target::Sm62, Target::Sm70, "D012"),
        (&wides, Target::Sm62, Target::Sm70, "D062"),
        (&pair, Target::Sm52, Target::Sm53, "D012"),
        (&pairs, Target::Sm52, Target::Sm53, "D062"),
    ] {
        let among = ["D012", "D062"];
        let at = |target| Environment { target: Some(target), ..UNKNOWN };
        assert_eq!(of(&global(ty), Scope::Module, at(old), &among), [asked], "{ty:?}");
        assert_eq!(of(&global(ty), Scope::Module, at(new), &among), [""; 0], "{ty:?}");
    }
}

#[test]
fn padding_is_found_wherever_it_is() {
    let (padded, plain) = (Type::Aligned(16, &U32), Type::Aligned(4, &U32));
    let field = |offset, ty| Field { name: "f", offset, ty, pointer: None };
    let with = |fields: &[Field<'_>]| {
        let kind = StructKind::Fields;
        let ty = Type::Struct(Struct { name: "S", size: 32, align: 16, fields, kind });
        breaks(&global(&ty), Scope::Module, UNKNOWN, "D016")
    };
    assert!(with(&[field(0, &padded), field(16, &U32)]));
    assert!(with(&[field(0, &U32), field(16, &padded)]));
    assert!(!with(&[field(0, &plain), field(16, &U32)]));
    for (align, is_found) in [(0, false), (1, false), (2, false), (4, false), (8, true)] {
        let ty = Type::Aligned(align, &U32);
        assert_eq!(breaks(&global(&ty), Scope::Module, UNKNOWN, "D016"), is_found, "{align}");
    }
}

#[test]
fn integers_have_the_range_of_their_bits() {
    for (scalar, expected) in [
        (ScalarType::U8, Some((0, 255))),
        (ScalarType::S8, Some((-128, 127))),
        (ScalarType::B8, Some((-128, 255))),
        (ScalarType::U32, Some((0, u128::from(u32::MAX)))),
        (ScalarType::S32, Some((i128::from(i32::MIN), u128::from(i32::MAX.unsigned_abs())))),
        (ScalarType::U64, Some((0, u128::from(u64::MAX)))),
        (ScalarType::S64, Some((i128::from(i64::MIN), u128::from(i64::MAX.unsigned_abs())))),
        (ScalarType::B64, Some((i128::from(i64::MIN), u128::from(u64::MAX)))),
        (ScalarType::B128, Some((i128::MIN, u128::MAX))),
        (ScalarType::F32, None),
        (ScalarType::Pred, None),
    ] {
        assert_eq!(scalar.integer_range(), expected, "{scalar:?}");
    }
}
