//! The resources of a kernel, as a table.

use core::fmt;

use super::facts::{Facts, attribute};
use super::shape::Dim;

/// The resources of a kernel on the device that it is loaded on. `Display` prints a table, like the
/// [memory map](crate::MemoryMap).
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Resources {
    /// The kernel.
    pub kernel: &'static str,
    /// Registers of a thread.
    pub registers: Option<usize>,
    /// Bytes that a thread stores and loads to spill registers. `None` if they are unknown: for a cubin,
    /// and if the driver had compiled the module in an earlier process and cached it; they are included in
    /// the bytes of local memory.
    pub spills: Option<(usize, usize)>,
    /// Bytes of local memory of a thread: its stack and its spills.
    pub local: Option<usize>,
    /// Bytes of static shared memory of a block.
    pub static_shared: usize,
    /// Bytes of dynamic shared memory of a block; `None` if the launch has not set it yet.
    pub dynamic_shared: Option<usize>,
    /// The maximum shared memory of a block on this device, in bytes.
    pub shared_limit: usize,
    /// Bytes of constant memory of the module.
    pub constants: Option<usize>,
    /// The maximum number of threads of a block.
    pub most_threads: Option<usize>,
    /// The block of the launch, if it is known.
    pub block: Option<Dim>,
    /// Blocks of this shape that a multiprocessor holds at once.
    pub blocks_per_multiprocessor: Option<u32>,
    /// The cluster of the launch, if there is one.
    pub cluster: Option<Dim>,
    /// Clusters of this shape that the device holds at once.
    pub clusters: Option<u32>,
    /// Multiprocessors of the device.
    pub multiprocessors: u32,
}

/// A block with which a kernel occupies its device best, from [`Launch::suggest_block`](super::Launch::suggest_block).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct SuggestedBlock {
    /// The number of threads of a block.
    pub threads: u32,
    /// The least number of blocks of a grid that fills the device.
    pub grid: u32,
}

impl Resources {
    pub(super) fn of(facts: &Facts, block: Option<Dim>, dynamic: Option<usize>) -> Self {
        let kernel = facts.ir.name;
        let report = facts.module.messages.report.kernel(kernel);
        Self {
            kernel,
            registers: facts.attribute(attribute::REGISTERS),
            spills: report.map(|report| report.spill_bytes),
            local: facts.attribute(attribute::LOCAL_BYTES),
            static_shared: facts.static_shared,
            dynamic_shared: dynamic,
            shared_limit: facts.module.limits.shared,
            constants: facts.attribute(attribute::CONST_BYTES),
            most_threads: facts.attribute(attribute::MAX_THREADS),
            block,
            blocks_per_multiprocessor: None,
            cluster: None,
            clusters: None,
            multiprocessors: facts.module.limits.multiprocessors,
        }
    }
}

impl fmt::Display for Resources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.kernel;
        let mut row = |what: &str, value: &dyn fmt::Display, unit: &str| {
            writeln!(f, "{name}:  {what:<28}  {value:>9}  {unit}")
        };
        if let Some(registers) = self.registers {
            row("registers", &registers, "for a thread")?;
        }
        match self.spills {
            Some((stores, loads)) => {
                row("spill stores", &stores, "bytes for a thread")?;
                row("spill loads", &loads, "bytes for a thread")?;
            }
            None => row("spills", &"?", "in local memory; compiled before")?,
        }
        if let Some(local) = self.local {
            row("local memory", &local, "bytes for a thread")?;
        }
        row("static shared memory", &self.static_shared, "bytes for a block")?;
        match self.dynamic_shared {
            Some(dynamic) => row("dynamic shared memory", &dynamic, "bytes for a block")?,
            None => row("dynamic shared memory", &"launch", "bytes for a block")?,
        }
        row("shared memory of the device", &self.shared_limit, "bytes for a block")?;
        if let Some(constants) = self.constants {
            row("constant memory", &constants, "bytes for the module")?;
        }
        if let Some(threads) = self.most_threads {
            row("threads", &threads, "for a block at most")?;
        }
        if let (Some(block), Some(blocks)) = (self.block, self.blocks_per_multiprocessor) {
            let unit = std::format!("on each of {} multiprocessors", self.multiprocessors);
            row(&std::format!("blocks of {block} threads"), &blocks, &unit)?;
        }
        if let (Some(cluster), Some(clusters)) = (self.cluster, self.clusters) {
            row(&std::format!("clusters of {cluster} blocks"), &clusters, "on the device")?;
        }
        Ok(())
    }
}
