//! The numbers in fixes, on both sides of their edges, over the IR.

use ptx_isa::ir::{
    Address, Extent, Field, Function, FunctionKind, Param, Pointer, Scope, Struct, StructKind,
    Type, Variable,
};
use ptx_isa::rules::call::Actual;
use ptx_isa::rules::{self, AddressTarget, Environment};
use ptx_isa::tensor::{ElementType, Interleave, Mode, Spec, Swizzle, Tensor};
use ptx_isa::{ScalarType, Space, Target};

const U8: Type<'static> = Type::Scalar(ScalarType::U8);
const U64: Type<'static> = Type::Scalar(ScalarType::U64);

/// The messages of a rule.
fn of<'a>(found: impl IntoIterator<Item = rules::Violation<'a>>, code: &str) -> Vec<String> {
    let found = found.into_iter().filter(|violation| violation.rule.code == code);
    found.map(|violation| violation.to_string()).collect()
}

/// The only message of a rule, with this at the end of its fix.
#[track_caller]
fn ends<'a>(found: impl IntoIterator<Item = rules::Violation<'a>>, code: &str, fix: &str) {
    let found = of(found, code);
    let [message] = &found[..] else { panic!("{found:?}") };
    assert!(message.contains(&format!("{fix} [{code}")), "{message} does not end with {fix}");
}

/// A struct of one byte with this alignment.
fn aligned(align: usize) -> Struct<'static> {
    const FIELDS: &[Field<'static>] = &[Field { name: "x", offset: 0, ty: &U8, pointer: None }];
    Struct { name: "S", size: align, align, fields: FIELDS, kind: StructKind::Fields }
}

#[test]
fn alignments_around_one_that_is_not_a_power_of_two() {
    let of_128 = aligned(128);
    let of_256 = aligned(256);
    let of_3 = aligned(3);
    let [of_128, of_256, of_3] = [of_128, of_256, of_3].map(Type::Struct);
    let unknown = Type::Unknown;
    for (space, scope, ty, align, fix) in [
        (Space::Global, Scope::Module, &U8, 0, "write 1 or 2"),
        (Space::Global, Scope::Module, &unknown, 0, "write 1 or 2"),
        (Space::Global, Scope::Module, &U8, 3, "write 2 or 4"),
        (Space::Global, Scope::Module, &U64, 3, "write 8"),
        (Space::Global, Scope::Module, &U64, 12, "write 8 or 16"),
        (Space::Global, Scope::Module, &of_3, 5, "write 4 or 8"),
        (Space::Global, Scope::Module, &U8, (1 << 31) + 1, "write 2147483648"),
        // A `.param` of a body or of a function has at most 128.
        (Space::Param, Scope::Body, &U8, 200, "write 128"),
        (Space::Param, Scope::Function, &U8, 200, "write 128"),
        (Space::Param, Scope::Body, &of_128, 3, "write 128"),
        (Space::Param, Scope::Body, &of_256, 3, "write 2 or 4"),
        (Space::Global, Scope::Body, &U8, 200, "write 128 or 256"),
        (Space::Param, Scope::Param, &U8, 200, "write 128 or 256"),
    ] {
        let variable = Variable { align: Some(align), ..Variable::new(space, "x", ty) };
        ends(rules::check_variable(&variable, scope, Environment::UNKNOWN), "D005", fix);
    }
    let pointer = Pointer { space: None, align: Some((1 << 63) + 1), pointee: &U8 };
    let param = Param { pointer: Some(pointer), ..Param::new("p", &U64) };
    let callee = rules::call::Callee::new(false, false);
    let found = rules::check_param(&param, Scope::Param, callee, Environment::UNKNOWN);
    ends(found, "D020", "write 9223372036854775808");
}

#[test]
fn offsets_into_a_variable() {
    let array = |bytes| Type::Array(Extent::Known(bytes), &U8);
    for (bytes, addend, has, fix) in [
        (1, 1, "which has 1 byte;", "from 0 to 0"),
        (2, 2, "which has 2 bytes;", "from 0 to 1"),
        (8, -1, "which has 8 bytes;", "from 0 to 7"),
    ] {
        let ty = array(bytes);
        let target = Variable::new(Space::Global, "x", &ty);
        let holder = Variable::new(Space::Global, "p", &U64);
        let address = Address { symbol: "x", generic: false, addend };
        let found = rules::check_address(&address, AddressTarget::Variable(&target), &holder);
        let message = of(found, "D034").concat();
        assert!(message.contains(has) && message.contains(fix), "{message}");
    }
}

#[test]
fn bits_of_an_argument() {
    for (scalar, actual, bits) in [
        (ScalarType::U32, Actual::Float, "pass 32 bits"),
        (ScalarType::U64, Actual::Float, "pass 64 bits"),
        (ScalarType::F32, Actual::Int, "pass 32 bits"),
    ] {
        let ty = Type::Scalar(scalar);
        let formal =
            Param { variable: Variable::new(Space::Reg, "x", &ty), ..Param::new("x", &ty) };
        let message = of(rules::check_argument(&formal, actual), "C005").concat();
        assert!(message.contains(bits), "{message}");
    }
}

#[test]
fn ranks_that_a_mode_has() {
    let tiled = Spec::tiled_unchecked(ElementType::Bf16, 2, [64, 8, 1, 1, 1]);
    let interleaved = Spec { interleave: Interleave::B16, ..tiled };
    let gather = Spec { mode: Mode::Gather4 { row: 64 }, ..tiled };
    let im2col = Spec {
        mode: Mode::Im2col {
            lower: [0; 3],
            upper: [0; 3],
            channels_per_pixel: 64,
            pixels_per_column: 64,
        },
        ..tiled
    };
    for (spec, least, most) in [(tiled, 1, 5), (interleaved, 3, 5), (im2col, 3, 5), (gather, 2, 2)]
    {
        for (rank, fix) in [(0, least), (6, most)] {
            let verdict = Spec { rank, ..spec }.check(Some(Target::Sm100a)).to_string();
            let fix = format!("rank 1 to 5; use rank {fix} [M001");
            assert!(verdict.contains(&fix), "{fix}: {verdict}");
        }
    }
}

#[test]
fn the_largest_shared_variable_is_the_one_to_shrink() {
    let types = [100_000, 300_000, 200_000].map(|bytes| Type::Array(Extent::Known(bytes), &U8));
    let names = ["small", "large", "middle"];
    let variables: Vec<Variable<'_>> =
        names.iter().zip(&types).map(|(name, ty)| Variable::new(Space::Shared, name, ty)).collect();
    let twin = Variable { name: "twin", ..variables[1] };
    let [small, large, middle] = [&variables[0], &variables[1], &variables[2]];
    let target = Environment { target: Some(Target::Sm90), ..Environment::UNKNOWN };
    let shrinks = |function: &Function<'_>, name: &str| {
        let found = of(rules::check_function(function, target), "F002").concat();
        assert!(found.contains(&format!("make `{name}` smaller")), "{found}");
    };
    let kernel = Function::new(FunctionKind::Kernel, "k");
    shrinks(&Function { uses: &[large, middle, small], ..kernel }, "large");
    shrinks(&Function { uses: &[small, middle, large], ..kernel }, "large");
    shrinks(&Function { uses: &[small, large, &twin], ..kernel }, "large");
    shrinks(&Function { uses: &[large], ..kernel }, "large");
    shrinks(&Function { uses: &[small], locals: &[middle], ..kernel }, "middle");
    shrinks(&Function { uses: &[small], called_shared: &[large], ..kernel }, "large");
    shrinks(&Function { uses: &[middle], idle_shared: &[large], ..kernel }, "large");
}

#[test]
fn rows_of_tensor_maps() {
    let tiled = |element, box_dims| Spec::tiled_unchecked(element, 2, box_dims);
    let of = |spec: Spec, target| spec.check(Some(target)).to_string();
    let bf16 = |row| Spec { swizzle: Swizzle::B64, ..tiled(ElementType::Bf16, [row, 8, 1, 1, 1]) };
    // Of a row that no box has, another rule reports it.
    assert!(of(bf16(256), Target::Sm90a).contains("[M017"));
    assert!(!of(bf16(257), Target::Sm90a).contains("[M017"));
    // 128 bytes fit the largest swizzle.
    assert!(of(bf16(64), Target::Sm90a).contains("write 32, or use the swizzle `B128`"));
    assert!(of(bf16(72), Target::Sm90a).contains("write 32, or leave `swizzle` out"));
    // A row of a padded type has 128 elements.
    let padded =
        |row| Spec { swizzle: Swizzle::B128, ..tiled(ElementType::B4x16P64, [row, 8, 1, 1, 1]) };
    for (row, is_reported) in [(0, false), (1, true), (127, true), (256, true), (257, false)] {
        let verdict = of(padded(row), Target::Sm100a);
        assert_eq!(verdict.contains("[M040"), is_reported, "{row}: {verdict}");
    }
    // What is stored on sm_103a has 64 or 128, and 64 with a narrow swizzle.
    for (swizzle, row, nearest) in [
        (Swizzle::None, 95, 64),
        (Swizzle::None, 96, 128),
        (Swizzle::B64, 100, 64),
        (Swizzle::B96, 100, 128),
        (Swizzle::B128, 100, 128),
    ] {
        let stored = Spec { swizzle, ..tiled(ElementType::B6P2x16, [row, 8, 1, 1, 1]) };
        let verdict = of(stored, Target::Sm103a);
        let line = verdict.lines().find(|line| line.contains("[M042")).expect("it is reported");
        assert!(line.contains(&format!("write {nearest}")), "{swizzle:?} {row}: {line}");
    }
    let interleaved = Spec { rank: 3, interleave: Interleave::B32, ..padded(128) };
    assert!(of(interleaved, Target::Sm100a).contains("leave the interleave out"));
}

#[test]
fn dimensions_that_a_tensor_can_have() {
    let spec = Spec::tiled_unchecked(ElementType::B4x16, 2, [64, 8, 1, 1, 1]);
    for (dims, fix) in [([0, 64, 1, 1, 1], "write 2"), ([64, 0, 1, 1, 1], "write 1")] {
        let tensor = Tensor::dense(0x1000, ElementType::B4x16, dims);
        let verdict = spec.check_tensor(&tensor, Some(Target::Sm100a)).to_string();
        let line = verdict.lines().find(|line| line.contains("[M053")).expect("it is reported");
        assert!(line.contains(&format!("; {fix} ")), "{line}");
    }
}
