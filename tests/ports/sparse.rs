//! Products of sparse matrices, and other newer instructions.

use ptx::prelude::*;

#[ptx::module(target = sm_90a, version = 8.6)]
pub mod hopper {
    use super::*;

    /// The nonzero half of a matrix of 64 rows.
    #[tensor_map(element = f16, box = [64, 64], swizzle = B128)]
    pub struct Kept;

    /// Eight columns of twice as many elements.
    #[tensor_map(element = f16, box = [64, 8], swizzle = B128)]
    pub struct Columns;

    #[constant(align = 64)]
    pub static COLUMNS: [B64; 16];

    #[shared]
    static LEFT: Tile<Kept>;

    #[shared]
    static RIGHT: [Tile<Columns>; 2];

    #[shared]
    static FULL: Mbarrier;

    /// `wgmma` of a sparse matrix, through a map that is a parameter, and one that the host stores in constant
    /// memory.
    #[kernel(reqntid = 128)]
    pub fn multiply(kept: TensorMap<Kept>, selects: Ptr<Global, u32>, out: Ptr<Global, f32, U16>) {
        ptx! {
            .reg .pred %p, %done;
            .reg .b32 %t, %select, %at;
            .reg .b64 %map, %columns, %selects, %out, %left, %right;
            .reg .f32 %f<4>;
            mov.u32         %t, %tid.x;
            setp.ne.u32     %p, %t, 0;
            @%p bra         WAIT;
            mov.b64         %map, kept;
            cvta.param.u64  %map, %map;
            mov.u64         %columns, COLUMNS;
            cvta.const.u64  %columns, %columns;
            prefetch.param.tensormap [kept];
            prefetch.const.tensormap [COLUMNS];
            mbarrier.init.shared::cta.b64 [FULL], 1;
            fence.proxy.async.shared::cta;
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [FULL],
                #(Kept::TRANSACTION_BYTES + 2 * Columns::TRANSACTION_BYTES);
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [LEFT], [%map, {0, 0}], [FULL];
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [RIGHT], [%columns, {0, 0}], [FULL];
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [RIGHT + #(Columns::STRIDE)], [%columns, {64, 0}], [FULL];
        WAIT:
            bar.sync        0;
            mbarrier.try_wait.parity.shared::cta.b64 %done, [FULL], 0;
            @!%done bra     WAIT;
            ld.param.u64    %selects, [selects];
            mad.wide.u32    %selects, %t, 4, %selects;
            ld.global.nc.u32 %select, [%selects];
            mov.u32         %at, LEFT;
            and.b32         %at, %at, 0x3FFFF;
            shr.u32         %at, %at, 4;
            cvt.u64.u32     %left, %at;
            or.b64          %left, %left, 0x4000004000010000;
            mov.u32         %at, RIGHT;
            and.b32         %at, %at, 0x3FFFF;
            shr.u32         %at, %at, 4;
            cvt.u64.u32     %right, %at;
            or.b64          %right, %right, 0x4000004000010000;
            wgmma.fence.sync.aligned;
            wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16
                {%f0, %f1, %f2, %f3}, %left, %right, %select, 0, 0, 1, 1, 0, 0;
            wgmma.commit_group.sync.aligned;
            wgmma.wait_group.sync.aligned 0;
            ld.param.u64    %out, [out];
            mad.wide.u32    %out, %t, 16, %out;
            st.global.v4.f32 [%out], {%f0, %f1, %f2, %f3};
            ret;
        }
    }
}

#[ptx::module(target = sm_103a, version = 8.8)]
pub mod ultra {
    use super::*;

    #[shared]
    static SLOT: u32;

    #[shared]
    static DONE: Mbarrier;

    /// A weight-stationary sparse product, whose metadata is in tensor memory, and the minimum of each
    /// row.
    #[kernel(reqntid = 128)]
    pub fn least(a: u64, b: u64, instruction: u32, out: Ptr<Global, f32>) {
        ptx! {
            .reg .pred %p, %done;
            .reg .b32 %t, %tensor, %select, %row, %desc, %least, %r<2>;
            .reg .b64 %a, %b, %out;
            mov.u32         %t, %tid.x;
            setp.ge.u32     %p, %t, 32;
            @%p bra         READY;
            tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [SLOT], 64;
            setp.ne.u32     %p, %t, 0;
            @!%p mbarrier.init.shared::cta.b64 [DONE], 1;
        READY:
            bar.sync        0;
            ld.shared.u32   %tensor, [SLOT];
            add.u32         %select, %tensor, 32;
            setp.ne.u32     %p, %t, 0;
            @%p bra         WAIT;
            ld.param.u64    %a, [a];
            ld.param.u64    %b, [b];
            ld.param.u32    %desc, [instruction];
            tcgen05.mma.ws.sp.cta_group::1.kind::f16 [%tensor], %a, %b, [%select], %desc, 0;
            tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [DONE];
        WAIT:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [DONE], 0;
            @!%done bra     WAIT;
            and.b32         %row, %t, 96;
            shl.b32         %row, %row, 16;
            add.u32         %row, %row, %tensor;
            tcgen05.ld.red.sync.aligned.32x32b.x2.min.f32 {%r0, %r1}, %least, [%row];
            tcgen05.wait::ld.sync.aligned;
            ld.param.u64    %out, [out];
            mad.wide.u32    %out, %t, 4, %out;
            st.global.b32   [%out], %least;
            bar.sync        0;
            setp.ge.u32     %p, %t, 32;
            @%p bra         END;
            tcgen05.dealloc.cta_group::1.sync.aligned.b32 %tensor, 64;
        END:
            ret;
        }
    }
}
