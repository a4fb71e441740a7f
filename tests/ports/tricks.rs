//! Address tricks.

use ptx::prelude::*;

/// A tile of bytes.
#[tensor_map(element = u8, box = [64, 16])]
pub struct Bytes;

/// CUTLASS's parameters: maps and numbers in one struct.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub struct Arguments {
    left: TensorMap<Bytes>,
    right: TensorMap<Bytes>,
    steps: u32,
    rest: [u32; 31],
}

#[ptx::module(target = sm_90a, version = 8.6)]
pub mod tricks {
    use super::*;

    #[shared(align = 16)]
    static A: [u32; 64];

    #[shared(align = 16)]
    static B: [u32; 512];

    #[shared(align = 16)]
    static POINTERS: [u64; 8];

    #[shared]
    static PLACES: [u32; 8];

    #[shared(align = 128)]
    static TILES: [Tile<Bytes>; 2];

    #[shared]
    static LOADED: Mbarrier;

    #[shared(dynamic, align = 16)]
    static SMEM: [u8];

    /// `__cvta_generic_to_shared`, as CUTLASS inlines it.
    #[device]
    pub fn to_shared(address: Reg<u64>) -> Reg<u32> {
        ptx! {
            { .reg .u64 smem_ptr; cvta.to.shared.u64 smem_ptr, address; cvt.u32.u64 returned, smem_ptr; }
            ret;
        }
    }

    /// An address that a function advances.
    #[device(returns(next))]
    pub fn move_on(address: u64, bytes: u32) -> u64 {
        ptx! {
            .reg .b32 %n;
            .reg .b64 %a;
            ld.param.u64    %a, [address];
            ld.param.u32    %n, [bytes];
            mad.wide.u32    %a, %n, 1, %a;
            st.param.b64    [next], %a;
            ret;
        }
    }

    /// Addresses through functions and back.
    #[kernel(reqntid = 32)]
    pub fn handed_on(out: Ptr<Global, u32>) {
        ptx! {
            .reg .b32 %s, %x;
            .reg .b64 %g, %out;
            .param .b64 to;
            .param .b64 from;
            .param .b32 by;
            mov.u64             %g, B;
            cvta.shared.u64     %g, %g;
            call                (%s), to_shared, (%g);
            ld.shared.u32       %x, [%s + 2044];
            st.param.b64        [to], %g;
            st.param.b32        [by], 128;
            call                (from), move_on, (to, by);
            ld.param.b64        %g, [from];
            st.u32              [%g], %x;
            ld.param.u64        %out, [out];
            st.param.b64        [to], %out;
            st.param.b32        [by], 4;
            call                (from), move_on, (to, by);
            ld.param.b64        %out, [from];
            st.global.u32       [%out], %x;
            ret;
        }
    }

    /// Two addresses swapped with `xor`; one selected by a mask; one from halves; one from another lane.
    #[kernel(reqntid = 32)]
    pub fn juggled(data: Ptr<Global, V4<u32>>) {
        ptx! {
            .reg .pred %p, %q;
            .reg .b32 %a, %b, %x, %t, %lo, %hi, %m, %c;
            .reg .b64 %g, %tag, %at;
            mov.u32             %t, %laneid;
            mov.u32             %a, A;
            mov.u32             %b, B;
            xor.b32             %a, %a, %b;
            xor.b32             %b, %b, %a;
            xor.b32             %a, %a, %b;
            st.shared.u32       [%a + 2044], %t; // B
            st.shared.u32       [%b + 252], %t;  // A
            setp.lt.u32         %p, %t, 16;
            selp.b32            %m, -1, 0, %p;
            lop3.b32            %c, %m, %a, %b, 0xCA;
            mad.lo.u32          %c, %t, 4, %c;
            ld.shared.u32       %x, [%c];
            slct.u32.s32        %c, %a, %b, %m;
            ld.shared.u32       %x, [%c + 4];
            bfi.b32             %c, %t, %b, 2, 4; // an address no more, but its low bits are an offset
            sub.u32             %c, %c, %b;
            and.b32             %c, %c, 60;
            add.u32             %c, %c, %b;
            ld.shared.u32       %x, [%c];
            ld.param.u64        %g, [data];
            mov.b64             {%lo, %hi}, %g;
            shfl.sync.idx.b32   %lo, %lo, 0, 31, -1;
            shfl.sync.idx.b32   %hi, %hi, 0, 31, -1;
            mov.b64             %g, {%lo, %hi};
            st.global.u32       [%g], %x;
            // A pointer with a tag in its lowest bits.
            and.b32             %m, %t, 3;
            cvt.u64.u32         %tag, %m;
            or.b64              %tag, %g, %tag;
            and.b64             %at, %tag, -16;
            ld.global.v4.u32    {%a, %b, %c, %x}, [%at];
            and.b64             %tag, %tag, 3;
            setp.eq.u64         %q, %tag, 0;
            @%q st.global.u32   [%at + 12], %a;
            ret;
        }
    }

    /// Addresses in memory: pointers and shared addresses in shared memory and on the stack.
    #[kernel(reqntid = 32)]
    pub fn kept(a: Ptr<Global, f32>, b: Ptr<Global, f32>) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %t, %at, %place;
            .reg .b64 %x, %y, %old, %sp;
            .reg .f32 %f;
            .local .align 8 .b64 saved[2];
            mov.u32             %t, %laneid;
            setp.ne.u32         %p, %t, 0;
            @%p bra             FILLED;
            ld.param.u64        %x, [a];
            ld.param.u64        %y, [b];
            st.shared.v2.u64    [POINTERS], {%x, %y};
            mov.u32             %at, A;
            st.shared.u32       [PLACES], %at;
            mov.u32             %at, B;
            add.u32             %at, %at, 2032;
            st.shared.u32       [PLACES + 4], %at;
        FILLED:
            bar.warp.sync       -1;
            and.b32             %t, %t, 1;
            mov.u32             %at, POINTERS;
            mad.lo.u32          %at, %t, 8, %at;
            ld.shared.u64       %x, [%at];
            ld.global.f32       %f, [%x];
            mov.u64             %sp, saved;
            st.local.u64        [%sp + 8], %x;
            mov.u32             %at, PLACES;
            mad.lo.u32          %at, %t, 4, %at;
            ld.shared.u32       %place, [%at];
            ld.shared.u32       %t, [%place + 12];
            ld.local.u64        %y, [saved + 8];
            st.global.f32       [%y], %f;
            atom.shared.exch.b64 %old, [POINTERS + 8], %y;
            st.global.f32       [%old], %f;
            ret;
        }
    }

    /// Offsets that are valid for only one table, under the same predicate; a loop entered at its end.
    #[kernel(reqntid = 64)]
    pub fn under_predicates(n: u32) {
        ptx! {
            .reg .pred %large, %more;
            .reg .b32 %t, %at, %x, %n, %end;
            mov.u32             %t, %tid.x;
            setp.ge.u32         %large, %t, 32;
            mov.u32             %at, A;
            @%large mov.u32     %at, B;
            @%large add.u32     %at, %at, 1024;
            @%large ld.shared.u32 %x, [%at + 1020];
            @!%large ld.shared.u32 %x, [%at + 252];
            @%large sub.u32     %at, %at, 1024;
            ld.shared.u32       %x, [%at];
            // Before the first, and one past the last.
            mov.u32             %at, A;
            sub.u32             %at, %at, 4;
            add.u32             %end, %at, 256;
            ld.param.u32        %n, [n];
            min.u32             %n, %n, 64;
            bra                 ENTRY;
        NEXT:
            add.u32             %at, %at, 4;
            st.shared.u32       [%at], %n;
            sub.u32             %n, %n, 1;
        ENTRY:
            setp.ne.u32         %more, %n, 0;
            @%more bra          NEXT;
            ld.shared.u32       %x, [%end];
            add.u32             %end, %end, 4;
            ld.shared.u32       %x, [%end + -4];
            ret;
        }
    }

    /// A workspace of bytes, partitioned by the launch's numbers: floats, counters, and the rest.
    #[kernel(reqntid = 128)]
    pub fn workspace(work: Ptr<Global, u8, U256>, floats: u32) {
        ptx! {
            .reg .b32 %t, %n, %s, %size, %x;
            .reg .b64 %work, %counters, %at, %wide;
            .reg .f32 %f;
            .reg .f64 %d;
            mov.u32             %t, %tid.x;
            ld.param.u64        %work, [work];
            ld.param.u32        %n, [floats];
            mul.wide.u32        %counters, %n, 4;
            add.u64             %counters, %counters, 255;
            and.b64             %counters, %counters, 0xFFFFFFFFFFFFFF00;
            add.u64             %counters, %counters, %work;
            mad.wide.u32        %at, %t, 4, %work;
            cvt.rn.f32.u32      %f, %t;
            st.global.f32       [%at], %f;
            red.global.add.u64  [%counters], 1;
            ld.global.v4.b32    {%x, _, _, _}, [%counters + 16];
            ld.global.f64       %d, [%counters + 32];
            // The end of dynamic shared memory, whose size the launch gives.
            mov.u32             %size, %dynamic_smem_size;
            mov.u64             %wide, SMEM;
            cvt.u64.u32         %at, %size;
            add.u64             %at, %wide, %at;
            sub.u64             %at, %at, 16;
            and.b64             %at, %at, -8;
            st.shared.f64       [%at], %d;
            cvt.u32.u64         %s, %at;
            st.shared.b8        [%s + 8], %x;
            ld.shared.v2.f32    {%f, _}, [%wide];
            ret;
        }
    }

    /// nvcc loads `__half` and `__half2` as integers of the same sizes.
    #[kernel]
    pub fn halves(x: Ptr<Global, f16>, y: Ptr<Global, F16x2>, z: Ptr<Global, bf16>) {
        ptx! {
            .reg .b16 %rs<4>;
            .reg .b32 %r<4>;
            .reg .b64 %rd<4>;
            mov.u32             %r0, %tid.x;
            ld.param.u64        %rd0, [x];
            mad.wide.u32        %rd0, %r0, 2, %rd0;
            ld.global.nc.u16    %rs0, [%rd0];
            ld.param.u64        %rd1, [y];
            mad.wide.u32        %rd1, %r0, 4, %rd1;
            ld.global.u32       %r1, [%rd1];
            mov.b32             %r2, {%rs0, %rs0};
            { mul.f16x2 %r3, %r1, %r2; }
            st.global.u32       [%rd1], %r3;
            ld.param.u64        %rd2, [z];
            mad.wide.u32        %rd2, %r0, 2, %rd2;
            ld.global.u16       %rs1, [%rd2];
            { fma.rn.bf16 %rs2, %rs1, %rs1, %rs1; }
            st.global.u16       [%rd2], %rs2;
            ret;
        }
    }

    /// Maps in a struct that is a parameter, and maps behind a pointer.
    #[kernel(reqntid = 32)]
    pub fn maps(arguments: Arguments, more: Ptr<Global, TensorMap<Bytes>>) {
        ptx! {
            .reg .pred %p, %done;
            .reg .b32 %t, %tile, %steps;
            .reg .b64 %at, %map, %more;
            mov.u32             %t, %laneid;
            setp.ne.u32         %p, %t, 0;
            @%p bra             END;
            ld.param.u32        %steps, [arguments + #(offset_of!(Arguments, steps))];
            mov.b64             %at, arguments;
            cvta.param.u64      %at, %at;
            add.u64             %map, %at, #(offset_of!(Arguments, right));
            prefetch.tensormap  [%map];
            mbarrier.init.shared::cta.b64 [LOADED], 1;
            fence.proxy.async.shared::cta;
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [LOADED], #(2 * Bytes::TRANSACTION_BYTES);
            mov.u32             %tile, TILES;
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [%tile], [%at, {%t, %steps}], [LOADED];
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [%tile + #(Bytes::STRIDE)], [%map, {%t, %steps}], [LOADED];
        WAIT:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [LOADED], 0;
            @!%done bra         WAIT;
            ld.param.u64        %more, [more];
            mad.wide.u32        %more, %steps, 128, %more;
            cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%more, {%t, %steps}], [TILES];
            cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
                [%more, {%steps, %t}], [%tile + #(Bytes::STRIDE)];
            cp.async.bulk.commit_group;
            cp.async.bulk.wait_group 0;
        END:
            ret;
        }
    }
}
