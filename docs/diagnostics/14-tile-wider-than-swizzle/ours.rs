use ptx::prelude::*;

#[tensor_map(element = bf16, box = [128, 64], swizzle = B128)]
pub struct A;

fn main() {}
