//! The configuration of a launch: extents, and the values of its attributes.

use core::fmt;

use cudarc::driver::CudaEvent;

/// The extents of a grid, a block or a cluster: `n`, `(x, y)` or `(x, y, z)`; omitted extents are 1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Dim(pub [u32; 3]);

/// What gives the extents of a grid, a block or a cluster: `u32`, `(u32, u32)`, `(u32, u32, u32)`, `[u32; 3]` or [`Dim`].
///
/// A length is not: it may not fit.
///
/// ```compile_fail,E0277
/// fn extents(extents: impl ptx::cuda::Extents) {}
/// extents([0.0_f32; 8].len());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not give the extents of a grid, a block or a cluster",
    label = "extents are `u32`, `(u32, u32)` or `(u32, u32, u32)`",
    note = "a length is converted as in `u32::try_from(data.len())?`"
)]
pub trait Extents: Into<Dim> {}

#[diagnostic::do_not_recommend]
impl Extents for Dim {}
#[diagnostic::do_not_recommend]
impl Extents for u32 {}
#[diagnostic::do_not_recommend]
impl Extents for (u32, u32) {}
#[diagnostic::do_not_recommend]
impl Extents for (u32, u32, u32) {}
#[diagnostic::do_not_recommend]
impl Extents for [u32; 3] {}

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
    /// Whether each extent is at least 1 and at most this one.
    #[inline]
    pub(super) const fn is_within(self, most: [u32; 3]) -> bool {
        let ([x, y, z], [most_x, most_y, most_z]) = (self.0, most);
        x.wrapping_sub(1) < most_x && y.wrapping_sub(1) < most_y && z.wrapping_sub(1) < most_z
    }

    /// The product of the extents.
    pub const fn count(self) -> u64 {
        let [x, y, z] = self.0;
        (x as u64).saturating_mul(y as u64).saturating_mul(z as u64)
    }
}

/// The resolved shape of a launch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) grid: Dim,
    pub(super) block: Dim,
    pub(super) cluster: Option<Dim>,
    /// Dynamic shared memory of a block, in bytes.
    pub(super) dynamic: usize,
}

/// How the blocks of clusters are spread over the multiprocessors.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClusterScheduling {
    /// The blocks of a cluster are spread over as many multiprocessors as possible.
    Spread = 1,
    /// The hardware balances the load.
    LoadBalancing = 2,
}

/// Which of the stream's two domains the memory operations of a launch are in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MemorySyncDomain {
    /// The default one.
    Default = 0,
    /// The domain for work that other devices read.
    Remote = 1,
}

/// How the L2 cache treats accesses to a window of memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AccessProperty {
    /// Normal caching.
    Normal = 0,
    /// Less likely to persist in the cache.
    Streaming = 1,
    /// More likely to persist in the cache.
    Persisting = 2,
}

/// A window of global memory with its own caching in L2.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AccessPolicyWindow {
    /// The address of the first byte.
    pub address: u64,
    /// The size in bytes.
    pub bytes: usize,
    /// The fraction of accesses that `hit` applies to, 0.0 to 1.0; `miss` applies to the others.
    pub hit_ratio: f32,
    /// How that fraction is cached.
    pub hit: AccessProperty,
    /// How the other accesses are cached; not `Persisting`.
    pub miss: AccessProperty,
}

/// The settings of a launch beyond its shape.
#[derive(Clone, Copy, Default)]
pub(super) struct Settings<'k> {
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
