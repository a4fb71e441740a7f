//! The content at the start of an operand: its type, and whether it is a barrier or a map, at one place or at
//! several possible places.

mod operands;

use operands::{breaks, computed_in, for_role, formed, message, of_type, starting};
use ptx_isa::instruction::{Direction, Role};
use ptx_isa::ir::{Extent, Field, Param, Pointer, Struct, StructKind, Type, Variable};
use ptx_isa::rules::access::Object;
use ptx_isa::rules::{Computed, Settled, StorageAccess, TensorAccess, TensorMode};
use ptx_isa::tensor::{ElementType, Spec, Swizzle};
use ptx_isa::{NumberFormat, ScalarType, Space};

use ScalarType::{
    B16, B32, B64, Bf16, E4m3, E5m2x4, F16, F16x2, F32, F64, Pred, S8, S16, S32, U8, U16, U32, U64,
};

const fn array<'a>(count: usize, element: &'a Type<'a>) -> Type<'a> {
    Type::Array(Extent::Known(count), element)
}

const fn scalar(scalar: ScalarType) -> &'static Type<'static> {
    Type::of_scalar(scalar)
}

const fn field<'a>(offset: usize, ty: &'a Type<'a>) -> Field<'a> {
    Field { name: "f", offset, ty, pointer: None }
}

/// A struct of these fields, which are leaked.
fn fields<const N: usize>(size: usize, fields: [Field<'_>; N]) -> Type<'_> {
    let fields = Vec::from(fields).leak();
    Type::Struct(Struct { name: "S", size, align: 1, fields, kind: StructKind::Fields })
}

const fn special(size: usize, kind: StructKind<'_>) -> Type<'_> {
    Type::Struct(Struct { name: "K", size, align: 8, fields: &[], kind })
}

const BARRIER: Type<'static> = special(8, StructKind::Mbarrier);

/// Whether an access to a global variable of this type breaks a rule.
fn of_global(access: StorageAccess<'_>, ty: &Type<'_>, code: &str) -> bool {
    let variable = Variable::new(Space::Global, "x", ty);
    breaks(access, Object::Variable(&variable), code)
}

/// Whether an access by a pointer to this type breaks a rule.
fn of_pointee(access: StorageAccess<'_>, ty: &Type<'_>, code: &str) -> bool {
    let pointer = Some(Pointer { space: Some(Space::Global), align: None, pointee: ty });
    let param = Param { pointer, ..Param::new("p", scalar(U64)) };
    breaks(access, Object::Pointee(&param), code)
}

/// A store of numbers that are computed as `f16`, which are integers or `f32` nowhere.
const HALVES: StorageAccess<'static> = computed_in(NumberFormat::F16, B32);

#[test]
fn up_to_256_places_must_all_have_another_type() {
    for (count, is_found) in [(1, true), (2, true), (255, true), (256, true), (257, false)] {
        let ty = array(count, scalar(F32));
        assert_eq!(of_global(starting(HALVES, 0, 4), &ty, "A034"), is_found, "{count}");
        let pairs = fields(8, [field(0, scalar(F32)), field(4, scalar(S32))]);
        let ty = array(count, &pairs);
        assert_eq!(of_global(starting(HALVES, 0, 8), &ty, "A034"), is_found, "{count}");
        assert!(!of_global(starting(HALVES, 4, 8), &ty, "A034"), "{count}");
        assert!(!of_global(starting(HALVES, 0, 4), &ty, "A034"), "{count}");
    }
}

#[test]
fn a_single_place_is_checked_exactly() {
    let ty = fields(8, [field(0, scalar(F32)), field(4, scalar(S32))]);
    for (at, is_found) in [(0, true), (4, false), (8, false), (-4, false), (-8, false)] {
        assert_eq!(of_global(starting(HALVES, at, 0), &ty, "A034"), is_found, "{at}");
        // Anything may precede and follow a single struct.
        assert_eq!(of_pointee(starting(HALVES, at, 0), &ty, "A034"), is_found, "{at}");
    }
    // A pointer points to consecutive scalars.
    for at in [-8, -4, 0, 4, 400] {
        assert!(of_pointee(starting(HALVES, at, 0), scalar(F32), "A034"), "{at}");
        assert_eq!(of_global(starting(HALVES, at, 0), scalar(F32), "A034"), at >= 0, "{at}");
    }
}

#[test]
fn the_last_place_may_be_the_last_byte() {
    let ty = fields(9, [field(0, scalar(F32)), field(4, scalar(F32)), field(8, scalar(S8))]);
    let barrier = for_role(Role::Barrier);
    assert!(!of_global(starting(barrier, 0, 4), &ty, "A024"), "the last byte may be one");
    assert!(of_global(starting(barrier, 0, 4), &array(2, scalar(F32)), "A024"));
    assert!(of_global(starting(barrier, 0, 3), &array(2, scalar(F32)), "A024"));
}

#[test]
fn places_behind_a_pointer_come_back_to_the_first() {
    let ty = array(16, scalar(F32));
    for step in [4, 8, 16, 64, 256, 4096] {
        assert!(of_pointee(starting(HALVES, 0, step), &ty, "A034"), "{step}");
    }
    let pair = fields(8, [field(0, scalar(F32)), field(4, scalar(S32))]);
    for (base, step, is_found) in
        [(0, 8, true), (0, 4, false), (4, 8, false), (8, 16, true), (12, 16, false), (0, 12, false)]
    {
        assert_eq!(of_pointee(starting(HALVES, base, step), &pair, "A034"), is_found);
    }
    // The same holds for one byte; nothing is known about an empty or unknown type.
    assert!(of_pointee(starting(HALVES, 0, 4), scalar(E4m3), "A034"));
    assert!(!of_pointee(HALVES, &array(0, scalar(U32)), "A034"));
    assert!(!of_pointee(starting(HALVES, 0, 4), &array(0, scalar(U32)), "A034"));
    assert!(!of_global(starting(HALVES, 0, 4), &array(0, scalar(U32)), "A034"));
    assert!(!of_global(starting(HALVES, 0, 4), &Type::Unknown, "A034"));
}

/// The offsets of the bytes of barriers.
fn barrier_bytes(ty: &Type<'_>, start: usize, found: &mut Vec<usize>) {
    match ty {
        Type::Array(Extent::Known(count), inner) | Type::Family(Extent::Known(count), inner) => {
            let size = inner.size().expect("known");
            (0..*count).for_each(|n| barrier_bytes(inner, start + n * size, found));
        }
        Type::Aligned(_, inner) => barrier_bytes(inner, start, found),
        Type::Struct(Struct { kind: StructKind::Mbarrier, size, .. }) => {
            found.extend(start..start + size);
        }
        Type::Struct(layout) => {
            for field in layout.fields {
                barrier_bytes(field.ty, start + field.offset, found);
            }
        }
        _ => {}
    }
}

#[test]
fn an_access_goes_to_a_barrier_if_one_of_its_bytes_does() {
    let first = fields(24, [field(0, &BARRIER), field(8, scalar(U64)), field(16, scalar(U64))]);
    let middle = fields(24, [field(0, scalar(U64)), field(8, &BARRIER), field(16, scalar(U64))]);
    let last = fields(20, [field(0, scalar(U32)), field(4, scalar(U64)), field(12, &BARRIER)]);
    let aligned = Type::Aligned(8, &middle);
    let (two_first, two_last) = (array(2, &first), array(2, &last));
    let nested = fields(52, [field(0, &two_last), field(40, scalar(U32)), field(44, &BARRIER)]);
    for ty in [
        BARRIER,
        first,
        aligned,
        array(3, &first),
        array(4, &middle),
        array(3, &last),
        array(2, &two_first),
        array(2, &nested),
        nested,
        array(3, &BARRIER),
        array(8, scalar(U64)),
        Type::Family(Extent::Known(3), &first),
    ] {
        let size = ty.size().expect("known");
        let mut barriers = Vec::new();
        barrier_bytes(&ty, 0, &mut barriers);
        for at in 0..size {
            for bytes in 1..=size - at {
                let expected = (at..at + bytes).any(|byte| barriers.contains(&byte));
                let access = StorageAccess { bytes: Some(bytes), ..operands::LOAD };
                let access = starting(access, i128::try_from(at).expect("small"), 0);
                assert_eq!(of_global(access, &ty, "A023"), expected, "{bytes} at {at}: {ty:?}");
            }
        }
    }
}

#[test]
fn the_first_byte_counts_for_an_access_of_unknown_size() {
    let ty = fields(24, [field(0, scalar(U64)), field(8, &BARRIER), field(16, scalar(U64))]);
    for (at, is_found) in [(0, false), (7, false), (8, true), (15, true), (16, false)] {
        let access = StorageAccess { bytes: None, ..operands::LOAD };
        assert_eq!(of_global(starting(access, at, 0), &ty, "A023"), is_found, "{at}");
    }
    // Past its end, another rule applies; at an unknown offset, none does.
    assert!(!of_global(starting(operands::LOAD, 8, 0), &BARRIER, "A023"));
    assert!(!of_global(starting(operands::LOAD, -4, 0), &BARRIER, "A023"));
    assert!(!of_global(starting(operands::LOAD, 0, 8), &array(4, &BARRIER), "A023"));
    // The number of barriers does not matter, and an unknown type is not a barrier.
    assert!(of_global(operands::LOAD, &Type::Array(Extent::Incomplete, &BARRIER), "A023"));
    assert!(of_global(operands::LOAD, &array(0, &BARRIER), "A023"));
    assert!(!of_global(operands::LOAD, &array(2, &Type::Unknown), "A023"));
    assert!(!of_global(operands::LOAD, &Type::Unknown, "A023"));
}

#[test]
fn only_some_types_may_be_barriers_or_maps() {
    const SPEC: Spec = Spec::tiled_unchecked(ElementType::F32, 2, [32, 8, 1, 1, 1]);
    let map = special(128, StructKind::TensorMap(&SPEC));
    let tile = special(1024, StructKind::Tile(&SPEC));
    let vector = Type::Vector(2, U32);
    for (ty, is_barrier, is_map) in [
        (&BARRIER, true, false),
        (&map, false, true),
        (&tile, false, false),
        (&vector, false, false),
        (scalar(B64), true, true),
        (scalar(B32), true, true),
        (scalar(U64), true, true),
        (scalar(U8), true, true),
        (scalar(S8), true, true),
        (scalar(U32), false, true),
        (scalar(S16), false, true),
        (scalar(F64), false, false),
        (scalar(F32), false, false),
        (&Type::Unknown, true, true),
    ] {
        assert_eq!(!of_global(for_role(Role::Barrier), ty, "A024"), is_barrier, "{ty:?}");
        assert_eq!(!of_global(for_role(Role::Map), ty, "A025"), is_map, "{ty:?}");
    }
}

#[test]
fn numbers_are_computed_in_the_declared_format() {
    use NumberFormat as Of;
    for (format, taken, is, fits) in [
        (Of::F32, F32, F32, true),
        (Of::F32, B32, F16x2, false),
        (Of::F32, F32, F16, false),
        (Of::F32, F32, F64, false),
        (Of::F64, F64, F32, false),
        (Of::F16, B16, Bf16, false),
        (Of::F16, B32, F16x2, true),
        (Of::F16, B16, F16x2, true),
        (Of::E4m3, B16, E5m2x4, false),
        (Of::E4m3, B16, ScalarType::Ue4m3, true),
        // One format is the upper part of the other; the lower part of a wider number overwrites another.
        (Of::F32, F32, Bf16, false),
        (Of::Bf16, B32, F32, true),
        // Integers of the size may be bits of numbers, unless the access says otherwise.
        (Of::F32, F32, U32, false),
        (Of::F32, F32, S32, false),
        (Of::F32, B32, U32, true),
        (Of::F32, U32, U32, true),
        (Of::F64, F64, U64, false),
        (Of::F32, F32, U64, true),
        (Of::F32, F32, U16, true),
        // Anything may be in bits and bytes.
        (Of::F32, F32, B32, true),
        (Of::F32, F32, U8, true),
        (Of::F32, F32, S8, true),
        (Of::F32, F32, Pred, true),
    ] {
        let access = computed_in(format, taken);
        assert_eq!(!of_global(access, scalar(is), "A034"), fits, "{format:?} {taken:?} {is:?}");
    }
    // An access that starts inside an element is misaligned, which another rule reports.
    assert!(!of_global(starting(computed_in(Of::F16, B32), 2, 0), scalar(F32), "A034"));
}

#[test]
fn narrow_numbers_that_are_loaded_are_left_to_the_rules_of_formats() {
    let load =
        |format, ty| formed(computed_in(format, ty), |form| form.direction = Direction::Read);
    assert!(!of_global(load(NumberFormat::F32, F32), scalar(F16x2), "A034"));
    assert!(of_global(load(NumberFormat::F32, F32), scalar(F64), "A034"));
    assert!(of_global(load(NumberFormat::F64, F64), scalar(F32), "A034"));
    assert!(of_global(load(NumberFormat::F32, F32), scalar(U32), "A034"));
}

#[test]
fn half_of_a_pointer_is_no_address() {
    let half = |ty, pointer| {
        let param = Param { pointer, ..Param::new("p", scalar(ty)) };
        let settled = Settled { computed: Some(Computed::Address), ..Settled::NOTHING };
        let access = StorageAccess { settled, ..of_type(U32) };
        breaks(access, Object::EntryParam(&param), "A034")
    };
    let pointer = Pointer { space: Some(Space::Global), align: None, pointee: scalar(F32) };
    assert!(half(U64, Some(pointer)));
    assert!(!half(U64, None));
    assert!(!half(U32, Some(pointer)));
}

#[test]
fn data_that_the_program_does_not_compute_with_has_any_type() {
    for (access, is_found) in [(HALVES, true), (of_type(S32), false), (operands::LOAD, false)] {
        assert_eq!(of_global(access, scalar(F32), "A034"), is_found);
    }
}

#[test]
fn places_without_numbers_have_no_wrong_type() {
    // One of the places is in a barrier, to which other rules apply.
    let ty = fields(16, [field(0, scalar(F32)), field(4, scalar(F32)), field(8, &BARRIER)]);
    assert!(of_global(starting(HALVES, 0, 0), &ty, "A034"));
    assert!(of_global(starting(HALVES, 4, 16), &ty, "A034"));
    assert!(!of_global(starting(HALVES, 0, 8), &ty, "A034"));
    assert!(!of_global(starting(HALVES, 8, 0), &ty, "A034"));
}

#[test]
fn the_elements_of_a_tile_have_its_format() {
    use {ElementType as Of, NumberFormat as Format};
    for (element, format, fits) in [
        (Of::F16, Format::F16, true),
        (Of::F16, Format::Bf16, false),
        (Of::F16, Format::F32, false),
        (Of::Bf16, Format::F16, false),
        (Of::Bf16, Format::F32, false),
        (Of::F32, Format::F32, true),
        (Of::F32, Format::F64, false),
        (Of::F32, Format::F16, false),
        (Of::F64, Format::F32, false),
        // A `tf32` is the upper bits of an `f32`.
        (Of::Tf32, Format::F32, true),
        (Of::Tf32, Format::F16, false),
        // Integers may be the bits of numbers.
        (Of::U16, Format::F16, true),
        (Of::I32, Format::F32, true),
        (Of::F32Ftz, Format::F32, true),
    ] {
        let spec =
            Spec { swizzle: Swizzle::None, ..Spec::tiled_unchecked(element, 2, [32, 8, 1, 1, 1]) };
        let tile = special(spec.tile_stride(), StructKind::Tile(&spec));
        let found = of_global(computed_in(format, F32), &tile, "A034");
        assert_eq!(!found, fits, "{element:?} taken for {format:?}");
    }
}

#[test]
fn a_fix_names_the_declared_type() {
    use NumberFormat as Of;
    let with =
        |format, ty, direction| formed(computed_in(format, ty), |form| form.direction = direction);
    for (access, ty, mend) in [
        (with(Of::F32, F32, Direction::Read), U32, "load it as `.u32`, and convert it with `cvt`"),
        (with(Of::F32, F32, Direction::Read), F64, "load it as `.f64`, and convert it with `cvt`"),
        (with(Of::F32, B32, Direction::Write), F16x2, "convert it to `.f16x2` with `cvt` first"),
        (with(Of::F16, F16, Direction::ReadWrite), Bf16, "declare it as bits, `B16`, which any"),
        (with(Of::F32, F32, Direction::ReadWrite), U32, "declare it as bits, `B32`, which any"),
        (with(Of::F64, F64, Direction::ReadWrite), U64, "declare it as bits, `B64`, which any"),
    ] {
        let variable = Variable::new(Space::Global, "x", scalar(ty));
        let text = message(access, Object::Variable(&variable), "A034");
        assert!(text.contains(mend), "{text}");
    }
}

#[test]
fn a_map_is_not_a_number() {
    const SPEC: Spec = Spec::tiled_unchecked(ElementType::F32, 2, [32, 8, 1, 1, 1]);
    let map = special(128, StructKind::TensorMap(&SPEC));
    let first = fields(136, [field(0, &map), field(128, scalar(U64))]);
    let second = fields(136, [field(0, scalar(U64)), field(8, &map)]);
    let (two, aligned) = (array(2, &first), Type::Aligned(64, &map));
    for (ty, at, access, is_found) in [
        (&map, 0, of_type(U64), true),
        (&map, 64, of_type(U64), true),
        (&aligned, 0, of_type(U64), true),
        (&first, 0, of_type(U64), true),
        (&first, 128, of_type(U64), false),
        (&second, 0, of_type(U64), false),
        (&second, 8, of_type(U64), true),
        (&two, 136, of_type(U64), true),
        (&map, 0, of_type(B64), false),
        (&map, 0, operands::LOAD, false),
        (&BARRIER, 0, of_type(U64), false),
        (scalar(U64), 0, of_type(U64), false),
    ] {
        assert_eq!(of_global(starting(access, at, 0), ty, "A048"), is_found, "{at} {ty:?}");
    }
    let taken = formed(of_type(U64), |form| form.direction = Direction::Taken);
    assert!(!of_global(taken, &map, "A048"));
    // It is unknown which of several maps it is.
    assert!(!of_global(starting(of_type(U64), 0, 128), &array(2, &map), "A048"));
}

#[test]
fn a_copy_has_the_rank_and_the_mode_of_its_map() {
    const SPEC: Spec = Spec::tiled_unchecked(ElementType::F32, 2, [32, 8, 1, 1, 1]);
    let map = special(128, StructKind::TensorMap(&SPEC));
    for (rank, mode, code) in [
        (Some(2), TensorMode::Tile, ""),
        (None, TensorMode::Tile, ""),
        (Some(3), TensorMode::Tile, "A026"),
        (Some(1), TensorMode::Tile, "A026"),
        (Some(2), TensorMode::Gather4, "A027"),
        (Some(2), TensorMode::Im2col, "A027"),
        (None, TensorMode::Im2col, "A027"),
    ] {
        let tensor = TensorAccess { rank, mode, direction: Direction::Read };
        let access = formed(for_role(Role::Map), |form| form.tensor = Some(tensor));
        for of in ["A026", "A027"] {
            assert_eq!(of_global(access, &map, of), of == code, "{rank:?} {mode:?}");
            // At an unknown offset, it may be another map.
            assert!(!of_global(starting(access, 0, 128), &map, of));
            assert!(!of_global(starting(access, -128, 0), &map, of));
        }
    }
}
