//! A persistent kernel that copies 2 GiB tile by tile through tensor maps, compared with the driver's
//! device-to-device copy: `cargo bench --features cuda --bench tile_copy`, on a GPU of `sm_90`.

#![allow(unsafe_code, reason = "a launch without a contract is unsafe")]
#![allow(missing_docs)] // the kernel's module

use std::error::Error;

use cudarc::driver::sys;
use ptx::cuda::Over as _;
use ptx::prelude::*;

const ROWS_OF_TILE: usize = 16;

/// 16 KiB: 16 rows of 256 words.
#[tensor_map(element = u32, box = [256, ROWS_OF_TILE], l2_promotion = B256)]
struct Words;

const STAGES: usize = 12;
/// The number of stores that may still read their stages.
const STORES: usize = 4;

#[derive(PtxType)]
#[repr(C)]
struct Ring {
    tiles: [Tile<Words>; STAGES],
    full: [Mbarrier; STAGES],
    rest: [u64; 16 - STAGES],
}

#[ptx::module(target = sm_90a)]
mod tiles {
    use super::*;

    #[shared(dynamic)]
    pub static RING: Ring;

    /// Copies `count` tiles of a matrix 256 words wide, with one thread per block and any number of blocks.
    #[kernel(maxntid = 32)]
    pub fn copy(from: TensorMap<Words>, to: TensorMap<Words>, count: u32) {
        ptx! {
            .reg .b64 %from, %to;
            .reg .b32 %count, %tile, %next, %step, %row, %zero, %ring, %barrier, %buffer, %stage, %phase, %i;
            .reg .b32 %loaded, %thread;
            .reg .b64 %policy;
            .reg .pred %more, %done, %wraps, %first;
            mov.u32 %thread, %tid.x;
            setp.ne.u32 %first, %thread, 0;
            @%first ret;
            mov.b64 %from, from;
            cvta.param.u64 %from, %from;
            mov.b64 %to, to;
            cvta.param.u64 %to, %to;
            ld.param.u32 %count, [count];
            mov.u32 %ring, RING;
            // Loaded data stays in the L2 cache until it is stored: 4 % faster than without.
            createpolicy.fractional.L2::evict_last.b64 %policy, 0f3F800000;
            mov.u32 %tile, %ctaid.x;
            mov.u32 %step, %nctaid.x;
            mov.b32 %zero, 0;
            add.u32 %barrier, %ring, #(offset_of!(Ring, full));
            mov.b32 %i, 0;
        INIT:
            mbarrier.init.shared::cta.b64 [%barrier], 1;
            add.u32 %barrier, %barrier, #(size_of::<Mbarrier>());
            add.u32 %i, %i, 1;
            setp.lt.u32 %more, %i, #(STAGES);
            @%more bra INIT;
            fence.proxy.async.shared::cta;

            // Start as many loads as there are stages that no store reads.
            mov.u32 %next, %tile;
            mov.u32 %buffer, %ring;
            add.u32 %barrier, %ring, #(offset_of!(Ring, full));
            mov.b32 %i, 0;
        FILL:
            setp.ge.u32 %done, %next, %count;
            @%done bra FILLED;
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [%barrier], #(Words::TRANSACTION_BYTES);
            mul.lo.u32 %row, %next, #(ROWS_OF_TILE);
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint
                [%buffer], [%from, {%zero, %row}], [%barrier], %policy;
            add.u32 %next, %next, %step;
            add.u32 %buffer, %buffer, #(Words::STRIDE);
            add.u32 %barrier, %barrier, #(size_of::<Mbarrier>());
            add.u32 %i, %i, 1;
            setp.lt.u32 %more, %i, #(STAGES - STORES);
            @%more bra FILL;
        FILLED:
            mov.u32 %loaded, #(STAGES - STORES);
            mov.b32 %stage, 0;
            mov.b32 %phase, 0;
        LOOP:
            setp.ge.u32 %done, %tile, %count;
            @%done bra DRAIN;
            mad.lo.u32 %barrier, %stage, #(size_of::<Mbarrier>()), %ring;
            add.u32 %barrier, %barrier, #(offset_of!(Ring, full));
            mad.lo.u32 %buffer, %stage, #(Words::STRIDE), %ring;
        WAIT:
            mbarrier.try_wait.parity.shared::cta.b64 %done, [%barrier], %phase;
            @!%done bra WAIT;
            mul.lo.u32 %row, %tile, #(ROWS_OF_TILE);
            cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%to, {%zero, %row}], [%buffer];
            cp.async.bulk.commit_group;
            // An earlier store has read its stage: the next load may overwrite it.
            setp.ge.u32 %done, %next, %count;
            @%done bra STEP;
            cp.async.bulk.wait_group.read #(STORES);
            mad.lo.u32 %barrier, %loaded, #(size_of::<Mbarrier>()), %ring;
            add.u32 %barrier, %barrier, #(offset_of!(Ring, full));
            mad.lo.u32 %buffer, %loaded, #(Words::STRIDE), %ring;
            mbarrier.arrive.expect_tx.shared::cta.b64 _, [%barrier], #(Words::TRANSACTION_BYTES);
            mul.lo.u32 %row, %next, #(ROWS_OF_TILE);
            cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint
                [%buffer], [%from, {%zero, %row}], [%barrier], %policy;
            add.u32 %next, %next, %step;
            add.u32 %loaded, %loaded, 1;
            setp.eq.u32 %wraps, %loaded, #(STAGES);
            selp.u32 %loaded, 0, %loaded, %wraps;
        STEP:
            add.u32 %tile, %tile, %step;
            add.u32 %stage, %stage, 1;
            setp.ne.u32 %more, %stage, #(STAGES);
            @%more bra LOOP;
            mov.b32 %stage, 0;
            xor.b32 %phase, %phase, 1;
            bra LOOP;
        DRAIN:
            cp.async.bulk.wait_group 0;
            ret;
        }
    }
}

/// Rows of a 2 GiB matrix, 256 words wide.
const ROWS: usize = 1 << 21;
const WORDS: usize = 256 * ROWS;
/// The number of sources, used in turn, so that none is in the cache when it is read again.
const SOURCES: usize = 8;
const ROUNDS: usize = 24;

fn main() -> Result<(), Box<dyn Error>> {
    let context = ptx::cuda::context(0)?;
    let stream = context.new_stream()?;
    let module = ptx::cuda::load::<tiles::Loaded>(&context)?;
    // One block per multiprocessor.
    let blocks = module.copy().resources()?.multiprocessors;
    let launch = module.copy().grid(blocks).block(32);
    let numbers: Vec<u32> = (0..WORDS)
        .map(|i| u32::try_from(i).map(|i| i.wrapping_mul(0x9E37_79B9)))
        .collect::<Result<_, _>>()?;
    let sources: Vec<_> =
        (0..SOURCES).map(|_| stream.clone_htod(&numbers)).collect::<Result<_, _>>()?;
    let mut to = stream.alloc_zeros::<u32>(WORDS)?;
    let count = u32::try_from(ROWS / ROWS_OF_TILE)?;
    let dims = [256, ROWS as u64];
    let now = || stream.record_event(Some(sys::CUevent_flags::CU_EVENT_DEFAULT));
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let source = Words::over(&sources[round % SOURCES], &stream).dims(dims).encode()?;
        let sink = Words::over_mut(&mut to, &stream).dims(dims).encode()?;
        let start = now()?;
        // SAFETY: the maps are over buffers as large as the tiles, and that of the sink stores.
        unsafe { launch.launch(&stream, (&source, &sink, count))? };
        let end = now()?;
        drop((source, sink));
        ours.push(start.elapsed_ms(&end)?);
        if round == 0 {
            assert!(stream.clone_dtoh(&to)? == numbers, "the copy is wrong");
        }
        let start = now()?;
        stream.memcpy_dtod(&sources[(round + SOURCES / 2) % SOURCES], &mut to)?;
        theirs.push(start.elapsed_ms(&now()?)?);
    }
    let (ours, theirs) = (median(&mut ours), median(&mut theirs));
    #[allow(clippy::cast_precision_loss)] // a rate
    let rate = |ms: f32| 2.0 * size_of_val(numbers.as_slice()) as f32 / ms / 1e6;
    println!(
        "tiles of 16 KiB, {STAGES} stages, {blocks} blocks: {ours:.3} ms, {:.0} GB/s",
        rate(ours)
    );
    println!("the driver's copy: {theirs:.3} ms, {:.0} GB/s", rate(theirs));
    println!("{:.1} %", 100.0 * theirs / ours);
    Ok(())
}

fn median(times: &mut [f32]) -> f32 {
    times.sort_by(f32::total_cmp);
    times[times.len() / 2]
}
