//! A mistake in a loop that the macro writes out is one error, with the counters of the first bad round.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    const ROWS: usize = 4;

    #[shared]
    static X: [u32; 8];

    #[kernel]
    fn k() {
        ptx! {
            let %a: u32;
            mov.u32 %a, 0;
            for i in 0..3 {
                st.shared.u32 [X + #(32 * i)], %a;
            }
            for i in 0..ROWS {
                for j in [0, 3] {
                    if i > 0 {
                        st.shared.u32 [X[4 * i + j]], %a;
                        st.shared.u32 [X + #(4 * i + 2)], %a;
                    }
                }
            }
            for _ in 0..2 {
                st.shared.u32 [X + 33], %a;
            }
            ret;
        }
    }
}

fn main() {}
