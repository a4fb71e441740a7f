//! Managed variables in the hands of the host, and copies to and from pinned memory, on a GPU.

use std::error::Error;

use cudarc::driver::sys::CUstreamCaptureMode;
use ptx::cuda::{Pinned, PinnedError, Reason, VariableError, load};
use ptx::prelude::*;

/// How long a kernel waits, in nanoseconds: much longer than what the host submits meanwhile.
const WAIT: u64 = 30_000_000;

#[ptx::module(target = sm_80)]
mod kernels {
    use super::*;

    #[global(managed)]
    pub static COUNTS: [u32; 4] = [1, 2, 3, 4];
    #[global(managed)]
    pub static OTHER: u64 = 7;
    #[global]
    pub static PAIR: Pair = Pair { a: 1, b: 2.0 };
    #[constant]
    pub static FACTOR: u32 = 1;

    /// Waits for this many nanoseconds, and adds to the first of `COUNTS`.
    #[kernel(reqntid = 1, grid = 1, unsafe(safe_launch))]
    pub fn count(x: u32, time: u64) {
        ptx! {
            .reg .u64 %start, %now, %time;
            .reg .u32 %x, %old;
            .reg .pred %more;
            ld.param.u64 %time, [time];
            mov.u64 %start, %globaltimer;
        AGAIN:
            mov.u64 %now, %globaltimer;
            sub.u64 %now, %now, %start;
            setp.lt.u64 %more, %now, %time;
            @%more bra AGAIN;
            ld.param.u32 %x, [x];
            ld.global.u32 %old, [COUNTS];
            add.u32 %x, %x, %old;
            st.global.u32 [COUNTS], %x;
            ret;
        }
    }

    /// Uses no managed variable.
    #[kernel(reqntid = 1, grid = 1, requires(to.len() >= 1), unsafe(safe_launch))]
    pub fn factor(to: Ptr<Global, u32>) {
        ptx! {
            .reg .u64 %to;
            .reg .u32 %x;
            ld.param.u64 %to, [to];
            ld.const.u32 %x, [FACTOR];
            st.global.u32 [%to], %x;
            ret;
        }
    }

    /// Keeps the variables that no other kernel uses.
    #[kernel(reqntid = 1, grid = 1, unsafe(safe_launch))]
    pub fn keep() {
        ptx! {
            .reg .u64 %x;
            .reg .u32 %a;
            ld.global.u64 %x, [OTHER];
            ld.global.u32 %a, [PAIR.a];
            st.global.u64 [OTHER], %x;
            st.global.u32 [PAIR.a], %a;
            ret;
        }
    }
}

#[derive(PtxType, Clone, Copy, PartialEq, Debug)]
#[repr(C)]
pub(crate) struct Pair {
    a: u32,
    b: f32,
}

type Outcome = Result<(), Box<dyn Error>>;

#[test]
fn the_host_and_kernels_take_turns_at_a_managed_variable() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let (one, other) = (context.new_stream()?, context.new_stream()?);
    let module = load::<kernels::Loaded>(&context)?;
    assert_eq!(*module.COUNTS.lock()?, [1, 2, 3, 4]);
    module.COUNTS.lock()?[0] = 10;
    // Both launches are waited for, whatever their stream. They are not ordered among each other.
    module.count().launch(&one, (5, WAIT))?;
    assert_eq!(module.COUNTS.lock()?[0], 15);
    module.count().launch(&other, (6, WAIT))?;
    let mut counts = module.COUNTS.lock()?;
    assert_eq!(*counts, [21, 2, 3, 4]);
    counts[1..].fill(9);
    drop(counts);
    assert_eq!(module.COUNTS.get(&one)?, [21, 9, 9, 9]);
    module.COUNTS.slice(2..)?.set(&other, &[1, 1])?;
    assert_eq!(*module.COUNTS.lock()?, [21, 9, 1, 1]);
    assert_eq!(format!("{:?}", module.COUNTS.lock()?), "ManagedGuard(COUNTS: [21, 9, 1, 1])");
    Ok(())
}

#[test]
fn what_uses_a_locked_variable_is_an_error_in_the_same_thread() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let stream = context.new_stream()?;
    let module = load::<kernels::Loaded>(&context)?;
    let mut to = stream.alloc_zeros::<u32>(1)?;
    let counts = module.COUNTS.lock()?;
    let refused = module.count().launch(&stream, (1, 0)).expect_err("it uses the variable");
    assert!(matches!(refused.reason(), Reason::Borrowed), "{refused}");
    let borrowed = |error| matches!(error, VariableError::Borrowed { variable: "COUNTS" });
    assert!(module.COUNTS.get(&stream).is_err_and(borrowed));
    assert!(module.COUNTS.set(&stream, &[0; 4]).is_err_and(borrowed));
    assert!(module.COUNTS.fill(&stream, &0).is_err_and(borrowed));
    assert!(module.COUNTS.clone().lock().is_err_and(borrowed));
    // Others are free.
    module.FACTOR.set(&stream, &3)?;
    module.factor().launch(&stream, (&mut to,))?;
    assert_eq!(stream.clone_dtoh(&to)?, [3]);
    *module.OTHER.lock()? += 1;
    assert_eq!(module.OTHER.get(&stream)?, 8);
    drop(counts);
    module.count().launch(&stream, (1, 0))?;
    assert_eq!(module.COUNTS.get(&stream)?, [2, 2, 3, 4]);
    Ok(())
}

#[test]
fn other_threads_wait_for_the_guard() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let module = load::<kernels::Loaded>(&context)?;
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| -> Result<(), String> {
                    let stream = context.new_stream().map_err(|error| error.to_string())?;
                    for _ in 0..100 {
                        module.COUNTS.lock().map_err(|error| error.to_string())?[1] += 1;
                        let launched = module.keep().launch(&stream, ());
                        launched.map_err(|error| error.to_string())?;
                        let mut counts = module.COUNTS.lock().map_err(|error| error.to_string())?;
                        counts[2] += counts[1] % 2;
                        counts[1] += 1;
                    }
                    Ok(())
                })
            })
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
    })?;
    assert_eq!(module.COUNTS.lock()?[1], 2 + 400);
    Ok(())
}

/// A thread that has locked a variable of one module launches a kernel of another, while a graph of both waits.
#[test]
fn a_graph_of_two_modules_does_not_wait_for_a_thread_that_waits_for_it() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    // A loaded module of each role comes first in memory in one of the rounds.
    let modules = [load::<kernels::Loaded>(&context)?, load::<kernels::Loaded>(&context)?];
    let modules = std::sync::Arc::new(modules);
    for locked in [0, 1] {
        let (context, modules) = (context.clone(), std::sync::Arc::clone(&modules));
        let (finished, done) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let [locked, other] = [&modules[locked], &modules[1 - locked]];
            let run = || -> Result<(), Box<dyn Error>> {
                let (one, two) = (context.new_stream()?, context.new_stream()?);
                let (mut graph, ()) = ptx::cuda::capture(&one, |scope| {
                    locked.count().capture(scope, (1, 0))?;
                    other.count().capture(scope, (1, 0))?;
                    scope.set(&other.FACTOR, &5)?;
                    Ok(())
                })?;
                let mut counts = locked.COUNTS.lock()?;
                std::thread::scope(|scope| -> Result<(), Box<dyn Error>> {
                    let graph = scope.spawn(|| graph.launch().map_err(|error| error.to_string()));
                    std::thread::sleep(std::time::Duration::from_millis(100));
                    counts[3] = 7;
                    other.count().launch(&two, (10, 0))?;
                    drop(other.FACTOR.set(&two, &6)?);
                    drop(counts);
                    Ok(graph.join().expect("no thread panics")?)
                })?;
                context.synchronize()?;
                Ok(())
            };
            finished.send(run().map_err(|error| error.to_string())).expect("the test waits");
        });
        let end = done.recv_timeout(std::time::Duration::from_secs(20));
        end.map_err(|_| "two threads wait for each other")??;
    }
    let counts = [modules[0].COUNTS.lock()?[0], modules[1].COUNTS.lock()?[0]];
    assert_eq!(counts, [1 + 2 + 10; 2]);
    Ok(())
}

#[test]
fn pinned_buffers_are_copied_while_the_host_goes_on() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let (one, other) = (context.new_stream()?, context.new_stream()?);
    let module = load::<kernels::Loaded>(&context)?;
    let mut pair = Pinned::from_slice(&context, &[Pair { a: 3, b: 4.0 }])?;
    let mut counts = Pinned::<[u32; 4]>::zeroed(&context, 1)?;
    assert_eq!(counts.as_slice()?, [[0; 4]]);

    module.PAIR.set_async(&one, &pair)?;
    pair.as_mut_slice()?[0] = Pair { a: 0, b: 0.0 };
    module.PAIR.get_async(&one, &mut pair)?;
    assert_eq!(pair.as_slice()?, [Pair { a: 3, b: 4.0 }]);

    // The copy waits for the launch, the host does not, and what reads the buffer waits for the copy.
    module.count().launch(&one, (9, WAIT))?;
    let start = std::time::Instant::now();
    module.COUNTS.get_async(&one, &mut counts)?;
    let submitted = start.elapsed();
    assert_eq!(counts.as_slice()?, [[10, 2, 3, 4]]);
    let waited = start.elapsed();
    assert!(submitted < waited / 2, "submitted after {submitted:?}, done after {waited:?}");

    // Copies of one buffer follow each other, in whichever streams; also those of cudarc.
    let mut row = Pinned::from_slice(&context, &[1_u32, 2, 3, 4])?;
    let mut buffer = other.alloc_zeros::<u32>(4)?;
    module.COUNTS.slice(..)?.set(&one, &row)?;
    module.count().launch(&one, (100, WAIT))?;
    module.COUNTS.slice(..)?.get_into(&one, &mut row)?;
    other.memcpy_htod(&row, &mut buffer)?;
    other.memcpy_dtoh(&buffer, &mut row)?;
    assert_eq!(row.as_slice()?, [101, 2, 3, 4]);
    assert_eq!(other.clone_dtoh(&buffer)?, [101, 2, 3, 4]);

    // A buffer outlives its copies.
    module.count().launch(&one, (1, WAIT))?;
    module.COUNTS.get_async(&one, &mut counts)?;
    drop(counts);
    assert_eq!(module.COUNTS.get(&other)?, [102, 2, 3, 4]);
    Ok(())
}

/// In the default stream cudarc records no events as long as there is no other stream.
#[test]
fn the_default_stream_orders_pinned_buffers_too() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let stream = context.default_stream();
    let module = load::<kernels::Loaded>(&context)?;
    let mut row = Pinned::<u32>::zeroed(&context, 4)?;
    let mut buffer = stream.clone_htod(&[1_u32, 2, 3, 4])?;
    module.count().launch(&stream, (1, WAIT))?;
    stream.memcpy_dtoh(&buffer, &mut row)?;
    assert_eq!(row.as_slice()?, [1, 2, 3, 4]);
    row.as_mut_slice()?.fill(5);
    module.count().launch(&stream, (1, WAIT))?;
    stream.memcpy_htod(&row, &mut buffer)?;
    row.as_mut_slice()?.fill(6);
    assert_eq!(stream.clone_dtoh(&buffer)?, [5; 4]);
    let mut counts = Pinned::<[u32; 4]>::zeroed(&context, 1)?;
    module.count().launch(&stream, (1, WAIT))?;
    module.COUNTS.get_async(&stream, &mut counts)?;
    assert_eq!(counts.as_slice()?, [[4, 2, 3, 4]]);
    Ok(())
}

#[test]
fn buffers_of_the_wrong_size_and_captures_are_errors() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let stream = context.new_stream()?;
    let module = load::<kernels::Loaded>(&context)?;
    let mut two = Pinned::<u64>::zeroed(&context, 2)?;
    let none = Pinned::<u64>::zeroed(&context, 0)?;
    assert!(none.is_empty() && none.as_slice()?.is_empty());
    let differs = |error| matches!(error, VariableError::Length { len: 1, given: 0 | 2, .. });
    assert!(module.OTHER.set_async(&stream, &two).is_err_and(differs));
    assert!(module.OTHER.set_async(&stream, &none).is_err_and(differs));
    assert!(module.OTHER.get_async(&stream, &mut two).is_err_and(differs));
    let large = Pinned::<u64>::zeroed(&context, usize::MAX / 4);
    assert!(matches!(large, Err(PinnedError::TooLarge { bytes: 8, .. })));
    let refused = Pinned::<u64>::zeroed(&context, 1 << 50);
    assert!(matches!(refused, Err(PinnedError::Driver { .. })));

    let one = Pinned::from_slice(&context, &[1_u64])?;
    let mut buffer = stream.alloc_zeros::<u64>(2)?;
    let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
    stream.begin_capture(mode)?;
    let captured = module.OTHER.set_async(&stream, &one);
    assert!(captured.is_err_and(|error| matches!(error, VariableError::Captured { .. })));
    // cudarc's copy has no error to return, so the context keeps it.
    stream.memcpy_htod(&two, &mut buffer)?;
    assert!(context.check_err().is_err());
    let flags = cudarc::driver::sys::CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    drop(stream.end_capture(flags)?);
    two.as_mut_slice()?.fill(1);
    Ok(())
}
