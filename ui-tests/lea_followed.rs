//! Addresses that `lea` computes are followed while the program compiles: of scalars, arrays, and structs of the module.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    const COLUMNS: usize = 16;

    #[repr(C)]
    #[derive(Clone, Copy, PtxType)]
    pub struct Pair {
        a: u32,
        b: [u32; 3],
    }

    #[shared]
    static ROW: [f32; 127];
    #[shared]
    static GRID: [[f32; COLUMNS]; 7];
    #[shared]
    static PAIRS: [Pair; 127];

    #[kernel(reqntid = 128)]
    fn scalars() {
        ptx! {
            let %i: u32;
            let %slot: u32;
            mov.u32 %i, %tid.x;
            lea.shared.u32 %slot, ROW[%i];
            st.shared.u32 [%slot], %i;
            ret;
        }
    }

    #[kernel(reqntid = 128)]
    fn rows() {
        ptx! {
            let %i: u32;
            let %j: u32;
            let %slot: u32;
            mov.u32 %i, %tid.x;
            and.b32 %j, %i, 15;
            shr.u32 %i, %i, 4;
            lea.shared.u32 %slot, GRID[%i][%j];
            st.shared.u32 [%slot], %i;
            ret;
        }
    }

    #[kernel(reqntid = 128)]
    fn structs() {
        ptx! {
            let %i: u32;
            let %slot: u32;
            mov.u32 %i, %tid.x;
            lea.shared.u32 %slot, PAIRS[%i].b[1];
            st.shared.u32 [%slot], %i;
            ret;
        }
    }

    #[kernel(reqntid = 128)]
    fn alignment() {
        ptx! {
            let %i: u32;
            let %slot: u32;
            mov.u32 %i, %tid.x;
            lea.shared.u32 %slot, ROW[%i];
            st.shared.v2.u32 [%slot], {%i, %i};
            ret;
        }
    }

    #[kernel(reqntid = 126)]
    fn order() {
        ptx! {
            let %i: u32;
            let %slot: u32;
            mov.u32 %i, %tid.x;
            lea.shared.u32 %slot, ROW[%i];
            st.shared.u32 [%slot], %i;
            ld.shared.u32 %i, [%slot + 4];
            ret;
        }
    }
}

fn main() {}
