//! Names that differ in PTX, and names of Rust.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[global]
    #[unsafe(export_name = "W")]
    pub static V: u32 = 1;
    #[device]
    #[unsafe(export_name = "F")]
    fn f() {
        ptx! { ret; }
    }
    const COUNT: u32 = 3;
    static TABLE: [u32; 2] = [1, 2];
    fn host() {}
    type Alias = Family<u32, 3>;
    #[global]
    static MEMBERS: Alias;
    #[global]
    static Q: Family<u32, 3>;
    #[global]
    static ADDRESSES: [u64; 4] = [addr(Q), addr(Q3), addr(TABLE), addr(Q2)];

    #[kernel]
    fn k(W: u32) {
        ptx! {
            .reg .b32 %r;
            .reg .b32 F;
            st.global.u32 [V], 5;
            call f;
            mov.u32 %r, COUNT;
            ld.global.u32 %r, [TABLE];
            call host;
            ret;
        }
    }
}

fn main() {}
