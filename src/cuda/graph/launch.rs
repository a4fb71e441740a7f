//! Kernels of a graph.

use super::instance::Graph;
use super::keeps::VariableAccess;
use super::node::{Node, NodeOf};
use super::scope::Scope;
use crate::cuda::facts::KernelType;
use crate::cuda::fits::Arguments;
use crate::cuda::launch_error::{LaunchError, Reason};
use crate::cuda::nodes::{Last, Recorder, Recording};
use crate::cuda::plan::Plan;
use crate::cuda::prepared::Prepared;

/// Adds a launch to a graph.
pub(in crate::cuda) fn add_kernel<K: KernelType>(
    plan: &Plan<'_>,
    scope: &mut Scope<'_>,
    arguments: &mut impl Arguments<K>,
    is_vouched: bool,
) -> Result<Node<K>, LaunchError> {
    let Scope { end, kernels, keeps, depth, .. } = scope;
    let node = Node::new(keeps.number, kernels.len());
    // SAFETY: the scope owns the graph, and is borrowed.
    let recorder = unsafe { Recorder::new(keeps.number, Recording::Add(*end)) };
    let stream = &*keeps.stream;
    arguments.__launch(&Prepared { plan, stream, is_vouched, recorder: Some(&recorder) })?;
    let facts = plan.facts;
    if let Some(mut made) = recorder.made() {
        end.last = Some(Last { node: made.node, is_kernel: true });
        made.is_conditional = *depth > 0;
        kernels.push(made);
        keeps.kernels.push(facts.ir.name);
    }
    keeps.module(&facts.module);
    if facts.used.is_some() {
        keeps.variables(&facts.module, VariableAccess::Kernels);
    }
    Ok(node)
}

/// Replaces the arguments and the shape of a node by those of a launch.
pub(in crate::cuda) fn replace_kernel<K: KernelType>(
    plan: &Plan<'_>,
    graph: &mut Graph<'_>,
    node: &impl NodeOf<K>,
    arguments: &mut impl Arguments<K>,
    is_vouched: bool,
) -> Result<(), LaunchError> {
    let Graph { executable, kernels, keeps, .. } = graph;
    let facts = plan.facts;
    let error = |reason| LaunchError::new(facts.ir.name, reason);
    let node = node.__node().map_err(|kernel| error(Reason::OtherKernel { kernel }))?;
    let known = kernels.get_mut(node.index).filter(|_| node.graph == keeps.number);
    let known = known.ok_or_else(|| error(Reason::OtherNode))?;
    // Before the node may use it.
    keeps.module(&facts.module);
    if facts.used.is_some() {
        keeps.variables(&facts.module, VariableAccess::Kernels);
    }
    let recording = Recording::Replace(executable.handle(), *known);
    // SAFETY: the graph owns both, and is borrowed.
    let recorder = unsafe { Recorder::new(keeps.number, recording) };
    let stream = &*keeps.stream;
    arguments.__launch(&Prepared { plan, stream, is_vouched, recorder: Some(&recorder) })?;
    if let Some(made) = recorder.made() {
        *known = made;
    }
    Ok(())
}
