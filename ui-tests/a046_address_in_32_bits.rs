#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[global]
    static G: [u32; 64];
    #[global]
    static FAMILY: Family<u32, 4>;
    #[shared]
    static S: [u32; 64];

    #[kernel]
    fn k() {
        ptx! {
            .reg .b32 %r;
            .reg .b64 %d;
            mov.u32 %r, G;
            mov.b32 %r, FAMILY2;
            mov.u32 %r, S;
            mov.u64 %d, G + 256;
            cvta.shared.u64 %d, G;
            mapa.shared::cluster.u32 %r, G, 1;
            mov.u64 %d, S;
            cvta.global.u64 %d, %d;
            cvta.to.shared.u64 %d, %d;
            ret;
        }
    }
}

fn main() {}
