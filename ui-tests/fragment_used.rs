//! What is wrong with a use of a fragment is reported where it is used.
use ptx::prelude::*;

/// The larger of two numbers, and whether it is the first.
#[ptx::fragment(returns(max, is_first))]
pub fn larger(x: Reg<f32>, y: Reg<f32>) -> (Reg<f32>, Reg<bool>) {
    ptx! { setp.ge.f32 is_first, x, y; selp.f32 max, x, y, is_first; }
}

#[ptx::fragment]
pub fn scaled<T>(x: Reg<T>, by: u32) -> Reg<T> {
    ptx! { mul.lo.T returned, x, by; }
}

#[ptx::fragment]
pub fn keep(row: &[f32; 32], x: Reg<f32>) {
    ptx! { st.shared.f32 [row + 4], x; }
}

#[ptx::fragment]
pub fn step(at: &mut Reg<u32>) {
    ptx! { add.u32 at, at, 4; }
}

#[ptx::fragment]
pub fn of_array(d: Reg<[f32; 3]>) -> Reg<f32> {
    ptx! { add.f32 returned, d[0], d[1]; add.f32 returned, returned, d[2]; }
}

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared]
    static ROW: [f32; 32];

    #[kernel]
    fn uses(n: u32) {
        ptx! {
            .reg .f32 %x, %y;
            .reg .u32 %i;
            .reg .pred %p;
            let %few: [f32; 2];
            let %many: [f32; 3];
            larger %x, %x, %y;
            larger 3, %p, %x, %y;
            @%p keep ROW, %x;
            scaled %i, %i, 4;
            scaled::<String> %i, %i, 4;
            scaled::<u32> %i, %i, %i;
            keep 16, %x;
            step 4;
            larger %x, %p, %x, %y;
            larger _, _, %x, %y;
            of_array %x, %y;
            of_array %x, %few;
            of_array %many[1], %many;
            of_array %many0, %many;
            call (%x, %p), larger, %x, %y;
            #[allow(A034)]
            keep ROW, %x;
            ret;
        }
    }
}

#[ptx::module(target = sm_90a)]
mod absent {
    use super::*;

    #[kernel]
    fn uses() {
        ptx! {
            .reg .f32 %x;
            crate::nowhere::smaller %x, %x, %x;
            ret;
        }
    }
}

fn main() {
    larger!(1.0, 2.0);
}
