//! The locations of operands: their name or address, state space, offset and alignment.

mod operands;

use operands::{LOAD, breaks, for_role, formed, message, of_type, starting};
use ptx_isa::instruction::{Direction, Role};
use ptx_isa::ir::{Extent, Param, Pointer, Type, Unified, Variable};
use ptx_isa::rules::access::{Object, SubSpace};
use ptx_isa::rules::alignment::{Alignment, Demand, Demands};
use ptx_isa::rules::{self, AddressKind, Reached, StorageAccess, TensorAccess, TensorMode, Via};
use ptx_isa::{Opaque, ScalarType, Space, Version};

const U8: Type<'static> = Type::Scalar(ScalarType::U8);
const U32: Type<'static> = Type::Scalar(ScalarType::U32);
const U64: Type<'static> = Type::Scalar(ScalarType::U64);
const TEXTURE: Type<'static> = Type::Opaque(Opaque::TexRef);

const GLOBAL: Variable<'static> = Variable::new(Space::Global, "x", &U32);
const SHARED: Variable<'static> = Variable::new(Space::Shared, "x", &U32);
const PARAM: Param<'static> = Param::new("p", &U32);
const POINTER: Param<'static> = Param::new("p", &Type::Scalar(ScalarType::U64));
const LOCAL: Variable<'static> = Variable::new(Space::Param, "p", &U32);

/// A load from this state space.
fn into(space: Option<Space>) -> StorageAccess<'static> {
    formed(LOAD, |form| form.space = space)
}

/// The load through a register that holds an address in this space.
const fn through(access: StorageAccess<'static>, kind: AddressKind) -> StorageAccess<'static> {
    StorageAccess { via: Via::Register("%rd1", kind), ..access }
}

fn directed(access: StorageAccess<'static>, direction: Direction) -> StorageAccess<'static> {
    formed(access, |form| form.direction = direction)
}

/// An access that does not fix its space: it also accepts a generic address into it.
fn unnamed(access: StorageAccess<'static>) -> StorageAccess<'static> {
    formed(access, |form| form.names_space = false)
}

/// The codes in `among` whose rules an operand breaks.
fn of(access: StorageAccess<'_>, object: Object<'_>, among: &[&'static str]) -> String {
    among.iter().copied().filter(|code| breaks(access, object, code)).collect()
}

#[test]
fn parts_of_param_space_are_named_by_loads_and_stores() {
    let load =
        |sub_space| formed(into(Some(Space::Param)), |form| form.sub_space = Some(sub_space));
    let store = |sub_space| directed(load(sub_space), Direction::Write);
    let (entry, input) = (Object::EntryParam(&PARAM), Object::Input(&LOCAL));
    let (back, local) = (Object::Return(&LOCAL), Object::LocalParam(&LOCAL));
    for (access, object, expected) in [
        (load(SubSpace::Func), entry, "A009"),
        (load(SubSpace::Entry), entry, ""),
        (load(SubSpace::Entry), input, "A009"),
        (load(SubSpace::Func), input, ""),
        (load(SubSpace::Entry), local, "A009"),
        (store(SubSpace::Func), entry, ""),
        (store(SubSpace::Entry), local, "A010"),
        (store(SubSpace::Func), local, ""),
        (store(SubSpace::Entry), back, "A010"),
    ] {
        assert_eq!(of(access, object, &["A009", "A010"]), expected, "{access:?} {object:?}");
    }
    let taken = directed(into(None), Direction::Taken);
    assert_eq!(of(taken, local, &["A003"]), "A003");
    assert_eq!(of(through(taken, AddressKind::Own), local, &["A003"]), "");
    assert_eq!(of(taken, input, &["A003"]), "");
}

#[test]
fn qualifiers_came_with_versions() {
    for (sub_space, since, arch) in [
        (SubSpace::Entry, (8, 3), 10),
        (SubSpace::Func, (8, 3), 10),
        (SubSpace::Cta, (7, 8), 10),
        (SubSpace::Cluster, (7, 8), 90),
    ] {
        assert_eq!(sub_space.since(), Version::new(since.0, since.1), "{sub_space:?}");
        assert_eq!(sub_space.min_arch(), arch, "{sub_space:?}");
    }
}

#[test]
fn nothing_is_added_to_the_address_of_a_texture() {
    let texture = Variable::new(Space::Global, "t", &TEXTURE);
    let textures = Type::Array(Extent::Known(2), &TEXTURE);
    let array = Variable::new(Space::Global, "t", &textures);
    let taken = directed(into(None), Direction::Taken);
    let among = ["A007", "A008"];
    for (access, variable, expected) in [
        (taken, &texture, ""),
        (starting(taken, 4, 0), &texture, "A008"),
        (starting(taken, 0, 4), &texture, "A008"),
        (starting(through(taken, AddressKind::Own), 4, 0), &texture, ""),
        (starting(taken, 4, 0), &GLOBAL, ""),
        (starting(LOAD, 4, 0), &texture, "A007"),
        (LOAD, &texture, "A007"),
        // ptxas sees an array as bytes; its declaration is reported elsewhere.
        (LOAD, &array, ""),
    ] {
        assert_eq!(of(access, Object::Variable(variable), &among), expected, "{access:?}");
    }
}

#[test]
fn named_objects_are_in_the_given_space() {
    for (access, object, mend) in [
        (
            into(Some(Space::Global)),
            Object::EntryParam(&POINTER),
            "; load the address that it holds with `ld.param` first",
        ),
        (
            into(Some(Space::Global)),
            Object::EntryParam(&PARAM),
            "; write `.param` in place of `.global`, or use a variable in `.global`",
        ),
        (
            into(Some(Space::Global)),
            Object::Variable(&SHARED),
            "; write `.shared` in place of `.global`, or use a variable in `.global`",
        ),
        (
            formed(into(Some(Space::Shared)), |form| form.role = Role::Barrier),
            Object::Variable(&GLOBAL),
            "; use a variable in `.shared`",
        ),
        (
            unnamed(into(Some(Space::Global))),
            Object::EntryParam(&PARAM),
            "take its address with `mov` and `cvta.param`",
        ),
        (
            unnamed(into(Some(Space::Global))),
            Object::Variable(&SHARED),
            "; use a variable in `.global`",
        ),
    ] {
        let text = message(access, object, "A018");
        assert!(text.contains(mend), "{text}");
    }
    assert!(!breaks(into(Some(Space::Shared)), Object::Variable(&SHARED), "A018"));
}

#[test]
fn an_address_of_64_bits_is_not_moved_to_32() {
    let moved = |ty| directed(formed(of_type(ty), |form| form.space = None), Direction::Taken);
    let (narrow, wide) = (moved(ScalarType::U32), moved(ScalarType::U64));
    for (access, variable, is_found) in [
        (narrow, &GLOBAL, true),
        (narrow, &SHARED, false),
        (wide, &GLOBAL, false),
        (directed(narrow, Direction::Read), &GLOBAL, false),
        (formed(narrow, |form| form.space = Some(Space::Global)), &GLOBAL, false),
    ] {
        assert_eq!(breaks(access, Object::Variable(variable), "A046"), is_found, "{access:?}");
    }
}

#[test]
fn an_address_is_in_the_space_of_the_instruction() {
    use AddressKind::{Generic, In, Own, Unsure};
    let constant = Variable::new(Space::Const, "c", &U32);
    let (global, shared) = (Object::Variable(&GLOBAL), Object::Variable(&SHARED));
    let (entry, constant) = (Object::EntryParam(&PARAM), Object::Variable(&constant));
    let no_pointer = Object::Pointee(&PARAM);
    let to_global = into(Some(Space::Global));
    let to_shared = into(Some(Space::Shared));
    let map = formed(for_role(Role::Map), |form| form.space = Some(Space::Global));
    let taken = directed(to_global, Direction::Taken);
    let (other, generic, to_map) = ("A031", "A033", "A043");
    for (access, kind, object, expected) in [
        (to_global, Own, global, ""),
        (to_global, Own, shared, other),
        (to_global, Own, entry, other),
        (to_global, In(Space::Global), shared, other),
        (to_global, In(Space::Global), global, ""),
        // A converted address may be that of a parameter, whose location is unknown, or may not be accessed.
        (to_global, In(Space::Global), entry, ""),
        (taken, In(Space::Global), shared, ""),
        (to_global, Generic, shared, generic),
        (to_global, Generic, global, ""),
        (unnamed(to_global), Generic, shared, other),
        (unnamed(to_global), Generic, global, ""),
        (unnamed(to_global), Generic, constant, other),
        (unnamed(to_global), Generic, entry, other),
        (to_global, Unsure, shared, ""),
        (to_shared, Own, no_pointer, ""),
        (map, Own, entry, to_map),
        (unnamed(map), Generic, constant, ""),
        (unnamed(map), Generic, entry, ""),
        (unnamed(map), Generic, shared, other),
    ] {
        let found = of(through(access, kind), object, &[other, generic, to_map]);
        assert_eq!(found, expected, "{kind:?} of {object:?}: {:?}", access.form);
    }
}

#[test]
fn read_only_objects_and_their_tensors_are_not_written() {
    let readonly = Param { readonly: true, ..PARAM };
    let map = |direction| {
        let tensor = TensorAccess { rank: Some(2), mode: TensorMode::Tile, direction };
        formed(for_role(Role::Map), |form| form.tensor = Some(tensor))
    };
    for (access, param, expected) in [
        (map(Direction::Write), &readonly, "the parameter is declared `#[readonly]`"),
        (map(Direction::ReadWrite), &readonly, "the parameter is declared `#[readonly]`"),
        (map(Direction::Read), &readonly, ""),
        (map(Direction::Write), &PARAM, ""),
        (LOAD, &readonly, ""),
        (directed(LOAD, Direction::Write), &readonly, "a kernel's parameters are read-only"),
        (directed(LOAD, Direction::Write), &PARAM, "a kernel's parameters are read-only"),
    ] {
        let text = message(through(access, AddressKind::Own), Object::EntryParam(param), "A035");
        assert_eq!(text.is_empty(), expected.is_empty(), "{text}");
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn unified_variables_are_loaded_as_such() {
    let unified = Some(Unified { upper: 1, lower: 2 });
    let variable = Variable { unified, ..GLOBAL };
    for (unified, variable, is_found) in [
        (Some(false), &variable, true),
        (Some(true), &variable, false),
        (None, &variable, false),
        (Some(false), &GLOBAL, false),
    ] {
        let access = formed(LOAD, |form| form.unified = unified);
        assert_eq!(breaks(access, Object::Variable(variable), "A005"), is_found, "{unified:?}");
    }
}

#[test]
fn an_access_stays_inside_its_object() {
    let (bytes, none) = (Type::Array(Extent::Known(16), &U8), Type::Array(Extent::Known(0), &U8));
    let sized = |bytes| StorageAccess { bytes, ..LOAD };
    let cache = directed(sized(None), Direction::Cache);
    for (access, at, ty, expected) in [
        (sized(Some(4)), 12, &bytes, ""),
        (sized(Some(4)), 13, &bytes, "ends at byte 17"),
        (sized(Some(4)), -1, &bytes, "starts at byte -1"),
        (sized(Some(1)), 1, &U8, "ends at byte 2"),
        (sized(Some(1)), 0, &U8, ""),
        // An access of unknown size is at least one byte.
        (sized(None), 15, &bytes, ""),
        (sized(None), 16, &bytes, "ends at byte 17"),
        (cache, 16, &bytes, ""),
        (directed(sized(Some(4)), Direction::Cache), 16, &bytes, "ends at byte 20"),
        // Nothing is known about an object without bytes.
        (sized(Some(4)), 0, &none, ""),
        (sized(Some(4)), -4, &none, "starts at byte -4"),
    ] {
        let variable = Variable::new(Space::Global, "x", ty);
        let text = message(starting(access, at, 0), Object::Variable(&variable), "A020");
        assert_eq!(text.is_empty(), expected.is_empty(), "{at}: {text}");
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn possible_places_may_be_aligned() {
    let bytes = Type::Array(Extent::Known(64), &U8);
    let variable = Variable { align: Some(16), ..Variable::new(Space::Global, "x", &bytes) };
    for (align, base, step, is_found) in [
        (4, 0, 0, false),
        (4, 2, 0, true),
        (4, 2, 4, true),
        (4, 2, 8, true),
        (4, 2, 2, false),
        (4, 2, 6, false),
        (4, 1, 6, true),
        (8, 4, 4, false),
        (8, 2, 4, true),
        (1, 3, 0, false),
        // An access without an alignment can start anywhere.
        (0, 3, 0, false),
        (0, 1, 4, false),
    ] {
        let access = starting(StorageAccess { align: Some(align), ..LOAD }, base, step);
        let found = breaks(access, Object::Variable(&variable), "A021");
        assert_eq!(found, is_found, "{base} and {step} by {align}");
    }
}

#[test]
fn an_access_demands_the_missing_alignment() {
    let (four, unknown) = (GLOBAL, Variable::new(Space::Global, "x", &Type::Unknown));
    let access = |align| StorageAccess { align, ..LOAD };
    for (variable, align, demanded) in [
        (&four, Some(2), None),
        (&four, Some(4), None),
        (&four, Some(8), Some(8)),
        (&four, None, None),
        (&unknown, Some(8), None),
    ] {
        let found = Demand::of(access(align), Object::Variable(variable));
        assert_eq!(found.map(|demand| demand.align), demanded, "{align:?}");
    }
    let of = |demands| {
        let (object, mut count) = (Object::Variable(&GLOBAL), 0);
        rules::each_of_alignment(Alignment { object, demands }, |_| count += 1);
        count
    };
    assert_eq!(of(Demands::NONE), 0);
    assert_eq!(of(Demands::NONE.with(Demand { align: 8, is_typed: false }, 1, 3)), 1);
}

#[test]
fn an_index_counts_the_elements_of_the_text() {
    let vectors = Type::Array(Extent::Known(4), &Type::Vector(2, ScalarType::U32));
    let (param, local) = (Param::new("p", &vectors), Variable::new(Space::Param, "p", &vectors));
    for (object, bytes) in [
        (Object::EntryParam(&param), Some(1)),
        (Object::Input(&local), Some(1)),
        (Object::Return(&local), Some(1)),
        (Object::LocalParam(&local), Some(4)),
        (Object::Variable(&local), Some(4)),
        (Object::Pointee(&param), None),
    ] {
        assert_eq!(object.indexed_bytes(), bytes, "{object:?}");
    }
}

#[test]
fn a_report_names_its_execution() {
    let nearest = Reached { thread: None, round: None, is_nearest: false };
    for (reached, expected) in [
        (nearest, ";"),
        (Reached { thread: Some([1234, 0, 0]), ..nearest }, " (by thread 1234);"),
        (
            Reached { thread: Some([1001, 1002, 1003]), ..nearest },
            " (by thread (1001, 1002, 1003));",
        ),
        (Reached { thread: Some([1, 2, 0]), ..nearest }, " (by thread (1, 2, 0));"),
        (Reached { thread: Some([1, 0, 2]), ..nearest }, " (by thread (1, 0, 2));"),
        (
            Reached { round: Some(("LOOP", 5000)), ..nearest },
            " (in iteration 5000 of the loop at `LOOP`);",
        ),
        (
            Reached { thread: Some([3, 0, 0]), round: Some(("L", 2)), ..nearest },
            " (by thread 3, in iteration 2 of the loop at `L`);",
        ),
        (Reached { is_nearest: true, ..nearest }, " (the nearest of several places);"),
    ] {
        let access = StorageAccess { reached: Some(&reached), ..starting(LOAD, 4, 0) };
        let text = message(access, Object::Variable(&GLOBAL), "A020");
        assert!(text.contains(&format!("which has 4 bytes{expected}")), "{text}");
    }
}

#[test]
fn addresses_in_values_are_within_their_variable_if_its_end_is_known() {
    let (open, words) =
        (Type::Array(Extent::Incomplete, &U32), Type::Array(Extent::Known(2), &U32));
    let holder = Variable::new(Space::Global, "h", &U64);
    for (ty, addend, is_found) in [
        (&words, -1, true),
        (&words, 0, false),
        (&words, 7, false),
        (&words, 8, true),
        (&open, -1, true),
        (&open, 0, false),
        (&open, 1, false),
        (&open, 4096, false),
    ] {
        let variable = Variable::new(Space::Global, "x", ty);
        let address = ptx_isa::ir::Address { symbol: "x", generic: false, addend };
        let symbol = rules::AddressTarget::Variable(&variable);
        let found = rules::check_address(&address, symbol, &holder);
        let found = found.iter().any(|violation| violation.rule.code == "D034");
        assert_eq!(found, is_found, "{ty:?} {addend}");
    }
}

#[test]
fn a_pointer_has_a_space() {
    let pointer = Some(Pointer { space: Some(Space::Shared), align: None, pointee: &U32 });
    let param = Param { pointer, ..PARAM };
    let through_it = through(into(Some(Space::Global)), AddressKind::Own);
    assert_eq!(of(through_it, Object::Pointee(&param), &["A031"]), "A031");
    let through_it = through(into(Some(Space::Shared)), AddressKind::Own);
    assert_eq!(of(through_it, Object::Pointee(&param), &["A031"]), "");
}
