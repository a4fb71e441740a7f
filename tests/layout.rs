//! The layout of host types equals the layout of their PTX types.
#![allow(unused_variables, unused_labels, dead_code)] // only declared
use std::alloc::Layout;

use proptest::prelude::*;
use ptx::ir::{Field, Struct, StructKind, Type};
use ptx::prelude::*;

/// Compares `size_of` and `align_of` of a Rust type with its PTX layout.
macro_rules! same_layout {
    ($($T:ty),* $(,)?) => {$(
        const _: () = {
            let ty = <$T as PtxType>::TYPE;
            assert!(matches!(ty.size(), Some(size) if size == size_of::<$T>()), stringify!($T));
            assert!(matches!(ty.align(), Some(align) if align == align_of::<$T>()), stringify!($T));
        };
    )*};
}

/// Each scalar by itself, in arrays, and in the vectors that PTX has of it.
macro_rules! every_shape {
    ($($T:ty: [$($V:ident),*];)*) => {$(
        same_layout!($T, [$T; 1], [$T; 7], [[$T; 3]; 2], Ptr<Global, $T>);
        $(same_layout!($V<$T>, [$V<$T>; 3], Aligned<[$V<$T>; 16], U32>);)*
    )*};
}

every_shape! {
    u8: [V2, V4]; i8: [V2, V4]; B8: [V2, V4];
    u16: [V2, V4]; i16: [V2, V4]; B16: [V2, V4]; f16: [V2, V4]; bf16: [V2, V4];
    u32: [V2, V4]; i32: [V2, V4]; f32: [V2, V4]; B32: [V2, V4];
    u64: [V2]; i64: [V2]; f64: [V2]; B64: [V2];
    B128: [];
}

#[derive(Clone, Copy, PtxType)]
#[repr(C)]
struct Three<A, B, C> {
    a: A,
    b: B,
    c: C,
}

#[derive(Clone, Copy, PtxType)]
#[repr(C, align(64))]
struct Line([u32; 16]);

#[derive(Clone, Copy, PtxType)]
#[repr(transparent)]
struct Wrapped(V4<f32>);

same_layout!(
    Line,
    [Line; 3],
    Wrapped,
    Three<u8, u8, u8>,
    Three<V4<f32>, [u64; 1], B64>,
    Three<Line, Wrapped, Aligned<[f16; 24], U16>>,
    Three<[Three<u16, u8, u8>; 2], Ptr<Shared, f32>, Three<u64, u32, u32>>,
    Aligned<Three<u32, f32, [u8; 8]>, U16>,
);

/// The field types to choose from, with their layouts.
fn menu() -> Vec<(&'static Type<'static>, Layout)> {
    macro_rules! rows {
        ($($T:ty),* $(,)?) => { vec![$((<$T as PtxType>::TYPE, Layout::new::<$T>())),*] };
    }
    rows![u8, u16, i32, f64, f16, B128, V2<u8>, V4<f32>, [u8; 3], [u32; 5], Line, Ptr<Global, u8>]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Compares the padding rule with the standard library's computation of `repr(C)`: it reports nothing
    /// exactly if there is no padding.
    #[test]
    fn padding_is_found_where_rust_puts_it(
        chosen in prop::collection::vec(prop::sample::select(menu()), 1..8)
    ) {
        let mut whole = Layout::from_size_align(0, 1).expect("the empty layout");
        let mut offsets = Vec::new();
        for (_, layout) in &chosen {
            let (extended, offset) = whole.extend(*layout).expect("a small struct");
            whole = extended;
            offsets.push(offset);
        }
        let filled: usize = chosen.iter().map(|(_, layout)| layout.size()).sum();
        let whole = whole.pad_to_align();
        let fields: Vec<Field<'_>> = chosen
            .iter()
            .zip(&offsets)
            .map(|((ty, _), offset)| Field { name: "f", offset: *offset, ty, pointer: None })
            .collect();
        let layout =
            Struct { name: "S", size: whole.size(), align: whole.align(), fields: &fields, kind: StructKind::Fields };
        let gaps = ptx::rules::check_padding(&layout);
        let lost: usize = gaps.iter().map(|gap| gap.bytes).sum();
        prop_assert_eq!(lost, whole.size() - filled);
        prop_assert_eq!(Type::Struct(layout).size(), Some(whole.size()));
    }
}

#[test]
fn offsets_are_constants() {
    const SECOND: usize = Three::<u32, f32, [u8; 8]>::OFFSETS.b;
    assert_eq!((SECOND, Three::<u64, u32, u32>::OFFSETS.c, Line::OFFSETS.0), (4, 12, 0));
}

#[test]
fn handles_know_their_layout() {
    #[ptx::module(target = sm_90a)]
    mod m {
        use super::*;

        #[global(align = 128)]
        pub(super) static TABLE: [[V2<f32>; 3]; 4];
        #[shared(dynamic)]
        pub(super) static STAGES: Three<V4<f32>, V4<f32>, [u64; 2]>;
        #[shared(dynamic, align = 1024)]
        pub(super) static BYTES: [u8];

        #[kernel]
        pub(super) fn k(a: u8, b: V4<f32>, c: Ptr<Global, f32>, d: [u16; 3]) {
            ptx! { ret; }
        }
    }
    const ALIGN: usize = m::TABLE.align();
    assert_eq!((m::TABLE.name(), m::TABLE.bytes(), ALIGN), ("TABLE", 96, 128));
    let extents: Vec<_> = m::TABLE.extents().collect();
    assert_eq!(extents, [ptx::ir::Extent::Known(4), ptx::ir::Extent::Known(3)]);
    assert_eq!(m::TABLE.element(), &Type::Vector(2, ptx::ScalarType::F32));
    assert_eq!(m::TABLE.space(), ptx::Space::Global);
    assert_eq!(m::TABLE.linkage(), ptx::ir::Linkage::Visible);
    assert_eq!((m::STAGES.bytes(), m::STAGES.align()), (48, 16));
    assert_eq!((m::BYTES.bytes(100), m::BYTES.align()), (100, 1024));
    let k = m::k();
    let offsets: Vec<_> = (0..5).map(|n| k.param_offset(ptx::Target::Sm90a, n)).collect();
    assert_eq!(offsets, [Some(0), Some(16), Some(32), Some(40), None]);
    assert_eq!(k.param_bytes(), 46);
}
