#![allow(unused)]
use ptx::prelude::*;

const THREADS: usize = 64;
type Late = [f32; THREADS];

#[derive(PtxType, Clone, Copy)]
#[repr(C)]
pub struct Config {
    gain: f32,
    count: u32,
}

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(align = 16)]
    static ROW: [V4<f32>; 66];
    #[shared]
    static LATE: Late;
    #[shared(dynamic)]
    static TAIL: [f32];
    #[global]
    static BUFFER: [u8; 32];

    #[kernel]
    fn k(n: u32, config: Config) {
        ptx! {
            .reg .b32 %r<4>;
            .reg .b64 %d;
            .local .b32 stack[4];
            .local .b32 sized[#(THREADS)];
            ld.shared.b32 %r0, [ROW + 1052];
            ld.shared.b32 %r0, [ROW + 1056];
            ld.shared.v4.b32 {%r0, %r1, %r2, %r3}, [ROW + #(16 * (THREADS + 1))];
            ld.shared.v4.b32 {%r0, %r1, %r2, %r3}, [ROW + #(16 * (THREADS + 2))];
            ld.shared.b32 %r0, [ROW + 1024 + 28];
            ld.shared.b32 %r0, [ROW + 1024 + 32];
            ld.shared.b32 %r0, [ROW + 2*528];
            ld.shared.b32 %r0, [ROW + (1056)];
            ld.shared.b32 %r0, [ROW + 4 + -8];
            ld.shared.b32 %r0, [ROW + 2 * (528 - 4)];
            ld.shared.b32 %r0, [LATE + 64 * 4];
            ld.shared.b32 %r0, [LATE + 252];
            ld.shared.b32 %r0, [LATE + 256];
            ld.shared.b32 %r0, [TAIL + 4096];
            ld.shared.b32 %r0, [TAIL + -4];
            ld.shared.b32 %r0, [ROW + #(-4)];
            st.local.b32 [stack + 16], %r0;
            st.local.b32 [sized + 256], %r0;
            ld.param.u32 %r0, [n + 4];
            ld.param.u64 %d, [n];
            ld.param.u32 %r0, [config + 4];
            ld.param.u32 %r0, [config + 8];
            cp.async.bulk.prefetch.L2.global [BUFFER], 48;
            ret;
        }
    }

    #[kernel(allow(A020))]
    fn allowed() {
        ptx! {
            .reg .b32 %r;
            ld.shared.b32 %r, [ROW + 1056];
            ld.shared.b32 %r, [LATE + 256];
            ret;
        }
    }
}

fn main() {}
