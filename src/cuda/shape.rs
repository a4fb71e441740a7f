//! What a launch says: extents, and the values of its attributes.

use core::fmt;

use cudarc::driver::CudaEvent;

/// The extents of a grid, a block or a cluster: `n`, `(x, y)` or `(x, y, z)`; what is left out is 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dim(pub [u32; 3]);

impl From<u32> for Dim {
    fn from(x: u32) -> Self {
        Self([x, 1, 1])
    }
}

impl From<(u32, u32)> for Dim {
    fn from((x, y): (u32, u32)) -> Self {
        Self([x, y, 1])
    }
}

impl From<(u32, u32, u32)> for Dim {
    fn from((x, y, z): (u32, u32, u32)) -> Self {
        Self([x, y, z])
    }
}

impl From<[u32; 3]> for Dim {
    fn from(extents: [u32; 3]) -> Self {
        Self(extents)
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.0;
        match (y, z) {
            (1, 1) => write!(f, "{x}"),
            (_, 1) => write!(f, "({x}, {y})"),
            _ => write!(f, "({x}, {y}, {z})"),
        }
    }
}

impl Dim {
    /// How many there are in all.
    pub const fn count(self) -> u64 {
        let [x, y, z] = self.0;
        (x as u64).saturating_mul(y as u64).saturating_mul(z as u64)
    }
}

/// How the blocks of clusters are spread over the multiprocessors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClusterScheduling {
    /// The blocks of a cluster on as many multiprocessors as there are.
    Spread = 1,
    /// As the hardware balances the load.
    LoadBalancing = 2,
}

/// Which of the stream's two domains the memory operations of a launch are in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MemorySyncDomain {
    /// The default one.
    Default = 0,
    /// That of work which is read by other devices.
    Remote = 1,
}

/// What the L2 cache does with the accesses to a window of memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AccessProperty {
    /// As ever.
    Normal = 0,
    /// Not to be kept.
    Streaming = 1,
    /// To be kept.
    Persisting = 2,
}

/// A window of global memory that the L2 cache treats in another way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AccessPolicyWindow {
    /// The first byte's address.
    pub address: u64,
    /// The bytes.
    pub bytes: usize,
    /// The share of accesses that are treated as `hit` says, 0.0 to 1.0; the others as `miss` says.
    pub hit_ratio: f32,
    /// What becomes of that share.
    pub hit: AccessProperty,
    /// What becomes of the others; not `Persisting`.
    pub miss: AccessProperty,
}

/// What was said of a launch beyond its shape.
#[derive(Clone, Copy, Default)]
pub(super) struct Said<'k> {
    pub(super) scheduling: Option<ClusterScheduling>,
    pub(super) cooperative: bool,
    pub(super) programmatic_serialization: bool,
    pub(super) programmatic_event: Option<(&'k CudaEvent, bool)>,
    pub(super) completion_event: Option<&'k CudaEvent>,
    pub(super) priority: Option<i32>,
    pub(super) domain: Option<MemorySyncDomain>,
    pub(super) domain_map: Option<(u8, u8)>,
    pub(super) window: Option<AccessPolicyWindow>,
    pub(super) carveout: Option<u32>,
}
