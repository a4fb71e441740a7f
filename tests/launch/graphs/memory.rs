//! Page-locked memory of the program in graphs, on a GPU.

use cudarc::driver::sys;
use ptx::cuda::{GraphError, Pinned, capture};

use super::{N, Outcome, start};
use crate::errors::other_context;

#[test]
fn a_graph_borrows_pinned_memory() -> Outcome {
    let Some((context, stream, steps)) = start()? else { return Ok(()) };
    let fork = context.new_stream()?;
    let n = N as usize;
    let mut input = Pinned::from_slice(&context, &vec![1_u32; n])?;
    // SAFETY: it is written before it is read.
    let mut output =
        unsafe { context.alloc_pinned_with_flags::<u32>(n, sys::CU_MEMHOSTALLOC_PORTABLE)? };
    // What the input waits for is not over.
    let mut late = fork.alloc_zeros::<u32>(n)?;
    steps.slow().launch(&fork, (&mut late, 20_000))?;
    fork.memcpy_dtoh(&late, &mut input)?;
    let (mut graph, (upload, download)) = capture(&stream, |scope| {
        let mut data = scope.write(stream.alloc_zeros::<u32>(n)?)?;
        let mut to = scope.write(stream.alloc_zeros::<u32>(n)?)?;
        let upload = scope.upload_pinned(&mut input, &mut data)?;
        steps.add().capture(scope, (&data, &mut to, N))?;
        Ok((upload, scope.download_pinned(&to, &mut output)?))
    })?;
    graph.launch()?;
    let values = graph.read(&download)?;
    assert_eq!((values.len(), values[0], values[1]), (n, 20_001, 1));
    graph.write(&upload, &vec![41; n])?;
    graph.launch()?;
    let mut values = vec![0; n];
    graph.read_into(&download, &mut values)?;
    assert_eq!(values, vec![42; n]);
    let short = graph.read_into(&download, &mut values[1..]);
    assert!(matches!(short, Err(GraphError::Length { len: 1000, given: 999 })), "{short:?}");
    drop(graph);
    assert_eq!(input.as_slice()?, vec![41; n]);
    assert_eq!(output.as_slice()?, vec![42; n]);
    Ok(())
}

/// The host waits for the launches of a graph that nobody can reach any more.
#[test]
fn pinned_memory_is_ordered_without_the_graph() -> Outcome {
    let Some((context, stream, steps)) = start()? else { return Ok(()) };
    for stream in [stream, context.default_stream()] {
        let mut pinned = Pinned::<u32>::zeroed(&context, 1)?;
        // SAFETY: it is written before it is read.
        let mut slice = unsafe { context.alloc_pinned::<u32>(1)? };
        let (mut graph, _) = capture(&stream, |scope| {
            let mut to = scope.write(stream.alloc_zeros::<u32>(1)?)?;
            steps.slow().capture(scope, (&mut to, 20_000))?;
            scope.download_pinned(&to, &mut pinned)?;
            scope.download_pinned(&to, &mut slice)
        })?;
        graph.launch()?;
        std::mem::forget(graph);
        assert_eq!(pinned.as_slice()?, [20_000]);
        assert_eq!(slice.as_slice()?, [20_000]);
    }
    Ok(())
}

#[test]
fn memory_of_another_size_or_context_is_refused() -> Outcome {
    let Some((context, stream, _)) = start()? else { return Ok(()) };
    let other = other_context(&context)?;
    let mut foreign = Pinned::<u32>::zeroed(&other, 4)?;
    let mut short = Pinned::<u32>::zeroed(&context, 3)?;
    let refused = capture(&stream, |scope| {
        let mut data = scope.write(stream.alloc_zeros::<u32>(4)?)?;
        let foreign = scope.upload_pinned(&mut foreign, &mut data).map(drop);
        let short = scope.download_pinned(&data, &mut short).map(drop);
        Ok([foreign, short].map(|it| it.map_or_else(|error| error.to_string(), |()| String::new())))
    });
    let (_, [foreign, short]) = refused?;
    assert!(foreign.starts_with("the page-locked memory belongs to another context"), "{foreign}");
    assert_eq!(short, "3 elements are given, but 4 are copied; give 4");
    Ok(())
}
