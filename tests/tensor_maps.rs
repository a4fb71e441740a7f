//! Tensor maps as a user declares them: the tile, the parameter, the static map.

#![allow(unreachable_pub)] // it is `.visible` in PTX

use ptx::prelude::*;
use ptx::tensor::{Major, encode};

/// A 128 x 64 tile of bf16, 128-byte swizzle.
#[tensor_map(element = bf16, box = [64, 128], swizzle = B128)]
struct A;

const N: usize = 32;

/// Narrower than its swizzle.
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
fn one_declaration_has_it_all() {
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
    assert!(Narrow::matrix_descriptor(Major::K).is_none());
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

/// A static map has the bytes that the encoder writes, but for the address.
#[test]
fn static_maps_are_encoded() {
    let tensor =
        ptx::tensor::Tensor { address: 0, dims: [128, 256, 1, 1, 1], strides: [256, 0, 0, 0] };
    let right = encode(&A::SPEC, &tensor).expect("a legal map");
    let map = copies::MAP.initial().expect("it has a value");
    assert_eq!(map.descriptor(), right);
}
