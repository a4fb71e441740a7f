//! One bad body does not make imports unused, in the module and around it.

#![deny(unused_imports)]

mod sizes {
    pub const ROW: usize = 16;
    pub const COLUMN: usize = 4;
}

use sizes::ROW;

#[ptx::module(target = sm_90a)]
mod statement {
    use super::*;

    #[kernel]
    pub fn kernel() {
        ptx! {
            .reg .b32 %r;
            mov.u32 %r #(ROW);
            ret;
        }
    }
}

#[ptx::module(target = sm_90a)]
mod body {
    use super::sizes::COLUMN;

    #[kernel]
    pub fn kernel() {
        let x = COLUMN;
        ptx! { ret; }
    }
}

#[ptx::module(target = sm_90a)]
mod good {
    use super::sizes::COLUMN;

    #[kernel]
    pub fn kernel() {
        ptx! { ret; }
    }
}

fn main() {}
