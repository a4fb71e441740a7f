//! What there is to do for attention, divided among the blocks of a grid, and the launch.
#![allow(unsafe_code, reason = "a launch without a contract is unsafe")]

use std::error::Error;
use std::sync::Arc;

use cudarc::driver::{CudaSlice, CudaStream};
use ptx::cuda::Over as _;
use ptx::prelude::*;

use crate::attention::{Work, causal_of_64, causal_of_128, of_64, of_128};

/// What a launch takes: `q` and `o` of `heads[0]` heads, `k` and `v` of `heads[1]`, and the plan.
pub(crate) struct Tensors<'b> {
    pub(crate) tokens: usize,
    pub(crate) heads: [usize; 2],
    pub(crate) q: &'b CudaSlice<bf16>,
    pub(crate) k: &'b CudaSlice<bf16>,
    pub(crate) v: &'b CudaSlice<bf16>,
    pub(crate) o: &'b mut CudaSlice<bf16>,
    pub(crate) work: &'b CudaSlice<Work>,
    pub(crate) first: &'b CudaSlice<u32>,
    /// What scores are multiplied by, times the logarithm of `e` to base 2.
    pub(crate) scale: f32,
}

/// A loaded kernel.
pub(crate) trait Attention {
    const DIM: usize;
    /// Queries of a tile, and keys of a block.
    const TILE: [usize; 2];
    const IS_CAUSAL: bool;

    /// Starts the kernel.
    fn attend(
        &self,
        stream: &Arc<CudaStream>,
        tensors: &mut Tensors<'_>,
    ) -> Result<(), Box<dyn Error>>;
}

/// The tiles of sequences of these lengths, and where those of each block start: the next tile goes to the block that has the
/// least to do. Tiles that read the same keys and values follow each other, so that these stay in the L2 cache; the largest come first.
#[allow(clippy::cast_possible_truncation, reason = "tokens are counted in 32 bits")]
pub(crate) fn plan(
    lengths: &[usize],
    [heads, shared_heads]: [usize; 2],
    [rows, keys]: [usize; 2],
    is_causal: bool,
    blocks: usize,
) -> (Vec<Work>, Vec<u32>) {
    let mut of_blocks: Vec<(usize, Vec<Work>)> = vec![(0, Vec::new()); blocks];
    let mut start = 0;
    for length in lengths {
        for shared_head in 0..shared_heads {
            for row in (0..*length).step_by(rows).rev() {
                let seen = if is_causal { (row + rows).min(*length) } else { *length };
                let group = heads / shared_heads;
                for head in shared_head * group..(shared_head + 1) * group {
                    let least = of_blocks.iter_mut().min_by_key(|(busy, _)| *busy);
                    let Some((busy, work)) = least else { continue };
                    // What a tile costs beside its blocks of keys is about one more.
                    *busy += seen.div_ceil(keys) + 1;
                    work.push(Work {
                        row: (start + row) as u32,
                        start: start as u32,
                        rows: (length - row) as u32,
                        keys: seen as u32,
                        head: head as u32,
                        shared_head: shared_head as u32,
                        padding: [0; 2],
                    });
                }
            }
        }
        start += length;
    }
    let mut first = vec![0];
    for (_, work) in &of_blocks {
        first.push(first[first.len() - 1] + work.len() as u32);
    }
    (of_blocks.into_iter().flat_map(|(_, work)| work).collect(), first)
}

macro_rules! kernels {
    ($($name:ident)*) => {$(
        impl Attention for $name::Loaded {
            const DIM: usize = $name::DIM;
            const TILE: [usize; 2] = [$name::ROWS, $name::KEYS];
            const IS_CAUSAL: bool = $name::IS_CAUSAL;

            fn attend(&self, stream: &Arc<CudaStream>, it: &mut Tensors<'_>) -> Result<(), Box<dyn Error>> {
                let dims = it.heads.map(|heads| [$name::DIM as u64, heads as u64, it.tokens as u64]);
                let q = $name::Q::over(it.q, stream).dims(dims[0]).encode()?;
                let k = $name::K::over(it.k, stream).dims(dims[1]).encode()?;
                let v = $name::K::over(it.v, stream).dims(dims[1]).encode()?;
                let blocks = u32::try_from(it.first.len() - 1)?;
                let heads = u32::try_from(it.heads[0])?;
                let launch = self.attend().grid(blocks).block($name::THREADS);
                // SAFETY: the maps are over the tensors, and the tiles of the plan lie in them.
                unsafe {
                    launch.launch(stream, (&q, &k, &v, &mut *it.o, it.work, it.first, heads, it.scale))?;
                }
                Ok(())
            }
        }
    )*};
}

kernels!(of_128 causal_of_128 of_64 causal_of_64);
