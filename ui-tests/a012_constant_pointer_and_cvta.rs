#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[constant]
    static TAPS: [f32; 3] = [0.25, 0.5, 0.25];

    #[kernel]
    fn reads(table: Ptr<Const, f32>) {
        ptx! { ret; }
    }

    #[kernel]
    fn converts() {
        ptx! {
            .reg .b64 %d<2>;
            mov.u64 %d0, TAPS;
            cvta.const.u64 %d1, %d0;
            ret;
        }
    }
}

fn main() {}
