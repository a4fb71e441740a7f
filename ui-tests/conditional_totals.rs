#![allow(unused)]
//! What a condition keeps counts in the totals, which rustc checks.

use ptx::prelude::*;

#[ptx::module(target = sm_80)]
pub mod totals {
    use super::*;

    #[constant(align = 4)]
    static A: [u8; 40_000] = [0; 40_000];

    #[cfg(all())]
    #[device]
    fn big() {
        ptx! {
            .const .align 4 .b8 c[40000];
            .shared .align 4 .b8 x[40000];
            .reg .b32 %r;
            ld.const.b32 %r, [c];
            st.shared.b32 [x], %r;
            ret;
        }
    }
    #[device]
    fn small() {
        ptx! { ret; }
    }
    #[cfg(all())]
    #[global]
    static BIG: [u64; 1] = [addr(big)];
    #[global]
    pub static SMALL: [u64; 1] = [addr(small)];

    #[kernel]
    pub fn calls(f: u64) {
        ptx! {
            .reg .b32 %r;
            .reg .b64 %rd<2>;
            .shared .align 8 .b8 y[20000];
        P: .callprototype _ ();
            ld.param.u64 %rd0, [f];
            st.shared.u64 [y], %rd0;
            ld.const.b32 %r, [A];
            st.shared.b32 [y + 8], %r;
            mov.u64 %rd1, A;
            cvta.const.u64 %rd1, %rd1;
            st.shared.u64 [y + 16], %rd1;
            call %rd0, (), P;
            ret;
        }
    }
}

fn main() {}
