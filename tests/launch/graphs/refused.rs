//! What graphs refuse: the text of each error is compared with `tests/launch/graphs/refused.txt`.

use cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use ptx::cuda::{Over as _, capture, load};

use super::kernels::{Patch, steps};
use super::{N, Outcome, start};
use crate::errors::{Found, other_context};

#[test]
fn what_a_graph_does_not_keep_is_refused() -> Outcome {
    let Some((context, stream, steps)) = start()? else { return Ok(()) };
    let mut found = Found::default();
    let flags = CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;

    let plain = stream.alloc_zeros::<u32>(N as usize)?;
    let matrix = stream.alloc_zeros::<f32>(256)?;
    let plain_map = Patch::over(&matrix, &stream).dims([16, 16]).encode()?;
    let other = other_context(&context)?;
    let other_stream = other.new_stream()?;
    let foreign = other_stream.alloc_zeros::<u32>(N as usize)?;
    let of_other = load::<steps::Loaded>(&other)?;

    let (mut first, (mut data, node, download, zeros)) = capture(&stream, |scope| {
        let mut data = scope.write(stream.alloc_zeros::<u32>(N as usize)?)?;
        let zeros = scope.read(&plain)?;
        let node = steps.add().capture(scope, (&zeros, &mut data, 1))?;
        let download = scope.download(&data)?;
        Ok((data, node, download, zeros))
    })?;
    let (mut second, read) = capture(&stream, |scope| {
        let mut to = scope.write(stream.alloc_zeros::<u32>(N as usize)?)?;
        let mut patch = scope.write(stream.alloc_zeros::<f32>(128)?)?;
        let read = scope.read(&plain)?;
        found.err("A map of a buffer that is not bound", {
            steps.patch().capture(scope, (&plain_map, &mut patch))
        });
        found.err("A buffer of another graph", steps.add().capture(scope, (&read, &mut data, N)));
        found.err("A copy to a buffer of another graph", scope.copy(&read, &mut data));
        found.err("A contract", steps.add().capture(scope, (&read, &mut to, N + 1)));
        found.err("A copy of another length", scope.upload(&[1, 2], &mut to));
        found.err("A buffer of another context", scope.read(&foreign));
        found.err("A module of another context", {
            of_other.add().capture(scope, (&read, &mut to, N))
        });
        found.err("A variable of another context", scope.set(&of_other.ADDEND, &1));
        let event = context.new_event(None)?;
        let launch = steps.cluster().grid(2).cluster(2).launch_completion_event(&event);
        // SAFETY: it is not launched.
        found.err("A node that records an event", unsafe { launch.capture(scope, (&mut to,)) });
        Ok(read)
    })?;
    second.launch()?;
    found.err("A launch with a buffer of a graph", {
        steps.add().launch(&stream, (&plain, &mut data, N))
    });
    found.err("A node of another graph", {
        steps.add().update(&mut second, &node, (&read, &mut data, 1))
    });
    // SAFETY: it is not launched.
    found.err("A node of another kernel", unsafe {
        steps.double().grid(1).block(1).update(&mut first, &node.any(), (&mut data,))
    });
    steps.add().update(&mut first, &node.any(), (&zeros, &mut data, 1))?;
    found.err("Memory of another graph", second.read(&download).map(|_| ()));
    found.err("A view of a buffer of another graph", second.view(&data).map(|_| ()));
    found.err("Memory of a graph that was not launched", first.read(&download).map(|_| ()));

    found.err("The default stream of each thread", {
        capture(&context.per_thread_stream(), |_| Ok(())).map(|_| ())
    });
    let undecided = capture(&stream, |scope| scope.condition(1));
    found.err("A condition that decides nothing", undecided.map(|_| ()));
    let twice = capture(&stream, |scope| {
        let condition = scope.condition(1)?;
        scope.run_if(condition, |_| Ok(()))?;
        scope.run_while(condition, |_| Ok(()))
    });
    found.err("A condition that decides on two nodes", twice.map(|_| ()));

    let synchronised = capture(&stream, |scope| {
        // SAFETY: nothing is submitted.
        let ended = unsafe { scope.capture_stream(|captured| Ok(captured.synchronize()?)) };
        found.err("A call that waits for a stream that the driver captures", ended);
        Ok(())
    });
    found.err("A graph of which the driver has ended a capture", synchronised.map(|_| ()));

    stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED)?;
    let captured = capture(&stream, |_| Ok(()));
    let launched = first.launch();
    let ended = stream.end_capture(flags)?;
    found.err("A graph in a stream that is being captured", captured.map(|_| ()));
    found.err("A launch of a graph in a stream that is being captured", launched);
    drop(ended);
    first.launch()?;
    assert_eq!(first.read(&download)?[..2], [1, 0]);
    expect_test::expect_file!["refused.txt"].assert_eq(&found.0);
    Ok(())
}
