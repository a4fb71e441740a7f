//! Kernels of a graph.

use super::instance::Graph;
use super::keeps::VariableAccess;
use super::lasting::LastingArguments;
use super::node::{Node, NodeOf};
use super::scope::Scope;
use crate::cuda::facts::{
    HasBlock, HasCluster, HasDynamic, HasGrid, KernelType, Unvouched, Vouched,
};
use crate::cuda::fits::Arguments;
use crate::cuda::launch::Launch;
use crate::cuda::launch_error::{LaunchError, Reason};
use crate::cuda::nodes::{Last, Recorder, Recording};
use crate::cuda::prepared::Prepared;

impl<K: KernelType, S, G: HasGrid, B: HasBlock, C: HasCluster, D: HasDynamic>
    Launch<'_, K, S, G, B, C, D>
{
    fn add(
        &self,
        scope: &mut Scope<'_>,
        arguments: &mut impl Arguments<K>,
        is_vouched: bool,
    ) -> Result<Node<K>, LaunchError> {
        let Scope { end, kernels, keeps, depth, .. } = scope;
        let node = Node::new(keeps.number, kernels.len());
        // SAFETY: the scope owns the graph, and is borrowed.
        let recorder = unsafe { Recorder::new(keeps.number, Recording::Add(*end)) };
        let (plan, stream) = (&self.plan, &*keeps.stream);
        arguments.__launch(&Prepared { plan, stream, is_vouched, recorder: Some(&recorder) })?;
        if let Some(mut made) = recorder.made() {
            end.last = Some(Last { node: made.node, is_kernel: true });
            made.is_conditional = *depth > 0;
            kernels.push(made);
            keeps.kernels.push(self.name());
        }
        keeps.module(&self.facts.module);
        if self.facts.used.is_some() {
            keeps.variables(&self.facts.module, VariableAccess::Kernels);
        }
        Ok(node)
    }

    fn replace(
        &self,
        graph: &mut Graph<'_>,
        node: &impl NodeOf<K>,
        arguments: &mut impl Arguments<K>,
        is_vouched: bool,
    ) -> Result<(), LaunchError> {
        let Graph { executable, kernels, keeps, .. } = graph;
        let node = node
            .__node()
            .map_err(|kernel| LaunchError::new(self.name(), Reason::OtherKernel { kernel }))?;
        let other = || LaunchError::new(self.name(), Reason::OtherNode);
        let known = kernels.get_mut(node.index).filter(|_| node.graph == keeps.number);
        let known = known.ok_or_else(other)?;
        // Before the node may use it.
        keeps.module(&self.facts.module);
        if self.facts.used.is_some() {
            keeps.variables(&self.facts.module, VariableAccess::Kernels);
        }
        let recording = Recording::Replace(executable.handle(), *known);
        // SAFETY: the graph owns both, and is borrowed.
        let recorder = unsafe { Recorder::new(keeps.number, recording) };
        let (plan, stream) = (&self.plan, &*keeps.stream);
        arguments.__launch(&Prepared { plan, stream, is_vouched, recorder: Some(&recorder) })?;
        if let Some(made) = recorder.made() {
            *known = made;
        }
        Ok(())
    }
}

impl<K: KernelType, G: HasGrid, B: HasBlock, C: HasCluster, D: HasDynamic>
    Launch<'_, K, Vouched, G, B, C, D>
{
    /// Adds the launch to a graph, after what was added before. The arguments are those of
    /// [`launch`](Self::launch), with buffers that are bound to the graph.
    ///
    /// If the grid that follows from the arguments has no blocks, the node does not run until it is updated.
    ///
    /// # Errors
    /// The shape or the attributes are invalid, an argument does not fit or is bound to another graph, the contract of
    /// the declaration does not hold, or the driver refuses; nothing is added then.
    pub fn capture<A: Arguments<K> + LastingArguments<K>>(
        &self,
        scope: &mut Scope<'_>,
        mut arguments: A,
    ) -> Result<Node<K>, LaunchError> {
        self.add(scope, &mut arguments, true)
    }

    /// Replaces the arguments and the shape of a node. Launches of the graph that were submitted before keep theirs.
    ///
    /// # Errors
    /// The same as [`capture`](Self::capture); the node belongs to another graph, to the body of a condition or, as an
    /// [`AnyNode`](super::AnyNode), to another kernel; or the
    /// launch has attributes or another cluster, which a node keeps. The node stays as it was then.
    pub fn update<A: Arguments<K> + LastingArguments<K>>(
        &self,
        graph: &mut Graph<'_>,
        node: &impl NodeOf<K>,
        mut arguments: A,
    ) -> Result<(), LaunchError> {
        self.replace(graph, node, &mut arguments, true)
    }
}

impl<K: KernelType, G: HasGrid, B: HasBlock, C: HasCluster, D: HasDynamic>
    Launch<'_, K, Unvouched, G, B, C, D>
{
    /// Adds the launch to a graph, after what was added before. The arguments are those of
    /// [`launch`](Self::launch), with buffers that are bound to the graph.
    ///
    /// If the grid that follows from the arguments has no blocks, the node does not run until it is updated.
    ///
    /// # Safety
    /// The same as for [`launch`](Self::launch), at each launch of the graph: addresses and maps that the graph does not
    /// keep have to be valid as long as it exists.
    ///
    /// # Errors
    /// The shape or the attributes are invalid, an argument does not fit or is bound to another graph, the contract of
    /// the declaration does not hold, or the driver refuses; nothing is added then.
    pub unsafe fn capture<A: Arguments<K> + LastingArguments<K>>(
        &self,
        scope: &mut Scope<'_>,
        mut arguments: A,
    ) -> Result<Node<K>, LaunchError> {
        self.add(scope, &mut arguments, false)
    }

    /// Replaces the arguments and the shape of a node. Launches of the graph that were submitted before keep theirs.
    ///
    /// # Safety
    /// The same as for [`capture`](Self::capture).
    ///
    /// # Errors
    /// The same as [`capture`](Self::capture); the node belongs to another graph, to the body of a condition or, as an
    /// [`AnyNode`](super::AnyNode), to another kernel; or the
    /// launch has attributes or another cluster, which a node keeps. The node stays as it was then.
    pub unsafe fn update<A: Arguments<K> + LastingArguments<K>>(
        &self,
        graph: &mut Graph<'_>,
        node: &impl NodeOf<K>,
        mut arguments: A,
    ) -> Result<(), LaunchError> {
        self.replace(graph, node, &mut arguments, false)
    }
}
