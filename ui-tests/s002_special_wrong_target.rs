#![allow(unused)]
#[ptx::module(target = sm_80)]
mod m {
    #[kernel]
    fn k() {
        ptx! {
            .reg .b32 %r;
            // A register with this name hides the special one.
            {
                .reg .b32 %cluster_ctarank;
                mov.u32 %r, %cluster_ctarank;
            }
            mov.u32 %r, %cluster_ctaid.x;
            ret;
        }
    }
}

fn main() {}
