//! Handles of kernels in a graph.

use core::any::TypeId;
use core::fmt;
use core::marker::PhantomData;

use crate::cuda::facts::KernelType;
use crate::cuda::nodes::GraphNumber;

/// A launch of the kernel `K` in a [graph](super::Graph), to [update](crate::cuda::Launch::update).
///
/// A program cannot write the type of a kernel; [`any`](Self::any) is a handle for fields of structs.
pub struct Node<K> {
    pub(super) graph: GraphNumber,
    pub(super) index: usize,
    of: PhantomData<fn() -> K>,
}

impl<K> Node<K> {
    pub(super) fn new(graph: GraphNumber, index: usize) -> Self {
        Self { graph, index, of: PhantomData }
    }

    /// The same node without the type of its kernel.
    pub fn any(&self) -> AnyNode
    where
        K: KernelType,
    {
        let Self { graph, index, .. } = *self;
        AnyNode { graph, index, kernel: TypeId::of::<K>(), name: K::declaration().name }
    }
}

impl<K> Clone for Node<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Node<K> {}

impl<K> fmt::Debug for Node<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Node({})", self.index)
    }
}

/// A launch of some kernel in a [graph](super::Graph): a [`Node`] whose kernel is compared when it is updated.
#[derive(Clone, Copy)]
pub struct AnyNode {
    graph: GraphNumber,
    index: usize,
    kernel: TypeId,
    name: &'static str,
}

impl AnyNode {
    /// The kernel's name in PTX.
    pub const fn kernel(&self) -> &'static str {
        self.name
    }
}

impl fmt::Debug for AnyNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyNode({}, {})", self.index, self.name)
    }
}

/// A node that may be one of the kernel `K`: a [`Node<K>`], or an [`AnyNode`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a node of the kernel `{K}`",
    label = "a node of another kernel"
)]
pub trait NodeOf<K> {
    /// The node, or the name of the kernel that it has.
    #[doc(hidden)]
    fn __node(&self) -> Result<Node<K>, &'static str>;
}

#[diagnostic::do_not_recommend]
impl<K> NodeOf<K> for Node<K> {
    fn __node(&self) -> Result<Self, &'static str> {
        Ok(*self)
    }
}

#[diagnostic::do_not_recommend]
impl<K: KernelType> NodeOf<K> for AnyNode {
    fn __node(&self) -> Result<Node<K>, &'static str> {
        if self.kernel == TypeId::of::<K>() {
            return Ok(Node::new(self.graph, self.index));
        }
        Err(self.name)
    }
}
