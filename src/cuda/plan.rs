//! Checks a launch against its declaration and its device.

use super::attribute::cluster_attribute;
use super::calls::{self, Call, LaunchConfig};
use super::facts::{DeclaredShape, Facts, PORTABLE_CLUSTER};
use super::launch_error::Reason;
use super::module::int;
use super::refusal::Refusal;
use super::resources::{Resources, SuggestedBlock};
use super::shape::{Dim, Settings};

/// The configuration of a launch, and the properties of its kernel.
#[derive(Clone, Copy)]
pub(super) struct Plan<'k> {
    pub(super) facts: &'k Facts,
    pub(super) grid: Option<Dim>,
    pub(super) block: Option<Dim>,
    pub(super) cluster: Option<Dim>,
    pub(super) dynamic: Option<usize>,
    pub(super) settings: Settings<'k>,
    /// Whether neither a cluster, an attribute nor a check is asked for.
    pub(super) is_plain: bool,
    /// Whether this launch is to be checked.
    pub(super) is_checked: bool,
    /// The outputs that are filled with poison before a checked launch.
    pub(super) poisoned: &'k [&'k str],
}

impl<'k> Plan<'k> {
    /// The settings, to change them.
    pub(super) fn set(&mut self) -> &mut Settings<'k> {
        self.is_plain = false;
        &mut self.settings
    }
}

impl Plan<'_> {
    pub(super) fn resources(&self) -> Result<Resources, Reason> {
        let facts = self.facts;
        facts.module.context.bind_to_thread().map_err(Reason::Driver)?;
        facts.answers().map_err(Reason::Refused)?;
        let block = match (facts.block, self.block) {
            (
                DeclaredShape::Free | DeclaredShape::SetByLaunch { .. } | DeclaredShape::AtMost(_),
                None,
            ) => None,
            _ => Some(self.block()?),
        };
        let is_open = facts.dynamic.is_some_and(|dynamic| dynamic.slice.is_some());
        let dynamic =
            if is_open && self.dynamic.is_none() { None } else { Some(self.dynamic_bytes()?) };
        let mut resources = Resources::of(facts, block, dynamic);
        let (Some(block), Some(dynamic)) = (block, dynamic) else { return Ok(resources) };
        resources.blocks_per_multiprocessor = blocks_at_once(facts, block, dynamic);
        let cluster = match (facts.cluster, self.cluster) {
            (
                DeclaredShape::Free | DeclaredShape::SetByLaunch { .. } | DeclaredShape::AtMost(_),
                None,
            ) => None,
            _ => self.cluster(None)?,
        };
        if let Some(cluster) = cluster {
            resources.cluster = Some(cluster);
            if cluster.count() > PORTABLE_CLUSTER {
                facts.allow_large_clusters().map_err(Reason::Refused)?;
            }
            resources.clusters = self.clusters_at_once(cluster, block, dynamic);
        }
        Ok(resources)
    }

    /// The block with which the most threads run at once, within what is declared.
    pub(super) fn suggested_block(&self) -> Result<SuggestedBlock, Reason> {
        let facts = self.facts;
        facts.module.context.bind_to_thread().map_err(Reason::Driver)?;
        let dynamic = self.dynamic_bytes()?;
        let call = calls::suggest_block()?;
        // 0 is no limit.
        let limit = int(facts.most_threads().map_or(0, |most| usize::try_from(most).unwrap_or(0)));
        let (mut grid, mut block) = (0, 0);
        // SAFETY: the function belongs to a loaded module; two numbers are written, and no function is called.
        let code =
            unsafe { call(&raw mut grid, &raw mut block, facts.function, None, dynamic, limit) };
        Refusal::of(Call::SuggestBlock, code).map_err(Reason::Refused)?;
        let number = |number| u32::try_from(number).unwrap_or(0);
        Ok(SuggestedBlock { threads: number(block), grid: number(grid) })
    }

    /// The shape of a block.
    #[inline]
    pub(super) fn block(&self) -> Result<Dim, Reason> {
        let facts = self.facts;
        let limits = &facts.module.limits;
        let block = match (facts.block, self.block) {
            (DeclaredShape::Exactly(exact), _) => exact,
            (_, None) => return Err(Reason::NotSet { what: "block" }),
            (DeclaredShape::AtMost(most), Some(given)) => {
                if given.count() > most {
                    return Err(Reason::BlockTooLarge { given, most, declared: true });
                }
                given
            }
            (DeclaredShape::Free | DeclaredShape::SetByLaunch { .. }, Some(given)) => given,
        };
        within("block", block, limits.block)?;
        if block.count() > u64::from(limits.threads) {
            return Err(Reason::BlockTooLarge {
                given: block,
                most: limits.threads.into(),
                declared: false,
            });
        }
        Ok(block)
    }

    /// The shape of a cluster, if the launch has one.
    #[inline]
    pub(super) fn cluster(&self, grid: Option<Dim>) -> Result<Option<Dim>, Reason> {
        let facts = self.facts;
        let cluster = match (facts.cluster, self.cluster) {
            (DeclaredShape::Free | DeclaredShape::AtMost(_), None) => return Ok(None),
            (DeclaredShape::SetByLaunch { .. }, None) => {
                return Err(Reason::NotSet { what: "cluster" });
            }
            (DeclaredShape::Exactly(exact), _) => exact,
            (
                DeclaredShape::AtMost(most) | DeclaredShape::SetByLaunch { most: Some(most) },
                Some(given),
            ) if given.count() > most => {
                return Err(Reason::ClusterTooLarge { given, most });
            }
            (
                DeclaredShape::Free | DeclaredShape::SetByLaunch { .. } | DeclaredShape::AtMost(_),
                Some(given),
            ) => given,
        };
        if !facts.module.limits.has_clusters {
            return Err(Reason::NoClusters);
        }
        if cluster.count() == 0 {
            return Err(Reason::Zero { what: "cluster", given: cluster });
        }
        if let Some(grid) = grid {
            let whole = |n: usize| grid.0[n].is_multiple_of(cluster.0[n]);
            if !(whole(0) && whole(1) && whole(2)) {
                return Err(Reason::NotWholeClusters { grid, cluster });
            }
        }
        Ok(Some(cluster))
    }

    /// The bytes of dynamic shared memory.
    #[inline]
    pub(super) fn dynamic_bytes(&self) -> Result<usize, Reason> {
        let facts = self.facts;
        let Some(dynamic) = facts.dynamic else { return Ok(0) };
        let bytes = match (dynamic.slice, self.dynamic) {
            (None, _) => return Ok(dynamic.sized),
            (Some(_), None) => {
                return Err(Reason::NotSet { what: "length in dynamic shared memory" });
            }
            (Some((_, each)), Some(len)) => len.saturating_mul(each).max(dynamic.sized),
        };
        let limit = facts.module.limits.shared;
        if bytes > limit.saturating_sub(facts.static_shared) {
            let statically = facts.static_shared;
            return Err(Reason::SharedMemory { statically, dynamic: bytes, limit });
        }
        Ok(bytes)
    }

    /// How many clusters the device holds at once.
    pub(super) fn clusters_at_once(&self, cluster: Dim, block: Dim, dynamic: usize) -> Option<u32> {
        let call = calls::max_clusters().ok()?;
        let attributes = [cluster_attribute(cluster)];
        let config = LaunchConfig {
            grid: cluster.0,
            block: block.0,
            dynamic_shared: u32::try_from(dynamic).ok()?,
            stream: core::ptr::null_mut(),
            attributes: attributes.as_ptr(),
            count: 1,
        };
        let mut clusters = 0;
        // SAFETY: the function belongs to a loaded module, and the configuration has as many attributes as it
        // states; one number is written.
        let code = unsafe { call(&raw mut clusters, self.facts.function, &raw const config) };
        u32::try_from(clusters).ok().filter(|_| code == 0)
    }
}

/// How many blocks a multiprocessor holds at once.
pub(super) fn blocks_at_once(facts: &Facts, block: Dim, dynamic: usize) -> Option<u32> {
    let call = calls::max_blocks().ok()?;
    let threads = int(usize::try_from(block.count()).ok()?);
    let mut blocks = 0;
    // SAFETY: the function belongs to a loaded module; one number is written.
    let code = unsafe { call(&raw mut blocks, facts.function, threads, dynamic) };
    u32::try_from(blocks).ok().filter(|_| code == 0)
}

/// Checks that no extent is zero or beyond the device's maximum.
#[inline]
pub(super) fn within(what: &'static str, given: Dim, limit: [u32; 3]) -> Result<(), Reason> {
    if given.count() == 0 {
        return Err(Reason::Zero { what, given });
    }
    if given.0.iter().zip(&limit).any(|(extent, most)| extent > most) {
        return Err(Reason::TooLarge { what, given, limit: Dim(limit) });
    }
    Ok(())
}
