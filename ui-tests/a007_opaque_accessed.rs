#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static TEX: TexRef;
    #[kernel]
    fn k(surface: SurfRef) {
        ptx! {
            .reg .b32 %r;
            ld.global.b32 %r, [TEX];
            atom.global.add.u32 %r, [TEX + 4], 1;
            st.param.b32 [surface], 1;
            ret;
        }
    }
}

fn main() {}
