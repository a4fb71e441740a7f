//! A031: an address that every call of a function passes.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[shared]
    static ROW: [f32; 32];
    #[constant]
    static TAPS: [f32; 32];

    #[device]
    fn load(from: Reg<u64>) -> Reg<f32> {
        ptx! {
            ld.global.f32 returned, [from + 4];
            ret;
        }
    }

    #[device]
    fn load_by_abi(from: u64) -> f32 {
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
    fn passes_on(from: Reg<u64>) -> Reg<f32> {
        ptx! {
            call (returned), load, (from);
            ret;
        }
    }

    #[device]
    fn load_shared(from: Reg<u64>) -> Reg<f32> {
        ptx! {
            ld.shared.f32 returned, [from];
            ret;
        }
    }

    #[device]
    fn load_own(from: Reg<u64>) -> Reg<f32> {
        ptx! {
            ld.global.f32 returned, [from];
            ret;
        }
    }

    #[kernel]
    fn k(data: Ptr<Global, f32>) {
        ptx! {
            .reg .b64 %rd<4>;
            .reg .f32 %f<4>;
            .param .b64 passed;
            .param .b32 loaded;
            mov.u64 %rd1, ROW;
            call (%f1), load, (%rd1);
            add.u64 %rd2, %rd1, 16;
            call (%f1), passes_on, (%rd2);
            .local .b8 own[16];
            mov.u64 %rd3, own;
            call (%f2), load_own, (%rd3);
            ld.param.u64 %rd3, [data];
            call (%f3), load_shared, (%rd3);
            mov.u64 %rd3, TAPS;
            st.param.b64 [passed], %rd3;
            call (loaded), load_by_abi, (passed);
            ret;
        }
    }
}

fn main() {}
