//! Graphs, on a GPU.

use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaStream, result};
use ptx::cuda::{GraphError, capture, load};

mod kernels;
mod memory;
mod refused;

use kernels::{Patch, decisions, steps};

type Outcome = Result<(), Box<dyn Error>>;
type Start = (Arc<CudaContext>, Arc<CudaStream>, steps::Loaded);

/// The kernels, and a stream of their context.
fn start() -> Result<Option<Start>, Box<dyn Error>> {
    let Some(context) = crate::device::gpu() else { return Ok(None) };
    let stream = context.new_stream()?;
    let steps = load::<steps::Loaded>(&context)?;
    Ok(Some((context, stream, steps)))
}

const N: u32 = 1000;

#[test]
fn a_chain_of_three_runs_a_hundred_times() -> Outcome {
    let Some((context, stream, steps)) = start()? else { return Ok(()) };
    let input: Vec<u32> = (0..N).collect();
    let (source, mut data) = (stream.clone_htod(&input)?, stream.clone_htod(&input)?);
    let mut other = stream.alloc_zeros::<u32>(N as usize)?;
    let (mut graph, ()) = capture(&stream, |scope| {
        let source = scope.read(&source)?;
        let mut data = scope.write(&mut data)?;
        let mut other = scope.write(&mut other)?;
        steps.add().capture(scope, (&data, &mut other, N))?;
        steps.add().capture(scope, (&source, &mut data, N))?;
        steps.add().capture(scope, (&other, &mut data, N))?;
        Ok(())
    })?;
    graph.prepare()?;
    for _ in 0..100 {
        graph.launch()?;
    }
    // While they run, their order with other streams is that of ordinary launches.
    drop(graph);
    let fork = context.new_stream()?;
    let expected: Vec<u32> = input.iter().map(|x| x + 200).collect();
    assert_eq!(fork.clone_dtoh(&data)?, expected);
    assert_eq!(steps.BLOCKS.get(&stream)?, 300 * N.div_ceil(64));
    Ok(())
}

/// Nor does an update of a node.
#[test]
fn a_launch_of_a_graph_allocates_nothing() -> Outcome {
    let Some((_, stream, steps)) = start()? else { return Ok(()) };
    let source = stream.alloc_zeros::<u32>(N as usize)?;
    let (mut graph, (source, mut to, node)) = capture(&stream, |scope| {
        let source = scope.read(&source)?;
        let mut to = scope.write(stream.alloc_zeros::<u32>(N as usize)?)?;
        let node = steps.add().capture(scope, (&source, &mut to, N))?;
        Ok((source, to, node))
    })?;
    let mut launch = |n| -> Outcome {
        steps.add().update(&mut graph, &node, (&source, &mut to, n))?;
        Ok(graph.launch()?)
    };
    launch(1)?;
    let before = crate::allocations();
    for n in 0..100 {
        launch(n)?;
    }
    assert_eq!(crate::allocations(), before);
    Ok(stream.synchronize()?)
}

/// In the stream that every context has, too, and with calls that wait inside of the closure.
#[test]
fn the_default_stream_has_graphs() -> Outcome {
    let Some((context, _, steps)) = start()? else { return Ok(()) };
    let stream = context.default_stream();
    let mut data = stream.alloc_zeros::<u32>(N as usize)?;
    let (mut graph, download) = capture(&stream, |scope| {
        let mut bound = scope.write(&mut data)?;
        context.synchronize()?;
        stream.synchronize()?;
        let zeros = stream.clone_dtoh(&stream.alloc_zeros::<u32>(3)?)?;
        assert_eq!(zeros, [0; 3]);
        // SAFETY: it writes within the buffer, one thread each.
        unsafe { steps.double().grid(2).block(100).capture(scope, (&mut bound,))? };
        scope.download(&bound)
    })?;
    graph.launch()?;
    assert_eq!(graph.read(&download)?, [0; N as usize]);
    Ok(())
}

#[test]
fn arguments_and_shape_are_replaced() -> Outcome {
    let Some((_, stream, steps)) = start()? else { return Ok(()) };
    let ones = vec![1_u32; N as usize];
    let source = Arc::new(stream.clone_htod(&ones)?);
    let (mut graph, (ones, mut data, add, double, download)) = capture(&stream, |scope| {
        let source = scope.read(Arc::clone(&source))?;
        let mut data = scope.write(stream.alloc_zeros::<u32>(N as usize)?)?;
        let add = steps.add().capture(scope, (&source, &mut data, 0))?;
        // SAFETY: it writes within the buffer, one thread each.
        let double = unsafe { steps.double().grid(5).block(100).capture(scope, (&mut data,))? };
        let download = scope.download(&data)?;
        Ok((source, data, add, double, download))
    })?;
    drop(source);
    // No blocks: only what follows runs.
    graph.launch()?;
    assert_eq!(graph.read(&download)?, [0; N as usize]);
    assert_eq!(steps.BLOCKS.get(&stream)?, 0);

    steps.add().update(&mut graph, &add, (&ones, &mut data, N))?;
    graph.launch()?;
    // What was submitted keeps its arguments.
    steps.add().update(&mut graph, &add, (&ones, &mut data, 500))?;
    let values = graph.read(&download)?;
    assert_eq!((values[499], values[500], values[999]), (4, 2, 2));
    // SAFETY: as above.
    unsafe { steps.double().grid(4).block(250).update(&mut graph, &double, (&mut data,))? };
    graph.launch()?;
    let values = graph.read(&download)?;
    assert_eq!((values[0], values[499], values[500], values[999]), (4, 4, 4, 4));

    // And back to none.
    steps.add().update(&mut graph, &add, (&ones, &mut data, 0))?;
    let blocks = steps.BLOCKS.get(&stream)?;
    graph.launch()?;
    assert_eq!(graph.read(&download)?, [8; N as usize]);
    assert_eq!(steps.BLOCKS.get(&stream)?, blocks);
    Ok(())
}

/// The host writes and reads a buffer of the graph, in another stream, between launches.
#[test]
fn views_are_ordered_with_launches() -> Outcome {
    let Some((context, stream, steps)) = start()? else { return Ok(()) };
    let fork = context.new_stream()?;
    let mut borrowed = stream.alloc_zeros::<u32>(N as usize)?;
    let (mut graph, (mut owned, borrowed)) = capture(&stream, |scope| {
        let mut owned = scope.write(fork.alloc_zeros::<u32>(N as usize)?)?;
        let mut borrowed = scope.write(&mut borrowed)?;
        steps.slow().capture(scope, (&mut borrowed, 20_000))?;
        steps.add().capture(scope, (&owned, &mut borrowed, N))?;
        steps.add().capture(scope, (&borrowed, &mut owned, N))?;
        Ok((owned, borrowed))
    })?;
    for round in 0..20 {
        fork.memcpy_htod(&vec![round; N as usize], &mut graph.view_mut(&mut owned)?)?;
        graph.launch()?;
        assert_eq!(fork.clone_dtoh(&graph.view(&owned)?)?, vec![round + 2; N as usize]);
        assert_eq!(fork.clone_dtoh(&graph.view(&borrowed)?)?, vec![round + 1; N as usize]);
        graph.launch()?;
        graph.launch()?;
        assert_eq!(fork.clone_dtoh(&graph.view(&owned)?)?, vec![round + 6; N as usize]);
    }
    Ok(())
}

/// Memory that a graph used and that others get, while it may still run.
#[test]
fn a_graph_is_dropped_while_it_runs() -> Outcome {
    let Some((context, stream, steps)) = start()? else { return Ok(()) };
    let fork = context.new_stream()?;
    for is_forgotten in [false, true] {
        for _ in 0..20 {
            let mut borrowed = fork.alloc_zeros::<u32>(1)?;
            let mut half = fork.alloc_zeros::<u32>(2)?;
            let (mut graph, _) = capture(&stream, |scope| {
                let mut borrowed = scope.write(&mut borrowed)?;
                let mut half = scope.write(half.slice_mut(1..))?;
                let mut owned = scope.write(fork.alloc_zeros::<u32>(1)?)?;
                steps.slow().capture(scope, (&mut borrowed, 20_000))?;
                steps.add().capture(scope, (&borrowed, &mut half, 1))?;
                steps.slow().capture(scope, (&mut owned, 20_000))?;
                scope.download(&owned)
            })?;
            graph.launch()?;
            graph.launch()?;
            if is_forgotten {
                std::mem::forget(graph);
            } else {
                drop(graph);
            }
            // The buffers have the results, in the order of another stream.
            assert_eq!(fork.clone_dtoh(&borrowed)?, [20_000]);
            assert_eq!(fork.clone_dtoh(&half)?, [0, 20_001]);
            // Whoever gets the memory of the freed buffer next keeps what is written to it.
            let after = fork.clone_htod(&[7_u32; 1])?;
            stream.synchronize()?;
            assert_eq!(fork.clone_dtoh(&after)?, [7]);
        }
    }
    Ok(())
}

/// Some elements of an array.
#[test]
fn ranges_of_arrays_are_copied_by_nodes() -> Outcome {
    let Some((_, stream, steps)) = start()? else { return Ok(()) };
    let (mut graph, (input, before, after)) = capture(&stream, |scope| {
        let part = steps.TABLE.slice(2..5)?;
        let before = scope.get_slice(&part)?;
        let input = scope.set_slice(&part, &[20, 30, 40])?;
        Ok((input, before, scope.get(&steps.TABLE)?))
    })?;
    graph.launch()?;
    assert_eq!(graph.read(&before)?, [2, 3, 4]);
    assert_eq!(graph.read(&after)?, [[0, 1, 20, 30, 40, 5, 6, 7]]);
    graph.write(&input, &[50, 60, 70])?;
    graph.launch()?;
    assert_eq!(graph.read(&before)?, [20, 30, 40]);
    assert_eq!(graph.read(&after)?, [[0, 1, 50, 60, 70, 5, 6, 7]]);
    Ok(())
}

/// The graph keeps the module, the variables and the memory of their copies.
#[test]
fn variables_are_copied_by_nodes() -> Outcome {
    let Some((_, stream, steps)) = start()? else { return Ok(()) };
    let (mut graph, (input, addend, sums, blocks)) = capture(&stream, |scope| {
        let mut data = scope.write(stream.alloc_zeros::<u32>(N as usize)?)?;
        let mut other = scope.write(stream.alloc_zeros::<u32>(N as usize)?)?;
        let addend = scope.set(&steps.ADDEND, &10)?;
        scope.set(&steps.BLOCKS, &0)?;
        let input = scope.upload(&vec![5; N as usize], &mut data)?;
        scope.copy(&data, &mut other)?;
        steps.add().capture(scope, (&other, &mut data, N))?;
        Ok((input, addend, scope.download(&data)?, scope.get(&steps.BLOCKS)?))
    })?;
    drop(steps);
    assert!(matches!(graph.read(&sums), Err(GraphError::NotLaunched)));
    for round in 0..3 {
        graph.launch()?;
        assert_eq!(graph.read(&sums)?, vec![15 + 200 * round; N as usize]);
        assert_eq!(graph.read(&blocks)?, [16]);
        graph.write(&input, &vec![105 + 100 * round; N as usize])?;
        graph.write(&addend, &[110 + 100 * round])?;
    }
    assert!(matches!(graph.write(&input, &[0]), Err(GraphError::Length { len: 1000, given: 1 })));
    Ok(())
}

#[test]
fn a_closure_that_fails_leaves_nothing() -> Outcome {
    let Some((_, stream, steps)) = start()? else { return Ok(()) };
    let mut data = stream.alloc_zeros::<u32>(N as usize)?;
    let failed = capture(&stream, |scope| {
        let mut data = scope.write(&mut data)?;
        // SAFETY: it writes within the buffer, one thread each.
        unsafe { steps.double().grid(1).block(100).capture(scope, (&mut data,))? };
        Err::<(), _>(GraphError::other("the closure's own"))
    });
    assert_eq!(failed.map(|_| ()).expect_err("it fails").to_string(), "the closure's own");
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        capture(&stream, |scope| -> Result<(), GraphError> {
            let mut data = scope.write(&mut data)?;
            // SAFETY: as above.
            unsafe { steps.double().grid(1).block(100).capture(scope, (&mut data,))? };
            panic!("the closure's own")
        })
        .map(|_| ())
    }));
    assert!(panicked.is_err());
    let source = stream.clone_htod(&vec![1_u32; N as usize])?;
    steps.add().launch(&stream, (&source, &mut data, N))?;
    assert_eq!(stream.clone_dtoh(&data)?, [2; N as usize]);
    Ok(())
}

/// An empty graph, empty copies and buffers that no node uses.
#[test]
fn a_graph_may_be_empty() -> Outcome {
    let Some((_, stream, steps)) = start()? else { return Ok(()) };
    let (mut graph, ()) = capture(&stream, |_| Ok(()))?;
    graph.launch()?;
    graph.synchronize()?;
    let data = stream.clone_htod(&[1_u32, 2])?;
    let (mut graph, part) = capture(&stream, |scope| {
        let _all = scope.read(&data)?;
        let part = scope.read(data.slice(1..))?;
        let part = scope.download(&part.clone())?;
        Ok(part)
    })?;
    graph.launch()?;
    assert_eq!(graph.read(&part)?, [2]);
    drop(steps);
    Ok(())
}

/// A kernel writes what the next one loads by a map.
#[test]
fn maps_are_made_of_buffers_of_the_graph() -> Outcome {
    let Some((_, stream, steps)) = start()? else { return Ok(()) };
    let values: Vec<f32> = (0..256_u16).map(f32::from).collect();
    let (mut graph, (input, patch)) = capture(&stream, |scope| {
        let mut matrix = scope.write(stream.alloc_zeros::<f32>(256)?)?;
        let mut to = scope.write(stream.alloc_zeros::<f32>(128)?)?;
        let input = scope.upload(&values, &mut matrix)?;
        let map = matrix.map::<Patch>().dims([16, 16]).encode()?;
        steps.patch().capture(scope, (&map, &mut to))?;
        Ok((input, scope.download(&to)?))
    })?;
    graph.launch()?;
    assert_eq!(graph.read(&patch)?, &values[..128]);
    let other: Vec<f32> = values.iter().map(|x| x + 0.5).collect();
    graph.write(&input, &other)?;
    graph.launch()?;
    assert_eq!(graph.read(&patch)?, &other[..128]);
    Ok(())
}

#[test]
fn nodes_have_attributes() -> Outcome {
    let Some((_, stream, steps)) = start()? else { return Ok(()) };
    let (mut graph, (mut size, node, sizes, data)) = capture(&stream, |scope| {
        let mut size = scope.write(stream.alloc_zeros::<u32>(1)?)?;
        let mut data = scope.write(stream.clone_htod(&[1_u32; 64])?)?;
        let cluster = steps.cluster().grid(4).cluster(2).priority(-1).cooperative();
        // SAFETY: the kernels write within their buffers; `double` waits for the kernel before it.
        let node = unsafe {
            let early = steps.double().grid(1).block(64).programmatic_stream_serialization();
            early.capture(scope, (&mut data,))?;
            early.capture(scope, (&mut data,))?;
            early.capture(scope, (&mut data,))?;
            let node = cluster.capture(scope, (&mut size,))?;
            early.capture(scope, (&mut data,))?;
            node
        };
        let sizes = scope.download(&size)?;
        Ok((size, node, sizes, scope.download(&data)?))
    })?;
    graph.launch()?;
    assert_eq!(graph.read(&sizes)?, [2]);
    assert_eq!(graph.read(&data)?, [16; 64]);
    let cluster = steps.cluster();
    // SAFETY: as above.
    let [other, attributes, fits, too_many] = unsafe {
        [
            cluster.grid(4).cluster(4).update(&mut graph, &node, (&mut size,)),
            cluster.grid(4).cluster(2).priority(-2).update(&mut graph, &node, (&mut size,)),
            cluster.grid(8).cluster(2).update(&mut graph, &node, (&mut size,)),
            cluster.grid(100_000).cluster(2).update(&mut graph, &node, (&mut size,)),
        ]
    };
    fits?;
    let texts = [other, attributes, too_many].map(|refused| match refused {
        Ok(()) => String::new(),
        Err(error) => error.to_string(),
    });
    assert!(texts[0].contains("a cluster of 2, and one of 4 was requested"), "{}", texts[0]);
    assert!(texts[1].contains("leave them out of the update"), "{}", texts[1]);
    assert!(texts[2].contains("a cooperative grid of 100000"), "{}", texts[2]);
    graph.launch()?;
    assert_eq!(graph.read(&sizes)?, [2]);
    Ok(())
}

/// A kernel that starts early, and ends without waiting, does not hide the kernel before it from what comes next.
#[test]
fn what_follows_an_early_kernel_waits_for_the_one_before_it() -> Outcome {
    let Some((_, stream, steps)) = start()? else { return Ok(()) };
    // SAFETY: it uses no memory.
    let early = unsafe { steps.second().programmatic_stream_serialization() };
    let (mut graph, (copied, sum, doubled)) = capture(&stream, |scope| {
        let mut data = scope.write(stream.alloc_zeros::<u32>(64)?)?;
        let mut to = scope.write(stream.alloc_zeros::<u32>(1)?)?;
        steps.first().capture(scope, (&mut data, 7))?;
        early.capture(scope, ())?;
        let copied = scope.download(&data)?;
        scope.zero(&mut data)?;

        steps.first().capture(scope, (&mut data, 8))?;
        early.capture(scope, ())?;
        early.capture(scope, ())?;
        steps.add().capture(scope, (&data, &mut to, 1))?;
        scope.zero(&mut data)?;

        steps.first().capture(scope, (&mut data, 9))?;
        early.capture(scope, ())?;
        // SAFETY: it writes within the buffer, after it has waited.
        unsafe {
            let double = steps.double().grid(1).block(64).programmatic_stream_serialization();
            double.capture(scope, (&mut data,))?;
        }
        Ok((copied, scope.download(&to)?, scope.download(&data)?))
    })?;
    for _ in 0..3 {
        graph.launch()?;
        let values = (graph.read(&copied)?[0], graph.read(&sum)?[0], graph.read(&doubled)?[0]);
        assert_eq!(values, (7, 9, 18));
    }
    Ok(())
}

#[test]
fn kernels_decide_what_runs() -> Outcome {
    let Some(context) = crate::device::gpu() else { return Ok(()) };
    let stream = context.new_stream()?;
    let decisions = load::<decisions::Loaded>(&context)?;
    let (mut graph, (input, turns, once)) = capture(&stream, |scope| {
        let mut count = scope.write(stream.alloc_zeros::<u32>(1)?)?;
        let mut turns = scope.write(stream.alloc_zeros::<u32>(1)?)?;
        let mut once = scope.write(stream.alloc_zeros::<u32>(1)?)?;
        let input = scope.upload(&[5], &mut count)?;
        let (again, last) = (scope.condition(1)?, scope.condition(0)?);
        scope.run_while(again, |scope| {
            decisions.count_up().capture(scope, (&mut turns,))?;
            decisions.count_down().capture(scope, (again, &mut count))?;
            Ok(())
        })?;
        // 0 - 1 is not 0.
        decisions.count_down().capture(scope, (last, &mut count))?;
        scope.run_if(last, |scope| {
            decisions.count_up().capture(scope, (&mut once,))?;
            Ok(())
        })?;
        Ok((input, scope.download(&turns)?, scope.download(&once)?))
    })?;
    graph.launch()?;
    assert_eq!((graph.read(&turns)?, graph.read(&once)?), (vec![5], vec![1]));
    graph.write(&input, &[100])?;
    graph.launch()?;
    assert_eq!((graph.read(&turns)?, graph.read(&once)?), (vec![105], vec![2]));
    Ok(())
}

/// What other libraries submit to a stream, and a call that the driver does not allow there.
#[test]
fn other_libraries_add_nodes() -> Outcome {
    let Some((context, stream, steps)) = start()? else { return Ok(()) };
    let n = N as usize;
    let (mut graph, output) = capture(&stream, |scope| {
        let mut data = scope.write(stream.clone_htod(&vec![1_u32; n])?)?;
        let mut output = scope.write(stream.clone_htod(&vec![1_u32; n])?)?;
        let address = data.address();
        steps.add().capture(scope, (&data, &mut output, N))?;
        // SAFETY: the graph has the buffer.
        unsafe {
            scope.capture_stream(|captured| {
                result::memset_d8_async(address, 0, n * 4, captured.cu_stream())?;
                let forked = captured.fork()?;
                result::memset_d8_async(address, 2, 4, forked.cu_stream())?;
                captured.join(&forked)?;
                Ok(())
            })?;
        }
        // SAFETY: nothing is submitted.
        unsafe { scope.capture_stream(|_| Ok(()))? };
        steps.add().capture(scope, (&data, &mut output, 900))?;
        scope.zero(&mut data)?;
        scope.download(&output)
    })?;
    for _ in 0..2 {
        graph.launch()?;
        let values = graph.read(&output)?;
        assert_eq!((values[0], values[1], values[899]), (0x0202_0203, 1, 1));
    }
    context.synchronize()?;
    Ok(())
}
