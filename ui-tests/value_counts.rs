//! Lists with too few or too many values.

#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[constant]
    static TAPS: [f32; 5] = [1.0, 4.0, 6.0, 4.0];
    #[global]
    static MANY: [u32; 2] = [1, 2, 3];
    #[global]
    static ROWS: [[u32; 2]; 2] = [[1, 2], [3]];
    #[global]
    static REPEATED: [[u32; 2]; 4] = [[1]; 4];
    #[shared(align = 16)]
    static RIGHT: [[u32; 2]; 2];
    #[constant]
    static COUNTED: [u32; _] = [1, 2, 3];

    #[kernel]
    fn k() {
        ptx! {
            let %x: f32;
            ld.const.f32 %x, [TAPS + 16];
            ret;
        }
    }
}

fn main() {}
