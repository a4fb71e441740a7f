//! Graphs whose buffers do not live long enough or are used meanwhile, and nodes of other kernels.

#![allow(unused_variables)]

use std::sync::Arc;

use cudarc::driver::{CudaSlice, CudaStream};
use ptx::cuda::{Graph, GraphBuffer, GraphError, Pinned, capture};
use ptx::prelude::*;

#[ptx::module(target = sm_80)]
mod steps {
    use super::*;

    #[kernel(reqntid = 64, grid = 1, unsafe(safe_launch))]
    pub fn copy(#[readonly] from: Ptr<Global, f32>, to: Ptr<Global, f32>) {
        ptx! { ret; }
    }

    #[kernel(reqntid = 64, grid = 1, unsafe(safe_launch))]
    pub fn fill(to: Ptr<Global, f32>, value: f32) {
        ptx! { ret; }
    }

    #[kernel(reqntid = 64)]
    pub fn open(to: Ptr<Global, f32>) {
        ptx! { ret; }
    }
}

fn dropped(
    steps: &steps::Loaded,
    stream: &Arc<CudaStream>,
    mut data: CudaSlice<f32>,
) -> Result<(), GraphError> {
    let (mut graph, _) = capture(stream, |scope| {
        let mut data = scope.write(&mut data)?;
        Ok(steps.fill().capture(scope, (&mut data, 1.0))?)
    })?;
    drop(data);
    graph.launch()
}

fn used_meanwhile(
    steps: &steps::Loaded,
    stream: &Arc<CudaStream>,
    data: &mut CudaSlice<f32>,
) -> Result<Vec<f32>, GraphError> {
    let (mut graph, _) = capture(stream, |scope| {
        let mut data = scope.write(&mut *data)?;
        Ok(steps.fill().capture(scope, (&mut data, 1.0))?)
    })?;
    graph.launch()?;
    let values = stream.clone_dtoh(data)?;
    graph.launch()?;
    Ok(values)
}

fn viewed_meanwhile(graph: &mut Graph<'_>, data: &GraphBuffer<f32>) -> Result<(), GraphError> {
    let view = graph.view(data)?;
    graph.launch()?;
    drop(view);
    Ok(())
}

fn bound_shared(stream: &Arc<CudaStream>, data: &CudaSlice<f32>) -> Result<(), GraphError> {
    capture(stream, |scope| scope.write(data)).map(|_| ())
}

fn not_bound(
    steps: &steps::Loaded,
    stream: &Arc<CudaStream>,
    data: &CudaSlice<f32>,
    to: CudaSlice<f32>,
) -> Result<(), GraphError> {
    capture(stream, |scope| {
        let mut to = scope.write(to)?;
        Ok(steps.copy().capture(scope, (data, &mut to))?)
    })
    .map(|_| ())
}

fn written_though_read(
    steps: &steps::Loaded,
    stream: &Arc<CudaStream>,
    data: &CudaSlice<f32>,
) -> Result<(), GraphError> {
    capture(stream, |scope| {
        let mut data = scope.read(data)?;
        Ok(steps.fill().capture(scope, (&mut data, 1.0))?)
    })
    .map(|_| ())
}

fn in_place(
    steps: &steps::Loaded,
    stream: &Arc<CudaStream>,
    data: CudaSlice<f32>,
) -> Result<(), GraphError> {
    capture(stream, |scope| {
        let mut data = scope.write(data)?;
        Ok(steps.copy().capture(scope, (&data, &mut data))?)
    })
    .map(|_| ())
}

fn not_vouched(
    steps: &steps::Loaded,
    stream: &Arc<CudaStream>,
    data: CudaSlice<f32>,
) -> Result<(), GraphError> {
    capture(stream, |scope| {
        let mut data = scope.write(data)?;
        Ok(steps.open().grid(1).capture(scope, (&mut data,))?)
    })
    .map(|_| ())
}

fn another_kernel(
    steps: &steps::Loaded,
    stream: &Arc<CudaStream>,
    from: &CudaSlice<f32>,
    to: CudaSlice<f32>,
) -> Result<(), GraphError> {
    let (mut graph, (mut to, node)) = capture(stream, |scope| {
        let (from, mut to) = (scope.read(from)?, scope.write(to)?);
        let node = steps.copy().capture(scope, (&from, &mut to))?;
        Ok((to, node))
    })?;
    Ok(steps.fill().update(&mut graph, &node, (&mut to, 2.0))?)
}

fn other_arguments(
    steps: &steps::Loaded,
    stream: &Arc<CudaStream>,
    data: CudaSlice<f32>,
) -> Result<(), GraphError> {
    let (mut graph, (mut data, node)) = capture(stream, |scope| {
        let mut data = scope.write(data)?;
        let node = steps.fill().capture(scope, (&mut data, 1.0))?;
        Ok((data, node))
    })?;
    steps.fill().update(&mut graph, &node, (&mut data, 2_u32))?;
    Ok(())
}

fn main() {}

fn pinned_dropped(
    stream: &Arc<CudaStream>,
    data: CudaSlice<f32>,
    mut pinned: Pinned<f32>,
) -> Result<(), GraphError> {
    let (mut graph, _) = capture(stream, |scope| {
        let data = scope.write(data)?;
        scope.download_pinned(&data, &mut pinned)
    })?;
    drop(pinned);
    graph.launch()
}

fn not_pinned(
    stream: &Arc<CudaStream>,
    data: CudaSlice<f32>,
    values: &mut Vec<f32>,
) -> Result<(), GraphError> {
    capture(stream, |scope| {
        let mut data = scope.write(data)?;
        scope.upload_pinned(values, &mut data)
    })
    .map(|_| ())
}
