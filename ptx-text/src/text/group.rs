//! The sizes of blocks and clusters that devices and kernels bound.

use core::fmt;

use ptx_analysis::Launch;
use ptx_isa::count::Count;
use ptx_isa::ir::{Directive, DirectiveKind, Function, MOST_THREADS};

/// What a launch gives the size of, and a device or a kernel bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// A block, in threads.
    Block,
    /// A cluster, in blocks.
    Cluster,
}

impl Group {
    /// Returns these extents if a device has groups of that size: blocks of 1,024 threads, 64 of them in z, and clusters of
    /// 16 blocks.
    ///
    /// # Errors
    /// If they are too large: a sentence that says so.
    pub fn checked(self, extents: [u32; 3]) -> Result<[u32; 3], String> {
        let (name, most) = match self {
            Self::Block => ("block", 1024),
            Self::Cluster => ("cluster", 16),
        };
        match product(extents) {
            count if count > most => {
                let things = self.things();
                Err(format!("a {name} has at most {most} {things}s, and these are {count}"))
            }
            _ => {
                let ([.., z], [.., most]) = (extents, MOST_THREADS);
                if self == Self::Block && z > most {
                    return Err(format!(
                        "a block has at most {most} threads in z, and these are {z}"
                    ));
                }
                Ok(extents)
            }
        }
    }

    /// What there are several of in the group.
    const fn things(self) -> &'static str {
        match self {
            Self::Block => "thread",
            Self::Cluster => "block",
        }
    }
}

/// A bound of a kernel that a launch exceeds, and by how much.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Excess {
    /// What is too large.
    pub group: Group,
    /// The bound.
    directive: Directive,
    /// The number of threads or blocks that is given.
    given: u64,
}

impl Excess {
    /// Returns the first bound of a kernel that a launch exceeds. No driver starts such a launch (PTX ISA 11.4).
    pub fn of(launch: &Launch, kernel: &Function<'_>) -> Option<Self> {
        let directive = |kind| kernel.directives.iter().find(|it| it.kind == kind);
        [Group::Block, Group::Cluster].into_iter().find_map(|group| {
            let (extents, most, exact) = match group {
                Group::Block => (launch.block, DirectiveKind::MaxNTid, DirectiveKind::ReqNTid),
                Group::Cluster => (
                    launch.cluster,
                    DirectiveKind::MaxClusterRank,
                    DirectiveKind::ReqNCtaPerCluster,
                ),
            };
            // The exact number wins over the one that is given.
            let most = directive(most).filter(|_| directive(exact).is_none())?;
            let given = product(extents?);
            (given > most.product()).then_some(Self { group, directive: *most, given })
        })
    }
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { group, directive, given } = self;
        let most = usize::try_from(directive.product()).unwrap_or(usize::MAX);
        let allowed = Count(most, group.things());
        let name = directive.kind.name();
        write!(f, "`.{name}` allows {allowed}: give at most as many, not {given}")
    }
}

/// The number of threads or blocks, or `u64::MAX` if that is greater.
fn product(extents: [u32; 3]) -> u64 {
    extents.into_iter().fold(1, |all, one| all.saturating_mul(one.into()))
}
