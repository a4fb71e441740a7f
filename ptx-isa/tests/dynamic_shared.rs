//! The size of the dynamic shared memory that a launch must request, and where it starts.

use ptx_isa::ir::{Extent, Function, FunctionKind, Linkage, Module, Type, Variable};
use ptx_isa::{ScalarType, Space, Target};

const U8: Type<'_> = Type::Scalar(ScalarType::U8);
const HUNDRED: Type<'_> = Type::Array(Extent::Known(100), &U8);
const THOUSAND: Type<'_> = Type::Array(Extent::Known(1_000), &U8);
const SLICE: Type<'_> = Type::Array(Extent::Incomplete, &U8);

const fn shared<'a>(linkage: Linkage, ty: &'a Type<'a>, align: Option<usize>) -> Variable<'a> {
    Variable { linkage, align, ..Variable::new(Space::Shared, "x", ty) }
}

/// The number of bytes, and whether there is dynamic shared memory.
const fn asked(uses: &[&Variable<'_>]) -> (Option<usize>, bool) {
    let kernel = Function { uses, ..Function::new(FunctionKind::Kernel, "k") };
    (kernel.dynamic_shared_bytes(), kernel.has_dynamic_shared())
}

#[test]
fn without_dynamic_variables_nothing_is_requested() {
    let fixed = shared(Linkage::Internal, &HUNDRED, None);
    // A variable with a length that another module defines is static.
    let elsewhere = shared(Linkage::Extern, &HUNDRED, None);
    assert_eq!(asked(&[]), (Some(0), false));
    assert_eq!(asked(&[&fixed]), (Some(0), false));
    assert_eq!(asked(&[&elsewhere]), (Some(0), false));
}

#[test]
fn the_largest_decides_in_any_order() {
    let small = shared(Linkage::Dynamic, &HUNDRED, None);
    let large = shared(Linkage::Dynamic, &THOUSAND, None);
    for uses in [[&small, &large], [&large, &small]] {
        assert_eq!(asked(&uses), (Some(1_000), true));
    }
    assert_eq!(asked(&[&small]), (Some(100), true));
}

#[test]
fn a_slice_is_for_the_launch_to_decide() {
    let large = shared(Linkage::Dynamic, &THOUSAND, None);
    for linkage in [Linkage::Dynamic, Linkage::Extern] {
        let slice = shared(linkage, &SLICE, Some(16));
        assert_eq!(asked(&[&large, &slice]), (None, true));
        assert_eq!(asked(&[&slice]), (None, true));
    }
    let unknown = shared(Linkage::Dynamic, &Type::Unknown, None);
    assert_eq!(asked(&[&unknown]), (None, true));
}

#[test]
fn it_starts_at_the_greatest_alignment_in_the_module() {
    let fixed = shared(Linkage::Internal, &HUNDRED, None);
    let [bytes, some, most] =
        [None, Some(32), Some(128)].map(|align| shared(Linkage::Dynamic, &HUNDRED, align));
    // It does not matter which of them the kernel uses.
    let kernel = Function { uses: &[&fixed], ..Function::new(FunctionKind::Kernel, "k") };
    for (variables, expected) in [
        (&[&fixed][..], Some(100)),
        (&[&fixed, &bytes], Some(112)),
        (&[&fixed, &some, &bytes], Some(128)),
        (&[&most, &some, &fixed], Some(128)),
        (&[&fixed, &shared(Linkage::Dynamic, &Type::Unknown, None)], None),
    ] {
        let module = Module { variables, ..Module::new("m", Target::Sm80) };
        assert_eq!(module.dynamic_shared_offset(&kernel), expected);
    }
}

#[test]
fn constants_can_ask() {
    const LARGE: &Variable<'_> = &shared(Linkage::Dynamic, &THOUSAND, None);
    const { assert!(matches!(asked(&[LARGE]).0, Some(1_000))) }
}
