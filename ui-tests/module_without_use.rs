#![allow(unused)]

pub const WIDTH: usize = 4;

#[ptx::module(target = sm_90a)]
mod forgotten {
    #[global]
    static NUMBERS: [u32; 4];

    #[kernel]
    fn k(p: Ptr<Global, f32>) {
        ptx! { ret; }
    }
}

#[ptx::module(target = sm_90a)]
mod not_needed {
    #[global]
    static NUMBERS: [u32; 4];

    #[kernel]
    fn k(n: u32, to: ptx::Ptr<ptx::Global, f32>) {
        ptx! { ret; }
    }
}

mod steps {
    use ptx::prelude::*;

    #[ptx::module(target = sm_90a)]
    mod m {
        use super::*;

        #[kernel]
        fn k() {
            ptx! {
                .reg .b32 %x;
                for i in (0..16).step_by(4) { mov.b32 %x, i; }
                mov.b32 %x, WIDTH;
                ret;
            }
        }
    }
}

fn main() {}
