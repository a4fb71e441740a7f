//! A120: bulk copies of a part of 16 bytes.
#![allow(unused)]
use ptx::prelude::*;

#[ptx::module(target = sm_90)]
mod m {
    use super::*;

    #[shared]
    static BAR: Mbarrier;
    #[shared(align = 16)]
    static ROW: [u8; 128];

    #[kernel(reqntid = 64)]
    fn wrong(src: Ptr<Global, u8, U16>) {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %t, %n, %x;
            .reg .b64 %src;
            mov.u32 %t, %tid.x;
            setp.eq.u32 %first, %t, 0;
            ld.param.u64 %src, [src];
            cvta.to.global.u64 %src, %src;
            @%first mbarrier.init.shared.b64 [BAR], 1;
            fence.proxy.async.shared::cta;
            bar.sync 0;
            mov.u32 %n, 100;
            @%first mbarrier.arrive.expect_tx.shared.b64 _, [BAR], %n;
            @%first cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [ROW], [%src], %n, [BAR];
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %done, [BAR], 0;
            @!%done bra WAIT;
            ld.shared.u32 %x, [ROW];
            ret;
        }
    }

    #[kernel(reqntid = 64)]
    fn right(src: Ptr<Global, u8, U16>) {
        ptx! {
            .reg .pred %first, %done;
            .reg .b32 %t, %n, %x;
            .reg .b64 %src;
            mov.u32 %t, %tid.x;
            setp.eq.u32 %first, %t, 0;
            ld.param.u64 %src, [src];
            cvta.to.global.u64 %src, %src;
            @%first mbarrier.init.shared.b64 [BAR], 1;
            fence.proxy.async.shared::cta;
            bar.sync 0;
            mov.u32 %n, 112;
            @%first mbarrier.arrive.expect_tx.shared.b64 _, [BAR], %n;
            @%first cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [ROW], [%src], %n, [BAR];
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %done, [BAR], 0;
            @!%done bra WAIT;
            ld.shared.u32 %x, [ROW];
            ret;
        }
    }
}

fn main() {}
