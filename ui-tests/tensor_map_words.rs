#![allow(unused)]
use ptx::prelude::*;

#[tensor_map(box = [64, 8])]
struct NoElement;
#[tensor_map(element = bf16)]
struct NoBox;
#[tensor_map(element = bfloat16, box = [64, 8])]
struct Element;
#[tensor_map(element = E2M1, box = [64, 8])]
struct SmallFloat;
#[tensor_map(element = bf16, box = [64, 8], swizzle = 128)]
struct Swizzle;
#[tensor_map(element = bf16, box = [64, 8], swizle = B128)]
struct Argument;
#[tensor_map(element = bf16, box = [64, 8], mode = im2col::w::64)]
struct Mode;
#[tensor_map(element = bf16, box = [64, 8], mode = tile::gather4)]
struct WrongMode;
#[tensor_map(element = bf16, box = 64)]
struct NoList;
#[tensor_map(element = bf16, box = [64, 8], element_strides = [1])]
struct Strides;
#[tensor_map(element = bf16, box = [64, 8], box = [64, 8])]
struct Twice;
#[tensor_map(element = bf16, box = [64, 8], allow(M014))]
struct Allow;
#[tensor_map(element = bf16, mode = im2col, lower = [0, 0], upper = [0], channels_per_pixel = 8, pixels_per_column = 8)]
struct Corners;
#[tensor_map(element = bf16, box = [64, 8])]
struct Fields {
    a: u32,
}
#[tensor_map(element = bf16, box = [64, 8])]
struct Generic<T>;
#[tensor_map(element = bf16, box = [64, 8])]
enum NoStruct {}
#[tensor_map(element = complex64, box = [64, 8])]
struct Unlike;

struct NotAMap;
#[ptx::module(target = sm_90a)]
mod m {
    use super::*;
    #[kernel]
    pub fn k(map: TensorMap<NotAMap>) {
        ptx! { ret; }
    }
    #[shared]
    static TILE: Tile<NotAMap>;
}

fn main() {}
