//! Addresses that are rounded up and down, or tested, before wider accesses than their alignment promises.

use ptx::prelude::*;

/// 64 x 64 halves, whose swizzle needs an alignment of 1024 bytes.
#[tensor_map(element = f16, box = [64, 64], swizzle = B128)]
pub struct Block;

#[ptx::module(target = sm_90a, version = 8.6)]
pub mod alignments {
    use super::*;

    #[shared(dynamic, align = 16)]
    static DYNAMIC: [u8];

    #[shared]
    static LOADED: Mbarrier;

    #[shared(align = 4)]
    static RAW: [u8; 1024];

    #[shared(align = 16)]
    static WORDS: [i32; 64];

    /// Rounds up and down to 16 bytes: by masks, remainders, shifts, and the missing difference.
    #[kernel(reqntid = 32)]
    pub fn rounded(raw: Ptr<Global, u8>, count: u32) {
        ptx! {
            .reg .b32 %n;
            .reg .b64 %p, %q, %low;
            .reg .f32 %f<4>;
            ld.param.u64        %p, [raw];
            ld.param.u32        %n, [count];
            add.u64             %q, %p, 15;
            and.b64             %q, %q, -16;
            ld.global.v4.f32    {%f0, %f1, %f2, %f3}, [%q];
            mad.wide.u32        %q, %n, 16, %q;
            st.global.v4.f32    [%q + 32], {%f0, %f1, %f2, %f3};
            and.b64             %low, %p, 15;
            sub.u64             %q, %p, %low;
            st.global.v4.f32    [%q + 16], {%f0, %f1, %f2, %f3};
            xor.b64             %q, %p, %low;
            st.global.v4.f32    [%q + 16], {%f0, %f1, %f2, %f3};
            neg.s64             %low, %p;
            and.b64             %low, %low, 15;
            add.u64             %q, %p, %low;
            st.global.v4.f32    [%q], {%f0, %f1, %f2, %f3};
            shr.u64             %q, %p, 4;
            shl.b64             %q, %q, 4;
            st.global.v4.f32    [%q + 16], {%f0, %f1, %f2, %f3};
            ret;
        }
    }

    /// Dynamic shared memory rounded up to 1024 bytes, as in CUTLASS for tiles, in three ways.
    #[kernel(reqntid = 1)]
    pub fn tile_from(map: TensorMap<Block>) {
        ptx! {
            .reg .pred %done;
            .reg .b32 %smem, %tile, %n;
            .reg .b64 %map;
            .reg .f32 %f<4>;
            mov.b64             %map, map;
            cvta.param.u64      %map, %map;
            mov.u32             %smem, DYNAMIC;
            mbarrier.init.shared::cta.b64 [LOADED], 1;
            fence.proxy.async.shared::cta;
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [LOADED], #(3 * Block::TRANSACTION_BYTES);
            add.u32             %tile, %smem, 1023;
            and.b32             %tile, %tile, -1024;
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [%tile], [%map, {0, 0}], [LOADED];
            neg.s32             %n, %smem;
            and.b32             %n, %n, 1023;
            add.u32             %tile, %smem, %n;
            add.u32             %tile, %tile, 8192;
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [%tile], [%map, {64, 0}], [LOADED];
            and.b32             %n, %smem, 1023;
            sub.u32             %n, 1024, %n;
            and.b32             %n, %n, 1023;
            add.u32             %tile, %smem, %n;
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [%tile + 16384], [%map, {0, 64}], [LOADED];
        WAIT:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [LOADED], 0;
            @!%done bra         WAIT;
            mov.u32             %tile, RAW;
            add.u32             %tile, %tile, 15;
            and.b32             %tile, %tile, 0xFFFFFFF0;
            ld.shared.v4.f32    {%f0, %f1, %f2, %f3}, [%tile];
            ret;
        }
    }

    /// A test of each thread's address, which also holds for addresses that are multiples of 16 away.
    #[kernel(reqntid = 32)]
    pub fn by_thread(data: Ptr<Global, f32>) {
        ptx! {
            .reg .pred %is, %is_not, %both;
            .reg .b32 %t, %i;
            .reg .b64 %p, %q, %low;
            .reg .f32 %f<4>;
            ld.param.u64        %p, [data];
            mov.u32             %t, %tid.x;
            mad.wide.u32        %q, %t, 4, %p;
            and.b64             %low, %q, 15;
            setp.eq.s64         %is, %low, 0;
            @%is ld.global.v4.f32 {%f0, %f1, %f2, %f3}, [%q];
            @%is st.global.v4.f32 [%q + 512], {%f0, %f1, %f2, %f3};
            setp.lt.u32         %both, %t, 7;
            and.pred            %both, %both, %is;
            @%both st.global.v4.f32 [%q + 16], {%f3, %f2, %f1, %f0};
            not.pred            %is_not, %is;
            @%is_not ret;
            mov.u32             %i, 0;
        NEXT:
            ld.global.v4.f32    {%f0, %f1, %f2, %f3}, [%q];
            add.u64             %q, %q, 48;
            add.u32             %i, %i, 1;
            setp.lt.u32         %both, %i, %t;
            @%both bra          NEXT;
            ret;
        }
    }

    /// Thread indices in 16 bits, as read by old compilers.
    #[kernel(reqntid = 32)]
    pub fn narrow() {
        ptx! {
            .reg .b16 %h, %g;
            .reg .b32 %t, %at, %base, %x;
            mov.u32             %base, WORDS;
            mov.u16             %h, %tid.x;
            mul.wide.u16        %t, %h, 4;
            add.u32             %at, %base, %t;
            ld.shared.s32       %x, [%at + 128];
            mov.u16             %g, %ntid.x;
            sub.u16             %g, %g, %h;
            mul.wide.u16        %t, %g, 8;
            add.u32             %at, %base, %t;
            st.shared.s32       [%at + -4], %x; // 63 and down
            cvt.u32.u16         %t, %h;
            shl.b16             %g, %h, 1;
            cvt.u32.u16         %x, %g;
            add.u32             %t, %t, %x;
            shr.u32             %t, %t, 1; // 46 at most
            mad.lo.u32          %at, %t, 4, %base;
            ld.shared.s32       %x, [%at + 68];
            ret;
        }
    }

    /// Sums elements from an address on; the caller gives their number.
    #[device]
    fn sum_from(at: Reg<u32>, count: Reg<u32>) -> Reg<u32> {
        ptx! {
            .reg .pred %p;
            .reg .b32 %x, %a, %i;
            mov.u32             returned, 0;
            mov.u32             %a, at;
            mov.u32             %i, 0;
        NEXT:
            ld.shared.u32       %x, [%a];
            add.u32             returned, returned, %x;
            add.u32             %a, %a, 4;
            add.u32             %i, %i, 1;
            setp.lt.u32         %p, %i, count;
            @%p bra             NEXT;
            ret;
        }
    }

    /// A whole array, its last element, and the part from each thread's index on.
    #[kernel(reqntid = 64)]
    pub fn sums() {
        ptx! {
            .reg .b32 %t, %n, %at, %x, %first;
            mov.u32             %first, WORDS;
            mov.u32             %n, 64;
            call                (%x), sum_from, (%first, %n);
            mov.u32             %t, %tid.x;
            sub.u32             %n, %n, %t;
            mad.lo.u32          %at, %t, 4, %first;
            call                (%x), sum_from, (%at, %n);
            add.u32             %at, %first, 252;
            mov.u32             %n, 1;
            call                (%x), sum_from, (%at, %n);
            ret;
        }
    }
}
