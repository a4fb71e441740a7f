//! Rust constants in the initial values of bodies, and in calls.
#![allow(unused)]
use ptx::prelude::*;

const MANY: u32 = 300;
const HUGE: f64 = 1e300;
const HALF: f32 = 1.5;

#[derive(PtxType)]
#[repr(C)]
pub struct Pair {
    a: u32,
    b: u32,
}

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[device]
    fn takes(p: Pair, n: u32) {
        ptx! { ret; }
    }

    #[kernel]
    fn k() {
        ptx! {
            .const .u8 t[2] = {1, #(MANY)};
            .const .u8 n = #(-1);
            .const .b16 h = #(HALF);
            .const .f32 f = #(HUGE);
            .const .f32 both[2] = {#(HALF), #(3)};
            call takes, (7, 1);
            call takes, (1.5, #(HALF));
            ret;
        }
    }
}

fn main() {}
