//! Words of instructions where they have no meaning.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90, version = 8.0)]
mod m {
    use super::*;

    #[shared]
    static ROW: [u32; 8];

    #[kernel]
    fn k() {
        ptx! {
            .reg .b32 %r<3>;
            .reg .b64 %rd;
            mov.u32 %r1, 1;
            zork.u32 %r0, %r1;
            mul.u32.wide %rd, %r1, 2;
            ld.shared.u32 %r2, [ROW].weak;
            bra.wide END;
            END: ret;
        }
    }
}

fn main() {}
