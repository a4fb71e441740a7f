//! Barriers whose bytes come from elsewhere, or in another order, so that they cannot be added up.
#![allow(unused)]
use ptx::prelude::*;
#[ptx::module(target = sm_90a)]
mod m {
    use super::*;
    #[tensor_map(element = bf16, box = [64, 16], swizzle = B128)]
    pub struct M;
    #[derive(PtxType)]
    #[repr(C)]
    pub struct S {
        a: [Tile<M>; 4],
        full_a: [Mbarrier; 4],
        full_b: [Mbarrier; 4],
        pad: [u8; 960],
    }
    #[shared(dynamic)]
    static SMEM: S;
    #[shared]
    static BAR: Mbarrier;
    #[shared]
    static BARS: [Mbarrier; 4];
    #[global(align = 16)]
    static DATA: [u8; 4096];
    #[shared(align = 16)]
    static ROW: [u8; 4096];

    // 1: expect between two copies
    #[kernel(allow(A066))]
    fn sandwich() {
        ptx! {
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [ROW], [DATA], 128, [BAR];
            mbarrier.arrive.expect_tx.shared.b64 _, [BAR], 384;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [ROW + 128], [DATA], 256, [BAR];
            ret;
        }
    }
    // 2: expects add up
    #[kernel(allow(A066))]
    fn addup() {
        ptx! {
            mbarrier.expect_tx.relaxed.cta.shared.b64 [BAR], 128;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [ROW], [DATA], 128, [BAR];
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [ROW + 128], [DATA], 256, [BAR];
            mbarrier.arrive.expect_tx.shared.b64 _, [BAR], 256;
            ret;
        }
    }
    // 3: a function copies the rest
    #[device]
    fn rest() {
        ptx! {
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [ROW + 128], [DATA], 256, [BAR];
            ret;
        }
    }
    #[kernel]
    fn calls() {
        ptx! {
            mbarrier.arrive.expect_tx.shared.b64 _, [BAR], 384;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [ROW], [DATA], 128, [BAR];
            call rest;
            ret;
        }
    }
    // 4: a function expects, its caller copies the rest
    #[device]
    fn start(bar: Reg<u32>) {
        ptx! {
            mbarrier.arrive.expect_tx.shared.b64 _, [bar], 384;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [ROW], [DATA], 128, [bar];
            ret;
        }
    }
    #[kernel]
    fn starts() {
        ptx! {
            .reg .b32 %r;
            mov.u32 %r, BAR;
            call start, (%r);
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [ROW + 128], [DATA], 256, [BAR];
            ret;
        }
    }
    // 5: remote barrier of mapa
    #[kernel(allow(A066))]
    fn remote() {
        ptx! {
            .reg .b32 %r<8>; .reg .pred %p;
            mov.u32 %r1, %cluster_ctarank;
            setp.ne.u32 %p, %r1, 0;
            @%p bra OTHER;
            mov.u32 %r2, BAR; mapa.shared::cluster.u32 %r3, %r2, 1;
            mov.u32 %r4, ROW; mapa.shared::cluster.u32 %r5, %r4, 1;
            mbarrier.arrive.expect_tx.shared.b64 _, [BAR], 128;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [ROW], [DATA], 128, [BAR];
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r5], [DATA], 256, [%r3];
            bra DONE;
        OTHER:
            mbarrier.arrive.expect_tx.shared.b64 _, [BAR], 256;
        DONE:
            ret;
        }
    }
    // 6: register-indexed barriers, offsets by splice
    #[kernel]
    fn splices() {
        ptx! {
            .reg .b32 %r<8>;
            mov.u32 %r1, %tid.x; and.b32 %r1, %r1, 3;
            mov.u32 %r2, SMEM; mad.lo.u32 %r3, %r1, 8, %r2;
            mbarrier.arrive.expect_tx.shared.b64 _, [%r3 + #(offset_of!(S, full_a))], 128;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [ROW], [DATA], 128, [%r3 + #(offset_of!(S, full_a))];
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [ROW + 128], [DATA], 256, [%r3 + #(offset_of!(S, full_b))];
            mbarrier.arrive.expect_tx.shared.b64 _, [%r3 + #(offset_of!(S, full_b))], 256;
            ret;
        }
    }
    // 7: expect on alias
    #[kernel(allow(A066))]
    fn alias(p: Ptr<Shared, Mbarrier>) {
        ptx! {
            .reg .b32 %r<8>; .reg .b64 %d<4>;
            ld.param.u64 %d1, [p];
            mov.u32 %r1, %tid.x; and.b32 %r1, %r1, 3;
            mov.u32 %r2, BARS; mad.lo.u32 %r3, %r1, 8, %r2;
            mbarrier.expect_tx.relaxed.cta.shared.b64 [%r3], 256;
            mbarrier.arrive.expect_tx.shared.b64 _, [BARS], 128;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [ROW], [DATA], 384, [BARS];
            ret;
        }
    }
    // 8: plain arrive, second producer's bytes between
    #[kernel(allow(A066))]
    fn twice() {
        ptx! {
            mbarrier.arrive.expect_tx.shared.b64 _, [BAR], 128;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [ROW], [DATA], 256, [BAR];
            mbarrier.arrive.expect_tx.shared.b64 _, [BAR], 128;
            ret;
        }
    }
    // 9: zero-size copy + expect by arrive (copy first), pipeline
    #[kernel(allow(A063, A066))]
    fn pipe() {
        ptx! {
            .reg .pred %p; .reg .b32 %r<8>;
            mov.u32 %r1, 0;
        L:
            mbarrier.try_wait.parity.shared.b64 %p, [BARS], 0;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [ROW], [DATA], 256, [BARS + 8];
            mbarrier.arrive.expect_tx.shared.b64 _, [BARS + 8], 512;
            bar.sync 0;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [ROW + 256], [DATA], 256, [BARS + 8];
            add.u32 %r1, %r1, 1; setp.lt.u32 %p, %r1, 4; @%p bra L;
            ret;
        }
    }
    // 10: thread 0 expects everything; other lanes copy by address
    #[kernel(allow(A066))]
    fn tx_count(n: u32) {
        ptx! {
            .reg .pred %p; .reg .b32 %r<8>;
            mov.u32 %r1, %tid.x;
            mbarrier.arrive.expect_tx.shared.b64 _, [BAR], 256;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [ROW], [DATA], 128, [BAR];
            mbarrier.complete_tx.relaxed.cta.shared::cluster.b64 [BAR], 128;
            ret;
        }
    }
    // 11 mask of leader
    #[kernel(allow(A066))]
    fn leader(m: TensorMap<M>) {
        ptx! {
            .reg .pred %p; .reg .b32 %r<8>; .reg .b64 %d<4>;
            mov.b64 %d1, m; cvta.param.u64 %d1, %d1;
            mov.u32 %r1, BAR; and.b32 %r2, %r1, 0xFEFFFFFF;
            mbarrier.arrive.expect_tx.shared.b64 _, [BAR], 2048;
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [SMEM], [%d1, {0, 0}], [BAR];
            cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [SMEM + 2048], [%d1, {0, 0}], [%r2];
            ret;
        }
    }
}
fn main() {
    assert!(m::MODULE.check().is_empty(), "{:?}", m::MODULE.check());
}
