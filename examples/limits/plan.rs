//! What there is to do for attention, divided among the blocks of a grid.

use std::error::Error;
use std::marker::PhantomData;
use std::sync::Arc;

use cudarc::driver::{CudaSlice, CudaStream};
use ptx::prelude::*;

use crate::attention::Work;

/// What a launch reads and writes: `q` and `o` have a vector for each token and head of the plan, `k` and `v` for each shared head.
pub(crate) struct Tensors<'b> {
    pub(crate) q: &'b CudaSlice<bf16>,
    pub(crate) k: &'b CudaSlice<bf16>,
    pub(crate) v: &'b CudaSlice<bf16>,
    pub(crate) o: &'b mut CudaSlice<bf16>,
}

/// A loaded kernel.
pub(crate) trait Attention: Sized {
    const DIM: usize;
    /// Queries of a tile, and keys of a block.
    const TILE: [usize; 2];
    const IS_CAUSAL: bool;

    /// Starts the kernel.
    fn attend(
        &self,
        stream: &Arc<CudaStream>,
        plan: &Plan<Self>,
        tensors: &mut Tensors<'_>,
    ) -> Result<(), Box<dyn Error>>;
}

/// The tiles of a kernel for some sequences that follow each other, in the memory of the GPU.
pub(crate) struct Plan<A> {
    pub(crate) work: CudaSlice<Work>,
    /// Where the tiles of each block start, and where those of the last end.
    pub(crate) first: CudaSlice<u32>,
    pub(crate) blocks: u32,
    pub(crate) tokens: u32,
    /// Heads of queries, and of keys.
    pub(crate) heads: [u32; 2],
    of: PhantomData<fn(A)>,
}

impl<A: Attention> Plan<A> {
    /// Divides the tiles among blocks: the next goes to the one that has the least to do. Tiles that read the same keys and values
    /// follow each other, so that these stay in the L2 cache; of a causal kernel, those that see most come first.
    pub(crate) fn new(
        stream: &Arc<CudaStream>,
        lengths: &[usize],
        [heads, shared_heads]: [usize; 2],
        blocks: usize,
    ) -> Result<Self, Box<dyn Error>> {
        let tokens: usize = lengths.iter().sum();
        // The kernel numbers vectors in 32 bits.
        u32::try_from(tokens.saturating_mul(heads))?;
        if shared_heads == 0 || heads % shared_heads != 0 || blocks == 0 {
            return Err(format!(
                "{heads} heads cannot share {shared_heads}, or there are no blocks"
            )
            .into());
        }
        let [rows, keys] = A::TILE;
        let group = heads / shared_heads;
        let mut of_blocks: Vec<(usize, Vec<Work>)> = vec![(0, Vec::new()); blocks];
        let mut start = 0;
        for length in lengths {
            for shared_head in 0..shared_heads {
                for row in (0..*length).step_by(rows).rev() {
                    let seen = if A::IS_CAUSAL { (row + rows).min(*length) } else { *length };
                    for head in shared_head * group..(shared_head + 1) * group {
                        let least = of_blocks.iter_mut().min_by_key(|(busy, _)| *busy);
                        let Some((busy, work)) = least else { continue };
                        // What a tile costs beside its blocks of keys is about one more.
                        *busy += seen.div_ceil(keys) + 1;
                        work.push(Work {
                            row: u32::try_from(start + row)?,
                            start: u32::try_from(start)?,
                            rows: u32::try_from(length - row)?,
                            keys: u32::try_from(seen)?,
                            head: u32::try_from(head)?,
                            shared_head: u32::try_from(shared_head)?,
                            padding: [0; 2],
                        });
                    }
                }
            }
            start += length;
        }
        let mut first = vec![0];
        for (_, work) in &of_blocks {
            first.push(first[first.len() - 1] + u32::try_from(work.len())?);
        }
        let work: Vec<Work> = of_blocks.into_iter().flat_map(|(_, work)| work).collect();
        Ok(Self {
            work: stream.clone_htod(&work)?,
            first: stream.clone_htod(&first)?,
            blocks: u32::try_from(blocks)?,
            tokens: u32::try_from(tokens)?,
            heads: [u32::try_from(heads)?, u32::try_from(shared_heads)?],
            of: PhantomData,
        })
    }
}
