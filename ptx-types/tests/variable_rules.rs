//! Variables of a module, as the constants of expanded code check them once their types are known.
#![allow(unsafe_code, reason = "it implements unsafe traits, as expanded code does")]

#[path = "../../ptx-isa/tests/panics/mod.rs"]
mod panics;

use panics::found::text;
use ptx_types::__private::{CheckedDeclaration, Checker};
use ptx_types::ir::{self, DeclaredAt, Extent, Init, Linkage, Locations, Type, Value};
use ptx_types::rules::Environment;
use ptx_types::{Const, Family, Global, PtxType, ScalarType, Space, StateSpace, Variable};

const UNKNOWN: Checker = Checker(Environment::UNKNOWN);
const U8: Type<'static> = Type::Scalar(ScalarType::U8);
const U32: Type<'static> = Type::Scalar(ScalarType::U32);
const U64: Type<'static> = Type::Scalar(ScalarType::U64);

/// The codes reported at its type, its alignment and its value; the message where it has no code.
fn messages(checked: &CheckedDeclaration) -> [String; 3] {
    let code = |text: String| match text.rsplit_once(" [") {
        Some((_, code)) => code[..4].to_owned(),
        None => text,
    };
    [checked.ty, checked.align, checked.value].map(|found| code(text(found)))
}

/// The codes reported for a variable of this type and alignment; `told` is the type as known from tokens.
fn of<S: StateSpace, T: PtxType>(align: Option<usize>, told: Option<&Type<'_>>) -> [String; 3] {
    let assumption = told.map_or_else(Vec::new, |ty| ty.assumption().expect("it is known"));
    assuming::<S, T>(align, &assumption)
}

fn assuming<S: StateSpace, T: PtxType>(align: Option<usize>, assumption: &[u8]) -> [String; 3] {
    let place = DeclaredAt::new(&Locations::NONE, 0);
    let mut variable = Variable::<S, T>::__new("x", Linkage::Internal, place, T::TYPED);
    if let Some(align) = align {
        variable = variable.__aligned(align);
    }
    messages(&variable.__checked(UNKNOWN, assumption))
}

#[test]
fn types_known_from_tokens_are_not_checked_again() {
    assert_eq!(of::<Global, u32>(None, None), ["", "", ""]);
    assert_eq!(of::<Global, u32>(None, Some(&U32)), ["", "", ""]);
    assert_eq!(of::<Global, u32>(Some(3), Some(&U32)), ["", "", ""]);
    assert_eq!(of::<Global, u32>(Some(3), None), ["", "D005", ""]);
    assert_eq!(of::<Global, u32>(Some(3), Some(&U64)), ["", "D005", ""]);
}

#[test]
fn a_family_that_the_tokens_do_not_show_is_written_out() {
    const OUT: &str = "a family names its members where it is declared, so an alias cannot stand for it; write `Family<T, N>` here";
    assert_eq!(of::<Global, Family<u32, 4>>(None, None), ["", "", ""]);
    assert_eq!(of::<Global, Family<u32, 4>>(None, Some(&U32)), [OUT, "", ""]);
    // Tokens that show neither a family nor a type have an assumption that no type meets.
    assert_eq!(assuming::<Global, Family<u32, 4>>(None, &[0]), [OUT, "", ""]);
    assert_eq!(assuming::<Global, u32>(None, &[0]), ["", "", ""]);
    assert_eq!(assuming::<Global, u32>(Some(3), &[0]), ["", "D005", ""]);
    assert_eq!(assuming::<Global, [u32; 0]>(None, &[0]), ["D008", "", ""]);
}

/// A type that is `[u8; 65537]` in PTX, and one byte in Rust.
struct Odd {
    _byte: u8,
}

// SAFETY: the rules reject it for its size before its bytes are read.
unsafe impl PtxType for Odd {
    const TYPE: &'static Type<'static> = &Type::Array(Extent::Known(65_537), &U8);
}

#[test]
fn rusts_layout_is_that_of_ptx() {
    assert_eq!(of::<Global, Odd>(None, None), ["D022", "", ""]);
    assert_eq!(of::<Global, Odd>(Some(3), None), ["D022", "", ""], "the type comes first");
    // It does not fit into constant memory, whatever the source of its type.
    assert_eq!(of::<Const, Odd>(None, None), ["D009", "", ""]);
}

#[test]
fn the_type_comes_first_and_then_the_first_of_alignment_and_value() {
    let plain = ir::Variable::new(Space::Global, "x", &U8);
    let of = |variable: ir::Variable<'_>| messages(&UNKNOWN.variable(&variable, (1, 1), &[]));
    let large = Init::Value(Value::Int(256));
    let none = Type::Array(Extent::Known(0), &U8);
    assert_eq!(of(plain), ["", "", ""]);
    assert_eq!(of(ir::Variable { init: large, ..plain }), ["", "", "D014"]);
    let odd = ir::Variable { align: Some(3), ..plain };
    assert_eq!(of(odd), ["", "D005", ""]);
    assert_eq!(of(ir::Variable { init: large, ..odd }), ["", "D005", ""]);
    assert_eq!(of(ir::Variable { ty: &none, ..odd }), ["D008", "", ""]);
    // The rules about a value in shared memory and about an extent of zero are adjacent in the table.
    let shared = ir::Variable { space: Space::Shared, init: large, ty: &none, ..plain };
    assert_eq!(of(shared), ["D008", "", ""]);
    // Other faults are reported from tokens.
    assert_eq!(of(ir::Variable { name: "1", ..plain }), ["", "", ""]);
    assert_eq!(of(ir::Variable { name: "1", ..odd }), ["", "D005", ""]);
}
