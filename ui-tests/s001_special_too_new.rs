#![allow(unused)]
#[ptx::module(target = sm_80, version = 7.5)]
mod m {
    #[kernel]
    fn k() {
        ptx! {
            .reg .b32 %r;
            mov.u32 %r, %tid.x;
            mov.b32 %r, %reserved_smem_offset_1;
            ret;
        }
    }
}

fn main() {}
