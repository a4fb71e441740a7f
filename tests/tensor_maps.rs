//! Tensor maps declared by a user: the tile, the parameter, the static map.

#![allow(unreachable_pub)] // it is `.visible` in PTX

use ptx::Target;
use ptx::prelude::*;
use ptx::tensor::{ElementType, Interleave, Major, Spec, Swizzle, encode};

/// A 128 x 64 tile of bf16, 128-byte swizzle.
#[tensor_map(element = bf16, box = [64, 128], swizzle = B128)]
struct A;

const N: usize = 32;

/// A box narrower than its swizzle.
#[tensor_map(element = f32, box = [8, N * 2], swizzle = B128, oob = Nan)]
struct Narrow;

#[tensor_map(
    element = f16, mode = im2col, lower = [-1, -1], upper = [-1, -1], channels_per_pixel = 64,
    pixels_per_column = 32, swizzle = B128
)]
struct Images;

#[tensor_map(
    element = f16, mode = im2col::w, rank = 4, lower = -1, upper = 0, channels_per_pixel = 64,
    pixels_per_column = 128, swizzle = B128, target = sm_100a
)]
struct Row;

#[tensor_map(element = u8, mode = tile::gather4, row = 64, target = sm_100a)]
struct Rows;

#[derive(PtxType)]
#[repr(C)]
struct Stages {
    a: [Tile<A>; 3],
    narrow: Tile<Narrow>,
    full: [Mbarrier; 128],
}

#[ptx::module(target = sm_90a)]
mod copies {
    use super::*;

    #[global(align = 128)]
    static MATRIX: [bf16; 256 * 128];

    #[global]
    pub static MAP: TensorMap<A> = TensorMap::over(generic(MATRIX), [128, 256], [256]);

    #[constant]
    static CONSTANT_MAP: TensorMap<A> = TensorMap::over(generic(MATRIX), [128, 256], [256]);

    #[shared(dynamic)]
    static SMEM: Stages;

    #[shared]
    static BARRIER: Mbarrier;

    #[shared]
    static TILE: Tile<A>;

    #[kernel]
    pub fn load(a: TensorMap<A>, x: i32, y: i32) {
        ptx! {
            .reg .b64 %map, %state;
            .reg .b32 %x, %y;
            ld.param.b32 %x, [x];
            ld.param.b32 %y, [y];
            mov.b64 %map, a;
            cvta.param.u64 %map, %map;
            mbarrier.init.shared::cta.b64 [BARRIER], 1;
            mbarrier.arrive.expect_tx.shared::cta.b64 %state, [BARRIER], #(A::TRANSACTION_BYTES);
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [TILE], [%map, {%x, %y}], [BARRIER];
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [SMEM + #(offset_of!(Stages, a) + A::STRIDE)], [%map, {%x, %y}],
                [SMEM + #(offset_of!(Stages, full))];
            mov.b64 %map, CONSTANT_MAP;
            ret;
        }
    }
}

#[test]
fn one_declaration_gives_everything() {
    assert_eq!([A::BYTES, A::STRIDE, A::TRANSACTION_BYTES], [16384; 3]);
    assert_eq!(A::swizzle(128), 144);
    assert_eq!(A::element_offset([8, 1]), Some(128));
    assert_eq!(A::element_offset([64, 0]), None);
    assert_eq!((size_of::<Tile<A>>(), align_of::<Tile<A>>()), (16384, 1024));
    assert_eq!(Images::TRANSACTION_BYTES, 64 * 32 * 2);
    assert_eq!(Row::transaction_bytes(2), Some(64 * 130 * 2));
    assert_eq!(Rows::TRANSACTION_BYTES, 4 * 64);
    let k = A::matrix_descriptor(Major::K).expect("a row is as wide as the swizzle");
    assert_eq!((k.stride_bytes(), k.bits() >> 62), (1024, 1));
    assert!(Narrow::matrix_descriptor(Major::K).is_err());
    let of = |element, rank, box_dims, major| {
        let spec =
            Spec { swizzle: Swizzle::B128, ..Spec::tiled_unchecked(element, rank, box_dims) };
        spec.matrix_descriptor(major).is_ok()
    };
    assert!(of(ElementType::U8, 2, [128, 64, 1, 1, 1], Major::K));
    assert!(of(ElementType::Bf16, 3, [64, 64, 2, 1, 1], Major::Mn));
    assert!(
        !of(ElementType::U8, 2, [128, 64, 1, 1, 1], Major::Mn),
        "only 16-bit types can be transposed"
    );
    assert!(!of(ElementType::F64, 2, [16, 64, 1, 1, 1], Major::K), "`wgmma` has no `f64`");
    assert!(!of(ElementType::Bf16, 2, [64, 12, 1, 1, 1], Major::K), "at least 8 rows are needed");
    assert!(!of(ElementType::Bf16, 1, [64, 1, 1, 1, 1], Major::K), "a row is not a matrix");
    assert!(
        !of(ElementType::Bf16, 3, [64, 64, 2, 1, 1], Major::K),
        "a descriptor has no offset for the third dimension"
    );
    assert!(!of(ElementType::Bf16, 4, [64, 64, 2, 2, 1], Major::Mn));
}

/// The properties of a map that generic code can use.
const fn bytes_of<M: MapType<Rank = U2, SwizzleSpan = U128>>() -> [usize; 3] {
    [M::BYTES, M::STRIDE, M::TRANSACTION_BYTES]
}

#[test]
fn generic_code_bounds_what_it_needs() {
    assert_eq!(bytes_of::<A>(), [16384; 3]);
    assert_eq!(<A as MapType>::swizzle(128), 144);
    let interleaved = Spec {
        interleave: Interleave::B32,
        swizzle: Swizzle::B32,
        ..Spec::tiled_unchecked(ElementType::F32, 3, [8, 8, 1, 1, 1])
    };
    let tensor = interleaved.dense(0, [8, 8, 64, 1, 1]);
    assert_eq!(tensor.strides[..2], [8 * 32, 8 * 8 * 32]);
    assert_eq!(interleaved.extent_bytes(&tensor), 8 * 8 * 64 * 32);
}

#[test]
fn everything_is_in_the_text() {
    let text = copies::MODULE.to_string();
    for line in [
        ".extern .shared .align 1024 .b8 SMEM[];",
        ".shared .b64 BARRIER;",
        ".shared .align 1024 .b8 TILE[16384];",
        ".param .align 64 .b8 a[128],",
        ".visible .global .align 64 .u8 MAP[128] = {0xFF(generic(MATRIX)), 0xFF00(generic(MATRIX)),",
        ".const .align 64 .u8 CONSTANT_MAP[128] = {0xFF(generic(MATRIX)),",
    ] {
        assert!(text.contains(line), "{line} in\n{text}");
    }
    for ptxas in xtask::oracles() {
        ptxas.assemble(&copies::MODULE).unwrap_or_else(|error| panic!("{error}\n{text}"));
    }
}

/// A static map has the bytes that the encoder writes, except for the address.
#[test]
fn static_maps_are_encoded() {
    let tensor =
        ptx::tensor::Tensor { address: 0, dims: [128, 256, 1, 1, 1], strides: [256, 0, 0, 0] };
    let right = encode(&A::SPEC, &tensor, Target::Sm90a).expect("a legal map");
    let map = copies::MAP.initial().expect("an initial value");
    assert_eq!(map.descriptor(), right);
}

#[tensor_map(element = u8, mode = tile::scatter4, row = 64, target = sm_100a)]
struct Scattered;

#[tensor_map(
    element = f16, mode = im2col::w::128, rank = 4, lower = -1, upper = 0, channels_per_pixel = 64,
    swizzle = B128, target = sm_100a
)]
struct Row128;

#[tensor_map(element = b4x16, box = [64, 8], swizzle = B32, target = sm_100a)]
struct Nibbles;

#[tensor_map(element = b4x16_p64, box = [128, 8], swizzle = B128Atom32, target = sm_100a)]
struct PaddedNibbles;

#[tensor_map(element = b6x16_p32, box = [128, 8], swizzle = B128, target = sm_100a)]
struct SixBits;

#[tensor_map(element = b6p2x16, box = [128, 8], swizzle = B128Atom64, target = sm_100a)]
struct SixBitsStored;

#[tensor_map(element = f32, box = [32, 8], swizzle = B128Atom32Flip8, target = sm_100a)]
struct Flipped;

/// Instructions that `sm_90` does not have; they are only assembled.
#[ptx::module(target = sm_100a, version = 8.7)]
mod of_sm_100a {
    use super::*;

    #[shared]
    static BARRIER: Mbarrier;
    #[shared]
    static ROWS: Tile<Rows>;
    #[shared]
    static SCATTERED: Tile<Scattered>;
    #[shared]
    static PIXELS: Tile<Row>;
    #[shared]
    static PIXELS_128: Tile<Row128>;
    #[shared]
    static NIBBLES: Tile<Nibbles>;
    #[shared]
    static PADDED: Tile<PaddedNibbles>;
    #[shared]
    static SIX: Tile<SixBits>;
    #[shared]
    static STORED: Tile<SixBitsStored>;
    #[shared]
    static FLIPPED: Tile<Flipped>;

    #[kernel(allow(A053, A066))] // assembled alone
    pub fn copies(
        rows: TensorMap<Rows>,
        scattered: TensorMap<Scattered>,
        pixels: TensorMap<Row>,
        pixels_128: TensorMap<Row128>,
        nibbles: TensorMap<Nibbles>,
        padded: TensorMap<PaddedNibbles>,
        six: TensorMap<SixBits>,
        stored: TensorMap<SixBitsStored>,
        flipped: TensorMap<Flipped, U128>,
    ) {
        ptx! {
            .reg .b64 %map;
            .reg .b32 %x, %y;
            .reg .b16 %halo, %offset;
            mov.b32 %x, 0;
            mov.b32 %y, 0;
            mov.b16 %halo, 2;
            mov.b16 %offset, 0;
            mov.b64 %map, rows;
            cvta.param.u64 %map, %map;
            cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes
                [ROWS], [%map, {%x, %y, %y, %y, %y}], [BARRIER];
            mov.b64 %map, scattered;
            cvta.param.u64 %map, %map;
            cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group
                [%map, {%x, %y, %y, %y, %y}], [SCATTERED];
            mov.b64 %map, pixels;
            cvta.param.u64 %map, %map;
            cp.async.bulk.tensor.4d.shared::cta.global.im2col::w.mbarrier::complete_tx::bytes
                [PIXELS], [%map, {%x, %x, %y, %y}], [BARRIER], {%halo, %offset};
            mov.b64 %map, pixels_128;
            cvta.param.u64 %map, %map;
            cp.async.bulk.tensor.4d.shared::cta.global.im2col::w::128.mbarrier::complete_tx::bytes
                [PIXELS_128], [%map, {%x, %x, %y, %y}], [BARRIER], {%halo, %offset};
            mov.b64 %map, nibbles;
            cvta.param.u64 %map, %map;
            cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes
                [NIBBLES], [%map, {%x, %y}], [BARRIER];
            mov.b64 %map, padded;
            cvta.param.u64 %map, %map;
            cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes
                [PADDED], [%map, {%x, %y}], [BARRIER];
            mov.b64 %map, six;
            cvta.param.u64 %map, %map;
            cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes
                [SIX], [%map, {%x, %y}], [BARRIER];
            mov.b64 %map, stored;
            cvta.param.u64 %map, %map;
            cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%map, {%x, %y}], [STORED];
            mov.b64 %map, flipped;
            cvta.param.u64 %map, %map;
            cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes
                [FLIPPED], [%map, {%x, %y}], [BARRIER];
            ret;
        }
    }
}

#[tensor_map(element = u8, box = [96, 8], swizzle = B96, target = sm_103a)]
struct Ninety;

/// The 96-byte swizzle, which only `tensormap.replace` can set.
#[ptx::module(target = sm_103a, version = 8.8)]
mod of_sm_103a {
    use super::*;

    #[shared]
    static TILE: Tile<Ninety>;
    #[shared]
    static BARRIER: Mbarrier;

    #[kernel(allow(A053, A066))] // assembled alone
    pub fn copy(map: Ptr<Global, TensorMap<Ninety>>) {
        ptx! {
            .reg .b64 %map;
            .reg .b32 %x;
            mov.b32 %x, 0;
            ld.param.b64 %map, [map];
            tensormap.replace.tile.swizzle_mode.global.b1024.b32 [%map], 4;
            cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes
                [TILE], [%map, {%x, %x}], [BARRIER];
            ret;
        }
    }
}

/// Only assembled: the tests have no GPU with these modes.
#[test]
fn modes_of_newer_targets_assemble() {
    assert_eq!((PaddedNibbles::BYTES, PaddedNibbles::TRANSACTION_BYTES), (1024, 512));
    assert_eq!((Ninety::BYTES, Ninety::STRIDE), (768, 768));
    assert_eq!(Row128::transaction_bytes(2), Some(64 * (128 + 8) * 2));
    for ptxas in xtask::oracles() {
        for module in [&of_sm_100a::MODULE, &of_sm_103a::MODULE] {
            ptxas.assemble(module).unwrap_or_else(|error| panic!("{error}\n{module}"));
        }
    }
}
