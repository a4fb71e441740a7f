use ptx::prelude::*;

#[tensor_map(element = bf16, box = [64, 64], swizzle = B128)]
pub struct A;

fn main() {}
