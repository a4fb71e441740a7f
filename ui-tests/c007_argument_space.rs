//! C007: an address that is passed as a pointer into another state space.
#![allow(unused)]
use ptx::prelude::*;

/// Only rustc knows this type.
type Late = Ptr<Global, f32>;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[shared]
    static ROW: [f32; 32];
    #[constant]
    static TAPS: [f32; 32];
    #[global]
    static SUMS: [f32; 32];

    #[device]
    fn load(from: Reg<Ptr<Global, f32>>) -> Reg<f32> {
        ptx! {
            ld.global.f32 returned, [from + 4];
            ret;
        }
    }

    #[device]
    fn load_by_abi(from: Ptr<Global, f32>) -> f32 {
        ptx! {
            .reg .b64 %rd;
            .reg .f32 %f;
            ld.param.u64 %rd, [from];
            ld.global.f32 %f, [%rd];
            st.param.f32 [returned], %f;
            ret;
        }
    }

    #[device]
    fn load_late(from: Reg<Late>) -> Reg<f32> {
        ptx! {
            ld.global.f32 returned, [from + 4];
            ret;
        }
    }

    #[kernel]
    fn k() {
        ptx! {
            .reg .b64 %rd<4>;
            .reg .f32 %f<4>;
            .param .b64 passed;
            .param .b32 loaded;
            mov.u64 %rd1, SUMS;
            call (%f1), load, (%rd1);
            mov.u64 %rd2, ROW;
            call (%f1), load, (%rd2);
            call (%f2), load_late, (%rd2);
            call (%f2), load_late, (%rd1);
            #[allow(C007)]
            call (%f3), load, (%rd2);
            mov.u64 %rd3, TAPS;
            st.param.b64 [passed], %rd3;
            call (loaded), load_by_abi, (passed);
            ret;
        }
    }
}

fn main() {}
