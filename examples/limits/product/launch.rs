//! How a product is launched.

/// Starts the instance of a kernel whose condition holds, given by its columns, its map of `B` and its scales: on a number of
/// clusters, with what it reads and writes.
macro_rules! start {
    (
        $kernel:ident, $loaded:expr, $clusters:expr, $stream:expr, $operands:expr,
        $($columns:literal $b:ident $scales:literal if $when:expr);+
    ) => {{
        use crate::product::{CLUSTER, D, THREADS, $kernel as kernel};
        let (a, b, d, of_a, of_b, [m, n, k]) = $operands;
        let a = kernel::A::over(a, $stream).dims([k as u64, m as u64]).encode()?;
        let d = D::over_mut(d, $stream).dims([n as u64, m as u64]).encode()?;
        let sizes = [u32::try_from(m)?, u32::try_from(n)?, u32::try_from(k)?];
        let grid = u32::try_from($clusters * CLUSTER)?;
        $(if $when {
            let b = kernel::$b::over(b, $stream).dims([k as u64, n as u64]).encode()?;
            let launch = $loaded.multiply::<$columns, $scales>().grid(grid).block(THREADS);
            // SAFETY: the maps are over matrices of these sizes, that of `d` stores, and there are as many scales as the kernel reads.
            unsafe { launch.launch($stream, (&a, &b, &d, of_a, of_b, sizes[0], sizes[1], sizes[2]))? };
        })+
    }};
}
pub(crate) use start;
