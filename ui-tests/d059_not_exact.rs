#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[constant(exact)]
    pub static TAPS: [f32; 3] = [0.25, 0.1, -0.3];
    #[constant(exact)]
    static LARGE: f32 = 16777217.0;
    #[constant(exact)]
    static FINE: f64 = 1.5e-3;
    #[constant(exact)]
    pub static SOUND: [f64; 2] = [1e3, 0.5];
}

fn main() {}
