//! Kernels that become nodes of graphs.

use ptx::prelude::*;

#[tensor_map(element = f32, box = [16, 8])]
pub(super) struct Patch;

#[ptx::module(target = sm_90)]
pub(super) mod steps {
    use super::Patch;
    use ptx::prelude::*;

    #[constant]
    pub static ADDEND: u32 = 1;
    #[global]
    pub static BLOCKS: u32 = 0;
    #[global]
    pub static TABLE: [u16; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
    #[shared]
    static TILE: Tile<Patch>;
    #[shared]
    static FULL: Mbarrier;

    /// `to[i] = from[i] + ADDEND`, and counts its blocks.
    #[kernel(
        reqntid = 64,
        requires(from.len() >= n, to.len() >= n),
        grid = n.div_ceil(64),
        unsafe(safe_launch)
    )]
    pub fn add(#[readonly] from: Ptr<Global, u32>, to: Ptr<Global, u32>, n: u32) {
        ptx! {
            .reg .pred %p, %first;
            .reg .b32 %i, %block, %n, %x, %addend;
            .reg .b64 %from, %to;
            mov.u32 %i, %tid.x;
            setp.eq.u32 %first, %i, 0;
            @%first red.global.add.u32 [BLOCKS], 1;
            mov.u32 %block, %ctaid.x;
            mad.lo.u32 %i, %block, 64, %i;
            ld.param.u32 %n, [n];
            setp.ge.u32 %p, %i, %n;
            @%p ret;
            ld.param.u64 %from, [from];
            mad.wide.u32 %from, %i, 4, %from;
            ld.param.u64 %to, [to];
            mad.wide.u32 %to, %i, 4, %to;
            ld.global.u32 %x, [%from];
            ld.const.u32 %addend, [ADDEND];
            add.u32 %x, %x, %addend;
            st.global.u32 [%to], %x;
            ret;
        }
    }

    /// Doubles each element, after the kernel before has ended; with the shape of the launch.
    #[kernel(maxntid = 256)]
    pub fn double(data: Ptr<Global, u32>) {
        ptx! {
            .reg .b32 %i, %block, %threads, %x;
            .reg .b64 %data;
            griddepcontrol.wait;
            mov.u32 %i, %tid.x;
            mov.u32 %block, %ctaid.x;
            mov.u32 %threads, %ntid.x;
            mad.lo.u32 %i, %block, %threads, %i;
            ld.param.u64 %data, [data];
            mad.wide.u32 %data, %i, 4, %data;
            ld.global.u32 %x, [%data];
            add.u32 %x, %x, %x;
            st.global.u32 [%data], %x;
            ret;
        }
    }

    /// Lets the next kernel start, and stores a number about 20 milliseconds later.
    #[kernel(reqntid = 1, grid = 1, requires(to.len() >= 1), unsafe(safe_launch))]
    pub fn first(to: Ptr<Global, u32>, number: u32) {
        ptx! {
            let %start, %now, %to: u64;
            let %number: u32;
            let %more: bool;
            griddepcontrol.launch_dependents;
            mov.u64 %start, %globaltimer;
        AGAIN:
            mov.u64 %now, %globaltimer;
            sub.u64 %now, %now, %start;
            setp.lt.u64 %more, %now, 20000000;
            @%more bra AGAIN;
            ld.param.u64 %to, [to];
            ld.param.u32 %number, [number];
            st.global.u32 [%to], %number;
            ret;
        }
    }

    /// Waits for nothing, and lets the next kernel start.
    #[kernel(reqntid = 1, grid = 1, unsafe(safe_launch))]
    pub fn second() {
        ptx! {
            griddepcontrol.launch_dependents;
            ret;
        }
    }

    /// Takes long: counts to `n`.
    #[kernel(reqntid = 1, grid = 1, unsafe(safe_launch), requires(to.len() >= 1))]
    pub fn slow(to: Ptr<Global, u32>, n: u32) {
        ptx! {
            .reg .pred %p;
            .reg .b32 %i, %n;
            .reg .b64 %to;
            ld.param.u32 %n, [n];
            ld.param.u64 %to, [to];
            mov.u32 %i, 0;
        LOOP:
            st.volatile.global.u32 [%to], %i;
            add.u32 %i, %i, 1;
            setp.le.u32 %p, %i, %n;
            @%p bra LOOP;
            ret;
        }
    }

    /// Copies the patch at the map's start.
    #[kernel(reqntid = 128, requires(to.len() >= 1), grid = 1, unsafe(safe_launch))]
    pub fn patch(#[readonly] from: TensorMap<Patch>, to: Ptr<Global, [f32; 128]>) {
        ptx! {
            let %thread, %slot: u32;
            let %map: u64;
            let %first, %done: bool;
            let %at: Ptr<Global, f32>;
            let %value: f32;
            mov.u32         %thread, %tid.x;
            setp.eq.u32     %first, %thread, 0;
            @%first mbarrier.init.shared.b64 [FULL], 1;
            @%first fence.mbarrier_init.release.cluster;
            bar.sync        0;
            cvta.param.u64  %map, from;
            @%first mbarrier.arrive.expect_tx.shared.b64 _, [FULL], #(Patch::TRANSACTION_BYTES);
            @%first cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [TILE], [%map, {0, 0}], [FULL];
        WAIT:
            mbarrier.try_wait.parity.shared.b64 %done, [FULL], 0;
            @!%done bra     WAIT;
            mov.u32         %slot, TILE;
            mad.lo.u32      %slot, %thread, 4, %slot;
            ld.shared.f32   %value, [%slot];
            lea.global.u64  %at, to[0][%thread];
            st.global.f32   [%at], %value;
            ret;
        }
    }

    /// The number of blocks in a cluster.
    #[kernel(reqntid = 32)]
    pub fn cluster(to: Ptr<Global, u32>) {
        ptx! {
            .reg .b64 %to;
            .reg .b32 %size;
            ld.param.u64 %to, [to];
            mov.u32 %size, %cluster_nctarank;
            st.global.u32 [%to], %size;
            ret;
        }
    }
}

/// Kernels that decide what a graph runs.
#[ptx::module(target = sm_90)]
pub(super) mod decisions {
    use ptx::prelude::*;

    #[allow(non_snake_case)] // the driver's name
    #[device(extern)]
    fn cudaGraphSetConditional(condition: u64, value: u32);

    /// Counts down, and leaves what remains in the condition.
    #[kernel(reqntid = 1, grid = 1, requires(count.len() >= 1), unsafe(safe_launch))]
    pub fn count_down(condition: u64, count: Ptr<Global, u32>) {
        ptx! {
            .reg .b32 %x;
            .reg .b64 %condition, %count;
            ld.param.u64 %condition, [condition];
            ld.param.u64 %count, [count];
            ld.global.u32 %x, [%count];
            sub.u32 %x, %x, 1;
            st.global.u32 [%count], %x;
            call cudaGraphSetConditional, (%condition, %x);
            ret;
        }
    }

    /// Adds one.
    #[kernel(reqntid = 1, grid = 1, requires(count.len() >= 1), unsafe(safe_launch))]
    pub fn count_up(count: Ptr<Global, u32>) {
        ptx! {
            .reg .b32 %x;
            .reg .b64 %count;
            ld.param.u64 %count, [count];
            ld.global.u32 %x, [%count];
            add.u32 %x, %x, 1;
            st.global.u32 [%count], %x;
            ret;
        }
    }
}
