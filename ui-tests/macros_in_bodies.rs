//! Rust macros do not run in bodies.

#[ptx::module(target = sm_80)]
mod sums {
    #[kernel]
    pub fn sums() {
        ptx! {
            .reg .f32 %a;
            mov.f32 %a, 0f00000000;
            fmas!(a);
            crate::fmas! { a }
        again:
            fmas![a];
            ret;
        }
    }
}

fn main() {}
