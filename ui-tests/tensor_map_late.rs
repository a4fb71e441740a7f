#![allow(unused)]
use ptx::prelude::*;

const WIDE: usize = 128;
const MANY: i64 = -1;
const STRIDE: u8 = 9;
const CORNER: i32 = -200;

#[tensor_map(element = bf16, box = [WIDE, 8], swizzle = B128)]
struct OverTheSpan;
#[tensor_map(element = bf16, box = [64, MANY], swizzle = B128)]
struct Negative;
#[tensor_map(element = bf16, box = [64, 8], element_strides = [1, STRIDE])]
struct Stride;
#[tensor_map(element = u8, mode = im2col, lower = [CORNER, 0], upper = [0, 0], channels_per_pixel = 16, pixels_per_column = 8)]
struct Corner;
#[tensor_map(element = u8, box = [WIDE / 8, 8], oob = Nan)]
struct Fill;
#[tensor_map(element = f32, box = [256, WIDE * 2])]
struct TooLarge;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[tensor_map(element = bf16, box = [64, 64], swizzle = B128)]
    pub struct A;
    #[tensor_map(element = u8, box = [16, 8, 8], interleave = B32, swizzle = B32)]
    pub struct Slices;
    #[tensor_map(element = u8, mode = im2col, lower = [0], upper = [-8], channels_per_pixel = 16, pixels_per_column = 8)]
    pub struct Image;
    #[tensor_map(element = u8, mode = im2col, lower = [0], upper = [-8], channels_per_pixel = 16, pixels_per_column = 8, interleave = B16)]
    pub struct SlicedImage;

    #[global(align = 128)]
    static MATRIX: [bf16; 64 * 64];
    #[global(align = 16)]
    static BYTES: [u8; 4096];
    #[global(align = 32)]
    static MORE: [u8; 4096];
    #[global]
    static FLOATS: [f32; 64];
    #[global]
    static UNALIGNED: [bf16; 64 * 64];

    #[global]
    static RANK: TensorMap<A> = TensorMap::over(generic(MATRIX), [64, 64, 1], [128, 8192]);
    #[global]
    static DIM: TensorMap<A> = TensorMap::over(generic(MATRIX), [64, 0], [128]);
    #[global]
    static PITCH: TensorMap<A> = TensorMap::over(generic(MATRIX), [60, 64], [120]);
    #[global]
    static SHORT: TensorMap<A> = TensorMap::over(generic(MATRIX), [64, 64], [64]);
    #[global]
    static LONG: TensorMap<A> = TensorMap::over(generic(MATRIX), [64, 2], [1 << 40]);
    #[global]
    static SLICE: TensorMap<Slices> = TensorMap::over(generic(BYTES), [16, 8, 8], [16, 128]);
    #[global]
    static SLICE_PITCH: TensorMap<Slices> = TensorMap::over(generic(MORE), [16, 8, 8], [48, 384]);
    #[global]
    static CORNERS: TensorMap<Image> = TensorMap::over(generic(MORE), [16, 8, 8], [16, 128]);
    #[global]
    static LARGE: TensorMap<Image> = TensorMap::over(generic(MORE), [16, 3 << 30, 1], [16, 3 << 34]);
    #[global]
    static BEFORE: TensorMap<SlicedImage> = TensorMap::over(generic(MORE), [4, 16, 8], [16, 256]);
    #[global]
    static BEHIND: TensorMap<SlicedImage> = TensorMap::over(generic(MORE), [16, 4, 8], [16, 64]);
    #[global]
    static ADDRESS: TensorMap<A> = TensorMap::over(generic(UNALIGNED), [64, 64], [128]);
    #[global]
    static ALIGN: TensorMap<A, U32> = TensorMap::over(generic(MATRIX), [64, 64], [128]);
}

fn main() {}
