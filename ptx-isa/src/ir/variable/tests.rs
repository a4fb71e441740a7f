//! The requirements and sizes of declarations, in tables.

use super::*;
use crate::ir::{Extent, Struct};
use crate::opaque::Opaque;
use crate::tensor::{ElementType, Spec};

const WORD: &Type<'static> = &Type::Scalar(ScalarType::U32);
const WORDS: &Type<'static> = &Type::Array(Extent::Known(3), WORD);
const UNCOUNTED: &Type<'static> = &Type::Array(Extent::Incomplete, WORD);
const WIDE: &Type<'static> = &Type::Scalar(ScalarType::B128);
const PAIR: &Type<'static> = &Type::Vector(2, ScalarType::F32);
const ADDRESS: Address<'static> = Address { symbol: "x", generic: false, addend: 0 };
const GENERIC: Address<'static> = Address { generic: true, ..ADDRESS };
const MAP: Spec = Spec::tiled_unchecked(ElementType::U8, 2, [16, 8, 0, 0, 0]);

const fn of_kind(kind: StructKind<'static>) -> Type<'static> {
    Type::Struct(Struct { name: "S", size: 8, align: 8, fields: &[], kind })
}

const BARRIER: &Type<'static> = &of_kind(StructKind::Mbarrier);
const BYTES: &Type<'static> = &of_kind(StructKind::Fields);

const fn global(ty: &'static Type<'static>) -> Variable<'static> {
    Variable::new(Space::Global, "x", ty)
}

const fn with(ty: &'static Type<'static>, init: Init<'static>) -> Variable<'static> {
    Variable { init, ..global(ty) }
}

const fn link(size: usize, byte: Option<Byte>, address: Address<'static>) -> Link<'static> {
    Link { at: 0, size, address, byte }
}

const fn linked(links: &'static [Link<'static>]) -> Init<'static> {
    Init::Linked(Linked { bytes: &[0; 16], links })
}

#[test]
fn a_new_variable_has_only_defaults() {
    let variable = global(WORD);
    assert!(!variable.managed && variable.unified.is_none() && variable.align.is_none());
    assert!(!variable.is_carried() && !variable.is_dynamic() && !variable.is_counted_by_value());
    assert!(matches!(variable.linkage, Linkage::Internal));
    let variable = Variable { allow: &["D001"], ..variable };
    assert!(variable.allows("D001") && !variable.allows("D002"));
    assert_eq!(variable.declared_by(Linkage::Weak).linkage, Linkage::Weak);
}

#[test]
fn linkages_are_exported_or_elsewhere_or_neither() {
    let found = Linkage::ALL.iter().map(|one| (*one, one.is_exported(), one.is_elsewhere()));
    let expected = [
        (Linkage::Internal, false, false),
        (Linkage::Visible, true, false),
        (Linkage::Extern, true, true),
        (Linkage::Dynamic, true, true),
        (Linkage::Weak, true, false),
        (Linkage::Common, true, false),
    ];
    assert!(found.eq(expected));
}

#[test]
fn a_mask_selects_one_of_eight_bytes() {
    for (n, byte) in (0..).zip(Byte::ALL) {
        let mask = 0xFF_u64 << (8 * n);
        assert_eq!((byte.mask(), byte.index()), (mask, n));
        assert_eq!(Byte::of_mask(mask), Some(byte));
        for other in [mask ^ (1 << (8 * n)), mask ^ (0x80 << (8 * n)), mask << 4, mask | 1 << 63] {
            assert_eq!(Byte::of_mask(other).is_some(), other == mask, "{other:#x}");
        }
    }
    for mask in [0, 1, 0xFFFF, 0xF00, u64::MAX, 0x1FE, 1 << 63, 0x7F00_0000_0000_0000] {
        assert_eq!(Byte::of_mask(mask), None, "{mask:#x}");
    }
}

#[test]
fn addresses_need_versions() {
    const PLAIN: Init<'static> = linked(&const { [link(8, None, ADDRESS)] });
    let byte = Some(Byte::ALL[1]);
    let values = [
        (Init::None, (1, 0)),
        (Init::Unknown(&[]), (1, 0)),
        (Init::Bytes(&[0; 4]), (1, 0)),
        (Init::Members(&[]), (1, 0)),
        (linked(&[]), (1, 0)),
        (linked(&const { [link(8, None, ADDRESS)] }), (1, 0)),
        (linked(&const { [link(4, None, ADDRESS)] }), (1, 0)),
        (linked(&const { [link(3, None, ADDRESS)] }), (7, 1)),
        (linked(&const { [link(1, None, ADDRESS)] }), (7, 1)),
        (linked(&const { [link(8, None, GENERIC)] }), (3, 1)),
        (linked(&const { [link(8, None, GENERIC), link(8, None, ADDRESS)] }), (3, 1)),
        (Init::Value(Value::Int(1)), (1, 0)),
        (Init::Value(Value::Float(1.0)), (1, 0)),
        (Init::Value(Value::Integers(&[1])), (1, 0)),
        (Init::Value(Value::Floats(&[1.0])), (1, 0)),
        (Init::Value(Value::Address(ADDRESS)), (1, 0)),
        (Init::Value(Value::Address(GENERIC)), (3, 1)),
        (Init::Value(Value::MaskedAddress(0xFF, ADDRESS)), (7, 1)),
        (Init::Value(Value::MaskedAddress(0xFF, GENERIC)), (7, 1)),
        (Init::Value(Value::MaskedInt(0xFF, 1)), (7, 2)),
        (Init::Value(Value::List(&[])), (1, 0)),
        (Init::Value(Value::List(&[Value::Address(GENERIC), Value::Int(1)])), (3, 1)),
        (Init::Value(Value::List(&[Value::Int(1), Value::MaskedInt(0xFF, 1)])), (7, 2)),
    ];
    for (init, (major, minor)) in values {
        assert_eq!(init.since(), Version::new(major, minor), "{init:?}");
        assert_eq!(with(WORD, init).init_since(), Version::new(major, minor), "{init:?}");
    }
    let links = [link(8, byte, ADDRESS)];
    let masked = Init::Linked(Linked { bytes: &[], links: &links });
    assert_eq!(masked.since(), Version::new(7, 1));
    // Addresses in a struct are written byte by byte, and dynamic shared memory has no value.
    assert_eq!(with(BYTES, PLAIN).init_since(), Version::new(7, 1));
    assert_eq!(with(BYTES, linked(&[])).init_since(), Version::new(1, 0));
    let dynamic =
        Variable { space: Space::Shared, linkage: Linkage::Dynamic, ..with(BYTES, PLAIN) };
    assert_eq!(dynamic.init_since(), Version::new(1, 0));
}

#[test]
fn lists_have_elements() {
    let list = [Value::Int(4), Value::Float(0.5)];
    for (value, count, second) in [
        (Value::List(&list), Some(2), Value::Float(0.5)),
        (Value::Integers(&[4, 5]), Some(2), Value::Int(5)),
        (Value::Floats(&[4.0, 5.0, 6.0]), Some(3), Value::Float(5.0)),
        (Value::Int(7), None, Value::Int(7)),
        (Value::MaskedInt(0xFF, 7), None, Value::MaskedInt(0xFF, 7)),
        (Value::Address(ADDRESS), None, Value::Address(ADDRESS)),
    ] {
        assert_eq!((value.elements(), value.element(1)), (count, second));
    }
}

#[test]
fn a_type_needs_a_version_unless_its_carrier_is_written() {
    const F16X2: &Type<'static> = &Type::Scalar(ScalarType::F16x2);
    let one = Init::Bytes(&[0; 16]);
    for (variable, version, arch) in [
        (global(WORD), (1, 0), 10),
        (global(BYTES), (1, 0), 10),
        (global(&Type::Unknown), (1, 0), 10),
        (global(WIDE), (8, 3), 70),
        (global(F16X2), (1, 0), 53),
        (with(WIDE, one), (1, 0), 10),
        (with(F16X2, one), (1, 0), 10),
        (with(WORD, one), (1, 0), 10),
        (
            with(&Type::Scalar(ScalarType::F64), one),
            {
                let since = ScalarType::F64.since();
                (since.major, since.minor)
            },
            ScalarType::F64.min_arch(),
        ),
    ] {
        let (major, minor) = version;
        assert_eq!(variable.type_needs(), (Version::new(major, minor), arch), "{variable:?}");
    }
}

#[test]
fn a_declaration_needs_the_newest_version_of_its_parts() {
    let plain = global(WORD);
    let unified = Some(Unified { upper: 1, lower: 2 });
    for (variable, major, minor) in [
        (plain, 1, 0),
        (Variable { linkage: Linkage::Weak, ..plain }, 3, 1),
        (Variable { managed: true, ..plain }, 4, 0),
        (Variable { linkage: Linkage::Common, managed: true, ..plain }, 5, 0),
        (Variable { unified, ..plain }, 8, 0),
        (Variable { unified, ..global(WIDE) }, 8, 3),
        (with(WORD, Init::Value(Value::Address(GENERIC))), 3, 1),
    ] {
        assert_eq!(variable.since(), Version::new(major, minor), "{variable:?}");
    }
}

#[test]
fn the_value_determines_the_size_where_no_length_is_written() {
    const LIST: &[Value<'static>] = &[Value::Int(1), Value::Int(2)];
    for (variable, bytes, is_counted) in [
        (global(WORD), Some(4), false),
        (global(WORDS), Some(12), false),
        (global(UNCOUNTED), None, false),
        (with(UNCOUNTED, Init::Bytes(&[0; 20])), Some(20), true),
        (with(WORDS, Init::Bytes(&[0; 20])), Some(12), false),
        (with(UNCOUNTED, linked(&[])), Some(16), true),
        (with(UNCOUNTED, Init::Value(Value::List(LIST))), Some(8), true),
        (with(UNCOUNTED, Init::Value(Value::Integers(&[1, 2, 3]))), Some(12), true),
        (with(UNCOUNTED, Init::Value(Value::Int(1))), None, true),
        (with(UNCOUNTED, Init::Unknown(&[])), None, true),
        (
            with(
                &Type::Array(Extent::Incomplete, &Type::Unknown),
                Init::Value(Value::Integers(&[1])),
            ),
            None,
            true,
        ),
        (with(WORD, Init::Value(Value::Int(1))), Some(4), false),
    ] {
        assert_eq!(variable.bytes(), bytes, "{variable:?}");
        assert_eq!(variable.is_counted_by_value(), is_counted, "{variable:?}");
    }
}

#[test]
fn a_declared_alignment_does_not_lower_that_of_its_type() {
    const ALIGNED: &Type<'static> = &Type::Aligned(16, WORD);
    for (align, ty, expected) in [
        (None, WORD, Some(4)),
        (None, ALIGNED, Some(16)),
        (None, &Type::Unknown, None),
        (Some(2), WORD, Some(2)),
        (Some(8), ALIGNED, Some(16)),
        (Some(16), ALIGNED, Some(16)),
        (Some(32), ALIGNED, Some(32)),
        // An alignment that is not a power of two stays as it is, for the rules to refuse.
        (Some(12), ALIGNED, Some(12)),
        (Some(8), &Type::Unknown, Some(8)),
    ] {
        assert_eq!(Variable { align, ..global(ty) }.alignment(), expected, "{align:?} {ty:?}");
    }
}

#[test]
fn dynamic_shared_memory_has_that_linkage_or_no_length() {
    for (space, linkage, ty, expected) in [
        (Space::Shared, Linkage::Dynamic, WORDS, true),
        (Space::Shared, Linkage::Extern, UNCOUNTED, true),
        (Space::Shared, Linkage::Extern, WORDS, false),
        (Space::Shared, Linkage::Internal, UNCOUNTED, false),
        (Space::Global, Linkage::Dynamic, WORDS, false),
        (Space::Global, Linkage::Extern, UNCOUNTED, false),
    ] {
        let variable = Variable { space, linkage, ..global(ty) };
        assert_eq!(variable.is_dynamic(), expected, "{variable:?}");
        if expected {
            assert_eq!(variable.indexed_bytes(false), Some(1));
        }
    }
}

/// Checked in a body or module, and in a signature.
#[test]
fn an_index_counts_elements_of_the_text() {
    const PAIRS: &Type<'static> = &Type::Array(Extent::Known(2), PAIR);
    const WIDES: &Type<'static> = &Type::Array(Extent::Known(2), WIDE);
    const BARRIERS: &Type<'static> = &Type::Array(Extent::Known(2), BARRIER);
    const BLOCKS: &Type<'static> = &Type::Array(Extent::Known(2), BYTES);
    const TILES: &Type<'static> = &of_kind(StructKind::Tile(&MAP));
    let one = Init::Bytes(&[0; 16]);
    for (variable, here, in_signature) in [
        (global(WORD), Some(0), Some(0)),
        (global(WORDS), Some(4), Some(4)),
        (with(WORD, one), Some(0), Some(0)),
        (with(WORDS, one), Some(4), Some(4)),
        (global(WIDE), Some(0), Some(0)),
        (global(WIDES), Some(16), Some(16)),
        (with(WIDE, one), Some(8), Some(8)),
        (with(WIDES, one), Some(8), Some(8)),
        (global(PAIR), Some(0), Some(1)),
        (global(PAIRS), Some(4), Some(1)),
        (global(BARRIER), Some(0), Some(1)),
        (global(BARRIERS), Some(8), Some(1)),
        (with(BARRIER, one), Some(1), Some(1)),
        (global(BYTES), Some(1), Some(1)),
        (global(BLOCKS), Some(1), Some(1)),
        (global(TILES), Some(1), Some(1)),
        (global(&Type::Opaque(Opaque::TexRef)), Some(0), Some(0)),
        (global(&Type::Unknown), None, None),
    ] {
        let found = (variable.indexed_bytes(false), variable.indexed_bytes(true));
        assert_eq!(found, (here, in_signature), "{variable:?}");
    }
}

#[test]
fn a_member_has_its_own_name_and_the_type_of_one() {
    const FAMILY: &Type<'static> = &Type::Family(Extent::Known(4), PAIR);
    assert_eq!((global(FAMILY).member("x3").name, global(FAMILY).member("x3").ty), ("x3", PAIR));
    assert_eq!((global(WORDS).member("y").name, global(WORDS).member("y").ty), ("y", WORDS));
    assert_eq!((global(FAMILY).unit().name, global(FAMILY).unit().ty), ("x", PAIR));
}
