#![allow(unused)]
use ptx::prelude::*;

type Late = [f32; 1024];

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(align = 32)]
    static ROWS: [f32; 1024];
    #[shared]
    static LOW: [f32; 1024];
    #[shared]
    static LATE: Late;

    #[kernel]
    fn k(a: Ptr<Global, f32>) {
        ptx! {
            .reg .b32 %r<4>;
            .reg .b64 %d;
            .reg .f32 %f<8>;
            wmma.load.a.sync.aligned.row.m16n16k8.shared.tf32 {%r0, %r1, %r2, %r3}, [ROWS + 4], 9;
            wmma.load.b.sync.aligned.col.m16n16k8.shared.tf32 {%r0, %r1, %r2, %r3}, [LOW], 9;
            wmma.load.b.sync.aligned.col.m16n16k8.shared.tf32 {%r0, %r1, %r2, %r3}, [LATE], 9;
            wmma.load.c.sync.aligned.row.m16n16k8.shared.f32 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, [ROWS + 8], 16;
            wmma.load.a.sync.aligned.row.m16n16k8.shared.tf32 {%r0, %r1, %r2, %r3}, [ROWS + 16], 8;
            ld.param.u64 %d, [a];
            wmma.load.a.sync.aligned.row.m16n16k8.global.tf32 {%r0, %r1, %r2, %r3}, [%d + 4], 9;
            ret;
        }
    }
}

fn main() {}
