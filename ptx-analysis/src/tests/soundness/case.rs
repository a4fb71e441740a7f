//! A random program and its launch.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use proptest::prelude::*;
use ptx_isa::ir::{Directive, DirectiveKind};
use ptx_smith::bodies::{CALLEES, Choices, Features, function, kernel, wild};

use super::executed::Chance;
use super::subject::Promised;
use crate::values::launch::Block;

/// What directives specify about a block or a cluster.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Promise {
    Required,
    Most,
    None,
}

/// A program and its launch.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) choices: Vec<u16>,
    pub(super) block: [u32; 3],
    /// The directive about the block: `.reqntid`, `.maxntid`, or none.
    pub(super) promise: Promise,
    /// The number of blocks of a cluster, and the directive about it: `.reqnctapercluster`,
    /// `.maxclusterrank`, or none.
    pub(super) cluster: (u32, Promise),
    /// Whether it is a device function with unknown callers.
    pub(super) is_device: bool,
    /// Whether it has arbitrary jumps.
    pub(super) is_wild: bool,
    pub(super) features: Features,
    pub(super) seed: u64,
}

/// The maximum number of blocks of a cluster whose size has a declared limit.
const MOST_BLOCKS: u32 = 4;

pub(super) fn case() -> impl Strategy<Value = Case> {
    let choices = prop::collection::vec(any::<u16>(), 0..400);
    let block = prop::sample::select(alloc::vec![[8, 1, 1], [4, 2, 1], [33, 1, 1]]);
    let promise = || prop_oneof![6 => Just(Promise::Required), 1 => Just(Promise::Most), 1 => Just(Promise::None)];
    let clusters = prop_oneof![
        3 => Just(None),
        1 => (1..=2_u32, promise()).prop_map(Some),
    ];
    let kinds = (promise(), prop::bool::weighted(0.1), prop::bool::weighted(0.15));
    let calls = prop::bool::weighted(0.2);
    let all = (choices, block, kinds, clusters, calls, any::<u64>());
    all.prop_map(|(choices, block, kinds, clusters, calls, seed)| {
        let (promise, is_device, is_wild) = kinds;
        // A device function has no directives.
        let promise = if is_device { Promise::None } else { promise };
        let (blocks, of_cluster) = clusters.unwrap_or((1, Promise::None));
        let cluster = match of_cluster {
            _ if is_device => (blocks, Promise::None),
            // The declared size is the real one.
            Promise::Required => (2, of_cluster),
            Promise::Most | Promise::None => (blocks, of_cluster),
        };
        let features = Features { clusters: clusters.is_some(), calls };
        Case { choices, block, promise, cluster, is_device, is_wild, features, seed }
    })
}

impl Case {
    /// Creates a kernel, or a device function, with threads along one dimension.
    pub(super) fn plain(is_device: bool) -> Self {
        Self {
            choices: Vec::new(),
            block: [8, 1, 1],
            promise: if is_device { Promise::None } else { Promise::Required },
            cluster: (1, Promise::None),
            is_device,
            is_wild: true,
            features: Features::default(),
            seed: 0,
        }
    }

    pub(super) fn chance(&self) -> Chance {
        let (block, grid, cluster) = (self.block, [6, 1, 1], self.cluster.0);
        Chance { block, grid, cluster, number_of_block: [0; 3], seed: self.seed }
    }

    /// Returns the launch of other blocks of the grid.
    pub(super) fn elsewhere(&self) -> Chance {
        let number_of_block = [if self.cluster.0 > 1 { 2 } else { 3 }, 0, 0];
        Chance { number_of_block, ..self.chance() }
    }

    pub(super) fn promised(&self) -> Promised {
        let extents = self.block.map(i128::from);
        let block = match self.promise {
            Promise::Required => Block::Exactly(extents),
            Promise::Most => Block::AtMost(extents.iter().product()),
            Promise::None => Block::Unknown,
        };
        let cluster = match self.cluster {
            (blocks, Promise::Required) => Some((blocks, true)),
            (_, Promise::Most) => Some((MOST_BLOCKS, false)),
            (_, Promise::None) => None,
        };
        Promised { block, cluster }
    }

    pub(super) fn directives(&self) -> Vec<Directive> {
        let of_block = match self.promise {
            Promise::Required => Some((DirectiveKind::ReqNTid, self.block)),
            Promise::Most => Some((DirectiveKind::MaxNTid, self.block)),
            Promise::None => None,
        };
        let of_cluster = match self.cluster {
            (blocks, Promise::Required) => Some((DirectiveKind::ReqNCtaPerCluster, [blocks, 1, 1])),
            (_, Promise::Most) => Some((DirectiveKind::MaxClusterRank, [MOST_BLOCKS, 1, 1])),
            (_, Promise::None) => None,
        };
        let all = of_block.into_iter().chain(of_cluster);
        all.map(|(kind, values)| Directive { kind, values }).collect()
    }

    /// Returns the bodies of the functions; the first one is launched.
    pub(super) fn texts(&self) -> Vec<String> {
        let mut choices = Choices::given(self.choices.clone());
        let choices = &mut choices;
        let features = self.features;
        let called: Vec<String> = CALLEES
            .iter()
            .filter(|_| features.calls)
            .map(|callee| function(choices, callee, features))
            .collect();
        let first = if self.is_wild { wild(choices, features) } else { kernel(choices, features) };
        core::iter::once(first).chain(called).collect()
    }

    /// Returns a description for a failure.
    pub(super) fn described(&self, problem: &str, texts: &[String]) -> String {
        let Self { block, promise, cluster, is_device, seed, .. } = self;
        let numbered: Vec<String> = texts.iter().map(|text| numbered(text)).collect();
        format!(
            "{problem}\nblock {block:?}, directive: {promise:?}, cluster: {cluster:?}, device \
             function: {is_device}, seed {seed}\n{}",
            numbered.join("\n\n")
        )
    }
}

/// Returns a body with the indices of its labels and instructions.
fn numbered(text: &str) -> String {
    let is_node = |line: &&str| !line.starts_with('.');
    let lines = text.lines().filter(is_node).enumerate();
    lines.map(|(n, line)| format!("{n:3} {line}")).collect::<Vec<String>>().join("\n")
}
