//! Tensor maps and tiles in storage: their valid places, their targets, and the buffers of maps in initial
//! values.

use ptx_types::ir::{
    Address, Extent, Field, Init, Link, Linked, Scope, Struct, StructKind, Type, Variable,
};
use ptx_types::rules::{self, AddressTarget, Environment};
use ptx_types::tensor::{ElementType, Spec, Swizzle, Tensor, encode};
use ptx_types::{ScalarType, Space, Target};

const U8: Type<'static> = Type::Scalar(ScalarType::U8);
const F32: Type<'static> = Type::Scalar(ScalarType::F32);
const F64: Type<'static> = Type::Scalar(ScalarType::F64);

/// Maps of boxes of 8 rows of 32 elements.
const SPEC: Spec = Spec::tiled_unchecked(ElementType::F32, 2, [32, 8, 1, 1, 1]);

const fn special<'a>(name: &'a str, size: usize, kind: StructKind<'a>) -> Type<'a> {
    Type::Struct(Struct { name, size, align: 64, fields: &[], kind })
}

const fn map(spec: &Spec) -> Type<'_> {
    special("Map", 128, StructKind::TensorMap(spec))
}

const fn field<'a>(offset: usize, ty: &'a Type<'a>) -> Field<'a> {
    Field { name: "f", offset, ty, pointer: None }
}

const fn fields<'a>(size: usize, fields: &'a [Field<'a>]) -> Type<'a> {
    Type::Struct(Struct { name: "S", size, align: 64, fields, kind: StructKind::Fields })
}

fn of(variable: &Variable<'_>, target: Option<Target>, code: &str) -> String {
    let env = Environment { target, ..Environment::UNKNOWN };
    let found = rules::check_variable(variable, Scope::Module, env);
    let found = found.iter().filter(|violation| violation.rule.code == code);
    found.map(ToString::to_string).collect()
}

#[test]
fn tiles_and_barriers_are_in_shared_memory_wherever_they_are_in_it() {
    let tile = special("Tile", 1024, StructKind::Tile(&SPEC));
    let barrier = special("Mbarrier", 8, StructKind::Mbarrier);
    let map = map(&SPEC);
    let (first, second) =
        ([field(0, &tile), field(1024, &F32)], [field(0, &F32), field(64, &barrier)]);
    let (first, second) = (fields(1088, &first), fields(128, &second));
    let nested = [field(0, &second), field(128, &F32)];
    let (array, nested) = (Type::Array(Extent::Known(2), &first), fields(192, &nested));
    for (ty, what) in [
        (&tile, "the tile of a tensor map, `Tile`"),
        (&barrier, "a barrier, `Mbarrier`"),
        (&first, "the tile of a tensor map, `Tile`"),
        (&second, "a barrier, `Mbarrier`"),
        (&nested, "a barrier, `Mbarrier`"),
        (&array, "the tile of a tensor map, `Tile`"),
        (&map, ""),
        (&F32, ""),
    ] {
        let variable = Variable::new(Space::Global, "x", ty);
        let text = of(&variable, None, "D075");
        assert_eq!(text.is_empty(), what.is_empty(), "{text}");
        assert!(text.contains(what), "{text}");
        assert_eq!(of(&Variable { space: Space::Shared, ..variable }, None, "D075"), "");
    }
}

#[test]
fn a_map_needs_a_target_that_supports_it() {
    // Elements of 4 bits in 16 bytes, which no target before sm_100 supports.
    let spec = Spec {
        swizzle: Swizzle::B128,
        ..Spec::tiled_unchecked(ElementType::B4x16P64, 2, [128, 8, 1, 1, 1])
    };
    let (absent, plain) = (map(&spec), map(&SPEC));
    let (first, second) =
        ([field(0, &absent), field(128, &F32)], [field(0, &F32), field(64, &absent)]);
    let (first, second) = (fields(192, &first), fields(192, &second));
    let array = Type::Array(Extent::Known(2), &second);
    for (ty, is_found) in [
        (&absent, true),
        (&first, true),
        (&second, true),
        (&array, true),
        (&plain, false),
        (&F32, false),
    ] {
        let variable = Variable::new(Space::Const, "x", ty);
        assert_eq!(!of(&variable, Some(Target::Sm90), "D071").is_empty(), is_found, "{ty:?}");
        assert_eq!(of(&variable, Some(Target::Sm100a), "D071"), "", "{ty:?}");
        assert_eq!(of(&variable, None, "D071"), "", "{ty:?}");
    }
    // A fault on every target is reported at the declaration of the map, and hides nothing here.
    for tile in [[0, 8, 1, 1, 1], [128, 0, 1, 1, 1], [128, 257, 1, 1, 1]] {
        let wrong =
            Spec { mode: Spec::tiled_unchecked(spec.element, 2, tile).mode, rank: 9, ..spec };
        let ty = map(&wrong);
        let variable = Variable::new(Space::Const, "x", &ty);
        assert_ne!(of(&variable, Some(Target::Sm90), "D071"), "", "{tile:?}");
        assert_eq!(of(&variable, Some(Target::Sm100a), "D071"), "", "{tile:?}");
    }
}

/// The messages about maps in the initial value of a variable. The maps use these declarations in turn; each has
/// a symbol, an offset in bytes into its buffer, and the number of rows of its tensor.
fn over(buffer: &Type<'_>, specs: &[&Spec], maps: &[(&str, i128, u64)], code: &str) -> Vec<String> {
    let types: Vec<_> = specs.iter().map(|spec| map(spec)).collect();
    let (mut bytes, mut links, mut holds) = (Vec::new(), Vec::new(), Vec::new());
    for ((symbol, addend, rows), n) in maps.iter().zip((0..specs.len()).cycle()) {
        let tensor = Tensor::dense(0, specs[n].element, [32, *rows, 1, 1, 1]);
        let descriptor = encode(specs[n], &tensor, Target::Sm90a).expect("it is one");
        let address = Address { symbol, generic: true, addend: *addend };
        holds.push(field(bytes.len(), &types[n]));
        links.push(Link { at: bytes.len(), size: 8, address, byte: None });
        bytes.extend(descriptor.as_bytes());
    }
    let holder = fields(bytes.len(), &holds);
    let init = Init::Linked(Linked { bytes: &bytes, links: &links });
    let holder = Variable { init, ..Variable::new(Space::Global, "maps", &holder) };
    let target = Variable::new(Space::Global, "buffer", buffer);
    let mut found = Vec::new();
    for link in &links {
        let symbol = AddressTarget::Variable(&target);
        let of = rules::check_address(&link.address, symbol, &holder);
        let of = of.iter().filter(|violation| violation.rule.code == code);
        found.push(of.map(ToString::to_string).collect());
    }
    found
}

/// Whether each map breaks the rule.
fn are_found(buffer: &Type<'_>, maps: &[(&str, i128, u64)], code: &str) -> Vec<bool> {
    over(buffer, &[&SPEC], maps, code).iter().map(|text| !text.is_empty()).collect()
}

#[test]
fn a_tensor_lies_in_its_buffer() {
    // 16 rows of 128 bytes.
    let buffer = Type::Array(Extent::Known(512), &F32);
    let open = Type::Array(Extent::Incomplete, &F32);
    for (addend, rows, is_found) in [
        (0, 16, false),
        (0, 17, true),
        (128, 15, false),
        (128, 16, true),
        (-128, 16, false),
        (-128, 99, false),
    ] {
        let maps = [("buffer", addend, rows)];
        assert_eq!(are_found(&buffer, &maps, "D072"), [is_found], "{addend} {rows}");
        assert_eq!(are_found(&open, &maps, "D072"), [false], "{addend} {rows}");
    }
    let text = &over(&buffer, &[&SPEC], &[("buffer", 0, 20)], "D072")[0];
    assert!(
        text.starts_with(
            "the tensor of `maps` ends at byte 2560 of `buffer`, which has 2,048 bytes;"
        ),
        "{text}"
    );
}

#[test]
fn several_maps_each_have_their_own_address() {
    let buffer = Type::Array(Extent::Known(512), &F32);
    // If the addresses are equal, all maps over that buffer are checked.
    for (maps, expected) in [
        (&[("buffer", 0, 16), ("buffer", 0, 17)][..], &[true, true][..]),
        (&[("buffer", 0, 17), ("buffer", 0, 16)], &[true, true]),
        (&[("buffer", 0, 16), ("buffer", 128, 16)], &[false, true]),
        (&[("buffer", 128, 16), ("buffer", 0, 16)], &[true, false]),
        (&[("buffer", 0, 16), ("other", 0, 17)], &[false, true]),
        (&[("other", 0, 17), ("buffer", 0, 16)], &[true, false]),
        (&[("buffer", 0, 1), ("buffer", 0, 2), ("buffer", 0, 17)], &[true; 3]),
    ] {
        assert_eq!(are_found(&buffer, maps, "D072"), expected, "{maps:?}");
    }
}

#[test]
fn a_map_has_the_elements_of_its_buffer() {
    let wide = Spec::tiled_unchecked(ElementType::F64, 2, [16, 8, 1, 1, 1]);
    let halves = Type::Scalar(ScalarType::F16);
    let structs = [field(0, &F32)];
    let structure = fields(64, &structs);
    for (element, of_f32, of_f64) in [
        (&F32, false, true),
        (&F64, true, false),
        (&halves, true, true),
        (&U8, false, false),
        (&structure, false, false),
    ] {
        let buffer = Type::Array(Extent::Known(4096), element);
        for (spec, expected) in [(&SPEC, of_f32), (&wide, of_f64)] {
            let found = over(&buffer, &[spec], &[("buffer", 0, 4), ("buffer", 0, 8)], "D074");
            let found: Vec<_> = found.iter().map(|text| !text.is_empty()).collect();
            assert_eq!(found, [expected; 2], "{element:?} {:?}", spec.element);
        }
    }
    // One of two maps over the same address is enough.
    let buffer = Type::Array(Extent::Known(4096), &F32);
    for specs in [[&SPEC, &wide], [&wide, &SPEC]] {
        let found = over(&buffer, &specs, &[("buffer", 0, 4), ("buffer", 0, 4)], "D074");
        assert!(found.iter().all(|text| text.contains("is a tensor map of `f64`")), "{found:?}");
    }
}

#[test]
fn a_static_map_is_in_the_layout_that_was_observed() {
    let ty = map(&SPEC);
    let pair = [field(0, &F64), field(64, &ty)];
    let holder = fields(192, &pair);
    let bytes = [0; 192];
    let link = |at| Link {
        at,
        size: 8,
        address: Address { symbol: "y", generic: true, addend: 0 },
        byte: None,
    };
    for (links, is_found) in [
        (&[link(64)][..], true),
        (&[link(0)], false),
        (&[link(0), link(64)], true),
        (&[link(64), link(0)], true),
        (&[], false),
    ] {
        let init = Init::Linked(Linked { bytes: &bytes, links });
        let variable = Variable { init, ..Variable::new(Space::Global, "x", &holder) };
        assert_eq!(!of(&variable, Some(Target::Sm100a), "D073").is_empty(), is_found);
        assert_eq!(of(&variable, Some(Target::Sm90), "D073"), "");
        assert_eq!(of(&variable, None, "D073"), "");
    }
}
