//! A box with equal extents.
use ptx::prelude::*;

#[tensor_map(element = f32, box = [16; 3])]
pub struct Cube;

#[tensor_map(element = f32, box = [16, 16, 16])]
pub struct Same;

fn main() {
    assert_eq!(Cube::BYTES, Same::BYTES);
    assert_eq!(Cube::SPEC, Same::SPEC);
}
