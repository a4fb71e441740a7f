#![allow(unused)]
use ptx::prelude::*;

const RANK: usize = 2;

#[tensor_map(element = f32, box = [16; RANK])]
pub struct Unseen;

#[tensor_map(element = f32, box = [16; 6])]
pub struct TooMany;

#[tensor_map(element = f32, box = [16; 0])]
pub struct None;

#[tensor_map(element = f32, box = [512; 2])]
pub struct TooLarge;

#[tensor_map(element = f32, box = 16)]
pub struct NoArray;

fn main() {}
