//! The kernels: one for each rank and mode. Each makes one copy and outputs the result.

use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaStream, CudaView, CudaViewMut};
use ptx::cuda::{LaunchError, LoadError};
use ptx::prelude::*;

/// The threads of a block.
pub(crate) const THREADS: u32 = 128;

/// The bytes before the window in the output of a load.
pub(crate) const HEADER: usize = 64;

/// The bytes of the barrier after the window.
const BARRIER: usize = 16;

/// The time limit for a copy, in nanoseconds.
const PATIENCE: u64 = 2_000_000;

/// A tensor map as a kernel's parameter.
#[derive(Clone, Copy, PtxType)]
#[repr(C, align(128))]
pub(crate) struct Map {
    pub(crate) bytes: [u8; 128],
}

/// The arguments of a copy.
#[derive(Clone, Copy, PtxType)]
#[repr(C)]
pub(crate) struct Job {
    /// The coordinates in the tensor, innermost first.
    pub(crate) coordinates: [i32; 5],
    /// The offsets of `im2col`, W first.
    pub(crate) offsets: [u16; 3],
    /// 0 for a store, or the reduction's number.
    pub(crate) operation: u16,
    /// The offset of the tile in the window.
    pub(crate) tile: u32,
    /// The bytes of shared memory that are poisoned and output.
    pub(crate) window: u32,
    /// The transaction bytes.
    pub(crate) bytes: u32,
}

/// Starts a load, which writes its result to the buffer.
pub(crate) type Load =
    dyn Fn(&CudaStream, Map, Job, &mut CudaViewMut<'_, u8>) -> Result<(), LaunchError>;

/// Starts a store or a reduction from the buffer.
pub(crate) type Store = dyn Fn(&CudaStream, Map, Job, &CudaView<'_, u8>) -> Result<(), LaunchError>;

/// Loads a module, by the name of its kernel.
pub(crate) type Known<F> = (&'static str, fn(&Arc<CudaContext>) -> Result<Arc<F>, LoadError>);

impl Job {
    /// The bytes of dynamic shared memory that it needs.
    fn shared(&self) -> usize {
        self.window as usize + BARRIER
    }
}

/// One module for each form of the instruction.
macro_rules! kernels {
    (
        load { $($load:ident { $($copy:tt)* })* }
        store { $($store:ident { $($form:tt)* })* }
    ) => {
        $(kernels!(@ load $load { $($copy)* });)*
        $(kernels!(@ store $store { $($form)* });)*

        /// Every load by name.
        pub(crate) const LOADS: &[Known<Load>] = &[$((stringify!($load), |context| {
            let module = ptx::cuda::load::<$load::Loaded>(context)?;
            Ok(Arc::new(move |stream, map, job, results| {
                let launch = module.copy().grid(1).block(THREADS).dynamic(job.shared());
                // SAFETY: the result buffer has room for a header and a window.
                unsafe { launch.launch(stream, (map, job, results)) }
            }))
        })),*];

        /// Every store by name.
        pub(crate) const STORES: &[Known<Store>] = &[$((stringify!($store), |context| {
            let module = ptx::cuda::load::<$store::Loaded>(context)?;
            Ok(Arc::new(move |stream, map, job, data| {
                let launch = module.copy().grid(1).block(THREADS).dynamic(job.shared());
                // SAFETY: the data fill a window, and the map covers a buffer of this test.
                unsafe { launch.launch(stream, (map, job, data)) }
            }))
        })),*];
    };
    (@ load $name:ident { $($copy:tt)* }) => {
        #[ptx::module(target = sm_90a, version = 8.0)]
        mod $name {
            use super::*;

            /// The window, followed by the barrier.
            #[shared(dynamic, align = 1024)]
            static WINDOW: [u8];

            #[kernel(maxntid = THREADS)]
            pub fn copy(map: Map, job: Job, out: Ptr<Global, u8, U4>) {
                ptx! {
                    .reg .pred %p;
                    .reg .b32 %thread, %base, %bar, %tile, %i, %n, %at32, %v, %tx, %phase, %c<5>;
                    .reg .b16 %w<3>;
                    .reg .b64 %map, %out, %at, %raw, %start, %now;

                    mov.u32 %thread, %tid.x;
                    mov.u32 %base, WINDOW;
                    ld.param.u64 %out, [out];
                    ld.param.u32 %n, [job + #(offset_of!(Job, window))];
                    add.u32 %bar, %base, %n;
                    ld.param.u32 %tile, [job + #(offset_of!(Job, tile))];
                    add.u32 %tile, %tile, %base;
                    ld.param.s32 %c0, [job];
                    ld.param.s32 %c1, [job + 4];
                    ld.param.s32 %c2, [job + 8];
                    ld.param.s32 %c3, [job + 12];
                    ld.param.s32 %c4, [job + 16];
                    ld.param.u16 %w0, [job + #(offset_of!(Job, offsets))];
                    ld.param.u16 %w1, [job + #(offset_of!(Job, offsets) + 2)];
                    ld.param.u16 %w2, [job + #(offset_of!(Job, offsets) + 4)];
                    ld.param.u32 %tx, [job + #(offset_of!(Job, bytes))];
                    mov.b64 %map, map;
                    cvta.param.u64 %map, %map;

                    // Every word of the window holds a different number.
                    shl.b32 %i, %thread, 2;
                poison:
                    setp.ge.u32 %p, %i, %n;
                    @%p bra poisoned;
                    mul.lo.u32 %v, %i, 0x9E3779B1;
                    xor.b32 %v, %v, 0x5bd1e995;
                    add.u32 %at32, %base, %i;
                    st.shared.u32 [%at32], %v;
                    add.u32 %i, %i, #(THREADS * 4);
                    bra poison;
                poisoned:
                    fence.proxy.async;
                    bar.sync 0;
                    setp.ne.u32 %p, %thread, 0;
                    @%p bra copied;

                    mbarrier.init.shared::cta.b64 [%bar], 1;
                    fence.proxy.async;
                    mbarrier.arrive.expect_tx.shared::cta.b64 %raw, [%bar], %tx;
                    $($copy)*

                    // The phase that the copy completes, and then one without a transaction: it does
                    // not end if more bytes arrived than were expected.
                    mov.u32 %phase, 0;
                next:
                    mov.u64 %start, %globaltimer;
                wait:
                    mbarrier.test_wait.parity.shared::cta.b64 %p, [%bar], %phase;
                    @%p bra came;
                    mov.u64 %now, %globaltimer;
                    sub.u64 %now, %now, %start;
                    setp.lt.u64 %p, %now, #(PATIENCE);
                    @%p bra wait;
                    bra show;
                came:
                    add.u32 %phase, %phase, 1;
                    setp.eq.u32 %p, %phase, 2;
                    @%p bra show;
                    mbarrier.arrive.shared::cta.b64 %raw, [%bar];
                    bra next;
                show:
                    st.global.b32 [%out], %phase;
                    st.global.b32 [%out + 4], %base;
                copied:
                    bar.sync 0;
                    shl.b32 %i, %thread, 2;
                dump:
                    setp.ge.u32 %p, %i, %n;
                    @%p bra done;
                    add.u32 %at32, %base, %i;
                    ld.shared.u32 %v, [%at32];
                    cvt.u64.u32 %at, %i;
                    add.u64 %at, %out, %at;
                    st.global.b32 [%at + #(HEADER)], %v;
                    add.u32 %i, %i, #(THREADS * 4);
                    bra dump;
                done:
                    ret;
                }
            }
        }
    };
    // A store, and the reductions by their numbers.
    (@ store $name:ident { $rank:tt $mode:ident $at:tt }) => {
        #[ptx::module(target = sm_90a, version = 8.0)]
        mod $name {
            use super::*;

            #[shared(dynamic, align = 1024)]
            static WINDOW: [u8];

            #[kernel(maxntid = THREADS)]
            pub fn copy(map: Map, job: Job, #[readonly] data: Ptr<Global, u8, U4>) {
                ptx! {
                    .reg .pred %p, %q<9>;
                    .reg .b32 %thread, %base, %tile, %i, %n, %at32, %v, %c<5>;
                    .reg .b16 %op;
                    .reg .b64 %map, %data, %at;

                    mov.u32 %thread, %tid.x;
                    mov.u32 %base, WINDOW;
                    ld.param.u64 %data, [data];
                    ld.param.u32 %n, [job + #(offset_of!(Job, window))];
                    ld.param.u32 %tile, [job + #(offset_of!(Job, tile))];
                    add.u32 %tile, %tile, %base;
                    ld.param.s32 %c0, [job];
                    ld.param.s32 %c1, [job + 4];
                    ld.param.s32 %c2, [job + 8];
                    ld.param.s32 %c3, [job + 12];
                    ld.param.s32 %c4, [job + 16];
                    ld.param.u16 %op, [job + #(offset_of!(Job, operation))];
                    mov.b64 %map, map;
                    cvta.param.u64 %map, %map;

                    shl.b32 %i, %thread, 2;
                fill:
                    setp.ge.u32 %p, %i, %n;
                    @%p bra filled;
                    cvt.u64.u32 %at, %i;
                    add.u64 %at, %data, %at;
                    ld.global.b32 %v, [%at];
                    add.u32 %at32, %base, %i;
                    st.shared.u32 [%at32], %v;
                    add.u32 %i, %i, #(THREADS * 4);
                    bra fill;
                filled:
                    fence.proxy.async;
                    bar.sync 0;
                    setp.ne.u32 %p, %thread, 0;
                    @%p bra done;
                    setp.eq.u16 %q0, %op, 0;
                    setp.eq.u16 %q1, %op, 1;
                    setp.eq.u16 %q2, %op, 2;
                    setp.eq.u16 %q3, %op, 3;
                    setp.eq.u16 %q4, %op, 4;
                    setp.eq.u16 %q5, %op, 5;
                    setp.eq.u16 %q6, %op, 6;
                    setp.eq.u16 %q7, %op, 7;
                    setp.eq.u16 %q8, %op, 8;
                    @%q0 cp.async.bulk.tensor.$rank.global.shared::cta.$mode.bulk_group [%map, $at], [%tile];
                    @%q1 cp.reduce.async.bulk.tensor.$rank.global.shared::cta.add.$mode.bulk_group [%map, $at], [%tile];
                    @%q2 cp.reduce.async.bulk.tensor.$rank.global.shared::cta.min.$mode.bulk_group [%map, $at], [%tile];
                    @%q3 cp.reduce.async.bulk.tensor.$rank.global.shared::cta.max.$mode.bulk_group [%map, $at], [%tile];
                    @%q4 cp.reduce.async.bulk.tensor.$rank.global.shared::cta.inc.$mode.bulk_group [%map, $at], [%tile];
                    @%q5 cp.reduce.async.bulk.tensor.$rank.global.shared::cta.dec.$mode.bulk_group [%map, $at], [%tile];
                    @%q6 cp.reduce.async.bulk.tensor.$rank.global.shared::cta.and.$mode.bulk_group [%map, $at], [%tile];
                    @%q7 cp.reduce.async.bulk.tensor.$rank.global.shared::cta.or.$mode.bulk_group [%map, $at], [%tile];
                    @%q8 cp.reduce.async.bulk.tensor.$rank.global.shared::cta.xor.$mode.bulk_group [%map, $at], [%tile];
                    cp.async.bulk.commit_group;
                    cp.async.bulk.wait_group 0;
                done:
                    ret;
                }
            }
        }
    };
}

kernels! {
    load {
        load_1d {
            cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [%tile], [%map, {%c0}], [%bar];
        }
        load_2d {
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [%tile], [%map, {%c0, %c1}], [%bar];
        }
        load_3d {
            cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [%tile], [%map, {%c0, %c1, %c2}], [%bar];
        }
        load_4d {
            cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [%tile], [%map, {%c0, %c1, %c2, %c3}], [%bar];
        }
        load_5d {
            cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
                [%tile], [%map, {%c0, %c1, %c2, %c3, %c4}], [%bar];
        }
        load_im2col_3d {
            cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes
                [%tile], [%map, {%c0, %c1, %c2}], [%bar], {%w0};
        }
        load_im2col_4d {
            cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes
                [%tile], [%map, {%c0, %c1, %c2, %c3}], [%bar], {%w0, %w1};
        }
        load_im2col_5d {
            cp.async.bulk.tensor.5d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes
                [%tile], [%map, {%c0, %c1, %c2, %c3, %c4}], [%bar], {%w0, %w1, %w2};
        }
    }
    store {
        store_1d { 1d tile {%c0} }
        store_2d { 2d tile {%c0, %c1} }
        store_3d { 3d tile {%c0, %c1, %c2} }
        store_4d { 4d tile {%c0, %c1, %c2, %c3} }
        store_5d { 5d tile {%c0, %c1, %c2, %c3, %c4} }
        store_im2col_3d { 3d im2col_no_offs {%c0, %c1, %c2} }
        store_im2col_4d { 4d im2col_no_offs {%c0, %c1, %c2, %c3} }
        store_im2col_5d { 5d im2col_no_offs {%c0, %c1, %c2, %c3, %c4} }
    }
}
