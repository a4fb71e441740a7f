#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(dynamic)]
    static FLOATS: [f32];
    #[shared(dynamic)]
    static HALVES: [f16];
    #[kernel]
    fn k() {
        ptx! {
            .reg .b64 %d<2>;
            mov.b64 %d0, FLOATS;
            mov.b64 %d1, HALVES;
            ret;
        }
    }

    #[kernel(allow(F015))]
    fn allowed() {
        ptx! {
            .reg .b64 %d<2>;
            mov.b64 %d0, FLOATS;
            mov.b64 %d1, HALVES;
            ret;
        }
    }
}

fn main() {}
