//! Formats that only `Module::check()` sees: tiles whose map the macro does not inspect, and type aliases.
#![allow(unused_variables, dead_code)] // only declared

use ptx::prelude::*;

/// A 64 x 16 tile of bf16.
#[tensor_map(element = bf16, box = [64, 16], swizzle = B128)]
struct A;

#[derive(PtxType)]
#[repr(C)]
struct Stages {
    a: [Tile<A>; 2],
    full: [Mbarrier; 128],
}

type Weights = V4<E4M3x4>;

#[ptx::module(target = sm_90a)]
mod m {
    use super::*;

    #[shared(dynamic)]
    static SMEM: Stages;

    #[kernel(reqntid = 32)]
    fn tiles(dst: Ptr<Global, f32>) {
        ptx! {
            .reg .b32 %t, %at, %a<4>;
            .reg .b64 %dst;
            .reg .f32 %d<4>;
            mov.u32 %t, %laneid;
            and.b32 %t, %t, 15;
            mov.u32 %at, SMEM;
            mad.lo.u32 %at, %t, 128, %at;
            ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%a0, %a1, %a2, %a3}, [%at];
            mov.b32 %d0, 0;
            mov.b32 %d1, 0;
            mov.b32 %d2, 0;
            mov.b32 %d3, 0;
            mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, {%a0, %a1}, {%d0, %d1, %d2, %d3};
            mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%d0, %d1, %d2, %d3}, {%a0, %a1, %a2, %a3}, {%a0, %a1}, {%d0, %d1, %d2, %d3};
            ld.param.u64 %dst, [dst];
            st.global.f32 [%dst], %d0;
            ret;
        }
    }

    #[kernel]
    fn weights(src: Ptr<Global, Weights>, dst: Ptr<Global, F16x2>) {
        ptx! {
            .reg .b16 %low, %high;
            .reg .b32 %w<4>, %x, %y;
            .reg .b64 %src, %dst;
            ld.param.u64 %src, [src];
            ld.param.u64 %dst, [dst];
            ld.global.nc.v4.b32 {%w0, %w1, %w2, %w3}, [%src];
            mov.b32 {%low, %high}, %w2;
            cvt.rn.f16x2.e4m3x2 %x, %low;
            cvt.rn.f16x2.e5m2x2 %y, %high;
            fma.rn.f16x2 %x, %x, %y, %y;
            st.global.b32 [%dst], %x;
            ret;
        }
    }
}

#[test]
fn formats_are_those_of_tiles_and_of_types_with_other_names() {
    let found: Vec<String> = m::MODULE.check().iter().map(ptx::Finding::message).collect();
    let [tile, weights] = &found[..] else { panic!("{found:#?}") };
    assert!(tile.contains("`%a0` holds `bf16x2`") && tile.contains("[A082"), "{tile}");
    assert!(weights.contains("`%high` holds `e4m3x2`"), "{weights}");
    assert!(weights.contains("takes it as `e5m2x2`"), "{weights}");
}
