//! Conditional nodes.

use core::fmt;

use super::error::GraphError;
use super::scope::Scope;
use crate::cuda::argument::{Argument, Bound};
use crate::cuda::calls::{self, Call, ConditionalNodeParams};
use crate::cuda::launch_error::LaunchError;
use crate::cuda::nodes::{End, GraphNumber, Last};
use crate::cuda::prepared::Prepared;
use crate::cuda::refusal::Refusal;

/// A number that kernels of a graph set by `cudaGraphSetConditional`, and that decides whether
/// [a part of it](Scope::run_if) runs, or [runs again](Scope::run_while).
///
/// As an argument, it fits a parameter of type `u64`, a `cudaGraphConditionalHandle`.
#[derive(Clone, Copy)]
pub struct Condition {
    handle: u64,
    index: usize,
    graph: GraphNumber,
}

impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Condition({:#x})", self.handle)
    }
}

#[diagnostic::do_not_recommend]
impl Argument<u64> for Condition {
    fn __bind<'s>(
        &'s mut self,
        prepared: &Prepared<'s>,
        index: usize,
    ) -> Result<Bound<'s, u64>, LaunchError> {
        prepared.same_graph(self.graph, index)?;
        Ok(Bound::value(&self.handle, None))
    }
}

/// The driver's numbers of the conditional nodes.
#[derive(Clone, Copy)]
enum Conditional {
    If = 0,
    While = 1,
}

impl Scope<'_> {
    /// Makes a condition, which has this value when a launch of the graph starts. It has to decide on one node, by
    /// [`run_if`](Self::run_if) or [`run_while`](Self::run_while). CUDA 12.3.
    ///
    /// # Errors
    /// The driver is too old, or refuses.
    pub fn condition(&mut self, initial: u32) -> Result<Condition, GraphError> {
        const ASSIGN_DEFAULT: u32 = 1;
        self.keeps.enter()?;
        let mut handle = 0;
        let context = self.keeps.stream.context().cu_ctx().cast();
        let create = calls::graph_condition()?;
        // SAFETY: graph and context are alive; a number is written.
        let code =
            unsafe { create(&raw mut handle, self.end.graph, context, initial, ASSIGN_DEFAULT) };
        Refusal::of(Call::GraphConditionalHandleCreate, code)?;
        self.conditions.push(false);
        Ok(Condition { handle, index: self.conditions.len() - 1, graph: self.keeps.number })
    }

    /// Adds what the closure adds, to run once if the condition is not 0 when it is reached. CUDA 12.3.
    ///
    /// # Errors
    /// Those of the closure; the condition belongs to another graph, or to another node already; or the driver is too
    /// old, or refuses.
    pub fn run_if<R>(
        &mut self,
        condition: Condition,
        body: impl FnOnce(&mut Self) -> Result<R, GraphError>,
    ) -> Result<R, GraphError> {
        self.conditional(condition, Conditional::If, body)
    }

    /// Adds what the closure adds, to run again and again while the condition is not 0. CUDA 12.3.
    ///
    /// # Errors
    /// The same as [`run_if`](Self::run_if).
    pub fn run_while<R>(
        &mut self,
        condition: Condition,
        body: impl FnOnce(&mut Self) -> Result<R, GraphError>,
    ) -> Result<R, GraphError> {
        self.conditional(condition, Conditional::While, body)
    }

    fn conditional<R>(
        &mut self,
        condition: Condition,
        conditional: Conditional,
        body: impl FnOnce(&mut Self) -> Result<R, GraphError>,
    ) -> Result<R, GraphError> {
        const CONDITIONAL: u32 = 13;
        let is_used = self.conditions.get_mut(condition.index);
        let is_used = is_used.filter(|_| condition.graph == self.keeps.number);
        let is_used = is_used.ok_or(GraphError::OtherGraph { what: "condition" })?;
        if *is_used {
            return Err(GraphError::ConditionUsed);
        }
        let mut params = ConditionalNodeParams {
            kind: CONDITIONAL,
            reserved: [0; 3],
            condition: condition.handle,
            conditional: conditional as u32,
            size: 1,
            bodies: core::ptr::null(),
            context: self.keeps.stream.context().cu_ctx().cast(),
            padding: [0; 26],
        };
        let add = calls::graph_add_conditional()?;
        let (dependencies, count) = End::dependencies(self.end.last.as_ref());
        let mut node = core::ptr::null_mut();
        // SAFETY: graph, dependencies and context are alive; the parameters have the size and the layout of
        // `CUgraphNodeParams`.
        let code =
            unsafe { add(&raw mut node, self.end.graph, dependencies, count, &raw mut params) };
        Refusal::of(Call::GraphAddNode, code)?;
        *is_used = true;
        // SAFETY: the driver wrote the address of one graph, which lives as long as the graph of the node.
        let graph = unsafe { *params.bodies };
        self.end.last = Some(Last { node, is_kernel: false });
        let after = core::mem::replace(&mut self.end, End { graph, last: None });
        self.depth += 1;
        let number = self.keeps.number;
        let result = body(self);
        if self.keeps.number != number {
            // The body has put another scope in place of this one.
            self.is_invalid = true;
            return Err(GraphError::Invalid);
        }
        self.depth -= 1;
        self.end = after;
        result
    }
}
