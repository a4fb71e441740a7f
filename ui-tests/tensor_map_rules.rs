#![allow(unused)]
use ptx::prelude::*;

#[tensor_map(element = u8, box = [])]
struct M001;
#[tensor_map(element = u8, box = [16, 1, 1, 1, 1, 1])]
struct M001TooMany;
#[tensor_map(element = u8, box = [16, 16], interleave = B16)]
struct M002;
#[tensor_map(element = u8, mode = im2col, lower = [], upper = [], channels_per_pixel = 16, pixels_per_column = 8)]
struct M003;
#[tensor_map(element = u8, mode = tile::gather4, row = 16, interleave = B16)]
struct M005;
#[tensor_map(element = b4x16, box = [32], target = sm_90a)]
struct M006;
#[tensor_map(element = u8, box = [64, 8], swizzle = B128Atom32, target = sm_90a)]
struct M007;
#[tensor_map(element = u8, box = [96, 8], swizzle = B96, target = sm_100a)]
struct M008;
#[tensor_map(element = u8, mode = tile::gather4, row = 16, target = sm_90a)]
struct M009;
#[tensor_map(element = u8, mode = tile::scatter4, row = 16, target = sm_120a)]
struct M010;
#[tensor_map(element = u8, box = [16, 16], element_strides = [1, 9])]
struct M011;
#[tensor_map(element = u8, box = [16, 16], element_strides = [0, 1])]
struct M012;
#[tensor_map(element = u8, box = [16, 16], element_strides = [2, 1])]
struct M013;
#[tensor_map(element = u8, box = [16, 257])]
struct M014;
#[tensor_map(element = bf16, box = [60, 8])]
struct M015;
#[tensor_map(element = bf16, box = [4, 8, 8], interleave = B16)]
struct M016;
#[tensor_map(element = bf16, box = [128, 8], swizzle = B128)]
struct M017;
#[tensor_map(element = f32, box = [256, 256])]
struct M018;
#[tensor_map(element = f32, box = [16, 16], target = sm_80)]
struct M019;
#[tensor_map(element = u8, mode = im2col, lower = [0], upper = [0], channels_per_pixel = 272, pixels_per_column = 8)]
struct M020;
#[tensor_map(element = u8, mode = im2col, lower = [0], upper = [0], channels_per_pixel = 16, pixels_per_column = 1025)]
struct M021;
#[tensor_map(element = u8, mode = im2col, lower = [-129, 0], upper = [0, 0], channels_per_pixel = 16, pixels_per_column = 8)]
struct M023;
#[tensor_map(element = u8, mode = im2col, lower = [0, 0, 0], upper = [0, 0, 16], channels_per_pixel = 16, pixels_per_column = 8)]
struct M024;
#[tensor_map(element = u8, mode = im2col::w, rank = 4, lower = -200, upper = 0, channels_per_pixel = 64, pixels_per_column = 8, swizzle = B64)]
struct M025;
#[tensor_map(element = u8, mode = im2col::w::128, rank = 5, lower = 0, upper = 17, channels_per_pixel = 64, swizzle = B64)]
struct M026;
#[tensor_map(element = u8, mode = im2col::w, rank = 4, lower = 0, upper = 0, channels_per_pixel = 64, pixels_per_column = 8)]
struct M027;
#[tensor_map(element = u8, mode = im2col::w, rank = 4, lower = 0, upper = 0, channels_per_pixel = 32, pixels_per_column = 8, swizzle = B32)]
struct M028;
#[tensor_map(element = u8, mode = im2col::w, rank = 4, lower = 0, upper = 0, channels_per_pixel = 64, pixels_per_column = 8, swizzle = B64, interleave = B16)]
struct M029;
#[tensor_map(element = u8, box = [16, 8, 8], interleave = B32, swizzle = B64)]
struct M030;
#[tensor_map(element = u8, box = [16, 8, 8], interleave = B16, swizzle = B96)]
struct M031;
#[tensor_map(element = u8, box = [16, 8], oob = Nan)]
struct M032;
#[tensor_map(element = u8, mode = tile::scatter4, row = 64, swizzle = B128Atom32Flip8)]
struct M033;
#[tensor_map(element = b4x16_p64, mode = tile::scatter4, row = 128)]
struct M034;
#[tensor_map(element = b6x16_p32, box = [64, 8])]
struct M040;
#[tensor_map(element = b6p2x16, box = [64, 8], target = sm_100a)]
struct M041;
#[tensor_map(element = b6p2x16, box = [32, 8], target = sm_103a)]
struct M042;
#[tensor_map(element = b6x16_p32, box = [128, 8], swizzle = B64)]
struct M043;
#[tensor_map(element = b6p2x16, box = [128, 8], swizzle = B32)]
struct M044;
#[tensor_map(element = b6p2x16, box = [128, 8], swizzle = B64, target = sm_100a)]
struct M045;
#[tensor_map(element = b6x16_p32, box = [128, 8, 8], interleave = B16)]
struct M046;

/// Maps that the driver accepts can be allowed.
#[tensor_map(element = u8, box = [16, 16], element_strides = [2, 1], allow(M013))]
struct Allowed;

/// All errors at once, without errors that follow from them.
#[tensor_map(element = u8, box = [300, 8], swizzle = B32, oob = Nan, element_strides = [1, 0])]
struct Several;
type Used = [Tile<Several>; 2];
const BYTES: usize = Several::TRANSACTION_BYTES;

fn main() {}
