//! Graphs that borrow buffers, that own them, and that outlive the function that makes them.

#![deny(warnings)]

use std::sync::Arc;

use cudarc::driver::{CudaSlice, CudaStream};
use ptx::cuda::{AnyNode, Download, Graph, GraphBuffer, GraphError, Loads, Node, Upload, capture};
use ptx::prelude::*;

#[ptx::module(target = sm_80)]
mod steps {
    use super::*;

    #[global]
    pub static TOTAL: f32 = 0.0;

    #[kernel(reqntid = 64, grid = 1, unsafe(safe_launch))]
    pub fn copy(#[readonly] from: Ptr<Global, f32>, to: Ptr<Global, V4<f32>>) {
        ptx! {
            .reg .b64 %from, %to;
            ld.param.u64 %from, [from];
            ld.param.u64 %to, [to];
            ret;
        }
    }

    #[kernel(reqntid = 64)]
    pub fn open(to: Ptr<Global, f32>) {
        ptx! {
            .reg .b64 %to;
            ld.param.u64 %to, [to];
            ret;
        }
    }
}

/// All that a program needs to run it again and again.
struct Pipeline {
    graph: Graph<'static>,
    input: Upload<f32>,
    output: Download<f32>,
    total: Download<f32>,
    weights: GraphBuffer<f32, Loads>,
    to: GraphBuffer<f32>,
    node: AnyNode,
}

impl Pipeline {
    fn new(
        steps: &steps::Loaded,
        stream: &Arc<CudaStream>,
        weights: &Arc<CudaSlice<f32>>,
    ) -> Result<Self, GraphError> {
        let (graph, (input, output, total, (weights, to, node))) = capture(stream, |scope| {
            let weights = scope.read(Arc::clone(weights))?;
            let mut from = scope.write(stream.alloc_zeros::<f32>(64)?)?;
            let mut to = scope.write(stream.alloc_zeros::<f32>(64)?)?;
            let input = scope.upload(&[0.0; 64], &mut from)?;
            let node = steps.copy().capture(scope, (&weights, &mut to))?.any();
            steps.copy().capture(scope, (&from, &mut to))?;
            let output = scope.download(&to)?;
            Ok((input, output, scope.get(&steps.TOTAL)?, (weights, to, node)))
        })?;
        Ok(Self { graph, input, output, total, weights, to, node })
    }

    fn again(&mut self, steps: &steps::Loaded) -> Result<(), GraphError> {
        let Self { graph, weights, to, node, .. } = self;
        Ok(steps.copy().update(graph, node, (&*weights, to))?)
    }

    fn run(&mut self, values: &[f32]) -> Result<(f32, Vec<f32>), GraphError> {
        self.graph.write(&self.input, values)?;
        self.graph.launch()?;
        Ok((self.graph.read(&self.total)?[0], self.graph.read(&self.output)?))
    }
}

fn borrows<'b>(
    steps: &steps::Loaded,
    stream: &Arc<CudaStream>,
    from: &'b CudaSlice<f32>,
    to: &'b mut CudaSlice<f32>,
) -> Result<(Graph<'b>, Node<impl Sized>, GraphBuffer<f32>), GraphError> {
    let (mut graph, (node, mut to)) = capture(stream, |scope| {
        let part = scope.read(from.slice(..32))?;
        let mut to = scope.write(to.slice_mut(..32))?;
        let node = steps.copy().capture(scope, (&part, &mut to))?;
        // SAFETY: the kernel does nothing.
        unsafe { steps.open().grid(1).capture(scope, (&mut to,))? };
        Ok((node, to))
    })?;
    let _ = graph.view_mut(&mut to)?;
    Ok((graph, node, to))
}

fn sent<T: Send + Sync>() {}

fn main() {
    let _ = (Pipeline::new, Pipeline::run, Pipeline::again, borrows);
    sent::<Pipeline>();
}
