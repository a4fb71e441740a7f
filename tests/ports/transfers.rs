//! Barriers whose bytes arrive in parts, on one of two paths, or are expected elsewhere.

use ptx::prelude::*;

/// A block's data, with its barrier.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Kept {
    data: [u32; 62],
    done: Mbarrier,
}

#[ptx::module(target = sm_90a, version = 8.6)]
pub mod transfers {
    use super::*;

    #[shared(align = 128)]
    static BYTES: [u8; 8192];

    #[shared]
    static LOADED: Mbarrier;

    #[shared]
    static PAIR: [Mbarrier; 2];

    #[shared(align = 16)]
    static KEPT: Kept;

    /// One of two copies, under a predicate and its negation: either delivers the expected bytes.
    #[kernel(reqntid = 1)]
    pub fn either(a: Ptr<Global, V4<f32>>, b: Ptr<Global, V4<f32>>, which: u32) {
        ptx! {
            .reg .pred %p, %done;
            .reg .b32 %which;
            .reg .b64 %a, %b;
            ld.param.u64        %a, [a];
            ld.param.u64        %b, [b];
            ld.param.u32        %which, [which];
            setp.ne.u32         %p, %which, 0;
            mbarrier.init.shared::cta.b64 [LOADED], 1;
            fence.proxy.async.shared::cta;
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [LOADED], 4096;
            @%p cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
                [BYTES], [%a], 4096, [LOADED];
            @!%p cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
                [BYTES], [%b], 4096, [LOADED];
        WAIT:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [LOADED], 0;
            @!%done bra         WAIT;
            ret;
        }
    }

    /// Bytes expected in parts: before and after the copies, by `selp`, and by a final arrival.
    #[kernel(reqntid = 1)]
    pub fn in_parts(src: Ptr<Global, V4<f32>>, second: u32) {
        ptx! {
            .reg .pred %p, %done;
            .reg .b32 %second, %n;
            .reg .b64 %src;
            ld.param.u64        %src, [src];
            ld.param.u32        %second, [second];
            setp.ne.u32         %p, %second, 0;
            selp.b32            %n, 4096, 2048, %p;
            mbarrier.init.shared::cta.b64 [LOADED], 1;
            mbarrier.init.shared::cta.b64 [PAIR], 1;
            mbarrier.init.shared::cta.b64 [PAIR + 8], 1;
            fence.proxy.async.shared::cta;
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [LOADED], %n;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
                [BYTES], [%src], 2048, [LOADED];
            @%p cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
                [BYTES + 2048], [%src + 2048], 2048, [LOADED];
            mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [PAIR], 16;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
                [BYTES + 4096], [%src], 16, [PAIR];
            mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [PAIR], 32;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
                [BYTES + 4112], [%src], 32, [PAIR];
            mbarrier.arrive.shared::cta.b64 _, [PAIR];
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
                [BYTES + 8128], [%src], 16, [PAIR + 8];
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
                [BYTES + 8144], [%src], 48, [PAIR + 8];
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [PAIR + 8], 64;
        WAIT:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [PAIR + 8], 0;
            @!%done bra         WAIT;
            ret;
        }
    }

    /// Expects the bytes that its caller copies.
    #[device]
    fn expect(barrier: Reg<u32>, bytes: Reg<u32>) {
        ptx! {
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [barrier], bytes;
            ret;
        }
    }

    /// A function expects the bytes; a loop copies chunks, of which the last is shorter.
    #[kernel(reqntid = 1)]
    pub fn chunks(src: Ptr<Global, V4<f32>>, bytes: u32) {
        ptx! {
            .reg .pred %p, %done;
            .reg .b32 %barrier, %left, %now, %to;
            .reg .b64 %src, %wide;
            ld.param.u64        %src, [src];
            ld.param.u32        %left, [bytes];
            and.b32             %left, %left, 8176;
            mov.u32             %barrier, LOADED;
            mbarrier.init.shared::cta.b64 [%barrier], 1;
            fence.proxy.async.shared::cta;
            call                expect, (%barrier, %left);
            mov.u32             %to, BYTES;
        NEXT:
            min.u32             %now, %left, 1024;
            setp.eq.u32         %p, %now, 0;
            @%p bra             WAIT;
            cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
                [%to], [%src], %now, [%barrier];
            add.u32             %to, %to, %now;
            cvt.u64.u32         %wide, %now;
            add.s64             %src, %src, %wide;
            sub.u32             %left, %left, %now;
            bra                 NEXT;
        WAIT:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [%barrier], 0;
            @!%done bra         WAIT;
            ret;
        }
    }

    /// A whole struct is zeroed, including its barrier before it is initialised; 64 threads, 64 words.
    #[kernel(reqntid = 64)]
    pub fn zeroed() {
        ptx! {
            .reg .pred %p, %done;
            .reg .b32 %t, %at, %zero;
            .reg .b64 %state;
            mov.u32             %t, %tid.x;
            mov.u32             %at, KEPT;
            mov.u32             %zero, 0;
            mad.lo.u32          %at, %t, 4, %at;
            st.shared.u32       [%at], %zero;
            bar.sync            0;
            setp.eq.u32         %p, %t, 0;
            @%p mbarrier.init.shared::cta.b64 [KEPT + #(offset_of!(Kept, done))], 64;
            bar.sync            0;
            mbarrier.arrive.shared::cta.b64 %state, [KEPT + #(offset_of!(Kept, done))];
        WAIT:
            mbarrier.test_wait.shared::cta.b64 %done, [KEPT + #(offset_of!(Kept, done))], %state;
            @!%done bra         WAIT;
            setp.lt.u32         %p, %t, 62;
            @%p ld.shared.u32   %zero, [%at];
            ret;
        }
    }
}
