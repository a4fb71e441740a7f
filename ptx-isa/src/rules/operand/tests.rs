//! Conditions that decide, before the offset is known, whether a rule applies to an operand.

use super::super::access::Object;
use super::*;
use crate::ir::{Extent, Field, Struct, StructKind, Type, Variable};
use crate::tensor::{ElementType, Spec};

const MAP: Spec = Spec::tiled_unchecked(ElementType::F32, 2, [16, 8, 1, 1, 1]);

const fn special(size: usize, kind: StructKind<'_>) -> Type<'_> {
    Type::Struct(Struct { name: "K", size, align: 8, fields: &[], kind })
}

const BARRIER: Type<'static> = special(8, StructKind::Mbarrier);
const TENSOR_MAP: Type<'static> = special(128, StructKind::TensorMap(&MAP));
const TILE: Type<'static> = special(512, StructKind::Tile(&MAP));
const NUMBER: Type<'static> = Type::Scalar(ScalarType::U32);

/// A struct of a number followed by these fields.
const fn behind_a_number<'a>(fields: &'a [Field<'a>], size: usize) -> Type<'a> {
    Type::Struct(Struct { name: "S", size, align: 8, fields, kind: StructKind::Fields })
}

const fn field<'a>(offset: usize, ty: &'a Type<'a>) -> Field<'a> {
    Field { name: "f", offset, ty, pointer: None }
}

const LOAD: StorageAccess<'static> = StorageAccess {
    form: AccessForm {
        role: Role::Data,
        direction: Direction::Read,
        space: Some(Space::Global),
        names_space: true,
        nameable: Spaces::ALL,
        sub_space: None,
        ty: Some(ScalarType::F32),
        may_be_nothing: false,
        unified: None,
        tensor: None,
        isa_align: None,
    },
    bytes: Some(4),
    align: Some(4),
    via: Via::Name,
    offset: Offset::exact(0),
    settled: Settled::NOTHING,
    only_where: None,
    reached: None,
};

/// The result of a query about a global variable of this type.
fn of_global<T>(ty: &Type<'_>, asks: impl FnOnce(Object<'_>) -> T) -> T {
    asks(Object::Variable(&Variable::new(Space::Global, "x", ty)))
}

#[test]
fn numbers_are_taken_of_what_has_a_map_alone() {
    let takes = |ty: &Type<'_>| of_global(ty, |object| takes_numbers(LOAD.shape(), object));
    let with_map = [field(0, &NUMBER), field(64, &TENSOR_MAP)];
    let without = [field(0, &NUMBER), field(8, &BARRIER), field(512, &TILE)];
    assert!(takes(&TENSOR_MAP));
    assert!(takes(&Type::Array(Extent::Known(2), &TENSOR_MAP)));
    assert!(takes(&behind_a_number(&with_map, 192)));
    for ty in [NUMBER, BARRIER, TILE, Type::Vector(2, ScalarType::U32), Type::Unknown] {
        assert!(!takes(&ty), "{ty:?}");
    }
    assert!(!takes(&behind_a_number(&without, 1024)));
}

#[test]
fn a_barrier_may_be_touched_where_one_is_or_nobody_knows() {
    let may = |ty: &Type<'_>| of_global(ty, |object| may_touch_barrier(LOAD.shape(), object));
    let with_barrier = [field(0, &NUMBER), field(8, &BARRIER)];
    let one_byte = special(1, StructKind::Mbarrier);
    let without_length = Type::Array(Extent::Incomplete, &NUMBER);
    for ty in [BARRIER, one_byte, Type::Array(Extent::Known(2), &BARRIER), without_length] {
        assert!(may(&ty), "{ty:?}");
    }
    assert!(may(&Type::Unknown));
    assert!(may(&behind_a_number(&with_barrier, 16)));
    for ty in [NUMBER, TILE, TENSOR_MAP, Type::Scalar(ScalarType::U8)] {
        assert!(!may(&ty), "{ty:?}");
    }
}

#[test]
fn an_operand_without_a_type_and_an_alignment_needs_none() {
    let untyped = AccessForm { ty: None, ..LOAD.form };
    let untyped = StorageAccess { form: untyped, align: None, ..LOAD };
    of_global(&Type::Scalar(ScalarType::U8), |object| {
        assert!(aligned_below(LOAD, object));
        assert!(!aligned_below(untyped, object));
    });
}
