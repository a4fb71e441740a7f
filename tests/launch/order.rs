//! The order of variables across streams and threads, on a GPU.

use std::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering};

use cudarc::driver::sys::CUstreamCaptureMode;
use ptx::cuda::load;
use ptx::prelude::*;

/// How long a kernel waits, in nanoseconds: much longer than what the host submits meanwhile.
const WAIT: u64 = 30_000_000;

#[ptx::module(target = sm_80)]
mod kernels {
    use super::*;

    #[constant]
    pub static FACTOR: u32 = 1;
    #[global]
    pub static TOTAL: u32 = 0;

    /// Waits for this many nanoseconds.
    #[ptx::fragment]
    fn wait(time: Reg<u64>) {
        ptx! {
            .reg .u64 %start, %now;
            .reg .pred %more;
            mov.u64 %start, %globaltimer;
        AGAIN:
            mov.u64 %now, %globaltimer;
            sub.u64 %now, %now, %start;
            setp.lt.u64 %more, %now, time;
            @%more bra AGAIN;
        }
    }

    /// Waits, and stores `FACTOR`.
    #[kernel(reqntid = 1, grid = 1, requires(to.len() >= 1), unsafe(safe_launch))]
    pub fn factor(to: Ptr<Global, u32>, time: u64) {
        ptx! {
            .reg .u64 %time, %to;
            .reg .u32 %x;
            ld.param.u64 %time, [time];
            wait %time;
            ld.param.u64 %to, [to];
            ld.const.u32 %x, [FACTOR];
            st.global.u32 [%to], %x;
            ret;
        }
    }

    /// Waits, and sets `TOTAL`.
    #[kernel(reqntid = 1, grid = 1, unsafe(safe_launch))]
    pub fn total(x: u32, time: u64) {
        ptx! {
            .reg .u64 %time;
            .reg .u32 %x;
            ld.param.u64 %time, [time];
            wait %time;
            ld.param.u32 %x, [x];
            st.global.u32 [TOTAL], %x;
            ret;
        }
    }

    /// Only waits.
    #[kernel(reqntid = 1, grid = 1, unsafe(safe_launch))]
    pub fn late(time: u64) {
        ptx! {
            .reg .u64 %time;
            ld.param.u64 %time, [time];
            wait %time;
            ret;
        }
    }
}

type Outcome = Result<(), Box<dyn Error>>;

#[test]
fn a_launch_reads_what_was_set_before_it_and_nothing_later() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let (one, other) = (context.new_stream()?, context.new_stream()?);
    let module = load::<kernels::Loaded>(&context)?;
    let (mut first, mut second) = (one.alloc_zeros::<u32>(1)?, other.alloc_zeros::<u32>(1)?);

    // Set in another stream while the launch waits.
    module.FACTOR.set(&one, &2)?;
    module.factor().launch(&one, (&mut first, WAIT))?;
    module.FACTOR.set(&other, &3)?;
    assert_eq!(one.clone_dtoh(&first)?, [2]);

    // Set in a stream that is late, launched in another.
    module.late().launch(&one, (WAIT,))?;
    module.FACTOR.set(&one, &4)?;
    module.factor().launch(&other, (&mut second, 0))?;
    assert_eq!(other.clone_dtoh(&second)?, [4]);

    // A slice, and all elements at once, are ordered, too; here by a launch in each of two streams.
    module.factor().launch(&one, (&mut first, WAIT))?;
    module.factor().launch(&other, (&mut second, WAIT))?;
    let third = context.new_stream()?;
    module.FACTOR.set(&third, &5)?;
    assert_eq!((one.clone_dtoh(&first)?, other.clone_dtoh(&second)?), (vec![4], vec![4]));
    assert_eq!(module.FACTOR.get(&one)?, 5);
    Ok(())
}

#[test]
fn what_a_launch_stores_is_got_in_another_stream() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let (one, other) = (context.new_stream()?, context.new_stream()?);
    let module = load::<kernels::Loaded>(&context)?;
    module.total().launch(&one, (7, WAIT))?;
    assert_eq!(module.TOTAL.get(&other)?, 7);
    // The launch stores after the copy that comes before it, and before the one that comes after it.
    module.late().launch(&other, (WAIT,))?;
    module.TOTAL.set(&other, &8)?;
    module.total().launch(&one, (9, 0))?;
    assert_eq!(module.TOTAL.get(&one)?, 9);
    module.total().launch(&one, (10, WAIT))?;
    module.TOTAL.set(&other, &11)?;
    assert_eq!(module.TOTAL.get(&other)?, 11);
    // A stream is gone, and what it has submitted still counts.
    module.total().launch(&one, (12, WAIT))?;
    drop(one);
    assert_eq!(module.TOTAL.get(&other)?, 12);
    Ok(())
}

/// Copies to pinned memory return before they are done, and are ordered with what sets the variable.
#[test]
fn a_copy_to_pinned_memory_is_a_use() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let (one, other) = (context.new_stream()?, context.new_stream()?);
    let module = load::<rows::Loaded>(&context)?;
    let waits = load::<kernels::Loaded>(&context)?;
    // SAFETY: the memory is written before it is read.
    let mut pinned = unsafe { context.alloc_pinned::<u32>(4)? };
    waits.late().launch(&one, (WAIT,))?;
    module.ROW.slice(..)?.get_into(&one, &mut pinned)?;
    module.ROW.fill(&other, &9)?;
    assert_eq!(pinned.as_slice()?, [1, 2, 3, 4]);
    assert_eq!(module.ROW.get(&one)?, [9; 4]);
    Ok(())
}

#[ptx::module(target = sm_80)]
mod rows {
    #[global]
    pub static ROW: [u32; 4] = [1, 2, 3, 4];
}

#[test]
fn threads_that_hold_the_variables_get_their_own_values() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let module = load::<kernels::Loaded>(&context)?;
    let wrong = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for thread in 0..2 {
            let (context, module, wrong) = (&context, &module, &wrong);
            scope.spawn(move || {
                let run = || -> Result<(), Box<dyn Error>> {
                    let stream = context.new_stream()?;
                    let mut to = stream.alloc_zeros::<u32>(1)?;
                    for round in 0..1000 {
                        let value = 2 * round + thread;
                        let held = module.FACTOR.set(&stream, &value)?;
                        module.factor().launch(&stream, (&mut to, 0))?;
                        drop(held);
                        if stream.clone_dtoh(&to)? != [value] {
                            wrong.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                    Ok(())
                };
                run().expect("the driver takes it");
            });
        }
    });
    assert_eq!(wrong.into_inner(), 0, "of 2,000 launches");
    Ok(())
}

#[test]
fn a_launch_allocates_at_a_streams_first_one_only() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let (one, other) = (context.new_stream()?, context.new_stream()?);
    let module = load::<kernels::Loaded>(&context)?;
    let mut to = one.alloc_zeros::<u32>(1)?;
    module.FACTOR.set(&other, &2)?;
    module.factor().launch(&one, (&mut to, 0))?;
    let before = crate::allocations();
    for _ in 0..10 {
        module.factor().launch(&one, (&mut to, 0))?;
    }
    assert_eq!(crate::allocations() - before, 0);
    Ok(())
}

/// A graph waits for what set the variables of its kernels, and what sets them later waits for it.
#[test]
fn a_graph_is_ordered_as_its_kernels_are() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let (one, other) = (context.new_stream()?, context.new_stream()?);
    let module = load::<kernels::Loaded>(&context)?;
    let to = one.alloc_zeros::<u32>(1)?;
    let (mut graph, got) = ptx::cuda::capture(&one, |scope| {
        let mut to = scope.write(to)?;
        module.factor().capture(scope, (&mut to, WAIT))?;
        scope.download(&to)
    })?;
    module.late().launch(&other, (WAIT,))?;
    module.FACTOR.set(&other, &6)?;
    graph.launch()?;
    module.FACTOR.set(&other, &7)?;
    assert_eq!(graph.read(&got)?, [6]);
    assert_eq!(module.FACTOR.get(&one)?, 7);

    // One that sets a variable comes before the launches that are submitted after it.
    let (mut graph, ()) = ptx::cuda::capture(&one, |scope| {
        module.late().capture(scope, (WAIT,))?;
        scope.set(&module.FACTOR, &8)?;
        Ok(())
    })?;
    let mut second = other.alloc_zeros::<u32>(1)?;
    graph.launch()?;
    module.factor().launch(&other, (&mut second, 0))?;
    assert_eq!(other.clone_dtoh(&second)?, [8]);
    Ok(())
}

/// Another thread that has set a variable, and holds it until its launch, launches with its own value.
#[test]
fn a_graph_that_sets_a_variable_waits_for_whoever_holds_it() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let (one, other) = (context.new_stream()?, context.new_stream()?);
    let module = load::<kernels::Loaded>(&context)?;
    let (mut graph, ()) = ptx::cuda::capture(&one, |scope| {
        scope.set(&module.FACTOR, &99)?;
        Ok(())
    })?;
    let mut to = other.alloc_zeros::<u32>(1)?;
    let wrong = AtomicUsize::new(0);
    let is_over = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| -> Outcome {
        let graphs = scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                graph.launch().expect("the driver takes it");
            }
            graph.synchronize().expect("nothing fails");
        });
        for value in 0..1000 {
            let held = module.FACTOR.set(&other, &value)?;
            std::thread::yield_now();
            module.factor().launch(&other, (&mut to, 0))?;
            drop(held);
            if other.clone_dtoh(&to)? != [value] {
                wrong.fetch_add(1, Ordering::Relaxed);
            }
        }
        is_over.store(true, Ordering::Relaxed);
        graphs.join().expect("no thread panics");
        Ok(())
    })?;
    assert_eq!(wrong.into_inner(), 0, "of 1,000 launches");
    Ok(())
}

/// In a stream that is captured, nothing is recorded and nothing is waited for: both would be a part of the graph.
#[test]
fn nothing_is_recorded_while_capturing() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let (one, other) = (context.new_stream()?, context.new_stream()?);
    let module = load::<kernels::Loaded>(&context)?;
    module.FACTOR.set(&other, &2)?;
    one.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)?;
    // SAFETY: the graph is never launched.
    unsafe { module.total().unvouched().launch(&one, (1, 0))? };
    let flags = cudarc::driver::sys::CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
    drop(one.end_capture(flags)?);
    assert_eq!(module.TOTAL.get(&other)?, 0);
    Ok(())
}
