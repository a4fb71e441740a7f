//! Votes of threads before they access memory, halves of addresses, and uninitialised registers on which nothing
//! depends.

use ptx::prelude::*;

#[ptx::module(target = sm_90a, version = 8.6)]
pub mod agreements {
    use super::*;

    #[shared(align = 16)]
    static ROW: [u32; 64];

    #[global(align = 16)]
    pub static TABLE: [u32; 64];

    /// All threads of a warp vote on the wide path: `__all_sync`, `__any_sync`, `__ballot_sync`.
    #[kernel(reqntid = 32)]
    pub fn voted(data: Ptr<Global, f32>) {
        ptx! {
            .reg .pred %p, %all, %any;
            .reg .b32 %votes, %count;
            .reg .b64 %data, %low;
            .reg .f32 %f<4>;
            ld.param.u64        %data, [data];
            and.b64             %low, %data, 15;
            setp.eq.s64         %p, %low, 0;
            vote.sync.all.pred  %all, %p, 0xffffffff;
            @%all ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%data];
            setp.ne.s64         %p, %low, 0;
            vote.sync.any.pred  %any, %p, 0xffffffff;
            @%any bra           COUNT;
            ld.global.v4.f32    {%f0, %f1, %f2, %f3}, [%data];
        COUNT:
            vote.sync.ballot.b32 %votes, %p, 0xffffffff;
            setp.ne.u32         %any, %votes, 0;
            @%any bra           SOME;
            ld.global.v2.f32    {%f0, %f1}, [%data];
        SOME:
            popc.b32            %count, %votes;
            setp.lt.u32         %all, %count, 1;
            @%all ld.global.v2.f32 {%f0, %f1}, [%data];
            ret;
        }
    }

    /// The lowest bits of all addresses, or'ed over a warp and over a block.
    #[kernel(reqntid = 64)]
    pub fn reduced(data: Ptr<Global, f32>) {
        ptx! {
            .reg .pred %p, %all;
            .reg .b32 %low, %any;
            .reg .b64 %data;
            .reg .f32 %f<4>;
            ld.param.u64        %data, [data];
            cvt.u32.u64         %low, %data;
            and.b32             %low, %low, 15;
            redux.sync.or.b32   %any, %low, 0xffffffff;
            setp.eq.u32         %p, %any, 0;
            @!%p bra            NARROW;
            ld.global.v4.f32    {%f0, %f1, %f2, %f3}, [%data];
        NARROW:
            setp.eq.u32         %p, %low, 0;
            barrier.cta.red.and.pred %all, 0, %p;
            @%all st.global.v4.f32 [%data], {%f0, %f1, %f2, %f3};
            ret;
        }
    }

    /// Whether an address is a multiple of 16.
    #[device]
    fn is_wide(address: u64) -> u32 {
        ptx! {
            .reg .pred %p;
            .reg .b32 %is;
            .reg .b64 %address;
            ld.param.u64        %address, [address];
            and.b64             %address, %address, 15;
            setp.eq.s64         %p, %address, 0;
            selp.u32            %is, 1, 0, %p;
            st.param.u32        [returned], %is;
            ret;
        }
    }

    /// A function selects the path for an address.
    #[kernel(reqntid = 32)]
    pub fn asked(data: Ptr<Global, f32>) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %is;
            .reg .b64 %data;
            .reg .f32 %f<4>;
            ld.param.u64        %data, [data];
            {
                .param .b64 address;
                .param .b32 is;
                st.param.b64    [address], %data;
                call.uni        (is), is_wide, (address);
                ld.param.b32    %is, [is];
            }
            setp.eq.s32         %p, %is, 0;
            @%p bra             NARROW;
            ld.global.v4.f32    {%f0, %f1, %f2, %f3}, [%data];
            bra.uni             END;
        NARROW:
            ld.global.f32       %f0, [%data];
        END:
            ret;
        }
    }

    /// Halves of an address, recombined with a carry and with masks.
    #[kernel(reqntid = 1)]
    pub fn halves(data: Ptr<Global, u32>) {
        ptx! {
            .reg .b32 %low, %high, %x;
            .reg .b64 %data, %same, %other;
            ld.param.u64        %data, [data];
            mov.b64             {%low, %high}, %data;
            mov.b64             %same, {%low, %high};
            ld.global.u32       %x, [%same];
            add.cc.u32          %low, %low, 4;
            addc.u32            %high, %high, 0;
            mov.b64             %same, {%low, %high};
            ld.global.u32       %x, [%same];
            and.b64             %same, %data, 0xffffffff;
            shr.u64             %other, %data, 32;
            shl.b64             %other, %other, 32;
            add.u64             %same, %same, %other;
            ld.global.u32       %x, [%same];
            cvt.u32.u64         %low, %data;
            cvt.u64.u32         %same, %low;
            or.b64              %same, %same, %data;
            ld.global.u32       %x, [%same];
            cvta.shared.u64     %data, ROW;
            and.b64             %same, %data, 0xffffffff;
            sub.u64             %other, %data, %same;
            add.u64             %same, %same, %other;
            ld.u32              %x, [%same];
            ret;
        }
    }

    /// Registers that are never written, but whose values do not matter.
    #[kernel(reqntid = 32)]
    pub fn idle() {
        ptx! {
            .reg .pred %p, %q, %unset;
            .reg .b32 %none, %zero, %one, %row, %at, %x, %t;
            .reg .b64 %pair;
            mov.u32             %row, ROW;
            xor.b32             %zero, %none, %none;
            add.u32             %at, %row, %zero;
            ld.shared.u32       %x, [%at];
            sub.u32             %one, %none, %none;
            add.u32             %at, %row, %one;
            ld.shared.u32       %x, [%at];
            and.b32             %zero, %none, 0;
            add.u32             %at, %row, %zero;
            ld.shared.u32       %x, [%at];
            mul.lo.u32          %zero, %none, 0;
            add.u32             %at, %row, %zero;
            ld.shared.u32       %x, [%at];
            not.b32             %one, %none;
            add.u32             %zero, %one, %none;
            mad.lo.u32          %at, %zero, 4, %row;
            ld.shared.u32       %x, [%at + 4];
            mov.b64             %pair, {%row, %none};
            cvt.u32.u64         %at, %pair;
            ld.shared.u32       %x, [%at];
            // The bits are shifted out.
            shl.b32             %zero, %none, 31;
            shl.b32             %zero, %zero, 1;
            add.u32             %at, %row, %zero;
            ld.shared.u32       %x, [%at];
            // The other predicate decides.
            mov.u32             %t, %tid.x;
            setp.gt.u32         %p, %t, 31;
            and.pred            %q, %p, %unset;
            @%q st.shared.u32   [ROW + 256], %x;
            ret;
        }
    }

    /// Stores and read-only loads that do not overlap, or may not.
    #[kernel(reqntid = 32)]
    pub fn unchanged(to: Ptr<Global, u32>, from: Ptr<Global, u32>, n: u32) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t, %n, %x;
            .reg .b64 %to, %from, %wide, %table;
            ld.param.u64        %to, [to];
            ld.param.u64        %from, [from];
            ld.param.u32        %n, [n];
            mov.u32             %t, %tid.x;
            mul.wide.u32        %wide, %t, 4;
            mov.u64             %table, TABLE;
            add.u64             %table, %table, %wide;
            add.u64             %to, %to, %wide;
            add.u64             %from, %from, %wide;
            st.global.u32       [%table], %t;
            ld.global.nc.u32    %x, [%table + 128];
            st.global.u32       [%to], %x;
            ld.global.nc.u32    %x, [%from];
            // On this path the other half is stored.
            setp.eq.u32         %p, %n, 0;
            @%p bra             OTHER;
            st.global.u32       [%to + 128], %x;
            bra                 END;
        OTHER:
            ld.global.nc.u32    %x, [%to + 128];
            st.global.u32       [%to], %x;
        END:
            ret;
        }
    }

    /// Named barriers on which half of the block arrives and the other half waits.
    #[kernel(reqntid = 64)]
    pub fn named() {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t, %number, %threads;
            mov.u32             %t, %tid.x;
            mov.u32             %threads, 64;
            mov.u32             %number, 1;
            setp.lt.u32         %p, %t, 32;
            @%p bra             FIRST;
            bar.arrive          %number, %threads;
            barrier.arrive      2, 64;
            barrier.sync        0;
            ret;
        FIRST:
            bar.sync            %number, %threads;
            barrier.sync        2, 64;
            barrier.sync        0;
            ret;
        }
    }
}
